//! Out means out: whoever logs out, is banned or leaves keeps nothing that was being made for them at that moment.
//!
//! Each race is run many times, on one node with SQLite and on three with PostgreSQL. `TOUCHLINE_TEST_ROUNDS` makes it more.

use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::chat_outages::log_in;
use crate::harness::{
    Chatter, Client, Fan, Network, OPERATOR_TOKEN, Program, Reply, TestApp, escape, eventually,
    fresh_database_url,
};
use crate::stream::Listening;

const AT_ONCE: usize = 4;

fn rounds() -> usize {
    let given = std::env::var("TOUCHLINE_TEST_ROUNDS").ok();
    given.map_or(12, |rounds| rounds.parse().unwrap())
}

/// The service beside one homeserver: one node on SQLite, three on PostgreSQL.
struct Site {
    network: Network,
    programs: Vec<Program>,
    beside: TestApp,
    _folders: Vec<TempDir>,
}

impl Site {
    async fn start() -> Self {
        let database = fresh_database_url().await;
        let count = if database.is_empty() { 1 } else { 3 };
        let network = Network::start().await;
        let folders: Vec<TempDir> = (0..count).map(|_| tempfile::tempdir().unwrap()).collect();
        let settings = network.settings();
        let begin = |folder: &TempDir| Program::start(folder, &database, &settings);
        let programs: Vec<Program> = folders.iter().map(begin).collect();
        let urls: Vec<&str> = programs.iter().map(|program| program.client.base()).collect();
        network.push_to(&urls[..1]);
        drop(settings);
        let beside = TestApp::beside(&folders[0], &database).await;
        Self { network, programs, beside, _folders: folders }
    }

    fn client(&self, n: usize) -> Client {
        self.programs[n % self.programs.len()].client.clone()
    }

    async fn fan(&self, n: usize) -> (Fan, Chatter) {
        log_in(&self.client(n), &phone(n), &self.network.url).await
    }

    /// Runs a race many times, a few of them at once. Each has a number of its own.
    async fn race<F: Future<Output = ()>>(&self, one: impl Fn(usize) -> F) {
        let rounds = rounds();
        for first in (0..rounds).step_by(AT_ONCE) {
            let some = (first..rounds.min(first + AT_ONCE)).map(&one);
            futures_util::future::join_all(some).await;
        }
    }

    /// A public room, and somebody in it.
    async fn room(&self) -> (Chatter, String) {
        let (owner, chatter) = self.fan(5_000).await;
        let call = self.client(0).post("/api/auth/chat-room").token(&owner.token);
        let room = call.json(json!({"name": "Away end"})).send().await.expect(201);
        (chatter, room.body["data"]["room_id"].as_str().unwrap().to_owned())
    }

    async fn ban(&self, n: usize, fan: &Fan) {
        let path = format!("/api/admin/users/{}/ban", fan.id);
        self.client(n).post(&path).token(OPERATOR_TOKEN).send().await.expect(200);
    }
}

fn phone(n: usize) -> String {
    TestApp::phone(u32::try_from(n).unwrap())
}

async fn credentials(client: &Client, fan: &Fan) -> Reply {
    client.post("/api/auth/matrix-credentials").token(&fan.token).send().await
}

/// The chat token that an answer gave, if it gave one.
fn chatter(given: &Value, network: &Network) -> Option<Chatter> {
    given.is_object().then(|| Chatter::of(given, &network.url))
}

