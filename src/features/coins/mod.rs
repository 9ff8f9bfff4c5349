//! Coins: a double-entry ledger, spending, the daily bonus, corrections.
//!
//! Owns: the `coin_accounts`, `coin_house_accounts`, `coin_transfers`, `coin_leavers`, `coin_flows`, `coin_fold` and
//! `coin_reconciliations` tables, and the rules of the daily bonus.
//! Invariants: a coin moves only by a transfer with two legs, a user's account and a house account, written by the statement
//! after the one that changes the balance, in one transaction ([`ledger::transfer_each`], the only such place); a user's balance is
//! the sum of the account's entries, which are numbered without gaps, and is never below zero; all accounts together are zero.
//! No transfer changes a house account: it would be one row for which every writer waits. Its balance is derived from the legs, by a
//! job that stays behind ([`treasury`]).
//! A day gives at most one bonus, and only if it is later than the last one claimed.
//! Never: changes or deletes a transfer, or moves coins on an account whose balance disagrees with its entries.

mod ledger;
mod reconcile;
pub mod routes;
mod store;
mod streak;
mod treasury;
pub mod treasury_routes;
mod treasury_store;
mod values;

use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use crate::extends_core;
use crate::features::users::{Phone, UserId, UserRow};
use crate::input;
use crate::platform::clock::{DAY_MS, MINUTE_MS, Timestamp};
use crate::platform::config::{CoinsConfig, ConfigError};
use crate::platform::core::Core;
use crate::platform::db::{Shared, Tx, Wish, by_position};
use crate::platform::error::{Error, Result};
use crate::platform::http::page::Page;
use crate::platform::keys::Keys;
use crate::platform::limits::{self, Limit, Who};

use self::ledger::{House, Movement};
use self::routes::{ClaimDaily, Deduct};
use self::store::AccountRow;

pub use ledger::{Transfer, TransferId};
pub use reconcile::{Books, Reconcile, RestoredView, read_books, unfreeze};
pub use store::{TransactionView, count_frozen, list_newest, list_transfers_after};
pub use streak::Claim;
pub use treasury::{FoldFlows, find_last_reconciliation};
pub use values::{Amount, CorrectionReason, MOST_COINS, Reason, ReferenceId, SignedAmount};

/// Coins, which very many earn, spend and look at in the same moment, each their own.
#[derive(Clone)]
pub struct Coins {
    core: Core,
    deduct: Shared<Deduct>,
    claim: Shared<ClaimDaily>,
    show: Shared<ShowAccount>,
}

extends_core!(Coins);

impl Coins {
    pub fn new(core: &Core) -> Self {
        let db = &core.db;
        let (deduct, claim, show) = (Shared::new(db), Shared::new(db), Shared::new(db));
        Self { core: core.clone(), deduct, claim, show }
    }
}

/// A user's account as it stands.
struct ShowAccount(UserId);

impl Wish for ShowAccount {
    type Granted = AccountRow;
    const WRITES: bool = false;

    fn grant(tx: &mut Tx, wishes: &[Self]) -> Result<Vec<Result<AccountRow>>> {
        let users: Vec<UserId> = wishes.iter().map(|Self(user)| *user).collect();
        let found = by_position(users.len(), store::list_accounts(tx, &users)?);
        Ok(found.into_iter().map(|account| account.ok_or(not_found!("account"))).collect())
    }
}

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

/// Opens the accounts of new users and puts the welcome coins into them. Somebody who had an account with this phone before was
/// welcomed then, and has claimed the day's bonus if they had. Nobody without a phone has been here before.
pub fn open_accounts(
    tx: &mut Tx,
    keys: &Keys,
    rules: &CoinsConfig,
    new: &[(UserId, Option<&Phone>)],
) -> Result<()> {
    let oldest = oldest_leaver(tx.now(), rules);
    let key = |phone: Option<&Phone>| phone.map(|phone| leaver_key(keys, phone));
    let leaver_keys: Vec<Option<String>> = new.iter().map(|(_, phone)| key(*phone)).collect();
    let left = by_position(new.len(), store::list_leavers(tx, &leaver_keys, oldest)?);
    let accounts: Vec<(UserId, Option<i64>)> = new
        .iter()
        .zip(&left)
        .map(|((user, _), left)| (*user, left.and_then(|leaver| leaver.last_claim_day)))
        .collect();
    store::insert_accounts(tx, &accounts)?;
    let (house, coins) = (House::Welcome, rules.welcome_coins);
    let welcome = |((user, last_claim_day), left): (&(UserId, Option<i64>), &Option<_>)| {
        let movement =
            Movement { user: *user, house, coins, reason: house.name(), reference_id: None };
        // As it was just inserted.
        (left.is_none() && coins > 0).then(|| (movement, Some(AccountRow::empty(*last_claim_day))))
    };
    let welcomes: Vec<_> = accounts.iter().zip(&left).filter_map(welcome).collect();
    ledger::transfer_each(tx, &welcomes)?.into_iter().collect::<Result<Vec<_>>>().map(drop)
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
    Err(Error::invalid("reason", text!("This reason is not one that this service takes.")))
}

