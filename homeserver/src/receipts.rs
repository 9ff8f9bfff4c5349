//! Read receipts, read markers and typing notices.

use std::time::Duration;

use ruma::api::client::presence::{get_presence, set_presence};
use ruma::api::client::read_marker::set_read_marker;
use ruma::api::client::receipt::create_receipt;
use ruma::api::client::typing::create_typing_event;
use ruma::{RoomId, UserId};
use rusqlite::params;
use serde_json::json;

use crate::accounts::data::set_data;
use crate::error::{Error, Result};
use crate::http::{Call, Endpoint, Reply, Routes, empty, ok};
use crate::store::events::{find_event, find_room, is_joined};
use crate::store::{Tx, find};

const FULLY_READ: &str = "m.fully_read";
const TYPING_MAX: Duration = Duration::from_secs(120);

pub fn routes(routes: Routes) -> Routes {
    routes
        .serve(async |call: Call<create_receipt::v3::Request>| {
            call.limit_messages()?;
            let me = call.me()?.user.clone();
            let body = call.body;
            let thread = body.thread.as_str().unwrap_or_default().to_owned();
            let kind = body.receipt_type.to_string();
            if !["m.read", "m.read.private", FULLY_READ].contains(&kind.as_str()) {
                return Err(Error::bad_request("M_UNKNOWN", "Not a type of receipt"));
            }
            let marks = vec![(kind, body.event_id.to_string())];
            let mark = move |tx: &mut Tx<'_>| mark(tx, &body.room_id, &me, &thread, &marks);
            call.hs.store.write(mark).await?;
            empty()
        })
        .serve(async |call: Call<set_read_marker::v3::Request>| {
            call.limit_messages()?;
            let me = call.me()?.user.clone();
            let body = call.body;
            let marks = [
                (FULLY_READ, &body.fully_read),
                ("m.read", &body.read_receipt),
                ("m.read.private", &body.private_read_receipt),
            ];
            let marks: Vec<_> = marks
                .into_iter()
                .filter_map(|(kind, id)| Some((kind.to_owned(), id.as_ref()?.to_string())))
                .collect();
            let mark = move |tx: &mut Tx<'_>| mark(tx, &body.room_id, &me, "", &marks);
            call.hs.store.write(mark).await?;
            empty()
        })
        .serve(typing)
        // Presence is left out; clients that set it are told so kindly, not by an error.
        .serve(async |_: Call<set_presence::v3::Request>| empty())
        .serve(async |_: Call<get_presence::v3::Request>| ok(json!({"presence": "offline"})))
}

fn get_joined(tx: &Tx<'_>, room_id: &RoomId, user: &UserId) -> Result<i64> {
    match find_room(tx.conn, room_id.as_str())? {
        Some(room) if is_joined(tx.conn, room, user.as_str())? => Ok(room),
        _ => Err(Error::forbidden(format!("User {user} not in room {room_id}"))),
    }
}

/// Moves read positions forward. A position further back than the last one is ignored.
fn mark(
    tx: &mut Tx<'_>,
    room_id: &RoomId,
    user: &UserId,
    thread: &str,
    marks: &[(String, String)],
) -> Result<()> {
    let room = get_joined(tx, room_id, user)?;
    for (kind, event_id) in marks {
        let event = find_event(tx.conn, event_id)?.filter(|event| event.room == room);
        let Some(event) = event else { continue };
        if kind == FULLY_READ {
            let content = json!({"event_id": event_id}).to_string();
            set_data(tx, user.as_str(), room, FULLY_READ, &content)?;
            continue;
        }
        let sql = "SELECT event_seq FROM receipts
                   WHERE room = ?1 AND user = ?2 AND kind = ?3 AND thread = ?4";
        let key = params![room, user.as_str(), kind, thread];
        let before: Option<i64> = find(tx.conn, sql, key, |row| row.get(0))?;
        if before.is_some_and(|before| before >= event.seq) {
            continue;
        }
        let seq = tx.next_seq();
        let sql = "INSERT OR REPLACE INTO receipts VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        let row = params![room, user.as_str(), kind, thread, event_id, event.seq, tx.now, seq];
        tx.execute(sql, row)?;
        if kind == "m.read" {
            tx.wake_room(room, seq);
        } else {
            tx.wake_user(user.as_str());
            tx.note_room(room, seq);
        }
    }
    Ok(())
}

async fn typing(call: Call<create_typing_event::v3::Request>) -> Reply {
    use create_typing_event::v3::Typing;
    call.only_self(&call.body.user_id)?;
    call.limit_messages()?;
    let (me, room_id) = (call.me()?.user.clone(), call.body.room_id.clone());
    let user = me.to_string();
    let room = call
        .hs
        .store
        .read(move |conn| match find_room(conn, room_id.as_str())? {
            Some(room) if is_joined(conn, room, me.as_str())? => Ok(room),
            _ => Err(Error::forbidden(format!("User {me} not in room {room_id}"))),
        })
        .await?;
    let Typing::Yes(info) = &call.body.state else {
        call.hs.live.set_typing(room, &user, None);
        return empty();
    };
    let lasts = info.timeout.min(TYPING_MAX);
    let until = call.hs.now() + i64::try_from(lasts.as_millis()).unwrap_or(0);
    call.hs.live.set_typing(room, &user, Some(until));
    let live = call.hs.live.clone();
    tokio::spawn(async move {
        tokio::time::sleep(lasts).await;
        live.expire_typing(room, &user, until);
    });
    empty()
}
