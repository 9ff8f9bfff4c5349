//! Who is in a league: joining by code or in public, members, roles and leaving.

use axum::extract::{FromRef, State};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::sessions::{self, Sessions, User};
use crate::features::users::UserId;
use crate::input;
use crate::platform::clock::MINUTE_MS;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::error_body::ErrorBody;
use crate::platform::http::input::{Params, Valid};
use crate::platform::http::page::{AtLeastOne, Page, PageMeta};
use crate::platform::http::path::{PathId, PathText};
use crate::platform::http::views::{Data, Json, Listed, Message, WithMessage};
use crate::platform::limits::{self, Limit, Who};
use crate::platform::verdict::Verdict;

use super::seen::{self, InvitationView, LeagueView, view_one};
use super::values::{Code, LeagueId, Role};
use super::{LeagueMemberView, members};

const JOINS: Limit = Limit { code: "too_many_league_joins", most: 30, window_ms: 10 * MINUTE_MS };

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(show_league_of_code))
        .routes(routes!(join_league_by_code))
        .routes(routes!(join_public_league))
        .routes(routes!(leave_league))
        .routes(routes!(list_league_members))
        .routes(routes!(remove_league_member))
        .routes(routes!(readmit_to_league))
        .routes(routes!(set_league_role))
}

/// Show the league of a code, to ask somebody whether they want to join.
///
/// A code that is no league's counts: after twenty in an hour none is looked at.
#[utoipa::path(get, path = "/api/auth/leagues/codes/{code}", tag = "Leagues", security(("user" = [])),
    params(("code" = String, Path, example = "K7XQ2MPAD9")),
    responses((status = 200, body = Data<InvitationView>),
    (status = 404, description = "It is no league's code", body = ErrorBody),
    (status = 429, description = "Too many wrong codes", body = ErrorBody)),
    extensions(("x-codes" = json!(["404 not_found", "429 too_many_wrong_codes"]))))]
async fn show_league_of_code(
    State(core): State<Core>,
    user: User,
    PathText(code): PathText,
) -> Result<Json<Data<InvitationView>>> {
    let code = Code::try_from(code.as_str()).map_err(|_| not_found!("league"))?;
    let who = Who::user(&core.keys, user.id);
    let show = move |tx: &mut Tx| {
        let league = match super::find_by_code(tx, &code, &who)? {
            Ok(league) => league,
            // What was counted stays.
            Err(refusal) => return Ok(Verdict::Refused(refusal)),
        };
        seen::invitation(tx, league, user.id).map(Verdict::Accepted)
    };
    Ok(Data::json(core.db.write(show).await?.into_result()?))
}

input! {
    #[derive(ToSchema)]
    struct JoinBody {
        /// Small letters, spaces and hyphens do not matter.
        code: Code,
    }
}

/// Join a league by its code. My predictions count from its first week on.
#[utoipa::path(post, path = "/api/auth/leagues/join", tag = "Leagues", security(("user" = [])),
    request_body = JoinBody,
    responses((status = 200, body = WithMessage<LeagueView>),
    (status = 400, description = "The league is full, or I am in too many", body = ErrorBody),
    (status = 403, description = "Shut out by the league, or blocked by its owner", body = ErrorBody),
    (status = 404, description = "It is no league's code", body = ErrorBody),
    (status = 429, description = "Too many wrong codes, or too many leagues at once", body = ErrorBody)),
    extensions(("x-codes" = json!(["400 league_full", "400 too_many_leagues", "403 not_welcome", "404 not_found",
        "429 too_many_league_joins", "429 too_many_wrong_codes"]))))]
async fn join_league_by_code(
    State(core): State<Core>,
    user: User,
    Valid(body): Valid<JoinBody>,
) -> Result<Json<WithMessage<LeagueView>>> {
    let (who, shared) = (Who::user(&core.keys, user.id), core.clone());
    let join = move |tx: &mut Tx| {
        sessions::confirm(tx, user)?;
        match super::find_by_code(tx, &body.code, &who)? {
            Ok(league) => {
                limits::hit(tx, JOINS, &who)?;
                let is_new = members::join(tx, league.id, user.id, Some(&body.code))?;
                Ok(Verdict::Accepted((view_one(tx, &shared, league.id, user.id)?, is_new)))
            }
            Err(refusal) => Ok(Verdict::Refused(refusal)),
        }
    };
    Ok(joined(core.db.write(join).await?.into_result()?))
}

