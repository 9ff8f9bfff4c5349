//! What each role may do, call by call.

use reqwest::Method;
use serde_json::Value;

use crate::harness::{Reply, TestApp};

const ROLES: [&str; 4] = ["viewer", "moderator", "operator", "owner"];

/// Every call for operators with its least role, as the API's description has it.
fn calls() -> Vec<(String, String, String)> {
    let document = touchline::app::openapi();
    let mut calls = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let guards = operation["security"].as_array().unwrap();
            if guards.iter().any(|guard| guard.get("operator").is_some()) {
                let role = operation["x-least-role"].as_str().unwrap_or("NOBODY SAYS");
                calls.push((role.to_owned(), method.to_uppercase(), path.clone()));
            }
        }
    }
    let height = |role: &str| ROLES.iter().position(|known| *known == role);
    calls.sort_by_key(|(role, method, path)| (height(role), path.clone(), method.clone()));
    calls
}

/// A call of something that is not there: the guard stands before that is found out.
async fn call(app: &TestApp, method: &str, path: &str, token: &str) -> Reply {
    let part = |part: &'static str| if part.starts_with('{') { "999999" } else { part };
    let path: &'static str = Box::leak(path.to_owned().into_boxed_str());
    let path = path.split('/').map(part).collect::<Vec<_>>().join("/");
    let method = Method::from_bytes(method.as_bytes()).unwrap();
    // The stream would not end; an id that it did not give is refused behind the guard.
    let call = app.client.request(method, &path).token(token).header("last-event-id", "none");
    call.send().await
}

/// What each call needs at least, the least role first.
const LEAST_ROLES: &str = "\
viewer: GET /api/admin/audit
viewer: GET /api/admin/coins
viewer: GET /api/admin/coins/flows
viewer: GET /api/admin/coins/frozen
viewer: GET /api/admin/events
viewer: GET /api/admin/events/in-need
viewer: GET /api/admin/events/{event}
viewer: GET /api/admin/feed-matches
viewer: GET /api/admin/feed-teams
viewer: GET /api/admin/feeds
viewer: GET /api/admin/jobs
viewer: GET /api/admin/leagues
viewer: GET /api/admin/me
viewer: GET /api/admin/nodes
viewer: GET /api/admin/overview
viewer: GET /api/admin/push
viewer: GET /api/admin/push/messages
viewer: GET /api/admin/questions
viewer: GET /api/admin/questions/{question}
viewer: GET /api/admin/sms
viewer: GET /api/admin/stream
viewer: GET /api/admin/teams
viewer: GET /api/admin/tournaments
viewer: GET /api/admin/users
viewer: GET /api/admin/users/{user}
viewer: GET /api/admin/users/{user}/predictions
moderator: GET /api/admin/chat/reports
moderator: GET /api/admin/chat/reports/{report}
moderator: POST /api/admin/chat/reports/{report}/resolve
moderator: GET /api/admin/chat/rooms
moderator: GET /api/admin/chat/rooms/{room}
moderator: POST /api/admin/chat/rooms/{room}/ban
moderator: GET /api/admin/chat/rooms/{room}/members
moderator: POST /api/admin/chat/rooms/{room}/mute
moderator: POST /api/admin/chat/rooms/{room}/redact
moderator: POST /api/admin/chat/rooms/{room}/remove
moderator: POST /api/admin/chat/rooms/{room}/unban
moderator: POST /api/admin/chat/rooms/{room}/unmute
moderator: POST /api/admin/leagues/{league}/close
moderator: POST /api/admin/leagues/{league}/rename
moderator: POST /api/admin/users/{user}/ban
moderator: POST /api/admin/users/{user}/leave-rooms
moderator: GET /api/admin/users/{user}/notes
moderator: POST /api/admin/users/{user}/notes
moderator: GET /api/admin/users/{user}/sessions
moderator: POST /api/admin/users/{user}/sessions/end
moderator: POST /api/admin/users/{user}/unban
operator: GET /api/admin/audit/export
operator: PUT /api/admin/catalogue
operator: POST /api/admin/chat/rebuild
operator: POST /api/admin/coins/reconcile
operator: POST /api/admin/events
operator: PATCH /api/admin/events/{event}
operator: POST /api/admin/events/{event}/result
operator: GET /api/admin/events/{event}/settlement
operator: POST /api/admin/events/{event}/void
operator: DELETE /api/admin/feed-matches
operator: PUT /api/admin/feed-matches
operator: DELETE /api/admin/feed-teams
operator: PUT /api/admin/feed-teams
operator: POST /api/admin/feeds/{tournament}/poll
operator: DELETE /api/admin/jobs/{job}
operator: POST /api/admin/jobs/{job}/retry
operator: POST /api/admin/push/messages
operator: POST /api/admin/questions
operator: PATCH /api/admin/questions/{question}
operator: POST /api/admin/questions/{question}/settle
operator: POST /api/admin/questions/{question}/void
operator: POST /api/admin/rehearsal
operator: POST /api/admin/users/{user}/coins
operator: GET /api/admin/users/{user}/coins/transactions
operator: POST /api/admin/users/{user}/coins/unfreeze
operator: GET /api/admin/webhooks
operator: DELETE /api/admin/webhooks/{webhook}
operator: GET /api/admin/webhooks/{webhook}/deliveries
operator: POST /api/admin/webhooks/{webhook}/replay
owner: GET /api/admin/operators
owner: POST /api/admin/operators
owner: DELETE /api/admin/operators/{operator}
owner: DELETE /api/admin/users/{user}
owner: GET /api/admin/users/{user}/export
owner: POST /api/admin/webhooks";

#[test]
fn every_call_for_operators_has_a_least_role() {
    let lines: Vec<String> =
        calls().iter().map(|(role, method, path)| format!("{role}: {method} {path}")).collect();
    assert_eq!(lines.join("\n"), LEAST_ROLES);
}

#[test]
fn every_path_below_api_admin_is_for_operators_but_the_way_in() {
    let guarded: Vec<String> = calls().into_iter().map(|(_, _, path)| path).collect();
    let document = touchline::app::openapi();
    for path in document["paths"].as_object().unwrap().keys() {
        let path = if path == "/api/admin/sign-in" { continue } else { path };
        assert_eq!(path.starts_with("/api/admin/"), guarded.contains(path), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_is_let_in_where_it_is_enough_and_nowhere_else() {
    let app = TestApp::new().await;
    let mut tokens = Vec::new();
    for role in ROLES {
        tokens.push(app.operator(role, role).await.1);
    }
    for (role, method, path) in calls() {
        let height = ROLES.iter().position(|known| *known == role).unwrap();
        if height > 0 {
            let reply = call(&app, &method, &path, &tokens[height - 1]).await;
            reply.expect_error(403, "role_too_low");
        }
        let reply = call(&app, &method, &path, &tokens[height]).await;
        let is_in = ![401, 403, 429, 500].contains(&reply.status);
        assert!(is_in, "{role}: {method} {path} answered {}", reply.text);
    }
}

/// The page has a line for each call, under its role.
#[test]
fn the_table_in_the_docs_says_the_same() {
    let page = include_str!("../../docs/operations.md");
    let table = page.split("### What each role may do").nth(1).expect("there is a table");
    let table = table.split("\n## ").next().unwrap();
    for (role, method, path) in calls() {
        let line = table.lines().find(|line| line.starts_with(&format!("| {role} |"))).unwrap();
        let name = format!("`{method} {}`", path.trim_start_matches("/api/admin"));
        assert!(line.contains(&name), "{role}: {name} is not in docs/operations.md");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_was_refused_for_its_role_leaves_nothing_behind() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let (_, viewer) = app.operator("vera", "viewer").await;
    let path = format!("/api/admin/users/{}/ban", fan.id);
    app.client.post(&path).token(&viewer).send().await.expect_error(403, "role_too_low");
    app.client.get("/api/auth/me").token(&fan.token).send().await.expect(200);
    let audit = app.client.get("/api/admin/audit").token(&viewer).send().await.expect(200);
    let is_ban = |row: &Value| row["action"] == "user.ban";
    assert!(!audit.body["data"].as_array().unwrap().iter().any(is_ban));
}
