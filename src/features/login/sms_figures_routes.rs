//! What operators see of messages. In production too: it says nothing of whom they were for, or what was in them.

use axum::extract::{FromRef, State};
use utoipa::IntoParams;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::login::Login;
use crate::features::operators::guard;
use crate::features::sessions::Sessions;
use crate::input;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::input::Params;
use crate::platform::http::views::{Data, Json};

use super::sms_figures::{self, Hours, SmsFiguresView};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Login: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(show_sms_figures))
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct SmsFiguresQuery {
        /// How many clock hours, this one included: 1 to 168, 24 when absent.
        #[param(value_type = Option<i64>, minimum = 1, maximum = 168)]
        hours: Option<Hours>,
    }
}

/// Show what became of messages: by provider and country, why they failed, and the day's budget.
///
/// Other nodes' messages are counted within five seconds. No phone number, no code, no text.
#[utoipa::path(get, path = "/api/admin/sms", tag = "Operators", security(("operator" = ["viewer"])),
    params(SmsFiguresQuery), responses((status = 200, body = Data<SmsFiguresView>)))]
async fn show_sms_figures(
    State(login): State<Login>,
    _: guard::Viewer,
    Params(query): Params<SmsFiguresQuery>,
) -> Result<Json<Data<SmsFiguresView>>> {
    // What this node knows is in the answer; where it cannot be written down, the rest still is.
    login.flush_figures().await;
    let (this, hours) = (login.clone(), query.hours.unwrap_or_default());
    let read = move |tx: &mut Tx| sms_figures::read(tx, &this, hours);
    Ok(Data::json(login.db.read(read).await?))
}