/// Join a league that anybody may join.
#[utoipa::path(post, path = "/api/auth/leagues/{league}/join", tag = "Leagues", security(("user" = [])),
    params(("league" = i64, Path, minimum = 1)),
    responses((status = 200, body = WithMessage<LeagueView>),
    (status = 400, description = "The league is full, or I am in too many", body = ErrorBody),
    (status = 403, description = "Shut out by the league, or blocked by its owner", body = ErrorBody),
    (status = 404, description = "There is no such league, or it is not for everybody", body = ErrorBody),
    (status = 429, description = "Too many leagues at once", body = ErrorBody)),
    extensions(("x-codes" = json!(["400 league_full", "400 too_many_leagues", "403 not_welcome", "404 not_found",
        "429 too_many_league_joins"]))))]
async fn join_public_league(
    State(core): State<Core>,
    user: User,
    PathId(id): PathId,
) -> Result<Json<WithMessage<LeagueView>>> {
    let (who, shared) = (Who::user(&core.keys, user.id), core.clone());
    let join = move |tx: &mut Tx| {
        sessions::confirm(tx, user)?;
        limits::hit(tx, JOINS, &who)?;
        let is_new = members::join(tx, LeagueId(id), user.id, None)?;
        Ok((view_one(tx, &shared, LeagueId(id), user.id)?, is_new))
    };
    Ok(joined(core.db.write(join).await?))
}

/// The league, and whether they were not in it before.
fn joined((league, is_new): (LeagueView, bool)) -> Json<WithMessage<LeagueView>> {
    metrics::counter!("touchline_league_joins_total").increment(u64::from(is_new));
    WithMessage::json(text!("You are in the league."), league)
}

/// Leave a league. Its owner hands it over first, or closes it.
#[utoipa::path(post, path = "/api/auth/leagues/{league}/leave", tag = "Leagues", security(("user" = [])),
    params(("league" = i64, Path, minimum = 1)),
    responses((status = 200, body = Message),
    (status = 400, description = "The owner of others' league", body = ErrorBody),
    (status = 404, description = "I am in no such league", body = ErrorBody)),
    extensions(("x-codes" = json!(["400 owner_leaves", "404 not_found"]))))]
async fn leave_league(
    State(core): State<Core>,
    user: User,
    PathId(id): PathId,
) -> Result<Json<Message>> {
    let leave = move |tx: &mut Tx| {
        sessions::confirm(tx, user)?;
        members::leave(tx, LeagueId(id), user.id)
    };
    core.db.write(leave).await?;
    Ok(Json(Message { message: text!("You have left the league.") }))
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct MembersQuery {
        /// Page number, from 1.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Members on a page; 20 when absent, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

/// List the members of a league that I am in, or that anybody may join: the owner, deputies, then the others as they joined.
#[utoipa::path(get, path = "/api/auth/leagues/{league}/members", tag = "Leagues", security(("user" = [])),
    params(("league" = i64, Path, minimum = 1), MembersQuery),
    responses((status = 200, body = Listed<LeagueMemberView, PageMeta>),
    (status = 404, description = "There is no such league, or it is not for everybody", body = ErrorBody)),
    extensions(("x-codes" = json!(["404 not_found"]))))]
async fn list_league_members(
    State(core): State<Core>,
    user: User,
    PathId(id): PathId,
    Params(query): Params<MembersQuery>,
) -> Result<Json<Listed<LeagueMemberView, PageMeta>>> {
    let page = Page::of(query.page, query.per_page);
    let list = move |tx: &mut Tx| seen::list_members(tx, LeagueId(id), user.id, page);
    let (data, total) = core.db.read_aside(user.id.0, list).await?;
    Ok(Json(Listed { data, meta: page.meta(total) }))
}

