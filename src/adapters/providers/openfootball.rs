//! openfootball's `football.json`: a season in a file, without ids and with local times.

use std::collections::BTreeMap;

use jiff::civil::{Date, Time};
use jiff::tz::{Offset, TimeZone};
use reqwest::Client;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::adapter::{self, Adapter, Ask};
use super::exchange::AskError;
use super::report::{
    self, MatchEntry, MatchReport, MatchState, Tally, TeamReport, TournamentReport,
};
use super::source::{Counting, Place};
use super::spelling;
use crate::platform::clock::Timestamp;

#[derive(Debug)]
pub struct Openfootball {
    pub place: Place,
    pub time_zone: TimeZone,
    pub counting: Counting,
}

/// When a match begins whose file says only the day: early enough that nobody predicts after the real kick-off.
const UNKNOWN_TIME: Time = Time::constant(12, 0, 0, 0);

impl Adapter for Openfootball {
    fn ask(&self, client: &Client, _page: u32) -> Ask {
        match &self.place {
            Place::Web(url) => Ask::Web(Box::new(client.get(url.clone()))),
            Place::File(path) => Ask::File(path.clone()),
            Place::Season { code, .. } => Ask::File(code.into()),
        }
    }

    fn read(&self, body: &[u8]) -> Result<TournamentReport, AskError> {
        let document: Document<'_> = adapter::parse(body)?;
        let name = document.name.unwrap_or_default();
        let mut seen = BTreeMap::new();
        let entries =
            document.matches.iter().map(|raw| self.match_entry(raw.get(), &name, &mut seen));
        Ok(TournamentReport::of(Some(&name), entries))
    }
}

#[derive(Deserialize)]
struct Document<'a> {
    name: Option<String>,
    #[serde(borrow)]
    matches: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Match {
    #[serde(default)]
    round: String,
    date: String,
    time: Option<String>,
    team1: Option<Team>,
    team2: Option<Team>,
    #[serde(default)]
    score: Score,
    ground: Option<String>,
}

/// Older files have an object with a name.
#[derive(Deserialize)]
#[serde(untagged)]
enum Team {
    Name(String),
    Object { name: String },
}

#[derive(Deserialize, Default)]
struct Score {
    ht: Option<(i64, i64)>,
    ft: Option<(i64, i64)>,
    et: Option<(i64, i64)>,
}

impl Openfootball {
    fn match_entry(
        &self,
        text: &str,
        season: &str,
        seen: &mut BTreeMap<String, u32>,
    ) -> MatchEntry {
        let found: Match = adapter::parse_match(text)?;
        let (Some(home), Some(away)) = (side(found.team1), side(found.team2)) else {
            return Ok(None);
        };
        let id = format!(
            "{}/{}/{}/{}",
            spelling::key(season),
            spelling::key(&found.round),
            home.external_id,
            away.external_id
        );
        // The same pairing again in one round is a replay.
        let count = seen.entry(id.clone()).or_default();
        *count += 1;
        let external_id = if *count == 1 { id } else { format!("{id}/{count}") };
        let kickoff = kickoff(&found.date, found.time.as_deref(), &self.time_zone)
            .ok_or_else(|| adapter::no_time(&external_id))?;
        // The file has no word for it: a match is over when its score is there.
        let is_over = found.score.ft.is_some();
        let state = if is_over { MatchState::Finished } else { MatchState::Scheduled };
        Ok(Some(MatchReport {
            period: None,
            minute: None,
            external_id,
            home,
            away,
            kickoff,
            venue: report::venue(found.ground.as_deref()),
            state,
            tally: tally(&found.score, self.counting),
        }))
    }
}

/// Without ids, the name is the identity.
fn side(team: Option<Team>) -> Option<TeamReport> {
    let (Team::Name(name) | Team::Object { name }) = team?;
    let name = report::title(spelling::without_country(&name))?;
    let external_id = spelling::key(&name);
    (!external_id.is_empty()).then_some(TeamReport { external_id, name, logo: None })
}

/// `ft` is the score after 90 minutes and `et` the one after 120, with the goals before.
fn tally(score: &Score, counting: Counting) -> Tally {
    let read = |goals: Option<(i64, i64)>| {
        goals.map_or(Ok(None), |(home, away)| report::pair(Some(home), Some(away)))
    };
    let counted = match score.et {
        Some(_) => report::counted(counting, read(score.ft), read(score.et)),
        None => read(score.ft),
    };
    report::at_least(counted, read(score.ht))
}

