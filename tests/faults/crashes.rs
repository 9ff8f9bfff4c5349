//! The process goes: killed, told to stop, killed in the middle of a settlement, one of three.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::Scale;
use crate::harness::{OPERATOR_TOKEN, fresh_database_url};
use crate::load::{self, Load, pick};
use crate::outcome::Outcome;
use crate::site::Site;

const WORKERS: usize = 8;

/// Long enough for many groups of writes, and never the same.
async fn a_while() {
    tokio::time::sleep(Duration::from_millis(120 + u64::try_from(pick(250)).unwrap())).await;
}

async fn kill_again_and_again(mut site: Site, times: u32) -> Outcome {
    let mut outcome = Outcome { times, ..Outcome::default() };
    let load = Load::prepare(&site.client()).await;
    for _ in 0..times {
        let workers = load.begin(WORKERS);
        a_while().await;
        site.kill();
        workers.end().await;
        site.recover(&load, &mut outcome).await;
    }
    site.conclude(&load, &mut outcome).await;
    outcome
}

pub async fn kill_9_on_sqlite(scale: Scale) -> Outcome {
    kill_again_and_again(Site::on_sqlite(&[]), scale.of(80, 8)).await
}

pub async fn kill_9_on_postgres(scale: Scale) -> Outcome {
    match fresh_database_url().await.as_str() {
        "" => Outcome::skipped("no PostgreSQL: TOUCHLINE_TEST_DATABASE_URL names none"),
        url => kill_again_and_again(Site::on(url, &[]), scale.of(20, 3)).await,
    }
}

/// A request of which only a part has arrived when the service is told to stop.
struct HalfSent {
    stream: TcpStream,
    rest: String,
}

impl HalfSent {
    async fn new(site: &Site, token: &str) -> Self {
        let body = json!({"amount": 1, "reason": "slow"}).to_string();
        let (now, rest) = body.split_at(5);
        let head = format!(
            "POST /api/auth/coins/deduct HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{now}",
            body.len()
        );
        let mut stream = TcpStream::connect(site.client().address()).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        Self { stream, rest: rest.to_owned() }
    }

    async fn finish(mut self) -> String {
        let mut answer = String::new();
        // A reset is an empty answer, which the caller counts.
        let _ = self.stream.write_all(self.rest.as_bytes()).await;
        let _ = self.stream.read_to_string(&mut answer).await;
        answer.lines().next().unwrap_or("no answer").to_owned()
    }
}

