//! Sports and tournaments as users see them.

use serde_json::{Value, json};

use crate::catalogue::{event, event_with, import, put};
use crate::harness::{Fan, TestApp};
use crate::predictions::get;
use crate::settlement::operate;

/// Two sports with three tournaments.
async fn catalogue(app: &TestApp) -> Value {
    let tournament =
        |slug: &str, name: &str, sport: &str| json!({"slug": slug, "name": name, "sport": sport});
    let document = json!({
        "sports": [{"slug": "rugby", "name": "Rugby"}, {"slug": "football", "name": "Football"}],
        "tournaments": [tournament("t1", "ÖSTRA_100%", "football"), tournament("t2", "Östra 1000", "rugby"),
                        tournament("t3", "Harbour League", "football")],
    });
    put(app, document).await.expect(200).body["data"].clone()
}

/// The slugs on a page, in its order, and the total.
async fn slugs(app: &TestApp, fan: &Fan, path: &str) -> (Vec<String>, i64) {
    let list = get(app, fan, path).await.expect(200).body;
    let slug = |item: &Value| item["slug"].as_str().unwrap().to_owned();
    let items = list["data"].as_array().unwrap();
    (items.iter().map(slug).collect(), list["meta"]["total"].as_i64().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn sports_are_listed_by_name_page_by_page() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    assert_eq!(slugs(&app, &fan, "/api/auth/sports").await, (vec![], 0));
    let ids = catalogue(&app).await;
    let list = get(&app, &fan, "/api/auth/sports").await.expect(200);
    assert_eq!(
        list.body,
        json!({"data": [{"id": ids["sports"]["football"], "name": "Football", "slug": "football"},
                        {"id": ids["sports"]["rugby"], "name": "Rugby", "slug": "rugby"}],
               "meta": {"current_page": 1, "last_page": 1, "per_page": 20, "total": 2}})
    );
    let second = slugs(&app, &fan, "/api/auth/sports?per_page=1&page=2").await;
    assert_eq!(second, (vec!["rugby".to_owned()], 2));
    assert_eq!(slugs(&app, &fan, "/api/auth/sports?page=7").await, (vec![], 2));
    get(&app, &fan, "/api/auth/sports?per_page=0").await.expect_invalid("per_page");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_listed_tournament_shows_its_sport_and_its_logo_if_it_has_one() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let ids = import(&app, json!([])).await;
    let list = get(&app, &fan, "/api/auth/tournaments").await.expect(200);
    let sport = json!({"id": ids["sports"]["football"], "name": "Football", "slug": "football"});
    let (cup, league) = (&ids["tournaments"]["cup"], &ids["tournaments"]["league"]);
    assert_eq!(
        list.body,
        json!({"data": [
            {"id": cup, "name": "Cup", "slug": "cup", "sport_id": sport["id"], "sport": sport},
            {"id": league, "name": "League", "slug": "league", "sport_id": sport["id"], "sport": sport,
             "logo": "https://cdn.example.org/league.png"}],
            "meta": {"current_page": 1, "last_page": 1, "per_page": 20, "total": 2}})
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn tournaments_are_found_by_sport_and_by_a_literal_part_of_the_name_in_any_case() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let ids = catalogue(&app).await;
    let rugby = &ids["sports"]["rugby"];
    for (query, expected, total) in [
        (String::new(), vec!["t3", "t1", "t2"], 3),
        ("search=%C3%B6stra".to_owned(), vec!["t1", "t2"], 2),
        ("search=100%25".to_owned(), vec!["t1"], 1),
        ("search=a_1".to_owned(), vec!["t1"], 1),
        ("search=".to_owned(), vec!["t3", "t1", "t2"], 3),
        ("search=nothing".to_owned(), vec![], 0),
        (format!("sport_id={rugby}"), vec!["t2"], 1),
        (format!("sport_id={rugby}&search=harbour"), vec![], 0),
        ("sport_id=999".to_owned(), vec![], 0),
        ("per_page=2&page=2".to_owned(), vec!["t2"], 3),
        ("per_page=2&page=9223372036854775807".to_owned(), vec![], 3),
    ] {
        let found = slugs(&app, &fan, &format!("/api/auth/tournaments?{query}")).await;
        let expected: Vec<String> = expected.into_iter().map(str::to_owned).collect();
        assert_eq!(found, (expected, total), "{query}");
    }
    for (query, field) in
        [("sport_id=rugby", "sport_id"), ("search=a%00b", "search"), ("page=0", "page")]
    {
        get(&app, &fan, &format!("/api/auth/tournaments?{query}")).await.expect_invalid(field);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_shows_in_lists_that_are_kept_in_memory() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    catalogue(&app).await;
    for path in ["/api/auth/sports?per_page=1", "/api/auth/tournaments?per_page=1"] {
        let before = get(&app, &fan, path).await.expect(200).body["data"][0].clone();
        let renamed = json!({
            "sports": [{"slug": "football", "name": "A-ball"}],
            "tournaments": [{"slug": "t3", "name": "A League", "sport": "football"}],
        });
        put(&app, renamed).await.expect(200);
        let after = get(&app, &fan, path).await.expect(200).body["data"][0].clone();
        assert_ne!(before["name"], after["name"], "{path}");
        assert_eq!(before["id"], after["id"], "{path}");
        catalogue(&app).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn match_days_count_what_the_list_of_each_day_shows() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let done = json!({"status": "finished", "home_score": 1, "away_score": 0});
    let ids = import(
        &app,
        json!([
            event_with("old", "1969-12-31T23:59:59.999Z", done.clone()),
            event_with("a", "2026-11-14T23:59:59.999Z", done),
            event_with("b", "2026-11-15T11:00:00Z", json!({"status": "live"})),
            event("c", "2026-11-15T00:00:00Z"),
            event("d", "2026-11-15T23:59:59Z"),
            event("e", "2026-11-16T00:00:00Z"),
            event("gone", "2026-11-17T15:00:00Z"),
            event_with("other", "2026-11-18T15:00:00Z", json!({"tournament": "cup"})),
        ]),
    )
    .await;
    let gone = ids["events"]["gone"].as_i64().unwrap();
    operate(&app, gone, "/void", json!({"reason": "Snow"})).await.expect(200);
    let league = &ids["tournaments"]["league"];
    let path = format!("/api/auth/tournaments/{league}/match-days");
    let list = get(&app, &fan, &path).await.expect(200).body;
    let day = |date: &str, first: &str, last: &str, counts: [i64; 3]| {
        let [scheduled, live, finished] = counts;
        json!({"date": date, "first_start_time": format!("{date}T{first}Z"), "last_start_time": format!("{date}T{last}Z"),
               "events": scheduled + live + finished, "scheduled": scheduled, "live": live, "finished": finished})
    };
    let expected = json!([
        day("1969-12-31", "23:59:59.999", "23:59:59.999", [0, 0, 1]),
        day("2026-11-14", "23:59:59.999", "23:59:59.999", [0, 0, 1]),
        day("2026-11-15", "00:00:00.000", "23:59:59.000", [2, 1, 0]),
        day("2026-11-16", "00:00:00.000", "00:00:00.000", [1, 0, 0]),
    ]);
    assert_eq!(list["data"], expected);
    assert_eq!(
        list["meta"],
        json!({"current_page": 1, "last_page": 1, "per_page": 20, "total": 4})
    );
    for day in expected.as_array().unwrap() {
        let date = day["date"].as_str().unwrap();
        let events = format!("/api/auth/events?tournament_id={league}&date={date}");
        assert_eq!(get(&app, &fan, &events).await.expect(200).body["meta"]["total"], day["events"]);
    }
    let page = get(&app, &fan, &format!("{path}?per_page=3&page=2")).await.expect(200).body;
    assert_eq!((&page["data"], &page["meta"]["last_page"]), (&json!([expected[3]]), &json!(2)));
    // A change shows at once, though pages are kept in memory.
    operate(&app, gone, "", json!({"status": "scheduled"})).await.expect(200);
    let list = get(&app, &fan, &path).await.expect(200).body;
    assert_eq!(list["data"][4]["date"], "2026-11-17");
}

#[tokio::test(flavor = "multi_thread")]
async fn match_days_are_of_a_tournament_that_exists() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let ids = import(&app, json!([])).await;
    let path = format!("/api/auth/tournaments/{}/match-days", ids["tournaments"]["league"]);
    let list = get(&app, &fan, &path).await.expect(200).body;
    assert_eq!((&list["data"], &list["meta"]["total"]), (&json!([]), &json!(0)));
    get(&app, &fan, &format!("{path}?page=x")).await.expect_invalid("page");
    for unknown in ["999", "0", "league", "1.5"] {
        let path = format!("/api/auth/tournaments/{unknown}/match-days");
        get(&app, &fan, &path).await.expect_error(404, "not_found");
    }
}
