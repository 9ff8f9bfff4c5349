//! The auditor: walks all entries of all accounts, recomputes every balance, and freezes an account that disagrees.
//!
//! Entries never change, so a sum over the first of them stays true while later ones are added. That is why the walk may pause
//! between batches, and why an account with many entries needs no long transaction: only its last batch is compared, in the
//! same snapshot that its balance is read in.

use crate::app::App;
use crate::clock::HOUR_MS;
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::jobs::{Job, Kind, Next, Running};
use crate::users::UserId;

use super::ledger::{House, MOST_BALANCE};
use super::store::{self, AuditedRow};

pub const RECONCILE: Kind =
    Kind { name: "reconcile_coins", every_ms: Some(HOUR_MS), run: reconcile };

/// Entries read in one transaction.
const BATCH: i64 = 2_000;

fn reconcile(app: App, _: Job) -> Running {
    Box::pin(async move {
        let mut walk = Walk::default();
        while !walk.is_over && !app.is_stopping() {
            let at = walk.clone();
            walk = app.db.read(move |tx| at.clone().step(tx, BATCH)).await?;
            for suspect in walk.suspects.split_off(0) {
                freeze(&app, suspect).await?;
            }
        }
        if !walk.is_over {
            return Ok(Next::At(app.clock.now()));
        }
        report(&app, &walk).await?;
        Ok(Next::Done)
    })
}

async fn freeze(app: &App, suspect: Suspect) -> Result<()> {
    let Suspect { user, balance, sum } = suspect;
    let freeze = move |tx: &mut Tx| {
        let now = tx.now();
        store::update_frozen(tx, user, now)
    };
    if app.db.write(freeze).await? == 1 {
        tracing::error!(
            user = user.0,
            balance,
            entries_sum = sum,
            "a coin account disagrees with its entries and is frozen"
        );
    }
    Ok(())
}

async fn report(app: &App, walk: &Walk) -> Result<()> {
    gauge(&metrics::gauge!("touchline_ledger_difference"), walk.difference);
    let frozen = app.db.read(store::count_frozen).await?;
    gauge(&metrics::gauge!("touchline_ledger_frozen_accounts"), frozen);
    for (house, coins) in House::ALL.into_iter().zip(walk.house_coins) {
        gauge(&metrics::gauge!("touchline_ledger_house_coins", "account" => house.name()), coins);
    }
    Ok(())
}

#[allow(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "a gauge is a float; what matters is whether it is zero"
)]
fn gauge(gauge: &metrics::Gauge, value: i64) {
    gauge.set(value as f64);
}

/// A frozen account that moves again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Restored {
    pub wrong_balance: i64,
    pub balance: i64,
}

/// Puts a frozen account's balance back to what its entries say and lets it move again.
///
/// The entries are the truth and the balance only their sum, so this moves no coins. Entries that are not whole are beyond it.
pub fn unfreeze(tx: &mut Tx, user: UserId) -> Result<Restored> {
    let account = store::find_account_for_update(tx, user)?.ok_or(Error::NotFound("account"))?;
    if account.frozen_at.is_none() {
        return Err(Error::Conflict { code: "not_frozen", message: "This account is not frozen." });
    }
    let entries = store::get_entries(tx, user)?;
    let is_whole = entries.count == account.entries
        && entries.last_entry == account.entries
        && entries.broken == 0;
    if !is_whole || !(0..=MOST_BALANCE).contains(&entries.sum) {
        return Err(Error::Conflict {
            code: "entries_broken",
            message: "The account's entries are not whole; restore them from a backup first.",
        });
    }
    store::update_restored(tx, user, entries.sum)?;
    Ok(Restored { wrong_balance: account.balance, balance: entries.sum })
}

/// How far the walk has come and what it has found.
#[derive(Debug, Clone, Default)]
struct Walk {
    account: Option<Account>,
    is_over: bool,
    /// Over all accounts, without sign, so that two errors cannot cancel out.
    difference: i64,
    /// The balance of each house account, in the order of [`House::ALL`].
    house_coins: [i64; 4],
    suspects: Vec<Suspect>,
}

/// The account the walk is in: what its row says, and what its entries have said so far.
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
}

impl Walk {
    fn step(mut self, tx: &mut Tx, batch: i64) -> Result<Self> {
        let (user, entry) = self
            .account
            .as_ref()
            .map_or((UserId(0), 0), |account| (account.user, account.last_entry));
        let mut seen = 0;
        store::list_audited(tx, user, entry, batch, |row| {
            seen += 1;
            self.see(&row);
            Ok(())
        })?;
        if seen < batch {
            self.leave_account();
            self.is_over = true;
        }
        Ok(self)
    }

