//! Registration, login, logout, devices and deactivation.

use std::collections::HashMap;

use http::StatusCode;
use ruma::UserId;
use ruma::api::client::account::{deactivate, get_username_availability, register, whoami};
use ruma::api::client::device::{
    delete_device, delete_devices, get_device, get_devices, update_device,
};
use ruma::api::client::session::{login, logout, logout_all};
use ruma::api::client::uiaa::UserIdentifier;
use rusqlite::{Connection, params};
use serde_json::{Map, Value, json};

use crate::Hs;
use crate::backups;
use crate::budget::{DEVICE_NAME_CHARS, check_id, check_size};
use crate::callers::Known;
use crate::error::{Error, Result};
use crate::http::{Call, Caller, Done, Reply, Routes, hash_token, ok, with};
use crate::keys::mark_changed;
use crate::live::{Topic, lock};
use crate::random::opaque;
use crate::rooms::membership::{leave, list_rooms};
use crate::sign_in;
use crate::store::{Turn, Tx, find, list, tuple};

/// Access tokens seen lately, so that most requests need no lookup.
#[derive(Default)]
pub struct Sessions {
    pub callers: HashMap<[u8; 32], Known>,
    /// Grows with every logout.
    pub generation: u64,
}

impl Sessions {
    fn forget(&mut self, user: &str, device: Option<&str>) {
        self.generation += 1;
        self.callers.retain(|_, Known { caller, .. }| {
            caller.user != user
                || device.is_some_and(|device| caller.device.as_deref() != Some(device))
        });
    }
}

pub fn routes(routes: Routes) -> Routes {
    routes
        .serve(register)
        .serve_mended(has_login_type, log_in)
        .serve(async |call: Call<get_username_availability::v3::Request>| {
            let user = user_id(&call.hs, &call.body.username)?;
            match call.hs.store.read_in(call.turn(), move |conn| find_account(conn, &user)).await? {
                Some(_) => Err(user_in_use()),
                None => ok(json!({"available": true})),
            }
        })
        .serve(async |call: Call<whoami::v3::Request>| {
            let me = call.me()?;
            let answer = json!({"user_id": me.user, "is_guest": false});
            ok(with(answer, "device_id", me.device.clone()))
        })
        .serve(async |call: Call<logout::v3::Request>| {
            let device = call.me()?.device.clone();
            remove_devices(&call, Vec::from_iter(device)).await
        })
        .serve(async |call: Call<logout_all::v3::Request>| {
            let me = call.me()?.user.clone();
            let read = move |conn: &Connection| list_device_ids(conn, me.as_str());
            let devices = call.hs.store.read_in(call.turn(), read).await?;
            remove_devices(&call, devices).await
        })
        .serve(deactivate)
        .look(|look, _: get_devices::v3::Request| {
            Ok(json!({"devices": list_devices(look.conn, look.me.id())?}))
        })
        .look(|look, body: get_device::v3::Request| {
            let devices = list_devices(look.conn, look.me.id())?;
            let wanted = Value::from(body.device_id.as_str());
            let found = devices.into_iter().find(|device| device.get("device_id") == Some(&wanted));
            found.ok_or_else(|| Error::not_found("No device found"))
        })
        .change(rename_device)
        .serve(async |call: Call<delete_device::v3::Request>| {
            remove_devices(&call, vec![call.body.device_id.to_string()]).await
        })
        .serve(async |call: Call<delete_devices::v3::Request>| {
            let devices = call.body.devices.iter().map(ToString::to_string).collect();
            remove_devices(&call, devices).await
        })
}

/// A new account's id. Matrix's grammar for new user names, which application services are trusted
/// to keep elsewhere; here it is enforced.
fn user_id(hs: &Hs, name: &str) -> Result<String> {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "._=-/+".contains(c);
    let user = format!("@{name}:{}", hs.server_name);
    if name.is_empty() || !name.chars().all(allowed) || user.len() > 255 {
        let text = "User names have only a-z, 0-9 and ._=-/+ and at most 255 characters in all";
        return Err(Error::bad_request("M_INVALID_USERNAME", text));
    }
    Ok(user)
}

fn user_in_use() -> Error {
    Error::bad_request("M_USER_IN_USE", "User ID already taken.")
}

/// Whether the account exists, and if so whether it is deactivated.
fn find_account(conn: &Connection, user: &str) -> Result<Option<bool>> {
    find(conn, "SELECT deactivated FROM users WHERE user = ?1", [user], |row| row.get(0))
}

