//! Rows on their way from one database to the other: the shape of a table, and the text that carries its rows.

use rusqlite::types::Value;

use crate::platform::error::{DatabaseError, DatabaseResult};
use crate::platform::keys;

pub struct Table {
    pub name: String,
    pub columns: Vec<Column>,
    /// The positions of its key's columns, in the order of the key.
    pub key: Vec<usize>,
}

pub struct Column {
    pub name: String,
    pub sort: Sort,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    Integer,
    Text,
    Bytes,
}

pub struct Key(pub Vec<Value>);

impl Table {
    pub fn key_columns(&self) -> impl Iterator<Item = &Column> {
        self.key.iter().filter_map(|position| self.columns.get(*position))
    }

    pub fn column_list(&self, prefix: &str) -> String {
        let names = self.columns.iter().map(|column| format!("{prefix}{}", column.name));
        names.collect::<Vec<_>>().join(", ")
    }

    pub fn key_list(&self, prefix: &str) -> String {
        let names = self.key_columns().map(|column| format!("{prefix}{}", column.name));
        names.collect::<Vec<_>>().join(", ")
    }

    /// A key as a JSON array; bytes in hexadecimal.
    pub fn write_key(&self, key: &Key) -> String {
        let part = |value: &Value| match value {
            Value::Integer(number) => serde_json::Value::from(*number),
            Value::Text(text) => serde_json::Value::from(text.as_str()),
            Value::Blob(bytes) => serde_json::Value::from(keys::hex(bytes)),
            Value::Null | Value::Real(_) => serde_json::Value::Null,
        };
        serde_json::Value::Array(key.0.iter().map(part).collect()).to_string()
    }

    pub fn read_key(&self, text: &str) -> DatabaseResult<Key> {
        let strange = || DatabaseError::Other(format!("a key of {} is not one", self.name));
        let parts: Vec<serde_json::Value> = serde_json::from_str(text).map_err(|_| strange())?;
        let read = |(part, column): (&serde_json::Value, &Column)| match column.sort {
            Sort::Integer => part.as_i64().map(Value::Integer),
            Sort::Text => part.as_str().map(|text| Value::Text(text.to_owned())),
            Sort::Bytes => part.as_str().and_then(keys::unhex).map(Value::Blob),
        };
        let key: Option<Vec<Value>> = parts.iter().zip(self.key_columns()).map(read).collect();
        key.filter(|key| key.len() == self.key.len()).map(Key).ok_or_else(strange)
    }
}

/// Rows as PostgreSQL's COPY writes and reads them: a line each, its columns apart by tabs.
#[derive(Default)]
pub struct Lines {
    pub text: Vec<u8>,
    pub rows: u64,
    is_inside: bool,
}

impl Lines {
    fn next_column(&mut self) {
        if self.is_inside {
            self.text.push(b'\t');
        }
        self.is_inside = true;
    }

    pub fn null(&mut self) {
        self.next_column();
        self.text.extend_from_slice(b"\\N");
    }

    pub fn number(&mut self, number: i64) {
        self.next_column();
        self.text.extend_from_slice(number.to_string().as_bytes());
    }

    pub fn text(&mut self, text: &[u8]) {
        self.next_column();
        for byte in text {
            let letter = match byte {
                b'\\' => b'\\',
                0x08 => b'b',
                0x0c => b'f',
                b'\n' => b'n',
                b'\r' => b'r',
                b'\t' => b't',
                0x0b => b'v',
                other => {
                    self.text.push(*other);
                    continue;
                }
            };
            self.text.extend_from_slice(&[b'\\', letter]);
        }
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.next_column();
        self.text.extend_from_slice(b"\\\\x");
        self.text.extend_from_slice(keys::hex(bytes).as_bytes());
    }

    pub fn end_row(&mut self) {
        self.text.push(b'\n');
        self.rows += 1;
        self.is_inside = false;
    }
}
