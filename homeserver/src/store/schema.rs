//! The schema, by versions, and whose database it is.

use rusqlite::Connection;

use crate::error::OpenError;

/// What makes each version out of the one before. A version that was released never changes.
const VERSIONS: [&str; 2] = [include_str!("schema.sql"), include_str!("schema_2.sql")];

/// Brings the database to the newest version, all or nothing.
pub fn migrate(conn: &Connection) -> Result<(), OpenError> {
    let found: i64 = conn.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let known = usize::try_from(found).unwrap_or(usize::MAX);
    let missing = VERSIONS.get(known..).ok_or(OpenError::NewerSchema(found))?;
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

/// Refuses the database of another server; a new one becomes that of `server_name`.
pub fn claim(conn: &Connection, server_name: &str) -> Result<(), OpenError> {
    conn.execute("INSERT OR IGNORE INTO stream VALUES (1, 0, 0, ?1, NULL)", [server_name])?;
    let found: String = conn.query_row("SELECT server_name FROM stream", [], |row| row.get(0))?;
    if found != server_name {
        return Err(OpenError::OtherServer { found, wanted: server_name.to_owned() });
    }
    Ok(())
}
