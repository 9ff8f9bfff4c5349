//! Lists too long to hold: written to the client row by row, as the database yields them.
//!
//! Owns: the JSON around streamed rows and the size of the chunks.
//! Invariants: memory is bounded by a chunk and the channel, whatever the length of the list; a list that breaks off midway
//! ends the connection, so that it cannot be mistaken for a whole one.

use axum::body::Body;
use axum::response::Response;
use http::{HeaderValue, header};
use serde::Serialize;

use crate::db::{Chunks, Sink};
use crate::error::{Error, Result};

const CHUNK_BYTES: usize = 16 * 1024;

/// Collects rows into chunks.
pub struct ArrayWriter<'a> {
    sink: &'a mut Sink,
    buffer: Vec<u8>,
    is_first: bool,
}

impl ArrayWriter<'_> {
    pub fn push(&mut self, row: &impl Serialize) -> Result<()> {
        if !std::mem::take(&mut self.is_first) {
            self.buffer.push(b',');
        }
        serde_json::to_writer(&mut self.buffer, row).map_err(Error::internal)?;
        if self.buffer.len() >= CHUNK_BYTES { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        let full = std::mem::replace(&mut self.buffer, Vec::with_capacity(CHUNK_BYTES));
        self.sink.send(full.into())
    }
}

/// Writes `{"data": [rows]}`.
pub fn array(sink: &mut Sink, rows: impl FnOnce(&mut ArrayWriter<'_>) -> Result<()>) -> Result<()> {
    array_with(sink, "", rows)
}

/// Writes `{"data": [rows], "meta": ...}`.
pub fn array_with_meta(
    sink: &mut Sink,
    meta: &impl Serialize,
    rows: impl FnOnce(&mut ArrayWriter<'_>) -> Result<()>,
) -> Result<()> {
    let meta = serde_json::to_string(meta).map_err(Error::internal)?;
    array_with(sink, &format!(",\"meta\":{meta}"), rows)
}

fn array_with(
    sink: &mut Sink,
    tail: &str,
    rows: impl FnOnce(&mut ArrayWriter<'_>) -> Result<()>,
) -> Result<()> {
    let mut writer = ArrayWriter { sink, buffer: b"{\"data\":[".to_vec(), is_first: true };
    rows(&mut writer)?;
    writer.buffer.extend_from_slice(format!("]{tail}}}").as_bytes());
    writer.flush()
}

/// The answer that carries the chunks.
pub fn response(chunks: Chunks) -> Response {
    let mut response = Response::new(Body::from_stream(chunks));
    let kind = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}
