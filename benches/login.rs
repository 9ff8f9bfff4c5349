//! How much of SQLite's own speed a login gets.
//!
//! `cargo bench --bench login` sends codes to phones with the `log` provider and logs in with them, 64 callers at a time, and
//! compares each with a tight loop of the same statements, 64 per commit. Rounds alternate and medians are shown.
#![allow(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::error::Error;
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, params};
use touchline::app::{self, App};
use touchline::features::login::{self, Code, Owner, Try};
use touchline::features::users::Phone;
use touchline::platform::clock::{Clock, Timestamp};
use touchline::platform::http::client_address::ClientAddress;
use touchline::platform::{keys, tokens};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

const PHONES: i64 = 4_096;
const CALLERS: i64 = 64;
const GROUP: usize = 64;
const ROUNDS: usize = 7;
const DAY: Duration = Duration::from_secs(24 * 3_600);

fn main() -> Outcome<()> {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let clock = Clock::manual(Timestamp::from_millis(1_800_000_000_000));
    let ours = runtime.block_on(open(&folder.path().join("ours"), clock.clone()))?;
    let theirs_folder = folder.path().join("theirs");
    let theirs = runtime.block_on(open(&theirs_folder, clock.clone()))?;
    // The first logins register the users, which is not what is measured.
    for app in [&ours, &theirs] {
        runtime.block_on(request_all(app))?;
        runtime.block_on(log_in_all(app))?;
    }
    runtime.block_on(theirs.db.close());
    let mut plain = Connection::open(theirs_folder.join("touchline.db"))?;
    // As the service opens it: with the same promises.
    plain.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    plain.execute_batch(
        "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -4096",
    )?;
    let (mut request, mut verify) = (Vec::new(), Vec::new());
    for round in 1..=ROUNDS {
        clock.advance(DAY);
        let now = clock.now().as_millis();
        let callers = callers(round);
        let ceiling = tight_requests(&mut plain, &callers, now)?;
        request.push((ceiling, runtime.block_on(request_all(&ours))?));
        let ceiling = tight_logins(&mut plain, &callers, now)?;
        verify.push((ceiling, runtime.block_on(log_in_all(&ours))?));
    }
    println!("{:<44}{:>12}{:>12}{:>8}", "", "ceiling/s", "service/s", "ratio");
    show("SQLite, code request, against 64 per commit", request);
    show("SQLite, code verify, against 64 per commit", verify);
    Ok(())
}

async fn open(folder: &Path, clock: Clock) -> Outcome<App> {
    let data_dir = folder.display().to_string();
    let settings = [
        ("TOUCHLINE_ENVIRONMENT", "testing"),
        ("TOUCHLINE_DATA_DIR", data_dir.as_str()),
        ("TOUCHLINE_SECRET_KEY", "0123456789abcdef0123456789abcdef"),
    ];
    let settings = settings.map(|(name, value)| (name.to_owned(), value.to_owned()));
    Ok(App::open(app::load_config(None, settings.into_iter())?, clock).await?)
}

fn phone(number: i64) -> Outcome<Phone> {
    Ok(Phone::try_from(format!("+4477{number:08}").as_str())?)
}

fn each_per_second(started: Instant) -> f64 {
    let count = u32::try_from(PHONES).unwrap_or(u32::MAX);
    f64::from(count) / started.elapsed().as_secs_f64()
}

fn here() -> ClientAddress {
    ClientAddress::find(IpAddr::V4(Ipv4Addr::LOCALHOST), &http::HeaderMap::new(), &[])
}

async fn request_all(app: &App) -> Outcome<f64> {
    let from = here();
    let started = Instant::now();
    let callers = (0..CALLERS).map(|caller| {
        let app = app.clone();
        tokio::spawn(async move {
            for number in (caller..PHONES).step_by(64) {
                login::request(&app.login, Owner::Login, phone(number)?, from).await?;
            }
            Outcome::Ok(())
        })
    });
    for caller in join_all(callers).await {
        caller??;
    }
    Ok(each_per_second(started))
}

async fn log_in_all(app: &App) -> Outcome<f64> {
    let sent: Vec<(String, String)> = app
        .db
        .read(|tx| {
            tx.all(
                "SELECT phone, code FROM sms_log ORDER BY id DESC LIMIT $1",
                touchline::platform::db::params![PHONES],
            )
        })
        .await?;
    let sent = std::sync::Arc::new(sent);
    let started = Instant::now();
    let callers = (0..CALLERS).map(|caller| {
        let (app, sent) = (app.clone(), sent.clone());
        tokio::spawn(async move {
            let first = usize::try_from(caller)?;
            for (phone, code) in sent.iter().skip(first).step_by(64) {
                let phone = Phone::try_from(phone.as_str())?;
                let code = Code::try_from(code.as_str())?;
                let one_try = Try::new(&app.login, Owner::Login, phone, code, here());
                login::log_in(&app.login, one_try, None, None).await?;
            }
            Outcome::Ok(())
        })
    });
    for caller in join_all(callers).await {
        caller??;
    }
    Ok(each_per_second(started))
}

/// What the service works out before its transaction, ready to be bound.
struct Caller {
    phone: String,
    key: String,
    token_hash: [u8; 32],
}

