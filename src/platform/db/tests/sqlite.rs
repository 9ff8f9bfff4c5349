//! What is particular to SQLite: the group commit, and a disk that is full.

use std::future::poll_fn;
use std::pin::Pin;
use std::process::Command;
use std::task::Poll;

use super::super::params;
use super::*;
use crate::platform::error::{DatabaseError, StatusHint};

type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

/// Queues a script without waiting for its answer.
async fn queue<'a, T: Send + 'static>(
    db: &'a Db,
    script: impl Fn(&mut Tx) -> Result<T> + Send + 'static,
) -> Answer<'a, T> {
    let mut answer: Answer<'a, T> = Box::pin(db.write(script));
    assert!(!is_ready(&mut answer).await, "answered before it was run");
    answer
}

async fn is_ready<T>(answer: &mut Answer<'_, T>) -> bool {
    poll_fn(|cx| Poll::Ready(answer.as_mut().poll(cx).is_ready())).await
}

/// A script that stands still until told to go on: scripts queued meanwhile join its group.
async fn gate(db: &Db) -> (crossbeam_channel::Sender<()>, Answer<'_, ()>) {
    let (open, wait) = crossbeam_channel::bounded::<()>(1);
    let answer = queue(db, move |_| {
        wait.recv().unwrap();
        Ok(())
    })
    .await;
    (open, answer)
}

#[tokio::test]
async fn a_group_is_answered_after_its_commit_and_not_before() {
    let db = sqlite_with(|_| {}).await;
    with_items(&db).await;
    let (open_first, first) = gate(&db).await;
    let mut insertion = queue(&db, |tx| insert(tx, "a", 1)).await;
    let (open_last, last) = gate(&db).await;
    open_first.send(()).unwrap();
    tokio::time::sleep(Duration::from_millis(40)).await;
    assert!(!is_ready(&mut insertion).await, "answered before the commit");
    assert!(names(&db).await.is_empty(), "seen before the commit");
    open_last.send(()).unwrap();
    insertion.await.unwrap();
    assert_eq!(names(&db).await, ["a"]);
    first.await.unwrap();
    last.await.unwrap();
}

#[tokio::test]
async fn in_a_group_a_failing_and_a_panicking_script_roll_back_alone() {
    let db = sqlite_with(|_| {}).await;
    with_items(&db).await;
    let mut heard = db.listen("items");
    let (open, first) = gate(&db).await;
    let good = queue(&db, |tx| {
        tx.notify("items", "good")?;
        insert(tx, "good", 1)
    })
    .await;
    let failing = queue(&db, |tx| {
        tx.notify("items", "failing")?;
        insert(tx, "failing", 1)?;
        Err::<(), _>(Error::TooLarge)
    })
    .await;
    let panicking = queue(&db, |tx| -> Result<()> {
        insert(tx, "panicking", 1)?;
        panic!("on purpose")
    })
    .await;
    let twice = queue(&db, |tx| insert(tx, "good", 2)).await;
    let last = queue(&db, |tx| insert(tx, "last", 1)).await;
    open.send(()).unwrap();
    first.await.unwrap();
    good.await.unwrap();
    assert!(matches!(failing.await, Err(Error::TooLarge)));
    assert_eq!(cause(panicking.await), DatabaseError::Panicked);
    assert_eq!(cause(twice.await), present("items.name"));
    last.await.unwrap();
    assert_eq!(names(&db).await, ["good", "last"]);
    assert_eq!(heard.recv().await.unwrap(), "good");
    assert!(heard.try_recv().is_err());
}

#[tokio::test]
async fn a_failed_commit_fails_every_member_and_no_later_group() {
    let db = sqlite_with(|_| {}).await;
    with_items(&db).await;
    db.write(|tx| {
        Ok(tx.batch(
            "CREATE TABLE orphans (item INTEGER REFERENCES items (id) DEFERRABLE INITIALLY DEFERRED) STRICT",
        )?)
    })
    .await
    .unwrap();
    let (open, first) = gate(&db).await;
    let innocent = queue(&db, |tx| insert(tx, "a", 1)).await;
    let guilty = queue(&db, |tx| tx.exec("INSERT INTO orphans VALUES (99)", &[])).await;
    open.send(()).unwrap();
    for outcome in [cause(first.await), cause(innocent.await), cause(guilty.await)] {
        assert!(matches!(outcome, DatabaseError::CommitFailed(_)), "{outcome:?}");
        assert_eq!(outcome.status_hint(), StatusHint::Unavailable);
    }
    assert!(names(&db).await.is_empty());
    db.write(|tx| insert(tx, "b", 1)).await.unwrap();
    assert_eq!(names(&db).await, ["b"]);
}

