//! Who is to be told what: reminders as matches come near, and what is announced of matches. A plan is made a stretch of users at a time;
//! done twice it is the same, because an occasion is told once.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::features::events::{
    self, AnnouncementKind, AnnouncementRow, EventId, EventRow, Score, Status,
};
use crate::features::predictions;
use crate::features::users::UserId;
use crate::platform::clock::{HOUR_MS, MINUTE_MS, SECOND_MS, Timestamp};
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::jobs::{self, Job, Lane, Next, Stop, job};

use super::plan_store::{self as store, ForFollowers, Occasion, Users};
use super::send::SendShard;
use super::values::Lead;

/// Users looked at in one transaction: short enough that nobody notices the wait.
pub const STRETCH: i64 = 500;
/// Announcements taken in one transaction.
const PIECE: i64 = 200;
const MATCHES_AT_ONCE: i64 = 100;
/// What happens within this is told in one message.
pub const GATHER_MS: i64 = MINUTE_MS;
/// How the occasion of a goal is named: the event and how it stood then follow.
const GOAL: &str = "goal:";
const KICK_OFF_LIVES_MS: i64 = 15 * MINUTE_MS;
const GOAL_LIVES_MS: i64 = 15 * MINUTE_MS;
const RESULT_LIVES_MS: i64 = 24 * HOUR_MS;

/// Does one stretch after the other, each in a transaction of its own, until there is none after the last. When the node stops, the whole is
/// done again elsewhere: what is planned stays planned.
pub async fn in_stretches<T, F>(core: &Core, stop: &Stop, first: T, step: F) -> Result<Next>
where
    T: Copy + Send + 'static,
    F: Fn(&mut Tx, T) -> Result<Option<T>> + Clone + Send + 'static,
{
    let mut after = Some(first);
    while let Some(last) = after {
        if stop.is_cancelled() {
            return Ok(Next::At(core.clock.now()));
        }
        let step = step.clone();
        after = core.db.write(move |tx| step(tx, last)).await?;
    }
    Ok(Next::Done)
}

job! {
    /// Finds matches that come near.
    pub struct FindReminders;
    kind: "push_find_reminders", lane: Push, every: 10 * SECOND_MS, run: find_reminders(Core)
}

async fn find_reminders(_: FindReminders, core: Core, stop: Stop) -> Result<Next> {
    if !core.db.lookup(store::is_anybody_there).await? {
        return Ok(Next::Done);
    }
    for lead in Lead::all() {
        while !stop.is_cancelled() {
            let look = move |tx: &mut Tx| store::list_unplanned(tx, lead, MATCHES_AT_ONCE);
            let near = core.db.read(look).await?;
            if near.is_empty() {
                break;
            }
            core.db.write(move |tx| ask_for_reminders(tx, lead, &near)).await?;
        }
    }
    Ok(Next::Done)
}

fn ask_for_reminders(tx: &mut Tx, lead: Lead, near: &[(EventId, Timestamp)]) -> Result<()> {
    for (event, start_time) in near {
        store::insert_planned(tx, *event, *start_time, lead)?;
        jobs::ask(tx, &PlanReminders { event: *event, start_time: *start_time, lead })?;
    }
    Ok(())
}

/// Plans the reminders of one match for all who want them so long before.
#[derive(Debug, Serialize, Deserialize)]
pub struct PlanReminders {
    event: EventId,
    start_time: Timestamp,
    lead: Lead,
}

impl Job for PlanReminders {
    const KIND: &'static str = "push_plan_reminders";
    const LANE: Lane = Lane::Push;
    type State = Core;

    fn key(&self) -> Option<String> {
        Some(format!("{}:{}:{}", self.event.0, self.start_time.as_millis(), self.lead.minutes()))
    }

    async fn run(self, core: Core, stop: Stop) -> Result<Next> {
        let Self { event, start_time, lead } = self;
        let step = move |tx: &mut Tx, last| plan_reminders(tx, event, start_time, lead, last);
        in_stretches(&core, &stop, UserId(0), step).await
    }
}

/// Answers the last user who was looked at, or nothing at the end.
fn plan_reminders(
    tx: &mut Tx,
    event: EventId,
    start_time: Timestamp,
    lead: Lead,
    after: UserId,
) -> Result<Option<UserId>> {
    let Some(row) = events::find(tx, event)? else { return Ok(None) };
    if !is_to_come(&row, start_time, tx.now()) {
        return Ok(None);
    }
    let Some(end) = store::end_of_reminded(tx, lead, after, STRETCH)? else { return Ok(None) };
    let name = format!("reminder:{}:{}", event.0, start_time.as_millis());
    let occasion = Occasion {
        subject: event.0,
        name: &name,
        due_at: start_time.plus_ms(-lead.minutes() * MINUTE_MS),
        expires_at: start_time,
    };
    if store::insert_reminders(tx, occasion, &row, lead, Users { after, end })? > 0 {
        SendShard::ask_all(tx)?;
    }
    Ok(Some(end))
}

/// Whether a match still begins when it was to.
pub fn is_to_come(event: &EventRow, start_time: Timestamp, now: Timestamp) -> bool {
    event.takes_predictions(now) && event.start_time == start_time
}

/// Whether a match stands as it did after a goal, or higher.
pub fn stands_at_least(event: &EventRow, occasion: &str) -> bool {
    let score = occasion.strip_prefix(GOAL).and_then(|rest| rest.split_once(':'));
    let sides = score.and_then(|(_, score)| score.split_once('-'));
    let Some((Ok(home), Ok(away))) = sides.map(|(home, away)| (home.parse(), away.parse())) else {
        return false;
    };
    let has = |now: Option<Score>, then: i64| now.is_some_and(|now| now.get() >= then);
    has(event.home_score, home) && has(event.away_score, away)
}

