//! A connection to PostgreSQL: how a statement runs, and how a transaction begins and ends.
//!
//! Each connection belongs to one thread, which drives it with a runtime of its own; between
//! statements nothing moves.

use std::borrow::Cow;
use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use futures_util::{StreamExt, future};
use tokio::runtime::Runtime;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, RowStream, Statement};

use super::error::{in_a_write, is_stale_plan, translate};
use super::server::{Server, Session};
use super::value::type_of;
use crate::platform::db::row::{Columns, Row};
use crate::platform::db::script::Access;
use crate::platform::db::tx::Visit;
use crate::platform::db::value::SqlParams;
use crate::platform::error::{DatabaseError, DatabaseResult};

/// Rows taken from the driver before the script sees them: bounds memory, saves wake-ups.
const ROWS_AT_ONCE: usize = 128;
/// Batches that are read to their end although nobody wants them; more than that, and a new
/// connection is cheaper.
const UNWANTED_BATCHES: usize = 8;
/// What the network may add to a statement's own limit before the connection is given up.
const NETWORK_WAIT: Duration = Duration::from_secs(5);

pub struct PostgresConnection {
    session: Session,
    statements: HashMap<(usize, usize), Statement>,
    /// The beginning to send along with the next statement; a lookup has none.
    begin: Option<&'static str>,
    is_write: bool,
    /// The next statement is planned when it runs.
    plans_anew: bool,
    transaction: Transaction,
    wire: Wire,
    answer_wait: Option<Duration>,
    // Last, because the session's connection lives on it.
    runtime: Runtime,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Transaction {
    None,
    Open,
    /// The server takes nothing but its end.
    Aborted,
    /// A read that is answered. Ending it is not worth a round trip of its own: that goes out
    /// with the next beginning, or when there is nothing else to do.
    Answered,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wire {
    Clean,
    /// Rows that nobody wants are still under way.
    Littered,
    Broken,
}

struct RowBatch {
    rows: Vec<tokio_postgres::Row>,
    is_last: bool,
}

impl PostgresConnection {
    /// Connects; without a limit, statements may take as long as they like.
    pub fn open(server: &Server, statement_timeout: Option<Duration>) -> DatabaseResult<Self> {
        let runtime = new_runtime()?;
        let session = runtime.block_on(server.connect(statement_timeout))?;
        Ok(Self::new(runtime, session, statement_timeout))
    }

    pub fn new(runtime: Runtime, session: Session, limit: Option<Duration>) -> Self {
        Self {
            session,
            statements: HashMap::new(),
            begin: None,
            is_write: false,
            plans_anew: false,
            transaction: Transaction::None,
            wire: Wire::Clean,
            answer_wait: limit.map(|limit| limit + NETWORK_WAIT),
            runtime,
        }
    }

    /// Gives the connection up after this long without a row, where statements have no limit.
    pub fn with_patience(self, answer_wait: Duration) -> Self {
        Self { answer_wait: Some(answer_wait), ..self }
    }

    /// Nothing is sent until the script's first statement, which the beginning then accompanies.
    pub fn start(&mut self, access: Access) {
        self.is_write = access == Access::Write;
        self.plans_anew = false;
        self.begin = match access {
            Access::Lookup => None,
            // All statements of a read see the same moment.
            Access::Read => Some("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
            Access::Write => Some("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"),
        };
    }

    pub fn plan_anew(&mut self) {
        self.plans_anew = true;
    }

    pub fn query(
        &mut self,
        sql: &'static str,
        params: SqlParams<'_>,
        visit: Visit<'_>,
    ) -> DatabaseResult<u64> {
        let result = self.try_query(sql, params, visit);
        let result = if self.is_write { result.map_err(in_a_write) } else { result };
        result.inspect_err(|error| self.note(error))
    }

    fn try_query(
        &mut self,
        sql: &'static str,
        params: SqlParams<'_>,
        visit: Visit<'_>,
    ) -> DatabaseResult<u64> {
        let statement = if std::mem::take(&mut self.plans_anew) {
            Asked::Once(sql)
        } else {
            Asked::Prepared(self.prepare(sql, params)?)
        };
        let begin = self.take_begin();
        let Self { runtime, session, answer_wait, wire, .. } = self;
        let client = &session.client;
        let (mut rows, mut batch) = runtime.block_on(limited(*answer_wait, async {
            let asking = statement.ask(client, params);
            let mut rows = Box::pin(start(client, begin.as_deref(), asking).await?);
            let first = next_rows(rows.as_mut()).await?;
            Ok((rows, first))
        }))?;
        let mut unwanted = 0_usize;
        loop {
            for row in &batch.rows {
                if unwanted > 0 || visit(&mut Columns::new(Row::Postgres(row))).is_break() {
                    unwanted += 1;
                    break;
                }
            }
            if batch.is_last {
                return Ok(rows.rows_affected().unwrap_or(0));
            }
            if unwanted > UNWANTED_BATCHES {
                *wire = Wire::Littered;
                return Ok(0);
            }
            batch = runtime.block_on(limited(*answer_wait, next_rows(rows.as_mut())))?;
        }
    }

    fn prepare(&mut self, sql: &'static str, params: SqlParams<'_>) -> DatabaseResult<Statement> {
        let key = (sql.as_ptr().addr(), sql.len());
        if let Some(statement) = self.statements.get(&key) {
            return Ok(statement.clone());
        }
        // Told rather than inferred: `$1 + 1` would otherwise be a 32-bit sum.
        let types: Vec<Type> = params.iter().map(|param| type_of(param.column_type())).collect();
        let preparing = self.session.client.prepare_typed(sql, &types);
        let statement = self.runtime.block_on(limited(self.answer_wait, preparing))?;
        self.statements.insert(key, statement.clone());
        Ok(statement)
    }

    /// What has to be sent before the next statement.
    fn take_begin(&mut self) -> Option<Cow<'static, str>> {
        let ends_another = self.transaction == Transaction::Answered;
        match self.begin.take() {
            Some(begin) => {
                self.transaction = Transaction::Open;
                Some(if ends_another { format!("COMMIT;{begin}").into() } else { begin.into() })
            }
            None if ends_another => {
                self.transaction = Transaction::None;
                Some("COMMIT".into())
            }
            None => None,
        }
    }

    /// Several statements inside the script's transaction.
    pub fn batch(&mut self, sql: &str) -> DatabaseResult<()> {
        let sent = match self.take_begin() {
            Some(begin) => self.send(&format!("{begin};{sql}"), None),
            None => self.send(sql, None),
        };
        sent.inspect_err(|error| self.note(error))
    }

    fn send(&self, sql: &str, wait: Option<Duration>) -> DatabaseResult<()> {
        self.runtime.block_on(limited(wait, self.session.client.batch_execute(sql)))
    }

    /// An error of kind `Lost` leaves the outcome open.
    pub fn commit(&mut self) -> DatabaseResult<()> {
        if self.begin.take().is_some() {
            return Ok(()); // The script asked nothing.
        }
        match self.transaction {
            Transaction::Open if !self.is_broken() => {}
            _ => return Err(DatabaseError::Poisoned),
        }
        self.end("COMMIT")?;
        if self.session.take_unreplicated() {
            return Err(DatabaseError::Lost("its wait for a standby was cancelled".to_owned()));
        }
        Ok(())
    }

    pub fn rollback(&mut self) {
        let is_begun = matches!(self.transaction, Transaction::Open | Transaction::Aborted);
        if self.begin.take().is_none() && is_begun && !self.is_broken() {
            // A connection that cannot even do this is broken, and its end rolls back too.
            drop(self.end("ROLLBACK"));
        }
    }

    /// Leaves a read's transaction open for the moment, if nothing is wrong with it.
    pub fn end_read(&mut self) {
        if self.wire == Wire::Littered {
            self.wire = Wire::Broken;
        }
        if self.begin.is_none() && self.transaction == Transaction::Open {
            self.transaction = Transaction::Answered;
        } else {
            self.rollback();
        }
    }

    /// Ends what [`PostgresConnection::end_read`] left open.
    pub fn settle(&mut self) {
        if self.transaction == Transaction::Answered && !self.is_broken() {
            drop(self.end("COMMIT"));
        }
    }

    fn end(&mut self, how: &str) -> DatabaseResult<()> {
        self.transaction = Transaction::None;
        let ended = self.send(how, self.answer_wait).inspect_err(|error| self.note(error));
        // The answer came after all the rows.
        if self.wire == Wire::Littered {
            self.wire = Wire::Clean;
        }
        ended
    }

    /// Whether the next script may have it; looks whether the server closed it meanwhile.
    pub fn is_usable(&self) -> bool {
        !self.is_broken() && !self.session.client.is_closed()
    }

    fn is_broken(&self) -> bool {
        self.wire == Wire::Broken
    }

    /// Lets the connection notice what arrived while nothing was asked of it.
    pub fn look(&self) {
        self.runtime.block_on(async {
            tokio::task::yield_now().await;
            tokio::task::yield_now().await;
        });
    }

    fn note(&mut self, error: &DatabaseError) {
        if matches!(error, DatabaseError::Lost(_)) {
            self.wire = Wire::Broken;
        }
        if is_stale_plan(error) {
            self.statements.clear();
        }
        match self.transaction {
            Transaction::Open => self.transaction = Transaction::Aborted,
            // A statement could not be prepared, which spoiled what was left open before it.
            Transaction::Answered => self.settle(),
            Transaction::None | Transaction::Aborted => {}
        }
    }
}

pub fn new_runtime() -> DatabaseResult<Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| {
        DatabaseError::Setup(format!("cannot start a connection's runtime: {error}"))
    })
}

