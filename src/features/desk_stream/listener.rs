//! One operator who listens: what they missed, then what happens.

use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use futures_util::Stream;
use serde_json::json;
use serde_json::value::RawValue;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::{Instant, sleep_until};

use crate::features::desk_stream::DeskStream;
use crate::features::events;
use crate::features::operators::{self, AuditFilter, Operator};
use crate::features::stream;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};

use super::{Failing, Position, Standing};

const PIECE: i64 = 200;
/// Whoever missed more than this is told to read anew.
const MOST_MISSED: i64 = 2_000;
const FIGURES_EVERY: Duration = Duration::from_secs(5);
/// How long a stream may outlive its token.
const CHECK_EVERY: Duration = Duration::from_secs(3);
const HEARTBEAT: Bytes = Bytes::from_static(b": still here\n\n");

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.matches, self.audit)
    }
}

impl Position {
    pub fn parse(text: &str) -> Option<Self> {
        let number = |text: &str| {
            let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<i64>().ok().filter(|_| is_digits)
        };
        let (matches, audit) = text.split_once('.')?;
        Some(Self { matches: number(matches)?, audit: number(audit)? })
    }
}

pub struct Listener {
    desk: DeskStream,
    operator: Operator,
    standing: watch::Receiver<Standing>,
    position: Position,
    ready: VecDeque<Bytes>,
    /// Open reports and failing jobs as they were last told.
    told_reports: Option<(i64, Option<i64>)>,
    told_failing: Option<Failing>,
    figures_at: Instant,
    check_at: Instant,
    heartbeat_at: Instant,
    ends_at: Instant,
    _place: OwnedSemaphorePermit,
}

/// Sent at once: where a console begins, and how long it waits before it comes back.
fn hello(position: Position) -> Bytes {
    format!("id: {position}\nretry: {}\n\n", stream::retry().as_millis()).into()
}

impl Listener {
    /// Begins to listen now; with `after`, first tells what came after that.
    pub async fn open(
        desk: &DeskStream,
        operator: Operator,
        after: Option<Position>,
    ) -> Result<Self> {
        let place = desk.admit()?;
        let standing = desk.standing.subscribe();
        let begin = move |tx: &mut Tx| {
            let (matches, oldest) = events::kept_ids(tx)?;
            Ok((Position { matches, audit: operators::newest_audit(tx)? }, oldest))
        };
        let (newest, oldest) = desk.db.lookup(begin).await?;
        let (position, has_missed) = resume(newest, oldest, after);
        let mut ready = VecDeque::from([hello(position)]);
        if has_missed {
            ready.push_back(frame(position, "reset", "{}"));
        }
        let now = Instant::now();
        Ok(Self {
            desk: desk.clone(),
            operator,
            standing,
            position,
            ready,
            told_reports: None,
            told_failing: None,
            figures_at: now,
            check_at: now + CHECK_EVERY,
            heartbeat_at: now,
            ends_at: now + stream::longest(desk.config.stream.longest_minutes),
            _place: place,
        })
    }

    /// The bytes to send. It ends when the operator is no longer in, has listened long enough, or the service stops; a console that comes
    /// back with its last id misses nothing.
    pub fn frames(self) -> impl Stream<Item = Result<Bytes>> {
        futures_util::stream::unfold(self, |mut this| async move {
            let frame = this.next().await.transpose()?;
            Some((frame, this))
        })
    }

