//! Key backups: whose they are, which keys they keep, what becomes of them.

use reqwest::Method;
use serde_json::{Value, json};

use crate::app::{TestServer, User, escape};

const ALGORITHM: &str = "m.megolm_backup.v1.curve25519-aes-sha2";
pub const ROOM: &str = "!room:test.local";

pub fn definition() -> Value {
    json!({"algorithm": ALGORITHM, "auth_data": {"public_key": "abc", "signatures": {}}})
}

pub async fn new_backup(user: &User<'_>) -> String {
    let answer = user.post("/room_keys/version", definition()).await;
    answer["version"].as_str().unwrap().to_owned()
}

pub fn key(is_verified: bool, first: u32, forwarded: u32, text: &str) -> Value {
    let data = json!({"ephemeral": "e", "ciphertext": text, "mac": "m"});
    json!({"is_verified": is_verified, "first_message_index": first,
           "forwarded_count": forwarded, "session_data": data})
}

pub fn all(version: &str) -> String {
    format!("/room_keys/keys?version={version}")
}

fn of_room(version: &str, room: &str) -> String {
    format!("/room_keys/keys/{}?version={version}", escape(room))
}

pub fn of_session(version: &str, session: &str) -> String {
    format!("/room_keys/keys/{}/{}?version={version}", escape(ROOM), escape(session))
}

async fn delete(user: &User<'_>, path: &str) -> Value {
    let (status, answer) = user.try_call(Method::DELETE, path, None).await;
    assert_eq!(status, 200, "{path}: {answer}");
    answer
}

fn not_found() -> (u16, String) {
    (404, "M_NOT_FOUND".to_owned())
}

#[tokio::test]
async fn keys_go_in_and_come_out_by_session_by_room_and_all_at_once() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let none = ann.refused(Method::GET, "/room_keys/version", json!({})).await;
    assert_eq!(none, not_found());
    let version = new_backup(&ann).await;
    assert_eq!(ann.get(&all(&version)).await, json!({"rooms": {}}));
    assert_eq!(ann.get(&of_room(&version, ROOM)).await, json!({"sessions": {}}));
    // Ids of sessions are base64, which has slashes.
    let (one, two, three) = (key(true, 0, 0, "1"), key(false, 3, 1, "2"), key(true, 5, 0, "3"));
    let put = ann.put(&of_session(&version, "a/b+c="), one.clone()).await;
    assert_eq!(put, json!({"etag": "1", "count": 1}));
    let put = ann.put(&of_room(&version, ROOM), json!({"sessions": {"s2": two.clone()}})).await;
    assert_eq!(put, json!({"etag": "2", "count": 2}));
    let rooms = json!({"!other:test.local": {"sessions": {"s3": three.clone()}}});
    let put = ann.put(&all(&version), json!({"rooms": rooms.clone()})).await;
    assert_eq!(put, json!({"etag": "3", "count": 3}));
    assert_eq!(ann.get(&of_session(&version, "a/b+c=")).await, one);
    let sessions = json!({"sessions": {"a/b+c=": one, "s2": two}});
    assert_eq!(ann.get(&of_room(&version, ROOM)).await, sessions);
    let mut expected = json!({"rooms": rooms});
    expected["rooms"][ROOM] = sessions;
    assert_eq!(ann.get(&all(&version)).await, expected);
    let mut info = definition();
    info["version"] = version.as_str().into();
    info["etag"] = "3".into();
    info["count"] = 3.into();
    assert_eq!(ann.get("/room_keys/version").await, info);
    assert_eq!(ann.get(&format!("/room_keys/version/{version}")).await, info);
    let unknown = of_session(&version, "none");
    assert_eq!(ann.refused(Method::GET, &unknown, json!({})).await, not_found());
    assert_eq!(delete(&ann, &unknown).await, json!({"etag": "3", "count": 3}));
    let left = delete(&ann, &of_session(&version, "s2")).await;
    assert_eq!(left, json!({"etag": "4", "count": 2}));
    let left = delete(&ann, &of_room(&version, ROOM)).await;
    assert_eq!(left, json!({"etag": "5", "count": 1}));
    assert_eq!(delete(&ann, &all(&version)).await, json!({"etag": "6", "count": 0}));
    assert_eq!(ann.get(&all(&version)).await, json!({"rooms": {}}));
}

