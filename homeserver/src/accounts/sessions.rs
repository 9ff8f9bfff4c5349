//! Registration, login, logout, devices and deactivation.

use std::collections::HashMap;

use ruma::api::client::account::{deactivate, get_username_availability, register, whoami};
use ruma::api::client::device::{
    delete_device, delete_devices, get_device, get_devices, update_device,
};
use ruma::api::client::session::{get_login_types, login, logout, logout_all};
use ruma::api::client::uiaa::UserIdentifier;
use ruma::{OwnedRoomId, UserId};
use rusqlite::{Connection, params};
use serde_json::{Value, json};

use crate::Hs;
use crate::error::{Error, Result};
use crate::http::{Call, Caller, Endpoint, Reply, Routes, empty, hash_token, ok};
use crate::keys::mark_changed;
use crate::live::lock;
use crate::random::opaque;
use crate::rooms::membership::leave;
use crate::store::{Tx, find, list};

/// Access tokens seen lately, so that most requests need no lookup.
#[derive(Default)]
pub struct Sessions {
    pub callers: HashMap<[u8; 32], Caller>,
    /// Grows with every logout.
    pub generation: u64,
}

impl Sessions {
    fn forget(&mut self, user: &str, device: Option<&str>) {
        self.generation += 1;
        self.callers.retain(|_, caller| {
            caller.user != user
                || device.is_some_and(|device| caller.device.as_deref() != Some(device))
        });
    }
}

