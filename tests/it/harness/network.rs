//! A homeserver of its own, apart from the service, with a switchboard between the two that tests hold calls and pushes up at.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, Method, StatusCode, Uri, header};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::Notify;
use touchline::app;
use touchline_homeserver::{Appservice, Config as HomeserverConfig, Homeserver};

use super::{Synapse, plain_client, synapse_python, variables};

const AS_TOKEN: &str = "as-token-for-tests";
const HS_TOKEN: &str = "hs-token-for-tests";
const APPSERVICE: &str = "/_matrix/app/";

/// What the switchboard does with a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    Through,
    /// Refused as by a server that is being started.
    Down,
    /// Passed on, but whoever asked never hears the answer.
    Deaf,
    /// Kept until the switch is another one.
    Held,
}

/// Synapse where it is asked for, else the embedded homeserver in this process: in either case a server that outlives the nodes.
pub struct Network {
    /// Where nodes and clients reach the homeserver, and where it reaches the nodes.
    pub url: String,
    board: Arc<Board>,
    synapse: Option<Synapse>,
    folder: TempDir,
}

struct Board {
    client: reqwest::Client,
    homeserver: Mutex<String>,
    /// Each push goes to every one of these, as if the homeserver had not heard the answers of the others.
    nodes: Mutex<Vec<String>>,
    calls: Mutex<Vec<(String, u16)>>,
    /// Each call with the trace that it is part of, where it names one.
    parents: Mutex<Vec<(String, String)>>,
    /// What happens to calls whose method and path have all these words in them.
    switches: Mutex<Vec<(&'static str, Switch)>>,
    changed: Notify,
    swallowed: AtomicUsize,
    held: AtomicUsize,
}

impl Network {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let board = Arc::new(Board {
            client: plain_client(),
            homeserver: Mutex::default(),
            nodes: Mutex::default(),
            calls: Mutex::default(),
            parents: Mutex::default(),
            switches: Mutex::default(),
            changed: Notify::new(),
            swallowed: AtomicUsize::default(),
            held: AtomicUsize::default(),
        });
        let router = Router::new().fallback(pass).with_state(board.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        let folder = tempfile::tempdir().unwrap();
        let mut network = Self { url, board, synapse: None, folder };
        network.start_homeserver().await;
        network
    }

    async fn start_homeserver(&mut self) {
        let folder = &self.folder;
        let homeserver = match synapse_python() {
            Some(python) => {
                let pairs = variables(folder, "", &self.settings());
                let mut config = app::load_config(None, pairs.into_iter()).unwrap();
                let synapse = Synapse::start(python, &mut config).await;
                self.synapse.insert(synapse).url.clone()
            }
            None => embedded(folder, &self.url).await,
        };
        *self.board.homeserver.lock().unwrap() = homeserver;
    }

    /// The settings of a node that uses this homeserver.
    pub fn settings(&self) -> Vec<(&str, &str)> {
        vec![
            ("TOUCHLINE_MATRIX__HOMESERVER_URL", &self.url),
            ("TOUCHLINE_MATRIX__APPSERVICE_URL", &self.url),
            ("TOUCHLINE_MATRIX__AS_TOKEN", AS_TOKEN),
            ("TOUCHLINE_MATRIX__HS_TOKEN", HS_TOKEN),
            ("TOUCHLINE_MATRIX__BREAKER_PAUSE_MS", "50"),
            // A real homeserver and several nodes on a busy machine take their time.
            ("TOUCHLINE_MATRIX__LOGIN_TIMEOUT_MS", "15000"),
            ("TOUCHLINE_MATRIX__REQUEST_TIMEOUT_MS", "15000"),
            ("TOUCHLINE_HTTP__HANDLER_TIMEOUT_MS", "30000"),
            ("TOUCHLINE_SECRET_KEY", "the-same-key-on-every-node-of-a-test"),
        ]
    }

    /// Where pushes go from now on.
    pub fn push_to(&self, nodes: &[&str]) {
        *self.board.nodes.lock().unwrap() = nodes.iter().map(|&node| node.to_owned()).collect();
    }

    /// For calls whose method and path have all these words in them.
    pub fn set(&self, words: &'static str, switch: Switch) {
        let mut switches = self.board.switches.lock().unwrap();
        switches.retain(|(known, _)| *known != words);
        switches.push((words, switch));
        self.board.changed.notify_waiters();
    }

