//! Users as operators see them: found, looked at as a whole, dealt with.
//!
//! Owns: what of a user each role sees, and what a search may be.
//! Invariants: whatever is done here to a user leaves an audit row in the same transaction; phone, email and date of birth are shown
//! to operators and owners alone.
//! Never: has a table; what it shows is asked of the features that know it.

pub mod record_routes;
pub mod routes;
pub mod session_routes;

use serde_json::json;

use crate::features::account;
use crate::features::operators::{self, Change, Operator, Role};
use crate::features::predictions::{OwnFilter, OwnTotals};
use crate::features::sessions::{self, SessionId};
use crate::features::users::{self, BanRow, FoundRow, Phone, UserId, UserRow, UserSearch};
use crate::features::{chat, chat_login, coins, predictions, user_notes};
use crate::platform::clock::Timestamp;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::page::Page;

/// The least role that sees a phone number, an email address and a date of birth.
const SEES_PERSONAL: Role = Role::Operator;
/// The least role that may ask whose a phone number is.
const ASKS_BY_PHONE: Role = Role::Moderator;

/// A page of those whom a search finds, and how many there are, both as far as searches go.
pub fn find(
    tx: &mut Tx,
    by: &Operator,
    search: &UserSearch,
    page: Page,
) -> Result<(Vec<FoundRow>, i64)> {
    if matches!(search, UserSearch::Phone(_)) {
        by.require(ASKS_BY_PHONE)?;
    }
    users::search(tx, search, page)
}

/// A phone as a role may see it: whole, or nothing.
fn seen<T>(by: &Operator, value: Option<T>) -> Option<T> {
    value.filter(|_| by.role >= SEES_PERSONAL)
}

/// What everybody may know of a phone: how it ends.
fn phone_end(phone: Option<&Phone>) -> Option<String> {
    phone.map(|phone| phone.ending().to_owned())
}

/// Everything that features say of one user.
struct Person {
    user: UserRow,
    ban: Option<BanRow>,
    balance: i64,
    frozen_at: Option<Timestamp>,
    predictions: OwnTotals,
    rooms: i64,
    reports_about: i64,
    reports_by: i64,
    notes: i64,
}

fn get(tx: &mut Tx, id: UserId) -> Result<Person> {
    let user = users::get(tx, id)?;
    let (balance, frozen_at) = coins::standing(tx, id)?;
    let (reports_about, reports_by) = chat::count_reports(tx, id)?;
    Ok(Person {
        ban: users::find_ban(tx, id)?,
        user,
        balance,
        frozen_at,
        predictions: predictions::own_totals(tx, id, OwnFilter::default())?,
        rooms: chat::count_rooms_of(tx, id)?,
        reports_about,
        reports_by,
        notes: user_notes::count(tx, id)?,
    })
}

/// Ends one session of a user, or all of them. Answers how many.
pub fn end_sessions(
    tx: &mut Tx,
    by: &Operator,
    user: UserId,
    session: Option<SessionId>,
) -> Result<u64> {
    let ended = match session {
        Some(session) => sessions::revoke(tx, user, session)?,
        None => {
            let all = sessions::revoke_all(tx, user, None)?;
            chat_login::forget(tx, user)?;
            all
        }
    };
    chat::sessions_ended(tx, &ended)?;
    let change = Change { before: json!({"sessions": ended.0}), after: json!({"sessions": []}) };
    let (detail, subject) = (json!({"session_id": session}), format!("user {}", user.0));
    operators::audit_change(tx, by, "user.end_sessions", &subject, &detail, &change)?;
    Ok(ended.count())
}

/// Writes down that somebody takes a user's data away, if there is such a user.
pub fn note_export(tx: &mut Tx, by: &Operator, user: UserId) -> Result<()> {
    users::get(tx, user)?;
    operators::audit(tx, by, "user.export", &format!("user {}", user.0), &json!({}))
}

/// The same as when the user leaves. The log says who did it, and nothing of who the user was.
pub fn delete(tx: &mut Tx, core: &Core, by: &Operator, user: UserId) -> Result<()> {
    account::delete(tx, core, user)?;
    let change =
        Change { before: json!({"is_deleted": false}), after: json!({"is_deleted": true}) };
    operators::audit_change(tx, by, "user.delete", &format!("user {}", user.0), &json!({}), &change)
}
