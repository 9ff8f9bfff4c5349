//! Several processes on one PostgreSQL behave as one service.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use tempfile::TempDir;
use touchline::platform::clock::{Clock, Timestamp};

use crate::harness::{Call, Client, OPERATOR_TOKEN, Program, Reply, fresh_database_url, together};
use crate::stream::Listening;
use crate::webhooks::{Receiver, header};

const SKIPPED: &str = "skipped: several nodes need PostgreSQL";
const COUNT: usize = 3;
const PHONE: &str = "+447700900123";
const HEALTH_CHECK: Duration = Duration::from_millis(100);
/// Three health checks: one that may have just been answered, one that hears of it, one to spare.
const LEAVE_MS: &str = "300";

struct Nodes {
    database_url: String,
    folders: Vec<TempDir>,
    addresses: Vec<String>,
    programs: Vec<Option<Program>>,
}

impl Nodes {
    /// Nothing on SQLite, whose database belongs to one process.
    async fn start() -> Option<Self> {
        let database_url = fresh_database_url().await;
        if database_url.is_empty() {
            return None;
        }
        let folders: Vec<TempDir> = (0..COUNT).map(|_| tempfile::tempdir().unwrap()).collect();
        // Ports that were free a moment ago, since a balancer knows its nodes by their addresses.
        let listeners: Vec<_> =
            (0..COUNT).map(|_| std::net::TcpListener::bind("127.0.0.1:0").unwrap()).collect();
        let address = |listener: &std::net::TcpListener| listener.local_addr().unwrap().to_string();
        let addresses: Vec<String> = listeners.iter().map(address).collect();
        drop(listeners);
        let mut this = Self { database_url, folders, addresses, programs: Vec::new() };
        // All at once: the first brings the empty database up to date, the others wait for it.
        this.programs = std::thread::scope(|scope| {
            let starting: Vec<_> = (0..COUNT)
                .map(|node| {
                    scope.spawn({
                        let this = &this;
                        move || this.start_one(node)
                    })
                })
                .collect();
            starting.into_iter().map(|thread| Some(thread.join().unwrap())).collect()
        });
        Some(this)
    }

    fn start_one(&self, node: usize) -> Program {
        let settings = [
            ("TOUCHLINE_LISTEN", self.addresses[node].as_str()),
            ("TOUCHLINE_SECRET_KEY", "one secret key for all of the nodes"),
            ("TOUCHLINE_HTTP__LEAVE_MS", LEAVE_MS),
            // The embedded homeserver belongs to one node. Chat is not what is tested here, so it is simply away.
            ("TOUCHLINE_MATRIX__HOMESERVER_URL", "http://127.0.0.1:9"),
        ];
        Program::start(&self.folders[node], &self.database_url, &settings)
    }

    fn client(&self, node: usize) -> &Client {
        &self.programs[node % COUNT].as_ref().unwrap().client
    }

    /// Each step of a login on another node.
    async fn log_in(&self, phone: &str) -> String {
        let body = json!({"phone": phone});
        self.client(0).post("/api/code/request").json(body).send().await.expect(200);
        let query = format!("/api/logs/sms?phone={}", phone.replace('+', "%2B"));
        let log = self.client(1).get(&query).send().await;
        let body = json!({"phone": phone, "code": log.body["data"][0]["code"]});
        let reply = self.client(2).post("/api/code/verify").json(body).send().await.expect(200);
        reply.body["data"]["token"].as_str().unwrap().to_owned()
    }

