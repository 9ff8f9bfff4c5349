//! Several nodes of the service beside one homeserver.

use super::*;
use crate::harness::{no_postgres, together};

const NODES: usize = 3;

/// Several nodes on one database and one homeserver, which pushes to all of them.
struct Nodes {
    network: Network,
    programs: Vec<Program>,
    _folders: Vec<TempDir>,
}

impl Nodes {
    /// Not on SQLite, which belongs to one node.
    async fn start() -> Self {
        let database = fresh_database_url().await;
        if database.is_empty() {
            no_postgres();
        }
        let network = Network::start().await;
        let folders: Vec<TempDir> = (0..NODES).map(|_| tempfile::tempdir().unwrap()).collect();
        let settings = network.settings();
        let begin = |folder: &TempDir| Program::start(folder, &database, &settings);
        let programs: Vec<Program> = folders.iter().map(begin).collect();
        let urls: Vec<&str> = programs.iter().map(|program| program.client.base()).collect();
        network.push_to(&urls);
        drop(settings);
        Self { network, programs, _folders: folders }
    }

    fn client(&self, n: usize) -> &Client {
        &self.programs[n % NODES].client
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PostgreSQL"]
async fn every_match_gets_one_room_however_many_nodes_make_rooms() {
    let nodes = Nodes::start().await;
    let (ada, chatter) = log_in(nodes.client(0), ADA, &nodes.network.url).await;
    let keys = (0..12).map(|n| catalogue::event(&format!("m:{n}"), "2036-11-20T15:00:00Z"));
    let document = catalogue::document(keys.collect::<Vec<_>>().into());
    let call = nodes.client(0).put("/api/admin/catalogue").token(OPERATOR_TOKEN);
    let ids = call.json(document).send().await.expect(200).body["data"]["events"].clone();
    let ids: Vec<i64> = ids.as_object().unwrap().values().map(|id| id.as_i64().unwrap()).collect();
    // While the jobs of all nodes are at it, the homeserver asks each node for each room.
    together(ids.len() * NODES, |n| {
        let alias = format!("#match_{}:localhost", ids[n / NODES]);
        let path = format!("/_matrix/app/v1/rooms/{}", escape(&alias));
        nodes.client(n).get(&path).token("hs-token-for-tests").send()
    })
    .await;
    let room_of = |n: usize, id: i64| {
        let call = nodes.client(n).get(&format!("/api/auth/events/{id}")).token(&ada.token).send();
        async { call.await.expect(200).body["data"]["chat_room_id"].clone() }
    };
    for id in &ids {
        let made = || async { Some(room_of(0, *id).await).filter(Value::is_string) };
        let room = eventually(made).await;
        let alias = escape(&format!("#match_{id}:localhost"));
        let found = chatter.get(&format!("/directory/room/{alias}")).await.expect(200);
        assert_eq!(found.body["room_id"], room);
        for node in 1..NODES {
            assert_eq!(room_of(node, *id).await, room);
        }
    }
    assert_eq!(nodes.network.count_done(&["/createRoom"]), ids.len());
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PostgreSQL"]
async fn a_user_gets_one_account_whichever_node_makes_it() {
    let nodes = Nodes::start().await;
    // While the homeserver is away users come, and their accounts are owed to them.
    nodes.network.set("/_matrix/client/", Switch::Down);
    let mut fans = Vec::new();
    for n in 0..4 {
        let (client, phone) = (nodes.client(n), TestApp::phone(u32::try_from(n).unwrap()));
        client.post("/api/code/request").json(json!({"phone": phone})).send().await.expect(200);
        let log = client.get(&format!("/api/logs/sms?phone={}", escape(&phone))).send().await;
        let body = json!({"phone": phone, "code": log.body["data"][0]["code"]});
        let reply = client.post("/api/code/verify").json(body).send().await.expect(200);
        assert_eq!(reply.body["data"]["matrix_credentials"], Value::Null);
        fans.push(Fan::of(&reply.body["data"]));
    }
    nodes.network.set("/_matrix/client/", Switch::Through);
    let ask = |n: usize| {
        let (client, fan) = (nodes.client(n), &fans[n / NODES]);
        let issue = move || async move {
            let call = client.post("/api/auth/matrix-credentials").token(&fan.token);
            let reply = call.send().await;
            (reply.status == 200).then(|| reply.body["data"]["matrix_credentials"].clone())
        };
        eventually(issue)
    };
    let issued = together(fans.len() * NODES, ask).await;
    for (fan, credentials) in fans.iter().zip(issued.chunks(NODES)) {
        let name = format!("\"{}\"", fan.username);
        assert_eq!(nodes.network.count_done(&["/register", &name]), 1, "{name}");
        let id = format!("@{}:localhost", fan.username);
        assert!(credentials.iter().all(|given| given["user_id"] == json!(id)), "{credentials:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PostgreSQL"]
async fn a_push_that_reaches_several_nodes_counts_once() {
    let nodes = Nodes::start().await;
    let (ada, _) = log_in(nodes.client(0), ADA, &nodes.network.url).await;
    let call = nodes.client(1).post("/api/auth/chat-room").token(&ada.token);
    let reply = call.json(json!({"name": "Away end"})).send().await.expect(201);
    let room = reply.body["data"]["room_id"].as_str().unwrap().to_owned();
    let path = |what: &str| format!("/rooms/{}/{what}", escape(&room));
    for n in 0..5 {
        let phone = TestApp::phone(u32::try_from(n).unwrap());
        let (_, chatter) = log_in(nodes.client(n), &phone, &nodes.network.url).await;
        chatter.post(&path("join"), json!({})).await.expect(200);
        chatter.post(&path("leave"), json!({})).await.expect(200);
        chatter.post(&path("join"), json!({})).await.expect(200);
    }
    for n in 0..NODES {
        let client = nodes.client(n);
        let all = || async { (member_count(client, &ada, &room).await == 6).then_some(()) };
        eventually(all).await;
    }
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    assert_eq!(member_count(nodes.client(0), &ada, &room).await, 6);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PostgreSQL"]
async fn those_who_are_muted_at_once_on_several_nodes_are_all_silent() {
    let nodes = Nodes::start().await;
    let (ada, chatter) = log_in(nodes.client(0), ADA, &nodes.network.url).await;
    let call = nodes.client(1).post("/api/auth/chat-room").token(&ada.token);
    let reply = call.json(json!({"name": "Away end"})).send().await.expect(201);
    let room = reply.body["data"]["room_id"].as_str().unwrap().to_owned();
    let mut crowd = Vec::new();
    for n in 0..9 {
        let phone = TestApp::phone(u32::try_from(n).unwrap());
        let (fan, chatter) = log_in(nodes.client(n), &phone, &nodes.network.url).await;
        chatter.post(&format!("/rooms/{}/join", escape(&room)), json!({})).await.expect(200);
        crowd.push((fan.id, chatter.id));
    }
    let mute = |n: usize| {
        let path = format!("/api/admin/chat/rooms/{}/mute", escape(&room));
        let body = json!({"user_id": crowd[n].0, "reason": "Insults"});
        nodes.client(n).post(&path).token(OPERATOR_TOKEN).json(body).send()
    };
    for reply in together(crowd.len(), mute).await {
        reply.expect(200);
    }
    let path = format!("/rooms/{}/state/m.room.power_levels", escape(&room));
    let levels = chatter.get(&path).await.expect(200).body["users"].clone();
    for (_, matrix_id) in &crowd {
        assert_eq!(levels[matrix_id], -1, "{levels}");
    }
}
