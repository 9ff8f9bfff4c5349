//! What moderators do in rooms while the service is killed, the homeserver does not answer, or they hang up themselves.

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use touchline::platform::db::Tx;

use crate::chat_outages::log_in;
use crate::chat_rooms::{in_room, public_room};
use crate::harness::{
    Call, Chatter, Client, Fan, Network, OPERATOR_TOKEN, Program, Switch, TestApp, escape,
    eventually, free_address, fresh_database_url,
};

const LEVELS: &str = "PUT /state/m.room.power_levels";

/// A service beside a homeserver, with a room of Ada's in which Ben is too.
struct Site {
    network: Network,
    folder: TempDir,
    database: String,
    address: String,
    client: Client,
    beside: TestApp,
    ben: Fan,
    noisy: Chatter,
    room: String,
}

impl Site {
    async fn start() -> (Self, Program) {
        let network = Network::start().await;
        let (folder, database) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
        let address = free_address();
        let program = start(&network, &folder, &database, &address);
        let client = program.client.clone();
        network.push_to(&[client.base()]);
        let beside = TestApp::beside(&folder, &database).await;
        let (ada, _) = log_in(&client, &TestApp::phone(1), &network.url).await;
        let (ben, noisy) = log_in(&client, &TestApp::phone(2), &network.url).await;
        let call = client.post("/api/auth/chat-room").token(&ada.token);
        let made = call.json(json!({"name": "Away end"})).send().await.expect(201);
        let room = made.body["data"]["room_id"].as_str().unwrap().to_owned();
        let path = format!("/api/auth/chat-rooms/{}/join", escape(&room));
        client.post(&path).token(&ben.token).send().await.expect(200);
        let site = Self { network, folder, database, address, client, beside, ben, noisy, room };
        (site, program)
    }

    fn path(&self, what: &str) -> String {
        format!("/api/admin/chat/rooms/{}{what}", escape(&self.room))
    }

    fn measure(&self, what: &str, more: Value) -> Call {
        let mut body = json!({"user_id": self.ben.id, "reason": "Insults"});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.client.post(&self.path(what)).token(OPERATOR_TOKEN).json(body)
    }

    /// Kills the service after the network has done what these calls ask for, and before anybody heard of it.
    async fn crash(&self, program: Program, calls: Vec<Call>) -> Program {
        let (before, count) = (self.network.swallowed(), calls.len());
        let lost: Vec<_> = calls
            .into_iter()
            .map(|call| tokio::spawn(async move { call.try_send().await.is_err() }))
            .collect();
        let all = || async { (self.network.swallowed() == before + count).then_some(()) };
        eventually(all).await;
        program.kill();
        for lost in lost {
            assert!(lost.await.unwrap(), "nobody was answered");
        }
        start(&self.network, &self.folder, &self.database, &self.address)
    }

    /// As if the minute were over after which others take up what was left.
    async fn pass_a_minute(&self) {
        let pass = |tx: &mut Tx| {
            tx.exec("UPDATE chat_room_turns SET leased_until = 0", &[])?;
            tx.exec("UPDATE jobs SET run_at = 0 WHERE kind = 'chat_finish_measure'", &[])
        };
        self.beside.app.db.write(pass).await.unwrap();
    }

    async fn muted(&self) -> Vec<Value> {
        let room = self.client.get(&self.path("")).token(OPERATOR_TOKEN).send().await.expect(200);
        room.body["data"]["muted"].as_array().unwrap().clone()
    }

    async fn audit(&self, action: &str) -> Vec<Value> {
        audit(&self.client, action).await
    }

    /// How a try of Ben's to write is answered.
    async fn try_to_write(&self) -> u16 {
        let name = touchline::platform::keys::hex(&touchline::platform::clock::random_bytes::<8>());
        let path = format!("/rooms/{}/send/m.room.message/{name}", escape(&self.room));
        self.noisy.put(&path, json!({"msgtype": "m.text", "body": "hello"})).await.status
    }

    async fn until_nothing_is_left(&self) {
        let none = || async {
            (self.beside.count("SELECT count(*) FROM chat_measures").await == 0).then_some(())
        };
        eventually(none).await;
    }
}

fn start(network: &Network, folder: &TempDir, database: &str, address: &str) -> Program {
    let mut settings = network.settings();
    settings.push(("TOUCHLINE_LISTEN", address));
    Program::start(folder, database, &settings)
}

