//! What clients see when a day is over, reckoned from its script, and whether that is what the service answers.

use serde_json::{Map, Value, json};

use super::fans::{Fan, pick};
use super::script::Fixture;
use super::standing::{Standing, State};
use crate::features::events::{Score, Scoring};
use crate::features::predictions::{Outcome, Pick, Rules, Tier};
use crate::platform::clock::Timestamp;

/// A match with where it ended up.
pub struct Match<'a> {
    pub fixture: &'a Fixture,
    pub id: i64,
    pub home: &'a str,
    pub away: &'a str,
    pub standing: Standing,
    /// As it was last told.
    pub start_time: Timestamp,
}

impl Match<'_> {
    /// The score that predictions are settled by.
    fn result(&self) -> Option<(Score, Score)> {
        if self.standing.state != State::Finished {
            return None;
        }
        let (home, away) = self.standing.score;
        Some((Score::try_from(home).ok()?, Score::try_from(away).ok()?))
    }

    pub fn line(&self) -> String {
        let (home, away) = self.standing.score;
        format!("{} {home}-{away} {}", self.home, self.away)
    }

    /// As clients see it: its status, and the score if it has one.
    fn seen(&self) -> (&'static str, Option<(i64, i64)>) {
        let score = Some(self.standing.score);
        match &self.standing.state {
            State::Scheduled
            | State::Postponed { .. }
            | State::Abandoned { was_live: false, .. } => ("scheduled", None),
            State::Live(_) | State::Abandoned { was_live: true, .. } => ("live", score),
            State::Finished => ("finished", score),
        }
    }

    /// The fields of `GET /api/auth/events/{event}` that the script decides.
    fn view(&self) -> Map<String, Value> {
        let (status, score) = self.seen();
        let reason = match &self.standing.state {
            State::Abandoned { reason, .. } => Some(reason),
            _ => None,
        };
        let fields = [
            ("id", json!(self.id)),
            ("status", json!(status)),
            ("status_detail", json!(reason.map(|_| "void"))),
            ("void_reason", json!(reason)),
            ("home_score", json!(score.map(|score| score.0))),
            ("away_score", json!(score.map(|score| score.1))),
            ("start_time", json!(self.start_time)),
            ("start_time_confirmed", json!(self.standing.state != State::Postponed { days: None })),
        ];
        fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// The end of a day: matches and what its fans earned.
pub struct Expected<'a> {
    pub rules: Rules,
    pub matches: &'a [Match<'a>],
    pub fans: &'a [Fan],
}

/// What one fan has at the end.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Earned {
    pub predictions: usize,
    pub correct: usize,
    pub exact: usize,
    pub points: i64,
}