job! {
    /// Takes up what was announced since.
    pub struct FollowMatches;
    kind: "push_follow_matches", lane: Push, every: SECOND_MS, run: follow_matches(Core)
}

async fn follow_matches(_: FollowMatches, core: Core, stop: Stop) -> Result<Next> {
    // Most seconds bring nothing new; finding that out costs no write.
    let has_news = |tx: &mut Tx| {
        Ok(store::is_anybody_there(tx)? && store::find_cursor(tx)? < events::kept_ids(tx)?.0)
    };
    while !stop.is_cancelled() && core.db.lookup(has_news).await? {
        core.db.write(follow_piece).await?;
    }
    Ok(Next::Done)
}

fn follow_piece(tx: &mut Tx) -> Result<()> {
    let cursor = store::hold_cursor(tx)?;
    let rows = events::list_announcements(tx, cursor, PIECE)?;
    for row in &rows {
        if let Some(plan) = PlanNews::of(row, tx.now()) {
            jobs::ask(tx, &plan)?;
        }
    }
    let newest = match rows.last() {
        Some(row) => row.id,
        None => events::kept_ids(tx)?.0,
    };
    store::update_cursor(tx, newest).map(drop)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum News {
    KickOff,
    Goal,
    Result,
}

/// Plans who is told of a piece of news about a match.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PlanNews {
    news: News,
    event: EventId,
    occasion: String,
    at: Timestamp,
}

impl PlanNews {
    /// What there is to tell about an announcement, if there is anything.
    fn of(row: &AnnouncementRow, now: Timestamp) -> Option<Self> {
        let data: Value = serde_json::from_str(&row.data).ok()?;
        let score = || Some((data.get("home_score")?.as_i64()?, data.get("away_score")?.as_i64()?));
        let event = row.event_id.0;
        let (news, occasion) = match row.kind {
            AnnouncementKind::Status if data.get("status")? == "live" => {
                (News::KickOff, format!("kick_off:{event}"))
            }
            // A match that kicks off is told with 0:0.
            AnnouncementKind::Score if score()? != (0, 0) => {
                let (home, away) = score()?;
                (News::Goal, format!("{GOAL}{event}:{home}-{away}"))
            }
            AnnouncementKind::Settlement if data.get("settlement")? == "provisional" => {
                let (home, away) = score()?;
                (News::Result, format!("result:{event}:{home}-{away}"))
            }
            _ => return None,
        };
        Some(Self { news, event: row.event_id, occasion, at: now })
    }

    fn occasion(&self) -> Occasion<'_> {
        let lives_ms = match self.news {
            News::KickOff => KICK_OFF_LIVES_MS,
            News::Goal => GOAL_LIVES_MS,
            News::Result => RESULT_LIVES_MS,
        };
        Occasion {
            subject: self.event.0,
            name: &self.occasion,
            due_at: self.at.plus_ms(GATHER_MS),
            expires_at: self.at.plus_ms(lives_ms),
        }
    }

    /// One stretch of those who made predictions. Answers the last, or nothing at the end.
    fn plan_results(&self, tx: &mut Tx, after: i64) -> Result<Option<i64>> {
        let next = predictions::next_stretch(tx, self.event, after, STRETCH)?;
        let Some(stretch) = next else { return Ok(None) };
        if store::insert_results(tx, self.occasion(), stretch)? > 0 {
            SendShard::ask_all(tx)?;
        }
        Ok(Some(stretch.end))
    }

    /// One stretch of those who follow one of the two teams.
    fn plan_followers(&self, tx: &mut Tx, side: Side, after: UserId) -> Result<Option<UserId>> {
        let Some(row) = events::find(tx, self.event)? else { return Ok(None) };
        if row.is_void() || (self.news == News::KickOff && row.status != Status::Live) {
            return Ok(None);
        }
        let team = if side == Side::Home { row.home_team_id } else { row.away_team_id };
        let end = store::end_of_followers(tx, team, after, STRETCH)?;
        let Some(end) = end else { return Ok(None) };
        let (occasion, users) = (self.occasion(), Users { after, end });
        let what = match self.news {
            News::KickOff => ForFollowers::KickOff,
            _ => ForFollowers::Goal,
        };
        let planned = store::insert_for_followers(tx, what, occasion, team, users)?;
        if planned > 0 {
            SendShard::ask_all(tx)?;
        }
        Ok(Some(end))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Home,
    Away,
}

impl Job for PlanNews {
    const KIND: &'static str = "push_plan_news";
    const LANE: Lane = Lane::Push;
    type State = Core;

    fn key(&self) -> Option<String> {
        Some(self.occasion.clone())
    }

    async fn run(self, core: Core, stop: Stop) -> Result<Next> {
        if self.news == News::Result {
            let step = move |tx: &mut Tx, last| self.plan_results(tx, last);
            return in_stretches(&core, &stop, 0, step).await;
        }
        for side in [Side::Home, Side::Away] {
            let plan = self.clone();
            let step = move |tx: &mut Tx, last| plan.plan_followers(tx, side, last);
            let next = in_stretches(&core, &stop, UserId(0), step).await?;
            if next != Next::Done {
                return Ok(next);
            }
        }
        Ok(Next::Done)
    }
}
