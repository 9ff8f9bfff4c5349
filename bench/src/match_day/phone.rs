//! A fan's phone: it asks, and tries again as a client should.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::Day;
use super::diary::{Ending, Kind};
use crate::caller::{Answer, Caller};
use crate::figures::Wander;

/// How long a client waits for an answer, and how often it tries.
const PATIENCE: Duration = Duration::from_secs(10);
const TRIES: usize = 10;

pub struct Phone {
    pub day: Arc<Day>,
    pub wander: Wander,
    pub token: String,
    address: String,
    caller: Option<Caller>,
    node: usize,
}

/// How a request came out in the end.
pub enum Reply {
    /// Taken, or refused for a reason of its own.
    Said(Answer),
    /// It may have been done or not.
    Unknown,
}

impl Reply {
    pub fn success(self) -> Option<Answer> {
        match self {
            Self::Said(answer) if answer.is_success() => Some(answer),
            _ => None,
        }
    }

    pub fn json(self) -> Option<Value> {
        serde_json::from_slice(&self.success()?.body).ok()
    }
}

impl Phone {
    pub fn new(day: Arc<Day>, number: i64) -> Self {
        let wander = Wander(u64::try_from(number).unwrap_or(0).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let node = usize::try_from(number).unwrap_or(0) % day.nodes.len();
        // Each comes from an address of their own, as a proxy tells it.
        let address =
            format!("10.{}.{}.{}", number / 65_536 % 256, number / 256 % 256, number % 256);
        Self { day, wander, token: String::new(), address, caller: None, node }
    }

    pub fn headers(&self) -> String {
        format!("X-Forwarded-For: {}\r\n", self.address)
    }

    pub fn server(&self) -> SocketAddr {
        self.day
            .nodes
            .get(self.node)
            .copied()
            .unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 0)))
    }

    /// The node is gone: the balancer sends them to the next one, in a moment.
    pub async fn go_elsewhere(&mut self) {
        self.caller = None;
        self.node = (self.node + 1) % self.day.nodes.len();
        self.pause(200, 1_000).await;
    }

    /// Between so many milliseconds and so many.
    pub async fn pause(&mut self, least_ms: i64, most_ms: i64) {
        let pause = least_ms + self.wander.below(most_ms - least_ms);
        tokio::time::sleep(Duration::from_millis(u64::try_from(pause).unwrap_or(0))).await;
    }

    pub async fn get(&mut self, kind: Kind, path: &str) -> Reply {
        self.ask(kind, "GET", path, "", "").await
    }

    pub async fn post(&mut self, kind: Kind, path: &str, body: &str, headers: &str) -> Reply {
        self.ask(kind, "POST", path, body, headers).await
    }

    async fn ask(
        &mut self,
        kind: Kind,
        method: &str,
        path: &str,
        body: &str,
        headers: &str,
    ) -> Reply {
        let mut may_be_done = false;
        for _ in 0..TRIES {
            let began = Instant::now();
            let answer = self.ask_once(method, path, body, headers).await;
            let ending = answer.as_ref().map_or(Ending::Lost, |answer| ending_of(answer.status));
            self.day.diary.note(kind, began, ending);
            match (ending, answer) {
                // What is refused now may have been done by a try that nobody answered.
                (Ending::Answered, Some(answer)) if may_be_done && !answer.is_success() => {
                    return Reply::Unknown;
                }
                (Ending::Answered, Some(answer)) => return Reply::Said(answer),
                (Ending::Refused, Some(answer)) => {
                    let said: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
                    let code = said.get("code").and_then(Value::as_str).unwrap_or("none");
                    self.day.diary.note_refusal(code);
                    self.pause(1_000, 2_000).await;
                }
                (Ending::Broken, Some(answer)) => {
                    may_be_done = true;
                    let said = String::from_utf8_lossy(&answer.body).into_owned();
                    self.day
                        .diary
                        .note_broken(format!("{method} {path}: {} {said}", answer.status));
                    self.pause(1_000, 2_000).await;
                }
                _ => {
                    may_be_done = true;
                    self.go_elsewhere().await;
                }
            }
        }
        Reply::Unknown
    }

    async fn ask_once(
        &mut self,
        method: &str,
        path: &str,
        body: &str,
        headers: &str,
    ) -> Option<Answer> {
        if self.caller.is_none() {
            self.caller =
                tokio::time::timeout(PATIENCE, Caller::connect(self.server())).await.ok()?.ok();
        }
        let all = self.headers() + headers;
        let caller = self.caller.as_mut()?;
        caller.set_headers(all);
        let asking = caller.ask(method, path, &self.token, body);
        tokio::time::timeout(PATIENCE, asking).await.ok()?.ok()
    }
}

pub const fn ending_of(status: u16) -> Ending {
    match status {
        429 | 503 => Ending::Refused,
        // 400: the match has begun; 409: the same payment is being made.
        200..=299 | 400 | 409 => Ending::Answered,
        _ => Ending::Broken,
    }
}
