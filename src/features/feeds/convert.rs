//! What a provider says, in the types of the catalogue and its events: the one place where the two meet.
//!
//! The adapters let through only what fits here, so nothing is lost; if their bounds and those of the catalogue ever differ, what
//! does not fit is left out and told as a problem.

use crate::adapters::providers::report::{
    self, MatchReport, MatchState, TeamReport, TournamentReport,
};
use crate::features::catalogue::{Logo, Title};
use crate::features::events::{Kickoff, Minute, Period, Score, Venue};
use crate::platform::clock::Timestamp;

/// Of the home side and of the away report.
pub type ScorePair = (Score, Score);

/// The score that counts: none yet, or why the one that is given cannot be right.
pub type Tally = Result<Option<ScorePair>, &'static str>;

/// A tournament as a provider has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedTournament {
    pub name: Option<Title>,
    pub matches: Vec<FeedMatch>,
    /// What cannot be read, in words for people.
    pub problems: Vec<String>,
    /// Matches whose sides are not known yet.
    pub undrawn: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedMatch {
    /// The provider's own name for the match.
    pub external_id: String,
    pub home: FeedTeam,
    pub away: FeedTeam,
    pub kickoff: Timestamp,
    /// Empty when it says nothing.
    pub venue: Venue,
    pub state: MatchState,
    pub tally: Tally,
    /// Of a match that is being played, where the provider says.
    pub period: Option<Period>,
    pub minute: Option<Minute>,
}

impl FeedMatch {
    /// How the match stands by what the provider says, for people.
    pub fn standing(&self) -> String {
        let state = self.state.word();
        match self.tally {
            Ok(Some((home, away))) => format!("{state}, {}-{}", home.get(), away.get()),
            Ok(None) | Err(_) => state.to_owned(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedTeam {
    pub external_id: String,
    pub name: Title,
    pub logo: Option<Logo>,
}

pub fn feed_tournament(report: TournamentReport) -> FeedTournament {
    let mut problems = report.problems;
    let mut matches = Vec::new();
    for report in report.matches {
        match feed_match(&report) {
            Some(found) => matches.push(found),
            None => problems
                .push(format!("match {}: it does not fit the catalogue", report.external_id)),
        }
    }
    let name = report.name.and_then(|name| Title::try_from(name.as_str()).ok());
    FeedTournament { name, matches, problems, undrawn: report.undrawn }
}

fn feed_match(report: &MatchReport) -> Option<FeedMatch> {
    Some(FeedMatch {
        external_id: report.external_id.clone(),
        home: feed_team(&report.home)?,
        away: feed_team(&report.away)?,
        kickoff: Kickoff::try_from(report.kickoff).ok()?.get(),
        venue: Venue::try_from(report.venue.as_str()).ok()?,
        state: report.state.clone(),
        tally: tally(report.tally),
        period: report.period.map(period),
        minute: report.minute.and_then(|minute| Minute::try_from(minute).ok()),
    })
}

const fn period(period: report::Period) -> Period {
    match period {
        report::Period::FirstHalf => Period::FirstHalf,
        report::Period::HalfTime => Period::HalfTime,
        report::Period::SecondHalf => Period::SecondHalf,
        report::Period::ExtraTime => Period::ExtraTime,
        report::Period::Penalties => Period::Penalties,
    }
}

fn feed_team(report: &TeamReport) -> Option<FeedTeam> {
    Some(FeedTeam {
        external_id: report.external_id.clone(),
        name: Title::try_from(report.name.as_str()).ok()?,
        logo: report.logo.as_deref().and_then(|logo| Logo::try_from(logo).ok()),
    })
}

fn tally(tally: report::Tally) -> Tally {
    let Some((home, away)) = tally? else { return Ok(None) };
    let score = |goals: report::Goals| {
        Score::try_from(goals.get()).map_err(|_| "a score that no match here can have")
    };
    Ok(Some((score(home)?, score(away)?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapters::providers::examples::{adapters, document};
    use crate::platform::damaged_json::damaged;
    use crate::platform::shown_text::on_one_line;
    use proptest::prelude::*;

    /// Any text, or one that is nearly an address.
    fn text() -> impl Strategy<Value = String> {
        prop_oneof![
            any::<String>(),
            "\\PC{0,250}",
            "( |\t)?[a-z]{98,102}( |\n)?",
            "(http|https|ftp)?:?//?[a-z.]{0,9}(/[!-~ é]{0,9})?",
            "https://[a-z]{1,5}/[a-z]{480,490}",
        ]
    }

    proptest! {
        #[test]
        fn the_adapters_let_through_exactly_what_the_catalogue_takes(text in text()) {
            let line = on_one_line(&text, 1_000);
            let title = Title::try_from(line.as_str()).ok();
            prop_assert_eq!(report::title(&text), title.map(|title| title.as_str().to_owned()));
            let logo = Logo::try_from(text.as_str()).ok().filter(|logo| !logo.as_str().starts_with('/'));
            prop_assert_eq!(report::logo(Some(&text)), logo.map(|logo| logo.as_str().to_owned()));
            let venue = Venue::try_from(on_one_line(&text, 200).as_str()).unwrap();
            prop_assert_eq!(report::venue(Some(&text)), venue.as_str());
        }

        #[test]
        fn the_adapters_let_through_exactly_the_scores_that_a_match_can_have(
            number in prop_oneof![any::<i64>(), -3_i64..103],
        ) {
            let goals = report::Goals::try_from(number).ok().map(report::Goals::get);
            prop_assert_eq!(goals, Score::try_from(number).ok().map(Score::get));
        }

        #[test]
        fn the_adapters_let_through_exactly_the_times_at_which_a_match_can_begin(
            year in prop_oneof![1_890_i64..1_910, 2_190_i64..2_210, 0_i64..9_999],
            rest in prop_oneof![Just("-01-01T00:00:00Z"), Just("-12-31T23:59:59Z"), Just("-06-01")],
        ) {
            let text = format!("{year:04}{rest}");
            prop_assert_eq!(report::kickoff(&text), Kickoff::try_from(text.as_str()).ok().map(Kickoff::get));
        }

        #[test]
        fn nothing_that_an_adapter_reads_is_lost(damaged in damaged(document())) {
            for adapter in adapters() {
                let Ok(told) = adapter.read(damaged.to_string().as_bytes()) else { continue };
                let read = feed_tournament(told.clone());
                prop_assert_eq!(read.matches.len(), told.matches.len());
                prop_assert_eq!(&read.problems, &told.problems);
                prop_assert_eq!(read.name.as_ref().map(Title::as_str), told.name.as_deref());
                for (found, report) in read.matches.iter().zip(&told.matches) {
                    prop_assert_eq!(found.home.name.as_str(), &report.home.name);
                    prop_assert_eq!(found.home.logo.as_ref().map(Logo::as_str), report.home.logo.as_deref());
                    prop_assert_eq!(found.venue.as_str(), &report.venue);
                    prop_assert_eq!(found.kickoff, report.kickoff);
                    let goals = report.tally.map(|score| score.map(|(home, away)| (home.get(), away.get())));
                    let score = found.tally.map(|score| score.map(|(home, away)| (home.get(), away.get())));
                    prop_assert_eq!(score, goals);
                }
            }
        }
    }
}
