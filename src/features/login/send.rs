//! Sending a code: the limits, the challenge, the message, the log of what became of it.

use std::collections::HashMap;

use crate::adapters::sms::SendAttempt;
use crate::features::login::Login;
use crate::features::users::{self, Phone};
use crate::platform::clock::{self, Timestamp};
use crate::platform::config::Environment;
use crate::platform::db::{Tx, Wish};
use crate::platform::error::{Error, Result};
use crate::platform::http::client_address::ClientAddress;
use crate::platform::keys;
use crate::platform::language::Language;
use crate::platform::limits::{self, Who};
use crate::platform::texts;
use crate::platform::trace;

use super::code::{Code, NONCE_BYTES};
use super::send_limits::{count_each, give_back_each};
use super::sms_log::NewEntry;
use super::store::{self, Key};
use super::{CODE_LONGEST_LIFE_MS, CODE_VALID_MS, Owner, TRIES_PER_CODE, nothing_pending};
use super::{sms_figures, sms_log, turn_of};

const RETRY_SMS_S: u64 = 10;
const FIXED_PROVIDER: &str = "fixed";

/// A code on its way.
pub struct Outgoing {
    owner: Owner,
    phone: Phone,
    code: Code,
    pub created_at: Timestamp,
    pub counted: Counted,
    /// Which part of the day's budget paid for it.
    pub budget_part: Option<i64>,
    /// What became of it, where that is known without the network.
    attempts: Option<Vec<SendAttempt>>,
    language: Language,
}

/// Whom a send was counted for, at the moment it was prepared.
#[derive(Clone)]
pub struct Counted {
    pub phone: Who,
    pub prefix: Who,
}

/// What a send needs of the keyed hashes, worked out before the transaction so that nobody waits for it there.
pub struct Prepared {
    pub counted: Counted,
    pub address: Who,
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
    check_country(login, &phone).inspect_err(|_| {
        login.tally.refusal(login.clock.now(), &phone, sms_figures::COUNTRY_NOT_SERVED);
    })?;
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
    let prepared = Prepared::new(login, &phone, from);
    let (login_of_wish, to) = (login.clone(), phone.clone());
    let wish = SendCode {
        login: login_of_wish,
        owner,
        phone,
        prepared,
        only_pending,
        language: texts::wanted(),
    };
    let outgoing = login.send.ask(wish).await.inspect_err(|error| {
        if let Some(limit) = sms_figures::limit_of(error) {
            login.tally.refusal(login.clock.now(), &to, limit);
        }
    })?;
    let attempts = match &outgoing.attempts {
        Some(attempts) => {
            login.tally.attempts(outgoing.created_at, &to, attempts);
            attempts.clone()
        }
        // On a task of its own: a caller who hangs up must not keep the attempts out of the log.
        None => trace::spawn(deliver(login.clone(), outgoing)).await.map_err(Error::internal)??,
    };
    if is_sent(&attempts) {
        Ok(())
    } else {
        Err(Error::Unavailable { code: "sms_unavailable", retry_after_s: RETRY_SMS_S })
    }
}

/// Somebody's wish for a code.
pub struct SendCode {
    login: Login,
    owner: Owner,
    pub phone: Phone,
    pub prepared: Prepared,
    /// Only if one is on its way already.
    only_pending: bool,
    /// In which it is asked for, if that is said.
    language: Option<Language>,
}

impl SendCode {
    fn key(&self) -> Key<'_> {
        (self.owner.column(), &self.phone)
    }
}

impl Wish for SendCode {
    type Granted = Outgoing;
    const WRITES: bool = true;

    fn turn(&self) -> Option<u64> {
        Some(turn_of(&self.phone))
    }

    fn grant(tx: &mut Tx, wishes: &[Self]) -> Result<Vec<Result<Outgoing>>> {
        let Some(login) = wishes.first().map(|wish| &wish.login) else { return Ok(Vec::new()) };
        // One moment for all of it: what is counted now may have to be found again by it.
        let now = tx.now();
        let mut refusals = refuse_without_code(tx, wishes)?;
        let budget_part = count_each(tx, login, wishes, &mut refusals, now)?;
        let sent = wishes.iter().zip(&refusals).filter(|(_, refusal)| refusal.is_none());
        let sent: Vec<&Self> = sent.map(|(wish, _)| wish).collect();
        let outgoing = prepare_each(tx, login, &sent, budget_part, now)?;
        let without_network: Vec<(&Outgoing, &[SendAttempt])> = outgoing
            .iter()
            .filter_map(|outgoing| Some((outgoing, outgoing.attempts.as_deref()?)))
            .collect();
        conclude_each(tx, login, &without_network)?;
        let mut outgoing = outgoing.into_iter();
        let answer = |refusal: Option<Error>| match refusal {
            Some(refusal) => Err(refusal),
            None => outgoing.next().ok_or_else(|| Error::internal("each code goes out")),
        };
        Ok(refusals.into_iter().map(answer).collect())
    }
}

/// What is asked for again must have been asked for before.
fn refuse_without_code(tx: &mut Tx, wishes: &[SendCode]) -> Result<Vec<Option<Error>>> {
    let again: Vec<Key<'_>> =
        wishes.iter().filter(|wish| wish.only_pending).map(SendCode::key).collect();
    let there = if again.is_empty() { Vec::new() } else { store::list_challenges(tx, &again)? };
    let is_there = |wish: &SendCode| {
        there.iter().any(|(owner, phone)| (*owner, phone) == wish.key()) || !wish.only_pending
    };
    Ok(wishes.iter().map(|wish| (!is_there(wish)).then(nothing_pending)).collect())
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
        Err(Error::invalid("phone", text!("Phone numbers of this country are not served.")))
    }
}

