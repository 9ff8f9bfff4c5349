//! Phone codes: sending them, checking them, logging in with them, moving an account to a new phone.
//!
//! Owns: the `phone_challenges`, `wrong_codes`, `sms_log` and `sms_budget_parts` tables.
//! Invariants: a code is derived from the server's key and the challenge and is never stored (except in the SMS log outside
//! production); a try is counted by the statement that reads the challenge, so no race gives a sixth; a right code is used up by
//! the transaction that accepts it; unknown, wrong, expired and burned codes get one answer for the same work; only tries at a
//! code that could have been right lock a phone, so that nobody can keep its owner out without sending them messages.
//! Never: says whether a phone has an account before a code proves that the caller holds it, except while the day's budget is used
//! up and its reserve is for phones that have one.

mod budget;
mod code;
pub mod routes;
mod send;
pub mod sms_log;
mod sms_log_store;
mod store;

use std::sync::Arc;

use crate::adapters::sms::Sms;
use crate::extends_core;
use crate::features::chat::{self, Chat, PendingDevice};
use crate::features::coins;
use crate::features::sessions::{self, SessionId, User};
use crate::features::users::{self, Hold, Phone, UserId, UserRow, Username};
use crate::platform::clock::{HOUR_MS, MINUTE_MS, SECOND_MS};
use crate::platform::config::LoginConfig;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::http::client_address::ClientAddress;
use crate::platform::jobs::{Next, Stop, job};
use crate::platform::limits::{self, Limit, Who};
use crate::platform::tokens::{Token, TokenKind};
use crate::platform::verdict::Verdict;

pub use budget::check as check_settings;
pub use code::{Code, FixedCodes};
pub use send::{request, resend};
pub use sms_log::export;

pub const CODE_VALID_MS: i64 = 300 * SECOND_MS;
/// A code that is sent again lives on, but not longer than this in all.
const CODE_LONGEST_LIFE_MS: i64 = 600 * SECOND_MS;
const TRIES_PER_CODE: i64 = 5;
const LOCK_MS: i64 = 15 * MINUTE_MS;
/// Ten wrong codes in an hour, whatever codes they were for, lock a phone.
const WRONG_CODES: Limit = Limit { code: "too_many_wrong_codes", most: 10, window_ms: HOUR_MS };

/// Whose challenge it is: somebody logging in, or a user who verifies a phone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    Login,
    Verification(UserId),
}

impl Owner {
    const fn column(self) -> i64 {
        match self {
            Self::Login => 0,
            Self::Verification(user) => user.0,
        }
    }
}

/// Codes and who logs in with them.
#[derive(Clone)]
pub struct Login {
    core: Core,
    fixed: FixedCodes,
    sms: Arc<Sms>,
    chat: Chat,
}

extends_core!(Login);

impl Login {
    pub fn open(core: &Core, chat: &Chat) -> Result<Self> {
        Ok(Self {
            core: core.clone(),
            fixed: FixedCodes::parse(&core.config.login.test_numbers).map_err(Error::internal)?,
            sms: Arc::new(Sms::open(&core.config.sms).map_err(Error::internal)?),
            chat: chat.clone(),
        })
    }

    fn code_for(&self, phone: &Phone, nonce: &[u8]) -> Code {
        let derived = Code::derive(&self.keys, nonce);
        self.fixed.find(phone).unwrap_or(derived)
    }
}

/// Somebody's try at a code, with the keyed hashes worked out before the transaction so that nobody waits for them there.
pub struct Try {
    phone: Phone,
    code: Code,
    /// Under which name wrong codes of the phone are counted.
    phone_key: String,
    /// Under which name they are written down where they do not count, for the same work.
    idle_key: String,
    sends: Who,
    address: Who,
}

impl Try {
    pub fn new(login: &Login, phone: Phone, code: Code, from: ClientAddress) -> Self {
        Self {
            phone_key: login.keys.pseudonym("wrong codes", phone.as_str()),
            idle_key: login.keys.pseudonym("codes without a challenge", phone.as_str()),
            sends: Who::new(&login.keys, phone.as_str()),
            address: Who::new(&login.keys, &from.limit_key()),
            phone,
            code,
        }
    }
}

#[derive(Debug)]
pub struct LoggedIn {
    pub user: UserRow,
    pub token: Token,
    pub session_id: SessionId,
    /// What the homeserver is to make for it, unless the user cannot have chat.
    pub device: Option<PendingDevice>,
}

