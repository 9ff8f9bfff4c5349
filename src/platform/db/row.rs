//! From a row of either engine to a Rust value.

use super::value::{FromColumn, Value};
use crate::platform::error::{DatabaseError, DatabaseResult};

/// One row, as its engine delivered it.
pub(super) enum Row<'a> {
    Sqlite(&'a rusqlite::Row<'a>),
    Postgres(&'a tokio_postgres::Row),
}

impl Row<'_> {
    fn value(&self, index: usize) -> DatabaseResult<Value<'_>> {
        match self {
            Row::Sqlite(row) => super::sqlite::value::value_of(row, index),
            Row::Postgres(row) => super::postgres::value::value_of(row, index),
        }
    }
}

/// The columns of a row, taken from left to right.
pub struct Columns<'a> {
    row: Row<'a>,
    next: usize,
}

impl<'a> Columns<'a> {
    pub(super) fn new(row: Row<'a>) -> Self {
        Self { row, next: 0 }
    }

    pub fn take<T: FromColumn>(&mut self) -> DatabaseResult<T> {
        let index = self.next;
        self.next = index.saturating_add(1);
        T::from_value(self.row.value(index)?).map_err(|error| match error {
            DatabaseError::Mismatch(text) => {
                DatabaseError::Mismatch(format!("column {index}: {text}"))
            }
            other => other,
        })
    }
}

/// Made from the next columns of a row: a single column, a tuple, a struct of [`row!`](super::row),
/// or these nested in each other.
pub trait FromRow: Sized {
    fn from_row(columns: &mut Columns<'_>) -> DatabaseResult<Self>;
}

impl<T: FromColumn> FromRow for T {
    fn from_row(columns: &mut Columns<'_>) -> DatabaseResult<Self> {
        columns.take()
    }
}

macro_rules! tuple_rows {
    ($(($($item:ident),+);)+) => {$(
        impl<$($item: FromRow),+> FromRow for ($($item,)+) {
            fn from_row(columns: &mut Columns<'_>) -> DatabaseResult<Self> {
                Ok(($($item::from_row(columns)?,)+))
            }
        }
    )+};
}

tuple_rows! {
    (A);
    (A, B);
    (A, B, C);
    (A, B, C, D);
    (A, B, C, D, E);
    (A, B, C, D, E, F);
    (A, B, C, D, E, F, G);
    (A, B, C, D, E, F, G, H);
}

/// `row! { pub struct X { a: i64, b: Option<String> } }`: a struct whose fields are the columns in
/// the order of the SELECT list.
#[doc(hidden)]
#[macro_export]
macro_rules! db_row {
    ($(#[$meta:meta])* $vis:vis struct $name:ident {
        $($(#[$field_meta:meta])* $field_vis:vis $field:ident : $type:ty),* $(,)?
    }) => {
        $(#[$meta])*
        $vis struct $name { $($(#[$field_meta])* $field_vis $field: $type),* }

        impl $crate::platform::db::FromRow for $name {
            fn from_row(
                columns: &mut $crate::platform::db::Columns<'_>,
            ) -> ::std::result::Result<Self, $crate::platform::error::DatabaseError> {
                Ok(Self { $($field: $crate::platform::db::FromRow::from_row(columns)?),* })
            }
        }
    };
}
