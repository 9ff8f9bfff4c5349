//! Small reads, on either engine.

use std::sync::{Arc, Barrier};
use std::time::Instant;

use super::super::ChangeCounter;
use super::*;
use crate::platform::error::DatabaseError;

#[tokio::test]
async fn a_lookup_sees_what_was_written_before_it() {
    for db in engines().await {
        with_items(&db).await;
        for n in 0..20 {
            db.write(move |tx| insert(tx, &format!("item {n}"), n)).await.unwrap();
            let sum =
                |tx: &mut Tx| tx.one::<i64>("SELECT CAST(sum(amount) AS BIGINT) FROM items", &[]);
            assert_eq!(db.lookup(sum).await.unwrap(), (0..=n).sum::<i64>());
        }
    }
}

#[tokio::test]
async fn a_lookup_that_panics_is_an_error_and_harms_no_later_one() {
    for db in engines().await {
        for _ in 0..9 {
            let panicked: Result<()> = db.lookup(|_| panic!("on purpose")).await;
            assert_eq!(cause(panicked), DatabaseError::Panicked);
        }
        assert_eq!(
            db.lookup(|tx| tx.one::<i64>("SELECT CAST(7 AS BIGINT)", &[])).await.unwrap(),
            7
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn more_lookups_at_once_than_there_are_connections_are_all_answered() {
    let db = sqlite_with(|settings| settings.sqlite_readers = 2).await;
    // Two on the threads of their callers, two on those of readers.
    let all_inside = Arc::new(Barrier::new(4));
    let lookups = (0..4).map(|n: i64| {
        let (db, all_inside) = (db.db.clone(), Arc::clone(&all_inside));
        tokio::spawn(async move {
            let meet = move |_: &mut Tx| {
                all_inside.wait();
                Ok(n)
            };
            db.lookup(meet).await
        })
    });
    for (n, answer) in (0..).zip(futures_util::future::join_all(lookups).await) {
        assert_eq!(answer.unwrap().unwrap(), n);
    }
}

#[tokio::test]
async fn a_lookup_after_the_end_is_refused() {
    for db in engines().await {
        db.close().await;
        assert_eq!(
            cause(db.lookup(|tx| tx.one::<i64>("SELECT 1", &[])).await),
            DatabaseError::Closed
        );
    }
}

async fn seconds_until_answered(db: &Db, kept: &'static ChangeCounter) -> f64 {
    let (before, started) = (kept.so_far(), Instant::now());
    let change = move |tx: &mut Tx| {
        tx.changes(kept);
        Ok(())
    };
    db.write(change).await.unwrap();
    assert!(kept.so_far() > before);
    started.elapsed().as_secs_f64()
}

mod needs_postgres {
    use super::super::cluster::no_postgres;
    use super::*;

    #[tokio::test]
    #[ignore = "needs PostgreSQL"]
    async fn a_change_that_no_other_node_may_show_is_answered_once_none_does() {
        static KEPT: ChangeCounter = ChangeCounter::kept_elsewhere_for(Duration::from_millis(60));
        let Some(db) = postgres_with(|_| {}).await else { no_postgres() };
        assert!(seconds_until_answered(&db, &KEPT).await >= 0.06);
    }
}

#[tokio::test]
async fn where_there_is_one_node_nobody_waits_for_others() {
    static KEPT: ChangeCounter = ChangeCounter::kept_elsewhere_for(Duration::from_secs(3_600));
    let db = sqlite_with(|_| {}).await;
    let answered = seconds_until_answered(&db, &KEPT);
    assert!(tokio::time::timeout(Duration::from_secs(60), answered).await.is_ok());
}
