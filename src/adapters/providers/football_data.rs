//! football-data.org, version 4.

use http::HeaderMap;
use reqwest::{Client, Url};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::adapter::{self, Adapter, Ask, Goals, Id, goals};
use super::exchange::AskError;
use super::report::{self, MatchEntry, MatchReport, MatchState, Period, Tally, TournamentReport};
use super::source::Counting;
use crate::platform::clock::SECOND_MS;
use crate::platform::config::Secret;

#[derive(Debug)]
pub struct FootballData {
    pub url: Url,
    pub token: Secret,
    pub counting: Counting,
}

impl FootballData {
    pub fn url(base: &Url, competition: &str, season: &str) -> Option<Url> {
        let mut url = adapter::below(base, &["v4", "competitions", competition, "matches"])?;
        url.query_pairs_mut().append_pair("season", season);
        Some(url)
    }
}

impl Adapter for FootballData {
    fn ask(&self, client: &Client, _page: u32) -> Ask {
        let request = client.get(self.url.clone()).header("X-Auth-Token", self.token.expose());
        Ask::Web(Box::new(request))
    }

    fn read(&self, body: &[u8]) -> Result<TournamentReport, AskError> {
        let document: Document<'_> = adapter::parse(body)?;
        let entries = document.matches.iter().map(|raw| match_entry(raw.get(), self.counting));
        Ok(TournamentReport::of(document.competition.and_then(|it| it.name).as_deref(), entries))
    }

    /// Nothing left in this minute: until the counter starts anew.
    fn pause_ms(&self, headers: &HeaderMap) -> Option<i64> {
        let left = adapter::number(headers, "x-requests-available-minute")?;
        let reset = adapter::number(headers, "x-requestcounter-reset").unwrap_or(60);
        (left <= 0).then(|| reset.clamp(1, 3_600) * SECOND_MS)
    }
}

