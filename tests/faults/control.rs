//! A control of the checks themselves: books that were tampered with must not pass.

use std::time::Duration;

use tempfile::TempDir;

use crate::Scale;
use crate::books::Books;
use crate::invariants;
use crate::load::Load;
use crate::outcome::Outcome;
use crate::site::Site;

/// What is done to the books, and what that is to be called: lost, doubled, phantom.
const TAMPERING: &[(&str, [u64; 3], &str)] = &[
    ("a transfer is gone", [1, 0, 0], "DELETE FROM coin_transfers WHERE id = (SELECT max(id) FROM coin_transfers WHERE reason = 'wager')"),
    (
        "a transfer is there twice",
        [0, 1, 0],
        "INSERT INTO coin_transfers SELECT id || 'x', debit_account, credit_account, amount, account_id, entry + 100000,
                balance_after, reason, reference_id, created_at
         FROM coin_transfers WHERE id = (SELECT max(id) FROM coin_transfers WHERE reason = 'wager')",
    ),
    (
        "a transfer that nobody asked for",
        [0, 0, 1],
        "INSERT INTO coin_transfers SELECT id || 'y', debit_account, credit_account, amount, account_id, entry + 200000,
                balance_after, reason, 'nobody', created_at
         FROM coin_transfers WHERE id = (SELECT max(id) FROM coin_transfers WHERE reason = 'wager')",
    ),
    (
        "a revision is gone",
        [1, 0, 0],
        "DELETE FROM prediction_revisions WHERE id = (SELECT max(id) FROM prediction_revisions)",
    ),
    ("a balance is off by one", [0, 0, 0], "UPDATE coin_accounts SET balance = balance + 1 WHERE user_id = 5"),
    ("a counter is off by one", [0, 0, 0], "UPDATE event_counters SET home = home + 1 WHERE shard = (SELECT min(shard) FROM event_counters)"),
];

pub async fn tampering_is_seen(_: Scale) -> Outcome {
    let mut site = Site::on_sqlite(&[]);
    let load = Load::prepare(&site.client()).await;
    let workers = load.begin(4);
    tokio::time::sleep(Duration::from_millis(500)).await;
    workers.end().await;
    site.kill();
    let mut outcome = Outcome::default();
    invariants::check_records(&load, &site.books(), &mut outcome).await;
    for (what, expected, sql) in TAMPERING {
        outcome.times += 1;
        let (_copy, books) = copy_of(&site);
        books.change(sql).await;
        let mut found = Outcome::default();
        invariants::check_records(&load, &books, &mut found).await;
        let counts = [found.lost, found.doubled, found.phantom];
        outcome.require(counts == *expected, || format!("{what} is seen as {counts:?}"));
        outcome.require(!found.is_good(), || format!("{what} is not seen"));
    }
    outcome.take_record(&load);
    outcome.note("copies of the books were tampered with on purpose; each change was found");
    outcome
}

fn copy_of(site: &Site) -> (TempDir, Books) {
    let folder = tempfile::tempdir().unwrap();
    for name in ["touchline.db", "touchline.db-wal"] {
        std::fs::copy(site.folder.path().join(name), folder.path().join(name)).unwrap();
    }
    let url = format!("sqlite:{}", folder.path().join("touchline.db").display());
    (folder, Books::of(&url))
}
