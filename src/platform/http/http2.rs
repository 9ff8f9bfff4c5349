//! HTTP/2 on a connection inside TLS: many requests at once, each within the same limits as alone.
//!
//! Owns: what hyper leaves out of HTTP/2, the times after which a connection that asks nothing, or takes nothing, is ended.
//! Invariants: what a caller has not taken of its answers is counted until it is sent, so that one who opens no window is found out; a
//! connection without a request in time ends.
//! Never: looks into a request.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::Body;
use bytes::Bytes;
use http::{Request, header};
use http_body::{Frame, SizeHint};
use hyper::body::Incoming;
use hyper::server::conn::http2;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::platform::config::HttpConfig;

use super::connection::{ClientConnection, Phase};
use super::serve::{Host, Peer};

/// Requests at once on one connection; those of an address are limited apart.
const STREAMS: u32 = 100;
/// Answers are handed over in pieces, so that a slow caller who takes some of a long one is told from one who takes nothing.
const PIECE_BYTES: usize = 16 * 1024;
const LONGEST_GLANCE: Duration = Duration::from_secs(1);

pub async fn converse<S>(stream: S, peer: SocketAddr, host: Host)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let Host { answerer, limits, leaving, closing } = host;
    let traffic = Arc::new(Traffic::new());
    let phase = Phase::new();
    // The stream's own time for a head is HTTP/1's; here only its time for writing counts.
    let _always = phase.answering();
    let stream =
        ClientConnection::new(stream, phase, limits.header_timeout(), limits.write_timeout());
    let asked = traffic.clone();
    let service = service_fn(move |mut request: Request<Incoming>| {
        let open = Open::new(&asked);
        request.extensions_mut().insert(Peer(peer));
        let answer = answerer.answer(request.map(Body::new));
        async move {
            let mut answer = answer.await.map(|body| Metered { body, rest: Bytes::new(), open });
            // There is no such header in HTTP/2.
            answer.headers_mut().remove(header::CONNECTION);
            Ok::<_, Infallible>(answer)
        }
    });
    let connection = http2::Builder::new(TokioExecutor::new())
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS)
        .max_header_list_size(u32::try_from(limits.head_limit_bytes).unwrap_or(u32::MAX))
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = pin!(connection);
    let glance = (limits.header_timeout() / 4).min(LONGEST_GLANCE);
    let mut is_ending = false;
    loop {
        tokio::select! {
            biased;
            // How it ended no longer matters to anybody here.
            _ = connection.as_mut() => return,
            // Somebody who has just come is answered before they are asked to go.
            () = leaving.cancelled(), if !is_ending && traffic.has_asked() => {
                connection.as_mut().graceful_shutdown();
                is_ending = true;
            }
            () = closing.cancelled(), if !is_ending => {
                connection.as_mut().graceful_shutdown();
                is_ending = true;
            }
            () = tokio::time::sleep(glance) => match traffic.look(&limits) {
                Sight::Fine => {}
                Sight::Quiet if !is_ending => {
                    connection.as_mut().graceful_shutdown();
                    is_ending = true;
                }
                // One who takes nothing, or does not go when asked to.
                Sight::Quiet | Sight::Stalled => return,
            },
        }
    }
}

/// What happens on one connection.
struct Traffic {
    began: Instant,
    /// When something last happened, in milliseconds since it began.
    moved_ms: AtomicU64,
    has_asked: AtomicBool,
    open: AtomicUsize,
    unsent: AtomicUsize,
}

enum Sight {
    Fine,
    /// Nothing is asked, and has not been for too long.
    Quiet,
    /// An answer is not taken, and has not been for too long.
    Stalled,
}

impl Traffic {
    fn new() -> Self {
        Self {
            began: Instant::now(),
            moved_ms: AtomicU64::new(0),
            has_asked: AtomicBool::new(false),
            open: AtomicUsize::new(0),
            unsent: AtomicUsize::new(0),
        }
    }

    fn has_asked(&self) -> bool {
        self.has_asked.load(Ordering::Acquire)
    }

    fn note_move(&self) {
        let now = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.moved_ms.store(now, Ordering::Release);
    }

    fn look(&self, limits: &HttpConfig) -> Sight {
        let still = self
            .began
            .elapsed()
            .saturating_sub(Duration::from_millis(self.moved_ms.load(Ordering::Acquire)));
        if self.unsent.load(Ordering::Acquire) > 0 {
            return if still > limits.write_timeout() { Sight::Stalled } else { Sight::Fine };
        }
        let patience =
            if self.has_asked() { limits.idle_timeout() } else { limits.header_timeout() };
        let is_open = self.open.load(Ordering::Acquire) > 0;
        if !is_open && still > patience { Sight::Quiet } else { Sight::Fine }
    }
}

/// A request that is not answered to its end.
struct Open(Arc<Traffic>);

impl Open {
    fn new(traffic: &Arc<Traffic>) -> Self {
        traffic.open.fetch_add(1, Ordering::AcqRel);
        traffic.has_asked.store(true, Ordering::Release);
        traffic.note_move();
        Self(traffic.clone())
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.note_move();
        self.0.open.fetch_sub(1, Ordering::AcqRel);
    }
}

/// A piece of an answer, until it is written to the connection or given up.
struct Unsent {
    piece: Bytes,
    traffic: Arc<Traffic>,
}

impl Unsent {
    fn new(piece: Bytes, traffic: &Arc<Traffic>) -> Self {
        traffic.note_move();
        traffic.unsent.fetch_add(1, Ordering::AcqRel);
        Self { piece, traffic: traffic.clone() }
    }
}

impl AsRef<[u8]> for Unsent {
    fn as_ref(&self) -> &[u8] {
        &self.piece
    }
}

impl Drop for Unsent {
    fn drop(&mut self) {
        self.traffic.note_move();
        self.traffic.unsent.fetch_sub(1, Ordering::AcqRel);
    }
}

/// A response body whose pieces are followed until they are sent.
struct Metered {
    body: Body,
    rest: Bytes,
    open: Open,
}

impl Metered {
    fn next_piece(&mut self) -> Frame<Bytes> {
        let piece = self.rest.split_to(self.rest.len().min(PIECE_BYTES));
        Frame::data(Bytes::from_owner(Unsent::new(piece, &self.open.0)))
    }
}

impl http_body::Body for Metered {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        if !self.rest.is_empty() {
            return Poll::Ready(Some(Ok(self.next_piece())));
        }
        match Pin::new(&mut self.body).poll_frame(cx) {
            Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                Ok(data) => {
                    self.rest = data;
                    Poll::Ready(Some(Ok(self.next_piece())))
                }
                Err(trailers) => Poll::Ready(Some(Ok(trailers))),
            },
            other => other,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let rest = u64::try_from(self.rest.len()).unwrap_or(u64::MAX);
        let of_body = self.body.size_hint();
        let mut hint = SizeHint::new();
        if let Some(upper) = of_body.upper() {
            hint.set_upper(upper.saturating_add(rest));
        }
        hint.set_lower(of_body.lower().saturating_add(rest));
        hint
    }
}
