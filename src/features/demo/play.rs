//! The demo's clock: what should be so by now and is not is done, through what operators and documents use.
//!
//! Nothing is kept of a match but the match itself: how it stands is compared with what its script says of this moment. So it does
//! not matter for how long nobody looked, and a match of which the script knows nothing is left to whoever has a hand in it.

use serde_json::{Map, Value};

use crate::features::catalogue;
use crate::features::events::operator::{self, EventChange, MatchUpdate};
use crate::features::events::{self, EventId, EventRow, Minute, Score, ShardCount, Status};
use crate::features::predictions;
use crate::platform::clock::{HOUR_MS, SECOND_MS, Timestamp};
use crate::platform::core::Core;
use crate::platform::db::{Db, Tx};
use crate::platform::error::{Error, Result};
use crate::platform::http::input::Valid;

use super::fans;
use super::league::{self, LONGEST_MATCH_MS, League, LeagueMatch};
use super::questions;
use super::script::Script;
use super::store::{self, ProgressRow};

/// Fixtures are known for so long ahead, and added an hour's at a time.
const AHEAD_MS: i64 = 12 * HOUR_MS;
const REFILL_MS: i64 = HOUR_MS;
/// The longest pause between two looks, in which fans make up their minds.
const LONGEST_PAUSE_MS: i64 = 30 * SECOND_MS;

/// What a step leaves for after it.
pub struct Step {
    /// To be told to those who show how many predictions there are.
    pub counted: Vec<(EventId, ShardCount)>,
    /// When the next one is due.
    pub next: Timestamp,
}

/// Brings the demo up to the time of the database's clock. A transaction for each part, since each locks in an order of its own.
pub async fn step(core: &Core, db: &Db, league: League) -> Result<Step> {
    if db.read(move |tx| Ok(is_refill_due(store::find_progress(tx)?, league, tx.now()))).await? {
        let shared = core.clone();
        db.write(move |tx| fans::register_missing(tx, &shared, league)).await?;
        db.write(move |tx| refill(tx, league)).await?;
        db.write(move |tx| finish_forgotten(tx, league)).await?;
        let shared = core.clone();
        db.write(move |tx| questions::ask(tx, &shared, league)).await?;
    }
    let next = db.write(move |tx| play(tx, league)).await?;
    let count = core.config.demo.fans;
    let counted = db.write(move |tx| predict(tx, league, count)).await?;
    Ok(Step { counted, next })
}

fn is_refill_due(progress: Option<ProgressRow>, league: League, now: Timestamp) -> bool {
    let until = now.plus_ms(AHEAD_MS - REFILL_MS);
    progress.is_none_or(|progress| progress.seed != league.seed() || progress.known <= until)
}

/// Adds the next fixtures. Those that would have been played while nobody looked are left out, however many they are.
fn refill(tx: &mut Tx, league: League) -> Result<()> {
    // The catalogue's turn comes first, as in every import.
    catalogue::take_turn(tx)?;
    let (mut progress, now) = (store::hold_progress(tx, league.seed())?, tx.now());
    if !is_refill_due(Some(progress), league, now) {
        return Ok(());
    }
    let from = progress.known.max(now.plus_ms(-LONGEST_MATCH_MS));
    let until = now.plus_ms(AHEAD_MS);
    let coming = |one: &LeagueMatch| one.ends_at() > now;
    let items: Vec<Value> = league
        .matches(from, until)
        .iter()
        .filter(|one| coming(one))
        .map(LeagueMatch::to_item)
        .collect();
    let mut object = Map::new();
    object.insert("events".to_owned(), items.into());
    let document = Valid::of(object).map_err(|error| Error::internal(error.to_string()))?.0;
    catalogue::import(tx, &document)?;
    progress.known = until;
    store::update_progress(tx, progress).map(drop)
}

/// Ends matches of the demo that nobody ends: those that somebody took into their hands and let go, those of another seed, and those
/// of a demo that stood still.
fn finish_forgotten(tx: &mut Tx, league: League) -> Result<()> {
    let before = tx.now().plus_ms(-LONGEST_MATCH_MS);
    let mut updates = Vec::new();
    for (key, event) in events::list_live_since(tx, before)? {
        if !league::is_ours(&key) {
            continue;
        }
        let drawn = league.result_of(&key);
        let home = event.home_score.map_or(drawn.0, Score::get);
        let away = event.away_score.map_or(drawn.1, Score::get);
        updates.push(result(event.id, (home, away))?);
    }
    operator::update_all(tx, &in_order(updates)).map(drop)
}

