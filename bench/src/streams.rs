//! The live stream: how long until every listener has heard of a goal, what a listener costs that hears nothing, and what it costs the
//! database when all of them come back at once.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, mpsc};
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
/// The same for those who come back, who have no patience.
const STORM_AT_ONCE: usize = 256;
/// What one who comes back may cost, in statements.
const GOAL_STATEMENTS: f64 = 0.5;
/// Until PostgreSQL tells of everything that it was asked.
const COUNTED: Duration = Duration::from_secs(12);
/// Files of this process and of the service besides the listeners.
const OTHER_FILES: usize = 200;

pub fn steps(plan: &Plan) -> usize {
    2 * plan.listeners.len() + 1
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
        check_file_limit(listeners)?;
        let server = Server::without_chat(&database, &homeserver)?;
        fan_out(bench, &database, &server, &tokens, listeners)?;
    }
    if engine == Engine::Postgres {
        let count = bench.plan.storm;
        bench.step_of(&format!("{}: {count} listeners come back", database.label()));
        let server = Server::without_chat(&database, &homeserver)?;
        storm(bench, &database, &server, &tokens, count)?;
    }
    bench.stores.remove(&database)
}

fn check_file_limit(listeners: usize) -> Outcome<()> {
    if listeners + OTHER_FILES > file_limit() {
        return Err("too few files may be open: raise `ulimit -n`".into());
    }
    Ok(())
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

/// All listeners lose the service, miss a goal, and come back at once with where they were.
fn storm(
    bench: &mut Bench,
    database: &Database,
    server: &Server,
    tokens: &[(i64, String)],
    count: usize,
) -> Outcome<()> {
    check_file_limit(count)?;
    let address = server.address;
    score(address, 0)?;
    let callers = tokens.iter().cycle().take(count);
    let first = callers.map(|(_, token)| (token.clone(), None)).collect();
    // Their connections end as they are dropped.
    let lost = bench.stores.runtime.block_on(open_all(address, first, CONNECT_AT_ONCE))?;
    std::thread::sleep(Duration::from_secs(2));
    score(address, 1)?;
    std::thread::sleep(COUNTED);
    let (quiet, at_rest) = (Instant::now(), bench.stores.transactions(database)?);
    std::thread::sleep(COUNTED);
    let (began, before) = (Instant::now(), bench.stores.transactions(database)?);
    let a_second = (before - at_rest) / began.duration_since(quiet).as_secs_f64();
    let back = bench.stores.runtime.block_on(open_all(address, lost, STORM_AT_ONCE))?;
    let took = began.elapsed();
    std::thread::sleep(COUNTED);
    let all = bench.stores.transactions(database)? - before;
    let each = (all - a_second * began.elapsed().as_secs_f64()).max(0.0) / float_of(back.len());
    let many = thousands(float_of(back.len()));
    bench.report.figures.push(Figure {
        what: format!("{many} listeners come back at once: until all have heard what they missed"),
        database: database.label(),
        value: format!("{:.1} s", took.as_secs_f64()),
        goal: None,
    });
    bench.report.figures.push(Figure {
        what: "statements for each of them".to_owned(),
        database: database.label(),
        value: format!("{each:.2}"),
        goal: Some((format!("under {GOAL_STATEMENTS}"), each < GOAL_STATEMENTS)),
    });
    Ok(())
}

/// A token, and the last id of whoever had a stream before.
type Caller = (String, Option<String>);

/// Opens a stream for each, so many at once, and answers where they are.
async fn open_all(
    server: SocketAddr,
    callers: Vec<Caller>,
    at_once: usize,
) -> Outcome<Vec<Caller>> {
    let places = Arc::new(Semaphore::new(at_once));
    let (mut opening, mut open) = (JoinSet::new(), Vec::new());
    for (token, last_id) in callers {
        let places = Arc::clone(&places);
        opening.spawn(async move {
            let _place = places.acquire_owned().await?;
            let has_missed = last_id.is_some();
            let (mut stream, mut said) = begin(server, &token, last_id).await?;
            while has_missed && !said.contains("event: score") {
                said.push_str(&read_text(&mut stream).await?);
            }
            let id = said.rsplit("\nid: ").next().and_then(|rest| rest.lines().next());
            Outcome::Ok((stream, (token, id.map(str::to_owned))))
        });
    }
    let mut callers = Vec::new();
    while let Some(opened) = opening.join_next().await {
        let (stream, caller) = opened??;
        // All are open together in the end.
        open.push(stream);
        callers.push(caller);
    }
    Ok(callers)
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

async fn open(server: SocketAddr, token: String) -> Outcome<TcpStream> {
    Ok(begin(server, &token, None).await?.0)
}

/// Connects and waits for the first bytes of the stream.
async fn begin(
    server: SocketAddr,
    token: &str,
    last_id: Option<String>,
) -> Outcome<(TcpStream, String)> {
    let mut stream = TcpStream::connect(server).await?;
    let last_id = last_id.map(|id| format!("Last-Event-ID: {id}\r\n")).unwrap_or_default();
    let request = format!(
        "GET /api/auth/stream HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {token}\r\n{last_id}\r\n"
    );
    stream.write_all(request.as_bytes()).await?;
    let mut said = String::new();
    while !said.contains("retry:") {
        said.push_str(&read_text(&mut stream).await?);
        if !said.starts_with("HTTP/1.1 200") {
            return Err(format!("a stream was refused: {said}").into());
        }
    }
    Ok((stream, said))
}

async fn read_text(stream: &mut TcpStream) -> Outcome<String> {
    let mut piece = [0; 2_048];
    let read = tokio::time::timeout(PATIENCE, stream.read(&mut piece)).await??;
    if read == 0 {
        return Err("a stream ended".into());
    }
    Ok(String::from_utf8_lossy(piece.get(..read).unwrap_or_default()).into_owned())
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
