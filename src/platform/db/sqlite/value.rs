//! Values on their way to and from SQLite.

use rusqlite::types::{ToSqlOutput, ValueRef};

use super::error::translate;
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
