//! The `coin_flows`, `coin_fold` and `coin_reconciliations` tables, and what the house accounts have come to.

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::Result;
use crate::platform::http::page::Page;

row! {
    /// Up to where transfers are folded.
    #[derive(Debug, Clone)]
    pub struct FoldRow {
        pub last_id: String,
        pub complete_to: Timestamp,
    }
}

row! {
    /// What some transfers of one day, account and reason come to.
    #[derive(Debug, Clone, Serialize)]
    pub struct SumRow {
        pub day: i64,
        pub account_id: i64,
        pub reason: String,
        pub transfers: i64,
        pub coins_in: i64,
        pub coins_out: i64,
        /// The last of them.
        #[serde(skip)]
        pub last_id: String,
    }
}

row! {
    pub struct FlowRow {
        pub day: i64,
        pub account: String,
        pub reason: String,
        pub transfers: i64,
        pub coins_in: i64,
        pub coins_out: i64,
    }
}

row! {
    #[derive(Debug, Serialize, ToSchema)]
    #[schema(as = HouseAccountView)]
    pub struct HouseRow {
        /// `welcome`, `daily_bonus`, `spending` or `corrections`.
        #[schema(example = "spending")]
        pub name: String,
        /// Above zero for what users have paid in, below for what the house has given.
        #[schema(example = 12_400)]
        pub coins: i64,
    }
}

row! {
    #[derive(Debug, Serialize, ToSchema)]
    #[schema(as = ReconciliationView)]
    pub struct ReconciliationRow {
        #[schema(example = 41)]
        pub id: i64,
        #[schema(value_type = String, format = DateTime)]
        pub started_at: Timestamp,
        #[schema(value_type = String, format = DateTime)]
        pub finished_at: Timestamp,
        /// How many accounts were recomputed.
        #[schema(example = 4210)]
        pub accounts: i64,
        /// How many of them disagree with their entries, those that were frozen before included.
        #[schema(example = 0)]
        pub disagreeing: i64,
        /// By how many coins in all, without sign, so that two errors cannot cancel out.
        #[schema(example = 0)]
        pub difference: i64,
        /// Whether the flows by day disagreed with the transfers and are summed anew.
        #[schema(example = false)]
        pub flows_renewed: bool,
    }
}

/// What a run found.
#[derive(Debug, Clone, Copy)]
pub struct NewReconciliation {
    pub started_at: Timestamp,
    pub accounts: i64,
    pub disagreeing: i64,
    pub difference: i64,
    pub flows_renewed: bool,
}

row! {
    #[derive(Debug, Serialize, ToSchema)]
    #[schema(as = FrozenView)]
    pub struct FrozenRow {
        #[schema(value_type = i64, example = 7)]
        user_id: UserId,
        #[schema(example = "ada")]
        username: String,
        #[schema(example = 507)]
        balance: i64,
        #[schema(value_type = String, format = DateTime)]
        frozen_at: Timestamp,
        /// The balance less the sum of the account's entries; null for an account that was frozen before this was kept, until the next
        /// reconciliation.
        #[schema(example = 7)]
        difference: Option<i64>,
        /// Whether the entries are numbered without gaps and each says the sum up to it. If not, only a backup helps.
        #[schema(example = true)]
        entries_whole: Option<bool>,
    }
}

pub fn get_fold(tx: &mut Tx) -> Result<FoldRow> {
    tx.one("SELECT last_id, complete_to FROM coin_fold WHERE id = 1", params![])
}

/// What the next transfers behind `after` come to, of those before `before`. Operators' corrections have sentences for reasons and
/// are one.
pub fn sum_transfers(tx: &mut Tx, after: &str, before: &str, most: i64) -> Result<Vec<SumRow>> {
    tx.all(
        "SELECT created_at / 86400000, house, CASE WHEN house = -4 THEN 'corrections' ELSE reason END, count(*),
                CAST(sum(coins_in) AS BIGINT), CAST(sum(coins_out) AS BIGINT), max(id)
         FROM (SELECT id, created_at, reason,
                      CASE WHEN credit_account = account_id THEN debit_account ELSE credit_account END AS house,
                      CASE WHEN credit_account = account_id THEN amount ELSE 0 END AS coins_in,
                      CASE WHEN credit_account = account_id THEN 0 ELSE amount END AS coins_out
               FROM coin_transfers WHERE id > $1 AND id < $2 ORDER BY id LIMIT $3) AS next
         GROUP BY 1, 2, 3",
        params![after, before, most],
    )
}

