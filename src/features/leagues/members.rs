//! Who is in a league: joining, leaving, roles, and what an account's end means for its leagues.

use serde_json::json;

use crate::features::users::UserId;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};

use super::store::{self, LeagueRow};
use super::table_store::{self, Members};
use super::values::{Code, LeagueId, Role};
use super::{
    MOST_JOINED, MOST_MEMBERS, chat_store, check_welcome, held_open, require, talk,
    wait_for_counting,
};

/// Makes somebody a member, whose predictions count from the league's first week on: by its code, or without one where anybody may join.
/// Whoever is one already stays what they are.
pub fn join(tx: &mut Tx, id: LeagueId, user: UserId, code: Option<&Code>) -> Result<bool> {
    wait_for_counting(tx)?;
    let league = store::hold(tx, id)?.ok_or(not_found!("league"))?;
    if store::find_role(tx, league.id, user)?.is_some() {
        return Ok(false);
    }
    // Looked at only now that the league is held: another code, or no door for everybody, holds from its commit on.
    let is_open = code.map_or(league.is_public, |code| code.as_str() == league.code);
    if league.closed_at.is_some() || !is_open {
        return Err(not_found!("league"));
    }
    check_welcome(tx, &league, user)?;
    check_room_for_one_more(tx, user)?;
    if league.member_count >= MOST_MEMBERS {
        return Err(Error::Refused {
            code: "league_full",
            message: text!("This league has as many members as a league can have."),
        });
    }
    add(tx, league.id, user, Role::Member)?;
    Ok(true)
}

/// Refuses whoever is in as many leagues as one can be in.
pub fn check_room_for_one_more(tx: &mut Tx, user: UserId) -> Result<()> {
    let (joined, _) = store::count_of(tx, user)?;
    if joined < MOST_JOINED {
        return Ok(());
    }
    Err(Error::Refused {
        code: "too_many_leagues",
        message: text!("You are in as many leagues as one can be in. Leave one of them first."),
    })
}

pub fn add(tx: &mut Tx, league: LeagueId, user: UserId, role: Role) -> Result<()> {
    store::insert_member(tx, league, user, role)?;
    talk::moved(tx, league, user, true)?;
    table_store::recount(tx, Members::one(league, user))
}

/// Takes somebody out, at their own wish. An owner hands over first, unless they are the last.
pub fn leave(tx: &mut Tx, id: LeagueId, user: UserId) -> Result<()> {
    wait_for_counting(tx)?;
    let league = store::hold(tx, id)?.ok_or(not_found!("league"))?;
    let role = store::find_role(tx, id, user)?.ok_or(not_found!("league"))?;
    if role == Role::Owner && league.member_count > 1 && league.closed_at.is_none() {
        return Err(Error::Refused {
            code: "owner_leaves",
            message: text!("Hand the league over to somebody first, or close it."),
        });
    }
    take_out(tx, &league, user)
}

/// Takes somebody out at the wish of the owner or a deputy; for good if they are to stay out.
pub fn remove(tx: &mut Tx, id: LeagueId, by: UserId, user: UserId, for_good: bool) -> Result<()> {
    wait_for_counting(tx)?;
    let league = held_open(tx, id, by)?;
    let own = require(tx, id, by, &[Role::Owner, Role::Deputy])?;
    let role = store::find_role(tx, id, user)?.ok_or(not_found!("member"))?;
    let is_above = own == Role::Owner && by != user || role == Role::Member;
    if !is_above {
        return Err(Error::Forbidden {
            code: "league_role",
            message: text!("A deputy removes members, and the owner everybody but themselves."),
        });
    }
    if for_good {
        store::insert_exclusion(tx, id, user)?;
    }
    take_out(tx, &league, user)
}

/// Lets somebody in again whom the league had shut out.
pub fn readmit(tx: &mut Tx, id: LeagueId, by: UserId, user: UserId) -> Result<()> {
    held_open(tx, id, by)?;
    require(tx, id, by, &[Role::Owner, Role::Deputy])?;
    store::delete_exclusion(tx, id, user).map(drop)
}

/// Gives a member another role. Whoever makes somebody the owner is a deputy from then on.
pub fn set_role(tx: &mut Tx, id: LeagueId, by: UserId, user: UserId, role: Role) -> Result<()> {
    held_open(tx, id, by)?;
    require(tx, id, by, &[Role::Owner])?;
    store::find_role(tx, id, user)?.ok_or(not_found!("member"))?;
    if user == by {
        return Err(Error::Refused {
            code: "owner_stays",
            message: text!("Make somebody else the owner to be one no more."),
        });
    }
    if role == Role::Owner {
        store::update_role(tx, id, by, Role::Deputy)?;
    }
    store::update_role(tx, id, user, role).map(drop)
}

fn take_out(tx: &mut Tx, league: &LeagueRow, user: UserId) -> Result<()> {
    table_store::delete_of(tx, league.id, user)?;
    store::delete_member(tx, league.id, user)?;
    talk::moved(tx, league.id, user, false)?;
    if league.member_count <= 1 && league.closed_at.is_none() {
        store::update_closed(tx, league.id)?;
    }
    Ok(())
}

/// Takes somebody whose account ends out of all their leagues; those they own go to whoever has been there longest, deputies first.
pub fn forget(tx: &mut Tx, user: UserId) -> Result<()> {
    wait_for_counting(tx)?;
    for id in store::list_league_ids(tx, user)? {
        let Some(league) = store::hold(tx, id)? else { continue };
        let is_owner = store::find_role(tx, id, user)? == Some(Role::Owner);
        take_out(tx, &league, user)?;
        if let Some(heir) = store::find_heir(tx, id, user)?.filter(|_| is_owner) {
            store::update_role(tx, id, heir, Role::Owner)?;
        }
    }
    // The network takes whoever leaves the service out of every room.
    chat_store::delete_moves_of(tx, user)?;
    store::delete_exclusions_of(tx, user).map(drop)
}

/// Everything this feature knows about a user, for them to take away.
pub fn export(tx: &mut Tx, user: UserId) -> Result<serde_json::Value> {
    let mut leagues = Vec::new();
    for id in store::list_league_ids(tx, user)? {
        let Some(league) = store::find(tx, id)? else { continue };
        let role = store::find_role(tx, id, user)?;
        let own = table_store::find_own(tx, id, table_store::IN_ALL, user)?;
        leagues.push(json!({
            "id": id,
            "name": league.name,
            "role": role,
            "points": own.map(|own| own.points),
        }));
    }
    Ok(leagues.into())
}
