//! Messages into one room all of whose members wait for news.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use memchr::memmem;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::place::{Fan, Kind, Place, as_token, on_behalf};
use crate::caller::{Caller, post_all};
use crate::figures::{Rounds, float_of, millis, per_second};
use crate::load::Measured;
use crate::report::{Figure, thousands};
use crate::{Bench, Outcome};

const SENDERS: usize = 8;
/// Messages that are sent alone, to see when they have come everywhere.
const SINGLE: usize = 5;
const INITIAL_SYNCS: usize = 20;
const JOIN_AT_ONCE: usize = 8;
const CONNECT_AT_ONCE: usize = 20;
const PATIENCE: Duration = Duration::from_secs(30);
const WAIT_MS: u32 = 25_000;

/// What is good enough, from so many members on.
const GOAL_MEMBERS: usize = 1_000;
const GOAL_RATE: f64 = 130.0;
const GOAL_LAST_MS: f64 = 60.0;
/// So that 10,000 of them fit into 300 MB.
const GOAL_MEMBER_KB: f64 = 28.0;

/// Messages with this and a number are watched for; all others are just talk.
const MARK: &str = "mark-";

type Heard = (usize, Instant);

pub fn measure(bench: &mut Bench, place: &Place, members: usize) -> Outcome<Vec<Measured>> {
    let (label, many) = (place.kind.label(), thousands(float_of(members)));
    let plan = bench.plan.chat.clone();
    bench.step_of(&format!("{label}: a room with {many} members"));
    let runtime = bench.stores.runtime.handle().clone();
    let fans = place.fans.get(..members).ok_or("there are too few fans")?;
    let room = runtime.block_on(make_room(place, fans))?;
    let before = place.homeserver().memory_mb();
    let mut crowd = runtime.block_on(Crowd::gather(place, fans, room))?;
    std::thread::sleep(Duration::from_millis(500));
    let grown = (place.homeserver().memory_mb() - before).max(0.0);
    let mut last = Rounds::default();
    for _ in 0..SINGLE {
        last.push(runtime.block_on(crowd.tell())?);
    }
    let (mut rounds, mut rates) = (Vec::new(), Rounds::default());
    for round in 0..plan.rounds {
        bench.step_of(&format!("{label}: messages to {many} members, round {}", round + 1));
        let measured = runtime.block_on(crowd.talk(plan.round))?;
        rates.push(measured.per_second);
        rounds.push(measured);
    }
    let (sync_ms, sync_bytes) = runtime.block_on(crowd.initial_syncs())?;
    crowd.listeners.abort_all();
    let has_goals = place.kind == Kind::Embedded && members >= GOAL_MEMBERS;
    let mut add = |what: String, value: String, goal: Option<(String, bool)>| {
        let goal = goal.filter(|_| has_goals);
        bench.report.figures.push(Figure { what, database: label, value, goal });
    };
    let rate = rates.median();
    add(
        format!("messages a second into a room, {many} waiting members, {SENDERS} senders"),
        format!("{rate:.1}"),
        Some((format!("at least {GOAL_RATE:.0}"), rate >= GOAL_RATE)),
    );
    let last = last.median();
    add(
        format!("a message told to {many} waiting members: the last"),
        format!("{last:.1} ms"),
        Some((format!("within {GOAL_LAST_MS:.0} ms"), last <= GOAL_LAST_MS)),
    );
    let each_kb = grown * 1_024.0 / float_of(members);
    add(
        format!("memory of a waiting member, of {many}"),
        format!("{each_kb:.0} KB"),
        Some((format!("under {GOAL_MEMBER_KB:.0} KB"), each_kb < GOAL_MEMBER_KB)),
    );
    add(
        format!("initial sync of a room with {many} members"),
        format!("{sync_ms:.1} ms, {} bytes", thousands(sync_bytes)),
        None,
    );
    Ok(rounds)
}

/// The members of a room, each of them waiting for news on a connection of their own.
struct Crowd<'a> {
    homeserver: SocketAddr,
    fans: &'a [Fan],
    room: String,
    listeners: JoinSet<Outcome<()>>,
    hears: mpsc::UnboundedReceiver<Heard>,
    mark: usize,
}

