//! What users and operators see of several nodes.

use std::collections::BTreeSet;
use std::time::Instant;

use super::*;
use crate::harness::{TestApp, eventually, together};
use crate::stream::Listening;
use crate::webhooks::{Receiver, header};

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PostgreSQL"]
async fn a_phone_has_one_limit_whichever_nodes_are_asked() {
    let nodes = Nodes::start().await;
    let replies = together(30, |n| {
        nodes.client(n).post("/api/code/request").json(json!({"phone": PHONE})).send()
    });
    let replies = replies.await;
    assert_eq!((count(&replies, 200), count(&replies, 429)), (5, 25));
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PostgreSQL"]
async fn the_daily_coins_are_claimed_once_whichever_nodes_are_asked() {
    let nodes = Nodes::start().await;
    let token = nodes.log_in(PHONE).await;
    let replies =
        together(9, |n| nodes.client(n).post("/api/auth/daily-coins").token(&token).send()).await;
    assert_eq!((count(&replies, 200), count(&replies, 400)), (1, 8));
    let coins = nodes.client(0).get("/api/auth/coins").token(&token).send().await;
    assert_eq!(coins.body["data"]["balance"], 550);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PostgreSQL"]
async fn a_session_that_ended_on_one_node_is_refused_by_all_at_once() {
    let nodes = Nodes::start().await;
    for ending in 0..COUNT {
        let token = nodes.log_in(PHONE).await;
        let me = |n: usize| nodes.client(n).get("/api/auth/me").token(&token).send();
        assert_eq!(count(&together(COUNT, me).await, 200), COUNT);
        nodes.client(ending).post("/api/auth/logout").token(&token).send().await.expect(200);
        assert_eq!(count(&together(COUNT, me).await, 401), COUNT);
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PostgreSQL"]
async fn a_user_who_is_banned_on_one_node_is_refused_by_all_at_once() {
    let nodes = Nodes::start().await;
    let token = nodes.log_in(PHONE).await;
    let me = |n: usize| nodes.client(n).get("/api/auth/me").token(&token).send();
    let user = me(0).await.body["data"]["id"].clone();
    for banning in 0..COUNT {
        assert_eq!(count(&together(COUNT, me).await, 200), COUNT);
        let operate = |what: &str| {
            let path = format!("/api/admin/users/{user}/{what}");
            nodes.client(banning).post(&path).token(OPERATOR_TOKEN).send()
        };
        operate("ban").await.expect(200);
        assert_eq!(count(&together(COUNT, me).await, 403), COUNT);
        operate("unban").await.expect(200);
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PostgreSQL"]
async fn what_happens_on_one_node_is_told_on_all_in_the_same_order() {
    let nodes = Nodes::start().await;
    let token = nodes.log_in(PHONE).await;
    let event = nodes.add_matches(1, in_ms(3_600_000)).await[0];
    let open = |n: usize| Listening::open_at(nodes.client(n), &token, "", None);
    let mut listening = together(COUNT, open).await;
    let goals: Vec<i64> = (1..=9).collect();
    for goal in &goals {
        let body = json!({"status": "live", "home_score": goal, "away_score": 0});
        let node = usize::try_from(*goal).unwrap();
        let call = nodes.client(node).patch(&format!("/api/admin/events/{event}"));
        call.token(OPERATOR_TOKEN).json(body).send().await.expect(200);
    }
    let mut heard = Vec::new();
    for listener in &mut listening {
        let mut told = Vec::new();
        while told.last().is_none_or(|(_, goal)| *goal != json!(9)) {
            let item = listener.next().await;
            told.push((item.id, item.data["home_score"].clone()));
        }
        let scores: Vec<i64> = told.iter().filter_map(|(_, score)| score.as_i64()).collect();
        assert_eq!(scores, goals);
        heard.push(told);
    }
    assert!(heard.iter().all(|told| *told == heard[0]), "{heard:?}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PostgreSQL"]
async fn coins_that_are_spent_on_one_node_are_told_on_another() {
    let nodes = Nodes::start().await;
    let token = nodes.log_in(PHONE).await;
    let mut listening = Listening::open_at(nodes.client(0), &token, "", None).await;
    let body = json!({"amount": 7, "reason": "wager"});
    nodes
        .client(1)
        .post("/api/auth/coins/deduct")
        .token(&token)
        .json(body)
        .send()
        .await
        .expect(200);
    let told = listening.next().await;
    assert_eq!((told.name.as_str(), &told.data["amount"]), ("coins", &json!(-7)));
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PostgreSQL"]
async fn a_match_kicks_off_once_and_a_webhook_hears_of_it_once() {
    let nodes = Nodes::start().await;
    let mut receiver = Receiver::start().await;
    let body = json!({"url": receiver.url, "kinds": ["status"]});
    nodes
        .client(1)
        .post("/api/admin/webhooks")
        .token(OPERATOR_TOKEN)
        .json(body)
        .send()
        .await
        .expect(201);
    let token = nodes.log_in(PHONE).await;
    let open = |n: usize| Listening::open_at(nodes.client(n), &token, "", None);
    let mut listening = together(COUNT, open).await;
    let events = nodes.add_matches(8, in_ms(800)).await;
    for listener in &mut listening {
        let mut live = Vec::new();
        for _ in &events {
            let told = listener.next().await;
            assert_eq!((told.name.as_str(), &told.data["status"]), ("status", &json!("live")));
            live.push(told.data["event_id"].as_i64().unwrap());
        }
        live.sort_unstable();
        assert_eq!(live, events);
    }
    let mut taken = Vec::new();
    let deadline = Instant::now() + Duration::from_secs(5);
    while taken.len() < events.len() && Instant::now() < deadline {
        tokio::time::sleep(Duration::from_millis(50)).await;
        taken.extend(receiver.taken());
    }
    // Long enough for every node to look for work once more, and so to do something twice.
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    taken.extend(receiver.taken());
    let mut messages: Vec<&str> =
        taken.iter().map(|request| header(request, "webhook-id")).collect();
    messages.sort_unstable();
    assert_eq!(messages.len(), events.len());
    messages.dedup();
    assert_eq!(messages.len(), events.len(), "a message was sent twice");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PostgreSQL"]
async fn a_chore_that_is_due_every_second_is_done_by_one_node_a_second() {
    let nodes = Nodes::start().await;
    let app = TestApp::beside(&nodes.folders[0], &nodes.database_url).await;
    let runs = "SELECT CAST(run_at AS TEXT) FROM jobs WHERE kind = 'kick_off'";
    let mut seen = BTreeSet::new();
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(3) {
        seen.extend(app.texts(runs).await);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!((2..=5).contains(&seen.len()), "{seen:?}");
    app.app.stop.cancel();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PostgreSQL"]
async fn a_node_tells_how_far_its_clock_is_from_the_databases() {
    let url = fresh_database_url().await;
    if url.is_empty() {
        no_postgres();
    }
    let folder = tempfile::tempdir().unwrap();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let address = free.to_string();
    let program = Program::start(&folder, &url, &[("TOUCHLINE_METRICS_LISTEN", &address)]);
    let ready = program.client.get("/readyz").send().await.expect(200);
    assert_eq!(ready.body["checks"]["clock"], "ok");
    let difference = ready.body["checks"]["clock_difference_ms"].as_i64().unwrap();
    // The server is on this machine.
    assert!(difference.abs() < 1_000, "{difference} ms");
    let metrics =
        Client::new(&format!("http://{address}")).get("/metrics").send().await.expect(200);
    assert!(metrics.text.contains("\ntouchline_clock_difference_ms "), "{}", metrics.text);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PostgreSQL"]
async fn nodes_restarted_one_after_the_other_behind_a_balancer_fail_no_request() {
    let mut nodes = Nodes::start().await;
    let mut tokens = Vec::new();
    for number in 0..4 {
        let token = nodes.log_in(&TestApp::phone(number)).await;
        let me = nodes.client(0).get("/api/auth/me").token(&token).send().await.expect(200);
        let path = format!("/api/admin/users/{}/coins", me.body["data"]["id"]);
        let body = json!({"amount": 100_000, "reason": "for tests"});
        nodes.client(0).post(&path).token(OPERATOR_TOKEN).json(body).send().await.expect(200);
        tokens.push(token);
    }
    let balancer = Balancer::new(&nodes.addresses);
    let is_over = Arc::new(AtomicBool::new(false));
    let shoppers: Vec<_> = tokens
        .into_iter()
        .map(|token| tokio::spawn(shop(balancer.clone(), token, is_over.clone())))
        .collect();
    for node in 0..COUNT {
        let mut program = nodes.programs[node].take().unwrap();
        program.terminate();
        let ended = tokio::task::block_in_place(|| program.exit_code(Duration::from_secs(10)));
        assert_eq!(ended, Some(0), "{}", program.log());
        nodes.programs[node] = Some(tokio::task::block_in_place(|| nodes.start_one(node)));
        while balancer.healthy() < COUNT {
            tokio::time::sleep(HEALTH_CHECK).await;
        }
    }
    is_over.store(true, Ordering::SeqCst);
    let mut all_paid = 0;
    for shopper in shoppers {
        let (paid, failed) = shopper.await.unwrap();
        assert_eq!(failed, Vec::<String>::new());
        all_paid += paid;
    }
    assert!(all_paid > 100, "only {all_paid} payments were made");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PostgreSQL"]
async fn every_node_lists_all_and_one_that_stops_is_gone_at_once() {
    let mut nodes = Nodes::start().await;
    let ids = |nodes: &Nodes| -> BTreeSet<i64> {
        nodes.programs.iter().flatten().map(|program| i64::from(program.id())).collect()
    };
    let listed = async |nodes: &Nodes, node: usize| -> BTreeSet<i64> {
        let call = nodes.client(node).get("/api/admin/nodes").token(OPERATOR_TOKEN);
        let data = call.send().await.expect(200).body["data"].clone();
        data.as_array().unwrap().iter().map(|node| node["pid"].as_i64().unwrap()).collect()
    };
    for node in 0..COUNT {
        eventually(async || (listed(&nodes, node).await == ids(&nodes)).then_some(())).await;
    }
    let mut stopped = nodes.programs[2].take().unwrap();
    stopped.terminate();
    assert_eq!(stopped.exit_code(Duration::from_secs(10)), Some(0));
    assert_eq!(listed(&nodes, 0).await, ids(&nodes));
}
