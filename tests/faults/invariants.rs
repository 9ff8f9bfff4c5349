//! What must hold after every fault, whatever it was.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;

use serde_json::json;

use crate::books::Books;
use crate::harness::Client;
use crate::load::{CODES_BEFORE, Deed, Fate, Load, digits, limited_phone};
use crate::outcome::Outcome;

/// Codes that one phone may be sent in ten minutes.
const CODES_IN_ALL: usize = 5;

/// The records: what the database holds against what clients were told.
pub async fn check_records(load: &Load, books: &Books, outcome: &mut Outcome) {
    let mut now = Outcome::default();
    check_spending(load, books, &mut now).await;
    check_predictions(load, books, &mut now).await;
    outcome.take_check(now);
    for (what, sql) in SUMS {
        let differing = books.count(sql).await;
        outcome.require(differing == 0, || format!("{what}: {differing} differ"));
    }
    // Each account begins with the welcome coins.
    let given = "SELECT (SELECT count(*) FROM coin_transfers WHERE reason NOT IN ('wager', 'slow', 'daily_bonus'))
                      - (SELECT count(*) FROM coin_accounts)";
    let given = books.count(given).await;
    let expected = i64::try_from(load.grants()).unwrap();
    outcome.require(given == expected, || format!("{given} grants instead of {expected}"));
    let users = books.count("SELECT count(*) FROM users").await;
    let expected = i64::try_from(load.fans.len()).unwrap() + load.newcomers.load(Ordering::SeqCst);
    outcome.require(users == expected, || format!("{users} users instead of {expected}"));
}

/// Each is zero when all is well.
const SUMS: &[(&str, &str)] = &[
    (
        "balances and ledgers",
        "SELECT count(*) FROM coin_accounts a
         LEFT JOIN (SELECT account_id, count(*) AS n, max(entry) AS last,
                           sum(CASE WHEN credit_account = account_id THEN amount ELSE -amount END) AS total
                    FROM coin_transfers GROUP BY account_id) t ON t.account_id = a.user_id
         WHERE a.balance <> COALESCE(t.total, 0) OR a.entries <> COALESCE(t.n, 0) OR a.entries <> COALESCE(t.last, 0)
            OR a.balance < 0",
    ),
    (
        "counters of predictions",
        "SELECT count(*) FROM
           (SELECT event_id, sum(home) AS h, sum(draw) AS d, sum(away) AS a,
                   sum(home_confidence) + sum(draw_confidence) + sum(away_confidence) AS c
            FROM event_counters GROUP BY event_id) kept
         FULL JOIN
           (SELECT event_id, count(*) FILTER (WHERE outcome = 'home') AS h, count(*) FILTER (WHERE outcome = 'draw') AS d,
                   count(*) FILTER (WHERE outcome = 'away') AS a, sum(confidence) AS c
            FROM predictions GROUP BY event_id) counted ON counted.event_id = kept.event_id
         WHERE kept.event_id IS NULL OR counted.event_id IS NULL
            OR (kept.h, kept.d, kept.a, kept.c) <> (counted.h, counted.d, counted.a, counted.c)",
    ),
    (
        "predictions and their last revisions",
        "SELECT count(*) FROM predictions p WHERE p.revision > 0 AND NOT EXISTS
           (SELECT 1 FROM prediction_revisions r
            WHERE r.id = (SELECT max(l.id) FROM prediction_revisions l WHERE l.prediction_id = p.id)
              AND r.outcome = p.outcome AND r.confidence = p.confidence
              AND COALESCE(r.home_score, -1) = COALESCE(p.home_score, -1)
              AND COALESCE(r.away_score, -1) = COALESCE(p.away_score, -1))
           AND p.user_id < 10000",
    ),
    ("accounts frozen by the auditor", "SELECT count(*) FROM coin_accounts WHERE frozen_at IS NOT NULL"),
];

