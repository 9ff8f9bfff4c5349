//! A database that an earlier version made is opened by this one.

use serde_json::json;

use crate::app::{Options, TestServer, bodies};

/// Version 1, with a room in which two talked in a thread, and a message that waits for a device.
const OLD: &str = r#"
INSERT INTO stream VALUES (1, 10, 0, 'test.local');
INSERT INTO users (user, created_at, displayname) VALUES
    ('@ann:test.local', 1, 'ann'), ('@bob:test.local', 1, 'bob');
INSERT INTO rooms (room, room_id, joined) VALUES (1, '!old:test.local', 2);
INSERT INTO events (seq, room, event_id, type, state_key, sender, ts, content, membership,
    rel_type, relates_to, notify) VALUES
    (1, 1, '$create', 'm.room.create', '', '@ann:test.local', 1, '{"room_version": "11"}', NULL, NULL, NULL, 0),
    (2, 1, '$ann', 'm.room.member', '@ann:test.local', '@ann:test.local', 1, '{"membership": "join"}', 'join', NULL, NULL, 0),
    (3, 1, '$rules', 'm.room.join_rules', '', '@ann:test.local', 1, '{"join_rule": "public"}', NULL, NULL, NULL, 0),
    (4, 1, '$bob', 'm.room.member', '@bob:test.local', '@bob:test.local', 1, '{"membership": "join"}', 'join', NULL, NULL, 0),
    (5, 1, '$root', 'm.room.message', NULL, '@bob:test.local', 1, '{"msgtype": "m.text", "body": "root"}', NULL, NULL, NULL, 1),
    (6, 1, '$reply', 'm.room.message', NULL, '@bob:test.local', 1,
     '{"msgtype": "m.text", "body": "reply", "m.relates_to": {"rel_type": "m.thread", "event_id": "$root"}}',
     NULL, 'm.thread', '$root', 1);
INSERT INTO state VALUES (1, 'm.room.create', '', 1), (1, 'm.room.member', '@ann:test.local', 2),
    (1, 'm.room.join_rules', '', 3), (1, 'm.room.member', '@bob:test.local', 4);
INSERT INTO members (room, user, membership, seq) VALUES
    (1, '@ann:test.local', 'join', 2), (1, '@bob:test.local', 'join', 4);
INSERT INTO devices (user, device, created_at) VALUES ('@ann:test.local', 'PHONE', 1);
INSERT INTO inbox VALUES ('@ann:test.local', 'PHONE', 7, 0,
    '{"type": "m.test", "sender": "@bob:test.local", "content": {}}');
PRAGMA user_version = 1;
"#;

#[tokio::test]
async fn a_database_of_version_1_goes_on_with_what_it_had() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("homeserver.db");
    let conn = rusqlite::Connection::open(&path).unwrap();
    conn.execute_batch(include_str!("../../src/store/schema.sql")).unwrap();
    conn.execute_batch(OLD).unwrap();
    drop(conn);
    let server = TestServer::open(path, Options::default()).await;
    let ann = server.login_on("ann", "PHONE").await;
    let filter = crate::app::escape(
        &json!({"room": {"timeline": {"unread_thread_notifications": true}}}).to_string(),
    );
    let answer = ann.get(&format!("/sync?filter={filter}")).await;
    let room = &answer["rooms"]["join"]["!old:test.local"];
    assert_eq!(bodies(&room["timeline"]["events"]), ["root", "reply"]);
    assert_eq!(room["unread_notifications"]["notification_count"], 1);
    assert_eq!(room["unread_thread_notifications"]["$root"]["notification_count"], 1);
    assert_eq!(answer["to_device"]["events"][0]["type"], "m.test");
    ann.say("!old:test.local", "and on").await;
    let backup = json!({"algorithm": "m.one", "auth_data": {}});
    let version = ann.post("/room_keys/version", backup).await["version"].clone();
    assert_eq!(ann.get("/room_keys/version").await["version"], version);
}
