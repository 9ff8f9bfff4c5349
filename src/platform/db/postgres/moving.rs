//! The side of a move that is gone to: an empty PostgreSQL database that takes all rows of another.
//!
//! How far it is stands in this database itself, written with the rows that it is about, so that a move that was cut off goes on where it
//! was. As long as those tables are here, no service starts on it.

use std::pin::Pin;

use bytes::Bytes;
use futures_util::{SinkExt, StreamExt};
use tokio_postgres::{Client, CopyInSink};

use super::error::translate;
use super::pooler::refuse_shared;
use super::server::Server;
use crate::platform::db::moving::{Column, Key, Lines, Sort, Table};
use crate::platform::error::{DatabaseError, DatabaseResult};

const ONE_MOVE_AT_A_TIME: i64 = 7_461_766_369;
const SESSION: &str =
    "SET synchronous_commit = off; SET maintenance_work_mem = '256MB'; SET work_mem = '64MB';
    SET client_min_messages = warning";
const CREATE_STATE: &str = "CREATE TABLE moving_state (
        id BIGINT PRIMARY KEY, installation TEXT NOT NULL, stage TEXT NOT NULL, done_change BIGINT NOT NULL);
    CREATE TABLE moving_tables (name TEXT PRIMARY KEY, last_key TEXT, is_done BOOLEAN NOT NULL);
    CREATE TABLE moving_parts (
        position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, sort TEXT NOT NULL, remove TEXT NOT NULL, make TEXT NOT NULL)";
const DROP_STATE: &str =
    "DROP TABLE moving_state; DROP TABLE moving_tables; DROP TABLE moving_parts";
/// What slows copying down, or would be hurt by rows that come in any order: written down, to be made again.
const WRITE_DOWN_PARTS: &str = "
    INSERT INTO moving_parts (sort, remove, make)
    SELECT 'reference', format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I', conrelid::regclass, conname),
           format('ALTER TABLE %s ADD CONSTRAINT %I %s NOT VALID', conrelid::regclass, conname, pg_get_constraintdef(oid))
    FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY conrelid::regclass::text, conname;
    INSERT INTO moving_parts (sort, remove, make)
    SELECT 'index', format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I', conrelid::regclass, conname),
           format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    FROM pg_constraint WHERE contype = 'u' AND connamespace = current_schema()::regnamespace ORDER BY conrelid::regclass::text, conname;
    INSERT INTO moving_parts (sort, remove, make)
    SELECT 'index', format('DROP INDEX IF EXISTS %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE relnamespace = current_schema()::regnamespace AND NOT indisprimary
      AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)
    ORDER BY indrelid::regclass::text, relname";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The tables are being made.
    Schema,
    /// Rows are being copied.
    Copying,
    /// All are here; what changed since is brought up to date.
    Following,
    /// Nothing is missing but the word that it is a service's.
    Complete,
}

pub struct Progress {
    pub installation: String,
    pub stage: Stage,
    /// Changes up to this number are in the copy.
    pub done_change: i64,
}

/// Rows on their way in.
pub type Copying = Pin<Box<CopyInSink<Bytes>>>;

pub struct Target {
    client: Client,
}

impl Target {
    pub async fn connect(url: &str, tls_ca_file: &str) -> DatabaseResult<Self> {
        let server = Server::new(url, tls_ca_file)?;
        refuse_shared(&server).await?;
        let (client, connection) = server.dial().await?;
        // Its end shows as an error of whatever is asked of the client next.
        tokio::spawn(connection);
        let target = Self { client };
        target.batch(SESSION).await?;
        let lock = "SELECT pg_try_advisory_lock($1)";
        let row = target.client.query_one(lock, &[&ONE_MOVE_AT_A_TIME]).await;
        if row.map_err(|error| translate(&error))?.get(0) {
            return Ok(target);
        }
        Err(DatabaseError::Setup("another move into this database is running".to_owned()))
    }

