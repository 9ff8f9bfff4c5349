//! Recurring work that belongs to no feature: forgetting what has expired.

use crate::app::App;
use crate::features::sessions;
use crate::platform::clock::MINUTE_MS;
use crate::platform::jobs::{Job, Kind, Next, Running};
use crate::platform::{idempotency, limits};

pub const FORGET_EXPIRED: Kind =
    Kind { name: "forget_expired", every_ms: Some(10 * MINUTE_MS), run: forget_expired };

fn forget_expired(app: App, _: Job) -> Running {
    Box::pin(async move {
        app.db.write(idempotency::forget_expired).await?;
        app.db.write(limits::forget_expired).await?;
        app.db.write(sessions::forget_expired).await?;
        Ok(Next::Done)
    })
}
