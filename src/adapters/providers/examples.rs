//! For tests: an adapter for each provider, and something for all of them to read.

use jiff::tz::TimeZone;
use reqwest::Url;
use serde_json::{Value, json};

use super::adapter::Adapter;
use super::api_football::ApiFootball;
use super::football_data::FootballData;
use super::openfootball::Openfootball;
use super::source::{Counting, Place};
use crate::platform::config::Secret;

/// One of each.
pub fn adapters() -> Vec<Box<dyn Adapter>> {
    let url = Url::parse("http://feeds.example/").unwrap();
    let key = Secret::new("k");
    let counting = Counting::ExtraTime;
    vec![
        Box::new(FootballData { url: url.clone(), token: key.clone(), counting }),
        Box::new(ApiFootball { url: url.clone(), key, counting }),
        Box::new(Openfootball { place: Place::Web(url), time_zone: TimeZone::UTC, counting }),
    ]
}

/// A document that is all three at once, so that one damaged place tries every adapter.
pub fn document() -> Value {
    let goals = json!({"home": 1, "away": 0});
    let score = json!({"winner": "HOME_TEAM", "duration": "EXTRA_TIME", "fullTime": goals,
        "halfTime": goals, "regularTime": goals, "extraTime": goals, "fulltime": goals,
        "halftime": goals, "ft": [1, 0], "ht": [0, 0], "et": [2, 0]});
    let team = json!({"id": 57, "name": "Northgate FC", "crest": "https://c.example/57.png"});
    let found = json!({"id": 1, "utcDate": "2026-11-20T15:00:00Z", "status": "FINISHED",
        "homeTeam": team, "awayTeam": {"id": 61, "name": "Southbank FC"}, "venue": "Park",
        "round": "Matchday 1", "date": "2026-11-20", "time": "15:00 UTC+1", "team1": "Northgate",
        "team2": "Southbank", "score": score, "minute": 120});
    let entry = json!({"fixture": {"id": 1, "date": "2026-11-20T15:00:00Z", "venue": {"name": "Park"},
        "status": {"short": "AET", "elapsed": 120, "extra": 1}}, "league": {"name": "League"},
        "teams": {"home": team, "away": {"id": 61, "name": "Southbank FC"}}, "goals": goals, "score": score});
    json!({"name": "League", "competition": {"name": "League"}, "matches": [found], "errors": [],
           "paging": {"current": 1, "total": 1}, "response": [entry]})
}
