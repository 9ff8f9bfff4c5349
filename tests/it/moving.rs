//! `touchline move`: a running installation goes from SQLite to PostgreSQL and keeps everything.

mod needs_postgres {
    use std::process::Output;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    use serde_json::{Value, json};
    use tempfile::TempDir;
    use touchline::platform::clock::Clock;
    use touchline::platform::db::moving::{self, Step};

    use crate::harness::{Client, Fan, OPERATOR_TOKEN, Program, TestApp, fresh_database_url};

    /// A service on SQLite with a demo that stands still, some fans in it, and an empty PostgreSQL database to go to.
    struct House {
        folder: TempDir,
        there: String,
        program: Program,
    }

    impl House {
        async fn open() -> Self {
            let there = fresh_database_url().await;
            assert!(there.starts_with("postgres"), "this needs PostgreSQL");
            let folder = tempfile::tempdir().unwrap();
            let program = Program::start(&folder, "", SETTINGS);
            Self { folder, there, program }
        }

        fn command(&self, arguments: &[&str]) -> std::process::Command {
            let mut command = Program::command(&self.folder, "", SETTINGS);
            command.arg("move").args(arguments);
            command
        }

        fn run(&self) -> Output {
            self.command(&["--to", &self.there]).output().unwrap()
        }

        /// The service at the new place, after the old one has ended.
        fn move_in(self) -> (TempDir, Program) {
            self.program.terminate();
            let Self { folder, there, mut program } = self;
            program.exit_code(Duration::from_secs(20)).expect("it does not stop");
            drop(program);
            let program = Program::start(&folder, &there, SETTINGS);
            (folder, program)
        }
    }

    const SETTINGS: &[(&str, &str)] =
        &[("TOUCHLINE_DEMO_DATA", "true"), ("TOUCHLINE_DEMO__PLAYS", "false")];

