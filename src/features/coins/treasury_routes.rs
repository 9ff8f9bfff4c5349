//! Operators' calls for the books as a whole.

use axum::extract::{FromRef, State};
use http::StatusCode;
use serde::Serialize;
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::operators::{self, guard};
use crate::features::sessions::Sessions;
use crate::input;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::input::Params;
use crate::platform::http::moments::UtcDate;
use crate::platform::http::page::{AtLeastOne, Page, PageMeta};
use crate::platform::http::views::{Data, Json, Listed, WithMessage};
use crate::platform::jobs;

use super::Reconcile;
use super::treasury::{self, Days, FlowView, FlowsMeta, FrozenRow, TreasuryView};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(show_treasury))
        .routes(routes!(list_coin_flows))
        .routes(routes!(list_frozen_accounts))
        .routes(routes!(reconcile_coins))
}

/// Show the books: the house accounts, what users hold, and what the last reconciliation found.
#[utoipa::path(get, path = "/api/admin/coins", tag = "Operators", security(("operator" = ["viewer"])),
    responses((status = 200, body = Data<TreasuryView>)))]
async fn show_treasury(
    State(core): State<Core>,
    _: guard::Viewer,
) -> Result<Json<Data<TreasuryView>>> {
    Ok(Data::json(core.db.read(treasury::show).await?))
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct FlowsQuery {
        /// The first UTC date; when absent, 29 days before the last.
        #[param(value_type = Option<String>, format = Date)]
        from: Option<UtcDate>,
        /// The last UTC date; when absent, today.
        #[param(value_type = Option<String>, format = Date)]
        to: Option<UtcDate>,
    }
}

/// List the coins that moved by UTC day and reason, the newest day first.
///
/// At most 92 days. `meta.complete_to` says up to when transfers are in it.
#[utoipa::path(get, path = "/api/admin/coins/flows", tag = "Operators", security(("operator" = ["viewer"])),
    params(FlowsQuery), responses((status = 200, body = Listed<FlowView, FlowsMeta>)))]
async fn list_coin_flows(
    State(core): State<Core>,
    _: guard::Viewer,
    Params(query): Params<FlowsQuery>,
) -> Result<Json<Listed<FlowView, FlowsMeta>>> {
    let moment = |date: Option<UtcDate>| date.map(|UtcDate(midnight)| midnight);
    let days = Days::of(moment(query.from), moment(query.to), core.clock.now())?;
    let (data, meta) = core.db.read(move |tx| treasury::list_flows(tx, days)).await?;
    Ok(Json(Listed { data, meta }))
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct FrozenQuery {
        /// Page number, from 1.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Entries on a page, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

/// List the accounts that are frozen because they disagree with their entries.
#[utoipa::path(get, path = "/api/admin/coins/frozen", tag = "Operators", security(("operator" = ["viewer"])),
    params(FrozenQuery), responses((status = 200, body = Listed<FrozenRow, PageMeta>)))]
async fn list_frozen_accounts(
    State(core): State<Core>,
    _: guard::Viewer,
    Params(query): Params<FrozenQuery>,
) -> Result<Json<Listed<FrozenRow, PageMeta>>> {
    let page = Page::of(query.page, query.per_page);
    let (data, total) = core.db.read(move |tx| treasury::list_frozen(tx, page)).await?;
    Ok(Json(Listed { data, meta: page.meta(total) }))
}

#[derive(Serialize, ToSchema)]
struct ReconcileAskedView {
    /// The last run so far, null if there was none. This one is done when `GET /api/admin/coins` shows a later one.
    #[schema(example = 41)]
    last_reconciliation: Option<i64>,
}

/// Recompute every balance now instead of within the hour.
///
/// A job does it, since it walks all entries of all accounts; one that is under way comes to its end and is followed by another.
#[utoipa::path(post, path = "/api/admin/coins/reconcile", tag = "Operators", security(("operator" = ["operator"])),
    responses((status = 202, body = WithMessage<ReconcileAskedView>)))]
async fn reconcile_coins(
    State(core): State<Core>,
    guard::Operator(operator): guard::Operator,
) -> Result<(StatusCode, Json<WithMessage<ReconcileAskedView>>)> {
    let ask = move |tx: &mut Tx| {
        let last = treasury::find_last_reconciliation(tx)?.map(|run| run.id);
        jobs::hurry_chore::<Reconcile>(tx)?;
        let detail = json!({"last_reconciliation": last});
        operators::audit(tx, &operator, "coins.reconcile", "coins", &detail)?;
        Ok(last)
    };
    let view = ReconcileAskedView { last_reconciliation: core.db.write(ask).await? };
    Ok((StatusCode::ACCEPTED, WithMessage::json(text!("The books are being reconciled."), view)))
}
