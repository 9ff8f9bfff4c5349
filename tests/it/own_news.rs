//! What the live stream tells a listener of their own: predictions that were settled, and coins that moved.

use serde_json::{Value, json};

use crate::harness::{Fan, OPERATOR_TOKEN, TestApp};
use crate::predictions::predict;
use crate::settlement::{finish, operate};
use crate::stream::{Listening, Told, kick_off, score, two_matches};

const ADA: &str = "+447700900123";
const BEN: &str = "+447700900124";

async fn pick(app: &TestApp, fan: &Fan, event: i64, outcome: &str) -> Value {
    let body = json!({"event_id": event, "prediction": outcome});
    predict(app, fan, body).await.expect(201).body["data"]["id"].clone()
}

async fn spend(app: &TestApp, fan: &Fan, amount: i64) {
    let body = json!({"amount": amount, "reason": "wager", "reference_id": "r1"});
    app.client.post("/api/auth/coins/deduct").token(&fan.token).json(body).send().await.expect(200);
}

/// The next that has this name; what else is told before it is passed over.
async fn next_named(listening: &mut Listening, name: &str) -> Told {
    loop {
        let told = listening.next().await;
        if told.name == name {
            return told;
        }
    }
}

/// The names of everything until the settlement of a match, with it.
async fn names_until_settled(listening: &mut Listening) -> Vec<String> {
    let mut names = Vec::new();
    while names.last().is_none_or(|name| name != "settlement") {
        names.push(listening.next().await.name);
    }
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn points_are_told_to_whoever_predicted_and_to_nobody_else() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.log_in(ADA).await, app.log_in(BEN).await);
    let (event, other) = two_matches(&app).await;
    let id = pick(&app, &ada, event, "home").await;
    pick(&app, &ben, other, "home").await;
    let mut of_ada = Listening::open(&app, &ada, "", None).await;
    let mut of_ben = Listening::open(&app, &ben, "", None).await;
    finish(&app, event, 2, 1).await;
    let told = next_named(&mut of_ada, "prediction").await;
    let expected = json!({"event_id": event, "prediction_id": id, "points_earned": 3, "settlement": "provisional"});
    assert_eq!(told.data, expected);
    let settled = of_ada.next().await;
    assert_eq!(settled.name, "settlement", "the match follows in the same breath");
    let names = names_until_settled(&mut of_ben).await;
    assert!(!names.contains(&"prediction".to_owned()), "{names:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn corrected_voided_and_final_points_are_told_again() {
    let app = TestApp::new().await;
    let ada = app.log_in(ADA).await;
    let (event, _) = two_matches(&app).await;
    pick(&app, &ada, event, "home").await;
    let mut listening = Listening::open(&app, &ada, "", None).await;
    let mut told = Vec::new();
    finish(&app, event, 2, 1).await;
    told.push(next_named(&mut listening, "prediction").await);
    finish(&app, event, 1, 1).await;
    told.push(next_named(&mut listening, "prediction").await);
    app.advance(3_600);
    app.run_jobs().await;
    told.push(next_named(&mut listening, "prediction").await);
    operate(&app, event, "/void", json!({"reason": "abandoned"})).await.expect(200);
    app.run_jobs().await;
    told.push(next_named(&mut listening, "prediction").await);
    let told: Vec<Value> = told
        .iter()
        .map(|told| json!([told.data["settlement"], told.data["points_earned"]]))
        .collect();
    let expected = json!([["provisional", 3], ["provisional", 0], ["final", 0], ["open", null]]);
    assert_eq!(json!(told), expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_was_away_when_a_match_was_settled_hears_what_it_earned_them() {
    let app = TestApp::new().await;
    let ada = app.log_in(ADA).await;
    let (event, _) = two_matches(&app).await;
    pick(&app, &ada, event, "home").await;
    let mut listening = Listening::open(&app, &ada, "", None).await;
    kick_off(&app, event).await;
    let last = next_named(&mut listening, "status").await.id;
    drop(listening);
    finish(&app, event, 2, 1).await;
    let mut listening = Listening::open(&app, &ada, "", Some(&last)).await;
    let told = next_named(&mut listening, "prediction").await;
    assert_eq!(told.data["points_earned"], 3);
    // Cut off between the two: both come again, as the prediction has the id of what was told before it.
    let mut again = Listening::open(&app, &ada, "", Some(&told.id)).await;
    assert_eq!((again.next().await, again.next().await.name), (told, "settlement".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn coins_that_move_are_told_to_their_owner_as_their_list_shows_them() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.log_in(ADA).await, app.log_in(BEN).await);
    let mut of_ada = Listening::open(&app, &ada, "", None).await;
    let mut of_ben = Listening::open(&app, &ben, "", None).await;
    spend(&app, &ada, 30).await;
    let path = format!("/api/admin/users/{}/coins", ada.id);
    let call = app.client.post(&path).token(OPERATOR_TOKEN);
    call.json(json!({"amount": 5, "reason": "sorry"})).send().await.expect(200);
    spend(&app, &ben, 7).await;
    let told = [of_ada.next().await, of_ada.next().await];
    let call = app.client.get("/api/auth/coins/transactions?per_page=2").token(&ada.token);
    let listed = call.send().await.expect(200).body["data"].clone();
    assert_eq!(json!([told[1].data, told[0].data]), listed);
    assert!(told.iter().all(|told| told.name == "coins"));
    assert_eq!(
        (&told[0].data["amount"], &told[0].data["balance_after"]),
        (&json!(-30), &json!(470))
    );
    let of_ben = of_ben.next().await;
    assert_eq!((of_ben.name.as_str(), &of_ben.data["amount"]), ("coins", &json!(-7)));
}

#[tokio::test(flavor = "multi_thread")]
async fn coins_that_moved_while_somebody_was_away_are_told_once_when_they_come_back() {
    let app = TestApp::new().await;
    let ada = app.log_in(ADA).await;
    let mut listening = Listening::open(&app, &ada, "", None).await;
    spend(&app, &ada, 1).await;
    let last = listening.next().await;
    drop(listening);
    spend(&app, &ada, 2).await;
    let mut listening = Listening::open(&app, &ada, "", Some(&last.id)).await;
    let missed = listening.next().await;
    spend(&app, &ada, 3).await;
    let amounts = [&last, &missed, &listening.next().await].map(|told| told.data["amount"].clone());
    assert_eq!(json!(amounts), json!([-1, -2, -3]));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_id_of_somebody_else_tells_nothing_of_theirs() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.log_in(ADA).await, app.log_in(BEN).await);
    spend(&app, &ben, 9).await;
    spend(&app, &ada, 4).await;
    let mut listening = Listening::open(&app, &ada, "", Some("0.0.0")).await;
    let told = [listening.next().await, listening.next().await];
    let reasons = told.map(|told| json!([told.data["reason"], told.data["amount"]]));
    assert_eq!(json!(reasons), json!([["welcome", 500], ["wager", -4]]));
}

#[tokio::test(flavor = "multi_thread")]
async fn more_movements_than_are_made_up_for_are_said_to_be_missed() {
    let app = TestApp::new().await;
    let ada = app.log_in(ADA).await;
    for _ in 0..201 {
        spend(&app, &ada, 1).await;
    }
    let mut listening = Listening::open(&app, &ada, "", Some("0.1.0")).await;
    assert_eq!(listening.next().await.name, "reset");
    spend(&app, &ada, 2).await;
    assert_eq!(listening.next().await.data["amount"], -2, "and it goes on from now");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_id_without_anything_of_ones_own_is_still_good() {
    let app = TestApp::new().await;
    let ada = app.log_in(ADA).await;
    let (event, _) = two_matches(&app).await;
    spend(&app, &ada, 1).await;
    kick_off(&app, event).await;
    let mut listening = Listening::open(&app, &ada, "", Some("0")).await;
    spend(&app, &ada, 2).await;
    let told = next_named(&mut listening, "coins").await;
    assert_eq!(told.data["amount"], -2, "what was before is not told: nobody knows from where");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_of_one_match_tells_what_it_earned_and_nothing_of_coins() {
    let app = TestApp::new().await;
    let ada = app.log_in(ADA).await;
    let (event, other) = two_matches(&app).await;
    pick(&app, &ada, event, "home").await;
    pick(&app, &ada, other, "home").await;
    let mut listening = Listening::open(&app, &ada, &format!("?event_id={event}"), None).await;
    let mut whole = Listening::open(&app, &ada, "", None).await;
    spend(&app, &ada, 1).await;
    next_named(&mut whole, "coins").await;
    finish(&app, other, 1, 0).await;
    finish(&app, event, 1, 0).await;
    let names = names_until_settled(&mut listening).await;
    assert_eq!(names.iter().filter(|name| *name == "prediction").count(), 1, "{names:?}");
    assert!(!names.contains(&"coins".to_owned()), "{names:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_settlement_says_what_all_predictions_came_to() {
    let app = TestApp::new().await;
    let (event, _) = two_matches(&app).await;
    let picks = [("home", Some((2, 1))), ("home", Some((1, 0))), ("home", None), ("away", None)];
    for (number, (outcome, score)) in (0..).zip(picks) {
        let fan = app.log_in(&TestApp::phone(number)).await;
        let score = score.map(|(home, away)| json!({"home": home, "away": away}));
        let body = json!({"event_id": event, "prediction": outcome, "score_prediction": score});
        predict(&app, &fan, body).await.expect(201);
    }
    let watcher = app.log_in(&TestApp::phone(9)).await;
    let mut listening = Listening::open(&app, &watcher, "", None).await;
    score(&app, event, 2, 1).await;
    finish(&app, event, 2, 1).await;
    let told = next_named(&mut listening, "settlement").await;
    let expected = json!({"settled": 4, "correct": 3, "exact": 1, "points": 13});
    assert_eq!(told.data["predictions"], expected);
}
