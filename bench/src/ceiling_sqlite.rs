//! What one thread reaches on SQLite that does nothing but the statements of a call, 64 calls for each commit.
//!
//! The statements are those of the features' `store.rs`, in the order in which a call runs them, the look at the session
//! included. Nothing is checked, encoded or answered.

use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, params};

use touchline::platform::clock::Clock;

use crate::Outcome;
use crate::figures::{Wander, per_second};
use crate::seed::{phone, predicted_event};
use crate::statements as sql;
use crate::writes::Write;

const GROUP: i64 = 64;

type Done = rusqlite::Result<()>;

/// The open database of the ceiling, with the settings that the service gives its own.
#[derive(Debug)]
pub struct Tight {
    connection: Connection,
    users: i64,
    wander: Wander,
    now: i64,
}

impl Tight {
    pub fn open(path: &Path, users: i64) -> Outcome<Self> {
        let connection = Connection::open(path)?;
        connection.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
             PRAGMA cache_size = -4096; PRAGMA journal_size_limit = 67108864;",
        )?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        connection.set_prepared_statement_cache_capacity(64);
        let now = Clock::system().now().as_millis();
        Ok(Self { connection, users, wander: Wander(1), now })
    }

    /// For so long, with users as they come.
    pub fn for_time(&mut self, write: Write, time: Duration) -> Outcome<f64> {
        let (started, mut done) = (Instant::now(), 0);
        while started.elapsed() < time {
            self.connection.execute_batch("BEGIN IMMEDIATE")?;
            for _ in 0..GROUP {
                let user = 1 + self.wander.below(self.users);
                self.call(write, user)?;
                done += 1;
            }
            self.connection.execute_batch("COMMIT")?;
        }
        Ok(per_second(done, started.elapsed()))
    }

    /// Once for each of these users.
    pub fn once(&mut self, write: Write, users: Range<i64>) -> Outcome<f64> {
        let (started, mut done) = (Instant::now(), 0);
        let mut users = users.peekable();
        while users.peek().is_some() {
            self.connection.execute_batch("BEGIN IMMEDIATE")?;
            for user in users.by_ref().take(usize::try_from(GROUP)?) {
                self.call(write, user)?;
                done += 1;
            }
            self.connection.execute_batch("COMMIT")?;
        }
        Ok(per_second(done, started.elapsed()))
    }

    fn call(&mut self, write: Write, user: i64) -> Outcome<()> {
        let number = self.wander.below(i64::MAX);
        match write {
            Write::CodeRequest => self.request_code(user),
            Write::CodeVerify => self.verify_code(user, number),
            Write::PredictSpread | Write::PredictOne => {
                let event = 1 + number % write.events();
                self.predict(user, event, number % 101)
            }
            Write::Replace => self.predict(user, predicted_event(user), number % 101),
            Write::Deduct => self.deduct(user, number),
            Write::Claim => self.claim(user, number),
        }?;
        Ok(())
    }

    fn limit(&self, bucket: &str, most: i64) -> Done {
        let digits = format!("{:016}", self.now);
        let before = format!("{:016}", self.now - 600_000);
        self.connection
            .prepare_cached(sql::LIMIT)?
            .execute(params![bucket, digits, self.now, most * 16, (most - 1) * 16 + 1, before])
            .map(drop)
    }

    fn request_code(&self, user: i64) -> Done {
        let phone = phone(user);
        let key = key(user);
        self.limit(&format!("phone_send_limit:{key}"), 5)?;
        self.limit(&format!("phone_daily_send_limit:{key}"), 10)?;
        self.connection.prepare_cached(sql::CHALLENGE)?.exists(params![0, phone])?;
        self.connection.prepare_cached(sql::NEW_CHALLENGE)?.execute(params![
            0,
            phone,
            [0_u8; 16],
            self.now,
            self.now + 300_000,
            ""
        ])?;
        self.connection
            .prepare_cached(sql::SMS)?
            .execute(params![
                phone,
                "123456",
                "sent",
                "log",
                None::<String>,
                1,
                self.now,
                self.now + 300_000,
                0
            ])
            .map(drop)
    }

    fn verify_code(&self, user: i64, number: i64) -> Done {
        let (phone, key) = (phone(user), key(user));
        let find = self
            .connection
            .prepare_cached(sql::USER_BY_PHONE)?
            .query_one(params![phone, phone], |row| row.get(0));
        let user: i64 = find?;
        self.connection
            .prepare_cached(sql::TRY)?
            .query_one(params![0, phone, self.now, 5, key], |_| Ok(()))?;
        self.connection.prepare_cached(sql::USED_CHALLENGE)?.execute(params![0, phone])?;
        let mut hash = [1_u8; 32];
        let unique = number.to_be_bytes().into_iter().chain(user.to_be_bytes());
        hash.iter_mut().zip(unique).for_each(|(to, from)| *to = from);
        let new = self
            .connection
            .prepare_cached(sql::NEW_SESSION)?
            .query_one(params![user, hash, None::<String>, self.now, self.now + 1], |row| {
                row.get(0)
            });
        let session: i64 = new?;
        self.device(user, session, number)
    }

    /// What a login runs for its chat credentials.
    fn device(&self, user: i64, session: i64, number: i64) -> Done {
        let account = self
            .connection
            .prepare_cached(sql::CHAT_ACCOUNT)?
            .query_one(params![user], |row| row.get(0));
        let account: String = account?;
        let device = format!("TL{number:x}");
        self.connection
            .prepare_cached(sql::NEW_DEVICE)?
            .execute(params![account, device, session, self.now])?;
        self.connection.prepare_cached(sql::LIVE_DEVICE)?.exists(params![account, device]).map(drop)
    }

    fn predict(&self, user: i64, event: i64, confidence: i64) -> Done {
        self.connection.prepare_cached(sql::OPEN_EVENT)?.exists(params![event, self.now])?;
        let outcome = ["home", "draw", "away"].get(usize::try_from(confidence % 3).unwrap_or(0));
        let none = None::<i64>;
        let stored =
            self.connection.prepare_cached(sql::PREDICTION)?.query_one(
                params![event, user, outcome, none, none, confidence, self.now],
                |row| row.get(0),
            );
        let id: i64 = stored?;
        self.connection
            .prepare_cached(sql::REVISION)?
            .execute(params![id, outcome, none, none, confidence, self.now])?;
        self.connection
            .prepare_cached(sql::COUNTER)?
            .execute(params![event, user % 32, 0, 1, 0, -1, confidence, 0, -confidence])
            .map(drop)
    }

    fn transfer(&self, user: i64, coins: i64, house: i64, number: i64) -> Done {
        let moved = self
            .connection
            .prepare_cached(sql::BALANCE)?
            .query_one(params![user, coins, 1, 9_000_000_000_000_000_i64], |row| {
                Ok((row.get(0)?, row.get(1)?))
            });
        let (balance, entry): (i64, i64) = moved?;
        let (debit, credit) = if coins < 0 { (user, house) } else { (house, user) };
        let id = format!("{:010x}{entry:06}{user:06}{number:08x}", self.now);
        let (reason, reference) = ("bench", None::<String>);
        self.connection
            .prepare_cached(sql::TRANSFER)?
            .execute(params![
                id,
                debit,
                credit,
                coins.abs(),
                user,
                entry,
                balance,
                reason,
                reference,
                self.now
            ])
            .map(drop)
    }

    fn deduct(&self, user: i64, number: i64) -> Done {
        self.transfer(user, -1, -3, number)
    }

    fn claim(&self, user: i64, number: i64) -> Done {
        self.limit(&format!("daily_claim_limit:{}", key(user)), 10)?;
        self.connection.prepare_cached(sql::HELD_ACCOUNT)?.exists(params![user])?;
        self.transfer(user, 50, -2, number)?;
        self.connection
            .prepare_cached(sql::CLAIM)?
            .execute(params![user, self.now / 86_400_000, 1])
            .map(drop)
    }
}

/// As long and as scattered as the keyed hashes that the service uses: a tree that grows in order is a faster one.
fn key(user: i64) -> String {
    let scatter = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
    format!("{:032x}", u128::try_from(user).unwrap_or(0).wrapping_mul(scatter))
}