async fn register(call: Call<register::v3::Request>) -> Reply {
    if !call.caller.as_ref().is_some_and(|caller| caller.appservice) {
        return Err(Error::forbidden(
            "Registration has been disabled. Only the service registers.",
        ));
    }
    let name = call.body.username.clone();
    let name = name.ok_or_else(|| Error::bad_request("M_MISSING_PARAM", "Missing username"))?;
    let user = user_id(&call.hs, &name)?;
    let account = user.clone();
    let insert = move |tx: &mut Tx<'_>| {
        let sql = "INSERT OR IGNORE INTO users (user, created_at, displayname) VALUES (?1, ?2, ?3)";
        match tx.execute(sql, params![account, tx.now, name])? {
            0 => Err(user_in_use()),
            _ => Ok(()),
        }
    };
    if call.body.inhibit_login {
        call.hs.store.write_in(Turn::Service, insert).await?;
        return ok(json!({"user_id": user, "home_server": call.hs.server_name}));
    }
    let device = call.body.device_id.as_ref().map(ToString::to_string);
    let name = call.body.initial_device_display_name.clone();
    open_session(&call.hs, user, device, name, insert).await
}

/// ruma takes it for granted that a login says its type.
fn has_login_type(body: &mut Map<String, Value>) -> Result<()> {
    match body.get("type") {
        Some(_) => Ok(()),
        None => Err(Error::bad_request("M_MISSING_PARAM", "Missing type")),
    }
}

async fn log_in(call: Call<login::v3::Request>) -> Reply {
    let info = match &call.body.login_info {
        login::v3::LoginInfo::ApplicationService(info) => info,
        login::v3::LoginInfo::Token(info) => return sign_in::redeem(&call, &info.token).await,
        _ => {
            let text = "Users log in through the service, not here";
            return Err(Error::bad_request("M_UNKNOWN", text));
        }
    };
    match &call.caller {
        Some(caller) if caller.appservice => {}
        Some(_) => return Err(Error::forbidden("This is not the application service's token")),
        None => return Err(Error::unknown_token()),
    }
    let Some(UserIdentifier::Matrix(who)) = &info.identifier else {
        return Err(Error::invalid_param("identifier must be m.id.user"));
    };
    let user = UserId::parse_with_server_name(who.user.as_str(), &call.hs.server_name)
        .map_err(|_| Error::invalid_param("Not a user id"))?
        .to_string();
    let device = call.body.device_id.as_ref().map(ToString::to_string);
    let name = call.body.initial_device_display_name.clone();
    open_session(&call.hs, user, device, name, |_| Ok(())).await
}

/// A new access token for a new or existing device, after something else in the same transaction. The tokens that an existing
/// device had end.
async fn open_session(
    hs: &Hs,
    user: String,
    device: Option<String>,
    name: Option<String>,
    first: impl FnOnce(&mut Tx<'_>) -> Result<()> + Send + 'static,
) -> Reply {
    let device = device.unwrap_or_else(|| opaque(10).to_uppercase());
    check_id(&device)?;
    check_device_name(name.as_deref())?;
    let token = format!("tlhs_{}", opaque(43));
    let hash = hash_token(&token);
    let (account, session) = (user.clone(), device.clone());
    let open = move |tx: &mut Tx<'_>| {
        first(tx)?;
        match find_account(tx.conn, &account)? {
            Some(false) => {}
            Some(true) => {
                let text = "This account has been deactivated";
                return Err(Error::new(StatusCode::FORBIDDEN, "M_USER_DEACTIVATED", text));
            }
            None => return Err(Error::forbidden("There is no such account")),
        }
        let sql = "INSERT INTO devices (user, device, display_name, created_at)
                   VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING";
        tx.execute(sql, params![account, session, name, tx.now])?;
        let sql = "DELETE FROM tokens WHERE user = ?1 AND device = ?2";
        let ended = tx.execute(sql, params![account, session])?;
        tx.execute("INSERT INTO tokens VALUES (?1, ?2, ?3)", params![hash, account, session])?;
        Ok(ended)
    };
    // To forget is to walk through everybody, so only whoever has ended something does.
    if hs.store.write_in(Turn::Service, open).await? > 0 {
        lock(&hs.sessions).forget(&user, Some(&device));
    }
    ok(session_view(hs, &user, &token, &device))
}

/// What whoever logs in is told.
pub fn session_view(hs: &Hs, user: &str, token: &str, device: &str) -> Value {
    json!({
        "user_id": user, "access_token": token, "device_id": device,
        "home_server": hs.server_name,
        "well_known": {"m.homeserver": {"base_url": hs.config.public_base_url}},
    })
}

fn list_device_ids(conn: &Connection, user: &str) -> Result<Vec<String>> {
    list(conn, "SELECT device FROM devices WHERE user = ?1", [user], |row| row.get(0))
}

