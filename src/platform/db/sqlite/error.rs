//! What SQLite's errors mean to us.

use rusqlite::{ErrorCode, ffi};

use super::moving::REFUSAL;
use crate::platform::error::DatabaseError;

pub fn translate(error: rusqlite::Error) -> DatabaseError {
    let (code, text) = match &error {
        rusqlite::Error::SqliteFailure(code, text) => (*code, text.as_deref().unwrap_or_default()),
        rusqlite::Error::SqlInputError { error, msg, .. } => (*error, msg.as_str()),
        _ => return DatabaseError::Other(error.to_string()),
    };
    match (code.code, code.extended_code) {
        (_, ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY) => {
            DatabaseError::Unique { constraint: constraint_of(text) }
        }
        // Growing the shared memory file of the log fails with its own code when there is no room.
        (ErrorCode::DiskFull, _) | (_, ffi::SQLITE_IOERR_SHMSIZE) => DatabaseError::Full,
        (
            ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::FileLockingProtocolFailed,
            _,
        ) => DatabaseError::Busy("another process holds the lock".to_owned()),
        // Another place has everything since, and a caller is served there.
        (_, ffi::SQLITE_CONSTRAINT_TRIGGER) if text == REFUSAL => {
            DatabaseError::Lost(REFUSAL.to_owned())
        }
        (ErrorCode::OperationInterrupted, _) => {
            DatabaseError::Busy("a statement ran for too long".to_owned())
        }
        (
            ErrorCode::SystemIoFailure
            | ErrorCode::CannotOpen
            | ErrorCode::OutOfMemory
            // What a dying disk gives back looks damaged as often as it cannot be read.
            | ErrorCode::DatabaseCorrupt
            | ErrorCode::NotADatabase,
            _,
        ) => DatabaseError::Lost(error.to_string()),
        _ => DatabaseError::Other(format!("{text} ({})", code.extended_code)),
    }
}

/// From `UNIQUE constraint failed: users.phone` or `...: index 'users_by_folded_name'`.
fn constraint_of(text: &str) -> String {
    let named = text.split_once(": ").map_or(text, |(_, named)| named);
    named
        .strip_prefix("index '")
        .and_then(|name| name.strip_suffix('\''))
        .unwrap_or(named)
        .to_owned()
}
