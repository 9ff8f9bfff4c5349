//! Key backups have sizes and counts, and a large one is told without being held in memory.

use axum::body::{Body, to_bytes};
use axum::response::Response;
use reqwest::Method;
use serde_json::{Map, Value, json};
use touchline_homeserver::Rate;
use tower::ServiceExt;

use crate::app::{Options, TestServer, User, escape};
use crate::backups::{ROOM, all, definition, key, new_backup, of_session};

const KIB: usize = 1024;

fn too_large() -> (u16, String) {
    (413, "M_TOO_LARGE".to_owned())
}

fn text(bytes: usize) -> String {
    "x".repeat(bytes)
}

fn database(server: &TestServer) -> rusqlite::Connection {
    let conn = rusqlite::Connection::open(&server.path).unwrap();
    conn.busy_timeout(std::time::Duration::from_secs(30)).unwrap();
    conn
}

/// Puts keys of one size into a version, alternately of two rooms, which over HTTP would take long.
fn fill(server: &TestServer, version: &str, keys: i64, bytes: usize) {
    let told = key(true, 0, 0, &text(bytes)).to_string();
    let conn = database(server);
    let sql = "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?2)
               INSERT INTO backed_up_keys (version, room_id, session, verified, first_message, forwarded, told)
               SELECT ?1, '!' || (n % 2) || ':test.local', 'session' || n, 1, 0, 0, ?3 FROM n";
    conn.execute(sql, (version, keys, &told)).unwrap();
    let sql = "UPDATE key_backups SET etag = 1, keys = ?2, bytes = ?2 * ?3 WHERE version = ?1";
    conn.execute(sql, (version, keys, i64::try_from(told.len()).unwrap())).unwrap();
}

#[tokio::test]
async fn a_key_an_id_an_upload_and_what_a_version_says_have_their_sizes() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let version = new_backup(&ann).await;
    let large = key(true, 0, 0, &text(4 * KIB));
    assert_eq!(ann.refused(Method::PUT, &of_session(&version, "s"), large).await, too_large());
    let path = of_session(&version, &text(256));
    assert_eq!(ann.refused(Method::PUT, &path, key(true, 0, 0, "x")).await, too_large());
    let keys = |count: usize| -> Map<String, Value> {
        (0..count).map(|n| (format!("s{n}"), key(true, 0, 0, "x"))).collect()
    };
    let path = all(&version);
    let half = |count: usize| json!({"sessions": keys(count)});
    let body = json!({"rooms": {ROOM: half(250), "!other:test.local": half(251)}});
    assert_eq!(ann.refused(Method::PUT, &path, body).await, too_large());
    for (algorithm, auth_data) in [("m.one", text(16 * KIB)), (&*text(256), String::new())] {
        let body = json!({"algorithm": algorithm, "auth_data": {"a": auth_data}});
        let refused = ann.refused(Method::POST, "/room_keys/version", body.clone()).await;
        assert_eq!(refused, too_large());
        let at = format!("/room_keys/version/{version}");
        assert_eq!(ann.refused(Method::PUT, &at, body).await, too_large());
    }
    let info = ann.get("/room_keys/version").await;
    assert_eq!((&info["version"], &info["count"]), (&json!(version), &json!(0)));
    let body = json!({"rooms": {ROOM: half(250), "!other:test.local": half(250)}});
    assert_eq!(ann.put(&path, body).await["count"], 500);
}

#[tokio::test]
async fn a_sixth_version_takes_the_place_of_the_oldest_and_its_keys_go_too() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let mut versions = Vec::new();
    for _ in 0..6 {
        let version = new_backup(&ann).await;
        ann.put(&of_session(&version, "s"), key(true, 0, 0, "x")).await;
        versions.push(version);
    }
    assert_eq!(ann.refused(Method::GET, &all(&versions[0]), json!({})).await.0, 404);
    for version in &versions[1..] {
        assert_eq!(ann.get(&all(version)).await["rooms"].as_object().unwrap().len(), 1);
    }
    let sql = "SELECT COUNT(*) FROM backed_up_keys";
    let kept: i64 = database(&server).query_row(sql, [], |row| row.get(0)).unwrap();
    assert_eq!(kept, 5);
}

#[tokio::test]
async fn older_versions_make_room_for_the_newest_and_then_it_is_full() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let old = new_backup(&ann).await;
    fill(&server, &old, 30_000, 10);
    let new = new_backup(&ann).await;
    fill(&server, &new, 19_999, 10);
    let put = async |session: &str| {
        let body = key(true, 0, 0, "x");
        ann.refused(Method::PUT, &of_session(&new, session), body).await
    };
    assert_eq!(put("a").await.0, 200, "fifty thousand in all");
    assert_eq!(ann.get(&format!("/room_keys/version/{old}")).await["count"], 30_000);
    assert_eq!(put("b").await.0, 200);
    let gone = ann.refused(Method::GET, &format!("/room_keys/version/{old}"), json!({})).await;
    assert_eq!(gone.0, 404, "the older one made room");
    let sql = "UPDATE key_backups SET keys = 50000";
    database(&server).execute(sql, []).unwrap();
    assert_eq!(put("c").await, too_large());
    assert_eq!(put("b").await.0, 200, "what is there already needs none");
    let sql = "UPDATE key_backups SET keys = 20000, bytes = 64 * 1024 * 1024 - 100";
    database(&server).execute(sql, []).unwrap();
    assert_eq!(put("d").await, too_large());
    let info = ann.get("/room_keys/version").await;
    assert_eq!((&info["etag"], &info["count"]), (&json!("3"), &json!(20_000)));
}

