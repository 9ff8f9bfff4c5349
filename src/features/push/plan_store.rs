//! Finding in SQL, stretches of users at a time, who is to be told something: into `push_messages`, by what others' tables say of them. A
//! hundred thousand are planned without passing through the program.
//!
//! What has to be so of each user is asked by a subquery with a limit, which PostgreSQL looks up for each of the stretch. It would turn an
//! `EXISTS` into a join, and read all of the other table for it.

use crate::features::events::{EventId, EventRow};
use crate::features::leagues::LeagueId;
use crate::features::predictions::Stretch;
use crate::features::teams::TeamId;
use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params};
use crate::platform::error::Result;

use super::values::Lead;

/// The first part of every plan; what follows names users as `u`. Of the columns only the kind differs.
macro_rules! plan {
    ($kind:literal, $from:expr) => {
        concat!(
            "INSERT INTO push_messages (user_id, shard, kind, subject_id, occasion, data, due_at, expires_at)
             SELECT u.user_id, u.user_id % 8, '", $kind, "', $1, $2, '', $3, $4 FROM ", $from,
            " AND (SELECT 1 FROM push_devices d WHERE d.user_id = u.user_id LIMIT 1) = 1
             ON CONFLICT (user_id, occasion) DO NOTHING"
        )
    };
}

/// Whether this sort of message is switched on.
macro_rules! wants {
    ($column:literal) => {
        concat!(
            " AND (SELECT s.",
            $column,
            " FROM push_settings s WHERE s.user_id = u.user_id LIMIT 1) = 1"
        )
    };
}

/// What is the same for everybody who is told.
#[derive(Debug, Clone, Copy)]
pub struct Occasion<'a> {
    pub subject: i64,
    pub name: &'a str,
    pub due_at: Timestamp,
    pub expires_at: Timestamp,
}

/// Users by id: the first one is after `after`, the last one is `end`.
#[derive(Debug, Clone, Copy)]
pub struct Users {
    pub after: UserId,
    pub end: UserId,
}

/// The last of the next so many who want to be reminded so long before.
pub fn end_of_reminded(
    tx: &mut Tx,
    lead: Lead,
    after: UserId,
    most: i64,
) -> Result<Option<UserId>> {
    let end: Option<Option<UserId>> = tx.opt(
        "SELECT max(user_id) FROM (SELECT user_id FROM push_settings
           WHERE reminder = 1 AND remind_minutes = $1 AND user_id > $2 ORDER BY user_id LIMIT $3) next",
        params![lead, after, most],
    )?;
    Ok(end.flatten())
}

/// Those who have not predicted a match that one of their teams plays, or that counts in one of their leagues.
pub fn insert_reminders(
    tx: &mut Tx,
    occasion: Occasion<'_>,
    event: &EventRow,
    lead: Lead,
    users: Users,
) -> Result<u64> {
    let Occasion { subject, name, due_at, expires_at } = occasion;
    tx.exec(
        plan!(
            "reminder",
            "push_settings u WHERE u.reminder = 1 AND u.remind_minutes = $5 AND u.user_id > $6 AND u.user_id <= $7
               AND (SELECT 1 FROM predictions p WHERE p.event_id = $1 AND p.user_id = u.user_id LIMIT 1) IS NULL
               AND ((u.remind_teams = 1
                     AND (SELECT 1 FROM favourite_teams f WHERE f.user_id = u.user_id AND f.team_id IN ($8, $9) LIMIT 1) = 1)
                 OR (u.remind_leagues = 1
                     AND (SELECT 1 FROM league_members m JOIN leagues l ON l.id = m.league_id AND l.closed_at IS NULL
                          JOIN league_tournaments t ON t.league_id = l.id AND t.tournament_id = $10
                          WHERE m.user_id = u.user_id LIMIT 1) = 1))"
        ),
        params![
            subject,
            name,
            due_at,
            expires_at,
            lead,
            users.after,
            users.end,
            event.home_team_id,
            event.away_team_id,
            event.tournament_id
        ],
    )
}

/// The last of the next so many who follow a team.
pub fn end_of_followers(
    tx: &mut Tx,
    team: TeamId,
    after: UserId,
    most: i64,
) -> Result<Option<UserId>> {
    let end: Option<Option<UserId>> = tx.opt(
        "SELECT max(user_id) FROM (SELECT user_id FROM favourite_teams WHERE team_id = $1 AND user_id > $2 ORDER BY user_id LIMIT $3) next",
        params![team, after, most],
    )?;
    Ok(end.flatten())
}

macro_rules! followers_who_want {
    ($column:literal) => {
        concat!(
            "favourite_teams u WHERE u.team_id = $5 AND u.user_id > $6 AND u.user_id <= $7",
            wants!($column)
        )
    };
}

/// What the followers of a team are told.
#[derive(Debug, Clone, Copy)]
pub enum ForFollowers {
    KickOff,
    Goal,
    Message,
}

