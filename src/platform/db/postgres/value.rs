//! What PostgreSQL says, in our words: values on their way to and from it, in its binary form, and its errors.

use std::error::Error as _;

use bytes::BytesMut;
use tokio_postgres::error::{DbError, SqlState};
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

use crate::platform::db::value::{ColumnType, Value};
use crate::platform::error::{DatabaseError, DatabaseResult};

const STALE_PLAN: &str = "a table changed under a prepared statement";

pub fn type_of(column: ColumnType) -> Type {
    match column {
        ColumnType::Integer => Type::INT8,
        ColumnType::Text => Type::TEXT,
        ColumnType::Blob => Type::BYTEA,
    }
}

type AnyError = Box<dyn std::error::Error + Sync + Send>;

impl ToSql for Value<'_> {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, AnyError> {
        match (self, ty) {
            (Value::Null, _) => Ok(IsNull::Yes),
            (Value::Integer(number), &Type::INT8) => number.to_sql(ty, out),
            (Value::Text(text), &Type::TEXT) => text.to_sql(ty, out),
            (Value::Blob(bytes), &Type::BYTEA) => bytes.to_sql(ty, out),
            _ => Err(format!("a parameter was {ty} when the statement was first run").into()),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl<'a> FromSql<'a> for Value<'a> {
    fn from_sql(ty: &Type, raw: &'a [u8]) -> Result<Self, AnyError> {
        Ok(match *ty {
            Type::INT8 => Value::Integer(i64::from_sql(ty, raw)?),
            Type::INT4 => Value::Integer(i32::from_sql(ty, raw)?.into()),
            Type::INT2 => Value::Integer(i16::from_sql(ty, raw)?.into()),
            // `SELECT a < b` is 0 or 1 on SQLite.
            Type::BOOL => Value::Integer(bool::from_sql(ty, raw)?.into()),
            Type::BYTEA => Value::Blob(raw),
            Type::VOID => Value::Null,
            _ => Value::Text(<&str>::from_sql(ty, raw)?),
        })
    }

    fn from_sql_null(_: &Type) -> Result<Self, AnyError> {
        Ok(Value::Null)
    }

    fn accepts(ty: &Type) -> bool {
        matches!(*ty, Type::INT8 | Type::INT4 | Type::INT2 | Type::BOOL | Type::BYTEA | Type::VOID)
            || <&str as FromSql>::accepts(ty)
    }
}

pub fn value_of(row: &tokio_postgres::Row, index: usize) -> DatabaseResult<Value<'_>> {
    row.try_get(index).map_err(|error| {
        let name = row.columns().get(index).map_or("?", |column| column.type_().name());
        DatabaseError::Mismatch(format!("column {index} of type {name}: {error}; a CAST may help"))
    })
}

/// Another node changed the schema: statements prepared before that have to be prepared again.
pub fn is_stale_plan(error: &DatabaseError) -> bool {
    matches!(error, DatabaseError::Serialization(text) if text == STALE_PLAN)
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
        &SqlState::FEATURE_NOT_SUPPORTED if said.message().contains("cached plan") => {
            DatabaseError::Serialization(STALE_PLAN.to_owned())
        }
        &SqlState::DISK_FULL => DatabaseError::Full,
        &SqlState::QUERY_CANCELED | &SqlState::LOCK_NOT_AVAILABLE | &SqlState::OUT_OF_MEMORY => {
            DatabaseError::Busy(text)
        }
        code if is_away(code) => DatabaseError::Lost(text),
        _ => DatabaseError::Other(text),
    }
}

/// The server goes down, comes up, takes no more connections, or has cut this one.
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
