//! What predictions cost: making them, listing a million of them, settling them.
//!
//! `cargo bench --bench predictions` runs on SQLite, and with `TOUCHLINE_BENCH_POSTGRES_URL` (an empty database of a server on
//! this machine) on PostgreSQL too, there also against `pgbench`, found in `PATH` or named by `PGBENCH`. Rounds alternate and
//! medians are shown. `TOUCHLINE_BENCH_SECONDS` is the length of a round, `TOUCHLINE_BENCH_ROWS` how many predictions the
//! large match has.
#![allow(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::error::Error;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use touchline::app::{self, App};
use touchline::features::events::EventId;
use touchline::features::predictions::{self, Confidence, Outcome, Pick};
use touchline::features::settlement;
use touchline::features::users::UserId;
use touchline::platform::clock::{Clock, Timestamp};
use touchline::platform::db::{Db, Tx, params};
use touchline::platform::tokens::{Token, TokenKind};

type Outcomes<T> = Result<T, Box<dyn Error + Send + Sync>>;

const CALLERS: u64 = 64;
const EVENTS: i64 = 1_000;
const FANS: i64 = 20_000;
const ROUNDS: usize = 3;
/// The match with a million predictions; the others come before it.
const LARGE: i64 = EVENTS + 1;

fn main() -> Outcomes<()> {
    let seconds = number("TOUCHLINE_BENCH_SECONDS").unwrap_or(3);
    let rows = number("TOUCHLINE_BENCH_ROWS").unwrap_or(1_000_000);
    let round = Duration::from_secs(seconds.unsigned_abs());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let sqlite = format!("sqlite:{}", folder.path().join("bench.db").display());
    touchline::platform::outbound::install_tls();
    let mut engines = vec![("SQLite", sqlite)];
    if let Ok(url) = std::env::var("TOUCHLINE_BENCH_POSTGRES_URL") {
        engines.push(("PostgreSQL", url));
    }
    for (engine, url) in engines {
        println!("{engine}");
        let app = runtime.block_on(open(&url, folder.path()))?;
        runtime.block_on(prepare(&app.db))?;
        let ceiling = || match engine {
            "SQLite" => tight_writer(&folder.path().join("bench.db"), round),
            _ => pgbench(&url, folder.path(), round),
        };
        predict(&runtime, &app, round, ceiling)?;
        for part in [rows / 4, rows / 2, rows] {
            runtime.block_on(settle(&app, part))?;
        }
        runtime.block_on(read(&app, rows))?;
        runtime.block_on(app.db.close());
    }
    Ok(())
}

fn number(variable: &str) -> Option<i64> {
    std::env::var(variable).ok()?.parse().ok()
}

async fn open(url: &str, folder: &Path) -> Outcomes<App> {
    let text = |text: &str| text.to_owned();
    let variables = [
        (text("TOUCHLINE_DATABASE_URL"), text(url)),
        (text("TOUCHLINE_DATA_DIR"), folder.display().to_string()),
        (text("TOUCHLINE_DEMO_DATA"), text("false")),
        (text("TOUCHLINE_ENVIRONMENT"), text("testing")),
    ];
    let config = app::load_config(None, variables.into_iter())?;
    Ok(App::open(config, Clock::system()).await?)
}

/// A thousand and one matches that begin next year, and users.
async fn prepare(db: &Db) -> Outcomes<()> {
    db.write(|tx| {
        let start = tx.now().plus_ms(365 * 24 * 3_600_000);
        tx.exec("INSERT INTO sports (id, slug, name, imported) VALUES (1, 's', 's', '')", &[])?;
        tx.exec(
            "INSERT INTO teams (id, slug, sport_id, name, name_folded, imported)
             VALUES (1, 'a', 1, 'a', 'a', ''), (2, 'b', 1, 'b', 'b', '')",
            &[],
        )?;
        tx.exec(
            "INSERT INTO tournaments (id, slug, sport_id, name, scoring, confidence_weighted, imported)
             VALUES (1, 't', 1, 't', 'classic', 0, '')",
            &[],
        )?;
        tx.exec(
            "INSERT INTO events (id, key, tournament_id, home_team_id, away_team_id, start_time, venue, status,
                    outcome_revision, imported, created_at)
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
             SELECT i, 'k' || CAST(i AS TEXT), 1, 1, 2, $2, '', 'scheduled', 0, '', 0 FROM n",
            params![LARGE, start],
        )?;
        Ok(())
    })
    .await?;
    add_users(db, FANS).await
}

