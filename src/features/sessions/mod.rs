//! Sessions: a login on one device, held by a bearer token.
//!
//! Owns: the `sessions` table, expiry and revocation, and the guard of everything that is a user's own.
//! Invariants: only a token's hash is stored; a session ends when it is revoked, unused for the idle time, or at its
//! greatest age, whichever comes first; revoking is a deleted row, so it survives a crash.
//! Never: knows how a user proved who they are, or what else ends with a session: it says which ended, and whoever ended them
//! sees to the rest.

mod guard;
mod store;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::users::{self, Hold, UserId, UserRow};
use crate::platform::cache::Cache;
use crate::platform::clock::{DAY_MS, HOUR_MS, Timestamp};
use crate::platform::config::SessionsConfig;
use crate::platform::core::Core;
use crate::platform::db::{ChangeCounter, Engine, Shared, Tx, Wish, by_position, column};
use crate::platform::error::{Error, Result};
use crate::platform::keys;
use crate::platform::texts;
use crate::platform::tokens::{Token, TokenHash, TokenKind};
use crate::{extends_core, id_input};

pub use guard::User;
pub use store::{ListedRow, list, list_in};

/// A use is written down at most this often, so that reading does not turn into writing.
const TOUCH_MS: i64 = HOUR_MS;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, ToSchema)]
#[schema(value_type = i64)]
pub struct SessionId(pub i64);

column!(SessionId as i64);
id_input!(SessionId);

/// Counting more sessions than this takes longer than an operator's page should.
const FEW: i64 = 10_000;
const MOST_COUNTED: i64 = 100_000;
const MANY_KEPT: Duration = Duration::from_secs(30);

/// How long one of several nodes answers by what it knows of a session before it looks again.
const KEPT: Duration = Duration::from_millis(500);

/// A token that was revoked on one node is refused by all of them as soon as that is answered.
static STANDINGS: ChangeCounter = ChangeCounter::kept_elsewhere_for(KEPT);

/// Who is logged in, with the sessions seen lately.
#[derive(Clone)]
pub struct Sessions {
    core: Core,
    find: Shared<FindSession>,
    seen: Arc<Cache<TokenHash, store::SessionRow>>,
    many: Arc<Cache<(), i64>>,
}

extends_core!(Sessions);

/// Who holds the token of this hash.
struct FindSession(TokenHash);

impl Wish for FindSession {
    type Granted = Option<store::SessionRow>;
    const WRITES: bool = false;

    fn grant(tx: &mut Tx, wishes: &[Self]) -> Result<Vec<Result<Self::Granted>>> {
        let hashes: Vec<String> = wishes.iter().map(|Self(hash)| keys::hex(hash)).collect();
        let found = store::list_by_hash(tx, &hashes)?;
        Ok(by_position(wishes.len(), found).into_iter().map(Ok).collect())
    }
}

impl Sessions {
    pub fn new(core: &Core) -> Self {
        let longest = match core.db.engine() {
            // The only node hears of every revocation.
            Engine::Sqlite => Duration::from_secs(1),
            Engine::Postgres => KEPT,
        };
        let seen = Arc::new(Cache::new(65_536, longest));
        let many = Arc::new(Cache::new(1, MANY_KEPT));
        Self { core: core.clone(), find: Shared::new(&core.db), seen, many }
    }

    /// How many sessions have not expired, counted up to 100,000. A few are counted each time; of many the figure may be half a minute old.
    pub async fn count_active(&self) -> Result<i64> {
        let few = self.db.read(|tx| store::count_active(tx, FEW)).await?;
        if few < FEW {
            return Ok(few);
        }
        let count = || self.db.read(|tx| store::count_active(tx, MOST_COUNTED));
        self.many.get((), &[], count).await
    }

    /// Who holds this token. Unknown, expired and revoked ones are told apart by nobody.
    pub async fn authenticate(&self, token: &Token) -> Result<User> {
        let hash = token.hash();
        let read = async || self.find.ask(FindSession(hash)).await?.ok_or_else(Error::no_token);
        let session = self.seen.get(hash, &[&STANDINGS], read).await?;
        texts::prefers(session.language);
        let now = self.clock.now();
        if session.expires_at <= now {
            return Err(Error::no_token());
        }
        if users::is_in_force(session.banned_at, session.banned_until, now) {
            return Err(banned());
        }
        if now.millis_since(session.last_used_at) >= TOUCH_MS {
            let expires_at = expiry(&self.config.sessions, session.created_at, now);
            let touch = move |tx: &mut Tx| store::update_last_used(tx, session.id, now, expires_at);
            // A full disk must not turn reads away; the next use tries again.
            if let Err(error) = self.db.write(touch).await {
                tracing::warn!(error = %error, "the use of a session could not be written down");
            }
            self.seen.forget(&hash);
        }
        Ok(User { id: session.user_id, session_id: session.id })
    }
}

