//! A Matrix client as small as tests need: it holds issued credentials and speaks to whichever homeserver is in use.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use super::{Call, Client, Fan, Reply, TestApp};

/// Somebody on the chat network, with the credentials of one login.
#[derive(Clone)]
pub struct Chatter {
    pub id: String,
    pub token: String,
    pub device: String,
    client: Client,
}

impl Chatter {
    pub fn of(credentials: &Value, homeserver: &str) -> Self {
        let text = |name: &str| credentials[name].as_str().unwrap().to_owned();
        Self {
            id: text("user_id"),
            token: text("access_token"),
            device: text("device_id"),
            client: Client::new(homeserver),
        }
    }

    pub fn call(&self, method: Method, path: &str) -> Call {
        self.client.request(method, &format!("/_matrix/client/v3{path}")).token(&self.token)
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.call(Method::GET, path).send().await
    }

    pub async fn post(&self, path: &str, body: Value) -> Reply {
        self.call(Method::POST, path).json(body).send().await
    }

    pub async fn put(&self, path: &str, body: Value) -> Reply {
        self.call(Method::PUT, path).json(body).send().await
    }

    /// Whether the token still works.
    pub async fn is_logged_in(&self) -> bool {
        self.get("/account/whoami").await.status == 200
    }

    pub async fn say(&self, room: &str, text: &str) -> String {
        let transaction =
            touchline::platform::tokens::base62(&touchline::platform::clock::random_bytes::<12>());
        let path = format!("/rooms/{}/send/m.room.message/{transaction}", escape(room));
        let reply = self.put(&path, json!({"msgtype": "m.text", "body": text})).await.expect(200);
        reply.body["event_id"].as_str().unwrap().to_owned()
    }

    pub async fn set_state(&self, room: &str, kind: &str, content: Value) {
        self.put(&format!("/rooms/{}/state/{kind}/", escape(room)), content).await.expect(200);
    }

    pub async fn display_name_of(&self, user: &str) -> Value {
        self.get(&format!("/profile/{}", escape(user))).await.body["displayname"].clone()
    }

    pub async fn joined_rooms(&self) -> Vec<String> {
        let reply = self.get("/joined_rooms").await.expect(200);
        serde_json::from_value(reply.body["joined_rooms"].clone()).unwrap()
    }
}

/// Percent-encodes an id for a path.
pub fn escape(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                char::from(byte).to_string()
            }
            byte => format!("%{byte:02X}"),
        })
        .collect()
}

/// Asks again and again, for what the network tells a moment later.
pub async fn eventually<T, F: Future<Output = Option<T>>>(ask: impl Fn() -> F) -> T {
    for _ in 0..750 {
        if let Some(found) = ask().await {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("it did not happen within 15 seconds");
}

impl TestApp {
    /// Where the homeserver in use answers apps.
    pub fn homeserver(&self) -> &str {
        &self.app.chat.matrix.settings().public_url
    }

    /// Logs in and goes on the chat network with the credentials that the login gave.
    pub async fn chatter(&self, phone: &str) -> (Fan, Chatter) {
        let code = self.request_code(phone).await;
        let body = json!({"phone": phone, "code": code});
        let reply = self.client.post("/api/code/verify").json(body).send().await.expect(200);
        let data = &reply.body["data"];
        (Fan::of(data), Chatter::of(&data["matrix_credentials"], self.homeserver()))
    }
}