/// Takes coins from as many users.
pub fn deduct_each(
    tx: &mut Tx,
    deductions: &[(UserId, &Deduction)],
) -> Result<Vec<Result<Transfer>>> {
    let users: Vec<UserId> = deductions.iter().map(|(user, _)| *user).collect();
    let mut accounts = ledger::hold(tx, &users)?;
    let movements: Vec<_> = deductions
        .iter()
        .map(|(user, deduction)| {
            let movement = Movement {
                user: *user,
                house: House::Spending,
                coins: -deduction.amount.get(),
                reason: deduction.reason.as_str(),
                reference_id: deduction.reference_id.as_ref().map(ReferenceId::as_str),
            };
            (movement, accounts.remove(user))
        })
        .collect();
    ledger::transfer_each(tx, &movements)
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

/// Claims the bonus of today for as many users. An attempt counts also if it is refused.
pub fn claim_each(
    tx: &mut Tx,
    rules: &CoinsConfig,
    claimants: &[(UserId, &Who)],
) -> Result<Vec<Result<(Claim, Transfer)>>> {
    let limit = Limit {
        code: "daily_claim_limit",
        most: rules.claim_attempts_a_minute,
        window_ms: MINUTE_MS,
    };
    let who: Vec<&Who> = claimants.iter().map(|(_, who)| *who).collect();
    let counted = limits::hit_each(tx, limit, &who, tx.now())?;
    let users: Vec<UserId> = claimants.iter().map(|(user, _)| *user).collect();
    // Held, so that of two claims the second sees the first.
    let mut accounts = ledger::hold(tx, &users)?;
    let today = tx.now().utc_day();
    let mut judge = |(user, counted): (&UserId, Result<()>)| {
        counted?;
        let account = accounts.remove(user).ok_or(not_found!("account"))?;
        let claim = account.history.claim(rules, today).ok_or(Error::Refused {
            code: "already_claimed",
            message: text!(
                "The daily coins are already claimed. A new day begins at midnight UTC."
            ),
        })?;
        let (house, coins) = (House::DailyBonus, claim.coins_awarded);
        let movement =
            Movement { user: *user, house, coins, reason: house.name(), reference_id: None };
        Ok((claim, (movement, Some(account))))
    };
    let judged: Vec<Result<_>> = users.iter().zip(counted).map(&mut judge).collect();
    let movements: Vec<_> = judged.iter().flatten().map(|(_, movement)| movement.clone()).collect();
    let mut transfers = ledger::transfer_each(tx, &movements)?.into_iter();
    let mut claims = Vec::new();
    let outcomes = judged.into_iter().map(|judged| {
        let (claim, (movement, _)) = judged?;
        let transfer = transfers.next().unwrap_or_else(|| Err(Error::internal("no transfer")))?;
        claims.push((movement.user, claim.day, claim.streak_days));
        Ok((claim, transfer))
    });
    let outcomes = outcomes.collect();
    if !claims.is_empty() {
        store::update_claims(tx, &claims)?;
    }
    Ok(outcomes)
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

pub fn summarise(account: &AccountRow, rules: &CoinsConfig, today: i64) -> CoinsView {
    let history = account.history;
    let next = history.next_claim(rules, today);
    let next_day = next.map_or(today, |claim| claim.day);
    CoinsView {
        balance: account.balance,
        streak_days: history.streak_on(today),
        can_claim: next_day == today,
        next_claim_at: Timestamp::start_of_utc_day(next_day),
        next_claim_amount: next.map_or(0, |claim| claim.coins_awarded),
    }
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

/// A user's balance, and since when their account is frozen, if it is.
pub fn standing(tx: &mut Tx, user: UserId) -> Result<(i64, Option<Timestamp>)> {
    let account = get_account(tx, user)?;
    Ok((account.balance, account.frozen_at))
}

fn get_account(tx: &mut Tx, user: UserId) -> Result<AccountRow> {
    let found = store::list_accounts(tx, &[user])?.pop();
    found.map(|(_, account)| account).ok_or(not_found!("account"))
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
