//! Whatever is thrown at it, every endpoint answers, and none by a fault of the server.

use reqwest::Method;
use serde_json::{Map, Value, json};

use crate::app::{AS_TOKEN, TestServer, User, escape};

/// The fields that some endpoint reads.
const FIELDS: [&str; 54] = [
    "actions",
    "algorithm",
    "auth",
    "auth_data",
    "avatar_url",
    "by_phrase",
    "conditions",
    "content",
    "creation_content",
    "device_id",
    "device_keys",
    "devices",
    "displayname",
    "enabled",
    "event_id",
    "fallback_keys",
    "filter",
    "first_message_index",
    "forwarded_count",
    "identifier",
    "initial_state",
    "invite",
    "invite_3pid",
    "is_verified",
    "limit",
    "m.fully_read",
    "m.read",
    "m.relates_to",
    "master_key",
    "membership",
    "messages",
    "one_time_keys",
    "order",
    "power_level_content_override",
    "preset",
    "reason",
    "room",
    "room_alias_name",
    "room_id",
    "room_version",
    "rooms",
    "search_term",
    "self_signing_key",
    "session_data",
    "sessions",
    "thread_id",
    "timeout",
    "topic",
    "type",
    "typing",
    "user_id",
    "username",
    "version",
    "visibility",
];

/// Bodies of every wrong shape.
fn bodies() -> Vec<String> {
    let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let mut all: Vec<String> =
        ["{}", "[]", "null", "\"x\"", "1", "", "{", "\u{0}"].map(str::to_owned).to_vec();
    all.extend([deep(100), deep(100_000), format!("{{\"content\":{}}}", deep(100))]);
    let values = [
        json!(null),
        json!(1),
        json!(-1),
        json!(1e300),
        json!("x"),
        json!([]),
        json!({}),
        json!(true),
        json!([1]),
        json!({"x": 1}),
        json!({"x": {"y": 1}}),
        json!({"rel_type": 1, "event_id": {}}),
    ];
    for value in values {
        let fields: Map<String, Value> =
            FIELDS.iter().map(|name| ((*name).to_owned(), value.clone())).collect();
        all.push(Value::from(fields).to_string());
    }
    for name in FIELDS {
        all.extend([json!(1), json!({"x": [1]})].map(|value| json!({name: value}).to_string()));
    }
    all
}

/// A path with something real, or with nonsense, in each of its places.
fn fill(path: &str, user: &User<'_>, room: &str, event: &str, nonsense: Option<&str>) -> String {
    let place = |name: &str| {
        let real = match name {
            "room_id" | "room_id_or_alias" => room,
            "user_id" => user.id.as_str(),
            "event_id" => event,
            "device_id" => user.device.as_str(),
            "receipt_type" => "m.read",
            "kind" => "override",
            "room_alias" => "#some:test.local",
            "server_name" => "test.local",
            _ => "x",
        };
        escape(nonsense.unwrap_or(real))
    };
    let fill = |segment: &str| match segment.strip_prefix('{').and_then(|s| s.strip_suffix('}')) {
        Some(name) => place(name),
        None => segment.to_owned(),
    };
    path.split('/').map(fill).collect::<Vec<_>>().join("/")
}

async fn throw(server: &TestServer, method: &Method, path: &str, token: &str, body: String) {
    let request = server.client.request(method.clone(), format!("{}{path}", server.base));
    let shown: String = body.chars().take(200).collect();
    let answer = request.bearer_auth(token).body(body).send().await;
    let answer = answer.unwrap_or_else(|cause| panic!("{method} {path} {shown}: {cause}"));
    assert!(answer.status().as_u16() < 500, "{method} {path} {shown}: {}", answer.status());
}

#[tokio::test]
async fn no_body_makes_any_endpoint_fail_or_close_the_connection() {
    let server = TestServer::new().await;
    for (number, (method, path)) in server.homeserver.endpoints().into_iter().enumerate() {
        // The older paths lead to the same places, and a ping to a service that is not there.
        if path.contains("/r0/") || path.ends_with("/ping") {
            continue;
        }
        let user = server.user(&format!("u{number}")).await;
        let room = user.public_room().await;
        let event = user.say(&room, "hello").await;
        let mut path = fill(&path, &user, &room, &event, None);
        if path.contains("/room_keys/keys") {
            path = format!("{path}?version={}", crate::backups::new_backup(&user).await);
        }
        let reads = method == Method::GET || method == Method::DELETE;
        for body in if reads { vec![String::new()] } else { bodies() } {
            throw(&server, &method, &path, &user.token, body).await;
        }
        throw(&server, &method, &path, AS_TOKEN, "{}".to_owned()).await;
    }
}

#[tokio::test]
async fn no_nonsense_in_a_path_or_query_makes_any_endpoint_fail() {
    let server = TestServer::new().await;
    let user = server.user("ann").await;
    let long = "x".repeat(300);
    let query = "?from=%00&to=-1&limit=-1&dir=z&filter=%7B&since=s99999999999999999999&ts=-1&at=t\
                 &user_id=x&timeout=-1&membership=&not_membership=x&key=%00&via=&format=x";
    for (method, path) in server.homeserver.endpoints() {
        for nonsense in ["x", "!x", "!x:test.local", "@", "$", "#:", "\u{0}", "%", "é", &long] {
            let path = fill(&path, &user, "", "", Some(nonsense));
            throw(&server, &method, &path, &user.token, "{}".to_owned()).await;
            throw(&server, &method, &format!("{path}{query}"), &user.token, "{}".to_owned()).await;
        }
    }
}