/// Followers who want to know of this.
pub fn insert_for_followers(
    tx: &mut Tx,
    what: ForFollowers,
    occasion: Occasion<'_>,
    team: TeamId,
    users: Users,
) -> Result<u64> {
    let Occasion { subject, name, due_at, expires_at } = occasion;
    let sql = match what {
        ForFollowers::KickOff => plan!("kick_off", followers_who_want!("kick_off")),
        ForFollowers::Goal => plan!("goal", followers_who_want!("goal")),
        ForFollowers::Message => plan!("message", followers_who_want!("message")),
    };
    tx.exec(sql, params![subject, name, due_at, expires_at, team, users.after, users.end])
}

/// Those whose prediction of a stretch has earned something, or nothing.
pub fn insert_results(tx: &mut Tx, occasion: Occasion<'_>, stretch: Stretch) -> Result<u64> {
    let Occasion { subject, name, due_at, expires_at } = occasion;
    tx.exec(
        plan!(
            "result",
            concat!(
                "predictions u WHERE u.event_id = $1 AND u.id > $5 AND u.id <= $6 AND u.points IS NOT NULL",
                wants!("result")
            )
        ),
        params![subject, name, due_at, expires_at, stretch.after, stretch.end],
    )
}

/// The last of the next so many users with settings.
pub fn end_of_all(tx: &mut Tx, after: UserId, most: i64) -> Result<Option<UserId>> {
    let end: Option<Option<UserId>> = tx.opt(
        "SELECT max(user_id) FROM (SELECT user_id FROM push_settings WHERE user_id > $1 ORDER BY user_id LIMIT $2) next",
        params![after, most],
    )?;
    Ok(end.flatten())
}

pub fn insert_to_all(tx: &mut Tx, occasion: Occasion<'_>, users: Users) -> Result<u64> {
    let Occasion { subject, name, due_at, expires_at } = occasion;
    tx.exec(
        plan!(
            "message",
            "push_settings u WHERE u.user_id > $5 AND u.user_id <= $6 AND u.message = 1"
        ),
        params![subject, name, due_at, expires_at, users.after, users.end],
    )
}

/// The last of the next so many members of a league.
pub fn end_of_members(
    tx: &mut Tx,
    league: LeagueId,
    after: UserId,
    most: i64,
) -> Result<Option<UserId>> {
    let end: Option<Option<UserId>> = tx.opt(
        "SELECT max(user_id) FROM (SELECT user_id FROM league_members WHERE league_id = $1 AND user_id > $2 ORDER BY user_id LIMIT $3) next",
        params![league, after, most],
    )?;
    Ok(end.flatten())
}

pub fn insert_to_members(
    tx: &mut Tx,
    occasion: Occasion<'_>,
    league: LeagueId,
    users: Users,
) -> Result<u64> {
    let Occasion { subject, name, due_at, expires_at } = occasion;
    tx.exec(
        plan!(
            "message",
            concat!(
                "league_members u WHERE u.league_id = $5 AND u.user_id > $6 AND u.user_id <= $7",
                wants!("message")
            )
        ),
        params![subject, name, due_at, expires_at, league, users.after, users.end],
    )
}

/// Matches that begin within so long, and of which reminders so long before are not planned yet.
pub fn list_unplanned(tx: &mut Tx, lead: Lead, most: i64) -> Result<Vec<(EventId, Timestamp)>> {
    let now = tx.now();
    let until = now.plus_ms(lead.minutes() * 60_000);
    tx.all(
        "SELECT e.id, e.start_time FROM events e
         WHERE e.status = 'scheduled' AND e.start_time > $1 AND e.start_time <= $2 AND e.start_time_confirmed = 1 AND e.voided_at IS NULL
           AND NOT EXISTS (SELECT 1 FROM push_planned p WHERE p.event_id = e.id AND p.start_time = e.start_time AND p.minutes = $3)
         ORDER BY e.start_time, e.id LIMIT $4",
        params![now, until, lead, most],
    )
}

pub fn insert_planned(
    tx: &mut Tx,
    event: EventId,
    start_time: Timestamp,
    lead: Lead,
) -> Result<u64> {
    tx.exec(
        "INSERT INTO push_planned (event_id, start_time, minutes) VALUES ($1, $2, $3) ON CONFLICT (event_id, start_time, minutes) DO NOTHING",
        params![event, start_time, lead],
    )
}

pub fn delete_planned_before(tx: &mut Tx, before: Timestamp, most: i64) -> Result<u64> {
    tx.exec(
        "DELETE FROM push_planned WHERE (event_id, start_time, minutes) IN
           (SELECT event_id, start_time, minutes FROM push_planned WHERE start_time < $1 LIMIT $2)",
        params![before, most],
    )
}

pub fn is_anybody_there(tx: &mut Tx) -> Result<bool> {
    Ok(tx.opt::<i64>("SELECT id FROM push_devices LIMIT 1", &[])?.is_some())
}

pub fn find_cursor(tx: &mut Tx) -> Result<i64> {
    tx.one("SELECT last_id FROM push_cursor WHERE id = 1", &[])
}

pub fn hold_cursor(tx: &mut Tx) -> Result<i64> {
    tx.one("SELECT last_id FROM push_cursor WHERE id = 1 FOR UPDATE", &[])
}

pub fn update_cursor(tx: &mut Tx, last: i64) -> Result<u64> {
    tx.exec("UPDATE push_cursor SET last_id = $1 WHERE id = 1", params![last])
}
