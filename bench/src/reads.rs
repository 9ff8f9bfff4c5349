//! Reads over HTTP, against a hello-world server.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use touchline::platform::db::Engine;

use crate::ceiling_postgres::Pgbench;
use crate::database::Database;
use crate::figures::{Rounds, per_second};
use crate::load::{self, Length, Measured, Requests};
use crate::plan::{CONNECTIONS, Plan};
use crate::report::{Figure, Row, thousands};
use crate::server::Server;
use crate::{Bench, Outcome, seed};

const EVENTS: i64 = 10_000;
const USERS: i64 = 10_000;
/// Users who ask, in turn.
const CALLERS: i64 = 2_000;
const PREDICTIONS: i64 = 300;
/// Predictions that each caller has made.
const MINE: i64 = 20;
const PREDICTIONS_A_SECOND: u32 = 200;
const BESIDE_GOAL: f64 = 0.8;

struct Workload {
    name: &'static str,
    path: String,
    sqlite_goal: f64,
    postgres_goal: f64,
}

fn workloads() -> [Workload; 7] {
    let popular = seed::POPULAR_EVENT;
    let workload = |name, path: &str, sqlite_goal, postgres_goal| Workload {
        name,
        path: format!("/api/auth/{path}"),
        sqlite_goal,
        postgres_goal,
    };
    let of_match = format!("events/{popular}/predictions?per_page=20");
    [
        workload("events list, 20 of 10,000", "events", 0.5, 0.5),
        workload("teams list, 20 of 40", "teams", 0.5, 0.5),
        workload("me", "me", 0.5, 0.4),
        workload("room list, 20 of 1,000", "chat-rooms?per_page=20", 0.4, 0.3),
        workload("predictions list, 20 of 300", &of_match, 0.5, 0.5),
        workload("my predictions, 20", "predictions?per_page=20", 0.4, 0.3),
        workload("balance", "coins", 0.5, 0.4),
    ]
}

pub fn steps(plan: &Plan) -> usize {
    (2 * workloads().len() + 1) * plan.rounds
}

pub fn measure(bench: &mut Bench, engine: Engine) -> Outcome<()> {
    let (database, tokens) = bench.stores.create(engine, "reads", async |db| {
        seed::catalogue(db).await?;
        seed::events(db, EVENTS).await?;
        seed::users(db, USERS).await?;
        seed::accounts(db).await?;
        seed::rooms(db).await?;
        seed::predictions(db, seed::POPULAR_EVENT, PREDICTIONS).await?;
        let callers = seed::spread(USERS, CALLERS);
        seed::predictions_of(db, &callers, MINE).await?;
        seed::sessions(db, callers).await
    })?;
    let hello = Server::stand_in("hello")?;
    let homeserver = Server::stand_in("homeserver")?;
    let server = Server::without_chat(&database, &homeserver)?;
    let mut predicted = 0;
    for workload in workloads() {
        compare(bench, &database, [&hello, &server], &tokens, &workload, &mut predicted)?;
    }
    drop(server);
    if engine == Engine::Postgres {
        compare_servers(bench, &database, &hello)?;
    }
    bench.stores.remove(&database)
}

/// Hello-world, the same number of callers of the service, and what is left of their speed while predictions come in.
fn compare(
    bench: &mut Bench,
    database: &Database,
    [hello, server]: [&Server; 2],
    tokens: &[(i64, String)],
    workload: &Workload,
    predicted: &mut u64,
) -> Outcome<()> {
    let goal = match database.engine {
        Engine::Sqlite => workload.sqlite_goal,
        Engine::Postgres => workload.postgres_goal,
    };
    let mut row = Row::new(workload.name, database.label(), "axum hello-world", Some(goal));
    let (requests, time) = (asking(&workload.path, tokens), bench.plan.round);
    let (mut ratios, mut pace) = (Rounds::default(), Rounds::default());
    for _ in 0..bench.plan.rounds {
        bench.step(&row);
        let ceiling = load::run(&[hello.address], CONNECTIONS, &greeting(), Length::Time(time))?;
        let alone = load::run(&[server.address], CONNECTIONS, &requests, Length::Time(time))?;
        let (beside, sent) = beside_predictions(server, tokens, &requests, time, predicted)?;
        ratios.push(beside.per_second / alone.per_second);
        pace.push(per_second(sent, time));
        row.push(ceiling.per_second, alone);
    }
    row.memory_mb = server.memory_mb();
    bench.report.rows.push(row);
    let (ratio, name) = (ratios.median(), workload.name);
    bench.report.figures.push(Figure {
        what: format!(
            "{name}, while {:.0} predictions a second come in, against it alone",
            pace.median()
        ),
        database: database.label(),
        value: format!("{ratio:.2}"),
        goal: Some((format!("{BESIDE_GOAL}"), ratio >= BESIDE_GOAL)),
    });
    Ok(())
}

