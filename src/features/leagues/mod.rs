//! Leagues: users who compare their predictions with each other, on some tournaments, from some week on.
//!
//! Owns: the `leagues`, `league_tournaments`, `league_members`, `league_exclusions`, `league_standings` and `league_chat_moves` tables.
//! Invariants: a league has one owner as long as it has members; its table is what a reckoning from the standings of its tournaments' weeks gives,
//! once their settlement is through; a code lets in only whom nobody shut out, and is told apart from a wrong one by nobody who has not got it.
//! Never: decides what was right about a prediction, or writes what leaderboards count.

mod chat_store;
pub mod member_routes;
mod members;
pub mod operator_routes;
mod recount;
pub mod routes;
mod seen;
mod store;
mod table;
pub mod table_routes;
mod table_store;
mod talk;
mod values;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use crate::extends_core;
use crate::features::chat;
use crate::features::events::{self, TournamentId};
use crate::features::leaderboards::{self, Counting, Ladder, TipStretch};
use crate::features::users::UserId;
use crate::platform::cache::Cache;
use crate::platform::clock::{DAY_MS, HOUR_MS, Timestamp};
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::{Error, FieldErrors, Result};
use crate::platform::jobs;
use crate::platform::limits::{self, Limit, Who};

pub use members::{export, forget};
pub use recount::Recount;
use store::{FoundLeagueRow, search};
pub use store::{LeagueMemberView, LeagueRow, Terms, find};
pub use table::{Week, WeekView};
pub use talk::{FindRoomless, FollowLeague};
pub use values::{Code, LeagueId, LeagueName, LeagueScoring, LeagueSearch, Role, Tournaments};

/// Leagues that somebody may have made and not closed, and be in.
const MOST_OWNED: i64 = 20;
const MOST_JOINED: i64 = 100;
/// Members of a league.
pub const MOST_MEMBERS: i64 = 10_000;
/// How far back a league may begin, and how far ahead.
const LONGEST_BACK_MS: i64 = 400 * DAY_MS;
const LONGEST_AHEAD_MS: i64 = 400 * DAY_MS;
/// Of codes that are no league's; those that are do not count.
const WRONG_CODES: Limit = Limit { code: "too_many_wrong_codes", most: 20, window_ms: HOUR_MS };
const TRIES: u32 = 8;

/// How late what other nodes change may show in a rank.
const KEPT: Duration = Duration::from_secs(1);
/// Tables that many look at, at once.
const MOST_KEPT: usize = 1_000;

/// Leagues: the core, and how many have so many points in the tables that are looked at.
#[derive(Clone)]
pub struct Leagues {
    core: Core,
    ladders: Arc<Cache<(LeagueId, Timestamp), Arc<Ladder>>>,
}

extends_core!(Leagues);

impl Leagues {
    pub fn new(core: &Core) -> Self {
        Self { core: core.clone(), ladders: Arc::new(Cache::new(MOST_KEPT, KEPT)) }
    }
}

/// Takes in what was settled: a stretch of predictions whose standings were just counted. Whoever counts holds the lock of all boards.
pub fn count(tx: &mut Tx, tournament: TournamentId, counting: &Counting<'_>) -> Result<()> {
    let Counting { stretch, is_counting, boards, .. } = *counting;
    for week in table_store::list_weeks_of(tx, tournament, boards)? {
        if table_store::add_to_all(tx, stretch, tournament, week)? > 0 {
            table_store::count_week(tx, stretch, tournament, week)?;
            table_store::delete_empty_weeks(tx, stretch, week, is_counting)?;
        }
    }
    Ok(())
}

/// Takes in special tips whose points were just counted; whoever counts holds the lock of all boards.
pub fn count_tips(tx: &mut Tx, stretch: TipStretch) -> Result<()> {
    table_store::add_tips_to_all(tx, stretch).map(drop)
}

