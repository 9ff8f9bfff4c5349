//! The course of a day: its moments in their order, and what cannot be played.

use super::script::{Outage, Script, Turn, What};
use super::standing::{Standing, State};

const MOST_MATCHES: usize = 50;
const MOST_SCENES: usize = 2_000;
/// A day.
const LAST_MINUTE: i64 = 1_440;

#[derive(Debug, PartialEq, Eq)]
pub struct Moment {
    /// The minute of the day.
    pub at: i64,
    pub what: Happening,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Happening {
    /// In the match at this place of the script's.
    Turn(usize, Turn),
    /// For so many minutes.
    Away(Part, i64),
    Back(Part),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Sms,
    Chat,
}

/// The moments of the day in their order, kick-offs among them, or the first thing in the script that cannot be played.
pub fn plan(script: &Script) -> Result<Vec<Moment>, String> {
    check_matches(script)?;
    let mut scenes = written(script)?;
    // Of one minute's scenes, those that are written first happen first.
    scenes.sort_by_key(|moment| moment.at);
    let mut scenes = scenes.into_iter().peekable();
    let mut standings: Vec<Standing> = script.matches.iter().map(Standing::before).collect();
    let mut day = Vec::new();
    loop {
        let kick_off = standings
            .iter()
            .enumerate()
            .filter(|(_, standing)| standing.state == State::Scheduled)
            .min_by_key(|(_, standing)| standing.kick_off)
            .map(|(of, standing)| (of, standing.kick_off));
        let moment = match (kick_off, scenes.peek()) {
            (Some((of, at)), next) if next.is_none_or(|scene| at <= scene.at) => {
                Some(Moment { at, what: Happening::Turn(of, Turn::KickOff) })
            }
            _ => scenes.next(),
        };
        let Some(moment) = moment else { return Ok(day) };
        if moment.at > LAST_MINUTE {
            return Err(format!("minute {} is after the day's last, {LAST_MINUTE}", moment.at));
        }
        if let Happening::Turn(of, turn) = &moment.what
            && let Some(standing) = standings.get_mut(*of)
        {
            let key = script.matches.get(*of).map_or("", |fixture| fixture.key.as_str());
            standing.take(turn).map_err(|reason| {
                format!("minute {}, {key}, {}: {reason}", moment.at, word(turn))
            })?;
        }
        day.push(moment);
    }
}

fn check_matches(script: &Script) -> Result<(), String> {
    let clubs = script.clubs();
    if !(1..=MOST_MATCHES).contains(&script.matches.len()) {
        return Err(format!("a day has from 1 to {MOST_MATCHES} matches"));
    }
    if script.scenes.len() > MOST_SCENES {
        return Err(format!("a day has at most {MOST_SCENES} scenes"));
    }
    for (at, fixture) in script.matches.iter().enumerate() {
        let key = &fixture.key;
        let is_word = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
        if !(1..=40).contains(&key.len()) || !key.chars().all(is_word) {
            return Err(format!("{key:?} is no key: 1 to 40 letters, digits, _ and -"));
        }
        if script.matches.iter().take(at).any(|earlier| earlier.key == *key) {
            return Err(format!("there are two matches {key}"));
        }
        for club in [&fixture.home, &fixture.away] {
            if !clubs.contains_key(club.as_str()) {
                return Err(format!("{key}: there is no team {club}"));
            }
        }
        if fixture.home == fixture.away {
            return Err(format!("{key}: a team does not play against itself"));
        }
        if !(1..=LAST_MINUTE).contains(&fixture.kick_off) {
            return Err(format!("{key}: kick_off is a minute from 1 to {LAST_MINUTE}"));
        }
    }
    Ok(())
}

/// The script's own scenes, in its order, each outage with its end.
fn written(script: &Script) -> Result<Vec<Moment>, String> {
    let mut moments = Vec::new();
    for scene in &script.scenes {
        let at = scene.at;
        if !(0..=LAST_MINUTE).contains(&at) {
            return Err(format!("minute {at} is none from 0 to {LAST_MINUTE}"));
        }
        match &scene.what {
            What::Turn(key, turn) => {
                let of = script.matches.iter().position(|fixture| fixture.key == *key);
                let of = of.ok_or_else(|| format!("minute {at}: there is no match {key}"))?;
                moments.push(Moment { at, what: Happening::Turn(of, turn.clone()) });
            }
            What::Outage(outage) => {
                let (part, minutes) = match *outage {
                    Outage::SmsOutage { minutes } => (Part::Sms, minutes),
                    Outage::ChatOutage { minutes } => (Part::Chat, minutes),
                };
                if !(1..=LAST_MINUTE - at).contains(&minutes) {
                    return Err(format!(
                        "minute {at}: an outage is from 1 minute to the day's end"
                    ));
                }
                moments.push(Moment { at, what: Happening::Away(part, minutes) });
                moments.push(Moment { at: at + minutes, what: Happening::Back(part) });
            }
        }
    }
    Ok(moments)
}

/// As the script writes it.
const fn word(turn: &Turn) -> &'static str {
    match turn {
        Turn::KickOff => "kick_off",
        Turn::Goal { .. } => "goal",
        Turn::GoalTakenBack { .. } => "goal_taken_back",
        Turn::HalfTime {} => "half_time",
        Turn::SecondHalf {} => "second_half",
        Turn::FullTime {} => "full_time",
        Turn::Corrected { .. } => "corrected",
        Turn::Delayed { .. } => "delayed",
        Turn::Postponed { .. } => "postponed",
        Turn::Abandoned { .. } => "abandoned",
    }
}

#[cfg(test)]
mod tests {
    use super::super::script::SATURDAY;
    use super::*;