#[tokio::test]
async fn somebody_elses_backup_is_neither_seen_nor_changed() {
    let server = TestServer::new().await;
    let (ann, eve) = (server.user("ann").await, server.user("eve").await);
    let version = new_backup(&ann).await;
    ann.put(&of_session(&version, "s"), key(true, 0, 0, "hers")).await;
    // With a later one of her own, so that all of the numbers below would be good ones if they were hers.
    new_backup(&eve).await;
    let at = format!("/room_keys/version/{version}");
    let better = key(true, 0, 0, "x");
    let sessions = json!({"sessions": {"t": better}});
    let (everything, room) = (all(&version), of_room(&version, ROOM));
    let session = of_session(&version, "s");
    for (method, path, body) in [
        (Method::GET, &at, json!({})),
        (Method::PUT, &at, definition()),
        (Method::GET, &everything, json!({})),
        (Method::GET, &room, json!({})),
        (Method::GET, &session, json!({})),
        (Method::PUT, &everything, json!({"rooms": {ROOM: sessions}})),
        (Method::PUT, &room, sessions.clone()),
        (Method::PUT, &session, better.clone()),
        (Method::DELETE, &everything, json!({})),
        (Method::DELETE, &room, json!({})),
        (Method::DELETE, &session, json!({})),
    ] {
        assert_eq!(eve.refused(method.clone(), path, body).await, not_found(), "{method} {path}");
    }
    // A number from before her own may have been hers.
    assert_eq!(eve.refused(Method::DELETE, &at, json!({})).await.0, 200);
    let (bob, path) = (server.user("bob").await, "/_matrix/client/v3/room_keys/version");
    assert_eq!(bob.refused(Method::DELETE, &at, json!({})).await, not_found());
    assert_eq!(bob.refused(Method::GET, "/room_keys/version", json!({})).await, not_found());
    assert_eq!(server.call(Method::GET, path, None, None).await.0, 401);
    let rooms = json!({"rooms": {ROOM: {"sessions": {"s": key(true, 0, 0, "hers")}}}});
    assert_eq!(ann.get(&everything).await, rooms);
    assert_eq!(ann.get(&at).await["etag"], "1");
}

#[tokio::test]
async fn of_two_keys_for_a_session_the_better_stays_whichever_comes_first() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let version = new_backup(&ann).await;
    // From the best to the worst: verified, then from how early on, then by how few hands it came.
    let ranks =
        [(true, 2, 1), (true, 2, 2), (true, 7, 0), (false, 0, 0), (false, 0, 9), (false, 1, 0)];
    for (better, (verified, first, forwarded)) in ranks.iter().enumerate() {
        for (worse, (other_verified, other_first, other_forwarded)) in
            ranks.iter().enumerate().skip(better + 1)
        {
            let good = key(*verified, *first, *forwarded, "better");
            let bad = key(*other_verified, *other_first, *other_forwarded, "worse");
            let name = format!("{better}-{worse}");
            let (up, down) = (
                of_session(&version, &format!("{name}-up")),
                of_session(&version, &format!("{name}-down")),
            );
            ann.put(&up, bad.clone()).await;
            let before = ann.put(&down, good.clone()).await;
            assert_eq!(ann.put(&down, bad).await, before, "{name}: nothing has changed");
            assert_eq!(ann.get(&down).await, good, "{name}");
            let after = ann.put(&up, good.clone()).await;
            assert_eq!(ann.get(&up).await, good, "{name}");
            assert_eq!(after["count"], before["count"], "{name}");
            assert_ne!(after["etag"], before["etag"], "{name}");
        }
    }
    let path = of_session(&version, "same");
    let before = ann.put(&path, key(true, 0, 0, "first")).await;
    assert_eq!(ann.put(&path, key(true, 0, 0, "second")).await, before);
    assert_eq!(ann.get(&path).await, key(true, 0, 0, "first"), "one that is as good is no better");
}

#[tokio::test]
async fn two_devices_that_upload_at_once_lose_nothing() {
    let server = TestServer::new().await;
    let (ann, again) = (server.user("ann").await, server.login("ann").await);
    let version = new_backup(&ann).await;
    let upload = async |user: &User<'_>, device: u32| {
        for n in 0..20_u32 {
            // One session of its own, and one that both have, each in every second case the better.
            let own = key(true, 0, 0, "own");
            let both = key(true, (n + device) % 2, 0, "both");
            let sessions = json!({format!("own-{device}-{n}"): own, format!("both-{n}"): both});
            user.put(&of_room(&version, ROOM), json!({"sessions": sessions})).await;
        }
    };
    tokio::join!(upload(&ann, 0), upload(&again, 1));
    let info = ann.get("/room_keys/version").await;
    assert_eq!(info["count"], 60);
    let kept = ann.get(&of_room(&version, ROOM)).await;
    let kept = kept["sessions"].as_object().unwrap();
    assert_eq!(kept.len(), 60);
    for n in 0..20 {
        assert_eq!(kept[&format!("both-{n}")]["first_message_index"], 0, "{n}");
    }
}