/// How a statement is sent.
enum Asked {
    Prepared(Statement),
    Once(&'static str),
}

impl Asked {
    async fn ask(
        &self,
        client: &Client,
        params: SqlParams<'_>,
    ) -> Result<RowStream, tokio_postgres::Error> {
        match self {
            Self::Prepared(statement) => {
                client.query_raw(statement, params.iter().map(|param| param.value())).await
            }
            Self::Once(sql) => {
                let typed = params.iter().map(|it| (it.value(), type_of(it.column_type())));
                client.query_typed_raw(sql, typed).await
            }
        }
    }
}

async fn start(
    client: &Client,
    begin: Option<&str>,
    query: impl Future<Output = Result<RowStream, tokio_postgres::Error>>,
) -> Result<RowStream, tokio_postgres::Error> {
    match begin {
        None => query.await,
        // Both are sent before either is answered.
        Some(begin) => {
            let (started, rows) = future::join(client.batch_execute(begin), query).await;
            started.and(rows)
        }
    }
}

async fn next_rows(mut stream: Pin<&mut RowStream>) -> Result<RowBatch, tokio_postgres::Error> {
    let mut rows = Vec::new();
    while rows.len() < ROWS_AT_ONCE {
        match stream.next().await {
            Some(row) => rows.push(row?),
            None => return Ok(RowBatch { rows, is_last: true }),
        }
    }
    Ok(RowBatch { rows, is_last: false })
}

/// The server limits statements itself; this is for a server that does not answer at all.
pub async fn limited<T>(
    wait: Option<Duration>,
    answer: impl Future<Output = Result<T, tokio_postgres::Error>>,
) -> DatabaseResult<T> {
    let Some(wait) = wait else { return answer.await.map_err(|error| translate(&error)) };
    match tokio::time::timeout(wait, answer).await {
        Ok(answer) => answer.map_err(|error| translate(&error)),
        Err(_) => Err(DatabaseError::Lost("the server does not answer".to_owned())),
    }
}
