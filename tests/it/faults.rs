//! Parts that go away under the running service, and come back.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{Client, Cluster, Program, SmallDisk, TestApp};

async fn request_code(client: &Client, number: u32) -> u16 {
    let body = json!({"phone": TestApp::phone(number)});
    client.post("/api/code/request").json(body).send().await.status
}

mod needs_small_disk {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs a small disk"]
    async fn on_a_full_disk_writes_are_507_reads_go_on_and_room_heals_it() {
        let Some(disk) = SmallDisk::mount(4) else {
            panic!(
                "this test needs a small disk: it mounts one, which only root may do outside most containers"
            );
        };
        let folder = tempfile::tempdir().unwrap();
        let url = disk.database_url();
        let program = Program::start(&folder, &url, &[]);
        let client = &program.client;
        assert_eq!(request_code(client, 1).await, 200);
        disk.fill();
        let mut refused = 0;
        for number in 2..60 {
            match request_code(client, number).await {
                507 => refused += 1,
                status => assert_eq!(status, 200),
            }
            client.get("/api/logs/sms").send().await.expect(200);
        }
        assert!(refused > 0, "the disk never filled");
        disk.free();
        for number in 60..70 {
            assert_eq!(request_code(client, number).await, 200);
        }
    }
}

mod needs_postgres {
    use super::*;
    use crate::harness::no_postgres;

    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs PostgreSQL"]
    async fn postgres_restarted_under_load_is_503_and_heals_within_two_seconds() {
        let Some(cluster) = Cluster::start() else { no_postgres() };
        let folder = tempfile::tempdir().unwrap();
        let program = Program::start(&folder, &cluster.url(), &[]);
        let client = program.client.clone();
        let (answered, mut first_answer) = tokio::sync::watch::channel(false);
        let (end, ended) = tokio::sync::watch::channel(false);
        let load = tokio::spawn(async move {
            let mut seen = Vec::new();
            let mut number = 0;
            while !*ended.borrow() {
                let replies = crate::harness::together(8, |n| {
                    let n = u32::try_from(n).unwrap();
                    let body = json!({"phone": TestApp::phone(number + n)});
                    client.post("/api/code/request").json(body).send()
                });
                seen.extend(replies.await.into_iter().map(|reply| (Instant::now(), reply)));
                let _ = answered.send(true);
                number += 8;
            }
            seen
        });
        first_answer.changed().await.unwrap();
        cluster.stop("immediate");
        tokio::time::sleep(Duration::from_millis(500)).await;
        cluster.run();
        let returned = Instant::now();
        tokio::time::sleep(Duration::from_secs(3)).await;
        end.send(true).unwrap();
        let seen = load.await.unwrap();
        let mut statuses: Vec<u16> = seen.iter().map(|(_, reply)| reply.status).collect();
        statuses.sort_unstable();
        statuses.dedup();
        assert_eq!(statuses, [200, 503]);
        let is_503 = |reply: &crate::harness::Reply| reply.status == 503;
        assert!(
            seen.iter().all(|(_, reply)| !is_503(reply) || reply.header("retry-after").is_some())
        );
        let healed = returned + Duration::from_secs(2);
        assert!(seen.iter().all(|(at, reply)| *at < healed || !is_503(reply)));
    }
}
