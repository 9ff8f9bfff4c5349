//! Seasons: made up or real, and what each provider says of them at a moment.

use jiff::tz::TimeZone;
use serde_json::{Value, json};
use touchline::platform::clock::{DAY_MS, HOUR_MS, Timestamp};

use crate::feeds_provider::{af, fd, full_time, no_score};

/// Names that no provider gives twice, so that a team is known in every catalogue by what is left without `FC`.
pub const CLUBS: [&str; 6] = [
    "Northgate FC",
    "Southbank FC",
    "Eastfield",
    "Westbrook Rovers FC",
    "AFC Hilltop",
    "Riverside",
];
pub const PROMOTED: &str = "Lakeview FC";
/// What the third club is called from the second season on.
pub const RENAMED: (&str, &str) = ("Eastfield", "Athletic Union");

/// Numbers that follow from a seed, so that what failed can be done again.
#[derive(Clone)]
pub struct Luck(pub u64);

impl Luck {
    pub fn place(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let most = u64::try_from(most).unwrap();
        usize::try_from((mixed ^ (mixed >> 31)) % most).unwrap()
    }

    pub fn below(&mut self, most: usize) -> i64 {
        number(self.place(most))
    }

    pub fn shuffle<T>(&mut self, all: &mut [T]) {
        for place in (1..all.len()).rev() {
            let other = self.place(place + 1);
            all.swap(place, other);
        }
    }
}

pub fn number(place: usize) -> i64 {
    i64::try_from(place).unwrap()
}

#[derive(Clone, Copy, PartialEq)]
pub enum Fate {
    Postponed,
    /// And played again from the beginning.
    Abandoned,
}

pub struct Game {
    pub id: i64,
    pub round: usize,
    pub home: String,
    pub away: String,
    pub kickoff: i64,
    /// When it was played after all.
    pub again: Option<(Fate, i64)>,
    pub score: (i64, i64),
}

pub struct Season {
    pub slug: &'static str,
    pub year: i64,
    pub zone: &'static str,
    pub games: Vec<Game>,
}

/// What is known of a game at a moment.
pub struct Known {
    pub kickoff: i64,
    /// As football-data.org calls it.
    pub status: &'static str,
    pub score: Option<(i64, i64)>,
}

impl Game {
    pub fn known(&self, now: i64) -> Known {
        let plain = |kickoff: i64| {
            let (status, score) = match now - kickoff {
                over if over >= 2 * HOUR_MS => ("FINISHED", Some(self.score)),
                on if on >= 0 => ("IN_PLAY", Some((0, 0))),
                _ => ("TIMED", None),
            };
            Known { kickoff, status, score }
        };
        match self.again {
            Some((_, again)) if now >= self.kickoff + 4 * DAY_MS => plain(again),
            Some((Fate::Postponed, _)) if now >= self.kickoff - 3 * DAY_MS => {
                Known { kickoff: self.kickoff, status: "POSTPONED", score: None }
            }
            Some((Fate::Abandoned, _)) if now >= self.kickoff => {
                Known { kickoff: self.kickoff, status: "SUSPENDED", score: None }
            }
            _ => plain(self.kickoff),
        }
    }

    pub fn last_kickoff(&self) -> i64 {
        self.again.map_or(self.kickoff, |(_, again)| again)
    }
}

pub fn utc(millis: i64) -> String {
    Timestamp::from_millis(millis).to_string()
}

pub fn football_data(season: &Season, now: i64) -> Vec<Value> {
    let told = season.games.iter().map(|game| {
        let Known { kickoff, status, score } = game.known(now);
        let score = score.map_or_else(no_score, |(home, away)| full_time(home, away));
        let mut told = fd(game.id, &game.home, &game.away, &utc(kickoff), status, score);
        if season.year > 2026 {
            // The club is the same, whatever it is called.
            for side in ["homeTeam", "awayTeam"] {
                if told[side]["name"] == RENAMED.1 {
                    let before = fd(0, RENAMED.0, RENAMED.0, "", "", json!(null));
                    told[side]["id"] = before["homeTeam"]["id"].clone();
                }
            }
        }
        told
    });
    told.collect()
}

