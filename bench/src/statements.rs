//! What one caller alone needs of the database for the calls that are measured, in its shortest form. Both ceilings run these
//! texts; the service does the same for as many as wait, in the statements of its features' `store.rs`.
//!
//! Row locks are left out: SQLite has none, and `ceiling_postgres.rs` adds them.

pub const SESSION: &str = "SELECT s.id, s.user_id, s.created_at, s.last_used_at, s.expires_at, u.banned_at FROM \
    sessions s JOIN users u ON u.id = s.user_id WHERE s.token_hash = ?1";

pub const LIMIT: &str = "INSERT INTO rate_limits (bucket, hits, expires_at) VALUES (?1, ?2, ?3) ON CONFLICT (bucket) \
    DO UPDATE SET hits = substr(excluded.hits || rate_limits.hits, 1, CAST(CAST(?4 AS BIGINT) AS \
    INTEGER)), expires_at = excluded.expires_at WHERE length(rate_limits.hits) < CAST(?4 AS \
    BIGINT) OR substr(rate_limits.hits, CAST(CAST(?5 AS BIGINT) AS INTEGER), 16) <= ?6";

pub const CHALLENGE: &str = "SELECT nonce, tries, created_at, expires_at FROM phone_challenges WHERE owner = ?1 AND phone \
    = ?2";

pub const NEW_CHALLENGE: &str = "INSERT INTO phone_challenges (owner, phone, nonce, tries, created_at, expires_at, places) \
    VALUES (?1, ?2, ?3, 0, ?4, ?5, ?6) ON CONFLICT (owner, phone) DO UPDATE SET nonce = \
    excluded.nonce, tries = 0, places = excluded.places, created_at = excluded.created_at, \
    expires_at = excluded.expires_at";

pub const SMS: &str = "INSERT INTO sms_log (phone, code, status, provider, error, attempts, created_at, expires_at, owner) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";

pub const TRY: &str = "UPDATE phone_challenges SET tries = tries + 1 WHERE owner = ?1 AND phone = ?2 AND expires_at \
    > ?3 AND tries < ?4 AND NOT EXISTS (SELECT 1 FROM wrong_codes WHERE phone_key = ?5 AND locked_until > ?3) \
    RETURNING nonce, places";

pub const USED_CHALLENGE: &str = "DELETE FROM phone_challenges WHERE owner = ?1 AND phone = ?2";

pub const USER_BY_PHONE: &str = "SELECT id, phone, username, username_generated, name, email, date_of_birth, created_at, \
    banned_at FROM users WHERE phone IN (?1, ?2) ORDER BY length(phone) LIMIT 1";

pub const NEW_SESSION: &str = "INSERT INTO sessions (user_id, token_hash, device_name, created_at, last_used_at, \
    expires_at) VALUES (?1, ?2, ?3, ?4, ?4, ?5) RETURNING id";

pub const USER: &str = "SELECT id, phone, username, username_generated, name, email, date_of_birth, created_at, \
    banned_at FROM users WHERE id = ?1 AND deleted_at IS NULL";

pub const FAVOURITES: &str = "SELECT f.slot, t.id, t.name, t.logo FROM favourite_teams f JOIN teams t ON t.id = f.team_id \
    WHERE f.user_id = ?1 ORDER BY f.slot";

pub const CHAT_ACCOUNT: &str = "SELECT matrix_id, user_id, is_current, state, display_name, ignored, version FROM \
    chat_accounts WHERE user_id = ?1 AND is_current = 1";

pub const NEW_DEVICE: &str = "INSERT INTO chat_devices (matrix_id, device_id, session_id, created_at) VALUES (?1, ?2, ?3, \
    ?4)";

pub const LIVE_DEVICE: &str = "SELECT 1 FROM chat_devices WHERE matrix_id = ?1 AND device_id = ?2 AND ended_at IS NULL \
";

pub const OPEN_EVENT: &str = "SELECT e.id, e.tournament_id, e.home_team_id, e.away_team_id, e.start_time, e.venue, \
    e.status, e.home_score, e.away_score, e.voided_at, e.void_reason, e.result_at, \
    e.outcome_revision, e.chat_room_id FROM events e WHERE e.id = ?1 AND e.status = 'scheduled' \
    AND e.voided_at IS NULL AND e.start_time > ?2";

pub const PREDICTION: &str = "INSERT INTO predictions (event_id, user_id, outcome, home_score, away_score, confidence, \
    revision, created_at, updated_at, is_late, settlement_version) VALUES (?1, ?2, ?3, ?4, ?5, \
    ?6, 1, ?7, ?7, 0, 0) ON CONFLICT (event_id, user_id) DO UPDATE SET outcome = \
    excluded.outcome, home_score = excluded.home_score, away_score = excluded.away_score, \
    confidence = excluded.confidence, revision = predictions.revision + 1, updated_at = \
    excluded.updated_at, previous_outcome = predictions.outcome, previous_confidence = \
    predictions.confidence, is_late = 0, settlement_version = 0, scoring = NULL, tier = NULL, \
    points = NULL RETURNING id, created_at, revision, previous_outcome, previous_confidence";

pub const REVISION: &str = "INSERT INTO prediction_revisions (prediction_id, outcome, home_score, away_score, \
    confidence, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";

pub const COUNTER: &str = "INSERT INTO event_counters (event_id, shard, predictions, home, draw, away, home_confidence, \
    draw_confidence, away_confidence) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT \
    (event_id, shard) DO UPDATE SET predictions = event_counters.predictions + \
    excluded.predictions, home = event_counters.home + excluded.home, draw = event_counters.draw \
    + excluded.draw, away = event_counters.away + excluded.away, home_confidence = \
    event_counters.home_confidence + excluded.home_confidence, draw_confidence = \
    event_counters.draw_confidence + excluded.draw_confidence, away_confidence = \
    event_counters.away_confidence + excluded.away_confidence";

pub const BALANCE: &str = "UPDATE coin_accounts SET balance = balance + ?2, entries = entries + 1 WHERE user_id = ?1 \
    AND balance >= ?3 AND balance <= ?4 AND frozen_at IS NULL RETURNING balance, entries";

pub const TRANSFER: &str = "INSERT INTO coin_transfers (id, debit_account, credit_account, amount, account_id, entry, \
    balance_after, reason, reference_id, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, \
    ?10)";

pub const HELD_ACCOUNT: &str = "SELECT balance, entries, last_claim_day, streak_days, frozen_at FROM coin_accounts WHERE \
    user_id = ?1";

pub const CLAIM: &str = "UPDATE coin_accounts SET last_claim_day = ?2, streak_days = ?3 WHERE user_id = ?1 \
";

#[cfg(test)]
mod tests {
    use touchline::platform::clock::Clock;
    use touchline::platform::config::Config;
    use touchline::platform::db::Db;

    const THIS_FILE: &str = include_str!("statements.rs");

    #[tokio::test]
    async fn every_statement_fits_the_services_tables() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("schema.db");
        let url = format!("sqlite:{}", file.display());
        let config = Config::defaults().unwrap().database;
        let db = Db::open(&url, &config, Clock::system()).await.unwrap();
        db.migrate().await.unwrap();
        db.close().await;
        let connection = rusqlite::Connection::open(file).unwrap();
        let (here, _) = THIS_FILE.split_once("#[cfg(test)]").unwrap();
        let statements: Vec<_> = here.split('"').skip(1).step_by(2).collect();
        assert!(statements.len() > 20, "{}", statements.len());
        for statement in statements {
            let text = statement.replace("\\\n", " ");
            connection.prepare(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        }
    }
}
