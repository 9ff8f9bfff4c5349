//! How a match goes from the first whistle to the last, decided before it begins.

use crate::features::events::Period;
use crate::platform::clock::{MINUTE_MS, SECOND_MS};

use super::draw::Draw;

const MINUTE_S: i64 = MINUTE_MS / SECOND_MS;
/// Chances of a goal in a minute are counted in ten thousandths.
const CHANCES: i64 = 10_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Game {
    Football,
    /// The API's periods are football's, so that matches of ice hockey have a score and no clock.
    IceHockey,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Home,
    Away,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Happening {
    KickOff,
    Goal(Side),
    /// The first pause of football is half-time; ice hockey has two.
    Pause(usize),
    /// The second half, or another third, begins.
    Resume(usize),
    End,
}

/// What happens, and how many seconds after kick-off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    pub at_s: i64,
    pub what: Happening,
}

/// How a match stands at some moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    pub score: (i64, i64),
    pub period: Option<Period>,
    pub minute: Option<i64>,
    pub is_over: bool,
}

/// A part of a match in which the ball is in play, in minutes after kick-off.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    begins: i64,
    lasts: i64,
    /// The minute of play with which it begins.
    minute: i64,
}

#[derive(Debug, Clone)]
pub struct Script {
    game: Game,
    stretches: Vec<Stretch>,
    /// In the order in which they happen.
    moments: Vec<Moment>,
}

impl Script {
    /// The match of a key between sides that are so strong (0 to 99).
    pub fn new(seed: i64, key: &str, game: Game, strengths: (i64, i64)) -> Self {
        let draw = Draw::new(seed).with("match").with(key);
        let stretches = game.stretches(draw.with("length"));
        let mut moments = vec![Moment { at_s: 0, what: Happening::KickOff }];
        for (number, stretch) in stretches.iter().enumerate() {
            if number > 0 {
                let at_s = stretch.begins * MINUTE_S;
                moments.push(Moment { at_s, what: Happening::Resume(number) });
            }
            moments.extend(goals(draw, game, strengths, *stretch));
            let is_last = number + 1 == stretches.len();
            let what = if is_last { Happening::End } else { Happening::Pause(number + 1) };
            moments.push(Moment { at_s: (stretch.begins + stretch.lasts) * MINUTE_S, what });
        }
        Self { game, stretches, moments }
    }

    pub fn moments(&self) -> &[Moment] {
        &self.moments
    }

    /// How long it lasts, pauses included.
    pub fn length_s(&self) -> i64 {
        self.moments.last().map_or(0, |moment| moment.at_s)
    }

    pub fn result(&self) -> (i64, i64) {
        self.score_after(i64::MAX)
    }

    /// When the next thing happens.
    pub fn next_after(&self, since_s: i64) -> Option<i64> {
        self.moments.iter().map(|moment| moment.at_s).find(|at_s| *at_s > since_s)
    }

    pub fn standing(&self, since_s: i64) -> Standing {
        let score = self.score_after(since_s);
        let (period, minute) = match self.game {
            Game::Football => self.clock(since_s),
            Game::IceHockey => (None, None),
        };
        Standing { score, period, minute, is_over: since_s >= self.length_s() }
    }

    /// Whether it stood like this at some moment so far: if not, somebody else has a hand in the match.
    pub fn has_been(&self, since_s: i64, score: (i64, i64), period: Option<Period>) -> bool {
        let so_far = self.moments.iter().filter(|moment| moment.at_s <= since_s);
        let knows = |period| match self.game {
            Game::Football => {
                matches!(period, Period::FirstHalf | Period::HalfTime | Period::SecondHalf)
            }
            Game::IceHockey => false,
        };
        period.is_none_or(knows)
            && so_far.into_iter().any(|moment| self.score_after(moment.at_s) == score)
    }

    fn score_after(&self, since_s: i64) -> (i64, i64) {
        let so_far = self.moments.iter().filter(|moment| moment.at_s <= since_s);
        so_far.fold((0, 0), |(home, away), moment| match moment.what {
            Happening::Goal(Side::Home) => (home + 1, away),
            Happening::Goal(Side::Away) => (home, away + 1),
            _ => (home, away),
        })
    }

    fn clock(&self, since_s: i64) -> (Option<Period>, Option<i64>) {
        let begun = |(_, stretch): &(usize, &Stretch)| stretch.begins * MINUTE_S <= since_s;
        let Some((number, stretch)) = self.stretches.iter().enumerate().rfind(begun) else {
            return (None, None);
        };
        let passed = since_s / MINUTE_S - stretch.begins;
        match number {
            0 if passed < stretch.lasts => (Some(Period::FirstHalf), Some(passed)),
            0 => (Some(Period::HalfTime), Some(45)),
            _ => (Some(Period::SecondHalf), Some(stretch.minute + passed.min(stretch.lasts))),
        }
    }
}