    fn finals(script: &Script) -> Vec<Standing> {
        let mut standings: Vec<Standing> = script.matches.iter().map(Standing::before).collect();
        for moment in plan(script).unwrap() {
            if let Happening::Turn(of, turn) = moment.what {
                standings[of].take(&turn).unwrap();
            }
        }
        standings
    }

    #[test]
    fn the_saturday_has_everything_that_can_happen_and_takes_an_hour() {
        let script = Script::parse(SATURDAY).unwrap();
        let day = plan(&script).unwrap();
        assert!(day.is_sorted_by_key(|moment| moment.at));
        assert!((55..=60).contains(&day.last().unwrap().at));
        for wanted in [
            "kick_off",
            "goal",
            "goal_taken_back",
            "half_time",
            "second_half",
            "full_time",
            "corrected",
            "delayed",
            "postponed",
            "abandoned",
        ] {
            let is_there = |moment: &Moment| matches!(&moment.what, Happening::Turn(_, turn) if word(turn) == wanted);
            assert!(day.iter().any(is_there), "{wanted}");
        }
        for part in [Part::Sms, Part::Chat] {
            let is_away =
                |moment: &Moment| matches!(moment.what, Happening::Away(away, _) if away == part);
            assert!(day.iter().any(is_away));
            assert!(day.iter().any(|moment| moment.what == Happening::Back(part)));
        }
        let ends: Vec<_> = finals(&script).into_iter().map(|end| (end.state, end.score)).collect();
        let lightning = "Lightning over the ground".to_owned();
        assert_eq!(
            ends,
            [
                (State::Finished, (1, 1)),
                (State::Finished, (1, 1)),
                (State::Finished, (0, 2)),
                (State::Abandoned { was_live: true, reason: lightning }, (1, 0)),
                (State::Postponed { days: None }, (0, 0)),
                (State::Postponed { days: Some(7) }, (0, 0)),
            ]
        );
    }

    #[test]
    fn a_delayed_match_begins_later_and_a_postponed_one_does_not_begin() {
        let day = plan(&Script::parse(SATURDAY).unwrap()).unwrap();
        let kick_offs: Vec<_> = day
            .iter()
            .filter_map(|moment| match moment.what {
                Happening::Turn(of, Turn::KickOff) => Some((of, moment.at)),
                _ => None,
            })
            .collect();
        assert_eq!(kick_offs, [(0, 10), (1, 10), (3, 11), (2, 18)]);
    }

    #[test]
    fn what_cannot_be_played_is_refused_with_the_minute_and_the_match() {
        let of = |matches: &str, scenes: &str| {
            let text = format!(r#"{{"name": "x", "matches": [{matches}], "scenes": [{scenes}]}}"#);
            Script::parse(&text).and_then(|script| plan(&script)).unwrap_err()
        };
        let a = r#"{"key": "a", "home": "northgate_fc", "away": "southbank_fc", "kick_off": 5}"#;
        for (matches, scenes, complaint) in [
            ("", "", "from 1 to 50 matches"),
            (
                r#"{"key": "a", "home": "nordhavn_bears", "away": "lumijarvi", "kick_off": 5}"#,
                "",
                "a: there is no team nordhavn_bears",
            ),
            (
                r#"{"key": "a", "home": "northgate_fc", "away": "northgate_fc", "kick_off": 5}"#,
                "",
                "against itself",
            ),
            (
                r#"{"key": "a b", "home": "northgate_fc", "away": "southbank_fc", "kick_off": 5}"#,
                "",
                "is no key",
            ),
            (
                r#"{"key": "a", "home": "northgate_fc", "away": "southbank_fc", "kick_off": 0}"#,
                "",
                "from 1 to 1440",
            ),
            (
                a,
                r#"{"at": 4, "match": "a", "what": "goal", "side": "home"}"#,
                "minute 4, a, goal: the match is not live",
            ),
            (a, r#"{"at": 9, "match": "b", "what": "half_time"}"#, "minute 9: there is no match b"),
            (
                a,
                r#"{"at": 9, "match": "a", "what": "goal_taken_back", "side": "home"}"#,
                "from 0 to 99 goals",
            ),
            (a, r#"{"at": 9, "match": "a", "what": "second_half"}"#, "not that far"),
            (
                a,
                r#"{"at": 5, "match": "a", "what": "delayed", "minutes": 3}"#,
                "the match has begun",
            ),
            (
                a,
                r#"{"at": 9, "match": "a", "what": "corrected", "home": 1, "away": 0}"#,
                "only a final score",
            ),
            (a, r#"{"at": 9, "match": "a", "what": "abandoned", "reason": " "}"#, "1 to 200"),
            (a, r#"{"at": 3, "match": "a", "what": "postponed", "days": 0}"#, "1 to 365"),
            (
                a,
                r#"{"at": 3, "match": "a", "what": "delayed", "minutes": 1440}"#,
                "after the day's last",
            ),
            (a, r#"{"at": 9, "what": "sms_outage", "minutes": 0}"#, "an outage is"),
            (a, r#"{"at": 9, "what": "fire"}"#, "the scene at minute 9: unknown variant `fire`"),
            (a, r#"{"at": 9, "match": "a", "what": "kick_off"}"#, "unknown variant `kick_off`"),
            (
                a,
                r#"{"at": 9, "match": "a", "what": "half_time", "side": "home"}"#,
                "unknown field `side`",
            ),
            (a, r#"{"match": "a", "what": "half_time"}"#, "needs `at`"),
        ] {
            let said = of(matches, scenes);
            assert!(said.contains(complaint), "{said:?} does not say {complaint:?}");
        }
    }
}