/// As many users as asked for, in parts, so that no statement takes too long.
async fn add_users(db: &Db, count: i64) -> Outcomes<()> {
    loop {
        let more = db
            .write(move |tx| {
                let have: i64 = tx.one("SELECT COALESCE(max(id), 0) FROM users", &[])?;
                if have >= count {
                    return Ok(false);
                }
                tx.exec(
                    "INSERT INTO users (id, username, username_generated, created_at)
                     WITH RECURSIVE n(i) AS (SELECT $1 + 1 UNION ALL SELECT i + 1 FROM n WHERE i < $2)
                     SELECT i, 'fan' || CAST(i AS TEXT), 0, 0 FROM n",
                    params![have, count.min(have + 20_000)],
                )?;
                Ok(true)
            })
            .await?;
        if !more {
            return Ok(());
        }
    }
}

fn predict(
    runtime: &tokio::runtime::Runtime,
    app: &App,
    round: Duration,
    ceiling: impl Fn() -> Outcomes<f64>,
) -> Outcomes<()> {
    let (mut theirs, mut spread, mut hot) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        theirs.push(ceiling()?);
        spread.push(runtime.block_on(callers(app, EVENTS, round))?);
        hot.push(runtime.block_on(callers(app, 1, round))?);
    }
    let [theirs, spread, hot] = [theirs, spread, hot].map(median);
    println!(
        "  predictions a second: engine alone {theirs:.0}, 1,000 matches {spread:.0}, one match {hot:.0}"
    );
    println!(
        "  ratios: to the engine {:.2}, one match to many {:.2}",
        spread / theirs,
        hot / spread
    );
    Ok(())
}

