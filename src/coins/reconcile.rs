//! The auditor: walks all entries of all accounts, recomputes every balance, and freezes an account that disagrees.
//!
//! Entries never change, so a sum over the first of them stays true while later ones are added. That is why the walk may pause
//! between batches, and why an account with many entries needs no long transaction: only its last batch is compared, in the
//! same snapshot that its balance is read in.

use crate::app::App;
use crate::clock::HOUR_MS;
use crate::db::Tx;
use crate::error::Result;
use crate::jobs::{Job, Kind, Next, Running};
use crate::users::UserId;

use super::ledger::House;
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
        if walk.is_over {
            report(&app, &walk).await?;
        }
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
