//! A whole account at once: taking all of one's data away, and leaving for good.
//!
//! Owns: the order in which features hand out or forget what they know of a user.
//! Invariants: each is one transaction; a feature that stores something about users is listed in both functions.
//! Never: touches a table itself.

pub mod routes;

use serde_json::json;

use crate::features::users::UserId;
use crate::features::{chat, coins, login, predictions, sessions, teams, users};
use crate::platform::db::Tx;
use crate::platform::error::Result;

/// Everything the service holds about a user.
pub fn export(tx: &mut Tx, id: UserId) -> Result<serde_json::Value> {
    let user = users::get(tx, id)?;
    Ok(json!({
        "user": users::export(tx, id)?,
        "sessions": sessions::export(tx, id)?,
        "coins": coins::export(tx, id)?,
        "sms_messages": login::export(tx, &user)?,
        "teams": teams::export(tx, id)?,
        "chat": chat::export(tx, id)?,
        "predictions": predictions::export(tx, id)?,
    }))
}

/// Ends an account: frees the phone, revokes every token, forgets all personal data.
pub fn delete(tx: &mut Tx, id: UserId) -> Result<()> {
    let user = users::get(tx, id)?;
    sessions::revoke_all(tx, id, None)?;
    login::forget(tx, &user)?;
    teams::forget(tx, id)?;
    chat::forget(tx, id)?;
    coins::forget(tx, id)?;
    users::forget(tx, id)
}