/// Keys and hashes as scattered as the real ones, since a tree that grows in order is a faster one.
fn callers(round: usize) -> Vec<Caller> {
    let caller = |number| {
        let phone = format!("+4477{number:08}");
        let key = keys::hex(&tokens::hash(&phone)).chars().take(32).collect();
        Caller { key, token_hash: tokens::hash(&format!("{round}:{number}")), phone }
    };
    (0..PHONES).map(caller).collect()
}

/// The statements of a code request, without anything around them.
fn tight_requests(connection: &mut Connection, callers: &[Caller], now: i64) -> Outcome<f64> {
    const LIMIT: &str = "INSERT INTO rate_limits (bucket, hits, expires_at) VALUES ($1, $2, $3)
         ON CONFLICT (bucket) DO UPDATE
         SET hits = substr(excluded.hits || rate_limits.hits, 1, CAST(CAST($4 AS BIGINT) AS INTEGER)),
             expires_at = excluded.expires_at
         WHERE length(rate_limits.hits) < CAST($4 AS BIGINT)
            OR substr(rate_limits.hits, CAST(CAST($5 AS BIGINT) AS INTEGER), 16) <= $6";
    let started = Instant::now();
    for group in callers.chunks(GROUP) {
        let tx = connection.transaction()?;
        for Caller { phone, key, .. } in group {
            for (limit, most, window) in
                [("phone_send_limit", 5, 600_000), ("phone_daily_send_limit", 10, 86_400_000)]
            {
                let bucket = format!("{limit}:{key}");
                let (hits, before) = (format!("{now:016}"), format!("{:016}", now - window));
                let (length, last) = (most * 16, (most - 1) * 16 + 1);
                let values = params![bucket, hits, now + window, length, last, before];
                tx.prepare_cached(LIMIT)?.execute(values)?;
            }
            tx.prepare_cached(
                "SELECT nonce, tries, created_at, expires_at FROM phone_challenges WHERE owner = $1 AND phone = $2",
            )?
            .exists(params![0, phone])?;
            tx.prepare_cached(
                "INSERT INTO phone_challenges (owner, phone, nonce, tries, created_at, expires_at)
                 VALUES ($1, $2, $3, 0, $4, $5)
                 ON CONFLICT (owner, phone) DO UPDATE SET nonce = excluded.nonce, tries = 0,
                     created_at = excluded.created_at, expires_at = excluded.expires_at",
            )?
            .execute(params![0, phone, [0_u8; 16], now, now + 300_000])?;
            tx.prepare_cached(
                "INSERT INTO sms_log (phone, code, status, provider, error, attempts, created_at, expires_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            )?
            .execute(params![phone, "123456", "sent", "log", None::<&str>, 1, now, now + 300_000])?;
        }
        tx.commit()?;
    }
    Ok(each_per_second(started))
}

/// The statements of a login of somebody who is known.
fn tight_logins(connection: &mut Connection, callers: &[Caller], now: i64) -> Outcome<f64> {
    let started = Instant::now();
    for group in callers.chunks(GROUP) {
        let tx = connection.transaction()?;
        for Caller { phone, key, token_hash } in group {
            let _: Vec<u8> = tx
                .prepare_cached(
                    "UPDATE phone_challenges SET tries = tries + 1
                     WHERE owner = $1 AND phone = $2 AND expires_at > $3 AND tries < $4
                       AND NOT EXISTS (SELECT 1 FROM wrong_codes WHERE phone_key = $5 AND locked_until > $3)
                     RETURNING nonce",
                )?
                .query_one(params![0, phone, now, 5, key], |row| row.get(0))?;
            tx.prepare_cached("DELETE FROM phone_challenges WHERE owner = $1 AND phone = $2")?
                .execute(params![0, phone])?;
            let (user, _, _): (i64, String, String) = tx
                .prepare_cached(
                    "SELECT id, phone, username, username_generated, name, email, date_of_birth, created_at, banned_at
                     FROM users WHERE phone = $1",
                )?
                .query_one(params![phone], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            let session: i64 = tx
                .prepare_cached(
                    "INSERT INTO sessions (user_id, token_hash, device_name, created_at, last_used_at, expires_at)
                     VALUES ($1, $2, $3, $4, $4, $5) RETURNING id",
                )?
                .query_one(params![user, token_hash, None::<&str>, now, now + 1], |row| row.get(0))?;
            let account: String = tx
                .prepare_cached(
                    "SELECT matrix_id, user_id, is_current, state, display_name, ignored, version FROM chat_accounts
                     WHERE user_id = $1 AND is_current = 1",
                )?
                .query_one(params![user], |row| row.get(0))?;
            let device = keys::hex(token_hash).chars().take(14).collect::<String>();
            tx.prepare_cached(
                "INSERT INTO chat_devices (matrix_id, device_id, session_id, created_at) VALUES ($1, $2, $3, $4)",
            )?
            .execute(params![account, device, session, now])?;
        }
        tx.commit()?;
    }
    Ok(each_per_second(started))
}

fn show(name: &str, rounds: Vec<(f64, f64)>) {
    let median = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or_default()
    };
    let (ceiling, ours): (Vec<f64>, Vec<f64>) = rounds.into_iter().unzip();
    let (ceiling, ours) = (median(ceiling), median(ours));
    println!("{name:<44}{ceiling:>12.0}{ours:>12.0}{:>8.2}", ours / ceiling);
}
