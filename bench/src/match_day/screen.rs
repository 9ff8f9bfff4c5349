//! What a fan's app shows of the matches: what the stream told, and what was loaded before it told anything.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;

use super::diary::{Ending, Kind};
use super::phone::{Phone, ending_of};
use super::{Score, locked};

/// Longer than the service lets a stream be silent.
const SILENCE: Duration = Duration::from_secs(30);
const OPENING: Duration = Duration::from_secs(10);

#[derive(Debug, Default)]
pub struct Screen {
    scores: HashMap<i64, Score>,
    /// Matches of which the own prediction has come out.
    settled: HashSet<i64>,
}

/// What the stream told that makes somebody look.
#[derive(Debug, Clone, Copy)]
pub enum News {
    Open,
    Goal,
    Settled,
}

pub type Shown = Arc<Mutex<Screen>>;

/// What a fan sees now.
pub fn scores(shown: &Shown) -> HashMap<i64, Score> {
    locked(shown).scores.clone()
}

pub fn settled(shown: &Shown) -> usize {
    locked(shown).settled.len()
}

/// What was loaded counts where the stream has told nothing yet.
pub fn load(shown: &Shown, matches: &Value) {
    let mut screen = locked(shown);
    for one in matches.get("data").and_then(Value::as_array).into_iter().flatten() {
        if let (Some(id), Some(score)) = (one.get("id").and_then(Value::as_i64), score_of(one)) {
            screen.scores.entry(id).or_insert(score);
        }
    }
}

fn score_of(data: &Value) -> Option<Score> {
    Some((data.get("home_score")?.as_i64()?, data.get("away_score")?.as_i64()?))
}

/// Listens until the fan leaves, and comes back whenever the stream ends.
pub async fn follow(
    mut phone: Phone,
    shown: Shown,
    news: mpsc::UnboundedSender<News>,
    until: Instant,
) {
    let mut last_id = None;
    while Instant::now() < until {
        let began = Instant::now();
        let opening = open(&phone, last_id.as_deref());
        let opened = tokio::time::timeout(OPENING, opening).await.unwrap_or(Err(Ending::Lost));
        let ending = opened.as_ref().err().copied().unwrap_or(Ending::Answered);
        phone.day.diary.note(Kind::Stream, began, ending);
        match opened {
            Ok((stream, said)) => {
                let mut storm = phone.day.storm.subscribe();
                // Whoever is gone does not look.
                let _ = news.send(News::Open);
                let mut reading = Reading {
                    phone: &phone,
                    shown: &shown,
                    news: &news,
                    opened: Instant::now(),
                    said,
                    last_id,
                };
                tokio::select! {
                    () = reading.until_it_ends(stream) => {}
                    _ = storm.recv() => {}
                    () = tokio::time::sleep_until(until.into()) => {}
                }
                last_id = reading.last_id;
            }
            Err(Ending::Lost) => phone.go_elsewhere().await,
            Err(_) => {}
        }
        // As `retry` says.
        if Instant::now() < until {
            phone.pause(1_000, 3_000).await;
        }
    }
}

/// The connection and what it said first.
async fn open(phone: &Phone, last_id: Option<&str>) -> Result<(TcpStream, String), Ending> {
    let lost = |_| Ending::Lost;
    let mut stream = TcpStream::connect(phone.server()).await.map_err(lost)?;
    let last_id = last_id.map(|id| format!("Last-Event-ID: {id}\r\n")).unwrap_or_default();
    let request = format!(
        "GET /api/auth/stream HTTP/1.1\r\nHost: bench\r\n{}Authorization: Bearer {}\r\n{last_id}\r\n",
        phone.headers(),
        phone.token
    );
    stream.write_all(request.as_bytes()).await.map_err(lost)?;
    let mut said = String::new();
    while !said.contains("retry:") {
        let more = read(&mut stream).await.ok_or(Ending::Lost)?;
        said.push_str(&more);
        let status = said.split(' ').nth(1).and_then(|status| status.parse().ok());
        match status.map_or(Ending::Broken, ending_of) {
            Ending::Answered if status == Some(200) => {}
            Ending::Answered => return Err(Ending::Broken),
            other => return Err(other),
        }
    }
    Ok((stream, said))
}

async fn read(stream: &mut TcpStream) -> Option<String> {
    let mut piece = [0; 4_096];
    let read = tokio::time::timeout(SILENCE, stream.read(&mut piece)).await.ok()?.ok()?;
    let bytes = piece.get(..read).filter(|bytes| !bytes.is_empty())?;
    Some(String::from_utf8_lossy(bytes).into_owned())
}

struct Reading<'a> {
    phone: &'a Phone,
    shown: &'a Shown,
    news: &'a mpsc::UnboundedSender<News>,
    opened: Instant,
    said: String,
    last_id: Option<String>,
}

impl Reading<'_> {
    async fn until_it_ends(&mut self, mut stream: TcpStream) {
        loop {
            while let Some((frame, rest)) = self.said.split_once("\n\n") {
                let (frame, rest) = (frame.to_owned(), rest.to_owned());
                self.said = rest;
                self.take(&frame);
            }
            match read(&mut stream).await {
                Some(more) => self.said.push_str(&more),
                None => return,
            }
        }
    }

    fn take(&mut self, frame: &str) {
        let field = |name: &str| frame.lines().find_map(|line| line.strip_prefix(name));
        if let Some(id) = field("id: ") {
            self.last_id = Some(id.to_owned());
        }
        let data = field("data: ").and_then(|data| serde_json::from_str::<Value>(data).ok());
        let (Some(event), Some(data)) = (field("event: "), data) else { return };
        let Some(id) = data.get("event_id").and_then(Value::as_i64) else { return };
        match event {
            "score" => self.take_score(id, &data),
            "prediction" => self.take_own(id),
            _ => {}
        }
    }

    fn take_own(&self, id: i64) {
        let mut screen = locked(self.shown);
        if !screen.settled.insert(id) {
            return;
        }
        if let Some(whistled) = self.phone.day.whistled_at(id) {
            self.phone.day.diary.note(Kind::Settled, whistled, Ending::Answered);
        }
        let _ = self.news.send(News::Settled);
    }

    fn take_score(&self, id: i64, data: &Value) {
        let Some(score) = score_of(data) else { return };
        locked(self.shown).scores.insert(id, score);
        // What happened before they came back is no matter of how fast it is told.
        if let Some(told) = self.phone.day.told_at(id, score).filter(|told| *told > self.opened) {
            self.phone.day.diary.note(Kind::Goal, told, Ending::Answered);
            let _ = self.news.send(News::Goal);
        }
    }
}
