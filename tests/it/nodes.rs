//! Several processes on one PostgreSQL behave as one service.

mod needs_postgres;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;
use tempfile::TempDir;
use touchline::platform::clock::{Clock, Timestamp};

use crate::harness::{
    Call, Client, OPERATOR_TOKEN, Program, Reply, fresh_database_url, no_postgres,
};

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
    /// Not on SQLite, whose database belongs to one process.
    async fn start() -> Self {
        let database_url = fresh_database_url().await;
        if database_url.is_empty() {
            no_postgres();
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
        this
    }

    fn start_one(&self, node: usize) -> Program {
        let settings = [
            ("TOUCHLINE_LISTEN", self.addresses[node].as_str()),
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
