//! What a provider says about matches, in plain words: texts without anything that does not belong on a line and none too long,
//! goals that can be goals, moments that a calendar can show.

use serde_json::Value;

use crate::platform::clock::Timestamp;
use crate::platform::shown_text::on_one_line;

use super::source::Counting;

// These bounds are those of the catalogue; a test of the conversion into its types holds them to that.
const LONGEST_NAME: usize = 100;
const LONGEST_VENUE: usize = 200;
const LONGEST_LOGO: usize = 500;
const MOST_GOALS: i64 = 99;
const LAST_MINUTE: i64 = 300;
const EARLIEST_KICKOFF: Timestamp = Timestamp::from_millis(-2_208_988_800_000); // 1900
const LATEST_KICKOFF: Timestamp = Timestamp::from_millis(7_258_118_400_000); // 2200

/// Of one side, 0 to 99.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Goals(i64);

impl Goals {
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl TryFrom<i64> for Goals {
    type Error = &'static str;

    fn try_from(number: i64) -> Result<Self, Self::Error> {
        let can_be = (0..=MOST_GOALS).contains(&number);
        if can_be { Ok(Self(number)) } else { Err("a score outside 0 to 99") }
    }
}

/// Of the home side and of the away side.
pub type Score = (Goals, Goals);

/// The score that counts: none yet, or why the one that is given cannot be right.
pub type Tally = Result<Option<Score>, &'static str>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchReport {
    /// The provider's own name for the match.
    pub external_id: String,
    pub home: TeamReport,
    pub away: TeamReport,
    pub kickoff: Timestamp,
    /// Empty when it says nothing.
    pub venue: String,
    pub state: MatchState,
    pub tally: Tally,
    /// Of a match that is being played, where the provider says.
    pub period: Option<Period>,
    pub minute: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamReport {
    pub external_id: String,
    pub name: String,
    pub logo: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MatchState {
    Scheduled,
    /// Not at the time that was said, and perhaps without a new one.
    Postponed,
    Live,
    Finished,
    /// Decided at a desk.
    Awarded,
    Cancelled,
    Abandoned,
    /// A word that no map knows.
    Unknown(String),
}

impl MatchState {
    /// For people.
    pub fn word(&self) -> &str {
        match self {
            Self::Scheduled => "scheduled",
            Self::Postponed => "postponed",
            Self::Live => "live",
            Self::Finished => "finished",
            Self::Awarded => "awarded",
            Self::Cancelled => "cancelled",
            Self::Abandoned => "abandoned",
            Self::Unknown(word) => word,
        }
    }

    /// By the words of football-data.org and of API-Football, which do not collide.
    pub fn of(word: &str) -> Self {
        match word {
            "SCHEDULED" | "TIMED" | "NS" | "TBD" => Self::Scheduled,
            "POSTPONED" | "PST" => Self::Postponed,
            // An interrupted match is still being played until somebody says otherwise.
            "IN_PLAY" | "PAUSED" | "EXTRA_TIME" | "PENALTY_SHOOTOUT" | "SUSPENDED" | "1H"
            | "HT" | "2H" | "ET" | "BT" | "P" | "LIVE" | "INT" | "SUSP" => Self::Live,
            "FINISHED" | "FT" | "AET" | "PEN" => Self::Finished,
            "AWARDED" | "AWD" | "WO" => Self::Awarded,
            "CANCELLED" | "CANCELED" | "CANC" => Self::Cancelled,
            "ABANDONED" | "ABD" => Self::Abandoned,
            other => Self::Unknown(on_one_line(other, 40)),
        }
    }
}

/// A part of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Period {
    FirstHalf,
    HalfTime,
    SecondHalf,
    ExtraTime,
    Penalties,
}

impl Period {
    /// By the words of football-data.org and of API-Football that name one.
    pub fn of(word: &str) -> Option<Self> {
        match word {
            "1H" => Some(Self::FirstHalf),
            "HT" | "PAUSED" => Some(Self::HalfTime),
            "2H" => Some(Self::SecondHalf),
            "ET" | "BT" | "EXTRA_TIME" => Some(Self::ExtraTime),
            "P" | "PENALTY_SHOOTOUT" => Some(Self::Penalties),
            _ => None,
        }
    }
}

/// A minute of play: a number, or a text such as `45+2`, which is the 47th. Nothing if it cannot be one.
pub fn minute(value: Option<&Value>) -> Option<i64> {
    let minute = match value? {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => {
            let mut parts = text.split('+').map(|part| part.trim().parse::<i64>().ok());
            let sum = parts.try_fold(0_i64, |sum, part| sum.checked_add(part?));
            sum.filter(|_| text.len() < 10)
        }
        _ => None,
    };
    minute.filter(|minute| (0..=LAST_MINUTE).contains(minute))
}

/// What a provider says about a tournament: one page of its answer or, added up, all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TournamentReport {
    /// What the provider calls it.
    pub name: Option<String>,
    pub matches: Vec<MatchReport>,
    /// What cannot be read, in words for people.
    pub problems: Vec<String>,
    /// Matches whose sides are not known yet.
    pub undrawn: usize,
    pub is_last: bool,
}

/// One match of an answer: read, not drawn yet, or why it cannot be read.
pub type MatchEntry = Result<Option<MatchReport>, String>;

