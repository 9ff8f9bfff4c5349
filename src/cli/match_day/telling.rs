//! What is done and said about each turn of a match.

use reqwest::Method;
use serde_json::{Value, json};

use super::expected::Match;
use super::script::Turn;

/// The operator's call that makes it so: method, end of the path and body.
pub fn call(played: &Match<'_>, turn: &Turn) -> (Method, &'static str, Value) {
    let (home, away) = played.standing.score;
    let score = json!({"home_score": home, "away_score": away});
    match turn {
        // The service kicks off by itself within a second or two; here goals may be faster.
        Turn::KickOff => {
            let body = json!({"status": "live", "home_score": home, "away_score": away,
                              "period": "first_half", "minute": 1});
            (Method::PATCH, "", body)
        }
        Turn::Goal { minute, .. } | Turn::GoalTakenBack { minute, .. } => {
            let body = json!({"home_score": home, "away_score": away, "minute": minute});
            (Method::PATCH, "", body)
        }
        Turn::HalfTime {} => (Method::PATCH, "", json!({"period": "half_time"})),
        Turn::SecondHalf {} => (Method::PATCH, "", json!({"period": "second_half", "minute": 46})),
        Turn::FullTime {} | Turn::Corrected { .. } => (Method::POST, "/result", score),
        Turn::Delayed { .. } | Turn::Postponed { days: Some(_) } => {
            // With the status, since at a great speed the service may just have kicked off.
            (Method::PATCH, "", json!({"status": "scheduled", "start_time": played.start_time}))
        }
        Turn::Postponed { days: None } => {
            (Method::PATCH, "", json!({"start_time_confirmed": false}))
        }
        Turn::Abandoned { reason } => (Method::POST, "/void", json!({"reason": reason})),
    }
}

pub fn words(played: &Match<'_>, turn: &Turn) -> String {
    let (line, pair) = (played.line(), format!("{} - {}", played.home, played.away));
    let of_play = |minute: &Option<i64>| {
        minute.map(|minute| format!(" ({minute}\u{2032})")).unwrap_or_default()
    };
    match turn {
        Turn::KickOff => format!("kick-off: {pair}"),
        Turn::Goal { minute, .. } => format!("goal{}: {line}", of_play(minute)),
        Turn::GoalTakenBack { minute, .. } => format!("VAR, no goal{}: {line}", of_play(minute)),
        Turn::HalfTime {} => format!("half time: {line}"),
        Turn::SecondHalf {} => format!("second half: {line}"),
        Turn::FullTime {} => format!("full time: {line}"),
        Turn::Corrected { .. } => format!("result corrected: {line}"),
        Turn::Delayed { minutes } => {
            format!("late kick-off: {pair} begins {minutes} minutes later")
        }
        Turn::Postponed { days: None } => format!("postponed, without a new date: {pair}"),
        Turn::Postponed { days: Some(days) } => format!("postponed by {days} days: {pair}"),
        Turn::Abandoned { reason } => format!("abandoned: {line}. {reason}"),
    }
}
