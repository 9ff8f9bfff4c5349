//! Sending a code: the limits, the challenge, the message, the log of what became of it.

use crate::adapters::sms::SendAttempt;
use crate::features::login::Login;
use crate::features::users::Phone;
use crate::platform::clock::{self, DAY_MS, HOUR_MS, MINUTE_MS, Timestamp};
use crate::platform::config::{Environment, LoginConfig};
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::http::client_address::ClientAddress;
use crate::platform::limits::{self, Limit, Who};

use super::code::{Code, NONCE_BYTES};
use super::{CODE_LONGEST_LIFE_MS, CODE_VALID_MS, Owner, TRIES_PER_CODE, nothing_pending};
use super::{address_limit, budget, sms_log, store};

const RETRY_SMS_S: u64 = 10;
const FIXED_PROVIDER: &str = "fixed";

/// A code on its way.
struct Outgoing {
    owner: Owner,
    phone: Phone,
    code: Code,
    created_at: Timestamp,
    counted: Counted,
    /// Which part of the day's budget paid for it.
    budget_part: Option<i64>,
    /// What became of it, where that is known without the network.
    attempts: Option<Vec<SendAttempt>>,
}

/// Whom a send was counted for, at the moment it was prepared.
#[derive(Clone)]
struct Counted {
    phone: Who,
    prefix: Who,
}

/// What a send needs of the keyed hashes, worked out before the transaction so that nobody waits for it there.
struct Prepared {
    counted: Counted,
    address: Who,
    nonce: [u8; NONCE_BYTES],
    code: Code,
}

impl Prepared {
    fn new(login: &Login, phone: &Phone, from: ClientAddress) -> Self {
        let nonce = clock::random_bytes();
        Self {
            counted: Counted {
                phone: Who::new(&login.keys, phone.as_str()),
                prefix: Who::new(&login.keys, phone.prefix()),
            },
            address: Who::new(&login.keys, &from.limit_key()),
            nonce,
            code: login.code_for(phone, &nonce),
        }
    }
}

/// Sends a code to a phone, for a login or a verification.
pub async fn request(login: &Login, owner: Owner, phone: Phone, from: ClientAddress) -> Result<()> {
    check_country(login, &phone)?;
    send(login, owner, phone, from, false).await
}

/// Sends a pending code again.
pub async fn resend(login: &Login, owner: Owner, phone: Phone, from: ClientAddress) -> Result<()> {
    send(login, owner, phone, from, true).await
}

async fn send(
    login: &Login,
    owner: Owner,
    phone: Phone,
    from: ClientAddress,
    only_pending: bool,
) -> Result<()> {
    let this = login.clone();
    let prepared = Prepared::new(login, &phone, from);
    let prepare = move |tx: &mut Tx| {
        if only_pending && !store::has_challenge(tx, owner, &phone)? {
            return Err(nothing_pending());
        }
        let budget_part = count_send(tx, &this, &phone, &prepared)?;
        let outgoing = prepare(tx, &this, owner, &phone, &prepared, budget_part)?;
        if let Some(attempts) = &outgoing.attempts {
            conclude(tx, &this, &outgoing, attempts)?;
        }
        Ok(outgoing)
    };
    let outgoing = login.db.write(prepare).await?;
    let attempts = match &outgoing.attempts {
        Some(attempts) => attempts.clone(),
        // On a task of its own: a caller who hangs up must not keep the attempts out of the log.
        None => tokio::spawn(deliver(login.clone(), outgoing)).await.map_err(Error::internal)??,
    };
    if is_sent(&attempts) {
        Ok(())
    } else {
        Err(Error::Unavailable { code: "sms_unavailable", retry_after_s: RETRY_SMS_S })
    }
}

/// Refuses countries that the settings do not name, if they name any.
fn check_country(login: &Login, phone: &Phone) -> Result<()> {
    let allowed = &login.config.login.allowed_country_prefixes;
    let is_served = allowed.is_empty()
        || !login.config.environment.is_public()
        || allowed.iter().any(|prefix| phone.as_str().starts_with(prefix.as_str()));
    if is_served {
        Ok(())
    } else {
        Err(Error::invalid("phone", "Phone numbers of this country are not served."))
    }
}