impl<'a> Crowd<'a> {
    async fn gather(place: &Place, fans: &'a [Fan], room: String) -> Outcome<Self> {
        let homeserver = place.homeserver().address;
        let (heard, hears) = mpsc::unbounded_channel();
        let mut crowd = Self { homeserver, fans, room, listeners: JoinSet::new(), hears, mark: 0 };
        for some in fans.chunks(CONNECT_AT_ONCE) {
            for fan in some {
                let listener = follow(homeserver, fan.clone(), filter(&crowd.room), heard.clone());
                crowd.listeners.spawn(listener);
            }
            // Everyone says once that they begin to wait.
            crowd.hear(0, some.len()).await?;
        }
        Ok(crowd)
    }

    /// When the last of so many members had heard of this mark.
    async fn hear(&mut self, mark: usize, count: usize) -> Outcome<Instant> {
        let mut times = Vec::with_capacity(count);
        while times.len() < count {
            tokio::select! {
                heard = tokio::time::timeout(PATIENCE, self.hears.recv()) => {
                    let heard = heard.map_err(|_| format!("only {} of {count} heard", times.len()))?;
                    let (number, time) = heard.ok_or("nobody listens")?;
                    times.extend((number == mark).then_some(time));
                }
                Some(ended) = self.listeners.join_next() => ended??,
            }
        }
        times.into_iter().max().ok_or_else(|| "nobody listens".into())
    }

    /// Sends one message: milliseconds until the last member has it.
    async fn tell(&mut self) -> Outcome<f64> {
        let asked = Instant::now();
        Ok(millis(self.tell_all().await?.duration_since(asked)))
    }

    async fn tell_all(&mut self) -> Outcome<Instant> {
        self.mark += 1;
        let fan = self.fans.first().ok_or("nobody is here")?;
        let words = format!("{MARK}{}-", self.mark);
        let mut sender = Caller::connect(self.homeserver).await?;
        say(&mut sender, fan, &self.room, &words, &words).await?;
        self.hear(self.mark, self.fans.len()).await
    }

    /// Sends for so long as fast as the homeserver takes it. The clock stops when the last member has the last message.
    async fn talk(&mut self, time: Duration) -> Outcome<Measured> {
        let (started, mut senders) = (Instant::now(), JoinSet::new());
        for (at, fan) in self.fans.iter().cycle().take(SENDERS).enumerate() {
            let (fan, room, server) = (fan.clone(), self.room.clone(), self.homeserver);
            let key = format!("talk-{}-{at}", self.mark);
            senders.spawn(async move {
                let (mut sender, mut took) = (Caller::connect(server).await?, Vec::new());
                while started.elapsed() < time {
                    let (asked, key) = (Instant::now(), format!("{key}-{}", took.len()));
                    say(&mut sender, &fan, &room, "What a goal!", &key).await?;
                    took.push(millis(asked.elapsed()));
                }
                Outcome::Ok(took)
            });
        }
        let mut took = Vec::new();
        while let Some(sender) = senders.join_next().await {
            took.extend(sender??);
        }
        let end = self.tell_all().await?;
        took.sort_by(f64::total_cmp);
        let at = |part: usize| took.get(took.len() * part / 100).copied().unwrap_or(f64::NAN);
        let count = u64::try_from(took.len())? + 1;
        let per_second = per_second(count, end.duration_since(started));
        Ok(Measured { per_second, p50_ms: at(50), p99_ms: at(99) })
    }

    /// What an app pays when it opens the room for the first time: the medians of the time and of the size.
    async fn initial_syncs(&self) -> Outcome<(f64, f64)> {
        let (mut times, mut sizes) = (Rounds::default(), Rounds::default());
        let mut caller = Caller::connect(self.homeserver).await?;
        for fan in self.fans.iter().take(INITIAL_SYNCS) {
            // Another wait than the listeners', so that no answer is one that was kept for them.
            let path = sync_path(&filter(&self.room), "", 1);
            let asked = Instant::now();
            let answer = caller.get(&path, &fan.chat_token).await?.success()?;
            times.push(millis(asked.elapsed()));
            sizes.push(float_of(answer.body.len()));
        }
        Ok((times.median(), sizes.median()))
    }
}