    /// Matches that begin at this time; gives their ids.
    async fn add_matches(&self, count: usize, start_time: Timestamp) -> Vec<i64> {
        let team = |slug: String| json!({"slug": slug, "name": slug, "sport": "football"});
        let event = |n: usize| {
            json!({"key": format!("m{n}"), "tournament": "league", "home": format!("h{n}"),
                "away": format!("a{n}"), "start_time": start_time.to_string()})
        };
        let sides = (0..count).flat_map(|n| [format!("h{n}"), format!("a{n}")]);
        let document = json!({
            "sports": [{"slug": "football", "name": "Football"}],
            "teams": sides.map(team).collect::<Vec<_>>(),
            "tournaments": [{"slug": "league", "name": "League", "sport": "football"}],
            "events": (0..count).map(event).collect::<Vec<_>>(),
        });
        let call = self.client(0).put("/api/admin/catalogue").token(OPERATOR_TOKEN).json(document);
        let ids = call.send().await.expect(200).body["data"]["events"].clone();
        (0..count).map(|n| ids[format!("m{n}")].as_i64().unwrap()).collect()
    }
}

fn count(replies: &[Reply], status: u16) -> usize {
    replies.iter().filter(|reply| reply.status == status).count()
}

fn in_ms(millis: i64) -> Timestamp {
    Clock::system().now().plus_ms(millis)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_has_one_limit_whichever_nodes_are_asked() {
    let Some(nodes) = Nodes::start().await else { return eprintln!("{SKIPPED}") };
    let replies = together(30, |n| {
        nodes.client(n).post("/api/code/request").json(json!({"phone": PHONE})).send()
    });
    let replies = replies.await;
    assert_eq!((count(&replies, 200), count(&replies, 429)), (5, 25));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_daily_coins_are_claimed_once_whichever_nodes_are_asked() {
    let Some(nodes) = Nodes::start().await else { return eprintln!("{SKIPPED}") };
    let token = nodes.log_in(PHONE).await;
    let replies =
        together(9, |n| nodes.client(n).post("/api/auth/daily-coins").token(&token).send()).await;
    assert_eq!((count(&replies, 200), count(&replies, 400)), (1, 8));
    let coins = nodes.client(0).get("/api/auth/coins").token(&token).send().await;
    assert_eq!(coins.body["data"]["balance"], 550);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_ended_on_one_node_is_refused_by_all_at_once() {
    let Some(nodes) = Nodes::start().await else { return eprintln!("{SKIPPED}") };
    for ending in 0..COUNT {
        let token = nodes.log_in(PHONE).await;
        let me = |n: usize| nodes.client(n).get("/api/auth/me").token(&token).send();
        assert_eq!(count(&together(COUNT, me).await, 200), COUNT);
        nodes.client(ending).post("/api/auth/logout").token(&token).send().await.expect(200);
        assert_eq!(count(&together(COUNT, me).await, 401), COUNT);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_who_is_banned_on_one_node_is_refused_by_all_at_once() {
    let Some(nodes) = Nodes::start().await else { return eprintln!("{SKIPPED}") };
    let token = nodes.log_in(PHONE).await;
    let me = |n: usize| nodes.client(n).get("/api/auth/me").token(&token).send();
    let user = me(0).await.body["data"]["id"].clone();
    for banning in 0..COUNT {
        assert_eq!(count(&together(COUNT, me).await, 200), COUNT);
        let operate = |what: &str| {
            let path = format!("/api/admin/users/{user}/{what}");
            nodes.client(banning).post(&path).token(OPERATOR_TOKEN).send()
        };
        operate("ban").await.expect(200);
        assert_eq!(count(&together(COUNT, me).await, 403), COUNT);
        operate("unban").await.expect(200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_happens_on_one_node_is_told_on_all_in_the_same_order() {
    let Some(nodes) = Nodes::start().await else { return eprintln!("{SKIPPED}") };
    let token = nodes.log_in(PHONE).await;
    let event = nodes.add_matches(1, in_ms(3_600_000)).await[0];
    let open = |n: usize| Listening::open_at(nodes.client(n), &token, "", None);
    let mut listening = together(COUNT, open).await;
    let goals: Vec<i64> = (1..=9).collect();
    for goal in &goals {
        let body = json!({"status": "live", "home_score": goal, "away_score": 0});
        let node = usize::try_from(*goal).unwrap();
        let call = nodes.client(node).patch(&format!("/api/admin/events/{event}"));
        call.token(OPERATOR_TOKEN).json(body).send().await.expect(200);
    }
    let mut heard = Vec::new();
    for listener in &mut listening {
        let mut told = Vec::new();
        while told.last().is_none_or(|(_, goal)| *goal != json!(9)) {
            let item = listener.next().await;
            told.push((item.id, item.data["home_score"].clone()));
        }
        let scores: Vec<i64> = told.iter().filter_map(|(_, score)| score.as_i64()).collect();
        assert_eq!(scores, goals);
        heard.push(told);
    }
    assert!(heard.iter().all(|told| *told == heard[0]), "{heard:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_kicks_off_once_and_a_webhook_hears_of_it_once() {
    let Some(nodes) = Nodes::start().await else { return eprintln!("{SKIPPED}") };
    let mut receiver = Receiver::start().await;
    let body = json!({"url": receiver.url, "kinds": ["status"]});
    nodes
        .client(1)
        .post("/api/admin/webhooks")
        .token(OPERATOR_TOKEN)
        .json(body)
        .send()
        .await
        .expect(201);
    let token = nodes.log_in(PHONE).await;
    let open = |n: usize| Listening::open_at(nodes.client(n), &token, "", None);
    let mut listening = together(COUNT, open).await;
    let events = nodes.add_matches(8, in_ms(800)).await;
    for listener in &mut listening {
        let mut live = Vec::new();
        for _ in &events {
            let told = listener.next().await;
            assert_eq!((told.name.as_str(), &told.data["status"]), ("status", &json!("live")));
            live.push(told.data["event_id"].as_i64().unwrap());
        }
        live.sort_unstable();
        assert_eq!(live, events);
    }
    let mut taken = Vec::new();
    let deadline = Instant::now() + Duration::from_secs(5);
    while taken.len() < events.len() && Instant::now() < deadline {
        tokio::time::sleep(Duration::from_millis(50)).await;
        taken.extend(receiver.taken());
    }
    // Long enough for every node to look for work once more, and so to do something twice.
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    taken.extend(receiver.taken());
    let mut messages: Vec<&str> =
        taken.iter().map(|request| header(request, "webhook-id")).collect();
    messages.sort_unstable();
    assert_eq!(messages.len(), events.len());
    messages.dedup();
    assert_eq!(messages.len(), events.len(), "a message was sent twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chore_that_is_due_every_second_is_done_by_one_node_a_second() {
    let Some(nodes) = Nodes::start().await else { return eprintln!("{SKIPPED}") };
    let app = crate::harness::TestApp::beside(&nodes.folders[0], &nodes.database_url).await;
    let runs = "SELECT CAST(run_at AS TEXT) FROM jobs WHERE kind = 'kick_off'";
    let mut seen = BTreeSet::new();
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(3) {
        seen.extend(app.texts(runs).await);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!((2..=5).contains(&seen.len()), "{seen:?}");
    app.app.stop.cancel();
}

/// As load balancers do it: in turn, to nodes whose health check is good, over connections that are kept; what could not be
/// sent is sent to the next node, and what was sent only if it may be repeated.
#[derive(Clone)]
struct Balancer {
    nodes: Arc<Vec<Node>>,
    turn: Arc<AtomicUsize>,
}

struct Node {
    client: Client,
    is_healthy: AtomicBool,
}

impl Balancer {
    fn new(addresses: &[String]) -> Self {
        let node = |address: &String| {
            let client = Client::new(&format!("http://{address}"));
            Node { client, is_healthy: AtomicBool::new(true) }
        };
        let nodes: Arc<Vec<Node>> = Arc::new(addresses.iter().map(node).collect());
        for at in 0..nodes.len() {
            let nodes = nodes.clone();
            tokio::spawn(async move {
                loop {
                    let check = nodes[at].client.get("/readyz").try_send().await;
                    let is_healthy = check.is_ok_and(|reply| reply.status == 200);
                    nodes[at].is_healthy.store(is_healthy, Ordering::SeqCst);
                    tokio::time::sleep(HEALTH_CHECK).await;
                }
            });
        }
        Self { nodes, turn: Arc::default() }
    }

    fn healthy(&self) -> usize {
        self.nodes.iter().filter(|node| node.is_healthy.load(Ordering::SeqCst)).count()
    }

    async fn send(
        &self,
        may_repeat: bool,
        call: impl Fn(&Client) -> Call,
    ) -> Result<Reply, String> {
        let mut last = "no node is healthy".to_owned();
        for _ in 0..2 * self.nodes.len() {
            let turn = self.turn.fetch_add(1, Ordering::SeqCst);
            let node = &self.nodes[turn % self.nodes.len()];
            if !node.is_healthy.load(Ordering::SeqCst) {
                continue;
            }
            match call(&node.client).try_send().await {
                Ok(reply) => return Ok(reply),
                Err(error) if error.is_connect() || may_repeat => last = format!("{error:?}"),
                Err(error) => return Err(format!("{error:?}")),
            }
        }
        Err(last)
    }
}

/// Reads and pays until told to stop; gives how much was paid and what failed.
async fn shop(balancer: Balancer, token: String, is_over: Arc<AtomicBool>) -> (i64, Vec<String>) {
    let (mut paid, mut failed) = (0, Vec::new());
    while !is_over.load(Ordering::SeqCst) {
        let pay = |client: &Client| {
            let body = json!({"amount": 1, "reason": "wager"});
            client.post("/api/auth/coins/deduct").token(&token).json(body)
        };
        match balancer.send(false, pay).await {
            Ok(reply) if reply.status == 200 => paid += 1,
            Ok(reply) => failed.push(reply.text),
            Err(error) => failed.push(error),
        }
        let look = |client: &Client| client.get("/api/auth/coins").token(&token);
        match balancer.send(true, look).await {
            Ok(reply) if reply.body["data"]["balance"] == 100_500 - paid => {}
            Ok(reply) => failed.push(format!("paid {paid}: {}", reply.text)),
            Err(error) => failed.push(error),
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    (paid, failed)
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_restarted_one_after_the_other_behind_a_balancer_fail_no_request() {
    let Some(mut nodes) = Nodes::start().await else { return eprintln!("{SKIPPED}") };
    let mut tokens = Vec::new();
    for number in 0..4 {
        let token = nodes.log_in(&crate::harness::TestApp::phone(number)).await;
        let me = nodes.client(0).get("/api/auth/me").token(&token).send().await.expect(200);
        let path = format!("/api/admin/users/{}/coins", me.body["data"]["id"]);
        let body = json!({"amount": 100_000, "reason": "for tests"});
        nodes.client(0).post(&path).token(OPERATOR_TOKEN).json(body).send().await.expect(200);
        tokens.push(token);
    }
    let balancer = Balancer::new(&nodes.addresses);
    let is_over = Arc::new(AtomicBool::new(false));
    let shoppers: Vec<_> = tokens
        .into_iter()
        .map(|token| tokio::spawn(shop(balancer.clone(), token, is_over.clone())))
        .collect();
    for node in 0..COUNT {
        let mut program = nodes.programs[node].take().unwrap();
        program.terminate();
        let ended = tokio::task::block_in_place(|| program.exit_code(Duration::from_secs(10)));
        assert_eq!(ended, Some(0), "{}", program.log());
        nodes.programs[node] = Some(tokio::task::block_in_place(|| nodes.start_one(node)));
        while balancer.healthy() < COUNT {
            tokio::time::sleep(HEALTH_CHECK).await;
        }
    }
    is_over.store(true, Ordering::SeqCst);
    let mut all_paid = 0;
    for shopper in shoppers {
        let (paid, failed) = shopper.await.unwrap();
        assert_eq!(failed, Vec::<String>::new());
        all_paid += paid;
    }
    assert!(all_paid > 100, "only {all_paid} payments were made");
}
