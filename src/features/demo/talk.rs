//! What simulated fans say in the rooms of matches: one line somewhere every 20 to 60 seconds, about what is going on there.

use crate::features::events::{self, EventRow, Status};
use crate::features::users::UserId;
use crate::features::{chat, demo::Demo};
use crate::platform::clock::{MINUTE_MS, SECOND_MS, Timestamp};
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::jobs::{Next, Stop, job};

use super::draw::Draw;
use super::fans::{self, Fan};
use super::league::{LONGEST_MATCH_MS, League, LeagueMatch};
use super::lines::{self, Mood};
use super::script::{Happening, Side};

/// Time is cut into turns of this length, and in the first half of each somebody speaks.
const TURN_MS: i64 = 40 * SECOND_MS;
/// So long before kick-off and after the final whistle there is something to say.
const BEFORE_MS: i64 = 10 * MINUTE_MS;
const AFTER_MS: i64 = 5 * MINUTE_MS;
/// So long something that happened is news.
const NEWS_S: i64 = 150;
/// How many speak in the room of one match.
const SPEAKERS: usize = 8;

job! {
    pub struct Talk;
    kind: "demo_talk", lane: Chat, every: TURN_MS, run: talk(Demo)
}

/// Something to be said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub key: String,
    pub speaker: Fan,
    pub text: String,
}

async fn talk(_: Talk, demo: Demo, _: Stop) -> Result<Next> {
    let (now, league, count) = (demo.clock.now(), demo.league(), demo.config.demo.fans);
    let turn = turn_of(league, now);
    let next = Next::At(turn_at(league, turn + 1));
    let at = turn_at(league, turn);
    let Some(line) = line_of(league, turn, at, count) else { return Ok(next) };
    let look = {
        let line = line.clone();
        move |tx: &mut Tx| find_place(tx, league, &line, at, count)
    };
    let Some((user, room)) = demo.db.read(look).await? else { return Ok(next) };
    let said = chat::say(&demo.chat, user, &room, &format!("demo-{turn}"), &line.text).await;
    if let Err(error) = said {
        // The next line comes soon enough.
        tracing::debug!(error = %error, "a simulated fan was not heard");
    }
    Ok(next)
}

/// Who speaks and in which room, if the match stands as the line has it: it may be in others' hands.
fn find_place(
    tx: &mut Tx,
    league: League,
    line: &Line,
    at: Timestamp,
    count: i64,
) -> Result<Option<(UserId, String)>> {
    let Some((_, event)) = events::list_by_keys(tx, &[&line.key])?.pop() else { return Ok(None) };
    let near = matches_around(league, at);
    let one = near.iter().find(|one| one.key == line.key);
    if !one.is_some_and(|one| stands_as_told(&event, one, at)) {
        return Ok(None);
    }
    let speaker = fans::list(tx, count)?.into_iter().find(|(fan, _)| *fan == line.speaker);
    Ok(speaker.map(|(_, user)| user.id).zip(event.chat_room_id))
}

fn stands_as_told(event: &EventRow, one: &LeagueMatch, at: Timestamp) -> bool {
    let since_s = at.millis_since(one.kick_off) / SECOND_MS;
    let standing = one.script.standing(since_s);
    let status = match since_s {
        ..0 => Status::Scheduled,
        _ if standing.is_over => Status::Finished,
        _ => Status::Live,
    };
    let score = event.home_score.zip(event.away_score);
    let score = score.map_or((0, 0), |(home, away)| (home.get(), away.get()));
    !event.is_void() && event.status == status && score == standing.score
}

/// The turn that has begun last.
fn turn_of(league: League, now: Timestamp) -> i64 {
    let turn = now.as_millis().div_euclid(TURN_MS);
    if turn_at(league, turn) <= now { turn } else { turn - 1 }
}

/// When somebody speaks in a turn.
fn turn_at(league: League, turn: i64) -> Timestamp {
    let late_ms = league.draw().with("turn of speech").and(turn).below(TURN_MS / 2);
    Timestamp::from_millis(turn.saturating_mul(TURN_MS)).plus_ms(late_ms)
}

fn matches_around(league: League, at: Timestamp) -> Vec<LeagueMatch> {
    let from = at.plus_ms(-LONGEST_MATCH_MS - AFTER_MS);
    let mut matches = league.matches(from, at.plus_ms(BEFORE_MS));
    matches.retain(|one| at <= one.ends_at().plus_ms(AFTER_MS));
    matches
}

/// What is said in a turn. Where something has just happened, most speak of that.
fn line_of(league: League, turn: i64, at: Timestamp, count: i64) -> Option<Line> {
    let draw = league.draw().with("line").and(turn);
    let matches = matches_around(league, at);
    let news: Vec<&LeagueMatch> = matches
        .iter()
        .filter(|one| latest(one, at).is_some_and(|(_, ago_s)| ago_s < NEWS_S))
        .collect();
    let all: Vec<&LeagueMatch> = matches.iter().collect();
    let among = if draw.with("news").is_within(70) && !news.is_empty() { &news } else { &all };
    let one = *draw.with("match").pick(among)?;
    let speaker = *draw.with("speaker").pick(&speakers(league, one, count))?;
    let text = words(league, one, speaker, at, draw);
    Some(Line { key: one.key.clone(), speaker, text })
}

