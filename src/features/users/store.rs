//! The `users` table.

use serde::Serialize;

use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::{Error, Result};
use crate::platform::language::Language;
use crate::platform::search;

use super::{Ban, DateOfBirth, Email, Name, Phone, ProfileChange, UserId, Username};

row! {
    #[derive(Debug, Clone)]
    pub struct UserRow {
        pub id: UserId,
        pub phone: Option<Phone>,
        pub username: Username,
        pub username_generated: bool,
        pub name: Option<Name>,
        pub email: Option<Email>,
        pub date_of_birth: Option<DateOfBirth>,
        pub language: Option<Language>,
        pub created_at: Timestamp,
        /// Not whether they are banned now: a ban may have ended since. See [`UserRow::is_banned`].
        pub banned_at: Option<Timestamp>,
        pub banned_until: Option<Timestamp>,
    }
}

row! {
    /// A ban as it was made.
    #[derive(Debug, Clone, Serialize)]
    pub struct BanRow {
        pub banned_at: Option<Timestamp>,
        pub banned_until: Option<Timestamp>,
        pub reason: Option<String>,
        pub banned_by: Option<String>,
    }
}

impl BanRow {
    /// What is in force then: this, or nothing.
    pub fn in_force(self, now: Timestamp) -> Option<Self> {
        is_in_force(self.banned_at, self.banned_until, now).then_some(self)
    }
}

/// Whether a ban that began and ends so counts at this moment; its last moment is the one before its end.
pub fn is_in_force(
    banned_at: Option<Timestamp>,
    banned_until: Option<Timestamp>,
    now: Timestamp,
) -> bool {
    banned_at.is_some() && banned_until.is_none_or(|end| end > now)
}

/// The columns of [`UserRow`].
macro_rules! user_columns {
    () => {
        "id, phone, username, username_generated, name, email, date_of_birth, language, created_at, banned_at, banned_until"
    };
}

/// The user whom `$where` names.
macro_rules! select_user {
    ($where:literal) => {
        concat!("SELECT ", user_columns!(), " FROM users WHERE ", $where)
    };
}

macro_rules! held {
    ($how:literal) => {
        concat!(
            select_user!(
                "id IN (SELECT CAST(value AS BIGINT) FROM json_each($1)) AND deleted_at IS NULL ORDER BY id "
            ),
            $how
        )
    };
}

pub fn find(tx: &mut Tx, id: UserId) -> Result<Option<UserRow>> {
    tx.opt(select_user!("id = $1 AND deleted_at IS NULL"), params![id])
}

/// How firmly users are held until the end of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// They stay who they are: nobody bans, renames or deletes them meanwhile.
    Share,
    /// Nobody else holds them at all.
    Change,
}

/// Holds these users, in the order of their ids, so that nobody waits for each other in a circle; answers those who are there.
pub fn hold(tx: &mut Tx, ids: &[UserId], how: Hold) -> Result<Vec<UserRow>> {
    let ids = serde_json::to_string(ids).map_err(Error::internal)?;
    match how {
        Hold::Share => tx.all(held!("FOR SHARE"), params![ids]),
        Hold::Change => tx.all(held!("FOR UPDATE"), params![ids]),
    }
}

pub fn find_by_username(tx: &mut Tx, name: &Username) -> Result<Option<UserRow>> {
    tx.opt(select_user!("username = $1 AND deleted_at IS NULL"), params![name])
}

/// Those of these names whose users are simulated and not banned. Everybody else who is still here has a phone.
pub fn list_simulated(tx: &mut Tx, names: &[Username]) -> Result<Vec<UserRow>> {
    let (names, now) = (serde_json::to_string(names).map_err(Error::internal)?, tx.now());
    tx.all(
        select_user!(
            "username IN (SELECT value FROM json_each($1)) AND phone IS NULL AND deleted_at IS NULL
             AND (banned_at IS NULL OR banned_until <= $2) ORDER BY id"
        ),
        params![names, now],
    )
}

