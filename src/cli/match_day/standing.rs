//! How a match stands, and what can happen to it from there.

use crate::features::events::Period;

use super::script::{Fixture, Side, Turn};

const MOST_DAYS: i64 = 365;
const MOST_GOALS: i64 = 99;
const LONGEST_DELAY_MINUTES: i64 = 1_440;
const LAST_MINUTE_OF_PLAY: i64 = 300;

/// How a match stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    pub state: State,
    pub score: (i64, i64),
    /// In which minute of the day it begins, as is known by now.
    pub kick_off: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    Scheduled,
    Postponed { days: Option<i64> },
    Live(Period),
    Finished,
    Abandoned { was_live: bool, reason: String },
}

impl Standing {
    pub const fn before(fixture: &Fixture) -> Self {
        Self { state: State::Scheduled, score: (0, 0), kick_off: fixture.kick_off }
    }

    /// What is so from this turn on, or why it cannot happen now.
    pub fn take(&mut self, turn: &Turn) -> Result<(), &'static str> {
        match turn {
            Turn::KickOff => {
                self.pass_to(State::Live(Period::FirstHalf), |state| *state == State::Scheduled)
            }
            Turn::Goal { side, minute } => self.goal(*side, *minute, 1),
            Turn::GoalTakenBack { side, minute } => self.goal(*side, *minute, -1),
            Turn::HalfTime {} => self.pass_to(State::Live(Period::HalfTime), |state| {
                *state == State::Live(Period::FirstHalf)
            }),
            Turn::SecondHalf {} => self.pass_to(State::Live(Period::SecondHalf), |state| {
                *state == State::Live(Period::HalfTime)
            }),
            Turn::FullTime {} => self.pass_to(State::Finished, |state| {
                matches!(state, State::Live(Period::FirstHalf | Period::SecondHalf))
            }),
            Turn::Corrected { home, away } => self.correct(*home, *away),
            Turn::Delayed { minutes } => self.delay(*minutes),
            Turn::Postponed { days } => self.postpone(*days),
            Turn::Abandoned { reason } => self.abandon(reason),
        }
    }

    fn pass_to(&mut self, next: State, can: impl Fn(&State) -> bool) -> Result<(), &'static str> {
        if !can(&self.state) {
            return Err("the match is not that far, or is over");
        }
        self.state = next;
        Ok(())
    }

    fn goal(&mut self, side: Side, minute: Option<i64>, goals: i64) -> Result<(), &'static str> {
        let State::Live(_) = self.state else { return Err("the match is not live") };
        if minute.is_some_and(|minute| !(0..=LAST_MINUTE_OF_PLAY).contains(&minute)) {
            return Err("its minute of play is none from 0 to 300");
        }
        let scored = match side {
            Side::Home => &mut self.score.0,
            Side::Away => &mut self.score.1,
        };
        if !(0..=MOST_GOALS).contains(&(*scored + goals)) {
            return Err("a side has from 0 to 99 goals");
        }
        *scored += goals;
        Ok(())
    }

    fn correct(&mut self, home: i64, away: i64) -> Result<(), &'static str> {
        if self.state != State::Finished {
            return Err("only a final score can be corrected");
        }
        if ![home, away].iter().all(|goals| (0..=MOST_GOALS).contains(goals)) {
            return Err("a side has from 0 to 99 goals");
        }
        self.score = (home, away);
        Ok(())
    }

    fn delay(&mut self, minutes: i64) -> Result<(), &'static str> {
        if self.state != State::Scheduled {
            return Err("the match has begun");
        }
        if !(1..=LONGEST_DELAY_MINUTES).contains(&minutes) {
            return Err("a delay is from 1 to 1440 minutes");
        }
        self.kick_off += minutes;
        Ok(())
    }

    fn postpone(&mut self, days: Option<i64>) -> Result<(), &'static str> {
        if self.state != State::Scheduled {
            return Err("the match has begun");
        }
        if days.is_some_and(|days| !(1..=MOST_DAYS).contains(&days)) {
            return Err("a match is postponed by 1 to 365 days");
        }
        self.state = State::Postponed { days };
        Ok(())
    }

    fn abandon(&mut self, reason: &str) -> Result<(), &'static str> {
        let was_live = matches!(self.state, State::Live(_));
        if !was_live && self.state != State::Scheduled {
            return Err("the match is over, or is not played today");
        }
        if !(1..=200).contains(&reason.trim().chars().count()) {
            return Err("a reason has 1 to 200 characters");
        }
        self.state = State::Abandoned { was_live, reason: reason.trim().to_owned() };
        Ok(())
    }
}
