//! Feeds as operators watch and poll them.

use axum::Json;
use axum::extract::{FromRef, Path, State};
use utoipa::IntoParams;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::adapters::providers::Provider;
use crate::features::feeds::Feeds;
use crate::features::operators::{self, Operator};
use crate::features::sessions::Sessions;
use crate::input;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::http::AppState;
use crate::platform::http::input::Params;
use crate::platform::http::views::{Data, WithMessage};

use super::difference::PollSummary;
use super::poll::{self, Asked};
use super::status::FeedView;

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Feeds: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(list_feeds)).routes(routes!(poll_feed))
}

/// See every feed: its last poll, what is left of its quotas, and what is held.
#[utoipa::path(get, path = "/api/admin/feeds", tag = "Operators", security(("operator" = [])),
    responses((status = 200, body = Data<Vec<FeedView>>)))]
async fn list_feeds(
    State(feeds): State<Feeds>,
    operator: Operator,
) -> Result<Json<Data<Vec<FeedView>>>> {
    operators::note_reading(&feeds, operator, "feeds.read", "feeds").await?;
    let this = feeds.clone();
    let list = move |tx: &mut Tx| {
        let read = |feed| FeedView::read(tx, feed, &this.config.feeds);
        this.all.iter().map(read).collect()
    };
    Ok(Data::json(feeds.db.read(list).await?))
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct PollQuery {
        /// Only tell what would change.
        dry_run: Option<bool>,
        /// Ask only this one of the feed's sources.
        #[param(value_type = Option<String>, example = "football_data")]
        provider: Option<Provider>,
    }
}

/// Ask a feed now and import what it says, or only tell the difference.
///
/// If none of its sources gives an answer, `provider` is null and `failures` says why.
#[utoipa::path(post, path = "/api/admin/feeds/{tournament}/poll", tag = "Operators", security(("operator" = [])),
    params(("tournament" = String, Path, description = "The slug of the tournament that is fed"), PollQuery),
    responses((status = 200, body = WithMessage<PollSummary>)))]
async fn poll_feed(
    State(feeds): State<Feeds>,
    operator: Operator,
    Path(tournament): Path<String>,
    Params(query): Params<PollQuery>,
) -> Result<Json<WithMessage<PollSummary>>> {
    let feed = feeds.find(&tournament).ok_or(Error::NotFound("feed"))?;
    if query.provider.is_some_and(|provider| !feed.providers().contains(&provider)) {
        return Err(Error::invalid("provider", "Is not among the sources of this feed."));
    }
    let dry_run = query.dry_run.unwrap_or(false);
    let asked = Asked { operator: Some(operator), dry_run, provider: query.provider };
    let summary = poll::poll(&feeds, &feed, asked).await?;
    let message = match (summary.provider, dry_run) {
        (None, _) => "No source gave an answer.",
        (Some(_), true) => "This is what would change.",
        (Some(_), false) => "The feed is imported.",
    };
    Ok(WithMessage::json(message, summary))
}
