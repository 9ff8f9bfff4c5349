//! Reads over HTTP, against a hello-world server.

use std::sync::atomic::{AtomicBool, Ordering};

use touchline::platform::db::Engine;

use crate::ceiling_postgres::Pgbench;
use crate::database::Database;
use crate::figures::{Rounds, per_second};
use crate::load::{self, Length, Requests};
use crate::plan::{CONNECTIONS, Plan};
use crate::report::{Figure, Row, thousands};
use crate::server::Server;
use crate::{Bench, Outcome, seed};

const GOAL: f64 = 0.5;
const EVENTS: i64 = 10_000;
const USERS: i64 = 10_000;
/// Users who ask, in turn.
const CALLERS: i64 = 2_000;
const PREDICTIONS: i64 = 300;
const PREDICTIONS_A_SECOND: u32 = 200;
const BESIDE_GOAL: f64 = 0.8;

fn workloads() -> [(&'static str, String); 5] {
    let popular = seed::POPULAR_EVENT;
    [
        ("events list, 20 of 10,000", "/api/auth/events".to_owned()),
        ("teams list, 20 of 40", "/api/auth/teams".to_owned()),
        ("me", "/api/auth/me".to_owned()),
        ("room list, 20 of 200", "/api/auth/chat-rooms?per_page=20".to_owned()),
        (
            "predictions list, 20 of 300",
            format!("/api/auth/events/{popular}/predictions?per_page=20"),
        ),
    ]
}

pub fn steps(plan: &Plan) -> usize {
    (2 * workloads().len() + 3) * plan.rounds
}

pub fn measure(bench: &mut Bench, engine: Engine) -> Outcome<()> {
    let (database, tokens) = bench.stores.create(engine, "reads", async |db| {
        seed::catalogue(db).await?;
        seed::events(db, EVENTS).await?;
        seed::users(db, USERS).await?;
        seed::rooms(db).await?;
        seed::predictions(db, seed::POPULAR_EVENT, PREDICTIONS).await?;
        seed::sessions(db, seed::spread(USERS, CALLERS)).await
    })?;
    let hello = Server::stand_in("hello")?;
    let homeserver = Server::stand_in("homeserver")?;
    let server = Server::without_chat(&database, &homeserver)?;
    let (length, mut greeting) = (Length::Time(bench.plan.round), Requests::default());
    greeting.get("/", "");
    for (name, path) in workloads() {
        let mut row = Row::new(name, database.label(), "axum hello-world", Some(GOAL));
        let requests = asking(&path, &tokens);
        for _ in 0..bench.plan.rounds {
            bench.step(&row);
            let ceiling = load::run(&[hello.address], CONNECTIONS, &greeting, length)?;
            let ours = load::run(&[server.address], CONNECTIONS, &requests, length)?;
            row.push(ceiling.per_second, ours);
        }
        row.memory_mb = server.memory_mb();
        bench.report.rows.push(row);
    }
    beside_predictions(bench, &database, &server, &tokens)?;
    drop(server);
    if engine == Engine::Postgres {
        compare_servers(bench, &database, &hello, &greeting)?;
    }
    bench.stores.remove(&database)
}

/// The list of events is kept in memory and says how many predictions each match has: what is left of its speed while they come in?
fn beside_predictions(
    bench: &mut Bench,
    database: &Database,
    server: &Server,
    tokens: &[(i64, String)],
) -> Outcome<()> {
    let (time, lists) = (bench.plan.round, asking("/api/auth/events", tokens));
    let count = u64::from(PREDICTIONS_A_SECOND) * (time.as_secs() + 1);
    let (mut ratios, mut predicted) = (Rounds::default(), Rounds::default());
    for round in 0..bench.plan.rounds {
        bench.step_of("events list while predictions come in");
        let first = u64::try_from(round)? * count;
        let predictions = new_predictions(tokens, first..first + count);
        let alone = load::run(&[server.address], CONNECTIONS, &lists, Length::Time(time))?;
        let is_over = AtomicBool::new(false);
        let (beside, sent) = std::thread::scope(|scope| {
            let trickle = scope.spawn(|| {
                let sent =
                    load::trickle(server.address, &predictions, PREDICTIONS_A_SECOND, &is_over);
                sent.map_err(|error| error.to_string())
            });
            let beside = load::run(&[server.address], CONNECTIONS, &lists, Length::Time(time));
            is_over.store(true, Ordering::Relaxed);
            (beside, trickle.join())
        });
        let sent = sent.map_err(|_| "the thread that predicts panicked")??;
        ratios.push(beside?.per_second / alone.per_second);
        predicted.push(per_second(u64::try_from(sent)?, time));
    }
    let ratio = ratios.median();
    bench.report.figures.push(Figure {
        what: format!(
            "events list while {:.0} predictions a second come in, against the list alone",
            predicted.median()
        ),
        database: database.label(),
        value: format!("{ratio:.2}"),
        goal: Some((format!("{BESIDE_GOAL}"), ratio >= BESIDE_GOAL)),
    });
    Ok(())
}

/// Predictions that nobody has made yet.
fn new_predictions(tokens: &[(i64, String)], which: std::ops::Range<u64>) -> Requests {
    let mut requests = Requests::default();
    let users = u64::try_from(tokens.len()).unwrap_or(1).max(1);
    for number in which {
        let at = usize::try_from(number % users).unwrap_or(0);
        let Some((_, token)) = tokens.get(at) else { continue };
        let event = 1 + number / users;
        let body = format!("{{\"event_id\":{event},\"prediction\":\"home\"}}");
        requests.post("/api/auth/predictions", token, &body);
    }
    requests
}

/// How much of hello-world is left to a service whose every answer PostgreSQL has to give: no more than this, were it free.
fn compare_servers(
    bench: &mut Bench,
    database: &Database,
    hello: &Server,
    greeting: &Requests,
) -> Outcome<()> {
    let pgbench = Pgbench::beside_the_service(database, USERS)?;
    let (mut ratios, mut reads) = (Rounds::default(), Rounds::default());
    for _ in 0..bench.plan.rounds {
        bench.step_of("PostgreSQL: the statements of `me` by pgbench");
        let length = Length::Time(bench.plan.round);
        let hello = load::run(&[hello.address], CONNECTIONS, greeting, length)?.per_second;
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
