//! The largest league there can be: how long its table takes to be reckoned from a season that is over, and how fast it is read.

use std::time::{Duration, Instant};

use serde_json::Value;
use touchline::features::leaderboards::monday_of;
use touchline::platform::clock::DAY_MS;
use touchline::platform::db::{Db, Engine, params};

use crate::caller::Caller;
use crate::figures::millis;
use crate::load::{self, Length};
use crate::plan::{CONNECTIONS, Plan};
use crate::reads::{asking, greeting};
use crate::report::{Figure, Row};
use crate::server::Server;
use crate::{Bench, Outcome, seed};

const MEMBERS: i64 = 10_000;
/// Weeks of the season in which each of them had a settled prediction.
const WEEKS: i64 = 38;
const CALLERS: i64 = 2_000;
const LONGEST_S: f64 = 2.0;
const LOOK_EVERY: Duration = Duration::from_millis(20);
const PATIENCE: Duration = Duration::from_secs(120);

pub fn steps(plan: &Plan) -> usize {
    2 * (1 + plan.rounds)
}

pub fn measure(bench: &mut Bench, engine: Engine) -> Outcome<()> {
    let (database, tokens) = bench.stores.create(engine, "leagues", async |db| {
        seed::catalogue(db).await?;
        seed::users(db, MEMBERS).await?;
        seed::accounts(db).await?;
        season(db).await?;
        seed::sessions(db, seed::spread(MEMBERS, CALLERS)).await
    })?;
    let hello = Server::stand_in("hello")?;
    let homeserver = Server::stand_in("homeserver")?;
    let server = Server::without_chat(&database, &homeserver)?;
    bench.step_of(&format!("{}: a league of ten thousand is reckoned", database.label()));
    let (owner, last) = (tokens.first().ok_or("nobody")?, tokens.last().ok_or("nobody")?);
    let reckoned = reckon(&server, &owner.1, &last.1);
    let [took, with_weeks] =
        bench.stores.runtime.block_on(reckoned)?.map(|took| millis(took) / 1_000.0);
    bench.report.figures.push(Figure {
        what: format!(
            "a league of 10,000 takes in a tournament of {WEEKS} weeks, and each of them"
        ),
        database: database.label(),
        value: format!("{took:.1} s, {with_weeks:.1} s"),
        goal: Some((format!("under {LONGEST_S:.0} s"), took < LONGEST_S)),
    });
    let mut row =
        Row::new("a league's table, 20 of 10,000", database.label(), "axum hello-world", None);
    let requests = asking("/api/auth/leagues/1/table", &tokens);
    for _ in 0..bench.plan.rounds {
        bench.step(&row);
        let time = Length::Time(bench.plan.round);
        let ceiling = load::run(&[hello.address], CONNECTIONS, &greeting(), time)?;
        row.push(
            ceiling.per_second,
            load::run(&[server.address], CONNECTIONS, &requests, Length::Time(bench.plan.round))?,
        );
    }
    row.memory_mb = server.memory_mb();
    bench.report.rows.push(row);
    drop(server);
    bench.stores.remove(&database)
}

/// A season that is over, another tournament of which nothing is settled, and a league on that one.
async fn season(db: &Db) -> Outcome<()> {
    db.write(|tx| {
        let (now, monday) = (tx.now(), monday_of(tx.now()));
        tx.exec(
            "INSERT INTO tournaments (id, slug, sport_id, name, scoring, confidence_weighted, imported)
             VALUES (2, 'cup', 1, 'Cup', 'classic', 0, '')",
            &[],
        )?;
        tx.exec(
            "INSERT INTO boards (id, tournament_id, period, starts_at)
             WITH RECURSIVE n(i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < $1)
             SELECT i, 1, 'week', $2 - i * $3 FROM n",
            params![WEEKS, monday, 7 * DAY_MS],
        )?;
        tx.exec(
            "INSERT INTO standings (board_id, user_id, settled, correct, exact, draws, differences, points, brier)
             SELECT b.id, u.id, 10, 5, 1, 1, 1, 3 * ((u.id + b.id) % 7 + 1), 0 FROM boards b CROSS JOIN users u",
            &[],
        )?;
        tx.exec(
            "INSERT INTO leagues (id, name, name_folded, is_public, code, scoring, starts_at, member_count, has_chat, created_at)
             VALUES (1, 'All', 'all', 1, 'K7XQ2MPAD9', 'tournament', $1, $2, 0, $3)",
            params![monday.plus_ms(-40 * 7 * DAY_MS), MEMBERS, now],
        )?;
        tx.exec("INSERT INTO league_tournaments (league_id, tournament_id) VALUES (1, 2)", &[])?;
        tx.exec(
            "INSERT INTO league_members (league_id, user_id, role, joined_at)
             SELECT 1, id, CASE WHEN id = 1 THEN 'owner' ELSE 'member' END, $1 FROM users",
            params![now],
        )?;
        tx.exec(
            "INSERT INTO league_standings (league_id, week, user_id, settled, correct, exact, points)
             SELECT 1, 0, id, 0, 0, 0, 0 FROM users",
            &[],
        )
    })
    .await?;
    Ok(())
}

/// The owner lets the season count; how long it takes until the last member has their points, and until they have them by week.
async fn reckon(server: &Server, owner: &str, last: &str) -> Outcome<[Duration; 2]> {
    let mut caller = Caller::connect(server.address).await?;
    let began = Instant::now();
    let body = r#"{"tournament_ids": [1, 2]}"#;
    caller.ask("PATCH", "/api/auth/leagues/1", owner, body).await?.success()?;
    let weeks = caller.get("/api/auth/leagues/1/weeks?per_page=1", owner).await?.json()?;
    let week = weeks.pointer("/data/0/week").and_then(Value::as_str).ok_or("no week")?;
    let mut took = Vec::new();
    for query in [String::new(), format!("&week={week}")] {
        let path = format!("/api/auth/leagues/1/table?around=me&per_page=1{query}");
        while began.elapsed() < PATIENCE {
            let table = caller.get(&path, last).await?.json()?;
            let points = table.pointer("/meta/me/points").and_then(Value::as_i64);
            if points.is_some_and(|points| points > 0) {
                took.push(began.elapsed());
                break;
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }
    took.try_into().map_err(|_| "the table was not reckoned".into())
}
