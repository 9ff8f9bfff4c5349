//! A document that is the same for everybody for as long as the program runs, compressed once for each way of doing so.

use std::convert::Infallible;
use std::future::ready;

use axum::body::Body;
use axum::response::Response;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Request, StatusCode, header};
use http_body_util::{BodyExt, Collected};
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;
use tower::{ServiceExt, service_fn};
use tower_http::compression::Compression;

/// In the order in which they are preferred: the smaller first.
const ENCODINGS: [&str; 2] = ["br", "gzip"];

/// On an answer that is not to be compressed any more.
#[derive(Clone)]
pub struct AsItIs;

pub struct Document {
    kind: &'static str,
    plain: Bytes,
    /// Of its content: whoever has this one needs no other.
    tag: String,
    packed: [OnceCell<Bytes>; ENCODINGS.len()],
}

impl Document {
    pub fn new(kind: &'static str, plain: Bytes) -> Self {
        let tag = format!("\"{}\"", URL_SAFE_NO_PAD.encode(Sha256::digest(&plain)));
        Self { kind, plain, tag, packed: Default::default() }
    }

    /// The document, compressed if the caller takes that, or nothing but a word if the caller has it.
    pub async fn answer(&self, headers: &HeaderMap) -> Response {
        let has_it = headers.get(header::IF_NONE_MATCH).is_some_and(|tag| *tag == *self.tag);
        let mut response = if has_it { Response::default() } else { self.whole(headers).await };
        if has_it {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        }
        let headers = response.headers_mut();
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if let Ok(tag) = HeaderValue::try_from(&self.tag) {
            headers.insert(header::ETAG, tag);
            // Kept, and asked about each time: a new version of the program shows at once.
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        }
        response
    }

    async fn whole(&self, headers: &HeaderMap) -> Response {
        let choices = ENCODINGS.into_iter().zip(&self.packed);
        // Images are compressed already.
        let mut takes = choices.filter(|(name, _)| !self.is_image() && accepts(headers, name));
        let packed = match takes.next() {
            Some((name, packed)) => {
                let made = packed.get_or_try_init(|| compress(&self.plain, name)).await;
                made.ok().map(|bytes| (bytes, Some(name)))
            }
            None => None,
        };
        let (bytes, encoding) = packed.unwrap_or((&self.plain, None));
        let mut response = Response::new(Body::from(bytes.clone()));
        response.extensions_mut().insert(AsItIs);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.kind));
        if let Some(encoding) = encoding {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        response
    }

    fn is_image(&self) -> bool {
        self.kind.starts_with("image/")
    }
}

/// Whether the caller names this encoding, and not to refuse it.
fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).iter();
    values.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(',')).any(|entry| {
        let (name, weight) = entry.split_once(';').unwrap_or((entry, ""));
        let weight = weight.trim().strip_prefix("q=").map(str::parse::<f32>);
        name.trim().eq_ignore_ascii_case(encoding)
            && weight.is_none_or(|weight| weight.is_ok_and(|weight| weight > 0.0))
    })
}

/// By the same means as every other answer, which is all that compresses in this program.
async fn compress(plain: &Bytes, encoding: &'static str) -> Result<Bytes, axum::BoxError> {
    let mut request = Request::new(());
    request.headers_mut().insert(header::ACCEPT_ENCODING, HeaderValue::from_static(encoding));
    let give = service_fn(|_| ready(Ok::<_, Infallible>(Response::new(Body::from(plain.clone())))));
    let Ok(response) = Compression::new(give).oneshot(request).await;
    response.into_body().collect().await.map(Collected::to_bytes)
}
