//! A service as it is with very many users, for operators to look at.
//!
//! User 27 is `benjbake27`, called Benj Bakefinn, with the phone +447700000027. Of a hundred users one is banned and one has left;
//! of ten one has no name. The last few are busy ones, with far more of everything than others.

use touchline::platform::clock::{DAY_MS, HOUR_MS, MINUTE_MS};
use touchline::platform::db::{Db, Tx, params};

use crate::{Outcome, seed};

/// Users of whom there is very much to show: the last ones.
pub const BUSY: i64 = 5;
pub const BUSY_PREDICTIONS: i64 = 2_000;
pub const BUSY_TRANSFERS: i64 = 10_000;
pub const MATCHES: i64 = 10_000;
pub const TOURNAMENTS: i64 = 10;
/// Matches that are live for too long, and of which something is held.
const IN_NEED: i64 = 40;
const PREDICTIONS_EACH: i64 = 10;
const AUDIT_ROWS: i64 = 200_000;
const MESSAGES: i64 = 100_000;
/// Those of the last hour: an evening on which many come in.
const MESSAGES_OF_THE_HOUR: i64 = 20_000;
const JOBS: i64 = 5_000;
/// Rows of one transaction, so that none takes too long.
const PART: i64 = 50_000;

/// First names of four letters, one for each letter of the alphabet but one.
const FIRST_NAMES: &str = "AnnaBenjCarlDinaEmilFinnGinaHugoIrisJonaKiraLenaMarcNoraOlafPaulQuinRosaSaraTimoUrsaVeraWillXeniYara";
/// Last names are made of two of these.
const SYLLABLES: &str = "bakecolldrewellefinngrayhardirwijonekinglyonmoornashowenparkquesreedsmitturnuptovanewestyorkzellabel";
pub const NAMES: i64 = 25;

/// How the names of this user and of others begin.
pub fn first_name(user: i64) -> String {
    piece(FIRST_NAMES, user)
}

pub fn username(user: i64) -> String {
    let names = [piece(FIRST_NAMES, user), piece(SYLLABLES, user / NAMES)].concat();
    format!("{}{user}", names.to_lowercase())
}

fn piece(of: &str, at: i64) -> String {
    let first = usize::try_from(4 * (at % NAMES)).unwrap_or(0);
    of.chars().skip(first).take(4).collect()
}

pub async fn fill(db: &Db, users: i64) -> Outcome<()> {
    seed::catalogue(db).await?;
    seed::events(db, MATCHES).await?;
    in_parts(db, users, insert_users).await?;
    in_parts(db, users, insert_coins).await?;
    in_parts(db, users, insert_chat).await?;
    in_parts(db, users, insert_sessions).await?;
    in_parts(db, users, insert_predictions).await?;
    db.write(move |tx| insert_busy(tx, users - BUSY, users)).await?;
    db.write(move |tx| insert_cares(tx, users)).await?;
    db.write(insert_counters).await?;
    db.write(insert_matches_in_need).await?;
    db.write(insert_feeds).await?;
    in_parts(db, AUDIT_ROWS, insert_audit).await?;
    db.write(insert_machinery).await?;
    Ok(())
}

/// Everything from 1 to this, some at a time: each part has the numbers behind the first up to the second.
async fn in_parts(
    db: &Db,
    count: i64,
    part: fn(&mut Tx, i64, i64) -> touchline::platform::error::Result<()>,
) -> Outcome<()> {
    let mut from = 0;
    while from < count {
        let to = count.min(from + PART);
        db.write(move |tx| part(tx, from, to)).await?;
        from = to;
    }
    Ok(())
}

type Done = touchline::platform::error::Result<()>;

