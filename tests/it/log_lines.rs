//! The log names a user by their id alone, however loud it is and whatever is done.

use serde_json::{Value, json};

use crate::harness::{
    Chatter, Client, OPERATOR_TOKEN, Program, escape, eventually, fresh_database_url, line_with,
};

const PHONE: &str = "+447700900177";
const NEW_PHONE: &str = "+447700900178";
/// What the user says of themselves, and others of them; none of it is a word of the service's own.
const USERNAME: &str = "quizzical_otter";
const OTHER_USERNAME: &str = "jocund_badger";
const NAME: &str = "Wilhelmina Quenby";
const EMAIL: &str = "mina@quenby.example";
const BIRTH: &str = "1987-03-09";
const DEVICE: &str = "Quenbyphone";
const MESSAGE: &str = "vexing zephyrs";
const COMPLAINT: &str = "rude about zephyrs";
const NOTE: &str = "warned about zephyrs";
const REFERENCE: &str = "quenby-order-1";
const WRONG_CODE: &str = "918273";

async fn code(client: &Client, phone: &str) -> String {
    let path = format!("/api/logs/sms?phone={}", phone.replace('+', "%2B"));
    let log = client.get(&path).send().await.expect(200);
    log.body["data"][0]["code"].as_str().unwrap().to_owned()
}

struct Someone {
    id: i64,
    token: String,
    credentials: Value,
    code: String,
}

async fn log_in(client: &Client, phone: &str, username: &str) -> Someone {
    client.post("/api/code/request").json(json!({"phone": phone})).send().await.expect(200);
    let code = code(client, phone).await;
    let body = json!({"phone": phone, "code": code, "username": username, "device_name": DEVICE});
    let data =
        client.post("/api/code/verify").json(body).send().await.expect(200).body["data"].clone();
    Someone {
        id: data["user"]["id"].as_i64().unwrap(),
        token: data["token"].as_str().unwrap().to_owned(),
        credentials: data["matrix_credentials"].clone(),
        code,
    }
}

/// What is wanted of a call: both are told in the log in their way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wanted {
    Done,
    Refused,
}

use Wanted::{Done, Refused};

async fn as_user(client: &Client, token: &str, path: &str, body: Value, wanted: Wanted) -> Value {
    let reply = client.post(path).token(token).json(body).send().await;
    let is_as_wanted = match wanted {
        Done => (200..300).contains(&reply.status),
        Refused => (400..500).contains(&reply.status),
    };
    assert!(is_as_wanted, "{path} is not {wanted:?}: {} {}", reply.status, reply.text);
    reply.body
}

async fn as_operator(client: &Client, path: &str, body: Value) -> Value {
    as_user(client, OPERATOR_TOKEN, path, body, Done).await
}

/// What they say of themselves, and their way to a new phone. Answers the code that they were sent there.
async fn profile(client: &Client, fan: &Someone) -> String {
    let post = async |path: &str, body: Value, wanted| {
        as_user(client, &fan.token, path, body, wanted).await;
    };
    let info = "/api/auth/update-user-info";
    post(info, json!({"name": NAME, "email": EMAIL, "date_of_birth": BIRTH}), Done).await;
    post(info, json!({"email": format!("not {EMAIL}")}), Refused).await;
    post("/api/auth/username/check", json!({"username": USERNAME}), Done).await;
    post("/api/auth/verify-phone/initiate", json!({"phone": NEW_PHONE}), Done).await;
    let code = code(client, NEW_PHONE).await;
    let wrong = json!({"phone": NEW_PHONE, "code": WRONG_CODE});
    post("/api/auth/verify-phone", wrong, Refused).await;
    post("/api/auth/verify-phone", json!({"phone": NEW_PHONE, "code": code}), Done).await;
    code
}

async fn coins(client: &Client, fan: &Someone) {
    let deduct = "/api/auth/coins/deduct";
    for (amount, wanted) in [(5, Done), (1_000_000, Refused)] {
        let spend = json!({"amount": amount, "reason": "wager", "reference_id": REFERENCE});
        as_user(client, &fan.token, deduct, spend, wanted).await;
    }
    as_user(client, &fan.token, "/api/auth/daily-coins", json!({}), Done).await;
}

