//! Events as users see them.

use std::sync::Arc;

use axum::extract::{FromRef, State};
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::events::Events;
use crate::features::sessions::{Sessions, User};
use crate::features::teams::routes::BriefTeamView;
use crate::features::teams::{self, TeamId};
use crate::input;
use crate::platform::clock::Timestamp;
use crate::platform::config::Config;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::input::Params;
use crate::platform::http::moments::UtcDate;
use crate::platform::http::page::{AtLeastOne, Page, PageMeta};
use crate::platform::http::path::PathId;
use crate::platform::http::views::{Data, Json, Listed, PreparedJson};

use super::{
    EventDetailsRow, EventFilter, EventId, Minute, Period, PreparedPage, Score, ShowEvent, Status,
    TournamentId, Venue, VoidReason,
};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Events: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(list_events)).routes(routes!(show_event))
}

#[derive(Serialize, ToSchema)]
struct BriefTournamentView {
    id: TournamentId,
    #[schema(example = "Demo League")]
    name: String,
    /// Absent when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    logo: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct EventView {
    id: EventId,
    tournament_id: TournamentId,
    tournament: BriefTournamentView,
    home_team: BriefTeamView,
    away_team: BriefTeamView,
    #[schema(value_type = String, format = DateTime, example = "2026-11-20T15:00:00.000Z")]
    start_time: Timestamp,
    /// False for a match that is postponed without a new time: `start_time` is the last known one, and the match takes predictions
    /// and does not go live until another is given.
    #[schema(example = true)]
    start_time_confirmed: bool,
    status: Status,
    /// Empty when unknown.
    venue: Venue,
    /// Null before there is a score.
    home_score: Option<Score>,
    away_score: Option<Score>,
    /// Of a live match, if it was told; otherwise null.
    period: Option<Period>,
    /// The minute of a live match as it was last told, if it was; added time counts on (47 in a first half is 45+2).
    minute: Option<Minute>,
    /// When it was that minute, so that an app can run the clock from there. Null without a minute.
    #[schema(value_type = Option<String>, format = DateTime, example = "2026-11-20T16:21:00.000Z")]
    minute_at: Option<Timestamp>,
    /// The match's own chat room; null for the moment until it is there.
    #[schema(example = "!kNqLsrUgp:localhost")]
    chat_room_id: Option<String>,
    #[schema(example = 128)]
    predictions_count: i64,
}

impl EventView {
    pub fn of(row: EventDetailsRow, predictions_count: i64, config: &Config) -> Self {
        Self {
            id: row.event.id,
            tournament_id: row.event.tournament_id,
            tournament: BriefTournamentView {
                id: row.tournament.id,
                name: row.tournament.name,
                logo: config.link(row.tournament.logo),
            },
            home_team: BriefTeamView::of(row.home_team, config),
            away_team: BriefTeamView::of(row.away_team, config),
            start_time: row.event.start_time,
            start_time_confirmed: row.event.start_time_confirmed,
            status: row.event.status,
            venue: row.event.venue,
            home_score: row.event.home_score,
            away_score: row.event.away_score,
            period: row.event.playing.period,
            minute: row.event.playing.minute,
            minute_at: row.event.playing.minute_at,
            chat_room_id: row.event.chat_room_id,
            predictions_count,
        }
    }
}

/// One event with what only matters when it is looked at by itself.
#[derive(Serialize, ToSchema)]
pub struct EventDetailView {
    #[serde(flatten)]
    event: EventView,
    /// `void` for a match that does not count (its status stays what it was), otherwise null.
    #[schema(example = json!(null))]
    status_detail: Option<&'static str>,
    /// Why it is void.
    void_reason: Option<VoidReason>,
}

impl EventDetailView {
    pub fn of(row: EventDetailsRow, predictions_count: i64, config: &Config) -> Self {
        Self {
            status_detail: row.event.status_detail(),
            void_reason: row.event.void_reason.clone(),
            event: EventView::of(row, predictions_count, config),
        }
    }
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct EventsQuery {
        /// Only events of this tournament.
        #[param(value_type = Option<i64>, minimum = 1)]
        tournament_id: Option<TournamentId>,
        /// Only events in which this team plays, at home or away.
        #[param(value_type = Option<i64>, minimum = 1)]
        team_id: Option<TeamId>,
        /// Only events that begin on this UTC day.
        #[param(value_type = Option<String>, format = Date, example = "2026-11-20")]
        date: Option<UtcDate>,
        /// Only events of this status.
        status: Option<Status>,
        /// Page number, from 1.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Events on a page; 20 when absent, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

/// List events: live ones by start, then scheduled ones by start, then finished ones, latest first.
///
/// Voided events are not listed.
#[utoipa::path(get, path = "/api/auth/events", tag = "Events", security(("user" = [])),
    params(EventsQuery), responses((status = 200, body = Listed<EventView, PageMeta>)))]
async fn list_events(
    State(events): State<Events>,
    _user: User,
    Params(query): Params<EventsQuery>,
) -> Result<PreparedJson> {
    let page = Page::of(query.page, query.per_page);
    let filter = EventFilter {
        tournament: query.tournament_id,
        team: query.team_id,
        day: query.date.map(|date| date.0),
        status: query.status,
    };
    let made_of = [&super::CHANGES, &teams::CHANGES, &events.counts.losses];
    let read = || read_page(&events, filter.clone(), page);
    let prepared = events.pages.get((filter.clone(), page), &made_of, read).await?;
    Ok(PreparedJson::from(prepared.with(&events.counts)))
}

async fn read_page(events: &Events, filter: EventFilter, page: Page) -> Result<Arc<PreparedPage>> {
    let list = move |tx: &mut Tx| {
        let (rows, total) = super::list(tx, &filter, page)?;
        let ids: Vec<EventId> = rows.iter().map(|row| row.event.id).collect();
        let counts = super::list_shard_counts(tx, &ids)?;
        Ok((rows, total, ids, counts))
    };
    let (rows, total, ids, counts) = events.db.read(list).await?;
    let counts = events.counts.learn(&ids, counts);
    let views: Vec<_> = rows.into_iter().map(|row| EventView::of(row, 0, &events.config)).collect();
    PreparedPage::new(&views, counts, &page.meta(total)).map(Arc::new)
}

/// Show one event, also a voided one.
#[utoipa::path(get, path = "/api/auth/events/{event}", tag = "Events", security(("user" = [])),
    params(("event" = i64, Path, minimum = 1, description = "The event's id")),
    responses((status = 200, body = Data<EventDetailView>)))]
async fn show_event(
    State(events): State<Events>,
    _user: User,
    PathId(event): PathId,
) -> Result<Json<Data<EventDetailView>>> {
    let (row, count) = events.show.ask(ShowEvent(EventId(event))).await?;
    Ok(Data::json(EventDetailView::of(row, count, &events.config)))
}
