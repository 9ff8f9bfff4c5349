//! A rush into the room of one match, and what the service adds to a single call.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::place::{Fan, Place, as_token, on_behalf};
use crate::caller::{Answer, Caller, post_all};
use crate::figures::{Rounds, float_of, millis};
use crate::report::{Figure, thousands};
use crate::{Bench, Outcome};

const CONNECTIONS: usize = 32;
const GOAL_SECONDS: f64 = 60.0;
const GOAL_OVERHEAD_MS: f64 = 5.0;
/// How often the list of matches is asked for by somebody else.
const PROBE_EVERY: Duration = Duration::from_millis(5);
/// Between single calls, for what a homeserver does after its answer.
const REST: Duration = Duration::from_millis(50);
const PROBE_BEFORE: Duration = Duration::from_secs(2);
/// Nobody may join more than 30 rooms in a minute.
const ROUNDS_OF_A_PAIR: usize = 20;

pub fn measure(bench: &mut Bench, place: &Place) -> Outcome<()> {
    let label = place.kind.label();
    bench.step_of(&format!("{label}: single calls"));
    let calls = bench.plan.chat.calls;
    let (through, direct) = bench.stores.runtime.block_on(single_calls(place, calls))?;
    let overhead = through - direct;
    bench.report.figures.push(Figure {
        what: "the service's part in joining or leaving a room".to_owned(),
        database: label,
        value: format!("{overhead:.1} ms ({through:.1} ms, homeserver alone {direct:.1} ms)"),
        goal: Some((format!("under {GOAL_OVERHEAD_MS:.0} ms"), overhead < GOAL_OVERHEAD_MS)),
    });
    bench.step_of(&format!("{label}: a rush into one room"));
    let rush = bench.stores.runtime.block_on(rush(place))?;
    bench.report.figures.extend(rush.figures(place));
    Ok(())
}

/// The median of joining and leaving, through the service and on the homeserver itself, in turns.
async fn single_calls(place: &Place, times: usize) -> Outcome<(f64, f64)> {
    let mut service = Caller::connect(place.service.address).await?;
    let mut homeserver = Caller::connect(place.homeserver().address).await?;
    let (mut through, mut direct) = (Rounds::default(), Rounds::default());
    let mut pairs = place.fans.as_chunks().0.iter();
    let mut pair = pairs.next();
    for round in 0..times.div_ceil(2) {
        if round > 0 && round % ROUNDS_OF_A_PAIR == 0 {
            pair = pairs.next();
        }
        let Some([one, two]) = pair else { return Err("there are too few fans".into()) };
        for verb in ["join", "leave"] {
            tokio::time::sleep(REST).await;
            let path = format!("/api/auth/chat-rooms/{}/{verb}", place.room);
            let asked = Instant::now();
            service.post(&path, &one.token, "{}").await?.success()?;
            through.push(millis(asked.elapsed()));
            tokio::time::sleep(REST).await;
            let path = on_behalf(two, &format!("rooms/{}/{verb}", place.room));
            let asked = Instant::now();
            homeserver.post(&path, as_token(), "{}").await?.success()?;
            direct.push(millis(asked.elapsed()));
        }
    }
    Ok((through.median(), direct.median()))
}

struct Rush {
    took: Duration,
    refused: usize,
    /// Who wanted in and is not in afterwards.
    lost: usize,
    before_p99_ms: f64,
    during_p99_ms: f64,
}

impl Rush {
    fn figures(&self, place: &Place) -> [Figure; 2] {
        let (database, many) = (place.kind.label(), thousands(float_of(place.fans.len())));
        let seconds = self.took.as_secs_f64();
        let is_met = seconds < GOAL_SECONDS && self.lost == 0 && self.refused == 0;
        [
            Figure {
                what: format!("{many} users join one room over {CONNECTIONS} connections"),
                database,
                value: format!("{seconds:.1} s, {} lost, {} told to wait", self.lost, self.refused),
                goal: Some(("within a minute, none lost, none told to wait".to_owned(), is_met)),
            },
            Figure {
                what: format!("p99 of the list of matches before and while {many} join"),
                database,
                value: format!("{:.1} ms, {:.1} ms", self.before_p99_ms, self.during_p99_ms),
                goal: None,
            },
        ]
    }
}

async fn rush(place: &Place) -> Outcome<Rush> {
    let first = place.fans.first().ok_or("there are no fans")?;
    let before_p99_ms = probe_for(place, first, PROBE_BEFORE).await?;
    let is_over = Arc::new(AtomicBool::new(false));
    let probe = tokio::spawn(probe(place.service.address, first.token.clone(), is_over.clone()));
    let path = format!("/api/auth/chat-rooms/{}/join", place.room);
    let posts = place.fans.iter().map(|fan| (path.clone(), fan.token.clone())).collect();
    let started = Instant::now();
    let answers = post_all(place.service.address, CONNECTIONS, posts).await?;
    let took = started.elapsed();
    is_over.store(true, Ordering::Relaxed);
    Ok(Rush {
        took,
        refused: count(&answers, |answer| answer.status == 429),
        lost: count(&answers, |answer| !answer.is_success()).max(missing(place, first).await?),
        before_p99_ms,
        during_p99_ms: p99(probe.await??),
    })
}

fn count(answers: &[Answer], is_counted: impl Fn(&Answer) -> bool) -> usize {
    answers.iter().filter(|answer| is_counted(answer)).count()
}

/// How many fans the homeserver does not have in the room.
async fn missing(place: &Place, first: &Fan) -> Outcome<usize> {
    let mut homeserver = Caller::connect(place.homeserver().address).await?;
    let path = on_behalf(first, &format!("rooms/{}/joined_members", place.room));
    let answer = homeserver.get(&path, as_token()).await?.json()?;
    let is_in =
        |fan: &&Fan| answer.get("joined").is_some_and(|all| all.get(&fan.matrix_id).is_some());
    Ok(place.fans.len() - place.fans.iter().filter(is_in).count())
}

async fn probe_for(place: &Place, fan: &Fan, time: Duration) -> Outcome<f64> {
    let is_over = Arc::new(AtomicBool::new(false));
    let probe = tokio::spawn(probe(place.service.address, fan.token.clone(), is_over.clone()));
    tokio::time::sleep(time).await;
    is_over.store(true, Ordering::Relaxed);
    Ok(p99(probe.await??))
}

/// Asks for the list of matches at a steady pace until it is over: how long each answer took.
async fn probe(
    service: std::net::SocketAddr,
    token: String,
    is_over: Arc<AtomicBool>,
) -> Outcome<Vec<f64>> {
    let (mut caller, mut times) = (Caller::connect(service).await?, Vec::new());
    while !is_over.load(Ordering::Relaxed) {
        tokio::time::sleep(PROBE_EVERY).await;
        let asked = Instant::now();
        caller.get("/api/auth/events", &token).await?.success()?;
        times.push(millis(asked.elapsed()));
    }
    Ok(times)
}

fn p99(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() * 99 / 100).copied().unwrap_or(f64::NAN)
}