pub fn is_sent(attempts: &[SendAttempt]) -> bool {
    attempts.iter().any(|attempt| attempt.error.is_none())
}

/// Renews each pending code, or makes a new one where there is none, it is burned, or it has lived long enough.
fn prepare_each(
    tx: &mut Tx,
    login: &Login,
    wishes: &[&SendCode],
    budget_part: Option<i64>,
    now: Timestamp,
) -> Result<Vec<Outgoing>> {
    let expires_at = now.plus_ms(CODE_VALID_MS);
    let is_counted = login.config.environment.is_public();
    let keys: Vec<Key<'_>> = wishes.iter().map(|wish| wish.key()).collect();
    // Read after the counting, which lets one send at a time through: the one before may just have made it.
    let mut pending = store::hold_challenges(tx, &keys)?;
    pending.retain(|_, pending| {
        pending.expires_at > now
            && pending.tries < TRIES_PER_CODE
            && expires_at <= pending.created_at.plus_ms(CODE_LONGEST_LIFE_MS)
    });
    let places: Vec<String> =
        wishes
            .iter()
            .map(|wish| {
                if is_counted {
                    limits::receipt(&wish.prepared.address, now)
                } else {
                    String::new()
                }
            })
            .collect();
    let (mut new, mut renewed, mut outgoing) = (Vec::new(), Vec::new(), Vec::new());
    for (wish, place) in wishes.iter().zip(&places) {
        let code = match pending.get(&(wish.owner.column(), wish.phone.clone())) {
            Some(pending) => {
                renewed.push((wish.key(), place.as_str()));
                login.code_for(&wish.phone, &pending.nonce)
            }
            None => {
                new.push((wish.key(), keys::hex(&wish.prepared.nonce), place.as_str()));
                wish.prepared.code.clone()
            }
        };
        if wish.owner != Owner::Login {
            store::delete_other_challenges(tx, wish.owner, &wish.phone)?;
        }
        outgoing.push(Outgoing {
            owner: wish.owner,
            phone: wish.phone.clone(),
            code,
            created_at: now,
            counted: wish.prepared.counted.clone(),
            budget_part,
            attempts: attempts_without_network(login, &wish.phone),
            language: wish.language.unwrap_or_default(),
        });
    }
    speak_to_holders(tx, wishes, &mut outgoing)?;
    if !renewed.is_empty() {
        store::update_challenges_renewed(tx, &renewed, expires_at)?;
    }
    if !new.is_empty() {
        store::upsert_challenges(tx, &new, now, expires_at)?;
    }
    Ok(outgoing)
}

/// Who did not say in which language they want their message gets it in the one that the phone's holder has chosen.
fn speak_to_holders(tx: &mut Tx, wishes: &[&SendCode], outgoing: &mut [Outgoing]) -> Result<()> {
    // What goes over no network is read by nobody.
    let is_open = |(wish, sent): &(&&SendCode, &mut Outgoing)| {
        wish.language.is_none() && sent.attempts.is_none()
    };
    let mut open: Vec<&mut Outgoing> =
        wishes.iter().zip(outgoing).filter(is_open).map(|(_, sent)| sent).collect();
    if open.is_empty() {
        return Ok(());
    }
    let phones: Vec<&Phone> = open.iter().map(|sent| &sent.phone).collect();
    let chosen: HashMap<Phone, Language> =
        users::list_languages(tx, &phones)?.into_iter().collect();
    for sent in &mut open {
        sent.language = chosen.get(&sent.phone).copied().unwrap_or_default();
    }
    Ok(())
}

/// What becomes of a message to this phone, where that is known without the network.
fn attempts_without_network(login: &Login, phone: &Phone) -> Option<Vec<SendAttempt>> {
    if login.fixed.find(phone).is_some() {
        let (provider, number, error) = (FIXED_PROVIDER, 1, None);
        let (failure, may_have_arrived) = (None, false);
        return Some(vec![SendAttempt { provider, number, error, failure, may_have_arrived }]);
    }
    login.sms.without_network(phone.as_str()).map(|attempt| vec![attempt])
}

/// Sends the message outside any transaction, then writes down what became of it.
async fn deliver(login: Login, outgoing: Outgoing) -> Result<Vec<SendAttempt>> {
    let text =
        login.config.sms.text_in(outgoing.language).replace("{code}", outgoing.code.expose());
    let attempts = login.sms.send(outgoing.phone.as_str(), &text).await;
    login.tally.attempts(outgoing.created_at, &outgoing.phone, &attempts);
    let (this, kept) = (login.clone(), attempts.clone());
    let conclude = move |tx: &mut Tx| conclude_each(tx, &this, &[(&outgoing, &kept)]);
    login.db.write(conclude).await?;
    Ok(attempts)
}

/// Writes down every attempt; what was not sent is not counted.
fn conclude_each(tx: &mut Tx, login: &Login, all: &[(&Outgoing, &[SendAttempt])]) -> Result<()> {
    give_back_each(tx, login, all)?;
    let is_production = login.config.environment == Environment::Production;
    let entries: Vec<NewEntry<'_>> = all
        .iter()
        .flat_map(|(outgoing, attempts)| attempts.iter().map(move |attempt| (outgoing, attempt)))
        .map(|(outgoing, attempt)| {
            let code = (!is_production).then(|| outgoing.code.expose());
            let (owner, phone, created_at) = (outgoing.owner, &outgoing.phone, outgoing.created_at);
            NewEntry::new(owner, phone, code, attempt, created_at)
        })
        .collect();
    if entries.is_empty() { Ok(()) } else { sms_log::add_each(tx, &entries) }
}
