//! What sends count against: limits of the phone, and in public of the address and the number's prefix, and the day's budget.

use crate::adapters::sms::SendAttempt;
use crate::features::login::Login;
use crate::features::users::Phone;
use crate::platform::clock::{DAY_MS, HOUR_MS, MINUTE_MS, Timestamp};
use crate::platform::config::LoginConfig;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::limits::{self, Limit, Who};

use super::send::{Outgoing, Prepared, SendCode, is_sent};
use super::{address_limit, budget, store};

/// A limit of sends, and whom it counts.
struct Counting {
    limit: Limit,
    who: fn(&Prepared) -> &Who,
}

/// Every limit that applies, in the order in which all senders count.
fn countings(login: &Login) -> Vec<Counting> {
    let settings = &login.config.login;
    let counting = |limit, who| Counting { limit, who };
    let phone: fn(&Prepared) -> &Who = |prepared| &prepared.counted.phone;
    let mut all: Vec<Counting> =
        phone_limits(settings).into_iter().map(|limit| counting(limit, phone)).collect();
    if login.config.environment.is_public() {
        all.push(counting(address_limit(settings), |prepared| &prepared.address));
        all.push(counting(prefix_limit(settings), |prepared| &prepared.counted.prefix));
    }
    all
}

/// Counts each send against every limit that applies; one refusal undoes the counting of the others. Answers which part of the
/// day's budget pays for them.
pub fn count_each(
    tx: &mut Tx,
    login: &Login,
    wishes: &[SendCode],
    refusals: &mut [Option<Error>],
    now: Timestamp,
) -> Result<Option<i64>> {
    let countings = countings(login);
    // By how many limits each was counted.
    let mut counted = vec![0_usize; wishes.len()];
    for Counting { limit, who } in &countings {
        let mut open: Vec<_> = wishes
            .iter()
            .zip(refusals.iter_mut().zip(&mut counted))
            .filter(|(_, (refusal, _))| refusal.is_none())
            .collect();
        let hits: Vec<&Who> = open.iter().map(|(wish, _)| who(&wish.prepared)).collect();
        let hits = limits::hit_each(tx, *limit, &hits, now)?;
        for ((_, (refusal, counted)), hit) in open.iter_mut().zip(hits) {
            match hit {
                Ok(()) => **counted += 1,
                Err(error) => **refusal = Some(error),
            }
        }
    }
    let part = spend_each(tx, login, wishes, refusals)?;
    for (number, Counting { limit, who }) in countings.iter().enumerate() {
        let gone: Vec<(&Who, Timestamp)> = wishes
            .iter()
            .zip(refusals.iter().zip(&counted))
            .filter(|(_, (refusal, counted))| refusal.is_some() && **counted > number)
            .map(|(wish, _)| (who(&wish.prepared), now))
            .collect();
        limits::take_back_each(tx, *limit, &gone)?;
    }
    Ok(part)
}

/// Spends what the sends cost of the day's budget, where strangers come in.
fn spend_each(
    tx: &mut Tx,
    login: &Login,
    wishes: &[SendCode],
    refusals: &mut [Option<Error>],
) -> Result<Option<i64>> {
    if !login.config.environment.is_public() {
        return Ok(None);
    }
    let open = wishes.iter().zip(&*refusals).filter(|(_, refusal)| refusal.is_none());
    let phones: Vec<&Phone> = open.map(|(wish, _)| &wish.phone).collect();
    match budget::spend_each(tx, &login.config.login, &phones) {
        // Of one who is alone among those who are refused anyway, it is their own.
        Err(error @ Error::RateLimited { .. }) if phones.len() == 1 => {
            let place = refusals.iter_mut().find(|refusal| refusal.is_none());
            if let Some(place) = place {
                *place = Some(error);
            }
            Ok(None)
        }
        spent => spent,
    }
}

/// What is counted, and so held, first of all for a phone.
pub fn phone_limits(settings: &LoginConfig) -> [Limit; 2] {
    let limit = |code, most, window_ms| Limit { code, most, window_ms };
    [
        limit("phone_send_limit", settings.sends_per_10_minutes, 10 * MINUTE_MS),
        limit("phone_daily_send_limit", settings.sends_per_day, DAY_MS),
    ]
}

fn prefix_limit(settings: &LoginConfig) -> Limit {
    let (code, most) = ("prefix_send_limit", settings.sends_per_prefix_an_hour);
    Limit { code, most, window_ms: HOUR_MS }
}

/// Takes back what was counted for messages that no provider took.
///
/// Their address keeps the count until a code is verified: it bounds how often one caller can have failing providers tried. Prefix
/// and budget keep it where the message may have been sent after all and has to be paid for.
pub fn give_back_each(
    tx: &mut Tx,
    login: &Login,
    all: &[(&Outgoing, &[SendAttempt])],
) -> Result<()> {
    let settings = &login.config.login;
    let unsent: Vec<_> = all.iter().filter(|(_, attempts)| !is_sent(attempts)).collect();
    let phones: Vec<(&Who, Timestamp)> =
        unsent.iter().map(|(out, _)| (&out.counted.phone, out.created_at)).collect();
    for limit in phone_limits(settings) {
        limits::take_back_each(tx, limit, &phones)?;
    }
    if !login.config.environment.is_public() {
        return Ok(());
    }
    let may_have_arrived =
        |attempts: &[SendAttempt]| attempts.iter().any(|attempt| attempt.may_have_arrived);
    let unpaid: Vec<_> =
        unsent.iter().filter(|(_, attempts)| !may_have_arrived(attempts)).collect();
    let prefixes: Vec<(&Who, Timestamp)> =
        unpaid.iter().map(|(out, _)| (&out.counted.prefix, out.created_at)).collect();
    limits::take_back_each(tx, prefix_limit(settings), &prefixes)?;
    for (outgoing, _) in unpaid {
        if let Some(part) = outgoing.budget_part {
            store::refund_budget(tx, outgoing.created_at.utc_day(), part)?;
        }
    }
    Ok(())
}
