//! What all lists have in common: filters that find nothing, and where a page lies.

use serde_json::{Value, json};

use crate::catalogue::{event, import};
use crate::harness::{Fan, OPERATOR_TOKEN, Reply, TestApp, escape};
use crate::predictions::{KICK_OFF, get, predict};

async fn operator(app: &TestApp, path: &str) -> Reply {
    app.client.get(path).token(OPERATOR_TOKEN).send().await
}

/// One match, a room about it and a prediction on it.
async fn with_lists() -> (TestApp, Fan, i64, String) {
    let app = TestApp::new().await;
    let ids = import(&app, json!([event("m:1", KICK_OFF)])).await;
    let event = ids["events"]["m:1"].as_i64().unwrap();
    let fan = app.log_in("+447700900123").await;
    predict(&app, &fan, json!({"event_id": event, "prediction": "home"})).await.expect(201);
    let body = json!({"name": "Terrace", "event_id": event});
    let call = app.client.post("/api/auth/chat-room").token(&fan.token).json(body);
    let room = call.send().await.expect(201).body["data"]["room_id"].as_str().unwrap().to_owned();
    (app, fan, event, room)
}

fn meta(current_page: i64, last_page: i64, per_page: i64, total: i64) -> Value {
    json!({"current_page": current_page, "last_page": last_page, "per_page": per_page, "total": total})
}

/// The fields of a page among those of a list's `meta`.
fn paging(reply: &Reply) -> Value {
    let field = |name: &str| (name.to_owned(), reply.body["meta"][name].clone());
    ["current_page", "last_page", "per_page", "total"].map(field).into_iter().collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_filter_by_an_id_that_nothing_has_lists_nothing_with_its_usual_meta() {
    let (app, fan, event, _) = with_lists().await;
    let none = [("total_predictions", json!(0)), ("average_confidence", json!(0.0))];
    for (path, query, meta) in [
        ("events".to_owned(), "tournament_id", vec![("total", json!(0)), ("last_page", json!(1))]),
        ("events".to_owned(), "team_id", vec![("total", json!(0)), ("last_page", json!(1))]),
        ("teams".to_owned(), "sport_id", vec![("total", json!(0)), ("last_page", json!(1))]),
        ("chat-rooms".to_owned(), "event_id", vec![("total", json!(0)), ("last_page", json!(1))]),
        ("chat-rooms?joined=true".to_owned(), "event_id", vec![("total", json!(0))]),
        ("predictions".to_owned(), "event_id", vec![("total_predictions", json!(0))]),
        ("predictions".to_owned(), "tournament_id", vec![("points_earned", json!(0))]),
        (format!("events/{event}/predictions"), "user_id", none.to_vec()),
    ] {
        let sign = if path.contains('?') { '&' } else { '?' };
        let path = format!("/api/auth/{path}{sign}{query}=");
        for id in ["999", "9223372036854775807"] {
            let list = get(&app, &fan, &format!("{path}{id}")).await.expect(200);
            assert_eq!(list.body["data"], json!([]), "{path}{id}");
            for (field, value) in &meta {
                assert_eq!(&list.body["meta"][field], value, "{path}{id} {field}");
            }
        }
        for malformed in ["x", "0", "-1", "1.5", "", "9223372036854775808"] {
            get(&app, &fan, &format!("{path}{malformed}")).await.expect_invalid(query);
        }
    }
    for path in ["feed-teams?team_id=", "feed-matches?event_id=", "feed-matches?tournament=none_"] {
        let list = operator(&app, &format!("/api/admin/{path}999")).await.expect(200);
        assert_eq!(list.body, json!({"data": [], "meta": meta(1, 1, 20, 0)}), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_leaderboard_of_nothing_there_is_not_found() {
    let (app, fan, ..) = with_lists().await;
    for scope in
        ["event&event_id=999", "tournament&tournament_id=999", "room&room_id=!no:localhost"]
    {
        let path = format!("/api/auth/leaderboard?scope={scope}");
        get(&app, &fan, &path).await.expect_error(404, "not_found");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_list_with_pages_says_where_the_page_lies() {
    let (app, fan, event, room) = with_lists().await;
    let hook = json!({"url": "http://127.0.0.1:9/hook"});
    let call = app.client.post("/api/admin/webhooks").token(OPERATOR_TOKEN).json(hook);
    let hook = call.send().await.expect(201).body["data"]["id"].clone();
    for path in [
        "events".to_owned(),
        "teams".to_owned(),
        "chat-rooms".to_owned(),
        "chat-rooms?search=terrace".to_owned(),
        "chat-rooms?joined=true".to_owned(),
        "predictions".to_owned(),
        "predictions?settled=false".to_owned(),
        format!("events/{event}/predictions"),
        format!("chat-rooms/{}/predictions", escape(&room)),
        "coins/transactions".to_owned(),
        "leaderboard".to_owned(),
    ] {
        let sign = if path.contains('?') { '&' } else { '?' };
        let reply = get(&app, &fan, &format!("/api/auth/{path}{sign}page=2&per_page=3")).await;
        let reply = reply.expect(200);
        let total = reply.body["meta"]["total"].as_i64().unwrap_or(-1);
        assert_eq!(
            paging(&reply),
            meta(2, (total + 2) / 3 + i64::from(total == 0), 3, total),
            "{path}"
        );
    }
    for path in [
        "audit".to_owned(),
        "jobs".to_owned(),
        "chat/reports".to_owned(),
        "feed-teams".to_owned(),
        "feed-matches".to_owned(),
        format!("webhooks/{hook}/deliveries"),
    ] {
        let reply =
            operator(&app, &format!("/api/admin/{path}?page=2&per_page=3")).await.expect(200);
        let total = reply.body["meta"]["total"].as_i64().unwrap_or(-1);
        assert_eq!(
            paging(&reply),
            meta(2, (total + 2) / 3 + i64::from(total == 0), 3, total),
            "{path}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_that_is_sent_whole_is_one_page_with_everything() {
    let (app, fan, event, room) = with_lists().await;
    let other = app.log_in("+447700900124").await;
    for path in ["chat-rooms", "chat-rooms?search=terrace", "chat-rooms?joined=true", "predictions"]
    {
        let reply = get(&app, &fan, &format!("/api/auth/{path}")).await.expect(200);
        let total = i64::try_from(reply.body["data"].as_array().unwrap().len()).unwrap();
        assert!(total > 0, "{path}");
        assert_eq!(paging(&reply), meta(1, 1, total, total), "{path}");
    }
    for path in ["chat-rooms?joined=true", "predictions"] {
        let reply = get(&app, &other, &format!("/api/auth/{path}")).await.expect(200);
        assert_eq!(paging(&reply), meta(1, 1, 1, 0), "{path}");
    }
    // Where the interface names the fields of `meta`, those are all of them.
    for (path, fields) in [
        (
            format!("events/{event}/predictions"),
            ["average_confidence", "prediction_distribution", "total_predictions"].as_slice(),
        ),
        (
            format!("chat-rooms/{}/predictions", escape(&room)),
            &["away_predictions", "draw_predictions", "home_predictions", "total_predictions"],
        ),
    ] {
        let reply = get(&app, &fan, &format!("/api/auth/{path}")).await.expect(200);
        let told: Vec<&String> = reply.body["meta"].as_object().unwrap().keys().collect();
        assert_eq!(told, fields, "{path}");
    }
}
