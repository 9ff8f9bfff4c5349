//! The one place that moves coins: a transfer between a user's account and a house account.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::users::UserId;
use crate::platform::clock::{self, Timestamp};
use crate::platform::db::{Tx, text_column};
use crate::platform::error::{Error, Result};

use super::store::{self, AccountRow, NewTransferRow};

/// The greatest balance: every JSON reader holds it exactly, and no sum of two overflows.
pub const MOST_BALANCE: i64 = 9_000_000_000_000_000;
/// A frozen account waits for an operator, so there is no hurry to try again.
const RETRY_FROZEN_S: u64 = 3600;

/// The other side of every transfer, by what it is for. The numbers are those of `coin_house_accounts`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum House {
    Welcome,
    DailyBonus,
    Spending,
    Corrections,
}

impl House {
    pub const ALL: [Self; 4] = [Self::Welcome, Self::DailyBonus, Self::Spending, Self::Corrections];

    pub const fn account(self) -> i64 {
        match self {
            Self::Welcome => -1,
            Self::DailyBonus => -2,
            Self::Spending => -3,
            Self::Corrections => -4,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Welcome => "welcome",
            Self::DailyBonus => "daily_bonus",
            Self::Spending => "spending",
            Self::Corrections => "corrections",
        }
    }
}

const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// How many characters of an id tell its time.
const TIME_DIGITS: usize = 10;

/// An opaque name that sorts by time, and within one account by the order in which its transfers happened.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[schema(value_type = String, example = "01jcq8v5s000000fm3q9x7d2kt4w")]
pub struct TransferId(String);

text_column!(TransferId);

impl TransferId {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// When the transfer with this id was made; the beginning of time for what is none.
    pub fn time_of(id: &str) -> Timestamp {
        let mut digits = id.bytes().take(TIME_DIGITS).map(|byte| {
            ALPHABET
                .iter()
                .position(|known| *known == byte)
                .and_then(|digit| i64::try_from(digit).ok())
        });
        let millis = digits.try_fold(0_i64, |sum, digit| Some((sum << 5) | digit?));
        Timestamp::from_millis(millis.unwrap_or(0))
    }

    /// Behind every id of before this moment, and before every id of this moment or later.
    pub fn first_at(moment: Timestamp) -> String {
        let mut text = String::with_capacity(TIME_DIGITS);
        push_base32(&mut text, moment.as_millis().unsigned_abs(), TIME_DIGITS);
        text
    }

    /// Ten characters of time, six of the number in the account, and twelve (60 bits) that are random.
    pub fn new(now: Timestamp, entry: i64) -> Self {
        let random = u64::from_le_bytes(clock::random_bytes());
        let mut text = String::with_capacity(28);
        push_base32(&mut text, now.as_millis().unsigned_abs(), TIME_DIGITS);
        push_base32(&mut text, entry.unsigned_abs(), 6);
        push_base32(&mut text, random, 12);
        Self(text)
    }
}

/// The lowest `length` digits, in an alphabet that sorts as its values do and leaves out i, l, o and u.
fn push_base32(text: &mut String, value: u64, length: usize) {
    for place in (0..length).rev() {
        let digit = usize::try_from((value >> (5 * place)) % 32).ok();
        let byte = digit.and_then(|digit| ALPHABET.get(digit)).copied();
        text.push(char::from(byte.unwrap_or(b'0')));
    }
}

/// A movement of coins, from the view of the user: positive coins come from the house, negative go to it.
#[derive(Debug, Clone, Copy)]
pub struct Movement<'a> {
    pub user: UserId,
    pub house: House,
    pub coins: i64,
    pub reason: &'a str,
    pub reference_id: Option<&'a str>,
}

impl<'a> Movement<'a> {
    fn row(&self, id: TransferId, entry: i64, new_balance: i64) -> NewTransferRow<'a> {
        let (user, house) = (self.user.0, self.house.account());
        let (debit, credit) = if self.coins > 0 { (house, user) } else { (user, house) };
        NewTransferRow(
            id,
            (debit, credit, self.coins.saturating_abs()),
            (self.user, entry, new_balance),
            (self.reason, self.reference_id),
        )
    }
}

/// A transfer that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    pub id: TransferId,
    pub previous_balance: i64,
    pub new_balance: i64,
}

