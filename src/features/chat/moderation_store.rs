//! The `chat_reports` and `chat_blocks` tables.

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::Result;
use crate::platform::http::page::Page;

use super::moderation::NewReport;
use super::values::{MessageId, RoomId};

row! {
    #[derive(Debug, Serialize, ToSchema)]
    pub struct ReportView {
        pub id: i64,
        pub reporter_id: UserId,
        /// Null for somebody who has left.
        #[schema(example = "ada")]
        reporter_username: Option<String>,
        pub room_id: Option<String>,
        /// What the room is called now.
        #[schema(example = "Northgate away end")]
        room_name: Option<String>,
        pub message_id: Option<String>,
        reported_user_id: Option<UserId>,
        #[schema(example = "ben")]
        reported_username: Option<String>,
        reason: String,
        #[schema(value_type = String, format = DateTime)]
        created_at: Timestamp,
        #[schema(value_type = Option<String>, format = DateTime)]
        resolved_at: Option<Timestamp>,
        resolution: Option<String>,
    }
}

pub fn insert_report(
    tx: &mut Tx,
    reporter: UserId,
    room: Option<&RoomId>,
    report: &NewReport,
) -> Result<i64> {
    let now = tx.now();
    let message_id = report.message_id.as_ref().map(MessageId::as_str);
    tx.one(
        "INSERT INTO chat_reports (reporter_id, room_id, message_id, reported_user_id, reason, created_at)
         VALUES ($1, $2, $3, $4, $5, $6) RETURNING id",
        params![reporter, room.map(RoomId::as_str), message_id, report.user_id, report.reason.as_str(), now],
    )
}

/// Reports that `$rest` names, each with whom and what it is about.
macro_rules! select_reports {
    ($rest:literal) => {
        concat!(
            "SELECT c.id, c.reporter_id, b.username, c.room_id, r.name, c.message_id, c.reported_user_id, u.username, c.reason,
                    c.created_at, c.resolved_at, c.resolution
             FROM chat_reports c LEFT JOIN users b ON b.id = c.reporter_id LEFT JOIN users u ON u.id = c.reported_user_id
             LEFT JOIN chat_rooms r ON r.room_id = c.room_id ",
            $rest
        )
    };
}

pub fn find_report(tx: &mut Tx, id: i64) -> Result<Option<ReportView>> {
    tx.opt(select_reports!("WHERE c.id = $1"), params![id])
}

/// Which reports; all when nothing is said.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReportFilter {
    pub is_open: bool,
    pub about: Option<UserId>,
    pub by: Option<UserId>,
}

/// Reports, newest first, and how many there are in all.
pub fn list_reports(
    tx: &mut Tx,
    filter: ReportFilter,
    page: Page,
) -> Result<(Vec<ReportView>, i64)> {
    let ReportFilter { is_open, about, by } = filter;
    let rows = tx.all(
        select_reports!(
            "WHERE (CAST($1 AS BIGINT) = 0 OR c.resolved_at IS NULL) AND (CAST($2 AS BIGINT) IS NULL OR c.reported_user_id = $2)
               AND (CAST($3 AS BIGINT) IS NULL OR c.reporter_id = $3)
             ORDER BY c.id DESC LIMIT $4 OFFSET $5"
        ),
        params![is_open, about, by, page.per_page, page.offset()],
    )?;
    let total = tx.one(
        "SELECT count(*) FROM chat_reports
         WHERE (CAST($1 AS BIGINT) = 0 OR resolved_at IS NULL) AND (CAST($2 AS BIGINT) IS NULL OR reported_user_id = $2)
           AND (CAST($3 AS BIGINT) IS NULL OR reporter_id = $3)",
        params![is_open, about, by],
    )?;
    Ok((rows, total))
}

/// Says whom a report is about that does not say so.
pub fn update_reported(tx: &mut Tx, id: i64, user: UserId) -> Result<u64> {
    tx.exec(
        "UPDATE chat_reports SET reported_user_id = $2 WHERE id = $1 AND reported_user_id IS NULL",
        params![id, user],
    )
}

/// A report, held, with how it was resolved so far.
pub fn hold_report(tx: &mut Tx, id: i64) -> Result<Option<(i64, Option<String>)>> {
    tx.opt("SELECT id, resolution FROM chat_reports WHERE id = $1 FOR UPDATE", params![id])
}

/// The first resolution's time stays.
pub fn update_resolved(tx: &mut Tx, id: i64, resolution: &str) -> Result<u64> {
    let now = tx.now();
    tx.exec(
        "UPDATE chat_reports SET resolved_at = COALESCE(resolved_at, $2), resolution = $3 WHERE id = $1",
        params![id, now, resolution],
    )
}

/// How many reports are open, and the newest of them.
pub fn open_reports(tx: &mut Tx) -> Result<(i64, Option<i64>)> {
    tx.one("SELECT count(*), max(id) FROM chat_reports WHERE resolved_at IS NULL", params![])
}

/// How many reports there are about a user, and by them.
pub fn count_reports(tx: &mut Tx, user: UserId) -> Result<(i64, i64)> {
    tx.one(
        "SELECT (SELECT count(*) FROM chat_reports WHERE reported_user_id = $1),
                (SELECT count(*) FROM chat_reports WHERE reporter_id = $1)",
        params![user],
    )
}

pub fn insert_block(tx: &mut Tx, user: UserId, blocked: UserId) -> Result<u64> {
    let now = tx.now();
    tx.exec(
        "INSERT INTO chat_blocks (user_id, blocked_user_id, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        params![user, blocked, now],
    )
}

pub fn delete_block(tx: &mut Tx, user: UserId, blocked: UserId) -> Result<u64> {
    tx.exec(
        "DELETE FROM chat_blocks WHERE user_id = $1 AND blocked_user_id = $2",
        params![user, blocked],
    )
}

/// Forgets whom a user has blocked, and who has blocked them.
pub fn delete_blocks(tx: &mut Tx, user: UserId) -> Result<()> {
    tx.exec("DELETE FROM chat_blocks WHERE user_id = $1 OR blocked_user_id = $1", params![user])
        .map(drop)
}

pub fn is_blocked(tx: &mut Tx, by: UserId, user: UserId) -> Result<bool> {
    let found: Option<i64> = tx.opt(
        "SELECT 1 FROM chat_blocks WHERE user_id = $1 AND blocked_user_id = $2",
        params![by, user],
    )?;
    Ok(found.is_some())
}

/// The ids and usernames of those whom a user has blocked.
pub fn list_blocked(tx: &mut Tx, user: UserId) -> Result<Vec<(UserId, String)>> {
    tx.all(
        "SELECT u.id, u.username FROM chat_blocks b JOIN users u ON u.id = b.blocked_user_id
         WHERE b.user_id = $1 ORDER BY u.username",
        params![user],
    )
}

/// Every account of those whom a user has blocked.
pub fn list_blocked_accounts(tx: &mut Tx, user: UserId) -> Result<Vec<String>> {
    tx.all(
        "SELECT a.matrix_id FROM chat_blocks b JOIN chat_accounts a ON a.user_id = b.blocked_user_id
         WHERE b.user_id = $1 ORDER BY a.matrix_id",
        params![user],
    )
}