#[tokio::test]
async fn a_transaction_that_sqlite_undoes_by_itself_fails_its_group_and_no_later_one() {
    let db = sqlite_with(|settings| settings.statement_timeout_ms = 200).await;
    with_items(&db).await;
    let (open, first) = gate(&db).await;
    let before = queue(&db, |tx| insert(tx, "before", 1)).await;
    // An interrupted write takes the whole transaction with it.
    let endless = queue(&db, |tx| {
        tx.exec(
            "INSERT INTO items (name, amount) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
             SELECT CAST(i AS TEXT), i FROM n WHERE i < 0",
            &[],
        )
    })
    .await;
    let after = queue(&db, |tx| insert(tx, "after", 1)).await;
    open.send(()).unwrap();
    for outcome in [cause(first.await), cause(before.await), cause(endless.await)] {
        assert!(matches!(outcome, DatabaseError::Busy(_)), "{outcome:?}");
    }
    after.await.unwrap();
    assert_eq!(names(&db).await, ["after"]);
}

#[tokio::test]
async fn a_read_that_takes_too_long_is_ended() {
    let db = sqlite_with(|settings| settings.statement_timeout_ms = 50).await;
    let endless = db.read(|tx| {
        tx.opt::<i64>(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0",
            &[],
        )
    });
    assert!(matches!(cause(endless.await), DatabaseError::Busy(_)));
    db.ping().await.unwrap();
}

#[tokio::test]
async fn when_the_file_may_not_grow_writes_say_full_reads_go_on_and_it_recovers() {
    let db = sqlite_with(|_| {}).await;
    with_items(&db).await;
    db.write(|tx| insert(tx, "small", 1)).await.unwrap();
    db.write(|tx| Ok(tx.batch("PRAGMA max_page_count = 8")?)).await.unwrap();
    let large = || db.write(|tx| insert(tx, &"x".repeat(100_000), 1));
    for _ in 0..3 {
        let error = cause(large().await);
        assert_eq!((error.clone(), error.status_hint()), (DatabaseError::Full, StatusHint::Full));
        assert_eq!(names(&db).await, ["small"]);
    }
    db.write(|tx| Ok(tx.batch("PRAGMA max_page_count = 1000000")?)).await.unwrap();
    large().await.unwrap();
    assert_eq!(names(&db).await.len(), 2);
}

#[tokio::test]
async fn a_write_may_change_much_more_than_what_is_kept_in_memory_to_undo_it() {
    const ROWS: i64 = 4_000;
    let db = sqlite_with(|_| {}).await;
    let make = |tx: &mut Tx| {
        tx.batch("CREATE TABLE wide (id INTEGER PRIMARY KEY, n INTEGER NOT NULL CHECK (n < 3), text TEXT NOT NULL) STRICT")?;
        tx.exec(
            "INSERT INTO wide (id, n, text) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
             SELECT i, 0, hex(zeroblob(1500)) FROM n",
            params![ROWS],
        )
    };
    db.write(make).await.unwrap();
    let change = || db.write(|tx| tx.exec("UPDATE wide SET n = n + 1", &[]));
    assert_eq!(change().await.unwrap(), ROWS.unsigned_abs());
    db.migrate_with(&[]).await.unwrap();
    assert_eq!(change().await.unwrap(), ROWS.unsigned_abs());
    assert!(matches!(cause(change().await), DatabaseError::Other(_)));
    let changed = db.read(|tx| tx.one::<i64>("SELECT sum(n) FROM wide", &[])).await.unwrap();
    assert_eq!(changed, 2 * ROWS);
}

mod needs_small_disk {
    use super::*;

    /// A file system of one megabyte; nothing where mounting is not allowed.
    struct SmallDisk(tempfile::TempDir);

    impl SmallDisk {
        fn mount() -> Option<Self> {
            let folder = tempfile::tempdir().unwrap();
            let mounted = Command::new("mount")
                .args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"])
                .arg(folder.path())
                .output();
            mounted.is_ok_and(|output| output.status.success()).then(|| Self(folder))
        }
    }

    impl Drop for SmallDisk {
        fn drop(&mut self) {
            drop(Command::new("umount").arg("-l").arg(self.0.path()).status());
        }
    }

