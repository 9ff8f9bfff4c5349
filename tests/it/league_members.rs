//! Who is in a league, who may do what there, and who is not let in.

use serde_json::{Value, json};
use touchline::features::predictions::Outcome;

use crate::harness::{Fan, Reply, TestApp};
use crate::leagues::{Season, assert_tables_add_up, join, make, post, season};
use crate::predictions::{get, pick, place};
use crate::settlement::finish;

async fn fans<const N: usize>(app: &TestApp) -> [Fan; N] {
    let mut fans = Vec::new();
    for number in 0..N {
        fans.push(app.log_in(&TestApp::phone(u32::try_from(number).unwrap())).await);
    }
    fans.try_into().unwrap_or_else(|_| unreachable!())
}

async fn act(app: &TestApp, fan: &Fan, league: &Value, what: &str, body: Value) -> Reply {
    post(app, fan, &format!("/{}/{what}", league["id"]), body).await
}

/// The users and roles of all members, as they are listed.
async fn members(app: &TestApp, fan: &Fan, league: &Value) -> Vec<(i64, String)> {
    let path = format!("/api/auth/leagues/{}/members", league["id"]);
    let listed = get(app, fan, &path).await.expect(200).body;
    let member =
        |it: &Value| (it["user"]["id"].as_i64().unwrap(), it["role"].as_str().unwrap().to_owned());
    listed["data"].as_array().unwrap().iter().map(member).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_owner_makes_deputies_who_take_members_out() {
    let Season { app, league, .. } = season().await;
    let [ada, ben, cleo, dan] = fans(&app).await;
    let made = make(&app, &ada, json!({"name": "Four", "tournament_ids": [league]})).await;
    for fan in [&ben, &cleo, &dan] {
        join(&app, fan, &made).await.expect(200);
    }
    let role = |fan: &Fan, role: &str| json!({"user_id": fan.id, "role": role});
    act(&app, &ben, &made, "role", role(&cleo, "deputy")).await.expect_error(403, "league_role");
    act(&app, &ada, &made, "role", role(&ben, "deputy")).await.expect(200);
    let out = |fan: &Fan| json!({"user_id": fan.id});
    act(&app, &cleo, &made, "remove", out(&dan)).await.expect_error(403, "league_role");
    act(&app, &ben, &made, "remove", out(&ada)).await.expect_error(403, "league_role");
    act(&app, &ben, &made, "remove", out(&dan)).await.expect(200);
    act(&app, &ben, &made, "remove", out(&dan)).await.expect_error(404, "not_found");
    let named = |list: &[(&Fan, &str)]| {
        list.iter().map(|(fan, role)| (fan.id, (*role).to_owned())).collect::<Vec<_>>()
    };
    assert_eq!(
        members(&app, &ada, &made).await,
        named(&[(&ada, "owner"), (&ben, "deputy"), (&cleo, "member")])
    );
    // Without "for good" the code is still good for them.
    join(&app, &dan, &made).await.expect(200);
    act(&app, &ada, &made, "role", role(&cleo, "owner")).await.expect(200);
    assert_eq!(
        members(&app, &ada, &made).await,
        named(&[(&cleo, "owner"), (&ada, "deputy"), (&ben, "deputy"), (&dan, "member")])
    );
    act(&app, &ada, &made, "role", role(&dan, "deputy")).await.expect_error(403, "league_role");
    act(&app, &cleo, &made, "role", role(&cleo, "member")).await.expect_error(400, "owner_stays");
    assert_tables_add_up(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_was_shut_out_is_not_let_in_until_they_are_readmitted() {
    let Season { app, league, .. } = season().await;
    let [ada, ben] = fans(&app).await;
    let body = json!({"name": "Two", "tournament_ids": [league], "is_public": true});
    let made = make(&app, &ada, body).await;
    join(&app, &ben, &made).await.expect(200);
    let body = json!({"user_id": ben.id, "for_good": true});
    act(&app, &ada, &made, "remove", body).await.expect(200);
    join(&app, &ben, &made).await.expect_error(403, "not_welcome");
    act(&app, &ben, &made, "join", json!({})).await.expect_error(403, "not_welcome");
    act(&app, &ada, &made, "readmit", json!({"user_id": ben.id})).await.expect(200);
    join(&app, &ben, &made).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn whom_the_owner_has_blocked_does_not_join() {
    let Season { app, league, .. } = season().await;
    let [ada, ben] = fans(&app).await;
    let made = make(&app, &ada, json!({"name": "Two", "tournament_ids": [league]})).await;
    let path = format!("/api/auth/users/{}/block", ben.id);
    app.client.post(&path).token(&ada.token).send().await.expect(200);
    join(&app, &ben, &made).await.expect_error(403, "not_welcome");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_leaves_is_in_no_table_and_an_owner_hands_over_first() {
    let Season { app, league, matches, .. } = season().await;
    let [ada, ben] = fans(&app).await;
    let made = make(&app, &ada, json!({"name": "Two", "tournament_ids": [league]})).await;
    join(&app, &ben, &made).await.expect(200);
    for fan in [&ada, &ben] {
        assert!(place(&app, fan.id, matches[0], pick(Outcome::Home, None, 50)).await);
    }
    finish(&app, matches[0], 1, 0).await;
    act(&app, &ada, &made, "leave", json!({})).await.expect_error(400, "owner_leaves");
    act(&app, &ben, &made, "leave", json!({})).await.expect(200);
    act(&app, &ben, &made, "leave", json!({})).await.expect_error(404, "not_found");
    assert_eq!(app.count("SELECT count(*) FROM league_standings").await, 2);
    // The last one closes it by leaving.
    act(&app, &ada, &made, "leave", json!({})).await.expect(200);
    assert_eq!(app.count("SELECT count(*) FROM leagues WHERE closed_at IS NULL").await, 0);
    assert_eq!(app.count("SELECT count(*) FROM league_standings").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_tried_a_thousand_times_is_refused_after_twenty_wrong_ones() {
    let Season { app, league, .. } = season().await;
    let [ada, eve] = fans(&app).await;
    let made = make(&app, &ada, json!({"name": "Ours", "tournament_ids": [league]})).await;
    let mut refused = 0;
    for number in 0..1_000 {
        let code: String = format!("{number:010}").replace(['0', '1'], "Z").replace('Z', "Y");
        let reply = post(&app, &eve, "/join", json!({"code": code})).await;
        match (number, reply.status) {
            (..20, 404) => {}
            (20.., 429) => refused += 1,
            _ => panic!("{number}: {} {}", reply.status, reply.body),
        }
    }
    assert_eq!(refused, 980);
    // Not even the right one is looked at, nor shown.
    join(&app, &eve, &made).await.expect_error(429, "too_many_wrong_codes");
    let path = format!("/api/auth/leagues/codes/{}", made["code"].as_str().unwrap());
    get(&app, &eve, &path).await.expect_error(429, "too_many_wrong_codes");
    app.advance(60 * 60);
    join(&app, &eve, &made).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_code_ends_the_old_one() {
    let Season { app, league, .. } = season().await;
    let [ada, ben, cleo] = fans(&app).await;
    let made = make(&app, &ada, json!({"name": "Ours", "tournament_ids": [league]})).await;
    join(&app, &ben, &made).await.expect(200);
    act(&app, &ben, &made, "code", json!({})).await.expect_error(403, "league_role");
    let renewed = act(&app, &ada, &made, "code", json!({})).await.expect(200).body;
    join(&app, &cleo, &made).await.expect_error(404, "not_found");
    join(&app, &cleo, &renewed["data"]).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_has_more_leagues_than_twenty() {
    let Season { app, league, .. } = season().await;
    let [ada] = fans(&app).await;
    for number in 0..20 {
        if number % 10 == 0 {
            app.advance(10 * 60);
        }
        make(&app, &ada, json!({"name": format!("League {number}"), "tournament_ids": [league]}))
            .await;
    }
    app.advance(10 * 60);
    let body = json!({"name": "One more", "tournament_ids": [league]});
    post(&app, &ada, "", body).await.expect_error(400, "too_many_leagues");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_league_takes_ten_thousand_members() {
    let Season { app, league, .. } = season().await;
    let [ada, ben] = fans(&app).await;
    let made = make(&app, &ada, json!({"name": "Full", "tournament_ids": [league]})).await;
    let fill = "UPDATE leagues SET member_count = 10000";
    app.app.db.write(move |tx| tx.exec(fill, &[])).await.unwrap();
    join(&app, &ben, &made).await.expect_error(400, "league_full");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_ends_leaves_its_leagues_to_whoever_was_there_longest() {
    let Season { app, league, matches, .. } = season().await;
    let [ada, ben, cleo] = fans(&app).await;
    let made = make(&app, &ada, json!({"name": "Three", "tournament_ids": [league]})).await;
    for fan in [&ben, &cleo] {
        app.advance(1);
        join(&app, fan, &made).await.expect(200);
    }
    let role = json!({"user_id": cleo.id, "role": "deputy"});
    act(&app, &ada, &made, "role", role).await.expect(200);
    assert!(place(&app, ada.id, matches[0], pick(Outcome::Home, None, 50)).await);
    finish(&app, matches[0], 1, 0).await;
    let export = get(&app, &ada, "/api/auth/export").await.expect(200).body;
    assert_eq!(
        export["data"]["leagues"],
        json!([{"id": made["id"], "name": "Three", "role": "owner", "points": 3}])
    );
    app.client.delete("/api/auth/me").token(&ada.token).send().await.expect(200);
    assert_eq!(
        members(&app, &ben, &made).await,
        [(cleo.id, "owner".to_owned()), (ben.id, "member".to_owned())]
    );
    assert_eq!(app.count("SELECT count(*) FROM league_standings WHERE points > 0").await, 0);
    assert_tables_add_up(&app).await;
}
