//! How long a running service with very many users takes to go from SQLite to PostgreSQL, and how long nothing can be written.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use touchline::platform::db::Engine;

use crate::caller::Caller;
use crate::figures::{float, millis};
use crate::operators::fill;
use crate::report::{Figure, thousands};
use crate::server::{OPERATOR_TOKEN, Server};
use crate::{Bench, Outcome};

/// Writes come at this pace, from one caller after the other.
const PACE: Duration = Duration::from_millis(2);
const LONGEST_READ_ONLY_S: f64 = 30.0;

pub fn steps() -> usize {
    2
}

pub fn measure(bench: &mut Bench) -> Outcome<()> {
    let users = bench.plan.operator_users;
    let name = thousands(float(u64::try_from(users).unwrap_or(0)));
    bench.step_of(&format!("SQLite: {name} users who are to move"));
    let (database, ()) =
        bench.stores.create(Engine::Sqlite, "moving", async |db| fill(db, users).await)?;
    let there = bench.stores.empty("moved")?;
    let homeserver = Server::stand_in("homeserver")?;
    let server = Server::without_chat(&database, &homeserver)?;
    bench.step_of(&format!("{name} users move while notes are written"));
    let is_over = Arc::new(AtomicBool::new(false));
    let (address, ends) = (server.address, Arc::clone(&is_over));
    let writing =
        bench.stores.runtime.spawn(async move { write_notes(address, users, &ends).await });
    let mut command = Server::command(&database)?;
    let began = Instant::now();
    let output = command.args(["move", "--to", &there.url()]).output()?;
    let took = began.elapsed();
    is_over.store(true, Ordering::Release);
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    let said = String::from_utf8(output.stdout)?;
    let words: Vec<&str> = said.split_whitespace().collect();
    let rows = words.first().and_then(|word| word.parse().ok()).unwrap_or(0.0);
    let read_only = words.windows(2).find(|pair| pair.get(1) == Some(&"s."));
    let read_only: f64 =
        read_only.and_then(|pair| pair.first()?.parse().ok()).ok_or("no time in what it said")?;
    let noted = bench.stores.runtime.block_on(writing)??;
    let kept = bench.stores.count_notes(&there)?;
    let what = format!("{name} users ({} rows) to PostgreSQL", thousands(rows));
    let value = format!("{:.0} s", millis(took) / 1_000.0);
    bench.report.figures.push(Figure { what, database: "SQLite", value, goal: None });
    let goal = (format!("under {LONGEST_READ_ONLY_S:.0} s"), read_only < LONGEST_READ_ONLY_S);
    bench.report.figures.push(Figure {
        what: "of which nothing could be written".to_owned(),
        database: "SQLite",
        value: if read_only < 0.1 { "under 0.1 s".to_owned() } else { format!("{read_only:.1} s") },
        goal: Some(goal),
    });
    let value = format!("{} of {}", thousands(float(kept)), thousands(float(noted)));
    bench.report.figures.push(Figure {
        what: "notes that were acknowledged meanwhile and are there".to_owned(),
        database: "PostgreSQL",
        value,
        goal: Some(("all".to_owned(), kept >= noted)),
    });
    drop(server);
    bench.stores.remove(&database)?;
    bench.stores.remove(&there)
}

/// How many were acknowledged.
async fn write_notes(
    server: std::net::SocketAddr,
    users: i64,
    is_over: &AtomicBool,
) -> Outcome<u64> {
    let mut caller = Caller::connect(server).await?;
    let (mut acknowledged, mut user) = (0, 0);
    while !is_over.load(Ordering::Acquire) {
        user = user % (users / 2) + 1;
        let path = format!("/api/admin/users/{user}/notes");
        match caller.post(&path, OPERATOR_TOKEN, r#"{"text": "moves soon"}"#).await {
            Ok(answer) if answer.is_success() => acknowledged += 1,
            Ok(_) => {}
            Err(_) => caller = Caller::connect(server).await?,
        }
        tokio::time::sleep(PACE).await;
    }
    Ok(acknowledged)
}
