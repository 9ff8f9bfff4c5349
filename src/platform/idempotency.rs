//! The same request twice has one effect: `Idempotency-Key`.
//!
//! Owns: the `idempotency_keys` table and the header.
//! Invariants: the key's row and the effect are written by one transaction, so either both happened or neither; a concurrent twin
//! waits for the first and replays it; a refusal is not kept, so it can be tried again.
//! Never: replays to another user, or for another path or body.

use axum::body::Body;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::response::{IntoResponse, Response};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::Serialize;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::features::users::UserId;
use crate::platform::clock::DAY_MS;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::{Error, Result};
use crate::platform::http::guards::Operator;
use crate::platform::http::input::{self, Input, Valid};

pub const HEADER: &str = "idempotency-key";
pub const REPLAYED: &str = "idempotent-replayed";
const LONGEST: usize = 255;
const KEPT_MS: i64 = DAY_MS;

/// What makes two requests the same: the caller's key, and the path and body it came with.
#[derive(Debug, Clone)]
pub struct Once {
    key: Option<String>,
    request_hash: Vec<u8>,
}

impl Once {
    fn of(parts: &Parts, body: Option<&Map<String, Value>>) -> Result<Self> {
        let mut hash = Sha256::new();
        hash.update(parts.method.as_str());
        hash.update(b" ");
        hash.update(parts.uri.path());
        hash.update(b"\n");
        // Objects are kept sorted by key, so the same JSON written differently is the same body.
        hash.update(serde_json::to_vec(&body).map_err(Error::internal)?);
        Ok(Self { key: read_key(&parts.headers)?, request_hash: hash.finalize().to_vec() })
    }

    /// The same request as made by an operator on a user's behalf: its key is the operator's own, apart from the user's
    /// and from other operators'.
    #[must_use]
    pub fn by(self, operator: &Operator) -> Self {
        // A line break is in no key that came in a header, so no user can make this one.
        let key = self.key.map(|key| format!("operator {}\n{key}", operator.name));
        Self { key, ..self }
    }

    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    pub fn request_hash(&self) -> &[u8] {
        &self.request_hash
    }
}

/// For a request without a body.
impl FromRequestParts<App> for Once {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        Self::of(parts, None)
    }
}

/// A valid body together with its idempotency key.
pub struct ValidOnce<T>(pub T, pub Once);

impl<T: Input> FromRequest<App> for ValidOnce<T> {
    type Rejection = Error;

    async fn from_request(request: Request, app: &App) -> Result<Self> {
        let (parts, body) = request.into_parts();
        let head = Request::from_parts(parts.clone(), body);
        let object = input::read_object(head, app).await?;
        let once = Once::of(&parts, Some(&object))?;
        Ok(Self(Valid::of(object)?.0, once))
    }
}

fn read_key(headers: &HeaderMap) -> Result<Option<String>> {
    let Some(value) = headers.get(HEADER) else { return Ok(None) };
    let is_good = |text: &&str| {
        (1..=LONGEST).contains(&text.len()) && text.bytes().all(|byte| (32..127).contains(&byte))
    };
    match value.to_str().ok().filter(is_good) {
        Some(text) => Ok(Some(text.to_owned())),
        None => Err(Error::invalid(
            HEADER,
            "The Idempotency-Key header must have 1 to 255 printable ASCII characters.",
        )),
    }
}

/// An answer as it was first given.
#[derive(Debug)]
pub struct Answer {
    status: StatusCode,
    body: String,
    is_replay: bool,
}

impl Answer {
    pub fn is_replay(&self) -> bool {
        self.is_replay
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.body));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if self.is_replay {
            headers.insert(REPLAYED, HeaderValue::from_static("true"));
        }
        response
    }
}

row! {
    struct KeptRow {
        request_hash: Vec<u8>,
        status: i64,
        body: String,
    }
}

/// How an effect went.
#[derive(Debug)]
pub enum Attempt<T> {
    Done(T),
    /// Refused, and what was written on the way (a counted try) stays; the key is free again.
    Refused(Error),
}

impl<T> Attempt<T> {
    pub fn into_result(self) -> Result<T> {
        match self {
            Self::Done(value) => Ok(value),
            Self::Refused(error) => Err(error),
        }
    }
}

/// Runs `effect` unless this request already had it; then gives the first answer again.
pub fn once<T: Serialize>(
    tx: &mut Tx,
    user: UserId,
    request: &Once,
    effect: impl FnOnce(&mut Tx) -> Result<(StatusCode, T)>,
) -> Result<Answer> {
    attempt_once(tx, user, request, |tx| effect(tx).map(Attempt::Done))?.into_result()
}

