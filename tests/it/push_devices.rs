//! Which devices somebody has, and what they say of what they want to be told.

use serde_json::{Value, json};
use touchline::platform::db::{Tx, params};

use crate::harness::{PushService, TestApp};
use crate::predictions::get;
use crate::push::{browser, devices, hello, plain_device, register, tell, with_service};

#[tokio::test(flavor = "multi_thread")]
async fn a_device_belongs_to_whoever_registered_it_last_and_goes_with_their_login() {
    let (app, service) = with_service().await;
    let (ada, ben) = (app.log_in(&TestApp::phone(1)).await, app.log_in(&TestApp::phone(2)).await);
    browser(&app, &ada, &service).await;
    browser(&app, &ben, &service).await;
    assert_eq!((devices(&app, &ada).await.len(), devices(&app, &ben).await.len()), (0, 1));
    app.client.post("/api/auth/logout").token(&ben.token).send().await.expect(200);
    assert_eq!(app.count("SELECT count(*) FROM push_devices").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_device_is_said_by_field() {
    let app = TestApp::new().await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    let (p256dh, auth) = (
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
    );
    let web = |address: &str| json!({"kind": "webpush", "address": address, "p256dh": p256dh, "auth": auth});
    for (body, field) in [
        (json!({"kind": "pager", "address": "x"}), "kind"),
        (json!({"kind": "fcm", "address": "a".repeat(64)}), "kind"),
        (json!({"kind": "apns", "address": "a".repeat(64)}), "kind"),
        (json!({"kind": "apns", "address": "not hex"}), "address"),
        (json!({"kind": "fcm", "address": "short"}), "address"),
        (web("http://push.example.org/a"), "address"),
        (web("https://localhost/a"), "address"),
        (web("https://127.0.0.1/a"), "address"),
        (web("https://10.0.0.8/a"), "address"),
        (web("https://169.254.169.254/latest"), "address"),
        (web("https://[::1]/a"), "address"),
        (web("https://[::ffff:10.0.0.8]/a"), "address"),
        (web("https://2130706433/a"), "address"),
        (web("ftp://push.example.org/a"), "address"),
        (
            json!({"kind": "webpush", "address": "https://push.example.org/a", "p256dh": "AAAA", "auth": auth}),
            "p256dh",
        ),
        (
            json!({"kind": "webpush", "address": "https://push.example.org/a", "p256dh": p256dh, "auth": "AAAA"}),
            "auth",
        ),
        (json!({"kind": "webpush", "address": "https://push.example.org/a"}), "p256dh"),
        (json!({"address": "https://push.example.org/a"}), "kind"),
    ] {
        let reply = register(&app, &ada, body.clone()).await.expect_error(422, "validation_failed");
        assert!(reply.body["errors"][field].is_array(), "{body}: {}", reply.body);
    }
    assert_eq!(app.count("SELECT count(*) FROM push_devices").await, 0);
    register(&app, &ada, web("https://push.example.org/a")).await.expect(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_leads_into_a_private_network_is_not_called() {
    let service = PushService::start().await;
    let app = TestApp::new().await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    // A name that resolves to this machine wherever there is a resolver; where there is none it is not called either.
    let port = service.url.rsplit(':').next().unwrap();
    let address = format!("https://localhost.localdomain:{port}/a");
    let body = json!({"kind": "http", "address": address});
    register(&app, &ada, body).await.expect(201);
    tell(&app, hello()).await;
    assert_eq!(service.taken().len(), 0);
    assert_eq!(devices(&app, &ada).await[0]["failure"], "later");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_was_fine_once_and_is_private_is_not_called() {
    let service = PushService::start().await;
    let app = TestApp::new().await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    register(&app, &ada, json!({"kind": "http", "address": "https://push.example.org/a"}))
        .await
        .expect(201);
    let private = format!("{}/a", service.url);
    let change =
        move |tx: &mut Tx| tx.exec("UPDATE push_devices SET address = $1", params![private]);
    app.app.db.write(change).await.unwrap();
    tell(&app, hello()).await;
    assert_eq!(service.taken().len(), 0);
    assert_eq!(devices(&app, &ada).await, Vec::<Value>::new(), "it is dead");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_export_has_devices_and_wishes_and_a_deleted_account_has_none() {
    let (app, service) = with_service().await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    plain_device(&app, &ada, &service).await;
    let export = get(&app, &ada, "/api/auth/export").await.expect(200).body;
    assert_eq!(export["data"]["push"]["devices"][0]["kind"], "http");
    assert_eq!(export["data"]["push"]["settings"]["remind_minutes"], 60);
    app.client.delete("/api/auth/me").token(&ada.token).send().await.expect(200);
    for sql in [
        "SELECT count(*) FROM push_devices",
        "SELECT count(*) FROM push_settings",
        "SELECT count(*) FROM push_messages",
    ] {
        assert_eq!(app.count(sql).await, 0, "{sql}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_with_very_many_devices_keeps_the_latest() {
    let (app, service) = with_service().await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    let mut ids = Vec::new();
    for number in 0..21 {
        let body = json!({"kind": "http", "address": format!("{}/{number}", service.url)});
        ids.push(register(&app, &ada, body).await.expect(201).body["data"]["id"].clone());
    }
    let kept: Vec<Value> =
        devices(&app, &ada).await.iter().map(|device| device["id"].clone()).collect();
    assert_eq!(kept, ids[1..]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removed_device_is_told_nothing_and_only_its_owner_removes_it() {
    let (app, service) = with_service().await;
    let (ada, ben) = (app.log_in(&TestApp::phone(1)).await, app.log_in(&TestApp::phone(2)).await);
    let id = plain_device(&app, &ada, &service).await["id"].clone();
    let path = format!("/api/auth/devices/{id}");
    app.client.delete(&path).token(&ben.token).send().await.expect_error(404, "not_found");
    app.client.delete(&path).token(&ada.token).send().await.expect(200);
    app.client.delete(&path).token(&ada.token).send().await.expect_error(404, "not_found");
    tell(&app, hello()).await;
    assert_eq!(service.taken().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn where_a_device_is_sets_the_hours_of_somebody_who_has_not_said() {
    let (app, service) = with_service().await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    let zone = async |wanted: &str| {
        let address = format!("{}/a", service.url);
        let body = json!({"kind": "http", "address": address, "zone": wanted});
        register(&app, &ada, body).await.expect(201);
        let settings = get(&app, &ada, "/api/auth/push/settings").await.expect(200);
        settings.body["data"]["zone"].as_str().unwrap().to_owned()
    };
    assert_eq!(zone("America/New_York").await, "America/New_York");
    assert_eq!(zone("Europe/Berlin").await, "America/New_York");
}

#[tokio::test(flavor = "multi_thread")]
async fn wishes_that_make_no_sense_are_said_by_field_and_change_nothing() {
    let app = TestApp::new().await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    let before = get(&app, &ada, "/api/auth/push/settings").await.expect(200).body;
    for (body, field) in [
        (json!({"remind_minutes": 45}), "remind_minutes"),
        (json!({"quiet_from": "24:00"}), "quiet_from"),
        (json!({"quiet_until": "8"}), "quiet_until"),
        (json!({"zone": "Mars/Olympus"}), "zone"),
        (json!({"most_a_day": 0}), "most_a_day"),
        (json!({"most_a_day": 101}), "most_a_day"),
        (json!({"goal": "loud"}), "goal"),
    ] {
        let call = app.client.patch("/api/auth/push/settings").token(&ada.token);
        let reply = call.json(body.clone()).send().await.expect_error(422, "validation_failed");
        assert!(reply.body["errors"][field].is_array(), "{body}: {}", reply.body);
    }
    let after = get(&app, &ada, "/api/auth/push/settings").await.expect(200).body;
    assert_eq!(after, before);
}
