//! What scripts may rely on, on either engine.

use std::future::poll_fn;
use std::task::Poll;

use super::super::{Engine, column, enum_column, params, row, text_column};
use super::*;
use crate::platform::error::{DatabaseError, StatusHint};

#[tokio::test]
async fn a_write_is_seen_by_the_next_read() {
    for db in engines().await {
        with_items(&db).await;
        let id = db.write(|tx| insert(tx, "a", 1)).await.unwrap();
        let found: Option<(i64, i64)> = db
            .read(|tx| tx.opt("SELECT id, amount FROM items WHERE name = $1", params!["a"]))
            .await
            .unwrap();
        assert_eq!(found, Some((id, 1)));
        db.ping().await.unwrap();
    }
}

#[tokio::test]
async fn a_script_that_fails_or_panics_leaves_nothing_behind_and_harms_nobody() {
    for db in engines().await {
        with_items(&db).await;
        let fail = |tx: &mut Tx| insert(tx, "a", 1).and(Err::<(), _>(not_found!("event")));
        assert!(matches!(db.write(fail).await, Err(Error::NotFound(_))));
        let panicked: Result<()> = db
            .write(|tx| {
                insert(tx, "a", 1)?;
                panic!("on purpose")
            })
            .await;
        assert_eq!(cause(panicked), DatabaseError::Panicked);
        db.write(|tx| insert(tx, "b", 1)).await.unwrap();
        assert_eq!(names(&db).await, ["b"]);
    }
}

#[tokio::test]
async fn a_broken_rule_of_uniqueness_names_table_and_column() {
    for db in engines().await {
        with_items(&db).await;
        db.write(|tx| insert(tx, "a", 1)).await.unwrap();
        assert_eq!(cause(db.write(|tx| insert(tx, "a", 2)).await), present("items.name"));
        let error = cause(
            db.write(|tx| {
                tx.exec("INSERT INTO items (id, name, amount) SELECT id, 'x', 0 FROM items", &[])
            })
            .await,
        );
        assert_eq!(error, present("items.id"));
    }
}

#[tokio::test]
async fn after_a_failed_statement_nothing_counts_even_if_the_script_says_ok() {
    for db in engines().await {
        with_items(&db).await;
        db.write(|tx| insert(tx, "a", 1)).await.unwrap();
        let swallowed = db
            .write(|tx| {
                insert(tx, "b", 1)?;
                assert!(insert(tx, "a", 2).is_err());
                assert_eq!(cause(insert(tx, "c", 1)), DatabaseError::Poisoned);
                Ok(())
            })
            .await;
        assert_eq!(cause(swallowed), present("items.name"));
        assert_eq!(names(&db).await, ["a"]);
    }
}

#[tokio::test]
async fn neither_a_read_nor_a_lookup_can_write() {
    for db in engines().await {
        with_items(&db).await;
        let write = |tx: &mut Tx| insert(tx, "a", 1);
        for error in [cause(db.read(write).await), cause(db.lookup(write).await)] {
            assert_eq!(error.status_hint(), StatusHint::Internal, "{error:?}");
        }
        assert!(names(&db).await.is_empty());
    }
}

#[tokio::test]
async fn a_read_sees_one_moment() {
    for db in engines().await {
        with_items(&db).await;
        let (entered, mut has_entered) = tokio::sync::mpsc::channel(1);
        let (go_on, wait) = crossbeam_channel::bounded::<()>(1);
        let count_twice = move |tx: &mut Tx| {
            let before: i64 = tx.one("SELECT COUNT(*) FROM items", &[])?;
            entered.try_send(()).unwrap();
            wait.recv().unwrap();
            let after: i64 = tx.one("SELECT COUNT(*) FROM items", &[])?;
            Ok((before, after))
        };
        let reader = db.db.clone();
        let counts = tokio::spawn(async move { reader.read(count_twice).await });
        has_entered.recv().await.unwrap();
        db.write(|tx| insert(tx, "a", 1)).await.unwrap();
        go_on.send(()).unwrap();
        assert_eq!(counts.await.unwrap().unwrap(), (0, 0));
        assert_eq!(names(&db).await, ["a"]);
    }
}

