//! The timetable: who meets whom and when, for ever, as a function of the seed and of nothing else.

use serde_json::{Value, json};

use crate::features::catalogue::demo::{SIDES, Side, pairs};
use crate::platform::clock::{MINUTE_MS, Timestamp};

use super::draw::Draw;
use super::script::{Game, Script};

/// How a tournament of the demo is played.
struct Plan {
    tournament: &'static Side,
    game: Game,
    /// Between one kick-off and the next. Of two matches of a club in a row, the second is at most one place earlier in its round
    /// than the first was in its own, so that they are at least a round but one of these apart: longer than any match.
    every_ms: i64,
    /// The first kick-off after 1970.
    first_ms: i64,
}

const fn plans() -> [Plan; 2] {
    let [football, ice_hockey] = &SIDES;
    [
        Plan { tournament: football, game: Game::Football, every_ms: 20 * MINUTE_MS, first_ms: 0 },
        Plan {
            tournament: ice_hockey,
            game: Game::IceHockey,
            every_ms: 60 * MINUTE_MS,
            first_ms: 10 * MINUTE_MS,
        },
    ]
}

/// Longer than any match lasts.
pub const LONGEST_MATCH_MS: i64 = 150 * MINUTE_MS;

/// A club by its slug and its name.
pub type Club = (&'static str, &'static str);

/// The league of a seed.
#[derive(Debug, Clone, Copy)]
pub struct League {
    seed: i64,
}

/// Whether a match belongs to a demo that the service plays, or to one that stands still.
pub fn is_ours(key: &str) -> bool {
    SIDES.iter().any(|side| {
        let rest = key.strip_prefix("demo:").and_then(|rest| rest.strip_prefix(side.tournament.0));
        rest.is_some_and(|rest| rest.starts_with(':'))
    })
}

/// One match of it.
#[derive(Debug, Clone)]
pub struct LeagueMatch {
    pub key: String,
    pub tournament: &'static str,
    pub home: Club,
    pub away: Club,
    pub kick_off: Timestamp,
    pub script: Script,
    /// How strong the sides are, 0 to 99.
    pub strengths: (i64, i64),
    pub game: Game,
}

impl League {
    pub const fn new(seed: i64) -> Self {
        Self { seed }
    }

    pub const fn seed(self) -> i64 {
        self.seed
    }

    pub const fn draw(self) -> Draw {
        Draw::new(self.seed)
    }

    /// The matches that kick off from one moment on and before another, in the order of their kick-offs.
    pub fn matches(self, from: Timestamp, until: Timestamp) -> Vec<LeagueMatch> {
        let mut matches: Vec<LeagueMatch> =
            plans().iter().flat_map(|plan| self.matches_of(plan, from, until)).collect();
        matches.sort_by_key(|one| one.kick_off);
        matches
    }

    fn matches_of(self, plan: &Plan, from: Timestamp, until: Timestamp) -> Vec<LeagueMatch> {
        // Rounded up: the first kick-off that is not before this.
        let number = |moment: Timestamp| {
            let since_ms = moment.as_millis().saturating_sub(plan.first_ms);
            since_ms.saturating_add(plan.every_ms - 1).div_euclid(plan.every_ms)
        };
        let numbers = number(from)..number(until);
        numbers.filter_map(|number| self.match_of(plan, number)).collect()
    }

    /// The match of a kick-off, counted from the first one.
    fn match_of(self, plan: &Plan, number: i64) -> Option<LeagueMatch> {
        let clubs = plan.tournament.clubs;
        let places = i64::try_from(clubs.len() / 2).ok()?;
        let (round, place) = (number.div_euclid(places), number.rem_euclid(places));
        let cycle = i64::try_from(clubs.len().saturating_sub(1)).ok()?.saturating_mul(2);
        let turn = round.saturating_add(self.draw().with("turn").below(cycle)).rem_euclid(cycle);
        let (home, away) =
            *pairs(clubs.len(), usize::try_from(turn).ok()?).get(usize::try_from(place).ok()?)?;
        let club = |at: usize| clubs.get(at).map(|(slug, name, ..)| (*slug, *name));
        let (home, away) = (club(home)?, club(away)?);
        let (tournament, ..) = plan.tournament.tournament;
        let key = format!("demo:{tournament}:{}:{round}:{}", self.seed, place + 1);
        let strengths = (self.strength(home.0), self.strength(away.0));
        let script = Script::new(self.seed, &key, plan.game, strengths);
        let kick_off = Timestamp::from_millis(plan.first_ms + number * plan.every_ms);
        let game = plan.game;
        Some(LeagueMatch { key, tournament, home, away, kick_off, script, strengths, game })
    }

    fn strength(self, club: &str) -> i64 {
        self.draw().with("strength").with(club).below(100)
    }