async fn callers(app: &App, events: i64, round: Duration) -> Outcomes<f64> {
    let started = Instant::now();
    let tasks: Vec<_> = (0..CALLERS)
        .map(|caller| {
            let db = app.db.clone();
            tokio::spawn(async move {
                let mut wander = Wander(caller);
                let mut done = 0_u64;
                while started.elapsed() < round {
                    let (user, event) = (wander.below(FANS) + 1, wander.below(events) + 1);
                    let pick = pick(wander.below(3), wander.below(101));
                    let place = move |tx: &mut Tx| {
                        predictions::place_each(tx, &[(UserId(user), EventId(event), pick)])
                    };
                    db.write(place).await?;
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
    Ok(per_second(done, started.elapsed()))
}

fn pick(outcome: i64, confidence: i64) -> Pick {
    let outcome = match outcome {
        0 => Outcome::Home,
        1 => Outcome::Draw,
        _ => Outcome::Away,
    };
    let confidence = Confidence::try_from(confidence).unwrap_or_default();
    Pick::new(outcome, None, confidence).unwrap_or_else(|_| unreachable!("there is no score"))
}

/// Fills the large match up to so many predictions, settles it, and takes the points away again.
async fn settle(app: &App, rows: i64) -> Outcomes<()> {
    add_users(&app.db, rows).await?;
    fill(&app.db, rows).await?;
    let started = Instant::now();
    set_result(&app.db, Some((2, 1))).await?;
    let mut points = None;
    let (mut longest, mut last) = (Duration::ZERO, Instant::now());
    loop {
        let more = app.db.write(|tx| settlement::settle_stretch(tx, EventId(LARGE), 7)).await?;
        longest = longest.max(last.elapsed());
        last = Instant::now();
        if points.is_none() && has_points(&app.db).await? {
            points = Some(started.elapsed());
        }
        if !more {
            break;
        }
    }
    let (points, whole) = (points.unwrap_or_default(), started.elapsed());
    println!(
        "  settling {rows}: points after {:.1} s, standings and statistics after {:.1} s, longest transaction {} ms",
        points.as_secs_f64(),
        whole.as_secs_f64(),
        longest.as_millis()
    );
    if rows < number("TOUCHLINE_BENCH_ROWS").unwrap_or(1_000_000) {
        set_result(&app.db, None).await?;
        while app.db.write(|tx| settlement::settle_stretch(tx, EventId(LARGE), 7)).await? {}
    }
    Ok(())
}

async fn has_points(db: &Db) -> Outcomes<bool> {
    let count: i64 = db
        .read(|tx| {
            tx.one(
                "SELECT count(*) FROM settlements WHERE event_id = $1 AND settled_at IS NOT NULL",
                params![LARGE],
            )
        })
        .await?;
    Ok(count > 0)
}

async fn set_result(db: &Db, result: Option<(i64, i64)>) -> Outcomes<()> {
    db.write(move |tx| {
        tx.exec(
            "UPDATE events SET status = $2, home_score = $3, away_score = $4, result_at = $5,
                    outcome_revision = outcome_revision + 1 WHERE id = $1",
            params![
                LARGE,
                if result.is_some() { "finished" } else { "live" },
                result.map(|(home, _)| home),
                result.map(|(_, away)| away),
                result.map(|_| Timestamp::from_millis(0))
            ],
        )
    })
    .await?;
    Ok(())
}

async fn fill(db: &Db, rows: i64) -> Outcomes<()> {
    let mut from: i64 = db
        .read(|tx| tx.one("SELECT count(*) FROM predictions WHERE event_id = $1", params![LARGE]))
        .await?;
    while from < rows {
        let to = rows.min(from + 20_000);
        db.write(move |tx| {
            tx.exec(
                "INSERT INTO predictions (event_id, user_id, outcome, home_score, away_score, confidence, revision,
                        created_at, updated_at, is_late, settlement_version)
                 SELECT $1, id, CASE id % 3 WHEN 0 THEN 'home' WHEN 1 THEN 'draw' ELSE 'away' END,
                        CASE id % 3 WHEN 0 THEN 2 + id % 4 ELSE 1 END, CASE id % 3 WHEN 2 THEN 2 ELSE 1 END,
                        id % 101, 1, 0, 0, 0, 0
                 FROM users WHERE id > $2 AND id <= $3",
                params![LARGE, from, to],
            )
        })
        .await?;
        from = to;
    }
    db.write(|tx| {
        tx.exec("DELETE FROM event_counters WHERE event_id = $1", params![LARGE])?;
        tx.exec(
            "INSERT INTO event_counters (event_id, shard, predictions, home, draw, away)
             SELECT $1, 0, count(*), count(*) FILTER (WHERE outcome = 'home'), count(*) FILTER (WHERE outcome = 'draw'),
                    count(*) FILTER (WHERE outcome = 'away') FROM predictions WHERE event_id = $1",
            params![LARGE],
        )
    })
    .await?;
    Ok(())
}

/// The whole list over HTTP, pages of it, and places on the boards.
async fn read(app: &App, rows: i64) -> Outcomes<()> {
    let token = Token::generate(TokenKind::User);
    let hash = token.hash();
    app.db
        .write(move |tx| {
            let settings =
                touchline::platform::config::SessionsConfig { idle_days: 1, max_days: 1 };
            touchline::features::sessions::begin_each(tx, &settings, &[(UserId(1), &hash, None)])
        })
        .await?;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let base = format!("http://{}/api/auth", listener.local_addr()?);
    let serving = app.clone();
    tokio::spawn(async move { serving.serve(listener).await });
    let client = reqwest::Client::builder().no_proxy().build()?;
    let get = |path: String| client.get(format!("{base}{path}")).bearer_auth(token.expose()).send();

    let idle = memory_mb();
    let started = Instant::now();
    let mut body = get(format!("/events/{LARGE}/predictions")).await?.bytes_stream();
    let (mut first, mut bytes, mut most) = (None, 0_usize, idle);
    while let Some(chunk) = body.next().await {
        first.get_or_insert_with(|| started.elapsed());
        bytes += chunk?.len();
        most = most.max(memory_mb());
    }
    println!(
        "  list of {rows}: first byte after {} ms, {} MB in {:.1} s, at most {} MB above idle",
        first.unwrap_or_default().as_millis(),
        bytes / 1_000_000,
        started.elapsed().as_secs_f64(),
        most.saturating_sub(idle)
    );
    let last = rows / 100;
    for (what, path) in [
        ("first page", format!("/events/{LARGE}/predictions?per_page=100")),
        ("middle page", format!("/events/{LARGE}/predictions?per_page=100&page={}", last / 2)),
        ("last page", format!("/events/{LARGE}/predictions?per_page=100&page={last}")),
        (
            "last page of home",
            format!("/events/{LARGE}/predictions?prediction=home&per_page=100&page={}", last / 3),
        ),
        (
            "board of the match, around me",
            format!("/leaderboard?scope=event&event_id={LARGE}&around=me"),
        ),
        ("board of everything, around me", "/leaderboard?around=me".to_owned()),
        ("board of everything, last page", format!("/leaderboard?per_page=100&page={last}")),
    ] {
        get(path.clone()).await?.error_for_status()?.bytes().await?;
        let started = Instant::now();
        get(path).await?.bytes().await?;
        println!("  {what}: {:.1} ms", started.elapsed().as_secs_f64() * 1_000.0);
    }
    Ok(())
}

/// Resident memory of this process.
fn memory_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1_000
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

fn per_second(count: u64, took: Duration) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX)) / took.as_secs_f64()
}

/// Numbers without a random source to wait for.
struct Wander(u64);

impl Wander {
    fn below(&mut self, limit: i64) -> i64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from(self.0 >> 33).unwrap_or(0).rem_euclid(limit)
    }
}

const EVENT: &str = "SELECT id, tournament_id, home_team_id, away_team_id, start_time, venue, status, home_score, away_score, \
    voided_at, void_reason, result_at, outcome_revision, chat_room_id FROM events WHERE id = ?1";
