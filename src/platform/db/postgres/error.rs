//! What PostgreSQL's errors mean to us.

use std::error::Error as _;

use crate::platform::error::DatabaseError;
use tokio_postgres::error::{DbError, SqlState};

const STALE_PLAN: &str = "a table changed under a prepared statement";
const READ_ONLY: &str = "(25006)";

/// Another node changed the schema: statements prepared before that have to be prepared again.
pub fn is_stale_plan(error: &DatabaseError) -> bool {
    matches!(error, DatabaseError::Serialization(text) if text == STALE_PLAN)
}

/// That nothing can be written is a defect of a script that only reads; to one that writes, the server that takes writes is
/// elsewhere, or will be.
pub fn in_a_write(error: DatabaseError) -> DatabaseError {
    match error {
        DatabaseError::Other(text) if text.ends_with(READ_ONLY) => DatabaseError::Lost(text),
        other => other,
    }
}

pub fn translate(error: &tokio_postgres::Error) -> DatabaseError {
    let Some(said) = error.as_db_error() else {
        return without_answer(error);
    };
    // The message only: the detail quotes values of the row.
    let text = format!("{} ({})", said.message(), said.code().code());
    match said.code() {
        &SqlState::UNIQUE_VIOLATION => DatabaseError::Unique { constraint: constraint_of(said) },
        &SqlState::T_R_SERIALIZATION_FAILURE | &SqlState::T_R_DEADLOCK_DETECTED => {
            DatabaseError::Serialization(text)
        }
        &SqlState::INVALID_SQL_STATEMENT_NAME => {
            DatabaseError::Serialization(STALE_PLAN.to_owned())
        }
        &SqlState::FEATURE_NOT_SUPPORTED
            if says(said, "RevalidateCachedQuery", "cached plan must not change") =>
        {
            DatabaseError::Serialization(STALE_PLAN.to_owned())
        }
        // A standby refuses the beginning of a write.
        &SqlState::FEATURE_NOT_SUPPORTED
            if says(said, "call_bool_check_hook", "during recovery") =>
        {
            DatabaseError::Lost(text)
        }
        &SqlState::DISK_FULL => DatabaseError::Full,
        &SqlState::QUERY_CANCELED | &SqlState::LOCK_NOT_AVAILABLE | &SqlState::OUT_OF_MEMORY => {
            DatabaseError::Busy(text)
        }
        code if is_away(code) => DatabaseError::Lost(text),
        _ => DatabaseError::Other(text),
    }
}

/// Where in the server it comes from; the words are there too, but in the server's language.
fn says(said: &DbError, routine: &str, words: &str) -> bool {
    said.routine() == Some(routine) || said.message().contains(words)
}

/// The server goes down, comes up, takes no more connections or no more writes, or has cut this one.
fn is_away(code: &SqlState) -> bool {
    // 08 is "connection exception", 53 "insufficient resources", 57P "operator intervention";
    // 25P03 is a transaction that was ended because its script stood still.
    let code = code.code();
    ["08", "53", "57P", "25P03", "58030"].iter().any(|away| code.starts_with(away))
}

/// The connection or our own side failed; the server did not say anything.
fn without_answer(error: &tokio_postgres::Error) -> DatabaseError {
    let text = match error.source() {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    };
    let is_ours =
        ["error serializing", "error deserializing", "invalid co", "expected ", "query returned"]
            .iter()
            .any(|ours| text.starts_with(ours));
    if is_ours { DatabaseError::Other(text) } else { DatabaseError::Lost(text) }
}

/// `table.column`, as SQLite names it, from the detail "Key (column)=(value) already exists."
fn constraint_of(said: &DbError) -> String {
    let columns = said.detail().and_then(|detail| {
        let (columns, _) = detail.split_once('(')?.1.split_once(")=(")?;
        // An index on an expression: SQLite gives its name as well.
        (!columns.contains('(')).then_some(columns)
    });
    match (said.table(), columns) {
        (Some(table), Some(columns)) => {
            let named =
                columns.split(", ").map(|column| format!("{table}.{}", column.trim_matches('"')));
            named.collect::<Vec<_>>().join(", ")
        }
        _ => said.constraint().unwrap_or_default().to_owned(),
    }
}
