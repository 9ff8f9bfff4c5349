//! Tournaments as users see them.

use axum::extract::{FromRef, State};
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::events::Events;
use crate::features::sessions::{Sessions, User};
use crate::features::teams::{self, SportId, SportView};
use crate::input;
use crate::platform::clock::Timestamp;
use crate::platform::config::Config;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::input::Params;
use crate::platform::http::page::{AtLeastOne, Page, PageMeta};
use crate::platform::http::path::PathId;
use crate::platform::http::views::{Listed, PreparedJson};

use super::{ListedTournamentRow, MatchDayRow, TournamentFilter, TournamentId, tournaments};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Events: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(list_tournaments)).routes(routes!(list_match_days))
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
    #[schema(nullable = false, example = "https://app.example.org/crests/harbour_league.svg")]
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

#[derive(Serialize, ToSchema)]
struct MatchDayView {
    /// The UTC day.
    #[schema(format = Date, example = "2026-11-20")]
    date: String,
    /// The first and the last kick-off of the day.
    #[schema(value_type = String, format = DateTime, example = "2026-11-20T15:00:00.000Z")]
    first_start_time: Timestamp,
    #[schema(value_type = String, format = DateTime, example = "2026-11-20T20:45:00.000Z")]
    last_start_time: Timestamp,
    /// Matches that begin on this day; those that are scheduled, live and finished add up to it.
    #[schema(example = 6)]
    events: i64,
    #[schema(example = 4)]
    scheduled: i64,
    #[schema(example = 1)]
    live: i64,
    #[schema(example = 1)]
    finished: i64,
}

impl From<MatchDayRow> for MatchDayView {
    fn from(row: MatchDayRow) -> Self {
        Self {
            date: Timestamp::start_of_utc_day(row.day).to_utc_date(),
            first_start_time: row.first_start_time,
            last_start_time: row.last_start_time,
            events: row.events,
            scheduled: row.scheduled,
            live: row.live,
            finished: row.finished,
        }
    }
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct MatchDaysQuery {
        /// Page number, from 1.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Days on a page; 20 when absent, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

/// List the UTC days on which a tournament has matches, in order, for a calendar.
///
/// `GET /api/auth/events` with `tournament_id` and `date` lists the matches of a day. Voided ones are in neither.
#[utoipa::path(get, path = "/api/auth/tournaments/{tournament}/match-days", tag = "Events", security(("user" = [])),
    params(("tournament" = i64, Path, minimum = 1, description = "The tournament's id"), MatchDaysQuery),
    responses((status = 200, description = "A page of match days", body = Listed<MatchDayView, PageMeta>),
    (status = 404, description = "There is no such tournament", body = crate::platform::http::error_body::ErrorBody)))]
async fn list_match_days(
    State(events): State<Events>,
    _user: User,
    PathId(tournament): PathId,
    Params(query): Params<MatchDaysQuery>,
) -> Result<PreparedJson> {
    let (tournament, page) = (TournamentId(tournament), Page::of(query.page, query.per_page));
    let read = || read_match_days(&events, tournament, page);
    events.match_days.get((tournament, page), &[&super::CHANGES], read).await
}

async fn read_match_days(
    events: &Events,
    tournament: TournamentId,
    page: Page,
) -> Result<PreparedJson> {
    let list = move |tx: &mut Tx| tournaments::match_days(tx, tournament, page);
    let (rows, total) = events.db.read(list).await?;
    let data: Vec<_> = rows.into_iter().map(MatchDayView::from).collect();
    PreparedJson::of(&Listed { data, meta: page.meta(total) })
}
