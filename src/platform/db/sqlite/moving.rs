//! The side of a move that is left: an SQLite file which a service goes on writing to.
//!
//! Triggers note the key of every row that changes. What was copied before is brought up to date by them, so that nothing has to stand still
//! until the last moment; then they are replaced by others that refuse every change.

use std::path::Path;
use std::time::Duration;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, OptionalExtension, params_from_iter};

use super::error::translate;
use crate::platform::db::moving::{Column, Key, Lines, Sort, Table};
use crate::platform::error::DatabaseResult;

/// A group of writes of the service, or its log being written back, is waited for.
const LOCK_WAIT: Duration = Duration::from_secs(20);
/// In the file for as long as a move into another database goes on, and after it.
pub const MOVED: &str = "moved_away";
const CHANGES: &str = "moving_changes";
const CREATE_LOG: &str = "CREATE TABLE IF NOT EXISTS moving_changes (
    number INTEGER PRIMARY KEY, table_name TEXT NOT NULL, row_key TEXT NOT NULL) STRICT;";
/// The text by which a refused change is known.
pub const REFUSAL: &str = "this database was moved to PostgreSQL";

/// The changes after the first number, up to and with the second.
pub type Span = (i64, i64);

pub struct Source {
    driver: Connection,
    pub tables: Vec<Table>,
}

