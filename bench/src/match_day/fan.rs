//! A fan's Saturday: they come, log in, predict, watch, spend and leave.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::diary::Kind;
use super::phone::{Phone, Reply};
use super::screen::{self, News, Shown};
use super::{Day, MINUTE, Score};
use crate::seed;

/// Minutes after kick-off: who is not there by then does not come, and who is there by then stays to see the result.
const LAST_TO_COME: f64 = 15.0;
const FIRST_TO_LEAVE: i64 = 116;
const LAST_TO_LEAVE: i64 = 126;
/// Matches that each predicts.
const PICKS: usize = 4;
/// One of so many spends when they look around.
const SPENDS_ONE_OF: i64 = 10;
/// One of so many looks at once when they hear of a goal.
const LOOKS_ONE_OF: i64 = 4;

/// Who comes, and what they have.
#[derive(Debug, Clone)]
pub struct Guest {
    pub number: i64,
    /// None: they log in by phone and code.
    pub token: Option<String>,
}

/// What a fan was promised, to be compared with what is there in the end.
#[derive(Debug, Default)]
pub struct Promised {
    pub user: i64,
    pub predicted: BTreeMap<i64, Predicted>,
    /// Times that coins were spent for certain, and perhaps.
    pub spent: i64,
    pub perhaps_spent: i64,
    pub scores: HashMap<i64, Score>,
    pub settled: usize,
    pub was_there: bool,
}

/// What may be there of a match.
#[derive(Debug, Default)]
pub struct Predicted {
    /// Something of it was acknowledged, so there is one.
    pub is_certain: bool,
    /// What was acknowledged last, and what was sent since without an answer.
    pub outcomes: Vec<&'static str>,
}

/// Fifteen of a hundred come early, eighty in the ten minutes before kick-off, more and more of them, and five when it has begun.
pub fn arrival(number: i64, of: i64) -> f64 {
    // Neighbours in number come at different times.
    let place = f64::from(u32::try_from(number * 7_919 % of).unwrap_or(0))
        / f64::from(u32::try_from(of).unwrap_or(1));
    match place {
        early if early < 0.15 => super::FIRST_MINUTE + early / 0.15 * (-10.0 - super::FIRST_MINUTE),
        usual if usual < 0.95 => -10.0 + ((usual - 0.15) / 0.8).sqrt() * 10.0,
        late => (late - 0.95) / 0.05 * LAST_TO_COME,
    }
}

pub async fn live(day: Arc<Day>, guest: Guest) -> Promised {
    let mut fan =
        Fan { phone: Phone::new(day, guest.number), promised: Promised::default(), spendings: 0 };
    let comes = fan.day().diary.at(arrival(guest.number, fan.day().fans));
    tokio::time::sleep_until(comes.into()).await;
    let number = guest.number;
    if fan.log_in(guest).await.is_none() {
        return fan.promised;
    }
    let shown = Shown::default();
    let (sender, mut news) = mpsc::unbounded_channel();
    let leaves = FIRST_TO_LEAVE + fan.phone.wander.below(LAST_TO_LEAVE - FIRST_TO_LEAVE);
    let leaves = fan.day().diary.at(f64::from(i32::try_from(leaves).unwrap_or(0)));
    let mut listening = Phone::new(Arc::clone(&fan.phone.day), number);
    listening.token.clone_from(&fan.phone.token);
    let following = tokio::spawn(screen::follow(listening, Arc::clone(&shown), sender, leaves));
    // An app shows what was before the stream began, and what the stream tells from then on.
    news.recv().await;
    if let Some(matches) = fan.phone.get(Kind::Read, "/api/auth/events").await.json() {
        screen::load(&shown, &matches);
    }
    fan.predict_some().await;
    fan.watch(&mut news, leaves).await;
    // Its end is the fan's own time to leave.
    drop(following.await);
    fan.promised.scores = screen::scores(&shown);
    fan.promised.settled = screen::settled(&shown);
    fan.promised.was_there = true;
    fan.promised
}

struct Fan {
    phone: Phone,
    promised: Promised,
    spendings: u32,
}

impl Fan {
    fn day(&self) -> &Day {
        &self.phone.day
    }

    async fn log_in(&mut self, guest: Guest) -> Option<()> {
        match guest.token {
            Some(token) => self.phone.token = token,
            None => self.phone.token = self.token_for(&seed::phone(guest.number)).await?,
        }
        let me = self.phone.get(Kind::Read, "/api/auth/me").await.json()?;
        self.promised.user = me.pointer("/data/id")?.as_i64()?;
        Some(())
    }

