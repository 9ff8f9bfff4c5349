//! How figures change while something grows. There is no ceiling here: a curve is compared with its own beginning.

use std::net::SocketAddr;

use touchline::platform::db::{Db, Engine};

use crate::database::{Database, label};
use crate::figures::{Rounds, Wander, float, float_of};
use crate::load::{self, Length, Requests};
use crate::plan::{CONNECTIONS, Plan};
use crate::plot::{Chart, Scale, Series};
use crate::reads::asking;
use crate::report::{Figure, thousands};
use crate::server::Server;
use crate::writes::{Write, prepare};
use crate::{Bench, Outcome, seed};

const ENGINES: [Engine; 2] = [Engine::Sqlite, Engine::Postgres];
const ME: &str = "/api/auth/me";
const EVENTS: &str = "/api/auth/events";
/// Users who ask, in turn.
const CALLERS: i64 = 2_000;
/// What is there where it is not what grows.
const USERS: i64 = 10_000;
const MATCHES: i64 = 10_000;
/// With so many more finished matches the list may be at most this many times slower.
const FINISHED_FACTOR: f64 = 1.2;
const FIRST_BYTE_MS: f64 = 100.0;
const DEDUCTIONS: u64 = 20_000;

pub fn steps(plan: &Plan) -> usize {
    let both = plan.growth_events.len()
        + plan.growth_users.len()
        + plan.growth_predictions.len()
        + plan.growth_connections.len();
    2 * both + plan.growth_nodes.len()
}

pub fn measure(bench: &mut Bench) -> Outcome<()> {
    let mut charts = Charts::default();
    for engine in ENGINES {
        events(bench, engine, &mut charts)?;
        users_and_predictions(bench, engine, &mut charts)?;
        connections(bench, engine, &mut charts)?;
    }
    nodes(bench, &mut charts)?;
    bench.report.charts.extend(charts.finish());
    Ok(())
}

/// Points as they come, by the curve they belong to.
#[derive(Default)]
struct Charts(Vec<Chart>);

impl Charts {
    fn add(&mut self, chart: fn() -> Chart, series: &str, point: (f64, f64)) {
        let empty = chart();
        if !self.0.iter().any(|known| known.file == empty.file) {
            self.0.push(empty);
        }
        let Some(chart) = self.0.iter_mut().find(|known| known.file == chart().file) else {
            return;
        };
        match chart.series.iter_mut().find(|known| known.name == series) {
            Some(known) => known.points.push(point),
            None => {
                chart.series.push(Series { name: series.to_owned(), points: vec![point] });
            }
        }
    }

    fn finish(self) -> Vec<Chart> {
        self.0
    }
}

macro_rules! chart {
    ($name:ident, $file:literal, $title:literal, $x:literal, $y:literal) => {
        fn $name() -> Chart {
            Chart {
                file: $file,
                title: $title,
                x: $x,
                y: $y,
                scale: Scale::Sizes,
                series: Vec::new(),
            }
        }
    };
}

chart!(
    events_chart,
    "events",
    "Events list while matches are added",
    "events",
    "requests a second"
);
chart!(users_chart, "users", "Reads while users are added", "users", "requests a second");
chart!(
    predictions_chart,
    "predictions",
    "One match with many predictions",
    "predictions",
    "milliseconds"
);
chart!(
    connections_chart,
    "connections",
    "Throughput by connections",
    "connections",
    "requests a second"
);
chart!(
    waiting_chart,
    "waiting",
    "Waiting time (p99) by connections",
    "connections",
    "milliseconds"
);
chart!(
    nodes_chart,
    "nodes",
    "Nodes on one PostgreSQL, all on this machine",
    "nodes",
    "requests a second"
);

/// The median of a few rounds: requests a second, and p99 in milliseconds.
fn throughput(
    bench: &Bench,
    servers: &[SocketAddr],
    connections: usize,
    requests: &Requests,
) -> Outcome<(f64, f64)> {
    let (mut speed, mut waiting) = (Rounds::default(), Rounds::default());
    // A server that has just started is busy with its chores.
    load::run(servers, connections, requests, Length::Time(bench.plan.round))?;
    for _ in 0..bench.plan.growth_rounds {
        let measured = load::run(servers, connections, requests, Length::Time(bench.plan.round))?;
        speed.push(measured.per_second);
        waiting.push(measured.p99_ms);
    }
    Ok((speed.median(), waiting.median()))
}

