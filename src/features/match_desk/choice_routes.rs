//! What a new match is made of: tournaments and teams, as operators choose among them.

use axum::extract::{FromRef, State};
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::events::{self, TournamentFilter, TournamentId};
use crate::features::operators::guard;
use crate::features::sessions::Sessions;
use crate::features::teams::{self, SportId, SportView, TeamFilter, TeamId};
use crate::input;
use crate::platform::core::Core;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::input::Params;
use crate::platform::http::page::{AtLeastOne, Page, PageMeta};
use crate::platform::http::views::{Json, Listed};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(list_tournaments_to_choose))
        .routes(routes!(list_teams_to_choose))
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct ChoiceQuery {
        /// Only those of this sport.
        #[param(value_type = Option<i64>, minimum = 1)]
        sport_id: Option<SportId>,
        /// Only those whose name contains this text; case does not matter and nothing is a wildcard.
        search: Option<String>,
        /// Page number, from 1.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// On a page; 20 when absent, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

#[derive(Serialize, ToSchema)]
struct TournamentChoiceView {
    id: TournamentId,
    #[schema(example = "Harbour League")]
    name: String,
    sport: SportView,
}

/// List tournaments that a match can be of, by name.
#[utoipa::path(get, path = "/api/admin/tournaments", tag = "Operators", security(("operator" = ["viewer"])),
    params(ChoiceQuery), responses((status = 200, body = Listed<TournamentChoiceView, PageMeta>)))]
async fn list_tournaments_to_choose(
    State(core): State<Core>,
    guard::Viewer(_): guard::Viewer,
    Params(query): Params<ChoiceQuery>,
) -> Result<Json<Listed<TournamentChoiceView, PageMeta>>> {
    let page = Page::of(query.page, query.per_page);
    let filter = TournamentFilter { sport: query.sport_id, search: query.search };
    let read = core.db.read(move |tx| events::list_tournaments(tx, &filter, page)).await?;
    let (rows, total) = read;
    let view = |row: events::ListedTournamentRow| TournamentChoiceView {
        id: row.id,
        name: row.name,
        sport: row.sport,
    };
    Ok(Json(Listed { data: rows.into_iter().map(view).collect(), meta: page.meta(total) }))
}

#[derive(Serialize, ToSchema)]
struct TeamChoiceView {
    id: TeamId,
    #[schema(example = "Northgate FC")]
    name: String,
    /// Null when unknown.
    #[schema(example = "England")]
    country: Option<String>,
    sport: SportView,
}

/// List teams that can play a match, by name.
#[utoipa::path(get, path = "/api/admin/teams", tag = "Operators", security(("operator" = ["viewer"])),
    params(ChoiceQuery), responses((status = 200, body = Listed<TeamChoiceView, PageMeta>)))]
async fn list_teams_to_choose(
    State(core): State<Core>,
    guard::Viewer(_): guard::Viewer,
    Params(query): Params<ChoiceQuery>,
) -> Result<Json<Listed<TeamChoiceView, PageMeta>>> {
    let page = Page::of(query.page, query.per_page);
    let filter = TeamFilter { sport: query.sport_id, search: query.search };
    let (rows, total) = core.db.read(move |tx| teams::list(tx, &filter, page)).await?;
    let view = |row: teams::TeamRow| TeamChoiceView {
        id: row.id,
        name: row.name,
        country: row.country,
        sport: row.sport,
    };
    Ok(Json(Listed { data: rows.into_iter().map(view).collect(), meta: page.meta(total) }))
}
