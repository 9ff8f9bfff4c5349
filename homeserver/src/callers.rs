//! Who makes a request.
//!
//! Owns: finding out whose a token is, and remembering it; when and where each device was seen last.
//! Invariants: a logout wins over what was read before it; tokens are compared in constant time or by their hashes.
//! Never: decides what somebody may do.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::Query;
use http::header;
use http::request::Parts;
use ruma::{OwnedUserId, UserId};
use rusqlite::params;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::Hs;
use crate::error::{Error, Result};
use crate::limits::Limiter;
use crate::live::lock;
use crate::store::{Turn, Tx, exists, find, tuple};

/// Remembered access tokens; over it all are forgotten and read again.
const SESSIONS_MAX: usize = 50_000;

/// How old the note may be of when a device was seen.
const SEEN_EVERY_MS: i64 = 10 * 60 * 1000;

/// Where a request comes from: an extension of the request, by whoever embeds the homeserver and knows.
#[derive(Clone, Copy, Debug)]
pub struct ClientAddress(pub IpAddr);

/// Who makes a request.
#[derive(Clone, Debug)]
pub struct Caller {
    pub user: OwnedUserId,
    /// None for the application service.
    pub device: Option<String>,
    pub appservice: bool,
}

impl Caller {
    /// In the form that the database uses.
    pub fn id(&self) -> &str {
        self.user.as_str()
    }

    /// Refuses a path that names somebody else.
    pub fn only_self(&self, user: &UserId) -> Result<()> {
        if self.user == user {
            return Ok(());
        }
        Err(Error::forbidden("This belongs to another user"))
    }

    /// Whose work it is what this caller asks for.
    pub fn turn(&self) -> Turn {
        if self.appservice { Turn::Service } else { Turn::Users }
    }

    pub fn limit(&self, limiter: &Limiter, tokens: usize, hs: &Hs) -> Result<()> {
        if self.appservice { Ok(()) } else { limiter.take(self.id(), tokens, hs.now()) }
    }
}

pub fn limit_requests(hs: &Hs, caller: Option<&Caller>) -> Result<()> {
    caller.map_or(Ok(()), |me| me.limit(&hs.requests, 1, hs))
}

#[derive(Deserialize)]
struct Identity {
    user_id: Option<String>,
    access_token: Option<String>,
}

/// Finds out who calls: the application service (as itself or as a user), a device, or nobody.
pub async fn authenticate(hs: &Arc<Hs>, parts: &Parts) -> Result<Option<Caller>> {
    let in_header = parts
        .headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.strip_prefix("Bearer "))
        .map(|token| token.trim().to_owned());
    // A query can be long, and few callers have to be looked for in it.
    let read_query = || Query::<Identity>::try_from_uri(&parts.uri).ok().map(|Query(found)| found);
    let token = in_header.or_else(|| read_query()?.access_token);
    let Some(token) = token.filter(|token| !token.is_empty()) else { return Ok(None) };
    if let Some(appservice) = &hs.config.appservice
        && bool::from(appservice.as_token.as_bytes().ct_eq(token.as_bytes()))
    {
        let asserted = read_query().and_then(|query| query.user_id);
        return act_as(hs, &appservice.sender_localpart, asserted).await.map(Some);
    }
    let (caller, is_news) = find_session(hs, &token).await?;
    if is_news {
        note_seen(hs, &caller, parts.extensions.get().copied());
    }
    Ok(Some(caller))
}

/// The identity assertion of the application service: `?user_id=`.
async fn act_as(hs: &Hs, sender: &str, asserted: Option<String>) -> Result<Caller> {
    let bot = format!("@{sender}:{}", hs.server_name);
    let user = asserted.unwrap_or_else(|| bot.clone());
    let parsed = OwnedUserId::try_from(user.as_str())
        .map_err(|_| Error::invalid_param("user_id is not a Matrix user id"))?;
    if user != bot {
        let name = user.clone();
        let sql = "SELECT 1 FROM users WHERE user = ?1";
        if !hs.store.read_in(Turn::Service, move |conn| exists(conn, sql, [name])).await? {
            let text = format!("Application service has not registered this user ({user})");
            return Err(Error::forbidden(text));
        }
    }
    Ok(Caller { user: parsed, device: None, appservice: true })
}

/// Somebody whose token is known.
pub struct Known {
    pub caller: Caller,
    /// As it was noted last.
    seen_at: i64,
}

impl Known {
    /// Whether it is time for a new note, which is then taken for made.
    fn see(&mut self, now: i64) -> bool {
        let is_old = now >= self.seen_at.saturating_add(SEEN_EVERY_MS);
        if is_old {
            self.seen_at = now;
        }
        is_old
    }
}

pub fn hash_token(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

/// Notes when and where a device was seen; nobody waits for it. It is in the queue before what the caller writes, whose answer
/// therefore says that it is noted too.
fn note_seen(hs: &Hs, caller: &Caller, address: Option<ClientAddress>) {
    let caller = caller.clone();
    let address = address.map(|ClientAddress(address)| address.to_string());
    let note = move |tx: &mut Tx<'_>| {
        let sql = "UPDATE devices SET last_seen_ts = ?3, last_seen_ip = ?4
                   WHERE user = ?1 AND device = ?2";
        tx.execute(sql, params![caller.id(), caller.device, tx.now, address]).map(drop)
    };
    let _ = hs.store.post(note);
}

/// Whose token it is, and whether it is time to note that they were seen.
async fn find_session(hs: &Hs, token: &str) -> Result<(Caller, bool)> {
    let (hash, now) = (hash_token(token), hs.now());
    let generation = {
        let mut sessions = lock(&hs.sessions);
        if let Some(known) = sessions.callers.get_mut(&hash) {
            return Ok((known.caller.clone(), known.see(now)));
        }
        sessions.generation
    };
    let found = hs
        .store
        .read_in(Turn::Service, move |conn| {
            let sql = "SELECT t.user, t.device, d.last_seen_ts FROM tokens t
                       LEFT JOIN devices d ON d.user = t.user AND d.device = t.device
                       WHERE t.hash = ?1";
            find(conn, sql, [hash], tuple)
        })
        .await?;
    let (user, device, seen_at): (String, String, Option<i64>) =
        found.ok_or_else(Error::unknown_token)?;
    let user = OwnedUserId::try_from(user).map_err(Error::internal)?;
    let caller = Caller { user, device: Some(device), appservice: false };
    let mut known = Known { caller: caller.clone(), seen_at: seen_at.unwrap_or(0) };
    let is_news = known.see(now);
    let mut sessions = lock(&hs.sessions);
    // A logout in the meantime must win over what was read before it.
    if sessions.generation == generation {
        if sessions.callers.len() >= SESSIONS_MAX {
            sessions.callers.clear();
        }
        sessions.callers.insert(hash, known);
    }
    Ok((caller, is_news))
}