    fn said(output: &Output) -> String {
        format!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )
    }

    async fn log_in(client: &Client, phone: &str) -> Fan {
        client.post("/api/code/request").json(json!({"phone": phone})).send().await.expect(200);
        let query = format!("/api/logs/sms?phone={}", phone.replace('+', "%2B"));
        let code = client.get(&query).send().await.body["data"][0]["code"].clone();
        let body = json!({"phone": phone, "code": code});
        let reply = client.post("/api/code/verify").json(body).send().await.expect(200);
        Fan::of(&reply.body["data"])
    }

    async fn deduct(
        client: &Client,
        fan: &Fan,
        key: &str,
    ) -> reqwest::Result<crate::harness::Reply> {
        let call = client.post("/api/auth/coins/deduct").token(&fan.token);
        let call = call.header("idempotency-key", key);
        call.json(json!({"amount": 1, "reason": "wager"})).try_send().await
    }

    /// What a fan sees of what is theirs.
    async fn view(client: &Client, fan: &Fan) -> Vec<Value> {
        let mut views = Vec::new();
        for path in [
            "/api/auth/me",
            "/api/auth/coins",
            "/api/auth/coins/transactions",
            "/api/auth/predictions",
        ] {
            let reply = client.get(path).token(&fan.token).send().await;
            assert_eq!(reply.status, 200, "{path}: {}", reply.body);
            views.push(reply.body_without(&["request_id"]));
        }
        views
    }

    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs PostgreSQL"]
    async fn a_running_service_moves_with_everything_that_was_acknowledged() {
        let house = House::open().await;
        let client = house.program.client.clone();
        let mut fans = Vec::new();
        for number in 0..5 {
            fans.push(log_in(&client, &TestApp::phone(number)).await);
        }
        // One of them goes on while it moves; every coin that was acknowledged is counted.
        let writer = log_in(&client, &TestApp::phone(90)).await;
        let is_over = Arc::new(AtomicBool::new(false));
        let writing = {
            let (client, is_over) = (client.clone(), is_over.clone());
            let writer = Fan {
                token: writer.token.clone(),
                phone: String::new(),
                username: String::new(),
                ..writer
            };
            tokio::spawn(async move {
                let mut acknowledged = 0;
                let mut number = 0;
                while !is_over.load(Ordering::Acquire) {
                    number += 1;
                    match deduct(&client, &writer, &format!("key-{number}")).await {
                        Ok(reply) if reply.status == 200 => acknowledged += 1,
                        _ => tokio::time::sleep(Duration::from_millis(20)).await,
                    }
                }
                acknowledged
            })
        };
        let moved = house.run();
        assert!(moved.status.success(), "{}", said(&moved));
        assert!(said(&moved).contains("are the same on both sides"), "{}", said(&moved));
        is_over.store(true, Ordering::Release);
        let acknowledged: i64 = writing.await.unwrap();
        let mut before = Vec::new();
        for fan in &fans {
            before.push(view(&client, fan).await);
        }
        let (_folder, program) = house.move_in();
        for (fan, before) in fans.iter().zip(before) {
            assert_eq!(view(&program.client, fan).await, before);
        }
        let coins = program.client.get("/api/auth/coins/transactions?per_page=1");
        let coins = coins.token(&writer.token).send().await.expect(200);
        let balance = program.client.get("/api/auth/coins").token(&writer.token).send().await;
        let balance = balance.expect(200).body["data"]["balance"].as_i64().unwrap();
        let spent = 500 - balance;
        assert!(acknowledged > 0 && coins.body["data"].is_array());
        assert_eq!(spent, acknowledged, "acknowledged deductions and the balance differ");
        // Numbers go on: new rows meet none that came along.
        let newcomer = log_in(&program.client, &TestApp::phone(91)).await;
        assert!(newcomer.id > writer.id);
        deduct(&program.client, &newcomer, "first").await.unwrap().expect(200);
    }

    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs PostgreSQL"]
    async fn what_is_left_behind_is_read_and_takes_no_change_and_no_service_starts_on_it() {
        let house = House::open().await;
        let fan = log_in(&house.program.client, &TestApp::phone(1)).await;
        assert!(house.run().status.success());
        let client = &house.program.client;
        client.get("/api/auth/me").token(&fan.token).send().await.expect(200);
        let refused = deduct(client, &fan, "late").await.unwrap();
        refused.expect_error(503, "database_unavailable");
        client.get("/readyz").send().await.expect(503);
        let again = house.run();
        assert!(again.status.success() && said(&again).contains("already"), "{}", said(&again));
        let given_up = house.command(&["--give-up"]).output().unwrap();
        assert!(!given_up.status.success(), "{}", said(&given_up));
        house.program.terminate();
        let House { folder, mut program, .. } = house;
        program.exit_code(Duration::from_secs(20)).expect("it does not stop");
        let started = Program::command(&folder, "", SETTINGS).output().unwrap();
        assert!(!started.status.success());
        assert!(said(&started).contains("was moved to PostgreSQL"), "{}", said(&started));
    }

    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs PostgreSQL"]
    async fn a_move_that_is_killed_again_and_again_ends_with_everything() {
        let house = House::open().await;
        let client = house.program.client.clone();
        let fan = log_in(&client, &TestApp::phone(1)).await;
        let mut number = 0;
        let mut wait = 30;
        let moved = loop {
            number += 1;
            let reply = deduct(&client, &fan, &format!("key-{number}")).await.unwrap();
            if reply.status == 503 {
                // The file was let go of, and the one before was killed behind that.
                break house.run();
            }
            reply.expect(200);
            let mut child = house
                .command(&["--to", &house.there])
                .stdout(std::process::Stdio::null())
                .stderr(std::process::Stdio::null())
                .spawn()
                .unwrap();
            tokio::time::sleep(Duration::from_millis(wait)).await;
            if child.try_wait().unwrap().is_some() {
                break house.run();
            }
            child.kill().unwrap();
            child.wait().unwrap();
            wait += 60;
            assert!(wait < 60_000, "it never ends");
        };
        assert!(moved.status.success(), "{}", said(&moved));
        let before = view(&client, &fan).await;
        let (_folder, program) = house.move_in();
        assert_eq!(view(&program.client, &fan).await, before);
    }

    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs PostgreSQL"]
    async fn no_service_starts_on_a_database_that_a_move_is_not_done_with() {
        let house = House::open().await;
        let child = house.command(&["--to", &house.there]).spawn();
        let mut child = child.unwrap();
        // Until the copy has begun.
        loop {
            let started = Program::command(&house.folder, &house.there, SETTINGS)
                .arg("migrate")
                .output()
                .unwrap();
            if said(&started).contains("is not finished") {
                break;
            }
            if child.try_wait().unwrap().is_some() {
                // It was over too soon to be seen; that a killed one is seen is another test's.
                break;
            }
        }
        // Already gone is as good.
        let _ = child.kill();
        child.wait().unwrap();
    }

    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs PostgreSQL"]
    async fn a_move_that_cannot_begin_says_why_and_changes_nothing() {
        let house = House::open().await;
        let other = fresh_database_url().await;
        let used = Program::command(&house.folder, &other, SETTINGS).arg("migrate").output();
        assert!(used.unwrap().status.success());
        for (to, sentence) in [
            (other.as_str(), "it is not empty"),
            ("postgres://nobody@127.0.0.1:1/none", "cannot be reached"),
            ("sqlite:other.db", "--to must begin with postgres://"),
            ("mysql://elsewhere/db", "--to"),
        ] {
            let refused = house.command(&["--to", to]).output().unwrap();
            assert!(!refused.status.success(), "{to}");
            assert!(said(&refused).contains(sentence), "{to}: {}", said(&refused));
        }
        let from_there = Program::command(&house.folder, &other, SETTINGS)
            .args(["move", "--to", &house.there])
            .output()
            .unwrap();
        assert!(said(&from_there).contains("names a PostgreSQL server already"));
        let fan = log_in(&house.program.client, &TestApp::phone(1)).await;
        deduct(&house.program.client, &fan, "one").await.unwrap().expect(200);
        assert!(house.run().status.success());
    }

    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs PostgreSQL"]
    async fn a_move_that_is_given_up_leaves_the_service_as_it_was() {
        let house = House::open().await;
        let fan = log_in(&house.program.client, &TestApp::phone(1)).await;
        let mut child = house.command(&["--to", &house.there]).spawn().unwrap();
        tokio::time::sleep(Duration::from_millis(300)).await;
        let is_over = child.try_wait().unwrap().is_some();
        let _ = child.kill();
        child.wait().unwrap();
        let given_up = house.command(&["--give-up"]).output().unwrap();
        if is_over {
            assert!(said(&given_up).contains("has been moved"), "{}", said(&given_up));
            return;
        }
        assert!(given_up.status.success(), "{}", said(&given_up));
        let again = house.run();
        assert!(
            again.status.success() || said(&again).contains("was given up"),
            "{}",
            said(&again)
        );
        if again.status.success() {
            // It was killed before it had taken the database for its own.
            return;
        }
        deduct(&house.program.client, &fan, "after").await.unwrap().expect(200);
        let operators = house.program.client.get("/api/admin/overview").token(OPERATOR_TOKEN);
        operators.send().await.expect(200);
    }

    /// What somebody does to the file while it is moved, each time another thing: names are exchanged, keys change, rows come, go and take others along.
    fn disturb(file: &std::path::Path, turn: i64) {
        let driver = rusqlite::Connection::open(file).unwrap();
        driver.busy_timeout(Duration::from_secs(20)).unwrap();
        let sql = format!(
            "PRAGMA foreign_keys = ON;
             BEGIN IMMEDIATE;
             UPDATE users SET username = 'between_two' WHERE id = (SELECT min(id) FROM users);
             UPDATE users SET username = 'turn_{turn}' WHERE id = (SELECT max(id) FROM users);
             UPDATE users SET username = 'last_{turn}' WHERE username = 'between_two';
             UPDATE calibration SET decile = (decile + 1) % 10 WHERE user_id = (SELECT min(user_id) FROM calibration)
                 AND NOT EXISTS (SELECT 1 FROM calibration c WHERE c.user_id = calibration.user_id AND c.decile = (calibration.decile + 1) % 10);
             INSERT INTO closed_usernames (name_hash) VALUES (randomblob(20));
             DELETE FROM closed_usernames WHERE name_hash = (SELECT min(name_hash) FROM closed_usernames);
             INSERT INTO rate_limits SELECT 'it''s \"{turn}\" ' || char(10, 9, 92, 0x1F600), hits, expires_at FROM rate_limits LIMIT 1;
             DELETE FROM jobs WHERE id = (SELECT max(id) FROM jobs) AND {turn} % 3 = 0;
             DELETE FROM webhooks WHERE id = (SELECT min(id) FROM webhooks) AND {turn} = 2;
             COMMIT;"
        );
        driver.execute_batch(&sql).unwrap_or_else(|error| panic!("turn {turn}: {error}"));
    }

    /// Every row of every table as JSON, in the order of its text.
    async fn rows_of_both(file: &std::path::Path, url: &str) -> [Vec<(String, Vec<Value>)>; 2] {
        let driver = rusqlite::Connection::open(file).unwrap();
        let (client, connection) =
            tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
        tokio::spawn(connection);
        let texts = |sql: &str| -> Vec<String> {
            let mut found = driver.prepare(sql).unwrap();
            found.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
        };
        let tables = texts(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'mov%' AND name <> 'schema_migrations' ORDER BY name",
        );
        let mut both = [Vec::new(), Vec::new()];
        for table in tables {
            let columns = texts(&format!(
                "SELECT CASE type WHEN 'BLOB' THEN 'BLOB ' ELSE '' END || name FROM pragma_table_info('{table}') ORDER BY cid"
            ));
            let shown = |bytes: &str| {
                let column = |column: &String| match column.strip_prefix("BLOB ") {
                    Some(name) => bytes.replace("IT", name),
                    None => column.clone(),
                };
                columns.iter().map(column).collect::<Vec<_>>().join(", ")
            };
            let parse = |rows: Vec<String>| {
                let mut rows: Vec<Value> =
                    rows.iter().map(|row| serde_json::from_str(row).unwrap()).collect();
                rows.sort_by_key(ToString::to_string);
                rows
            };
            let here =
                texts(&format!("SELECT json_array({}) FROM {table}", shown("lower(hex(IT))")));
            let sql = format!(
                "SELECT json_build_array({})::text FROM {table}",
                shown("encode(IT, 'hex')")
            );
            let there = client.query(&sql, &[]).await.unwrap();
            both[0].push((table.clone(), parse(here)));
            both[1].push((table, parse(there.iter().map(|row| row.get(0)).collect())));
        }
        both
    }

    /// A file with rows in every table, which no service runs on.
    fn file_with_everything(folder: &TempDir) -> std::path::PathBuf {
        let file = folder.path().join("touchline.db");
        let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/schema-0008.sqlite.sql");
        let fixture = std::fs::read_to_string(fixture).unwrap();
        rusqlite::Connection::open(&file).unwrap().execute_batch(&fixture).unwrap();
        let mut program = Program::start(folder, "", &[]);
        program.terminate();
        program.exit_code(Duration::from_secs(20)).expect("it does not stop");
        file
    }

    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs PostgreSQL"]
    async fn a_copy_that_was_left_unfinished_is_never_released_after_a_move_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let file = file_with_everything(&folder);
        let (first, second) = (fresh_database_url().await, fresh_database_url().await);
        let config = touchline::platform::config::Config::defaults().unwrap().database;
        let cut_off = |step, _, _| assert!(step != Step::Checking, "cut off on purpose");
        let handle = tokio::runtime::Handle::current();
        let outcome = tokio::task::block_in_place(|| {
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                handle.block_on(moving::run(&file, &first, &config, Clock::system(), cut_off))
            }))
        });
        assert!(outcome.is_err(), "it was not cut off");
        let go = |url: String| {
            let (file, config) = (file.clone(), config.clone());
            async move { moving::run(&file, &url, &config, Clock::system(), |_, _, _| ()).await }
        };
        go(second).await.unwrap();
        let refused = go(first.clone()).await.err().expect("it was released").to_string();
        assert!(refused.contains("but not to there"), "{refused}");
        let started = Program::command(&folder, &first, &[]).arg("migrate").output().unwrap();
        assert!(said(&started).contains("is not finished"), "{}", said(&started));
    }

    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs PostgreSQL"]
    async fn every_row_of_every_table_arrives_whatever_changes_meanwhile() {
        let folder = tempfile::tempdir().unwrap();
        let there = fresh_database_url().await;
        let file = file_with_everything(&folder);
        let config = touchline::platform::config::Config::defaults().unwrap().database;
        let mut turn = 0;
        let disturbed = file.clone();
        let told = |step, done, _| {
            // The last moment at which anybody can write is the one before it is cut over.
            if done == 0 || (step == Step::Copying && done % 3 == 0) {
                turn += 1;
                disturb(&disturbed, turn);
            }
        };
        // Behind the cut-over only references are looked at.
        let told = {
            let mut told = told;
            move |step, done, all| {
                if step != Step::Validating {
                    told(step, done, all);
                }
            }
        };
        let moved = moving::run(&file, &there, &config, Clock::system(), told).await.unwrap();
        let [here, there] = rows_of_both(&file, &there).await;
        assert!(here.len() > 60 && moved.tables == here.len());
        for (one, other) in here.iter().zip(&there) {
            assert_eq!(one, other);
        }
        let count = |table: &str| here.iter().find(|(name, _)| name == table).unwrap().1.len();
        assert!(count("users") > 5 && count("rate_limits") > 3, "nothing was disturbed");
    }
}
