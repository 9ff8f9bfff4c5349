//! The way in from the terminal.

use axum::extract::{FromRef, State};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{Role, SignIn};
use crate::input;
use crate::platform::clock::Timestamp;
use crate::platform::core::Core;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::client_address::ClientAddress;
use crate::platform::http::input::Valid;
use crate::platform::http::views::{Data, Json};
use crate::platform::limits::Who;

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    SignIn: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(sign_in_operator))
}

input! {
    #[derive(ToSchema)]
    struct SignInBody {
        /// What stands behind `sign-in=` in the link on the terminal.
        #[schema(example = "Zk3vT0pQ9xW2mB7rL5nY8cHd")]
        code: String,
    }
}

#[derive(Serialize, ToSchema)]
struct SignInView {
    #[schema(example = "terminal")]
    name: String,
    role: Role,
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<Timestamp>,
    /// It is shown here and never again.
    #[schema(example = "tlop_...")]
    token: String,
}

/// Sign in by the link that the service shows on the terminal where it was started.
///
/// Its code works once, within an hour, on the node that showed it. The token is an owner's, and ends after twelve hours.
#[utoipa::path(post, path = "/api/admin/sign-in", tag = "Operators", security(()), request_body = SignInBody,
    responses((status = 201, body = Data<SignInView>), (status = 401, description = "The link was used, or is too old")),
    extensions(("x-codes" = json!(["401 sign_in_link_spent", "429 too_many_unknown_tokens"]))))]
async fn sign_in_operator(
    State(sign_in): State<SignIn>,
    address: ClientAddress,
    Valid(body): Valid<SignInBody>,
) -> Result<(StatusCode, Json<Data<SignInView>>)> {
    let who = Who::new(&sign_in.keys, &address.limit_key());
    let (row, token) = sign_in.redeem(&body.code, who).await?;
    let view = SignInView {
        name: row.name,
        role: Role::Owner,
        expires_at: row.expires_at,
        token: token.expose().to_owned(),
    };
    Ok((StatusCode::CREATED, Data::json(view)))
}
