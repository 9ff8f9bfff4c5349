//! Today's matches for those who are not in.

use std::sync::Arc;

use axum::extract::{FromRef, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, StatusCode, header};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::teams;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::views::{Data, PreparedJson};

use super::routes::EventView;
use super::{Events, TodaysPage};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Events: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(list_todays_matches))
}

/// List today's matches without logging in: live ones, then those of this UTC day that are to come, then its finished ones.
///
/// Each is as in the list of events, in the same order, and there are at most 100. The answer may be kept for two seconds and has an
/// `ETag`: ask with `If-None-Match`, and what has not changed is a 304 without a body. Where the operator has not switched it on
/// (`public_matches`), the path is unknown.
#[utoipa::path(get, path = "/api/matches/today", tag = "Events", security(()),
    responses((status = 200, body = Data<Vec<EventView>>)),
    extensions(("x-codes" = json!(["404 not_found"]))))]
async fn list_todays_matches(State(events): State<Events>, headers: HeaderMap) -> Result<Response> {
    let day = events.clock.now().utc_day();
    let made_of = [&super::CHANGES, &teams::CHANGES, &events.counts.losses];
    let read = || async { TodaysPage::read(&events, day).await.map(Arc::new) };
    let prepared = events.todays.get(day, &made_of, read).await?;
    let (page, tag) = prepared.with(&events.counts);
    let has_it = headers.get(header::IF_NONE_MATCH).is_some_and(|known| *known == *tag);
    let about = [(header::ETAG, tag), (header::CACHE_CONTROL, "public, max-age=2".to_owned())];
    Ok(if has_it {
        (StatusCode::NOT_MODIFIED, about).into_response()
    } else {
        (about, PreparedJson::from(page)).into_response()
    })
}
