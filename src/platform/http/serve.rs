//! The accept loop: connections in, with limits on everything a stranger controls.
//!
//! Owns: the listener, the number of connections in all and for each address, and the drain at shutdown.
//! Invariants: no client can hold a socket without sending, hold memory beyond a head and a body, or stop others from being
//! accepted; one that is turned away holds nothing; running out of file descriptors is waited out, not died of.
//! Never: knows a route.

use std::io::Write;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::platform::config::HttpConfig;

use super::answer::Answerer;
use super::client_address::ClientAddress;
use super::places::{Place, Places};
use super::tls::{Greeting, Tls};
use super::{error_body, http1, http2};

const ACCEPT_PAUSE: Duration = Duration::from_millis(20);
/// Why a caller is refused for whom there is no connection, as the metrics call it.
pub(super) const NO_CONNECTION: &str = "connections";
const ADDRESS_LIMIT: &str = "address_connection_limit";

/// The other end of the connection, before any header is believed.
#[derive(Debug, Clone, Copy)]
pub struct Peer(pub SocketAddr);

/// Serves until `stop` is given and the time to leave after it is over, then lets running requests finish within the drain time.
///
/// While it leaves, `/readyz` already says no and answers close their connections, but requests are still taken: a load balancer
/// needs a moment to hear of it, and what it sends or has in its pool until then must not be lost.
pub async fn serve(
    listener: TcpListener,
    tls: Option<Tls>,
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
        host: Host {
            answerer: Arc::new(answerer),
            limits: Arc::new(limits),
            leaving: stop.clone(),
            closing: CancellationToken::new(),
        },
        tls,
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
    door.host.closing.cancel();
    let mut connections = door.inside;
    let all_done = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(drain_time, all_done).await.is_err() {
        tracing::warn!("the drain time is over: connections still open are closed");
    }
}

/// What a new connection meets.
struct Door {
    host: Host,
    tls: Option<Tls>,
    slots: Arc<Semaphore>,
    by_address: Places,
    inside: JoinSet<()>,
}

/// Who answers on a connection, within which limits, and how it hears of the end: first that its next answer is its last (`leaving`),
/// then that it is to end (`closing`).
#[derive(Clone)]
pub(super) struct Host {
    pub answerer: Arc<Answerer>,
    pub limits: Arc<HttpConfig>,
    pub leaving: CancellationToken,
    pub closing: CancellationToken,
}

/// What a connection holds of the house.
struct Slot {
    _one_of_all: OwnedSemaphorePermit,
    /// None for a proxy, whose connections are many callers'.
    _one_of_the_address: Option<Place>,
}

impl Door {
    fn admit(&mut self, stream: TcpStream, peer: SocketAddr) {
        let caller = ClientAddress::of_connection(peer.ip(), &self.host.limits.trusted_proxies);
        let place = caller.map(|caller| self.by_address.take(caller.holder())).transpose();
        let Ok(place) = place else {
            return self.turn_away(stream, "429 Too Many Requests", ADDRESS_LIMIT);
        };
        let Ok(slot) = self.slots.clone().try_acquire_owned() else {
            metrics::counter!("touchline_http_refused_total", "reason" => NO_CONNECTION)
                .increment(1);
            return self.turn_away(stream, "503 Service Unavailable", "too_many_connections");
        };
        let slot = Slot { _one_of_all: slot, _one_of_the_address: place };
        self.inside.spawn(run(stream, peer, self.host.clone(), self.tls.clone(), slot));
    }

    /// One connection too many: said plainly and at once, so that a client or a balancer can go elsewhere. The few bytes go into the
    /// empty buffer of a new socket or nowhere, so that nobody waits and nothing is kept for somebody who is not let in. Whoever
    /// speaks TLS could not read them.
    fn turn_away(&self, stream: TcpStream, status: &str, code: &str) {
        if self.tls.is_some() {
            return;
        }
        let message = "There are too many connections. Try again shortly.";
        let answer = error_body::raw_answer(status, code, message, Some(1));
        if let Ok(mut stream) = stream.into_std() {
            let _ = stream.write_all(&answer);
        }
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

/// One connection from its first byte to its end, in whichever way its caller speaks.
async fn run(stream: TcpStream, peer: SocketAddr, host: Host, tls: Option<Tls>, _slot: Slot) {
    // Answers are small and awaited; waiting to fill a packet only adds delay.
    let _ = stream.set_nodelay(true);
    match tls {
        None => http1::converse(stream, peer, host).await,
        // Apart, so that connections without it do not carry the room that this needs.
        Some(tls) => Box::pin(run_with_tls(stream, peer, host, tls)).await,
    }
}

async fn run_with_tls(stream: TcpStream, peer: SocketAddr, host: Host, tls: Tls) {
    match tls.greet(stream, host.limits.header_timeout()).await {
        Greeting::Plain(stream) => http1::converse(stream, peer, host).await,
        Greeting::Http1(stream) => http1::converse(stream, peer, host).await,
        Greeting::Http2(stream) => http2::converse(stream, peer, host).await,
        Greeting::Ended => {}
    }
}
