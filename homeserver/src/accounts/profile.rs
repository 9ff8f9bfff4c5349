//! Display names and avatars. A change shows in every room as a new `join` event. Names of people are told to users only.

use ruma::UserId;
use ruma::api::client::profile::{
    get_avatar_url, get_display_name, get_profile, set_avatar_url, set_display_name,
};
use rusqlite::params;
use serde_json::json;

use crate::Hs;
use crate::error::{Error, Result};
use crate::http::{Call, Caller, Done, Routes, ok, with};
use crate::rooms::append::{NewEvent, append};
use crate::rooms::membership::{list_rooms, member_content};
use crate::store::{Turn, Tx, find, tuple};

const NAME_MAX_CHARS: usize = 256;
const URL_MAX_BYTES: usize = 1_000;

pub fn routes(routes: Routes) -> Routes {
    routes
        .serve_users(async |call: Call<get_profile::v3::Request>| {
            let (name, avatar) = profile(&call.hs, call.turn(), &call.body.user_id).await?;
            ok(with(with(json!({}), "displayname", name), "avatar_url", avatar))
        })
        .serve_users(async |call: Call<get_display_name::v3::Request>| {
            let (name, _) = profile(&call.hs, call.turn(), &call.body.user_id).await?;
            ok(with(json!({}), "displayname", name))
        })
        .serve_users(async |call: Call<get_avatar_url::v3::Request>| {
            let (_, avatar) = profile(&call.hs, call.turn(), &call.body.user_id).await?;
            ok(with(json!({}), "avatar_url", avatar))
        })
        .send(|tx, me, body: set_display_name::v3::Request| {
            let name = body.displayname.filter(|name| !name.is_empty());
            if name.as_ref().is_some_and(|name| name.chars().count() > NAME_MAX_CHARS) {
                return Err(Error::bad_request("M_UNKNOWN", "Displayname is too long (max 256)"));
            }
            change(tx, me, &body.user_id, "displayname", name)
        })
        .send(|tx, me, body: set_avatar_url::v3::Request| {
            let url = body.avatar_url.map(|url| url.to_string()).filter(|url| !url.is_empty());
            if url.as_ref().is_some_and(|url| url.len() > URL_MAX_BYTES) {
                return Err(Error::bad_request("M_UNKNOWN", "Avatar URL is too long (max 1000)"));
            }
            change(tx, me, &body.user_id, "avatar_url", url)
        })
}

/// Display name and avatar.
async fn profile(hs: &Hs, turn: Turn, user: &UserId) -> Result<(Option<String>, Option<String>)> {
    let user = user.to_string();
    let sql = "SELECT displayname, avatar_url FROM users WHERE user = ?1";
    let found = hs.store.read_in(turn, move |conn| find(conn, sql, [user], tuple)).await?;
    found.ok_or_else(|| Error::not_found("Profile was not found"))
}

/// Changes one column of the profile and shows it in every joined room.
fn change(
    tx: &mut Tx<'_>,
    me: &Caller,
    target: &UserId,
    column: &'static str,
    value: Option<String>,
) -> Result<Done> {
    me.only_self(target)?;
    // The application service's own account may never have been registered.
    let sql = "INSERT OR IGNORE INTO users (user, created_at) VALUES (?1, ?2)";
    tx.execute(sql, params![me.id(), tx.now])?;
    let sql = format!("UPDATE users SET {column} = ?2 WHERE user = ?1");
    tx.execute(&sql, params![me.id(), value])?;
    for room in list_rooms(tx.conn, me.id(), "'join'")? {
        let content = member_content(tx.conn, &me.user, "join", None)?;
        append(tx, &room, &me.user, NewEvent::member(me.id(), content))?;
    }
    Ok(Done {})
}
