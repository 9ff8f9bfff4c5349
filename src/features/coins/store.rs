//! The `coin_accounts`, `coin_house_accounts`, `coin_transfers` and `coin_leavers` tables. Transfers are only ever added.

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::{Error, Result};

use super::ledger::TransferId;
use super::streak::History;

row! {
    #[derive(Debug, Clone)]
    pub struct AccountRow {
        pub balance: i64,
        pub entries: i64,
        pub history: History,
        pub frozen_at: Option<Timestamp>,
    }
}

row! {
    #[derive(Debug, Serialize, ToSchema)]
    pub struct TransactionView {
        id: TransferId,
        /// Above zero for coins received, below for coins spent.
        #[schema(example = -30)]
        amount: i64,
        #[schema(example = 470)]
        balance_after: i64,
        #[schema(example = "wager")]
        reason: String,
        #[schema(example = "order-1042")]
        reference_id: Option<String>,
        #[schema(value_type = String, format = DateTime)]
        created_at: Timestamp,
    }
}

/// A transfer to be written: the columns of `coin_transfers` in their order, without the moment.
#[derive(Serialize)]
pub struct NewTransferRow<'a>(
    pub TransferId,
    /// The debit and the credit account, and how much goes from one to the other.
    pub (i64, i64, i64),
    /// Which of them is the user's, the number of this transfer there, and what it leaves.
    pub (UserId, i64, i64),
    /// What for.
    pub (&'a str, Option<&'a str>),
);

row! {
    /// An account as the auditor sees it.
    #[derive(Debug, Clone)]
    pub struct BalanceRow {
        pub user_id: UserId,
        pub balance: i64,
        pub entries: i64,
    }
}

row! {
    /// A transfer as the auditor sees it, from the view of its account.
    #[derive(Debug, Clone)]
    pub struct EntryRow {
        pub account_id: UserId,
        pub entry: i64,
        pub id: TransferId,
        pub house_account: i64,
        pub amount: i64,
        pub balance_after: i64,
    }
}

row! {
    /// What an account's entries say by themselves.
    #[derive(Debug, Clone)]
    pub struct EntriesRow {
        pub count: i64,
        pub last_entry: i64,
        pub sum: i64,
        /// Entries whose recorded balance is not the sum up to them.
        pub broken: i64,
    }
}

row! {
    /// Somebody who deleted their account.
    #[derive(Debug, Clone, Copy)]
    pub struct LeaverRow {
        pub last_claim_day: Option<i64>,
    }
}

impl AccountRow {
    /// A new one.
    pub fn empty(last_claim_day: Option<i64>) -> Self {
        let history = History { last_claim_day, streak_days: 0 };
        Self { balance: 0, entries: 0, history, frozen_at: None }
    }
}

/// Empty accounts of these users, with the day of which they have claimed the bonus.
pub fn insert_accounts(tx: &mut Tx, new: &[(UserId, Option<i64>)]) -> Result<u64> {
    let (new, now) = (serde_json::to_string(new).map_err(Error::internal)?, tx.now());
    tx.exec(
        "INSERT INTO coin_accounts (user_id, balance, entries, last_claim_day, streak_days, created_at)
         SELECT CAST(value ->> 0 AS BIGINT), 0, 0, CAST(value ->> 1 AS BIGINT), 0, $2 FROM json_each($1, '$')",
        params![new, now],
    )
}

/// Those of these phones that somebody left with since, each with the position of its phone.
pub fn list_leavers(
    tx: &mut Tx,
    phone_keys: &[Option<String>],
    since: Timestamp,
) -> Result<Vec<(i64, LeaverRow)>> {
    let phone_keys = serde_json::to_string(phone_keys).map_err(Error::internal)?;
    tx.all(
        "SELECT phone.key, l.last_claim_day FROM json_each($1) phone JOIN coin_leavers l ON l.phone_key = phone.value
         WHERE l.left_at > $2",
        params![phone_keys, since],
    )
}

pub fn upsert_leaver(tx: &mut Tx, phone_key: &str, last_claim_day: Option<i64>) -> Result<u64> {
    let now = tx.now();
    tx.exec(
        "INSERT INTO coin_leavers (phone_key, last_claim_day, left_at) VALUES ($1, $2, $3)
         ON CONFLICT (phone_key) DO UPDATE
         SET last_claim_day = excluded.last_claim_day, left_at = excluded.left_at",
        params![phone_key, last_claim_day, now],
    )
}

