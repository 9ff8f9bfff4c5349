//! The application service's side: transactions in order, pings, questions about aliases.
//!
//! Owns: the delivery position, retries and back-off.
//! Invariants: every event is delivered, in order, at least once; the position moves only after the
//! service said 200; a batch that is tried again has the same id and the same events.
//! Never: delivers out of order, or gives up.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use http::StatusCode;
use ruma::api::client::appservice::request_ping;
use rusqlite::Connection;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::Hs;
use crate::config::Appservice;
use crate::error::{Error, OpenError, Result};
use crate::http::{Call, Reply, Routes, ok, with};
use crate::live::{Topic, lock};
use crate::rooms::format::for_appservice;
use crate::store::events::each;
use crate::store::{Turn, Tx, find};

/// Events in one transaction at most, and the size after which no more are added: what a service
/// takes at once has a limit, and a transaction that is over it would never get through.
const BATCH: i64 = 100;
const BATCH_BYTES: usize = 1024 * 1024;
const TRY_TIMEOUT: Duration = Duration::from_secs(30);
const RETRY_MIN: Duration = Duration::from_millis(250);
const RETRY_MAX: Duration = Duration::from_secs(60);

pub struct Pusher {
    service: Option<Appservice>,
    client: reqwest::Client,
    /// Cuts a back-off short: the service is known to be there.
    retry_now: Notify,
    task: Mutex<Option<JoinHandle<()>>>,
}

struct Batch {
    id: String,
    last: i64,
    /// Each as it is sent.
    events: Vec<Box<RawValue>>,
}

pub fn routes(routes: Routes) -> Routes {
    routes.serve(ping)
}

impl Pusher {
    pub fn new(service: Option<Appservice>) -> std::result::Result<Self, OpenError> {
        // The HTTP client asks for a TLS provider even where it only speaks to loopback. Whoever
        // embeds this may have chosen one already, which then stays.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut client = reqwest::Client::builder().timeout(TRY_TIMEOUT).no_proxy();
        if service.as_ref().is_none_or(|service| service.url.starts_with("http://")) {
            // Where nothing is encrypted, nobody's certificate has to be read.
            client = client.tls_certs_only([]);
        }
        let client = client.build().map_err(|cause| OpenError::Start(cause.to_string()))?;
        Ok(Self { service, client, retry_now: Notify::new(), task: Mutex::default() })
    }

    pub fn start(&self, hs: Arc<Hs>) {
        if self.service.is_none() {
            return;
        }
        let mut task = lock(&self.task);
        if task.is_none() {
            *task = Some(tokio::spawn(async move { run(&hs).await }));
        }
    }

    pub fn stop(&self) {
        if let Some(task) = lock(&self.task).take() {
            task.abort();
        }
    }

    /// Asks the service whether it wants to create the room of an alias in its namespace.
    pub async fn query_alias(&self, alias: &str) -> bool {
        let Some(service) = &self.service else { return false };
        let ours = alias.strip_prefix('#').is_some_and(|name| {
            !service.alias_prefix.is_empty() && name.starts_with(&service.alias_prefix)
        });
        if !ours {
            return false;
        }
        let Ok(mut url) = reqwest::Url::parse(&service.url) else { return false };
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(["_matrix", "app", "v1", "rooms", alias]);
        }
        let answer = self.client.get(url).bearer_auth(&service.hs_token).send().await;
        answer.is_ok_and(|answer| answer.status().is_success())
    }

    pub fn takes_reports(&self) -> bool {
        self.service.as_ref().is_some_and(|service| service.takes_reports)
    }

    /// Hands a report over: `POST /_matrix/app/unstable/touchline/reports`. What the service answered, if it did.
    pub async fn report(&self, report: &Value) -> Option<(StatusCode, Value)> {
        let service = self.service.as_ref()?;
        let base = service.url.trim_end_matches('/');
        let url = format!("{base}/_matrix/app/unstable/touchline/reports");
        let request = self.client.post(url).bearer_auth(&service.hs_token).json(report);
        let answer = request.send().await.ok()?;
        Some((answer.status(), answer.json().await.unwrap_or_default()))
    }
}

