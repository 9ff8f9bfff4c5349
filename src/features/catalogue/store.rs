//! The one row of `catalogue_lock`.

use crate::platform::db::{Tx, params};
use crate::platform::error::Result;

/// Waits until no other import is under way, and holds up the next one until this transaction ends.
pub fn take_turn(tx: &mut Tx) -> Result<()> {
    tx.exec("UPDATE catalogue_lock SET imports = imports + 1 WHERE id = 1", params![]).map(drop)
}