    fn see(&mut self, row: &AuditedRow) {
        if self.account.as_ref().is_none_or(|account| account.user != row.user_id) {
            self.leave_account();
        }
        let account = self.account.get_or_insert_with(|| Account::of(row));
        // A later batch sees a later moment.
        (account.balance, account.entries) = (row.balance, row.entries);
        if let (Some(entry), Some(amount)) = (row.entry, row.amount) {
            account.sum = account.sum.saturating_add(amount);
            account.is_unbroken &= account.last_entry.checked_add(1) == Some(entry)
                && row.balance_after == Some(account.sum);
            account.last_entry = entry;
            let house = House::ALL.into_iter().zip(&mut self.house_coins);
            for (_, coins) in house.filter(|(house, _)| row.house_account == Some(house.account()))
            {
                *coins = coins.saturating_sub(amount);
            }
        }
    }

    fn leave_account(&mut self) {
        let Some(account) = self.account.take() else { return };
        let Account { user, balance, sum, .. } = account;
        self.difference =
            self.difference.saturating_add(balance.saturating_sub(sum).saturating_abs());
        let is_whole = account.is_unbroken && account.last_entry == account.entries;
        if !is_whole || balance != sum {
            self.suspects.push(Suspect { user, balance, sum });
        }
    }
}

impl Account {
    fn of(row: &AuditedRow) -> Self {
        Self {
            user: row.user_id,
            balance: row.balance,
            entries: row.entries,
            last_entry: 0,
            sum: 0,
            is_unbroken: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(
        user: i64,
        (balance, entries): (i64, i64),
        entry: i64,
        amount: i64,
        after: i64,
    ) -> AuditedRow {
        AuditedRow {
            user_id: UserId(user),
            balance,
            entries,
            entry: Some(entry),
            house_account: Some(House::Spending.account()),
            amount: Some(amount),
            balance_after: Some(after),
        }
    }

    fn without_entries(user: i64, balance: i64, entries: i64) -> AuditedRow {
        let gone = row(user, (balance, entries), 0, 0, 0);
        AuditedRow { entry: None, house_account: None, amount: None, balance_after: None, ..gone }
    }

    /// The difference, and the suspected users.
    fn audit(rows: &[AuditedRow]) -> (i64, Vec<i64>) {
        let mut walk = Walk::default();
        for row in rows {
            walk.see(row);
        }
        walk.leave_account();
        (walk.difference, walk.suspects.iter().map(|suspect| suspect.user.0).collect())
    }

    #[test]
    fn books_that_agree_differ_by_nothing() {
        let rows = [
            row(1, (7, 2), 1, 10, 10),
            row(1, (7, 2), 2, -3, 7),
            without_entries(2, 0, 0),
            row(3, (5, 1), 1, 5, 5),
        ];
        assert_eq!(audit(&rows), (0, vec![]));
    }

    #[test]
    fn differences_of_opposite_sign_do_not_cancel_out() {
        let rows = [row(1, (11, 1), 1, 10, 10), row(2, (9, 1), 1, 10, 10)];
        assert_eq!(audit(&rows), (2, vec![1, 2]));
    }

    #[test]
    fn coins_without_entries_are_found() {
        assert_eq!(audit(&[without_entries(1, 4, 0)]), (4, vec![1]));
    }

    #[test]
    fn entries_that_are_missing_or_changed_are_found_even_if_the_sum_agrees() {
        let missing_in_the_middle = [row(1, (10, 3), 1, 5, 5), row(1, (10, 3), 3, 5, 10)];
        assert_eq!(audit(&missing_in_the_middle), (0, vec![1]));
        let missing_at_the_end = [row(1, (5, 2), 1, 5, 5)];
        assert_eq!(audit(&missing_at_the_end), (0, vec![1]));
        let changed = [row(1, (10, 2), 1, 6, 5), row(1, (10, 2), 2, 4, 10)];
        assert_eq!(audit(&changed), (0, vec![1]));
    }

    #[test]
    fn an_account_that_moves_between_two_batches_agrees() {
        let rows = [row(1, (10, 1), 1, 10, 10), row(1, (7, 2), 2, -3, 7), without_entries(1, 7, 2)];
        assert_eq!(audit(&rows), (0, vec![]));
    }
}
