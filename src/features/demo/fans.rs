//! Simulated fans: who they are, which clubs they follow, and what they think of a match before it begins.

use crate::features::catalogue::demo::SIDES;
use crate::features::coins;
use crate::features::events::{EventId, Score};
use crate::features::predictions::{Confidence, Outcome, Pick, ScorePair};
use crate::features::teams::{self, TeamId};
use crate::features::users::{self, Hold, Name, UserId, UserRow, Username};
use crate::platform::clock::{MINUTE_MS, Timestamp};
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};

use super::draw::Draw;
use super::league::{Club, League, LeagueMatch};
use super::script::Game;

/// First names, which with the mark behind them belong to nobody.
const NAMES: [&str; 40] = [
    "Alder", "Ash", "Bay", "Birch", "Briar", "Brook", "Cedar", "Clay", "Cliff", "Clover", "Coral",
    "Cove", "Dale", "Fern", "Finch", "Flint", "Glen", "Hazel", "Heath", "Holly", "Ivy", "Jasper",
    "Juniper", "Lark", "Laurel", "Linden", "Maple", "Marsh", "Olive", "Opal", "Reed", "River",
    "Robin", "Rowan", "Sage", "Sky", "Sorrel", "Storm", "Willow", "Wren",
];

/// Predictions are made between these before kick-off.
pub const EARLIEST_MS: i64 = 90 * MINUTE_MS;
const LATEST_MINUTES: i64 = 2;

/// A simulated fan, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fan(pub i64);

impl Fan {
    pub fn all(count: i64) -> impl Iterator<Item = Self> {
        (0..count).map(Self)
    }

    /// The first forty have the names as they are, the next ones `alder2` and so on.
    fn nickname(self) -> String {
        let count = i64::try_from(NAMES.len()).unwrap_or(1);
        let at = usize::try_from(self.0.rem_euclid(count)).unwrap_or(0);
        let name = NAMES.get(at).copied().unwrap_or("Fan");
        match self.0.div_euclid(count) {
            0 => name.to_owned(),
            more => format!("{name} {}", more + 1),
        }
    }

    pub fn username(self) -> Result<Username> {
        let plain = self.nickname().to_lowercase().replace(' ', "");
        Username::simulated(&plain).map_err(Error::internal)
    }

    fn name(self) -> Result<Name> {
        Name::try_from(format!("{} (demo)", self.nickname()).as_str()).map_err(Error::internal)
    }

    fn draw(self, league: League) -> Draw {
        league.draw().with("fan").and(self.0)
    }

    /// The club that they follow above all, and one of the other sport.
    pub fn clubs(self, league: League) -> Vec<Club> {
        let draw = self.draw(league).with("clubs");
        let mut clubs: Vec<Club> = SIDES
            .iter()
            .enumerate()
            .filter_map(|(at, side)| draw.and(i64::try_from(at).ok()?).pick(side.clubs))
            .map(|(slug, name, ..)| (*slug, *name))
            .collect();
        // A third care most for ice hockey.
        if draw.is_within(33) {
            clubs.reverse();
        }
        clubs
    }

    /// When they predict this match, if they do.
    pub fn predicts_at(self, league: League, one: &LeagueMatch) -> Option<Timestamp> {
        let draw = self.draw(league);
        let keenness = 35 + draw.with("keenness").below(50);
        let draw = draw.with(&one.key);
        if !draw.with("whether").is_within(keenness) {
            return None;
        }
        // Most decide late.
        let range = EARLIEST_MS / MINUTE_MS - LATEST_MINUTES;
        let minutes = draw.and(1).below(range).min(draw.and(2).below(range));
        let before_ms = (LATEST_MINUTES + minutes) * MINUTE_MS - draw.and(3).below(MINUTE_MS);
        Some(one.kick_off.plus_ms(-before_ms))
    }

