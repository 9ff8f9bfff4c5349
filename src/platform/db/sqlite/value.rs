//! What SQLite says, in our words: values on their way to and from it, and its errors.

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{ErrorCode, ffi};

use crate::platform::db::value::Value;
use crate::platform::error::{DatabaseError, DatabaseResult};

impl rusqlite::ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match *self {
            Value::Null => ValueRef::Null,
            Value::Integer(number) => ValueRef::Integer(number),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
            Value::Blob(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

pub fn value_of<'a>(row: &'a rusqlite::Row<'_>, index: usize) -> DatabaseResult<Value<'a>> {
    Ok(match row.get_ref(index).map_err(translate)? {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        ValueRef::Real(_) => {
            return Err(DatabaseError::Mismatch(format!("column {index} is not a whole number")));
        }
        ValueRef::Text(bytes) => Value::Text(
            std::str::from_utf8(bytes)
                .map_err(|_| DatabaseError::Mismatch(format!("column {index} is not UTF-8")))?,
        ),
        ValueRef::Blob(bytes) => Value::Blob(bytes),
    })
}

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