/// Moves on to a transfer, from the one that was known to be the last; 0 if somebody else has since.
pub fn update_fold(tx: &mut Tx, known: &str, last_id: &str, complete_to: Timestamp) -> Result<u64> {
    tx.exec(
        "UPDATE coin_fold SET last_id = $2, complete_to = $3 WHERE id = 1 AND last_id = $1",
        params![known, last_id, complete_to],
    )
}

/// The reasons that a day has so far.
pub fn list_reasons(tx: &mut Tx, day: i64, account: i64) -> Result<Vec<String>> {
    tx.all(
        "SELECT reason FROM coin_flows WHERE day = $1 AND account_id = $2",
        params![day, account],
    )
}

pub fn add_flows(tx: &mut Tx, sums: &[SumRow]) -> Result<()> {
    for sum in sums {
        tx.exec(
            "INSERT INTO coin_flows (day, account_id, reason, transfers, coins_in, coins_out)
             VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (day, account_id, reason) DO UPDATE
             SET transfers = coin_flows.transfers + excluded.transfers,
                 coins_in = coin_flows.coins_in + excluded.coins_in,
                 coins_out = coin_flows.coins_out + excluded.coins_out",
            params![
                sum.day,
                sum.account_id,
                sum.reason,
                sum.transfers,
                sum.coins_in,
                sum.coins_out
            ],
        )?;
    }
    Ok(())
}

pub fn add_to_house(tx: &mut Tx, account: i64, coins: i64) -> Result<u64> {
    tx.exec(
        "UPDATE coin_house_accounts SET coins = coins + $2 WHERE id = $1",
        params![account, coins],
    )
}

/// Begins anew with the first transfer.
pub fn reset_fold(tx: &mut Tx) -> Result<()> {
    tx.exec("UPDATE coin_fold SET last_id = '', complete_to = 0 WHERE id = 1", params![])?;
    tx.exec("DELETE FROM coin_flows", params![])?;
    tx.exec("UPDATE coin_house_accounts SET coins = 0 WHERE coins <> 0", params![]).map(drop)
}

/// The house accounts in the order in which they were made.
pub fn list_house(tx: &mut Tx) -> Result<Vec<HouseRow>> {
    tx.all("SELECT name, coins FROM coin_house_accounts ORDER BY id DESC", params![])
}

/// From day to day, the newest first.
pub fn list_flows(tx: &mut Tx, from_day: i64, to_day: i64) -> Result<Vec<FlowRow>> {
    tx.all(
        "SELECT f.day, h.name, f.reason, f.transfers, f.coins_in, f.coins_out
         FROM coin_flows f JOIN coin_house_accounts h ON h.id = f.account_id
         WHERE f.day BETWEEN $1 AND $2 ORDER BY f.day DESC, f.account_id DESC, f.reason",
        params![from_day, to_day],
    )
}

pub fn list_frozen(tx: &mut Tx, page: Page) -> Result<Vec<FrozenRow>> {
    tx.all(
        "SELECT a.user_id, u.username, a.balance, a.frozen_at, a.frozen_difference, a.frozen_entries_whole
         FROM coin_accounts a JOIN users u ON u.id = a.user_id
         WHERE a.frozen_at IS NOT NULL ORDER BY a.user_id LIMIT $1 OFFSET $2",
        params![page.per_page, page.offset()],
    )
}

pub fn insert_reconciliation(tx: &mut Tx, new: NewReconciliation) -> Result<i64> {
    let now = tx.now();
    tx.one(
        "INSERT INTO coin_reconciliations (started_at, finished_at, accounts, disagreeing, difference, flows_renewed)
         VALUES ($1, $2, $3, $4, $5, $6) RETURNING id",
        params![new.started_at, now, new.accounts, new.disagreeing, new.difference, new.flows_renewed],
    )
}

pub fn delete_reconciliations_before(tx: &mut Tx, id: i64) -> Result<u64> {
    tx.exec("DELETE FROM coin_reconciliations WHERE id < $1", params![id])
}

pub fn find_last_reconciliation(tx: &mut Tx) -> Result<Option<ReconciliationRow>> {
    tx.opt(
        "SELECT id, started_at, finished_at, accounts, disagreeing, difference, flows_renewed
         FROM coin_reconciliations ORDER BY id DESC LIMIT 1",
        params![],
    )
}

/// What the house accounts have come to, as [`FoldRow::last_id`] has it.
pub fn list_house_coins(tx: &mut Tx) -> Result<Vec<(i64, i64)>> {
    tx.all("SELECT id, coins FROM coin_house_accounts", params![])
}
