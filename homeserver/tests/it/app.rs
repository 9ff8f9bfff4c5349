//! A homeserver on a free port with a fresh database, and users who talk to it.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use touchline_homeserver::{Appservice, ClientAddress, Config, Homeserver, PushGateway, Rate};

pub const AS_TOKEN: &str = "as_token_for_tests";
pub const HS_TOKEN: &str = "hs_token_for_tests";
pub const START: i64 = 1_760_000_000_000;

static NEXT: AtomicU64 = AtomicU64::new(0);

pub struct TestServer {
    pub homeserver: Homeserver,
    pub base: String,
    pub client: reqwest::Client,
    pub path: PathBuf,
    clock: Arc<AtomicI64>,
    serving: tokio::task::JoinHandle<()>,
    directory: Option<tempfile::TempDir>,
}

/// Settings that tests change.
pub struct Options {
    pub appservice_url: String,
    pub takes_reports: bool,
    /// Gateways that may be called, by the addresses that apps know.
    pub push_gateways: Vec<(String, String)>,
    /// Where all requests come from, as whoever embeds it says.
    pub address: Option<IpAddr>,
    pub message_rate: Rate,
    pub room_rate: Rate,
    pub membership_rate: Rate,
    pub backup_rate: Rate,
    pub sign_in_rate: Rate,
    pub media_max_bytes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            appservice_url: "http://127.0.0.1:9".to_owned(),
            takes_reports: false,
            push_gateways: Vec::new(),
            address: None,
            message_rate: Rate::UNLIMITED,
            room_rate: Rate::UNLIMITED,
            membership_rate: Rate::UNLIMITED,
            backup_rate: Rate::UNLIMITED,
            sign_in_rate: Rate::UNLIMITED,
            media_max_bytes: 1024,
        }
    }
}

impl TestServer {
    pub async fn new() -> Self {
        Self::with(Options::default()).await
    }

    pub async fn with(options: Options) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("homeserver.db");
        let mut server = Self::open(path, options).await;
        server.directory = Some(directory);
        server
    }

    pub async fn open(path: PathBuf, options: Options) -> Self {
        let clock = Arc::new(AtomicI64::new(START));
        let ticking = clock.clone();
        let config = Config {
            server_name: "test.local".to_owned(),
            public_base_url: "http://test.local".to_owned(),
            appservice: Some(Appservice {
                id: "touchline".to_owned(),
                url: options.appservice_url,
                as_token: AS_TOKEN.to_owned(),
                hs_token: HS_TOKEN.to_owned(),
                sender_localpart: "bot".to_owned(),
                alias_prefix: "match_".to_owned(),
                takes_reports: options.takes_reports,
            }),
            push_gateways: options
                .push_gateways
                .into_iter()
                .map(|(url, at)| PushGateway { url, at })
                .collect(),
            media_max_bytes: options.media_max_bytes,
            message_rate: options.message_rate,
            room_rate: options.room_rate,
            membership_rate: options.membership_rate,
            backup_rate: options.backup_rate,
            sign_in_rate: options.sign_in_rate,
            request_rate: Rate::UNLIMITED,
            now: Arc::new(move || ticking.fetch_add(1, Ordering::Relaxed)),
            ..Config::default()
        };
        let homeserver = Homeserver::open(&path, config).unwrap();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let mut router = homeserver.router();
        if let Some(address) = options.address {
            router = router.layer(axum::Extension(ClientAddress(address)));
        }
        let serving = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        // It trusts no authority, since reading those of the system costs a debug build more than a short test.
        let client = reqwest::Client::builder().no_proxy().tls_certs_only([]).build().unwrap();
        Self { homeserver, base, client, path, clock, serving, directory: None }
    }

    /// Lets time pass.
    pub fn pass(&self, milliseconds: i64) {
        self.clock.fetch_add(milliseconds, Ordering::Relaxed);
    }

    /// Closes everything and opens the same database again.
    pub async fn restart(self) -> Self {
        self.restart_with(Options::default()).await
    }

    pub async fn restart_with(mut self, options: Options) -> Self {
        self.serving.abort();
        self.homeserver.close().await;
        let mut again = Self::open(self.path.clone(), options).await;
        again.directory = self.directory.take();
        again
    }

    pub async fn call(
        &self,
        method: Method,
        path: &str,
        token: Option<&str>,
        body: Option<Value>,
    ) -> (StatusCode, Value) {
        let mut request = self.client.request(method, format!("{}{path}", self.base));
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        if let Some(body) = body {
            request = request.json(&body);
        }
        let answer = request.send().await.unwrap();
        let status = answer.status();
        let text = answer.text().await.unwrap();
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    /// As the application service, on behalf of `user`.
    pub async fn act(
        &self,
        method: Method,
        path: &str,
        user: &str,
        body: Value,
    ) -> (StatusCode, Value) {
        let join = if path.contains('?') { '&' } else { '?' };
        let path = format!("{path}{join}user_id={}", escape(user));
        self.call(method, &path, Some(AS_TOKEN), Some(body)).await
    }

    /// Registers and logs in a user.
    pub async fn user(&self, name: &str) -> User<'_> {
        let body = json!({"type": "m.login.application_service", "username": name,
                          "inhibit_login": true});
        let path = "/_matrix/client/v3/register";
        let (status, answer) = self.call(Method::POST, path, Some(AS_TOKEN), Some(body)).await;
        assert_eq!(status, 200, "{answer}");
        self.login(name).await
    }

    pub async fn login(&self, name: &str) -> User<'_> {
        self.open_session(name, json!({})).await
    }

    /// Logs in on a device of this id.
    pub async fn login_on(&self, name: &str, device: &str) -> User<'_> {
        self.open_session(name, json!({"device_id": device})).await
    }

    async fn open_session(&self, name: &str, mut body: Value) -> User<'_> {
        body["type"] = "m.login.application_service".into();
        body["identifier"] = json!({"type": "m.id.user", "user": name});
        let path = "/_matrix/client/v3/login";
        let (status, answer) = self.call(Method::POST, path, Some(AS_TOKEN), Some(body)).await;
        assert_eq!(status, 200, "{answer}");
        let text = |name: &str| answer[name].as_str().unwrap().to_owned();
        User {
            server: self,
            id: text("user_id"),
            token: text("access_token"),
            device: text("device_id"),
        }
    }
}

