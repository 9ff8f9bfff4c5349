//! The `phone_challenges`, `wrong_codes` and `sms_budget_parts` tables.

use crate::features::users::Phone;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::Result;
use crate::platform::limits::{self, Limit};

use super::Owner;

row! {
    pub struct ChallengeRow {
        pub nonce: Vec<u8>,
        pub tries: i64,
        pub created_at: Timestamp,
        pub expires_at: Timestamp,
    }
}

/// The challenge as it stands, held so that two sends cannot both make it anew.
pub fn find_challenge(tx: &mut Tx, owner: Owner, phone: &Phone) -> Result<Option<ChallengeRow>> {
    tx.opt(
        "SELECT nonce, tries, created_at, expires_at FROM phone_challenges
         WHERE owner = $1 AND phone = $2 FOR UPDATE",
        params![owner.column(), phone],
    )
}

pub fn has_challenge(tx: &mut Tx, owner: Owner, phone: &Phone) -> Result<bool> {
    let found: Option<i64> = tx.opt(
        "SELECT 1 FROM phone_challenges WHERE owner = $1 AND phone = $2",
        params![owner.column(), phone],
    )?;
    Ok(found.is_some())
}

pub fn find_pending_phone(tx: &mut Tx, owner: Owner) -> Result<Option<Phone>> {
    tx.opt("SELECT phone FROM phone_challenges WHERE owner = $1", params![owner.column()])
}

pub fn upsert_challenge(
    tx: &mut Tx,
    owner: Owner,
    phone: &Phone,
    nonce: &[u8],
    now: Timestamp,
    expires_at: Timestamp,
    places: &str,
) -> Result<u64> {
    tx.exec(
        "INSERT INTO phone_challenges (owner, phone, nonce, tries, created_at, expires_at, places)
         VALUES ($1, $2, $3, 0, $4, $5, $6)
         ON CONFLICT (owner, phone) DO UPDATE SET nonce = excluded.nonce, tries = 0, places = excluded.places,
             created_at = excluded.created_at, expires_at = excluded.expires_at",
        params![owner.column(), phone, nonce, now, expires_at, places],
    )
}

/// The same code is sent once more, and counted in one more place.
pub fn update_challenge_renewed(
    tx: &mut Tx,
    owner: Owner,
    phone: &Phone,
    expires_at: Timestamp,
    place: &str,
) -> Result<u64> {
    tx.exec(
        "UPDATE phone_challenges SET expires_at = $3, places = places || ' ' || $4
         WHERE owner = $1 AND phone = $2",
        params![owner.column(), phone, expires_at, place],
    )
}

/// Counts a try and gives the nonce to compare with and where the sends were counted, in one statement; nothing if there is no
/// try left to take, or the phone is locked.
pub fn take_try(
    tx: &mut Tx,
    owner: Owner,
    phone: &Phone,
    phone_key: &str,
    most: i64,
) -> Result<Option<(Vec<u8>, String)>> {
    let now = tx.now();
    tx.opt(
        "UPDATE phone_challenges SET tries = tries + 1
         WHERE owner = $1 AND phone = $2 AND expires_at > $3 AND tries < $4
           AND NOT EXISTS (SELECT 1 FROM wrong_codes WHERE phone_key = $5 AND locked_until > $3)
         RETURNING nonce, places",
        params![owner.column(), phone, now, most, phone_key],
    )
}

pub fn delete_challenge(tx: &mut Tx, owner: Owner, phone: &Phone) -> Result<u64> {
    tx.exec(
        "DELETE FROM phone_challenges WHERE owner = $1 AND phone = $2",
        params![owner.column(), phone],
    )
}

pub fn delete_challenges_of(tx: &mut Tx, owner: Owner) -> Result<u64> {
    tx.exec("DELETE FROM phone_challenges WHERE owner = $1", params![owner.column()])
}

pub fn delete_other_challenges(tx: &mut Tx, owner: Owner, phone: &Phone) -> Result<u64> {
    tx.exec(
        "DELETE FROM phone_challenges WHERE owner = $1 AND phone <> $2",
        params![owner.column(), phone],
    )
}

