//! Feeds as operators watch and poll them.

use axum::extract::{FromRef, Path, State};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::adapters::providers::Provider;
use crate::features::catalogue::Slug;
use crate::features::events::EventId;
use crate::features::feeds::Feeds;
use crate::features::operators::{self, guard};
use crate::features::sessions::Sessions;
use crate::features::teams::TeamId;
use crate::input;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::http::AppState;
use crate::platform::http::error_body::ErrorBody;
use crate::platform::http::input::{Params, Valid};
use crate::platform::http::page::{AtLeastOne, Page, PageMeta};
use crate::platform::http::views::{Data, Json, Listed, Message, WithMessage};

use super::bindings::{
    self, ExternalId, MatchBindingView, MatchFilter, Released, TeamBindingView, TeamFilter,
};
use super::difference::PollSummary;
use super::poll::{self, Asked};
use super::status::FeedView;

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Feeds: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(list_feeds))
        .routes(routes!(poll_feed))
        .routes(routes!(list_feed_teams, bind_feed_team, unbind_feed_team))
        .routes(routes!(list_feed_matches, bind_feed_match, unbind_feed_match))
}

/// See every feed: its last poll, what is left of its quotas, and what is held.
#[utoipa::path(get, path = "/api/admin/feeds", tag = "Operators", security(("operator" = ["viewer"])),
    responses((status = 200, body = Data<Vec<FeedView>>)))]
async fn list_feeds(
    State(feeds): State<Feeds>,
    guard::Viewer(operator): guard::Viewer,
) -> Result<Json<Data<Vec<FeedView>>>> {
    operators::note_reading(&feeds, operator, "feeds.read", "feeds").await?;
    let this = feeds.clone();
    let list = move |tx: &mut Tx| FeedView::read_all(tx, &this.all, &this.config.feeds);
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
#[utoipa::path(post, path = "/api/admin/feeds/{tournament}/poll", tag = "Operators", security(("operator" = ["operator"])),
    params(("tournament" = String, Path, description = "The slug of the tournament that is fed"), PollQuery),
    responses((status = 200, body = WithMessage<PollSummary>)))]
async fn poll_feed(
    State(feeds): State<Feeds>,
    guard::Operator(operator): guard::Operator,
    Path(tournament): Path<String>,
    Params(query): Params<PollQuery>,
) -> Result<Json<WithMessage<PollSummary>>> {
    let feed = feeds.find(&tournament).ok_or(not_found!("feed"))?;
    if query.provider.is_some_and(|provider| !feed.providers().contains(&provider)) {
        return Err(Error::invalid("provider", text!("Is not among the sources of this feed.")));
    }
    let dry_run = query.dry_run.unwrap_or(false);
    let asked = Asked { operator: Some(operator), dry_run, provider: query.provider };
    let summary = poll::poll(&feeds, &feed, asked).await?;
    let message = match (summary.provider, dry_run) {
        (None, _) => text!("No source gave an answer."),
        (Some(_), true) => text!("This is what would change."),
        (Some(_), false) => text!("The feed is imported."),
    };
    Ok(WithMessage::json(message, summary))
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct FeedTeamsQuery {
        /// Only ids of this provider.
        #[param(value_type = Option<Provider>)]
        provider: Option<Provider>,
        /// Only ids that stand for this team.
        #[param(value_type = Option<i64>, minimum = 1)]
        team_id: Option<TeamId>,
        /// Page number, from 1.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Entries on a page, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

/// List which team each id of a provider stands for.
#[utoipa::path(get, path = "/api/admin/feed-teams", tag = "Operators", security(("operator" = ["viewer"])),
    params(FeedTeamsQuery), responses((status = 200, body = Listed<TeamBindingView, PageMeta>)))]
async fn list_feed_teams(
    State(core): State<Core>,
    guard::Viewer(operator): guard::Viewer,
    Params(query): Params<FeedTeamsQuery>,
) -> Result<Json<Listed<TeamBindingView, PageMeta>>> {
    operators::note_reading(&core, operator, "feed_teams.read", "feed teams").await?;
    let page = Page::of(query.page, query.per_page);
    let filter = TeamFilter { provider: query.provider, team: query.team_id };
    let list = move |tx: &mut Tx| bindings::list_team_bindings(tx, filter, page);
    let (data, total) = core.db.read(list).await?;
    Ok(Json(Listed { data, meta: page.meta(total) }))
}

input! {
    /// Which team a provider's id stands for.
    #[derive(Clone, ToSchema, IntoParams)]
    #[into_params(parameter_in = Query)]
    struct FeedTeamBody {
        provider: Provider,
        /// The provider's id of the team; with `openfootball`, its name in small letters without accents.
        #[schema(value_type = String, example = "57")]
        #[param(value_type = String, example = "57")]
        external_id: ExternalId,
        #[schema(value_type = i64, minimum = 1)]
        #[param(value_type = i64, minimum = 1)]
        team_id: TeamId,
    }
}

/// Say which team a provider's id stands for.
///
/// If it stood for another team, the provider's matches of that team are let go as when that is undone.
#[utoipa::path(put, path = "/api/admin/feed-teams", tag = "Operators", security(("operator" = ["operator"])),
    request_body = FeedTeamBody, responses((status = 200, body = WithMessage<Released>),
    (status = 404, description = "There is no such team", body = ErrorBody)),
    extensions(("x-codes" = json!(["404 not_found"]))))]
