//! How much of each engine's own speed the database layer gives to its callers.
//!
//! `cargo bench --bench db` compares it with a tight loop on SQLite; with
//! `TOUCHLINE_BENCH_POSTGRES_URL` (an empty database of a server on this machine) also with
//! `pgbench`, found in `PATH` or named by `PGBENCH`. Rounds alternate and medians are shown,
//! because machines drift. `TOUCHLINE_BENCH_SECONDS` is the length of a round.
#![allow(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::error::Error;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use touchline::platform::clock::Clock;
use touchline::platform::config::Config;
use touchline::platform::db::{Db, Engine, Tx, params};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

const ACCOUNTS: i64 = 10_000;
const CALLERS: u64 = 64;
const ROUNDS: usize = 9;

const DEDUCT: &str =
    "UPDATE accounts SET balance = balance - $2 WHERE id = $1 AND balance >= $2 RETURNING balance";
const TRANSFER: &str =
    "INSERT INTO transfers (account_id, amount, balance_after, created_at) VALUES ($1, $2, $3, $4)";
const OWNER: &str = "SELECT account_id FROM tokens WHERE hash = $1";
const BALANCE: &str = "SELECT balance FROM accounts WHERE id = $1";

const SCHEMA: &str = "
    CREATE TABLE accounts (id BIGINT PRIMARY KEY, balance BIGINT NOT NULL CHECK (balance >= 0));
    CREATE TABLE tokens (hash TEXT PRIMARY KEY, account_id BIGINT NOT NULL REFERENCES accounts (id));
    CREATE TABLE transfers (id IDENTITY PRIMARY KEY, account_id BIGINT NOT NULL REFERENCES accounts (id),
        amount BIGINT NOT NULL, balance_after BIGINT NOT NULL, created_at BIGINT NOT NULL);";
const FILL: &str = "
    INSERT INTO accounts WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
        SELECT i, 1000000000 FROM n;
    INSERT INTO tokens SELECT 'token-' || CAST(id AS TEXT), id FROM accounts;";

const PGBENCH_WRITE: &str = "\\set id random(1, 10000)
BEGIN;
UPDATE accounts SET balance = balance - 1 WHERE id = :id AND balance >= 1 RETURNING balance;
INSERT INTO transfers (account_id, amount, balance_after, created_at) VALUES (:id, 1, 1, 1);
COMMIT;
";
const PGBENCH_LOOKUP: &str = "\\set id random(1, 10000)
SELECT balance FROM accounts WHERE id = :id;
";
const PGBENCH_LOOKUP_TWO: &str = "\\set id random(1, 10000)
SELECT account_id FROM tokens WHERE hash = 'token-' || :id;
SELECT balance FROM accounts WHERE id = :id;
";
const PGBENCH_READ_TWO: &str = "\\set id random(1, 10000)
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
SELECT account_id FROM tokens WHERE hash = 'token-' || :id;
SELECT balance FROM accounts WHERE id = :id;
COMMIT;
";

#[derive(Clone, Copy, PartialEq)]
enum Work {
    /// A guarded UPDATE and an INSERT, durable.
    Deduct,
    /// One point read.
    Lookup,
    /// Two point reads, each of its own moment.
    LookupTwo,
    /// Two point reads in one snapshot.
    ReadTwo,
}

fn main() -> Outcome<()> {
    let seconds = std::env::var("TOUCHLINE_BENCH_SECONDS").ok().and_then(|s| s.parse().ok());
    let round = Duration::from_secs(seconds.unwrap_or(2));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    println!("{:<48}{:>12}{:>12}{:>8}", "", "ceiling/s", "layer/s", "ratio");
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    bench_sqlite(&runtime, folder.path(), round)?;
    if let Ok(url) = std::env::var("TOUCHLINE_BENCH_POSTGRES_URL") {
        bench_postgres(&runtime, folder.path(), &url, round)?;
    }
    Ok(())
}

