//! What many ask for at the same moment is granted together, and each gets what they would have got one after the other.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;
use touchline::features::coins::{self, Amount, Deduction, Reason, Transfer};
use touchline::features::events::EventId;
use touchline::features::predictions::{self, Outcome, OwnFilter, OwnPage, Placed};
use touchline::features::users::UserId;
use touchline::platform::db::{Tx, Wish, params};
use touchline::platform::error::{Error, Result};
use touchline::platform::http::page::Page;
use touchline::platform::limits::{self, Limit, Who};

use crate::catalogue::{event, import};
use crate::harness::{TestApp, together};
use crate::predictions::{KICK_OFF, assert_counters_are_exact, pick, users, with_match};

/// Runs a script that must leave nothing behind.
async fn tried<T: Send + 'static>(
    app: &TestApp,
    script: impl Fn(&mut Tx) -> Result<T> + Send + 'static,
) -> T {
    let (sender, returned) = std::sync::mpsc::channel();
    let undone = move |tx: &mut Tx| {
        drop(sender.send(script(tx)?));
        Err::<(), _>(Error::internal("a reason not to keep it"))
    };
    assert!(matches!(app.app.db.write(undone).await, Err(Error::Internal(_))));
    returned.recv().unwrap()
}

fn cases(number: u32) -> TestRunner {
    TestRunner::new(Config { cases: number, failure_persistence: None, ..Config::default() })
}

fn said<T>(outcome: Result<T>) -> String {
    outcome.map_or_else(|refusal| format!("{refusal:?}"), |_| "granted".to_owned())
}

#[test]
fn hits_that_come_together_are_counted_as_if_they_came_one_after_the_other() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let app = runtime.block_on(TestApp::new());
    let asked =
        (0_i64..5, prop::collection::vec(0_i64..4, 0..5), prop::collection::vec(0_i64..4, 1..12));
    let outcome = cases(40).run(&asked, |(most, before, all)| {
        let keys = app.app.keys.clone();
        let script = move |tx: &mut Tx| {
            let limit = |code| Limit { code, most, window_ms: 60_000 };
            let who = |number: &i64| Who::user(&keys, *number);
            for number in &before {
                for code in ["one by one", "together"] {
                    drop(limits::hit(tx, limit(code), &who(number)));
                }
            }
            let all: Vec<Who> = all.iter().map(who).collect();
            let one_by_one: Vec<String> =
                all.iter().map(|who| said(limits::hit(tx, limit("one by one"), who))).collect();
            let all: Vec<&Who> = all.iter().collect();
            let at_once = limits::hit_each(tx, limit("together"), &all, tx.now())?;
            let at_once: Vec<String> = at_once.into_iter().map(said).collect();
            let kept = "SELECT hits FROM rate_limits WHERE bucket LIKE $1 ORDER BY bucket";
            let kept = ["one by one:%", "together:%"].map(|like| tx.all(kept, params![like]));
            let [first, second]: [Result<Vec<String>>; 2] = kept;
            Ok((one_by_one, at_once, first?, second?))
        };
        let (one_by_one, at_once, first, second) = runtime.block_on(tried(&app, script));
        let renamed: Vec<String> =
            one_by_one.iter().map(|said| said.replace("one by one", "together")).collect();
        prop_assert_eq!(renamed, at_once);
        prop_assert_eq!(first, second);
        Ok(())
    });
    outcome.unwrap();
}