input! {
    #[derive(ToSchema)]
    struct RemovalBody {
        user_id: UserId,
        /// Whether the code lets them in no more; false when absent.
        for_good: Option<bool>,
    }
}

/// Take somebody out of a league: its owner anybody, a deputy members.
#[utoipa::path(post, path = "/api/auth/leagues/{league}/remove", tag = "Leagues", security(("user" = [])),
    params(("league" = i64, Path, minimum = 1)), request_body = RemovalBody,
    responses((status = 200, body = Message),
    (status = 400, description = "The league is closed", body = ErrorBody),
    (status = 403, description = "Not in the caller's hands", body = ErrorBody),
    (status = 404, description = "There is no such league or member", body = ErrorBody)),
    extensions(("x-codes" = json!(["400 league_closed", "403 league_role", "404 not_found"]))))]
async fn remove_league_member(
    State(core): State<Core>,
    user: User,
    PathId(id): PathId,
    Valid(body): Valid<RemovalBody>,
) -> Result<Json<Message>> {
    let for_good = body.for_good.unwrap_or(false);
    let remove = move |tx: &mut Tx| {
        sessions::confirm(tx, user)?;
        members::remove(tx, LeagueId(id), user.id, body.user_id, for_good)
    };
    core.db.write(remove).await?;
    Ok(Json(Message { message: text!("They are out of the league.") }))
}

input! {
    #[derive(ToSchema)]
    struct ReadmissionBody {
        user_id: UserId,
    }
}

/// Let somebody in again whom the league had shut out: the code is good for them as for others.
#[utoipa::path(post, path = "/api/auth/leagues/{league}/readmit", tag = "Leagues", security(("user" = [])),
    params(("league" = i64, Path, minimum = 1)), request_body = ReadmissionBody,
    responses((status = 200, body = Message),
    (status = 400, description = "The league is closed", body = ErrorBody),
    (status = 403, description = "Neither owner nor deputy", body = ErrorBody),
    (status = 404, description = "There is no such league", body = ErrorBody)),
    extensions(("x-codes" = json!(["400 league_closed", "403 league_role", "404 not_found"]))))]
async fn readmit_to_league(
    State(core): State<Core>,
    user: User,
    PathId(id): PathId,
    Valid(body): Valid<ReadmissionBody>,
) -> Result<Json<Message>> {
    let readmit = move |tx: &mut Tx| {
        sessions::confirm(tx, user)?;
        members::readmit(tx, LeagueId(id), user.id, body.user_id)
    };
    core.db.write(readmit).await?;
    Ok(Json(Message { message: text!("They may join again.") }))
}

input! {
    #[derive(ToSchema)]
    struct RoleBody {
        user_id: UserId,
        /// `owner` hands the league over: the caller is a deputy then.
        role: Role,
    }
}

/// Make a member of my league a deputy, a member again, or the owner in my place.
#[utoipa::path(post, path = "/api/auth/leagues/{league}/role", tag = "Leagues", security(("user" = [])),
    params(("league" = i64, Path, minimum = 1)), request_body = RoleBody,
    responses((status = 200, body = Message),
    (status = 400, description = "The league is closed, or it is the owner themselves", body = ErrorBody),
    (status = 403, description = "Not the owner", body = ErrorBody),
    (status = 404, description = "There is no such league or member", body = ErrorBody)),
    extensions(("x-codes" = json!(["400 league_closed", "400 owner_stays", "403 league_role", "404 not_found"]))))]
async fn set_league_role(
    State(core): State<Core>,
    user: User,
    PathId(id): PathId,
    Valid(body): Valid<RoleBody>,
) -> Result<Json<Message>> {
    let set = move |tx: &mut Tx| {
        sessions::confirm(tx, user)?;
        members::set_role(tx, LeagueId(id), user.id, body.user_id, body.role)
    };
    core.db.write(set).await?;
    Ok(Json(Message { message: text!("Their role is changed.") }))
}