/// Exchanges a phone and its code for a session, registering the user at their first login.
pub async fn log_in(
    login: &Login,
    one_try: Try,
    username: Option<Username>,
    device_name: Option<String>,
) -> Result<LoggedIn> {
    let this = login.clone();
    let token = Token::generate(TokenKind::User);
    let token_hash = token.hash();
    let attempt = move |tx: &mut Tx| {
        // Users are held before anything of theirs, as everywhere.
        let known = users::hold_by_phone(tx, &one_try.phone)?;
        let places = match check(tx, &this, Owner::Login, &one_try)? {
            Verdict::Accepted(places) => places,
            Verdict::Refused(error) => return Ok(Verdict::Refused(error)),
        };
        let (user, is_new) = match known {
            Some(user) => (user, false),
            None => users::register(tx, &this.keys, &one_try.phone, username.as_ref())?,
        };
        if user.banned_at.is_some() {
            return Ok(Verdict::Refused(sessions::banned()));
        }
        if is_new {
            coins::open_account(tx, &this.keys, &this.config.coins, user.id, &one_try.phone)?;
        }
        let (settings, device_name) = (&this.config.sessions, device_name.as_deref());
        let session_id = sessions::begin(tx, settings, user.id, &token_hash, device_name)?;
        let begin_device = if is_new { chat::begin_first_device } else { chat::begin_device };
        let device = begin_device(tx, &this.chat, &user, session_id)?;
        give_places_back(tx, &this, &places)?;
        Ok(Verdict::Accepted((user, session_id, device, is_new)))
    };
    let (user, session_id, device, is_new) = login.db.write(attempt).await?.into_result()?;
    let kind = if is_new { "registration" } else { "login" };
    metrics::counter!("touchline_logins_total", "kind" => kind).increment(1);
    Ok(LoggedIn { user, token, session_id, device })
}

/// Completes the verification that a user began, and moves their account to the phone.
pub async fn verify_phone(login: &Login, user: User, one_try: Try) -> Result<()> {
    let this = login.clone();
    let attempt = move |tx: &mut Tx| {
        users::get_held(tx, user.id, Hold::Change)?;
        sessions::confirm(tx, user)?;
        let (owner, phone) = (Owner::Verification(user.id), &one_try.phone);
        match store::find_pending_phone(tx, owner)? {
            None => return Err(nothing_pending()),
            Some(pending) if pending != *phone => {
                return Err(Error::Unprocessable {
                    code: "phone_mismatch",
                    message: "The pending verification is for another phone number.",
                });
            }
            Some(_) => {}
        }
        let places = match check(tx, &this, owner, &one_try)? {
            Verdict::Accepted(places) => places,
            Verdict::Refused(error) => return Ok(Verdict::Refused(error)),
        };
        let former = users::get(tx, user.id)?.phone.filter(|former| former != phone);
        match users::move_to_phone(tx, user.id, phone) {
            Ok(()) => {}
            // The code is used up all the same: it has told its holder what it can.
            Err(error @ Error::Unprocessable { .. }) => return Ok(Verdict::Refused(error)),
            Err(error) => return Err(error),
        }
        if let Some(former) = &former {
            leave_phone(tx, user.id, former)?;
        }
        if former.is_some() && this.config.login.revoke_sessions_on_phone_change {
            let ended = sessions::revoke_all(tx, user.id, Some(user.session_id))?;
            chat::sessions_ended(tx, &ended)?;
        }
        give_places_back(tx, &this, &places)?;
        Ok(Verdict::Accepted(()))
    };
    login.db.write(attempt).await?.into_result()
}

fn nothing_pending() -> Error {
    Error::Unprocessable {
        code: "no_pending_verification",
        message: "No verification is pending for this phone number.",
    }
}

/// How many codes an address gets that are not verified: a stadium's fans share one, and somebody who only has codes sent does too.
fn address_limit(settings: &LoginConfig) -> Limit {
    Limit {
        code: "address_send_limit",
        most: settings.sends_per_address_in_5_minutes,
        window_ms: 5 * MINUTE_MS,
    }
}

/// The last thing a login does: all who share the address wait for this row.
fn give_places_back(tx: &mut Tx, login: &Login, places: &str) -> Result<()> {
    limits::take_back_all(tx, address_limit(&login.config.login), places)
}