    #[tokio::test]
    #[ignore = "needs a small disk"]
    async fn when_the_disk_is_full_writes_say_full_reads_go_on_and_it_recovers() {
        let Some(disk) = SmallDisk::mount() else {
            panic!(
                "this test needs a small disk: it mounts one, which only root may do outside most containers"
            )
        };
        let url = format!("sqlite:{}", disk.0.path().join("test.db").display());
        let db = open(&url, &defaults()).await.unwrap();
        with_items(&db).await;
        db.write(|tx| insert(tx, "small", 1)).await.unwrap();
        let ballast = disk.0.path().join("ballast");
        drop(std::fs::write(&ballast, vec![1; 2 << 20]));
        let write = |n: i64| db.write(move |tx| insert(tx, &format!("{n:05000}"), n));
        let mut refused = 0;
        for n in 0..40 {
            if let Err(error) = write(n).await {
                assert_eq!(cause(Err::<(), _>(error)), DatabaseError::Full);
                refused += 1;
            }
            assert!(names(&db).await.contains(&"small".to_owned()));
        }
        assert!(refused > 0, "the disk never became full");
        std::fs::remove_file(&ballast).unwrap();
        write(1000).await.unwrap();
        let kept = names(&db).await.len();
        assert_eq!(kept, 1 + 40 - refused + 1, "what was refused left nothing behind");
        db.close().await;
    }
}

#[tokio::test]
async fn a_file_that_reads_as_damaged_is_out_of_service_and_no_defect_of_a_script() {
    let db = sqlite_with(|_| {}).await;
    with_items(&db).await;
    for n in 0..50 {
        db.write(move |tx| insert(tx, &format!("{n:01000}"), n)).await.unwrap();
    }
    db.close().await;
    let path = db.url.strip_prefix("sqlite:").unwrap().to_owned();
    let mut bytes = std::fs::read(&path).unwrap();
    // The first page, with the schema, is left alone.
    bytes[4096..].fill(0xff);
    std::fs::write(&path, bytes).unwrap();
    let again = db.open_again().await;
    let error = cause(again.read(|tx| tx.all::<String>("SELECT name FROM items", &[])).await);
    assert!(matches!(error, DatabaseError::Lost(_)), "{error:?}");
    assert_eq!(error.status_hint(), StatusHint::Unavailable);
    again.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_stays_bounded_although_there_is_always_a_reader() {
    let db = sqlite_with(|settings| settings.sqlite_readers = 3).await;
    with_items(&db).await;
    let log = format!("{}-wal", db.url.strip_prefix("sqlite:").unwrap());
    let until = std::time::Instant::now() + Duration::from_secs(5);
    let mut tasks = Vec::new();
    for caller in 0..24 {
        let db = db.db.clone();
        tasks.push(tokio::spawn(async move {
            for n in 0.. {
                if std::time::Instant::now() > until {
                    break;
                }
                if caller < 4 {
                    // Overlapping: at no moment is the log free of readers.
                    let slow = |tx: &mut Tx| {
                        tx.one::<i64>("SELECT COUNT(*) FROM items WHERE id < 10", &[])?;
                        std::thread::sleep(Duration::from_millis(7));
                        Ok(())
                    };
                    db.read(slow).await.unwrap();
                } else {
                    let name = format!("{caller}-{n}-{}", "x".repeat(9000));
                    db.write(move |tx| insert(tx, &name, 1)).await.unwrap();
                }
            }
        }));
    }
    let mut largest = 0;
    while std::time::Instant::now() < until {
        largest = largest.max(std::fs::metadata(&log).unwrap().len());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    for task in tasks {
        task.await.unwrap();
    }
    assert!(largest < 80 << 20, "the log grew to {largest} bytes");
    db.close().await;
    assert!(std::fs::metadata(&log).map_or(0, |log| log.len()) == 0, "closing empties the log");
}

#[tokio::test]
async fn a_new_file_is_readable_by_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let db = sqlite_with(|_| {}).await;
    let path = db.url.strip_prefix("sqlite:").unwrap().to_owned();
    for file in [path.clone(), format!("{path}-wal")] {
        let mode = std::fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{file}");
    }
}

#[tokio::test]
async fn a_misspelt_column_in_double_quotes_is_an_error() {
    let db = sqlite_with(|_| {}).await;
    let found = db.read(|tx| tx.opt::<String>("SELECT \"nonsense\"", params![])).await;
    assert!(matches!(cause(found), DatabaseError::Other(_)));
}