const UPSERT: &str = "INSERT INTO predictions (event_id, user_id, outcome, home_score, away_score, confidence, revision, \
    created_at, updated_at, is_late, settlement_version) VALUES (?1, ?2, ?3, NULL, NULL, ?4, 1, ?5, ?5, 0, 0) \
    ON CONFLICT (event_id, user_id) DO UPDATE SET outcome = excluded.outcome, home_score = excluded.home_score, \
    away_score = excluded.away_score, confidence = excluded.confidence, revision = predictions.revision + 1, \
    updated_at = excluded.updated_at, previous_outcome = predictions.outcome, \
    previous_confidence = predictions.confidence, is_late = 0, settlement_version = 0, scoring = NULL, tier = NULL, \
    points = NULL RETURNING id";
const REVISION: &str = "INSERT INTO prediction_revisions (prediction_id, outcome, home_score, away_score, confidence, \
    created_at) VALUES (?1, ?2, NULL, NULL, ?3, ?4)";
const COUNT: &str = "INSERT INTO event_counters (event_id, shard, predictions, home, draw, away, home_confidence, \
    draw_confidence, away_confidence) VALUES (?1, ?2, 0, 1, 0, -1, 1, 0, -1) ON CONFLICT (event_id, shard) DO UPDATE \
    SET predictions = event_counters.predictions + excluded.predictions, home = event_counters.home + excluded.home, \
    draw = event_counters.draw + excluded.draw, away = event_counters.away + excluded.away, \
    home_confidence = event_counters.home_confidence + excluded.home_confidence, \
    draw_confidence = event_counters.draw_confidence + excluded.draw_confidence, \
    away_confidence = event_counters.away_confidence + excluded.away_confidence";

/// What one thread reaches that does nothing but these statements, 64 predictions for each commit.
fn tight_writer(path: &Path, round: Duration) -> Outcomes<f64> {
    let connection = rusqlite::Connection::open(path)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -4096;",
    )?;
    connection.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    let (mut event, mut upsert) = (connection.prepare(EVENT)?, connection.prepare(UPSERT)?);
    let (mut revision, mut count) = (connection.prepare(REVISION)?, connection.prepare(COUNT)?);
    let (mut wander, mut done, started) = (Wander(1), 0_u64, Instant::now());
    let outcomes = ["home", "draw", "away"];
    while started.elapsed() < round {
        connection.execute_batch("BEGIN IMMEDIATE")?;
        for _ in 0..CALLERS {
            let (user, id) = (wander.below(FANS) + 1, wander.below(EVENTS) + 1);
            let at = usize::try_from(wander.below(3))?;
            let outcome = outcomes.get(at).copied().unwrap_or("home");
            let confidence = wander.below(101);
            event.query_row([id], |row| row.get::<_, i64>(0))?;
            let prediction: i64 = upsert
                .query_row(rusqlite::params![id, user, outcome, confidence, 1], |row| row.get(0))?;
            revision.execute(rusqlite::params![prediction, outcome, confidence, 1])?;
            count.execute([id, user % 32])?;
        }
        connection.execute_batch("COMMIT")?;
        done += CALLERS;
    }
    Ok(per_second(done, started.elapsed()))
}

/// What pgbench reaches with the same statements, prepared.
fn pgbench(url: &str, folder: &Path, round: Duration) -> Outcomes<f64> {
    let fill = |sql: &str, values: &[&str]| {
        let numbered = (1..).zip(values);
        let sql =
            numbered.fold(sql.to_owned(), |sql, (n, value)| sql.replace(&format!("?{n}"), value));
        format!("{sql};\n")
    };
    let text = [
        "\\set user random(1, 20000)\n\\set event random(1, 1000)\n\\set confidence random(0, 100)\nBEGIN;\n".to_owned(),
        fill(EVENT, &[":event"]).replace(";\n", " FOR SHARE;\n"),
        fill(UPSERT, &[":event", ":user", "'home'", ":confidence", "1"]).replace(";\n", " \\gset\n"),
        fill(REVISION, &[":id", "'home'", ":confidence", "1"]),
        fill(COUNT, &[":event", ":user % 32"]),
        "COMMIT;\n".to_owned(),
    ]
    .concat();
    let script = folder.join("predict.sql");
    std::fs::write(&script, text)?;
    let program = std::env::var("PGBENCH").unwrap_or_else(|_| "pgbench".to_owned());
    let output = Command::new(program)
        .args(["-n", "-M", "prepared", "-c", "12", "-j", "2", "-T"])
        .arg(round.as_secs().max(1).to_string())
        .arg("-f")
        .arg(&script)
        .arg(url)
        .output()?;
    let answer = String::from_utf8_lossy(&output.stdout);
    let tps = answer.lines().find_map(|line| line.strip_prefix("tps = "));
    let figure = tps.and_then(|rest| rest.split_whitespace().next());
    let figure = figure.ok_or_else(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
    Ok(figure.parse()?)
}
