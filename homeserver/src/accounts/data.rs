//! Account data and room tags: what clients keep for a user across devices.

use ruma::UserId;
use ruma::api::client::config::{
    get_global_account_data, get_room_account_data, set_global_account_data, set_room_account_data,
};
use ruma::api::client::tag::{create_tag, delete_tag, get_tags};
use rusqlite::{Connection, params};
use serde_json::{Value, json};

use crate::error::{Error, Result};
use crate::http::{Call, Endpoint, Reply, Routes, empty, ok};
use crate::store::events::find_room;
use crate::store::{Tx, find};

const TAG: &str = "m.tag";
/// Types that clients may read here but that have endpoints of their own to change them.
const SERVER_MANAGED: [&str; 2] = ["m.push_rules", "m.fully_read"];

pub fn routes(routes: Routes) -> Routes {
    routes
        .serve(async |call: Call<get_global_account_data::v3::Request>| {
            let kind = call.body.event_type.to_string();
            get(&call, &call.body.user_id, None, kind).await
        })
        .serve(async |call: Call<get_room_account_data::v3::Request>| {
            let (kind, room) = (call.body.event_type.to_string(), call.body.room_id.to_string());
            get(&call, &call.body.user_id, Some(room), kind).await
        })
        .serve(async |call: Call<set_global_account_data::v3::Request>| {
            let (body, kind) = (&call.body, call.body.event_type.to_string());
            set(&call, &body.user_id, None, kind, body.data.json().get()).await
        })
        .serve(async |call: Call<set_room_account_data::v3::Request>| {
            let (body, kind) = (&call.body, call.body.event_type.to_string());
            let room = body.room_id.to_string();
            set(&call, &body.user_id, Some(room), kind, body.data.json().get()).await
        })
        .serve(async |call: Call<get_tags::v3::Request>| {
            call.only_self(&call.body.user_id)?;
            let (me, room_id) = (call.user()?, call.body.room_id.to_string());
            let tags = call.hs.store.read(move |conn| {
                let room = get_room(conn, Some(&room_id))?;
                Ok(find_data(conn, &me, room, TAG)?.unwrap_or_else(|| json!({"tags": {}})))
            });
            ok(tags.await?)
        })
        .serve(async |call: Call<create_tag::v3::Request>| {
            let (tag, info) = (call.body.tag.clone(), serde_json::to_value(&call.body.tag_info)?);
            tag_room(&call, &call.body.user_id, call.body.room_id.to_string(), tag, Some(info))
                .await
        })
        .serve(async |call: Call<delete_tag::v3::Request>| {
            let tag = call.body.tag.clone();
            tag_room(&call, &call.body.user_id, call.body.room_id.to_string(), tag, None).await
        })
}

fn get_room(conn: &Connection, room_id: Option<&str>) -> Result<i64> {
    match room_id {
        Some(id) => find_room(conn, id)?.ok_or_else(|| Error::not_found("Unknown room")),
        None => Ok(0),
    }
}

/// Account data of a user; `room` is 0 for what belongs to no room.
pub fn find_data(conn: &Connection, user: &str, room: i64, kind: &str) -> Result<Option<Value>> {
    let sql = "SELECT content FROM account_data WHERE user = ?1 AND room = ?2 AND type = ?3";
    let text: Option<String> = find(conn, sql, params![user, room, kind], |row| row.get(0))?;
    Ok(text.map(|text| serde_json::from_str(&text)).transpose()?)
}

pub fn set_data(tx: &mut Tx<'_>, user: &str, room: i64, kind: &str, content: &str) -> Result<()> {
    let seq = tx.next_seq();
    let sql = "INSERT OR REPLACE INTO account_data VALUES (?1, ?2, ?3, ?4, ?5)";
    tx.execute(sql, params![user, room, kind, content, seq])?;
    tx.wake_user(user);
    Ok(())
}

async fn get<T>(call: &Call<T>, user: &UserId, room_id: Option<String>, kind: String) -> Reply {
    call.only_self(user)?;
    let me = call.user()?;
    let found = call.hs.store.read(move |conn| {
        let room = get_room(conn, room_id.as_deref())?;
        find_data(conn, &me, room, &kind)
    });
    ok(found.await?.ok_or_else(|| Error::not_found("Account data not found"))?)
}

async fn set<T>(
    call: &Call<T>,
    user: &UserId,
    room_id: Option<String>,
    kind: String,
    content: &str,
) -> Reply {
    call.only_self(user)?;
    if SERVER_MANAGED.contains(&kind.as_str()) {
        let text = format!("Cannot set {kind} through this API.");
        let status = http::StatusCode::METHOD_NOT_ALLOWED;
        return Err(Error::new(status, "M_BAD_JSON", text));
    }
    let (me, content) = (call.user()?, content.to_owned());
    call.hs
        .store
        .write(move |tx| {
            let room = get_room(tx.conn, room_id.as_deref())?;
            set_data(tx, &me, room, &kind, &content)
        })
        .await?;
    empty()
}

async fn tag_room<T>(
    call: &Call<T>,
    user: &UserId,
    room_id: String,
    tag: String,
    info: Option<Value>,
) -> Reply {
    call.only_self(user)?;
    let me = call.user()?;
    call.hs
        .store
        .write(move |tx| {
            let room = get_room(tx.conn, Some(&room_id))?;
            let mut data =
                find_data(tx.conn, &me, room, TAG)?.unwrap_or_else(|| json!({"tags": {}}));
            if let Some(tags) = data.get_mut("tags").and_then(Value::as_object_mut) {
                match info {
                    Some(info) => tags.insert(tag, info),
                    None => tags.remove(&tag),
                };
            }
            set_data(tx, &me, room, TAG, &data.to_string())
        })
        .await?;
    empty()
}