/// A public room of its own, so that it has just these members.
async fn make_room(place: &Place, fans: &[Fan]) -> Outcome<String> {
    let first = fans.first().ok_or("there are no fans")?;
    let mut service = Caller::connect(place.service.address).await?;
    let body = "{\"name\":\"A full room\"}";
    let made = service.post("/api/auth/chat-room", &first.token, body).await?.json()?;
    let room =
        made.pointer("/data/room_id").and_then(|id| id.as_str()).ok_or("no room was made")?;
    let others = fans.iter().skip(1);
    let join = |fan| (on_behalf(fan, &format!("rooms/{room}/join")), as_token().to_owned());
    let posts = others.map(join).collect();
    for answer in post_all(place.homeserver().address, JOIN_AT_ONCE, posts).await? {
        answer.success()?;
    }
    Ok(room.to_owned())
}

async fn say(sender: &mut Caller, fan: &Fan, room: &str, words: &str, key: &str) -> Outcome<()> {
    let path = on_behalf(fan, &format!("rooms/{room}/send/m.room.message/{key}"));
    let body = format!("{{\"msgtype\":\"m.text\",\"body\":\"{words}\"}}");
    sender.ask("PUT", &path, as_token(), &body).await?.success()?;
    Ok(())
}

/// Waits for news again and again, and tells which mark came when.
async fn follow(
    server: SocketAddr,
    fan: Fan,
    filter: String,
    heard: mpsc::UnboundedSender<Heard>,
) -> Outcome<()> {
    let mut caller = Caller::connect(server).await?;
    let first = caller.get(&sync_path(&filter, "", 0), &fan.chat_token).await?.success()?;
    let mut since = next_batch(&first.body)?;
    heard.send((0, Instant::now()))?;
    loop {
        let path = sync_path(&filter, &since, WAIT_MS);
        let answer = caller.get(&path, &fan.chat_token).await?.success()?;
        since = next_batch(&answer.body)?;
        if let Some(mark) = last_mark(&answer.body) {
            heard.send((mark, Instant::now()))?;
        }
    }
}

fn sync_path(filter: &str, since: &str, wait_ms: u32) -> String {
    let since = if since.is_empty() { String::new() } else { format!("&since={since}") };
    format!("/_matrix/client/v3/sync?timeout={wait_ms}&filter={filter}{since}")
}

/// Messages of one room, the newest of them, and only such members as are needed to show them: as apps ask.
fn filter(room: &str) -> String {
    let json = format!(
        "{{\"presence\":{{\"types\":[]}},\"account_data\":{{\"types\":[]}},\"room\":{{\"rooms\":[\"{room}\"],\
         \"ephemeral\":{{\"types\":[]}},\"account_data\":{{\"types\":[]}},\"state\":{{\"lazy_load_members\":true}},\
         \"timeline\":{{\"limit\":20,\"types\":[\"m.room.message\"]}}}}}}"
    );
    json.bytes().fold(String::new(), |text, byte| text + &format!("%{byte:02X}"))
}

fn next_batch(body: &[u8]) -> Outcome<String> {
    let key = b"\"next_batch\":\"";
    let rest = memmem::find(body, key).and_then(|at| body.get(at + key.len()..));
    let end = rest.and_then(|rest| memchr::memchr(b'"', rest));
    let found = rest.zip(end).and_then(|(rest, end)| rest.get(..end));
    Ok(String::from_utf8(found.ok_or("an answer without a place to go on")?.to_vec())?)
}

fn last_mark(body: &[u8]) -> Option<usize> {
    let rest = body.get(memmem::rfind(body, MARK.as_bytes())? + MARK.len()..)?;
    let digits = rest.get(..memchr::memchr(b'-', rest)?)?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_mark_of_an_answer_is_told() {
        let body = br#"{"next_batch":"s7_1","events":[{"body":"mark-2-"},{"body":"mark-13-"},{"body":"Goal"}]}"#;
        assert_eq!(last_mark(body), Some(13));
        assert_eq!(last_mark(b"{}"), None);
    }

    #[test]
    fn the_place_to_go_on_is_found_in_an_answer() {
        assert_eq!(next_batch(br#"{"rooms":{},"next_batch":"s7_1"}"#).unwrap(), "s7_1");
        assert!(next_batch(b"{}").is_err());
    }
}
