//! Operators' calls for jobs.

use axum::extract::{FromRef, State};
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::operators::guard;
use crate::features::sessions::Sessions;
use crate::platform::clock::Timestamp;
use crate::platform::core::Core;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::input::Params;
use crate::platform::http::page::{AtLeastOne, Page, PageMeta};
use crate::platform::http::path::PathId;
use crate::platform::http::views::{Json, Listed, Message};
use crate::platform::jobs::{JobFilter, JobRow, JobState, Jobs, Lane};
use crate::platform::texts::Text;
use crate::{input, text_input};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Jobs: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(list_jobs))
        .routes(routes!(retry_job))
        .routes(routes!(drop_job))
}

#[derive(Debug, Clone, Copy)]
struct WantedLane(Lane);

text_input!(WantedLane);

impl TryFrom<&str> for WantedLane {
    type Error = Text;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        let lane = Lane::ALL.into_iter().find(|lane| lane.name() == text);
        lane.map(Self)
            .ok_or(text!("Must be match_clock, settlement, local, chat, webhooks, feeds or push."))
    }
}

#[derive(Debug, Clone, Copy)]
struct WantedState(JobState);

text_input!(WantedState);

impl TryFrom<&str> for WantedState {
    type Error = Text;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        match text {
            "waiting" => Ok(Self(JobState::Waiting)),
            "running" => Ok(Self(JobState::Running)),
            "failing" => Ok(Self(JobState::Failing)),
            _ => Err(text!("Must be waiting, running or failing.")),
        }
    }
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct JobsQuery {
        /// Only this lane.
        #[param(value_type = Option<Lane>)]
        lane: Option<WantedLane>,
        /// Only jobs in this state.
        #[param(value_type = Option<JobState>)]
        state: Option<WantedState>,
        /// Page number, from 1.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Entries on a page, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

#[derive(Serialize, ToSchema)]
struct JobView {
    #[schema(example = 1)]
    id: i64,
    #[schema(example = "webhook_deliver")]
    kind: String,
    /// None for a kind that another version of the program has asked for.
    lane: Option<Lane>,
    state: JobState,
    /// What it is about, as the program wrote it down.
    #[schema(example = json!({"webhook_id": 1}))]
    payload: serde_json::Value,
    /// Tries since the last success.
    #[schema(example = 3)]
    attempts: i64,
    /// When it is to be run.
    #[schema(value_type = String, format = DateTime)]
    run_at: Timestamp,
    /// How long it has been due and nobody has taken it up.
    #[schema(example = 0)]
    lag_ms: i64,
    /// Why the last try failed.
    #[schema(example = "error sending request")]
    last_error: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

impl JobView {
    fn of(row: JobRow, jobs: &Jobs, now: Timestamp) -> Self {
        let is_running = row.state == JobState::Running;
        Self {
            id: row.id,
            lane: jobs.lane_of(&row.kind),
            kind: row.kind,
            state: row.state,
            payload: serde_json::from_str(&row.payload).unwrap_or_default(),
            attempts: row.attempts,
            run_at: row.run_at,
            lag_ms: if is_running { 0 } else { now.millis_since(row.run_at).max(0) },
            last_error: row.last_error,
            created_at: row.created_at,
        }
    }
}

/// List the work that is done outside requests, what has waited longest first.
///
/// Each lane has workers of its own, so that none waits for another. What fails is tried again, after pauses of at most ten
/// minutes, until it succeeds or is dropped.
#[utoipa::path(get, path = "/api/admin/jobs", tag = "Operators", security(("operator" = ["viewer"])),
    params(JobsQuery), responses((status = 200, body = Listed<JobView, PageMeta>)))]
async fn list_jobs(
    State(core): State<Core>,
    State(jobs): State<Jobs>,
    _: guard::Viewer,
    Params(query): Params<JobsQuery>,
) -> Result<Json<Listed<JobView, PageMeta>>> {
    let page = Page::of(query.page, query.per_page);
    let filter = JobFilter {
        lane: query.lane.map(|lane| lane.0),
        state: query.state.map(|state| state.0),
        most: page.per_page,
        offset: page.offset(),
    };
    let list = move |tx: &mut crate::platform::db::Tx| {
        let (rows, total) = jobs.list(tx, &filter)?;
        let views = rows.into_iter().map(|row| JobView::of(row, &jobs, tx.now())).collect();
        Ok((views, total))
    };
    let (data, total) = core.db.read(list).await?;
    Ok(Json(Listed { data, meta: page.meta(total) }))
}

/// Try a job now instead of after its pause.
#[utoipa::path(post, path = "/api/admin/jobs/{job}/retry", tag = "Operators", security(("operator" = ["operator"])),
    params(("job" = i64, Path, minimum = 1, description = "The job's id")),
    responses((status = 200, body = Message)))]
async fn retry_job(
    State(core): State<Core>,
    State(jobs): State<Jobs>,
    guard::Operator(operator): guard::Operator,
    PathId(id): PathId,
) -> Result<Json<Message>> {
    core.db.write(move |tx| super::retry(tx, &jobs, &operator, id)).await?;
    Ok(Json(Message { message: text!("The job is tried now.") }))
}

/// Drop a job.
///
/// What it would have done is not done. A run that is under way goes on to its end.
#[utoipa::path(delete, path = "/api/admin/jobs/{job}", tag = "Operators", security(("operator" = ["operator"])),
    params(("job" = i64, Path, minimum = 1, description = "The job's id")),
    responses((status = 200, body = Message), (status = 409, description = "The job is a chore of the service")),
    extensions(("x-codes" = json!(["409 job_is_a_chore"]))))]
async fn drop_job(
    State(core): State<Core>,
    State(jobs): State<Jobs>,
    guard::Operator(operator): guard::Operator,
    PathId(id): PathId,
) -> Result<Json<Message>> {
    core.db.write(move |tx| super::drop_job(tx, &jobs, &operator, id)).await?;
    Ok(Json(Message { message: text!("The job is dropped.") }))
}
