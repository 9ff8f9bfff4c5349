//! The operators' import.

use serde_json::{Value, json};

use crate::harness::{OPERATOR_TOKEN, Reply, TestApp};

/// One sport, four teams, two tournaments and these events.
pub fn document(events: Value) -> Value {
    let team = |slug: &str, name: &str| {
        json!({"slug": slug, "name": name, "sport": "football", "country": "England", "founded": 1893,
               "logo": format!("https://cdn.example.org/{slug}.png")})
    };
    json!({
        "sports": [{"slug": "football", "name": "Football"}],
        "teams": [team("northgate_fc", "Northgate FC"), team("southbank_fc", "Southbank FC"),
                  team("eastfield", "Eastfield"), {"slug": "westbrook", "name": "Westbrook", "sport": "football"}],
        "tournaments": [
            {"slug": "league", "name": "League", "sport": "football", "logo": "https://cdn.example.org/league.png"},
            {"slug": "cup", "name": "Cup", "sport": "football", "scoring": "kicktipp"},
        ],
        "events": events,
    })
}

pub fn event(key: &str, start_time: &str) -> Value {
    json!({"key": key, "tournament": "league", "home": "northgate_fc", "away": "southbank_fc",
           "start_time": start_time, "venue": "Northgate Park"})
}

/// An event with some of its fields replaced.
pub fn event_with(key: &str, start_time: &str, fields: Value) -> Value {
    let mut event = event(key, start_time);
    for (name, value) in fields.as_object().unwrap() {
        event[name] = value.clone();
    }
    event
}

pub async fn put(app: &TestApp, document: Value) -> Reply {
    app.client.put("/api/admin/catalogue").token(OPERATOR_TOKEN).json(document).send().await
}

/// Imports these events and answers the data of the import.
pub async fn import(app: &TestApp, events: Value) -> Value {
    put(app, document(events)).await.expect(200).body["data"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_answers_the_ids_of_everything_it_names() {
    let app = TestApp::new().await;
    let data = import(&app, json!([event("m:1", "2026-11-20T15:00:00Z")])).await;
    assert_eq!(
        (&data["created"], &data["updated"], &data["unchanged"]),
        (&json!(8), &json!(0), &json!(0))
    );
    assert_eq!(data["teams"].as_object().unwrap().len(), 4);
    assert!(data["events"]["m:1"].as_i64().unwrap() > 0);
    assert!(data["sports"]["football"].as_i64().unwrap() > 0);
    assert!(data["tournaments"]["cup"].as_i64().unwrap() > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_document_again_changes_nothing() {
    let app = TestApp::new().await;
    let events = json!([event("m:1", "2026-11-20T15:00:00Z")]);
    let first = import(&app, events.clone()).await;
    let second = import(&app, events).await;
    assert_eq!(
        (&second["created"], &second["updated"], &second["unchanged"]),
        (&json!(0), &json!(0), &json!(8))
    );
    assert_eq!(first["events"], second["events"]);
}
