//! Values on their way to and from PostgreSQL, in its binary form.

use bytes::BytesMut;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

use crate::platform::db::value::{ColumnType, Value};
use crate::platform::error::{DatabaseError, DatabaseResult};

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