pub fn find_by_phone(tx: &mut Tx, phone: &Phone) -> Result<Option<UserRow>> {
    tx.opt(
        // The normal form is the shorter one.
        select_user!("phone IN ($1, $2) ORDER BY length(phone) LIMIT 1"),
        params![phone, phone.with_zero()],
    )
}

/// The users of these phones, held in the order of their ids, each with how long the phone is that they are stored with.
pub fn hold_by_phones(tx: &mut Tx, phones: &[&Phone]) -> Result<Vec<(i64, UserRow)>> {
    let both: Vec<String> =
        phones.iter().flat_map(|phone| [phone.as_str().to_owned(), phone.with_zero()]).collect();
    let both = serde_json::to_string(&both).map_err(Error::internal)?;
    let sql = concat!(
        "SELECT CAST(length(phone) AS BIGINT), ",
        user_columns!(),
        " FROM users WHERE phone IN (SELECT value FROM json_each($1)) ORDER BY id FOR SHARE"
    );
    tx.all(sql, params![both])
}

/// A new user: phone (a simulated one has none), name, whether it is generated (0 or 1), and under which hashes the name would be
/// closed.
pub type NewUser = (Option<String>, String, i64, [String; 2]);

/// Those whose phone and name were not taken, and whose name never was.
pub fn insert(tx: &mut Tx, new: &[NewUser]) -> Result<Vec<UserRow>> {
    let (new, now) = (serde_json::to_string(new).map_err(Error::internal)?, tx.now());
    let sql = concat!(
        "INSERT INTO users (phone, username, username_generated, created_at)
         SELECT value ->> 0, value ->> 1, CAST(value ->> 2 AS BIGINT), $2 FROM json_each($1, '$')
         WHERE NOT EXISTS (SELECT 1 FROM closed_usernames
                           WHERE name_hash IN (unhex(value -> 3 ->> 0), unhex(value -> 3 ->> 1)))
         ORDER BY 1
         ON CONFLICT DO NOTHING
         RETURNING ",
        user_columns!()
    );
    tx.all(sql, params![new, now])
}

/// Whether somebody has the name, or had it: one statement, so that nobody can be between the two.
pub fn username_exists(
    tx: &mut Tx,
    username: &Username,
    closed: &[u8],
    closed_long_ago: &[u8],
) -> Result<bool> {
    let found: Option<i64> = tx.opt(
        "SELECT 1 FROM users WHERE username = $1
         UNION ALL SELECT 1 FROM closed_usernames WHERE name_hash IN ($2, $3) LIMIT 1",
        params![username, closed, closed_long_ago],
    )?;
    Ok(found.is_some())
}

pub fn insert_closed_username(tx: &mut Tx, name_hash: &[u8]) -> Result<u64> {
    tx.exec(
        "INSERT INTO closed_usernames (name_hash) VALUES ($1) ON CONFLICT DO NOTHING",
        params![name_hash],
    )
}

pub fn list_taken(tx: &mut Tx, names: &[Username]) -> Result<Vec<Username>> {
    let names = serde_json::to_string(names).map_err(Error::internal)?;
    tx.all(
        "SELECT username FROM users WHERE username IN (SELECT value FROM json_each($1))",
        params![names],
    )
}

pub fn update_profile(tx: &mut Tx, id: UserId, change: &ProfileChange) -> Result<u64> {
    if change.name.is_some() {
        tx.changes(&super::NAMES);
    }
    let folded = change.name.as_ref().map(|name| search::fold(&name.to_string()));
    tx.exec(
        "UPDATE users SET name = COALESCE($2, name), email = COALESCE($3, email),
                date_of_birth = COALESCE($4, date_of_birth), name_folded = COALESCE($5, name_folded),
                language = COALESCE($6, language) WHERE id = $1",
        params![id, change.name, change.email, change.date_of_birth, folded, change.language],
    )
}