#[tokio::test]
async fn parameters_are_bound_by_their_number_in_any_order_and_more_than_once() {
    for db in engines().await {
        let found: (String, i64, String, i64) = db
            .read(|tx| {
                tx.one(
                    "SELECT CAST($3 AS TEXT), CAST($1 AS BIGINT), CAST($2 AS TEXT), CAST($1 AS BIGINT) + 1",
                    params![7_i64, "two", "three"],
                )
            })
            .await
            .unwrap();
        assert_eq!(found, ("three".to_owned(), 7, "two".to_owned(), 8));
    }
}

#[tokio::test]
async fn row_locks_are_taken_where_there_are_any() {
    for db in engines().await {
        with_items(&db).await;
        db.write(|tx| insert(tx, "a", 5)).await.unwrap();
        let amounts: Vec<i64> = db
            .write(|tx| {
                Ok(vec![
                    tx.one("SELECT amount FROM items WHERE name = $1 FOR UPDATE", params!["a"])?,
                    tx.one("SELECT amount FROM items ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED", &[])?,
                    tx.one("SELECT amount FROM (SELECT amount FROM items FOR SHARE) AS x WHERE amount > 0", &[])?,
                ])
            })
            .await
            .unwrap();
        assert_eq!(amounts, [5, 5, 5]);
    }
}

#[derive(Debug, PartialEq)]
struct UserId(i64);
column!(UserId as i64);
#[derive(Debug, PartialEq)]
struct Phone(String);
text_column!(Phone);
#[derive(Debug, PartialEq)]
enum Side {
    Home,
    Away,
}
enum_column!(Side { Home = "home", Away = "away" });

row! {
    #[derive(Debug, PartialEq)]
    pub struct Everything {
        pub whole: i64,
        text: String,
        bytes: Vec<u8>,
        hash: Vec<u8>,
        flag: bool,
        moment: Timestamp,
        user: UserId,
        phone: Phone,
        side: Option<Side>,
        nothing: (Option<i64>, Option<String>, Option<Vec<u8>>, Option<bool>, Option<Timestamp>, Option<Phone>),
    }
}

#[tokio::test]
async fn every_type_comes_back_as_it_went_in() {
    for db in engines().await {
        db.write(|tx| {
            let sql = "CREATE TABLE v (a INTEGER, c TEXT, d BLOB, e BLOB, f INTEGER, g INTEGER, h INTEGER,
                i TEXT, j TEXT, k INTEGER, m TEXT, n BLOB, o INTEGER, p INTEGER, q TEXT) STRICT";
            Ok(tx.batch(&super::super::migrations::in_dialect(sql, tx.engine()))?)
        })
        .await
        .unwrap();
        let found: Everything = db
            .write(|tx| {
                let phone = Phone("+44123".to_owned());
                tx.one(
                    "INSERT INTO v VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
                     RETURNING *",
                    params![
                        i64::MIN, "täxt", vec![0_u8, 255], [1_u8, 2, 3], true, START, UserId(9), &phone,
                        Some(Side::Away), None::<i64>, None::<&str>, None::<&[u8]>, None::<bool>,
                        None::<Timestamp>, None::<Phone>
                    ],
                )
            })
            .await
            .unwrap();
        assert_eq!(
            found,
            Everything {
                whole: i64::MIN,
                text: "täxt".to_owned(),
                bytes: vec![0, 255],
                hash: vec![1, 2, 3],
                flag: true,
                moment: START,
                user: UserId(9),
                phone: Phone("+44123".to_owned()),
                side: Some(Side::Away),
                nothing: (None, None, None, None, None, None),
            }
        );
        assert_ne!(found.side, Some(Side::Home));
        let wrong = db.read(|tx| tx.one::<i64>("SELECT c FROM v", &[])).await;
        assert!(matches!(cause(wrong), DatabaseError::Mismatch(_)));
    }
}

