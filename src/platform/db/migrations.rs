//! The schema, step by step.
//!
//! A migration is a file in `migrations/` and a line in [`MIGRATIONS`]. It is written as STRICT SQL
//! of SQLite; for PostgreSQL a few words are replaced. An applied migration is never edited.

use sha2::{Digest, Sha256};

use super::Engine;
use super::tx::Tx;
use crate::platform::error::{DatabaseError, DatabaseResult, Result};
use crate::platform::keys;

pub(super) struct Migration {
    pub(super) version: i64,
    pub(super) name: &'static str,
    pub(super) sql: &'static str,
}

/// `migrations![1 "0001_name", ...]`: each file of the folder, in order.
macro_rules! migrations {
    ($($version:literal $name:literal),* $(,)?) => {
        &[$(Migration {
            version: $version,
            name: $name,
            sql: include_str!(concat!("../../../migrations/", $name, ".sql")),
        }),*]
    };
}

pub(super) const MIGRATIONS: &[Migration] = migrations![
    1 "0001_foundation",
    2 "0002_login",
    3 "0003_catalogue",
    4 "0004_coins",
    5 "0005_predictions",
    6 "0006_chat",
    7 "0007_feeds",
    8 "0008_webhooks",
    9 "0009_jobs",
    10 "0010_forgetting",
    11 "0011_key_guard",
    12 "0012_chat_wishes",
    13 "0013_leaving",
    14 "0014_moved_matches",
    15 "0015_feed_teams",
    16 "0016_installation",
    17 "0017_sharing",
    18 "0018_turns",
    19 "0019_postponed",
    20 "0020_periods",
    21 "0021_room_news",
    22 "0022_demo",
    23 "0023_operator_roles",
    24 "0024_audit_filters",
    25 "0025_people",
    26 "0026_match_desk",
    27 "0027_room_desk",
    28 "0028_machinery",
    29 "0029_room_turns",
    30 "0030_room_measures",
    31 "0031_sms_sums",
    32 "0032_operator_searches",
    33 "0033_chat_age",
    34 "0034_job_traces",
    35 "0035_rows",
    36 "0036_leagues",
    37 "0037_questions",
    38 "0038_push",
    39 "0039_push_chat",
    40 "0040_replicas",
    41 "0041_login_tokens",
];

const HISTORY: &str = "CREATE TABLE IF NOT EXISTS schema_migrations (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    checksum TEXT NOT NULL,
    applied_at INTEGER NOT NULL
) STRICT";

/// Nodes that start at once take turns; and a table of any size may be rebuilt.
const TAKE_TURNS: &str = "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0;
    SELECT pg_advisory_xact_lock(7461766368)";

/// `IN (SELECT value FROM json_each($1))` with a JSON array, as on SQLite. There a value has its
/// JSON type and here it is TEXT, so numbers are written `CAST(value AS BIGINT)`; `key` is the
/// position from 0 on both. Not STRICT, so that PostgreSQL can inline it; and with a condition that is always true, of which it
/// believes that few rows meet it, so that it looks up each of them by index instead of reading the whole of a table that is small yet.
///
/// `json_each($1, '$')` is for rows of several columns: of a value that is itself an array, `value ->> 0` is the first item as text, and
/// `value -> 1 ->> 0` the first of an array in it. There a value is JSON that was parsed once, of which each item is at hand; as text it
/// would be parsed for every column. `unhex` is for bytes, which JSON has not. None is more than its expression to the planner.
///
/// Nodes of versions before the second form ask by `->>` of text.
const AS_ON_SQLITE: &str = "
    CREATE OR REPLACE FUNCTION json_each(document text)
    RETURNS TABLE(key bigint, value text) LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 1
    AS 'SELECT n - 1, v FROM json_array_elements_text(document::json) WITH ORDINALITY AS t(v, n)
        WHERE n BETWEEN 1 AND 2000000000';
    CREATE OR REPLACE FUNCTION json_each(document text, root text)
    RETURNS TABLE(key bigint, value jsonb) LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 1
    AS 'SELECT n - 1, v FROM jsonb_array_elements(document::jsonb) WITH ORDINALITY AS t(v, n)
        WHERE n BETWEEN 1 AND 2000000000';
    CREATE OR REPLACE FUNCTION unhex(digits text) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS 'SELECT decode(digits, ''hex'')';
    CREATE OR REPLACE FUNCTION json_item(document text, place integer) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
    AS 'SELECT document::json ->> place';
    DO 'BEGIN
        CREATE OPERATOR ->> (LEFTARG = text, RIGHTARG = integer, FUNCTION = json_item);
    EXCEPTION WHEN duplicate_function THEN NULL;
    END'";

