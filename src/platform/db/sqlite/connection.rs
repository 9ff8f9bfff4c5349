//! A connection to a SQLite file: how it is opened, and how a statement runs.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;

use super::error::translate;
use crate::platform::db::row::{Columns, Row};
use crate::platform::db::script::Access;
use crate::platform::db::tx::Visit;
use crate::platform::db::value::SqlParams;
use crate::platform::error::{DatabaseError, DatabaseResult};

/// How long a lock of another process (a backup, a second node on the same file) is waited for.
pub const LOCK_WAIT: Duration = Duration::from_secs(5);
/// One more than the texts of the whole program, with room to grow.
const STATEMENTS: usize = 512;
/// Virtual machine steps between two looks at the time: a fraction of a millisecond.
const STEPS_BETWEEN_CHECKS: i32 = 20_000;
const NO_DEADLINE: u64 = u64::MAX;

/// WAL with `synchronous=FULL`: an acknowledged commit survives a power cut, and readers never wait
/// for the writer. Memory stays modest: each connection may cache 4 MiB of pages.
const PRAGMAS: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA trusted_schema = OFF;
    PRAGMA cache_size = -4096;
    PRAGMA journal_size_limit = 67108864;
";

pub struct SqliteConnection {
    driver: rusqlite::Connection,
    texts: HashMap<(usize, usize), StatementText>,
    timer: StatementTimer,
}

/// A statement's text as SQLite takes it, worked out once.
struct StatementText {
    sql: Option<String>,
    /// For each of SQLite's parameters in turn, which of ours it is. SQLite numbers `$N` by first
    /// appearance, not by the number in the name.
    order: Vec<usize>,
}

impl SqliteConnection {
    pub fn open(path: &Path, access: Access, statement_timeout: Duration) -> DatabaseResult<Self> {
        let mut driver = rusqlite::Connection::open(path).map_err(translate)?;
        driver.busy_timeout(LOCK_WAIT).map_err(translate)?;
        driver.set_prepared_statement_cache_capacity(STATEMENTS);
        for (option, on) in [
            // Plans must not depend on bound values, or every new value may prepare again.
            (DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true),
            // A misspelt column in double quotes is an error, not a text.
            (DbConfig::SQLITE_DBCONFIG_DQS_DML, false),
            (DbConfig::SQLITE_DBCONFIG_DQS_DDL, false),
        ] {
            driver.set_db_config(option, on).map_err(translate)?;
        }
        apply_pragmas(&driver)?;
        if access != Access::Write {
            driver.execute_batch("PRAGMA query_only = ON").map_err(translate)?;
        }
        let timer = StatementTimer::new(statement_timeout);
        timer.clone().install(&mut driver)?;
        Ok(Self { driver, texts: HashMap::new(), timer })
    }

    pub fn query(
        &mut self,
        sql: &'static str,
        params: SqlParams<'_>,
        visit: Visit<'_>,
    ) -> DatabaseResult<u64> {
        let text = match self.texts.entry((sql.as_ptr().addr(), sql.len())) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(StatementText::of(&self.driver, sql)?),
        };
        let mut statement =
            self.driver.prepare_cached(text.sql.as_deref().unwrap_or(sql)).map_err(translate)?;
        for (position, &number) in text.order.iter().enumerate() {
            let param = number.checked_sub(1).and_then(|index| params.get(index));
            let param =
                param.ok_or_else(|| DatabaseError::Other(format!("no value for ${number}")))?;
            statement.raw_bind_parameter(position + 1, param.value()).map_err(translate)?;
        }
        self.timer.start();
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next().map_err(translate)? {
            if visit(&mut Columns::new(Row::Sqlite(row))).is_break() {
                break;
            }
        }
        drop(rows);
        Ok(self.driver.changes())
    }

    /// A statement of the layer itself: BEGIN, SAVEPOINT, COMMIT and the like.
    pub fn control(&mut self, sql: &'static str) -> DatabaseResult<()> {
        // A commit that was interrupted would be undone.
        self.timer.stop();
        self.driver
            .prepare_cached(sql)
            .and_then(|mut known| known.raw_execute())
            .map_err(translate)?;
        Ok(())
    }

    pub fn batch(&mut self, sql: &str) -> DatabaseResult<()> {
        self.timer.stop();
        self.driver.execute_batch(sql).map_err(translate)
    }

    /// False once SQLite has rolled the transaction back of its own accord.
    pub fn in_transaction(&self) -> bool {
        !self.driver.is_autocommit()
    }

    /// Moves the log into the file and empties it; false if readers did not let go within `wait`.
    pub fn checkpoint(&mut self, wait: Duration) -> DatabaseResult<bool> {
        self.timer.stop();
        self.driver.busy_timeout(wait).map_err(translate)?;
        let done = self
            .driver
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0));
        self.driver.busy_timeout(LOCK_WAIT).map_err(translate)?;
        Ok(done.map_err(translate)? == 0)
    }
}