/// Makes a league, whose first member and owner the user is.
pub fn create(
    tx: &mut Tx,
    owner: UserId,
    terms: &Terms<'_>,
    tournaments: &Tournaments,
) -> Result<LeagueId> {
    check_start(tx, terms.starts_at)?;
    check_tournaments(tx, tournaments)?;
    wait_for_counting(tx)?;
    members::check_room_for_one_more(tx, owner)?;
    let (_, owned) = store::count_of(tx, owner)?;
    if owned >= MOST_OWNED {
        return Err(Error::Refused {
            code: "too_many_leagues",
            message: text!(
                "You have as many leagues as one can have. Close or hand over one of them."
            ),
        });
    }
    let mut made = None;
    for _ in 0..TRIES {
        made = store::insert(tx, terms, &Code::generate())?;
        if made.is_some() {
            break;
        }
    }
    let id = made.ok_or_else(|| Error::internal("no code was free"))?;
    store::insert_tournaments(tx, id, tournaments.as_slice())?;
    members::add(tx, id, owner, Role::Owner)?;
    if terms.has_chat {
        talk::set(tx, id, true)?;
    }
    Ok(id)
}

/// What is to be different about a league; what is absent stays.
#[derive(Debug, Clone, Copy)]
pub struct Change<'a> {
    pub name: Option<&'a LeagueName>,
    pub is_public: Option<bool>,
    pub scoring: Option<LeagueScoring>,
    pub starts_at: Option<Timestamp>,
    pub tournaments: Option<&'a Tournaments>,
    pub has_chat: Option<bool>,
}

/// Changes what a league is. If it counts by something else then, a job reckons its table anew.
pub fn change(tx: &mut Tx, id: LeagueId, by: UserId, change: &Change<'_>) -> Result<()> {
    let before = held_open(tx, id, by)?;
    require(tx, id, by, &[Role::Owner])?;
    let terms = Terms {
        name: change.name.unwrap_or(&before.name),
        is_public: change.is_public.unwrap_or(before.is_public),
        scoring: change.scoring.unwrap_or(before.scoring),
        starts_at: change.starts_at.unwrap_or(before.starts_at),
        has_chat: change.has_chat.unwrap_or(before.has_chat),
    };
    let mut counts_otherwise =
        (terms.scoring, terms.starts_at) != (before.scoring, before.starts_at);
    if terms.starts_at != before.starts_at {
        check_start(tx, terms.starts_at)?;
    }
    if let Some(tournaments) = change.tournaments {
        counts_otherwise |= replace_tournaments(tx, id, tournaments)?;
    }
    store::update(tx, id, &terms)?;
    if counts_otherwise {
        jobs::ask(tx, &Recount::of(id))?;
    }
    if terms.has_chat != before.has_chat {
        talk::set(tx, id, terms.has_chat)?;
    } else if *terms.name != before.name {
        talk::renamed(tx, id)?;
    }
    Ok(())
}

/// Whether they are others than before.
fn replace_tournaments(tx: &mut Tx, id: LeagueId, tournaments: &Tournaments) -> Result<bool> {
    let listed = store::list_tournaments(tx, &[id])?;
    let before: BTreeSet<TournamentId> = listed.into_iter().map(|(_, it)| it.id).collect();
    if tournaments.as_slice().iter().copied().collect::<BTreeSet<_>>() == before {
        return Ok(false);
    }
    check_tournaments(tx, tournaments)?;
    store::delete_tournaments(tx, id)?;
    store::insert_tournaments(tx, id, tournaments.as_slice())?;
    Ok(true)
}

/// A new code in place of the old one, which lets nobody in from then on.
pub fn renew_code(tx: &mut Tx, id: LeagueId, by: UserId) -> Result<()> {
    held_open(tx, id, by)?;
    require(tx, id, by, &[Role::Owner, Role::Deputy])?;
    for _ in 0..TRIES {
        if store::update_code(tx, id, &Code::generate())? {
            return Ok(());
        }
    }
    Err(Error::internal("no code was free"))
}

/// Ends a league: nobody joins, nothing counts any more, and the table stays as it is.
pub fn close(tx: &mut Tx, id: LeagueId, by: UserId) -> Result<()> {
    held_open(tx, id, by)?;
    require(tx, id, by, &[Role::Owner])?;
    store::update_closed(tx, id).map(drop)
}

