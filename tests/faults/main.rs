//! The service under faults: the real program, loopback clients at work, and something that goes wrong. After each fault
//! everything is compared with what clients were told. `make faults` runs all of it, `make faults-short` a part.
//!
//! `cargo test --test faults -- [--short] [PART OF A NAME]...`

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test that panics has done its work, and one that says what it found too"
)]

mod backlog;
mod books;
mod clock;
mod control;
mod crashes;
mod disk;
mod failover;
#[path = "../it/harness/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the integration tests use the rest")]
mod harness;
mod hog;
mod invariants;
mod load;
mod neighbours;
mod outcome;
mod postgres;
mod power;
mod pressure;
mod shim;
mod site;
mod stand_in;
mod stops;
mod work;

use std::pin::Pin;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use outcome::Outcome;

/// How much of it: all, or a part that takes about two minutes.
#[derive(Clone, Copy)]
pub struct Scale {
    is_short: bool,
}

impl Scale {
    pub fn of(self, all: u32, short: u32) -> u32 {
        if self.is_short { short } else { all }
    }
}

type Running = Pin<Box<dyn Future<Output = Outcome> + Send>>;

struct Fault {
    name: &'static str,
    run: Box<dyn FnOnce(Scale) -> Running>,
}

fn fault<F: Future<Output = Outcome> + Send + 'static>(
    name: &'static str,
    run: impl FnOnce(Scale) -> F + 'static,
) -> Fault {
    Fault { name, run: Box::new(|scale| Box::pin(run(scale))) }
}

fn faults() -> Vec<Fault> {
    vec![
        fault("control: tampered books", control::tampering_is_seen),
        fault("kill -9, SQLite", crashes::kill_9_on_sqlite),
        fault("kill -9, PostgreSQL", crashes::kill_9_on_postgres),
        fault("power cut", power::cut),
        fault("disk full and freed", disk::full),
        fault("sync fails with EIO", disk::sync_fails),
        fault("PostgreSQL restarted at once", postgres::restarted),
        fault("PostgreSQL frozen for 5 s", postgres::frozen),
        fault("PostgreSQL out of connections", postgres::exhausted),
        fault("homeserver misbehaves", neighbours::homeserver),
        fault("SMS provider misbehaves", neighbours::sms_provider),
        fault("SIGTERM under load", crashes::sigterm),
        fault("SIGTERM while working", stops::while_working),
        fault("SIGTERM while PostgreSQL is frozen", stops::while_frozen),
        fault("neighbours back after hours", work::back_after_hours),
        fault("asked again while it runs", work::asked_while_running),
        fault("silent webhook receivers", work::silent_receivers),
        fault("1,000 slow sockets", pressure::slow_sockets),
        fault("one caller takes all it can", hog::one_caller),
        fault("twice the load it can serve", pressure::overload),
        fault("no file descriptors left", pressure::no_descriptors),
        fault("callers hang up", backlog::callers_hang_up),
        fault("much to forget at once", backlog::much_to_forget),
        fault("clock stepped both ways", clock::stepped),
        fault("one node's clock is off", clock::off_on_one_node),
        fault("settlement of 10,000 killed", crashes::settlement_killed),
        fault("one of three nodes killed", crashes::three_nodes),
        fault("primary killed", failover::killed),
        fault("primary frozen", failover::frozen),
        fault("primary cut off", failover::cut_off),
        fault("primary switched over", failover::switched_over),
    ]
}

#[tokio::main]
async fn main() -> ExitCode {
    let (flags, names): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|word| word.starts_with("--"));
    let scale = Scale { is_short: flags.iter().any(|flag| flag == "--short") };
    let is_wanted =
        |fault: &Fault| names.is_empty() || names.iter().any(|name| fault.name.contains(name));
    let began = Instant::now();
    print_row(&HEADINGS.map(str::to_owned));
    print_row(&HEADINGS.map(|_| "---".to_owned()));
    let (mut passed, mut skipped, mut failed) = (0, 0, Vec::new());
    for fault in faults().into_iter().filter(is_wanted) {
        let (name, started) = (fault.name, Instant::now());
        // A task of its own, so that a fault that panics is a line like any other.
        let outcome = tokio::spawn((fault.run)(scale)).await.unwrap_or_else(|error| Outcome {
            problems: vec![format!("the check itself ended: {error}")],
            ..Outcome::default()
        });
        let row = row(name, &outcome, started.elapsed());
        print_row(&row);
        match (&outcome.skipped, outcome.is_good()) {
            (Some(_), _) => skipped += 1,
            (None, true) => passed += 1,
            (None, false) => failed.push(row),
        }
    }
    let took = began.elapsed().as_secs();
    println!("\n{passed} passed, {} failed, {skipped} skipped in {took} s", failed.len());
    // Once more at the end, which is all that is left of a long log.
    failed.iter().for_each(print_row);
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

const HEADINGS: [&str; 12] = [
    "fault",
    "times",
    "requests",
    "acknowledged",
    "lost",
    "doubled",
    "phantom",
    "failures seen",
    "healthy after",
    "verdict",
    "took",
    "notes",
];

/// Rows are printed as they come: with minutes between them, somebody may be watching.
fn print_row(cells: &[String; 12]) {
    println!("| {} |", cells.join(" | "));
}

fn row(name: &str, outcome: &Outcome, took: Duration) -> [String; 12] {
    let kinds: Vec<String> =
        outcome.kinds.iter().map(|(kind, count)| format!("{kind} ({count})")).collect();
    let mut notes = match &outcome.skipped {
        Some(why) => format!("skipped: {why}"),
        None => outcome.note.clone(),
    };
    for problem in &outcome.problems {
        notes += &format!(" !! {problem}");
    }
    let healthy = outcome.healthy.map_or("-".to_owned(), |took| format!("{} ms", took.as_millis()));
    [
        name.to_owned(),
        outcome.times.to_string(),
        outcome.requests.to_string(),
        outcome.acknowledged.to_string(),
        outcome.lost.to_string(),
        outcome.doubled.to_string(),
        outcome.phantom.to_string(),
        if kinds.is_empty() { "none".to_owned() } else { kinds.join(", ") },
        healthy,
        outcome.verdict().to_owned(),
        format!("{} s", took.as_secs()),
        notes,
    ]
}
