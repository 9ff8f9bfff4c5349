//! Feeds: which match and which team a provider means.

use serde_json::{Value, json};

use crate::catalogue::{event, import};
use crate::feeds::{FOOTBALL_DATA, app_with, poll};
use crate::feeds_provider::{FOOTBALL_DATA_PATH, Provider, fd, fd_document, full_time, no_score};
use crate::harness::TestApp;

const AUGUST: &str = "2026-08-22T14:00:00Z";
const DECEMBER: &str = "2026-12-12T15:00:00Z";

/// A match of the one pairing that these tests are about.
fn northgate(id: i64, date: &str, status: &str, score: Value) -> Value {
    fd(id, "Northgate FC", "Southbank FC", date, status, score)
}

/// Every match by its start: how it stands, and which of the provider's ids stand for it.
async fn matches(app: &TestApp) -> Vec<String> {
    let sql = "SELECT events.status || ' ' || COALESCE(CAST(home_score AS TEXT), '-') || ' as '
                      || COALESCE((SELECT string_agg(external_id, '+') FROM feed_matches WHERE event_id = events.id), 'none')
               FROM events ORDER BY start_time";
    app.texts(sql).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_is_over_is_never_taken_for_a_fixture_that_is_to_come() {
    for status in ["FINISHED", "AWARDED", "IN_PLAY", "CANCELLED", "TIMED"] {
        let provider = Provider::start().await;
        let app = app_with(&provider, FOOTBALL_DATA, &[]).await;
        import(&app, json!([event("m:1", DECEMBER)])).await;
        let over = northgate(1, AUGUST, status, full_time(2, 1));
        let to_come = northgate(2, DECEMBER, "TIMED", no_score());
        provider.answer(FOOTBALL_DATA_PATH, fd_document(std::slice::from_ref(&over)));
        poll(&app, "").await;
        let december = app.texts("SELECT status FROM events ORDER BY start_time DESC LIMIT 1");
        assert_eq!(december.await, ["scheduled"], "{status}");
        provider.answer(FOOTBALL_DATA_PATH, fd_document(&[over, to_come]));
        poll(&app, "").await;
        let mut expected = vec!["scheduled - as 2"];
        match status {
            "FINISHED" => expected.insert(0, "finished 2 as 1"),
            "IN_PLAY" => expected.insert(0, "live 2 as 1"),
            // The others do not count, or should have been over long ago, and are held.
            _ => {}
        }
        assert_eq!(matches(&app).await, expected, "{status}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn games_of_one_pairing_are_told_apart_by_the_smallest_distance_whatever_their_order() {
    let reports = [
        northgate(1, "2026-12-09T15:00:00Z", "TIMED", no_score()),
        northgate(2, "2026-12-11T15:00:00Z", "TIMED", no_score()),
    ];
    for order in [[0, 1], [1, 0]] {
        let provider = Provider::start().await;
        let app = app_with(&provider, FOOTBALL_DATA, &[]).await;
        import(&app, json!([event("m:1", "2026-11-28T15:00:00Z"), event("m:2", DECEMBER)])).await;
        let told = order.map(|place| reports[place].clone());
        provider.answer(FOOTBALL_DATA_PATH, fd_document(&told));
        assert_eq!(poll(&app, "").await["changed"], 2);
        assert_eq!(matches(&app).await, ["scheduled - as 1", "scheduled - as 2"], "{order:?}");
        let second = "SELECT count(*) FROM events e JOIN feed_matches f ON f.event_id = e.id
                      WHERE f.external_id = '2' AND e.id = (SELECT max(id) FROM events)";
        assert_eq!(app.count(second).await, 1, "{order:?}");
    }
}
