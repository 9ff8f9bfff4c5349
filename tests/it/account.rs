//! Taking one's data away, and leaving.

use serde_json::json;

use crate::harness::{Fan, TestApp};

const PHONE: &str = "+447700900123";

async fn describe(app: &TestApp, fan: &Fan) {
    let body = json!({"name": "Ada", "email": "ada@example.org", "date_of_birth": "1990-12-10"});
    let call = app.client.post("/api/auth/update-user-info").token(&fan.token);
    call.json(body).send().await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_holds_what_the_service_knows() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    describe(&app, &fan).await;
    let reply = app.client.get("/api/auth/export").token(&fan.token).send().await.expect(200);
    let welcome = reply.body["data"]["coins"]["transactions"][0]["id"].as_str().unwrap();
    insta::assert_json_snapshot!(reply.body_without(&[welcome, &fan.username])["data"], @r#"
    {
      "chat": {
        "accounts": [
          "@...:localhost"
        ],
        "blocked_user_ids": [],
        "room_news": [],
        "rooms": []
      },
      "coins": {
        "balance": 500,
        "last_claim_on": null,
        "streak_days": 0,
        "transactions": [
          {
            "amount": 500,
            "balance_after": 500,
            "created_at": "2026-11-15T12:00:00.000Z",
            "id": "...",
            "reason": "welcome",
            "reference_id": null
          }
        ]
      },
      "leagues": [],
      "notes": [],
      "predictions": [],
      "push": {
        "devices": [],
        "settings": null
      },
      "sessions": [
        {
          "created_at": "2026-11-15T12:00:00.000Z",
          "device_name": null,
          "expires_at": "2027-02-13T12:00:00.000Z",
          "last_used_at": "2026-11-15T12:00:00.000Z"
        }
      ],
      "sms_messages": [
        {
          "created_at": "2026-11-15T12:00:00.000Z",
          "provider": "log",
          "status": "sent"
        }
      ],
      "teams": {
        "other_teams": [],
        "primary_team": null
      },
      "tips": [],
      "user": {
        "ban": null,
        "created_at": "2026-11-15T12:00:00.000Z",
        "date_of_birth": "1990-12-10",
        "email": "ada@example.org",
        "id": 1,
        "language": null,
        "name": "Ada",
        "phone": "+447700900123",
        "username": "..."
      }
    }
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_opens_no_door() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    let reply = app.client.get("/api/auth/export").token(&fan.token).send().await.expect(200);
    assert!(!reply.text.contains(&fan.token));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_account_leaves_no_trace_of_the_person() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    let body = json!({"name": "Ada Lovelace", "email": "ada@example.org", "username": "ada_fan"});
    app.client
        .post("/api/auth/update-user-info")
        .token(&fan.token)
        .json(body)
        .send()
        .await
        .expect(200);
    let body = json!({"phone": "+447700900124"});
    app.client.post("/api/auth/verify-phone/initiate").token(&fan.token).json(body).send().await;
    app.client.delete("/api/auth/me").token(&fan.token).send().await.expect(200);
    // Until the homeserver has closed the chat account, the outbox has to know it.
    app.run_jobs().await;
    let dump = app.dump().await;
    for trace in ["7700900123", "7700900124", "ada_fan", "Ada Lovelace", "ada@example.org"] {
        assert!(!dump.contains(trace), "{trace} in {dump}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn deleting_revokes_every_token() {
    let app = TestApp::new().await;
    let (fan, elsewhere) = (app.log_in(PHONE).await, app.log_in(PHONE).await);
    app.client.delete("/api/auth/me").token(&fan.token).send().await.expect(200);
    app.client.get("/api/auth/me").token(&fan.token).send().await.expect(401);
    app.client.get("/api/auth/me").token(&elsewhere.token).send().await.expect(401);
}