pub struct User<'s> {
    pub server: &'s TestServer,
    pub id: String,
    pub token: String,
    pub device: String,
}

impl User<'_> {
    pub async fn try_call(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> (StatusCode, Value) {
        let path = format!("/_matrix/client/v3{path}");
        self.server.call(method, &path, Some(&self.token), body).await
    }

    async fn must(&self, method: Method, path: &str, body: Option<Value>) -> Value {
        let (status, answer) = self.try_call(method, path, body).await;
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    pub async fn get(&self, path: &str) -> Value {
        self.must(Method::GET, path, None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Value {
        self.must(Method::POST, path, Some(body)).await
    }

    pub async fn put(&self, path: &str, body: Value) -> Value {
        self.must(Method::PUT, path, Some(body)).await
    }

    /// The status and error code of a call that is to be refused.
    pub async fn refused(&self, method: Method, path: &str, body: Value) -> (u16, String) {
        let body = if method == Method::GET { None } else { Some(body) };
        let (status, answer) = self.try_call(method, path, body).await;
        (status.as_u16(), answer["errcode"].as_str().unwrap_or_default().to_owned())
    }

    pub async fn create_room(&self, body: Value) -> String {
        self.post("/createRoom", body).await["room_id"].as_str().unwrap().to_owned()
    }

    pub async fn public_room(&self) -> String {
        self.create_room(json!({"preset": "public_chat"})).await
    }

    pub async fn join(&self, room: &str) {
        self.post(&format!("/join/{}", escape(room)), json!({})).await;
    }

    pub async fn say(&self, room: &str, text: &str) -> String {
        self.send(room, "m.room.message", json!({"msgtype": "m.text", "body": text})).await
    }

    pub async fn send(&self, room: &str, kind: &str, content: Value) -> String {
        let txn = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = format!("/rooms/{}/send/{kind}/t{txn}", escape(room));
        self.put(&path, content).await["event_id"].as_str().unwrap().to_owned()
    }

    pub async fn sync(&self, since: Option<&str>) -> Value {
        let since = since.map(|since| format!("&since={since}")).unwrap_or_default();
        self.get(&format!("/sync?timeout=0{since}")).await
    }

    /// The bodies of the messages in a room's last page, newest first.
    pub async fn history(&self, room: &str) -> Vec<String> {
        let page = self.get(&format!("/rooms/{}/messages?dir=b&limit=100", escape(room))).await;
        bodies(&page["chunk"])
    }
}

pub fn bodies(events: &Value) -> Vec<String> {
    let events = events.as_array().cloned().unwrap_or_default();
    events
        .iter()
        .filter(|event| event["type"] == "m.room.message")
        .map(|event| event["content"]["body"].as_str().unwrap_or_default().to_owned())
        .collect()
}

/// Percent-encodes an id for a path or query.
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
