//! Usernames: whether one is free, and suggestions; and a user as others see them.

use axum::extract::{FromRef, State};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::input;
use crate::platform::core::Core;
use crate::platform::db::{Tx, row};
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::input::Valid;
use crate::platform::http::views::Json;
use crate::platform::texts::Text;

use super::{Base, UserId, Username};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(check_username)).routes(routes!(generate_usernames))
}

row! {
    /// A user as others see them.
    #[derive(Debug, Clone, Serialize, ToSchema)]
    pub struct BriefUserView {
        pub id: UserId,
        #[schema(example = "northgate_fan")]
        username: String,
        /// Null if they gave none.
        #[schema(example = "Sam Carter")]
        name: Option<String>,
    }
}

input! {
    #[derive(ToSchema)]
    struct UsernameBody {
        username: Username,
    }
}

#[derive(Serialize, ToSchema)]
struct AvailabilityView {
    available: bool,
    #[schema(example = "This username is taken.")]
    #[schema(value_type = String)]
    message: Text,
    /// Only for a taken name: five free ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    suggestions: Option<Vec<Username>>,
}

/// Check whether a username is free.
///
/// The name of an account that was deleted or renamed is taken for ever.
#[utoipa::path(post, path = "/api/auth/username/check", tag = "Users", security(()),
    request_body = UsernameBody, responses((status = 200, body = AvailabilityView)))]
async fn check_username(
    State(core): State<Core>,
    Valid(body): Valid<UsernameBody>,
) -> Result<Json<AvailabilityView>> {
    let keys = core.keys.clone();
    let check = move |tx: &mut Tx| {
        if super::is_free(tx, &keys, &body.username)? {
            return Ok(None);
        }
        super::suggest(tx, &keys, &Base::from(&body.username), true).map(Some)
    };
    let view = match core.db.lookup(check).await? {
        None => AvailabilityView {
            available: true,
            message: text!("This username is available."),
            suggestions: None,
        },
        suggestions => AvailabilityView {
            available: false,
            message: text!("This username is taken."),
            suggestions,
        },
    };
    Ok(Json(view))
}

input! {
    #[derive(ToSchema)]
    struct GenerateBody {
        base: Base,
        /// Whether suggestions end in digits; true when absent.
        include_numbers: Option<bool>,
    }
}

#[derive(Serialize, ToSchema)]
struct SuggestionsView {
    /// Five names, free at the time of asking; none that somebody has given up.
    suggestions: Vec<Username>,
}

/// Suggest usernames that grow from a base.
#[utoipa::path(post, path = "/api/auth/username/generate", tag = "Users", security(()),
    request_body = GenerateBody, responses((status = 200, body = SuggestionsView)))]
async fn generate_usernames(
    State(core): State<Core>,
    Valid(body): Valid<GenerateBody>,
) -> Result<Json<SuggestionsView>> {
    let (keys, numbers) = (core.keys.clone(), body.include_numbers.unwrap_or(true));
    let suggest = move |tx: &mut Tx| super::suggest(tx, &keys, &body.base, numbers);
    let suggestions = core.db.lookup(suggest).await?;
    Ok(Json(SuggestionsView { suggestions }))
}