async fn expect_ended(what: &str, chatter: &Chatter) {
    for _ in 0..500 {
        if !chatter.is_logged_in().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{what}: {} still speaks", chatter.id);
}

/// Who is in a room by the homeserver's word, in order.
async fn joined(witness: &Chatter, room: &str) -> Vec<String> {
    let reply = witness.get(&format!("/rooms/{}/joined_members", escape(room))).await.expect(200);
    reply.body["joined"].as_object().unwrap().keys().cloned().collect()
}

/// A try at logging in with a code that was asked for before.
async fn ask_for_code(client: &Client, phone: &str) -> Value {
    client.post("/api/code/request").json(json!({"phone": phone})).send().await.expect(200);
    let log = client.get(&format!("/api/logs/sms?phone={}", escape(phone))).send().await;
    log.body["data"][0]["code"].clone()
}

async fn enter(client: &Client, phone: &str, code: &Value) -> Reply {
    client.post("/api/code/verify").json(json!({"phone": phone, "code": code})).send().await
}

#[tokio::test(flavor = "multi_thread")]
async fn no_chat_token_outlives_a_logout_that_came_while_it_was_made() {
    let site = Site::start().await;
    site.race(async |n| {
        let (fan, first) = site.fan(n).await;
        let (one, other) = (site.client(n + 1), site.client(n + 2));
        let log_out = other.post("/api/auth/logout").token(&fan.token).send();
        let (made, left) = tokio::join!(credentials(&one, &fan), log_out);
        left.expect(200);
        assert!([200, 401, 503].contains(&made.status), "{}", made.text);
        expect_ended("of the login", &first).await;
        let made = &made.body["data"]["matrix_credentials"];
        if let Some(chatter) = chatter(made, &site.network) {
            expect_ended("made during the logout", &chatter).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ban_ends_what_a_login_made_at_the_same_moment() {
    let site = Site::start().await;
    site.race(async |n| {
        let (fan, _) = site.fan(n).await;
        let code = ask_for_code(&site.client(n), &phone(n)).await;
        let (one, other, phone) = (site.client(n + 1), site.client(n), phone(n));
        let (entered, made, ()) = tokio::join!(
            enter(&one, &phone, &code),
            credentials(&other, &fan),
            site.ban(n + 2, &fan)
        );
        assert!([200, 403].contains(&entered.status), "{}", entered.text);
        let issued =
            [&entered.body["data"]["matrix_credentials"], &made.body["data"]["matrix_credentials"]];
        for given in issued {
            if let Some(chatter) = chatter(given, &site.network) {
                expect_ended("made during the ban", &chatter).await;
            }
        }
        if entered.status == 200 {
            let fan = Fan::of(&entered.body["data"]);
            let me = site.client(n).get("/api/auth/me").token(&fan.token).send().await;
            me.expect_error(403, "banned");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_who_is_banned_while_they_join_stays_in_the_room() {
    let site = Site::start().await;
    let (owner, room) = site.room().await;
    let path = format!("/api/auth/chat-rooms/{}/join", escape(&room));
    site.race(async |n| {
        let (fan, _) = site.fan(n).await;
        let one = site.client(n + 1);
        let join = one.post(&path).token(&fan.token).send();
        let (joined, ()) = tokio::join!(join, site.ban(n + 2, &fan));
        assert!([200, 403].contains(&joined.status), "{}", joined.text);
    })
    .await;
    let alone = || async { (joined(&owner, &room).await.len() == 1).then_some(()) };
    eventually(alone).await;
    let counted = || async {
        let sql = "SELECT count(*) FROM chat_members WHERE membership = 'join'";
        (site.beside.count(sql).await == 1).then_some(())
    };
    eventually(counted).await;
    let sql = "SELECT CAST(sum(member_count) AS BIGINT) FROM chat_rooms";
    assert_eq!(site.beside.count(sql).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_made_while_its_account_is_deleted_is_a_new_accounts_or_none() {
    let site = Site::start().await;
    site.race(async |n| {
        let (fan, first) = site.fan(n).await;
        let code = ask_for_code(&site.client(n), &phone(n)).await;
        let (one, other, phone) = (site.client(n + 1), site.client(n + 2), phone(n));
        let delete = other.delete("/api/auth/me").token(&fan.token).send();
        let (entered, deleted) = tokio::join!(enter(&one, &phone, &code), delete);
        deleted.expect(200);
        expect_ended("of the deleted account", &first).await;
        if entered.status != 200 {
            return;
        }
        let entered = &entered.body["data"];
        let again = Fan::of(entered);
        let me = site.client(n).get("/api/auth/me").token(&again.token).send().await;
        if again.id != fan.id {
            me.expect(200);
            return;
        }
        me.expect_error(401, "unauthenticated");
        if let Some(chatter) = chatter(&entered["matrix_credentials"], &site.network) {
            expect_ended("made during the deletion", &chatter).await;
        }
    })
    .await;
    let sql = "SELECT count(*) FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.deleted_at IS NOT NULL";
    assert_eq!(site.beside.count(sql).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_chat_account_stays_open_when_a_user_is_renamed_and_deleted_at_once() {
    let site = Site::start().await;
    site.race(async |n| {
        let (fan, first) = site.fan(n).await;
        let (one, other) = (site.client(n + 1), site.client(n + 2));
        let body = json!({"username": format!("renamed_{n}"), "name": "Ada Lovelace"});
        let rename = one.post("/api/auth/update-user-info").token(&fan.token).json(body).send();
        let delete = other.delete("/api/auth/me").token(&fan.token).send();
        let (renamed, deleted) = tokio::join!(rename, delete);
        deleted.expect(200);
        assert!([200, 401, 404].contains(&renamed.status), "{}", renamed.text);
        expect_ended("before the rename", &first).await;
        let given = &renamed.body["data"]["matrix_credentials"];
        if let Some(chatter) = chatter(given, &site.network) {
            expect_ended("after the rename", &chatter).await;
        }
    })
    .await;
    let closed = || async {
        let sql = "SELECT count(*) FROM chat_accounts a JOIN users u ON u.id = a.user_id WHERE u.deleted_at IS NOT NULL";
        (site.beside.count(sql).await == 0).then_some(())
    };
    eventually(closed).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_six_joins_at_once_one_is_answered_200_and_five_409() {
    let site = Site::start().await;
    let (_, room) = site.room().await;
    let path = format!("/api/auth/chat-rooms/{}/join", escape(&room));
    site.race(async |n| {
        let (fan, _) = site.fan(n).await;
        let join = |node: usize| {
            let call = site.client(n + node).post(&path).token(&fan.token);
            async { call.send().await.status }
        };
        let mut statuses = futures_util::future::join_all((0..6).map(join)).await;
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409, 409, 409, 409, 409]);
    })
    .await;
    let expected = i64::try_from(rounds()).unwrap() + 1;
    let sql = "SELECT CAST(sum(member_count) AS BIGINT) FROM chat_rooms";
    assert_eq!(site.beside.count(sql).await, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_joins_change_no_count() {
    let site = Site::start().await;
    let (owner, _) = site.fan(5_000).await;
    let call = site.client(0).post("/api/auth/chat-room").token(&owner.token);
    let body = json!({"name": "Us", "is_private": true});
    let room = call.json(body).send().await.expect(201).body["data"]["room_id"].clone();
    let path = format!("/api/auth/chat-rooms/{}/join", escape(room.as_str().unwrap()));
    let (fan, _) = site.fan(1).await;
    let join = |node: usize| {
        let call = site.client(node).post(&path).token(&fan.token);
        async { call.send().await.expect_error(403, "not_allowed") }
    };
    futures_util::future::join_all((0..6).map(join)).await;
    let sql = "SELECT CAST(sum(member_count) AS BIGINT) FROM chat_rooms";
    assert_eq!(site.beside.count(sql).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_storm_through_both_doors_the_members_are_the_homeservers() {
    let site = Site::start().await;
    let (owner, room) = site.room().await;
    let escaped = escape(&room);
    let storm = async |n: usize| {
        let (fan, chatter) = site.fan(n).await;
        let by_api = async |node: usize, what: &str| {
            let path = format!("/api/auth/chat-rooms/{escaped}/{what}");
            let status = site.client(n + node).post(&path).token(&fan.token).send().await.status;
            assert!([200, 403, 409, 429].contains(&status), "{status}");
        };
        let by_matrix = async |what: &str| {
            chatter.post(&format!("/rooms/{escaped}/{what}"), json!({})).await;
        };
        for round in 0..3 {
            tokio::join!(
                by_api(round, "join"),
                by_matrix("join"),
                by_api(round + 1, "leave"),
                by_matrix("leave")
            );
        }
        if n.is_multiple_of(2) {
            by_matrix("join").await;
        }
    };
    futures_util::future::join_all((0..5).map(storm)).await;
    let same = || async {
        let there = joined(&owner, &room).await;
        let sql = "SELECT matrix_id FROM chat_members WHERE membership = 'join' ORDER BY matrix_id";
        let here = site.beside.texts(sql).await;
        let sql = "SELECT CAST(sum(member_count) AS BIGINT) FROM chat_rooms";
        let counted = usize::try_from(site.beside.count(sql).await).unwrap();
        (here == there && counted == there.len()).then_some(())
    };
    eventually(same).await;
}

/// What ends a stream.
async fn expect_stream_to_end(end: impl AsyncFnOnce(&TestApp, &Fan)) {
    let app = TestApp::new().await;
    let fan = app.log_in(&phone(1)).await;
    let mut listening = Listening::open_at(&app.client, &fan.token, "", None).await;
    end(&app, &fan).await;
    listening.until_end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_live_stream_ends_when_its_session_does() {
    expect_stream_to_end(async |app, fan| {
        app.client.post("/api/auth/logout").token(&fan.token).send().await.expect(200);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_live_stream_ends_when_its_listener_is_banned() {
    expect_stream_to_end(async |app, fan| {
        let path = format!("/api/admin/users/{}/ban", fan.id);
        app.client.post(&path).token(OPERATOR_TOKEN).send().await.expect(200);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_live_stream_ends_with_its_listeners_account() {
    expect_stream_to_end(async |app, fan| {
        app.client.delete("/api/auth/me").token(&fan.token).send().await.expect(200);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sync_that_waits_ends_when_its_session_does() {
    let app = TestApp::new().await;
    let (fan, chatter) = app.chatter(&phone(1)).await;
    let since = chatter.get("/sync?timeout=0").await.expect(200).body["next_batch"].clone();
    let wait = format!("/sync?timeout=30000&since={}", since.as_str().unwrap());
    let waiting = tokio::spawn(async move { chatter.get(&wait).await });
    app.client.post("/api/auth/logout").token(&fan.token).send().await.expect(200);
    app.run_jobs().await;
    let reply = tokio::time::timeout(Duration::from_secs(10), waiting).await.unwrap().unwrap();
    assert_eq!((reply.status, &reply.body["errcode"]), (401, &json!("M_UNKNOWN_TOKEN")));
}
