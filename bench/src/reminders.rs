//! A hundred thousand people have not predicted a match that is about to begin: how long it takes until each of them is to be reminded, and
//! what others notice of it meanwhile.

use std::time::{Duration, Instant};

use serde_json::Value;
use touchline::platform::clock::{MINUTE_MS, SECOND_MS};
use touchline::platform::db::{Db, Engine, params};

use crate::caller::Caller;
use crate::figures::{Rounds, millis};
use crate::report::Figure;
use crate::server::{OPERATOR_TOKEN, Server};
use crate::{Bench, Outcome, seed};

const USERS: i64 = 100_000;
const LONGEST_S: f64 = 10.0;
const LONGEST_WAIT_MS: f64 = 50.0;
const LOOK_EVERY: Duration = Duration::from_millis(100);
const WRITE_EVERY: Duration = Duration::from_millis(5);
const PATIENCE: Duration = Duration::from_secs(120);

pub const fn steps() -> usize {
    2
}

pub fn measure(bench: &mut Bench, engine: Engine) -> Outcome<()> {
    let homeserver = Server::stand_in("homeserver")?;
    // Takes whatever it is sent, as a device's service would.
    let devices = format!("http://{}/device/", homeserver.address);
    let (database, tokens) = bench.stores.create(engine, "reminders", async |db| {
        seed::catalogue(db).await?;
        seed::users(db, USERS).await?;
        seed::accounts(db).await?;
        let tokens = seed::sessions(db, vec![1]).await?;
        followers(db, devices).await?;
        Ok(tokens)
    })?;
    bench.step_of(&format!("{}: a hundred thousand are to be reminded", database.label()));
    let url = format!("http://{}", homeserver.address);
    let settings = [
        ("TOUCHLINE_MATRIX__HOMESERVER_URL", url.as_str()),
        ("TOUCHLINE_PUSH__ALLOWS_PRIVATE_NETWORKS", "true"),
    ];
    let server = Server::touchline(&database, &settings)?;
    let writer = &tokens.first().ok_or("nobody")?.1;
    let (took, waits) = bench.stores.runtime.block_on(watch(&server, writer))?;
    let (took, longest) = (millis(took) / 1_000.0, waits.percentile(99));
    bench.report.figures.push(Figure {
        what: "100,000 reminders of one match are planned and handed to those who send".to_owned(),
        database: database.label(),
        value: format!("{took:.1} s"),
        goal: Some((format!("under {LONGEST_S:.0} s"), took < LONGEST_S)),
    });
    bench.report.figures.push(Figure {
        what: "a write of somebody else waits meanwhile, at most, 99 of 100".to_owned(),
        database: database.label(),
        value: format!("{longest:.1} ms ({:.1} ms the longest)", waits.most()),
        goal: Some((format!("under {LONGEST_WAIT_MS:.0} ms"), longest < LONGEST_WAIT_MS)),
    });
    drop(server);
    bench.stores.remove(&database)
}

/// A match in an hour, and all users follow one of its teams, want to be reminded and have a device.
async fn followers(db: &Db, devices: String) -> Outcome<()> {
    db.write(move |tx| {
        let now = tx.now();
        tx.exec("INSERT INTO favourite_teams (user_id, slot, team_id) SELECT id, 0, 1 FROM users", &[])?;
        tx.exec(
            "INSERT INTO push_settings (user_id, reminder, remind_minutes, remind_teams, remind_leagues, kick_off, goal, result, invitation,
                    mention, message, quiet_from, quiet_until, zone, most_a_day, day, sent)
             SELECT id, 1, 60, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 'UTC', 20, 0, 0 FROM users",
            &[],
        )?;
        tx.exec(
            "INSERT INTO push_devices (user_id, session_id, kind, address, created_at, failures)
             SELECT u.id, s.id, 'http', $1 || CAST(u.id AS TEXT), $2, 0 FROM users u CROSS JOIN sessions s",
            params![devices, now],
        )?;
        tx.exec(
            "INSERT INTO events (id, key, tournament_id, home_team_id, away_team_id, start_time, venue, status, outcome_revision, chat_room_id,
                    imported, created_at)
             VALUES (1, 'match', 1, 1, 2, $1, 'Stadium', 'scheduled', 0, '!room:localhost', '', $2)",
            params![now.plus_ms(59 * MINUTE_MS + 30 * SECOND_MS), now],
        )
    })
    .await?;
    Ok(())
}

/// From the first who is to be reminded to the last, and how long each of somebody's writes took meanwhile.
async fn watch(server: &Server, writer: &str) -> Outcome<(Duration, Rounds)> {
    let (mut desk, mut user) =
        (Caller::connect(server.address).await?, Caller::connect(server.address).await?);
    let (started, mut began, mut waits) = (Instant::now(), None, Rounds::default());
    let mut looked = Instant::now();
    while started.elapsed() < PATIENCE {
        let asked = Instant::now();
        let body = r#"{"kick_off": false}"#;
        user.ask("PATCH", "/api/auth/push/settings", writer, body).await?.success()?;
        if began.is_some() {
            waits.push(millis(asked.elapsed()));
        }
        if looked.elapsed() >= LOOK_EVERY {
            looked = Instant::now();
            let planned = planned(&mut desk).await?;
            if planned > 0 && began.is_none() {
                began = Some(looked);
            }
            if let Some(began) = began.filter(|_| planned >= USERS) {
                return Ok((looked - began, waits));
            }
        }
        tokio::time::sleep(WRITE_EVERY).await;
    }
    Err("not everybody was to be reminded".into())
}

/// How many messages wait or have had their end.
async fn planned(desk: &mut Caller) -> Outcome<i64> {
    let seen = desk.get("/api/admin/push", OPERATOR_TOKEN).await?.json()?;
    let count = |value: &Value, name: &str| value.get(name).and_then(Value::as_i64).unwrap_or(0);
    let data = seen.get("data").ok_or("no data")?;
    let days = data.get("days").and_then(Value::as_array).ok_or("no days")?;
    Ok(count(data, "waiting") + days.iter().map(|day| count(day, "messages")).sum::<i64>())
}
