//! The treasury: what the house has given and taken in all, and day by day.
//!
//! Nothing is counted while coins move, which would be a row that every writer waits for. A job folds transfers into sums, in the order
//! of their ids and so of their times, a minute behind: whoever moved coins before that has committed. Should somebody have taken
//! longer, the auditor finds that the sums disagree with the transfers, and they are summed anew.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use serde::Serialize;
use utoipa::ToSchema;

use crate::platform::clock::{MINUTE_MS, Timestamp};
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::http::page::Page;
use crate::platform::jobs::{Next, Stop, job};

use super::ledger::{House, TransferId};
use super::treasury_store::{self as store, FoldRow, HouseRow, SumRow};

pub use super::treasury_store::{
    FrozenRow, NewReconciliation, ReconciliationRow, find_last_reconciliation,
};

/// How far behind the folding stays.
const BEHIND_MS: i64 = MINUTE_MS;
/// Transfers folded at once: a few milliseconds of a reader.
const PIECE: i64 = 5_000;
/// Reasons that a day tells apart for each account. An app can make up as many as it likes; the rest are one.
const MOST_REASONS: usize = 100;
/// No app's reason looks like this.
const OTHER_REASONS: &str = "(other)";
const MOST_DAYS: i64 = 92;
const RUNS_KEPT: i64 = 100;

job! {
    pub struct FoldFlows;
    kind: "fold_coin_flows", lane: Local, every: MINUTE_MS, run: fold_flows(Core)
}

async fn fold_flows(_: FoldFlows, core: Core, stop: Stop) -> Result<Next> {
    while !stop.is_cancelled() {
        let began = Instant::now();
        let until = core.clock.now().plus_ms(-BEHIND_MS);
        let read = move |tx: &mut Tx| {
            let fold = store::get_fold(tx)?;
            let before = TransferId::first_at(until);
            let sums = store::sum_transfers(tx, &fold.last_id, &before, PIECE)?;
            Ok((fold, sums))
        };
        // The sums are made on a reader, so that the writer only has to add them.
        let (fold, sums) = core.db.read(read).await?;
        let is_all = sums.iter().map(|sum| sum.transfers).sum::<i64>() < PIECE;
        core.db.write(move |tx| add(tx, &fold, &sums, is_all.then_some(until))).await?;
        if is_all {
            return Ok(Next::Done);
        }
        // Of years of transfers, after an upgrade, the database is left to others half of the time.
        tokio::time::sleep(began.elapsed().max(Duration::from_millis(1))).await;
    }
    Ok(Next::At(core.clock.now()))
}

/// Adds what was read behind `fold`; `until` if that was everything before it.
fn add(tx: &mut Tx, fold: &FoldRow, sums: &[SumRow], until: Option<Timestamp>) -> Result<()> {
    let last = sums.iter().map(|sum| sum.last_id.as_str()).max().unwrap_or(&fold.last_id);
    // A clock that was set back does not take back what is complete.
    let until = until.filter(|until| *until >= fold.complete_to);
    let (last_id, complete_to) = match until {
        Some(until) => (TransferId::first_at(until), until),
        None => (last.to_owned(), fold.complete_to.max(TransferId::time_of(last))),
    };
    if store::update_fold(tx, &fold.last_id, &last_id.max(last.to_owned()), complete_to)? == 0 {
        // Another node was quicker, or the sums began anew.
        return Ok(());
    }
    let mut by_account: HashMap<i64, i64> = HashMap::new();
    for sum in sums {
        *by_account.entry(sum.account_id).or_default() += sum.coins_out - sum.coins_in;
    }
    for (account, coins) in by_account {
        store::add_to_house(tx, account, coins)?;
    }
    let sums = with_few_reasons(tx, sums)?;
    store::add_flows(tx, &sums)
}

/// The same sums, with the reasons that are too many for their day put together.
fn with_few_reasons(tx: &mut Tx, sums: &[SumRow]) -> Result<Vec<SumRow>> {
    let mut known: HashMap<(i64, i64), HashSet<String>> = HashMap::new();
    let mut kept = Vec::with_capacity(sums.len());
    for sum in sums {
        let key = (sum.day, sum.account_id);
        let reasons = match known.entry(key) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => {
                let reasons = store::list_reasons(tx, sum.day, sum.account_id)?;
                unknown.insert(reasons.into_iter().collect())
            }
        };
        let mut sum = sum.clone();
        if reasons.len() >= MOST_REASONS && !reasons.contains(&sum.reason) {
            OTHER_REASONS.clone_into(&mut sum.reason);
        } else {
            reasons.insert(sum.reason.clone());
        }
        kept.push(sum);
    }
    Ok(kept)
}