impl<'a> Expected<'a> {
    pub fn new(scoring: Scoring, matches: &'a [Match<'a>], fans: &'a [Fan]) -> Self {
        Self { rules: Rules { scoring, confidence_weighted: false }, matches, fans }
    }

    pub fn points(&self, of: &Match<'_>, pick: &Pick) -> Option<(Tier, i64)> {
        of.result().map(|(home, away)| self.rules.score(pick, home, away))
    }

    pub fn earned(&self, fan: &Fan) -> Earned {
        let mut earned = Earned::default();
        for of in self.matches {
            let Some(pick) = pick(fan.number, of.fixture) else { continue };
            earned.predictions += 1;
            let Some((tier, points)) = self.points(of, &pick) else { continue };
            earned.correct += usize::from(tier != Tier::Nothing);
            earned.exact += usize::from(tier == Tier::Exact);
            earned.points += points;
        }
        earned
    }

    /// The fans with their points, best first, and of equals the one who came first.
    pub fn ranked(&self) -> Vec<(&'a Fan, Earned)> {
        let mut ranked: Vec<_> = self.fans.iter().map(|fan| (fan, self.earned(fan))).collect();
        ranked.sort_by_key(|(fan, earned)| (-earned.points, fan.number));
        ranked
    }

    /// The same for people.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![String::new(), "What a client should see now:".to_owned()];
        for of in self.matches {
            let (status, score) = of.seen();
            let score =
                score.map_or_else(|| "-".to_owned(), |(home, away)| format!("{home}-{away}"));
            let note = match &of.standing.state {
                State::Postponed { days: None } => "its time is not confirmed".to_owned(),
                State::Postponed { days: Some(_) } => format!("begins at {}", of.start_time),
                State::Abandoned { reason, .. } => format!("void: {reason}"),
                _ => String::new(),
            };
            let pair = format!("{} - {}", of.home, of.away);
            let line = format!("  event {:<6} {status:<10} {score:<6} {pair:<42} {note}", of.id);
            lines.push(line.trim_end().to_owned());
        }
        let points =
            [Tier::Outcome, Tier::Difference, Tier::Exact].map(|tier| self.rules.base_points(tier));
        let [outcome, difference, exact] = points;
        lines.push(format!(
            "  points: {outcome} for the right outcome, {difference} with the right difference, {exact} for the exact score"
        ));
        let ranked = self.ranked();
        let sum =
            |of: fn(&Earned) -> usize| ranked.iter().map(|(_, earned)| of(earned)).sum::<usize>();
        let points: i64 = ranked.iter().map(|(_, earned)| earned.points).sum();
        lines.push(format!(
            "  the fans: {} predictions, {} right, {} exact, {points} points",
            sum(|earned| earned.predictions),
            sum(|earned| earned.correct),
            sum(|earned| earned.exact),
        ));
        for (fan, earned) in ranked.iter().take(3) {
            lines.push(format!("  {}: {} points ({})", fan.username, earned.points, fan.phone));
        }
        lines
    }

    /// Everything that an app's test can hold against what it shows.
    pub fn document(&self, name: &str) -> Value {
        let matches: Vec<Value> = self.matches.iter().map(|of| self.match_view(of)).collect();
        let fans: Vec<Value> = self
            .ranked()
            .into_iter()
            .map(|(fan, earned)| {
                json!({"user_id": fan.id, "username": fan.username, "phone": fan.phone,
                       "predictions": earned.predictions, "correct": earned.correct,
                       "exact": earned.exact, "points": earned.points})
            })
            .collect();
        json!({"name": name, "matches": matches, "fans": fans})
    }

    fn match_view(&self, of: &Match<'_>) -> Value {
        let mut view = of.view();
        view.insert("key".to_owned(), json!(of.fixture.key));
        view.insert("home".to_owned(), json!(of.home));
        view.insert("away".to_owned(), json!(of.away));
        let picks = || self.fans.iter().filter_map(|fan| pick(fan.number, of.fixture));
        let count = |outcome| picks().filter(|pick| pick.outcome() == outcome).count();
        let split = json!({"home": count(Outcome::Home), "draw": count(Outcome::Draw),
                           "away": count(Outcome::Away)});
        view.insert("fans_predicted".to_owned(), split);
        let worth = of.result().map(|(home, away)| {
            let outcome = Outcome::of(home, away);
            json!({"outcome": outcome, "points": {
                "outcome": self.rules.base_points(Tier::Outcome),
                "difference": self.rules.base_points(Tier::Difference),
                "exact": self.rules.base_points(Tier::Exact)}})
        });
        view.insert("a_right_prediction".to_owned(), json!(worth));
        Value::Object(view)
    }

    /// Where the service's answers differ: first those about matches, then each fan's own predictions.
    pub fn differences(&self, events: &[Value], own: &[Vec<Value>]) -> Vec<String> {
        let mut found = Vec::new();
        for (of, answered) in self.matches.iter().zip(events) {
            for (field, value) in of.view() {
                let there = answered.get(&field).unwrap_or(&Value::Null);
                if *there != value {
                    found.push(format!("event {}: {field} is {there} and not {value}", of.id));
                }
            }
        }
        for (fan, predictions) in self.fans.iter().zip(own) {
            for of in self.matches {
                let there = predictions.iter().find(|one| one["event_id"] == of.id);
                let expected = pick(fan.number, of.fixture);
                match (there, expected) {
                    (None, None) => {}
                    (Some(there), Some(pick)) => {
                        let points = json!(self.points(of, &pick).map(|(_, points)| points));
                        if there["points_earned"] != points {
                            let answered = &there["points_earned"];
                            found.push(format!(
                                "{} has {answered} points for event {} and not {points}",
                                fan.username, of.id
                            ));
                        }
                    }
                    (there, _) => {
                        let word = if there.is_some() { "a" } else { "no" };
                        found.push(format!(
                            "{} has {word} prediction on event {}",
                            fan.username, of.id
                        ));
                    }
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_service_answers_otherwise_is_found() {
        let (key, club) = ("derby".to_owned(), String::new);
        let fixture = Fixture { key, home: club(), away: club(), kick_off: 1 };
        let standing = Standing { state: State::Finished, score: (2, 1), kick_off: 1 };
        let start_time = Timestamp::from_millis(0);
        let (home, away) = ("Northgate FC", "Southbank FC");
        let matches = [Match { fixture: &fixture, id: 7, home, away, standing, start_time }];
        let number = (1..100).find(|number| pick(*number, &fixture).is_some()).unwrap();
        let text = || "fan".to_owned();
        let fan =
            Fan { number, phone: text(), id: 1, username: text(), token: text(), chat_token: None };
        let fans = [fan];
        let expected = Expected::new(Scoring::Classic, &matches, &fans);
        let points = expected.points(&matches[0], &pick(number, &fixture).unwrap()).unwrap().1;
        let event = json!({"id": 7, "status": "finished", "status_detail": null, "void_reason": null,
            "home_score": 2, "away_score": 1, "start_time": "1970-01-01T00:00:00.000Z",
            "start_time_confirmed": true, "venue": "not looked at"});
        let own = json!({"event_id": 7, "points_earned": points});
        let found = |event: &Value, own: &[Value]| {
            expected.differences(std::slice::from_ref(event), &[own.to_vec()])
        };
        assert_eq!(found(&event, std::slice::from_ref(&own)), Vec::<String>::new());
        let mut wrong = event.clone();
        wrong["home_score"] = 3.into();
        assert_eq!(
            found(&wrong, std::slice::from_ref(&own)),
            ["event 7: home_score is 3 and not 2"]
        );
        let unsettled = json!({"event_id": 7, "points_earned": null});
        let complaint = format!("fan has null points for event 7 and not {points}");
        assert_eq!(found(&event, &[unsettled]), [complaint]);
        assert_eq!(found(&event, &[]), ["fan has no prediction on event 7"]);
    }
}
