//! A league as somebody sees it: members their own, everybody a public one.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::page::Page;

use super::store::{self, LeagueMemberView, LeagueRow, LeagueTournamentView};
use super::values::{LeagueId, LeagueName, LeagueScoring, LeagueSearch, Role};

#[derive(Serialize, ToSchema)]
pub struct LeagueView {
    id: LeagueId,
    name: LeagueName,
    tournaments: Vec<LeagueTournamentView>,
    scoring: LeagueScoring,
    /// The Monday, in UTC, of the first week that counts.
    #[schema(value_type = String, format = Date, example = "2026-11-09")]
    starts_on: String,
    is_public: bool,
    #[schema(example = 12)]
    member_count: i64,
    /// What the caller is in it; null for somebody who is not.
    role: Option<Role>,
    /// Lets others in. Null for somebody who is not a member.
    #[schema(example = "K7XQ2MPAD9")]
    code: Option<String>,
    /// The address that asks on the fan page whether to join. Null for somebody who is not a member.
    #[schema(example = "https://fans.example.org/?league=K7XQ2MPAD9")]
    link: Option<String>,
    has_chat: bool,
    /// Where members talk, once the room is made. Null for somebody who is not a member.
    #[schema(example = "!h8vBmRzYKqWdPnXcLt:localhost")]
    chat_room_id: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Null while it goes on.
    #[schema(value_type = Option<String>, format = DateTime, example = json!(null))]
    closed_at: Option<Timestamp>,
}

/// A league as this user sees it.
pub fn view_one(tx: &mut Tx, core: &Core, id: LeagueId, user: UserId) -> Result<LeagueView> {
    let (league, _) = get_seen_by(tx, id, user)?;
    let mut views = view_all(tx, core, vec![league], user)?;
    views.pop().ok_or(not_found!("league"))
}

fn view_all(
    tx: &mut Tx,
    core: &Core,
    leagues: Vec<LeagueRow>,
    user: UserId,
) -> Result<Vec<LeagueView>> {
    let ids: Vec<LeagueId> = leagues.iter().map(|league| league.id).collect();
    let roles: BTreeMap<LeagueId, Role> = store::list_roles(tx, user, &ids)?.into_iter().collect();
    let mut tournaments: BTreeMap<LeagueId, Vec<LeagueTournamentView>> = BTreeMap::new();
    for (league, tournament) in store::list_tournaments(tx, &ids)? {
        tournaments.entry(league).or_default().push(tournament);
    }
    let view = |league: LeagueRow| {
        let role = roles.get(&league.id).copied();
        let code = role.is_some().then_some(league.code);
        LeagueView {
            id: league.id,
            name: league.name,
            tournaments: tournaments.remove(&league.id).unwrap_or_default(),
            scoring: league.scoring,
            starts_on: league.starts_at.to_utc_date(),
            is_public: league.is_public,
            member_count: league.member_count,
            role,
            link: core.config.link(code.as_ref().map(|code| format!("/?league={code}"))),
            code,
            has_chat: league.has_chat,
            chat_room_id: league.chat_room_id.filter(|_| role.is_some() && league.has_chat),
            created_at: league.created_at,
            closed_at: league.closed_at,
        }
    };
    Ok(leagues.into_iter().map(view).collect())
}

/// The league as somebody may see it: members their own, everybody a public one.
pub fn get_seen_by(tx: &mut Tx, id: LeagueId, user: UserId) -> Result<(LeagueRow, Option<Role>)> {
    let league = store::find(tx, id)?.ok_or(not_found!("league"))?;
    let role = store::find_role(tx, id, user)?;
    // To others a league that is not for everybody is none at all.
    let is_seen = role.is_some() || (league.is_public && league.closed_at.is_none());
    if is_seen { Ok((league, role)) } else { Err(not_found!("league")) }
}

/// A page of the leagues that somebody is in, and how many there are.
pub fn list_of(
    tx: &mut Tx,
    core: &Core,
    user: UserId,
    page: Page,
) -> Result<(Vec<LeagueView>, i64)> {
    let (rows, total) = store::list_of(tx, user, page)?;
    Ok((view_all(tx, core, rows, user)?, total))
}

/// A page of the leagues that anybody may join, and how many there are.
pub fn list_public(
    tx: &mut Tx,
    core: &Core,
    user: UserId,
    search: Option<&LeagueSearch>,
    page: Page,
) -> Result<(Vec<LeagueView>, i64)> {
    let (rows, total) = store::list_public(tx, search, page)?;
    Ok((view_all(tx, core, rows, user)?, total))
}

/// A page of the members of a league that this user sees, and how many there are.
pub fn list_members(
    tx: &mut Tx,
    id: LeagueId,
    user: UserId,
    page: Page,
) -> Result<(Vec<LeagueMemberView>, i64)> {
    let (league, _) = get_seen_by(tx, id, user)?;
    Ok((store::list_members(tx, league.id, page)?, league.member_count))
}

#[derive(Serialize, ToSchema)]
pub struct InvitationView {
    id: LeagueId,
    name: LeagueName,
    tournaments: Vec<LeagueTournamentView>,
    #[schema(example = 12)]
    member_count: i64,
    /// Whether the caller is in it already.
    is_member: bool,
}

/// What whoever has the code of a league sees of it.
pub fn invitation(tx: &mut Tx, league: LeagueRow, user: UserId) -> Result<InvitationView> {
    let tournaments = store::list_tournaments(tx, &[league.id])?;
    Ok(InvitationView {
        id: league.id,
        name: league.name,
        tournaments: tournaments.into_iter().map(|(_, tournament)| tournament).collect(),
        member_count: league.member_count,
        is_member: store::find_role(tx, league.id, user)?.is_some(),
    })
}
