use reqwest::Method;
use serde_json::{Value, json};

use crate::app::{TestServer, User};

async fn upload(user: &User<'_>, keys: usize) -> Value {
    let one_time: serde_json::Map<String, Value> = (0..keys)
        .map(|n| (format!("signed_curve25519:K{n}"), json!({"key": n.to_string()})))
        .collect();
    let device_keys = json!({
        "user_id": user.id, "device_id": user.device, "algorithms": ["m.megolm.v1.aes-sha2"],
        "keys": {format!("ed25519:{}", user.device): "identity"}, "signatures": {},
    });
    let fallback = json!({"signed_curve25519:F": {"key": "fallback", "fallback": true}});
    let body =
        json!({"device_keys": device_keys, "one_time_keys": one_time, "fallback_keys": fallback});
    user.post("/keys/upload", body).await
}

#[tokio::test]
async fn a_one_time_key_is_handed_out_once_and_then_the_fallback() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let counts = upload(&bob, 2).await;
    assert_eq!(counts["one_time_key_counts"]["signed_curve25519"], 2);
    let claim = json!({"one_time_keys": {&bob.id: {&bob.device: "signed_curve25519"}}});
    let mut claimed = Vec::new();
    for _ in 0..4 {
        let answer = ann.post("/keys/claim", claim.clone()).await;
        let keys = answer["one_time_keys"][&bob.id][&bob.device].as_object().unwrap();
        claimed.extend(keys.keys().cloned());
    }
    let (k0, k1, fallback) =
        ("signed_curve25519:K0", "signed_curve25519:K1", "signed_curve25519:F");
    assert_eq!(claimed, [k0, k1, fallback, fallback]);
    let synced = bob.sync(None).await;
    assert_eq!(synced["device_one_time_keys_count"]["signed_curve25519"], 0);
    assert_eq!(synced["device_unused_fallback_key_types"], json!([]));
}

#[tokio::test]
async fn keys_are_found_and_changes_told_in_encrypted_rooms() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let encryption = json!({"type": "m.room.encryption", "state_key": "",
                            "content": {"algorithm": "m.megolm.v1.aes-sha2"}});
    let room = ann.create_room(json!({"invite": [bob.id], "initial_state": [encryption]})).await;
    let since = ann.sync(None).await["next_batch"].as_str().unwrap().to_owned();
    bob.join(&room).await;
    let joined = ann.sync(Some(&since)).await;
    assert_eq!(joined["device_lists"]["changed"], json!([bob.id]));
    let since = joined["next_batch"].as_str().unwrap().to_owned();
    upload(&bob, 1).await;
    let changed = ann.sync(Some(&since)).await;
    assert_eq!(changed["device_lists"]["changed"], json!([bob.id]));
    let found = ann.post("/keys/query", json!({"device_keys": {&bob.id: []}})).await;
    assert!(found["device_keys"][&bob.id].get(&bob.device).is_some());
    let since = changed["next_batch"].as_str().unwrap().to_owned();
    bob.post(&format!("/rooms/{}/leave", crate::app::escape(&room)), json!({})).await;
    let left = ann.sync(Some(&since)).await;
    assert_eq!(left["device_lists"]["left"], json!([bob.id]));
}

#[tokio::test]
async fn messages_to_a_device_arrive_once_and_go_when_acknowledged() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let other = server.login("bob").await;
    let body = json!({"messages": {&bob.id: {&bob.device: {"secret": 1}}}});
    for _ in 0..2 {
        ann.put("/sendToDevice/m.test/txn", body.clone()).await;
    }
    let first = bob.sync(None).await;
    let told = first["to_device"]["events"].as_array().unwrap();
    assert_eq!(told, &[json!({"type": "m.test", "sender": ann.id, "content": {"secret": 1}})]);
    assert!(other.sync(None).await.get("to_device").is_none(), "meant for one device");
    let again = bob.sync(None).await;
    assert_eq!(again["to_device"], first["to_device"], "not acknowledged yet");
    let since = first["next_batch"].as_str().unwrap();
    assert!(bob.sync(Some(since)).await.get("to_device").is_none());
    let all = json!({"messages": {&bob.id: {"*": {"secret": 2}}}});
    ann.put("/sendToDevice/m.test/txn2", all).await;
    assert_eq!(other.sync(None).await["to_device"]["events"][0]["content"]["secret"], 2);
}