/// Applies the first migration that is missing, in the transaction of `tx`; its name, if any was.
pub(super) fn apply_next(tx: &mut Tx, known: &[Migration]) -> Result<Option<String>> {
    let engine = tx.engine();
    if engine == Engine::Postgres {
        tx.batch(TAKE_TURNS)?;
    }
    tx.batch(&in_dialect(HISTORY, engine))?;
    let applied: Vec<(i64, String, String)> =
        tx.all("SELECT version, name, checksum FROM schema_migrations ORDER BY version", &[])?;
    check(&applied, known)?;
    let Some(next) = known.iter().find(|known| !applied.iter().any(|(v, ..)| *v == known.version))
    else {
        return Ok(None);
    };
    if engine == Engine::Postgres {
        tx.batch(AS_ON_SQLITE)?;
    }
    tx.batch(&in_dialect(next.sql, engine))?;
    tx.exec(
        "INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES ($1, $2, $3, $4)",
        super::params![next.version, next.name, checksum(next.sql), tx.now()],
    )?;
    Ok(Some(next.name.to_owned()))
}

/// Whether all of these migrations, and no others, have been applied.
pub(super) fn is_up_to_date(applied: &[(i64, String, String)], known: &[Migration]) -> bool {
    applied.len() == known.len() && check(applied, known).is_ok()
}

fn check(applied: &[(i64, String, String)], known: &[Migration]) -> DatabaseResult<()> {
    for (version, name, recorded) in applied {
        let Some(ours) = known.iter().find(|known| known.version == *version) else {
            return Err(DatabaseError::Setup(format!(
                "the database is newer than this program: it has migration {name}, which this \
                 program does not know; run a newer program"
            )));
        };
        if *recorded != checksum(ours.sql) {
            return Err(DatabaseError::Setup(format!(
                "migration {name} was changed after it was applied to this database; restore its \
                 text and put the change into a new migration"
            )));
        }
    }
    Ok(())
}

fn checksum(sql: &str) -> String {
    keys::hex(&Sha256::digest(sql.as_bytes()))
}

pub(super) fn in_dialect(sql: &str, engine: Engine) -> String {
    match engine {
        Engine::Sqlite => sql.to_owned(),
        Engine::Postgres => for_postgres(sql),
    }
}

/// Replaces the words of SQLite's STRICT SQL that PostgreSQL spells otherwise, leaving comments and
/// quoted texts alone.
fn for_postgres(sql: &str) -> String {
    let mut out = String::with_capacity(sql.len() * 2);
    let mut rest = sql;
    let mut before = "";
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '-' if rest.starts_with("--") => rest.find('\n').unwrap_or(rest.len()),
            '\'' | '"' => quoted_length(rest, first),
            c if c.is_alphanumeric() || c == '_' => {
                rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
            }
            c => c.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        let is_key = after.trim_start().starts_with("PRIMARY KEY");
        out.push_str(match token {
            "INTEGER" if is_key => "BIGINT GENERATED BY DEFAULT AS IDENTITY",
            "INTEGER" => "BIGINT",
            "BLOB" => "BYTEA",
            // The order of texts is that of their bytes, as on SQLite; a CAST takes no collation.
            "TEXT" if before != "AS" => "TEXT COLLATE \"C\"",
            "STRICT" | "AUTOINCREMENT" => "",
            other => other,
        });
        if !token.trim().is_empty() {
            before = token;
        }
    }
    out
}

/// Up to and with the closing quote; a doubled quote just begins the next quoted text.
fn quoted_length(text: &str, quote: char) -> usize {
    let inside =
        text.chars().skip(1).take_while(|c| *c != quote).map(char::len_utf8).sum::<usize>();
    text.len().min(inside + 2)
}
