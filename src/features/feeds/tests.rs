//! The rules by which a report changes a match, tried on anything that can be reported.

use proptest::prelude::*;

use super::claim::LastSaid;
use super::convert::{FeedMatch, FeedTeam, Tally};
use super::decide::{self, Decision, KnownMatch, LastWritten, PlannedChanges};
use super::source::Awarded;
use crate::adapters::providers::Provider;
use crate::adapters::providers::report::MatchState;
use crate::features::catalogue::Title;
use crate::features::events::{
    EventId, EventRow, Minute, Period, Playing, Score, Status, TournamentId, Venue, VoidReason,
};
use crate::features::teams::TeamId;
use crate::platform::clock::{DAY_MS, HOUR_MS, MINUTE_MS, Timestamp};
use crate::platform::config::{Config, FeedsConfig};

const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);

fn score() -> impl Strategy<Value = (Score, Score)> {
    let goals = || (0_i64..4).prop_map(|goals| Score::try_from(goals).unwrap());
    (goals(), goals())
}

fn moment() -> impl Strategy<Value = Timestamp> {
    (-30_i64..30, 0_i64..3)
        .prop_map(|(days, hours)| NOW.plus_ms(days * DAY_MS + hours * HOUR_MS + MINUTE_MS))
}

fn venue() -> impl Strategy<Value = Venue> {
    prop_oneof![Just(""), Just("Park"), Just("Stadium")]
        .prop_map(|name| Venue::try_from(name).unwrap())
}

/// A match that nobody has said anything about.
fn plain(status: Status, score: Option<(Score, Score)>, start_time: Timestamp) -> EventRow {
    EventRow {
        id: EventId(1),
        tournament_id: TournamentId(1),
        home_team_id: TeamId(1),
        away_team_id: TeamId(2),
        start_time,
        start_time_confirmed: true,
        venue: Venue::default(),
        status,
        home_score: score.map(|score| score.0),
        away_score: score.map(|score| score.1),
        voided_at: None,
        void_reason: None,
        result_at: None,
        outcome_revision: 0,
        chat_room_id: None,
        playing: Playing::default(),
    }
}

fn event() -> impl Strategy<Value = EventRow> {
    let state = prop_oneof![
        Just((Status::Scheduled, None)),
        Just((Status::Live, None)),
        score().prop_map(|score| (Status::Live, Some(score))),
        score().prop_map(|score| (Status::Finished, Some(score))),
    ];
    (state, moment(), venue(), any::<bool>(), any::<bool>()).prop_map(
        |((status, score), start_time, venue, void, confirmed)| EventRow {
            venue,
            start_time_confirmed: confirmed || status != Status::Scheduled,
            voided_at: void.then_some(NOW),
            void_reason: void.then(|| VoidReason::try_from("Cancelled").unwrap()),
            ..plain(status, score, start_time)
        },
    )
}

/// A match with a result that counts.
fn finished() -> impl Strategy<Value = EventRow> {
    (event(), score()).prop_map(|(event, (home, away))| EventRow {
        status: Status::Finished,
        start_time_confirmed: true,
        home_score: Some(home),
        away_score: Some(away),
        voided_at: None,
        void_reason: None,
        ..event
    })
}

fn report() -> impl Strategy<Value = FeedMatch> {
    let state = prop_oneof![
        Just(MatchState::Scheduled),
        Just(MatchState::Postponed),
        Just(MatchState::Live),
        Just(MatchState::Finished),
        Just(MatchState::Awarded),
        Just(MatchState::Cancelled),
        Just(MatchState::Abandoned),
        Just(MatchState::Unknown("XYZ".to_owned())),
    ];
    let tally = prop_oneof![
        Just(Ok(None)),
        Just(Err("a score outside 0 to 99")),
        score().prop_map(|score| Ok(Some(score))),
    ];
    let period =
        prop_oneof![Just(None), Just(Some(Period::FirstHalf)), Just(Some(Period::HalfTime))];
    let minute = prop::option::of((0_i64..3).prop_map(|minute| Minute::try_from(minute).unwrap()));
    (state, tally, moment(), venue(), period, minute).prop_map(
        |(state, tally, kickoff, venue, period, minute): (_, Tally, _, _, _, _)| {
            let side = |id: &str| FeedTeam {
                external_id: id.into(),
                name: Title::try_from(id).unwrap(),
                logo: None,
            };
            let (home, away) = (side("1"), side("2"));
            let external_id = "7".to_owned();
            FeedMatch { external_id, home, away, kickoff, venue, state, tally, period, minute }
        },
    )
}