pub fn delete_old_leavers(tx: &mut Tx, before: Timestamp, most: i64) -> Result<u64> {
    tx.exec(
        "DELETE FROM coin_leavers WHERE phone_key IN
             (SELECT phone_key FROM coin_leavers WHERE left_at <= $1 ORDER BY left_at LIMIT $2 FOR UPDATE SKIP LOCKED)",
        params![before, most],
    )
}

/// The accounts of these users that there are, each with the position of its user.
pub fn list_accounts(tx: &mut Tx, users: &[UserId]) -> Result<Vec<(i64, AccountRow)>> {
    let users = serde_json::to_string(users).map_err(Error::internal)?;
    tx.all(
        "SELECT asked.key, a.balance, a.entries, a.last_claim_day, a.streak_days, a.frozen_at
         FROM json_each($1) asked JOIN coin_accounts a ON a.user_id = CAST(asked.value AS BIGINT)",
        params![users],
    )
}

/// The accounts of these users that there are, held in the order of their numbers so that nobody waits for each other in a circle.
pub fn hold_accounts(tx: &mut Tx, users: &[UserId]) -> Result<Vec<(UserId, AccountRow)>> {
    let users = serde_json::to_string(users).map_err(Error::internal)?;
    tx.all(
        "SELECT user_id, balance, entries, last_claim_day, streak_days, frozen_at FROM coin_accounts
         WHERE user_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1)) ORDER BY user_id FOR UPDATE",
        params![users],
    )
}

/// Adds to the balances of accounts that the transaction holds, a transfer to each.
pub fn update_balances(tx: &mut Tx, coins: &[(UserId, i64)]) -> Result<u64> {
    let coins = serde_json::to_string(coins).map_err(Error::internal)?;
    tx.exec(
        "UPDATE coin_accounts SET balance = balance + moved.coins, entries = entries + 1
         FROM (SELECT CAST(value ->> 0 AS BIGINT) AS user_id, CAST(value ->> 1 AS BIGINT) AS coins FROM json_each($1, '$')) moved
         WHERE coin_accounts.user_id = moved.user_id",
        params![coins],
    )
}

pub fn insert_transfers(tx: &mut Tx, new: &[NewTransferRow<'_>], now: Timestamp) -> Result<u64> {
    let new = serde_json::to_string(new).map_err(Error::internal)?;
    tx.exec(
        "INSERT INTO coin_transfers (id, debit_account, credit_account, amount, account_id, entry,
                                     balance_after, reason, reference_id, created_at)
         SELECT value ->> 0,
                CAST(value -> 1 ->> 0 AS BIGINT), CAST(value -> 1 ->> 1 AS BIGINT), CAST(value -> 1 ->> 2 AS BIGINT),
                CAST(value -> 2 ->> 0 AS BIGINT), CAST(value -> 2 ->> 1 AS BIGINT), CAST(value -> 2 ->> 2 AS BIGINT),
                value -> 3 ->> 0, value -> 3 ->> 1, $2
         FROM json_each($1, '$')",
        params![new, now],
    )
}

/// What these users have claimed last: on which day, and how many in a row.
pub fn update_claims(tx: &mut Tx, claims: &[(UserId, i64, i64)]) -> Result<u64> {
    let claims = serde_json::to_string(claims).map_err(Error::internal)?;
    tx.exec(
        "UPDATE coin_accounts SET last_claim_day = claim.day, streak_days = claim.streak_days
         FROM (SELECT CAST(value ->> 0 AS BIGINT) AS user_id, CAST(value ->> 1 AS BIGINT) AS day,
                      CAST(value ->> 2 AS BIGINT) AS streak_days FROM json_each($1, '$')) claim
         WHERE coin_accounts.user_id = claim.user_id",
        params![claims],
    )
}

pub fn update_claim_forgotten(tx: &mut Tx, user: UserId) -> Result<u64> {
    tx.exec(
        "UPDATE coin_accounts SET last_claim_day = NULL, streak_days = 0 WHERE user_id = $1",
        params![user],
    )
}

/// Newest first, from the transfer with that number downwards.
pub fn list_transfers(
    tx: &mut Tx,
    user: UserId,
    from_entry: i64,
    limit: i64,
) -> Result<Vec<TransactionView>> {
    tx.all(
        "SELECT id, CASE WHEN credit_account = account_id THEN amount ELSE -amount END,
                balance_after, reason, reference_id, created_at
         FROM coin_transfers WHERE account_id = $1 AND entry <= $2 ORDER BY entry DESC LIMIT $3",
        params![user, from_entry, limit],
    )
}

