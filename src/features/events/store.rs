//! The `events` and `event_counts` tables, and `event_feed` and `event_feed_head`: what was announced.

use serde::Serialize;
use serde_json::json;

use crate::features::teams::{BriefTeamRow, TeamId};
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::{Error, Result};

use super::{AnnouncementKind, EventId, Playing, Score, Status, TournamentId, Venue, VoidReason};

row! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct EventRow {
        pub id: EventId,
        pub tournament_id: TournamentId,
        pub home_team_id: TeamId,
        pub away_team_id: TeamId,
        pub start_time: Timestamp,
        /// Only a scheduled match may be without: it is postponed, and its new time is not known.
        pub start_time_confirmed: bool,
        pub venue: Venue,
        pub status: Status,
        pub home_score: Option<Score>,
        pub away_score: Option<Score>,
        pub voided_at: Option<Timestamp>,
        pub void_reason: Option<VoidReason>,
        /// When the result was entered or last changed.
        pub result_at: Option<Timestamp>,
        /// Goes up with every change of what predictions are settled by.
        pub outcome_revision: i64,
        pub chat_room_id: Option<String>,
        pub playing: Playing,
    }
}

row! {
    #[derive(Debug, Clone)]
    pub struct BriefTournamentRow {
        pub id: TournamentId,
        pub name: String,
        pub logo: Option<String>,
    }
}

row! {
    /// An event as it is shown.
    #[derive(Debug, Clone)]
    pub struct EventDetailsRow {
        pub event: EventRow,
        pub tournament: BriefTournamentRow,
        pub home_team: BriefTeamRow,
        pub away_team: BriefTeamRow,
    }
}

/// The columns of [`EventRow`].
macro_rules! event_columns {
    () => {
        "e.id, e.tournament_id, e.home_team_id, e.away_team_id, e.start_time, e.start_time_confirmed, e.venue, e.status, \
         e.home_score, e.away_score, e.voided_at, e.void_reason, e.result_at, e.outcome_revision, e.chat_room_id, \
         e.period, e.minute, e.minute_at"
    };
}

/// Whole rows of the events that `$rest` names.
macro_rules! select_events {
    ($rest:literal) => {
        concat!("SELECT ", event_columns!(), " FROM events e ", $rest)
    };
}

/// The columns of [`EventDetailsRow`], from whatever gives `e` its rows.
macro_rules! select_details {
    ($from:expr, $rest:expr) => {
        concat!(
            "SELECT ",
            $crate::features::events::store::event_columns!(),
            ", t.id, t.name, t.logo, h.id, h.name, h.logo, a.id, a.name, a.logo FROM ",
            $from,
            " JOIN tournaments t ON t.id = e.tournament_id JOIN teams h ON h.id = e.home_team_id
              JOIN teams a ON a.id = e.away_team_id ",
            $rest
        )
    };
}

pub(super) use {event_columns, select_details};

pub fn find(tx: &mut Tx, id: EventId) -> Result<Option<EventRow>> {
    tx.opt(select_events!("WHERE e.id = $1"), params![id])
}

pub fn list_by_id(tx: &mut Tx, ids: &[EventId]) -> Result<Vec<EventRow>> {
    let ids = serde_json::to_string(ids).map_err(Error::internal)?;
    tx.all(
        select_events!("WHERE e.id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))"),
        params![ids],
    )
}

/// Those of them that take predictions, held in the order of their ids.
pub fn hold_open(tx: &mut Tx, ids: &[EventId], now: Timestamp) -> Result<Vec<EventRow>> {
    let ids = serde_json::to_string(ids).map_err(Error::internal)?;
    let sql = select_events!(
        "WHERE e.id IN (SELECT CAST(value AS BIGINT) FROM json_each($1)) AND e.status = 'scheduled'
           AND e.voided_at IS NULL AND (e.start_time > $2 OR e.start_time_confirmed = 0) ORDER BY e.id FOR SHARE"
    );
    tx.all(sql, params![ids, now])
}

pub fn find_for_update(tx: &mut Tx, id: EventId) -> Result<Option<EventRow>> {
    tx.opt(select_events!("WHERE e.id = $1 FOR UPDATE"), params![id])
}