/// Delivers until stopped.
async fn run(hs: &Hs) {
    let waiter = hs.live.wait_on([Topic::Push]);
    let mut pause = RETRY_MIN;
    loop {
        match next_batch(hs).await {
            Ok(Some(batch)) => {
                while let Err(cause) = deliver(hs, &batch).await {
                    tracing::warn!(%cause, id = batch.id, "application service not reached");
                    let _ = tokio::time::timeout(pause, hs.pusher.retry_now.notified()).await;
                    pause = (pause * 2).min(RETRY_MAX);
                }
                pause = RETRY_MIN;
            }
            Ok(None) => waiter.news().await,
            Err(_) => tokio::time::sleep(RETRY_MAX).await,
        }
    }
}

async fn next_batch(hs: &Hs) -> Result<Option<Batch>> {
    let now = hs.now();
    let read = move |conn: &Connection| {
        let sql = "SELECT pushed FROM stream";
        let pushed: i64 = find(conn, sql, [], |row| row.get(0))?.unwrap_or(0);
        let tail = format!("WHERE e.seq > ?1 ORDER BY e.seq LIMIT {BATCH}");
        let mut batch = Batch { id: String::new(), last: pushed, events: Vec::new() };
        let mut bytes = 0;
        each(conn, &tail, [pushed], |event| {
            let sent = to_raw_value(&for_appservice(conn, &event, now)?)?;
            bytes += sent.get().len();
            batch.events.push(sent);
            batch.last = event.seq;
            let full = bytes > BATCH_BYTES;
            Ok(if full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        batch.id = format!("{pushed}-{}", batch.last);
        Ok(Some(batch).filter(|batch| !batch.events.is_empty()))
    };
    hs.store.read_in(Turn::Service, read).await
}

async fn deliver(hs: &Hs, batch: &Batch) -> std::result::Result<(), String> {
    let Some(service) = &hs.pusher.service else { return Ok(()) };
    let base = service.url.trim_end_matches('/');
    let url = format!("{base}/_matrix/app/v1/transactions/{}", batch.id);
    let request = hs.pusher.client.put(url).bearer_auth(&service.hs_token);
    let answer = request
        .json(&json!({"events": batch.events}))
        .send()
        .await
        .map_err(|cause| cause.to_string())?;
    if !answer.status().is_success() {
        return Err(format!("status {}", answer.status()));
    }
    let last = batch.last;
    let moved = move |tx: &mut Tx<'_>| tx.execute("UPDATE stream SET pushed = ?1", [last]);
    let lost = |_| "the position could not be stored".to_owned();
    hs.store.write_in(Turn::Service, moved).await.map(drop).map_err(lost)
}

/// The service asks to be pinged: proof that both directions work, and the end of any back-off.
async fn ping(call: Call<request_ping::v1::Request>) -> Reply {
    if !call.me()?.appservice {
        return Err(Error::forbidden("Only the application service may ask for a ping"));
    }
    let hs = &call.hs;
    let service = hs.pusher.service.as_ref().filter(|s| s.id == call.body.appservice_id);
    let service = service.ok_or_else(|| Error::forbidden("No such application service"))?;
    let id = call.body.transaction_id.as_ref().map(|id| id.as_str());
    let body = with(json!({}), "transaction_id", id);
    let url = format!("{}/_matrix/app/v1/ping", service.url.trim_end_matches('/'));
    let started = Instant::now();
    let request = hs.pusher.client.post(url).bearer_auth(&service.hs_token).json(&body);
    let answer = request.send().await.map_err(|cause| {
        let (status, code) = if cause.is_timeout() {
            (StatusCode::GATEWAY_TIMEOUT, "M_CONNECTION_TIMEOUT")
        } else {
            (StatusCode::BAD_GATEWAY, "M_CONNECTION_FAILED")
        };
        Error::new(status, code, "The application service was not reached")
    })?;
    if !answer.status().is_success() {
        let text = "The application service did not answer the ping with 200";
        return Err(Error::new(StatusCode::BAD_GATEWAY, "M_BAD_STATUS", text));
    }
    hs.pusher.retry_now.notify_one();
    let took = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    ok(json!({"duration_ms": took}))
}