async fn check_spending(load: &Load, books: &Books, outcome: &mut Outcome) {
    let sql = "SELECT reference_id, account_id, amount FROM coin_transfers WHERE reason = 'wager'";
    let mut found: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for row in books.rows(sql).await {
        found.entry(row[0].clone()).or_default().push((row[1].clone(), row[2].clone()));
    }
    let record = load.record();
    for deal in &record.deals {
        let Deed::Spend(coins) = deal.deed else { continue };
        let rows = found.remove(&deal.key).unwrap_or_default();
        let expected = (load.fans[deal.fan].id.to_string(), coins.to_string());
        outcome.compare(&deal.key, deal.fate, rows.len());
        outcome
            .require(rows.iter().all(|row| *row == expected), || format!("{} differs", deal.key));
    }
    outcome.phantom += u64::try_from(found.len()).unwrap();
}

async fn check_predictions(load: &Load, books: &Books, outcome: &mut Outcome) {
    let sql = "SELECT p.user_id, r.home_score, r.away_score, r.confidence
               FROM prediction_revisions r JOIN predictions p ON p.id = r.prediction_id";
    let mut found: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    for row in books.rows(sql).await {
        *found.entry(row).or_default() += 1;
    }
    let sql = "SELECT user_id, home_score, away_score, confidence FROM predictions";
    let in_force: BTreeSet<Vec<String>> = books.rows(sql).await.into_iter().collect();
    let record = load.record();
    let row = |fan: usize, number: u64| {
        let (home, away, confidence) = digits(number);
        let user = load.fans[fan].id.to_string();
        vec![user, home.to_string(), away.to_string(), confidence.to_string()]
    };
    for deal in &record.deals {
        let Deed::Predict(number) = deal.deed else { continue };
        outcome.compare(&deal.key, deal.fate, found.remove(&row(deal.fan, number)).unwrap_or(0));
    }
    outcome.phantom += u64::try_from(found.len()).unwrap();
    for (&fan, &number) in &record.in_force {
        let is_there = in_force.contains(&row(fan, number));
        outcome.require(is_there, || format!("the last prediction of user {fan} is not in force"));
    }
}

/// What only the service can tell: tokens and balances, through the API.
pub async fn check_service(load: &Load, client: &Client, books: &Books, outcome: &mut Outcome) {
    let revoked: Vec<String> = load.record().revoked.iter().cloned().collect();
    for token in &revoked {
        let status = client.get("/api/auth/me").token(token).send().await.status;
        outcome.require(status == 401, || format!("a revoked token is answered {status}"));
    }
    let is_open = |deal: &crate::load::Deal| match (&deal.deed, deal.fate) {
        (Deed::LogOut(token), Fate::Open) => Some(token.clone()),
        _ => None,
    };
    let open: BTreeSet<String> = load.record().deals.iter().filter_map(is_open).collect();
    let spare = load.spare.lock().unwrap().clone();
    for (_, token) in spare.iter().filter(|(_, token)| !open.contains(token)) {
        let status = client.get("/api/auth/me").token(token).send().await.status;
        outcome.require(status == 200, || format!("a good token is answered {status}"));
    }
    let kept = books.rows("SELECT user_id, balance FROM coin_accounts").await;
    let kept: BTreeMap<String, String> =
        kept.into_iter().map(|row| (row[0].clone(), row[1].clone())).collect();
    for fan in &load.fans {
        let reply = client.get("/api/auth/coins").token(&fan.token).send().await;
        let told = reply.body["data"]["balance"].to_string();
        let is_same = kept.get(&fan.id.to_string()) == Some(&told);
        outcome.require(is_same, || format!("user {} is told {told} coins", fan.id));
    }
}

/// A limit counts what came before the fault. Uses the limit up, so this comes last.
pub async fn check_limit(client: &Client, outcome: &mut Outcome) {
    let mut sent = CODES_BEFORE;
    for _ in 0..=CODES_IN_ALL {
        let body = json!({"phone": limited_phone()});
        match client.post("/api/code/request").json(body).send().await.status {
            200 => sent += 1,
            429 => break,
            status => return outcome.problem(format!("the limiter answers {status}")),
        }
    }
    outcome.require(sent == CODES_IN_ALL, || format!("{sent} codes were sent instead of 5"));
}
