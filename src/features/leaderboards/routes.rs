//! Leaderboards and statistics as users see them.

use axum::extract::{FromRef, State};
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::chat::{self, RoomId};
use crate::features::events::{self, EventId, TournamentId};
use crate::features::sessions::{Sessions, User};
use crate::features::users::{BriefUserView, UserId};
use crate::platform::clock::Timestamp;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::http::AppState;
use crate::platform::http::input::Params;
use crate::platform::http::moments::UtcDate;
use crate::platform::http::page::{AtLeastOne, Page, PageMeta};
use crate::platform::http::views::{Data, Json, Listed};
use crate::platform::texts::Text;
use crate::{input, text_input};

use super::statistics::ratio;
use super::{
    Board, Period, Place, Places, Runs, StandingRow, Statistics, Window, event_places, find_board,
    places, places_among,
};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(show_leaderboard)).routes(routes!(show_my_statistics))
}

/// Whose predictions on what are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "lowercase")]
enum Scope {
    Global,
    Event,
    Tournament,
    Room,
}

impl TryFrom<&str> for Scope {
    type Error = Text;

    fn try_from(word: &str) -> Result<Self, Self::Error> {
        match word {
            "global" => Ok(Self::Global),
            "event" => Ok(Self::Event),
            "tournament" => Ok(Self::Tournament),
            "room" => Ok(Self::Room),
            _ => Err(text!("Must be global, event, tournament or room.")),
        }
    }
}

/// Whom the answer is to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum Around {
    Me,
}

impl TryFrom<&str> for Around {
    type Error = Text;

    fn try_from(word: &str) -> Result<Self, Self::Error> {
        if word == "me" { Ok(Self::Me) } else { Err(text!("Must be me.")) }
    }
}

text_input!(Scope, Around);

