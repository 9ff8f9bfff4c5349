//! Chat: credentials, rooms and who is in them.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::App;
use crate::clock::MINUTE_MS;
use crate::error::Result;
use crate::http::guards::User;
use crate::http::views::Data;
use crate::limits::{self, Limit};
use crate::matrix::Credentials;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(issue_matrix_credentials))
}

const CREDENTIALS: Limit =
    Limit { code: "too_many_credentials", most: 10, window_ms: 10 * MINUTE_MS };

#[derive(Serialize, ToSchema)]
struct CredentialsView {
    matrix_credentials: Credentials,
}

/// Get chat credentials for this session.
///
/// For an app whose login was answered with `matrix_credentials: null`, or that lost its chat token. The session gets a new
/// device; the one it had ends.
#[utoipa::path(post, path = "/api/auth/matrix-credentials", tag = "Chat", security(("user" = [])),
    responses((status = 200, body = Data<CredentialsView>),
    (status = 429, description = "Asked too often", body = crate::http::error_body::ErrorBody)))]
async fn issue_matrix_credentials(
    State(app): State<App>,
    user: User,
) -> Result<Json<Data<CredentialsView>>> {
    let keys = app.keys.clone();
    let who = user.id.0.to_string();
    app.db.write(move |tx| limits::hit(tx, &keys, CREDENTIALS, &who)).await?;
    let matrix_credentials = super::issue_credentials(&app, user.id, user.session_id).await?;
    Ok(Data::json(CredentialsView { matrix_credentials }))
}
