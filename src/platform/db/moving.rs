//! A running installation's move from SQLite to PostgreSQL.
//!
//! Owns: the order of its steps, and the comparison of both sides row by row.
//! Invariants: the service goes on while rows are copied; only the last changes are copied while nobody can write; when that is over,
//! the file refuses every change and the server has every row, or the file goes on as if nothing had been; what is cut off goes on where it was.
//! Never: takes a database that is not empty for its own, or says what stands in a row.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::types::Value;

use super::migrations::{MIGRATIONS, is_up_to_date};
use super::postgres::moving::{Progress, Stage, Target, close, feed};
use super::sqlite::moving::{Source, Span};
use super::{Db, Engine, Tx};
use crate::platform::clock::Clock;
use crate::platform::config::DatabaseConfig;
use crate::platform::error::{DatabaseError, DatabaseResult, Result};
use crate::platform::keys;

const ROWS_AT_ONCE: usize = 20_000;
const KEYS_AT_ONCE: usize = 5_000;
const BYTES_AT_ONCE: usize = 1024 * 1024;
/// With fewer changes than this behind, the rest takes a moment.
const FEW_CHANGES: i64 = 2_000;
/// A service that writes faster than its changes can be copied is caught up with while it waits.
const ROUNDS: usize = 20;

pub struct Table {
    pub name: String,
    pub columns: Vec<Column>,
    /// The positions of its key's columns, in the order of the key.
    pub key: Vec<usize>,
}

pub struct Column {
    pub name: String,
    pub sort: Sort,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    Integer,
    Text,
    Bytes,
}

pub struct Key(pub Vec<Value>);

impl Table {
    pub fn key_columns(&self) -> impl Iterator<Item = &Column> {
        self.key.iter().filter_map(|position| self.columns.get(*position))
    }

    pub fn column_list(&self, prefix: &str) -> String {
        let names = self.columns.iter().map(|column| format!("{prefix}{}", column.name));
        names.collect::<Vec<_>>().join(", ")
    }

    pub fn key_list(&self, prefix: &str) -> String {
        let names = self.key_columns().map(|column| format!("{prefix}{}", column.name));
        names.collect::<Vec<_>>().join(", ")
    }

    /// A key as a JSON array; bytes in hexadecimal.
    pub fn write_key(&self, key: &Key) -> String {
        let part = |value: &Value| match value {
            Value::Integer(number) => serde_json::Value::from(*number),
            Value::Text(text) => serde_json::Value::from(text.as_str()),
            Value::Blob(bytes) => serde_json::Value::from(keys::hex(bytes)),
            Value::Null | Value::Real(_) => serde_json::Value::Null,
        };
        serde_json::Value::Array(key.0.iter().map(part).collect()).to_string()
    }

    pub fn read_key(&self, text: &str) -> DatabaseResult<Key> {
        let strange = || DatabaseError::Other(format!("a key of {} is not one", self.name));
        let parts: Vec<serde_json::Value> = serde_json::from_str(text).map_err(|_| strange())?;
        let read = |(part, column): (&serde_json::Value, &Column)| match column.sort {
            Sort::Integer => part.as_i64().map(Value::Integer),
            Sort::Text => part.as_str().map(|text| Value::Text(text.to_owned())),
            Sort::Bytes => part.as_str().and_then(keys::unhex).map(Value::Blob),
        };
        let key: Option<Vec<Value>> = parts.iter().zip(self.key_columns()).map(read).collect();
        key.filter(|key| key.len() == self.key.len()).map(Key).ok_or_else(strange)
    }
}

/// Rows as PostgreSQL's COPY writes and reads them: a line each, its columns apart by tabs.
#[derive(Default)]
pub struct Lines {
    pub text: Vec<u8>,
    pub rows: u64,
    is_inside: bool,
}

impl Lines {
    fn next_column(&mut self) {
        if self.is_inside {
            self.text.push(b'\t');
        }
        self.is_inside = true;
    }

    pub fn null(&mut self) {
        self.next_column();
        self.text.extend_from_slice(b"\\N");
    }