async fn base(db: &Db, events: i64) -> Outcome<Vec<(i64, String)>> {
    seed::catalogue(db).await?;
    seed::events(db, events).await?;
    seed::users(db, USERS).await?;
    seed::accounts(db).await?;
    seed::sessions(db, seed::spread(USERS, CALLERS)).await
}

/// In turns, unlike the points of the curve, which are minutes apart on a machine that may have become slower.
fn compare_sizes(
    bench: &mut Bench,
    databases: [&Database; 2],
    most: i64,
    requests: &Requests,
) -> Outcome<()> {
    let [few, many] = databases;
    let ((few_server, _few_chat), (many_server, _many_chat)) = (serve(few)?, serve(many)?);
    let (mut few_speed, mut many_speed) = (Rounds::default(), Rounds::default());
    for round in 0..=bench.plan.rounds {
        for (server, speed) in [(&few_server, &mut few_speed), (&many_server, &mut many_speed)] {
            let time = Length::Time(bench.plan.round);
            let measured = load::run(&[server.address], CONNECTIONS, requests, time)?;
            // A server that has just started is busy with its chores.
            if round > 0 {
                speed.push(measured.per_second);
            }
        }
    }
    let factor = few_speed.ratios_to(&many_speed).median();
    bench.report.figures.push(Figure {
        what: format!("events list with {} matches, against 10,000", thousands(whole(most))),
        database: label(few.engine),
        value: format!("{factor:.2} times slower"),
        goal: Some((format!("at most {FINISHED_FACTOR}"), factor <= FINISHED_FACTOR)),
    });
    Ok(())
}

fn events(bench: &mut Bench, engine: Engine, charts: &mut Charts) -> Outcome<()> {
    let (database, tokens) = bench.stores.create(engine, "growth", async |db| base(db, 1).await)?;
    let requests = asking(EVENTS, &tokens);
    let mut few = None;
    for count in bench.plan.growth_events.iter().copied() {
        bench.step_of(&format!("{}: events grow", label(engine)));
        bench.stores.change(&database, async |db| seed::events(db, count).await)?;
        if count == MATCHES {
            few = Some(bench.stores.copy(&database, "growth_few")?);
        }
        let (server, _homeserver) = serve(&database)?;
        let (speed, _) = throughput(bench, &[server.address], CONNECTIONS, &requests)?;
        charts.add(events_chart, label(engine), (whole(count), speed));
    }
    if let (Some(few), Some(most)) = (few, bench.plan.growth_events.last().copied()) {
        if most > MATCHES {
            compare_sizes(bench, [&few, &database], most, &requests)?;
        }
        bench.stores.remove(&few)?;
    }
    bench.stores.remove(&database)
}

fn users_and_predictions(bench: &mut Bench, engine: Engine, charts: &mut Charts) -> Outcome<()> {
    let (database, ()) = bench.stores.create(engine, "growth", async |db| {
        seed::catalogue(db).await?;
        seed::events(db, MATCHES).await
    })?;
    let name = label(engine);
    for count in bench.plan.growth_users.iter().copied() {
        bench.step_of(&format!("{name}: users grow"));
        let tokens = bench.stores.change(&database, async |db| {
            seed::users(db, count).await?;
            seed::sessions(db, seed::spread(count, CALLERS)).await
        })?;
        let (server, _homeserver) = serve(&database)?;
        for (what, path) in [("me", ME), ("events list", EVENTS)] {
            let requests = asking(path, &tokens);
            let (speed, _) = throughput(bench, &[server.address], CONNECTIONS, &requests)?;
            charts.add(users_chart, &format!("{name}, {what}"), (whole(count), speed));
        }
    }
    predictions(bench, &database, charts)?;
    bench.stores.remove(&database)
}