/// The transfers of an account after the one with that number, oldest first, each with its own.
pub fn list_transfers_after(
    tx: &mut Tx,
    user: UserId,
    entry: i64,
    limit: i64,
) -> Result<Vec<(i64, TransactionView)>> {
    tx.all(
        "SELECT entry, id, CASE WHEN credit_account = account_id THEN amount ELSE -amount END,
                balance_after, reason, reference_id, created_at
         FROM coin_transfers WHERE account_id = $1 AND entry > $2 ORDER BY entry LIMIT $3",
        params![user, entry, limit],
    )
}

/// How many transfers the accounts of these users have: the number of the newest.
pub fn list_newest(tx: &mut Tx, users: &[UserId]) -> Result<Vec<(UserId, i64)>> {
    let users = serde_json::to_string(users).map_err(Error::internal)?;
    tx.all(
        "SELECT user_id, entries FROM coin_accounts
         WHERE user_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))",
        params![users],
    )
}

pub fn list_balances(tx: &mut Tx, from_user: UserId, limit: i64) -> Result<Vec<BalanceRow>> {
    tx.all(
        "SELECT user_id, balance, entries FROM coin_accounts
         WHERE user_id >= $1 ORDER BY user_id LIMIT $2",
        params![from_user, limit],
    )
}

/// In order, after transfer `entry` of account `user`, up to and with the account `last_user`.
pub fn list_entries(
    tx: &mut Tx,
    user: UserId,
    entry: i64,
    last_user: UserId,
    limit: i64,
) -> Result<Vec<EntryRow>> {
    tx.all(
        "SELECT account_id, entry, id,
                CASE WHEN credit_account = account_id THEN debit_account ELSE credit_account END,
                CASE WHEN credit_account = account_id THEN amount ELSE -amount END,
                balance_after
         FROM coin_transfers WHERE (account_id, entry) > ($1, $2) AND account_id <= $3
         ORDER BY account_id, entry LIMIT $4",
        params![user, entry, last_user, limit],
    )
}

/// Freezes an account, and says why. What is frozen already gets its why if it had none.
pub fn update_frozen(tx: &mut Tx, user: UserId, difference: i64, is_whole: bool) -> Result<u64> {
    let now = tx.now();
    tx.exec(
        "UPDATE coin_accounts
         SET frozen_at = COALESCE(frozen_at, $2), frozen_difference = $3, frozen_entries_whole = $4
         WHERE user_id = $1 AND (frozen_at IS NULL OR frozen_difference IS NULL)",
        params![user, now, difference, is_whole],
    )
}

pub fn count_frozen(tx: &mut Tx) -> Result<i64> {
    tx.one("SELECT count(*) FROM coin_accounts WHERE frozen_at IS NOT NULL", params![])
}

pub fn get_entries(tx: &mut Tx, user: UserId) -> Result<EntriesRow> {
    tx.one(
        "SELECT count(*), COALESCE(max(entry), 0), COALESCE(CAST(sum(amount) AS BIGINT), 0),
                count(*) FILTER (WHERE running <> balance_after)
         FROM (SELECT entry, amount, balance_after, sum(amount) OVER (ORDER BY entry) AS running
               FROM (SELECT entry, balance_after,
                            CASE WHEN credit_account = account_id THEN amount ELSE -amount END AS amount
                     FROM coin_transfers WHERE account_id = $1) AS signed) AS summed",
        params![user],
    )
}

pub fn update_restored(tx: &mut Tx, user: UserId, balance: i64) -> Result<u64> {
    tx.exec(
        "UPDATE coin_accounts
         SET balance = $2, frozen_at = NULL, frozen_difference = NULL, frozen_entries_whole = NULL WHERE user_id = $1",
        params![user, balance],
    )
}

#[cfg(test)]
mod tests {
    const THIS_FILE: &str = include_str!("store.rs");

    #[test]
    fn no_statement_changes_or_deletes_a_transfer() {
        for verb in ["UPDATE", "DELETE FROM"] {
            assert!(!THIS_FILE.contains(&format!("{verb} coin_transfers")), "{verb}");
        }
    }

    #[test]
    fn a_balance_is_set_in_two_places_with_a_transfer_and_from_the_entries() {
        assert_eq!(THIS_FILE.matches(concat!("SET", " balance = ")).count(), 2);
    }
}
