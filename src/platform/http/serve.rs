//! The accept loop: connections in, with limits on everything a stranger controls.
//!
//! Owns: the listener, the number of connections in all and for each address, hyper's settings and the drain at shutdown.
//! Invariants: no client can hold a socket without sending, hold memory beyond a head and a body, or stop others from being
//! accepted; one that is turned away holds nothing; running out of file descriptors is waited out, not died of.
//! Never: knows a route.

use std::convert::Infallible;
use std::io::Write;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use http::{HeaderValue, Request, header};
use http_body::{Frame, SizeHint};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;

use crate::platform::config::HttpConfig;
use tokio_util::sync::CancellationToken;

use super::answer::Answerer;
use super::client_address::ClientAddress;
use super::connection::{AnswerGuard, ClientConnection, Phase};
use super::error_body;
use super::places::{Place, Places};

const ACCEPT_PAUSE: Duration = Duration::from_millis(20);
/// Why a caller is refused for whom there is no connection, as the metrics call it.
pub(super) const NO_CONNECTION: &str = "connections";
const ADDRESS_LIMIT: &str = "address_connection_limit";
/// When the service has left, connections are read for this long before they are asked to end: a request that was on its way is
/// answered, where hyper would close a connection that it has read nothing from.
const LAST_REQUESTS: Duration = Duration::from_millis(100);

/// The other end of the connection, before any header is believed.
#[derive(Debug, Clone, Copy)]
pub struct Peer(pub SocketAddr);

