//! The `users` table, as operators search it. Each way to search has an index, and reads no more than [`MOST_FOUND`] rows of it.

use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::{Error, Result};
use crate::platform::http::page::Page;
use crate::platform::search;

use super::{Name, Phone, UserId, Username};

/// A search shows so many and counts so far; whoever finds more has to narrow it.
pub const MOST_FOUND: i64 = 10_000;

row! {
    #[derive(Debug)]
    pub struct FoundRow {
        pub id: UserId,
        pub phone: Option<Phone>,
        pub username: Username,
        pub name: Option<Name>,
        pub created_at: Timestamp,
        pub banned_at: Option<Timestamp>,
        pub banned_until: Option<Timestamp>,
    }
}

macro_rules! found {
    ($where:literal, $order:literal) => {
        concat!(
            "SELECT id FROM users WHERE ",
            $where,
            " AND deleted_at IS NULL ORDER BY ",
            $order,
            " LIMIT $3 OFFSET $4"
        )
    };
}

macro_rules! searches {
    ($search:ident: $where:literal, $order:literal, $shown_order:literal) => {
        /// Those from a text up to another, in the order of their index. It has all that passing over and counting need; only the
        /// rows of the page are looked at, one by one: a cross join keeps SQLite from going through all users for them.
        pub fn $search(
            tx: &mut Tx,
            from: &str,
            to: &str,
            page: Page,
        ) -> Result<(Vec<FoundRow>, i64)> {
            let (limit, offset) = shown(page);
            let rows = tx.all(
                concat!(
                    "SELECT u.id, u.phone, u.username, u.name, u.created_at, u.banned_at, u.banned_until FROM (",
                    found!($where, $order),
                    ") found CROSS JOIN users u WHERE u.id = found.id ORDER BY ",
                    $shown_order
                ),
                params![from, to, limit, offset],
            )?;
            let total = tx.one(
                concat!("SELECT count(*) FROM (", found!($where, $order), ") found"),
                params![from, to, MOST_FOUND, 0_i64],
            )?;
            Ok((rows, total))
        }
    };
}

searches!(list_by_username: "username >= $1 AND username < $2", "username, id", "u.username");
searches!(list_by_name: "name_folded >= $1 AND name_folded < $2", "name_folded, id", "u.name_folded, u.id");

/// In the order of the table itself, backwards.
pub fn list_newest(tx: &mut Tx, page: Page) -> Result<(Vec<FoundRow>, i64)> {
    let (limit, offset) = shown(page);
    let rows = tx.all(
        "SELECT id, phone, username, name, created_at, banned_at, banned_until FROM users
         WHERE deleted_at IS NULL ORDER BY id DESC LIMIT $1 OFFSET $2",
        params![limit, offset],
    )?;
    let total = tx.one(
        "SELECT count(*) FROM (SELECT 1 FROM users WHERE deleted_at IS NULL LIMIT $1) found",
        params![MOST_FOUND],
    )?;
    Ok((rows, total))
}

/// The rows of a page, as far as they are shown.
fn shown(page: Page) -> (i64, i64) {
    let offset = page.offset().min(MOST_FOUND);
    (page.per_page.min(MOST_FOUND - offset), offset)
}

pub fn find(tx: &mut Tx, id: UserId) -> Result<Option<FoundRow>> {
    tx.opt(
        "SELECT id, phone, username, name, created_at, banned_at, banned_until FROM users WHERE id = $1 AND deleted_at IS NULL",
        params![id],
    )
}

/// Folds the names of those who were there before names were folded.
pub fn fold_names(tx: &mut Tx, most: i64) -> Result<u64> {
    let rows: Vec<(UserId, String)> = tx.all(
        "SELECT id, name FROM users WHERE name IS NOT NULL AND name_folded IS NULL
         ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED",
        params![most],
    )?;
    let folded: Vec<(UserId, String)> =
        rows.into_iter().map(|(id, name)| (id, search::fold(&name))).collect();
    let folded = serde_json::to_string(&folded).map_err(Error::internal)?;
    tx.exec(
        "UPDATE users SET name_folded = folded.name
         FROM (SELECT CAST(value ->> 0 AS BIGINT) AS id, value ->> 1 AS name FROM json_each($1, '$')) folded
         WHERE users.id = folded.id",
        params![folded],
    )
}