#[tokio::test]
async fn only_the_newest_version_takes_keys_and_it_is_named_to_whoever_is_late() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let old = new_backup(&ann).await;
    ann.put(&of_session(&old, "s"), key(true, 0, 0, "old")).await;
    let new = new_backup(&ann).await;
    let path = of_session(&old, "t");
    let (status, answer) = ann.try_call(Method::PUT, &path, Some(key(true, 0, 0, "late"))).await;
    assert_eq!(status, 403);
    assert_eq!(answer["errcode"], "M_WRONG_ROOM_KEYS_VERSION");
    assert_eq!(answer["current_version"], new);
    assert_eq!(ann.get(&of_session(&old, "s")).await, key(true, 0, 0, "old"), "it can be read");
    assert_eq!(ann.get("/room_keys/version").await["version"], new);
    for version in ["0", "-1", "007", "+7", "none", "99999999999999999999", "999999"] {
        let path = of_session(version, "t");
        let refused = ann.refused(Method::PUT, &path, key(true, 0, 0, "x")).await;
        assert_eq!(refused, not_found(), "{version}");
        let path = format!("/room_keys/version/{version}");
        assert_eq!(ann.refused(Method::GET, &path, json!({})).await, not_found(), "{version}");
        assert_eq!(ann.refused(Method::DELETE, &path, json!({})).await, not_found(), "{version}");
    }
}

#[tokio::test]
async fn a_deleted_version_is_gone_for_good_and_no_other_gets_its_number() {
    let server = TestServer::new().await;
    let token = {
        let ann = server.user("ann").await;
        let first = new_backup(&ann).await;
        ann.put(&of_session(&first, "s"), key(true, 0, 0, "first")).await;
        let second = new_backup(&ann).await;
        ann.put(&of_session(&second, "s"), key(true, 0, 0, "second")).await;
        let at = format!("/room_keys/version/{second}");
        assert_eq!(delete(&ann, &at).await, json!({}));
        assert_eq!(delete(&ann, &at).await, json!({}), "again is as good");
        assert_eq!(ann.refused(Method::GET, &at, json!({})).await, not_found());
        assert_eq!(ann.refused(Method::GET, &all(&second), json!({})).await, not_found());
        let put = ann.refused(Method::PUT, &of_session(&second, "s"), key(true, 0, 0, "x")).await;
        assert_eq!(put, not_found());
        assert_eq!(ann.get("/room_keys/version").await["version"], first, "the one before is left");
        delete(&ann, &format!("/room_keys/version/{first}")).await;
        (ann.token.clone(), second)
    };
    let server = server.restart().await;
    let (token, second) = token;
    let path = "/_matrix/client/v3/room_keys/version";
    let (_, third) = server.call(Method::POST, path, Some(&token), Some(definition())).await;
    let number = |version: &str| version.parse::<i64>().unwrap();
    let third = number(third["version"].as_str().unwrap());
    assert!(third > number(&second), "{third} {second}");
    // An older copy of the database that was brought back is moved ahead of what its clients may know.
    server.homeserver.skip_to(1_000_000).await.unwrap();
    let (_, next) = server.call(Method::POST, path, Some(&token), Some(definition())).await;
    assert!(number(next["version"].as_str().unwrap()) > 1_000_000);
}

