//! Long results, on either engine.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use bytes::Bytes;
use futures_util::StreamExt;

use super::*;
use crate::platform::db::{Chunks, Reader};
use crate::platform::error::DatabaseError;

const ENDLESS: &str = "WITH RECURSIVE n(i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";

pub(super) fn reader(address: u8, user: i64) -> Reader {
    Reader { address: IpAddr::V4(Ipv4Addr::new(10, 0, 0, address)), user: Some(user) }
}

/// A list without an end, and nobody who reads more than its beginning.
fn stalled(db: &Db, reader: Reader) -> Result<Chunks> {
    db.stream(reader, |tx, sink| {
        tx.each(ENDLESS, &[], |_: i64| sink.send(Bytes::from_static(b"x")))
    })
}

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
        let chunks = db.stream(reader(1, 1), |tx, sink| {
            sink.send(Bytes::from_static(b"["))?;
            tx.each(
                "WITH RECURSIVE n(i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
                 SELECT i FROM n",
                &[],
                |n: i64| sink.send(format!("{n},").into()),
            )
        });
        let chunks = chunks.unwrap();
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
        let chunks = db.stream(reader(1, 1), move |tx, sink| {
            tx.each(ENDLESS, &[], |_: i64| {
                counter.fetch_add(1, Ordering::SeqCst);
                sink.send(Bytes::from_static(&[7; 1024]))
            })
        });
        let mut chunks = chunks.unwrap();
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
        let chunks = db.stream(reader(1, 1), move |tx, sink| {
            let outcome = tx.each(ENDLESS, &[], |_: i64| sink.send(Bytes::from_static(b"x")));
            flag.store(true, Ordering::SeqCst);
            outcome
        });
        let mut chunks = chunks.unwrap();
        chunks.next().await.unwrap().unwrap();
        drop(chunks);
        soon("the script ends", || async { ended.load(Ordering::SeqCst) }).await;
        // Its connection is none the worse for it.
        let next = db.stream(reader(1, 1), |_, sink| sink.send(Bytes::from_static(b"y")));
        assert_eq!(next.unwrap().count().await, 1);
    }
}

#[tokio::test]
async fn readers_that_stand_still_hold_up_no_ordinary_read() {
    for db in engines().await {
        with_items(&db).await;
        let stalled: Vec<_> = (0..20).map(|who| stalled(&db, reader(who, who.into()))).collect();
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
            .stream(reader(1, 1), |tx, sink| {
                sink.send(Bytes::from_static(b"x"))?;
                tx.one::<i64>("SELECT nonsense FROM nowhere", &[]).map(drop)
            })
            .unwrap()
            .collect()
            .await;
        assert_eq!(items.len(), 2);
        assert!(matches!(items[1], Err(Error::Database(DatabaseError::Other(_)))));
        let panicked = db.stream(reader(1, 1), |_, _| panic!("on purpose"));
        let panicked: Vec<_> = panicked.unwrap().collect().await;
        assert!(matches!(panicked[0], Err(Error::Database(DatabaseError::Panicked))));
    }
}

/// Whether a list of this reader begins, and not only waits for another to end.
async fn begins(db: &Db, reader: Reader) -> bool {
    let list = db.stream(reader, |_, sink| sink.send(Bytes::from_static(b"y"))).unwrap();
    tokio::time::timeout(Duration::from_millis(500), list.count()).await.is_ok()
}

#[tokio::test]
async fn slow_readers_of_one_user_and_of_one_address_leave_lists_to_others() {
    for db in engines().await {
        let limit = |refused: Result<Chunks>| match refused {
            Err(Error::RateLimited { code, .. }) => code,
            _ => panic!("not refused"),
        };
        // Two of a user run, from wherever; two more wait.
        let of_one_user: Vec<_> = (0..4).map(|at| stalled(&db, reader(at, 1)).unwrap()).collect();
        assert_eq!(limit(stalled(&db, reader(9, 1))), "user_list_limit");
        assert!(begins(&db, reader(1, 2)).await);
        drop(of_one_user);
        // Three of an address run, for whomever; the others wait.
        let of_one_address: Vec<_> =
            (0..35).map(|user| stalled(&db, reader(5, user)).unwrap()).collect();
        assert_eq!(limit(stalled(&db, reader(5, 99))), "address_list_limit");
        assert!(begins(&db, reader(6, 99)).await);
        drop(of_one_address);
        assert!(begins(&db, reader(5, 99)).await);
        db.close().await;
    }
}

#[tokio::test]
async fn a_list_that_waited_for_its_readers_share_begins_when_another_ends() {
    for db in engines().await {
        let mut running =
            vec![stalled(&db, reader(1, 1)).unwrap(), stalled(&db, reader(2, 1)).unwrap()];
        for list in &mut running {
            list.next().await.unwrap().unwrap();
        }
        let mut waiting = stalled(&db, reader(3, 1)).unwrap();
        assert!(tokio::time::timeout(Duration::from_millis(100), waiting.next()).await.is_err());
        running.pop();
        waiting.next().await.unwrap().unwrap();
        drop((running, waiting));
        db.close().await;
    }
}
