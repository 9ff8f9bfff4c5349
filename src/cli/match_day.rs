//! A simulated match day for app developers: kick-offs, goals and results on a fast clock, through the operator API.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use super::operator_client::OperatorClient;
use crate::platform::clock::{self, Clock, MINUTE_MS};
use crate::platform::error::{Error, Result};

use crate::features::catalogue::demo::{self, SIDES};

/// When each match begins, in match minutes from the start of the day; the first ones leave time to predict.
const KICK_OFFS: [i64; 4] = [10, 10, 25, 40];
pub const LONGEST_MINUTES: i64 = 120;
pub const GREATEST_SPEED: i64 = 3600;

/// How long matches are, and how many of their minutes pass in a real one.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    pub minutes: i64,
    pub speed: i64,
}

impl Pace {
    /// How long so many match minutes take.
    fn real_ms(self, match_minutes: i64) -> i64 {
        match_minutes.saturating_mul(MINUTE_MS).checked_div(self.speed).unwrap_or(0)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Happening {
    HomeGoal,
    AwayGoal,
    End,
}

/// What happens in which match, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Moment {
    minute: i64,
    of_match: usize,
    what: Happening,
}

struct Match {
    id: i64,
    home: &'static str,
    away: &'static str,
    score: (i64, i64),
}

/// Plays a match day and ends by itself. `say` is told what happens.
pub async fn play(
    client: &OperatorClient,
    pace: Pace,
    mut say: impl FnMut(&str) -> Result<()>,
) -> Result<()> {
    let overview = client.call(Method::GET, "/api/admin/overview", None).await?;
    let environment = overview.pointer("/data/environment").and_then(Value::as_str);
    let environment = environment.unwrap_or_default();
    if !matches!(environment, "local" | "testing") {
        let sentence =
            format!("the server runs in {environment}; matches are played only on a local one");
        return Err(Error::internal(sentence));
    }
    let mut matches = fixtures(client, pace).await?;
    for played in &matches {
        say(&format!("event {}: {} - {}", played.id, played.home, played.away))?;
    }
    say(&format!("the first kick-offs are in {} s", pace.real_ms(10) / 1000))?;
    let mut minute = 0;
    for moment in plan(pace.minutes, || clock::random_below(1_000)) {
        let wait = pace.real_ms(moment.minute - minute);
        tokio::time::sleep(Duration::from_millis(u64::try_from(wait).unwrap_or(0))).await;
        minute = moment.minute;
        if let Some(played) = matches.get_mut(moment.of_match) {
            say(&tell(client, played, moment).await?)?;
        }
    }
    Ok(())
}

/// Adds the day's matches to the server's catalogue, between clubs of the demo.
async fn fixtures(client: &OperatorClient, pace: Pace) -> Result<Vec<Match>> {
    let [football, _] = &SIDES;
    let now = Clock::system().now();
    let mut document = demo::clubs();
    let (mut matches, mut keys, mut events) = (Vec::new(), Vec::new(), Vec::new());
    let round = usize::try_from(clock::random_below(15)).unwrap_or(0);
    let pairs = demo::pairs(football.clubs.len(), round);
    for (at, ((home, away), kick_off)) in pairs.into_iter().zip(KICK_OFFS).enumerate() {
        let (Some(home), Some(away)) = (football.clubs.get(home), football.clubs.get(away)) else {
            continue;
        };
        let start_time = now.plus_ms(pace.real_ms(kick_off));
        let key = format!("demo:play:{}:{at}", now.as_millis());
        events.push(json!({
            "key": key, "tournament": football.tournament.0,
            "home": home.0, "away": away.0, "start_time": start_time, "venue": format!("{} Park", home.1),
        }));
        matches.push(Match { id: 0, home: home.1, away: away.1, score: (0, 0) });
        keys.push(key);
    }
    document.insert("events".to_owned(), events.into());
    let imported = client.call(Method::PUT, "/api/admin/catalogue", Some(&document.into())).await?;
    let ids = imported.pointer("/data/events");
    for (played, key) in matches.iter_mut().zip(keys) {
        let id = ids.and_then(|ids| ids.get(&key)?.as_i64());
        played.id = id.ok_or_else(|| Error::internal("the server did not name the new matches"))?;
    }
    Ok(matches)
}

/// Lets it happen on the server; answers what to say about it.
async fn tell(client: &OperatorClient, played: &mut Match, moment: Moment) -> Result<String> {
    match moment.what {
        Happening::HomeGoal => played.score.0 += 1,
        Happening::AwayGoal => played.score.1 += 1,
        Happening::End => {}
    }
    let (home, away) = played.score;
    let path = format!("/api/admin/events/{}", played.id);
    let line = format!("{} {home}-{away} {}", played.home, played.away);
    if moment.what == Happening::End {
        let body = json!({"home_score": home, "away_score": away});
        client.call(Method::POST, &format!("{path}/result"), Some(&body)).await?;
        return Ok(format!("full time: {line}"));
    }
    // The server's own clock kicks off within a second or two; at a great speed a goal may be faster.
    let body = json!({"status": "live", "home_score": home, "away_score": away});
    client.call(Method::PATCH, &path, Some(&body)).await?;
    Ok(format!("goal: {line}"))
}

/// The day in order. `draw` gives numbers below 1,000; in a match minute each side scores with 16 in 1,000.
fn plan(minutes: i64, mut draw: impl FnMut() -> u64) -> Vec<Moment> {
    let mut moments = Vec::new();
    for (of_match, kick_off) in KICK_OFFS.into_iter().enumerate() {
        for minute in kick_off + 1..=kick_off + minutes {
            for what in [Happening::HomeGoal, Happening::AwayGoal] {
                if draw() < 16 {
                    moments.push(Moment { minute, of_match, what });
                }
            }
        }
        let end = kick_off + minutes + 1;
        moments.push(Moment { minute: end, of_match, what: Happening::End });
    }
    moments.sort_by_key(|moment| moment.minute);
    moments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_ends_and_every_match_with_it() {
        let mut number = 0;
        let moments = plan(90, || {
            number = (number * 7 + 3) % 1_000;
            number
        });
        assert!(moments.is_sorted_by_key(|moment| moment.minute));
        assert_eq!(moments.last().unwrap().minute, 40 + 91);
        for of_match in 0..KICK_OFFS.len() {
            let last = moments.iter().rfind(|moment| moment.of_match == of_match).unwrap();
            assert_eq!(last.what, Happening::End);
        }
    }
}