async fn audit(client: &Client, action: &str) -> Vec<Value> {
    let path = format!("/api/admin/audit?action={action}");
    let reply = client.get(&path).token(OPERATOR_TOKEN).send().await.expect(200);
    reply.body["data"].as_array().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mute_that_a_crash_cut_off_comes_into_the_list_and_ends_by_its_clock() {
    let (site, program) = Site::start().await;
    site.network.set(LEVELS, Switch::Deaf);
    let mute = site.measure("/mute", json!({"minutes": 10}));
    let _program = site.crash(program, vec![mute]).await;
    site.network.set(LEVELS, Switch::Through);
    assert_eq!((site.try_to_write().await, site.muted().await), (403, vec![]));
    site.pass_a_minute().await;
    site.until_nothing_is_left().await;
    let muted = site.muted().await;
    assert_eq!((muted.len(), &muted[0]["user_id"]), (1, &json!(site.ben.id)));
    assert!(muted[0]["muted_until"].is_string(), "{muted:?}");
    let noted = site.audit("chat.mute").await;
    assert_eq!(noted.len(), 1, "{noted:?}");
    assert_eq!(
        (&noted[0]["before"]["is_muted"], &noted[0]["operator"]),
        (&json!(false), &json!("configured"))
    );
    let end = |tx: &mut Tx| {
        tx.exec("UPDATE chat_mutes SET muted_until = 1", &[])?;
        tx.exec("UPDATE jobs SET run_at = 0 WHERE kind = 'chat_end_mute'", &[])
    };
    assert_eq!(site.beside.app.db.write(end).await.unwrap(), 1);
    eventually(|| async { (site.try_to_write().await == 200).then_some(()) }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ban_and_a_redaction_that_a_crash_cut_off_are_noted_once() {
    let (site, program) = Site::start().await;
    let message = site.noisy.say(&site.room, "insult").await;
    site.network.set("/ban", Switch::Deaf);
    site.network.set("/redact/", Switch::Deaf);
    let redact = site.client.post(&site.path("/redact")).token(OPERATOR_TOKEN);
    let redact = redact.json(json!({"message_id": message, "reason": "Insults"}));
    let _program = site.crash(program, vec![site.measure("/ban", json!({})), redact]).await;
    site.network.set("/ban", Switch::Through);
    site.network.set("/redact/", Switch::Through);
    site.pass_a_minute().await;
    site.until_nothing_is_left().await;
    let (bans, redactions) = (site.audit("chat.ban").await, site.audit("chat.redact").await);
    assert_eq!((bans.len(), redactions.len()), (1, 1), "{bans:?} {redactions:?}");
    assert_eq!(bans[0]["before"]["membership"], "join");
    assert_eq!(redactions[0]["detail"]["message_id"], json!(message));
    assert!(!site.noisy.joined_rooms().await.contains(&site.room));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mute_that_the_homeserver_did_not_answer_is_tried_again() {
    let (site, _program) = Site::start().await;
    site.network.set(LEVELS, Switch::Down);
    let call = site.measure("/mute", json!({}));
    call.send().await.expect_error(503, "chat_unavailable");
    site.network.set(LEVELS, Switch::Through);
    site.pass_a_minute().await;
    site.until_nothing_is_left().await;
    assert_eq!((site.try_to_write().await, site.muted().await.len()), (403, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_decided_later_counts_and_not_what_was_left_before() {
    let (site, _program) = Site::start().await;
    site.network.set(LEVELS, Switch::Down);
    let call = site.measure("/mute", json!({}));
    call.send().await.expect_error(503, "chat_unavailable");
    site.network.set(LEVELS, Switch::Through);
    // The room's turn is over, and nobody has taken up the mute yet.
    let over = |tx: &mut Tx| tx.exec("UPDATE chat_room_turns SET leased_until = 0", &[]);
    assert_eq!(site.beside.app.db.write(over).await.unwrap(), 1);
    site.measure("/unmute", json!({})).send().await.expect(200);
    site.pass_a_minute().await;
    let done = "SELECT count(*) FROM jobs WHERE kind = 'chat_finish_measure'";
    eventually(|| async { (site.beside.count(done).await == 0).then_some(()) }).await;
    assert_eq!((site.try_to_write().await, site.muted().await), (200, vec![]));
    let noted = site.audit("chat.mute").await;
    assert_eq!((noted.len(), &noted[0]["detail"]["is_confirmed"]), (1, &json!(false)));
}

/// Sends a call and hangs up once the homeserver was asked. Returns when the service has noticed.
async fn hang_up(network: &Network, client: &Client, path: &str, body: &Value) {
    let (body, before) = (body.to_string(), network.held());
    let request = format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {OPERATOR_TOKEN}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(client.address()).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    eventually(|| async { (network.held() > before).then_some(()) }).await;
    stream.shutdown().await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    assert_eq!(String::from_utf8_lossy(&answer), "", "nobody was answered");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_caller_asked_for_who_hung_up_is_done_and_noted() {
    let network = Network::start().await;
    let app = TestApp::with(&network.settings()).await;
    network.push_to(&[app.client.base()]);
    let (ada, _) = app.chatter(&TestApp::phone(1)).await;
    let (ben, noisy) = app.chatter(&TestApp::phone(2)).await;
    let room = public_room(&app, &ada, "Away end").await;
    in_room(&app, &ben, &room, "join").await.expect(200);
    let message = noisy.say(&room, "insult").await;
    let path = |what: &str| format!("/api/admin/chat/rooms/{}{what}", escape(&room));
    for (what, body) in [
        ("/mute", json!({"user_id": ben.id, "reason": "Insults"})),
        ("/redact", json!({"message_id": message, "reason": "Insults"})),
    ] {
        let held = "/state/m.room.power_levels";
        network.set(held, Switch::Held);
        hang_up(&network, &app.client, &path(what), &body).await;
        assert_eq!(audit(&app.client, &format!("chat.{}", &what[1..])).await, Vec::<Value>::new());
        network.set(held, Switch::Through);
        let noted = async || audit(&app.client, &format!("chat.{}", &what[1..])).await.pop();
        eventually(noted).await;
    }
    let shown = app.client.get(&path("")).token(OPERATOR_TOKEN).send().await.expect(200);
    assert_eq!(shown.body["data"]["muted"][0]["user_id"], json!(ben.id));
    assert_eq!(app.count("SELECT count(*) FROM chat_measures").await, 0);
}
