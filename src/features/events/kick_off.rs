//! The match-day clock: a match whose start has passed is live.

use std::time::Duration;

use crate::features::events::Events;
use crate::platform::clock::SECOND_MS;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::jobs::{Next, Stop, job};

use super::changes::{self, Change};
use super::{Status, store};

/// Kick-offs in one transaction: a Saturday at three is a few dozen, a restart after a long pause may be thousands.
const AT_ONCE: i64 = 200;
/// How soon, and how often, a match that somebody else holds is looked at again before it is left to the next run.
const LOOK_AGAIN: Duration = Duration::from_millis(20);
const MOST_LOOKS: u32 = 25;

job! {
    /// Begins the matches whose start has passed.
    pub struct KickOff;
    kind: "kick_off", lane: MatchClock, every: SECOND_MS, run: kick_off(Events)
}

async fn kick_off(_: KickOff, events: Events, _: Stop) -> Result<Next> {
    // Almost always nothing is due: that is found by a read, and the writer is left alone.
    let mut looks = 0;
    while events.db.lookup(|tx| store::is_any_due(tx, tx.now())).await? {
        let kicked_off = events.db.write(kick_off_due).await?;
        if kicked_off == 0 {
            // What is due is being changed by somebody else at this moment, which does not take long.
            looks += 1;
            if looks > MOST_LOOKS {
                break;
            }
            tokio::time::sleep(LOOK_AGAIN).await;
            continue;
        }
        metrics::counter!("touchline_kick_offs_total").increment(kicked_off);
    }
    Ok(Next::Done)
}

fn kick_off_due(tx: &mut Tx) -> Result<u64> {
    let now = tx.deadline_now()?;
    let due = store::list_due(tx, now, AT_ONCE)?;
    let mut kicked_off = Vec::new();
    for before in due {
        let mut after = before.clone();
        after.status = Status::Live;
        store::update(tx, &after, None)?;
        kicked_off.push(Change { before: Some(before), after });
    }
    changes::follow_up(tx, &kicked_off)?;
    Ok(u64::try_from(kicked_off.len()).unwrap_or(u64::MAX))
}
