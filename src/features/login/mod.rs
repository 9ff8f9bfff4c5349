//! Phone codes: sending them, checking them, logging in with them, moving an account to a new phone.
//!
//! Owns: the `phone_challenges`, `wrong_codes`, `sms_log`, `sms_budget_parts` and `sms_counts` tables.
//! Invariants: a code is derived from the server's key and the challenge and is never stored (except in the SMS log outside
//! production); a challenge is held while a try is compared and counted, so no race gives a sixth; a right code is used up by
//! the transaction that accepts it; unknown, wrong, expired and burned codes get one answer for the same work; only tries at a
//! code that could have been right lock a phone, so that nobody can keep its owner out without sending them messages.
//! Never: says whether a phone has an account before a code proves that the caller holds it, except while the day's budget is used
//! up and its reserve is for phones that have one.

mod budget;
mod code;
mod exchange;
mod proof;
pub mod routes;
mod send;
mod send_limits;
pub mod sms_figures;
pub mod sms_figures_routes;
mod sms_figures_store;
pub mod sms_log;
mod sms_log_store;
mod store;
mod tries;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use crate::adapters::sms::Sms;
use crate::extends_core;
use crate::features::chat::{self, Chat};
use crate::features::sessions::{self, User};
use crate::features::users::{self, Hold, Phone, UserId, UserRow};
use crate::platform::clock::{HOUR_MS, MINUTE_MS, SECOND_MS};
use crate::platform::config::LoginConfig;
use crate::platform::core::Core;
use crate::platform::db::{Shared, Tx};
use crate::platform::error::{Error, Result};
use crate::platform::jobs::{Next, Stop, job};
use crate::platform::limits::{self, Limit};
use crate::platform::outage::Outage;
use crate::platform::verdict::Verdict;

pub use budget::check as check_settings;
pub use code::{Code, FixedCodes};
pub use exchange::{LoggedIn, log_in};
pub use proof::{Proved, prove};
pub use send::{request, resend};
pub use sms_log::export;
pub use tries::Try;

use exchange::LogIn;
use send::SendCode;
use sms_figures::Tally;

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
    log_in: Shared<LogIn>,
    send: Shared<SendCode>,
    tally: Tally,
}

extends_core!(Login);

impl Login {
    pub fn open(core: &Core, chat: &Chat) -> Result<Self> {
        Ok(Self {
            core: core.clone(),
            fixed: FixedCodes::parse(&core.config.login.test_numbers).map_err(Error::internal)?,
            sms: Arc::new(Sms::open(&core.config.sms).map_err(Error::internal)?),
            chat: chat.clone(),
            log_in: Shared::new(&core.db),
            send: Shared::new(&core.db),
            tally: Tally::default(),
        })
    }

    /// Taking messages away for a while.
    pub fn sms_outage(&self) -> &Outage {
        self.sms.outage()
    }

    fn code_for(&self, phone: &Phone, nonce: &[u8]) -> Code {
        let derived = Code::derive(&self.keys, nonce);
        self.fixed.find(phone).unwrap_or(derived)
    }
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
                    message: text!("The pending verification is for another phone number."),
                });
            }
            Some(_) => {}
        }
        let judged = tries::judge_each(tx, &this, &[&one_try])?;
        let judged = judged.into_iter().map(|judged| (&one_try, judged)).collect();
        let counted: Result<Vec<String>> =
            tries::count_each(tx, &this, judged)?.into_iter().collect();
        let places = match counted {
            Ok(places) => places,
            // The try stays counted.
            Err(error) => return Ok(Verdict::Refused(error)),
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
        message: text!("No verification is pending for this phone number."),
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
fn give_places_back(tx: &mut Tx, login: &Login, places: &[String]) -> Result<()> {
    limits::take_back_receipts(tx, address_limit(&login.config.login), places)
}

/// What is asked for one phone at once is granted one after the other.
fn turn_of(phone: &Phone) -> u64 {
    let mut hasher = DefaultHasher::new();
    phone.as_str().hash(&mut hasher);
    hasher.finish()
}

/// What was sent to a phone while it was a user's stays theirs when they leave it, to be forgotten with them.
fn leave_phone(tx: &mut Tx, user: UserId, phone: &Phone) -> Result<()> {
    store::delete_challenges(tx, &[(Owner::Login.column(), phone)])?;
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
    db.delete_in_batches(stop, |tx, _| sms_figures::forget_old(tx)).await?;
    // A few rows a day.
    db.write(move |tx| store::delete_old_budget(tx, now.utc_day())).await?;
    Ok(Next::Done)
}
