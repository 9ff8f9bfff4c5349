//! Sending a code: the limits, the challenge, the message, the log of what became of it.

use crate::adapters::sms::SendAttempt;
use crate::features::login::Login;
use crate::features::users::Phone;
use crate::platform::clock::{self, DAY_MS, HOUR_MS, MINUTE_MS, Timestamp};
use crate::platform::config::Environment;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::http::client_address::ClientAddress;
use crate::platform::limits::{self, Limit, Who};

use super::code::{Code, NONCE_BYTES};
use super::{CODE_LONGEST_LIFE_MS, CODE_VALID_MS, Owner, TRIES_PER_CODE, nothing_pending};
use super::{sms_log, store};

const RETRY_SMS_S: u64 = 10;
const FIXED_PROVIDER: &str = "fixed";

/// A code on its way.
struct Outgoing {
    phone: Phone,
    code: Code,
    created_at: Timestamp,
    /// What became of it, where that is known without the network.
    attempts: Option<Vec<SendAttempt>>,
}

/// What a send needs of the keyed hashes, worked out before the transaction so that nobody waits for it there.
struct Prepared {
    phone: Who,
    prefix: Who,
    address: Who,
    nonce: [u8; NONCE_BYTES],
    code: Code,
}

impl Prepared {
    fn new(login: &Login, phone: &Phone, from: ClientAddress) -> Self {
        let nonce = clock::random_bytes();
        Self {
            phone: Who::new(&login.keys, phone.as_str()),
            prefix: Who::new(&login.keys, phone.prefix()),
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
        if only_pending && store::find_challenge(tx, owner, &phone)?.is_none() {
            return Err(nothing_pending());
        }
        count_send(tx, &this, &prepared)?;
        let outgoing = prepare(tx, &this, owner, &phone, &prepared)?;
        if let Some(attempts) = &outgoing.attempts {
            log(tx, &this, &outgoing, attempts)?;
        }
        Ok(outgoing)
    };
    let outgoing = login.db.write(prepare).await?;
    let attempts = match &outgoing.attempts {
        Some(attempts) => attempts.clone(),
        // On a task of its own: a caller who hangs up must not keep the attempts out of the log.
        None => tokio::spawn(deliver(login.clone(), outgoing)).await.map_err(Error::internal)??,
    };
    if attempts.iter().any(|attempt| attempt.error.is_none()) {
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

/// Counts the send against every limit that applies; one refusal undoes the counting of the others.
fn count_send(tx: &mut Tx, login: &Login, prepared: &Prepared) -> Result<()> {
    let settings = &login.config.login;
    let short = Limit {
        code: "phone_send_limit",
        most: settings.sends_per_10_minutes,
        window_ms: 10 * MINUTE_MS,
    };
    let daily =
        Limit { code: "phone_daily_send_limit", most: settings.sends_per_day, window_ms: DAY_MS };
    limits::hit(tx, short, &prepared.phone)?;
    limits::hit(tx, daily, &prepared.phone)?;
    if !login.config.environment.is_public() {
        return Ok(());
    }
    let address = Limit {
        code: "address_send_limit",
        most: settings.sends_per_address_in_5_minutes,
        window_ms: 5 * MINUTE_MS,
    };
    let prefix = Limit {
        code: "prefix_send_limit",
        most: settings.sends_per_prefix_an_hour,
        window_ms: HOUR_MS,
    };
    limits::hit(tx, address, &prepared.address)?;
    limits::hit(tx, prefix, &prepared.prefix)?;
    let now = tx.now();
    let budget = settings.sends_a_day_in_all;
    if budget > 0 && store::spend_budget(tx, now.utc_day(), budget)? == 0 {
        let midnight = Timestamp::start_of_utc_day(now.utc_day() + 1);
        let limit = Limit { code: "sms_budget", most: budget, window_ms: DAY_MS };
        tracing::warn!(
            "the day's budget of messages is used up: no code is sent before midnight UTC"
        );
        return Err(limits::refused(limit, midnight.millis_since(now)));
    }
    Ok(())
}

/// Renews the pending code, or makes a new one where there is none, it is burned, or it has lived long enough.
fn prepare(
    tx: &mut Tx,
    login: &Login,
    owner: Owner,
    phone: &Phone,
    prepared: &Prepared,
) -> Result<Outgoing> {
    let now = tx.now();
    let expires_at = now.plus_ms(CODE_VALID_MS);
    let pending = store::find_challenge(tx, owner, phone)?.filter(|pending| {
        pending.expires_at > now
            && pending.tries < TRIES_PER_CODE
            && expires_at <= pending.created_at.plus_ms(CODE_LONGEST_LIFE_MS)
    });
    let code = match pending {
        Some(pending) => {
            store::update_challenge_expiry(tx, owner, phone, expires_at)?;
            login.code_for(phone, &pending.nonce)
        }
        None => {
            store::upsert_challenge(tx, owner, phone, &prepared.nonce, now, expires_at)?;
            prepared.code.clone()
        }
    };
    if owner != Owner::Login {
        store::delete_other_challenges(tx, owner, phone)?;
    }
    let attempts = if login.fixed.find(phone).is_some() {
        Some(vec![SendAttempt { provider: FIXED_PROVIDER, number: 1, error: None }])
    } else {
        login.sms.without_network(phone.as_str()).map(|attempt| vec![attempt])
    };
    Ok(Outgoing { phone: phone.clone(), code, created_at: now, attempts })
}

/// Sends the message outside any transaction, then writes down every attempt.
async fn deliver(login: Login, outgoing: Outgoing) -> Result<Vec<SendAttempt>> {
    let text = login.config.sms.text.replace("{code}", outgoing.code.expose());
    let attempts = login.sms.send(outgoing.phone.as_str(), &text).await;
    let (this, kept) = (login.clone(), attempts.clone());
    login.db.write(move |tx| log(tx, &this, &outgoing, &kept)).await?;
    Ok(attempts)
}

fn log(tx: &mut Tx, login: &Login, outgoing: &Outgoing, attempts: &[SendAttempt]) -> Result<()> {
    let is_production = login.config.environment == Environment::Production;
    let code = (!is_production).then(|| outgoing.code.expose());
    for attempt in attempts {
        sms_log::add(tx, &outgoing.phone, code, attempt, outgoing.created_at)?;
    }
    Ok(())
}
