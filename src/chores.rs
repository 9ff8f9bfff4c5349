//! Recurring work that spans features: forgetting what has expired, and making up for what earlier versions left out.

use crate::features::{chat, chat_login, coins, predictions, sessions, users};
use crate::platform::clock::MINUTE_MS;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::jobs::{Next, Stop, job};
use crate::platform::{idempotency, limits};

job! {
    pub struct ForgetExpired;
    kind: "forget_expired", lane: Local, every: 10 * MINUTE_MS, run: forget_expired(Core)
}

async fn forget_expired(_: ForgetExpired, core: Core, stop: Stop) -> Result<Next> {
    let (db, stop) = (&core.db, &stop);
    db.delete_in_batches(stop, idempotency::forget_expired).await?;
    db.delete_in_batches(stop, limits::forget_expired).await?;
    db.delete_in_batches(stop, users::fold_names).await?;
    db.delete_in_batches(stop, chat_login::forget_expired).await?;
    let end_sessions = |tx: &mut Tx, most| {
        let ended = sessions::forget_expired(tx, most)?;
        chat::sessions_ended(tx, &ended)?;
        Ok(ended.count())
    };
    db.delete_in_batches(stop, end_sessions).await?;
    let rules = core.config.coins.clone();
    db.delete_in_batches(stop, move |tx, most| coins::forget_leavers(tx, &rules, most)).await?;
    let kept_days = core.config.predictions.revisions_kept_days;
    if kept_days > 0 {
        let forget = move |tx: &mut Tx, most| predictions::forget_revisions(tx, kept_days, most);
        db.delete_in_batches(stop, forget).await?;
    }
    Ok(Next::Done)
}
