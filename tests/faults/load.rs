//! Users at work, and what they were told: the load that every fault meets, with a record on the client's side.
//!
//! Each user belongs to one worker, so what a user did has an order. A request without a clear answer stays open: most are sent
//! again later under the same key, as an app would, and some never are, as when a phone is put away.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, RwLock};
use std::time::{Duration, Instant};

use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use touchline::platform::clock::random_below;

use crate::harness::{Client, Fan, OPERATOR_TOKEN, TestApp};

const FANS: u32 = 24;
/// Sessions of each user besides the one that works; they are logged out in the course of the load.
const SPARE_SESSIONS: u32 = 2;
/// Users with no more than their welcome coins, so that spending is refused sometimes.
const POOR: usize = 2;
const PATIENCE: Duration = Duration::from_secs(15);
/// Codes that one phone is sent before a fault; the limit is five, before and after together.
pub const CODES_BEFORE: usize = 2;

#[derive(Clone)]
pub enum Deed {
    Spend(i64),
    /// The number is hidden in the predicted score and the confidence, so that each is found again.
    Predict(u64),
    LogOut(String),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// No answer, or one that leaves open whether it happened.
    Open,
    Acknowledged,
    Refused,
}

#[derive(Clone)]
pub struct Deal {
    pub fan: usize,
    pub key: String,
    pub deed: Deed,
    pub fate: Fate,
}

/// What clients saw.
#[derive(Default)]
pub struct Record {
    pub deals: Vec<Deal>,
    pub requests: u64,
    pub no_answer: u64,
    /// Answers of 500 and more, by status and code.
    pub failures: BTreeMap<String, u64>,
    /// Answers that no fault excuses.
    pub wrong: Vec<String>,
    /// Which prediction of a user must be in force, where that is known.
    pub in_force: BTreeMap<usize, u64>,
    pub revoked: BTreeSet<String>,
    pub slowest_answer: Duration,
    /// How long each answer took, with its status.
    pub latencies: Vec<(u16, Duration)>,
}

pub struct Load {
    nodes: RwLock<Vec<String>>,
    http: reqwest::Client,
    pub fans: Vec<Fan>,
    pub event: i64,
    pub spare: Mutex<Vec<(usize, String)>>,
    pub record: Mutex<Record>,
    /// Users whom a fault registers besides those of the load.
    pub newcomers: AtomicI64,
    next: AtomicU64,
    stop: AtomicBool,
}

pub struct Workers {
    load: Arc<Load>,
    tasks: Vec<JoinHandle<()>>,
}

impl Workers {
    /// Lets every worker finish the request it is at.
    pub async fn end(self) {
        self.load.stop.store(true, Ordering::SeqCst);
        for task in self.tasks {
            task.await.unwrap();
        }
    }
}

/// A catalogue with one match that begins at this moment.
pub fn catalogue(start_time: &str) -> Value {
    let team = |slug: &str| json!({"slug": slug, "name": slug, "sport": "football"});
    json!({
        "sports": [{"slug": "football", "name": "Football"}],
        "teams": [team("northgate"), team("southbank")],
        "tournaments": [{"slug": "league", "name": "League", "sport": "football"}],
        "events": [{"key": "m:1", "tournament": "league", "home": "northgate", "away": "southbank",
                    "start_time": start_time, "venue": "Northgate Park"}],
    })
}

pub async fn import(client: &Client, start_time: &str) -> i64 {
    let call = client.put("/api/admin/catalogue").token(OPERATOR_TOKEN);
    let reply = call.json(catalogue(start_time)).send().await.expect(200);
    reply.body["data"]["events"]["m:1"].as_i64().unwrap()
}

pub async fn log_in(client: &Client, phone: &str) -> Value {
    client.post("/api/code/request").json(json!({"phone": phone})).send().await.expect(200);
    let log = format!("/api/logs/sms?phone={}", phone.replace('+', "%2B"));
    let log = client.get(&log).send().await.expect(200);
    let body = json!({"phone": phone, "code": log.body["data"][0]["code"]});
    let reply = client.post("/api/code/verify").json(body).send().await.expect(200);
    reply.body["data"].clone()
}

/// Somebody new, with the tokens of a few more sessions.
async fn register(client: &Client, number: u32) -> (Fan, Vec<String>) {
    let phone = TestApp::phone(number);
    let fan = Fan::of(&log_in(client, &phone).await);
    let mut tokens = Vec::new();
    for _ in 0..SPARE_SESSIONS {
        tokens.push(Fan::of(&log_in(client, &phone).await).token);
    }
    (fan, tokens)
}

/// The phone whose limit is looked at after a fault.
pub fn limited_phone() -> String {
    TestApp::phone(9_000)
}

impl Load {
    /// Users, a match, coins, and a phone that has used up a part of its limit.
    pub async fn prepare(client: &Client) -> Arc<Self> {
        Self::prepare_with(client, reqwest::Client::builder()).await
    }