    pub async fn progress(&self) -> DatabaseResult<Option<Progress>> {
        if !self.has_state().await? {
            return Ok(None);
        }
        let sql = "SELECT installation, stage, done_change FROM moving_state";
        let row = self.client.query_one(sql, &[]).await.map_err(|error| translate(&error))?;
        let stage = match row.get(1) {
            "schema" => Stage::Schema,
            "copying" => Stage::Copying,
            "complete" => Stage::Complete,
            _ => Stage::Following,
        };
        Ok(Some(Progress { installation: row.get(0), stage, done_change: row.get(2) }))
    }

    async fn has_state(&self) -> DatabaseResult<bool> {
        let sql = "SELECT to_regclass('moving_state') IS NOT NULL";
        let row = self.client.query_one(sql, &[]).await.map_err(|error| translate(&error))?;
        Ok(row.get(0))
    }

    pub async fn is_empty(&self) -> DatabaseResult<bool> {
        let sql = "SELECT count(*) FROM pg_class
                   WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S', 'f')";
        let row = self.client.query_one(sql, &[]).await.map_err(|error| translate(&error))?;
        Ok(row.get::<_, i64>(0) == 0)
    }

    /// The name of the installation whose rows are here.
    pub async fn installation(&self) -> DatabaseResult<Option<String>> {
        let sql = "SELECT to_regclass('installation') IS NOT NULL";
        let row = self.client.query_one(sql, &[]).await.map_err(|error| translate(&error))?;
        if !row.get::<_, bool>(0) {
            return Ok(None);
        }
        let sql = "SELECT name FROM installation WHERE id = 1";
        let row = self.client.query_opt(sql, &[]).await.map_err(|error| translate(&error))?;
        Ok(row.map(|row| row.get(0)))
    }

    /// Its history of migrations, as `version name checksum`.
    pub async fn history(&self) -> DatabaseResult<Vec<(i64, String, String)>> {
        let sql = "SELECT version, name, checksum FROM schema_migrations ORDER BY version";
        let rows = self.client.query(sql, &[]).await.map_err(|error| translate(&error))?;
        Ok(rows.iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect())
    }

    /// From here on nobody else can take this database for theirs.
    pub async fn begin(&self, installation: &str, done_change: i64) -> DatabaseResult<()> {
        self.batch(&format!("BEGIN; {CREATE_STATE}")).await?;
        let sql = "INSERT INTO moving_state (id, installation, stage, done_change) VALUES (1, $1, 'schema', $2)";
        let inserted = self.client.execute(sql, &[&installation, &done_change]).await;
        inserted.map_err(|error| translate(&error))?;
        self.batch("COMMIT").await
    }

    /// Empties the new tables of what their migrations put there, and takes away what would slow copying down.
    pub async fn clear(&self, tables: &[Table]) -> DatabaseResult<()> {
        let names: Vec<&str> = tables.iter().map(|table| table.name.as_str()).collect();
        self.batch(&format!("BEGIN; TRUNCATE {}; {WRITE_DOWN_PARTS}", names.join(", "))).await?;
        self.run_parts("remove", &["reference", "index"]).await?;
        let sql = "INSERT INTO moving_tables (name, is_done) SELECT unnest($1::text[]), false";
        let inserted = self.client.execute(sql, &[&names]).await;
        inserted.map_err(|error| translate(&error))?;
        self.batch("UPDATE moving_state SET stage = 'copying'; COMMIT").await
    }

    /// Up to which key a table is copied; nothing if all of it is.
    pub async fn copied_to(&self, table: &Table) -> DatabaseResult<Option<Option<Key>>> {
        let sql = "SELECT last_key, is_done FROM moving_tables WHERE name = $1";
        let row = self.client.query_one(sql, &[&table.name]).await;
        let row = row.map_err(|error| translate(&error))?;
        if row.get(1) {
            return Ok(None);
        }
        let last: Option<String> = row.get(0);
        last.map(|key| table.read_key(&key)).transpose().map(Some)
    }