/// Guarded, so that of two replacements one wins.
pub fn update_username(tx: &mut Tx, id: UserId, username: &Username) -> Result<u64> {
    tx.changes(&super::NAMES);
    tx.exec(
        "UPDATE users SET username = $2, username_generated = 0
         WHERE id = $1 AND username_generated = 1",
        params![id, username],
    )
}

pub fn update_phone(tx: &mut Tx, id: UserId, phone: &Phone) -> Result<u64> {
    tx.exec("UPDATE users SET phone = $2 WHERE id = $1", params![id, phone])
}

pub fn update_deleted(tx: &mut Tx, id: UserId, pseudonym: &str) -> Result<u64> {
    let now = tx.now();
    tx.changes(&super::NAMES);
    tx.exec(
        "UPDATE users SET phone = NULL, username = $2, username_generated = 0, name = NULL, name_folded = NULL, email = NULL, language = NULL,
                date_of_birth = NULL, ban_reason = NULL, deleted_at = $3 WHERE id = $1",
        params![id, pseudonym, now],
    )
}

/// A ban that is in force keeps its beginning; its end, reason and maker are those of the last one who banned.
pub fn update_banned(tx: &mut Tx, id: UserId, ban: &Ban<'_>) -> Result<u64> {
    let now = tx.now();
    tx.exec(
        "UPDATE users SET banned_at = CASE WHEN banned_at IS NULL OR banned_until <= $2 THEN $2 ELSE banned_at END,
                banned_until = $3, ban_reason = $4, banned_by = $5
         WHERE id = $1 AND deleted_at IS NULL",
        params![id, now, ban.until, ban.reason, ban.by],
    )
}

pub fn update_unbanned(tx: &mut Tx, id: UserId) -> Result<u64> {
    tx.exec(
        "UPDATE users SET banned_at = NULL, banned_until = NULL, ban_reason = NULL, banned_by = NULL
         WHERE id = $1 AND deleted_at IS NULL",
        params![id],
    )
}

pub fn find_ban(tx: &mut Tx, id: UserId) -> Result<Option<BanRow>> {
    tx.opt(
        "SELECT banned_at, banned_until, ban_reason, banned_by FROM users WHERE id = $1 AND deleted_at IS NULL",
        params![id],
    )
}

/// How many accounts were ever made, deleted ones included, to within the numbers the database skipped.
pub fn registered(tx: &mut Tx) -> Result<i64> {
    tx.one("SELECT COALESCE(max(id), 0) FROM users", params![])
}

row! {
    /// Somebody who may be told something.
    #[derive(Debug, Clone)]
    pub struct RecipientRow {
        pub id: UserId,
        pub language: Option<Language>,
        pub banned_at: Option<Timestamp>,
        pub banned_until: Option<Timestamp>,
    }
}

impl RecipientRow {
    pub fn is_banned(&self, now: Timestamp) -> bool {
        is_in_force(self.banned_at, self.banned_until, now)
    }
}

pub fn list_recipients(tx: &mut Tx, ids: &[UserId]) -> Result<Vec<RecipientRow>> {
    let ids = serde_json::to_string(ids).map_err(Error::internal)?;
    tx.all(
        "SELECT id, language, banned_at, banned_until FROM users WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))",
        params![ids],
    )
}

pub fn find_language(tx: &mut Tx, id: UserId) -> Result<Option<Language>> {
    let found: Option<Option<Language>> =
        tx.opt("SELECT language FROM users WHERE id = $1", params![id])?;
    Ok(found.flatten())
}

/// The languages that the holders of these phones have chosen.
pub fn list_languages(tx: &mut Tx, phones: &[&Phone]) -> Result<Vec<(Phone, Language)>> {
    let phones = serde_json::to_string(phones).map_err(Error::internal)?;
    tx.all(
        "SELECT phone, language FROM users WHERE phone IN (SELECT value FROM json_each($1)) AND language IS NOT NULL",
        params![phones],
    )
}

pub fn update_language(tx: &mut Tx, id: UserId, language: Option<Language>) -> Result<u64> {
    tx.exec("UPDATE users SET language = $2 WHERE id = $1", params![id, language])
}
