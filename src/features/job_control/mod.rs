//! Operators' hands on the work that is done outside requests.
//!
//! Owns: the list of jobs, and the calls that hurry and drop them.
//! Invariants: every change is in the audit log.
//! Never: runs a job itself.

pub mod routes;

use serde_json::json;

use crate::features::operators::{self, Operator};
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::jobs::Jobs;

/// Ends the pause of a job that failed.
pub fn retry(tx: &mut Tx, jobs: &Jobs, operator: &Operator, id: i64) -> Result<()> {
    let kind = jobs.retry(tx, id)?.ok_or(not_found!("job"))?;
    operators::audit(tx, operator, "job.retry", &format!("job {id}"), &json!({"kind": kind}))
}

/// Forgets a job that nobody wants any more.
pub fn drop_job(tx: &mut Tx, jobs: &Jobs, operator: &Operator, id: i64) -> Result<()> {
    let kind = jobs.drop_job(tx, id)?.ok_or(not_found!("job"))?;
    operators::audit(tx, operator, "job.drop", &format!("job {id}"), &json!({"kind": kind}))
}
