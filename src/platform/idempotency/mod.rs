//! The same request twice has one effect: `Idempotency-Key`.
//!
//! Owns: the `idempotency_keys` table and the header.
//! Invariants: the key's row and the effect are written by one transaction, so either both happened or neither; a concurrent twin
//! waits for the first and replays it; a refusal is not kept, so it can be tried again.
//! Never: replays to another user, or for another path or body.

mod store;

use std::collections::HashSet;

use axum::body::Body;
use axum::extract::{FromRef, FromRequest, FromRequestParts, Request};
use axum::response::{IntoResponse, Response};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::Serialize;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::platform::clock::{DAY_MS, Timestamp};
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::http::input::{self, Input, Valid};
use crate::platform::keys;
use crate::platform::language::Language;
use crate::platform::texts;

pub const HEADER: &str = "idempotency-key";
pub const REPLAYED: &str = "idempotent-replayed";
const LONGEST: usize = 255;
const KEPT_MS: i64 = DAY_MS;

/// What makes two requests the same: the caller's key, and the path and body it came with.
#[derive(Debug, Clone)]
pub struct Once {
    key: Option<String>,
    request_hash: Vec<u8>,
    /// The first answer is written inside the transaction, where nobody knows any more whom it is for.
    language: Language,
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
        Ok(Self {
            key: read_key(&parts.headers)?,
            request_hash: hash.finalize().to_vec(),
            language: texts::speaks(),
        })
    }

    /// The same request as made by an operator on a user's behalf: its key is the operator's own, apart from the user's
    /// and from other operators'.
    #[must_use]
    pub fn by_operator(self, name: &str) -> Self {
        // A line break is in no key that came in a header, so no user can make this one.
        let key = self.key.map(|key| format!("operator {name}\n{key}"));
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
impl<S: Send + Sync> FromRequestParts<S> for Once {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        Self::of(parts, None)
    }
}

/// A valid body together with its idempotency key.
pub struct ValidOnce<T>(pub T, pub Once);

impl<T: Input, S: Send + Sync> FromRequest<S> for ValidOnce<T>
where
    Core: FromRef<S>,
{
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        let (parts, body) = request.into_parts();
        let head = Request::from_parts(parts.clone(), body);
        let object = input::read_object(head, &Core::from_ref(state)).await?;
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
            text!("The Idempotency-Key header must have 1 to 255 printable ASCII characters."),
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
    /// For an effect that is kept with its request's key and hash by whoever had it.
    pub fn of<T: Serialize>(status: StatusCode, view: &T, is_replay: bool) -> Result<Self> {
        let body = serde_json::to_string(view).map_err(Error::internal)?;
        Ok(Self { status, body, is_replay })
    }

    pub fn is_replay(&self) -> bool {
        self.is_replay
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.body + "\n"));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if self.is_replay {
            headers.insert(REPLAYED, HeaderValue::from_static("true"));
        }
        response
    }
}

/// Runs `effect` unless this request already had it; then gives the first answer again.
pub fn once<T: Serialize>(
    tx: &mut Tx,
    user: impl Into<i64>,
    request: &Once,
    effect: impl FnOnce(&mut Tx) -> Result<(StatusCode, T)>,
) -> Result<Answer> {
    let answers = once_each(tx, &[(user.into(), request)], |tx, _| Ok(vec![Ok(effect(tx)?)]))?;
    answers.into_iter().next().unwrap_or_else(|| Err(Error::internal("one answer for one")))
}

/// The same for requests of as many users. `effect` is given the positions of those that have not had it yet and answers in the
/// order of these. One that it refuses leaves its key free again.
pub fn once_each<T: Serialize>(
    tx: &mut Tx,
    requests: &[(i64, &Once)],
    effect: impl FnOnce(&mut Tx, &[usize]) -> Result<Vec<Result<(StatusCode, T)>>>,
) -> Result<Vec<Result<Answer>>> {
    let had = claim_each(tx, requests)?;
    let open: Vec<usize> =
        had.iter().enumerate().filter(|(_, had)| had.is_none()).map(|(place, _)| place).collect();
    let firsts = if open.is_empty() { Vec::new() } else { effect(tx, &open)? };
    let mut firsts = firsts.into_iter();
    let mut first = |request: &Once| match firsts.next() {
        Some(first) => first.and_then(|(status, view)| {
            texts::speaking(request.language, || Answer::of(status, &view, false))
        }),
        None => Err(Error::internal("an effect for each request")),
    };
    let answers: Vec<Result<Answer>> = had
        .into_iter()
        .zip(requests)
        .map(|(had, (_, request))| had.unwrap_or_else(|| first(request)))
        .collect();
    let made = open.iter().filter_map(|place| Some((requests.get(*place)?, answers.get(*place)?)));
    keep_each(tx, made)?;
    Ok(answers)
}