/// Talks in a room of their own, where another fan reports it.
async fn talk(client: &Client, fan: &Someone, other: &Someone) {
    let room = json!({"name": "Corner"});
    let made = as_user(client, &fan.token, "/api/auth/chat-room", room, Done).await;
    let room = made["data"]["room_id"].as_str().unwrap().to_owned();
    let at = |rest: &str| format!("/api/auth/chat-rooms/{}/{rest}", escape(&room));
    as_user(client, &other.token, &at("join"), json!({}), Done).await;
    as_user(client, &other.token, &at("join"), json!({}), Refused).await;
    let message = Chatter::of(&fan.credentials, client.base()).say(&room, MESSAGE).await;
    let report = json!({"message_id": message, "reason": COMPLAINT});
    as_user(client, &other.token, &at("report"), report, Done).await;
    let mute = format!("/api/admin/chat/rooms/{}/mute", escape(&room));
    as_operator(client, &mute, json!({"user_id": other.id, "reason": COMPLAINT})).await;
}

async fn operators(client: &Client, fan: &Someone) {
    let look = async |path: String| client.get(&path).token(OPERATOR_TOKEN).send().await;
    for query in [
        format!("phone={}", NEW_PHONE.replace('+', "%2B")),
        format!("username={USERNAME}"),
        format!("name={}", NAME.replace(' ', "%20")),
    ] {
        let found = look(format!("/api/admin/users?{query}")).await.expect(200);
        assert_eq!(found.body["data"][0]["id"], fan.id, "{query}: {}", found.text);
    }
    look(format!("/api/admin/users?phone={USERNAME}")).await.expect(422);
    let id = fan.id;
    look(format!("/api/admin/users/{id}")).await.expect(200);
    look(format!("/api/admin/users/{id}/export")).await.expect(200);
    let about = |rest: &str| format!("/api/admin/users/{id}/{rest}");
    as_operator(client, &about("notes"), json!({"text": NOTE})).await;
    as_operator(client, &about("coins"), json!({"amount": 10, "reason": NOTE})).await;
    as_operator(client, &about("ban"), json!({"reason": NOTE})).await;
    as_operator(client, &about("unban"), json!({})).await;
    look("/api/admin/audit".to_owned()).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_users_and_operators_do_the_log_has_ids_and_no_names() {
    let folder = tempfile::tempdir().unwrap();
    let settings = [("TOUCHLINE_LOG__LEVEL", "trace")];
    let program = Program::start(&folder, &fresh_database_url().await, &settings);
    let client = &program.client;
    let fan = log_in(client, PHONE, USERNAME).await;
    let other = log_in(client, "+447700900179", OTHER_USERNAME).await;
    let moving_code = profile(client, &fan).await;
    coins(client, &fan).await;
    talk(client, &fan, &other).await;
    operators(client, &fan).await;
    // What these left to jobs is part of it.
    eventually(|| async {
        let overview = client.get("/api/admin/overview").token(OPERATOR_TOKEN).send().await;
        (overview.body["data"]["chat"]["accounts_behind"] == 0).then_some(())
    })
    .await;
    client.delete("/api/auth/me").token(&other.token).send().await;

    let log = program.log();
    assert!(log.lines().count() > 100, "{log}");
    let chat_token = fan.credentials["access_token"].as_str().unwrap();
    let words = [USERNAME, OTHER_USERNAME, "uenby", BIRTH, "zephyr", OPERATOR_TOKEN, chat_token];
    let numbers = [&PHONE[1..], &NEW_PHONE[1..], "447700900179", &fan.token, &other.token];
    for secret in words.into_iter().chain(numbers) {
        let line = log.lines().find(|line| line.contains(secret));
        assert!(line.is_none(), "{secret} in {line:?}");
    }
    assert_eq!(line_with(&log, &[WRONG_CODE, &fan.code, &other.code, &moving_code]), None);
}
