//! The transaction a script works in.

use std::ops::ControlFlow;
use std::time::Instant;

use tracing::Span;

use super::Engine;
use super::change_counter::ChangeCounter;
use super::notices::Notice;
use super::postgres::PostgresConnection;
use super::row::{Columns, FromRow};
use super::script::Access;
use super::sqlite::SqliteConnection;
use super::value::SqlParams;
use crate::platform::clock::{Clock, Sighting, Timestamp};
use crate::platform::error::{DatabaseError, DatabaseResult, Error, Result};
use crate::platform::trace;

/// What PostgreSQL takes.
const LONGEST_PAYLOAD: usize = 8000;
/// Another node may have a right clock, and a load balancer needs a moment to go there.
const RETRY_CLOCK_S: u64 = 2;

pub(super) enum Connection {
    Sqlite(SqliteConnection),
    Postgres(Box<PostgresConnection>),
}

/// One transaction, from the view of the script inside it.
///
/// SQL is the same text for both engines, with `$1`, `$2` for parameters. Once a statement has
/// failed, every later one fails too and nothing the script did is kept, whatever it returns:
/// PostgreSQL aborts the transaction on an error, and SQLite is made to behave the same.
pub struct Tx {
    connection: Connection,
    clock: Clock,
    access: Access,
    failure: Option<DatabaseError>,
    notices: Vec<Notice>,
    changed: Vec<&'static ChangeCounter>,
    span: Span,
}

