//! The live stream: how long until every listener has heard of a goal, and what a listener costs that hears nothing.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use touchline::platform::db::Engine;

use crate::database::Database;
use crate::figures::{Rounds, float_of, millis};
use crate::load::{self, Length, Requests};
use crate::machine::file_limit;
use crate::plan::Plan;
use crate::report::{Figure, thousands};
use crate::server::{OPERATOR_TOKEN, Server};
use crate::{Bench, Outcome, seed};

/// How much memory so many idle listeners may take in all.
const GOAL_LISTENERS: usize = 5_000;
const GOAL_MB: f64 = 100.0;
/// Goals that are told.
const GOALS: usize = 5;
const PATIENCE: Duration = Duration::from_secs(20);
/// At once, so that the backlog of the listening socket is not what is measured.
const CONNECT_AT_ONCE: usize = 50;
/// Files of this process and of the service besides the listeners.
const OTHER_FILES: usize = 200;

pub fn steps(plan: &Plan) -> usize {
    2 * plan.listeners.len()
}

pub fn measure(bench: &mut Bench, engine: Engine) -> Outcome<()> {
    let (database, tokens) = bench.stores.create(engine, "streams", async |db| {
        seed::catalogue(db).await?;
        seed::events(db, 1).await?;
        seed::users(db, 100).await?;
        seed::sessions(db, (1..=100).collect()).await
    })?;
    let homeserver = Server::stand_in("homeserver")?;
    for listeners in bench.plan.listeners.iter().copied() {
        bench.step_of(&format!("{}: {} listeners", database.label(), listeners));
        if listeners + OTHER_FILES > file_limit() {
            return Err("too few files may be open: raise `ulimit -n`".into());
        }
        let server = Server::without_chat(&database, &homeserver)?;
        fan_out(bench, &database, &server, &tokens, listeners)?;
    }
    bench.stores.remove(&database)
}

fn fan_out(
    bench: &mut Bench,
    database: &Database,
    server: &Server,
    tokens: &[(i64, String)],
    count: usize,
) -> Outcome<()> {
    // The first goal kicks the match off and warms the service up.
    score(server.address, 0)?;
    let idle = server.memory_mb();
    let (address, (heard, mut hears)) = (server.address, mpsc::unbounded_channel());
    let mut listeners = JoinSet::new();
    bench.stores.runtime.block_on(listen(address, tokens, count, &heard, &mut listeners))?;
    std::thread::sleep(Duration::from_millis(500));
    let grown = server.memory_mb() - idle;
    let (mut first, mut last) = (Rounds::default(), Rounds::default());
    for goal in 1..=GOALS {
        let asked = Instant::now();
        score(address, goal)?;
        let times = bench.stores.runtime.block_on(hear(&mut hears, count))?;
        first.push(millis(times.0.duration_since(asked)));
        last.push(millis(times.1.duration_since(asked)));
    }
    listeners.abort_all();
    let label = database.label();
    let many = thousands(float_of(count));
    bench.report.figures.push(Figure {
        what: format!("a goal told to {many} listeners: the first, the last"),
        database: label,
        value: format!("{:.1} ms, {:.1} ms", first.median(), last.median()),
        goal: None,
    });
    bench.report.figures.push(Figure {
        what: format!("memory of {many} idle listeners"),
        database: label,
        value: format!("{grown:.0} MB above {idle:.0} MB"),
        goal: (count >= GOAL_LISTENERS)
            .then(|| (format!("under {GOAL_MB:.0} MB"), grown < GOAL_MB)),
    });
    Ok(())
}

/// An operator changes the score. The answer comes after the commit, so it is part of the time.
fn score(server: SocketAddr, goals: usize) -> Outcome<()> {
    let body = format!("{{\"status\":\"live\",\"home_score\":{goals},\"away_score\":0}}");
    let mut request = Requests::default();
    request.send("PATCH", "/api/admin/events/1", OPERATOR_TOKEN, &body);
    load::run(&[server], 1, &request, Length::Once)?;
    Ok(())
}

async fn listen(
    server: SocketAddr,
    tokens: &[(i64, String)],
    count: usize,
    heard: &mpsc::UnboundedSender<Instant>,
    listeners: &mut JoinSet<Outcome<()>>,
) -> Outcome<()> {
    let mut callers = tokens.iter().cycle();
    let mut left = count;
    while left > 0 {
        let mut opening = JoinSet::new();
        let now = left.min(CONNECT_AT_ONCE);
        for (_, token) in callers.by_ref().take(now) {
            opening.spawn(open(server, token.clone()));
        }
        left -= now;
        while let Some(stream) = opening.join_next().await {
            listeners.spawn(follow(stream??, heard.clone()));
        }
    }
    Ok(())
}

/// Connects and waits for the first bytes of the stream.
async fn open(server: SocketAddr, token: String) -> Outcome<TcpStream> {
    let mut stream = TcpStream::connect(server).await?;
    let request = format!(
        "GET /api/auth/stream HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {token}\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await?;
    let (mut head, mut piece) = (Vec::new(), [0; 2_048]);
    while memchr::memmem::find(&head, b"retry:").is_none() {
        let read = tokio::time::timeout(PATIENCE, stream.read(&mut piece)).await??;
        head.extend_from_slice(piece.get(..read).unwrap_or_default());
        if read == 0 || !head.starts_with(b"HTTP/1.1 200") {
            return Err(format!("a stream was refused: {}", String::from_utf8_lossy(&head)).into());
        }
    }
    Ok(stream)
}

/// Tells when a score has come, again and again.
async fn follow(mut stream: TcpStream, heard: mpsc::UnboundedSender<Instant>) -> Outcome<()> {
    let mut piece = [0; 2_048];
    loop {
        let read = stream.read(&mut piece).await?;
        if read == 0 {
            return Err("a stream ended".into());
        }
        let bytes = piece.get(..read).unwrap_or_default();
        if memchr::memmem::find(bytes, b"event: score").is_some() {
            heard.send(Instant::now())?;
        }
    }
}

/// When the first and the last of so many listeners heard.
async fn hear(
    hears: &mut mpsc::UnboundedReceiver<Instant>,
    count: usize,
) -> Outcome<(Instant, Instant)> {
    let mut times = Vec::with_capacity(count);
    while times.len() < count {
        let told = tokio::time::timeout(PATIENCE, hears.recv()).await;
        let told = told.map_err(|_| format!("only {} of {count} heard", times.len()))?;
        times.push(told.ok_or("no listener is left")?);
    }
    let first = times.iter().min().copied().ok_or("nobody listens")?;
    Ok((first, times.iter().max().copied().unwrap_or(first)))
}