    async fn token_for(&mut self, phone: &str) -> Option<String> {
        let body = json!({"phone": phone}).to_string();
        self.phone.post(Kind::LogIn, "/api/code/request", &body, "").await.success()?;
        // The message takes its time, and so does typing.
        self.phone.pause(500, 1_500).await;
        let sent = format!("/api/logs/sms?phone={}", phone.replace('+', "%2B"));
        let sent = self.phone.get(Kind::LogIn, &sent).await.json()?;
        let body = json!({"phone": phone, "code": sent.pointer("/data/0/code")?}).to_string();
        let answer = self.phone.post(Kind::LogIn, "/api/code/verify", &body, "").await.json()?;
        Some(answer.pointer("/data/token").and_then(Value::as_str)?.to_owned())
    }

    /// Some of the matches, and one of them once more: somebody changes their mind.
    async fn predict_some(&mut self) {
        let matches = self.day().matches.clone();
        let first = usize::try_from(self.phone.wander.below(8)).unwrap_or(0);
        for id in matches.iter().cycle().skip(first).take(PICKS) {
            self.predict(*id).await;
            self.phone.pause(100, 600).await;
        }
        if self.phone.wander.below(5) == 0
            && let Some(id) = matches.iter().cycle().nth(first)
        {
            self.predict(*id).await;
        }
    }

    async fn predict(&mut self, id: i64) {
        let outcome = match self.phone.wander.below(3) {
            0 => "home",
            1 => "draw",
            _ => "away",
        };
        let body = json!({"event_id": id, "prediction": outcome, "confidence": self.phone.wander.below(101)});
        let reply =
            self.phone.post(Kind::Predict, "/api/auth/predictions", &body.to_string(), "").await;
        match reply {
            Reply::Said(answer) if answer.is_success() => {
                let known = Predicted { is_certain: true, outcomes: vec![outcome] };
                self.promised.predicted.insert(id, known);
            }
            // Refused, as after kick-off.
            Reply::Said(_) => {}
            Reply::Unknown => {
                self.promised.predicted.entry(id).or_default().outcomes.push(outcome);
            }
        }
    }

    /// Looks around now and then, and when something happens.
    async fn watch(&mut self, news: &mut mpsc::UnboundedReceiver<News>, leaves: Instant) {
        let mut looks = self.next_look();
        loop {
            tokio::select! {
                heard = news.recv() => match heard {
                    Some(News::Goal) if self.phone.wander.below(LOOKS_ONE_OF) == 0 => self.look_at_a_match().await,
                    Some(News::Settled) => self.look_at_what_came_out(news).await,
                    Some(_) => {}
                    None => return,
                },
                () = tokio::time::sleep_until(leaves.into()) => return,
                () = tokio::time::sleep_until(looks.into()) => {
                    self.look_around().await;
                    looks = self.next_look();
                }
            }
        }
    }

    fn next_look(&mut self) -> Instant {
        let minutes = 3 + self.phone.wander.below(7);
        Instant::now() + MINUTE * u32::try_from(minutes).unwrap_or(1)
    }

    async fn look_at_a_match(&mut self) {
        let of = i64::try_from(self.day().matches.len()).unwrap_or(1);
        let place = usize::try_from(self.phone.wander.below(of)).unwrap_or(0);
        let id = self.day().matches.get(place).copied().unwrap_or(1);
        self.phone.get(Kind::Read, &format!("/api/auth/events/{id}")).await;
    }

    /// Once for all that came out together.
    async fn look_at_what_came_out(&mut self, news: &mut mpsc::UnboundedReceiver<News>) {
        self.phone.pause(0, 3_000).await;
        while news.try_recv().is_ok() {}
        for path in ["/api/auth/predictions", "/api/auth/leaderboard"] {
            self.phone.get(Kind::List, path).await;
        }
    }

    async fn look_around(&mut self) {
        let (kind, path) = match self.phone.wander.below(SPENDS_ONE_OF) {
            0 => return self.spend().await,
            1 | 2 => (Kind::List, "/api/auth/leaderboard"),
            3 | 4 => (Kind::List, "/api/auth/predictions"),
            5 => (Kind::List, "/api/auth/me/statistics"),
            6 => (Kind::List, "/api/auth/coins/transactions"),
            7 => (Kind::Read, "/api/auth/coins"),
            8 => (Kind::Read, "/api/auth/events"),
            _ => return self.look_at_a_match().await,
        };
        self.phone.get(kind, path).await;
    }

    async fn spend(&mut self) {
        self.spendings += 1;
        let key = format!("Idempotency-Key: pie-{}\r\n", self.spendings);
        let body = json!({"amount": 5, "reason": "pie"}).to_string();
        match self.phone.post(Kind::Spend, "/api/auth/coins/deduct", &body, &key).await {
            Reply::Said(answer) if answer.is_success() => self.promised.spent += 1,
            Reply::Said(_) => {}
            Reply::Unknown => self.promised.perhaps_spent += 1,
        }
    }
}
