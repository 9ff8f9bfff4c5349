//! Scripts whose caller has gone.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::Poll;

use futures_util::StreamExt;
use tokio::task::JoinHandle;

use super::streams::reader;
use super::*;

/// Each engine with one thread for writes and one for reads, so that what comes second waits.
async fn narrow_engines() -> Vec<Scratch> {
    let mut all = vec![sqlite_with(|config| config.sqlite_readers = 1).await];
    all.extend(postgres_with(|config| config.postgres_connections = 1).await);
    all
}

/// A script that is being run until it is let go on.
struct Held {
    script: JoinHandle<()>,
    go_on: std::sync::mpsc::Sender<()>,
}

impl Held {
    async fn begin(db: &Db, writes: bool) -> Self {
        let (entered, mut has_entered) = tokio::sync::mpsc::channel(1);
        let (go_on, wait) = std::sync::mpsc::channel();
        let wait = std::sync::Mutex::new(wait);
        let hold = move |_: &mut Tx| {
            entered.try_send(()).unwrap();
            wait.lock().unwrap().recv().unwrap();
            Ok(())
        };
        let db = db.clone();
        let script = tokio::spawn(async move {
            let held = if writes { db.write(hold).await } else { db.read(hold).await };
            held.unwrap();
        });
        has_entered.recv().await.unwrap();
        Self { script, go_on }
    }

    async fn end(self) {
        self.go_on.send(()).unwrap();
        self.script.await.unwrap();
    }
}

/// Puts the call into its queue and hangs up.
async fn abandon(call: impl Future) {
    let mut call = Box::pin(call);
    poll_fn(|cx| Poll::Ready(call.as_mut().poll(cx).is_ready())).await;
}

#[tokio::test]
async fn a_write_whose_caller_has_gone_before_it_began_is_not_run() {
    for db in narrow_engines().await {
        with_items(&db).await;
        let held = Held::begin(&db, true).await;
        abandon(db.write(|tx| insert(tx, "abandoned", 1))).await;
        let wanted = tokio::spawn({
            let db = db.db.clone();
            async move { db.write(|tx| insert(tx, "wanted", 1)).await }
        });
        tokio::task::yield_now().await;
        held.end().await;
        wanted.await.unwrap().unwrap();
        assert_eq!(names(&db).await, ["wanted"]);
    }
}

#[tokio::test]
async fn a_read_whose_caller_has_gone_before_it_began_is_not_run() {
    for db in narrow_engines().await {
        let held = Held::begin(&db, false).await;
        let runs = Arc::new(AtomicU32::new(0));
        let count = runs.clone();
        abandon(db.read(move |_| Ok(count.fetch_add(1, Ordering::SeqCst)))).await;
        held.end().await;
        db.read(|_| Ok(())).await.unwrap();
        assert_eq!(runs.load(Ordering::SeqCst), 0);
    }
}

#[tokio::test]
async fn a_write_whose_caller_goes_while_it_runs_is_kept() {
    for db in narrow_engines().await {
        with_items(&db).await;
        let (entered, mut has_entered) = tokio::sync::mpsc::channel(1);
        let (go_on, wait) = std::sync::mpsc::channel();
        let wait = std::sync::Mutex::new(wait);
        let caller = tokio::spawn({
            let db = db.db.clone();
            async move {
                db.write(move |tx| {
                    entered.try_send(()).unwrap();
                    wait.lock().unwrap().recv().unwrap();
                    insert(tx, "begun", 1)
                })
                .await
            }
        });
        has_entered.recv().await.unwrap();
        caller.abort();
        assert!(caller.await.unwrap_err().is_cancelled());
        go_on.send(()).unwrap();
        soon("the write is kept", || async { names(&db).await == ["begun"] }).await;
    }
}

#[tokio::test]
async fn a_stream_whose_reader_has_gone_before_it_began_is_not_run() {
    for db in engines().await {
        let (go_on, wait) = crossbeam_channel::unbounded::<()>();
        // As many as run at once, so that the next one waits.
        let mut running = Vec::new();
        for number in 1..=8 {
            let wait = wait.clone();
            let stream = db.stream(reader(number, number.into()), move |_, sink| {
                sink.send("begun".into())?;
                wait.recv().unwrap();
                Ok(())
            });
            running.push(stream.unwrap());
        }
        for stream in &mut running {
            stream.next().await.unwrap().unwrap();
        }
        let runs = Arc::new(AtomicU32::new(0));
        let count = runs.clone();
        drop(db.stream(reader(9, 9), move |_, _| {
            count.fetch_add(1, Ordering::SeqCst);
            Ok(())
        }));
        let mut last = db.stream(reader(10, 10), |_, sink| sink.send("last".into())).unwrap();
        for _ in 0..8 {
            go_on.send(()).unwrap();
        }
        last.next().await.unwrap().unwrap();
        for mut stream in running {
            assert!(stream.next().await.is_none());
        }
        assert_eq!(runs.load(Ordering::SeqCst), 0);
    }
}