fn provider() -> impl Strategy<Value = Provider> {
    prop_oneof![Just(Provider::FootballData), Just(Provider::ApiFootball)]
}

fn awarded() -> impl Strategy<Value = Awarded> {
    prop_oneof![Just(Awarded::Hold), Just(Awarded::Finish), Just(Awarded::Void)]
}

/// What a feed wrote about a match that still looks like that.
fn written_by(event: &EventRow, provider: Provider) -> LastWritten {
    LastWritten { is_operators: false, outcome_by: Some(provider), ..decide::adopted(event) }
}

fn decided(report: &FeedMatch, by: Provider, event: &EventRow, written: &LastWritten) -> Decision {
    let known = KnownMatch { event, written: Some(written), said: None };
    decide::decide(report, by, Awarded::Finish, known, NOW)
}

/// The match with the changes made, as the catalogue makes them.
fn changed(event: &EventRow, changes: &PlannedChanges) -> EventRow {
    let mut after = event.clone();
    after.start_time = changes.start_time.unwrap_or(after.start_time);
    after.start_time_confirmed =
        !changes.is_time_open && (changes.start_time.is_some() || event.start_time_confirmed);
    after.venue = changes.venue.clone().unwrap_or(after.venue);
    if let Some(status) = changes.status {
        after.status = status;
        assert!(status == Status::Scheduled || after.start_time_confirmed);
        (after.voided_at, after.void_reason) = (None, None);
        if status == Status::Scheduled {
            (after.home_score, after.away_score) = (None, None);
        }
    }
    if let Some((period, minute)) = changes.playing {
        after.playing = after.playing.told(period, minute, NOW);
    }
    if let Some((home, away)) = changes.score {
        (after.home_score, after.away_score) = (Some(home), Some(away));
    }
    if let Some(reason) = changes.void {
        after.voided_at = Some(NOW);
        after.void_reason = VoidReason::try_from(reason).ok();
    }
    after
}