/// What was accepted is answered, however the end comes; the exit code is 0.
pub async fn sigterm(scale: Scale) -> Outcome {
    let mut site = Site::on_sqlite(&[]);
    let mut outcome = Outcome { times: scale.of(10, 3), ..Outcome::default() };
    let load = Load::prepare_unpooled(&site.client()).await;
    // A user of its own, so that the record of the others stays complete.
    let slow = load::log_in(&site.client(), "+447799999999").await;
    load.newcomers.store(1, std::sync::atomic::Ordering::SeqCst);
    let mut longest = Duration::ZERO;
    for _ in 0..outcome.times {
        let workers = load.begin(WORKERS);
        a_while().await;
        let mut half_sent = Vec::new();
        for _ in 0..4 {
            half_sent.push(HalfSent::new(&site, slow["token"].as_str().unwrap()).await);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        let told = Instant::now();
        site.program().terminate();
        tokio::time::sleep(Duration::from_millis(150)).await;
        for request in half_sent {
            let answer = request.finish().await;
            outcome
                .require(answer.starts_with("HTTP/1.1 200"), || format!("accepted, then {answer}"));
        }
        workers.end().await;
        let code =
            tokio::task::block_in_place(|| site.program().exit_code(Duration::from_secs(10)));
        outcome.require(code == Some(0), || format!("exit code {code:?}"));
        longest = longest.max(told.elapsed());
        site.recover(&load, &mut outcome).await;
    }
    let slow_ones =
        site.books().count("SELECT count(*) FROM coin_transfers WHERE reason = 'slow'").await;
    let expected = i64::from(outcome.times) * 4;
    outcome.require(slow_ones == expected, || format!("{slow_ones} of {expected} half-sent ones"));
    site.conclude(&load, &mut outcome).await;
    outcome.require(!outcome.kinds.contains_key("cut off"), || {
        "an accepted request was cut off".to_owned()
    });
    outcome.note(&format!("the longest end took {} ms", longest.as_millis()));
    outcome
}

pub const CROWD: &str = "
    INSERT INTO users (id, username, username_generated, created_at)
    WITH RECURSIVE n(i) AS (SELECT 10000 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < 20000)
    SELECT i, 'fan' || CAST(i AS TEXT), 0, 0 FROM n;
    INSERT INTO predictions (event_id, user_id, outcome, confidence, revision, created_at, updated_at, is_late, settlement_version)
    SELECT (SELECT id FROM events), id, CASE id % 3 WHEN 0 THEN 'home' WHEN 1 THEN 'draw' ELSE 'away' END, id % 101, 1, 0, 0, 0, 0
    FROM users WHERE id >= 10000;
    INSERT INTO event_counters (event_id, shard, predictions, home, draw, away, home_confidence, draw_confidence, away_confidence)
    SELECT event_id, 0, count(*), count(*) FILTER (WHERE outcome = 'home'), count(*) FILTER (WHERE outcome = 'draw'),
           count(*) FILTER (WHERE outcome = 'away'), CAST(sum(confidence) FILTER (WHERE outcome = 'home') AS BIGINT),
           CAST(sum(confidence) FILTER (WHERE outcome = 'draw') AS BIGINT), CAST(sum(confidence) FILTER (WHERE outcome = 'away') AS BIGINT)
    FROM predictions GROUP BY event_id;";

/// Zero when points and standings are what settling once from scratch gives.
const UNSETTLED: &[(&str, &str)] = &[
    (
        "points",
        "SELECT count(*) FROM predictions p JOIN events e ON e.id = p.event_id
         WHERE COALESCE(p.points, -1) <> CASE
            WHEN p.outcome = CASE WHEN e.home_score > e.away_score THEN 'home'
                                  WHEN e.home_score < e.away_score THEN 'away' ELSE 'draw' END THEN
              CASE WHEN p.home_score = e.home_score AND p.away_score = e.away_score THEN 6
                   -- Whoever says draw has the right difference, also without a score.
                   WHEN p.outcome = 'draw' THEN 4
                   WHEN p.home_score - p.away_score = e.home_score - e.away_score THEN 4 ELSE 3 END
            ELSE 0 END",
    ),
    (
        "standings",
        "SELECT count(*) FROM predictions p LEFT JOIN
           (SELECT s.user_id, s.points, s.settled FROM standings s JOIN boards b ON b.id = s.board_id
            WHERE b.tournament_id = 0 AND b.period = 'all') s ON s.user_id = p.user_id
         WHERE s.user_id IS NULL OR s.points <> p.points OR s.settled <> 1",
    ),
    (
        "places",
        "SELECT count(*) FROM (SELECT board_id, points, count(*) AS n FROM standings GROUP BY board_id, points) s
         LEFT JOIN standing_counts c ON c.board_id = s.board_id AND c.points = s.points
         WHERE c.users IS NULL OR c.users <> s.n",
    ),
];

/// More than any prediction's id, so that a later phase is always further.
const PHASE: i64 = 1_000_000;

/// How far the settlement of the newest result has come; `None` once it is done.
async fn progress(site: &Site) -> Option<i64> {
    let sql = format!(
        "SELECT max(CASE WHEN s.version IS NULL OR s.version <> e.outcome_revision THEN 0
                         WHEN s.phase = 'points' THEN s.cursor_id
                         WHEN s.phase = 'count' THEN {PHASE} + s.cursor_id
                         WHEN s.phase = 'done' THEN -1 ELSE 2 * {PHASE} END)
         FROM events e LEFT JOIN settlements s ON s.event_id = e.id"
    );
    let reached = site.books().count(&sql).await;
    (reached >= 0).then_some(reached)
}