fn bench_sqlite(runtime: &tokio::runtime::Runtime, folder: &Path, round: Duration) -> Outcome<()> {
    let (ours, theirs) = (folder.join("layer.db"), folder.join("ceiling.db"));
    for path in [&ours, &theirs] {
        let connection = open_plain(path)?;
        connection.execute_batch(&SCHEMA.replace("IDENTITY", "INTEGER"))?;
        connection.execute_batch(FILL)?;
    }
    let (url, config) = (format!("sqlite:{}", ours.display()), Config::defaults()?.database);
    let db = runtime.block_on(Db::open(&url, &config, Clock::system()))?;
    for (name, work) in [
        ("SQLite, deduct, against 64 per commit", Work::Deduct),
        ("SQLite, two lookups, against 2 tight readers", Work::LookupTwo),
        ("SQLite, two reads, against 2 tight readers", Work::ReadTwo),
    ] {
        compare(
            name,
            || match work {
                Work::Deduct => tight_writer(&theirs, round),
                _ => tight_readers(&theirs, round),
            },
            || runtime.block_on(callers(&db, work, round)),
        )?;
    }
    runtime.block_on(db.close());
    Ok(())
}

fn bench_postgres(
    runtime: &tokio::runtime::Runtime,
    folder: &Path,
    url: &str,
    round: Duration,
) -> Outcome<()> {
    runtime.block_on(async {
        let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await?;
        tokio::spawn(connection);
        client.batch_execute("DROP TABLE IF EXISTS transfers, tokens, accounts").await?;
        let identity = "BIGINT GENERATED BY DEFAULT AS IDENTITY";
        client.batch_execute(&SCHEMA.replace("IDENTITY", identity)).await?;
        client.batch_execute(FILL).await?;
        client.batch_execute("VACUUM ANALYZE").await
    })?;
    let config = Config::defaults()?.database;
    let db = runtime.block_on(Db::open(url, &config, Clock::system()))?;
    for (name, work, text) in [
        ("PostgreSQL, deduct, against pgbench -c 12", Work::Deduct, PGBENCH_WRITE),
        ("PostgreSQL, one lookup, against pgbench -c 12", Work::Lookup, PGBENCH_LOOKUP),
        ("PostgreSQL, two lookups, against pgbench -c 12", Work::LookupTwo, PGBENCH_LOOKUP_TWO),
        ("PostgreSQL, two reads, against pgbench -c 12", Work::ReadTwo, PGBENCH_READ_TWO),
    ] {
        let script = folder.join("script.sql");
        std::fs::write(&script, text)?;
        compare(
            name,
            || pgbench(url, &script, round),
            || runtime.block_on(callers(&db, work, round)),
        )?;
    }
    runtime.block_on(db.close());
    Ok(())
}

/// Alternates the two and prints the medians.
fn compare(
    name: &str,
    mut ceiling: impl FnMut() -> Outcome<f64>,
    mut layer: impl FnMut() -> Outcome<f64>,
) -> Outcome<()> {
    let (mut theirs, mut ours) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        theirs.push(ceiling()?);
        ours.push(layer()?);
    }
    // Of neighbouring rounds, so that a machine that is busy for a while spoils few of them.
    let ratio = median(ours.iter().zip(&theirs).map(|(ours, theirs)| ours / theirs).collect());
    println!("{name:<48}{:>12.0}{:>12.0}{ratio:>8.2}", median(theirs), median(ours));
    Ok(())
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

fn per_second(count: u64, took: Duration) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX)) / took.as_secs_f64()
}

/// Numbers that wander over all accounts, without a random source to wait for.
struct Accounts(u64);

impl Accounts {
    fn next(&mut self) -> i64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from(self.0 >> 33).unwrap_or(0).rem_euclid(ACCOUNTS) + 1
    }
}