fn insert_users(tx: &mut Tx, from: i64, to: i64) -> Done {
    let now = tx.now();
    tx.exec(
        "INSERT INTO users (id, phone, username, username_generated, name, name_folded, created_at, banned_at, ban_reason,
                banned_by, deleted_at)
         WITH RECURSIVE n(i) AS (SELECT CAST($1 AS BIGINT) + 1 UNION ALL SELECT i + 1 FROM n WHERE i < $2),
         named AS (
             SELECT i, substr($4, CAST(1 + 4 * (i % $6) AS INTEGER), 4) AS first,
                    substr($5, CAST(1 + 4 * (i / $6 % $6) AS INTEGER), 4) AS middle,
                    substr($5, CAST(1 + 4 * (i / $6 / $6 % $6) AS INTEGER), 4) AS last FROM n)
         SELECT i, CASE WHEN i % 100 = 33 THEN NULL ELSE '+' || CAST($3 + i AS TEXT) END,
                CASE WHEN i % 100 = 33 THEN 'deleted.' || CAST(i AS TEXT) ELSE lower(first) || middle || CAST(i AS TEXT) END, 0,
                CASE WHEN i % 100 = 33 OR i % 10 = 7 THEN NULL
                     ELSE first || ' ' || upper(substr(middle, 1, 1)) || substr(middle, 2, 3) || last END,
                CASE WHEN i % 100 = 33 OR i % 10 = 7 THEN NULL ELSE lower(first) || ' ' || middle || last END,
                $7 + i, CASE WHEN i % 100 = 50 THEN $7 END, CASE WHEN i % 100 = 50 THEN 'Insults' END,
                CASE WHEN i % 100 = 50 THEN 'mia' END, CASE WHEN i % 100 = 33 THEN $7 END FROM named",
        params![
            from,
            to,
            seed::FIRST_PHONE,
            FIRST_NAMES,
            SYLLABLES,
            NAMES,
            now.plus_ms(-365 * DAY_MS)
        ],
    )
    .map(drop)
}

/// An account for everybody with the welcome in it.
fn insert_coins(tx: &mut Tx, from: i64, to: i64) -> Done {
    let now = tx.now();
    tx.exec(
        "INSERT INTO coin_accounts (user_id, balance, entries, streak_days, created_at)
         SELECT id, 500, 1, 0, $3 FROM users WHERE id > $1 AND id <= $2",
        params![from, to, now],
    )?;
    tx.exec(
        "INSERT INTO coin_transfers (id, debit_account, credit_account, amount, account_id, entry, balance_after, reason,
                created_at)
         SELECT 'seed' || CAST(id AS TEXT), -1, id, 500, id, 1, 500, 'welcome', $3 FROM users WHERE id > $1 AND id <= $2",
        params![from, to, now],
    )
    .map(drop)
}

/// An account in chat for everybody who is there, as it should be.
fn insert_chat(tx: &mut Tx, from: i64, to: i64) -> Done {
    let now = tx.now();
    tx.exec(
        "INSERT INTO chat_accounts (matrix_id, localpart, user_id, is_current, state, created_at, version, done_version)
         SELECT '@' || username || ':localhost', username, id, 1, 'ready', $3, 1, 1 FROM users
         WHERE id > $1 AND id <= $2 AND deleted_at IS NULL",
        params![from, to, now],
    )
    .map(drop)
}

/// Two of five users have a session with a device in chat, and are in a room.
fn insert_sessions(tx: &mut Tx, from: i64, to: i64) -> Done {
    const ZEROS: &str = "0000000000000000000000000000000000000000000000000000000000000000";
    let now = tx.now();
    tx.exec(
        "INSERT INTO sessions (id, user_id, token_hash, device_name, created_at, last_used_at, expires_at)
         SELECT id, id, unhex(substr($3, 1, CAST(64 - length(CAST(id AS TEXT)) AS INTEGER)) || CAST(id AS TEXT)),
                'Their phone', $4, $4, $5 + id
         FROM users WHERE id > $1 AND id <= $2 AND id % 5 < 2 AND deleted_at IS NULL",
        params![from, to, ZEROS, now, now.plus_ms(80 * DAY_MS)],
    )?;
    tx.exec(
        "INSERT INTO chat_devices (matrix_id, device_id, session_id, created_at)
         SELECT '@' || username || ':localhost', 'TL' || CAST(id AS TEXT), id, $3 FROM users
         WHERE id > $1 AND id <= $2 AND id % 5 < 2 AND deleted_at IS NULL",
        params![from, to, now],
    )
    .map(drop)
}

/// One of ten users has predicted, on matches that are over and settled.
fn insert_predictions(tx: &mut Tx, from: i64, to: i64) -> Done {
    predict(tx, (from, to), 10, PREDICTIONS_EACH)
}

/// So many predictions of every `step`th user behind the first up to the second.
fn predict(tx: &mut Tx, (from, to): (i64, i64), step: i64, each: i64) -> Done {
    let now = tx.now();
    tx.exec(
        "INSERT INTO predictions (event_id, user_id, outcome, home_score, away_score, confidence, revision, created_at,
                updated_at, is_late, settlement_version, scoring, tier, points, counted_tier, counted_points, counted_confidence)
         WITH RECURSIVE n(i) AS (SELECT CAST(0 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < $4 - 1)
         SELECT $5 + 1 + (id * 7 + i) % ($6 - $5), id, 'home', 2, 1, 50, 1, $7, $7, 0, 1, 'classic', 3, 6, 3, 6, 50
         FROM users CROSS JOIN n
         WHERE id > $1 AND id <= $2 AND id % $3 = 0 AND deleted_at IS NULL ON CONFLICT DO NOTHING",
        params![from, to, step, each, seed::OPEN_EVENTS, MATCHES, now.plus_ms(-DAY_MS)],
    )
    .map(drop)
}

