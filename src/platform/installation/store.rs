//! The `installation` table: one row.

use crate::platform::db::{Tx, params};
use crate::platform::error::Result;

/// The name that is kept, which is this one if there was none.
pub fn find_or_insert(tx: &mut Tx, name: &str) -> Result<String> {
    tx.exec(
        "INSERT INTO installation (id, name) VALUES (1, $1) ON CONFLICT (id) DO NOTHING",
        params![name],
    )?;
    tx.one("SELECT name FROM installation WHERE id = 1", params![])
}

pub fn find(tx: &mut Tx) -> Result<Option<String>> {
    tx.opt("SELECT name FROM installation WHERE id = 1", params![])
}
