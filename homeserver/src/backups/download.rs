//! The keys of a backup, as they are told. All of them can be many: they are read a part at a time, when the reader has taken the
//! part before.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::BoxError;
use axum::body::{Body, HttpBody};
use axum::response::Response;
use bytes::Bytes;
use http::{HeaderValue, header};
use http_body::Frame;
use ruma::api::client::backup::{
    get_backup_keys, get_backup_keys_for_room, get_backup_keys_for_session,
};
use rusqlite::{Connection, params};
use serde_json::value::RawValue;

use super::Tally;
use crate::Hs;
use crate::budget::{BACKUP_PART_BYTES, BACKUP_SENDING_BYTES};
use crate::error::{Error, Result};
use crate::held::{Held, Share};
use crate::http::{Call, Caller, Look, Reply, Routes, bytes_answer};
use crate::store::{Turn, find, tuple};

pub fn routes(routes: Routes) -> Routes {
    routes
        .serve(async |call: Call<get_backup_keys::v3::Request>| {
            download(&call.hs, call.me()?, &call.body.version, None).await
        })
        .serve(async |call: Call<get_backup_keys_for_room::v3::Request>| {
            let room = call.body.room_id.to_string();
            download(&call.hs, call.me()?, &call.body.version, Some(room)).await
        })
        .look(find_key)
}

fn find_key(
    look: &Look<'_>,
    body: get_backup_keys_for_session::v3::Request,
) -> Result<Box<RawValue>> {
    let backup = Tally::get(look.conn, look.me.id(), &body.version)?;
    let sql =
        "SELECT told FROM backed_up_keys WHERE version = ?1 AND room_id = ?2 AND session = ?3";
    let place = params![backup.version, body.room_id.as_str(), body.session_id];
    let told: Option<String> = find(look.conn, sql, place, |row| row.get(0))?;
    let told = told.ok_or_else(|| Error::not_found("No room keys found"))?;
    Ok(RawValue::from_string(told)?)
}

async fn download(hs: &Arc<Hs>, me: &Caller, version: &str, room: Option<String>) -> Reply {
    let (user, version) = (me.id().to_owned(), version.to_owned());
    let begin = move |conn: &Connection| {
        let version = Tally::get(conn, &user, &version)?.version;
        Keys { version, room, last: None }.read(conn)
    };
    let first = hs.store.read_in(me.turn(), begin).await?;
    let Some(rest) = first.rest else { return bytes_answer(hs, me, first.json) };
    let share = hs.answers.take(Some(me), BACKUP_SENDING_BYTES)?;
    let mut sending = Sending { hs: hs.clone(), turn: me.turn(), part: None, _share: share };
    sending.part = Some(Box::pin(async { Ok(Part { json: first.json, rest: Some(rest) }) }));
    let mut response: Response = Held::counted(Body::new(sending));
    let kind = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    Ok(response)
}

/// Where an answer has come to in the keys of a version.
struct Keys {
    version: i64,
    /// Of one room, or of all.
    room: Option<String>,
    /// The room and the session that were told last.
    last: Option<(String, String)>,
}

/// A part of an answer, and what comes after it.
struct Part {
    json: Vec<u8>,
    rest: Option<Keys>,
}

impl Keys {
    /// The next part. A version that is deleted meanwhile ends there; its number is nobody else's.
    fn read(mut self, conn: &Connection) -> Result<Part> {
        let sql = "SELECT room_id, session, told FROM backed_up_keys
                   WHERE version = ?1 AND (room_id, session) > (?2, ?3)
                   ORDER BY room_id, session";
        let mut json = Vec::new();
        if self.last.is_none() {
            json.extend_from_slice(if self.room.is_some() {
                br#"{"sessions":{"#
            } else {
                br#"{"rooms":{"#
            });
        }
        let (room, session) = self
            .last
            .clone()
            .unwrap_or_else(|| (self.room.clone().unwrap_or_default(), String::new()));
        let mut statement = conn.prepare_cached(sql)?;
        let mut rows = statement.query(params![self.version, room, session])?;
        while let Some(row) = rows.next()? {
            let (room, session, told): (String, String, String) = tuple(row)?;
            if self.room.as_ref().is_some_and(|only| *only != room) {
                break;
            }
            self.write(&mut json, &room, &session, &told)?;
            self.last = Some((room, session));
            if json.len() >= BACKUP_PART_BYTES {
                return Ok(Part { json, rest: Some(self) });
            }
        }
        let ends: &[u8] = match (&self.room, &self.last) {
            (None, Some(_)) => b"}}}}",
            _ => b"}}",
        };
        json.extend_from_slice(ends);
        Ok(Part { json, rest: None })
    }

    fn write(&self, json: &mut Vec<u8>, room: &str, session: &str, told: &str) -> Result<()> {
        match &self.last {
            Some((last, _)) if last == room => json.push(b','),
            last => {
                if self.room.is_none() {
                    json.extend_from_slice(if last.is_some() { b"}}," } else { b"" });
                    serde_json::to_writer(&mut *json, room)?;
                    json.extend_from_slice(br#":{"sessions":{"#);
                }
            }
        }
        serde_json::to_writer(&mut *json, session)?;
        json.push(b':');
        json.extend_from_slice(told.as_bytes());
        Ok(())
    }
}

type Reading = Pin<Box<dyn Future<Output = Result<Part>> + Send>>;

/// An answer that is read as it is sent.
struct Sending {
    hs: Arc<Hs>,
    turn: Turn,
    /// The part that comes next. It is not read before it is asked for.
    part: Option<Reading>,
    _share: Option<Share>,
}

impl HttpBody for Sending {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<std::result::Result<Frame<Bytes>, BoxError>>> {
        let Some(part) = &mut self.part else { return Poll::Ready(None) };
        let outcome = ready!(part.as_mut().poll(context));
        self.part = None;
        // The head was sent long ago: all that is left is to break off.
        let Ok(Part { json, rest }) = outcome else {
            return Poll::Ready(Some(Err("the rest cannot be read".into())));
        };
        if let Some(keys) = rest {
            let (hs, turn) = (self.hs.clone(), self.turn);
            let read = async move { hs.store.read_in(turn, move |conn| keys.read(conn)).await };
            self.part = Some(Box::pin(read));
        }
        Poll::Ready(Some(Ok(Frame::data(json.into()))))
    }
}