/// Sessions that are over. What depends on them, such as their devices on the chat network, has to end too.
#[must_use]
#[derive(Debug)]
pub struct Ended(pub Vec<SessionId>);

impl Ended {
    pub fn count(&self) -> u64 {
        u64::try_from(self.0.len()).unwrap_or(u64::MAX)
    }
}

/// Begins a session for each of these users, held by the token with this hash and called after its device. Answers them by user.
pub fn begin_each(
    tx: &mut Tx,
    settings: &SessionsConfig,
    new: &[(UserId, &TokenHash, Option<&str>)],
) -> Result<BTreeMap<UserId, SessionId>> {
    let now = tx.now();
    let expires_at = expiry(settings, now, now);
    let row = |(user, token, device): &(UserId, &TokenHash, _)| {
        (*user, keys::hex(&token[..]), *device, expires_at)
    };
    let rows: Vec<store::NewSession<'_>> = new.iter().map(row).collect();
    Ok(store::insert(tx, &rows)?.into_iter().collect())
}

/// Begins a session that no token of ours holds: what it lets in is a device on the chat network. That is used without our hearing of
/// it, so the session ends at the greatest age that any has, and not for being idle.
pub fn begin_for_device(
    tx: &mut Tx,
    settings: &SessionsConfig,
    user: UserId,
    device: Option<&str>,
) -> Result<SessionId> {
    let nobodys = Token::generate(TokenKind::User).hash();
    let ends_at = tx.now().plus_ms(settings.max_days.saturating_mul(DAY_MS));
    let begun = store::insert(tx, &[(user, keys::hex(&nobodys[..]), device, ends_at)])?;
    let begun = begun.into_iter().map(|(_, session)| session).next();
    begun.ok_or_else(|| Error::internal("a session that begins has an id"))
}

/// Holds a caller as one who is still in: the session has not ended and the user is neither banned nor gone, and so it stays
/// until the end of the transaction. Between the guard and here they may have been shut out.
pub fn confirm(tx: &mut Tx, caller: User) -> Result<UserRow> {
    let user = users::hold(tx, &[caller.id], Hold::Share)?.pop().ok_or_else(Error::no_token)?;
    if user.is_banned(tx.now()) {
        return Err(banned());
    }
    if store::exists(tx, caller.session_id)? { Ok(user) } else { Err(Error::no_token()) }
}

/// A session or its user is let in no longer, or again: nothing that is kept in memory about sessions counts after this
/// transaction.
pub fn standing_changes(tx: &mut Tx) {
    tx.changes(&STANDINGS);
}

pub const fn banned() -> Error {
    Error::Forbidden { code: "banned", message: text!("This account is banned.") }
}

/// Ends one session of a user; another user's is not found.
pub fn revoke(tx: &mut Tx, user: UserId, id: SessionId) -> Result<Ended> {
    standing_changes(tx);
    users::get_held(tx, user, Hold::Change)?;
    let ended = store::delete(tx, user, id)?;
    if ended.is_empty() {
        return Err(not_found!("session"));
    }
    Ok(Ended(ended))
}

/// Ends all sessions of a user but the one that is kept, if any.
pub fn revoke_all(tx: &mut Tx, user: UserId, keep: Option<SessionId>) -> Result<Ended> {
    standing_changes(tx);
    users::get_held(tx, user, Hold::Change)?;
    store::delete_all_but(tx, user, keep).map(Ended)
}

/// Everything this feature knows about a user, for them to take away.
pub fn export(tx: &mut Tx, user: UserId) -> Result<serde_json::Value> {
    let sessions = list(tx, user)?;
    let views = sessions.into_iter().map(|session| {
        serde_json::json!({
            "device_name": session.device_name, "created_at": session.created_at,
            "last_used_at": session.last_used_at, "expires_at": session.expires_at,
        })
    });
    Ok(views.collect())
}

pub fn forget_expired(tx: &mut Tx, most: i64) -> Result<Ended> {
    store::delete_expired(tx, most).map(Ended)
}

fn expiry(settings: &SessionsConfig, created_at: Timestamp, used_at: Timestamp) -> Timestamp {
    let idle = used_at.plus_ms(settings.idle_days.saturating_mul(DAY_MS));
    let oldest = created_at.plus_ms(settings.max_days.saturating_mul(DAY_MS));
    idle.min(oldest)
}