input! {
    #[derive(Clone, IntoParams)]
    #[into_params(parameter_in = Query)]
    struct LeaderboardQuery {
        /// `global` when absent.
        #[param(inline)]
        scope: Option<Scope>,
        /// The match of scope `event`; refused with scope `room`.
        #[param(value_type = Option<i64>, minimum = 1)]
        event_id: Option<EventId>,
        /// The tournament of scope `tournament`; with scope `room`, only the members' predictions on its matches count.
        #[param(value_type = Option<i64>, minimum = 1)]
        tournament_id: Option<TournamentId>,
        /// The chat room of scope `room`: its members are ranked by all their predictions.
        room_id: Option<String>,
        /// Only matches that kicked off in one week (from Monday), month or season, in UTC: the current one, or that of `date`;
        /// `all` when absent. A tournament's season is all of it. Of no meaning for scope `event`.
        #[param(inline)]
        period: Option<Period>,
        /// A UTC day: the period that holds it, instead of the current one. Refused where the period is all time.
        #[param(value_type = Option<String>, format = Date, example = "2026-11-15")]
        date: Option<UtcDate>,
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

impl LeaderboardQuery {
    fn window(&self) -> Window {
        Window::of(self.around, Page::of(self.page, self.per_page))
    }

    fn scope(&self) -> Scope {
        self.scope.unwrap_or(Scope::Global)
    }

    /// The day whose period is asked for, if it is not today.
    fn day(&self) -> Result<Option<Timestamp>> {
        let Some(UtcDate(day)) = self.date else { return Ok(None) };
        let has_periods = match (self.scope(), self.period.unwrap_or_default()) {
            (Scope::Event, _) | (_, Period::All) => false,
            (Scope::Global, _) | (_, Period::Week | Period::Month) => true,
            // A tournament's season is all of it.
            (Scope::Tournament | Scope::Room, Period::Season) => self.tournament_id.is_none(),
        };
        if has_periods {
            return Ok(Some(day));
        }
        let sentence = text!(
            "Needs a period of week, month or season, and has no meaning for scope event or a tournament's season."
        );
        Err(Error::invalid("date", sentence))
    }
}

#[derive(Serialize, ToSchema)]
pub struct PlaceView {
    /// Equal points share a rank: 1, 2, 2, 4.
    #[schema(example = 2)]
    rank: i64,
    #[schema(example = 31)]
    points: i64,
    user: BriefUserView,
    /// How many scores were exact; among equal points, more of them stand first.
    #[schema(example = 2)]
    exact_scores: i64,
    #[schema(example = 7)]
    correct_predictions: i64,
    /// Predictions that are settled.
    #[schema(example = 12)]
    settled_predictions: i64,
}

impl From<(i64, Place)> for PlaceView {
    fn from((rank, place): (i64, Place)) -> Self {
        Self {
            rank,
            points: place.points,
            user: place.user,
            exact_scores: place.exact,
            correct_predictions: place.correct,
            settled_predictions: place.settled,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct OwnPlaceView {
    #[schema(example = 2)]
    rank: i64,
    #[schema(example = 31)]
    points: i64,
}

impl From<(i64, i64)> for OwnPlaceView {
    fn from((rank, points): (i64, i64)) -> Self {
        Self { rank, points }
    }
}

#[derive(Serialize, ToSchema)]
struct PeriodView {
    /// `all` also for one match and for a tournament's season.
    name: Period,
    /// Null for all time.
    #[schema(value_type = Option<String>, format = DateTime, example = "2026-11-09T00:00:00.000Z")]
    starts_at: Option<Timestamp>,
    /// When the next period starts. Null for all time.
    #[schema(value_type = Option<String>, format = DateTime, example = "2026-11-16T00:00:00.000Z")]
    ends_at: Option<Timestamp>,
}

#[derive(Serialize, ToSchema)]
struct LeaderboardMeta {
    #[serde(flatten)]
    page: PageMeta,
    /// Which matches count: those that kicked off in it.
    period: PeriodView,
    /// The caller's own place; null if none of their predictions counts here.
    me: Option<OwnPlaceView>,
}

/// A board as it is answered.
fn view(board: Option<Board>, places: Places) -> Listed<PlaceView, LeaderboardMeta> {
    let me = places.me.map(OwnPlaceView::from);
    let (name, starts_at, ends_at) = board.map_or((Period::All, None, None), Board::span);
    let period = PeriodView { name, starts_at, ends_at };
    Listed {
        data: places.rows.into_iter().map(PlaceView::from).collect(),
        meta: LeaderboardMeta { page: places.page.meta(places.total), period, me },
    }
}

/// Show a leaderboard: of everything, of a tournament, of one match or of the members of a chat room.
#[utoipa::path(get, path = "/api/auth/leaderboard", tag = "Leaderboards", security(("user" = [])),
    params(LeaderboardQuery), responses((status = 200, body = Listed<PlaceView, LeaderboardMeta>),
    (status = 404, description = "There is no such event, tournament or room", body = crate::platform::http::error_body::ErrorBody)),
    extensions(("x-codes" = json!(["403 not_a_member", "404 not_found"]))))]
async fn show_leaderboard(
    State(core): State<Core>,
    user: User,
    Params(query): Params<LeaderboardQuery>,
) -> Result<Json<Listed<PlaceView, LeaderboardMeta>>> {
    let season_start_month = core.config.predictions.season_start_month;
    let read = move |tx: &mut Tx| read_board(tx, user, &query, season_start_month);
    let (board, places) = core.db.read_aside(user.id.0, read).await?;
    Ok(Json(view(board, places)))
}

/// The places that are asked for, and the board they are on; a single match has none.
fn read_board(
    tx: &mut Tx,
    user: User,
    query: &LeaderboardQuery,
    season_start_month: i64,
) -> Result<(Option<Board>, Places)> {
    let (window, day) = (query.window(), query.day()?);
    let mut room = None;
    let tournament = match query.scope() {
        Scope::Global => None,
        Scope::Event => {
            let event = query.event_id.ok_or_else(|| required("event_id"))?;
            events::get(tx, event)?;
            return Ok((None, event_places(tx, event, window, user.id)?));
        }
        Scope::Tournament => {
            let id = query.tournament_id.ok_or_else(|| required("tournament_id"))?;
            Some(events::get_tournament(tx, id)?.id)
        }
        Scope::Room => {
            let id = query.room_id.as_deref().ok_or_else(|| required("room_id"))?;
            room = Some(members_of(tx, user, id)?);
            if query.event_id.is_some() {
                return Err(Error::invalid(
                    "event_id",
                    text!("Has no meaning for scope room; a room takes tournament_id and period."),
                ));
            }
            match query.tournament_id {
                Some(id) => Some(events::get_tournament(tx, id)?.id),
                None => None,
            }
        }
    };
    let (period, moment) = (query.period.unwrap_or_default(), day.unwrap_or(tx.now()));
    let board = Board::at(tournament, period, moment, season_start_month);
    let counted = find_board(tx, board)?;
    let places = match room {
        Some(members) => places_among(tx, counted, &members, window, user.id),
        None => places(tx, counted, window, user.id),
    };
    Ok((Some(board), places?))
}

/// Who is in a room that the caller may read.
fn members_of(tx: &mut Tx, user: User, room_id: &str) -> Result<Vec<UserId>> {
    let room = RoomId::parse(room_id).ok_or(not_found!("room"))?;
    let room = chat::room_for_reading(tx, user.id, &room)?;
    chat::list_member_ids(tx, &room)
}

fn required(field: &str) -> Error {
    Error::invalid(field, text!("This field is required for this scope."))
}

#[derive(Serialize, ToSchema)]
struct CalibrationView {
    /// The range of confidence, in percent.
    #[schema(example = 70)]
    from: i64,
    #[schema(example = 79)]
    to: i64,
    #[schema(example = 8)]
    predictions: i64,
    #[schema(example = 6)]
    correct: i64,
    /// The share that was right, 0 to 1.
    #[schema(example = 0.75)]
    accuracy: f64,
}

#[derive(Serialize, ToSchema)]
struct StatisticsView {
    /// All of them, settled or not.
    #[schema(example = 14)]
    predictions: i64,
    #[schema(example = 12)]
    settled_predictions: i64,
    #[schema(example = 7)]
    correct_predictions: i64,
    /// The share of settled predictions with the right outcome, 0 to 1; 0 for none.
    #[schema(example = 0.5833)]
    accuracy: f64,
    #[schema(example = 31)]
    points: i64,
    #[schema(example = 2)]
    exact_scores: i64,
    /// Right outcomes in a row up to the last settled match, in the order of kick-off.
    #[schema(example = 3)]
    current_run: i64,
    #[schema(example = 5)]
    best_run: i64,
    /// The mean of (confidence / 100 - 1 if right, else 0) squared: 0 is perfect, 0.25 is what "50" always gets. Null before
    /// the first settled prediction.
    #[schema(example = 0.2113)]
    brier_score: Option<f64>,
    /// By how sure the caller said to be; ranges without a settled prediction are left out.
    calibration: Vec<CalibrationView>,
}

/// Show what the caller's predictions add up to.
#[utoipa::path(get, path = "/api/auth/me/statistics", tag = "Leaderboards", security(("user" = [])),
    responses((status = 200, body = Data<StatisticsView>)))]
async fn show_my_statistics(
    State(core): State<Core>,
    user: User,
) -> Result<Json<Data<StatisticsView>>> {
    let read = move |tx: &mut Tx| super::statistics(tx, user.id);
    let statistics = core.db.read_aside(user.id.0, read).await?;
    let runs = match statistics.runs {
        Some(runs) => runs,
        None => core.db.write(move |tx| super::refresh_runs(tx, user.id)).await?,
    };
    Ok(Data::json(StatisticsView::of(&statistics, runs)))
}

impl StatisticsView {
    fn of(statistics: &Statistics, runs: Runs) -> Self {
        let calibration = statistics.calibration.iter().map(|range| CalibrationView {
            from: range.decile * 10,
            to: if range.decile == 9 { 100 } else { range.decile * 10 + 9 },
            predictions: range.settled,
            correct: range.correct,
            accuracy: ratio(range.correct, range.settled),
        });
        let StandingRow { settled, correct, exact, points, brier } = statistics.standing;
        Self {
            predictions: statistics.predictions,
            settled_predictions: settled,
            correct_predictions: correct,
            accuracy: statistics.standing.accuracy(),
            points,
            exact_scores: exact,
            current_run: runs.current,
            best_run: runs.best,
            brier_score: (settled > 0).then(|| ratio(brier, settled.saturating_mul(10_000))),
            calibration: calibration.collect(),
        }
    }
}