async fn bind_feed_team(
    State(core): State<Core>,
    guard::Operator(operator): guard::Operator,
    Valid(body): Valid<FeedTeamBody>,
) -> Result<Json<WithMessage<Released>>> {
    let FeedTeamBody { provider, external_id, team_id } = body;
    let bind =
        move |tx: &mut Tx| bindings::bind_team(tx, &operator, provider, &external_id, team_id);
    Ok(WithMessage::json(text!("The team is bound."), core.db.write(bind).await?))
}

/// Undo that a provider's id stands for a team.
///
/// The next poll looks for it anew by its name, or adds it. The provider's matches of the team are let go too: the next poll finds
/// those that are of the team again by pairing and time, and adds the others as matches of the team that it then finds. Matches
/// stay as they are, with their predictions; one that should not be there is for an operator to void.
#[utoipa::path(delete, path = "/api/admin/feed-teams", tag = "Operators", security(("operator" = ["operator"])),
    params(FeedTeamBody), responses((status = 200, body = WithMessage<Released>),
    (status = 404, description = "The id does not stand for this team", body = ErrorBody)),
    extensions(("x-codes" = json!(["404 not_found"]))))]
async fn unbind_feed_team(
    State(core): State<Core>,
    guard::Operator(operator): guard::Operator,
    Params(body): Params<FeedTeamBody>,
) -> Result<Json<WithMessage<Released>>> {
    let FeedTeamBody { provider, external_id, team_id } = body;
    let unbind =
        move |tx: &mut Tx| bindings::unbind_team(tx, &operator, provider, &external_id, team_id);
    Ok(WithMessage::json(text!("The team is no longer bound."), core.db.write(unbind).await?))
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct FeedMatchesQuery {
        /// Only ids of this provider.
        #[param(value_type = Option<Provider>)]
        provider: Option<Provider>,
        /// Only matches of the tournament with this slug.
        #[param(value_type = Option<String>, example = "premier_league")]
        tournament: Option<Slug>,
        /// Only ids that stand for this match.
        #[param(value_type = Option<i64>, minimum = 1)]
        event_id: Option<EventId>,
        /// Page number, from 1.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Entries on a page, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

/// List which match each id of a provider stands for.
#[utoipa::path(get, path = "/api/admin/feed-matches", tag = "Operators", security(("operator" = ["viewer"])),
    params(FeedMatchesQuery), responses((status = 200, body = Listed<MatchBindingView, PageMeta>)))]
async fn list_feed_matches(
    State(core): State<Core>,
    guard::Viewer(operator): guard::Viewer,
    Params(query): Params<FeedMatchesQuery>,
) -> Result<Json<Listed<MatchBindingView, PageMeta>>> {
    operators::note_reading(&core, operator, "feed_matches.read", "feed matches").await?;
    let page = Page::of(query.page, query.per_page);
    let tournament = query.tournament.map(|slug| slug.as_str().to_owned());
    let filter = MatchFilter { provider: query.provider, tournament, event: query.event_id };
    let list = move |tx: &mut Tx| bindings::list_match_bindings(tx, &filter, page);
    let (data, total) = core.db.read(list).await?;
    Ok(Json(Listed { data, meta: page.meta(total) }))
}

input! {
    /// Which match a provider's id stands for.
    #[derive(Clone, ToSchema)]
    struct FeedMatchBody {
        provider: Provider,
        /// The provider's id of a match that it has told of.
        #[schema(value_type = String, example = "537801")]
        external_id: ExternalId,
        #[schema(value_type = i64, minimum = 1)]
        event_id: EventId,
    }
}

/// Say which match of the tournament a provider's id stands for.
///
/// If the two sides are not those that the provider tells, it is held at the next poll.
#[utoipa::path(put, path = "/api/admin/feed-matches", tag = "Operators", security(("operator" = ["operator"])),
    request_body = FeedMatchBody, responses((status = 200, body = Message),
    (status = 404, description = "There is no such match, here or at the provider", body = ErrorBody)),
    extensions(("x-codes" = json!(["404 not_found"]))))]
async fn bind_feed_match(
    State(core): State<Core>,
    guard::Operator(operator): guard::Operator,
    Valid(body): Valid<FeedMatchBody>,
) -> Result<Json<Message>> {
    let FeedMatchBody { provider, external_id, event_id } = body;
    let bind =
        move |tx: &mut Tx| bindings::bind_match(tx, &operator, provider, &external_id, event_id);
    core.db.write(bind).await?;
    Ok(Json(Message { message: text!("The match is bound.") }))
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct FeedMatchQuery {
        #[param(value_type = Provider)]
        provider: Provider,
        /// The provider's id of the match.
        #[param(value_type = String, example = "537801")]
        external_id: ExternalId,
    }
}

/// Undo that a provider's id stands for a match.
///
/// The next poll looks for it anew by pairing and time, and may find the same match again, or adds it. The match stays as it is.
#[utoipa::path(delete, path = "/api/admin/feed-matches", tag = "Operators", security(("operator" = ["operator"])),
    params(FeedMatchQuery), responses((status = 200, body = Message),
    (status = 404, description = "The id is not known", body = ErrorBody)),
    extensions(("x-codes" = json!(["404 not_found"]))))]
async fn unbind_feed_match(
    State(core): State<Core>,
    guard::Operator(operator): guard::Operator,
    Params(query): Params<FeedMatchQuery>,
) -> Result<Json<Message>> {
    let FeedMatchQuery { provider, external_id } = query;
    let unbind = move |tx: &mut Tx| bindings::unbind_match(tx, &operator, provider, &external_id);
    core.db.write(unbind).await?;
    Ok(Json(Message { message: text!("The match is no longer bound.") }))
}
