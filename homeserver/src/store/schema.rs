//! The schema, by versions, and whose database it is.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::error::OpenError;

/// How long another process's lock is waited for.
const BUSY: Duration = Duration::from_secs(5);

/// What makes each version out of the one before. A version that was released never changes.
const VERSIONS: [&str; 4] = [
    include_str!("schema.sql"),
    include_str!("schema_2.sql"),
    include_str!("schema_3.sql"),
    include_str!("schema_4.sql"),
];

fn version_of(conn: &Connection) -> Result<usize, OpenError> {
    let found: i64 = conn.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    Ok(usize::try_from(found).unwrap_or(usize::MAX))
}

/// Brings the database to the newest version, all or nothing.
pub fn migrate(conn: &Connection) -> Result<(), OpenError> {
    let found = version_of(conn)?;
    let missing = VERSIONS.get(found..).ok_or(OpenError::NewerSchema(found))?;
    if missing.is_empty() {
        return Ok(());
    }
    let tx = conn.unchecked_transaction()?;
    for version in missing {
        tx.execute_batch(version)?;
    }
    tx.execute_batch(&format!("PRAGMA user_version = {}", VERSIONS.len()))?;
    Ok(tx.commit()?)
}

/// Refuses the database of another server or installation; a new one becomes theirs.
pub fn claim(conn: &Connection, server_name: &str, installation: &str) -> Result<(), OpenError> {
    conn.execute("INSERT OR IGNORE INTO stream VALUES (1, 0, 0, ?1, NULL)", [server_name])?;
    let found: String = conn.query_row("SELECT server_name FROM stream", [], |row| row.get(0))?;
    if found != server_name {
        return Err(OpenError::OtherServer { found, wanted: server_name.to_owned() });
    }
    if !installation.is_empty() {
        let sql = "UPDATE stream SET installation = ?1 WHERE installation IS NULL";
        conn.execute(sql, [installation])?;
    }
    check_installation(conn, installation)
}

fn check_installation(conn: &Connection, installation: &str) -> Result<(), OpenError> {
    let sql = "SELECT installation FROM stream";
    let found: Option<String> = conn.query_row(sql, [], |row| row.get(0))?;
    match found {
        Some(found) if found != installation => Err(OpenError::OtherInstallation),
        _ => Ok(()),
    }
}

/// Looks at the database at `path`, also while it is in use, and changes nothing: whether it is whole, and whose it is.
/// One that does not exist yet, or that an older version left, is nobody else's.
pub fn examine(path: &Path, installation: &str) -> Result<(), OpenError> {
    if !path.exists() {
        return Ok(());
    }
    let conn = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    conn.busy_timeout(BUSY)?;
    let found: String = conn.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if found != "ok" {
        return Err(OpenError::Damaged(found));
    }
    if version_of(&conn)? < VERSIONS.len() {
        return Ok(());
    }
    check_installation(&conn, installation)
}
