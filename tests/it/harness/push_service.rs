//! The services that reach devices, as far as a sender sees them: each takes what it is sent and answers as a test says.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::path::Path;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::{HeaderMap, Request, Response};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use touchline::platform::outbound;

/// A call as it came in.
#[derive(Debug, Clone)]
pub struct Delivery {
    pub path: String,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Delivery {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

type Answer = (u16, Vec<(&'static str, String)>, Value);

#[derive(Default)]
struct Desk {
    calls: Vec<Delivery>,
    /// What is answered next; 201 without a body when there is nothing.
    answers: VecDeque<Answer>,
    /// What is answered to calls whose path ends so, whatever is next.
    fixed: Vec<(&'static str, Answer)>,
}

pub struct PushService {
    pub url: String,
    desk: Arc<Mutex<Desk>>,
}

impl PushService {
    /// Speaks HTTP/1.1.
    pub async fn start() -> Self {
        Self::listen(false, None).await
    }

    /// Speaks HTTP/2 and nothing else, as Apple does.
    pub async fn start_http2() -> Self {
        Self::listen(true, None).await
    }

    /// The same inside TLS, for whoever offers HTTP/2 there.
    pub async fn start_tls(certificate: &Path, key: &Path) -> Self {
        let chain = vec![CertificateDer::from_pem_file(certificate).unwrap()];
        let key = PrivateKeyDer::from_pem_file(key).unwrap();
        outbound::install_tls();
        let config = ServerConfig::builder().with_no_client_auth();
        let mut config = config.with_single_cert(chain, key).unwrap();
        config.alpn_protocols = vec![b"h2".to_vec()];
        Self::listen(true, Some(TlsAcceptor::from(Arc::new(config)))).await
    }

    async fn listen(is_http2: bool, tls: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let url = match tls {
            Some(_) => format!("https://localhost:{port}"),
            None => format!("http://127.0.0.1:{port}"),
        };
        let desk = Arc::new(Mutex::new(Desk::default()));
        let shared = desk.clone();
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let desk = shared.clone();
                let service = service_fn(move |request| answer(desk.clone(), request));
                let tls = tls.clone();
                tokio::spawn(async move {
                    let http2 = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
                    let http1 = hyper::server::conn::http1::Builder::new();
                    // The service may have ended already.
                    match tls {
                        Some(tls) => {
                            let Ok(stream) = tls.accept(stream).await else { return };
                            drop(http2.serve_connection(TokioIo::new(stream), service).await);
                        }
                        None if is_http2 => {
                            drop(http2.serve_connection(TokioIo::new(stream), service).await);
                        }
                        None => drop(http1.serve_connection(TokioIo::new(stream), service).await),
                    }
                });
            }
        });
        Self { url, desk }
    }

    /// What the next call is answered.
    pub fn answer_next(&self, status: u16, body: Value) {
        self.desk.lock().unwrap().answers.push_back((status, Vec::new(), body));
    }

    pub fn answer_next_with(&self, status: u16, header: (&'static str, &str), body: Value) {
        let headers = vec![(header.0, header.1.to_owned())];
        self.desk.lock().unwrap().answers.push_back((status, headers, body));
    }

    /// What calls to this path are always answered.
    pub fn answer_at(&self, path: &'static str, status: u16, body: Value) {
        self.desk.lock().unwrap().fixed.push((path, (status, Vec::new(), body)));
    }

    /// What came in since the last look.
    pub fn taken(&self) -> Vec<Delivery> {
        std::mem::take(&mut self.desk.lock().unwrap().calls)
    }
}

async fn answer(
    desk: Arc<Mutex<Desk>>,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let (parts, body) = request.into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    let path = parts.uri.path().to_owned();
    let mut desk = desk.lock().unwrap();
    let fixed =
        desk.fixed.iter().find(|(end, _)| path.ends_with(end)).map(|(_, answer)| answer.clone());
    desk.calls.push(Delivery { path, headers: parts.headers, body });
    let next = fixed.or_else(|| desk.answers.pop_front());
    let (status, headers, body) = next.unwrap_or((201, Vec::new(), Value::Null));
    let mut response = Response::builder().status(status);
    for (name, value) in headers {
        response = response.header(name, value);
    }
    let body = if body.is_null() { Bytes::new() } else { body.to_string().into() };
    Ok(response.body(Full::new(body)).unwrap())
}