pub fn routes(routes: Routes) -> Routes {
    routes
        .serve(register)
        .serve(log_in)
        .serve(async |_: Call<get_login_types::v3::Request>| {
            ok(json!({"flows": [{"type": "m.login.application_service"}]}))
        })
        .serve(async |call: Call<get_username_availability::v3::Request>| {
            let user = user_id(&call.hs, &call.body.username)?;
            let read = move |conn: &Connection| find_account(conn, &user);
            match call.hs.store.read(read).await? {
                Some(_) => Err(user_in_use()),
                None => ok(json!({"available": true})),
            }
        })
        .serve(async |call: Call<whoami::v3::Request>| {
            let me = call.me()?;
            let mut answer = json!({"user_id": me.user, "is_guest": false});
            if let (Some(device), Some(fields)) = (&me.device, answer.as_object_mut()) {
                fields.insert("device_id".to_owned(), device.as_str().into());
            }
            ok(answer)
        })
        .serve(async |call: Call<logout::v3::Request>| {
            if let Some(device) = call.me()?.device.clone() {
                remove_devices(&call, vec![device]).await?;
            }
            empty()
        })
        .serve(async |call: Call<logout_all::v3::Request>| {
            let me = call.user()?;
            let read = move |conn: &Connection| list_device_ids(conn, &me);
            let devices = call.hs.store.read(read).await?;
            remove_devices(&call, devices).await?;
            empty()
        })
        .serve(deactivate)
        .serve(async |call: Call<get_devices::v3::Request>| {
            let me = call.user()?;
            let devices = call.hs.store.read(move |conn| list_devices(conn, &me)).await?;
            ok(json!({"devices": devices}))
        })
        .serve(async |call: Call<get_device::v3::Request>| {
            let me = call.user()?;
            let devices = call.hs.store.read(move |conn| list_devices(conn, &me)).await?;
            let wanted = call.body.device_id.as_str();
            let found = devices
                .into_iter()
                .find(|device| device.get("device_id").and_then(Value::as_str) == Some(wanted));
            ok(found.ok_or_else(|| Error::not_found("No device found"))?)
        })
        .serve(rename_device)
        .serve(async |call: Call<delete_device::v3::Request>| {
            remove_devices(&call, vec![call.body.device_id.to_string()]).await?;
            empty()
        })
        .serve(async |call: Call<delete_devices::v3::Request>| {
            let devices = call.body.devices.iter().map(ToString::to_string).collect();
            remove_devices(&call, devices).await?;
            empty()
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
    call.hs
        .store
        .write(move |tx| {
            let sql = "INSERT OR IGNORE INTO users (user, created_at, displayname)
                       VALUES (?1, ?2, ?3)";
            match tx.execute(sql, params![account, tx.now, name])? {
                0 => Err(user_in_use()),
                _ => Ok(()),
            }
        })
        .await?;
    if call.body.inhibit_login {
        return ok(json!({"user_id": user, "home_server": call.hs.server_name}));
    }
    let device = call.body.device_id.as_ref().map(ToString::to_string);
    let name = call.body.initial_device_display_name.clone();
    open_session(&call.hs, user, device, name).await
}

async fn log_in(call: Call<login::v3::Request>) -> Reply {
    let login::v3::LoginInfo::ApplicationService(info) = &call.body.login_info else {
        let text = "Users log in through the service, not here";
        return Err(Error::bad_request("M_UNKNOWN", text));
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
    open_session(&call.hs, user, device, name).await
}

/// A new access token for a new or existing device. The tokens that an existing device had end.
async fn open_session(
    hs: &Hs,
    user: String,
    device: Option<String>,
    name: Option<String>,
) -> Reply {
    let device = device.unwrap_or_else(|| opaque(10).to_uppercase());
    let token = format!("tlhs_{}", opaque(43));
    let hash = hash_token(&token);
    let (account, session) = (user.clone(), device.clone());
    hs.store
        .write(move |tx| {
            match find_account(tx.conn, &account)? {
                Some(false) => {}
                Some(true) => {
                    let status = http::StatusCode::FORBIDDEN;
                    let text = "This account has been deactivated";
                    return Err(Error::new(status, "M_USER_DEACTIVATED", text));
                }
                None => return Err(Error::forbidden("There is no such account")),
            }
            let sql = "INSERT INTO devices (user, device, display_name, created_at)
                       VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING";
            tx.execute(sql, params![account, session, name, tx.now])?;
            let sql = "DELETE FROM tokens WHERE user = ?1 AND device = ?2";
            tx.execute(sql, params![account, session])?;
            let sql = "INSERT INTO tokens VALUES (?1, ?2, ?3)";
            tx.execute(sql, params![hash, account, session]).map(|_| ())
        })
        .await?;
    lock(&hs.sessions).forget(&user, Some(&device));
    ok(json!({
        "user_id": user, "access_token": token, "device_id": device,
        "home_server": hs.server_name,
        "well_known": {"m.homeserver": {"base_url": hs.config.public_base_url}},
    }))
}

fn list_device_ids(conn: &Connection, user: &str) -> Result<Vec<String>> {
    list(conn, "SELECT device FROM devices WHERE user = ?1", [user], |row| row.get(0))
}

fn list_devices(conn: &Connection, user: &str) -> Result<Vec<Value>> {
    let sql = "SELECT device, display_name, created_at FROM devices WHERE user = ?1";
    list(conn, sql, [user], |row| {
        let (device, name): (String, Option<String>) = (row.get(0)?, row.get(1)?);
        Ok(json!({"device_id": device, "display_name": name, "user_id": user}))
    })
}

async fn rename_device(call: Call<update_device::v3::Request>) -> Reply {
    let (me, device) = (call.user()?, call.body.device_id.to_string());
    let name = call.body.display_name.clone();
    call.hs
        .store
        .write(move |tx| {
            let sql = "UPDATE devices SET display_name = COALESCE(?3, display_name)
                       WHERE user = ?1 AND device = ?2";
            match tx.execute(sql, params![me, device, name])? {
                0 => Err(Error::not_found("No device found")),
                _ => mark_changed(tx, &me),
            }
        })
        .await?;
    empty()
}

/// Ends devices with their tokens, keys and waiting messages.
///
/// No second authentication is asked for: there are no passwords, and whoever holds a token may end
/// all sessions by `logout/all` anyway.
async fn remove_devices<T>(call: &Call<T>, devices: Vec<String>) -> Result<()> {
    let me = call.user()?;
    let (user, ended) = (me.clone(), devices.clone());
    call.hs.store.write(move |tx| delete_devices_of(tx, &user, &ended)).await?;
    for device in devices {
        lock(&call.hs.sessions).forget(&me, Some(&device));
    }
    Ok(())
}

fn delete_devices_of(tx: &mut Tx<'_>, user: &str, devices: &[String]) -> Result<()> {
    for device in devices {
        for table in ["tokens", "devices", "one_time_keys", "fallback_keys", "inbox"] {
            let sql = format!("DELETE FROM {table} WHERE user = ?1 AND device = ?2");
            tx.execute(&sql, params![user, device])?;
        }
    }
    if !devices.is_empty() {
        mark_changed(tx, user)?;
    }
    Ok(())
}

/// Ends an account for good. Only the application service may: users ask the service.
async fn deactivate(call: Call<deactivate::v3::Request>) -> Reply {
    let me = call.me()?.clone();
    if !me.appservice {
        return Err(Error::forbidden("Accounts are closed through the service"));
    }
    let user = me.user.to_string();
    call.hs
        .store
        .write(move |tx| {
            let name = me.user.as_str();
            let sql = "UPDATE users SET deactivated = 1, displayname = NULL, avatar_url = NULL
                       WHERE user = ?1";
            tx.execute(sql, [name])?;
            let devices = list_device_ids(tx.conn, name)?;
            delete_devices_of(tx, name, &devices)?;
            for table in ["account_data", "filters", "cross_signing_keys"] {
                tx.execute(&format!("DELETE FROM {table} WHERE user = ?1"), [name])?;
            }
            let sql = "SELECT r.room_id FROM members m JOIN rooms r ON r.room = m.room
                       WHERE m.user = ?1 AND m.membership IN ('join', 'invite')";
            let rooms: Vec<String> = list(tx.conn, sql, [name], |row| row.get(0))?;
            for room in rooms {
                let room = OwnedRoomId::try_from(room).map_err(Error::internal)?;
                leave(tx, &room, &me.user, None)?;
            }
            Ok(())
        })
        .await?;
    lock(&call.hs.sessions).forget(&user, None);
    ok(json!({"id_server_unbind_result": "success"}))
}