/// Moves coins, or refuses before anything is written.
pub fn transfer(tx: &mut Tx, movement: Movement<'_>) -> Result<Transfer> {
    let account = hold(tx, &[movement.user])?.remove(&movement.user);
    transfer_each(tx, &[(movement, account)])?
        .into_iter()
        .collect::<Result<Vec<_>>>()?
        .pop()
        .ok_or_else(none_made)
}

/// Holds the accounts of these users until the end of the transaction.
pub fn hold(tx: &mut Tx, users: &[UserId]) -> Result<BTreeMap<UserId, AccountRow>> {
    Ok(store::hold_accounts(tx, users)?.into_iter().collect())
}

/// Moves coins on as many accounts, all of which the transaction holds, or refuses before anything of a movement is written. Two
/// statements: the balances, and the transfers.
pub fn transfer_each(
    tx: &mut Tx,
    movements: &[(Movement<'_>, Option<AccountRow>)],
) -> Result<Vec<Result<Transfer>>> {
    let now = tx.now();
    let (mut coins, mut rows) = (Vec::new(), Vec::new());
    let mut outcomes = Vec::with_capacity(movements.len());
    for (movement, account) in movements {
        let outcome = judge(movement, account.as_ref());
        outcomes.push(outcome.map(|(new_balance, entry)| {
            let id = TransferId::new(now, entry);
            coins.push((movement.user, movement.coins));
            rows.push(movement.row(id.clone(), entry, new_balance));
            let previous_balance = new_balance.saturating_sub(movement.coins);
            Transfer { id, previous_balance, new_balance }
        }));
    }
    if !rows.is_empty() {
        let changed = store::update_balances(tx, &coins)?;
        let written = store::insert_transfers(tx, &rows, now)?;
        if changed != written || usize::try_from(written).ok() != Some(rows.len()) {
            return Err(none_made());
        }
    }
    Ok(outcomes)
}

fn none_made() -> Error {
    Error::internal("each transfer changes one balance")
}

/// The new balance and the number of the transfer that makes it, or why there is none.
fn judge(movement: &Movement<'_>, account: Option<&AccountRow>) -> Result<(i64, i64)> {
    let coins = movement.coins;
    if !coins.checked_abs().is_some_and(|amount| (1..=MOST_BALANCE).contains(&amount)) {
        return Err(Error::internal("a transfer moves at least one coin and at most all"));
    }
    let account = account.ok_or(not_found!("account"))?;
    if account.frozen_at.is_some() {
        return Err(Error::Unavailable { code: "account_frozen", retry_after_s: RETRY_FROZEN_S });
    }
    match account.balance.saturating_add(coins) {
        ..0 => Err(Error::Refused {
            code: "insufficient_balance",
            message: text!("The balance is too low for this."),
        }),
        new_balance @ 0..=MOST_BALANCE => Ok((new_balance, account.entries.saturating_add(1))),
        _ => Err(Error::Refused {
            code: "balance_limit",
            message: text!("The balance would be larger than an account can hold."),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_by_time_and_then_by_their_number_in_the_account() {
        let at = Timestamp::from_millis;
        let ids = [
            TransferId::new(at(0), 1),
            TransferId::new(at(1_794_744_000_000), 1),
            TransferId::new(at(1_794_744_000_000), 2),
            TransferId::new(at(1_794_744_000_000), 33),
            TransferId::new(at(1_794_744_000_001), 1),
        ];
        assert!(ids.is_sorted_by(|a, b| a < b), "{ids:?}");
        assert!(ids.iter().all(|id| id.0.len() == 28), "{ids:?}");
    }

    #[test]
    fn an_id_tells_its_time_and_a_moment_parts_earlier_ids_from_later_ones() {
        let (now, later) =
            (Timestamp::from_millis(1_794_744_000_000), Timestamp::from_millis(1_794_744_000_001));
        assert_eq!(TransferId::time_of(TransferId::new(now, 7).as_str()), now);
        assert_eq!(TransferId::time_of(""), Timestamp::from_millis(0));
        assert!(TransferId::new(now, 7).as_str() < TransferId::first_at(later).as_str());
        assert!(TransferId::new(later, 1).as_str() > TransferId::first_at(later).as_str());
    }

    #[test]
    fn ids_of_one_moment_and_number_differ() {
        let now = Timestamp::from_millis(1_794_744_000_000);
        assert_ne!(TransferId::new(now, 1), TransferId::new(now, 1));
    }
}
