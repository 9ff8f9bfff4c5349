//! Lists of any length: a short one is answered whole, a long one is written to the client row by row, as the database yields it.
//!
//! Owns: the JSON around the rows, how many of them are short, and the size of the chunks.
//! Invariants: memory is bounded by [`SHORT`] rows, or a chunk and the channel, whatever the length of the list; a list that
//! breaks off midway ends the connection, so that it cannot be mistaken for a whole one.

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::{HeaderValue, header};
use serde::Serialize;

use super::page::Page;
use crate::platform::db::{Db, Reader, Sink, Tx};
use crate::platform::error::{Error, Result};

/// Rows that are held in memory: at least a page, and what most lists have. Long lists need threads and connections of their own,
/// of which there are few; short ones are reads like any other.
const SHORT: i64 = 200;
/// As many rows as tell whether a list is short.
pub const BEGINNING: Page = Page { number: 1, per_page: SHORT + 1 };
const CHUNK_BYTES: usize = 16 * 1024;

/// The answer on its way: `{"data": [rows]}`, or with a `meta` behind.
pub struct List<'a> {
    /// None while it is not known whether the list is short.
    client: Option<&'a mut Sink>,
    buffer: Vec<u8>,
    meta: Option<String>,
    rows: i64,
}

impl<'a> List<'a> {
    fn new(client: Option<&'a mut Sink>) -> Self {
        Self { client, buffer: b"{\"data\":[".to_vec(), meta: None, rows: 0 }
    }

    /// Which rows to read, if these are asked for: no more than tell whether the list is short.
    pub fn page(&self, asked: Option<Page>) -> Option<Page> {
        match self.client {
            None => asked.or(Some(BEGINNING)),
            Some(_) => asked,
        }
    }

    pub fn push(&mut self, row: &impl Serialize) -> Result<()> {
        if self.rows > 0 {
            self.buffer.push(b',');
        }
        self.rows += 1;
        serde_json::to_writer(&mut self.buffer, row).map_err(Error::internal)?;
        match &mut self.client {
            Some(sink) if self.buffer.len() >= CHUNK_BYTES => {
                let full = std::mem::replace(&mut self.buffer, Vec::with_capacity(CHUNK_BYTES));
                sink.send(full.into())
            }
            _ => Ok(()),
        }
    }

    /// How many rows there are so far: of a list that is read whole, in the end, all of them.
    pub const fn rows(&self) -> i64 {
        self.rows
    }

    pub fn set_meta(&mut self, meta: &impl Serialize) -> Result<()> {
        self.meta = Some(serde_json::to_string(meta).map_err(Error::internal)?);
        Ok(())
    }

    fn if_short(mut self) -> Option<Bytes> {
        (self.rows <= SHORT).then(|| self.end())
    }

    fn end(&mut self) -> Bytes {
        self.buffer.push(b']');
        if let Some(meta) = &self.meta {
            self.buffer.extend_from_slice(b",\"meta\":");
            self.buffer.extend_from_slice(meta.as_bytes());
        }
        self.buffer.extend_from_slice(b"}\n");
        std::mem::take(&mut self.buffer).into()
    }
}

/// Answers with the rows that `script` pushes. It runs a second time if they are many, so whatever it refuses is refused before
/// the answer has begun.
pub async fn respond<S: Script + Clone>(db: &Db, reader: Reader, script: S) -> Result<Response> {
    let short = read_short(db, reader, script.clone()).await?;
    answer(db, reader, short, script).await
}

/// What a list is read by.
pub trait Script: Fn(&mut Tx, &mut List<'_>) -> Result<()> + Send + 'static {}

impl<F: Fn(&mut Tx, &mut List<'_>) -> Result<()> + Send + 'static> Script for F {}

/// The whole list, unless it is long. For a user, a replica may have read it.
pub async fn read_short(
    db: &Db,
    reader: Reader,
    script: impl Script + Clone,
) -> Result<Option<Bytes>> {
    let read = move |tx: &mut Tx| {
        let mut list = List::new(None);
        script(tx, &mut list)?;
        Ok(list.if_short())
    };
    match reader.user {
        Some(user) => db.read_aside(user, read).await,
        None => db.read(read).await,
    }
}

/// The whole list of these rows, unless it is long.
pub fn short<R, V: Serialize>(
    meta: &impl Serialize,
    rows: Vec<R>,
    view: impl Fn(R) -> V,
) -> Result<Option<Bytes>> {
    let mut list = List::new(None);
    list.set_meta(meta)?;
    rows.into_iter().try_for_each(|row| list.push(&view(row)))?;
    Ok(list.if_short())
}

/// The answer with the list, which is read on the way if it is not short.
pub async fn answer(
    db: &Db,
    reader: Reader,
    short: Option<Bytes>,
    script: impl Script,
) -> Result<Response> {
    let body = match short {
        Some(whole) => Body::from(whole),
        None => {
            let rows = db.stream_aside(reader, move |tx, sink| {
                let mut list = List::new(Some(&mut *sink));
                script(tx, &mut list)?;
                let end = list.end();
                sink.send(end)
            });
            Body::from_stream(rows.await?)
        }
    };
    let mut response = Response::new(body);
    let kind = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    Ok(response)
}
