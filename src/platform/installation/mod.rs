//! Which installation of the service a database is.
//!
//! Owns: the `installation` table.
//! Invariants: a database has one name, drawn once; a copy of it has the same.
//! Never: means anything outside: it is compared, and that is all.

mod store;

use super::clock;
use super::db::Db;
use super::error::Result;
use super::keys::hex;

/// The database's name, which it gets now if it has none.
pub async fn name(db: &Db) -> Result<String> {
    let new = hex(&clock::random_bytes::<16>());
    db.write(move |tx| store::find_or_insert(tx, &new)).await
}

/// The database's name, without giving it one: before its first start not even the table is there.
pub async fn find(db: &Db) -> Option<String> {
    db.read(store::find).await.ok().flatten()
}
