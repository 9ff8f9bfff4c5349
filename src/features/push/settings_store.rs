//! The `push_settings` table.

use crate::features::users::UserId;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::{Error, Result};

use super::values::{Lead, MostADay, TimeOfDay, Zone};

row! {
    #[derive(Debug, Clone)]
    pub struct SettingsRow {
        pub user_id: UserId,
        pub reminder: bool,
        pub remind_minutes: Lead,
        pub remind_teams: bool,
        pub remind_leagues: bool,
        pub kick_off: bool,
        pub goal: bool,
        pub result: bool,
        pub invitation: bool,
        pub mention: bool,
        pub chat: bool,
        pub message: bool,
        pub quiet_from: TimeOfDay,
        pub quiet_until: TimeOfDay,
        pub zone: Zone,
        pub most_a_day: MostADay,
        pub day: i64,
        pub sent: i64,
        /// When they were told last what was said in a chat room.
        pub chat_at: i64,
    }
}

impl SettingsRow {
    /// As they are until somebody says otherwise: kick-offs and goals are for those who ask for them.
    pub fn usual(user: UserId) -> Self {
        Self {
            user_id: user,
            reminder: true,
            remind_minutes: Lead::USUAL,
            remind_teams: true,
            remind_leagues: true,
            kick_off: false,
            goal: false,
            result: true,
            invitation: true,
            mention: true,
            chat: true,
            message: true,
            quiet_from: TimeOfDay::from_minutes(22 * 60),
            quiet_until: TimeOfDay::from_minutes(8 * 60),
            zone: Zone::utc(),
            most_a_day: MostADay::USUAL,
            day: 0,
            sent: 0,
            chat_at: 0,
        }
    }
}

macro_rules! select_settings {
    ($rest:literal) => {
        concat!(
            "SELECT user_id, reminder, remind_minutes, remind_teams, remind_leagues, kick_off, goal, result, invitation, mention, chat, message,
                    quiet_from, quiet_until, zone, most_a_day, day, sent, chat_at FROM push_settings ",
            $rest
        )
    };
}

pub fn find(tx: &mut Tx, user: UserId) -> Result<Option<SettingsRow>> {
    tx.opt(select_settings!("WHERE user_id = $1"), params![user])
}

/// The same, held until the end of the transaction.
pub fn hold(tx: &mut Tx, user: UserId) -> Result<Option<SettingsRow>> {
    tx.opt(select_settings!("WHERE user_id = $1 FOR UPDATE"), params![user])
}

pub fn list_of_all(tx: &mut Tx, users: &[UserId]) -> Result<Vec<SettingsRow>> {
    let users = serde_json::to_string(users).map_err(Error::internal)?;
    tx.all(
        select_settings!("WHERE user_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))"),
        params![users],
    )
}

/// What was sent on which day is no setting: it stays.
pub fn upsert(tx: &mut Tx, row: &SettingsRow) -> Result<u64> {
    tx.exec(
        "INSERT INTO push_settings (user_id, reminder, remind_minutes, remind_teams, remind_leagues, kick_off, goal, result, invitation,
                mention, chat, message, quiet_from, quiet_until, zone, most_a_day, day, sent)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, 0, 0)
         ON CONFLICT (user_id) DO UPDATE
         SET reminder = excluded.reminder, remind_minutes = excluded.remind_minutes, remind_teams = excluded.remind_teams,
             remind_leagues = excluded.remind_leagues, kick_off = excluded.kick_off, goal = excluded.goal, result = excluded.result,
             invitation = excluded.invitation, mention = excluded.mention, chat = excluded.chat, message = excluded.message, quiet_from = excluded.quiet_from,
             quiet_until = excluded.quiet_until, zone = excluded.zone, most_a_day = excluded.most_a_day",
        params![
            row.user_id,
            row.reminder,
            row.remind_minutes,
            row.remind_teams,
            row.remind_leagues,
            row.kick_off,
            row.goal,
            row.result,
            row.invitation,
            row.mention,
            row.chat,
            row.message,
            row.quiet_from,
            row.quiet_until,
            row.zone,
            row.most_a_day
        ],
    )
}

pub fn insert_if_absent(tx: &mut Tx, row: &SettingsRow) -> Result<()> {
    if find(tx, row.user_id)?.is_none() {
        upsert(tx, row)?;
    }
    Ok(())
}

/// Where somebody is, unless they have said so before.
pub fn update_unknown_zone(tx: &mut Tx, user: UserId, zone: &Zone) -> Result<u64> {
    tx.exec(
        "UPDATE push_settings SET zone = $2 WHERE user_id = $1 AND zone = 'UTC'",
        params![user, zone],
    )
}

/// So many more were sent to each of these on a day of theirs.
pub fn add_sent(tx: &mut Tx, sent: &[(UserId, i64, i64)]) -> Result<u64> {
    let sent = serde_json::to_string(sent).map_err(Error::internal)?;
    tx.exec(
        "UPDATE push_settings SET sent = CASE WHEN push_settings.day = more.day THEN sent + more.n ELSE more.n END, day = more.day
         FROM (SELECT CAST(value ->> 0 AS BIGINT) AS user_id, CAST(value ->> 1 AS BIGINT) AS day, CAST(value ->> 2 AS BIGINT) AS n
               FROM json_each($1, '$')) more
         WHERE push_settings.user_id = more.user_id",
        params![sent],
    )
}

/// These were told what was said in a chat room.
pub fn update_chat_told(tx: &mut Tx, users: &[UserId]) -> Result<u64> {
    let (now, users) = (tx.now(), serde_json::to_string(users).map_err(Error::internal)?);
    tx.exec(
        "UPDATE push_settings SET chat_at = $2 WHERE user_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))",
        params![users, now],
    )
}

pub fn delete(tx: &mut Tx, user: UserId) -> Result<u64> {
    tx.exec("DELETE FROM push_settings WHERE user_id = $1", params![user])
}