/// The requests while others predict; how fast they were, and how many predictions were answered.
fn beside_predictions(
    server: &Server,
    tokens: &[(i64, String)],
    requests: &Requests,
    time: Duration,
    predicted: &mut u64,
) -> Outcome<(Measured, u64)> {
    let count = u64::from(PREDICTIONS_A_SECOND) * (time.as_secs() + 1);
    let predictions = new_predictions(tokens, *predicted..*predicted + count);
    *predicted += count;
    let is_over = AtomicBool::new(false);
    let (beside, sent) = std::thread::scope(|scope| {
        let trickle = scope.spawn(|| {
            let sent = load::trickle(server.address, &predictions, PREDICTIONS_A_SECOND, &is_over);
            sent.map_err(|error| error.to_string())
        });
        let beside = load::run(&[server.address], CONNECTIONS, requests, Length::Time(time));
        is_over.store(true, Ordering::Relaxed);
        (beside, trickle.join())
    });
    let sent = sent.map_err(|_| "the thread that predicts panicked")??;
    Ok((beside?, u64::try_from(sent)?))
}

/// Predictions that nobody has made yet, on all matches in turn.
fn new_predictions(tokens: &[(i64, String)], which: Range<u64>) -> Requests {
    let mut requests = Requests::default();
    let users = u64::try_from(tokens.len()).unwrap_or(1).max(1);
    for number in which {
        let (round, caller) = (number / users, number % users);
        let Some((_, token)) = tokens.get(usize::try_from(caller).unwrap_or(0)) else { continue };
        let event = 1 + (round + caller) % seed::FREE_EVENTS;
        let body = format!("{{\"event_id\":{event},\"prediction\":\"home\"}}");
        requests.post("/api/auth/predictions", token, &body);
    }
    requests
}

pub fn greeting() -> Requests {
    let mut greeting = Requests::default();
    greeting.get("/", "");
    greeting
}

/// How much of hello-world is left to a service whose every answer PostgreSQL has to give: no more than this, were it free.
fn compare_servers(bench: &mut Bench, database: &Database, hello: &Server) -> Outcome<()> {
    let pgbench = Pgbench::beside_the_service(database, USERS)?;
    let (mut ratios, mut reads) = (Rounds::default(), Rounds::default());
    for _ in 0..bench.plan.rounds {
        bench.step_of("PostgreSQL: the statements of `me` by pgbench");
        let length = Length::Time(bench.plan.round);
        let hello = load::run(&[hello.address], CONNECTIONS, &greeting(), length)?.per_second;
        let read = pgbench.me(bench.plan.round)?;
        ratios.push(read / hello);
        reads.push(read);
    }
    bench.report.figures.push(Figure {
        what: "the statements of `me` by pgbench, without HTTP, against hello-world".to_owned(),
        database: database.label(),
        value: format!("{} a second, {:.2}", thousands(reads.median()), ratios.median()),
        goal: None,
    });
    Ok(())
}

/// One request for each caller.
pub fn asking(path: &str, tokens: &[(i64, String)]) -> Requests {
    let mut requests = Requests::default();
    for (_, token) in tokens {
        requests.get(path, token);
    }
    requests
}
