//! A provider of matches on a local port: it answers what the test says and remembers what it was asked.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

#[derive(Clone)]
pub struct Answer {
    status: u16,
    headers: String,
    body: String,
}

impl Answer {
    pub fn json(body: &Value) -> Self {
        Self { status: 200, headers: String::new(), body: body.to_string() }
    }

    pub fn status(status: u16) -> Self {
        Self { status, headers: String::new(), body: "{}".to_owned() }
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers += &format!("{name}: {value}\r\n");
        self
    }
}

#[derive(Default)]
struct State {
    answers: BTreeMap<String, Answer>,
    asked: Vec<String>,
}

/// Answers by the request's path and query; 404 to anything it was not told about.
#[derive(Clone)]
pub struct Provider {
    pub url: String,
    state: Arc<Mutex<State>>,
}

impl Provider {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(State::default()));
        let shared = state.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, shared.clone()));
            }
        });
        Self { url, state }
    }

    pub fn answer(&self, path: &str, answer: Answer) {
        self.state.lock().unwrap().answers.insert(path.to_owned(), answer);
    }

    /// The heads of all requests so far.
    pub fn asked(&self) -> Vec<String> {
        self.state.lock().unwrap().asked.clone()
    }
}

async fn serve(mut stream: TcpStream, state: Arc<Mutex<State>>) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
    let head = String::from_utf8(head).unwrap();
    let path = head.split_whitespace().nth(1).unwrap().to_owned();
    let answer = {
        let mut state = state.lock().unwrap();
        state.asked.push(head);
        state.answers.get(&path).cloned().unwrap_or_else(|| Answer::status(404))
    };
    let Answer { status, headers, body } = answer;
    let length = body.len();
    let text = format!(
        "HTTP/1.1 {status} X\r\ncontent-length: {length}\r\nconnection: close\r\n{headers}\r\n{body}"
    );
    let _ = stream.write_all(text.as_bytes()).await;
}

pub const FOOTBALL_DATA_PATH: &str = "/v4/competitions/PL/matches?season=2026";
pub const API_FOOTBALL_PATH: &str = "/fixtures?league=39&season=2026";

/// A match as football-data.org writes it.
pub fn fd(id: i64, home: &str, away: &str, date: &str, status: &str, score: Value) -> Value {
    let team =
        |name: &str| json!({"id": id_of(name), "name": name, "shortName": name, "crest": null});
    json!({"id": id, "utcDate": date, "status": status, "stage": "REGULAR_SEASON",
           "homeTeam": team(home), "awayTeam": team(away), "score": score,
           "lastUpdated": "2026-11-15T00:00:00Z"})
}

/// A score of a match that ended in regular time.
pub fn full_time(home: i64, away: i64) -> Value {
    json!({"winner": null, "duration": "REGULAR", "fullTime": {"home": home, "away": away},
           "halfTime": {"home": 0, "away": 0}})
}

pub fn no_score() -> Value {
    json!({"winner": null, "duration": "REGULAR", "fullTime": {"home": null, "away": null}})
}

pub fn fd_document(matches: &[Value]) -> Answer {
    Answer::json(&json!({"competition": {"id": 2021, "name": "Premier League", "code": "PL"},
                         "resultSet": {"count": matches.len()}, "matches": matches}))
}

/// A match as API-Football writes it.
pub fn af(id: i64, home: &str, away: &str, date: &str, status: &str, goals: Value) -> Value {
    let team = |name: &str| json!({"id": id_of(name) + 1_000, "name": name, "logo": "https://l.example/1.png"});
    json!({"fixture": {"id": id, "date": date, "venue": {"id": 1, "name": "Northgate Park"},
                       "status": {"short": status, "long": "", "elapsed": null}},
           "league": {"id": 39, "name": "Premier League", "season": 2026, "round": "Regular Season - 1"},
           "teams": {"home": team(home), "away": team(away)}, "goals": goals,
           "score": {"halftime": null, "fulltime": goals, "extratime": null, "penalty": null}})
}

pub fn af_page(entries: &[Value], current: i64, total: i64) -> Answer {
    Answer::json(&json!({"get": "fixtures", "errors": [], "results": entries.len(),
                         "paging": {"current": current, "total": total}, "response": entries}))
}

/// A number that stands for a name.
fn id_of(name: &str) -> i64 {
    name.bytes().fold(0, |id, byte| (id * 31 + i64::from(byte)) % 100_000)
}
