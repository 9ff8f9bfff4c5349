//! Leagues as users make, find and change them.

use axum::extract::{FromRef, State};
use http::StatusCode;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::events::TournamentId;
use crate::features::leaderboards::monday_of;
use crate::features::sessions::{self, Sessions, User};
use crate::input;
use crate::platform::clock::MINUTE_MS;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::error_body::ErrorBody;
use crate::platform::http::input::{Params, Valid};
use crate::platform::http::moments::UtcDate;
use crate::platform::http::page::{AtLeastOne, Page, PageMeta};
use crate::platform::http::path::PathId;
use crate::platform::http::views::{Data, Json, Listed, Message, WithMessage};
use crate::platform::idempotency::{self, Answer, ValidOnce};
use crate::platform::limits::{self, Limit, Who};

use super::seen::{self, LeagueView, view_one};
use super::values::{LeagueId, LeagueName, LeagueScoring, LeagueSearch, Tournaments};
use super::{Terms, talk};

const NEW_LEAGUES: Limit =
    Limit { code: "too_many_new_leagues", most: 10, window_ms: 10 * MINUTE_MS };

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(list_leagues, create_league))
        .routes(routes!(show_league, change_league, close_league))
        .routes(routes!(renew_league_code))
        .routes(routes!(enter_league_chat))
}

input! {
    #[derive(ToSchema)]
    #[schema(as = LeagueBody)]
    pub struct NewLeague {
        name: LeagueName,
        /// The tournaments whose matches count, 1 to 20 of them.
        #[schema(value_type = Vec<TournamentId>, min_items = 1, max_items = 20)]
        tournament_ids: Tournaments,
        /// By what it counts: `tournament` (what each tournament pays, when absent), or one preset for all.
        scoring: Option<LeagueScoring>,
        /// A UTC day: matches count from the Monday of its week on. This week when absent; at most 400 days ago or ahead.
        #[schema(value_type = Option<String>, format = Date, example = "2026-11-09")]
        starts_on: Option<UtcDate>,
        /// Whether anybody may find and join it; false when absent: then only with its code.
        is_public: Option<bool>,
        /// Whether it has a chat room of its own, whose members are the league's; false when absent.
        has_chat: Option<bool>,
    }
}

input! {
    #[derive(ToSchema)]
    #[schema(as = LeagueChange)]
    pub struct LeagueChange {
        name: Option<LeagueName>,
        #[schema(value_type = Option<Vec<TournamentId>>, min_items = 1, max_items = 20)]
        tournament_ids: Option<Tournaments>,
        scoring: Option<LeagueScoring>,
        #[schema(value_type = Option<String>, format = Date, example = "2026-11-09")]
        starts_on: Option<UtcDate>,
        is_public: Option<bool>,
        has_chat: Option<bool>,
    }
}

/// Make a league, of which I am the owner and first member.
///
/// The answer has a code and a link: whoever has either can join. With an `Idempotency-Key` the same request makes one league, however
/// often it is sent.
#[utoipa::path(post, path = "/api/auth/leagues", tag = "Leagues", security(("user" = [])),
    params(("Idempotency-Key" = Option<String>, Header, pattern = "^[ -~]{1,255}$", description = "1 to 255 printable ASCII characters")),
    request_body = NewLeague,
    responses((status = 201, body = WithMessage<LeagueView>),
    (status = 400, description = "In too many leagues", body = ErrorBody),
    (status = 429, description = "Too many new leagues", body = ErrorBody)),
    extensions(("x-codes" = json!(["400 too_many_leagues", "429 too_many_new_leagues"]))))]
