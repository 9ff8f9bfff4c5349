//! What operators do about leagues: finding them, another name for one that offends, and the end of one.

use axum::extract::{FromRef, State};
use serde::Serialize;
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::operators::{self, Change, guard};
use crate::features::sessions::Sessions;
use crate::features::users::BriefUserView;
use crate::input;
use crate::platform::clock::Timestamp;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::error_body::ErrorBody;
use crate::platform::http::input::{Params, Valid};
use crate::platform::http::page::{AtLeastOne, Page, PageMeta};
use crate::platform::http::path::PathId;
use crate::platform::http::views::{Json, Listed, Message};

use super::FoundLeagueRow;
use super::values::{ClosingReason, LeagueId, LeagueName, LeagueScoring, LeagueSearch};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(find_leagues))
        .routes(routes!(rename_league))
        .routes(routes!(end_league))
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct LeaguesQuery {
        /// A part of the name.
        #[param(value_type = Option<String>, min_length = 1, max_length = 60)]
        search: Option<LeagueSearch>,
        /// Only those that are not closed; true when absent.
        open: Option<bool>,
        /// Page number, from 1.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Leagues on a page, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

#[derive(Serialize, ToSchema)]
struct FoundLeagueView {
    id: LeagueId,
    name: LeagueName,
    /// Null where nobody is left.
    owner: Option<BriefUserView>,
    scoring: LeagueScoring,
    is_public: bool,
    #[schema(example = 12)]
    member_count: i64,
    has_chat: bool,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Null while it goes on.
    #[schema(value_type = Option<String>, format = DateTime, example = json!(null))]
    closed_at: Option<Timestamp>,
}

impl From<FoundLeagueRow> for FoundLeagueView {
    fn from(row: FoundLeagueRow) -> Self {
        let league = row.league;
        Self {
            id: league.id,
            name: league.name,
            owner: row.owner,
            scoring: league.scoring,
            is_public: league.is_public,
            member_count: league.member_count,
            has_chat: league.has_chat,
            created_at: league.created_at,
            closed_at: league.closed_at,
        }
    }
}

/// Find leagues, public or not, the largest first.
#[utoipa::path(get, path = "/api/admin/leagues", tag = "Operators", security(("operator" = ["viewer"])),
    params(LeaguesQuery), responses((status = 200, body = Listed<FoundLeagueView, PageMeta>)))]
async fn find_leagues(
    State(core): State<Core>,
    _: guard::Viewer,
    Params(query): Params<LeaguesQuery>,
) -> Result<Json<Listed<FoundLeagueView, PageMeta>>> {
    let page = Page::of(query.page, query.per_page);
    let only_open = query.open.unwrap_or(true);
    let find = move |tx: &mut Tx| super::search(tx, query.search.as_ref(), only_open, page);
    let (rows, total) = core.db.read(find).await?;
    let data = rows.into_iter().map(FoundLeagueView::from).collect();
    Ok(Json(Listed { data, meta: page.meta(total) }))
}

input! {
    #[derive(ToSchema)]
    #[schema(as = LeagueNameBody)]
    struct NameBody {
        name: LeagueName,
    }
}

/// Give a league another name, because the one it has offends.
#[utoipa::path(post, path = "/api/admin/leagues/{league}/rename", tag = "Operators", security(("operator" = ["moderator"])),
    params(("league" = i64, Path, minimum = 1)), request_body = NameBody,
    responses((status = 200, body = Message),
    (status = 404, description = "There is no such league", body = ErrorBody)),
    extensions(("x-codes" = json!(["404 not_found"]))))]
async fn rename_league(
    State(core): State<Core>,
    guard::Moderator(operator): guard::Moderator,
    PathId(id): PathId,
    Valid(body): Valid<NameBody>,
) -> Result<Json<Message>> {
    let id = LeagueId(id);
    let rename = move |tx: &mut Tx| {
        let before = super::rename(tx, id, &body.name)?;
        let (subject, after) = (format!("league {}", id.0), json!({"name": body.name}));
        let change = Change { before: json!({"name": before}), after: after.clone() };
        operators::audit_change(tx, &operator, "league.rename", &subject, &after, &change)
    };
    core.db.write(rename).await?;
    Ok(Json(Message { message: text!("The league has another name.") }))
}

input! {
    #[derive(ToSchema)]
    #[schema(as = LeagueEndBody)]
    struct EndBody {
        reason: ClosingReason,
    }
}

/// Close a league: nobody joins, nothing counts any more, and its table stays.
#[utoipa::path(post, path = "/api/admin/leagues/{league}/close", tag = "Operators", security(("operator" = ["moderator"])),
    params(("league" = i64, Path, minimum = 1)), request_body = EndBody,
    responses((status = 200, body = Message),
    (status = 400, description = "It is closed already", body = ErrorBody),
    (status = 404, description = "There is no such league", body = ErrorBody)),
    extensions(("x-codes" = json!(["400 league_closed", "404 not_found"]))))]
async fn end_league(
    State(core): State<Core>,
    guard::Moderator(operator): guard::Moderator,
    PathId(id): PathId,
    Valid(body): Valid<EndBody>,
) -> Result<Json<Message>> {
    let id = LeagueId(id);
    let close = move |tx: &mut Tx| {
        super::end(tx, id)?;
        let (subject, detail) = (format!("league {}", id.0), json!({"reason": body.reason}));
        let change = Change { before: json!({"closed": false}), after: json!({"closed": true}) };
        operators::audit_change(tx, &operator, "league.close", &subject, &detail, &change)
    };
    core.db.write(close).await?;
    Ok(Json(Message { message: text!("The league is closed.") }))
}
