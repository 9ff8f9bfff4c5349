//! Operators' calls about what is on record of a user: notes, predictions, coins, and all of it.

use axum::extract::{FromRef, State};
use http::StatusCode;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::account;
use crate::features::coins::{self, TransactionView};
use crate::features::operators::guard;
use crate::features::predictions::{self, OwnFilter, OwnPredictionView};
use crate::features::sessions::Sessions;
use crate::features::user_notes::{self, NoteText, NoteView};
use crate::features::users::{self, UserId};
use crate::input;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::input::{Params, Valid};
use crate::platform::http::page::{AtLeastOne, Page, PageMeta};
use crate::platform::http::path::PathId;
use crate::platform::http::views::{Data, Json, Listed};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(list_user_notes, add_user_note))
        .routes(routes!(list_user_predictions))
        .routes(routes!(list_user_transactions))
        .routes(routes!(export_user))
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct UserPageQuery {
        /// Page number, from 1.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Entries on a page, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

/// List what operators noted about a user, newest first.
#[utoipa::path(get, path = "/api/admin/users/{user}/notes", tag = "Operators", security(("operator" = ["moderator"])),
    params(("user" = i64, Path, minimum = 1, description = "The user's id"), UserPageQuery),
    responses((status = 200, body = Listed<NoteView, PageMeta>)))]
async fn list_user_notes(
    State(core): State<Core>,
    _: guard::Moderator,
    PathId(user): PathId,
    Params(query): Params<UserPageQuery>,
) -> Result<Json<Listed<NoteView, PageMeta>>> {
    let page = Page::of(query.page, query.per_page);
    let list = move |tx: &mut Tx| user_notes::list(tx, UserId(user), page);
    let (data, total) = core.db.read(list).await?;
    Ok(Json(Listed { data, meta: page.meta(total) }))
}

input! {
    #[derive(ToSchema)]
    struct NoteBody {
        text: NoteText,
    }
}

/// Note something about a user for other operators. The user's own export has it, without who wrote it.
#[utoipa::path(post, path = "/api/admin/users/{user}/notes", tag = "Operators", security(("operator" = ["moderator"])),
    params(("user" = i64, Path, minimum = 1, description = "The user's id")),
    request_body = NoteBody, responses((status = 201, body = Data<NoteView>)))]
async fn add_user_note(
    State(core): State<Core>,
    guard::Moderator(operator): guard::Moderator,
    PathId(user): PathId,
    Valid(body): Valid<NoteBody>,
) -> Result<(StatusCode, Json<Data<NoteView>>)> {
    let add = move |tx: &mut Tx| user_notes::add(tx, &operator, UserId(user), &body.text);
    Ok((StatusCode::CREATED, Data::json(core.db.write(add).await?)))
}

/// List a user's predictions, newest first.
#[utoipa::path(get, path = "/api/admin/users/{user}/predictions", tag = "Operators", security(("operator" = ["viewer"])),
    params(("user" = i64, Path, minimum = 1, description = "The user's id"), UserPageQuery),
    responses((status = 200, body = Listed<OwnPredictionView, PageMeta>)))]
async fn list_user_predictions(
    State(core): State<Core>,
    _: guard::Viewer,
    PathId(user): PathId,
    Params(query): Params<UserPageQuery>,
) -> Result<Json<Listed<OwnPredictionView, PageMeta>>> {
    let (page, filter) = (Page::of(query.page, query.per_page), OwnFilter::default());
    let list = move |tx: &mut Tx| {
        let id = users::get(tx, UserId(user))?.id;
        let mut data = Vec::new();
        predictions::walk_own(tx, id, filter, Some(page), |row| {
            data.push(OwnPredictionView::from(row));
            Ok(())
        })?;
        Ok((data, predictions::own_totals(tx, id, filter)?.predictions))
    };
    let (data, total) = core.db.read(list).await?;
    Ok(Json(Listed { data, meta: page.meta(total) }))
}

/// List what moved a user's coins, newest first.
#[utoipa::path(get, path = "/api/admin/users/{user}/coins/transactions", tag = "Operators", security(("operator" = ["operator"])),
    params(("user" = i64, Path, minimum = 1, description = "The user's id"), UserPageQuery),
    responses((status = 200, body = Listed<TransactionView, PageMeta>)))]
async fn list_user_transactions(
    State(core): State<Core>,
    _: guard::Operator,
    PathId(user): PathId,
    Params(query): Params<UserPageQuery>,
) -> Result<Json<Listed<TransactionView, PageMeta>>> {
    let page = Page::of(query.page, query.per_page);
    let list = move |tx: &mut Tx| {
        let id = users::get(tx, UserId(user))?.id;
        coins::list_transfers(tx, id, page)
    };
    let (data, total) = core.db.read(list).await?;
    Ok(Json(Listed { data, meta: page.meta(total) }))
}

/// Take away everything the service holds about a user: the same as their own export.
#[utoipa::path(get, path = "/api/admin/users/{user}/export", tag = "Operators", security(("operator" = ["owner"])),
    params(("user" = i64, Path, minimum = 1, description = "The user's id")),
    responses((status = 200, body = Data<Object>)))]
async fn export_user(
    State(core): State<Core>,
    guard::Owner(operator): guard::Owner,
    PathId(user): PathId,
) -> Result<Json<Data<serde_json::Value>>> {
    // Written down first: nothing leaves unseen.
    core.db.write(move |tx| super::note_export(tx, &operator, UserId(user))).await?;
    Ok(Data::json(core.db.read(move |tx| account::export(tx, UserId(user))).await?))
}