/// Serves until `stop` is given and the time to leave after it is over, then lets running requests finish within the drain time.
///
/// While it leaves, `/readyz` already says no and answers close their connections, but requests are still taken: a load balancer
/// needs a moment to hear of it, and what it sends or has in its pool until then must not be lost.
pub async fn serve(
    listener: TcpListener,
    answerer: Answerer,
    limits: HttpConfig,
    stop: CancellationToken,
) {
    let drain_time = Duration::from_millis(limits.drain_timeout_ms);
    let slots = Arc::new(Semaphore::new(limits.max_connections));
    let leave_time = Duration::from_millis(limits.leave_ms);
    let mut left = pin!(async {
        stop.cancelled().await;
        tokio::time::sleep(leave_time).await;
    });
    let mut door = Door {
        by_address: Places::new(ADDRESS_LIMIT, limits.max_connections_per_address),
        answerer: Arc::new(answerer),
        limits: Arc::new(limits),
        leaving: stop.clone(),
        closing: CancellationToken::new(),
        slots,
        inside: JoinSet::new(),
    };
    loop {
        let accepted = tokio::select! {
            () = &mut left => break,
            accepted = listener.accept() => accepted,
        };
        // Finished ones are dropped here, so the set never holds more than what runs.
        while door.inside.try_join_next().is_some() {}
        match accepted {
            Ok((stream, peer)) => door.admit(stream, peer),
            Err(error) => {
                // Out of file descriptors or a client that left: either way others may still come in.
                tracing::warn!(error = %error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
    door.admit_waiting(listener);
    door.closing.cancel();
    let mut connections = door.inside;
    let all_done = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(drain_time, all_done).await.is_err() {
        tracing::warn!("the drain time is over: connections still open are closed");
    }
}

/// What a new connection meets.
struct Door {
    answerer: Arc<Answerer>,
    limits: Arc<HttpConfig>,
    leaving: CancellationToken,
    closing: CancellationToken,
    slots: Arc<Semaphore>,
    by_address: Places,
    inside: JoinSet<()>,
}

/// What a connection holds of the house.
struct Slot {
    _one_of_all: OwnedSemaphorePermit,
    /// None for a proxy, whose connections are many callers'.
    _one_of_the_address: Option<Place>,
}

impl Door {
    fn admit(&mut self, stream: TcpStream, peer: SocketAddr) {
        let caller = ClientAddress::of_connection(peer.ip(), &self.limits.trusted_proxies);
        let place = caller.map(|caller| self.by_address.take(caller.holder())).transpose();
        let Ok(place) = place else {
            return turn_away(stream, "429 Too Many Requests", ADDRESS_LIMIT);
        };
        let Ok(slot) = self.slots.clone().try_acquire_owned() else {
            metrics::counter!("touchline_http_refused_total", "reason" => NO_CONNECTION)
                .increment(1);
            return turn_away(stream, "503 Service Unavailable", "too_many_connections");
        };
        let slot = Slot { _one_of_all: slot, _one_of_the_address: place };
        let (answerer, limits) = (self.answerer.clone(), self.limits.clone());
        let (leaving, closing) = (self.leaving.clone(), self.closing.clone());
        self.inside.spawn(run(stream, peer, answerer, limits, leaving, closing, slot));
    }

    /// Closes the listener after letting in those whom the kernel has already told that they are connected.
    fn admit_waiting(&mut self, listener: TcpListener) {
        // Without the runtime, whose knowledge of who waits may be a moment old; it does not block.
        let Ok(listener) = listener.into_std() else { return };
        while let Ok((stream, peer)) = listener.accept() {
            let ready = stream.set_nonblocking(true).and_then(|()| TcpStream::from_std(stream));
            if let Ok(stream) = ready {
                self.admit(stream, peer);
            }
        }
    }
}

/// Of the end a connection hears first that its next answer is its last (`leaving`), then that it is to end (`closing`).
async fn run(
    stream: TcpStream,
    peer: SocketAddr,
    answerer: Arc<Answerer>,
    limits: Arc<HttpConfig>,
    leaving: CancellationToken,
    closing: CancellationToken,
    _slot: Slot,
) {
    // Answers are small and awaited; waiting to fill a packet only adds delay.
    let _ = stream.set_nodelay(true);
    let phase = Phase::new();
    let connection = ClientConnection::new(
        stream,
        phase.clone(),
        Duration::from_millis(limits.header_timeout_ms),
        Duration::from_millis(limits.write_timeout_ms),
    );
    let service = service_fn(move |mut request: Request<Incoming>| {
        let guard = phase.answering();
        let leaving = leaving.clone();
        request.extensions_mut().insert(Peer(peer));
        let answer = answerer.answer(request.map(Body::new));
        // Boxed, since hyper gives a connection back (to linger on) only if its futures can be moved.
        Box::pin(async move {
            let mut answer = answer.await.map(|body| Guarded { body, _guard: guard });
            if leaving.is_cancelled() {
                let close = HeaderValue::from_static("close");
                answer.headers_mut().insert(header::CONNECTION, close);
            }
            Ok::<_, Infallible>(answer)
        })
    });
    let mut connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_millis(limits.idle_timeout_ms))
        .max_buf_size(limits.head_limit_bytes)
        .max_headers(limits.header_count_limit)
        .serve_connection(TokioIo::new(connection), service);
    let ended = {
        let mut stopping = pin!(async {
            closing.cancelled().await;
            tokio::time::sleep(LAST_REQUESTS).await;
        });
        tokio::select! {
            biased;
            ended = std::future::poll_fn(|cx| connection.poll_without_shutdown(cx)) => Some(ended),
            () = &mut stopping => None,
        }
    };
    if ended.is_none() {
        Pin::new(&mut connection).graceful_shutdown();
        // How it ends no longer matters: the drain time bounds it.
        let _ = std::future::poll_fn(|cx| connection.poll_without_shutdown(cx)).await;
    }
    connection.into_parts().io.into_inner().linger().await;
}

/// One connection too many: said plainly and at once, so that a client or a balancer can go elsewhere. The few bytes go into the
/// empty buffer of a new socket or nowhere, so that nobody waits and nothing is kept for somebody who is not let in.
fn turn_away(stream: TcpStream, status: &str, code: &str) {
    let message = "There are too many connections. Try again shortly.";
    let answer = error_body::raw_answer(status, code, message, Some(1));
    if let Ok(mut stream) = stream.into_std() {
        let _ = stream.write_all(&answer);
    }
}

/// A response body that tells the connection when it is over.
struct Guarded {
    body: Body,
    _guard: AnswerGuard,
}

impl http_body::Body for Guarded {
    type Data = bytes::Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
