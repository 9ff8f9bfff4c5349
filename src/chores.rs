//! Recurring work that spans features: forgetting what has expired.

use serde::{Deserialize, Serialize};

use crate::features::{chat, sessions};
use crate::platform::clock::MINUTE_MS;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::jobs::{Job, Lane, Next, Stop};
use crate::platform::{idempotency, limits};

#[derive(Serialize, Deserialize)]
pub struct ForgetExpired;

impl Job for ForgetExpired {
    const KIND: &'static str = "forget_expired";
    const LANE: Lane = Lane::Local;
    const EVERY_MS: Option<i64> = Some(10 * MINUTE_MS);
    type State = Core;

    async fn run(self, core: Core, _: Stop) -> Result<Next> {
        core.db.write(idempotency::forget_expired).await?;
        core.db.write(limits::forget_expired).await?;
        let end_sessions = |tx: &mut Tx| {
            let ended = sessions::forget_expired(tx)?;
            chat::sessions_ended(tx, &ended)
        };
        core.db.write(end_sessions).await?;
        Ok(Next::Done)
    }
}
