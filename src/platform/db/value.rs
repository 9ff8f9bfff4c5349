//! What travels between Rust and a column, in either direction.
//!
//! A type becomes storable by two small impls, [`ToColumn`] and [`FromColumn`], which name no engine;
//! [`column!`](super::column) and its sisters write them for newtypes and enums.

use crate::platform::clock::Timestamp;
use crate::platform::error::{DatabaseError, DatabaseResult};

/// One value, borrowed from a parameter or from a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'a> {
    Null,
    Integer(i64),
    Text(&'a str),
    Blob(&'a [u8]),
}

/// The column types both engines share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    Integer,
    Text,
    Blob,
}

pub trait ToColumn {
    /// Known without a value, so that PostgreSQL is told the type of a `None` too.
    const COLUMN_TYPE: ColumnType;
    fn to_value(&self) -> Value<'_>;
}

pub trait FromColumn: Sized {
    fn from_value(value: Value<'_>) -> DatabaseResult<Self>;
}

/// A parameter of a statement; every [`ToColumn`] is one.
pub trait SqlParam {
    fn column_type(&self) -> ColumnType;
    fn value(&self) -> Value<'_>;
}

pub type SqlParams<'a> = &'a [&'a dyn SqlParam];

impl<T: ToColumn> SqlParam for T {
    fn column_type(&self) -> ColumnType {
        T::COLUMN_TYPE
    }

    fn value(&self) -> Value<'_> {
        self.to_value()
    }
}

/// Used by [`params!`](super::params) to forget a parameter's type.
#[doc(hidden)]
pub fn param<T: SqlParam>(value: &T) -> &dyn SqlParam {
    value
}

/// The error of a column that holds something else than the program expects.
pub fn mismatch<T>(expected: &str, found: Value<'_>) -> DatabaseResult<T> {
    // The kind only: the value may be somebody's phone number.
    let found = match found {
        Value::Null => "NULL",
        Value::Integer(_) => "an integer",
        Value::Text(_) => "a text",
        Value::Blob(_) => "bytes",
    };
    Err(DatabaseError::Mismatch(format!("a column holds {found} where {expected} is expected")))
}

impl<T: ToColumn + ?Sized> ToColumn for &T {
    const COLUMN_TYPE: ColumnType = T::COLUMN_TYPE;
    fn to_value(&self) -> Value<'_> {
        (**self).to_value()
    }
}

impl<T: ToColumn> ToColumn for Option<T> {
    const COLUMN_TYPE: ColumnType = T::COLUMN_TYPE;
    fn to_value(&self) -> Value<'_> {
        self.as_ref().map_or(Value::Null, ToColumn::to_value)
    }
}

impl<T: FromColumn> FromColumn for Option<T> {
    fn from_value(value: Value<'_>) -> DatabaseResult<Self> {
        match value {
            Value::Null => Ok(None),
            present => T::from_value(present).map(Some),
        }
    }
}

impl ToColumn for i64 {
    const COLUMN_TYPE: ColumnType = ColumnType::Integer;
    fn to_value(&self) -> Value<'_> {
        Value::Integer(*self)
    }
}

impl FromColumn for i64 {
    fn from_value(value: Value<'_>) -> DatabaseResult<Self> {
        match value {
            Value::Integer(number) => Ok(number),
            other => mismatch("an integer", other),
        }
    }
}

/// Stored as 0 and 1, because SQLite has no other booleans.
impl ToColumn for bool {
    const COLUMN_TYPE: ColumnType = ColumnType::Integer;
    fn to_value(&self) -> Value<'_> {
        Value::Integer(i64::from(*self))
    }
}

impl FromColumn for bool {
    fn from_value(value: Value<'_>) -> DatabaseResult<Self> {
        match value {
            Value::Integer(0) => Ok(false),
            Value::Integer(1) => Ok(true),
            other => mismatch("0 or 1", other),
        }
    }
}

impl ToColumn for Timestamp {
    const COLUMN_TYPE: ColumnType = ColumnType::Integer;
    fn to_value(&self) -> Value<'_> {
        Value::Integer(self.as_millis())
    }
}