impl Source {
    pub fn open(file: &Path) -> DatabaseResult<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let open = || {
            let driver = Connection::open_with_flags(file, flags)?;
            driver.busy_timeout(LOCK_WAIT)?;
            driver.execute_batch(
                "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -65536",
            )?;
            let tables = tables(&driver)?;
            Ok(Self { driver, tables })
        };
        open().map_err(translate)
    }

    /// Its history of migrations, as `version name checksum`.
    pub fn history(&self) -> DatabaseResult<Vec<(i64, String, String)>> {
        let read = || {
            let sql = "SELECT version, name, checksum FROM schema_migrations ORDER BY version";
            let mut found = self.driver.prepare(sql)?;
            let rows = found.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            rows.collect::<rusqlite::Result<_>>()
        };
        read().map_err(translate)
    }

    pub fn installation(&self) -> DatabaseResult<Option<String>> {
        let sql = "SELECT name FROM installation WHERE id = 1";
        self.driver.query_row(sql, [], |row| row.get(0)).optional().map_err(translate)
    }

    /// Whether it refuses every change since it was moved.
    pub fn is_moved(&self) -> DatabaseResult<bool> {
        self.driver.table_exists(None, MOVED).map_err(translate)
    }

    /// Whether changes are noted, as they are from the beginning of a move until it is given up.
    pub fn is_noting(&self) -> DatabaseResult<bool> {
        self.driver.table_exists(None, CHANGES).map_err(translate)
    }

    /// Notes every change from now on. What is noted already stays.
    pub fn note_changes(&self) -> DatabaseResult<()> {
        let mut sql = format!("BEGIN IMMEDIATE; {CREATE_LOG}");
        for table in &self.tables {
            sql.push_str(&table.noting_triggers());
        }
        sql.push_str("COMMIT;");
        self.batch(&sql)
    }

    /// Takes away what a move that was given up has left.
    pub fn forget_changes(&self) -> DatabaseResult<()> {
        let mut sql = "BEGIN IMMEDIATE;".to_owned();
        for table in &self.tables {
            sql.push_str(&table.drop_noting_triggers());
        }
        sql.push_str(&format!("DROP TABLE IF EXISTS {CHANGES}; COMMIT;"));
        self.batch(&sql)
    }

    /// From here on everything is read as it is now, until [`Source::let_go`].
    pub fn hold_still(&self) -> DatabaseResult<()> {
        self.batch("BEGIN; SELECT count(*) FROM sqlite_schema;")
    }

    /// The same, and nobody else writes meanwhile.
    pub fn hold_alone(&self) -> DatabaseResult<()> {
        self.batch("BEGIN IMMEDIATE;")
    }

    pub fn let_go(&self) -> DatabaseResult<()> {
        self.batch("COMMIT;")
    }

    /// Ends [`Source::hold_alone`] with triggers that refuse every change from now on.
    pub fn leave(&self) -> DatabaseResult<()> {
        let mut sql = format!("CREATE TABLE {MOVED} (id INTEGER PRIMARY KEY) STRICT;");
        for table in &self.tables {
            sql.push_str(&table.drop_noting_triggers());
            sql.push_str(&table.refusing_triggers());
        }
        sql.push_str("COMMIT;");
        self.batch(&sql)
    }

    /// The number of the last change that was noted.
    pub fn last_change(&self) -> DatabaseResult<i64> {
        let sql = "SELECT COALESCE(MAX(number), 0) FROM moving_changes";
        self.driver.query_row(sql, [], |row| row.get(0)).map_err(translate)
    }

    pub fn count(&self, table: &Table) -> DatabaseResult<u64> {
        let sql = format!("SELECT count(*) FROM {}", table.name);
        let count: i64 = self.driver.query_row(&sql, [], |row| row.get(0)).map_err(translate)?;
        Ok(u64::try_from(count).unwrap_or(0))
    }

    /// The next rows behind this key, and the key of the last of them.
    pub fn page(
        &self,
        table: &Table,
        after: Option<&Key>,
        limit: usize,
    ) -> DatabaseResult<(Lines, Option<Key>)> {
        let key = table.key_list("");
        let places: Vec<String> = (1..=table.key.len()).map(|n| format!("?{n}")).collect();
        let behind =
            after.map_or_else(String::new, |_| format!("WHERE ({key}) > ({})", places.join(", ")));
        let (columns, name) = (table.column_list(""), &table.name);
        let sql = format!("SELECT {columns} FROM {name} {behind} ORDER BY {key} LIMIT {limit}");
        let (mut lines, mut last) = (Lines::default(), None);
        let mut read = || {
            let mut found = self.driver.prepare_cached(&sql)?;
            let mut rows =
                found.query(params_from_iter(after.into_iter().flat_map(|key| &key.0)))?;
            while let Some(row) = rows.next()? {
                for position in 0..table.columns.len() {
                    add(&mut lines, row.get_ref(position)?);
                }
                lines.end_row();
                let parts = table.key.iter().map(|position| row.get(*position));
                last = Some(Key(parts.collect::<rusqlite::Result<_>>()?));
            }
            Ok(())
        };
        read().map_err(translate)?;
        Ok((lines, last))
    }

    /// All rows, or those with one of these keys, in the order of their keys.
    pub fn rows(&self, table: &Table, keys: Option<&[String]>) -> DatabaseResult<Rows<'_>> {
        let (columns, key) = (table.column_list("it."), table.key_list("it."));
        // The keys first: a table of any size is looked up by them, and not read.
        let from = match keys {
            Some(_) => {
                format!("json_each(?1) given CROSS JOIN {} it ON {}", table.name, table.is_given())
            }
            None => format!("{} it", table.name),
        };
        let sql = format!("SELECT {columns} FROM {from} ORDER BY {key}");
        let statement = self.driver.prepare(&sql).map_err(translate)?;
        let keys = keys.map(|keys| format!("[{}]", keys.join(",")));
        Ok(Rows { statement, keys, columns: table.columns.len() })
    }

    /// The tables with changes in this span.
    pub fn changed_tables(&self, span: Span) -> DatabaseResult<Vec<&Table>> {
        let read = || {
            let sql =
                "SELECT DISTINCT table_name FROM moving_changes WHERE number > ?1 AND number <= ?2";
            let mut found = self.driver.prepare(sql)?;
            let names = found.query_map(span, |row| row.get(0))?;
            names.collect::<rusqlite::Result<Vec<String>>>()
        };
        let names = read().map_err(translate)?;
        Ok(self.tables.iter().filter(|table| names.contains(&table.name)).collect())
    }

    /// The keys of this table's rows that changed, some at a time, each once and as JSON.
    pub fn changed_keys(
        &self,
        table: &Table,
        span: Span,
        after: &str,
        limit: usize,
    ) -> DatabaseResult<Vec<String>> {
        let read = || {
            let sql = "SELECT DISTINCT row_key FROM moving_changes
                       WHERE table_name = ?1 AND number > ?2 AND number <= ?3 AND row_key > ?4
                       ORDER BY row_key LIMIT ?5";
            let mut found = self.driver.prepare_cached(sql)?;
            let parameters = rusqlite::params![
                table.name,
                span.0,
                span.1,
                after,
                i64::try_from(limit).unwrap_or(i64::MAX)
            ];
            let keys = found.query_map(parameters, |row| row.get(0))?;
            keys.collect::<rusqlite::Result<_>>()
        };
        read().map_err(translate)
    }

    fn batch(&self, sql: &str) -> DatabaseResult<()> {
        self.driver.execute_batch(sql).map_err(translate)
    }
}

/// Rows on their way out.
pub struct Rows<'a> {
    statement: rusqlite::Statement<'a>,
    /// As a JSON array.
    keys: Option<String>,
    columns: usize,
}

impl Rows<'_> {
    pub fn start(&mut self) -> DatabaseResult<Cursor<'_>> {
        let columns = self.columns;
        let rows = self.statement.query(params_from_iter(&self.keys));
        Ok(Cursor { rows: rows.map_err(translate)?, columns })
    }
}

pub struct Cursor<'a> {
    rows: rusqlite::Rows<'a>,
    columns: usize,
}