    pub fn number(&mut self, number: i64) {
        self.next_column();
        self.text.extend_from_slice(number.to_string().as_bytes());
    }

    pub fn text(&mut self, text: &[u8]) {
        self.next_column();
        for byte in text {
            let letter = match byte {
                b'\\' => b'\\',
                0x08 => b'b',
                0x0c => b'f',
                b'\n' => b'n',
                b'\r' => b'r',
                b'\t' => b't',
                0x0b => b'v',
                other => {
                    self.text.push(*other);
                    continue;
                }
            };
            self.text.extend_from_slice(&[b'\\', letter]);
        }
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.next_column();
        self.text.extend_from_slice(b"\\\\x");
        self.text.extend_from_slice(keys::hex(bytes).as_bytes());
    }

    pub fn end_row(&mut self) {
        self.text.push(b'\n');
        self.rows += 1;
        self.is_inside = false;
    }
}

/// What a move is at, and how much of it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Copying,
    Indexing,
    Following,
    Checking,
    CuttingOver,
    Validating,
}

pub struct Moved {
    pub tables: usize,
    /// Rows that were compared one by one.
    pub rows: u64,
    /// How long nobody could write.
    pub read_only: Duration,
}

/// Why no service may run on this database, if there is a reason.
pub fn refuse(tx: &mut Tx) -> Result<()> {
    let (sql, sentence) = match tx.engine() {
        Engine::Sqlite => (
            "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'moved_away'",
            "this database was moved to PostgreSQL, which has everything since: set database_url to it",
        ),
        Engine::Postgres => (
            "SELECT count(*) FROM pg_class WHERE oid = to_regclass('moving_state')",
            "the move into this database is not finished: run `touchline move` again",
        ),
    };
    match tx.one::<i64>(sql, &[])? {
        0 => Ok(()),
        _ => Err(DatabaseError::Setup(sentence.to_owned()).into()),
    }
}

/// Takes the noting of changes away again, for a move that is not to go on.
pub fn give_up(file: &Path) -> DatabaseResult<()> {
    let source = Source::open(file)?;
    if source.is_moved()? {
        return Err(DatabaseError::Setup(
            "it has been moved: PostgreSQL has everything since".to_owned(),
        ));
    }
    source.forget_changes()
}

pub async fn run(
    file: &Path,
    url: &str,
    config: &DatabaseConfig,
    clock: Clock,
    mut told: impl FnMut(Step, u64, u64),
) -> Result<Moved> {
    let source = Source::open(file)?;
    let Some(installation) = source.installation()?.filter(|_| is_ready(&source)) else {
        return Err(DatabaseError::Setup(
            "its schema is not this program's: start the service of this version on it once"
                .to_owned(),
        )
        .into());
    };
    let target = Target::connect(url, &config.tls_ca_file).await?;
    let mut course = Course { source, target, rows: 0 };
    let progress = course.target.progress().await?;
    let read_only = match progress {
        None if course.source.is_moved()? => {
            course.recognise(&installation).await?;
            Duration::ZERO
        }
        progress => {
            if let Some(Progress { installation: of, .. }) = &progress
                && *of != installation
            {
                return Err(not_ours("it has an unfinished move of another installation").into());
            }
            course.prepare(progress, &installation, url, config, clock).await?;
            course.copy(&mut told).await?;
            course.cut_over(&mut told).await?
        }
    };
    told(Step::Validating, 0, 1);
    course.target.validate().await?;
    told(Step::Validating, 1, 1);
    Ok(Moved { tables: course.source.tables.len(), rows: course.rows, read_only })
}

fn is_ready(source: &Source) -> bool {
    source.history().is_ok_and(|history| is_up_to_date(&history, MIGRATIONS))
}

fn not_ours(why: &str) -> DatabaseError {
    DatabaseError::Setup(format!("the database that was named is not taken: {why}"))
}

/// A move on its way.
struct Course {
    source: Source,
    target: Target,
    rows: u64,
}