#[tokio::test]
async fn changes_of_a_backup_have_a_rate_and_reading_it_has_none_of_its_own() {
    let backup_rate = Rate { count: 1, seconds: 60, burst: 3 };
    let server = TestServer::with(Options { backup_rate, ..Options::default() }).await;
    let ann = server.user("ann").await;
    let version = new_backup(&ann).await;
    ann.put(&of_session(&version, "s"), key(true, 0, 0, "x")).await;
    ann.put(&format!("/room_keys/version/{version}"), definition()).await;
    for (method, path) in [
        (Method::PUT, of_session(&version, "t")),
        (Method::DELETE, all(&version)),
        (Method::DELETE, format!("/room_keys/version/{version}")),
        (Method::POST, "/room_keys/version".to_owned()),
    ] {
        let body = json!({"algorithm": "m.one", "auth_data": {}, "is_verified": true,
                          "first_message_index": 0, "forwarded_count": 0, "session_data": {}});
        let refused = ann.refused(method, &path, body).await;
        assert_eq!(refused, (429, "M_LIMIT_EXCEEDED".to_owned()), "{path}");
    }
    assert_eq!(ann.get(&all(&version)).await["rooms"][ROOM]["sessions"]["s"]["is_verified"], true);
}

/// An answer whose body nobody has read yet.
async fn ask(user: &User<'_>, path: &str) -> Response {
    let request = http::Request::get(format!("/_matrix/client/v3{path}"))
        .header("authorization", format!("Bearer {}", user.token));
    let router = user.server.homeserver.router();
    router.oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
}

async fn read(answer: Response) -> Value {
    let bytes = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

fn count(room: &Value) -> usize {
    room["sessions"].as_object().unwrap().len()
}

#[tokio::test]
async fn a_large_backup_is_one_answer_that_is_read_in_parts() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let version = new_backup(&ann).await;
    fill(&server, &version, 5_001, KIB);
    let rooms = ann.get(&all(&version)).await["rooms"].clone();
    assert_eq!(rooms.as_object().unwrap().len(), 2);
    assert_eq!((count(&rooms["!0:test.local"]), count(&rooms["!1:test.local"])), (2_500, 2_501));
    let told = &rooms["!1:test.local"]["sessions"]["session5001"];
    assert_eq!(*told, key(true, 0, 0, &text(KIB)));
    for (room, keys) in [("!0:test.local", 2_500), ("!1:test.local", 2_501)] {
        let path = format!("/room_keys/keys/{}?version={version}", escape(room));
        let answer = ann.get(&path).await;
        assert_eq!(count(&answer), keys);
        assert_eq!(answer["sessions"], rooms[room]["sessions"]);
    }
}

#[tokio::test]
async fn large_backups_that_nobody_reads_hold_little_and_only_so_many() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let version = new_backup(&ann).await;
    fill(&server, &version, 10_000, KIB);
    let bobs = new_backup(&bob).await;
    fill(&server, &bobs, 1_000, KIB);
    let mut unread = Vec::new();
    for _ in 0..4 {
        let answer = ask(&ann, &all(&version)).await;
        assert_eq!(answer.status(), 200);
        unread.push(answer);
    }
    assert_eq!(ask(&ann, &all(&version)).await.status(), 429);
    assert_eq!(server.homeserver.unread_answer_bytes(), 4 * KIB * KIB);
    assert_eq!(ask(&bob, &all(&bobs)).await.status(), 200, "others go on");
    let whole = read(unread.pop().unwrap()).await;
    assert_eq!(count(&whole["rooms"]["!0:test.local"]), 5_000);
    assert_eq!(ask(&ann, &all(&version)).await.status(), 200, "what is read is free again");
    drop(unread);
    assert_eq!(server.homeserver.unread_answer_bytes(), 0);
}

#[tokio::test]
async fn a_version_that_is_deleted_while_it_is_told_ends_well_formed() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let version = new_backup(&ann).await;
    fill(&server, &version, 2_000, KIB);
    let room = format!("/room_keys/keys/{}?version={version}", escape("!1:test.local"));
    let (everything, of_room) = (ask(&ann, &all(&version)).await, ask(&ann, &room).await);
    let path = format!("/room_keys/version/{version}");
    assert_eq!(ann.refused(Method::DELETE, &path, json!({})).await.0, 200);
    let (everything, of_room) = (read(everything).await, read(of_room).await);
    let told = count(&everything["rooms"]["!0:test.local"]);
    assert!((100..1_000).contains(&told), "{told}");
    assert_eq!(count(&of_room), told, "the first part");
}