#[test]
fn deductions_that_come_together_are_what_they_are_one_by_one() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let app = runtime.block_on(TestApp::new());
    let fans: Vec<i64> = runtime.block_on(async {
        let mut fans = Vec::new();
        for number in 0..6 {
            fans.push(app.log_in(&TestApp::phone(number)).await.id);
        }
        fans
    });
    let outcome = cases(30).run(&prop::collection::vec((0_usize..6, 1_i64..800), 1..6), |asked| {
        let mut wishes: Vec<(UserId, i64)> =
            asked.into_iter().map(|(fan, coins)| (UserId(fans[fan]), coins)).collect();
        // Nobody is in a batch twice.
        wishes.sort_unstable();
        wishes.dedup_by_key(|(user, _)| *user);
        let deduct = move |batch: bool| {
            let wishes = wishes.clone();
            move |tx: &mut Tx| {
                let reason = || Reason::try_from("wager").unwrap();
                let deductions: Vec<(UserId, Deduction)> = wishes
                    .iter()
                    .map(|(user, coins)| {
                        let amount = Amount::try_from(*coins).unwrap();
                        (*user, Deduction { amount, reason: reason(), reference_id: None })
                    })
                    .collect();
                let refs: Vec<(UserId, &Deduction)> =
                    deductions.iter().map(|(user, deduction)| (*user, deduction)).collect();
                let mut outcomes = Vec::new();
                for part in refs.chunks(if batch { refs.len() } else { 1 }) {
                    outcomes.extend(coins::deduct_each(tx, part)?);
                }
                let view = |outcome: Result<Transfer>| {
                    outcome.map(|made| (made.previous_balance, made.new_balance)).map_err(|e| format!("{e:?}"))
                };
                let books: Vec<(i64, i64, i64)> =
                    tx.all("SELECT user_id, balance, entries FROM coin_accounts ORDER BY user_id", params![])?;
                let entries: Vec<(i64, i64, i64)> = tx.all(
                    "SELECT account_id, entry, balance_after FROM coin_transfers ORDER BY account_id, entry",
                    params![],
                )?;
                Ok((outcomes.into_iter().map(view).collect::<Vec<_>>(), books, entries))
            }
        };
        let at_once = runtime.block_on(tried(&app, deduct(true)));
        let one_by_one = runtime.block_on(tried(&app, deduct(false)));
        prop_assert_eq!(at_once, one_by_one);
        Ok(())
    });
    outcome.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn of_predictions_that_come_together_only_those_on_matches_that_have_begun_are_refused() {
    let app = TestApp::new().await;
    let soon = "2026-11-15T12:00:01.000Z";
    let ids = import(&app, json!([event("m:1", soon), event("m:2", KICK_OFF)])).await;
    let id = |key| EventId(ids["events"][key].as_i64().unwrap());
    let (begun, open, unknown) = (id("m:1"), id("m:2"), EventId(999_999));
    users(&app, 501, 4).await;
    app.advance(1);
    let pick = pick(Outcome::Home, None, 50);
    let wishes = [begun, open, unknown, open];
    let place = move |tx: &mut Tx| {
        let wishes: Vec<_> =
            (501..).zip(wishes).map(|(user, event)| (UserId(user), event, pick)).collect();
        predictions::place_each(tx, &wishes)
    };
    let outcomes: Vec<Result<Placed>> = app.app.db.write(place).await.unwrap();
    assert!(matches!(outcomes[0], Err(Error::Refused { code: "event_started", .. })));
    assert!(outcomes[1].as_ref().unwrap().is_first);
    assert!(matches!(outcomes[2], Err(Error::NotFound(_))));
    assert!(outcomes[3].is_ok());
    assert_eq!(app.count("SELECT count(*) FROM predictions").await, 2);
    assert_counters_are_exact(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crowd_that_predicts_spends_and_claims_at_once_is_answered_each_for_themselves() {
    let (app, event) = with_match().await;
    let mut fans = Vec::new();
    for number in 0..24 {
        fans.push(app.log_in(&TestApp::phone(number)).await);
    }
    let (app, fans) = (&app, &fans);
    let answers = together(fans.len() * 3, |number| async move {
        let fan = &fans[number / 3];
        let (path, body) = match number % 3 {
            0 => {
                let outcome = ["home", "draw", "away"][number / 3 % 3];
                let body = json!({"event_id": event, "prediction": outcome, "confidence": number});
                ("/api/auth/predictions", body)
            }
            1 => ("/api/auth/coins/deduct", json!({"amount": number + 1, "reason": "wager"})),
            _ => ("/api/auth/daily-coins", json!({})),
        };
        app.client.post(path).token(&fan.token).json(body).send().await
    })
    .await;
    for (number, answer) in answers.into_iter().enumerate() {
        let (fan, number) = (&fans[number / 3], i64::try_from(number).unwrap());
        let data = answer.body["data"].clone();
        match number % 3 {
            0 => {
                assert_eq!(answer.status, 201, "{answer:?}");
                assert_eq!(data["user_id"], fan.id);
                assert_eq!(data["confidence"], number);
            }
            1 => assert_eq!(data["amount_deducted"], number + 1, "{answer:?}"),
            _ => assert_eq!(data["coins_awarded"], 50, "{answer:?}"),
        }
    }
    assert_counters_are_exact(app).await;
    for (number, fan) in fans.iter().enumerate() {
        let coins = app.client.get("/api/auth/coins").token(&fan.token).send().await;
        let spent = i64::try_from(number * 3 + 2).unwrap();
        assert_eq!(coins.expect(200).body["data"]["balance"], 500 + 50 - spent);
    }
}

#[test]
fn first_pages_of_own_predictions_asked_for_together_are_what_any_page_is() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let app = runtime.block_on(async {
        let app = TestApp::new().await;
        let keys: Vec<String> = (0..40).map(|n| format!("m:{n}")).collect();
        import(&app, keys.iter().map(|key| event(key, KICK_OFF)).collect()).await;
        users(&app, 501, 4).await;
        let predictions = "INSERT INTO predictions (event_id, user_id, outcome, confidence, revision, created_at, updated_at,
                is_late, settlement_version, tier, points)
             SELECT e.id, u.id, CASE (e.id + u.id) % 3 WHEN 0 THEN 'home' WHEN 1 THEN 'draw' ELSE 'away' END, 50, 1, 0, 0, 0, 0,
                    CASE e.id % 2 WHEN 0 THEN 1 END, CASE e.id % 2 WHEN 0 THEN 3 END
             FROM events e, users u WHERE u.id BETWEEN 501 AND 503 AND e.id % 5 <> u.id % 5";
        app.app.db.write(|tx| tx.exec(predictions, params![])).await.unwrap();
        app
    });
    let wish = (501_i64..505, 1_i64..4, 1_i64..30);
    let outcome = cases(60).run(&prop::collection::vec(wish, 1..9), |asked| {
        let asked: Vec<(UserId, Page)> = asked
            .into_iter()
            .map(|(user, number, per_page)| (UserId(user), Page { number, per_page }))
            .collect();
        let both = runtime.block_on(app.app.db.read(move |tx| {
            let wishes: Vec<_> =
                asked.iter().map(|(user, page)| OwnPage::near(*user, *page).unwrap()).collect();
            let together = OwnPage::grant(tx, &wishes)?;
            let together: Vec<String> =
                together.into_iter().map(|list| format!("{:?}", list.unwrap())).collect();
            let mut alone = Vec::new();
            for (user, page) in asked.clone() {
                let (all, mut rows) = (OwnFilter::default(), Vec::new());
                predictions::walk_own(tx, user, all, Some(page), |row| {
                    rows.push(row);
                    Ok(())
                })?;
                alone.push(format!("{:?}", (predictions::own_totals(tx, user, all)?, rows)));
            }
            Ok((together, alone))
        }));
        let (together, alone) = both.unwrap();
        prop_assert_eq!(together, alone);
        Ok(())
    });
    outcome.unwrap();
}
