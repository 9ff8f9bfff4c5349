//! Tries at codes: compared with what was sent, and what a wrong one costs.

use crate::features::login::Login;
use crate::features::users::Phone;
use crate::platform::clock::MINUTE_MS;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::http::client_address::ClientAddress;
use crate::platform::limits::{self, Limit, Who};

use super::code::{self, Code};
use super::store::{self, Key};
use super::{LOCK_MS, Owner, TRIES_PER_CODE, WRONG_CODES, send_limits};

/// Somebody's try at a code, with the keyed hashes worked out before the transaction so that nobody waits for them there.
pub struct Try {
    pub owner: Owner,
    pub phone: Phone,
    code: Code,
    /// Under which name wrong codes of the phone are counted.
    phone_key: String,
    /// Under which name they are written down where they do not count, for the same work.
    idle_key: String,
    sends: Who,
    address: Who,
}

impl Try {
    pub fn new(login: &Login, owner: Owner, phone: Phone, code: Code, from: ClientAddress) -> Self {
        Self {
            owner,
            phone_key: login.keys.pseudonym("wrong codes", phone.as_str()),
            idle_key: login.keys.pseudonym("codes without a challenge", phone.as_str()),
            sends: Who::new(&login.keys, phone.as_str()),
            address: Who::new(&login.keys, &from.limit_key()),
            phone,
            code,
        }
    }

    fn key(&self) -> Key<'_> {
        (self.owner.column(), &self.phone)
    }
}

/// What a try comes to, once it is counted.
pub enum Judged {
    /// Where the sends of the code were counted.
    Right(String),
    /// Whether it was at a code that could have been right.
    Wrong { is_live: bool },
    /// It does not even count.
    Refused(Error),
}

/// How many wrong codes an address may try.
fn address_limit(login: &Login) -> Option<Limit> {
    login.config.environment.is_public().then_some(Limit {
        code: "address_wrong_code_limit",
        most: login.config.login.wrong_codes_per_address_in_5_minutes,
        window_ms: 5 * MINUTE_MS,
    })
}

/// Compares the codes of tries at different challenges, which are held. Nothing is written yet: see [`count_each`].
pub fn judge_each(tx: &mut Tx, login: &Login, tries: &[&Try]) -> Result<Vec<Judged>> {
    let now = tx.now();
    let mut over_limit: Vec<Option<Error>> = tries.iter().map(|_| None).collect();
    if let Some(limit) = address_limit(login) {
        let addresses: Vec<&Who> = tries.iter().map(|one| &one.address).collect();
        let checked = limits::check_each(tx, limit, &addresses)?;
        over_limit = checked.into_iter().map(Result::err).collect();
        // What a send holds first: a send and a try for one phone take turns, and cannot wait for each other in a circle.
        let [sends, _] = send_limits::phone_limits(&login.config.login);
        let phones: Vec<&Who> = tries.iter().map(|one| &one.sends).collect();
        limits::hold_each(tx, sends, &phones)?;
    }
    let keys: Vec<Key<'_>> = tries.iter().map(|one| one.key()).collect();
    let mut challenges = store::hold_challenges(tx, &keys)?;
    // Read after the challenges are held: of two tries at one, the second sees the lock that the first made.
    let phone_keys: Vec<&str> = tries.iter().map(|one| one.phone_key.as_str()).collect();
    let locks = store::list_locks(tx, &phone_keys)?;
    let judge = |(one, over_limit): (&&Try, Option<Error>)| {
        if let Some(error) = over_limit {
            return Judged::Refused(error);
        }
        let locked_until = locks.get(&one.phone_key).filter(|until| **until > now);
        let challenge = challenges.remove(&(one.owner.column(), one.phone.clone()));
        let live = challenge.filter(|challenge| {
            locked_until.is_none() && challenge.expires_at > now && challenge.tries < TRIES_PER_CODE
        });
        let is_live = live.is_some();
        // Without a challenge a code is derived and compared all the same, so that the time tells nothing.
        let idle = || (vec![0; code::NONCE_BYTES], String::new());
        let (nonce, places) = live.map_or_else(idle, |live| (live.nonce, live.places));
        let is_right = login.code_for(&one.phone, &nonce).matches(&one.code);
        match locked_until {
            _ if is_live && is_right => Judged::Right(places),
            Some(until) => Judged::Refused(limits::refused(WRONG_CODES, until.millis_since(now))),
            None => Judged::Wrong { is_live },
        }
    };
    Ok(tries.iter().zip(over_limit).map(judge).collect())
}

/// Uses right codes up and counts wrong ones. Answers where the sends of each right one were counted.
pub fn count_each(
    tx: &mut Tx,
    login: &Login,
    judged: Vec<(&Try, Judged)>,
) -> Result<Vec<Result<String>>> {
    let (mut used, mut tried) = (Vec::new(), Vec::new());
    for (one, judged) in &judged {
        match judged {
            Judged::Right(_) => used.push(one.key()),
            Judged::Wrong { is_live: true } => tried.push(one.key()),
            Judged::Wrong { is_live: false } | Judged::Refused(_) => {}
        }
    }
    if !used.is_empty() {
        store::delete_challenges(tx, &used)?;
    }
    if used.len() < judged.len() {
        // Also if there is none, so that the time tells nothing.
        store::update_tries(tx, &tried)?;
    }
    let mut outcomes = Vec::with_capacity(judged.len());
    for (one, judged) in judged {
        outcomes.push(match judged {
            Judged::Right(places) => Ok(places),
            Judged::Refused(error) => Err(error),
            Judged::Wrong { is_live } => Err(count_wrong(tx, login, one, is_live)?),
        });
    }
    Ok(outcomes)
}

fn count_wrong(tx: &mut Tx, login: &Login, one: &Try, is_live: bool) -> Result<Error> {
    let key = if is_live { &one.phone_key } else { &one.idle_key };
    let lock_until = tx.now().plus_ms(LOCK_MS);
    store::insert_wrong_code(tx, key, WRONG_CODES, lock_until)?;
    // Tries at the same moment can all have passed the look before. The try stays counted all the same, or it would have been free.
    let counted = address_limit(login).map(|limit| limits::hit(tx, limit, &one.address));
    match counted {
        Some(Err(refused @ Error::RateLimited { .. })) => Ok(refused),
        Some(Err(error)) => Err(error),
        _ => Ok(Error::Unauthenticated {
            code: "invalid_code",
            message: text!("The code is wrong or has expired."),
        }),
    }
}
