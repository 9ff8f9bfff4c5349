//! Display names and avatars. A change shows in every room as a new `join` event.

use ruma::api::client::profile::{
    get_avatar_url, get_display_name, get_profile, set_avatar_url, set_display_name,
};
use ruma::{OwnedRoomId, OwnedUserId, UserId};
use rusqlite::params;
use serde_json::{Map, Value};

use crate::error::{Error, Result};
use crate::http::{Call, Endpoint, Reply, Routes, empty, ok};
use crate::rooms::append::{NewEvent, Room, append};
use crate::rooms::membership::member_content;
use crate::store::{find, list};

const NAME_MAX_CHARS: usize = 256;
const URL_MAX_BYTES: usize = 1_000;

pub fn routes(routes: Routes) -> Routes {
    routes
        .serve(async |call: Call<get_profile::v3::Request>| {
            let user = call.body.user_id.clone();
            ok(profile(&call, user).await?)
        })
        .serve(async |call: Call<get_display_name::v3::Request>| {
            let user = call.body.user_id.clone();
            let mut profile = profile(&call, user).await?;
            profile.retain(|name, _| name == "displayname");
            ok(profile)
        })
        .serve(async |call: Call<get_avatar_url::v3::Request>| {
            let user = call.body.user_id.clone();
            let mut profile = profile(&call, user).await?;
            profile.retain(|name, _| name == "avatar_url");
            ok(profile)
        })
        .serve(async |call: Call<set_display_name::v3::Request>| {
            let name = call.body.displayname.clone().filter(|name| !name.is_empty());
            if name.as_ref().is_some_and(|name| name.chars().count() > NAME_MAX_CHARS) {
                return Err(Error::bad_request("M_UNKNOWN", "Displayname is too long (max 256)"));
            }
            change(&call, &call.body.user_id, "displayname", name).await
        })
        .serve(async |call: Call<set_avatar_url::v3::Request>| {
            let url = call.body.avatar_url.as_ref().map(ToString::to_string);
            let url = url.filter(|url| !url.is_empty());
            if url.as_ref().is_some_and(|url| url.len() > URL_MAX_BYTES) {
                return Err(Error::bad_request("M_UNKNOWN", "Avatar URL is too long (max 1000)"));
            }
            change(&call, &call.body.user_id, "avatar_url", url).await
        })
}

async fn profile<T>(call: &Call<T>, user: OwnedUserId) -> Result<Map<String, Value>> {
    let found = call
        .hs
        .store
        .read(move |conn| {
            let sql = "SELECT displayname, avatar_url FROM users WHERE user = ?1";
            find(conn, sql, [user.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))
        })
        .await?;
    let (name, avatar): (Option<String>, Option<String>) =
        found.ok_or_else(|| Error::not_found("Profile was not found"))?;
    let mut profile = Map::new();
    profile.extend(name.map(|name| ("displayname".to_owned(), name.into())));
    profile.extend(avatar.map(|avatar| ("avatar_url".to_owned(), avatar.into())));
    Ok(profile)
}

/// Changes one column of the profile and shows it in every joined room.
async fn change<T>(
    call: &Call<T>,
    target: &UserId,
    column: &'static str,
    value: Option<String>,
) -> Reply {
    let me = call.me()?.clone();
    if me.user != target {
        return Err(Error::forbidden("Cannot set another user's profile"));
    }
    call.limit_messages()?;
    call.hs
        .store
        .write(move |tx| {
            // The application service's own account may never have been registered.
            let sql = "INSERT OR IGNORE INTO users (user, created_at) VALUES (?1, ?2)";
            tx.execute(sql, params![me.user.as_str(), tx.now])?;
            let sql = format!("UPDATE users SET {column} = ?2 WHERE user = ?1");
            tx.execute(&sql, params![me.user.as_str(), value])?;
            let sql = "SELECT r.room, r.room_id FROM members m JOIN rooms r ON r.room = m.room
                       WHERE m.user = ?1 AND m.membership = 'join'";
            let rooms: Vec<(i64, String)> =
                list(tx.conn, sql, [me.user.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?;
            for (key, id) in rooms {
                let id = OwnedRoomId::try_from(id).map_err(Error::internal)?;
                let content = member_content(tx.conn, &me.user, "join", None)?;
                let new = NewEvent::member(me.user.as_str(), content);
                append(tx, &Room { key, id }, &me.user, new)?;
            }
            Ok(())
        })
        .await?;
    empty()
}