    /// How a match ends that is in the demo's catalogue and in none of these rounds.
    pub fn result_of(self, key: &str) -> (i64, i64) {
        Script::new(self.seed, key, Game::Football, (50, 50)).result()
    }
}

impl LeagueMatch {
    pub fn ends_at(&self) -> Timestamp {
        self.kick_off.plus_ms(self.script.length_s() * 1_000)
    }

    /// As a catalogue's document has it.
    pub fn to_item(&self) -> Value {
        json!({
            "key": self.key, "tournament": self.tournament, "home": self.home.0, "away": self.away.0,
            "start_time": self.kick_off, "venue": format!("{} Park", self.home.1),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::clock::{DAY_MS, HOUR_MS};
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn fortnight(seed: i64, begins: Timestamp) -> Vec<LeagueMatch> {
        let before = begins.plus_ms(-LONGEST_MATCH_MS);
        League::new(seed).matches(before, begins.plus_ms(14 * DAY_MS))
    }

    fn moment() -> impl Strategy<Value = Timestamp> {
        // Any minute from 2020 to 2070.
        (26_297_280_i64..52_596_000).prop_map(|minute| Timestamp::from_millis(minute * MINUTE_MS))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]

        #[test]
        fn a_club_plays_one_match_at_a_time_and_kick_offs_are_on_whole_minutes(
            seed: i64, begins in moment(),
        ) {
            let mut busy_until: BTreeMap<&str, Timestamp> = BTreeMap::new();
            for one in fortnight(seed, begins) {
                prop_assert_eq!(one.kick_off.as_millis() % MINUTE_MS, 0);
                prop_assert!(one.home != one.away);
                prop_assert!(one.ends_at() <= one.kick_off.plus_ms(LONGEST_MATCH_MS));
                for club in [one.home.0, one.away.0] {
                    let before = busy_until.insert(club, one.ends_at());
                    prop_assert!(before.is_none_or(|before| before < one.kick_off), "{}", club);
                }
            }
            prop_assert_eq!(busy_until.len(), 24);
        }

        #[test]
        fn at_every_moment_matches_are_on_and_one_begins_and_one_ends_soon(
            seed: i64, begins in moment(),
        ) {
            let matches = fortnight(seed, begins);
            for minute in 0..13 * 24 * 60 {
                let now = begins.plus_ms(minute * MINUTE_MS + 30_000);
                let near: Vec<_> = matches.iter().filter(|one| {
                    one.kick_off.millis_since(now).abs() <= LONGEST_MATCH_MS
                }).collect();
                let live = near.iter().filter(|one| one.kick_off <= now && now < one.ends_at());
                prop_assert!((5..=9).contains(&live.count()));
                let soon = now.plus_ms(30 * MINUTE_MS);
                prop_assert!(near.iter().any(|one| now < one.kick_off && one.kick_off <= soon));
                prop_assert!(near.iter().any(|one| now < one.ends_at() && one.ends_at() <= soon));
            }
        }

        #[test]
        fn the_same_seed_is_the_same_league_however_it_is_asked_for(
            seed: i64, begins in moment(), cut in 1_i64..48,
        ) {
            let league = League::new(seed);
            let (middle, end) = (begins.plus_ms(cut * HOUR_MS), begins.plus_ms(2 * DAY_MS));
            let told = |from, until| league.matches(from, until).into_iter()
                .map(|one| (one.key.clone(), one.kick_off, one.home, one.away, one.script.result()))
                .collect::<Vec<_>>();
            let mut halves = told(begins, middle);
            halves.extend(told(middle, end));
            prop_assert_eq!(halves, told(begins, end));
        }
    }

    #[test]
    fn something_happens_every_few_minutes() {
        let begins = Timestamp::parse("2026-11-15T12:00:00Z").unwrap();
        let matches = fortnight(2_026, begins);
        let mut moments: Vec<i64> = matches
            .iter()
            .flat_map(|one| {
                let kick_off_s = one.kick_off.as_millis() / 1_000;
                one.script.moments().iter().map(move |moment| kick_off_s + moment.at_s)
            })
            // Towards the end of the fortnight the matches after it are missing.
            .filter(|at_s| (0..13 * 24 * 60 * 60).contains(&(at_s - begins.as_millis() / 1_000)))
            .collect();
        moments.sort_unstable();
        let longest = moments.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap();
        assert!(longest <= 20 * 60, "nothing for {longest} s");
        let mean = (moments.last().unwrap() - moments.first().unwrap())
            / i64::try_from(moments.len()).unwrap();
        assert!(mean < 150, "something every {mean} s");
    }

    #[test]
    fn another_seed_is_another_league() {
        let begins = Timestamp::parse("2026-11-15T12:00:00Z").unwrap();
        let results = |seed| {
            let matches = fortnight(seed, begins);
            matches.into_iter().map(|one| (one.home, one.script.result())).collect::<Vec<_>>()
        };
        assert_ne!(results(1), results(2));
    }
}
