//! The auditor: walks all entries of all accounts, recomputes every balance, and freezes an account that disagrees.
//!
//! Entries never change, so a sum over the first of them stays true while later ones are added. That is why the walk may pause
//! between batches, and why an account with many entries needs no long transaction: only its last batch is compared, in the
//! same snapshot that its balance is read in.

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::users::UserId;
use crate::platform::clock::HOUR_MS;
use crate::platform::core::Core;
use crate::platform::db::{Db, Tx};
use crate::platform::error::{Error, Result};
use crate::platform::gauge::set_gauge;
use crate::platform::jobs::{Next, Stop, job};

use super::ledger;
use super::ledger::{House, MOST_BALANCE};
use super::store::{self, BalanceRow, EntryRow};
use super::treasury::{self, NewReconciliation};

/// Accounts, and entries, read in one transaction.
const BATCH: usize = 2_000;

job! {
    pub struct Reconcile;
    kind: "reconcile_coins", lane: Local, every: HOUR_MS, run: reconcile(Core)
}

async fn reconcile(_: Reconcile, core: Core, stop: Stop) -> Result<Next> {
    let started_at = core.clock.now();
    let folded = core.db.read(treasury::folded).await?;
    let mut walk = Walk { folded_to: folded.last_id, ..Walk::default() };
    while !walk.is_over && !stop.is_cancelled() {
        let at = walk.clone();
        walk = core.db.read(move |tx| at.clone().step(tx, BATCH)).await?;
        for suspect in walk.suspects.split_off(0) {
            freeze(&core, suspect).await?;
        }
    }
    if !walk.is_over {
        return Ok(Next::At(core.clock.now()));
    }
    let found = NewReconciliation {
        started_at,
        accounts: walk.accounts,
        disagreeing: walk.disagreeing,
        difference: walk.difference,
        flows_renewed: walk.folded_coins != folded.house_coins,
    };
    if found.flows_renewed {
        tracing::warn!("the coins by day disagree with the transfers and are summed anew");
    }
    core.db.write(move |tx| treasury::note_reconciliation(tx, found)).await?;
    report(&walk);
    Ok(Next::Done)
}

/// What a look through all accounts found.
#[derive(Debug, Clone, Copy)]
pub struct Books {
    pub accounts: i64,
    /// Accounts whose balance is not what their entries add up to.
    pub disagreeing: i64,
}

/// Recomputes every balance and changes nothing.
pub async fn read_books(db: &Db) -> Result<Books> {
    let mut walk = Walk::default();
    while !walk.is_over {
        let at = walk.clone();
        walk = db.read(move |tx| at.clone().step(tx, BATCH)).await?;
        walk.suspects.clear();
    }
    Ok(Books { accounts: walk.accounts, disagreeing: walk.disagreeing })
}

async fn freeze(core: &Core, suspect: Suspect) -> Result<()> {
    let Suspect { user, balance, sum, is_whole } = suspect;
    // Moves of the account since then change both alike.
    let difference = balance.saturating_sub(sum);
    let freeze = move |tx: &mut Tx| store::update_frozen(tx, user, difference, is_whole);
    if core.db.write(freeze).await? == 1 {
        tracing::error!(
            user = user.0,
            balance,
            entries_sum = sum,
            "a coin account disagrees with its entries and is frozen"
        );
    }
    Ok(())
}

fn report(walk: &Walk) {
    for (house, coins) in House::ALL.into_iter().zip(walk.house_coins) {
        set_gauge(
            &metrics::gauge!("touchline_ledger_house_coins", "account" => house.name()),
            coins,
        );
    }
}

// A frozen account that moves again.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct RestoredView {
    /// What the account said while it was frozen.
    #[schema(example = 507)]
    pub wrong_balance: i64,
    /// What its entries say, and the account again.
    #[schema(example = 500)]
    pub balance: i64,
}