#[tokio::test]
async fn what_a_version_says_of_itself_can_change_but_neither_its_algorithm_nor_its_number() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let version = new_backup(&ann).await;
    let at = format!("/room_keys/version/{version}");
    let signed = json!({"public_key": "abc", "signatures": {&ann.id: {"ed25519:A": "s"}}});
    ann.put(&at, json!({"algorithm": ALGORITHM, "auth_data": signed.clone()})).await;
    let body = json!({"algorithm": ALGORITHM, "auth_data": signed.clone(), "version": version});
    ann.put(&at, body).await;
    let invalid = (400, "M_INVALID_PARAM".to_owned());
    let other = json!({"algorithm": "m.other", "auth_data": {}});
    assert_eq!(ann.refused(Method::PUT, &at, other).await, invalid);
    let other = json!({"algorithm": ALGORITHM, "auth_data": {}, "version": "77"});
    assert_eq!(ann.refused(Method::PUT, &at, other).await, invalid);
    assert_eq!(ann.get(&at).await["auth_data"], signed);
    let path = "/room_keys/version/999999";
    assert_eq!(ann.refused(Method::PUT, path, definition()).await, not_found());
    let bad = (400, "M_BAD_JSON".to_owned());
    for body in [
        json!({}),
        json!({"algorithm": ALGORITHM}),
        json!({"auth_data": {}}),
        json!({"algorithm": 1, "auth_data": {}}),
        json!({"algorithm": ALGORITHM, "auth_data": "text"}),
    ] {
        assert_eq!(ann.refused(Method::PUT, &at, body.clone()).await, bad, "{body}");
        let made = ann.refused(Method::POST, "/room_keys/version", body.clone()).await;
        assert_eq!(made, bad, "{body}");
    }
    assert_eq!(ann.get("/room_keys/version").await["version"], version, "none was made");
}

#[tokio::test]
async fn an_upload_with_one_key_that_is_none_changes_nothing() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let version = new_backup(&ann).await;
    ann.put(&of_session(&version, "a"), key(false, 5, 5, "first")).await;
    let before = ann.get("/room_keys/version").await;
    for (name, value) in [
        ("is_verified", json!("yes")),
        ("is_verified", Value::Null),
        ("first_message_index", json!(-1)),
        ("first_message_index", json!("0")),
        ("first_message_index", json!(1.5)),
        ("forwarded_count", json!(1_u64 << 60)),
        ("session_data", json!("text")),
        ("session_data", json!([])),
    ] {
        let mut wrong = key(true, 0, 0, "x");
        wrong[name] = value.clone();
        let sessions = json!({"a": key(true, 0, 0, "better"), "b": wrong});
        let refused =
            ann.refused(Method::PUT, &of_room(&version, ROOM), json!({"sessions": sessions})).await;
        assert_eq!(refused, (400, "M_BAD_JSON".to_owned()), "{name} {value}");
    }
    let nameless = json!({"sessions": {"": key(true, 0, 0, "x")}});
    let refused = ann.refused(Method::PUT, &of_room(&version, ROOM), nameless).await;
    assert_eq!(refused, (400, "M_INVALID_PARAM".to_owned()));
    for body in [json!({}), json!({"rooms": {"nonsense": {"sessions": {}}}}), json!({"rooms": []})]
    {
        assert_eq!(ann.refused(Method::PUT, &all(&version), body).await.0, 400);
    }
    assert_eq!(ann.get("/room_keys/version").await, before);
    assert_eq!(ann.get(&of_session(&version, "a")).await, key(false, 5, 5, "first"));
}

#[tokio::test]
async fn a_backup_outlives_devices_and_restarts_and_ends_with_the_account() {
    let server = TestServer::new().await;
    let version = {
        let ann = server.user("ann").await;
        let version = new_backup(&ann).await;
        ann.put(&of_session(&version, "s"), key(true, 0, 0, "kept")).await;
        ann.post("/logout", json!({})).await;
        version
    };
    let server = server.restart().await;
    let ann = server.login("ann").await;
    let info = ann.get("/room_keys/version").await;
    assert_eq!((&info["version"], &info["etag"]), (&json!(version), &json!("1")));
    assert_eq!(ann.get(&of_session(&version, "s")).await, key(true, 0, 0, "kept"));
    let bob = server.user("bob").await;
    let bobs = new_backup(&bob).await;
    bob.put(&of_session(&bobs, "s"), key(true, 0, 0, "bob's")).await;
    let path = "/_matrix/client/v3/account/deactivate";
    assert_eq!(server.act(Method::POST, path, &ann.id, json!({})).await.0, 200);
    let left = rusqlite::Connection::open(&server.path).unwrap();
    for table in ["key_backups", "backed_up_keys"] {
        let sql = format!("SELECT COUNT(*) FROM {table}");
        let count: i64 = left.query_row(&sql, [], |row| row.get(0)).unwrap();
        assert_eq!(count, 1, "{table}: bob's alone");
    }
    assert_eq!(bob.get(&of_session(&bobs, "s")).await, key(true, 0, 0, "bob's"));
}
