//! Coins: a double-entry ledger, spending, the daily bonus, corrections.
//!
//! Owns: the `coin_accounts`, `coin_house_accounts`, `coin_transfers` and `coin_leavers` tables, and the rules of the daily bonus.
//! Invariants: a coin moves only by a transfer with two legs, a user's account and a house account, written by the statement
//! after the one that changes the balance, in one transaction ([`ledger::transfer`], the only such place); a user's balance is
//! the sum of the account's entries, which are numbered without gaps, and is never below zero; all accounts together are zero.
//! House accounts have no stored balance: it would be one row for which every writer waits, so it is derived from the legs.
//! A day gives at most one bonus, and only if it is later than the last one claimed.
//! Never: changes or deletes a transfer, or moves coins on an account whose balance disagrees with its entries.

mod ledger;
mod reconcile;
pub mod routes;
mod store;
mod streak;
mod values;

use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use crate::features::users::{Phone, UserId, UserRow};
use crate::input;
use crate::platform::clock::{DAY_MS, MINUTE_MS, Timestamp};
use crate::platform::config::{CoinsConfig, ConfigError};
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::http::page::Page;
use crate::platform::keys::Keys;
use crate::platform::limits::{self, Limit, Who};

use self::ledger::{House, Movement};
use self::store::AccountRow;

pub use ledger::{Transfer, TransferId};
pub use reconcile::{Reconcile, RestoredView, unfreeze};
pub use store::TransactionView;
pub use streak::Claim;
pub use values::{Amount, CorrectionReason, MOST_COINS, Reason, ReferenceId, SignedAmount};

/// Attempts are kept as a text of their moments; this keeps it small.
const MOST_ATTEMPTS_A_MINUTE: i64 = 1_000;
const MOST_DAYS: i64 = 36_500;

/// Whether the settings can be used: grants stay within what one transfer may move, and a claim always gives something.
pub fn check(settings: &CoinsConfig) -> Result<(), ConfigError> {
    for (key, value, least, most) in [
        ("coins.welcome_coins", settings.welcome_coins, 0, MOST_COINS),
        ("coins.daily_coins", settings.daily_coins, 1, MOST_COINS),
        ("coins.streak_bonus", settings.streak_bonus, 0, MOST_COINS),
        ("coins.streak_bonus_most", settings.streak_bonus_most, 0, MOST_COINS),
        ("coins.leavers_kept_days", settings.leavers_kept_days, 0, MOST_DAYS),
        (
            "coins.claim_attempts_a_minute",
            settings.claim_attempts_a_minute,
            1,
            MOST_ATTEMPTS_A_MINUTE,
        ),
    ] {
        if !(least..=most).contains(&value) {
            return Err(ConfigError::new(format!("{key} must be between {least} and {most}.")));
        }
    }
    if settings.reasons.iter().any(|reason| Reason::try_from(reason.as_str()).is_err()) {
        return Err(ConfigError::new("coins.reasons must each be 1 to 64 of a-z, 0-9, _ and -."));
    }
    Ok(())
}

/// Opens a new user's account and puts the welcome coins into it. Somebody who had an account with this phone before was welcomed
/// then, and has claimed the day's bonus if they had.
pub fn open_account(
    tx: &mut Tx,
    keys: &Keys,
    rules: &CoinsConfig,
    user: UserId,
    phone: &Phone,
) -> Result<()> {
    let oldest = oldest_leaver(tx.now(), rules);
    let left = store::find_leaver(tx, &leaver_key(keys, phone), oldest)?;
    store::insert_account(tx, user, left.and_then(|leaver| leaver.last_claim_day))?;
    if left.is_none() && rules.welcome_coins > 0 {
        let (house, coins) = (House::Welcome, rules.welcome_coins);
        let (reason, reference_id) = (house.name(), None);
        ledger::transfer(tx, Movement { user, house, coins, reason, reference_id })?;
    }
    Ok(())
}

fn leaver_key(keys: &Keys, phone: &Phone) -> String {
    keys.pseudonym("phone of a deleted account", phone.as_str())
}

/// Who left before this is forgotten, or about to be.
fn oldest_leaver(now: Timestamp, rules: &CoinsConfig) -> Timestamp {
    now.plus_ms(-rules.leavers_kept_days.saturating_mul(DAY_MS))
}

pub fn forget_leavers(tx: &mut Tx, rules: &CoinsConfig, most: i64) -> Result<u64> {
    let oldest = oldest_leaver(tx.now(), rules);
    store::delete_old_leavers(tx, oldest, most)
}

input! {
    // Coins that an app takes from its user.
    #[derive(Debug, ToSchema)]
    #[schema(as = DeductBody)]
    pub struct Deduction {
        pub amount: Amount,
        pub reason: Reason,
        /// What the coins are for, in the app's own words.
        pub reference_id: Option<ReferenceId>,
    }
}

/// Refuses a reason that the deployment does not know, if it has a list of them.
pub fn check_reason(settings: &CoinsConfig, reason: &Reason) -> Result<()> {
    let known = &settings.reasons;
    if known.is_empty() || known.iter().any(|known| known == reason.as_str()) {
        return Ok(());
    }
    Err(Error::invalid("reason", "This reason is not one that this service takes."))
}

