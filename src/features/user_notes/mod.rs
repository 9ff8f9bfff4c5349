//! What operators want each other to know of a user.
//!
//! Owns: the `user_notes` table.
//! Invariants: a note is never changed; it goes with the account, and the user's export has it.
//! Never: shows a note to anybody but operators, or says in the audit log what it says.

mod store;

use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use crate::features::operators::{self, Change, Operator};
use crate::features::users::{self, Hold, UserId};
use crate::platform::db::{Tx, text_column};
use crate::platform::error::Result;
use crate::platform::http::page::Page;
use crate::{shown_text, text_input};

pub use store::{NoteView, count, delete as forget};

/// 1 to 2,000 characters.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 2000, example = "Was warned about insults")]
pub struct NoteText(String);

text_column!(NoteText);
text_input!(NoteText);
shown_text!(NoteText: 1..=2000, "Must have 1 to 2000 characters.");

pub fn add(tx: &mut Tx, by: &Operator, user: UserId, text: &NoteText) -> Result<NoteView> {
    users::get_held(tx, user, Hold::Share)?;
    let note = store::insert(tx, by, user, text)?;
    let change = Change { before: json!(null), after: json!({"note_id": note.id}) };
    operators::audit_change(tx, by, "user.note", &format!("user {}", user.0), &json!({}), &change)?;
    Ok(note)
}

/// A page of a user's notes, newest first, and how many there are.
pub fn list(tx: &mut Tx, user: UserId, page: Page) -> Result<(Vec<NoteView>, i64)> {
    users::get(tx, user)?;
    Ok((store::list(tx, user, page)?, store::count(tx, user)?))
}

/// Everything this feature knows about a user, for them to take away: without who wrote it.
pub fn export(tx: &mut Tx, user: UserId) -> Result<serde_json::Value> {
    let notes = store::list_all(tx, user)?;
    let view = |(text, at): (String, _)| json!({"text": text, "created_at": at});
    Ok(notes.into_iter().map(view).collect())
}