/// An abandoned game stays abandoned, and is played again under another id. Times have an offset.
pub fn api_football(season: &Season, now: i64) -> Vec<Value> {
    let mut told = Vec::new();
    let tell = |game: &Game, id: i64, kickoff: i64, status: &str, score: Option<(i64, i64)>| {
        let goals = score.map_or(json!(null), |(home, away)| json!({"home": home, "away": away}));
        let short = |name: &str| name.replace(" FC", "");
        let local = utc(kickoff + 2 * HOUR_MS).replace('Z', "+02:00");
        let mut told = af(id, &short(&game.home), &short(&game.away), &local, status, goals);
        for side in ["home", "away"] {
            if told["teams"][side]["name"] == RENAMED.1 {
                let before = af(0, RENAMED.0, RENAMED.0, "", "", json!(null));
                told["teams"][side]["id"] = before["teams"]["home"]["id"].clone();
            }
        }
        told
    };
    for game in &season.games {
        let Known { kickoff, status, score } = game.known(now);
        let word = match status {
            "FINISHED" => "FT",
            "IN_PLAY" => "1H",
            "POSTPONED" => "PST",
            "SUSPENDED" => "SUSP",
            _ => "NS",
        };
        let is_replay =
            kickoff != game.kickoff && game.again.is_some_and(|(fate, _)| fate == Fate::Abandoned);
        if is_replay {
            told.push(tell(game, game.id, game.kickoff, "ABD", None));
        }
        let id = if is_replay { game.id + 500_000 } else { game.id };
        told.push(tell(game, id, kickoff, word, score));
    }
    told
}

/// Local times, no ids, and no word for what was put off.
pub fn openfootball(season: &Season, now: i64) -> Vec<Value> {
    let zone = TimeZone::get(season.zone).unwrap();
    let told = season.games.iter().map(|game| {
        let Known { kickoff, status, score } = game.known(now);
        let local = jiff::Timestamp::from_millisecond(kickoff).unwrap().to_zoned(zone.clone());
        let score = match score.filter(|_| status == "FINISHED") {
            Some((home, away)) => json!({"ft": [home, away]}),
            None => json!({}),
        };
        json!({"round": format!("Matchday {}", game.round), "date": local.date().to_string(),
               "time": format!("{:02}:{:02}", local.hour(), local.minute()),
               "team1": game.home, "team2": game.away, "score": score})
    });
    told.collect()
}

/// Everybody against everybody, twice, week by week; some of it postponed, some abandoned and played again.
pub fn generated(
    slug: &'static str,
    year: i64,
    clubs: &[String],
    luck: &mut Luck,
    start: i64,
) -> Season {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for home in 0..clubs.len() {
        pairs.extend((0..clubs.len()).filter(|away| *away != home).map(|away| (home, away)));
    }
    luck.shuffle(&mut pairs);
    let games = pairs.iter().enumerate().map(|(place, (home, away))| {
        let round = place / 3;
        let kickoff = start + number(round) * 7 * DAY_MS + luck.below(8) * HOUR_MS;
        let later = kickoff + (20 + luck.below(20)) * DAY_MS;
        let again = match luck.below(8) {
            0 => Some((Fate::Postponed, later)),
            1 => Some((Fate::Abandoned, later)),
            _ => None,
        };
        Game {
            id: year * 1_000 + number(place),
            round: round + 1,
            home: clubs[*home].clone(),
            away: clubs[*away].clone(),
            kickoff,
            again,
            score: (luck.below(5), luck.below(4)),
        }
    });
    let zones = ["Europe/London", "America/Sao_Paulo", "Asia/Tokyo", "Australia/Sydney"];
    let games = games.collect();
    Season { slug, year, zone: zones[luck.place(4)], games }
}

/// Results by openfootball (public domain): round, local time, the two sides and the score on each line.
pub const PREMIER_LEAGUE: &str = include_str!("../../fixtures/openfootball-2024-25-en.1.txt");
/// The season is played this much later, so that it begins after the tests' clock does.
pub const LATER_WEEKS: i64 = 119;

pub fn premier_league() -> Season {
    let zone = "Europe/London";
    let games = PREMIER_LEAGUE.lines().enumerate().map(|(place, line)| {
        let [round, time, home, away, score] = line.split('|').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let local = jiff::civil::DateTime::strptime("%Y-%m-%d %H:%M", time).unwrap();
        let local = local + jiff::Span::new().weeks(LATER_WEEKS);
        let kickoff = local.in_tz(zone).unwrap().timestamp().as_millisecond();
        let (one, other) = score.split_once('-').unwrap();
        Game {
            id: number(place) + 1,
            round: round.parse().unwrap(),
            home: home.to_owned(),
            away: away.to_owned(),
            kickoff,
            again: None,
            score: (one.parse().unwrap(), other.parse().unwrap()),
        }
    });
    Season { slug: "league", year: 2026, zone, games: games.collect() }
}
