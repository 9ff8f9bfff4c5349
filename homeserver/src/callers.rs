//! Who makes a request.
//!
//! Owns: finding out whose a token is, and remembering it.
//! Invariants: a logout wins over what was read before it; tokens are compared in constant time or by their hashes.
//! Never: decides what somebody may do.

use axum::extract::Query;
use http::header;
use http::request::Parts;
use ruma::{OwnedUserId, UserId};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::Hs;
use crate::error::{Error, Result};
use crate::limits::Limiter;
use crate::live::lock;
use crate::store::{Turn, exists, find};

/// Remembered access tokens; over it all are forgotten and read again.
const SESSIONS_MAX: usize = 50_000;

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
pub async fn authenticate(hs: &Hs, parts: &Parts) -> Result<Option<Caller>> {
    let query = Query::<Identity>::try_from_uri(&parts.uri).ok();
    let in_query = query.as_ref().and_then(|query| query.access_token.clone());
    let token = parts
        .headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.strip_prefix("Bearer "))
        .map(|token| token.trim().to_owned())
        .or(in_query)
        .filter(|token| !token.is_empty());
    let Some(token) = token else { return Ok(None) };
    if let Some(appservice) = &hs.config.appservice
        && bool::from(appservice.as_token.as_bytes().ct_eq(token.as_bytes()))
    {
        let asserted = query.and_then(|query| query.user_id.clone());
        return act_as(hs, &appservice.sender_localpart, asserted).await.map(Some);
    }
    find_session(hs, &token).await.map(Some)
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

pub fn hash_token(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

async fn find_session(hs: &Hs, token: &str) -> Result<Caller> {
    let hash = hash_token(token);
    let (cached, generation) = {
        let sessions = lock(&hs.sessions);
        (sessions.callers.get(&hash).cloned(), sessions.generation)
    };
    if let Some(caller) = cached {
        return Ok(caller);
    }
    let found = hs
        .store
        .read_in(Turn::Service, move |conn| {
            let sql = "SELECT user, device FROM tokens WHERE hash = ?1";
            find(conn, sql, [hash], |row| Ok((row.get::<_, String>(0)?, row.get(1)?)))
        })
        .await?;
    let (user, device) = found.ok_or_else(Error::unknown_token)?;
    let user = OwnedUserId::try_from(user).map_err(Error::internal)?;
    let caller = Caller { user, device: Some(device), appservice: false };
    let mut sessions = lock(&hs.sessions);
    // A logout in the meantime must win over what was read before it.
    if sessions.generation == generation {
        if sessions.callers.len() >= SESSIONS_MAX {
            sessions.callers.clear();
        }
        sessions.callers.insert(hash, caller.clone());
    }
    Ok(caller)
}