    /// Whose every request has a connection of its own, so that none meets one that is just being closed.
    pub async fn prepare_unpooled(client: &Client) -> Arc<Self> {
        Self::prepare_with(client, reqwest::Client::builder().pool_max_idle_per_host(0)).await
    }

    async fn prepare_with(client: &Client, http: reqwest::ClientBuilder) -> Arc<Self> {
        let event = import(client, "2035-11-20T15:00:00Z").await;
        let registering = (0..FANS).map(|number| register(client, number));
        let (mut fans, mut spare) = (Vec::new(), Vec::new());
        // A few at a time: this is not yet the load, and a short time limit must not be met by it.
        let registered: Vec<_> = stream::iter(registering).buffered(4).collect().await;
        for (fan, tokens) in registered {
            spare.extend(tokens.into_iter().map(|token| (fans.len(), token)));
            fans.push(fan);
        }
        for fan in &fans[POOR..] {
            let path = format!("/api/admin/users/{}/coins", fan.id);
            let grant = json!({"amount": 1_000_000, "reason": "grant"});
            client.post(&path).token(OPERATOR_TOKEN).json(grant).send().await.expect(200);
        }
        for _ in 0..CODES_BEFORE {
            let body = json!({"phone": limited_phone()});
            client.post("/api/code/request").json(body).send().await.expect(200);
        }
        Arc::new(Self {
            nodes: RwLock::new(vec![client.base().to_owned()]),
            http: http.no_proxy().timeout(PATIENCE).build().unwrap(),
            fans,
            event,
            spare: Mutex::new(spare),
            record: Mutex::default(),
            newcomers: AtomicI64::new(0),
            next: AtomicU64::new(0),
            stop: AtomicBool::new(false),
        })
    }

    pub fn grants(&self) -> usize {
        self.fans.len() - POOR
    }

    /// Where requests go from now on: to any of these.
    pub fn aim_at(&self, nodes: &[&Client]) {
        *self.nodes.write().unwrap() = nodes.iter().map(|node| node.base().to_owned()).collect();
    }

