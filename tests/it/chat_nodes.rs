//! Chat with a homeserver that is a server of its own: the service crashes beside it, and several nodes share it.

mod needs_postgres;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::catalogue;
use crate::chat_outages::{log_in, member_count};
use crate::harness::{
    Chatter, Client, Fan, Network, OPERATOR_TOKEN, Program, Reply, Switch, TestApp, escape,
    eventually, free_address, fresh_database_url,
};

const ADA: &str = "+447700900123";
const KEY: &str = "room-of-ada-1";

async fn make_keyed_room(client: &Client, fan: &Fan) -> Reply {
    let call = client.post("/api/auth/chat-room").token(&fan.token);
    call.header("idempotency-key", KEY).json(json!({"name": "Away end"})).send().await
}

/// A service that was killed after the homeserver had made a room and before it said so. No push has told of the room.
struct Crash {
    network: Network,
    folder: TempDir,
    database: String,
    address: String,
    ada: Fan,
    chatter: Chatter,
}

impl Crash {
    async fn happen() -> Self {
        let network = Network::start().await;
        let (folder, database) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
        let address = free_address();
        let program = start(&network, &folder, &database, &address);
        network.push_to(&[program.client.base()]);
        let (ada, chatter) = log_in(&program.client, ADA, &network.url).await;
        network.set("/transactions/", Switch::Down);
        network.set("/createRoom", Switch::Deaf);
        let (client, token) = (program.client.clone(), ada.token.clone());
        let lost = tokio::spawn(async move {
            let call = client.post("/api/auth/chat-room").token(&token);
            let call = call.header("idempotency-key", KEY).json(json!({"name": "Away end"}));
            call.try_send().await.is_err()
        });
        eventually(|| async { (network.swallowed() == 1).then_some(()) }).await;
        program.kill();
        assert!(lost.await.unwrap(), "nobody was answered");
        network.set("/createRoom", Switch::Through);
        Self { network, folder, database, address, ada, chatter }
    }

    fn restart(&self) -> Program {
        start(&self.network, &self.folder, &self.database, &self.address)
    }

    /// The repeated request is answered with the one room there is.
    async fn expect_one_room(&self, reply: &Reply) {
        let room = reply.body["data"]["room_id"].as_str().unwrap();
        assert_eq!(self.chatter.joined_rooms().await, [room]);
        assert_eq!(self.network.count_done(&["/createRoom"]), 1);
    }
}

fn start(network: &Network, folder: &TempDir, database: &str, address: &str) -> Program {
    let mut settings = network.settings();
    settings.push(("TOUCHLINE_LISTEN", address));
    Program::start(folder, database, &settings)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_room_that_was_made_before_a_crash_is_given_to_the_repeated_request() {
    let crash = Crash::happen().await;
    let program = crash.restart();
    // The homeserver tells of the room only now.
    crash.network.set("/transactions/", Switch::Through);
    let made = || async {
        let reply = make_keyed_room(&program.client, &crash.ada).await;
        (reply.status == 201).then_some(reply)
    };
    let reply = eventually(made).await;
    crash.expect_one_room(&reply).await;
    let again = make_keyed_room(&program.client, &crash.ada).await.expect(201);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    crash.expect_one_room(&again).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_room_that_no_push_told_of_is_found_on_the_network() {
    let crash = Crash::happen().await;
    let program = crash.restart();
    let reply = make_keyed_room(&program.client, &crash.ada).await;
    reply.expect_error(503, "chat_unavailable");
    let beside = TestApp::beside(&crash.folder, &crash.database).await;
    let expire = |tx: &mut touchline::platform::db::Tx| {
        tx.exec("UPDATE chat_room_requests SET leased_until = 0", &[])
    };
    assert_eq!(beside.app.db.write(expire).await.unwrap(), 1);
    let reply = make_keyed_room(&program.client, &crash.ada).await.expect(201);
    crash.expect_one_room(&reply).await;
    // The push that comes in the end (a start asks for it at once) changes nothing.
    program.kill();
    crash.network.set("/transactions/", Switch::Through);
    let program = crash.restart();
    let room = reply.body["data"]["room_id"].as_str().unwrap();
    let told = || async {
        let sql = "SELECT count(*) FROM chat_seen_events";
        (beside.count(sql).await > 0).then_some(())
    };
    eventually(told).await;
    assert_eq!(member_count(&program.client, &crash.ada, room).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_moves_to_another_homeserver_takes_its_users_and_matches_along() {
    let network = Network::start().await;
    let (folder, database) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
    let address = free_address();
    let embedded = [
        ("TOUCHLINE_LISTEN", address.as_str()),
        ("TOUCHLINE_SECRET_KEY", "the-same-key-on-every-node-of-a-test"),
        // It is killed while it may still be at the job of making that room.
        ("TOUCHLINE_JOBS__LEASE_MS", "1000"),
    ];
    let program = Program::start(&folder, &database, &embedded);
    let client = program.client.clone();
    let (ada, _) = log_in(&client, ADA, client.base()).await;
    let call = client.post("/api/auth/chat-room").token(&ada.token);
    call.json(json!({"name": "Stays behind"})).send().await.expect(201);
    let document = catalogue::document(json!([catalogue::event("m:1", "2036-11-20T15:00:00Z")]));
    let call = client.put("/api/admin/catalogue").token(OPERATOR_TOKEN);
    let id = call.json(document).send().await.expect(200).body["data"]["events"]["m:1"].clone();
    let room_of = || async {
        let call = client.get(&format!("/api/auth/events/{id}")).token(&ada.token).send().await;
        Some(call.expect(200).body["data"]["chat_room_id"].clone()).filter(Value::is_string)
    };
    let before = eventually(room_of).await;
    program.kill();

    let program = start(&network, &folder, &database, &address);
    network.push_to(&[program.client.base()]);
    let call = client.post("/api/admin/chat/rebuild").token(OPERATOR_TOKEN);
    call.send().await.expect(200);
    let moved = || async { room_of().await.filter(|room| *room != before) };
    let room = eventually(moved).await;
    let call = client.post("/api/auth/matrix-credentials").token(&ada.token).send().await;
    let given = &call.expect(200).body["data"]["matrix_credentials"];
    let chatter = Chatter::of(given, &network.url);
    chatter.post(&format!("/join/{}", escape(room.as_str().unwrap())), json!({})).await.expect(200);
    // The rebuild goes through the rooms one by one, so that the last may go after the match has its new one.
    let only_that = || async {
        let reply = client.get("/api/auth/chat-rooms").token(&ada.token).send().await.expect(200);
        let listed = reply.body["data"].as_array().unwrap().clone();
        (listed.len() == 1 && listed[0]["room_id"] == room).then_some(())
    };
    eventually(only_that).await;
}