impl Game {
    /// Halves of 45 minutes and what was lost, or thirds as long as they take with the clock stopped at every whistle.
    fn stretches(self, draw: Draw) -> Vec<Stretch> {
        let (lasts, pause): (Vec<i64>, i64) = match self {
            Self::Football => (vec![46 + draw.and(1).below(3), 47 + draw.and(2).below(5)], 15),
            Self::IceHockey => ((1..=3).map(|third| 33 + draw.and(third).below(5)).collect(), 15),
        };
        let mut begins = 0;
        let mut stretches = Vec::new();
        for (number, lasts) in (0..).zip(lasts) {
            stretches.push(Stretch { begins, lasts, minute: number * 45 });
            begins += lasts + pause;
        }
        stretches
    }

    /// Of a goal in a minute, in ten thousandths, for a side that is so strong.
    const fn chance(self, strength: i64, side: Side) -> i64 {
        let at_home = match side {
            Side::Home => 25,
            Side::Away => 0,
        };
        match self {
            Self::Football => 100 + strength + at_home,
            Self::IceHockey => 210 + 2 * strength + at_home,
        }
    }
}

fn goals(draw: Draw, game: Game, strengths: (i64, i64), stretch: Stretch) -> Vec<Moment> {
    let mut goals = Vec::new();
    for minute in stretch.begins..stretch.begins + stretch.lasts {
        let sides = [(Side::Home, strengths.0, "home"), (Side::Away, strengths.1, "away")];
        for (side, strength, word) in sides {
            let draw = draw.with(word).and(minute);
            if draw.below(CHANCES) < game.chance(strength, side) {
                // Never with the whistle itself.
                let second = 1 + draw.with("second").below(MINUTE_S - 2);
                let at_s = minute * MINUTE_S + second;
                goals.push(Moment { at_s, what: Happening::Goal(side) });
            }
        }
    }
    goals.sort_by_key(|moment| moment.at_s);
    goals
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn game() -> impl Strategy<Value = Game> {
        prop_oneof![Just(Game::Football), Just(Game::IceHockey)]
    }

    proptest! {
        #[test]
        fn a_match_goes_forward_from_the_first_whistle_to_the_last(
            seed: i64, key in "[a-z0-9:]{1,20}", game in game(), home in 0_i64..100, away in 0_i64..100,
        ) {
            let script = Script::new(seed, &key, game, (home, away));
            prop_assert!(script.moments().is_sorted_by_key(|moment| moment.at_s));
            prop_assert_eq!(script.moments().first().unwrap().what, Happening::KickOff);
            prop_assert_eq!(script.moments().last().unwrap().what, Happening::End);
            let whole = script.moments().iter().filter(|it| !matches!(it.what, Happening::Goal(_)));
            prop_assert!(whole.into_iter().all(|moment| moment.at_s % MINUTE_S == 0));
            let minutes = script.length_s() / MINUTE_S;
            let usual = if game == Game::Football { 108..=115 } else { 129..=141 };
            prop_assert!(usual.contains(&minutes), "{} minutes", minutes);
            let mut before = script.standing(0);
            prop_assert!(before.score == (0, 0) && !before.is_over);
            for since_s in (0..=script.length_s()).step_by(20) {
                let now = script.standing(since_s);
                prop_assert!(now.score.0 >= before.score.0 && now.score.1 >= before.score.1);
                // The second half begins with the 46th minute, however long the first one was.
                let goes_on = now.period != before.period || now.minute >= before.minute;
                prop_assert!(goes_on, "{:?} after {:?}", now, before);
                prop_assert!(script.has_been(since_s, before.score, before.period));
                prop_assert!(!script.has_been(since_s, (now.score.0 + 1, now.score.1), None));
                before = now;
            }
            prop_assert!(before.is_over || script.standing(script.length_s()).is_over);
            prop_assert_eq!(script.standing(script.length_s()).score, script.result());
        }
    }

    #[test]
    fn halves_and_the_pause_between_them_have_their_minutes() {
        let script = Script::new(1, "any", Game::Football, (50, 50));
        let at = |minute: i64| {
            let standing = script.standing(minute * MINUTE_S);
            (standing.period.unwrap(), standing.minute.unwrap())
        };
        assert_eq!(at(0), (Period::FirstHalf, 0));
        assert_eq!(at(44), (Period::FirstHalf, 44));
        assert_eq!(at(55), (Period::HalfTime, 45));
        let resumes = script.moments().iter().find(|it| it.what == Happening::Resume(1)).unwrap();
        assert_eq!(at(resumes.at_s / MINUTE_S), (Period::SecondHalf, 45));
        assert_eq!(at(resumes.at_s / MINUTE_S + 20), (Period::SecondHalf, 65));
    }

    #[test]
    fn goals_are_as_frequent_as_people_expect() {
        for (game, usual) in [(Game::Football, 2.4..4.0), (Game::IceHockey, 5.0..8.0)] {
            let goals: i64 = (0..500)
                .map(|number| Script::new(1, &number.to_string(), game, (number % 100, 50)))
                .map(|script| script.result().0 + script.result().1)
                .sum();
            let mean = f64::from(i32::try_from(goals).unwrap()) / 500.0;
            assert!(usual.contains(&mean), "{game:?}: {mean}");
        }
    }
}