#[derive(Deserialize)]
struct Document<'a> {
    competition: Option<Competition>,
    #[serde(borrow)]
    matches: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Competition {
    name: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Match {
    id: Id,
    utc_date: String,
    status: String,
    home_team: Option<Team>,
    away_team: Option<Team>,
    score: Option<Score>,
    venue: Option<String>,
    minute: Option<Value>,
}

#[derive(Deserialize)]
struct Team {
    id: Option<Id>,
    name: Option<String>,
    crest: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Score {
    winner: Option<String>,
    duration: Option<String>,
    full_time: Option<Goals>,
    half_time: Option<Goals>,
    regular_time: Option<Goals>,
    extra_time: Option<Goals>,
}

fn match_entry(text: &str, counting: Counting) -> MatchEntry {
    let found: Match = adapter::parse_match(text)?;
    let Id(external_id) = found.id;
    let kickoff = report::kickoff(&found.utc_date).ok_or_else(|| adapter::no_time(&external_id))?;
    let side =
        |team: Option<Team>| team.and_then(|team| adapter::side(team.id, team.name, team.crest));
    let (Some(home), Some(away)) = (side(found.home_team), side(found.away_team)) else {
        return Ok(None);
    };
    let minute = report::minute(found.minute.as_ref());
    let duration = found.score.as_ref().and_then(|score| score.duration.as_deref());
    let period = period(&found.status, duration, minute);
    Ok(Some(MatchReport {
        period,
        minute,
        external_id,
        home,
        away,
        kickoff,
        venue: report::venue(found.venue.as_deref()),
        state: MatchState::of(&found.status),
        tally: found.score.as_ref().map_or(Ok(None), |score| tally(score, counting)),
    }))
}

/// No word of theirs tells the halves apart, but their minute does: it stands at 45 until the second half begins.
fn period(status: &str, duration: Option<&str>, minute: Option<i64>) -> Option<Period> {
    let by_minute = |minute: i64| if minute <= 45 { Period::FirstHalf } else { Period::SecondHalf };
    match (status, duration) {
        ("IN_PLAY", None | Some("REGULAR")) => minute.map(by_minute),
        ("IN_PLAY", Some(duration)) => Period::of(duration),
        _ => Period::of(status),
    }
}

/// `fullTime` has everything in it, extra time and the shoot-out too; what counts is put together from the parts.
fn tally(score: &Score, counting: Counting) -> Tally {
    let (full, regular) = (goals(score.full_time), goals(score.regular_time));
    let extra = goals(score.extra_time);
    let counted = match score.duration.as_deref() {
        None | Some("REGULAR") => {
            check_winner(full?, score.winner.as_deref())?;
            full
        }
        Some(duration) => {
            let in_parts = report::sum(regular?, extra?)?;
            let with_extra_time =
                if duration == "EXTRA_TIME" { in_parts.or(full?) } else { in_parts };
            report::counted(counting, regular, Ok(with_extra_time))
        }
    };
    report::at_least(counted, goals(score.half_time))
}

fn check_winner(score: Option<report::Score>, winner: Option<&str>) -> Result<(), &'static str> {
    let (Some((home, away)), Some(winner)) = (score, winner) else { return Ok(()) };
    let agrees = match winner {
        "HOME_TEAM" => home > away,
        "AWAY_TEAM" => home < away,
        "DRAW" => home == away,
        _ => true,
    };
    if agrees { Ok(()) } else { Err("a score that does not agree with its winner") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read_match(found: &Value, counting: Counting) -> MatchReport {
        match_entry(&found.to_string(), counting).unwrap().unwrap()
    }

    fn with_score(score: Value) -> Value {
        json!({"id": 1, "utcDate": "2026-11-20T15:00:00Z", "status": "FINISHED", "venue": null,
               "homeTeam": {"id": 57, "name": "Northgate FC", "crest": "https://crests.example/57.png"},
               "awayTeam": {"id": 61, "name": "Southbank FC", "crest": null}, "score": score})
    }

    fn counted(score: Value, counting: Counting) -> Option<(i64, i64)> {
        let tally = read_match(&with_score(score), counting).tally.unwrap();
        tally.map(|(home, away)| (home.get(), away.get()))
    }

    #[test]
    fn the_period_is_told_by_the_word_or_by_the_minute() {
        for (status, duration, minute, expected) in [
            ("IN_PLAY", "REGULAR", json!(12), Some(Period::FirstHalf)),
            ("IN_PLAY", "REGULAR", json!("63"), Some(Period::SecondHalf)),
            ("IN_PLAY", "REGULAR", json!(null), None),
            ("IN_PLAY", "EXTRA_TIME", json!(101), Some(Period::ExtraTime)),
            ("PAUSED", "REGULAR", json!(45), Some(Period::HalfTime)),
            ("PENALTY_SHOOTOUT", "PENALTY_SHOOTOUT", json!(120), Some(Period::Penalties)),
            ("SUSPENDED", "REGULAR", json!(30), None),
        ] {
            let mut found = with_score(json!({"duration": duration}));
            (found["status"], found["minute"]) = (json!(status), minute);
            assert_eq!(read_match(&found, Counting::Regular).period, expected, "{status}");
        }
    }

    #[test]
    fn a_shoot_out_and_extra_time_are_left_out_of_regular_time() {
        let final_score = json!({"winner": "HOME_TEAM", "duration": "PENALTY_SHOOTOUT",
            "fullTime": {"home": 7, "away": 5}, "halfTime": {"home": 2, "away": 0},
            "regularTime": {"home": 2, "away": 2}, "extraTime": {"home": 1, "away": 1},
            "penalties": {"home": 4, "away": 2}});
        assert_eq!(counted(final_score.clone(), Counting::Regular), Some((2, 2)));
        assert_eq!(counted(final_score, Counting::ExtraTime), Some((3, 3)));
    }

    #[test]
    fn a_shoot_out_without_its_parts_has_no_score_that_counts() {
        let bundled = json!({"duration": "PENALTY_SHOOTOUT", "fullTime": {"home": 7, "away": 5}});
        assert_eq!(counted(bundled.clone(), Counting::Regular), None);
        assert_eq!(counted(bundled, Counting::ExtraTime), None);
    }

    #[test]
    fn a_score_that_cannot_be_right_is_told_why() {
        for (score, reason) in [
            (json!({"winner": "AWAY_TEAM", "fullTime": {"home": 2, "away": 1}}), "winner"),
            (json!({"fullTime": {"home": 2, "away": null}}), "one side"),
            (json!({"fullTime": {"home": -2, "away": 1}}), "outside"),
            (
                json!({"fullTime": {"home": 1, "away": 1}, "halfTime": {"home": 2, "away": 0}}),
                "half-time",
            ),
        ] {
            let tally = read_match(&with_score(score), Counting::Regular).tally;
            assert!(tally.unwrap_err().contains(reason), "{reason}");
        }
    }

    #[test]
    fn a_match_that_is_not_drawn_yet_is_no_problem() {
        let mut found = with_score(json!(null));
        found["homeTeam"] = json!({"id": null, "name": null});
        assert_eq!(match_entry(&found.to_string(), Counting::Regular), Ok(None));
    }
}