#[tokio::test]
async fn a_list_is_given_as_json() {
    for db in engines().await {
        db.migrate().await.unwrap();
        with_items(&db).await;
        let found: (Vec<String>, Vec<i64>) = db
            .write(|tx| {
                for (name, amount) in [("a", 1), ("b", 2), ("c", 3)] {
                    insert(tx, name, amount)?;
                }
                Ok((
                    tx.all(
                        "SELECT name FROM items WHERE name IN (SELECT value FROM json_each($1)) ORDER BY name",
                        params![r#"["a","c","x"]"#],
                    )?,
                    tx.all(
                        "SELECT amount FROM items WHERE amount IN (SELECT CAST(value AS BIGINT) FROM json_each($1)) ORDER BY 1",
                        params!["[2,3]"],
                    )?,
                ))
            })
            .await
            .unwrap();
        assert_eq!(found, (vec!["a".to_owned(), "c".to_owned()], vec![2, 3]));
    }
}

#[tokio::test]
async fn no_row_is_none_for_opt_and_a_defect_for_one() {
    for db in engines().await {
        with_items(&db).await;
        let none = db.read(|tx| tx.opt::<i64>("SELECT id FROM items", &[])).await.unwrap();
        assert_eq!(none, None);
        let one = db.read(|tx| tx.one::<i64>("SELECT id FROM items", &[])).await;
        assert!(matches!(one, Err(Error::Internal(_))));
    }
}

#[tokio::test]
async fn a_queue_that_is_full_answers_busy_at_once() {
    let small = |settings: &mut DatabaseConfig| {
        settings.queue_limit = 1;
        settings.sqlite_readers = 1;
        settings.postgres_connections = 1;
    };
    let mut all = vec![sqlite_with(small).await];
    all.extend(postgres_with(small).await);
    for db in all {
        let (go_on, wait) = crossbeam_channel::bounded::<()>(1);
        let (entered, mut has_entered) = tokio::sync::mpsc::channel(1);
        let running = db.db.clone();
        let first = tokio::spawn(async move {
            running
                .read(move |_| {
                    entered.try_send(()).unwrap();
                    wait.recv().unwrap();
                    Ok(())
                })
                .await
        });
        has_entered.recv().await.unwrap();
        let mut second = Box::pin(db.read(|_| Ok(())));
        poll_fn(|cx| Poll::Ready(second.as_mut().poll(cx).is_ready())).await;
        assert!(matches!(cause(db.read(|_| Ok(())).await), DatabaseError::Busy(_)));
        go_on.send(()).unwrap();
        first.await.unwrap().unwrap();
        second.await.unwrap();
    }
}

#[tokio::test]
async fn closing_finishes_what_waits_and_refuses_what_comes() {
    for db in engines().await {
        with_items(&db).await;
        let waiting: Vec<_> = (0..50)
            .map(|n| {
                let db = db.db.clone();
                tokio::spawn(
                    async move { db.write(move |tx| insert(tx, &format!("n{n}"), n)).await },
                )
            })
            .collect();
        tokio::task::yield_now().await;
        db.close().await;
        let mut done = 0;
        for task in waiting {
            match task.await.unwrap() {
                Ok(_) => done += 1,
                Err(Error::Database(DatabaseError::Closed)) => {}
                Err(other) => panic!("{other}"),
            }
        }
        assert!(done > 0);
        assert_eq!(cause(db.read(|_| Ok(())).await), DatabaseError::Closed);
        let again = db.open_again().await;
        assert_eq!(names(&again).await.len(), done);
    }
}

#[tokio::test]
async fn a_notice_arrives_after_the_commit_and_never_without_it() {
    for db in engines().await {
        let mut heard = db.listen("teams");
        if db.engine() == Engine::Postgres {
            assert_eq!(heard.recv().await.unwrap(), super::super::RESTARTED);
        }
        let failed: Result<()> = db
            .write(|tx| {
                tx.notify("teams", "failed")?;
                Err(Error::TooLarge)
            })
            .await;
        assert!(failed.is_err());
        db.write(|tx| tx.notify("elsewhere", "other")).await.unwrap();
        db.write(|tx| tx.notify("teams", "42")).await.unwrap();
        let first = tokio::time::timeout(Duration::from_secs(5), heard.recv()).await.unwrap();
        assert_eq!(first.unwrap(), "42");
        assert!(db.read(|tx| tx.notify("teams", "x")).await.is_err());
    }
}

#[tokio::test]
async fn a_bad_url_is_refused_without_printing_the_password() {
    for url in [
        "mysql://root:hunter2@db/x",
        "postgres://root:hunter2@127.0.0.1:notaport/x",
        "postgres://root:hunter2@127.0.0.1:1/x?sslmode=sometimes",
        "postgres://root:hunter2@127.0.0.1:1/x",
        "sqlite:/nowhere/hunter/x.db",
        "sqlite::memory:",
    ] {
        let error = open(url, &defaults()).await.err().unwrap();
        let text = format!("{error} {error:?}");
        assert!(!text.contains("hunter2"), "{text}");
        assert!(
            matches!(error, Error::Database(DatabaseError::Setup(_) | DatabaseError::Lost(_))),
            "{text}"
        );
    }
}