/// What the last users have beyond what everybody has.
fn insert_busy(tx: &mut Tx, from: i64, to: i64) -> Done {
    let now = tx.now();
    predict(tx, (from, to), 1, BUSY_PREDICTIONS)?;
    tx.exec(
        "INSERT INTO coin_transfers (id, debit_account, credit_account, amount, account_id, entry, balance_after, reason,
                created_at)
         WITH RECURSIVE n(i) AS (SELECT CAST(2 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < $3)
         SELECT 'seed' || CAST(id AS TEXT) || '.' || CAST(i AS TEXT), -2, id, 10, id, i, 500 + 10 * (i - 1), 'daily_bonus', $4
         FROM users CROSS JOIN n WHERE id > $1 AND id <= $2",
        params![from, to, BUSY_TRANSFERS, now],
    )?;
    tx.exec(
        "UPDATE coin_accounts SET entries = $3, balance = 500 + 10 * ($3 - 1) WHERE user_id > $1 AND user_id <= $2",
        params![from, to, BUSY_TRANSFERS],
    )
    .map(drop)
}

/// Rooms, notes and reports: of a few ordinary users, and dozens of the busy ones.
fn insert_cares(tx: &mut Tx, users: i64) -> Done {
    let (now, busy) = (tx.now(), users - BUSY);
    tx.exec(
        "INSERT INTO chat_rooms (room_id, name, name_folded, topic, event_id, is_event_room, join_rule, is_encrypted,
                member_count, last_activity, version, created_at)
         SELECT chat_room_id, 'Room', 'room', '', id, 1, 'public', 0, 10, $1, 1, $1 FROM events WHERE id <= $2",
        params![now, seed::OPEN_EVENTS],
    )?;
    tx.exec(
        "INSERT INTO chat_members (room_id, matrix_id, membership, last_active_at)
         SELECT '!room' || CAST(1 + a.user_id % $2 AS TEXT) || ':localhost', a.matrix_id, 'join', $1
         FROM chat_accounts a WHERE a.user_id % 5 = 0",
        params![now, seed::OPEN_EVENTS],
    )?;
    tx.exec(
        "INSERT INTO chat_members (room_id, matrix_id, membership, last_active_at)
         SELECT r.room_id, a.matrix_id, 'join', $1 FROM chat_rooms r CROSS JOIN chat_accounts a
         WHERE a.user_id > $2 AND r.event_id <= 60 ON CONFLICT DO NOTHING",
        params![now, busy],
    )?;
    tx.exec(
        "INSERT INTO user_notes (user_id, text, operator, created_at)
         WITH RECURSIVE n(i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < 60)
         SELECT id, 'Was warned about insults', 'mia', $1 FROM users CROSS JOIN n
         WHERE (id % 50 = 0 AND n.i = 1) OR id > $2",
        params![now, busy],
    )?;
    tx.exec(
        "INSERT INTO chat_reports (reporter_id, reported_user_id, reason, created_at)
         WITH RECURSIVE n(i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < 60)
         SELECT n.i, id, 'insults', $1 FROM users CROSS JOIN n WHERE (id % 200 = 0 AND n.i = 1) OR id > $2",
        params![now, busy],
    )
    .map(drop)
}

/// What the service keeps beside predictions: how many, and that the matches are settled, of which one was played every ten minutes.
fn insert_counters(tx: &mut Tx) -> Done {
    let now = tx.now();
    tx.exec(
        "UPDATE events SET start_time = $1 - (id - $2) * $3, result_at = $1 - (id - $2) * $3 + 2 * $3 WHERE status = 'finished'",
        params![now.plus_ms(-DAY_MS), seed::OPEN_EVENTS, 10 * MINUTE_MS],
    )?;
    tx.exec(
        "INSERT INTO event_counters (event_id, shard, predictions, home, draw, away, home_confidence, draw_confidence,
                away_confidence)
         SELECT event_id, user_id % 32, count(*), count(*), 0, 0, 50 * count(*), 0, 0
         FROM predictions GROUP BY event_id, user_id % 32",
        &[],
    )?;
    let settled = "INSERT INTO settlements (event_id, version, start_time, phase, cursor_id, boards, settled_at, final_at)
                   SELECT id, outcome_revision, start_time, 'done', 0, '[]', result_at, result_at FROM events
                   WHERE status = 'finished'";
    tx.exec(settled, &[]).map(drop)
}