/// What is folded, as the auditor compares it with the transfers.
#[derive(Debug, Clone, Default)]
pub struct Folded {
    pub last_id: String,
    /// In the order of [`House::ALL`].
    pub house_coins: [i64; House::ALL.len()],
}

pub fn folded(tx: &mut Tx) -> Result<Folded> {
    let mut folded =
        Folded { last_id: store::get_fold(tx)?.last_id, house_coins: [0; House::ALL.len()] };
    for (account, coins) in store::list_house_coins(tx)? {
        for (house, sum) in House::ALL.into_iter().zip(&mut folded.house_coins) {
            if house.account() == account {
                *sum = coins;
            }
        }
    }
    Ok(folded)
}

/// Writes down what a run of the auditor found, and begins the sums anew if they were wrong.
pub fn note_reconciliation(tx: &mut Tx, found: NewReconciliation) -> Result<()> {
    if found.flows_renewed {
        store::reset_fold(tx)?;
    }
    let id = store::insert_reconciliation(tx, found)?;
    store::delete_reconciliations_before(tx, id.saturating_sub(RUNS_KEPT - 1)).map(drop)
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TreasuryView {
    /// The other side of every transfer, by what it was for.
    accounts: Vec<HouseRow>,
    /// How many coins users hold in all, by the books: what the house accounts lack.
    #[schema(example = 2_092_600)]
    users_coins: i64,
    /// Up to when transfers are in these sums, which stay a minute behind. Earlier by more while years of transfers are summed after
    /// an upgrade.
    #[schema(value_type = String, format = DateTime)]
    complete_to: Timestamp,
    /// Accounts that move no coins until an operator has looked.
    #[schema(example = 0)]
    frozen_accounts: i64,
    /// The last run of the auditor; null before the first.
    reconciliation: Option<ReconciliationRow>,
}

pub fn show(tx: &mut Tx) -> Result<TreasuryView> {
    let accounts = store::list_house(tx)?;
    Ok(TreasuryView {
        users_coins: accounts.iter().map(|account| -account.coins).sum(),
        accounts,
        complete_to: store::get_fold(tx)?.complete_to,
        frozen_accounts: super::store::count_frozen(tx)?,
        reconciliation: find_last_reconciliation(tx)?,
    })
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FlowView {
    /// A UTC date.
    #[schema(example = "2026-11-16")]
    day: String,
    /// The house account.
    #[schema(example = "spending")]
    account: String,
    /// The app's reason for spending, or the account's name. A day tells 100 reasons apart; what is beyond is `(other)`.
    #[schema(example = "wager")]
    reason: String,
    #[schema(example = 1204)]
    transfers: i64,
    /// Coins that users received.
    #[schema(example = 0)]
    coins_in: i64,
    /// Coins that users gave.
    #[schema(example = 36_120)]
    coins_out: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FlowsMeta {
    /// The first and the last day of the answer.
    #[schema(example = "2026-10-18")]
    from: String,
    #[schema(example = "2026-11-16")]
    to: String,
    /// Up to when transfers are in these sums.
    #[schema(value_type = String, format = DateTime)]
    complete_to: Timestamp,
}

/// Days that flows are asked for.
#[derive(Debug, Clone, Copy)]
pub struct Days {
    from: i64,
    to: i64,
}

impl Days {
    /// Thirty days up to today, where nothing else is asked for.
    pub fn of(from: Option<Timestamp>, to: Option<Timestamp>, now: Timestamp) -> Result<Self> {
        let to = to.unwrap_or(now).utc_day();
        let from = from.map_or(to.saturating_sub(29), Timestamp::utc_day);
        if from > to {
            return Err(Error::invalid("from", text!("Must not be later than to.")));
        }
        if to - from >= MOST_DAYS {
            return Err(Error::invalid("from", text!("At most 92 days can be asked for at once.")));
        }
        Ok(Self { from, to })
    }
}

pub fn list_flows(tx: &mut Tx, days: Days) -> Result<(Vec<FlowView>, FlowsMeta)> {
    let date = |day: i64| Timestamp::start_of_utc_day(day).to_utc_date();
    let views = store::list_flows(tx, days.from, days.to)?.into_iter().map(|row| FlowView {
        day: date(row.day),
        account: row.account,
        reason: row.reason,
        transfers: row.transfers,
        coins_in: row.coins_in,
        coins_out: row.coins_out,
    });
    let complete_to = store::get_fold(tx)?.complete_to;
    Ok((views.collect(), FlowsMeta { from: date(days.from), to: date(days.to), complete_to }))
}

/// A page of the frozen accounts, and how many there are.
pub fn list_frozen(tx: &mut Tx, page: Page) -> Result<(Vec<FrozenRow>, i64)> {
    Ok((store::list_frozen(tx, page)?, super::store::count_frozen(tx)?))
}
