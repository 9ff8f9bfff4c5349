//! The `user_notes` table.

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::operators::{Operator, OperatorId};
use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::Result;
use crate::platform::http::page::Page;

use super::NoteText;

row! {
    #[derive(Debug, Serialize, ToSchema)]
    pub struct NoteView {
        #[schema(example = 1)]
        pub id: i64,
        #[schema(example = "Was warned about insults")]
        text: String,
        /// The name of whoever wrote it.
        #[schema(example = "mia")]
        operator: String,
        /// Null for the token of the configuration.
        operator_id: Option<OperatorId>,
        #[schema(value_type = String, format = DateTime)]
        created_at: Timestamp,
    }
}

pub fn insert(tx: &mut Tx, by: &Operator, user: UserId, text: &NoteText) -> Result<NoteView> {
    let now = tx.now();
    tx.one(
        "INSERT INTO user_notes (user_id, text, operator, operator_id, created_at) VALUES ($1, $2, $3, $4, $5)
         RETURNING id, text, operator, operator_id, created_at",
        params![user, text, by.name, by.id, now],
    )
}

pub fn list(tx: &mut Tx, user: UserId, page: Page) -> Result<Vec<NoteView>> {
    tx.all(
        "SELECT id, text, operator, operator_id, created_at FROM user_notes WHERE user_id = $1
         ORDER BY id DESC LIMIT $2 OFFSET $3",
        params![user, page.per_page, page.offset()],
    )
}

pub fn list_all(tx: &mut Tx, user: UserId) -> Result<Vec<(String, Timestamp)>> {
    tx.all("SELECT text, created_at FROM user_notes WHERE user_id = $1 ORDER BY id", params![user])
}

pub fn count(tx: &mut Tx, user: UserId) -> Result<i64> {
    tx.one("SELECT count(*) FROM user_notes WHERE user_id = $1", params![user])
}

pub fn delete(tx: &mut Tx, user: UserId) -> Result<()> {
    tx.exec("DELETE FROM user_notes WHERE user_id = $1", params![user]).map(drop)
}