    /// What they predict: their own club wins, or the better one, or they have a nose for it.
    pub fn pick(self, league: League, one: &LeagueMatch) -> Result<Pick> {
        let (draw, result) = (self.draw(league).with(&one.key), one.script.result());
        let nose = 8 + self.draw(league).with("nose").below(22);
        let has_nose = draw.with("nose").is_within(nose);
        let outcome = if has_nose {
            outcome_of(result)
        } else {
            self.belief(league, one, draw.with("belief"))
        };
        let is_exact = has_nose && draw.with("exact").is_within(25);
        let score = if is_exact { Some(result) } else { usual_score(draw, outcome, one.game) };
        let says_score = is_exact || draw.with("says score").is_within(75);
        let score = score.filter(|_| says_score).map(|(home, away)| {
            Ok::<_, Error>(ScorePair { home: goals(home)?, away: goals(away)? })
        });
        let confidence = Confidence::try_from(30 + draw.with("confidence").below(61));
        Ok(Pick::new(outcome, score.transpose()?, confidence.map_err(Error::internal)?)?)
    }

    fn belief(self, league: League, one: &LeagueMatch, draw: Draw) -> Outcome {
        let clubs = self.clubs(league);
        let loyal = draw.with("loyal").is_within(75);
        if loyal && clubs.contains(&one.home) {
            return Outcome::Home;
        }
        if loyal && clubs.contains(&one.away) {
            return Outcome::Away;
        }
        let lean = (one.strengths.0 - one.strengths.1) / 3;
        match draw.below(100) {
            number if number < 42 + lean => Outcome::Home,
            number if number < 64 + lean => Outcome::Draw,
            _ => Outcome::Away,
        }
    }
}

fn outcome_of((home, away): (i64, i64)) -> Outcome {
    match home.cmp(&away) {
        std::cmp::Ordering::Greater => Outcome::Home,
        std::cmp::Ordering::Equal => Outcome::Draw,
        std::cmp::Ordering::Less => Outcome::Away,
    }
}

fn goals(number: i64) -> Result<Score> {
    Score::try_from(number).map_err(Error::internal)
}

type Scores = &'static [(i64, i64)];

/// A score that people write down for such an outcome.
fn usual_score(draw: Draw, outcome: Outcome, game: Game) -> Option<(i64, i64)> {
    let (won, drawn): (Scores, Scores) = match game {
        Game::Football => (
            &[(1, 0), (2, 0), (2, 1), (2, 1), (3, 1), (3, 0), (3, 2)],
            &[(0, 0), (1, 1), (1, 1), (2, 2)],
        ),
        Game::IceHockey => {
            (&[(3, 2), (4, 2), (4, 1), (5, 3), (3, 1), (4, 3)], &[(2, 2), (3, 3), (3, 3)])
        }
    };
    let draw = draw.with("score");
    match outcome {
        Outcome::Home => draw.pick(won).copied(),
        Outcome::Draw => draw.pick(drawn).copied(),
        Outcome::Away => draw.pick(won).map(|(more, fewer)| (*fewer, *more)),
    }
}

/// Those fans that there are and that nobody has banned, by number.
pub fn list(tx: &mut Tx, count: i64) -> Result<Vec<(Fan, UserRow)>> {
    let names: Vec<Username> = Fan::all(count).map(Fan::username).collect::<Result<_>>()?;
    let found = users::list_simulated(tx, &names)?;
    let number = |row: UserRow| {
        let at = names.iter().position(|name| *name == row.username)?;
        Some((Fan(i64::try_from(at).ok()?), row))
    };
    Ok(found.into_iter().filter_map(number).collect())
}

/// The same, who stay who they are until the end of the transaction.
pub fn hold(tx: &mut Tx, count: i64) -> Result<Vec<(Fan, UserRow)>> {
    let mut there = list(tx, count)?;
    let ids: Vec<UserId> = there.iter().map(|(_, user)| user.id).collect();
    let held = users::hold(tx, &ids, Hold::Share)?;
    let now = tx.now();
    let is_in = |id| held.iter().any(|user| user.id == id && !user.is_banned(now));
    there.retain(|(_, user)| is_in(user.id));
    Ok(there)
}