/// Counts the send against every limit that applies; one refusal undoes the counting of the others. Answers which part of the
/// day's budget pays for it.
fn count_send(
    tx: &mut Tx,
    login: &Login,
    phone: &Phone,
    prepared: &Prepared,
) -> Result<Option<i64>> {
    let settings = &login.config.login;
    for limit in phone_limits(settings) {
        limits::hit(tx, limit, &prepared.counted.phone)?;
    }
    if !login.config.environment.is_public() {
        return Ok(None);
    }
    limits::hit(tx, address_limit(settings), &prepared.address)?;
    limits::hit(tx, prefix_limit(settings), &prepared.counted.prefix)?;
    budget::spend(tx, settings, phone)
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

/// Takes back what was counted for a message that no provider took.
///
/// Its address keeps the count until a code is verified: it bounds how often one caller can have failing providers tried. Prefix
/// and budget keep it where the message may have been sent after all and has to be paid for.
fn give_back(
    tx: &mut Tx,
    login: &Login,
    outgoing: &Outgoing,
    attempts: &[SendAttempt],
) -> Result<()> {
    let (settings, at, counted) = (&login.config.login, outgoing.created_at, &outgoing.counted);
    if is_sent(attempts) {
        return Ok(());
    }
    for limit in phone_limits(settings) {
        limits::take_back(tx, limit, &counted.phone, at)?;
    }
    let may_have_arrived = attempts.iter().any(|attempt| attempt.may_have_arrived);
    if may_have_arrived || !login.config.environment.is_public() {
        return Ok(());
    }
    limits::take_back(tx, prefix_limit(settings), &counted.prefix, at)?;
    if let Some(part) = outgoing.budget_part {
        store::refund_budget(tx, at.utc_day(), part)?;
    }
    Ok(())
}

fn is_sent(attempts: &[SendAttempt]) -> bool {
    attempts.iter().any(|attempt| attempt.error.is_none())
}

/// Renews the pending code, or makes a new one where there is none, it is burned, or it has lived long enough.
fn prepare(
    tx: &mut Tx,
    login: &Login,
    owner: Owner,
    phone: &Phone,
    prepared: &Prepared,
    budget_part: Option<i64>,
) -> Result<Outgoing> {
    let now = tx.now();
    let expires_at = now.plus_ms(CODE_VALID_MS);
    let is_counted = login.config.environment.is_public();
    let place = if is_counted { limits::receipt(&prepared.address, now) } else { String::new() };
    // Read after the counting, which lets one send at a time through: the one before may just have made it.
    let pending = store::find_challenge(tx, owner, phone)?.filter(|pending| {
        pending.expires_at > now
            && pending.tries < TRIES_PER_CODE
            && expires_at <= pending.created_at.plus_ms(CODE_LONGEST_LIFE_MS)
    });
    let code = match pending {
        Some(pending) => {
            store::update_challenge_renewed(tx, owner, phone, expires_at, &place)?;
            login.code_for(phone, &pending.nonce)
        }
        None => {
            let nonce = &prepared.nonce;
            store::upsert_challenge(tx, owner, phone, nonce, now, expires_at, &place)?;
            prepared.code.clone()
        }
    };
    if owner != Owner::Login {
        store::delete_other_challenges(tx, owner, phone)?;
    }
    let attempts = if login.fixed.find(phone).is_some() {
        let (provider, number, error) = (FIXED_PROVIDER, 1, None);
        Some(vec![SendAttempt { provider, number, error, may_have_arrived: false }])
    } else {
        login.sms.without_network(phone.as_str()).map(|attempt| vec![attempt])
    };
    let counted = prepared.counted.clone();
    let phone = phone.clone();
    Ok(Outgoing { owner, phone, code, created_at: now, counted, budget_part, attempts })
}

/// Sends the message outside any transaction, then writes down what became of it.
async fn deliver(login: Login, outgoing: Outgoing) -> Result<Vec<SendAttempt>> {
    let text = login.config.sms.text.replace("{code}", outgoing.code.expose());
    let attempts = login.sms.send(outgoing.phone.as_str(), &text).await;
    let (this, kept) = (login.clone(), attempts.clone());
    login.db.write(move |tx| conclude(tx, &this, &outgoing, &kept)).await?;
    Ok(attempts)
}

/// Writes down every attempt; what was not sent is not counted.
fn conclude(
    tx: &mut Tx,
    login: &Login,
    outgoing: &Outgoing,
    attempts: &[SendAttempt],
) -> Result<()> {
    give_back(tx, login, outgoing, attempts)?;
    let is_production = login.config.environment == Environment::Production;
    let code = (!is_production).then(|| outgoing.code.expose());
    for attempt in attempts {
        sms_log::add(tx, outgoing.owner, &outgoing.phone, code, attempt, outgoing.created_at)?;
    }
    Ok(())
}