impl TournamentReport {
    pub fn of(name: Option<&str>, entries: impl Iterator<Item = MatchEntry>) -> Self {
        let mut report = Self { name: name.and_then(title), is_last: true, ..Self::default() };
        for entry in entries {
            match entry {
                Ok(Some(found)) => report.matches.push(found),
                Ok(None) => report.undrawn += 1,
                Err(problem) => report.problems.push(problem),
            }
        }
        report
    }

    pub fn add(&mut self, other: Self) {
        self.name = self.name.take().or(other.name);
        self.matches.extend(other.matches);
        self.problems.extend(other.problems);
        self.undrawn += other.undrawn;
        self.is_last = other.is_last;
    }

    /// Each match once: one that moved from page to page while they were read counts as it was seen last.
    #[must_use]
    pub fn without_repeats(mut self) -> Self {
        let mut seen = std::collections::BTreeSet::new();
        self.matches.reverse();
        self.matches.retain(|report| seen.insert(report.external_id.clone()));
        self.matches.reverse();
        self
    }

    /// Whether this can be taken for a tournament: it has matches, and most of it could be read.
    pub fn is_sane(&self) -> bool {
        let read = self.matches.len() + self.undrawn;
        read > 0 && self.problems.len() <= read
    }
}

/// A name that people can be shown.
pub fn title(text: &str) -> Option<String> {
    let text = on_one_line(text, 1_000);
    let name = text.trim();
    (1..=LONGEST_NAME).contains(&name.chars().count()).then(|| name.to_owned())
}

/// A picture's address, or nothing if it is not one.
pub fn logo(text: Option<&str>) -> Option<String> {
    let text = text?;
    let is_address = text.parse::<http::Uri>().is_ok_and(|uri| {
        matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some()
    });
    let is_plain = text.len() <= LONGEST_LOGO && text.bytes().all(|b| b.is_ascii_graphic());
    (is_address && is_plain).then(|| text.to_owned())
}

pub fn venue(text: Option<&str>) -> String {
    on_one_line(text.unwrap_or_default(), LONGEST_VENUE).trim().to_owned()
}

/// A moment with its zone that a calendar can show.
pub fn kickoff(text: &str) -> Option<Timestamp> {
    Timestamp::parse(text).filter(|moment| (EARLIEST_KICKOFF..LATEST_KICKOFF).contains(moment))
}

/// Both sides' goals, neither's, or why these cannot be goals.
pub fn pair(home: Option<i64>, away: Option<i64>) -> Tally {
    match (home, away) {
        (None, None) => Ok(None),
        (Some(home), Some(away)) => Ok(Some((Goals::try_from(home)?, Goals::try_from(away)?))),
        _ => Err("the score of one side only"),
    }
}

/// Goals of one part of a match added to those before it.
pub fn sum(one: Option<Score>, other: Option<Score>) -> Tally {
    match (one, other) {
        (Some(one), Some(other)) => {
            pair(Some(one.0.get() + other.0.get()), Some(one.1.get() + other.1.get()))
        }
        _ => Ok(None),
    }
}

/// The tally, unless half-time already had more goals.
pub fn at_least(tally: Tally, half_time: Tally) -> Tally {
    match (tally?, half_time.unwrap_or(None)) {
        (Some(all), Some(half)) if half.0 > all.0 || half.1 > all.1 => {
            Err("more goals at half-time than in all")
        }
        (all, _) => Ok(all),
    }
}

/// Of the two scores of a match that went on after 90 minutes.
pub fn counted(counting: Counting, regular: Tally, with_extra_time: Tally) -> Tally {
    match counting {
        Counting::Regular => regular,
        Counting::ExtraTime => with_extra_time,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_word_of_the_providers_has_its_state() {
        for (state, all) in [
            (MatchState::Scheduled, &["SCHEDULED", "TIMED", "NS", "TBD"][..]),
            (MatchState::Live, &["IN_PLAY", "PAUSED", "1H", "HT", "2H", "ET", "BT", "P", "LIVE"]),
            (MatchState::Live, &["EXTRA_TIME", "PENALTY_SHOOTOUT", "SUSPENDED", "INT", "SUSP"]),
            (MatchState::Finished, &["FINISHED", "FT", "AET", "PEN"]),
            (MatchState::Postponed, &["POSTPONED", "PST"]),
            (MatchState::Cancelled, &["CANCELLED", "CANC"]),
            (MatchState::Abandoned, &["ABANDONED", "ABD"]),
            (MatchState::Awarded, &["AWARDED", "AWD", "WO"]),
        ] {
            for word in all {
                assert_eq!(MatchState::of(word), state, "{word}");
            }
        }
    }

    #[test]
    fn a_minute_is_a_number_or_its_parts() {
        let read = |value: Value| minute(Some(&value));
        assert_eq!(read(63.into()), Some(63));
        assert_eq!(read("45+2".into()), Some(47));
        for wrong in
            [Value::Null, (-1).into(), 301.into(), 1.5.into(), "".into(), "HT".into(), "9+".into()]
        {
            assert_eq!(read(wrong.clone()), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn any_other_word_is_unknown_and_fit_to_be_shown(word in "\\PC{0,80}") {
            if let MatchState::Unknown(shown) = MatchState::of(&word) {
                prop_assert!(shown.chars().count() <= 40);
                prop_assert!(!shown.chars().any(char::is_control));
            }
        }

        #[test]
        fn a_pair_is_goals_of_both_sides_or_nothing(home: Option<i64>, away: Option<i64>) {
            if let Ok(Some((h, a))) = pair(home, away) {
                prop_assert_eq!((Some(h.get()), Some(a.get())), (home, away));
            }
        }
    }
}
