#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on should stop where it stands

use std::sync::mpsc;

use axum::response::IntoResponse;
use futures_of::together;
use http::StatusCode;

use super::*;
use crate::budget::QUEUE;

/// What is started here is under way before the next thing is done.
mod futures_of {
    use std::future::Future;
    use std::pin::Pin;
    use std::task::{Context, Waker};

    type Job<'a> = Pin<Box<dyn Future<Output = u16> + 'a>>;

    /// Starts all of them, in order.
    pub fn together<'a>(work: impl Iterator<Item = Job<'a>>) -> Vec<Job<'a>> {
        work.map(|mut job| {
            let polled = job.as_mut().poll(&mut Context::from_waker(Waker::noop()));
            assert!(polled.is_pending());
            job
        })
        .collect()
    }
}

fn open(folder: &tempfile::TempDir) -> Store {
    Store::open(&folder.path().join("test.db"), &Config::default()).unwrap().0
}

fn status<T>(outcome: Result<T>) -> StatusCode {
    outcome.map_or_else(|error| error.into_response().status(), |_| StatusCode::OK)
}

#[tokio::test]
async fn the_services_reads_go_on_while_users_keep_all_readers_busy_and_their_queue_is_full() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder);
    let (started, has_started) = mpsc::channel();
    let (release, wait) = mpsc::channel::<()>();
    let wait = Arc::new(Mutex::new(wait));
    let slow = |_| -> std::pin::Pin<Box<dyn std::future::Future<Output = u16> + '_>> {
        let (started, wait) = (started.clone(), wait.clone());
        Box::pin(async {
            let read = store.read(move |_| {
                let _ = started.send(());
                let _ = lock(&wait).recv();
                Ok(())
            });
            status(read.await).as_u16()
        })
    };
    let mut crowd = together((0..READERS).map(slow));
    for _ in 0..READERS {
        has_started.recv().unwrap(); // from here on no reader takes anything out of the queue
    }
    crowd.extend(together((0..QUEUE).map(slow)));
    let refused = store.read(|_| Ok(())).await;
    assert_eq!(status(refused), StatusCode::TOO_MANY_REQUESTS);
    store.read_in(Turn::Service, |_| Ok(())).await.unwrap();
    drop(release);
    for job in crowd {
        assert_eq!(job.await, 200, "whoever was let in is served");
    }
}

#[tokio::test]
async fn the_services_writes_come_before_those_that_users_queued_earlier() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder);
    let order = Arc::new(Mutex::new(Vec::new()));
    let (started, has_started) = mpsc::channel();
    let (release, wait) = mpsc::channel::<()>();
    let busy = store.write(move |_| {
        let _ = started.send(());
        let _ = wait.recv();
        Ok(())
    });
    let note = |turn: Turn, name: &'static str| {
        let order = order.clone();
        store.write_in(turn, move |_| {
            lock(&order).push(name);
            Ok(())
        })
    };
    let service = async {
        has_started.recv().unwrap();
        let mut users = Box::pin(note(Turn::Users, "user"));
        let mut service = Box::pin(note(Turn::Service, "service"));
        let polled = std::future::poll_fn(|cx| {
            let pending = users.as_mut().poll(cx).is_pending();
            std::task::Poll::Ready(pending && service.as_mut().poll(cx).is_pending())
        });
        assert!(polled.await);
        drop(release);
        tokio::join!(users, service)
    };
    let (done, (user, service)) = tokio::join!(busy, service);
    done.and(user).and(service).unwrap();
    assert_eq!(*lock(&order), ["service", "user"]);
}

#[tokio::test]
async fn without_room_writes_are_507_reads_go_on_and_room_heals_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder);
    let add = |bytes: usize| {
        store.write(move |tx| {
            let seq = tx.next_seq();
            let sql =
                "INSERT INTO inbox (user, device, seq, nth, message) VALUES ('', '', ?1, 0, ?2)";
            tx.execute(sql, rusqlite::params![seq, "x".repeat(bytes)])
        })
    };
    let pages = |most: &'static str| {
        store.write(move |tx| {
            Ok(tx.conn.execute_batch(&format!("PRAGMA max_page_count = {most}"))?)
        })
    };
    let kept = || store.read(|conn| find(conn, "SELECT COUNT(*) FROM inbox", [], |row| row.get(0)));
    add(10).await.unwrap();
    pages("1").await.unwrap();
    for _ in 0..3 {
        // Others share the commit, and nobody is told that what is not there is.
        let (small, large, other) = tokio::join!(add(10), add(1_000_000), add(10));
        let large = large.unwrap_err().into_response();
        assert_eq!(large.status(), StatusCode::INSUFFICIENT_STORAGE);
        let before: Option<i64> = kept().await.unwrap();
        assert!([small, other].into_iter().all(|outcome| {
            [StatusCode::OK, StatusCode::INSUFFICIENT_STORAGE].contains(&status(outcome))
        }));
        assert!(before >= Some(1), "reads go on");
    }
    pages("1000000").await.unwrap();
    let before: Option<i64> = kept().await.unwrap();
    add(1_000_000).await.unwrap();
    let after: Option<i64> = kept().await.unwrap();
    assert_eq!(after, before.map(|before| before + 1));
}
