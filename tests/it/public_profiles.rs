//! What users see of each other.

use serde_json::{Value, json};
use touchline::features::predictions::Outcome;

use crate::catalogue::{event, import};
use crate::harness::{Fan, OPERATOR_TOKEN, Reply, TestApp};
use crate::predictions::{KICK_OFF, get, pick, place, users};
use crate::settlement::finish;

async fn show(app: &TestApp, caller: &Fan, user: i64) -> Reply {
    get(app, caller, &format!("/api/auth/users/{user}")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_profile_shows_who_somebody_is_and_how_well_they_predict_and_nothing_private() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.log_in(&TestApp::phone(1)).await, app.log_in(&TestApp::phone(2)).await);
    let ids = import(&app, json!([event("m:1", KICK_OFF), event("m:2", KICK_OFF)])).await;
    let nothing = show(&app, &ben, ada.id).await.expect(200);
    assert_eq!(
        nothing.body["data"],
        json!({"id": ada.id, "username": ada.username, "name": null, "created_at": "2026-11-15T12:00:00.000Z",
               "primary_team": null, "points": 0, "rank": null, "settled_predictions": 0,
               "correct_predictions": 0, "accuracy": 0.0, "exact_scores": 0})
    );
    let body = json!({"name": "Ada", "email": "ada@example.org", "date_of_birth": "1990-12-10"});
    let call = |path: &str, body: Value| app.client.post(path).token(&ada.token).json(body).send();
    call("/api/auth/update-user-info", body).await.expect(200);
    let team = json!({"team_id": ids["teams"]["westbrook"]});
    call("/api/auth/teams/primary", team).await.expect(200);
    let others = json!({"team_ids": [ids["teams"]["eastfield"]]});
    call("/api/auth/teams/other", others).await.expect(200);
    // One is better, one is as good, and one has nothing.
    users(&app, 1_000, 3).await;
    let [first, second] = ["m:1", "m:2"].map(|key| ids["events"][key].as_i64().unwrap());
    for (user, score) in [(1_000, (2, 1)), (1_001, (1, 0)), (1_002, (1, 0)), (ada.id, (1, 0))] {
        let outcome = if user == 1_002 { Outcome::Away } else { Outcome::Home };
        let score = (user != 1_002).then_some(score);
        assert!(place(&app, user, first, pick(outcome, score, 50)).await);
    }
    assert!(place(&app, ada.id, second, pick(Outcome::Away, None, 50)).await);
    finish(&app, first, 2, 1).await;
    finish(&app, second, 1, 0).await;
    let shown = show(&app, &ben, ada.id).await.expect(200);
    assert_eq!(
        shown.body["data"],
        json!({"id": ada.id, "username": ada.username, "name": "Ada", "created_at": "2026-11-15T12:00:00.000Z",
               "primary_team": {"id": ids["teams"]["westbrook"], "name": "Westbrook"}, "points": 4, "rank": 2,
               "settled_predictions": 2, "correct_predictions": 1, "accuracy": 0.5, "exact_scores": 0})
    );
    let board = get(&app, &ada, "/api/auth/leaderboard").await.expect(200);
    assert_eq!(board.body["meta"]["me"], json!({"rank": 2, "points": 4}));
    assert_eq!(show(&app, &ada, ada.id).await.expect(200).body, shown.body, "to oneself the same");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_banned_user_is_shown_and_a_deleted_or_unknown_one_is_not() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.log_in(&TestApp::phone(1)).await, app.log_in(&TestApp::phone(2)).await);
    let ban = format!("/api/admin/users/{}/ban", ada.id);
    app.client.post(&ban).token(OPERATOR_TOKEN).send().await.expect(200);
    assert_eq!(show(&app, &ben, ada.id).await.expect(200).body["data"]["username"], ada.username);
    let unban = format!("/api/admin/users/{}/unban", ada.id);
    app.client.post(&unban).token(OPERATOR_TOKEN).send().await.expect(200);
    app.client.delete("/api/auth/me").token(&ada.token).send().await.expect(200);
    show(&app, &ben, ada.id).await.expect_error(404, "not_found");
    for wrong in ["999", "0", "-1", "me", "9223372036854775808"] {
        let path = format!("/api/auth/users/{wrong}");
        get(&app, &ben, &path).await.expect_error(404, "not_found");
    }
    let path = format!("/api/auth/users/{}", ben.id);
    app.client.get(&path).send().await.expect_error(401, "unauthenticated");
}