/// Has matches stand as they should by now. Answers when something happens next.
fn play(tx: &mut Tx, league: League) -> Result<Timestamp> {
    let (mut progress, now) = (store::hold_progress(tx, league.seed())?, tx.now());
    let matches = on_their_way(league, progress.played, now);
    let keys: Vec<&str> = matches.iter().map(|one| one.key.as_str()).collect();
    let (mut updates, mut next) = (Vec::new(), now.plus_ms(LONGEST_PAUSE_MS));
    for (key, event) in events::list_by_keys(tx, &keys)? {
        let Some(one) = matches.iter().find(|one| one.key == key) else { continue };
        updates.extend(update_of(&event, &one.script, now)?);
        let since_s = now.millis_since(event.start_time) / SECOND_MS;
        if let Some(at_s) = one.script.next_after(since_s) {
            next = next.min(event.start_time.plus_ms(at_s * SECOND_MS));
        }
    }
    if let Some(coming) = league.matches(now.plus_ms(1), next).first() {
        next = coming.kick_off;
    }
    progress.played = progress.played.max(now);
    store::update_progress(tx, progress)?;
    let refused = operator::update_all(tx, &in_order(updates))?;
    if !refused.is_empty() {
        tracing::debug!(count = refused.len(), "matches of the demo are in others' hands");
    }
    Ok(next)
}

/// The matches that may have moved since the last look. After a long pause those are the ones that were known then, and those that
/// are on now; what lies between was never in the catalogue.
fn on_their_way(league: League, looked: Timestamp, now: Timestamp) -> Vec<LeagueMatch> {
    let on_since = now.plus_ms(-LONGEST_MATCH_MS);
    let known_until = looked.plus_ms(AHEAD_MS).min(on_since);
    let mut matches = league.matches(looked.plus_ms(-LONGEST_MATCH_MS), known_until);
    matches.extend(league.matches(on_since, now.plus_ms(1)));
    matches
}

/// What is to be done to a match, if anything is.
fn update_of(event: &EventRow, script: &Script, now: Timestamp) -> Result<Option<MatchUpdate>> {
    let since_s = now.millis_since(event.start_time) / SECOND_MS;
    let has_begun = event.start_time_confirmed && event.start_time <= now;
    if !has_begun || event.is_void() || event.status == Status::Finished {
        return Ok(None);
    }
    let score = event.home_score.zip(event.away_score);
    let told = score.map_or((0, 0), |(home, away)| (home.get(), away.get()));
    if !script.has_been(since_s, told, event.playing.period) {
        return Ok(None);
    }
    let standing = script.standing(since_s);
    if standing.is_over {
        return result(event.id, standing.score).map(Some);
    }
    let is_as_told = event.status == Status::Live
        && score.is_some()
        && told == standing.score
        && event.playing.period == standing.period;
    if is_as_told {
        return Ok(None);
    }
    let minute = standing.minute.map(Minute::try_from).transpose().map_err(Error::internal)?;
    let change = EventChange {
        status: Some(Status::Live),
        home_score: Some(goals(standing.score.0)?),
        away_score: Some(goals(standing.score.1)?),
        period: standing.period,
        minute,
        ..EventChange::default()
    };
    Ok(Some(MatchUpdate { event: event.id, change, result: None, void: None }))
}

fn result(event: EventId, (home, away): (i64, i64)) -> Result<MatchUpdate> {
    let result = Some((goals(home)?, goals(away)?));
    Ok(MatchUpdate { event, change: EventChange::default(), result, void: None })
}

fn goals(number: i64) -> Result<Score> {
    Score::try_from(number).map_err(Error::internal)
}

/// Matches are held in the order of their ids, as every script does.
fn in_order(mut updates: Vec<MatchUpdate>) -> Vec<MatchUpdate> {
    updates.sort_by_key(|update| update.event);
    updates
}

/// Has fans predict what they have made up their minds about since the last look.
fn predict(tx: &mut Tx, league: League, count: i64) -> Result<Vec<(EventId, ShardCount)>> {
    let (mut progress, now) = (store::hold_progress(tx, league.seed())?, tx.now());
    let after = progress.predicted;
    progress.predicted = after.max(now);
    store::update_progress(tx, progress)?;
    let coming = league.matches(now.plus_ms(1), now.plus_ms(fans::EARLIEST_MS));
    let keys: Vec<&str> = coming.iter().map(|one| one.key.as_str()).collect();
    let known = events::list_by_keys(tx, &keys)?;
    let with_id = |one: LeagueMatch| {
        let (_, event) = known.iter().find(|(key, _)| *key == one.key)?;
        event.takes_predictions(now).then_some((event.id, one))
    };
    let open: Vec<(EventId, LeagueMatch)> = coming.into_iter().filter_map(with_id).collect();
    let crowd = fans::hold(tx, count)?;
    let picks = fans::decided(league, &crowd, &open, (after, now))?;
    if picks.is_empty() {
        return Ok(Vec::new());
    }
    let placed = predictions::place_each(tx, &picks)?;
    let counted = |((_, event, _), placed): (&(_, EventId, _), Result<predictions::Placed>)| {
        // One that is refused came a moment too late; nobody waits for an answer.
        placed.ok().and_then(|placed| Some((*event, placed.counted?)))
    };
    Ok(picks.iter().zip(placed).filter_map(counted).collect())
}