#[tokio::test]
async fn cross_signing_keys_are_set_once_and_signatures_shown_to_their_maker() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let cat = server.user("cat").await;
    let key = |user: &User<'_>, usage: &str, public: &str| json!({"user_id": user.id, "usage": [usage], "keys": {format!("ed25519:{public}"): public}});
    let keys = json!({"master_key": key(&bob, "master", "MMM"),
                      "self_signing_key": key(&bob, "self_signing", "SSS"),
                      "user_signing_key": key(&bob, "user_signing", "UUU")});
    bob.post("/keys/device_signing/upload", keys.clone()).await;
    bob.post("/keys/device_signing/upload", keys).await;
    let other = json!({"master_key": key(&bob, "master", "XXX")});
    let path = "/keys/device_signing/upload";
    assert_eq!(bob.refused(Method::POST, path, other).await.0, 403);
    let mut signed = key(&bob, "master", "MMM");
    signed["signatures"] = json!({&ann.id: {"ed25519:A": "signature of ann"}});
    ann.post("/keys/signatures/upload", json!({&bob.id: {"MMM": signed}})).await;
    let ask = json!({"device_keys": {&bob.id: []}});
    let to_ann = ann.post("/keys/query", ask.clone()).await;
    assert!(to_ann["master_keys"][&bob.id].to_string().contains("signature of ann"));
    let to_cat = cat.post("/keys/query", ask.clone()).await;
    assert!(!to_cat["master_keys"][&bob.id].to_string().contains("signature of ann"));
    assert!(to_cat["user_signing_keys"].get(&bob.id).is_none());
    assert!(bob.post("/keys/query", ask).await["user_signing_keys"].get(&bob.id).is_some());
}

#[tokio::test]
async fn signatures_are_taken_of_keys_that_exist_and_by_oneself_only() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    upload(&ann, 0).await;
    upload(&bob, 0).await;
    let encryption = json!({"type": "m.room.encryption", "state_key": "",
                            "content": {"algorithm": "m.megolm.v1.aes-sha2"}});
    let room = ann.create_room(json!({"invite": [bob.id], "initial_state": [encryption]})).await;
    bob.join(&room).await;
    let master = json!({"user_id": bob.id, "usage": ["master"], "keys": {"ed25519:MMM": "MMM"}});
    bob.post("/keys/device_signing/upload", json!({"master_key": master})).await;
    let ask = json!({"device_keys": {&bob.id: [], &ann.id: []}});
    let found = ann.post("/keys/query", ask.clone()).await;
    let since = ann.sync(None).await["next_batch"].as_str().unwrap().to_owned();
    let signed = |mut key: Value, signer: &str| {
        key["signatures"] = json!({signer: {"ed25519:A": "signature"}});
        key
    };
    let bobs_device = found["device_keys"][&bob.id][&bob.device].clone();
    let mut changed = master.clone();
    changed["usage"] = json!(["self_signing"]);
    for (key, object) in [
        ("MMM", signed(master.clone(), &bob.id)),
        ("MMM", signed(changed, &ann.id)),
        ("NONE", signed(master.clone(), &ann.id)),
        (bob.device.as_str(), signed(bobs_device, &ann.id)),
    ] {
        let body = json!({&bob.id: {key: object}});
        let answer = ann.post("/keys/signatures/upload", body.clone()).await;
        let failure = &answer["failures"][&bob.id][key];
        assert!(failure["errcode"].is_string(), "{body}: {answer}");
    }
    let quiet = ann.sync(Some(&since)).await;
    assert!(quiet.get("device_lists").is_none(), "nothing was taken: {quiet}");
    let own = signed(found["device_keys"][&ann.id][&ann.device].clone(), &ann.id);
    let body = json!({&ann.id: {&ann.device: own}, &bob.id: {"MMM": signed(master, &ann.id)}});
    assert_eq!(ann.post("/keys/signatures/upload", body).await, json!({"failures": {}}));
    let told = ann.sync(Some(&since)).await["device_lists"]["changed"].to_string();
    assert!(told.contains(&ann.id) && told.contains(&bob.id), "{told}");
}

#[tokio::test]
async fn where_no_keys_changed_both_lists_are_empty() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let since = ann.sync(None).await["next_batch"].as_str().unwrap().to_owned();
    let changes = ann.get(&format!("/keys/changes?from={since}&to={since}")).await;
    assert_eq!(changes, json!({"changed": [], "left": []}));
}