/// A local date and time in the feed's zone, unless the time brings its own: `20:00` or `13:00 UTC-6`.
fn kickoff(date: &str, time: Option<&str>, zone: &TimeZone) -> Option<Timestamp> {
    let date: Date = date.parse().ok()?;
    let (time, zone) = match time.map(str::trim).filter(|time| !time.is_empty()) {
        None => (UNKNOWN_TIME, zone.clone()),
        Some(text) => match text.split_once(char::is_whitespace) {
            None => (clock_time(text)?, zone.clone()),
            Some((time, offset)) => (clock_time(time)?, TimeZone::fixed(utc_offset(offset)?)),
        },
    };
    let moment = date.to_datetime(time).to_zoned(zone).ok()?.timestamp();
    report::kickoff(&moment.to_string())
}

fn clock_time(text: &str) -> Option<Time> {
    let (hour, minute) = text.split_once(':')?;
    Time::new(hour.parse().ok()?, minute.parse().ok()?, 0, 0).ok()
}

/// `UTC`, `UTC+1`, `UTC-03:30`.
fn utc_offset(text: &str) -> Option<Offset> {
    let rest = text.trim().strip_prefix("UTC")?;
    if rest.is_empty() {
        return Some(Offset::UTC);
    }
    let (sign, number) = match (rest.strip_prefix('+'), rest.strip_prefix('-')) {
        (Some(number), _) => (1, number),
        (_, Some(number)) => (-1, number),
        _ => return None,
    };
    let (hours, minutes) = number.split_once(':').unwrap_or((number, "0"));
    let (hours, minutes): (i32, i32) = (hours.parse().ok()?, minutes.parse().ok()?);
    let is_clock = (0..=14).contains(&hours) && (0..60).contains(&minutes);
    is_clock.then(|| Offset::from_seconds(sign * (hours * 3_600 + minutes * 60)).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn adapter() -> Openfootball {
        Openfootball {
            place: Place::File("unused".into()),
            time_zone: TimeZone::get("Europe/London").unwrap(),
            counting: Counting::Regular,
        }
    }

    #[test]
    fn a_local_time_is_read_in_the_feeds_zone_summer_and_winter() {
        let london = TimeZone::get("Europe/London").unwrap();
        let read = |date, time| kickoff(date, time, &london).map(|moment| moment.to_string());
        assert_eq!(read("2026-08-15", Some("15:00")).unwrap(), "2026-08-15T14:00:00.000Z");
        assert_eq!(read("2026-12-15", Some("15:00")).unwrap(), "2026-12-15T15:00:00.000Z");
        assert_eq!(read("2026-06-11", Some("13:00 UTC-6")).unwrap(), "2026-06-11T19:00:00.000Z");
        assert_eq!(read("2026-12-15", None).unwrap(), "2026-12-15T12:00:00.000Z");
        for (date, time) in [("2026-02-30", "15:00"), ("2026-02-20", "25:00"), ("x", "15:00")] {
            assert_eq!(read(date, Some(time)), None, "{date} {time}");
        }
    }

    #[test]
    fn a_moved_date_keeps_the_identity_and_a_replay_has_its_own() {
        let found = |date: &str| {
            json!({"round": "Matchday 1", "date": date, "time": "20:00",
                   "team1": "Northgate FC", "team2": "Southbank FC"})
        };
        let read = |matches: serde_json::Value| {
            let body = json!({"name": "League 2026/27", "matches": matches}).to_string();
            let report = adapter().read(body.as_bytes()).unwrap();
            report.matches.into_iter().map(|report| report.external_id).collect::<Vec<_>>()
        };
        let first = read(json!([found("2026-08-15")]));
        assert_eq!(first, read(json!([found("2026-09-15")])));
        let twice = read(json!([found("2026-08-15"), found("2026-08-25")]));
        assert_eq!(twice[0], first[0]);
        assert_ne!(twice[1], first[0]);
    }

    #[test]
    fn extra_time_counts_only_where_that_is_set() {
        let score = Score { ht: Some((2, 0)), ft: Some((2, 2)), et: Some((3, 3)) };
        assert_eq!(tally(&score, Counting::Regular), report::pair(Some(2), Some(2)));
        assert_eq!(tally(&score, Counting::ExtraTime), report::pair(Some(3), Some(3)));
    }
}
