//! Nodes that read from a replica: what comes from there, and what each user finds there.

use serde_json::json;
use tempfile::TempDir;

use crate::harness::{Client, Cluster, Program, Reply, eventually, free_address, no_postgres};

const PHONE: &str = "+447700900123";
const HISTORY: &str = "/api/auth/coins/transactions";

/// Two nodes, a primary, and a replica that may be half a minute old.
struct Site {
    nodes: [Node; 2],
    token: String,
    _replica: Cluster,
    _primary: Cluster,
}

struct Node {
    program: Program,
    metrics: Client,
    _folder: TempDir,
}

impl Node {
    fn start(primary: &Cluster, replica: &Cluster) -> Self {
        let (folder, metrics) = (tempfile::tempdir().unwrap(), free_address());
        let settings = [
            ("TOUCHLINE_DATABASE__REPLICA_URLS", replica.url()),
            ("TOUCHLINE_DATABASE__REPLICA_MAX_AGE_MS", "30000".to_owned()),
            ("TOUCHLINE_METRICS_LISTEN", metrics.clone()),
            // Chat is not what is tested here.
            ("TOUCHLINE_MATRIX__HOMESERVER_URL", "http://127.0.0.1:9".to_owned()),
        ];
        let settings = settings.each_ref().map(|(name, value)| (*name, value.as_str()));
        let program = Program::start(&folder, &primary.url(), &settings);
        Self { program, metrics: Client::new(&format!("http://{metrics}")), _folder: folder }
    }

    async fn read(&self, path: &str, token: &str) -> Reply {
        self.program.client.get(path).token(token).send().await
    }

    /// How many of its reads were answered by a replica.
    async fn answered_by_replica(&self) -> u64 {
        let text = self.metrics.get("/metrics").send().await.expect(200).text;
        let line = "touchline_db_reads_aside_total{answered_by=\"replica\"} ";
        let count = text.lines().find_map(|it| it.strip_prefix(line));
        count.map_or(0, |count| count.parse().unwrap())
    }
}

impl Site {
    /// The replica is read from, has all there is, and gets no more.
    async fn start_and_hold_replica() -> Self {
        let Some(primary) = Cluster::start() else { no_postgres() };
        let replica = primary.replica();
        let nodes = [(); 2].map(|()| Node::start(&primary, &replica));
        let token = log_in(&nodes[0].program.client).await;
        for node in &nodes {
            eventually(|| async {
                node.read(HISTORY, &token).await.expect(200);
                (node.answered_by_replica().await > 0).then_some(())
            })
            .await;
        }
        replica.hold();
        Self { nodes, token, _replica: replica, _primary: primary }
    }
}

async fn log_in(client: &Client) -> String {
    client.post("/api/code/request").json(json!({"phone": PHONE})).send().await.expect(200);
    let query = format!("/api/logs/sms?phone={}", PHONE.replace('+', "%2B"));
    let log = client.get(&query).send().await;
    let body = json!({"phone": PHONE, "code": log.body["data"][0]["code"]});
    let reply = client.post("/api/code/verify").json(body).send().await.expect(200);
    reply.body["data"]["token"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PostgreSQL"]
async fn what_a_user_did_on_one_node_they_read_on_another_while_the_replica_has_not_heard_of_it() {
    let site = Site::start_and_hold_replica().await;
    let [here, there] = &site.nodes;
    here.program.client.post("/api/auth/daily-coins").token(&site.token).send().await.expect(200);
    let history = there.read(HISTORY, &site.token).await.expect(200);
    assert_eq!(history.body["meta"]["total"], 2, "{}", history.text);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PostgreSQL"]
async fn lists_boards_and_exports_come_from_the_replica() {
    let site = Site::start_and_hold_replica().await;
    let node = &site.nodes[1];
    for path in [
        HISTORY,
        "/api/auth/predictions",
        "/api/auth/leaderboard",
        "/api/auth/me/statistics",
        "/api/auth/export",
        "/api/auth/leagues",
        "/api/auth/questions",
    ] {
        let before = node.answered_by_replica().await;
        node.read(path, &site.token).await.expect(200);
        assert_eq!(node.answered_by_replica().await, before + 1, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PostgreSQL"]
async fn a_session_that_ended_is_refused_by_all_nodes_while_the_replica_has_not_heard_of_it() {
    let site = Site::start_and_hold_replica().await;
    let [here, there] = &site.nodes;
    here.program.client.post("/api/auth/logout").token(&site.token).send().await.expect(200);
    there.read(HISTORY, &site.token).await.expect(401);
}