/// Like [`once`], for an effect whose refusal must be committed too.
pub fn attempt_once<T: Serialize>(
    tx: &mut Tx,
    user: UserId,
    request: &Once,
    effect: impl FnOnce(&mut Tx) -> Result<Attempt<(StatusCode, T)>>,
) -> Result<Attempt<Answer>> {
    if !claim(tx, user, request)? {
        return replay(tx, user, request).map(Attempt::Done);
    }
    match effect(tx)? {
        Attempt::Done(first) => {
            let first = answer(first)?;
            keep(tx, user, request, &first)?;
            Ok(Attempt::Done(first))
        }
        Attempt::Refused(error) => {
            release(tx, user, request)?;
            Ok(Attempt::Refused(error))
        }
    }
}

/// Whether the request is the first of its key; one without a key always is.
fn claim(tx: &mut Tx, user: UserId, request: &Once) -> Result<bool> {
    let Some(key) = &request.key else { return Ok(true) };
    let now = tx.now();
    // On PostgreSQL this waits for a twin's transaction to end; on SQLite writers take turns anyway.
    let claimed = tx.exec(
        "INSERT INTO idempotency_keys (user_id, key, request_hash, status, body, created_at)
         VALUES ($1, $2, $3, 0, '', $4)
         ON CONFLICT (user_id, key) DO UPDATE
         SET request_hash = excluded.request_hash, created_at = excluded.created_at
         WHERE idempotency_keys.created_at <= $5",
        params![user, key, request.request_hash, now, now.plus_ms(-KEPT_MS)],
    )?;
    Ok(claimed == 1)
}

fn keep(tx: &mut Tx, user: UserId, request: &Once, first: &Answer) -> Result<()> {
    let Some(key) = &request.key else { return Ok(()) };
    tx.exec(
        "UPDATE idempotency_keys SET status = $3, body = $4 WHERE user_id = $1 AND key = $2",
        params![user, key, i64::from(first.status.as_u16()), first.body],
    )?;
    Ok(())
}

fn release(tx: &mut Tx, user: UserId, request: &Once) -> Result<()> {
    let Some(key) = &request.key else { return Ok(()) };
    tx.exec("DELETE FROM idempotency_keys WHERE user_id = $1 AND key = $2", params![user, key])?;
    Ok(())
}

/// The first answer, if this request already had its effect. For an effect that cannot be had inside one transaction, whose
/// caller sees to it by itself that a twin waits.
pub fn find(tx: &mut Tx, user: UserId, request: &Once) -> Result<Option<Answer>> {
    let Some(key) = &request.key else { return Ok(None) };
    let oldest = tx.now().plus_ms(-KEPT_MS);
    let is_kept: Option<i64> = tx.opt(
        "SELECT status FROM idempotency_keys WHERE user_id = $1 AND key = $2 AND created_at > $3",
        params![user, key, oldest],
    )?;
    is_kept.map(|_| replay(tx, user, request)).transpose()
}

fn answer<T: Serialize>((status, view): (StatusCode, T)) -> Result<Answer> {
    let body = serde_json::to_string(&view).map_err(Error::internal)?;
    Ok(Answer { status, body, is_replay: false })
}

fn replay(tx: &mut Tx, user: UserId, request: &Once) -> Result<Answer> {
    let kept: KeptRow = tx.one(
        "SELECT request_hash, status, body FROM idempotency_keys WHERE user_id = $1 AND key = $2",
        params![user, request.key],
    )?;
    if kept.request_hash != request.request_hash {
        return Err(key_reused());
    }
    let status = u16::try_from(kept.status).map_err(Error::internal)?;
    let status = StatusCode::from_u16(status).map_err(Error::internal)?;
    Ok(Answer { status, body: kept.body, is_replay: true })
}

pub const fn key_reused() -> Error {
    Error::Unprocessable {
        code: "idempotency_key_reused",
        message: "This Idempotency-Key was used for another request.",
    }
}

/// Forgets keys whose time is over.
pub fn forget_expired(tx: &mut Tx) -> Result<u64> {
    let cutoff = tx.now().plus_ms(-KEPT_MS);
    tx.exec("DELETE FROM idempotency_keys WHERE created_at <= $1", params![cutoff])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_key_is_taken_as_it_is_or_refused(
            bytes in prop_oneof![
                proptest::collection::vec(any::<u8>(), 0..40),
                proptest::collection::vec(32_u8..127, 250..260),
            ],
        ) {
            let Ok(value) = HeaderValue::from_bytes(&bytes) else { return Ok(()) };
            let headers = HeaderMap::from_iter([(http::HeaderName::from_static(HEADER), value)]);
            let is_good = (1..=255).contains(&bytes.len()) && bytes.iter().all(|byte| (32..127).contains(byte));
            let key = read_key(&headers).ok().flatten();
            prop_assert_eq!(key.map(String::into_bytes), is_good.then_some(bytes));
        }
    }
}