/// The first matches are live since yesterday. The live ones are counted as such.
fn insert_matches_in_need(tx: &mut Tx) -> Done {
    let now = tx.now();
    tx.exec(
        "UPDATE events SET status = 'live', start_time = $2 WHERE id <= $1",
        params![IN_NEED, now.plus_ms(-DAY_MS)],
    )?;
    tx.exec("UPDATE event_counts SET n = n - $1 WHERE status = 'scheduled'", params![IN_NEED])?;
    tx.exec(
        "INSERT INTO event_counts (tournament_id, team_id, status, n) VALUES (0, 0, 'live', $1), (1, 0, 'live', $1)",
        params![IN_NEED],
    )
    .map(drop)
}

/// Seasons of matches that providers tell of, with what is held among them, and a day of requests. No feed is due.
fn insert_feeds(tx: &mut Tx) -> Done {
    let now = tx.now();
    tx.exec(
        "INSERT INTO feeds (tournament, owner, next_poll_at, polled_at, provider, problems)
         WITH RECURSIVE n(i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < $1)
         SELECT 'league_' || CAST(i AS TEXT), 'openfootball', $2, $3, 'openfootball', '[]' FROM n",
        params![TOURNAMENTS, now.plus_ms(DAY_MS), now],
    )?;
    tx.exec(
        "INSERT INTO feed_matches (provider, external_id, tournament, event_id, start_time, venue, title, held, held_since)
         SELECT 'openfootball', CAST(id AS TEXT), 'league_' || CAST(1 + id % $1 AS TEXT), id, start_time, venue, 'A - B',
                CASE WHEN id <= $2 OR id % 100 = 0 THEN 'two sources disagree' END,
                CASE WHEN id <= $2 OR id % 100 = 0 THEN $3 - id END FROM events",
        params![TOURNAMENTS, IN_NEED, now],
    )?;
    tx.exec(
        "INSERT INTO feed_requests (provider, made_at)
         WITH RECURSIVE n(i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < 1400)
         SELECT 'football_data', $1 - i * $2 FROM n",
        params![now, MINUTE_MS],
    )
    .map(drop)
}

/// What operators did in a month, the one who measures among them.
fn insert_audit(tx: &mut Tx, from: i64, to: i64) -> Done {
    let now = tx.now();
    tx.exec(
        "INSERT INTO audit_log (operator, action, subject, detail, created_at, operator_role)
         WITH RECURSIVE n(i) AS (SELECT CAST($1 AS BIGINT) + 1 UNION ALL SELECT i + 1 FROM n WHERE i < $2)
         SELECT CASE i % 3 WHEN 0 THEN 'mia' WHEN 1 THEN 'tom' ELSE 'configured' END,
                CASE i % 4 WHEN 0 THEN 'user.ban' WHEN 1 THEN 'event.result' ELSE 'chat.redact' END,
                'user ' || CAST(i AS TEXT), '{}', $3 - ($4 - i) * 12000, 'owner' FROM n",
        params![from, to, now, AUDIT_ROWS],
    )
    .map(drop)
}

/// A month of messages, an hour with many, and jobs that are to run later.
fn insert_machinery(tx: &mut Tx) -> Done {
    let now = tx.now();
    for (count, span) in [(MESSAGES, 29 * DAY_MS), (MESSAGES_OF_THE_HOUR, HOUR_MS / 2)] {
        tx.exec(
            "INSERT INTO sms_log (phone, status, provider, attempts, created_at)
             WITH RECURSIVE n(i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < $1)
             SELECT '+' || CAST($2 + i AS TEXT), CASE WHEN i % 50 = 0 THEN 'failed' ELSE 'sent' END, 'http', 1,
                    $3 - $4 + $4 / $1 * i FROM n",
            params![count, seed::FIRST_PHONE, now, span],
        )?;
    }
    tx.exec(
        "INSERT INTO jobs (kind, dedup_key, payload, run_at, created_at)
         WITH RECURSIVE n(i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < $1)
         SELECT 'end_ban', 'end_ban:' || CAST(i AS TEXT), '{\"user_id\":' || CAST(i AS TEXT) || '}', $2, $3 FROM n",
        params![JOBS, now.plus_ms(DAY_MS), now],
    )
    .map(drop)
}