/// Waits until the settlement has come as far as a place picked at random; false if it was done before it was seen there.
async fn in_the_middle(site: &Site) -> bool {
    let place = i64::try_from(pick(10_000)).unwrap() + PHASE * i64::try_from(pick(2)).unwrap();
    loop {
        match progress(site).await {
            None => return false,
            Some(reached) if reached >= place => return true,
            Some(_) => tokio::time::sleep(Duration::from_millis(1)).await,
        }
    }
}

/// A result of 10,000 predictions, corrected again and again, with a kill in the middle of each.
pub async fn settlement_killed(scale: Scale) -> Outcome {
    let settings = [("TOUCHLINE_JOBS__LEASE_MS", "300"), ("TOUCHLINE_JOBS__POLL_MS", "50")];
    let mut site = Site::on_sqlite(&settings);
    let mut outcome = Outcome { times: scale.of(20, 4), ..Outcome::default() };
    let load = Load::prepare(&site.client()).await;
    site.books().change(CROWD).await;
    load.newcomers.store(10_000, std::sync::atomic::Ordering::SeqCst);
    let workers = load.begin(2);
    tokio::time::sleep(Duration::from_millis(300)).await;
    workers.end().await;
    let path = format!("/api/admin/events/{}/result", load.event);
    let (mut kills, mut results) = (0, 0);
    let give_up = Instant::now() + Duration::from_secs(90);
    while kills < outcome.times && Instant::now() < give_up {
        let body = json!({"home_score": results % 3, "away_score": 1});
        results += 1;
        outcome.requests += 1;
        site.client().post(&path).token(OPERATOR_TOKEN).json(body).send().await.expect(200);
        outcome.acknowledged += 1;
        if in_the_middle(&site).await {
            kills += 1;
            site.kill();
            let since = Instant::now();
            site.up();
            load.aim_at(&[&site.client()]);
            outcome.healed(load.heal(since).await);
        }
    }
    let give_up = Instant::now() + Duration::from_secs(30);
    while progress(&site).await.is_some() && Instant::now() < give_up {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    outcome.require(kills == outcome.times, || format!("caught in the middle only {kills} times"));
    for (what, sql) in UNSETTLED {
        let wrong = site.books().count(sql).await;
        outcome.require(wrong == 0, || format!("{what}: {wrong} are not what settling once gives"));
    }
    site.conclude(&load, &mut outcome).await;
    outcome
}

/// Any node may go at any time; the others do not notice, and a limit counts over all of them.
pub async fn three_nodes(scale: Scale) -> Outcome {
    let url = fresh_database_url().await;
    if url.is_empty() {
        return Outcome::skipped("no PostgreSQL: TOUCHLINE_TEST_DATABASE_URL names none");
    }
    let mut outcome = Outcome { times: scale.of(15, 3), ..Outcome::default() };
    let settings = [("TOUCHLINE_SECRET_KEY", "a secret that all three nodes share, 32 bytes")];
    let mut nodes: Vec<Site> = (0..3).map(|_| Site::on(&url, &settings)).collect();
    let load = Load::prepare(&nodes[0].client()).await;
    for _ in 0..outcome.times {
        load.aim_at(&[&nodes[0].client(), &nodes[1].client(), &nodes[2].client()]);
        let workers = load.begin(WORKERS);
        a_while().await;
        let victim = pick(3);
        nodes[victim].kill();
        let killed = Instant::now();
        let others: Vec<_> =
            (0..3).filter(|node| *node != victim).map(|node| nodes[node].client()).collect();
        load.aim_at(&others.iter().collect::<Vec<_>>());
        outcome.healed(load.heal(killed).await);
        a_while().await;
        workers.end().await;
        nodes[victim].up();
        load.retry_open().await;
        crate::invariants::check_records(&load, &nodes[0].books(), &mut outcome).await;
    }
    let [first, second, third] = &mut nodes[..] else { unreachable!() };
    // Tokens are refused by every node; one of them also counts the limit.
    for node in [&second, &third] {
        crate::invariants::check_service(&load, &node.client(), &node.books(), &mut outcome).await;
    }
    first.conclude(&load, &mut outcome).await;
    outcome
}
