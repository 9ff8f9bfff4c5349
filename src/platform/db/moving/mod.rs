//! A running installation's move from SQLite to PostgreSQL.
//!
//! Owns: the order of its steps, and the comparison of both sides row by row.
//! Invariants: the service goes on while rows are copied; only the last changes are copied while nobody can write; when that is over,
//! the file refuses every change and the server has every row, or the file goes on as if nothing had been; what is cut off goes on where it was.
//! Never: takes a database that is not empty for its own, or says what stands in a row.

mod rows;

use std::path::Path;
use std::time::{Duration, Instant};

use super::migrations::{MIGRATIONS, is_up_to_date};
use super::postgres::moving::{Progress, Stage, Target, close, feed};
use super::sqlite::moving::{Source, Span};
use super::{Db, Engine, Tx};
use crate::platform::clock::Clock;
use crate::platform::config::DatabaseConfig;
use crate::platform::error::{DatabaseError, DatabaseResult, Result};

pub use self::rows::{Column, Key, Lines, Sort, Table};

const ROWS_AT_ONCE: usize = 20_000;
const KEYS_AT_ONCE: usize = 5_000;
const BYTES_AT_ONCE: usize = 1024 * 1024;
/// With fewer changes than this behind, the rest takes a moment.
const FEW_CHANGES: i64 = 2_000;
/// A service that writes faster than its changes can be copied is caught up with while it waits.
const ROUNDS: usize = 20;

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
        if matches!(self.stage().await?, Stage::Following | Stage::Complete) {
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
            // Cut off between the two last steps, in which nothing can have changed; a copy that is not whole was another move's.
            let is_whole = self.stage().await? == Stage::Complete
                && self.done_change().await? == self.source.last_change()?;
            if !is_whole {
                return Err(not_ours("this installation was moved, but not to there"));
            }
            self.target.hand_over().await?;
            return Ok(Duration::ZERO);
        }
        self.target.drop_references().await?;
        self.follow(told).await?;
        self.source.hold_still()?;
        let checked = self.check(told).await;
        self.source.let_go()?;
        checked?;
        // Comparing everything took its time: once more, so that little is left for the moment in which nobody can write.
        self.follow(told).await?;
        told(Step::CuttingOver, 0, 1);
        let began = Instant::now();
        self.source.hold_alone()?;
        self.catch_up().await?;
        self.target.complete().await?;
        self.source.leave()?;
        self.target.hand_over().await?;
        told(Step::CuttingOver, 1, 1);
        Ok(began.elapsed())
    }

    /// Catches up while the service runs, until few changes are left.
    async fn follow(&self, told: &mut impl FnMut(Step, u64, u64)) -> DatabaseResult<()> {
        for round in 0..ROUNDS {
            told(Step::Following, u64::try_from(round).unwrap_or(0), 1);
            self.source.hold_still()?;
            let caught = self.catch_up().await;
            self.source.let_go()?;
            if caught? < FEW_CHANGES {
                break;
            }
        }
        Ok(())
    }

    /// Puts every row that changed in the place of its copy, in one step, and compares both; how many changes that were. All that changed go
    /// before any comes back: two that have exchanged their names meet in no order.
    async fn catch_up(&self) -> DatabaseResult<i64> {
        let span = (self.done_change().await?, self.source.last_change()?);
        self.target.begin_round().await?;
        for table in self.source.changed_tables(span)? {
            let mut changed = Changed::new(&self.source, table, span);
            while let Some(keys) = changed.next()? {
                self.target.delete(table, &keys).await?;
            }
        }
        for table in self.source.changed_tables(span)? {
            let mut changed = Changed::new(&self.source, table, span);
            while let Some(keys) = changed.next()? {
                self.put(table, &keys).await?;
            }
        }
        self.target.end_round(span.1).await?;
        Ok(span.1 - span.0)
    }

    /// Copies the rows with these keys, and compares them with what the target has then.
    async fn put(&self, table: &Table, keys: &[String]) -> DatabaseResult<()> {
        let mut rows = self.source.rows(table, Some(keys))?;
        let mut sink = self.target.open_copy(table).await?;
        let mut cursor = rows.start()?;
        loop {
            let lines = cursor.next(BYTES_AT_ONCE)?;
            if lines.rows == 0 {
                break;
            }
            feed(&mut sink, lines).await?;
        }
        drop(cursor);
        close(sink).await?;
        let mut found = self.target.rows(table, Some(keys)).await?;
        compare(&mut rows.start()?, &mut found, &table.name, |_| ()).await.map(drop)
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
}

/// The keys of a table's rows that changed in a span, some at a time.
struct Changed<'a> {
    source: &'a Source,
    table: &'a Table,
    span: Span,
    after: String,
}

impl<'a> Changed<'a> {
    fn new(source: &'a Source, table: &'a Table, span: Span) -> Self {
        Self { source, table, span, after: String::new() }
    }

    fn next(&mut self) -> DatabaseResult<Option<Vec<String>>> {
        let keys = self.source.changed_keys(self.table, self.span, &self.after, KEYS_AT_ONCE)?;
        let Some(last) = keys.last() else { return Ok(None) };
        self.after.clone_from(last);
        Ok(Some(keys))
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