impl Course {
    /// A move that had been finished before this call.
    async fn recognise(&self, installation: &str) -> DatabaseResult<()> {
        match self.target.installation().await? {
            Some(name) if name == installation => Ok(()),
            _ => Err(not_ours("this installation was moved, but not to there")),
        }
    }

    async fn prepare(
        &self,
        progress: Option<Progress>,
        installation: &str,
        url: &str,
        config: &DatabaseConfig,
        clock: Clock,
    ) -> Result<()> {
        let stage = match progress {
            Some(progress) => {
                let again = |why: &str| not_ours(&format!("{why}: begin again with an empty one"));
                if !self.source.is_noting()? {
                    return Err(again("its move was given up").into());
                }
                if progress.stage != Stage::Schema && !self.have_one_schema().await? {
                    return Err(again("its move was begun with another version").into());
                }
                progress.stage
            }
            None => {
                if !self.target.is_empty().await? {
                    return Err(not_ours("it is not empty").into());
                }
                self.source.note_changes()?;
                let last = self.source.last_change()?;
                self.target.begin(installation, last).await?;
                Stage::Schema
            }
        };
        if stage == Stage::Schema {
            let db = Db::open(url, config, clock).await?;
            db.migrate_with(MIGRATIONS).await?;
            db.close().await;
            self.target.clear(&self.source.tables).await?;
        }
        Ok(())
    }

    async fn have_one_schema(&self) -> DatabaseResult<bool> {
        Ok(self.target.history().await? == self.source.history()?)
    }

    /// Copies every row once, in no particular moment: what changes meanwhile is noted.
    async fn copy(&self, told: &mut impl FnMut(Step, u64, u64)) -> DatabaseResult<()> {
        if self.stage().await? == Stage::Following {
            return Ok(());
        }
        let mut counts = Vec::new();
        for table in &self.source.tables {
            counts.push(self.source.count(table)?);
        }
        let (all, mut done) = (counts.iter().sum(), 0);
        for (table, count) in self.source.tables.iter().zip(counts) {
            let Some(mut after) = self.target.copied_to(table).await? else {
                done += count;
                continue;
            };
            loop {
                let (lines, last) = self.source.page(table, after.as_ref(), ROWS_AT_ONCE)?;
                done += lines.rows;
                self.target.take(table, lines, last.as_ref()).await?;
                told(Step::Copying, done, all);
                if last.is_none() {
                    break;
                }
                after = last;
            }
        }
        let missing = self.target.missing_indexes().await?;
        let all = u64::try_from(missing.len()).unwrap_or(0);
        for (done, (position, statement)) in missing.iter().enumerate() {
            told(Step::Indexing, u64::try_from(done).unwrap_or(0), all);
            self.target.make_index(*position, statement).await?;
        }
        told(Step::Indexing, all, all);
        self.target.follow().await
    }

    async fn stage(&self) -> DatabaseResult<Stage> {
        let progress = self.target.progress().await?;
        Ok(progress.map_or(Stage::Schema, |progress| progress.stage))
    }

    async fn done_change(&self) -> DatabaseResult<i64> {
        Ok(self.target.progress().await?.map_or(0, |progress| progress.done_change))
    }

    /// Brings the copy up to date, compares all of it, and lets go of the file at the last change.
    async fn cut_over(
        &mut self,
        told: &mut impl FnMut(Step, u64, u64),
    ) -> DatabaseResult<Duration> {
        if self.source.is_moved()? {
            // Cut off between the two last steps: nothing can have changed since.
            self.target.hand_over().await?;
            return Ok(Duration::ZERO);
        }
        self.target.drop_references().await?;
        for round in 0..ROUNDS {
            told(Step::Following, u64::try_from(round).unwrap_or(0), 1);
            self.source.hold_still()?;
            let caught = self.catch_up().await;
            self.source.let_go()?;
            if caught? < FEW_CHANGES {
                break;
            }
        }
        self.source.hold_still()?;
        let checked = self.check(told).await;
        self.source.let_go()?;
        checked?;
        told(Step::CuttingOver, 0, 1);
        let began = Instant::now();
        self.source.hold_alone()?;
        let span = (self.done_change().await?, self.source.last_change()?);
        self.catch_up().await?;
        self.check_changed(span).await?;
        self.target.complete().await?;
        self.source.leave()?;
        self.target.hand_over().await?;
        told(Step::CuttingOver, 1, 1);
        Ok(began.elapsed())
    }