/// Two processes that open a new file at once may find it locked while it becomes a WAL one;
/// SQLite does not wait by itself in that place.
fn apply_pragmas(driver: &rusqlite::Connection) -> DatabaseResult<()> {
    let give_up = Instant::now() + LOCK_WAIT;
    loop {
        match driver.execute_batch(PRAGMAS).map_err(translate) {
            Err(DatabaseError::Busy(_)) if Instant::now() < give_up => {
                std::thread::sleep(Duration::from_millis(20));
            }
            done => return done,
        }
    }
}

impl StatementText {
    fn of(driver: &rusqlite::Connection, sql: &'static str) -> DatabaseResult<Self> {
        let plain = without_row_locks(sql);
        let statement =
            driver.prepare_cached(plain.as_deref().unwrap_or(sql)).map_err(translate)?;
        let order = (1..=statement.parameter_count())
            .map(|position| {
                let name = statement.parameter_name(position).unwrap_or_default();
                name.strip_prefix('$').and_then(|number| number.parse().ok()).ok_or_else(|| {
                    DatabaseError::Other(format!(
                        "parameter {name:?} is not of the form $1 in: {sql}"
                    ))
                })
            })
            .collect::<DatabaseResult<_>>()?;
        drop(statement);
        Ok(Self { sql: plain, order })
    }
}

/// SQLite has one writer at a time, so row locks are implied and their words removed.
fn without_row_locks(sql: &str) -> Option<String> {
    if !sql.contains(" FOR ") {
        return None;
    }
    let mut plain = sql.to_owned();
    for words in [" FOR UPDATE SKIP LOCKED", " FOR NO KEY UPDATE", " FOR UPDATE", " FOR SHARE"] {
        plain = plain.replace(words, "");
    }
    Some(plain)
}

/// Ends a statement that runs for too long.
#[derive(Clone)]
struct StatementTimer {
    opened: Instant,
    timeout: Duration,
    deadline_ms: Arc<AtomicU64>,
}

impl StatementTimer {
    fn new(timeout: Duration) -> Self {
        Self { opened: Instant::now(), timeout, deadline_ms: Arc::new(NO_DEADLINE.into()) }
    }

    fn install(self, driver: &mut rusqlite::Connection) -> DatabaseResult<()> {
        if self.timeout.is_zero() {
            return Ok(());
        }
        driver
            .progress_handler(STEPS_BETWEEN_CHECKS, Some(move || self.is_over()))
            .map_err(translate)
    }

    fn start(&self) {
        if !self.timeout.is_zero() {
            self.deadline_ms.store(millis(self.opened.elapsed() + self.timeout), Ordering::Relaxed);
        }
    }

    fn stop(&self) {
        self.deadline_ms.store(NO_DEADLINE, Ordering::Relaxed);
    }

    fn is_over(&self) -> bool {
        millis(self.opened.elapsed()) > self.deadline_ms.load(Ordering::Relaxed)
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