impl FromColumn for Timestamp {
    fn from_value(value: Value<'_>) -> DatabaseResult<Self> {
        i64::from_value(value).map(Self::from_millis)
    }
}

impl ToColumn for str {
    const COLUMN_TYPE: ColumnType = ColumnType::Text;
    fn to_value(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl ToColumn for String {
    const COLUMN_TYPE: ColumnType = ColumnType::Text;
    fn to_value(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl FromColumn for String {
    fn from_value(value: Value<'_>) -> DatabaseResult<Self> {
        match value {
            Value::Text(text) => Ok(text.to_owned()),
            other => mismatch("a text", other),
        }
    }
}

impl ToColumn for [u8] {
    const COLUMN_TYPE: ColumnType = ColumnType::Blob;
    fn to_value(&self) -> Value<'_> {
        Value::Blob(self)
    }
}

impl ToColumn for Vec<u8> {
    const COLUMN_TYPE: ColumnType = ColumnType::Blob;
    fn to_value(&self) -> Value<'_> {
        Value::Blob(self)
    }
}

impl FromColumn for Vec<u8> {
    fn from_value(value: Value<'_>) -> DatabaseResult<Self> {
        match value {
            Value::Blob(bytes) => Ok(bytes.to_vec()),
            other => mismatch("bytes", other),
        }
    }
}

impl<const N: usize> ToColumn for [u8; N] {
    const COLUMN_TYPE: ColumnType = ColumnType::Blob;
    fn to_value(&self) -> Value<'_> {
        Value::Blob(self)
    }
}

/// `params![a, b]`: the values of `$1`, `$2`.
#[doc(hidden)]
#[macro_export]
macro_rules! db_params {
    ($($value:expr),* $(,)?) => { &[$($crate::platform::db::param(&$value)),*] };
}

/// `column!(UserId as i64)`: stores a tuple newtype as what it wraps, which is trusted when read back.
/// Call it where field 0 is visible.
#[doc(hidden)]
#[macro_export]
macro_rules! db_column {
    ($newtype:ident as $inner:ty) => {
        impl $crate::platform::db::ToColumn for $newtype {
            const COLUMN_TYPE: $crate::platform::db::ColumnType =
                <$inner as $crate::platform::db::ToColumn>::COLUMN_TYPE;
            fn to_value(&self) -> $crate::platform::db::Value<'_> {
                $crate::platform::db::ToColumn::to_value(&self.0)
            }
        }
        impl $crate::platform::db::FromColumn for $newtype {
            fn from_value(
                value: $crate::platform::db::Value<'_>,
            ) -> ::std::result::Result<Self, $crate::platform::error::DatabaseError> {
                <$inner as $crate::platform::db::FromColumn>::from_value(value).map($newtype)
            }
        }
    };
}

/// `text_column!(Phone)`: stores a newtype around a `String`.
#[doc(hidden)]
#[macro_export]
macro_rules! db_text_column {
    ($newtype:ident) => {
        $crate::platform::db::column!($newtype as ::std::string::String);
    };
}

/// `enum_column!(State { Ready = "ready", Dead = "dead" })`: stores an enum without fields by name.
#[doc(hidden)]
#[macro_export]
macro_rules! db_enum_column {
    ($name:ident { $($variant:ident = $text:literal),+ $(,)? }) => {
        impl $crate::platform::db::ToColumn for $name {
            const COLUMN_TYPE: $crate::platform::db::ColumnType = $crate::platform::db::ColumnType::Text;
            fn to_value(&self) -> $crate::platform::db::Value<'_> {
                $crate::platform::db::Value::Text(match self { $(Self::$variant => $text),+ })
            }
        }
        impl $crate::platform::db::FromColumn for $name {
            fn from_value(
                value: $crate::platform::db::Value<'_>,
            ) -> ::std::result::Result<Self, $crate::platform::error::DatabaseError> {
                match value {
                    $($crate::platform::db::Value::Text($text) => Ok(Self::$variant),)+
                    other => $crate::platform::db::mismatch(concat!("a ", stringify!($name)), other),
                }
            }
        }
    };
}