/// Counts a try and compares the code; a right one is used up, and answers where its sends were counted.
fn check(tx: &mut Tx, login: &Login, owner: Owner, one_try: &Try) -> Result<Verdict<String>> {
    let (now, phone) = (tx.now(), &one_try.phone);
    let of_address = login.config.environment.is_public().then_some(Limit {
        code: "address_wrong_code_limit",
        most: login.config.login.wrong_codes_per_address_in_5_minutes,
        window_ms: 5 * MINUTE_MS,
    });
    if let Some(limit) = of_address {
        limits::check(tx, limit, &one_try.address)?;
        // What a send holds first: a send and a try for one phone take turns, and cannot wait for each other in a circle.
        let [sends, _] = send::phone_limits(&login.config.login);
        limits::hold(tx, sends, &one_try.sends)?;
    }
    let taken = store::take_try(tx, owner, phone, &one_try.phone_key, TRIES_PER_CODE)?;
    let is_live = taken.is_some();
    // Without a challenge a code is derived and compared all the same, so that the time tells nothing.
    let (nonce, places) = taken.unwrap_or_else(|| (vec![0; code::NONCE_BYTES], String::new()));
    let expected = login.code_for(phone, &nonce);
    let is_right = expected.matches(&one_try.code);
    if is_live && is_right {
        store::delete_challenge(tx, owner, phone)?;
        return Ok(Verdict::Accepted(places));
    }
    // Looked at also where the try was taken, which is where there was no lock, so that the time tells nothing.
    let locked_until = store::find_lock(tx, &one_try.phone_key)?;
    if let Some(until) = locked_until.filter(|until| !is_live && *until > now) {
        return Ok(Verdict::Refused(limits::refused(WRONG_CODES, until.millis_since(now))));
    }
    let key = if is_live { &one_try.phone_key } else { &one_try.idle_key };
    store::insert_wrong_code(tx, key, WRONG_CODES, now.plus_ms(LOCK_MS))?;
    // Tries at the same moment can all have passed the look above. The try stays counted all the same, or it would have been free.
    let counted = of_address.map(|limit| limits::hit(tx, limit, &one_try.address));
    if let Some(Err(refused @ Error::RateLimited { .. })) = counted {
        return Ok(Verdict::Refused(refused));
    }
    counted.transpose()?;
    Ok(Verdict::Refused(Error::Unauthenticated {
        code: "invalid_code",
        message: "The code is wrong or has expired.",
    }))
}

/// What was sent to a phone while it was a user's stays theirs when they leave it, to be forgotten with them.
fn leave_phone(tx: &mut Tx, user: UserId, phone: &Phone) -> Result<()> {
    store::delete_challenge(tx, Owner::Login, phone)?;
    sms_log::hand_over(tx, Owner::Verification(user), phone).map(drop)
}

/// Removes every trace of the phones that the user has, had or wanted to have.
pub fn forget(tx: &mut Tx, user: &UserRow) -> Result<()> {
    if let Some(phone) = &user.phone {
        leave_phone(tx, user.id, phone)?;
    }
    let owner = Owner::Verification(user.id);
    sms_log::forget(tx, owner)?;
    store::delete_challenges_of(tx, owner).map(drop)
}

job! {
    pub struct ForgetCodes;
    kind: "forget_codes", lane: Local, every: HOUR_MS, run: forget_codes(Login)
}

async fn forget_codes(_: ForgetCodes, login: Login, stop: Stop) -> Result<Next> {
    let (db, stop, settings) = (&login.db, &stop, &login.config.login);
    let (now, hours) = (login.clock.now(), |hours: i64| hours.saturating_mul(HOUR_MS));
    let before = now.plus_ms(-hours(settings.code_kept_hours));
    db.delete_in_batches(stop, move |tx, most| store::delete_old_challenges(tx, before, most))
        .await?;
    let before = now.plus_ms(-WRONG_CODES.window_ms);
    db.delete_in_batches(stop, move |tx, most| store::delete_old_wrong_codes(tx, before, most))
        .await?;
    let before = now.plus_ms(-hours(settings.sms_log_days.saturating_mul(24)));
    db.delete_in_batches(stop, move |tx, most| sms_log::forget_before(tx, before, most)).await?;
    // A few rows a day.
    db.write(move |tx| store::delete_old_budget(tx, now.utc_day())).await?;
    Ok(Next::Done)
}
