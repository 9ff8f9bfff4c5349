//! Data to measure on, written by SQL in bulk.
//!
//! Users are numbered from 1: user 7 is `fan7` with the phone +447700000007. Events are numbered from 1 too: the first ones
//! are scheduled for next year and take predictions, all others are over.

use touchline::platform::clock::DAY_MS;
use touchline::platform::db::{Db, params};
use touchline::platform::tokens::{Token, TokenKind};

use crate::Outcome;

/// Events that take predictions; the one after them is the popular match.
pub const OPEN_EVENTS: i64 = 1_000;
pub const POPULAR_EVENT: i64 = OPEN_EVENTS;
/// The first events, on which nobody has predicted.
pub const FREE_EVENTS: u64 = 500;
/// The events behind them, on which users have predicted before.
const PREDICTED_EVENTS: i64 = 400;
const TEAMS: i64 = 40;
const ROOMS: i64 = 1_000;
/// Users who share a private room.
const FRIENDS: i64 = 10;
/// Rows of one transaction, so that none takes too long.
const PART: i64 = 50_000;
/// Enough for every deduction of a run.
const BALANCE: i64 = 1_000_000_000;

pub const FIRST_PHONE: i64 = 447_700_000_000;

/// A match on which this user has a prediction.
pub fn predicted_event(user: i64) -> i64 {
    501 + user * 7 % PREDICTED_EVENTS
}

pub fn phone(user: i64) -> String {
    format!("+{}", FIRST_PHONE + user)
}

/// Sports, teams, tournaments: what everything else refers to.
pub async fn catalogue(db: &Db) -> Outcome<()> {
    db.write(|tx| {
        tx.exec("INSERT INTO sports (id, slug, name, imported) VALUES (1, 'football', 'Football', '')", &[])?;
        tx.exec(
            "INSERT INTO teams (id, slug, sport_id, name, name_folded, country, founded, imported)
             WITH RECURSIVE n(i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < $1)
             SELECT i, 'team_' || CAST(i AS TEXT), 1, 'Team ' || CAST(i AS TEXT), 'team ' || CAST(i AS TEXT), 'England',
                    1900, '' FROM n",
            params![TEAMS],
        )?;
        tx.exec(
            "INSERT INTO tournaments (id, slug, sport_id, name, scoring, confidence_weighted, imported)
             VALUES (1, 'league', 1, 'League', 'classic', 0, '')",
            &[],
        )?;
        Ok(())
    })
    .await?;
    Ok(())
}

/// So many events in all. Each has a room's id, so that nobody sets out to make it one.
pub async fn events(db: &Db, count: i64) -> Outcome<()> {
    let mut from: i64 =
        db.read(|tx| tx.one("SELECT COALESCE(max(id), 0) FROM events", &[])).await?;
    while from < count {
        let to = count.min(from + PART);
        db.write(move |tx| {
            let now = tx.now();
            tx.exec(
                "INSERT INTO events (id, key, tournament_id, home_team_id, away_team_id, start_time, venue, status,
                        home_score, away_score, result_at, outcome_revision, chat_room_id, imported, created_at)
                 WITH RECURSIVE n(i) AS (SELECT CAST($1 AS BIGINT) + 1 UNION ALL SELECT i + 1 FROM n WHERE i < $2)
                 SELECT i, 'match_' || CAST(i AS TEXT), 1, 1 + i % $3, 1 + (i + 1 + i % 7) % $3,
                        CASE WHEN i <= $4 THEN $5 + i * 60000 ELSE $6 - i * 60000 END, 'Stadium',
                        CASE WHEN i <= $4 THEN 'scheduled' ELSE 'finished' END,
                        CASE WHEN i <= $4 THEN NULL ELSE 2 END, CASE WHEN i <= $4 THEN NULL ELSE 1 END,
                        CASE WHEN i <= $4 THEN NULL ELSE $6 END, CASE WHEN i <= $4 THEN 0 ELSE 1 END,
                        '!room' || CAST(i AS TEXT) || ':localhost', '', $6 FROM n",
                params![from, to, TEAMS, OPEN_EVENTS, now.plus_ms(365 * DAY_MS), now.plus_ms(-DAY_MS)],
            )
        })
        .await?;
        from = to;
    }
    db.write(|tx| {
        tx.exec("DELETE FROM event_counts", &[])?;
        for sql in [
            "INSERT INTO event_counts (tournament_id, team_id, status, n)
             SELECT 0, 0, status, count(*) FROM events GROUP BY status",
            "INSERT INTO event_counts (tournament_id, team_id, status, n)
             SELECT 1, 0, status, count(*) FROM events GROUP BY status",
        ] {
            tx.exec(sql, &[])?;
        }
        Ok(())
    })
    .await?;
    Ok(())
}