    /// Puts every row that changed in the place of its copy, in one step; how many changes that were. All that changed go before any comes
    /// back: two that have exchanged their names meet in no order.
    async fn catch_up(&self) -> DatabaseResult<i64> {
        let span = (self.done_change().await?, self.source.last_change()?);
        self.target.begin_round().await?;
        let tables = self.source.changed_tables(span)?;
        for table in &tables {
            let mut after = String::new();
            loop {
                let keys = self.source.changed_keys(table, span, &after, KEYS_AT_ONCE)?;
                let Some(last) = keys.last() else { break };
                after.clone_from(last);
                self.target.delete(table, &keys).await?;
            }
        }
        for table in tables {
            let mut rows = self.source.rows(table, Some(span))?;
            let mut cursor = rows.start()?;
            let mut sink = self.target.open_copy(table).await?;
            loop {
                let lines = cursor.next(BYTES_AT_ONCE)?;
                if lines.rows == 0 {
                    break;
                }
                feed(&mut sink, lines).await?;
            }
            close(sink).await?;
        }
        self.target.end_round(span.1).await?;
        Ok(span.1 - span.0)
    }

    /// Compares every row of both sides. The source stands still, and nobody else writes to the target.
    async fn check(&mut self, told: &mut impl FnMut(Step, u64, u64)) -> DatabaseResult<()> {
        self.catch_up().await?;
        let mut all = 0;
        for table in &self.source.tables {
            all += self.source.count(table)?;
        }
        let mut done = 0;
        for table in &self.source.tables {
            let mut rows = self.source.rows(table, None)?;
            let mut found = self.target.rows(table, None).await?;
            let mut cursor = rows.start()?;
            let before = done;
            let told = |rows| told(Step::Checking, before + rows, all);
            done += compare(&mut cursor, &mut found, &table.name, told).await?;
        }
        self.rows = done;
        Ok(())
    }

    /// Compares the rows that changed at last, of which there are few.
    async fn check_changed(&self, span: Span) -> DatabaseResult<()> {
        for table in self.source.changed_tables(span)? {
            let mut keys = Vec::new();
            let mut after = String::new();
            loop {
                let more = self.source.changed_keys(table, span, &after, KEYS_AT_ONCE)?;
                let Some(last) = more.last() else { break };
                after.clone_from(last);
                keys.extend(more);
            }
            let mut rows = self.source.rows(table, Some(span))?;
            let mut found = self.target.rows(table, Some(&keys)).await?;
            compare(&mut rows.start()?, &mut found, &table.name, |_| ()).await?;
        }
        Ok(())
    }
}

/// How many rows there are, if both sides have the same ones, byte by byte.
async fn compare(
    cursor: &mut super::sqlite::moving::Cursor<'_>,
    found: &mut super::postgres::moving::TargetRows,
    table: &str,
    mut told: impl FnMut(u64),
) -> DatabaseResult<u64> {
    let mut rows = 0;
    let mut theirs: Vec<u8> = Vec::new();
    loop {
        let lines = cursor.next(BYTES_AT_ONCE)?;
        let is_last = lines.rows == 0;
        // One more than is expected, so that a row too many is seen at the end.
        while theirs.len() < lines.text.len().max(1) {
            match found.next().await? {
                Some(bytes) => theirs.extend_from_slice(&bytes),
                None => break,
            }
        }
        let are_same = if is_last { theirs.is_empty() } else { theirs.starts_with(&lines.text) };
        if !are_same {
            return Err(DatabaseError::Setup(format!(
                "a row of {table} behind the {rows}th is not the same on both sides: nothing was cut over"
            )));
        }
        if is_last {
            return Ok(rows);
        }
        theirs.drain(..lines.text.len());
        rows += lines.rows;
        told(rows);
    }
}