fn list_devices(conn: &Connection, user: &str) -> Result<Vec<Value>> {
    let sql = "SELECT device, display_name, last_seen_ts, last_seen_ip FROM devices
               WHERE user = ?1";
    list(conn, sql, [user], |row| {
        let (device, name, seen_at, ip): (String, Option<String>, Option<i64>, Option<String>) =
            tuple(row)?;
        let device = json!({"device_id": device, "display_name": name, "user_id": user});
        Ok(with(with(device, "last_seen_ts", seen_at), "last_seen_ip", ip))
    })
}

pub fn check_device_name(name: Option<&str>) -> Result<()> {
    check_size(
        "the name of a device",
        name.map_or(0, |name| name.chars().count()),
        DEVICE_NAME_CHARS,
    )
}

fn rename_device(tx: &mut Tx<'_>, me: &Caller, body: update_device::v3::Request) -> Result<Done> {
    check_device_name(body.display_name.as_deref())?;
    let sql = "UPDATE devices SET display_name = COALESCE(?3, display_name)
               WHERE user = ?1 AND device = ?2";
    if tx.execute(sql, params![me.id(), body.device_id.as_str(), body.display_name])? == 0 {
        return Err(Error::not_found("No device found"));
    }
    mark_changed(tx, me.id()).map(|()| Done {})
}

/// Ends devices with their tokens, keys and waiting messages.
///
/// No second authentication is asked for: there are no passwords, and whoever holds a token may end
/// all sessions by `logout/all` anyway.
async fn remove_devices<T>(call: &Call<T>, devices: Vec<String>) -> Reply {
    let me = call.me()?.user.clone();
    let (user, ended) = (me.clone(), devices.clone());
    let end = move |tx: &mut Tx<'_>| delete_devices_of(tx, user.as_str(), &ended);
    call.hs.store.write_in(call.turn(), end).await?;
    for device in devices {
        lock(&call.hs.sessions).forget(me.as_str(), Some(&device));
    }
    call.hs.live.wake(&Topic::User(me.to_string()));
    ok(Done {})
}

fn delete_devices_of(tx: &mut Tx<'_>, user: &str, devices: &[String]) -> Result<()> {
    for device in devices {
        for table in [
            "tokens",
            "openid_tokens",
            "devices",
            "one_time_keys",
            "fallback_keys",
            "inbox",
            "pushers",
        ] {
            let sql = format!("DELETE FROM {table} WHERE user = ?1 AND device = ?2");
            tx.execute(&sql, params![user, device])?;
        }
    }
    if !devices.is_empty() {
        mark_changed(tx, user)?;
    }
    Ok(())
}

/// Takes name and picture out of everything that was ever said about the user's being in a room, and the pictures themselves.
/// Only what a redaction takes out is taken, so the events keep their ids.
fn erase_profile(tx: &mut Tx<'_>, user: &str, server: &str) -> Result<()> {
    let sql = "DELETE FROM media WHERE user = ?1 AND 'mxc://' || ?2 || '/' || media_id IN
                   (SELECT avatar_url FROM users WHERE user = ?1
                    UNION ALL
                    SELECT json_extract(content, '$.avatar_url') FROM events
                    WHERE type = 'm.room.member' AND state_key = ?1
                      AND room IN (SELECT room FROM members WHERE user = ?1))";
    tx.execute(sql, params![user, server])?;
    let sql = "UPDATE events SET content = json_object('membership', membership)
               WHERE type = 'm.room.member' AND state_key = ?1
                 AND room IN (SELECT room FROM members WHERE user = ?1)";
    tx.execute(sql, [user])?;
    let sql = "UPDATE users SET deactivated = 1, displayname = NULL, avatar_url = NULL
               WHERE user = ?1";
    tx.execute(sql, [user]).map(drop)
}

/// Ends an account for good. Only the application service may: users ask the service.
async fn deactivate(call: Call<deactivate::v3::Request>) -> Reply {
    let me = call.me()?.clone();
    if !me.appservice {
        return Err(Error::forbidden("Accounts are closed through the service"));
    }
    let (user, server) = (me.user.clone(), call.hs.server_name.to_string());
    let close = move |tx: &mut Tx<'_>| {
        erase_profile(tx, me.id(), &server)?;
        let devices = list_device_ids(tx.conn, me.id())?;
        delete_devices_of(tx, me.id(), &devices)?;
        for table in ["account_data", "filters", "cross_signing_keys", "pushers"] {
            tx.execute(&format!("DELETE FROM {table} WHERE user = ?1"), [me.id()])?;
        }
        backups::forget(tx, me.id())?;
        for room in list_rooms(tx.conn, me.id(), "'join', 'invite'")? {
            leave(tx, &room.id, &me.user, None)?;
        }
        Ok(())
    };
    call.hs.store.write_in(Turn::Service, close).await?;
    lock(&call.hs.sessions).forget(user.as_str(), None);
    call.hs.live.wake(&Topic::User(user.to_string()));
    ok(json!({"id_server_unbind_result": "success"}))
}