/// The first byte of the whole list, and a page of one for the figures that come with every list.
fn predictions(bench: &mut Bench, database: &Database, charts: &mut Charts) -> Outcome<()> {
    let (name, event) = (database.label(), seed::POPULAR_EVENT);
    let times = bench.plan.growth_rounds.max(3);
    for count in bench.plan.growth_predictions.iter().copied() {
        bench.step_of(&format!("{name}: predictions grow"));
        let tokens = bench.stores.change(database, async |db| {
            seed::predictions(db, event, count).await?;
            seed::sessions(db, vec![1]).await
        })?;
        let (server, _homeserver) = serve(database)?;
        let whole_list = asking(&format!("/api/auth/events/{event}/predictions"), &tokens);
        let page = asking(&format!("/api/auth/events/{event}/predictions?per_page=1"), &tokens);
        // The first request of a server pays for its preparation.
        load::first_byte(server.address, &page, 1)?;
        let idle = server.memory_mb();
        let (first, all) = load::first_byte(server.address, &whole_list, times)?;
        let grown = server.memory_mb() - idle;
        let (_, meta) = load::first_byte(server.address, &page, 20)?;
        let size = whole(count);
        charts.add(predictions_chart, &format!("{name}, first byte of all"), (size, first));
        charts.add(predictions_chart, &format!("{name}, page with meta"), (size, meta));
        if bench.plan.growth_predictions.last() == Some(&count) {
            bench.report.figures.push(Figure {
                what: format!("list of {} predictions: first byte", thousands(size)),
                database: name,
                value: format!(
                    "{first:.1} ms; all in {:.1} s, {grown:.0} MB more memory",
                    all / 1_000.0
                ),
                goal: Some((format!("at most {FIRST_BYTE_MS:.0} ms"), first <= FIRST_BYTE_MS)),
            });
        }
    }
    Ok(())
}

fn connections(bench: &mut Bench, engine: Engine, charts: &mut Charts) -> Outcome<()> {
    let (database, tokens) =
        bench.stores.create(engine, "growth", async |db| base(db, MATCHES).await)?;
    let (server, _homeserver) = serve(&database)?;
    let reads = asking(ME, &tokens);
    let deductions = prepare(Write::Deduct, &tokens, DEDUCTIONS, &mut Wander(3));
    let name = label(engine);
    for count in bench.plan.growth_connections.iter().copied() {
        bench.step_of(&format!("{name}: connections grow"));
        for (what, requests) in [("me", &reads), ("deduct", &deductions)] {
            let (speed, p99) = throughput(bench, &[server.address], count, requests)?;
            let (size, series) = (float_of(count), format!("{name}, {what}"));
            charts.add(connections_chart, &series, (size, speed));
            charts.add(waiting_chart, &series, (size, p99));
        }
    }
    drop(server);
    bench.stores.remove(&database)
}

fn nodes(bench: &mut Bench, charts: &mut Charts) -> Outcome<()> {
    let (database, tokens) =
        bench.stores.create(Engine::Postgres, "growth", async |db| base(db, MATCHES).await)?;
    let homeserver = Server::stand_in("homeserver")?;
    let reads = asking(ME, &tokens);
    let deductions = prepare(Write::Deduct, &tokens, DEDUCTIONS, &mut Wander(4));
    for count in bench.plan.growth_nodes.iter().copied() {
        bench.step_of("PostgreSQL: nodes grow");
        let started = (0..count).map(|_| Server::without_chat(&database, &homeserver));
        let nodes = started.collect::<Outcome<Vec<_>>>()?;
        let servers: Vec<_> = nodes.iter().map(|node| node.address).collect();
        for (what, requests) in [("me", &reads), ("deduct", &deductions)] {
            let (speed, _) = throughput(bench, &servers, CONNECTIONS, requests)?;
            charts.add(nodes_chart, what, (float_of(count), speed));
        }
    }
    bench.stores.remove(&database)
}

/// The service, and the stand-in for a homeserver that must live as long.
fn serve(database: &Database) -> Outcome<(Server, Server)> {
    let homeserver = Server::stand_in("homeserver")?;
    Ok((Server::without_chat(database, &homeserver)?, homeserver))
}

fn whole(count: i64) -> f64 {
    float(count.unsigned_abs())
}
