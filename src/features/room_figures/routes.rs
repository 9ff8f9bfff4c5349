//! A room's figures and predictions as users see them.

use axum::extract::{FromRef, State};
use axum::response::Response;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::chat::PathRoom;
use crate::features::predictions::{PredictionTotals, PredictionView};
use crate::features::sessions::{Sessions, User};
use crate::input;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::client_address::ClientAddress;
use crate::platform::http::input::Params;
use crate::platform::http::list::{self, List};
use crate::platform::http::page::{AskedPageMeta, AtLeastOne, Page};
use crate::platform::http::views::{Data, Json, Listed};

use super::{MemberStatsView, Shown};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(show_member_stats)).routes(routes!(list_room_predictions))
}

/// Show statistics of a room's members.
#[utoipa::path(get, path = "/api/auth/chat-rooms/{room}/member-stats", tag = "Chat", security(("user" = [])),
    params(("room" = String, Path, pattern = "^![^:]+:.+$", description = "The room's id on the chat network")),
    responses((status = 200, body = Data<MemberStatsView>)),
    extensions(("x-codes" = json!(["403 not_a_member"]))))]
async fn show_member_stats(
    State(core): State<Core>,
    user: User,
    PathRoom(room): PathRoom,
) -> Result<Json<Data<MemberStatsView>>> {
    let read = move |tx: &mut Tx| super::stats_of(tx, user.id, &room);
    Ok(Data::json(core.db.read_aside(user.id.0, read).await?))
}

#[derive(Serialize, ToSchema)]
#[allow(clippy::struct_field_names, reason = "these are the names that clients know")]
struct RoomPredictionsMeta {
    #[schema(example = 128)]
    total_predictions: i64,
    #[schema(example = 70)]
    home_predictions: i64,
    #[schema(example = 20)]
    draw_predictions: i64,
    #[schema(example = 38)]
    away_predictions: i64,
    #[serde(flatten)]
    page: AskedPageMeta,
}

impl RoomPredictionsMeta {
    fn of(totals: PredictionTotals, page: AskedPageMeta) -> Self {
        Self {
            page,
            total_predictions: totals.all(),
            home_predictions: totals.home,
            draw_predictions: totals.draw,
            away_predictions: totals.away,
        }
    }
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct RoomPredictionsQuery {
        /// Page number, from 1; without it and `per_page` the list is whole.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Predictions on a page, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

/// List the predictions of a room: on its match, by its members; in the room of a match, all of that match.
#[utoipa::path(get, path = "/api/auth/chat-rooms/{room}/predictions", tag = "Chat", security(("user" = [])),
    params(("room" = String, Path, pattern = "^![^:]+:.+$", description = "The room's id on the chat network"), RoomPredictionsQuery),
    responses((status = 200, body = Listed<PredictionView, RoomPredictionsMeta>)),
    extensions(("x-codes" = json!(["403 not_a_member", "429 user_list_limit", "429 address_list_limit"]))))]
async fn list_room_predictions(
    State(core): State<Core>,
    user: User,
    address: ClientAddress,
    PathRoom(room): PathRoom,
    Params(query): Params<RoomPredictionsQuery>,
) -> Result<Response> {
    let page = Page::asked(query.page, query.per_page);
    let visibility = core.config.predictions.visibility;
    let list = move |tx: &mut Tx, list: &mut List<'_>| {
        let shown = Shown::by(tx, user.id, &room)?;
        let totals = super::totals(tx, &shown)?;
        let listed = shown.listed_for(tx, user.id, visibility)?;
        let number = if listed == shown { totals } else { super::totals(tx, &listed)? }.all();
        list.set_meta(&RoomPredictionsMeta::of(totals, AskedPageMeta::of(page, number)))?;
        let page = list.page(page);
        super::walk(tx, &listed, page, |row| list.push(&PredictionView::from(row)))
    };
    list::respond(&core.db, address.reader(Some(user.id.0)), list).await
}
