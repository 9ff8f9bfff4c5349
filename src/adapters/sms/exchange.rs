//! One request to a provider and its answer, read up to a bound and put in words that are safe to store.

use std::error::Error as _;
use std::io;
use std::time::Duration;

use http::{HeaderMap, StatusCode, header};
use reqwest::{Client, Response};
use serde::de::DeserializeOwned;

use super::{Message, Provider};
use crate::platform::trace;

const BODY_LIMIT_BYTES: usize = 16 * 1024;
const WORDS_LIMIT_CHARS: usize = 200;
/// How long a busy provider that names no time is given.
const USUAL_PAUSE: Duration = Duration::from_millis(300);

pub struct GatewayAnswer {
    pub status: StatusCode,
    /// The first [`BODY_LIMIT_BYTES`] of it; a longer one is cut, and so no JSON any more.
    body: Vec<u8>,
    retry_after: Option<Duration>,
}

/// Why a message was not taken.
#[derive(Debug)]
pub struct SendError {
    pub kind: SendErrorKind,
    pub words: String,
    /// The provider had the message and did not say what became of it.
    pub may_have_arrived: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SendErrorKind {
    /// The provider works, but not for this message.
    Refused,
    /// The provider may take the message after this long.
    Busy(Duration),
    TimedOut,
    /// Neither this message nor the next will go.
    Broken,
}

impl SendErrorKind {
    /// Its name in the metrics.
    pub fn word(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Busy(_) => "busy",
            Self::TimedOut => "timed_out",
            Self::Broken => "broken",
        }
    }
}

impl SendError {
    pub fn new(kind: SendErrorKind, words: impl AsRef<str>) -> Self {
        let words = words.as_ref().chars().take(WORDS_LIMIT_CHARS).collect();
        Self { kind, words, may_have_arrived: false }
    }

    fn unclear(self) -> Self {
        Self { may_have_arrived: true, ..self }
    }

    pub fn timed_out() -> Self {
        Self::new(SendErrorKind::TimedOut, "timed out").unclear()
    }

    pub fn busy(words: impl AsRef<str>) -> Self {
        Self::new(SendErrorKind::Busy(USUAL_PAUSE), words)
    }

    pub fn unreadable() -> Self {
        Self::new(SendErrorKind::Broken, "unreadable answer").unclear()
    }
}

impl GatewayAnswer {
    pub fn json<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_slice(&self.body).ok()
    }

    /// What a status other than 2xx means; `detail` is the provider's own number for it.
    pub fn failure(&self, provider: &str, detail: Option<u32>) -> SendError {
        let status = self.status.as_u16();
        let words = match detail {
            Some(detail) => format!("{provider} answered {status}: {detail}"),
            None => format!("{provider} answered {status}"),
        };
        let kind = match self.status {
            StatusCode::TOO_MANY_REQUESTS => self.busy(),
            status if status.is_server_error() => self.busy(),
            // The account is refused, not the message.
            StatusCode::UNAUTHORIZED => SendErrorKind::Broken,
            status if status.is_client_error() => SendErrorKind::Refused,
            _ => SendErrorKind::Broken,
        };
        SendError::new(kind, words)
    }

    fn busy(&self) -> SendErrorKind {
        SendErrorKind::Busy(self.retry_after.unwrap_or(USUAL_PAUSE))
    }
}

pub async fn exchange(
    client: &Client,
    provider: &dyn Provider,
    message: Message<'_>,
) -> Result<(), SendError> {
    let mut headers = HeaderMap::new();
    trace::hand_on(&mut headers);
    let request = provider.request(client, message).headers(headers);
    let response = request.send().await.map_err(broken)?;
    let status = response.status();
    let retry_after = retry_after(response.headers());
    let body = if provider.needs_body() { read(response).await? } else { Vec::new() };
    provider.judge(&GatewayAnswer { status, body, retry_after })
}

async fn read(mut response: Response) -> Result<Vec<u8>, SendError> {
    let mut body = Vec::new();
    while body.len() < BODY_LIMIT_BYTES {
        match response.chunk().await {
            Ok(Some(chunk)) => body.extend(chunk.iter().take(BODY_LIMIT_BYTES - body.len())),
            Ok(None) => break,
            // The status has said what there is to say.
            Err(_) if !response.status().is_success() => break,
            Err(error) => return Err(broken(error)),
        }
    }
    Ok(body)
}

/// Only seconds are read: a date would have to be compared with a clock that the provider may not share.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

/// The error's own words are never used, since they quote the address, which may hold the phone and the secret.
fn broken(error: reqwest::Error) -> SendError {
    if error.is_timeout() {
        return SendError::timed_out();
    }
    let words = match io_kind(&error) {
        Some(io::ErrorKind::ConnectionRefused) => "connection refused",
        Some(io::ErrorKind::ConnectionReset) => "connection reset",
        _ if error.is_connect() => "no connection",
        _ if error.is_builder() => "the request cannot be written",
        _ => "connection broken",
    };
    let failure = SendError::new(SendErrorKind::Broken, words);
    if error.is_connect() || error.is_builder() { failure } else { failure.unclear() }
}

fn io_kind(error: &reqwest::Error) -> Option<io::ErrorKind> {
    let mut cause = error.source();
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<io::Error>() {
            return Some(error.kind());
        }
        cause = error.source();
    }
    None
}