/// Users up to this number.
pub async fn users(db: &Db, count: i64) -> Outcome<()> {
    let mut from: i64 = db.read(|tx| tx.one("SELECT COALESCE(max(id), 0) FROM users", &[])).await?;
    while from < count {
        let to = count.min(from + PART);
        db.write(move |tx| {
            let now = tx.now();
            tx.exec(
                "INSERT INTO users (id, phone, username, username_generated, name, created_at)
                 WITH RECURSIVE n(i) AS (SELECT CAST($1 AS BIGINT) + 1 UNION ALL SELECT i + 1 FROM n WHERE i < $2)
                 SELECT i, '+' || CAST($3 + i AS TEXT), 'fan' || CAST(i AS TEXT), 0, 'Fan', $4 FROM n",
                params![from, to, FIRST_PHONE, now],
            )
        })
        .await?;
        from = to;
    }
    Ok(())
}

/// Coins for every user, by an entry in the books, and an account in chat.
pub async fn accounts(db: &Db) -> Outcome<()> {
    db.write(|tx| {
        let now = tx.now();
        tx.exec(
            "INSERT INTO coin_accounts (user_id, balance, entries, streak_days, created_at)
             SELECT id, $1, 1, 0, $2 FROM users",
            params![BALANCE, now],
        )?;
        tx.exec(
            "INSERT INTO coin_transfers (id, debit_account, credit_account, amount, account_id, entry, balance_after,
                    reason, created_at)
             SELECT 'seed' || CAST(id AS TEXT), -1, id, $1, id, 1, $1, 'welcome', $2 FROM users",
            params![BALANCE, now],
        )?;
        tx.exec(
            // As the homeserver has them: else the service would look after each of them while something else is measured.
            "INSERT INTO chat_accounts (matrix_id, localpart, user_id, is_current, state, display_name, created_at, done_version)
             SELECT '@' || username || ':localhost', username, id, 1, 'ready', username, $1, 1 FROM users",
            params![now],
        )
    })
    .await?;
    Ok(())
}

/// A session for each of these users. Answers their tokens.
pub async fn sessions(db: &Db, users: Vec<i64>) -> Outcome<Vec<(i64, String)>> {
    let issued: Vec<(i64, Token)> =
        users.into_iter().map(|user| (user, Token::generate(TokenKind::User))).collect();
    let shared = std::sync::Arc::new(issued);
    let kept = shared.clone();
    db.write(move |tx| {
        let now = tx.now();
        for (user, token) in kept.iter() {
            tx.exec(
                "INSERT INTO sessions (user_id, token_hash, created_at, last_used_at, expires_at)
                 VALUES ($1, $2, $3, $3, $4)",
                params![*user, token.hash(), now, now.plus_ms(90 * DAY_MS)],
            )?;
        }
        Ok(())
    })
    .await?;
    Ok(shared.iter().map(|(user, token)| (*user, token.expose().to_owned())).collect())
}

/// Public rooms of the first matches, and private ones of a few friends each. Every user with an account is in two of the first and
/// one of the others.
pub async fn rooms(db: &Db) -> Outcome<()> {
    db.write(|tx| {
        let now = tx.now();
        tx.exec(
            "INSERT INTO chat_rooms (room_id, name, name_folded, topic, event_id, is_event_room, join_rule, is_encrypted,
                    member_count, last_activity, version, created_at)
             SELECT chat_room_id, 'Room ' || CAST(id AS TEXT), 'room ' || CAST(id AS TEXT), 'A match', id, 1, 'public', 0,
                    10, $1 - id, 1, $1 FROM events WHERE id <= $2",
            params![now, ROOMS],
        )?;
        tx.exec(
            "INSERT INTO chat_rooms (room_id, name, name_folded, topic, is_event_room, join_rule, is_encrypted, member_count,
                    last_activity, version, created_at)
             SELECT '!friends' || CAST(user_id / $2 AS TEXT) || ':localhost', 'Friends', 'friends', '', 0, 'invite', 1, $2,
                    $1 - user_id / $2, 1, $1 FROM chat_accounts WHERE user_id % $2 = 0 OR user_id = 1",
            params![now, FRIENDS],
        )?;
        for step in [7, 11] {
            tx.exec(
                "INSERT INTO chat_members (room_id, matrix_id, membership, last_active_at)
                 SELECT '!room' || CAST(1 + user_id * $2 % $3 AS TEXT) || ':localhost', matrix_id, 'join', $1
                 FROM chat_accounts WHERE true ON CONFLICT DO NOTHING",
                params![now, step, ROOMS],
            )?;
        }
        tx.exec(
            "INSERT INTO chat_members (room_id, matrix_id, membership, last_active_at)
             SELECT '!friends' || CAST(user_id / $2 AS TEXT) || ':localhost', matrix_id, 'join', $1 FROM chat_accounts",
            params![now, FRIENDS],
        )?;
        Ok(())
    })
    .await?;
    Ok(())
}

