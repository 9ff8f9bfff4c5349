//! Events as users see them and operators run them.

use serde_json::{Value, json};
use touchline::features::events::KickOff;
use touchline::platform::db::{Tx, params};
use touchline::platform::jobs::{Job, Stop};

use crate::catalogue::{assert_counts_are_right, event, event_with, import};
use crate::harness::{Fan, OPERATOR_TOKEN, Reply, TestApp};

async fn get(app: &TestApp, fan: &Fan, path: &str) -> Reply {
    app.client.get(path).token(&fan.token).send().await
}

async fn operate(app: &TestApp, event: &Value, what: &str, body: Value) -> Reply {
    let path = format!("/api/admin/events/{event}{what}");
    let call = if what.is_empty() { app.client.patch(&path) } else { app.client.post(&path) };
    call.token(OPERATOR_TOKEN).json(body).send().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_listed_event_has_exactly_the_fields_of_the_interface() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    import(&app, json!([event("m:1", "2026-11-20T15:00:00Z")])).await;
    let list = get(&app, &fan, "/api/auth/events").await.expect(200);
    insta::assert_json_snapshot!(list.body, @r#"
    {
      "data": [
        {
          "away_score": null,
          "away_team": {
            "id": 2,
            "logo": "https://cdn.example.org/southbank_fc.png",
            "name": "Southbank FC"
          },
          "chat_room_id": null,
          "home_score": null,
          "home_team": {
            "id": 1,
            "logo": "https://cdn.example.org/northgate_fc.png",
            "name": "Northgate FC"
          },
          "id": 1,
          "minute": null,
          "minute_at": null,
          "period": null,
          "predictions_count": 0,
          "start_time": "2026-11-20T15:00:00.000Z",
          "start_time_confirmed": true,
          "status": "scheduled",
          "tournament": {
            "id": 1,
            "logo": "https://cdn.example.org/league.png",
            "name": "League"
          },
          "tournament_id": 1,
          "venue": "Northgate Park"
        }
      ],
      "meta": {
        "current_page": 1,
        "last_page": 1,
        "per_page": 20,
        "total": 1
      }
    }
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_finishes_a_match_and_a_second_one_corrects_it() {
    let app = TestApp::new().await;
    let ids = import(&app, json!([event("m:1", "2026-11-20T15:00:00Z")])).await;
    let id = &ids["events"]["m:1"];
    let first =
        operate(&app, id, "/result", json!({"home_score": 2, "away_score": 1})).await.expect(200);
    assert_eq!(first.body["data"]["status"], "finished");
    let second =
        operate(&app, id, "/result", json!({"home_score": 2, "away_score": 2})).await.expect(200);
    assert_eq!(second.body["data"]["away_score"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_goes_live_by_itself_when_its_start_passes() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let ids = import(&app, json!([event("m:1", "2026-11-15T12:10:00Z")])).await;
    let path = format!("/api/auth/events/{}", ids["events"]["m:1"]);
    app.advance(599);
    app.run_jobs().await;
    assert_eq!(get(&app, &fan, &path).await.expect(200).body["data"]["status"], "scheduled");
    app.advance(1);
    app.run_jobs().await;
    assert_eq!(get(&app, &fan, &path).await.expect(200).body["data"]["status"], "live");
}

/// The keys of the listed events, in their order.
async fn keys(app: &TestApp, fan: &Fan, ids: &Value, query: &str) -> (Vec<String>, i64) {
    let list = get(app, fan, &format!("/api/auth/events{query}")).await.expect(200);
    let key = |id: &Value| {
        let events = ids["events"].as_object().unwrap();
        events.iter().find(|(_, known)| *known == id).unwrap().0.clone()
    };
    let events = list.body["data"].as_array().unwrap();
    (
        events.iter().map(|event| key(&event["id"])).collect(),
        list.body["meta"]["total"].as_i64().unwrap(),
    )
}

/// Live a, b; scheduled c, d, e; finished f, g, h. The cup's are b, d and g; Eastfield plays in c, d and h.
async fn match_days(app: &TestApp) -> Value {
    let done = json!({"status": "finished", "home_score": 1, "away_score": 0});
    let with = |mut one: Value, other: Value| {
        for (name, value) in other.as_object().unwrap() {
            one[name] = value.clone();
        }
        one
    };
    let cup = json!({"tournament": "cup"});
    import(
        app,
        json!([
            event_with("a", "2026-11-15T11:00:00Z", json!({"status": "live"})),
            event_with("b", "2026-11-15T11:30:00Z", with(cup.clone(), json!({"status": "live"}))),
            event_with("c", "2026-11-15T15:00:00Z", json!({"home": "eastfield"})),
            event_with(
                "d",
                "2026-11-16T15:00:00.000Z",
                with(cup.clone(), json!({"away": "eastfield"}))
            ),
            event("e", "2026-11-22T00:00:00Z"),
            event_with("f", "2026-11-14T23:59:59.999Z", done.clone()),
            event_with("g", "2026-11-02T15:00:00Z", with(done.clone(), cup)),
            event_with("h", "2026-11-01T15:00:00Z", with(done, json!({"home": "eastfield"}))),
        ]),
    )
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn every_filter_and_their_combinations_narrow_the_list_and_its_total() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let ids = match_days(&app).await;
    let (cup, eastfield) = (&ids["tournaments"]["cup"], &ids["teams"]["eastfield"]);
    let westbrook = &ids["teams"]["westbrook"];
    for (query, expected) in [
        (String::new(), "abcdefgh"),
        ("?status=live".to_owned(), "ab"),
        ("?status=scheduled".to_owned(), "cde"),
        ("?status=finished".to_owned(), "fgh"),
        (format!("?tournament_id={cup}"), "bdg"),
        (format!("?tournament_id={cup}&status=finished"), "g"),
        (format!("?team_id={eastfield}"), "cdh"),
        (format!("?team_id={eastfield}&status=scheduled"), "cd"),
        (format!("?team_id={eastfield}&tournament_id={cup}"), "d"),
        (format!("?team_id={westbrook}"), ""),
        ("?date=2026-11-15".to_owned(), "abc"),
        ("?date=2026-11-14".to_owned(), "f"),
        ("?date=2026-11-22".to_owned(), "e"),
        ("?date=2026-11-15&status=live".to_owned(), "ab"),
        (format!("?date=2026-11-15&tournament_id={cup}"), "b"),
        (format!("?date=2026-11-16&team_id={eastfield}&tournament_id={cup}"), "d"),
    ] {
        let (keys, total) = keys(&app, &fan, &ids, &query).await;
        assert_eq!(keys.concat(), expected, "{query}");
        assert_eq!(total, i64::try_from(expected.len()).unwrap(), "{query}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_cut_the_list_without_gaps_or_repeats() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let ids = match_days(&app).await;
    let eastfield = ids["teams"]["eastfield"].clone();
    for (query, expected) in [(String::new(), "abcdefgh"), (format!("&team_id={eastfield}"), "cdh")]
    {
        for per_page in 1..=9 {
            let mut all = String::new();
            for page in 1..=9 {
                let path = format!("?page={page}&per_page={per_page}{query}");
                all += &keys(&app, &fan, &ids, &path).await.0.concat();
            }
            assert_eq!(all, expected, "{per_page} on a page");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_past_the_end_is_empty_even_beyond_counting() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    match_days(&app).await;
    for page in ["2", "9223372036854775807", "9223372036854775808"] {
        for path in ["/api/auth/events", "/api/auth/teams"] {
            let list = get(&app, &fan, &format!("{path}?page={page}")).await.expect(200);
            assert_eq!(list.body["data"], json!([]), "{path} {page}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_filter_that_means_nothing_is_refused_by_name() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    for (query, field) in [
        ("status=postponed", "status"),
        ("status=", "status"),
        ("date=2026-02-30", "date"),
        ("date=20261115", "date"),
        ("tournament_id=0", "tournament_id"),
        ("tournament_id=x", "tournament_id"),
        ("team_id=-1", "team_id"),
        ("team_id=9223372036854775808", "team_id"),
        ("page=0", "page"),
        ("per_page=-1", "per_page"),
        ("per_page=many", "per_page"),
    ] {
        get(&app, &fan, &format!("/api/auth/events?{query}")).await.expect_invalid(field);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn events_need_a_token_and_an_unknown_one_is_not_found() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    app.client.get("/api/auth/events").send().await.expect_error(401, "unauthenticated");
    for id in ["1", "0", "-1", "x", "9223372036854775808"] {
        get(&app, &fan, &format!("/api/auth/events/{id}")).await.expect_error(404, "not_found");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_voided_match_is_shown_by_itself_but_in_no_list() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let ids = match_days(&app).await;
    let id = &ids["events"]["b"];
    let reply =
        operate(&app, id, "/void", json!({"reason": "Floodlights failed"})).await.expect(200);
    assert_eq!(reply.body["data"]["status_detail"], "void");
    let shown = get(&app, &fan, &format!("/api/auth/events/{id}")).await.expect(200);
    let data = &shown.body["data"];
    assert_eq!((&data["status"], &data["status_detail"]), (&json!("live"), &json!("void")));
    assert_eq!(data["void_reason"], "Floodlights failed");
    for (query, expected) in [("", "acdefgh"), ("?status=live", "a"), ("?date=2026-11-15", "ac")] {
        let (keys, total) = keys(&app, &fan, &ids, query).await;
        assert_eq!(
            (keys.concat().as_str(), total),
            (expected, i64::try_from(expected.len()).unwrap())
        );
    }
    assert_counts_are_right(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_void_match_takes_no_result_until_it_is_given_a_status() {
    let app = TestApp::new().await;
    let ids = match_days(&app).await;
    let id = &ids["events"]["f"];
    let result = json!({"home_score": 4, "away_score": 4});
    operate(&app, id, "/void", json!({"reason": "Abandoned"})).await.expect(200);
    operate(&app, id, "/result", result.clone()).await.expect_error(422, "event_void");
    operate(&app, id, "", json!({"home_score": 1})).await.expect_invalid("status");
    let back = operate(&app, id, "", json!({"status": "finished"})).await.expect(200);
    assert_eq!(
        (&back.body["data"]["status_detail"], &back.body["data"]["home_score"]),
        (&json!(null), &json!(1))
    );
    operate(&app, id, "/result", result).await.expect(200);
    assert_counts_are_right(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_void_of_a_match_past_its_start_does_not_let_it_go_live() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let ids = import(&app, json!([event("m", "2026-11-15T12:00:00Z")])).await;
    operate(&app, &ids["events"]["m"], "/void", json!({"reason": "Cancelled"})).await.expect(200);
    app.run_jobs().await;
    let shown = get(&app, &fan, &format!("/api/auth/events/{}", ids["events"]["m"])).await;
    assert_eq!(shown.body["data"]["status"], "scheduled");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_live_match_is_postponed_and_reopens_without_its_score() {
    let app = TestApp::new().await;
    let ids = match_days(&app).await;
    let id = &ids["events"]["a"];
    operate(&app, id, "", json!({"home_score": 1, "away_score": 0})).await.expect(200);
    let body = json!({"status": "scheduled", "start_time": "2026-11-15T20:00:00+01:00"});
    let data = operate(&app, id, "", body).await.expect(200).body["data"].clone();
    assert_eq!(
        (&data["status"], &data["start_time"]),
        (&json!("scheduled"), &json!("2026-11-15T19:00:00.000Z"))
    );
    assert_eq!(data["home_score"], json!(null));
    app.run_jobs().await;
    app.set_time("2026-11-15T19:00:00Z");
    app.run_jobs().await;
    assert_eq!(operate(&app, id, "", json!({"venue": "x"})).await.body["data"]["status"], "live");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_may_kick_off_early_and_keep_the_score() {
    let app = TestApp::new().await;
    let ids = match_days(&app).await;
    let id = &ids["events"]["e"];
    let body = json!({"status": "live", "home_score": 0, "away_score": 0});
    operate(&app, id, "", body).await.expect(200);
    let data =
        operate(&app, id, "", json!({"away_score": 1})).await.expect(200).body["data"].clone();
    assert_eq!((&data["home_score"], &data["away_score"]), (&json!(0), &json!(1)));
    assert_counts_are_right(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_makes_no_sense_is_refused_by_name_and_changes_nothing() {
    let app = TestApp::new().await;
    let ids = match_days(&app).await;
    // a is live, e is scheduled, f is finished.
    for (key, what, body, field) in [
        ("a", "", json!({}), "body"),
        ("a", "", json!({"status": "postponed"}), "status"),
        ("a", "", json!({"status": "scheduled"}), "start_time"),
        (
            "a",
            "",
            json!({"status": "scheduled", "start_time": "2026-11-15T12:00:00Z"}),
            "start_time",
        ),
        ("a", "", json!({"start_time": "2026-11-16T12:00:00Z"}), "start_time"),
        ("a", "", json!({"start_time": "2026-11-16T12:00:00"}), "start_time"),
        ("a", "", json!({"home_score": 1}), "away_score"),
        ("a", "", json!({"home_score": -1, "away_score": 0}), "home_score"),
        ("a", "", json!({"status": "finished"}), "home_score"),
        ("e", "", json!({"home_score": 1, "away_score": 1}), "home_score"),
        ("f", "", json!({"status": "live"}), "status"),
        ("f", "", json!({"status": "scheduled", "start_time": "2026-12-01T12:00:00Z"}), "status"),
        ("f", "", json!({"home_score": 9}), "home_score"),
        ("f", "", json!({"start_time": "2026-12-01T12:00:00Z"}), "start_time"),
        ("e", "/result", json!({"home_score": 1}), "away_score"),
        ("e", "/result", json!({"home_score": 1, "away_score": 100}), "away_score"),
        ("e", "/result", json!({"home_score": "1", "away_score": 1}), "home_score"),
        ("e", "/void", json!({"reason": " "}), "reason"),
        ("e", "/void", json!({}), "reason"),
    ] {
        operate(&app, &ids["events"][key], what, body).await.expect_invalid(field);
    }
    let fan = app.log_in("+447700900123").await;
    assert_eq!(keys(&app, &fan, &ids, "").await.0.concat(), "abcdefgh");
    operate(&app, &json!(999), "", json!({"venue": "x"})).await.expect_error(404, "not_found");
    operate(&app, &json!(999), "/void", json!({"reason": "x"}))
        .await
        .expect_error(404, "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_change_is_told_to_the_stream_once_and_in_order() {
    let app = TestApp::new().await;
    let ids = import(&app, json!([event("m", "2026-11-15T12:00:00Z")])).await;
    let id = &ids["events"]["m"];
    app.run_jobs().await;
    app.run_jobs().await;
    operate(&app, id, "", json!({"home_score": 1, "away_score": 0})).await.expect(200);
    operate(&app, id, "", json!({"home_score": 1})).await.expect(200);
    operate(&app, id, "", json!({"venue": "Elsewhere"})).await.expect(200);
    let result = json!({"home_score": 2, "away_score": 0});
    operate(&app, id, "/result", result.clone()).await.expect(200);
    operate(&app, id, "/result", result).await.expect(200);
    operate(&app, id, "/void", json!({"reason": "Replayed"})).await.expect(200);
    let read = |tx: &mut Tx| tx.all("SELECT id, kind, data FROM event_feed ORDER BY id", params![]);
    let told: Vec<(i64, String, String)> = app.app.db.read(read).await.unwrap();
    let words: Vec<(i64, String)> = told
        .iter()
        .map(|(at, kind, data)| {
            let data: Value = serde_json::from_str(data).unwrap();
            assert_eq!(data["event_id"], *id);
            let word = if kind == "score" { &data["home_score"] } else { &data["status"] };
            (*at, format!("{kind} {word} {}", data["status_detail"]))
        })
        .collect();
    let expected = [
        (1, "status \"live\" null"),
        (2, "score 1 null"),
        (3, "score 2 null"),
        (4, "status \"finished\" null"),
        (5, "status \"finished\" \"void\""),
    ];
    assert_eq!(words, expected.map(|(at, word)| (at, word.to_owned())));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_operators_do_is_in_the_audit_log() {
    let app = TestApp::new().await;
    let ids = import(&app, json!([event("m", "2026-11-20T15:00:00Z")])).await;
    let id = &ids["events"]["m"];
    operate(&app, id, "", json!({"venue": "Elsewhere"})).await.expect(200);
    operate(&app, id, "/result", json!({"home_score": 1, "away_score": 0})).await.expect(200);
    operate(&app, id, "/void", json!({"reason": "Replayed"})).await.expect(200);
    let log = app.client.get("/api/admin/audit").token(OPERATOR_TOKEN).send().await.expect(200);
    let actions: Vec<&str> = log.body["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["action"].as_str().unwrap())
        .collect();
    assert_eq!(actions, ["event.void", "event.result", "event.update", "catalogue.import"]);
    assert_eq!(log.body["data"][1]["detail"], json!({"home_score": 1, "away_score": 0}));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_nodes_kick_a_match_off_once() {
    let app = TestApp::new().await;
    let events: Vec<Value> =
        (0..30).map(|n| event(&format!("m:{n}"), "2026-11-15T12:00:00Z")).collect();
    import(&app, events.into()).await;
    let node = || async { KickOff.run(app.app.events.clone(), Stop::new()).await.unwrap() };
    tokio::join!(node(), node(), node());
    let read = |tx: &mut Tx| tx.one::<i64>("SELECT count(*) FROM event_feed", params![]);
    assert_eq!(app.app.db.read(read).await.unwrap(), 30);
    assert_counts_are_right(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn operators_and_imports_at_once_leave_right_counts_and_no_failure() {
    let app = TestApp::new().await;
    let fixtures = |venue: &str| -> Value {
        let one =
            |n| event_with(&format!("m:{n}"), "2026-11-15T12:00:00Z", json!({"venue": venue}));
        (0..10).map(one).collect()
    };
    let ids = import(&app, fixtures("A")).await;
    let operators = async {
        for n in (0..10).rev() {
            let id = &ids["events"][format!("m:{n}")];
            operate(&app, id, "/result", json!({"home_score": n, "away_score": 1}))
                .await
                .expect(200);
        }
    };
    let imports = async {
        for venue in ["B", "C", "D", "E"] {
            import(&app, fixtures(venue)).await;
        }
    };
    tokio::join!(operators, imports, app.run_jobs());
    assert_counts_are_right(&app).await;
}