/// What happened last, and how many seconds ago.
fn latest(one: &LeagueMatch, at: Timestamp) -> Option<(Happening, i64)> {
    let since_s = at.millis_since(one.kick_off) / SECOND_MS;
    let last = one.script.moments().iter().rfind(|moment| moment.at_s <= since_s)?;
    Some((last.what, since_s - last.at_s))
}

/// Who goes into the room of a match: those whose club plays, and some others.
fn speakers(league: League, one: &LeagueMatch, count: i64) -> Vec<Fan> {
    let draw = league.draw().with("room").with(&one.key);
    let mut fans: Vec<Fan> = Fan::all(count).collect();
    fans.sort_by_cached_key(|fan| {
        (supports(league, *fan, one).is_none(), draw.and(fan.0).below(i64::MAX))
    });
    fans.truncate(SPEAKERS);
    fans
}

fn supports(league: League, fan: Fan, one: &LeagueMatch) -> Option<Side> {
    let clubs = fan.clubs(league);
    let sides = [(one.home, Side::Home), (one.away, Side::Away)];
    sides.into_iter().find(|(club, _)| clubs.contains(club)).map(|(_, side)| side)
}

fn words(league: League, one: &LeagueMatch, speaker: Fan, at: Timestamp, draw: Draw) -> String {
    let since_s = at.millis_since(one.kick_off) / SECOND_MS;
    let (standing, mine) = (one.script.standing(since_s), supports(league, speaker, one));
    let happy = |side: Side| mine.map_or(Mood::Neutral, |mine| Mood::of(mine == side));
    let (home, away) = standing.score;
    let (pool, club) = match latest(one, at) {
        None => (lines::BEFORE, one.home),
        Some((Happening::End, _)) => {
            let winner = if home > away { Side::Home } else { Side::Away };
            let mood = if home == away { Mood::Neutral } else { happy(winner) };
            (lines::after(mood), side_of(one, winner))
        }
        Some((Happening::KickOff, ago_s)) if ago_s < NEWS_S => (lines::KICK_OFF, one.home),
        Some((Happening::Goal(side), ago_s)) if ago_s < NEWS_S => {
            (lines::goal(happy(side)), side_of(one, side))
        }
        Some((Happening::Pause(_), _)) => (lines::PAUSE, one.home),
        Some((Happening::Resume(_), ago_s)) if ago_s < NEWS_S => (lines::RESUME, one.away),
        Some(_) => {
            let favourite = if home > away { one.home } else { one.away };
            (if home == away { lines::LEVEL } else { lines::AHEAD }, favourite)
        }
    };
    let line = draw.with("words").pick(pool).copied().unwrap_or_default();
    line.replace("{home}", one.home.1)
        .replace("{away}", one.away.1)
        .replace("{club}", club.1)
        .replace("{score}", &format!("{home}-{away}"))
}

const fn side_of(one: &LeagueMatch, side: Side) -> super::league::Club {
    match side {
        Side::Home => one.home,
        Side::Away => one.away,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn somebody_speaks_every_20_to_60_seconds() {
        let league = League::new(2_026);
        for turn in 44_000_000..44_002_000 {
            let (at, next) = (turn_at(league, turn), turn_at(league, turn + 1));
            let pause_s = next.millis_since(at) / SECOND_MS;
            assert!((19..=60).contains(&pause_s), "{pause_s} s");
            assert_eq!(turn_of(league, at), turn);
            assert_eq!(turn_of(league, next.plus_ms(-1)), turn);
        }
    }

    #[test]
    fn lines_are_varied_fit_their_match_and_leave_nothing_open() {
        let league = League::new(2_026);
        let (mut texts, mut rooms) = (BTreeSet::new(), BTreeSet::new());
        for turn in 44_000_000..44_002_000 {
            let line = line_of(league, turn, turn_at(league, turn), 40).unwrap();
            assert!(!line.text.is_empty() && !line.text.contains(['{', '}']), "{}", line.text);
            texts.insert(line.text);
            rooms.insert((line.key, line.speaker.0));
        }
        assert!(texts.len() > 400, "{} different lines", texts.len());
        let matches: BTreeSet<&String> = rooms.iter().map(|(key, _)| key).collect();
        assert!(rooms.len() <= matches.len() * SPEAKERS);
    }

    #[test]
    fn without_fans_nobody_speaks() {
        let league = League::new(2_026);
        assert_eq!(line_of(league, 44_000_000, turn_at(league, 44_000_000), 0), None);
    }
}