    /// Takes the next rows of a table, and with them notes how far it is.
    pub async fn take(
        &self,
        table: &Table,
        lines: Lines,
        last: Option<&Key>,
    ) -> DatabaseResult<()> {
        self.batch("BEGIN").await?;
        let is_done = last.is_none();
        if !lines.text.is_empty() {
            self.copy_in(table, lines).await?;
        }
        let last = last.map(|key| table.write_key(key));
        let sql = "UPDATE moving_tables SET last_key = COALESCE($2, last_key), is_done = $3 WHERE name = $1";
        let updated = self.client.execute(sql, &[&table.name, &last, &is_done]).await;
        updated.map_err(|error| translate(&error))?;
        self.batch("COMMIT").await
    }

    async fn copy_in(&self, table: &Table, lines: Lines) -> DatabaseResult<()> {
        let mut sink = self.open_copy(table).await?;
        feed(&mut sink, lines).await?;
        close(sink).await
    }

    pub async fn open_copy(&self, table: &Table) -> DatabaseResult<Copying> {
        let sql = format!("COPY {} ({}) FROM STDIN", table.name, table.column_list(""));
        let sink = self.client.copy_in(&sql).await.map_err(|error| translate(&error))?;
        Ok(Box::pin(sink))
    }

    /// Which indexes are to be made again; each is told by the statement that makes it.
    pub async fn missing_indexes(&self) -> DatabaseResult<Vec<(i64, String)>> {
        let sql = "SELECT position, make FROM moving_parts WHERE sort = 'index' ORDER BY position";
        let rows = self.client.query(sql, &[]).await.map_err(|error| translate(&error))?;
        Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
    }

    pub async fn make_index(&self, position: i64, statement: &str) -> DatabaseResult<()> {
        let done = format!("DELETE FROM moving_parts WHERE position = {position}");
        self.batch(&format!("BEGIN; {statement}; {done}; COMMIT")).await
    }

    pub async fn follow(&self) -> DatabaseResult<()> {
        self.batch("ANALYZE; UPDATE moving_state SET stage = 'following'").await
    }

    /// References are not checked while rows come in any order.
    pub async fn drop_references(&self) -> DatabaseResult<()> {
        self.batch("UPDATE moving_state SET stage = 'following'").await?;
        self.run_parts("remove", &["reference"]).await
    }

    pub async fn begin_round(&self) -> DatabaseResult<()> {
        self.batch("BEGIN").await
    }

    /// Ends a round; changes up to this number are in the copy.
    pub async fn end_round(&self, done_change: i64) -> DatabaseResult<()> {
        self.batch(&format!("UPDATE moving_state SET done_change = {done_change}; COMMIT")).await
    }

    pub async fn delete(&self, table: &Table, keys: &[String]) -> DatabaseResult<()> {
        let sql =
            format!("DELETE FROM {} it USING {} WHERE {}", table.name, KEYS, table.same_key());
        let document = format!("[{}]", keys.join(","));
        let deleted = self.client.execute(&sql, &[&document]).await;
        deleted.map(drop).map_err(|error| translate(&error))
    }

    /// All rows, or those with one of these keys, in the order of their keys.
    pub async fn rows(&self, table: &Table, keys: Option<&[String]>) -> DatabaseResult<TargetRows> {
        let (columns, key) = (table.column_list("it."), table.key_list("it."));
        let only = keys.map_or_else(String::new, |keys| {
            // A COPY takes no parameters; keys are JSON, so a quote is all that could end the text.
            let document = format!("[{}]", keys.join(",")).replace('\'', "''");
            let given = KEYS.replace("$1", &format!("'{document}'"));
            format!("JOIN {given} ON {}", table.same_key())
        });
        let sql = format!(
            "COPY (SELECT {columns} FROM {} it {only} ORDER BY {key}) TO STDOUT",
            table.name
        );
        let stream = self.client.copy_out(&sql).await.map_err(|error| translate(&error))?;
        Ok(TargetRows { stream: Box::pin(stream) })
    }