/// Predictions of the first users on one event, up to so many, and the event's counters.
pub async fn predictions(db: &Db, event: i64, count: i64) -> Outcome<()> {
    let mut from: i64 = db
        .read(move |tx| {
            tx.one("SELECT count(*) FROM predictions WHERE event_id = $1", params![event])
        })
        .await?;
    while from < count {
        let to = count.min(from + PART);
        db.write(move |tx| {
            let now = tx.now();
            tx.exec(
                "INSERT INTO predictions (event_id, user_id, outcome, home_score, away_score, confidence, revision,
                        created_at, updated_at, is_late, settlement_version)
                 SELECT $1, id, CASE id % 3 WHEN 0 THEN 'home' WHEN 1 THEN 'draw' ELSE 'away' END,
                        CASE id % 3 WHEN 0 THEN 2 ELSE 1 END, CASE id % 3 WHEN 2 THEN 2 ELSE 1 END,
                        id % 101, 1, $4, $4, 0, 0
                 FROM users WHERE id > $2 AND id <= $3",
                params![event, from, to, now],
            )
        })
        .await?;
        from = to;
    }
    db.write(move |tx| {
        tx.exec("DELETE FROM event_counters WHERE event_id = $1", params![event])?;
        tx.exec(
            "INSERT INTO event_counters (event_id, shard, predictions, home, draw, away, home_confidence, draw_confidence,
                    away_confidence)
             SELECT $1, user_id % 32, count(*), count(*) FILTER (WHERE outcome = 'home'),
                    count(*) FILTER (WHERE outcome = 'draw'), count(*) FILTER (WHERE outcome = 'away'),
                    COALESCE(CAST(sum(confidence) FILTER (WHERE outcome = 'home') AS BIGINT), 0),
                    COALESCE(CAST(sum(confidence) FILTER (WHERE outcome = 'draw') AS BIGINT), 0),
                    COALESCE(CAST(sum(confidence) FILTER (WHERE outcome = 'away') AS BIGINT), 0)
             FROM predictions WHERE event_id = $1 GROUP BY user_id % 32",
            params![event],
        )
    })
    .await?;
    Ok(())
}

/// So many predictions of each of these users, from their [`predicted_event`] on.
pub async fn predictions_of(db: &Db, users: &[i64], each: i64) -> Outcome<()> {
    let users = serde_json::to_string(users)?;
    db.write(move |tx| {
        let now = tx.now();
        tx.exec(
            "INSERT INTO predictions (event_id, user_id, outcome, confidence, revision, created_at, updated_at, is_late,
                    settlement_version)
             WITH RECURSIVE n(i) AS (SELECT CAST(0 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < $2 - 1)
             SELECT 501 + (CAST(value AS BIGINT) * 7 + i) % $3, CAST(value AS BIGINT), 'home', 50, 1, $4, $4, 0, 0
             FROM json_each($1) CROSS JOIN n",
            params![users, each, PREDICTED_EVENTS, now],
        )?;
        tx.exec(
            "INSERT INTO event_counters (event_id, shard, predictions, home, draw, away, home_confidence, draw_confidence,
                    away_confidence)
             SELECT event_id, user_id % 32, count(*), count(*), 0, 0, 50 * count(*), 0, 0
             FROM predictions WHERE event_id > 500 AND event_id <= 500 + $1 GROUP BY event_id, user_id % 32",
            params![PREDICTED_EVENTS],
        )
    })
    .await?;
    Ok(())
}

/// Every `count / wanted`th user, so that they lie all over the table.
pub fn spread(count: i64, wanted: i64) -> Vec<i64> {
    let step = (count / wanted).max(1);
    (1..=count)
        .step_by(usize::try_from(step).unwrap_or(1))
        .take(usize::try_from(wanted).unwrap_or(1))
        .collect()
}