/// Every event of a tournament, voided or not, in the order of their ids.
pub fn list_of_tournament(tx: &mut Tx, tournament: TournamentId) -> Result<Vec<EventRow>> {
    tx.all(select_events!("WHERE e.tournament_id = $1 ORDER BY e.id"), params![tournament])
}

/// Holds these events as they are until the end of the transaction, for a script that changes several of them by what it
/// reads next. They are taken in the order of their ids, as every script does.
pub fn hold(tx: &mut Tx, ids: &[EventId]) -> Result<()> {
    let ids = serde_json::to_string(ids).map_err(Error::internal)?;
    tx.all::<EventId>(
        "SELECT id FROM events WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each($1)) ORDER BY id FOR UPDATE",
        params![ids],
    )
    .map(drop)
}

pub fn list_details(tx: &mut Tx, ids: &[EventId]) -> Result<Vec<EventDetailsRow>> {
    let ids = serde_json::to_string(ids).map_err(Error::internal)?;
    tx.all(
        select_details!(
            "events e",
            "WHERE e.id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))"
        ),
        params![ids],
    )
}

/// Scheduled events whose start is known and has passed, held; those that somebody else is changing right now are left for the next time.
pub fn list_due(tx: &mut Tx, now: Timestamp, most: i64) -> Result<Vec<EventRow>> {
    let sql = select_events!(
        "WHERE e.voided_at IS NULL AND e.status = 'scheduled' AND e.start_time <= $1
           AND e.start_time_confirmed = 1
         ORDER BY e.start_time, e.id LIMIT $2 FOR UPDATE SKIP LOCKED"
    );
    tx.all(sql, params![now, most])
}

pub fn is_any_due(tx: &mut Tx, now: Timestamp) -> Result<bool> {
    let due: Option<i64> = tx.opt(
        "SELECT id FROM events
         WHERE voided_at IS NULL AND status = 'scheduled' AND start_time <= $1 AND start_time_confirmed = 1 LIMIT 1",
        params![now],
    )?;
    Ok(due.is_some())
}

/// Events by key, held in the order of their ids, each with the document's text it was last imported from.
pub fn list_imported(tx: &mut Tx, keys: &str) -> Result<Vec<(String, String, EventRow)>> {
    let sql = concat!(
        "SELECT e.key, e.imported, ",
        event_columns!(),
        " FROM events e WHERE e.key IN (SELECT value FROM json_each($1)) ORDER BY e.id FOR UPDATE"
    );
    tx.all(sql, params![keys])
}

/// Events by key, as they are.
pub fn list_by_keys<K: Serialize>(tx: &mut Tx, keys: &[K]) -> Result<Vec<(String, EventRow)>> {
    let keys = serde_json::to_string(keys).map_err(Error::internal)?;
    let sql = concat!(
        "SELECT e.key, ",
        event_columns!(),
        " FROM events e WHERE e.key IN (SELECT value FROM json_each($1))"
    );
    tx.all(sql, params![keys])
}

/// Events that have been live since before this, by key.
pub fn list_live_since(tx: &mut Tx, before: Timestamp) -> Result<Vec<(String, EventRow)>> {
    let sql = concat!(
        "SELECT e.key, ",
        event_columns!(),
        " FROM events e WHERE e.status = 'live' AND e.voided_at IS NULL AND e.start_time < $1"
    );
    tx.all(sql, params![before])
}

/// A new event: its key, the document's text it is imported from, and how it begins (its id is not looked at).
pub type NewEvent<'a> = (&'a str, String, EventRow);

/// How many values `insert_all` sends for each event.
const NEW_EVENT_VALUES: usize = 14;

