//! One caller who takes all that can be taken, and somebody else who is served all the same.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::Scale;
use crate::crashes::CROWD;
use crate::harness::Client;
use crate::load::Load;
use crate::outcome::Outcome;
use crate::site::Site;

const WORKERS: usize = 8;
const PATIENCE: Duration = Duration::from_secs(5);

struct Hog {
    service: String,
    held: Vec<TcpStream>,
}

impl Hog {
    /// A connection from another address than everybody else's, with little room for what it does not read.
    async fn connect(&self) -> Option<TcpStream> {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4096).unwrap();
        socket.bind("127.0.0.2:0".parse().unwrap()).unwrap();
        socket.connect(self.service.parse().unwrap()).await.ok()
    }

    /// Sends this on so many connections at once and keeps those whose answer has these words; says how many, and how many have not.
    async fn take(&mut self, times: usize, request: &str, welcome: &str) -> (usize, usize) {
        let this = &*self;
        let tries = join_all((0..times).map(|_| async move {
            let mut stream = this.connect().await?;
            stream.write_all(request.as_bytes()).await.ok()?;
            let mut answer = [0; 512];
            let read = tokio::time::timeout(PATIENCE, stream.read(&mut answer)).await;
            let answer = String::from_utf8_lossy(&answer[..read.ok()?.ok()?]).into_owned();
            answer.contains(welcome).then_some(stream)
        }));
        let let_in: Vec<TcpStream> = tries.await.into_iter().flatten().collect();
        let count = let_in.len();
        self.held.extend(let_in);
        (count, times - count)
    }
}

/// The whole of a long list, by somebody who reads.
async fn reads_the_list(client: &Client, path: &str, token: &str) -> bool {
    let call = client.get(path).token(token).try_send();
    match tokio::time::timeout(Duration::from_secs(8), call).await {
        Ok(Ok(reply)) => reply.body["data"].as_array().is_some_and(|rows| rows.len() >= 10_000),
        _ => false,
    }
}

pub async fn one_caller(scale: Scale) -> Outcome {
    let mut site = Site::on_sqlite(&[
        ("TOUCHLINE_HTTP__MAX_CONNECTIONS", "400"),
        ("TOUCHLINE_HTTP__MAX_CONNECTIONS_PER_ADDRESS", "100"),
        ("TOUCHLINE_HTTP__MAX_IN_FLIGHT", "64"),
        ("TOUCHLINE_HTTP__MAX_IN_FLIGHT_PER_ADDRESS", "16"),
    ]);
    let client = site.client();
    let load = Load::prepare(&client).await;
    site.books().change(CROWD).await;
    load.newcomers.store(10_000, Ordering::SeqCst);
    let mut outcome = Outcome { times: 1, ..Outcome::default() };
    let list = format!("/api/auth/events/{}/predictions", load.event);
    let mut hog = Hog { service: client.address().to_owned(), held: Vec::new() };
    let get = |path: &str, user: usize| {
        let token = &load.fans[user].token;
        format!("GET {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\r\n")
    };
    let streams = hog.take(40, &get("/api/auth/stream", 1), "200 OK").await;
    let mut lists = (0, 0);
    for user in 1..=3 {
        let taken = hog.take(10, &get(&list, user), "200 OK").await;
        lists = (lists.0 + taken.0, lists.1 + taken.1);
    }
    let body = "POST /api/code/request HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 9\r\n\r\n";
    let bodies = hog.take(40, body, "100 Continue").await;
    // It has no request left to make, but whoever hears so has a connection.
    let request = "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n";
    let connections = hog.take(500, request, "address_request_limit").await;
    for (what, (held, refused), most) in [
        ("streams", streams, 10),
        ("long lists", lists, 12),
        ("requests", bodies, 16),
        ("further connections", connections, 100 - streams.0 - lists.0 - bodies.0),
    ] {
        outcome.note(&format!("{what}: held {held}, refused {refused}"));
        outcome.require(held > 0 && held <= most, || format!("{held} {what} were held"));
        outcome.require(refused > 0, || format!("no {what} were refused"));
    }
    // Somebody else, while all of that is held.
    let workers = load.begin(WORKERS);
    let fresh = Client::new(client.base());
    let health = fresh.get("/readyz").try_send().await;
    outcome.require(health.is_ok_and(|reply| reply.status == 200), || "not ready".to_owned());
    let has_read = reads_the_list(&fresh, &list, &load.fans[0].token).await;
    outcome.require(has_read, || "another fan could not read the list".to_owned());
    tokio::time::sleep(Duration::from_secs(u64::from(scale.of(3, 1)))).await;
    workers.end().await;
    let freed = Instant::now();
    hog.held.clear();
    // The places are free again when the service has noticed.
    while freed.elapsed() < Duration::from_secs(5) {
        if hog.take(1, &get("/api/auth/stream", 1), "200 OK").await.0 == 1 {
            break;
        }
    }
    outcome.require(!hog.held.is_empty(), || "the places stay taken".to_owned());
    outcome.healed(freed.elapsed());
    site.conclude(&load, &mut outcome).await;
    outcome.require(outcome.kinds.is_empty(), || "somebody else was refused".to_owned());
    outcome
}
