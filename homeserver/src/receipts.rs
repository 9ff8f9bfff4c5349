//! Read receipts, read markers and typing notices.

use std::time::Duration;

use ruma::api::client::presence::{get_presence, set_presence};
use ruma::api::client::read_marker::set_read_marker;
use ruma::api::client::receipt::create_receipt;
use ruma::api::client::typing::create_typing_event;
use ruma::events::receipt::ReceiptThread;
use ruma::{OwnedEventId, RoomId};
use rusqlite::{Connection, params};
use serde_json::{Map, Value, json};

use crate::accounts::data::{find_data, set_data};
use crate::budget::THREAD_RECEIPTS;
use crate::error::{Error, Result};
use crate::http::{Call, Caller, Done, Reply, Routes, ok};
use crate::rooms::send::writable;
use crate::store::events::{Event, find_event, find_room, is_joined};
use crate::store::{Tx, find};

const FULLY_READ: &str = "m.fully_read";
/// What is in no thread.
const MAIN: &str = "main";
const TYPING_DEFAULT_MS: u64 = 30_000;
const TYPING_MAX: Duration = Duration::from_secs(120);

pub fn routes(routes: Routes) -> Routes {
    routes
        .send(|tx, me, body: create_receipt::v3::Request| {
            let kind = body.receipt_type.to_string();
            if !["m.read", "m.read.private", FULLY_READ].contains(&kind.as_str()) {
                return Err(Error::bad_request("M_UNKNOWN", "Not a type of receipt"));
            }
            let thread = body.thread.as_str().unwrap_or_default();
            let is_named = body.thread != ReceiptThread::Unthreaded;
            if is_named && (kind == FULLY_READ || thread.is_empty()) {
                return Err(Error::invalid_param("There is no such thread for this receipt"));
            }
            mark(tx, me, &body.room_id, thread, &[(&kind, Some(&body.event_id))])
        })
        .send(|tx, me, body: set_read_marker::v3::Request| {
            let marks = [
                (FULLY_READ, body.fully_read.as_ref()),
                ("m.read", body.read_receipt.as_ref()),
                ("m.read.private", body.private_read_receipt.as_ref()),
            ];
            mark(tx, me, &body.room_id, "", &marks)
        })
        .serve_mended(with_typing_timeout, typing)
        // Presence is left out; clients that set it are told so kindly, not by an error.
        .serve(async |_: Call<set_presence::v3::Request>| ok(Done {}))
        .serve(async |_: Call<get_presence::v3::Request>| ok(json!({"presence": "offline"})))
}

/// Moves read positions forward. A position further back than the last one is ignored.
fn mark(
    tx: &mut Tx<'_>,
    me: &Caller,
    room_id: &RoomId,
    thread: &str,
    marks: &[(&str, Option<&OwnedEventId>)],
) -> Result<Done> {
    let room = writable(tx, room_id, &me.user)?.key;
    for (kind, event_id) in marks {
        let Some(event_id) = event_id.map(|id| id.as_str()) else { continue };
        let event = find_event(tx.conn, event_id)?.filter(|event| event.room == room);
        let Some(event) = event else { continue };
        if !is_in_thread(&event, thread) {
            return Err(Error::invalid_param("The event is not in this thread"));
        }
        if *kind == FULLY_READ {
            let before = find_data(tx.conn, me.id(), room, FULLY_READ)?;
            let before = before.as_ref().and_then(|data| data.get("event_id")?.as_str());
            let before = before.map(|id| find_event(tx.conn, id)).transpose()?.flatten();
            if before.is_some_and(|before| before.seq >= event.seq) {
                continue;
            }
            let content = json!({"event_id": event_id}).to_string();
            set_data(tx, me.id(), room, FULLY_READ, &content)?;
            continue;
        }
        let sql = "SELECT event_seq FROM receipts
                   WHERE room = ?1 AND user = ?2 AND kind = ?3 AND thread = ?4";
        let key = params![room, me.id(), kind, thread];
        let before: Option<i64> = find(tx.conn, sql, key, |row| row.get(0))?;
        if before.is_some_and(|before| before >= event.seq) {
            continue;
        }
        let seq = tx.next_seq();
        let sql = "INSERT OR REPLACE INTO receipts VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        tx.execute(sql, params![room, me.id(), kind, thread, event_id, event.seq, tx.now, seq])?;
        if !["", MAIN].contains(&thread) {
            forget_threads(tx, room, me)?;
        }
        if *kind == "m.read" {
            tx.wake_room(room, seq);
            // Their unread counts are others now.
            tx.touch_user(me.id());
        } else {
            tx.wake_user(me.id());
            tx.note_room(room, seq);
        }
    }
    Ok(Done {})
}

/// Forgets where the user is in the threads that they read longest ago.
fn forget_threads(tx: &Tx<'_>, room: i64, me: &Caller) -> Result<()> {
    let sql = "DELETE FROM receipts WHERE room = ?1 AND user = ?2 AND thread NOT IN ('', ?3)
                 AND seq <= (SELECT seq FROM receipts
                             WHERE room = ?1 AND user = ?2 AND thread NOT IN ('', ?3)
                             ORDER BY seq DESC LIMIT 1 OFFSET ?4)";
    tx.execute(sql, params![room, me.id(), MAIN, THREAD_RECEIPTS]).map(drop)
}

/// Whether a receipt of `thread` can be for this event. A root is in its thread and in the main timeline.
fn is_in_thread(event: &Event, thread: &str) -> bool {
    match thread {
        "" => true,
        MAIN => event.thread.is_none(),
        root => event.thread.as_deref() == Some(root) || event.event_id == root,
    }
}

/// Whoever does not say for how long they type, types for a while. ruma wants to know.
#[allow(clippy::unnecessary_wraps)] // others refuse
fn with_typing_timeout(body: &mut Map<String, Value>) -> Result<()> {
    body.entry("timeout").or_insert_with(|| TYPING_DEFAULT_MS.into());
    Ok(())
}

async fn typing(call: Call<create_typing_event::v3::Request>) -> Reply {
    use create_typing_event::v3::Typing;
    let me = call.me()?.clone();
    me.only_self(&call.body.user_id)?;
    call.limit_messages()?;
    let (user, room_id) = (me.user.to_string(), call.body.room_id);
    let find = move |conn: &Connection| {
        let refusal = || Error::forbidden(format!("User {} not in room {room_id}", me.user));
        let room = find_room(conn, room_id.as_str())?.ok_or_else(refusal)?;
        if is_joined(conn, room, me.id())? { Ok(room) } else { Err(refusal()) }
    };
    let room = call.hs.store.read(find).await?;
    let Typing::Yes(info) = &call.body.state else {
        call.hs.live.set_typing(room, &user, None);
        return ok(Done {});
    };
    let lasts = info.timeout.min(TYPING_MAX);
    let until = call.hs.now() + i64::try_from(lasts.as_millis()).unwrap_or(0);
    call.hs.live.set_typing(room, &user, Some(until));
    let live = call.hs.live.clone();
    tokio::spawn(async move {
        tokio::time::sleep(lasts).await;
        live.expire_typing(room, &user, until);
    });
    ok(Done {})
}