async fn callers(db: &Db, work: Work, round: Duration) -> Outcome<f64> {
    let started = Instant::now();
    let tasks: Vec<_> = (0..CALLERS)
        .map(|caller| {
            let db = db.clone();
            tokio::spawn(async move {
                let mut accounts = Accounts(caller);
                let mut done = 0_u64;
                while started.elapsed() < round {
                    let account = accounts.next();
                    match work {
                        Work::Deduct => db.write(move |tx| deduct(tx, account)).await?,
                        Work::Lookup => {
                            db.lookup(move |tx| tx.one(BALANCE, params![account])).await?
                        }
                        Work::LookupTwo => db.lookup(move |tx| balance(tx, account)).await?,
                        Work::ReadTwo => db.read(move |tx| balance(tx, account)).await?,
                    };
                    done += 1;
                }
                Ok::<_, touchline::platform::error::Error>(done)
            })
        })
        .collect();
    let mut done = 0;
    for task in tasks {
        done += task.await??;
    }
    if db.engine() == Engine::Sqlite {
        // Let the writer empty its log, so that each round begins alike.
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    Ok(per_second(done, started.elapsed().min(round + Duration::from_millis(100))))
}

fn deduct(tx: &mut Tx, account: i64) -> touchline::platform::error::Result<i64> {
    let after: i64 = tx.one(DEDUCT, params![account, 1_i64])?;
    tx.exec(TRANSFER, params![account, 1_i64, after, tx.now()])?;
    Ok(after)
}

fn balance(tx: &mut Tx, account: i64) -> touchline::platform::error::Result<i64> {
    let owner: i64 = tx.one(OWNER, params![format!("token-{account}")])?;
    tx.one(BALANCE, params![owner])
}

fn open_plain(path: &Path) -> Outcome<rusqlite::Connection> {
    let connection = rusqlite::Connection::open(path)?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
         PRAGMA cache_size = -4096;",
    )?;
    connection.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(connection)
}

/// What one thread reaches that does nothing but commit 64 transactions at a time.
fn tight_writer(path: &Path, round: Duration) -> Outcome<f64> {
    let connection = open_plain(path)?;
    // SQLite numbers `$2` by appearance and `?2` by its number.
    let mut update = connection.prepare(&DEDUCT.replace('$', "?"))?;
    let mut insert = connection.prepare(&TRANSFER.replace('$', "?"))?;
    let (mut accounts, mut done, started) = (Accounts(1), 0_u64, Instant::now());
    let clock = Clock::system();
    while started.elapsed() < round {
        connection.execute_batch("BEGIN IMMEDIATE")?;
        for _ in 0..CALLERS {
            let account = accounts.next();
            let after: i64 = update.query_row([account, 1], |row| row.get(0))?;
            insert.execute([account, 1, after, clock.now().as_millis()])?;
        }
        connection.execute_batch("COMMIT")?;
        done += CALLERS;
    }
    Ok(per_second(done, started.elapsed()))
}

/// What two threads reach that do nothing but read.
fn tight_readers(path: &Path, round: Duration) -> Outcome<f64> {
    let (stop, done) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let started = Instant::now();
    let threads: Vec<_> = (0..2)
        .map(|seed| {
            let (path, stop, done) = (path.to_owned(), Arc::clone(&stop), Arc::clone(&done));
            std::thread::spawn(move || -> Outcome<()> {
                let connection = open_plain(&path)?;
                let (mut owner, mut balance) =
                    (connection.prepare(OWNER)?, connection.prepare(BALANCE)?);
                let mut begin = connection.prepare("BEGIN")?;
                let mut commit = connection.prepare("COMMIT")?;
                let mut accounts = Accounts(seed);
                while !stop.load(Ordering::Relaxed) {
                    begin.execute([])?;
                    let token = format!("token-{}", accounts.next());
                    let account: i64 = owner.query_row([&token], |row| row.get(0))?;
                    let _: i64 = balance.query_row([account], |row| row.get(0))?;
                    commit.execute([])?;
                    done.fetch_add(1, Ordering::Relaxed);
                }
                Ok(())
            })
        })
        .collect();
    std::thread::sleep(round);
    stop.store(true, Ordering::Relaxed);
    for thread in threads {
        thread.join().map_err(|_| "a reader panicked")??;
    }
    Ok(per_second(done.load(Ordering::Relaxed), started.elapsed()))
}

fn pgbench(url: &str, script: &Path, round: Duration) -> Outcome<f64> {
    let program = std::env::var("PGBENCH").unwrap_or_else(|_| "pgbench".to_owned());
    let output = Command::new(program)
        .args(["-n", "-M", "prepared", "-c", "12", "-j", "2", "-T"])
        .arg(round.as_secs().max(1).to_string())
        .arg("-f")
        .arg(script)
        .arg(url)
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let tps = text.lines().find_map(|line| line.strip_prefix("tps = "));
    let figure = tps.and_then(|rest| rest.split_whitespace().next());
    let figure = figure.ok_or_else(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
    Ok(figure.parse()?)
}
