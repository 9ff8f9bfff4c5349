//! That all who work on one database have the same secret key.
//!
//! Owns: the `key_fingerprint` table.
//! Invariants: the first node leaves its key's fingerprint; one with another key does not start, since codes, limits and chat tokens
//! of one would mean nothing to the other.
//! Never: stores the key, or anything from which it can be had.

mod store;

use super::config::ConfigError;
use super::db::Db;
use super::error::{Error, Result};
use super::keys::Keys;

/// Leaves this key's fingerprint in a database that has none, and refuses another key than it was left by.
pub async fn check(db: &Db, keys: &Keys) -> Result<()> {
    let (ours, new) = (fingerprint(keys), fingerprint(keys));
    let kept = db.write(move |tx| store::find_or_insert(tx, &new)).await?;
    if kept == ours {
        return Ok(());
    }
    Err(Error::internal(ConfigError::new(
        "secret_key is not the one that this database was written with: give every node the same one, or, to change it for good, stop \
         all nodes and run `touchline accept-secret-key` once.",
    )))
}

/// From now on this key is the database's.
pub async fn accept(db: &Db, keys: &Keys) -> Result<()> {
    let new = fingerprint(keys);
    db.write(move |tx| store::replace(tx, &new)).await.map(drop)
}

fn fingerprint(keys: &Keys) -> String {
    keys.pseudonym("fingerprint", "database")
}