/// Puts a frozen account's balance back to what its entries say and lets it move again.
///
/// The entries are the truth and the balance only their sum, so this moves no coins. Entries that are not whole are beyond it.
pub fn unfreeze(tx: &mut Tx, user: UserId) -> Result<RestoredView> {
    let account = ledger::hold(tx, &[user])?.remove(&user).ok_or(not_found!("account"))?;
    if account.frozen_at.is_none() {
        return Err(Error::Conflict {
            code: "not_frozen",
            message: text!("This account is not frozen."),
        });
    }
    let entries = store::get_entries(tx, user)?;
    let is_whole = entries.count == account.entries
        && entries.last_entry == account.entries
        && entries.broken == 0;
    if !is_whole || !(0..=MOST_BALANCE).contains(&entries.sum) {
        return Err(Error::Conflict {
            code: "entries_broken",
            message: text!(
                "The account's entries are not whole; restore them from a backup first."
            ),
        });
    }
    store::update_restored(tx, user, entries.sum)?;
    Ok(RestoredView { wrong_balance: account.balance, balance: entries.sum })
}

/// How far the walk has come and what it has found.
#[derive(Debug, Clone, Default)]
struct Walk {
    /// The account that the last batch ended in, or else the last one that was left.
    account: Option<Account>,
    last_user: i64,
    is_over: bool,
    /// Over all accounts, without sign, so that two errors cannot cancel out.
    difference: i64,
    /// The balance of each house account, in the order of [`House::ALL`].
    house_coins: [i64; House::ALL.len()],
    /// The same of the transfers that are in the sums by day: those up to this one.
    folded_to: String,
    folded_coins: [i64; House::ALL.len()],
    accounts: i64,
    disagreeing: i64,
    suspects: Vec<Suspect>,
}

/// What an account's row says, and what its entries have said so far.
#[derive(Debug, Clone)]
struct Account {
    user: UserId,
    balance: i64,
    entries: i64,
    last_entry: i64,
    sum: i64,
    is_unbroken: bool,
}

#[derive(Debug, Clone, Copy)]
struct Suspect {
    user: UserId,
    balance: i64,
    sum: i64,
    is_whole: bool,
}

impl Walk {
    fn step(mut self, tx: &mut Tx, batch: usize) -> Result<Self> {
        let limit = i64::try_from(batch).map_err(Error::internal)?;
        let (user, entry) = match &self.account {
            Some(account) => (account.user, account.last_entry),
            None => (UserId(self.last_user.saturating_add(1)), 0),
        };
        let accounts = store::list_balances(tx, user, limit)?;
        let Some(last) = accounts.last() else {
            self.is_over = true;
            return Ok(self);
        };
        let entries = store::list_entries(tx, user, entry, last.user_id, limit)?;
        let is_full = entries.len() == batch;
        self.audit(&accounts, &entries, is_full);
        self.is_over = !is_full && accounts.len() < batch;
        Ok(self)
    }

    /// Both lists are in the order of accounts; if the entries are a full batch, there may be more than these.
    fn audit(&mut self, accounts: &[BalanceRow], entries: &[EntryRow], is_full: bool) {
        let unfinished = entries.last().filter(|_| is_full).map(|entry| entry.account_id);
        let mut entries = entries.iter().peekable();
        for row in accounts {
            if unfinished.is_some_and(|user| row.user_id > user) {
                break;
            }
            self.enter(row);
            while let Some(entry) = entries.next_if(|entry| entry.account_id == row.user_id) {
                self.add(entry);
            }
            if unfinished != Some(row.user_id) {
                self.leave();
            }
        }
    }

    fn enter(&mut self, row: &BalanceRow) {
        let account = self.account.get_or_insert(Account {
            user: row.user_id,
            balance: 0,
            entries: 0,
            last_entry: 0,
            sum: 0,
            is_unbroken: true,
        });
        // Also for an account that goes on from the batch before: this is a later moment.
        (account.balance, account.entries) = (row.balance, row.entries);
    }