async fn create_league(
    State(core): State<Core>,
    user: User,
    ValidOnce(new, once): ValidOnce<NewLeague>,
) -> Result<Answer> {
    let (who, shared) = (Who::user(&core.keys, user.id), core.clone());
    let create = move |tx: &mut Tx| {
        idempotency::once(tx, user.id, &once, |tx| {
            sessions::confirm(tx, user)?;
            limits::hit(tx, NEW_LEAGUES, &who)?;
            let first_day = new.starts_on.map_or(tx.now(), |UtcDate(day)| day);
            let terms = Terms {
                name: &new.name,
                is_public: new.is_public.unwrap_or(false),
                scoring: new.scoring.unwrap_or_default(),
                starts_at: monday_of(first_day),
                has_chat: new.has_chat.unwrap_or(false),
            };
            let id = super::create(tx, user.id, &terms, &new.tournament_ids)?;
            let data = view_one(tx, &shared, id, user.id)?;
            Ok((StatusCode::CREATED, WithMessage { message: text!("The league is made."), data }))
        })
    };
    let answer = core.db.write(create).await?;
    if !answer.is_replay() {
        metrics::counter!("touchline_leagues_created_total").increment(1);
    }
    Ok(answer)
}

input! {
    #[derive(Clone, IntoParams)]
    #[into_params(parameter_in = Query)]
    struct LeagueQuery {
        /// True: leagues that anybody may join, the largest first. Those I am in when absent, the last joined first.
        public: Option<bool>,
        /// A part of the name, of public leagues only.
        #[param(value_type = Option<String>, min_length = 1, max_length = 60)]
        search: Option<LeagueSearch>,
        /// Page number, from 1.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Leagues on a page; 20 when absent, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

/// List my leagues, or those that anybody may join.
#[utoipa::path(get, path = "/api/auth/leagues", tag = "Leagues", security(("user" = [])),
    params(LeagueQuery), responses((status = 200, body = Listed<LeagueView, PageMeta>)))]
async fn list_leagues(
    State(core): State<Core>,
    user: User,
    Params(query): Params<LeagueQuery>,
) -> Result<Json<Listed<LeagueView, PageMeta>>> {
    let page = Page::of(query.page, query.per_page);
    let shared = core.clone();
    let list = move |tx: &mut Tx| {
        if query.public.unwrap_or(false) {
            seen::list_public(tx, &shared, user.id, query.search.as_ref(), page)
        } else {
            seen::list_of(tx, &shared, user.id, page)
        }
    };
    let (data, total) = core.db.read_aside(user.id.0, list).await?;
    Ok(Json(Listed { data, meta: page.meta(total) }))
}

/// Show a league that I am in, or that anybody may join.
#[utoipa::path(get, path = "/api/auth/leagues/{league}", tag = "Leagues", security(("user" = [])),
    params(("league" = i64, Path, minimum = 1)),
    responses((status = 200, body = Data<LeagueView>),
    (status = 404, description = "There is no such league, or it is not for everybody", body = ErrorBody)),
    extensions(("x-codes" = json!(["404 not_found"]))))]
async fn show_league(
    State(core): State<Core>,
    user: User,
    PathId(id): PathId,
) -> Result<Json<Data<LeagueView>>> {
    let shared = core.clone();
    let show = move |tx: &mut Tx| view_one(tx, &shared, LeagueId(id), user.id);
    Ok(Data::json(core.db.read(show).await?))
}

/// Change a league of mine; what is absent stays.
///
/// If it counts by something else then, its table is reckoned anew, which takes a second or two for ten thousand members.
#[utoipa::path(patch, path = "/api/auth/leagues/{league}", tag = "Leagues", security(("user" = [])),
    params(("league" = i64, Path, minimum = 1)), request_body = LeagueChange,
    responses((status = 200, body = WithMessage<LeagueView>),
    (status = 400, description = "The league is closed", body = ErrorBody),
    (status = 403, description = "Not the owner", body = ErrorBody),
    (status = 404, description = "There is no such league", body = ErrorBody)),
    extensions(("x-codes" = json!(["400 league_closed", "403 league_role", "404 not_found"]))))]
