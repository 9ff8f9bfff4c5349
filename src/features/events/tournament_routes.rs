//! Tournaments as users see them.

use axum::extract::{FromRef, State};
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::events::Events;
use crate::features::sessions::{Sessions, User};
use crate::features::teams::{self, SportId, SportView};
use crate::input;
use crate::platform::config::Config;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::input::Params;
use crate::platform::http::page::{AtLeastOne, Page, PageMeta};
use crate::platform::http::views::{Listed, PreparedJson};

use super::{ListedTournamentRow, TournamentFilter, TournamentId, tournaments};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Events: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(list_tournaments))
}

#[derive(Serialize, ToSchema)]
struct TournamentView {
    id: TournamentId,
    #[schema(example = "Harbour League")]
    name: String,
    #[schema(example = "harbour_league")]
    slug: String,
    sport_id: SportId,
    sport: SportView,
    /// Absent when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "https://app.example.org/crests/harbour_league.svg")]
    logo: Option<String>,
}

impl TournamentView {
    fn of(row: ListedTournamentRow, config: &Config) -> Self {
        Self {
            id: row.id,
            name: row.name,
            slug: row.slug,
            sport_id: row.sport.id,
            sport: row.sport,
            logo: config.link(row.logo),
        }
    }
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct TournamentsQuery {
        /// Only tournaments of this sport.
        #[param(value_type = Option<i64>, minimum = 1)]
        sport_id: Option<SportId>,
        /// Only tournaments whose name contains this text; case does not matter and nothing is a wildcard.
        search: Option<String>,
        /// Page number, from 1.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Tournaments on a page; 20 when absent, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

/// List tournaments by name.
#[utoipa::path(get, path = "/api/auth/tournaments", tag = "Events", security(("user" = [])),
    params(TournamentsQuery),
    responses((status = 200, description = "A page of tournaments", body = Listed<TournamentView, PageMeta>)))]
async fn list_tournaments(
    State(events): State<Events>,
    _user: User,
    Params(query): Params<TournamentsQuery>,
) -> Result<PreparedJson> {
    let page = Page::of(query.page, query.per_page);
    let filter = TournamentFilter { sport: query.sport_id, search: query.search };
    let made_of = [&super::CHANGES, &teams::CHANGES];
    let read = || read_tournaments(&events, filter.clone(), page);
    events.tournaments.get((filter.clone(), page), &made_of, read).await
}

async fn read_tournaments(
    events: &Events,
    filter: TournamentFilter,
    page: Page,
) -> Result<PreparedJson> {
    let list = move |tx: &mut Tx| tournaments::list(tx, &filter, page);
    let (rows, total) = events.db.read(list).await?;
    let view = |row| TournamentView::of(row, &events.config);
    let data: Vec<_> = rows.into_iter().map(view).collect();
    PreparedJson::of(&Listed { data, meta: page.meta(total) })
}