    pub fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap()
    }

    pub fn acknowledged(&self) -> u64 {
        let record = self.record();
        let done = record.deals.iter().filter(|deal| deal.fate == Fate::Acknowledged).count();
        u64::try_from(done).unwrap()
    }

    pub fn begin(self: &Arc<Self>, workers: usize) -> Workers {
        self.stop.store(false, Ordering::SeqCst);
        let workers = workers.min(self.fans.len());
        let work = |worker| {
            let load = self.clone();
            tokio::spawn(async move { load.work(worker, workers).await })
        };
        Workers { load: self.clone(), tasks: (0..workers).map(work).collect() }
    }

    async fn work(&self, worker: usize, workers: usize) {
        while !self.stop.load(Ordering::SeqCst) {
            let mine = (self.fans.len() - worker).div_ceil(workers);
            let fan = worker + workers * pick(mine);
            let deal = self.new_deal(fan, None);
            if self.carry_out(deal).await == Fate::Open {
                // As a patient app would; a tight loop of refused connections helps nobody.
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }

    fn new_deal(&self, fan: usize, deed: Option<Deed>) -> Deal {
        let number = self.next.fetch_add(1, Ordering::SeqCst);
        let spare = || (pick(60) == 0).then(|| self.spare.lock().unwrap().pop()).flatten();
        let (fan, deed) = match (deed, pick(3)) {
            (Some(deed), _) => (fan, deed),
            (None, 0) => (fan, Deed::Predict(number)),
            (None, _) => match spare() {
                Some((owner, token)) => (owner, Deed::LogOut(token)),
                None => (fan, Deed::Spend(i64::try_from(pick(40)).unwrap() + 1)),
            },
        };
        Deal { fan, key: format!("key-{number}"), deed, fate: Fate::Open }
    }

    /// Sends a new deal and keeps what became of it.
    async fn carry_out(&self, mut deal: Deal) -> Fate {
        deal.fate = self.send(&deal).await;
        let fate = deal.fate;
        self.record().deals.push(deal);
        fate
    }

    /// One attempt, whatever comes of it.
    async fn send(&self, deal: &Deal) -> Fate {
        let node = {
            let nodes = self.nodes.read().unwrap();
            nodes[pick(nodes.len())].clone()
        };
        let fan = &self.fans[deal.fan];
        let post = |path: &str, token: &str| {
            self.http
                .post(format!("{node}{path}"))
                .bearer_auth(token)
                .header("idempotency-key", &deal.key)
        };
        let call = match &deal.deed {
            Deed::Spend(coins) => post("/api/auth/coins/deduct", &fan.token)
                .json(&json!({"amount": coins, "reason": "wager", "reference_id": deal.key})),
            Deed::Predict(number) => {
                post("/api/auth/predictions", &fan.token).json(&prediction(self.event, *number))
            }
            Deed::LogOut(token) => post("/api/auth/logout", token),
        };
        let started = Instant::now();
        let answer = call.send().await;
        {
            let mut record = self.record();
            record.requests += 1;
            let took = started.elapsed();
            record.slowest_answer = record.slowest_answer.max(took);
            if let Ok(answer) = &answer {
                record.latencies.push((answer.status().as_u16(), took));
            }
            if let Err(error) = &answer {
                record.no_answer += 1;
                record.in_force.remove(&deal.fan);
                // Refused, it was never accepted.
                if !error.is_connect() {
                    *record.failures.entry("cut off".to_owned()).or_default() += 1;
                }
            }
        }
        match answer {
            Ok(answer) => self.note(deal, answer).await,
            Err(_) => Fate::Open,
        }
    }

    async fn note(&self, deal: &Deal, answer: reqwest::Response) -> Fate {
        let status = answer.status().as_u16();
        let has = |name: &str| answer.headers().contains_key(name);
        let (is_replay, says_when) = (has("idempotent-replayed"), has("retry-after"));
        let text = answer.text().await;
        let mut record = self.record();
        let Ok(text) = text else {
            record.in_force.remove(&deal.fan);
            return Fate::Open;
        };
        let is_log_out = matches!(deal.deed, Deed::LogOut(_));
        let fate = match status {
            200 | 201 => Fate::Acknowledged,
            // The token is gone, so an attempt before this one was carried out.
            401 if is_log_out => Fate::Acknowledged,
            400 => Fate::Refused,
            503 | 507 => Fate::Open,
            _ => {
                record.wrong.push(format!("{status} {text}"));
                Fate::Open
            }
        };
        if status >= 500 {
            let body: Value = serde_json::from_str(&text).unwrap_or_default();
            let kind = format!("{status} {}", body["code"].as_str().unwrap_or("?"));
            *record.failures.entry(kind).or_default() += 1;
            if status == 503 && !says_when {
                record.wrong.push(format!("no Retry-After: {text}"));
            }
        }
        match (&deal.deed, fate) {
            (Deed::LogOut(token), Fate::Acknowledged) => {
                record.revoked.insert(token.clone());
            }
            (Deed::Predict(number), Fate::Acknowledged) if !is_replay => {
                record.in_force.insert(deal.fan, *number);
            }
            // When it took its effect is not known.
            (Deed::Predict(_), Fate::Acknowledged | Fate::Open) => {
                record.in_force.remove(&deal.fan);
            }
            _ => {}
        }
        fate
    }

    /// Sends again, under its key, what is open; one in eight is left as it is.
    pub async fn retry_open(&self) {
        let mut open: BTreeMap<usize, Vec<(usize, Deal)>> = BTreeMap::new();
        for (number, deal) in self.record().deals.iter().enumerate() {
            if deal.fate == Fate::Open && number % 8 != 0 {
                open.entry(deal.fan).or_default().push((number, deal.clone()));
            }
        }
        // Those of one user in their order, users beside each other.
        let retries = open.into_values().map(|deals| async move {
            for (number, deal) in deals {
                let fate = self.insist(&deal).await;
                self.record().deals[number].fate = fate;
            }
        });
        futures_util::future::join_all(retries).await;
    }

    /// Sends a deal until it is answered.
    async fn insist(&self, deal: &Deal) -> Fate {
        let give_up = Instant::now() + PATIENCE;
        while Instant::now() < give_up {
            match self.send(deal).await {
                Fate::Open => tokio::time::sleep(Duration::from_millis(50)).await,
                fate => return fate,
            }
        }
        self.record().wrong.push(format!("{} was never answered", deal.key));
        Fate::Open
    }

    /// One coin of anybody, sent once.
    pub async fn spend_once(&self) {
        let deal = self.new_deal(pick(self.fans.len()), Some(Deed::Spend(1)));
        self.carry_out(deal).await;
    }

    /// How long after `since` a write is acknowledged again.
    pub async fn heal(&self, since: Instant) -> Duration {
        let give_up = Instant::now() + Duration::from_secs(30);
        while Instant::now() < give_up {
            let deal = self.new_deal(POOR, Some(Deed::Spend(1)));
            if self.carry_out(deal).await == Fate::Acknowledged {
                return since.elapsed();
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        self.record().wrong.push("it did not heal within 30 seconds".to_owned());
        since.elapsed()
    }
}

pub fn pick(count: usize) -> usize {
    usize::try_from(random_below(u64::try_from(count).unwrap())).unwrap()
}

/// Three numbers that tell this prediction from any other of a run.
pub fn digits(number: u64) -> (u64, u64, u64) {
    (number % 100, number / 100 % 100, number / 10_000 % 101)
}

pub fn prediction(event: i64, number: u64) -> Value {
    let (home, away, confidence) = digits(number);
    let outcome = match home.cmp(&away) {
        std::cmp::Ordering::Greater => "home",
        std::cmp::Ordering::Equal => "draw",
        std::cmp::Ordering::Less => "away",
    };
    json!({"event_id": event, "prediction": outcome, "confidence": confidence,
           "score_prediction": {"home": home, "away": away}})
}