/// Inserts many events with one statement, since a document may bring thousands. Answers the new ids by key.
pub fn insert_all(tx: &mut Tx, events: &[NewEvent<'_>]) -> Result<Vec<(String, EventId)>> {
    let now = tx.now().as_millis();
    let mut values = Vec::with_capacity(events.len() * NEW_EVENT_VALUES);
    for (key, imported, event) in events {
        let row: [serde_json::Value; NEW_EVENT_VALUES] = [
            json!(key),
            json!(event.tournament_id),
            json!(event.home_team_id),
            json!(event.away_team_id),
            json!(event.start_time.as_millis()),
            json!(event.venue),
            json!(event.status),
            json!(event.home_score),
            json!(event.away_score),
            json!(event.result_at.map(Timestamp::as_millis)),
            json!(event.outcome_revision),
            json!(imported),
            json!(now),
            json!(i64::from(event.start_time_confirmed)),
        ];
        values.extend(row);
    }
    let values = serde_json::to_string(&values).map_err(Error::internal)?;
    super::listing_changes(tx);
    // One flat list of values, cut into rows of fourteen; each max() looks at the one value of its place.
    tx.all(
        "INSERT INTO events (key, tournament_id, home_team_id, away_team_id, start_time, venue, status, home_score,
                away_score, result_at, outcome_revision, imported, created_at, start_time_confirmed)
         SELECT max(value) FILTER (WHERE key % 14 = 0),
                CAST(max(value) FILTER (WHERE key % 14 = 1) AS BIGINT),
                CAST(max(value) FILTER (WHERE key % 14 = 2) AS BIGINT),
                CAST(max(value) FILTER (WHERE key % 14 = 3) AS BIGINT),
                CAST(max(value) FILTER (WHERE key % 14 = 4) AS BIGINT),
                max(value) FILTER (WHERE key % 14 = 5),
                max(value) FILTER (WHERE key % 14 = 6),
                CAST(max(value) FILTER (WHERE key % 14 = 7) AS BIGINT),
                CAST(max(value) FILTER (WHERE key % 14 = 8) AS BIGINT),
                CAST(max(value) FILTER (WHERE key % 14 = 9) AS BIGINT),
                CAST(max(value) FILTER (WHERE key % 14 = 10) AS BIGINT),
                max(value) FILTER (WHERE key % 14 = 11),
                CAST(max(value) FILTER (WHERE key % 14 = 12) AS BIGINT),
                CAST(max(value) FILTER (WHERE key % 14 = 13) AS BIGINT)
         FROM json_each($1) GROUP BY key / 14 ORDER BY key / 14
         RETURNING key, id",
        params![values],
    )
}

/// Stores how an event is to look; with a text if that comes from a document.
pub fn update(tx: &mut Tx, event: &EventRow, imported: Option<&str>) -> Result<()> {
    super::listing_changes(tx);
    tx.exec(
        "UPDATE events SET tournament_id = $2, home_team_id = $3, away_team_id = $4, start_time = $5, venue = $6,
                status = $7, home_score = $8, away_score = $9, voided_at = $10, void_reason = $11, result_at = $12,
                outcome_revision = $13, imported = COALESCE($14, imported), start_time_confirmed = $15,
                period = $16, minute = $17, minute_at = $18
         WHERE id = $1",
        params![
            event.id,
            event.tournament_id,
            event.home_team_id,
            event.away_team_id,
            event.start_time,
            event.venue,
            event.status,
            event.home_score,
            event.away_score,
            event.voided_at,
            event.void_reason,
            event.result_at,
            event.outcome_revision,
            imported,
            event.start_time_confirmed,
            event.playing.period,
            event.playing.minute,
            event.playing.minute_at
        ],
    )
    .map(drop)
}

/// What the results of a tournament are settled by has changed. They are taken in the order of their ids, as every script does.
pub fn update_rescored(tx: &mut Tx, tournament: TournamentId) -> Result<Vec<EventId>> {
    tx.all(
        "UPDATE events SET outcome_revision = outcome_revision + 1 WHERE id IN
             (SELECT id FROM events WHERE tournament_id = $1 AND status = 'finished' AND voided_at IS NULL
              ORDER BY id FOR UPDATE)
         RETURNING id",
        params![tournament],
    )
}

/// The first events that have no chat room yet.
pub fn list_without_room(tx: &mut Tx, most: i64) -> Result<Vec<EventId>> {
    tx.all("SELECT id FROM events WHERE chat_room_id IS NULL ORDER BY id LIMIT $1", params![most])
}

