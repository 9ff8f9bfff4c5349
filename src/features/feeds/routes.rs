//! Feeds as operators watch and poll them.

use axum::Json;
use axum::extract::{FromRef, Path, State};
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::adapters::providers::Provider;
use crate::features::events::EventId;
use crate::features::feeds::Feeds;
use crate::features::operators::{self, Operator};
use crate::features::sessions::Sessions;
use crate::input;
use crate::platform::clock::Timestamp;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::http::AppState;
use crate::platform::http::input::Params;
use crate::platform::http::views::{Data, WithMessage};

use super::difference::PollSummary;
use super::poll::{self, Asked};
use super::quota::QuotaLeft;
use super::status::{FeedStatus, HeldRow};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Feeds: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(list_feeds)).routes(routes!(poll_feed))
}

#[derive(Serialize, ToSchema)]
struct SourceView {
    provider: Provider,
    /// Requests that are left in this minute; null without a limit.
    #[schema(example = 9)]
    left_this_minute: Option<i64>,
    /// Requests that are left in these 24 hours; null without a limit.
    #[schema(example = 84)]
    left_today: Option<i64>,
    /// Until when the provider itself asked to be left alone.
    #[schema(value_type = Option<String>, format = DateTime)]
    blocked_until: Option<Timestamp>,
}

#[derive(Serialize, ToSchema)]
struct HeldView {
    provider: Provider,
    /// The provider's id of the match.
    #[schema(example = "537801")]
    external_id: String,
    /// Null for a match that is not in the catalogue.
    #[schema(value_type = Option<i64>)]
    event_id: Option<EventId>,
    #[schema(example = "Northgate FC - Southbank FC")]
    title: String,
    #[schema(example = "it is said to be finished without a score that counts")]
    reason: String,
    #[schema(value_type = String, format = DateTime)]
    since: Timestamp,
}

#[derive(Serialize, ToSchema)]
struct FeedView {
    #[schema(example = "premier_league")]
    tournament: String,
    /// In the order in which they are asked.
    sources: Vec<SourceView>,
    /// The last poll that was answered, and by whom.
    #[schema(value_type = Option<String>, format = DateTime)]
    last_poll_at: Option<Timestamp>,
    last_provider: Option<Provider>,
    #[schema(value_type = Option<String>, format = DateTime)]
    next_poll_at: Option<Timestamp>,
    /// Which sources gave no answer at the last poll, and why.
    #[schema(example = "football_data: timed out")]
    last_error: Option<String>,
    #[schema(value_type = Option<String>, format = DateTime)]
    last_error_at: Option<Timestamp>,
    /// What the last answer had that cannot be read.
    problems: Vec<String>,
    /// Matches of which what a provider says is not carried out, the newest first; at most 100.
    held: Vec<HeldView>,
}

impl From<FeedStatus> for FeedView {
    fn from(status: FeedStatus) -> Self {
        let row = status.row;
        let problems = row.as_ref().map_or("[]", |row| row.problems.as_str());
        let source = |(provider, left): (Provider, QuotaLeft)| SourceView {
            provider,
            left_this_minute: left.this_minute,
            left_today: left.today,
            blocked_until: left.blocked_until,
        };
        Self {
            tournament: status.tournament,
            sources: status.sources.into_iter().map(source).collect(),
            problems: serde_json::from_str(problems).unwrap_or_default(),
            last_poll_at: row.as_ref().and_then(|row| row.polled_at),
            last_provider: row.as_ref().and_then(|row| row.provider),
            next_poll_at: row.as_ref().map(|row| row.next_poll_at),
            last_error_at: row.as_ref().and_then(|row| row.error_at),
            last_error: row.and_then(|row| row.error),
            held: status.held.into_iter().map(HeldView::of).collect(),
        }
    }
}

impl HeldView {
    fn of(row: HeldRow) -> Self {
        Self {
            provider: row.provider,
            external_id: row.external_id,
            event_id: row.event_id,
            title: row.title,
            reason: row.reason,
            since: row.since,
        }
    }
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
        let read = |feed| FeedStatus::read(tx, feed, &this.config.feeds);
        this.all.iter().map(read).collect::<Result<Vec<_>>>()
    };
    let statuses = feeds.db.read(list).await?;
    Ok(Data::json(statuses.into_iter().map(FeedView::from).collect()))
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