impl Cursor<'_> {
    /// The next rows, about so many bytes of them; none at the end.
    pub fn next(&mut self, bytes: usize) -> DatabaseResult<Lines> {
        let mut lines = Lines::default();
        while lines.text.len() < bytes {
            let Some(row) = self.rows.next().map_err(translate)? else { break };
            for position in 0..self.columns {
                add(&mut lines, row.get_ref(position).map_err(translate)?);
            }
            lines.end_row();
        }
        Ok(lines)
    }
}

fn add(lines: &mut Lines, value: ValueRef<'_>) {
    match value {
        ValueRef::Null => lines.null(),
        ValueRef::Integer(number) => lines.number(number),
        ValueRef::Text(text) => lines.text(text),
        ValueRef::Blob(bytes) => lines.bytes(bytes),
        // No table has one; if there is one some day, PostgreSQL says what it thinks of it.
        ValueRef::Real(number) => lines.text(number.to_string().as_bytes()),
    }
}

fn tables(driver: &Connection) -> rusqlite::Result<Vec<Table>> {
    let sql = "SELECT name FROM sqlite_schema
               WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT IN ('schema_migrations', ?1, ?2)
               ORDER BY name";
    let mut found = driver.prepare(sql)?;
    let names: Vec<String> =
        found.query_map([CHANGES, MOVED], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    names.into_iter().map(|name| table(driver, name)).collect()
}

fn table(driver: &Connection, name: String) -> rusqlite::Result<Table> {
    let sql = "SELECT name, type, pk FROM pragma_table_info(?1) ORDER BY cid";
    let mut found = driver.prepare(sql)?;
    let rows: Vec<(String, String, i64)> = found
        .query_map([&name], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let mut key: Vec<(i64, usize)> = rows
        .iter()
        .enumerate()
        .filter(|(_, (.., place))| *place > 0)
        .map(|(position, (.., place))| (*place, position))
        .collect();
    key.sort_unstable();
    let column = |(name, sort, _): (String, String, i64)| Column {
        name,
        sort: match sort.as_str() {
            "INTEGER" => Sort::Integer,
            "BLOB" => Sort::Bytes,
            _ => Sort::Text,
        },
    };
    let key = key.into_iter().map(|(_, position)| position).collect();
    Ok(Table { name, key, columns: rows.into_iter().map(column).collect() })
}

impl Table {
    /// The key of the row that a trigger calls by this name, as a JSON array.
    fn key_of(&self, row: &str) -> String {
        let part = |column: &Column| match column.sort {
            Sort::Bytes => format!("hex({row}.{})", column.name),
            _ => format!("{row}.{}", column.name),
        };
        let parts: Vec<String> = self.key_columns().map(part).collect();
        format!("json_array({})", parts.join(", "))
    }

    fn noting_triggers(&self) -> String {
        let name = &self.name;
        let (old, new) = (self.key_of("OLD"), self.key_of("NEW"));
        let note = |key: &str| {
            format!("INSERT INTO {CHANGES} (table_name, row_key) VALUES ('{name}', {key});")
        };
        let differs: Vec<String> = self
            .key_columns()
            .map(|column| format!("OLD.{0} IS NOT NEW.{0}", column.name))
            .collect();
        format!(
            "CREATE TRIGGER IF NOT EXISTS moving_insert_{name} AFTER INSERT ON {name} BEGIN {} END;
             CREATE TRIGGER IF NOT EXISTS moving_update_{name} AFTER UPDATE ON {name} BEGIN {} END;
             CREATE TRIGGER IF NOT EXISTS moving_rename_{name} AFTER UPDATE ON {name} WHEN {} BEGIN {} END;
             CREATE TRIGGER IF NOT EXISTS moving_delete_{name} AFTER DELETE ON {name} BEGIN {} END;\n",
            note(&new),
            note(&new),
            differs.join(" OR "),
            note(&old),
            note(&old),
        )
    }

    fn drop_noting_triggers(&self) -> String {
        ["insert", "update", "rename", "delete"]
            .map(|what| format!("DROP TRIGGER IF EXISTS moving_{what}_{};\n", self.name))
            .concat()
    }

    fn refusing_triggers(&self) -> String {
        let name = &self.name;
        let refuse = |what: &str| {
            format!(
                "CREATE TRIGGER moved_{what}_{name} BEFORE {what} ON {name}
                 BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END;\n"
            )
        };
        ["INSERT", "UPDATE", "DELETE"].map(refuse).concat()
    }

    /// Whether a row's key is the given one.
    fn is_given(&self) -> String {
        let part = |(place, column): (usize, &Column)| {
            let given = format!("json_extract(given.value, '$[{place}]')");
            match column.sort {
                Sort::Bytes => format!("it.{} = unhex({given})", column.name),
                _ => format!("it.{} = {given}", column.name),
            }
        };
        let parts: Vec<String> = self.key_columns().enumerate().map(part).collect();
        parts.join(" AND ")
    }
}
