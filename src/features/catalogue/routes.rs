//! The operators' import.

use axum::extract::{FromRef, State};
use serde_json::json;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::operators::{self, guard};
use crate::features::sessions::Sessions;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::input::ValidDocument;
use crate::platform::http::views::{Json, WithMessage};

use super::{Document, ImportSummary};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(import_catalogue))
}

/// Import sports, teams, tournaments and events by their keys, all or nothing.
///
/// The body may be as large as 4 MiB. The same document again changes nothing; a changed one moves only what changed in it.
#[utoipa::path(put, path = "/api/admin/catalogue", tag = "Operators", security(("operator" = ["operator"])),
    request_body = Document, responses((status = 200, body = WithMessage<ImportSummary>)))]
async fn import_catalogue(
    State(core): State<Core>,
    guard::Operator(operator): guard::Operator,
    ValidDocument(document): ValidDocument<Document>,
) -> Result<Json<WithMessage<ImportSummary>>> {
    let import = move |tx: &mut Tx| {
        let summary = super::import(tx, &document)?;
        let detail = json!({
            "created": summary.created, "updated": summary.updated, "unchanged": summary.unchanged,
        });
        operators::audit(tx, &operator, "catalogue.import", "catalogue", &detail)?;
        Ok(summary)
    };
    let summary = core.db.write(import).await?;
    Ok(WithMessage::json(text!("The catalogue is imported."), summary))
}