/// The chat room is no more: whose it was.
pub fn take_chat_room(tx: &mut Tx, room_id: &str) -> Result<Vec<EventId>> {
    tx.all(
        "UPDATE events SET chat_room_id = NULL WHERE chat_room_id = $1 RETURNING id",
        params![room_id],
    )
}

/// The chat room of the event, once there is one.
pub fn set_chat_room(tx: &mut Tx, id: EventId, room_id: &str) -> Result<()> {
    super::listing_changes(tx);
    tx.exec("UPDATE events SET chat_room_id = $2 WHERE id = $1", params![id, room_id]).map(drop)
}

/// How many predictions these events have; those without any are left out.
///
/// From the counters that predictions keep, which are read here because a match is shown with how many predictions it has,
/// and predictions stand above events.
pub fn predictions_counts(tx: &mut Tx, ids: &[EventId]) -> Result<Vec<(EventId, i64)>> {
    let ids = serde_json::to_string(ids).map_err(Error::internal)?;
    tx.all(
        "SELECT event_id, CAST(sum(predictions) AS BIGINT) FROM event_counters
         WHERE event_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1)) GROUP BY event_id",
        params![ids],
    )
}

/// The same by the rows that the counters are spread over: event, row, predictions.
pub fn list_shard_counts(tx: &mut Tx, ids: &[EventId]) -> Result<Vec<(EventId, i64, i64)>> {
    let ids = serde_json::to_string(ids).map_err(Error::internal)?;
    tx.all(
        "SELECT event_id, shard, predictions FROM event_counters
         WHERE event_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))",
        params![ids],
    )
}

/// Counts so many more events of a tournament (0: any), a team (0: any) and a status.
pub fn add_to_count(
    tx: &mut Tx,
    tournament: i64,
    team: i64,
    status: Status,
    delta: i64,
) -> Result<u64> {
    tx.exec(
        "INSERT INTO event_counts (tournament_id, team_id, status, n) VALUES ($1, $2, $3, $4)
         ON CONFLICT (tournament_id, team_id, status) DO UPDATE SET n = event_counts.n + excluded.n",
        params![tournament, team, status, delta],
    )
}

row! {
    /// What was told.
    #[derive(Debug, Clone)]
    pub struct AnnouncementRow {
        pub id: i64,
        pub event_id: EventId,
        pub kind: AnnouncementKind,
        /// JSON.
        pub data: String,
    }
}

/// The next id. Whoever asks after this waits for this transaction, so ids are committed in their order.
pub fn take_announcement_id(tx: &mut Tx) -> Result<i64> {
    tx.one(
        "UPDATE event_feed_head SET last_id = last_id + 1 WHERE id = 1 RETURNING last_id",
        params![],
    )
}

pub fn insert_announcement(
    tx: &mut Tx,
    id: i64,
    event: EventId,
    kind: AnnouncementKind,
    data: &str,
) -> Result<u64> {
    let now = tx.now();
    tx.exec(
        "INSERT INTO event_feed (id, event_id, kind, data, created_at) VALUES ($1, $2, $3, $4, $5)",
        params![id, event, kind, data, now],
    )
}

/// What was told after this id, oldest first; no later id is missing between those answered.
pub fn list_announcements(tx: &mut Tx, after: i64, most: i64) -> Result<Vec<AnnouncementRow>> {
    tx.all(
        "SELECT id, event_id, kind, data FROM event_feed WHERE id > $1 ORDER BY id LIMIT $2",
        params![after, most],
    )
}

pub fn last_announcement_id(tx: &mut Tx) -> Result<i64> {
    tx.one("SELECT last_id FROM event_feed_head WHERE id = 1", params![])
}

pub fn first_kept_announcement_id(tx: &mut Tx) -> Result<Option<i64>> {
    tx.one("SELECT min(id) FROM event_feed", params![])
}

pub fn delete_announcements_before(tx: &mut Tx, before: Timestamp, most: i64) -> Result<u64> {
    tx.exec(
        // Oldest first: what is kept has no gaps, which is how listeners know whether they missed something.
        "DELETE FROM event_feed WHERE id IN
             (SELECT id FROM event_feed WHERE created_at <= $1 ORDER BY created_at, id LIMIT $2 FOR UPDATE SKIP LOCKED)",
        params![before, most],
    )
}