pub fn delete_old_challenges(tx: &mut Tx, before: Timestamp, most: i64) -> Result<u64> {
    tx.exec(
        "DELETE FROM phone_challenges WHERE (owner, phone) IN
             (SELECT owner, phone FROM phone_challenges WHERE created_at <= $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)",
        params![before, most],
    )
}

pub fn find_lock(tx: &mut Tx, phone_key: &str) -> Result<Option<Timestamp>> {
    tx.opt("SELECT locked_until FROM wrong_codes WHERE phone_key = $1", params![phone_key])
}

/// Adds a wrong code; the one that makes `limit.most` within the window locks the phone.
pub fn insert_wrong_code(
    tx: &mut Tx,
    phone_key: &str,
    limit: Limit,
    lock_until: Timestamp,
) -> Result<u64> {
    let now = tx.now();
    let (digits, before) = (limits::digits(now), limits::digits(now.plus_ms(-limit.window_ms)));
    let kept = (limit.most - 1) * limits::DIGITS;
    tx.exec(
        "INSERT INTO wrong_codes (phone_key, hits, locked_until, last_at) VALUES ($1, $2, 0, $3)
         ON CONFLICT (phone_key) DO UPDATE SET last_at = excluded.last_at,
             hits = substr(excluded.hits || wrong_codes.hits, 1, CAST(CAST($4 AS BIGINT) AS INTEGER)),
             locked_until = CASE
                 WHEN length(wrong_codes.hits) >= CAST($4 AS BIGINT)
                  AND substr(wrong_codes.hits, CAST(CAST($5 AS BIGINT) AS INTEGER), 16) > $6
                 THEN $7 ELSE wrong_codes.locked_until END",
        params![phone_key, digits, now, kept, kept - limits::DIGITS + 1, before, lock_until],
    )
}

pub fn delete_old_wrong_codes(tx: &mut Tx, before: Timestamp, most: i64) -> Result<u64> {
    tx.exec(
        "DELETE FROM wrong_codes WHERE phone_key IN
             (SELECT phone_key FROM wrong_codes WHERE last_at <= $1 ORDER BY last_at LIMIT $2 FOR UPDATE SKIP LOCKED)",
        params![before, most],
    )
}

/// The parts of a day's budget that have room, as far as is known without waiting for anybody.
pub fn list_open_parts(tx: &mut Tx, day: i64, most: i64) -> Result<Vec<i64>> {
    tx.all(
        "SELECT CAST(every.value AS BIGINT) FROM json_each('[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]') AS every
         LEFT JOIN sms_budget_parts ON day = $1 AND part = CAST(every.value AS BIGINT)
         WHERE COALESCE(sent, 0) < (CAST($2 AS BIGINT) + 15 - CAST(every.value AS BIGINT)) / 16",
        params![day, most],
    )
}

/// Counts a message in a part of the day's budget; 0 if its share of `most` is used up.
pub fn spend_budget(tx: &mut Tx, day: i64, part: i64, most: i64) -> Result<u64> {
    tx.exec(
        "INSERT INTO sms_budget_parts (day, part, sent) VALUES ($1, $2, 1)
         ON CONFLICT (day, part) DO UPDATE SET sent = sms_budget_parts.sent + 1
         WHERE sms_budget_parts.sent < (CAST($3 AS BIGINT) + 15 - CAST($2 AS BIGINT)) / 16",
        params![day, part, most],
    )
}

/// Takes a message out of a day's budget again.
pub fn refund_budget(tx: &mut Tx, day: i64, part: i64) -> Result<u64> {
    tx.exec(
        "UPDATE sms_budget_parts SET sent = sent - 1 WHERE day = $1 AND part = $2 AND sent > 0",
        params![day, part],
    )
}

pub fn delete_old_budget(tx: &mut Tx, today: i64) -> Result<u64> {
    tx.exec("DELETE FROM sms_budget_parts WHERE day < $1", params![today])
}