/// Gives a league another name, whoever made it; answers the one it had.
fn rename(tx: &mut Tx, id: LeagueId, name: &LeagueName) -> Result<LeagueName> {
    let league = store::hold(tx, id)?.ok_or(not_found!("league"))?;
    store::update_name(tx, id, name)?;
    talk::renamed(tx, id)?;
    Ok(league.name)
}

/// Ends a league, whoever made it.
fn end(tx: &mut Tx, id: LeagueId) -> Result<()> {
    store::hold(tx, id)?.ok_or(not_found!("league"))?;
    if store::update_closed(tx, id)? == 0 { Err(closed()) } else { Ok(()) }
}

/// The league of a code; a wrong one is counted against whoever tried it.
pub fn find_by_code(tx: &mut Tx, code: &Code, who: &Who) -> Result<Result<LeagueRow>> {
    let mut checked = limits::check_each(tx, WRONG_CODES, &[who])?;
    if let Some(Err(refusal)) = checked.pop() {
        return Ok(Err(refusal));
    }
    if let Some(league) = store::find_by_code(tx, code)? {
        return Ok(Ok(league));
    }
    Ok(match limits::hit(tx, WRONG_CODES, who) {
        Ok(()) => Err(not_found!("league")),
        Err(refusal) => Err(refusal),
    })
}

/// Holds a league that somebody is in and that is not closed.
fn held_open(tx: &mut Tx, id: LeagueId, by: UserId) -> Result<LeagueRow> {
    let league = store::hold(tx, id)?.ok_or(not_found!("league"))?;
    if store::find_role(tx, id, by)?.is_none() && !league.is_public {
        return Err(not_found!("league"));
    }
    if league.closed_at.is_some() { Err(closed()) } else { Ok(league) }
}

const fn closed() -> Error {
    Error::Refused { code: "league_closed", message: text!("This league is closed.") }
}

fn require(tx: &mut Tx, id: LeagueId, by: UserId, roles: &[Role]) -> Result<Role> {
    let role = store::find_role(tx, id, by)?;
    role.filter(|role| roles.contains(role)).ok_or(Error::Forbidden {
        code: "league_role",
        message: text!("Only the league's owner, or for some things a deputy, may do this."),
    })
}

fn check_start(tx: &mut Tx, starts_at: Timestamp) -> Result<()> {
    let ahead = starts_at.millis_since(tx.now());
    if (-LONGEST_BACK_MS..=LONGEST_AHEAD_MS).contains(&ahead) {
        return Ok(());
    }
    Err(Error::invalid("starts_on", text!("Must be at most 400 days ago or ahead.")))
}

fn check_tournaments(tx: &mut Tx, tournaments: &Tournaments) -> Result<()> {
    let mut errors = FieldErrors::default();
    for id in tournaments.as_slice() {
        if events::find_tournament(tx, *id)?.is_none() {
            errors.add(
                "tournament_ids",
                text!("There is no tournament {tournament}.", tournament = id.0),
            );
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors.into()) }
}

/// Whether somebody is let in at all: not whom the league shut out, nor whom its owner has blocked.
fn check_welcome(tx: &mut Tx, league: &LeagueRow, user: UserId) -> Result<()> {
    let owner = store::find_owner(tx, league.id)?;
    let is_blocked = match owner {
        Some(owner) => chat::is_blocked(tx, owner, user)?,
        None => false,
    };
    if is_blocked || store::is_excluded(tx, league.id, user)? {
        return Err(Error::Forbidden {
            code: "not_welcome",
            message: text!("You cannot join this league."),
        });
    }
    Ok(())
}

/// Waits for whoever counts, so that nobody is left out who joins in that moment. Before a league is held: whoever counts refers to leagues,
/// and would wait in turn.
fn wait_for_counting(tx: &mut Tx) -> Result<()> {
    leaderboards::hold_still(tx)
}
