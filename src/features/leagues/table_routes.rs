//! A league's table as its members see it, and who won which week.

use axum::extract::{FromRef, State};
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::leaderboards::{Around, OwnPlaceView, PlaceView, Window, monday_of};
use crate::features::leagues::Leagues;
use crate::features::sessions::{Sessions, User};
use crate::input;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::error_body::ErrorBody;
use crate::platform::http::input::Params;
use crate::platform::http::moments::UtcDate;
use crate::platform::http::page::{AtLeastOne, Page, PageMeta};
use crate::platform::http::path::PathId;
use crate::platform::http::views::{Json, Listed};

use super::seen;
use super::table::{self, Week, WeekView};
use super::values::LeagueId;

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Leagues: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(show_league_table)).routes(routes!(list_league_weeks))
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct TableQuery {
        /// A UTC day: only the week that holds it, from Monday on. All weeks since the league's first when absent.
        #[param(value_type = Option<String>, format = Date, example = "2026-11-09")]
        week: Option<UtcDate>,
        /// `me`: the page on which the caller is.
        #[param(inline)]
        around: Option<Around>,
        /// Page number, from 1.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Places on a page; 20 when absent, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

#[derive(Serialize, ToSchema)]
struct TableMeta {
    #[serde(flatten)]
    page: PageMeta,
    /// The Monday of the week, in UTC; null for all of them.
    #[schema(value_type = Option<String>, format = Date, example = "2026-11-09")]
    week: Option<String>,
    /// The caller's own place; null for somebody who has none.
    me: Option<OwnPlaceView>,
}

/// Show the table of a league that I am in, or that anybody may join.
///
/// In the table of all weeks everybody has a place; in that of one week whoever has a settled prediction.
#[utoipa::path(get, path = "/api/auth/leagues/{league}/table", tag = "Leagues", security(("user" = [])),
    params(("league" = i64, Path, minimum = 1), TableQuery),
    responses((status = 200, body = Listed<PlaceView, TableMeta>),
    (status = 404, description = "There is no such league, or it is not for everybody", body = ErrorBody)),
    extensions(("x-codes" = json!(["404 not_found"]))))]
async fn show_league_table(
    State(leagues): State<Leagues>,
    user: User,
    PathId(id): PathId,
    Params(query): Params<TableQuery>,
) -> Result<Json<Listed<PlaceView, TableMeta>>> {
    let window = Window::of(query.around, Page::of(query.page, query.per_page));
    let week = query.week.map(|UtcDate(day)| monday_of(day));
    let places = table::table(&leagues, LeagueId(id), Week(week), window, user.id).await?;
    let meta = TableMeta {
        page: places.page.meta(places.total),
        week: week.map(crate::platform::clock::Timestamp::to_utc_date),
        me: places.me.map(OwnPlaceView::from),
    };
    let data = places.rows.into_iter().map(PlaceView::from).collect();
    Ok(Json(Listed { data, meta }))
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct WeeksQuery {
        /// Page number, from 1.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Weeks on a page; 20 when absent, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

/// List the weeks of a league with those who won them, the latest first.
#[utoipa::path(get, path = "/api/auth/leagues/{league}/weeks", tag = "Leagues", security(("user" = [])),
    params(("league" = i64, Path, minimum = 1), WeeksQuery),
    responses((status = 200, body = Listed<WeekView, PageMeta>),
    (status = 404, description = "There is no such league, or it is not for everybody", body = ErrorBody)),
    extensions(("x-codes" = json!(["404 not_found"]))))]
async fn list_league_weeks(
    State(core): State<Core>,
    user: User,
    PathId(id): PathId,
    Params(query): Params<WeeksQuery>,
) -> Result<Json<Listed<WeekView, PageMeta>>> {
    let page = Page::of(query.page, query.per_page);
    let list = move |tx: &mut Tx| {
        let (league, _) = seen::get_seen_by(tx, LeagueId(id), user.id)?;
        table::weeks(tx, league.id, page)
    };
    let (data, total) = core.db.read_aside(user.id.0, list).await?;
    Ok(Json(Listed { data, meta: page.meta(total) }))
}
