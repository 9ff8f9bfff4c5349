//! What was sent, and what operators tell themselves.

use axum::extract::{FromRef, State};
use http::StatusCode;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::leagues::LeagueId;
use crate::features::operators::guard;
use crate::features::push::Push;
use crate::features::sessions::Sessions;
use crate::features::teams::TeamId;
use crate::input;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::input::Params;
use crate::platform::http::page::{AtLeastOne, Page, PageMeta};
use crate::platform::http::views::{Data, Json, Listed, WithMessage};
use crate::platform::idempotency::{Answer, ValidOnce};

use super::broadcasts::{self, Audience, BroadcastBody, BroadcastTitle, BroadcastView};
use super::values::{DeviceKind, Kind};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Push: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(show_push))
        .routes(routes!(list_push_messages, send_push_message))
}

/// How many messages of a kind had which end on a day.
#[derive(Debug, Serialize, ToSchema)]
pub struct PushSumView {
    /// A UTC day.
    #[schema(value_type = String, format = Date, example = "2026-11-15")]
    pub day: String,
    pub kind: Kind,
    /// `sent`, or why not: `quiet`, `too_many`, `outdated`, `switched_off`, `no_device`, `refused` or `gone`.
    #[schema(example = "sent")]
    pub outcome: String,
    #[schema(example = 812)]
    pub messages: i64,
}

/// Devices of a sort, and how many of them its service takes nothing for.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeviceCountView {
    pub kind: DeviceKind,
    /// Whether the settings name a way to them.
    pub is_set_up: bool,
    #[schema(example = 4107)]
    pub devices: i64,
    #[schema(example = 3)]
    pub failing: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PushView {
    pub devices: Vec<DeviceCountView>,
    /// Messages that wait for their time.
    #[schema(example = 120)]
    pub waiting: i64,
    /// Of the last 14 days, the latest first.
    pub days: Vec<PushSumView>,
}

/// Show what was sent to devices, and to how many.
#[utoipa::path(get, path = "/api/admin/push", tag = "Operators", security(("operator" = ["viewer"])),
    responses((status = 200, body = Data<PushView>)))]
async fn show_push(State(push): State<Push>, _: guard::Viewer) -> Result<Json<Data<PushView>>> {
    let state = push.clone();
    Ok(Data::json(push.db.read(move |tx| super::overview(tx, &state)).await?))
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct PushMessagesQuery {
        /// Page number, from 1.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Messages on a page; 20 when absent, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

/// List what operators told users' devices, the latest first.
#[utoipa::path(get, path = "/api/admin/push/messages", tag = "Operators", security(("operator" = ["viewer"])),
    params(PushMessagesQuery), responses((status = 200, body = Listed<BroadcastView, PageMeta>)))]
async fn list_push_messages(
    State(core): State<Core>,
    _: guard::Viewer,
    Params(query): Params<PushMessagesQuery>,
) -> Result<Json<Listed<BroadcastView, PageMeta>>> {
    let page = Page::of(query.page, query.per_page);
    let (data, total) = core.db.read(move |tx| broadcasts::list(tx, page)).await?;
    Ok(Json(Listed { data, meta: page.meta(total) }))
}

input! {
    #[derive(ToSchema)]
    #[schema(as = PushMessageBody)]
    struct NewBroadcast {
        title: BroadcastTitle,
        body: BroadcastBody,
        /// Only for those who follow this team.
        team_id: Option<TeamId>,
        /// Only for members of this league.
        league_id: Option<LeagueId>,
    }
}

/// Tell users' devices something: all of them, or those who follow a team or are in a league. Whoever is in their quiet hours hears of it in the morning.
///
/// With an `Idempotency-Key` the same request has its effect once, however often it is sent.
#[utoipa::path(post, path = "/api/admin/push/messages", tag = "Operators", security(("operator" = ["operator"])),
    params(("Idempotency-Key" = Option<String>, Header, pattern = "^[ -~]{1,255}$", description = "1 to 255 printable ASCII characters")),
    request_body = NewBroadcast, responses((status = 201, body = WithMessage<BroadcastView>)))]
async fn send_push_message(
    State(core): State<Core>,
    guard::Operator(operator): guard::Operator,
    ValidOnce(new, once): ValidOnce<NewBroadcast>,
) -> Result<Answer> {
    let audience = Audience { team: new.team_id, league: new.league_id };
    let once = once.by_operator(&operator.name);
    let tell =
        move |tx: &mut Tx| broadcasts::tell(tx, &operator, &new.title, &new.body, audience, &once);
    let (data, is_replay) = core.db.write(tell).await?;
    let told = WithMessage { message: text!("The message is on its way."), data };
    Answer::of(StatusCode::CREATED, &told, is_replay)
}
