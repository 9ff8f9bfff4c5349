//! The `key_fingerprint` table: one row.

use crate::platform::db::{Tx, params};
use crate::platform::error::Result;

/// The fingerprint that is kept, which is this one if there was none.
pub fn find_or_insert(tx: &mut Tx, fingerprint: &str) -> Result<String> {
    tx.exec(
        "INSERT INTO key_fingerprint (id, fingerprint) VALUES (1, $1) ON CONFLICT (id) DO NOTHING",
        params![fingerprint],
    )?;
    tx.one("SELECT fingerprint FROM key_fingerprint WHERE id = 1", params![])
}

pub fn replace(tx: &mut Tx, fingerprint: &str) -> Result<u64> {
    tx.exec(
        "INSERT INTO key_fingerprint (id, fingerprint) VALUES (1, $1)
         ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint",
        params![fingerprint],
    )
}
