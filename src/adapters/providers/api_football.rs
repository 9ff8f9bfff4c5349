//! API-Football, version 3.

use http::HeaderMap;
use reqwest::{Client, Url};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::adapter::{self, Adapter, Ask, Goals, Id, goals};
use super::exchange::{AskError, AskErrorKind};
use super::report::{self, MatchEntry, MatchReport, MatchState, Period, Tally, TournamentReport};
use super::source::Counting;
use crate::platform::clock::{HOUR_MS, MINUTE_MS};
use crate::platform::config::Secret;
use crate::platform::shown_text::on_one_line;

#[derive(Debug)]
pub struct ApiFootball {
    pub url: Url,
    pub key: Secret,
    pub counting: Counting,
}

impl ApiFootball {
    pub fn url(base: &Url, league: &str, season: &str) -> Option<Url> {
        let mut url = adapter::below(base, &["fixtures"])?;
        url.query_pairs_mut().append_pair("league", league).append_pair("season", season);
        Some(url)
    }
}

impl Adapter for ApiFootball {
    fn ask(&self, client: &Client, page: u32) -> Ask {
        let mut url = self.url.clone();
        if page > 1 {
            url.query_pairs_mut().append_pair("page", &page.to_string());
        }
        Ask::Web(Box::new(client.get(url).header("x-apisports-key", self.key.expose())))
    }

    fn read(&self, body: &[u8]) -> Result<TournamentReport, AskError> {
        let document: Document<'_> = adapter::parse(body)?;
        check_errors(&document.errors)?;
        let name = |text: &str| serde_json::from_str::<Named>(text).ok()?.league.name;
        let tournament = document.response.first().and_then(|raw| name(raw.get()));
        let entries = document.response.iter().map(|raw| match_entry(raw.get(), self.counting));
        let mut report = TournamentReport::of(tournament.as_deref(), entries);
        report.is_last = document.paging.is_none_or(|paging| paging.current >= paging.total);
        Ok(report)
    }

    /// Nothing left of this day. The day is the provider's own, so it is asked again before long.
    fn pause_ms(&self, headers: &HeaderMap) -> Option<i64> {
        let left = adapter::number(headers, "x-ratelimit-requests-remaining")?;
        (left <= 0).then_some(HOUR_MS)
    }
}

/// Errors come with status 200: an empty list is none, and an object names each.
fn check_errors(errors: &Value) -> Result<(), AskError> {
    let names: Vec<&str> = match errors {
        Value::Object(errors) => errors.keys().map(String::as_str).collect(),
        Value::Array(errors) if !errors.is_empty() => vec!["unnamed"],
        _ => return Ok(()),
    };
    let Some(name) = names.first() else { return Ok(()) };
    let kind = match *name {
        "requests" => AskErrorKind::Busy(Some(HOUR_MS)),
        "rateLimit" => AskErrorKind::Busy(Some(MINUTE_MS)),
        _ => AskErrorKind::Refused,
    };
    // The sentences beside the names may quote the key.
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let name = if is_plain { on_one_line(name, 30) } else { "unnamed".to_owned() };
    Err(AskError::new(kind, format!("answered the error {name}")))
}

#[derive(Deserialize)]
struct Document<'a> {
    #[serde(default)]
    errors: Value,
    paging: Option<Paging>,
    #[serde(borrow, default)]
    response: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Paging {
    current: u32,
    total: u32,
}

#[derive(Deserialize)]
struct Named {
    league: League,
}

#[derive(Deserialize)]
struct League {
    name: Option<String>,
}

#[derive(Deserialize)]
struct Entry {
    fixture: Fixture,
    teams: Teams,
    goals: Option<Goals>,
    score: Option<Score>,
}

#[derive(Deserialize)]
struct Fixture {
    id: Id,
    date: String,
    venue: Option<Place>,
    status: Status,
}

#[derive(Deserialize)]
struct Place {
    name: Option<String>,
}

#[derive(Deserialize)]
struct Status {
    short: String,
    /// Stands at 45 or 90 in added time, which is in `extra`.
    elapsed: Option<Value>,
    extra: Option<Value>,
}

#[derive(Deserialize)]
struct Teams {
    home: Option<Team>,
    away: Option<Team>,
}

#[derive(Deserialize)]
struct Team {
    id: Option<Id>,
    name: Option<String>,
    logo: Option<String>,
}

#[derive(Deserialize)]
struct Score {
    halftime: Option<Goals>,
    fulltime: Option<Goals>,
}