proptest! {
    #[test]
    fn the_same_report_twice_changes_nothing_the_second_time(
        report in report(), event in event(), by in provider(), writer in provider(), awarded in awarded(),
        is_written: bool, said in prop::option::of((moment(), any::<bool>(), venue())),
    ) {
        let written = is_written.then(|| written_by(&event, writer));
        let said = said.map(|(start_time, start_time_confirmed, venue)| LastSaid {
            start_time, start_time_confirmed, venue,
        });
        let known = KnownMatch { event: &event, written: written.as_ref(), said: said.as_ref() };
        let first = decide::decide(&report, by, awarded, known, NOW);
        let after = changed(&event, &first.changes);
        let known = KnownMatch { event: &after, written: Some(&first.written), said: Some(&first.said) };
        let second = decide::decide(&report, by, awarded, known, NOW);
        prop_assert_eq!(&second.changes, &PlannedChanges::default());
        prop_assert_eq!(second.written, first.written);
        prop_assert_eq!(second.hold, first.hold);
    }

    #[test]
    fn an_operators_result_stands_whatever_is_said(
        reports in proptest::collection::vec((report(), provider()), 1..5),
        event in event(), writer in provider(), result in score(),
    ) {
        let mut written = written_by(&event, writer);
        let event = EventRow {
            status: Status::Finished, home_score: Some(result.0), away_score: Some(result.1),
            start_time_confirmed: true, voided_at: None, void_reason: None, ..event
        };
        let is_operators = written.status != Status::Finished
            || written.is_void || written.home_score.zip(written.away_score) != Some(result);
        prop_assume!(is_operators);
        let mut now = event;
        for (report, by) in reports {
            let decision = decided(&report, by, &now, &written);
            now = changed(&now, &decision.changes);
            prop_assert_eq!((now.status, now.home_score.zip(now.away_score)), (Status::Finished, Some(result)));
            prop_assert!(!now.is_void());
            written = decision.written;
        }
    }

    #[test]
    fn a_time_that_an_operator_set_stands_unless_the_feed_comes_to_agree(
        report in report(), event in event(), by in provider(), moved in moment(),
    ) {
        prop_assume!(moved != event.start_time);
        let written = written_by(&event, by);
        let event = EventRow { start_time: moved, start_time_confirmed: true, ..event };
        let decision = decided(&report, by, &event, &written);
        prop_assert_eq!((decision.changes.start_time, decision.changes.is_time_open), (None, false));
    }

    #[test]
    fn a_live_score_that_an_operator_set_stands_unless_the_feed_comes_to_agree(
        report in report(), event in event(), by in provider(), set in score(),
    ) {
        let written = written_by(&event, by);
        prop_assume!(written.home_score.zip(written.away_score) != Some(set));
        prop_assume!(event.status != Status::Finished);
        let event = EventRow {
            status: Status::Live, home_score: Some(set.0), away_score: Some(set.1),
            start_time_confirmed: true, ..event
        };
        let after = changed(&event, &decided(&report, by, &event, &written).changes);
        prop_assert_eq!(after.home_score.zip(after.away_score), Some(set));
    }

    #[test]
    fn an_early_kick_off_by_an_operator_stands(report in report(), event in event(), by in provider()) {
        let event = EventRow {
            status: Status::Scheduled, home_score: None, away_score: None, voided_at: None,
            start_time_confirmed: true, void_reason: None, ..event
        };
        prop_assume!(event.start_time > NOW);
        let mut written = written_by(&event, by);
        let event = EventRow { status: Status::Live, ..event };
        for _ in 0..2 {
            let decision = decided(&report, by, &event, &written);
            prop_assert_ne!(decision.changes.status, Some(Status::Scheduled));
            written = decision.written;
        }
    }

    #[test]
    fn a_result_is_entered_only_with_a_score_and_after_the_start(
        report in report(), event in event(), by in provider(), writer in provider(),
    ) {
        let decision = decided(&report, by, &event, &written_by(&event, writer));
        if decision.changes.status == Some(Status::Finished) {
            prop_assert_eq!(report.tally, Ok(decision.changes.score));
            prop_assert!(decision.changes.score.is_some() && report.kickoff <= NOW);
        }
    }

    #[test]
    fn no_feed_reopens_a_finished_match(
        report in report(), event in finished(), by in provider(), writer in provider(),
    ) {
        let decision = decided(&report, by, &event, &written_by(&event, writer));
        prop_assert!(!matches!(decision.changes.status, Some(Status::Live | Status::Scheduled)));
    }

    #[test]
    fn another_provider_never_changes_a_result(report in report(), event in finished()) {
        let written = written_by(&event, Provider::FootballData);
        let decision = decided(&report, Provider::ApiFootball, &event, &written);
        prop_assert!(decision.changes.score.is_none() && decision.changes.void.is_none());
    }

    #[test]
    fn a_match_reopens_only_for_a_time_that_is_to_come_or_is_open(
        report in report(), event in event(), by in provider(), writer in provider(),
    ) {
        let decision = decided(&report, by, &event, &written_by(&event, writer));
        if decision.changes.status == Some(Status::Scheduled) {
            prop_assert!(changed(&event, &decision.changes).closes_at() > NOW);
        }
    }
}

fn settings() -> FeedsConfig {
    Config::defaults().unwrap().feeds
}

fn at(status: Status, minutes_from_now: i64) -> EventRow {
    plain(status, None, NOW.plus_ms(minutes_from_now * MINUTE_MS))
}

#[test]
fn a_day_of_matches_never_uses_up_the_days_quota() {
    let config = settings();
    // One match after another is live all day, and the quota frees nothing until tomorrow.
    let (mut now, mut left) = (NOW, 100);
    while now < NOW.plus_ms(DAY_MS) {
        let live = EventRow { start_time: now, ..at(Status::Live, 0) };
        now = super::pace::next_poll(now, [live].iter(), Some(left), &config);
        left -= 1;
        assert!(left > 0, "nothing is left at {now}");
    }
}

#[test]
fn a_match_that_never_ended_is_not_waited_for() {
    let config = settings();
    let next = |event: EventRow| super::pace::next_poll(NOW, [event].iter(), None, &config);
    assert_eq!(next(at(Status::Live, -60)), NOW.plus_ms(MINUTE_MS));
    assert_eq!(next(at(Status::Live, -600)), NOW.plus_ms(HOUR_MS));
    assert_eq!(next(at(Status::Finished, -60)), NOW.plus_ms(HOUR_MS));
    assert_eq!(next(at(Status::Scheduled, 5)), NOW.plus_ms(MINUTE_MS));
    assert_eq!(next(at(Status::Scheduled, 40)), NOW.plus_ms(30 * MINUTE_MS));
    let open = EventRow { start_time_confirmed: false, ..at(Status::Scheduled, -600) };
    assert_eq!(next(open), NOW.plus_ms(HOUR_MS));
}
