//! The `phone_challenges`, `wrong_codes` and `sms_budget_parts` tables.

use std::collections::HashMap;

use serde::Serialize;

use crate::features::users::Phone;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::{Error, Result};
use crate::platform::limits::{self, Limit};

use super::Owner;

row! {
    pub struct ChallengeRow {
        pub nonce: Vec<u8>,
        pub tries: i64,
        pub created_at: Timestamp,
        pub expires_at: Timestamp,
        /// Where its sends were counted.
        pub places: String,
    }
}

/// Whose challenge, and for which phone.
pub type Key<'a> = (i64, &'a Phone);

/// These challenges as they stand, those that there are, held in one order so that two cannot both make one anew or try it.
pub fn hold_challenges(
    tx: &mut Tx,
    keys: &[Key<'_>],
) -> Result<HashMap<(i64, Phone), ChallengeRow>> {
    let rows: Vec<((i64, Phone), ChallengeRow)> = tx.all(
        "SELECT owner, phone, nonce, tries, created_at, expires_at, places FROM phone_challenges
         WHERE (owner, phone) IN (SELECT CAST(value ->> 0 AS BIGINT), value ->> 1 FROM json_each($1, '$'))
         ORDER BY owner, phone FOR UPDATE",
        params![json(&keys)?],
    )?;
    Ok(rows.into_iter().collect())
}

/// Those of these challenges that there are.
pub fn list_challenges(tx: &mut Tx, keys: &[Key<'_>]) -> Result<Vec<(i64, Phone)>> {
    tx.all(
        "SELECT owner, phone FROM phone_challenges
         WHERE (owner, phone) IN (SELECT CAST(value ->> 0 AS BIGINT), value ->> 1 FROM json_each($1, '$'))",
        params![json(&keys)?],
    )
}

fn json(rows: &impl Serialize) -> Result<String> {
    serde_json::to_string(rows).map_err(Error::internal)
}

pub fn find_pending_phone(tx: &mut Tx, owner: Owner) -> Result<Option<Phone>> {
    tx.opt("SELECT phone FROM phone_challenges WHERE owner = $1", params![owner.column()])
}

/// A challenge made anew: its nonce in hexadecimal and where its send was counted.
pub type NewChallenge<'a> = (Key<'a>, String, &'a str);

pub fn upsert_challenges(
    tx: &mut Tx,
    new: &[NewChallenge<'_>],
    now: Timestamp,
    expires_at: Timestamp,
) -> Result<u64> {
    tx.exec(
        "INSERT INTO phone_challenges (owner, phone, nonce, tries, created_at, expires_at, places)
         SELECT CAST(value -> 0 ->> 0 AS BIGINT), value -> 0 ->> 1, unhex(value ->> 1), 0, $2, $3, value ->> 2
         FROM json_each($1, '$') WHERE true ORDER BY 1, 2
         ON CONFLICT (owner, phone) DO UPDATE SET nonce = excluded.nonce, tries = 0, places = excluded.places,
             created_at = excluded.created_at, expires_at = excluded.expires_at",
        params![json(&new)?, now, expires_at],
    )
}

/// The same codes are sent once more, and each counted in one more place.
pub fn update_challenges_renewed(
    tx: &mut Tx,
    renewed: &[(Key<'_>, &str)],
    expires_at: Timestamp,
) -> Result<u64> {
    tx.exec(
        "UPDATE phone_challenges SET expires_at = $2, places = places || ' ' || renewed.place
         FROM (SELECT CAST(value -> 0 ->> 0 AS BIGINT) AS owner, value -> 0 ->> 1 AS phone, value ->> 1 AS place
               FROM json_each($1, '$')) renewed
         WHERE phone_challenges.owner = renewed.owner AND phone_challenges.phone = renewed.phone",
        params![json(&renewed)?, expires_at],
    )
}

/// Counts tries at challenges that are held.
pub fn update_tries(tx: &mut Tx, tried: &[Key<'_>]) -> Result<u64> {
    tx.exec(
        "UPDATE phone_challenges SET tries = tries + 1
         WHERE (owner, phone) IN (SELECT CAST(value ->> 0 AS BIGINT), value ->> 1 FROM json_each($1, '$'))",
        params![json(&tried)?],
    )
}

pub fn delete_challenges(tx: &mut Tx, used: &[Key<'_>]) -> Result<u64> {
    tx.exec(
        "DELETE FROM phone_challenges
         WHERE (owner, phone) IN (SELECT CAST(value ->> 0 AS BIGINT), value ->> 1 FROM json_each($1, '$'))",
        params![json(&used)?],
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

/// Until when these phones are locked, or were.
pub fn list_locks(tx: &mut Tx, phone_keys: &[&str]) -> Result<HashMap<String, Timestamp>> {
    let rows: Vec<(String, Timestamp)> = tx.all(
        "SELECT phone_key, locked_until FROM wrong_codes WHERE phone_key IN (SELECT value FROM json_each($1))",
        params![json(&phone_keys)?],
    )?;
    Ok(rows.into_iter().collect())
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

/// The parts of a day's budget that have room for so many, as far as is known without waiting for anybody.
pub fn list_open_parts(tx: &mut Tx, day: i64, most: i64, number: i64) -> Result<Vec<i64>> {
    tx.all(
        "SELECT CAST(every.value AS BIGINT) FROM json_each('[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]') AS every
         LEFT JOIN sms_budget_parts ON day = $1 AND part = CAST(every.value AS BIGINT)
         WHERE COALESCE(sent, 0) + $3 <= (CAST($2 AS BIGINT) + 15 - CAST(every.value AS BIGINT)) / 16",
        params![day, most, number],
    )
}

/// Counts so many messages in a part of the day's budget that had room for them; 0 if its share of `most` is used up since.
pub fn spend_budget(tx: &mut Tx, day: i64, part: i64, most: i64, number: i64) -> Result<u64> {
    tx.exec(
        "INSERT INTO sms_budget_parts (day, part, sent) VALUES ($1, $2, $4)
         ON CONFLICT (day, part) DO UPDATE SET sent = sms_budget_parts.sent + excluded.sent
         WHERE sms_budget_parts.sent + excluded.sent <= (CAST($3 AS BIGINT) + 15 - CAST($2 AS BIGINT)) / 16",
        params![day, part, most, number],
    )
}

/// How many messages a day's budget has paid for.
pub fn count_budget(tx: &mut Tx, day: i64) -> Result<i64> {
    tx.one(
        "SELECT COALESCE(CAST(sum(sent) AS BIGINT), 0) FROM sms_budget_parts WHERE day = $1",
        params![day],
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
