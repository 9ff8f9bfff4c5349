//! Teams and a user's choice among them.

use serde_json::{Value, json};

use crate::catalogue::{import, put};
use crate::harness::{Fan, Reply, TestApp};

async fn get(app: &TestApp, fan: &Fan, path: &str) -> Reply {
    app.client.get(path).token(&fan.token).send().await
}

async fn choose(app: &TestApp, fan: &Fan, which: &str, body: Value) -> Reply {
    app.client.post(&format!("/api/auth/teams/{which}")).token(&fan.token).json(body).send().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_listed_team_has_exactly_the_fields_of_the_interface() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    import(&app, json!([])).await;
    let list = get(&app, &fan, "/api/auth/teams?search=north").await.expect(200);
    insta::assert_json_snapshot!(list.body, @r#"
    {
      "data": [
        {
          "country": "England",
          "founded": 1893,
          "id": 1,
          "logo": "https://cdn.example.org/northgate_fc.png",
          "name": "Northgate FC",
          "slug": "northgate_fc",
          "sport": {
            "id": 1,
            "name": "Football",
            "slug": "football"
          },
          "sport_id": 1
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
async fn a_team_without_a_logo_has_no_such_field() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    import(&app, json!([])).await;
    let list = get(&app, &fan, "/api/auth/teams?search=westbrook").await.expect(200);
    let team = list.body["data"][0].as_object().unwrap();
    assert!(!team.contains_key("logo"));
    assert_eq!((&team["country"], &team["founded"]), (&json!(null), &json!(null)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_is_a_literal_part_of_the_name_in_any_case() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let team =
        |slug: &str, name: &str, sport: &str| json!({"slug": slug, "name": name, "sport": sport});
    let document = json!({
        "sports": [{"slug": "a", "name": "A"}, {"slug": "b", "name": "B"}],
        "teams": [team("t1", "ÖSTRA_100%", "a"), team("t2", "Östra 1000", "b"), team("t3", "back\\slash", "a")],
    });
    let ids = put(&app, document).await.expect(200).body["data"].clone();
    let sport = &ids["sports"]["b"];
    for (query, expected) in [
        ("search=%C3%B6stra", vec!["t2", "t1"]),
        ("search=100%25", vec!["t1"]),
        ("search=a_1", vec!["t1"]),
        ("search=K%5CS", vec!["t3"]),
        ("search=%25", vec!["t1"]),
        ("search=", vec!["t3", "t2", "t1"]),
        ("search=nobody", vec![]),
        (&format!("sport_id={sport}"), vec!["t2"]),
        (&format!("sport_id={sport}&search=back"), vec![]),
    ] {
        let list = get(&app, &fan, &format!("/api/auth/teams?{query}")).await.expect(200);
        let mut slugs: Vec<&str> = list.body["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|team| team["slug"].as_str().unwrap())
            .collect();
        // By name, in the order of the letters' code points on both databases.
        let mut expected = expected;
        slugs.sort_unstable();
        expected.sort_unstable();
        assert_eq!(slugs, expected, "{query}");
        assert_eq!(list.body["meta"]["total"], expected.len(), "{query}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn teams_are_listed_by_name_page_by_page() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    import(&app, json!([])).await;
    let mut names = Vec::new();
    for page in 1..=3 {
        let list =
            get(&app, &fan, &format!("/api/auth/teams?per_page=2&page={page}")).await.expect(200);
        assert_eq!(list.body["meta"]["last_page"], 2);
        let teams = list.body["data"].as_array().unwrap();
        names.extend(teams.iter().map(|team| team["name"].as_str().unwrap().to_owned()));
    }
    assert_eq!(names, ["Eastfield", "Northgate FC", "Southbank FC", "Westbrook"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_filter_that_means_nothing_is_refused_by_name() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    for (query, field) in [
        ("sport_id=football", "sport_id"),
        ("search=a%00b", "search"),
        ("per_page=0", "per_page"),
        ("page=-1", "page"),
    ] {
        get(&app, &fan, &format!("/api/auth/teams?{query}")).await.expect_invalid(field);
    }
    app.client.get("/api/auth/teams").send().await.expect_error(401, "unauthenticated");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_saved_primary_team_replaces_the_one_before() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let ids = import(&app, json!([])).await;
    for slug in ["westbrook", "northgate_fc"] {
        choose(&app, &fan, "primary", json!({"team_id": ids["teams"][slug]})).await.expect(200);
    }
    let saved = choose(&app, &fan, "primary", json!({"team_id": ids["teams"]["eastfield"]}))
        .await
        .expect(200);
    let team = json!({"id": ids["teams"]["eastfield"], "name": "Eastfield",
                      "logo": "https://cdn.example.org/eastfield.png"});
    assert!(saved.body["message"].is_string());
    assert_eq!(saved.body["data"], json!({"team": team}));
    let me = get(&app, &fan, "/api/auth/me").await.expect(200);
    assert_eq!(
        (&me.body["data"]["primary_team"], &me.body["data"]["other_teams"]),
        (&team, &json!([]))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_primary_team_must_exist() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    choose(&app, &fan, "primary", json!({"team_id": 999})).await.expect_error(404, "not_found");
    for wrong in [json!(0), json!(-1), json!("1"), json!(1.5), json!(null), json!([1]), json!(1e30)]
    {
        choose(&app, &fan, "primary", json!({"team_id": wrong})).await.expect_invalid("team_id");
    }
    choose(&app, &fan, "primary", json!({})).await.expect_invalid("team_id");
}

/// The ids of the user's other teams, as `me` shows them.
async fn others(app: &TestApp, fan: &Fan) -> Vec<Value> {
    let me = get(app, fan, "/api/auth/me").await.expect(200);
    me.body["data"]["other_teams"]
        .as_array()
        .unwrap()
        .iter()
        .map(|team| team["id"].clone())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn other_teams_are_replaced_whole_with_repeats_folded_and_none_clears() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let ids = import(&app, json!([])).await;
    let id = |slug: &str| ids["teams"][slug].clone();
    let (a, b, c) = (id("westbrook"), id("eastfield"), id("northgate_fc"));
    let six = json!({"team_ids": [a, b, a, a, b, a, c]});
    let saved = choose(&app, &fan, "other", six).await.expect(200);
    assert_eq!(saved.body["data"]["teams"].as_array().unwrap().len(), 3);
    assert_eq!(saved.body["data"]["teams"][0], json!({"id": a, "name": "Westbrook"}));
    assert_eq!(others(&app, &fan).await, [a, b, c.clone()]);
    choose(&app, &fan, "other", json!({"team_ids": [c]})).await.expect(200);
    assert_eq!(others(&app, &fan).await, [c]);
    let cleared = choose(&app, &fan, "other", json!({"team_ids": []})).await.expect(200);
    assert_eq!(cleared.body["data"], json!({"teams": []}));
    assert!(others(&app, &fan).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_choice_of_others_that_is_refused_changes_nothing() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let ids = import(&app, json!([])).await;
    let id = ids["teams"]["eastfield"].clone();
    choose(&app, &fan, "other", json!({"team_ids": [id]})).await.expect(200);
    let other = &ids["teams"]["westbrook"];
    let unknown = choose(&app, &fan, "other", json!({"team_ids": [other, 999]})).await;
    let unknown = unknown.expect_invalid("team_ids");
    assert!(unknown.text.contains("999"));
    for (wrong, field) in [
        (json!([1, 2, 3, 4, 5, 6]), "team_ids"),
        (json!(null), "team_ids"),
        (json!(1), "team_ids"),
        (json!([1, "2"]), "team_ids.1"),
        (json!([0]), "team_ids.0"),
    ] {
        choose(&app, &fan, "other", json!({"team_ids": wrong})).await.expect_invalid(field);
    }
    assert_eq!(others(&app, &fan).await, [id]);
}

#[tokio::test(flavor = "multi_thread")]
async fn choices_are_exported_and_forgotten_with_the_account() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let ids = import(&app, json!([])).await;
    choose(&app, &fan, "primary", json!({"team_id": ids["teams"]["eastfield"]})).await.expect(200);
    let export = get(&app, &fan, "/api/auth/export").await.expect(200);
    assert_eq!(export.body["data"]["teams"]["primary_team"]["name"], "Eastfield");
    app.client.delete("/api/auth/me").token(&fan.token).send().await.expect(200);
    let count = |tx: &mut touchline::platform::db::Tx| {
        tx.one::<i64>("SELECT count(*) FROM favourite_teams", &[])
    };
    assert_eq!(app.app.db.read(count).await.unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn crests_are_drawn_for_everybody() {
    let app = TestApp::new().await;
    let crest = app.client.get("/crests/northgate_fc.svg").send().await.expect(200);
    assert_eq!(crest.header("content-type"), Some("image/svg+xml"));
    assert!(crest.text.starts_with("<svg "));
    for wrong in ["/crests/northgate_fc", "/crests/.svg", "/crests/%3Cb%3E.svg", "/crests/%FF.svg"]
    {
        app.client.get(wrong).send().await.expect_error(404, "not_found");
    }
}