async fn change_league(
    State(core): State<Core>,
    user: User,
    PathId(id): PathId,
    Valid(change): Valid<LeagueChange>,
) -> Result<Json<WithMessage<LeagueView>>> {
    let (shared, id) = (core.clone(), LeagueId(id));
    let write = move |tx: &mut Tx| {
        sessions::confirm(tx, user)?;
        super::change(tx, id, user.id, &change.wish())?;
        view_one(tx, &shared, id, user.id)
    };
    Ok(WithMessage::json(text!("The league is changed."), core.db.write(write).await?))
}

/// Close a league of mine: nobody joins, nothing counts any more, and its table stays.
#[utoipa::path(delete, path = "/api/auth/leagues/{league}", tag = "Leagues", security(("user" = [])),
    params(("league" = i64, Path, minimum = 1)),
    responses((status = 200, body = Message),
    (status = 400, description = "It is closed already", body = ErrorBody),
    (status = 403, description = "Not the owner", body = ErrorBody),
    (status = 404, description = "There is no such league", body = ErrorBody)),
    extensions(("x-codes" = json!(["400 league_closed", "403 league_role", "404 not_found"]))))]
async fn close_league(
    State(core): State<Core>,
    user: User,
    PathId(id): PathId,
) -> Result<Json<Message>> {
    let close = move |tx: &mut Tx| {
        sessions::confirm(tx, user)?;
        super::close(tx, LeagueId(id), user.id)
    };
    core.db.write(close).await?;
    Ok(Json(Message { message: text!("The league is closed.") }))
}

/// Take a new code for a league; the old one lets nobody in any more.
#[utoipa::path(post, path = "/api/auth/leagues/{league}/code", tag = "Leagues", security(("user" = [])),
    params(("league" = i64, Path, minimum = 1)),
    responses((status = 200, body = WithMessage<LeagueView>),
    (status = 400, description = "The league is closed", body = ErrorBody),
    (status = 403, description = "Neither owner nor deputy", body = ErrorBody),
    (status = 404, description = "There is no such league", body = ErrorBody)),
    extensions(("x-codes" = json!(["400 league_closed", "403 league_role", "404 not_found"]))))]
async fn renew_league_code(
    State(core): State<Core>,
    user: User,
    PathId(id): PathId,
) -> Result<Json<WithMessage<LeagueView>>> {
    let (shared, id) = (core.clone(), LeagueId(id));
    let renew = move |tx: &mut Tx| {
        sessions::confirm(tx, user)?;
        super::renew_code(tx, id, user.id)?;
        view_one(tx, &shared, id, user.id)
    };
    Ok(WithMessage::json(text!("The league has a new code."), core.db.write(renew).await?))
}

/// Come into the chat room of a league that I am in, after having left it. Whoever joins a league comes in by themselves.
#[utoipa::path(post, path = "/api/auth/leagues/{league}/chat", tag = "Leagues", security(("user" = [])),
    params(("league" = i64, Path, minimum = 1)),
    responses((status = 200, body = Message),
    (status = 400, description = "The league has no room", body = ErrorBody),
    (status = 404, description = "I am in no such league", body = ErrorBody)),
    extensions(("x-codes" = json!(["400 league_without_chat", "404 not_found"]))))]
async fn enter_league_chat(
    State(core): State<Core>,
    user: User,
    PathId(id): PathId,
) -> Result<Json<Message>> {
    let enter = move |tx: &mut Tx| {
        sessions::confirm(tx, user)?;
        talk::come_in(tx, LeagueId(id), user.id)
    };
    core.db.write(enter).await?;
    Ok(Json(Message { message: text!("You are let into the league's room.") }))
}

impl LeagueChange {
    fn wish(&self) -> super::Change<'_> {
        super::Change {
            name: self.name.as_ref(),
            tournaments: self.tournament_ids.as_ref(),
            scoring: self.scoring,
            starts_at: self.starts_on.map(|UtcDate(day)| monday_of(day)),
            is_public: self.is_public,
            has_chat: self.has_chat,
        }
    }
}
