//! Cross-signing keys: set once by whoever is logged in, replaced only by whoever proves to be the account's owner.
//!
//! Owns: the `cross_signing_keys` table, and what is asked of somebody who replaces keys.
//! Invariants: a token alone, which may be stolen, never replaces a key; a proof is for one upload of just these keys.
//! Never: reads or checks the keys themselves: that is for the clients.

use axum::response::IntoResponse;
use http::StatusCode;
use ruma::api::client::keys::upload_signing_keys::v3::Request;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::budget::CROSS_SIGNING_KEYS;
use crate::confirmations::Digest;
use crate::error::{Error, Result};
use crate::http::{Call, Caller, Done, Reply, Routes, ok};
use crate::keys::mark_changed;
use crate::sign_in::STAGE;
use crate::store::{Tx, find};

pub fn routes(routes: Routes) -> Routes {
    routes.serve(upload)
}

/// The keys of an upload by their use, as JSON.
type Keys = Vec<(&'static str, String)>;

async fn upload(call: Call<Request>) -> Reply {
    let me = call.me()?.clone();
    let keys = keys_of(&call.body);
    for (_, key) in &keys {
        CROSS_SIGNING_KEYS.check_one(key.len())?;
    }
    let (digest, now) = (digest(&keys)?, call.hs.now());
    let session = call.body.auth.as_ref().and_then(|auth| auth.session());
    let is_confirmed =
        session.is_some_and(|name| call.hs.confirmations.take(name, &me, &digest, now));
    let (turn, may_replace) = (call.turn(), is_confirmed || me.appservice);
    let caller = me.clone();
    let write = move |tx: &mut Tx<'_>| keep(tx, &caller, &keys, may_replace);
    if call.hs.store.write_in(turn, write).await? {
        return ok(Done {});
    }
    ask_for_proof(&call, &me, session, digest, now)
}

fn keys_of(body: &Request) -> Keys {
    let all = [
        ("master", &body.master_key),
        ("self_signing", &body.self_signing_key),
        ("user_signing", &body.user_signing_key),
    ];
    let given = all.into_iter().filter_map(|(usage, key)| Some((usage, key.as_ref()?)));
    given.map(|(usage, key)| (usage, key.json().get().to_owned())).collect()
}

/// The same for the same keys, however they are written.
fn digest(keys: &Keys) -> Result<Digest> {
    let mut hasher = Sha256::new();
    for (usage, key) in keys {
        let key = serde_json::from_str::<Value>(key)?.to_string();
        hasher.update(format!("{usage} {}\n{key}\n", key.len()));
    }
    Ok(hasher.finalize().into())
}

/// Keeps the keys, all or none: false where one would replace another and may not.
fn keep(tx: &mut Tx<'_>, me: &Caller, keys: &Keys, may_replace: bool) -> Result<bool> {
    for (usage, key) in keys {
        let sql = "SELECT content FROM cross_signing_keys WHERE user = ?1 AND usage = ?2";
        let before: Option<String> = find(tx.conn, sql, [me.id(), usage], |row| row.get(0))?;
        if before.is_some_and(|before| !same_json(&before, key)) && !may_replace {
            return Ok(false);
        }
    }
    for (usage, key) in keys {
        let sql = "INSERT OR REPLACE INTO cross_signing_keys VALUES (?1, ?2, ?3)";
        tx.execute(sql, [me.id(), usage, key.as_str()])?;
    }
    mark_changed(tx, me.id())?;
    Ok(true)
}

fn same_json(one: &str, other: &str) -> bool {
    let parse = |text| serde_json::from_str::<Value>(text).ok();
    parse(one) == parse(other)
}

/// Says where the user can prove that they want this. Without a page for it, it stays refused.
fn ask_for_proof(
    call: &Call<Request>,
    me: &Caller,
    session: Option<&str>,
    digest: Digest,
    now: i64,
) -> Reply {
    if call.hs.sign_in.get().is_none() {
        return Err(Error::forbidden("These keys can be replaced through the service only"));
    }
    let confirmations = &call.hs.confirmations;
    let name = match session {
        Some(name) if confirmations.waits(name, me, &digest, now) => name.to_owned(),
        _ => confirmations.begin(me, digest, now)?,
    };
    let mut body =
        json!({"session": name, "flows": [{"stages": [STAGE]}], "params": {}, "completed": []});
    if let (Some(_), Some(fields)) = (session, body.as_object_mut()) {
        fields.insert("errcode".to_owned(), "M_FORBIDDEN".into());
        fields.insert("error".to_owned(), "This has not been confirmed".into());
    }
    Ok((StatusCode::UNAUTHORIZED, axum::Json(body)).into_response())
}