    /// How many calls were kept, those included that were let through since.
    pub fn held(&self) -> usize {
        self.board.held.load(Ordering::Acquire)
    }

    /// The `traceparent` of each call with this method and path.
    pub fn parents_of(&self, call: &str) -> Vec<String> {
        let parents = self.board.parents.lock().unwrap();
        parents.iter().filter(|(known, _)| known == call).map(|(_, told)| told.clone()).collect()
    }

    /// How many answers were kept from whoever asked.
    pub fn swallowed(&self) -> usize {
        self.board.swallowed.load(Ordering::Acquire)
    }

    /// How many calls the homeserver answered with 200 that have all of this in their path or body.
    pub fn count_done(&self, parts: &[&str]) -> usize {
        let calls = self.board.calls.lock().unwrap();
        let is_meant = |call: &str| parts.iter().all(|part| call.contains(part));
        calls.iter().filter(|(call, status)| *status == 200 && is_meant(call)).count()
    }
}

impl Board {
    fn switch_of(&self, call: &str) -> Switch {
        let switches = self.switches.lock().unwrap();
        let is_meant = |words: &str| words.split(' ').all(|word| call.contains(word));
        let found = switches.iter().find(|(words, _)| is_meant(words));
        found.map_or(Switch::Through, |(_, switch)| *switch)
    }
}

async fn embedded(folder: &TempDir, appservice_url: &str) -> String {
    let config = HomeserverConfig {
        appservice: Some(Appservice {
            id: "touchline".to_owned(),
            url: appservice_url.to_owned(),
            as_token: AS_TOKEN.to_owned(),
            hs_token: HS_TOKEN.to_owned(),
            sender_localpart: "touchline".to_owned(),
            alias_prefix: "match_".to_owned(),
            takes_reports: true,
        }),
        ..HomeserverConfig::default()
    };
    let homeserver = Homeserver::open(&folder.path().join("homeserver.db"), config).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    homeserver.start_push();
    let service = homeserver.router().into_make_service();
    tokio::spawn(async move { axum::serve(listener, service).await });
    url
}

async fn pass(
    State(board): State<Arc<Board>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let call = format!("{method} {}", uri.path());
    if let Some(parent) = headers.get("traceparent").and_then(|value| value.to_str().ok()) {
        board.parents.lock().unwrap().push((call.clone(), parent.to_owned()));
    }
    if board.switch_of(&call) == Switch::Held {
        board.held.fetch_add(1, Ordering::AcqRel);
    }
    let switch = loop {
        let changed = board.changed.notified();
        match board.switch_of(&call) {
            Switch::Held => changed.await,
            switch => break switch,
        }
    };
    if switch == Switch::Down {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let targets = if uri.path().starts_with(APPSERVICE) {
        board.nodes.lock().unwrap().clone()
    } else {
        vec![board.homeserver.lock().unwrap().clone()]
    };
    // On its own, so that what was begun is noted down even if whoever asked has gone.
    let passing = tokio::spawn(forward(board.clone(), targets, method, uri, headers, body));
    let Some((status, answer)) = passing.await.unwrap() else {
        return StatusCode::BAD_GATEWAY.into_response();
    };
    if switch == Switch::Deaf {
        board.swallowed.fetch_add(1, Ordering::AcqRel);
        std::future::pending::<()>().await;
    }
    (status, [(header::CONTENT_TYPE, "application/json")], answer).into_response()
}

/// Passes a call on to all targets at once; the last one's answer is what is heard of all.
async fn forward(
    board: Arc<Board>,
    targets: Vec<String>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Option<(StatusCode, Bytes)> {
    let calls = targets.iter().map(|target| {
        let mut call = board.client.request(method.clone(), format!("{target}{uri}"));
        for name in [header::AUTHORIZATION, header::CONTENT_TYPE] {
            if let Some(value) = headers.get(&name) {
                call = call.header(name, value);
            }
        }
        async {
            let answer = call.body(body.clone()).send().await.ok()?;
            Some((answer.status(), answer.bytes().await.ok()?))
        }
    });
    let answers = futures_util::future::join_all(calls).await;
    let (status, answer) = answers.into_iter().next_back().flatten()?;
    let call = format!("{} {}", uri.path(), String::from_utf8_lossy(&body));
    board.calls.lock().unwrap().push((call, status.as_u16()));
    Some((status, answer))
}