    fn add(&mut self, entry: &EntryRow) {
        if let Some(account) = &mut self.account {
            account.sum = account.sum.saturating_add(entry.amount);
            account.is_unbroken &= account.last_entry.checked_add(1) == Some(entry.entry)
                && entry.balance_after == account.sum;
            account.last_entry = entry.entry;
        }
        let is_folded = entry.id.as_str() <= self.folded_to.as_str();
        let sums = self.house_coins.iter_mut().zip(&mut self.folded_coins);
        for (house, (coins, folded)) in House::ALL.into_iter().zip(sums) {
            if house.account() == entry.house_account {
                *coins = coins.saturating_sub(entry.amount);
                *folded = folded.saturating_sub(if is_folded { entry.amount } else { 0 });
            }
        }
    }

    fn leave(&mut self) {
        let Some(account) = self.account.take() else { return };
        let Account { user, balance, sum, .. } = account;
        self.last_user = user.0;
        let difference = balance.saturating_sub(sum).saturating_abs();
        self.difference = self.difference.saturating_add(difference);
        self.accounts += 1;
        let is_whole = account.is_unbroken && account.last_entry == account.entries;
        if !is_whole || balance != sum {
            self.disagreeing += 1;
            self.suspects.push(Suspect { user, balance, sum, is_whole });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::coins::ledger::TransferId;
    use crate::platform::clock::Timestamp;

    fn account(user: i64, balance: i64, entries: i64) -> BalanceRow {
        BalanceRow { user_id: UserId(user), balance, entries }
    }

    fn entry(user: i64, entry: i64, amount: i64, balance_after: i64) -> EntryRow {
        let house_account = House::Spending.account();
        let id = TransferId::new(Timestamp::from_millis(0), entry);
        EntryRow { account_id: UserId(user), entry, id, house_account, amount, balance_after }
    }

    /// The difference, and the suspected users.
    fn audit(accounts: &[BalanceRow], entries: &[EntryRow]) -> (i64, Vec<i64>) {
        let mut walk = Walk::default();
        walk.audit(accounts, entries, false);
        found(&walk)
    }

    fn found(walk: &Walk) -> (i64, Vec<i64>) {
        (walk.difference, walk.suspects.iter().map(|suspect| suspect.user.0).collect())
    }

    #[test]
    fn books_that_agree_differ_by_nothing() {
        let accounts = [account(1, 7, 2), account(2, 0, 0), account(3, 5, 1)];
        let entries = [entry(1, 1, 10, 10), entry(1, 2, -3, 7), entry(3, 1, 5, 5)];
        assert_eq!(audit(&accounts, &entries), (0, vec![]));
    }

    #[test]
    fn differences_of_opposite_sign_do_not_cancel_out() {
        let accounts = [account(1, 11, 1), account(2, 9, 1)];
        let entries = [entry(1, 1, 10, 10), entry(2, 1, 10, 10)];
        assert_eq!(audit(&accounts, &entries), (2, vec![1, 2]));
    }

    #[test]
    fn coins_without_entries_are_found() {
        assert_eq!(audit(&[account(1, 4, 0)], &[]), (4, vec![1]));
    }

    #[test]
    fn entries_that_are_missing_or_changed_are_found_even_if_the_sum_agrees() {
        let missing_in_the_middle = [entry(1, 1, 5, 5), entry(1, 3, 5, 10)];
        assert_eq!(audit(&[account(1, 10, 3)], &missing_in_the_middle), (0, vec![1]));
        let missing_at_the_end = [entry(1, 1, 5, 5)];
        assert_eq!(audit(&[account(1, 5, 2)], &missing_at_the_end), (0, vec![1]));
        let changed = [entry(1, 1, 6, 5), entry(1, 2, 4, 10)];
        assert_eq!(audit(&[account(1, 10, 2)], &changed), (0, vec![1]));
    }

    #[test]
    fn an_account_that_moves_between_two_batches_agrees() {
        let mut walk = Walk::default();
        walk.audit(&[account(1, 10, 1), account(2, 8, 0)], &[entry(1, 1, 10, 10)], true);
        assert_eq!(found(&walk), (0, vec![]));
        walk.audit(&[account(1, 7, 2), account(2, 8, 0)], &[entry(1, 2, -3, 7)], false);
        assert_eq!(found(&walk), (8, vec![2]));
    }
}