pub fn deduct(tx: &mut Tx, user: UserId, deduction: &Deduction) -> Result<Transfer> {
    let movement = Movement {
        user,
        house: House::Spending,
        coins: -deduction.amount.get(),
        reason: deduction.reason.as_str(),
        reference_id: deduction.reference_id.as_ref().map(ReferenceId::as_str),
    };
    ledger::transfer(tx, movement)
}

/// A signed correction by an operator; the caller writes the audit row.
pub fn correct(
    tx: &mut Tx,
    user: UserId,
    amount: SignedAmount,
    reason: &CorrectionReason,
) -> Result<Transfer> {
    let (house, reason) = (House::Corrections, reason.as_str());
    let movement = Movement { user, house, coins: amount.get(), reason, reference_id: None };
    ledger::transfer(tx, movement)
}

/// Counts an attempt at the daily claim; one that is refused later counts as well, if its transaction is committed.
pub fn count_claim_attempt(tx: &mut Tx, settings: &CoinsConfig, who: &Who) -> Result<()> {
    let limit = Limit {
        code: "daily_claim_limit",
        most: settings.claim_attempts_a_minute,
        window_ms: MINUTE_MS,
    };
    limits::hit(tx, limit, who)
}

/// Claims the bonus of today, or refuses before anything is written.
pub fn claim_daily(tx: &mut Tx, user: UserId, rules: &CoinsConfig) -> Result<(Claim, Transfer)> {
    // The row is held, so that of two claims the second sees the first.
    let account = store::find_account_for_update(tx, user)?.ok_or(Error::NotFound("account"))?;
    let today = tx.now().utc_day();
    let Some(claim) = account.history.claim(rules, today) else {
        return Err(Error::Refused {
            code: "already_claimed",
            message: "The daily coins are already claimed. A new day begins at midnight UTC.",
        });
    };
    let (house, coins) = (House::DailyBonus, claim.coins_awarded);
    let movement = Movement { user, house, coins, reason: house.name(), reference_id: None };
    let transfer = ledger::transfer(tx, movement)?;
    store::update_claim(tx, user, &claim)?;
    Ok((claim, transfer))
}

#[derive(Debug, Serialize, ToSchema)]
pub struct CoinsView {
    #[schema(example = 560)]
    pub balance: i64,
    /// Days claimed in a row; 0 once a day was missed.
    #[schema(example = 2)]
    streak_days: i64,
    can_claim: bool,
    /// The beginning of the next day that can be claimed; not in the future if `can_claim`.
    #[schema(value_type = String, format = DateTime)]
    next_claim_at: Timestamp,
    /// What a claim at the first opportunity gives.
    #[schema(example = 70)]
    next_claim_amount: i64,
}

pub fn summarise(tx: &mut Tx, user: UserId, rules: &CoinsConfig) -> Result<CoinsView> {
    let account = get_account(tx, user)?;
    let (history, today) = (account.history, tx.now().utc_day());
    let next = history.next_claim(rules, today);
    let next_day = next.map_or(today, |claim| claim.day);
    Ok(CoinsView {
        balance: account.balance,
        streak_days: history.streak_on(today),
        can_claim: next_day == today,
        next_claim_at: Timestamp::start_of_utc_day(next_day),
        next_claim_amount: next.map_or(0, |claim| claim.coins_awarded),
    })
}

/// A page of a user's transfers, newest first, and how many there are in all.
pub fn list_transfers(
    tx: &mut Tx,
    user: UserId,
    page: Page,
) -> Result<(Vec<TransactionView>, i64)> {
    let total = get_account(tx, user)?.entries;
    // Transfers are numbered without gaps, so a page deep in the past is found as fast as the first.
    let from_entry = total.saturating_sub(page.offset());
    Ok((store::list_transfers(tx, user, from_entry, page.per_page)?, total))
}

fn get_account(tx: &mut Tx, user: UserId) -> Result<AccountRow> {
    store::find_account(tx, user)?.ok_or(Error::NotFound("account"))
}

/// Everything this feature knows about a user, for them to take away.
pub fn export(tx: &mut Tx, user: UserId) -> Result<serde_json::Value> {
    let account = get_account(tx, user)?;
    let transfers = store::list_transfers(tx, user, account.entries, account.entries)?;
    Ok(json!({
        "balance": account.balance,
        "streak_days": account.history.streak_days,
        "last_claim_on": account.history.last_claim_day.map(Timestamp::start_of_utc_day),
        "transactions": transfers,
    }))
}

/// Forgets the claiming habits, but for the last day of them, which is kept for a while under a keyed hash of the phone. The ledger
/// stays, under the number of a user who no longer has a name: books that lose entries do not balance.
pub fn forget(tx: &mut Tx, keys: &Keys, rules: &CoinsConfig, user: &UserRow) -> Result<()> {
    let last_claim_day = get_account(tx, user.id)?.history.last_claim_day;
    if let Some(phone) = user.phone.as_ref().filter(|_| rules.leavers_kept_days > 0) {
        store::upsert_leaver(tx, &leaver_key(keys, phone), last_claim_day)?;
    }
    store::update_claim_forgotten(tx, user.id).map(drop)
}
