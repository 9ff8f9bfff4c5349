//! Long results, on either engine.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use bytes::Bytes;
use futures_util::StreamExt;

use super::*;
use crate::platform::error::DatabaseError;

const ENDLESS: &str = "WITH RECURSIVE n(i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";

#[tokio::test]
async fn each_gives_rows_one_by_one_so_that_even_an_endless_list_can_be_begun() {
    for db in engines().await {
        let enough: Result<()> = db
            .read(|tx| {
                tx.each(ENDLESS, &[], |n: i64| if n < 5000 { Ok(()) } else { Err(Error::TooLarge) })
            })
            .await;
        assert!(matches!(enough, Err(Error::TooLarge)));
        let first: Option<i64> = db.read(|tx| tx.opt(ENDLESS, &[])).await.unwrap();
        assert_eq!(first, Some(1));
        db.ping().await.unwrap();
    }
}

#[tokio::test]
async fn a_stream_delivers_everything_in_order() {
    for db in engines().await {
        let chunks = db.stream(|tx, sink| {
            sink.send(Bytes::from_static(b"["))?;
            tx.each(
                "WITH RECURSIVE n(i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
                 SELECT i FROM n",
                &[],
                |n: i64| sink.send(format!("{n},").into()),
            )
        });
        let chunks: Vec<Bytes> = chunks.map(|chunk| chunk.unwrap()).collect().await;
        let expected: String =
            std::iter::once("[".to_owned()).chain((1..=20_000).map(|n| format!("{n},"))).collect();
        assert_eq!(chunks.concat(), expected.as_bytes());
    }
}

#[tokio::test]
async fn a_stream_waits_for_a_slow_reader_and_keeps_little_in_memory() {
    for db in engines().await {
        let made = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&made);
        let mut chunks = db.stream(move |tx, sink| {
            tx.each(ENDLESS, &[], |_: i64| {
                counter.fetch_add(1, Ordering::SeqCst);
                sink.send(Bytes::from_static(&[7; 1024]))
            })
        });
        chunks.next().await.unwrap().unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert!(made.load(Ordering::SeqCst) < 10, "{made:?} chunks were made for nobody");
    }
}

#[tokio::test]
async fn a_stream_ends_when_its_reader_goes_away() {
    for db in engines().await {
        let ended = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&ended);
        let mut chunks = db.stream(move |tx, sink| {
            let outcome = tx.each(ENDLESS, &[], |_: i64| sink.send(Bytes::from_static(b"x")));
            flag.store(true, Ordering::SeqCst);
            outcome
        });
        chunks.next().await.unwrap().unwrap();
        drop(chunks);
        soon("the script ends", || async { ended.load(Ordering::SeqCst) }).await;
        // Its connection is none the worse for it.
        let next: Vec<_> = db.stream(|_, sink| sink.send(Bytes::from_static(b"y"))).collect().await;
        assert_eq!(next.len(), 1);
    }
}

#[tokio::test]
async fn readers_that_stand_still_hold_up_no_ordinary_read() {
    for db in engines().await {
        with_items(&db).await;
        let stalled: Vec<_> = (0..20)
            .map(|_| {
                db.stream(|tx, sink| {
                    tx.each(ENDLESS, &[], |_: i64| sink.send(Bytes::from_static(b"x")))
                })
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(50)).await;
        db.write(|tx| insert(tx, "a", 1)).await.unwrap();
        assert_eq!(names(&db).await, ["a"]);
        drop(stalled);
        db.close().await;
    }
}

#[tokio::test]
async fn an_error_is_the_last_thing_a_stream_delivers() {
    for db in engines().await {
        let items: Vec<_> = db
            .stream(|tx, sink| {
                sink.send(Bytes::from_static(b"x"))?;
                tx.one::<i64>("SELECT nonsense FROM nowhere", &[]).map(drop)
            })
            .collect()
            .await;
        assert_eq!(items.len(), 2);
        assert!(matches!(items[1], Err(Error::Database(DatabaseError::Other(_)))));
        let panicked: Vec<_> = db.stream(|_, _| panic!("on purpose")).collect().await;
        assert!(matches!(panicked[0], Err(Error::Database(DatabaseError::Panicked))));
    }
}
