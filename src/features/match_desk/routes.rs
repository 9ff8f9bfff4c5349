//! Operators' lists of matches, one match as a whole, and new ones. What changes a match is with the events.

use axum::extract::{FromRef, State};
use http::{HeaderName, StatusCode};
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::events::operator::{self, NewEvent, Stretch};
use crate::features::events::routes::EventDetailView;
use crate::features::events::{EventId, Kickoff, Status, TournamentId, Venue};
use crate::features::feeds::SourceRow;
use crate::features::operators::{AuditRow, guard};
use crate::features::sessions::Sessions;
use crate::features::settlement::SettlementState;
use crate::features::teams::TeamId;
use crate::input;
use crate::platform::clock::{DAY_MS, Timestamp};
use crate::platform::config::Config;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::http::AppState;
use crate::platform::http::if_match::etag;
use crate::platform::http::input::{Params, Valid};
use crate::platform::http::moments::Moment;
use crate::platform::http::page::{AtLeastOne, Page, PageMeta};
use crate::platform::http::path::PathId;
use crate::platform::http::views::{Data, Json, Listed, WithMessage};

use super::{DeskMatch, Need, WholeMatch};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(list_matches, add_match))
        .routes(routes!(list_matches_in_need))
        .routes(routes!(show_match))
        .merge(super::choice_routes::routes())
}

#[derive(Serialize, ToSchema)]
struct DeskMatchView {
    #[serde(flatten)]
    event: EventDetailView,
    /// When the result was entered or last changed.
    #[schema(value_type = Option<String>, format = DateTime)]
    result_at: Option<Timestamp>,
    /// To send as `If-Match`, in quotes, with a change that was decided by this.
    #[schema(example = "6b86b273d4735e3a4e07408562bedb8b60ce05c1decfe3ad16b7223018de3d9f4a9b1c2d")]
    version: String,
    /// What needs a person; nothing of a match that is well.
    needs: Vec<Need>,
    /// What providers say of it.
    sources: Vec<SourceRow>,
}

impl DeskMatchView {
    fn of(found: DeskMatch, config: &Config) -> Self {
        Self {
            result_at: found.details.event.result_at,
            version: operator::version(&found.details.event),
            event: EventDetailView::of(found.details, found.predictions, config),
            needs: found.needs,
            sources: found.sources,
        }
    }
}

#[derive(Serialize, ToSchema)]
struct WholeMatchView {
    #[serde(flatten)]
    desk: DeskMatchView,
    settlement: SettlementState,
    /// When its points are final, if they are there.
    #[schema(value_type = Option<String>, format = DateTime)]
    final_at: Option<Timestamp>,
    /// What operators did about it, the newest first; at most 20.
    changes: Vec<AuditRow>,
}

impl WholeMatchView {
    fn of(whole: WholeMatch, config: &Config) -> Self {
        Self {
            desk: DeskMatchView::of(whole.desk, config),
            settlement: whole.settlement,
            final_at: whole.final_at,
            changes: whole.changes,
        }
    }
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct MatchesQuery {
        /// Matches that begin at this moment or later; today's, by UTC, when neither this nor `to` is given.
        #[param(value_type = Option<String>, format = DateTime, example = "2026-11-20T00:00:00Z")]
        from: Option<Moment>,
        /// Matches that begin before this moment; a day after `from` when absent.
        #[param(value_type = Option<String>, format = DateTime, example = "2026-11-21T00:00:00Z")]
        to: Option<Moment>,
        /// Only matches of this status.
        status: Option<Status>,
        /// Only voided matches, or only those that are not.
        is_void: Option<bool>,
        /// Only matches of this tournament.
        #[param(value_type = Option<i64>, minimum = 1)]
        tournament_id: Option<TournamentId>,
        /// Page number, from 1.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Matches on a page; 20 when absent, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

impl MatchesQuery {
    fn stretch(&self, now: Timestamp) -> Result<Stretch> {
        let [from, to] = [self.from, self.to].map(|moment| moment.map(Moment::get));
        let from = from.or_else(|| to.map(|to| to.plus_ms(-DAY_MS)));
        let from = from.unwrap_or_else(|| Timestamp::start_of_utc_day(now.utc_day()));
        let to = to.unwrap_or_else(|| from.plus_ms(DAY_MS));
        if to <= from {
            return Err(Error::invalid("to", text!("Must be later than from.")));
        }
        let (tournament, status, is_void) = (self.tournament_id, self.status, self.is_void);
        Ok(Stretch { from, to, tournament, status, is_void })
    }
}

/// List matches by their start, voided ones too, with what each needs a person for.
#[utoipa::path(get, path = "/api/admin/events", tag = "Operators", security(("operator" = ["viewer"])),
    params(MatchesQuery), responses((status = 200, body = Listed<DeskMatchView, PageMeta>)))]
