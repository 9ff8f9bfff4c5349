//! Requests that wait until their user has confirmed them elsewhere: Matrix's user-interactive authentication.
//!
//! Owns: what waits, for whom and until when.
//! Invariants: a confirmation is good for one request, by the same user on the same device with the same content; a user has a few
//! at once, and all users together as many as fit into some megabytes; what is not confirmed in time is gone.
//! Never: is kept over a restart: the client asks again.

use std::collections::HashMap;
use std::sync::Mutex;

use crate::budget::{CONFIRMATIONS, CONFIRMATIONS_OF_USER};
use crate::error::{Error, Result};
use crate::http::Caller;
use crate::live::lock;
use crate::random::opaque;

/// Time enough to receive a text message and to read what it is for.
const LIFE_MS: i64 = 10 * 60 * 1000;
/// How long to wait where there are too many.
const RETRY_MS: u64 = 60_000;

/// What a request is about, in few bytes.
pub type Digest = [u8; 32];

#[derive(Default)]
pub struct Confirmations(Mutex<HashMap<String, Waiting>>);

struct Waiting {
    user: String,
    device: String,
    digest: Digest,
    is_confirmed: bool,
    ends_at: i64,
}

/// A request that waits to be confirmed.
#[derive(Clone, Debug)]
pub struct PendingReset {
    /// The account's full id.
    pub user_id: String,
    pub device_id: String,
}

impl Confirmations {
    /// Has a request wait, under a name that nobody guesses. Of a user who has too many the oldest is forgotten.
    pub fn begin(&self, me: &Caller, digest: Digest, now: i64) -> Result<String> {
        let Some(device) = me.device.clone() else {
            return Err(Error::forbidden("Only a device can do this"));
        };
        let mut all = lock(&self.0);
        if all.len() >= CONFIRMATIONS {
            all.retain(|_, waiting| waiting.ends_at > now);
        }
        let of_user = || all.iter().filter(|(_, waiting)| waiting.user == me.id());
        if of_user().count() >= CONFIRMATIONS_OF_USER {
            let oldest = of_user().min_by_key(|(_, waiting)| waiting.ends_at);
            let oldest = oldest.map(|(name, _)| name.clone()).unwrap_or_default();
            all.remove(&oldest);
        }
        if all.len() >= CONFIRMATIONS {
            return Err(Error::limited(RETRY_MS));
        }
        let name = opaque(32);
        let user = me.id().to_owned();
        let waiting = Waiting { user, device, digest, is_confirmed: false, ends_at: now + LIFE_MS };
        all.insert(name.clone(), waiting);
        Ok(name)
    }

    /// Whether just this waits under that name and is not confirmed yet.
    pub fn waits(&self, name: &str, me: &Caller, digest: &Digest, now: i64) -> bool {
        let all = lock(&self.0);
        all.get(name).is_some_and(|waiting| waiting.is_for(me, digest, now))
    }

    /// Uses a confirmation up, if there is one for just this.
    pub fn take(&self, name: &str, me: &Caller, digest: &Digest, now: i64) -> bool {
        let mut all = lock(&self.0);
        let is_good = all
            .get(name)
            .is_some_and(|waiting| waiting.is_confirmed && waiting.is_for(me, digest, now));
        is_good && all.remove(name).is_some()
    }

    /// What waits under that name, unless it is confirmed already.
    pub fn find(&self, name: &str, now: i64) -> Option<PendingReset> {
        let all = lock(&self.0);
        let waiting = all.get(name).filter(|waiting| waiting.ends_at > now)?;
        let (user_id, device_id) = (waiting.user.clone(), waiting.device.clone());
        (!waiting.is_confirmed).then_some(PendingReset { user_id, device_id })
    }

    /// Its user has confirmed it. False if nothing of theirs waits there.
    pub fn confirm(&self, name: &str, user: &str, now: i64) -> bool {
        let mut all = lock(&self.0);
        match all.get_mut(name) {
            Some(waiting) if waiting.ends_at > now && waiting.user == user => {
                waiting.is_confirmed = true;
                true
            }
            _ => false,
        }
    }
}

impl Waiting {
    fn is_for(&self, me: &Caller, digest: &Digest, now: i64) -> bool {
        self.ends_at > now
            && self.user == me.id()
            && me.device.as_deref() == Some(self.device.as_str())
            && self.digest == *digest
    }
}