    async fn next(&mut self) -> Result<Option<Bytes>> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                let heartbeat = Duration::from_secs(self.desk.config.stream.heartbeat_s);
                self.heartbeat_at = Instant::now() + heartbeat;
                return Ok(Some(frame));
            }
            if !self.wait().await? {
                return Ok(None);
            }
        }
    }

    /// Waits for something to tell; answers whether the stream goes on.
    async fn wait(&mut self) -> Result<bool> {
        let stop = self.desk.core.stop.clone();
        tokio::select! {
            changed = self.standing.changed() => {
                if changed.is_err() {
                    return Ok(false);
                }
                let standing = self.standing.borrow_and_update().clone();
                self.take(&standing).await?;
            }
            () = sleep_until(self.check_at) => {
                self.check_at = Instant::now() + CHECK_EVERY;
                return operators::is_in(&self.desk.core, &self.operator).await;
            }
            () = sleep_until(self.heartbeat_at) => self.ready.push_back(HEARTBEAT),
            () = sleep_until(self.ends_at) => return Ok(false),
            () = stop.cancelled() => return Ok(false),
        }
        Ok(true)
    }

    async fn take(&mut self, standing: &Standing) -> Result<()> {
        if standing.newest.matches > self.position.matches {
            self.tell_matches().await?;
        }
        if standing.newest.audit > self.position.audit {
            self.tell_audit().await?;
        }
        if self.told_reports.replace(standing.reports) != Some(standing.reports) {
            let (open, newest) = standing.reports;
            self.tell("report", &json!({"open": open, "newest_id": newest}).to_string());
        }
        if self.told_failing.replace(standing.failing_jobs) != Some(standing.failing_jobs) {
            self.tell("job", &json!({"failing": standing.failing_jobs.jobs}).to_string());
        }
        if Instant::now() >= self.figures_at {
            self.figures_at = Instant::now() + FIGURES_EVERY;
            self.tell("figures", &json!(standing.figures).to_string());
        }
        Ok(())
    }

    fn tell(&mut self, name: &str, data: &str) {
        self.ready.push_back(frame(self.position, name, data));
    }

    /// A piece at a time: what is behind it comes with the next look.
    async fn tell_matches(&mut self) -> Result<()> {
        let after = self.position.matches;
        let list = move |tx: &mut Tx| events::list_announcements(tx, after, PIECE);
        for row in self.desk.db.lookup(list).await? {
            self.position.matches = row.id;
            let data: &RawValue = serde_json::from_str(&row.data).map_err(Error::internal)?;
            let data = json!({"kind": row.kind.name(), "event_id": row.event_id, "data": data});
            self.tell("match", &data.to_string());
        }
        Ok(())
    }

    async fn tell_audit(&mut self) -> Result<()> {
        let after = self.position.audit;
        let list = move |tx: &mut Tx| {
            operators::list_audit_after(tx, &AuditFilter::default(), after, PIECE)
        };
        for row in self.desk.db.lookup(list).await? {
            self.position.audit = row.id;
            let data = json!({
                "id": row.id, "operator": row.operator, "action": row.action, "subject": row.subject,
                "created_at": row.created_at,
            });
            self.tell("audit", &data.to_string());
        }
        Ok(())
    }
}

fn frame(at: Position, name: &str, data: &str) -> Bytes {
    format!("id: {at}\nevent: {name}\ndata: {data}\n\n").into()
}

/// Where a listener begins, and whether it missed too much to be told of it.
fn resume(newest: Position, oldest: Option<i64>, after: Option<Position>) -> (Position, bool) {
    let Some(after) = after else { return (newest, false) };
    let is_gone = match oldest {
        Some(oldest) => after.matches < oldest.saturating_sub(1),
        None => after.matches < newest.matches,
    };
    let missed = (newest.matches - after.matches).max(newest.audit - after.audit);
    if is_gone || missed > MOST_MISSED {
        return (newest, true);
    }
    // An id from before a database was put back is ahead of what there is.
    let at = Position {
        matches: after.matches.min(newest.matches),
        audit: after.audit.min(newest.audit),
    };
    (at, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(matches: i64, audit: i64) -> Position {
        Position { matches, audit }
    }

    #[test]
    fn a_position_is_read_as_it_was_written_and_nothing_else_is_one() {
        assert_eq!(Position::parse(&at(12, 7).to_string()), Some(at(12, 7)));
        for wrong in ["", "12", "12.", ".7", "12.7.1", "-1.2", "+1.2", "a.b"] {
            assert_eq!(Position::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn whoever_missed_too_much_begins_anew() {
        let newest = at(5_000, 300);
        assert_eq!(resume(newest, Some(10), None), (newest, false));
        assert_eq!(resume(newest, Some(10), Some(at(4_990, 299))), (at(4_990, 299), false));
        assert_eq!(resume(newest, Some(4_995), Some(at(4_990, 299))), (newest, true));
        assert_eq!(resume(newest, Some(10), Some(at(100, 299))), (newest, true));
        assert_eq!(resume(newest, Some(10), Some(at(9_999, 999))), (newest, false));
        assert_eq!(resume(newest, None, Some(at(4_999, 300))), (newest, true));
    }
}