/// Told about each row; `Break` ends the statement early.
pub(super) type Visit<'a> = &'a mut dyn FnMut(&mut Columns<'_>) -> ControlFlow<()>;

impl Tx {
    pub(super) fn new(connection: Connection, clock: Clock) -> Self {
        Self {
            connection,
            clock,
            access: Access::Read,
            failure: None,
            notices: Vec::new(),
            changed: Vec::new(),
            span: Span::none(),
        }
    }

    /// The only row; that there is none is a defect.
    pub fn one<T: FromRow>(&mut self, sql: &'static str, params: SqlParams<'_>) -> Result<T> {
        self.opt(sql, params)?.ok_or_else(|| Error::internal(format!("no row for: {sql}")))
    }

    /// The first row, if there is any.
    pub fn opt<T: FromRow>(
        &mut self,
        sql: &'static str,
        params: SqlParams<'_>,
    ) -> Result<Option<T>> {
        let mut first = None;
        self.query(sql, params, &mut |columns| {
            first = Some(T::from_row(columns));
            ControlFlow::Break(())
        })?;
        Ok(first.transpose()?)
    }

    /// All rows; for lists that may be long, see [`Tx::each`].
    pub fn all<T: FromRow>(&mut self, sql: &'static str, params: SqlParams<'_>) -> Result<Vec<T>> {
        let mut rows = Vec::new();
        self.each(sql, params, |row| {
            rows.push(row);
            Ok(())
        })?;
        Ok(rows)
    }

    /// Row by row, in bounded memory; an error of `visit` ends it.
    pub fn each<T: FromRow>(
        &mut self,
        sql: &'static str,
        params: SqlParams<'_>,
        mut visit: impl FnMut(T) -> Result<()>,
    ) -> Result<()> {
        let mut outcome = Ok(());
        self.query(sql, params, &mut |columns| {
            outcome = T::from_row(columns).map_err(Error::from).and_then(&mut visit);
            if outcome.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        outcome
    }

    /// How many rows an INSERT, UPDATE or DELETE changed.
    pub fn exec(&mut self, sql: &'static str, params: SqlParams<'_>) -> Result<u64> {
        Ok(self.query(sql, params, &mut |_| ControlFlow::Continue(()))?)
    }

    /// Lets PostgreSQL plan the next statement when it runs, for the table as it is then. A plan that was made once is kept, and one of a
    /// table that was almost empty reads all of it when it is long. Planning takes longer than most statements.
    pub fn planned_anew(&mut self) -> &mut Self {
        if let Connection::Postgres(connection) = &mut self.connection {
            connection.plan_anew();
        }
        self
    }

    /// The time by the injected clock, read at this call.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The trace that this is part of, for what is done later because of it; nothing where none is recorded.
    pub fn trace(&self) -> Option<String> {
        trace::as_parent(&self.span)
    }

    /// The time by which a deadline is decided; an error if this node's clock is off, since others decide by theirs.
    pub fn deadline_now(&self) -> Result<Timestamp> {
        if self.clock.is_off() {
            return Err(Error::Unavailable { code: "clock_differs", retry_after_s: RETRY_CLOCK_S });
        }
        Ok(self.now())
    }

    /// Compares this node's clock with the server's.
    pub(super) fn compare_clock(&mut self) -> Result<()> {
        let asked = Instant::now();
        let theirs = self.one(
            "SELECT CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT)",
            &[],
        )?;
        self.clock.compare(Sighting::between(asked, theirs));
        Ok(())
    }

    /// Says that this transaction changes what is read from memory while `what` counts no more.
    pub fn changes(&mut self, what: &'static ChangeCounter) {
        self.changed.push(what);
    }

    /// Tells every listener of `channel`, on all nodes, after the commit and only then.
    ///
    /// The payload must not be empty (that is [`super::RESTARTED`]) and stays under 8000 bytes. Nobody waits for it to be told, and it is
    /// lost if this process dies just then: whoever listens looks now and then in any case.
    pub fn notify(&mut self, channel: &'static str, payload: &str) -> Result<()> {
        if self.access != Access::Write || !(1..LONGEST_PAYLOAD).contains(&payload.len()) {
            let text = "notify needs a write and a payload of less than 8000 bytes";
            return Err(DatabaseError::Other(text.to_owned()).into());
        }
        if self.failure.is_some() {
            return Err(DatabaseError::Poisoned.into());
        }
        self.notices.push(Notice { channel, payload: payload.to_owned() });
        Ok(())
    }

    fn query(
        &mut self,
        sql: &'static str,
        params: SqlParams<'_>,
        visit: Visit<'_>,
    ) -> DatabaseResult<u64> {
        self.guard(|connection| match connection {
            Connection::Sqlite(connection) => connection.query(sql, params, visit),
            Connection::Postgres(connection) => connection.query(sql, params, visit),
        })
    }

    /// Several statements in the engine's own dialect, without parameters or results.
    pub(super) fn batch(&mut self, sql: &str) -> DatabaseResult<()> {
        self.guard(|connection| match connection {
            Connection::Sqlite(connection) => connection.batch(sql),
            Connection::Postgres(connection) => connection.batch(sql),
        })
    }

    /// Remembers the first failure and refuses everything after it.
    fn guard<T>(
        &mut self,
        run: impl FnOnce(&mut Connection) -> DatabaseResult<T>,
    ) -> DatabaseResult<T> {
        if self.failure.is_some() {
            return Err(DatabaseError::Poisoned);
        }
        let result = run(&mut self.connection);
        if let Err(error) = &result {
            self.failure = Some(error.clone());
        }
        result
    }

    /// Forgets the script before: the next one begins with a clean transaction.
    pub(super) fn start(&mut self, access: Access) {
        self.access = access;
        self.span = Span::none();
        self.failure = None;
        self.notices.clear();
        self.changed.clear();
        if let Connection::Postgres(connection) = &mut self.connection {
            connection.start(access);
        }
    }

    /// Which span this script runs in.
    pub(super) fn run_in(&mut self, span: &Span) {
        self.span = span.clone();
    }

    pub(super) fn failure(&self) -> Option<&DatabaseError> {
        self.failure.as_ref()
    }

    pub(super) fn take_notices(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.notices)
    }

    pub(super) fn take_changes(&mut self) -> Vec<&'static ChangeCounter> {
        std::mem::take(&mut self.changed)
    }

    pub(super) fn engine(&self) -> Engine {
        match self.connection {
            Connection::Sqlite(_) => Engine::Sqlite,
            Connection::Postgres(_) => Engine::Postgres,
        }
    }

    /// For the threads of SQLite, whose transactions are all on its connections.
    pub(super) fn sqlite(&mut self) -> DatabaseResult<&mut SqliteConnection> {
        match &mut self.connection {
            Connection::Sqlite(connection) => Ok(connection),
            Connection::Postgres(_) => Err(DatabaseError::Other("not SQLite's".to_owned())),
        }
    }

    /// For the threads of PostgreSQL.
    pub(super) fn postgres(&mut self) -> DatabaseResult<&mut PostgresConnection> {
        match &mut self.connection {
            Connection::Postgres(connection) => Ok(connection),
            Connection::Sqlite(_) => Err(DatabaseError::Other("not PostgreSQL's".to_owned())),
        }
    }
}
