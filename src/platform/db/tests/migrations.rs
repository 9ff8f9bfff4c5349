//! The schema and its history.

use super::super::migrations::{MIGRATIONS, Migration, in_dialect};
use super::super::{Engine, params};
use super::*;
use crate::platform::error::DatabaseError;

#[test]
fn every_file_is_in_the_list_and_in_order() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/migrations");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    let listed: Vec<String> =
        MIGRATIONS.iter().map(|known| format!("{}.sql", known.name)).collect();
    assert_eq!(files, listed);
    for known in MIGRATIONS {
        assert!(known.name.starts_with(&format!("{:04}_", known.version)));
    }
    assert!(MIGRATIONS.is_sorted_by(|one, next| one.version < next.version));
}

#[tokio::test]
async fn migrating_twice_applies_everything_once() {
    for db in engines().await {
        let expected: Vec<_> = MIGRATIONS.iter().map(|known| known.name).collect();
        assert_eq!(db.migrate().await.unwrap(), expected);
        assert!(db.migrate().await.unwrap().is_empty());
        let recorded: Vec<(i64, Timestamp)> = db
            .read(|tx| tx.all("SELECT version, applied_at FROM schema_migrations ORDER BY 1", &[]))
            .await
            .unwrap();
        assert_eq!(recorded.len(), MIGRATIONS.len());
        assert_eq!(recorded[0], (1, START));
    }
}

#[tokio::test]
async fn nodes_that_migrate_at_once_take_turns() {
    for db in engines().await {
        let mut nodes = Vec::new();
        for _ in 0..4 {
            nodes.push(db.open_again().await);
        }
        let running: Vec<_> = nodes
            .iter()
            .map(|node| {
                let node = node.clone();
                tokio::spawn(async move { node.migrate().await.unwrap().len() })
            })
            .collect();
        let mut applied = 0;
        for node in running {
            applied += node.await.unwrap();
        }
        assert_eq!(applied, MIGRATIONS.len());
    }
}

const ONE: Migration =
    Migration { version: 1, name: "0001_one", sql: "CREATE TABLE one (a INTEGER) STRICT;" };
const TWO: Migration =
    Migration { version: 2, name: "0002_two", sql: "CREATE TABLE two (a INTEGER) STRICT;" };
const BOTH: &[Migration] = &[ONE, TWO];

#[tokio::test]
async fn a_migration_that_was_changed_afterwards_is_refused() {
    const CHANGED: &[Migration] = &[Migration { sql: "CREATE TABLE one (a TEXT) STRICT;", ..ONE }];
    for db in engines().await {
        db.migrate_with(&[ONE]).await.unwrap();
        let error = cause(db.migrate_with(CHANGED).await);
        assert!(error.to_string().contains("0001_one was changed"), "{error}");
    }
}

#[tokio::test]
async fn a_database_that_is_newer_than_the_program_is_refused() {
    for db in engines().await {
        assert_eq!(db.migrate_with(BOTH).await.unwrap().len(), 2);
        let error = cause(db.migrate_with(&[ONE]).await);
        assert!(error.to_string().contains("newer than this program"), "{error}");
    }
}

#[tokio::test]
async fn a_migration_that_fails_leaves_nothing_of_itself() {
    const SQL: &str = "CREATE TABLE two (a INTEGER) STRICT; NONSENSE;";
    const BROKEN: &[Migration] = &[ONE, Migration { sql: SQL, ..TWO }];
    for db in engines().await {
        assert!(matches!(cause(db.migrate_with(BROKEN).await), DatabaseError::Other(_)));
        assert_eq!(db.migrate_with(BOTH).await.unwrap(), ["0002_two"]);
    }
}

/// Tables with their columns, types in SQLite's words, and what may be NULL.
async fn schema(db: &Db) -> Vec<(String, String, String, bool)> {
    let engine = db.engine();
    db.read(move |tx| {
        tx.all(
            match engine {
                Engine::Sqlite => {
                    "SELECT t.name, c.name, c.type, c.\"notnull\" = 0 AND c.pk = 0
                     FROM sqlite_schema t, pragma_table_info(t.name) c
                     WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY 1, 2"
                }
                Engine::Postgres => {
                    "SELECT CAST(table_name AS TEXT), CAST(column_name AS TEXT), CASE CAST(data_type AS TEXT)
                     WHEN 'bigint' THEN 'INTEGER' WHEN 'text' THEN 'TEXT' WHEN 'bytea' THEN 'BLOB'
                     ELSE CAST(data_type AS TEXT) END, is_nullable = 'YES'
                     FROM information_schema.columns WHERE table_schema = 'public'
                       AND table_name IN (SELECT table_name FROM information_schema.tables WHERE table_type = 'BASE TABLE')
                     ORDER BY CAST(table_name AS TEXT) COLLATE \"C\", CAST(column_name AS TEXT) COLLATE \"C\""
                }
            },
            params![],
        )
    })
    .await
    .unwrap()
}

mod needs_postgres {
    use super::super::cluster::no_postgres;
    use super::*;

    #[tokio::test]
    #[ignore = "needs PostgreSQL"]
    async fn the_schema_is_the_same_on_both_engines() {
        let sqlite = sqlite_with(|_| {}).await;
        sqlite.migrate().await.unwrap();
        let ours = schema(&sqlite).await;
        assert!(ours.iter().any(|(table, column, ..)| table == "users" && column == "phone"));
        let Some(postgres) = postgres_with(|_| {}).await else { no_postgres() };
        postgres.migrate().await.unwrap();
        assert_eq!(ours, schema(&postgres).await);
    }
}

#[test]
fn words_are_replaced_and_comments_and_quotes_are_not() {
    let sql = "-- INTEGER in a comment\n\
        CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT DEFAULT 'TEXT, it''s', b BLOB, n INTEGER,\n\
        CHECK (CAST(n AS TEXT) <> 'BLOB')) STRICT;";
    assert_eq!(in_dialect(sql, Engine::Sqlite), sql);
    assert_eq!(
        in_dialect(sql, Engine::Postgres),
        "-- INTEGER in a comment\n\
        CREATE TABLE t (id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, a TEXT COLLATE \"C\" \
        DEFAULT 'TEXT, it''s', b BYTEA, n BIGINT,\n\
        CHECK (CAST(n AS TEXT) <> 'BLOB')) ;"
    );
}
