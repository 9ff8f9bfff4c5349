//! The lists of sports and teams, and a user's choice among teams.

use axum::extract::{FromRef, State};
use axum::response::{IntoResponse, Response};
use http::header;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::sessions::{self, Sessions, User};
use crate::features::teams::Teams;
use crate::input;
use crate::platform::config::Config;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::input::{Params, Valid};
use crate::platform::http::page::{AtLeastOne, Page, PageMeta};
use crate::platform::http::path::PathText;
use crate::platform::http::views::{Json, Listed, PreparedJson, WithMessage};

use super::{BriefTeamRow, SportId, SportView, TeamFilter, TeamId, TeamRow, crest};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Sessions: FromRef<S>,
    Teams: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(list_sports))
        .routes(routes!(list_teams))
        .routes(routes!(save_primary_team))
        .routes(routes!(save_other_teams))
        .routes(routes!(show_crest))
}

#[derive(Serialize, ToSchema)]
struct TeamView {
    id: TeamId,
    #[schema(example = "Northgate FC")]
    name: String,
    #[schema(example = "northgate_fc")]
    slug: String,
    sport_id: SportId,
    sport: SportView,
    /// Absent when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "https://app.example.org/crests/northgate_fc.svg")]
    logo: Option<String>,
    /// Null when unknown.
    #[schema(example = "England")]
    country: Option<String>,
    /// The year; null when unknown.
    #[schema(example = 1893)]
    founded: Option<i64>,
}

impl TeamView {
    fn of(row: TeamRow, config: &Config) -> Self {
        Self {
            id: row.id,
            name: row.name,
            slug: row.slug,
            sport_id: row.sport.id,
            sport: row.sport,
            logo: config.link(row.logo),
            country: row.country,
            founded: row.founded,
        }
    }
}

/// A team where only its face is needed.
#[derive(Debug, Serialize, ToSchema)]
pub struct BriefTeamView {
    id: TeamId,
    #[schema(example = "Northgate FC")]
    name: String,
    /// Absent when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "https://app.example.org/crests/northgate_fc.svg")]
    logo: Option<String>,
}

impl BriefTeamView {
    pub fn of(row: BriefTeamRow, config: &Config) -> Self {
        Self { id: row.id, name: row.name, logo: config.link(row.logo) }
    }
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct SportsQuery {
        /// Page number, from 1.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Sports on a page; 20 when absent, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

/// List sports by name.
#[utoipa::path(get, path = "/api/auth/sports", tag = "Teams", security(("user" = [])),
    params(SportsQuery),
    responses((status = 200, description = "A page of sports", body = Listed<SportView, PageMeta>)))]
async fn list_sports(
    State(teams): State<Teams>,
    _user: User,
    Params(query): Params<SportsQuery>,
) -> Result<PreparedJson> {
    let page = Page::of(query.page, query.per_page);
    teams.sports.get(page, &[&super::CHANGES], || read_sports(&teams, page)).await
}

async fn read_sports(teams: &Teams, page: Page) -> Result<PreparedJson> {
    let (data, total) = teams.db.read(move |tx| super::list_sports(tx, page)).await?;
    PreparedJson::of(&Listed { data, meta: page.meta(total) })
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct TeamsQuery {
        /// Only teams of this sport.
        #[param(value_type = Option<i64>, minimum = 1)]
        sport_id: Option<SportId>,
        /// Only teams whose name contains this text; case does not matter and nothing is a wildcard.
        search: Option<String>,
        /// Page number, from 1.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Teams on a page; 20 when absent, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

/// List teams by name.
#[utoipa::path(get, path = "/api/auth/teams", tag = "Teams", security(("user" = [])),
    params(TeamsQuery), responses((status = 200, body = Listed<TeamView, PageMeta>)))]
