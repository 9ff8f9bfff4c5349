//! Pushers: devices that are told through a gateway, while their app is closed, of what is said in their rooms.
//!
//! Owns: the `pushers` table, who is to be told what, the pace and the retries.
//! Invariants: only gateways that the configuration names are ever called; what a gateway took is not told again, what it did not
//! take is, for a day; of one room a device is told the newest, and nothing that its user has read.
//! Never: knows how a gateway reaches a device, or holds up whoever sends a message.

mod delivery;
mod desk;
mod find;

use std::sync::{Arc, Mutex};

use ruma::api::client::push::set_pusher::v3::{PusherAction, PusherPostData, Request as SetPusher};
use ruma::api::client::push::{PusherIds, PusherKind, get_pushers};
use rusqlite::{Connection, params};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::Hs;
use crate::accounts::push_rules;
use crate::budget::{self, PUSHERS, check_size};
use crate::config::PushGateway;
use crate::error::{Error, OpenError, Result};
use crate::http::{Call, Done, Reply, Routes, ok};
use crate::live::lock;
use crate::store::{Tx, list};

const APP_ID_BYTES: usize = 64;
const PUSHKEY_BYTES: usize = 512;

/// The task that tells devices.
pub struct Pushers {
    client: reqwest::Client,
    task: Mutex<Option<JoinHandle<()>>>,
}

impl Pushers {
    pub fn new(gateways: &[PushGateway]) -> std::result::Result<Self, OpenError> {
        let mut client = reqwest::Client::builder()
            .timeout(delivery::TRY_TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy();
        if gateways.iter().all(|gateway| gateway.at.starts_with("http://")) {
            // Where nothing is encrypted, nobody's certificate has to be read.
            client = client.tls_certs_only([]);
        }
        let client = client.build().map_err(|cause| OpenError::Start(cause.to_string()))?;
        Ok(Self { client, task: Mutex::default() })
    }

    pub fn start(&self, hs: Arc<Hs>) {
        let mut task = lock(&self.task);
        if task.is_none() && !hs.config.push_gateways.is_empty() {
            *task = Some(tokio::spawn(async move { delivery::run(&hs).await }));
        }
    }

    pub fn stop(&self) {
        if let Some(task) = lock(&self.task).take() {
            task.abort();
        }
    }
}

pub fn routes(routes: Routes) -> Routes {
    routes
        .look(|look, _: get_pushers::v3::Request| {
            Ok(json!({"pushers": list_definitions(look.conn, look.me.id())?}))
        })
        .serve(set)
}

fn list_definitions(conn: &Connection, user: &str) -> Result<Vec<Value>> {
    let sql = "SELECT definition FROM pushers WHERE user = ?1 ORDER BY pusher";
    let all: Vec<String> = list(conn, sql, [user], |row| row.get(0))?;
    all.iter().map(|definition| Ok(serde_json::from_str(definition)?)).collect()
}

async fn set(call: Call<SetPusher>) -> Reply {
    let me = call.me()?;
    let (user, device) = (me.user.clone(), me.device.clone().unwrap_or_default());
    match call.body.action.clone() {
        PusherAction::Post(new) => {
            check(&call.hs, &new)?;
            let store = move |tx: &mut Tx<'_>| keep(tx, user.as_str(), &device, &new);
            call.hs.store.write_in(call.turn(), store).await?;
        }
        PusherAction::Delete(PusherIds { pushkey, app_id, .. }) => {
            let delete = move |tx: &mut Tx<'_>| {
                let sql = "DELETE FROM pushers WHERE user = ?1 AND app_id = ?2 AND pushkey = ?3";
                tx.execute(sql, params![user.as_str(), app_id, pushkey])
            };
            call.hs.store.write_in(call.turn(), delete).await?;
        }
        _ => return Err(Error::invalid_param("This is no pusher")),
    }
    ok(Done {})
}

/// Whether it is one that could be told.
fn check(hs: &Hs, new: &PusherPostData) -> Result<()> {
    let PusherKind::Http(data) = &new.pusher.kind else {
        return Err(Error::invalid_param("Only pushers of the kind http are known here"));
    };
    let PusherIds { pushkey, app_id, .. } = &new.pusher.ids;
    if app_id.is_empty() || app_id.len() > APP_ID_BYTES {
        return Err(Error::invalid_param("app_id must have 1 to 64 bytes"));
    }
    if pushkey.is_empty() || pushkey.len() > PUSHKEY_BYTES {
        return Err(Error::invalid_param("pushkey must have 1 to 512 bytes"));
    }
    // No address that a user names is called: it could be one in the operator's own network.
    if !hs.config.push_gateways.iter().any(|gateway| gateway.url == data.url) {
        return Err(Error::invalid_param("This homeserver calls no push gateway at this url"));
    }
    check_size(PUSHERS.what, serde_json::to_vec(&new.pusher)?.len(), PUSHERS.each)
}

/// Keeps a pusher, from now on. One that names the same device for somebody else goes, unless its app wants both.
fn keep(tx: &mut Tx<'_>, user: &str, device: &str, new: &PusherPostData) -> Result<()> {
    let PusherIds { pushkey, app_id, .. } = &new.pusher.ids;
    if !new.append {
        let sql = "DELETE FROM pushers WHERE app_id = ?1 AND pushkey = ?2 AND user <> ?3";
        tx.execute(sql, params![app_id, pushkey, user])?;
    }
    let has_own_rules = push_rules::find_own(tx.conn, user)?.is_some();
    let definition = serde_json::to_string(&new.pusher)?;
    let (now, told) = (tx.now, tx.position());
    let sql = "INSERT INTO pushers (user, device, app_id, pushkey, definition, own_rules, created_at, told)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
               ON CONFLICT (app_id, pushkey, user) DO UPDATE
               SET device = excluded.device, definition = excluded.definition, own_rules = excluded.own_rules";
    let row = params![user, device, app_id, pushkey, definition, has_own_rules, now, told];
    tx.execute(sql, row)?;
    // Beyond what a user may have the oldest go: their apps are long gone.
    let sql = "DELETE FROM pushers WHERE pusher IN
                   (SELECT pusher FROM pushers WHERE user = ?1 ORDER BY pusher DESC LIMIT -1 OFFSET ?2)";
    tx.execute(sql, params![user, budget::number(PUSHERS.count)]).map(drop)
}

/// Somebody has push rules of their own from now on.
pub fn note_own_rules(tx: &Tx<'_>, user: &str) -> Result<()> {
    tx.execute("UPDATE pushers SET own_rules = 1 WHERE user = ?1", [user]).map(drop)
}