async fn list_matches(
    State(core): State<Core>,
    _: guard::Viewer,
    Params(query): Params<MatchesQuery>,
) -> Result<Json<Listed<DeskMatchView, PageMeta>>> {
    let page = Page::of(query.page, query.per_page);
    let stretch = query.stretch(core.clock.now())?;
    let (rows, total) = core.db.read(move |tx| super::list(tx, &stretch, page)).await?;
    let data = rows.into_iter().map(|row| DeskMatchView::of(row, &core.config)).collect();
    Ok(Json(Listed { data, meta: page.meta(total) }))
}

/// List all matches that need a person, by their start, whichever day they are of.
///
/// At most a hundred for each reason.
#[utoipa::path(get, path = "/api/admin/events/in-need", tag = "Operators", security(("operator" = ["viewer"])),
    responses((status = 200, body = Data<Vec<DeskMatchView>>)))]
async fn list_matches_in_need(
    State(core): State<Core>,
    _: guard::Viewer,
) -> Result<Json<Data<Vec<DeskMatchView>>>> {
    let rows = core.db.read(super::list_in_need).await?;
    let views = rows.into_iter().map(|row| DeskMatchView::of(row, &core.config)).collect();
    Ok(Data::json(views))
}

/// Show one match as a whole: what needs a person, what providers say, how far its settlement is, and what operators did.
///
/// The `ETag` is the match's version.
#[utoipa::path(get, path = "/api/admin/events/{event}", tag = "Operators", security(("operator" = ["viewer"])),
    params(("event" = i64, Path, minimum = 1, description = "The event's id")),
    responses((status = 200, body = Data<WholeMatchView>)))]
async fn show_match(
    State(core): State<Core>,
    _: guard::Viewer,
    PathId(event): PathId,
) -> Result<([(HeaderName, String); 1], Json<Data<WholeMatchView>>)> {
    let whole = core.db.read(move |tx| super::get(tx, EventId(event))).await?;
    let view = WholeMatchView::of(whole, &core.config);
    Ok((etag(&view.desk.version), Data::json(view)))
}

input! {
    #[derive(ToSchema)]
    struct NewMatchBody {
        tournament_id: TournamentId,
        home_team_id: TeamId,
        away_team_id: TeamId,
        start_time: Kickoff,
        /// False for a match whose time is not known yet; true when absent.
        start_time_confirmed: Option<bool>,
        venue: Option<Venue>,
    }
}

/// Add a match.
///
/// The sides play the tournament's sport. The same sides at the same time in the same tournament are there once.
#[utoipa::path(post, path = "/api/admin/events", tag = "Operators", security(("operator" = ["operator"])),
    request_body = NewMatchBody, responses((status = 201, body = WithMessage<WholeMatchView>)),
    extensions(("x-codes" = json!(["409 event_exists"]))))]
async fn add_match(
    State(core): State<Core>,
    guard::Operator(by): guard::Operator,
    Valid(body): Valid<NewMatchBody>,
) -> Result<(StatusCode, Json<WithMessage<WholeMatchView>>)> {
    let new = NewEvent {
        tournament: body.tournament_id,
        home: body.home_team_id,
        away: body.away_team_id,
        start_time: body.start_time,
        start_time_confirmed: body.start_time_confirmed.unwrap_or(true),
        venue: body.venue.unwrap_or_default(),
    };
    let add = move |tx: &mut Tx| {
        let id = operator::add(tx, &by, &new)?;
        super::get(tx, id)
    };
    let whole = core.db.write(add).await?;
    let view = WholeMatchView::of(whole, &core.config);
    Ok((StatusCode::CREATED, WithMessage::json(text!("The match is added."), view)))
}