async fn list_teams(
    State(teams): State<Teams>,
    _user: User,
    Params(query): Params<TeamsQuery>,
) -> Result<PreparedJson> {
    let page = Page::of(query.page, query.per_page);
    let filter = TeamFilter { sport: query.sport_id, search: query.search };
    let made_of = [&super::CHANGES];
    teams.pages.get((filter.clone(), page), &made_of, || read_page(&teams, filter, page)).await
}

async fn read_page(teams: &Teams, filter: TeamFilter, page: Page) -> Result<PreparedJson> {
    let (rows, total) = teams.db.read(move |tx| super::list(tx, &filter, page)).await?;
    let data: Vec<_> = rows.into_iter().map(|row| TeamView::of(row, &teams.config)).collect();
    PreparedJson::of(&Listed { data, meta: page.meta(total) })
}

input! {
    #[derive(ToSchema)]
    struct PrimaryTeamBody {
        team_id: TeamId,
    }
}

#[derive(Serialize, ToSchema)]
struct SavedTeamView {
    team: BriefTeamView,
}

/// Save my primary team, in place of the one before.
#[utoipa::path(post, path = "/api/auth/teams/primary", tag = "Teams", security(("user" = [])),
    request_body = PrimaryTeamBody, responses(
        (status = 200, body = WithMessage<SavedTeamView>),
        (status = 404, description = "There is no such team", body = crate::platform::http::error_body::ErrorBody)),
    extensions(("x-codes" = json!(["404 not_found"]))))]
async fn save_primary_team(
    State(teams): State<Teams>,
    user: User,
    Valid(body): Valid<PrimaryTeamBody>,
) -> Result<Json<WithMessage<SavedTeamView>>> {
    let save = move |tx: &mut Tx| {
        sessions::confirm(tx, user)?;
        super::choose_primary(tx, user.id, body.team_id)
    };
    let team = BriefTeamView::of(teams.db.write(save).await?, &teams.config);
    Ok(WithMessage::json(text!("Your primary team is saved."), SavedTeamView { team }))
}

input! {
    #[derive(ToSchema)]
    struct OtherTeamsBody {
        /// At most five, each of an existing team; none clears the choice.
        #[schema(example = json!([7, 9]))]
        team_ids: Vec<TeamId>,
    }
}

#[derive(Serialize, ToSchema)]
struct SavedTeamsView {
    teams: Vec<BriefTeamView>,
}

/// Save my other favourite teams, in place of those before.
#[utoipa::path(post, path = "/api/auth/teams/other", tag = "Teams", security(("user" = [])),
    request_body = OtherTeamsBody, responses((status = 200, body = WithMessage<SavedTeamsView>)))]
async fn save_other_teams(
    State(teams): State<Teams>,
    user: User,
    Valid(body): Valid<OtherTeamsBody>,
) -> Result<Json<WithMessage<SavedTeamsView>>> {
    let save = move |tx: &mut Tx| {
        sessions::confirm(tx, user)?;
        super::choose_others(tx, user.id, &body.team_ids)
    };
    let rows = teams.db.write(save).await?;
    let teams = rows.into_iter().map(|row| BriefTeamView::of(row, &teams.config)).collect();
    Ok(WithMessage::json(text!("Your other teams are saved."), SavedTeamsView { teams }))
}

/// Draw a crest.
///
/// Every slug has its own, in colours that stay the same; a team without a logo of its own can be given
/// `/crests/<slug>.svg` in the catalogue.
#[utoipa::path(get, path = "/crests/{file}", tag = "Teams", security(()),
    params(("file" = String, Path, description = "A slug with `.svg`", example = "northgate_fc.svg")),
    responses((status = 200, description = "The drawing", content_type = "image/svg+xml", body = String)))]
async fn show_crest(PathText(file): PathText) -> Result<Response> {
    let slug = file.strip_suffix(".svg").ok_or(not_found!("crest"))?;
    let drawing = crest::draw(slug).ok_or(not_found!("crest"))?;
    let headers = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        // The same for everybody and for ever.
        (header::CACHE_CONTROL, "public, max-age=86400"),
    ];
    Ok((headers, drawing).into_response())
}