fn match_entry(text: &str, counting: Counting) -> MatchEntry {
    let Entry { fixture, teams, goals, score } = adapter::parse_match(text)?;
    let Id(external_id) = fixture.id;
    let kickoff = report::kickoff(&fixture.date).ok_or_else(|| adapter::no_time(&external_id))?;
    let side =
        |team: Option<Team>| team.and_then(|team| adapter::side(team.id, team.name, team.logo));
    let (Some(home), Some(away)) = (side(teams.home), side(teams.away)) else {
        return Ok(None);
    };
    let [elapsed, extra] = [&fixture.status.elapsed, &fixture.status.extra]
        .map(|value| report::minute(value.as_ref()));
    Ok(Some(MatchReport {
        period: Period::of(&fixture.status.short),
        minute: elapsed.map(|minute| minute + extra.unwrap_or(0)),
        external_id,
        home,
        away,
        kickoff,
        venue: report::venue(fixture.venue.and_then(|venue| venue.name).as_deref()),
        state: MatchState::of(&fixture.status.short),
        tally: tally(&fixture.status.short, goals, score.as_ref(), counting),
    }))
}

/// `goals` counts extra time and no shoot-out; `score.fulltime` is the score after 90 minutes.
fn tally(status: &str, all: Option<Goals>, score: Option<&Score>, counting: Counting) -> Tally {
    let all = goals(all);
    let full_time = goals(score.and_then(|score| score.fulltime));
    let counted = match status {
        "AET" | "PEN" | "ET" | "BT" | "P" => report::counted(counting, full_time, all),
        "FT" => match (full_time?, all?) {
            (Some(one), Some(other)) if one != other => {
                return Err("two scores that do not agree");
            }
            (one, other) => Ok(one.or(other)),
        },
        _ => all,
    };
    report::at_least(counted, goals(score.and_then(|score| score.halftime)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn counted(status: &str, goals: &Value, score: &Value, counting: Counting) -> Tally {
        let entry = json!({
            "fixture": {"id": 7, "date": "2026-11-20T15:00:00+00:00", "venue": {"name": "Park"},
                        "status": {"short": status}},
            "teams": {"home": {"id": 1, "name": "Northgate"}, "away": {"id": 2, "name": "Southbank"}},
            "goals": goals, "score": score,
        });
        match_entry(&entry.to_string(), counting).unwrap().unwrap().tally
    }

    #[test]
    fn goals_of_extra_time_count_only_where_that_is_set() {
        let (goals, score) = (
            json!({"home": 3, "away": 3}),
            json!({"halftime": {"home": 2, "away": 0}, "fulltime": {"home": 2, "away": 2},
                   "extratime": {"home": 1, "away": 1}, "penalty": {"home": 4, "away": 2}}),
        );
        for (status, counting, expected) in [
            ("PEN", Counting::Regular, 2),
            ("PEN", Counting::ExtraTime, 3),
            ("ET", Counting::Regular, 2),
        ] {
            let tally = counted(status, &goals, &score, counting);
            assert_eq!(tally, report::pair(Some(expected), Some(expected)), "{status}");
        }
    }

    #[test]
    fn a_result_with_two_scores_that_differ_is_not_sane() {
        let (goals, score) =
            (json!({"home": 1, "away": 0}), json!({"fulltime": {"home": 2, "away": 0}}));
        assert!(counted("FT", &goals, &score, Counting::Regular).is_err());
    }

    #[test]
    fn extra_time_without_the_score_before_it_has_no_regular_score() {
        let goals = json!({"home": 1, "away": 0});
        assert_eq!(counted("AET", &goals, &json!({}), Counting::Regular), Ok(None));
    }

    #[test]
    fn an_error_inside_an_answer_of_200_is_a_failure_without_its_sentence() {
        for (errors, kind) in [
            (json!({"token": "Error/Missing application key k3y."}), AskErrorKind::Refused),
            (json!({"requests": "You have reached the limit."}), AskErrorKind::Busy(Some(HOUR_MS))),
            (json!({"rateLimit": "Too many requests."}), AskErrorKind::Busy(Some(MINUTE_MS))),
        ] {
            let error = check_errors(&errors).unwrap_err();
            assert_eq!(error.kind, kind);
            assert!(!error.words.contains("k3y"), "{}", error.words);
        }
        assert!(check_errors(&json!([])).is_ok() && check_errors(&json!({})).is_ok());
    }
}