/// Registers the fans that are not there yet, with their coins and their clubs. A name that somebody has is left to them.
pub fn register_missing(tx: &mut Tx, core: &Core, league: League) -> Result<()> {
    let count = core.config.demo.fans;
    let there = list(tx, count)?;
    let is_missing = |fan: &Fan| !there.iter().any(|(known, _)| known == fan);
    let mut wanted = Vec::new();
    for fan in Fan::all(count).filter(is_missing) {
        wanted.push((fan.username()?, fan.name()?));
    }
    if wanted.is_empty() {
        return Ok(());
    }
    let made = users::register_simulated(tx, &core.keys, &wanted)?;
    let accounts: Vec<_> = made.iter().map(|user| (user.id, None)).collect();
    coins::open_accounts(tx, &core.keys, &core.config.coins, &accounts)?;
    let made: Vec<UserId> = made.iter().map(|user| user.id).collect();
    for (fan, user) in list(tx, count)?.into_iter().filter(|(_, user)| made.contains(&user.id)) {
        choose_teams(tx, league, fan, user.id)?;
    }
    tracing::debug!(fans = made.len(), "simulated fans were registered");
    Ok(())
}

fn choose_teams(tx: &mut Tx, league: League, fan: Fan, user: UserId) -> Result<()> {
    let clubs = fan.clubs(league);
    let slugs: Vec<&str> = clubs.iter().map(|(slug, _)| *slug).collect();
    let known = teams::imported_teams(tx, &slugs)?;
    let ids: Vec<TeamId> =
        slugs.iter().filter_map(|slug| known.get(*slug)).map(|team| team.id).collect();
    if let [primary, others @ ..] = ids.as_slice() {
        teams::choose_primary(tx, user, *primary)?;
        teams::choose_others(tx, user, others)?;
    }
    Ok(())
}

/// Whose mind is made up about which match in this span of time.
pub fn decided(
    league: League,
    fans: &[(Fan, UserRow)],
    matches: &[(EventId, LeagueMatch)],
    (after, until): (Timestamp, Timestamp),
) -> Result<Vec<(UserId, EventId, Pick)>> {
    let mut picks = Vec::new();
    for (event, one) in matches {
        for (fan, user) in fans {
            let at = fan.predicts_at(league, one);
            if at.is_some_and(|at| after < at && at <= until) {
                picks.push((user.id, *event, fan.pick(league, one)?));
            }
        }
    }
    Ok(picks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::clock::DAY_MS;
    use std::collections::BTreeSet;

    #[test]
    fn fans_have_names_of_their_own_that_say_what_they_are() {
        let names: BTreeSet<String> =
            Fan::all(200).map(|fan| fan.username().unwrap().to_string()).collect();
        assert_eq!(names.len(), 200);
        assert!(names.iter().all(|name| name.starts_with("demo.")));
        assert!(Fan::all(200).all(|fan| fan.name().unwrap().to_string().ends_with(" (demo)")));
    }

    #[test]
    fn a_crowd_predicts_every_match_in_time_and_is_not_of_one_mind() {
        let league = League::new(2_026);
        let begins = Timestamp::parse("2026-11-15T12:00:00Z").unwrap();
        let mut earned = vec![0; 40];
        for one in league.matches(begins, begins.plus_ms(DAY_MS)) {
            let mut outcomes = BTreeSet::new();
            let mut count = 0;
            for fan in Fan::all(40) {
                let Some(at) = fan.predicts_at(league, &one) else { continue };
                let before_ms = one.kick_off.millis_since(at);
                assert!((MINUTE_MS..=EARLIEST_MS).contains(&before_ms), "{before_ms}");
                let pick = fan.pick(league, &one).unwrap();
                assert_eq!(pick, fan.pick(league, &one).unwrap());
                outcomes.insert(pick.outcome());
                count += 1;
                if pick.outcome() == outcome_of(one.script.result()) {
                    earned[usize::try_from(fan.0).unwrap()] += 1;
                }
            }
            assert!((10..=36).contains(&count), "{count} predict {}", one.key);
            assert!(outcomes.len() >= 2, "all agree on {}", one.key);
        }
        let different: BTreeSet<i32> = earned.iter().copied().collect();
        assert!(different.len() > 10, "a table of equals: {earned:?}");
    }
}
