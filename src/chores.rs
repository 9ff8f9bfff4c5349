//! Recurring work that spans features: forgetting what has expired.

use crate::features::{chat, sessions};
use crate::platform::clock::MINUTE_MS;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::jobs::{Job, JobKind, Next, Running};
use crate::platform::{idempotency, limits};

pub const FORGET_EXPIRED: JobKind<Core> =
    JobKind { name: "forget_expired", every_ms: Some(10 * MINUTE_MS), run: forget_expired };

fn forget_expired(core: Core, _: Job) -> Running {
    Box::pin(async move {
        let (db, stop) = (&core.db, &core.stop);
        db.delete_in_batches(stop, idempotency::forget_expired).await?;
        db.delete_in_batches(stop, limits::forget_expired).await?;
        let end_sessions = |tx: &mut Tx, most| {
            let ended = sessions::forget_expired(tx, most)?;
            chat::sessions_ended(tx, &ended)?;
            Ok(ended.count())
        };
        db.delete_in_batches(stop, end_sessions).await?;
        Ok(Next::Done)
    })
}