/// Claims the keys of requests that have one; the first answer to those that had their effect already.
fn claim_each(tx: &mut Tx, requests: &[(i64, &Once)]) -> Result<Vec<Option<Result<Answer>>>> {
    let oldest = oldest_kept(tx);
    let keyed: Vec<(i64, &str, String)> = requests
        .iter()
        .filter_map(|(user, once)| Some((*user, once.key()?, keys::hex(&once.request_hash))))
        .collect();
    let claimed = if keyed.is_empty() { HashSet::new() } else { store::claim(tx, &keyed, oldest)? };
    let had = |(user, once): &(i64, &Once)| {
        let key = once.key()?;
        if claimed.contains(&(*user, key.to_owned())) {
            return None;
        }
        let gone = || Error::internal("a key that was claimed is gone");
        Some(replay(tx, *user, key, once, oldest).and_then(|first| first.ok_or_else(gone)))
    };
    Ok(requests.iter().map(had).collect())
}

/// Keeps what was answered, and frees the keys of what was refused.
fn keep_each<'a>(
    tx: &mut Tx,
    made: impl Iterator<Item = (&'a (i64, &'a Once), &'a Result<Answer>)>,
) -> Result<()> {
    let (mut kept, mut freed) = (Vec::new(), Vec::new());
    for ((user, once), answer) in made {
        match (once.key(), answer) {
            (Some(key), Ok(first)) => {
                kept.push((*user, key, first.status.as_u16(), first.body.as_str()));
            }
            (Some(key), Err(_)) => freed.push((*user, key)),
            (None, _) => {}
        }
    }
    if !kept.is_empty() {
        store::update_answers(tx, &kept)?;
    }
    if !freed.is_empty() {
        store::delete(tx, &freed)?;
    }
    Ok(())
}

/// The first answer, if this request already had its effect. For an effect that cannot be had inside one transaction, whose
/// caller sees to it by itself that a twin waits.
pub fn find(tx: &mut Tx, user: impl Into<i64>, request: &Once) -> Result<Option<Answer>> {
    let Some(key) = request.key() else { return Ok(None) };
    let oldest = oldest_kept(tx);
    replay(tx, user.into(), key, request, oldest)
}

fn replay(
    tx: &mut Tx,
    user: i64,
    key: &str,
    request: &Once,
    oldest: Timestamp,
) -> Result<Option<Answer>> {
    let Some(kept) = store::find_since(tx, user, key, oldest)? else { return Ok(None) };
    if kept.request_hash != request.request_hash {
        return Err(key_reused());
    }
    let status = u16::try_from(kept.status).map_err(Error::internal)?;
    let status = StatusCode::from_u16(status).map_err(Error::internal)?;
    Ok(Some(Answer { status, body: kept.body, is_replay: true }))
}

/// A key whose request was no later than this is free again.
pub fn oldest_kept(tx: &Tx) -> Timestamp {
    tx.now().plus_ms(-KEPT_MS)
}

pub const fn key_reused() -> Error {
    Error::Unprocessable {
        code: "idempotency_key_reused",
        message: text!("This Idempotency-Key was used for another request."),
    }
}

/// Forgets everything that was answered to a user, or about them to an operator.
pub fn forget_user(tx: &mut Tx, user: impl Into<i64>) -> Result<()> {
    store::delete_of(tx, user.into()).map(drop)
}

/// Forgets keys whose time is over.
pub fn forget_expired(tx: &mut Tx, most: i64) -> Result<u64> {
    let oldest = oldest_kept(tx);
    store::delete_expired(tx, oldest, most)
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
