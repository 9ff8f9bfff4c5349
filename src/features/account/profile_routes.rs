//! What users see of each other.

use axum::extract::{FromRef, State};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::sessions::{Sessions, User};
use crate::features::teams::routes::BriefTeamView;
use crate::features::users::{Name, UserId, Username};
use crate::platform::clock::Timestamp;
use crate::platform::config::Config;
use crate::platform::core::Core;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::path::PathId;
use crate::platform::http::views::{Data, Json};

use super::PublicProfile;

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(show_user))
}

// Each field is named here, so that nothing else of a user's row can ever be shown.
#[derive(Serialize, ToSchema)]
struct PublicProfileView {
    id: UserId,
    username: Username,
    name: Option<Name>,
    /// When they joined.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Null until one is chosen.
    primary_team: Option<BriefTeamView>,
    /// Of all time, as the global leaderboard counts them.
    #[schema(example = 31)]
    points: i64,
    /// On the global leaderboard of all time; null before anything of theirs was settled.
    #[schema(example = 2)]
    rank: Option<i64>,
    #[schema(example = 12)]
    settled_predictions: i64,
    #[schema(example = 7)]
    correct_predictions: i64,
    /// The share of settled predictions with the right outcome, 0 to 1; 0 for none.
    #[schema(example = 0.5833)]
    accuracy: f64,
    #[schema(example = 2)]
    exact_scores: i64,
}

impl PublicProfileView {
    fn of(profile: PublicProfile, config: &Config) -> Self {
        let PublicProfile { user, primary_team, place } = profile;
        let standing = place.map(|(_, standing)| standing).unwrap_or_default();
        Self {
            id: user.id,
            username: user.username,
            name: user.name,
            created_at: user.created_at,
            primary_team: primary_team.map(|team| BriefTeamView::of(team, config)),
            points: standing.points,
            rank: place.map(|(rank, _)| rank),
            settled_predictions: standing.settled,
            correct_predictions: standing.correct,
            accuracy: standing.accuracy(),
            exact_scores: standing.exact,
        }
    }
}

/// Show what everybody may know of a user: who they are, their team, how well they predict.
#[utoipa::path(get, path = "/api/auth/users/{user}", tag = "Users", security(("user" = [])),
    params(("user" = i64, Path, minimum = 1, description = "The user's id")),
    responses((status = 200, description = "The public profile", body = Data<PublicProfileView>),
    (status = 404, description = "There is no such user, or not any more", body = crate::platform::http::error_body::ErrorBody)))]
async fn show_user(
    State(core): State<Core>,
    _user: User,
    PathId(user): PathId,
) -> Result<Json<Data<PublicProfileView>>> {
    let profile = core.db.read(move |tx| super::public_profile(tx, UserId(user))).await?;
    Ok(Data::json(PublicProfileView::of(profile, &core.config)))
}