    /// Numbers go on behind the highest, and references hold from now on.
    pub async fn complete(&self) -> DatabaseResult<()> {
        self.batch("SET synchronous_commit = on; BEGIN").await?;
        let sql = "SELECT attrelid::regclass::text, quote_ident(attname) FROM pg_attribute
                   JOIN pg_class ON pg_class.oid = attrelid
                   WHERE attidentity <> '' AND relnamespace = current_schema()::regnamespace
                     AND relname NOT LIKE 'moving\\_%'";
        let rows = self.client.query(sql, &[]).await.map_err(|error| translate(&error))?;
        for row in rows {
            let (table, column): (String, String) = (row.get(0), row.get(1));
            let sequence = format!("pg_get_serial_sequence('{table}', '{column}')");
            self.batch(&format!(
                "SELECT setval({sequence}, GREATEST(MAX({column}), 1), COALESCE(MAX({column}), 0) >= 1) FROM {table}"
            ))
            .await?;
        }
        self.run_parts("make", &["reference"]).await?;
        self.batch("UPDATE moving_state SET stage = 'complete'; COMMIT").await
    }

    /// The database is a service's from now on.
    pub async fn hand_over(&self) -> DatabaseResult<()> {
        self.batch(&format!("BEGIN; {DROP_STATE}; COMMIT")).await
    }

    /// Looks once at every row's references, which were only held for new ones until now.
    pub async fn validate(&self) -> DatabaseResult<()> {
        let sql = "SELECT format('ALTER TABLE %s VALIDATE CONSTRAINT %I', conrelid::regclass, conname)
                   FROM pg_constraint WHERE NOT convalidated AND connamespace = current_schema()::regnamespace";
        let rows = self.client.query(sql, &[]).await.map_err(|error| translate(&error))?;
        for row in rows {
            self.batch(row.get(0)).await?;
        }
        Ok(())
    }

    async fn run_parts(&self, which: &str, sorts: &[&str]) -> DatabaseResult<()> {
        let sql =
            format!("SELECT {which} FROM moving_parts WHERE sort = ANY($1) ORDER BY position");
        let rows = self.client.query(&sql, &[&sorts]).await.map_err(|error| translate(&error))?;
        for row in rows {
            self.batch(row.get(0)).await?;
        }
        Ok(())
    }

    async fn batch(&self, sql: &str) -> DatabaseResult<()> {
        self.client.batch_execute(sql).await.map_err(|error| translate(&error))
    }
}

pub async fn feed(sink: &mut Copying, lines: Lines) -> DatabaseResult<()> {
    sink.send(Bytes::from(lines.text)).await.map_err(|error| translate(&error))
}

pub async fn close(mut sink: Copying) -> DatabaseResult<()> {
    sink.as_mut().finish().await.map(drop).map_err(|error| translate(&error))
}

/// The rows of the copy as the server writes them.
pub struct TargetRows {
    stream: Pin<Box<tokio_postgres::CopyOutStream>>,
}

impl TargetRows {
    pub async fn next(&mut self) -> DatabaseResult<Option<Bytes>> {
        self.stream.next().await.transpose().map_err(|error| translate(&error))
    }
}

/// The keys of a JSON array of them, each an array of its parts.
const KEYS: &str = "(SELECT part FROM json_array_elements($1::text::json) AS listed(part)) given";

impl Table {
    fn same_key(&self) -> String {
        let part = |(place, column): (usize, &Column)| {
            let given = format!("(given.part ->> {place})");
            match column.sort {
                Sort::Integer => format!("it.{} = {given}::bigint", column.name),
                Sort::Bytes => format!("it.{} = decode({given}, 'hex')", column.name),
                Sort::Text => format!("it.{} = {given}", column.name),
            }
        };
        let parts: Vec<String> = self.key_columns().enumerate().map(part).collect();
        parts.join(" AND ")
    }
}
