//! What operators tell everybody, those who follow a team, or a league.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use crate::features::leagues::{self, LeagueId};
use crate::features::operators::{self, Operator};
use crate::features::teams::{self, TeamId};
use crate::features::users::UserId;
use crate::platform::clock::{HOUR_MS, Timestamp};
use crate::platform::core::Core;
use crate::platform::db::{Tx, column, text_column};
use crate::platform::error::{Error, Result};
use crate::platform::http::page::Page;
use crate::platform::idempotency::{self, Once};
use crate::platform::jobs::{self, Job, Lane, Next, Stop};
use crate::{shown_text, text_input};

use super::broadcast_store::{self as store, BroadcastRow};
use super::plan::{STRETCH, in_stretches};
use super::plan_store::{self, ForFollowers, Occasion, Users};
use super::send::SendShard;
use super::texts::Words;

/// A night and a morning: whoever is left alone meanwhile still hears of it.
const LIVES_MS: i64 = 24 * HOUR_MS;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(value_type = i64, minimum = 1, example = 2)]
pub struct BroadcastId(pub i64);

column!(BroadcastId as i64);

/// 1 to 60 characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 60, example = "The cup begins")]
pub struct BroadcastTitle(String);

/// 1 to 300 characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 300, example = "Answer the special tips until Friday.")]
pub struct BroadcastBody(String);

text_column!(BroadcastTitle);
text_column!(BroadcastBody);
text_input!(BroadcastTitle, BroadcastBody);
shown_text! {
    BroadcastTitle: 1..=60, "Must have 1 to 60 characters.";
    BroadcastBody: 1..=300, "Must have 1 to 300 characters.";
}

/// Who is to hear of it: everybody, unless a team or a league is named.
#[derive(Debug, Clone, Copy)]
pub struct Audience {
    pub team: Option<TeamId>,
    pub league: Option<LeagueId>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BroadcastView {
    id: BroadcastId,
    title: BroadcastTitle,
    body: BroadcastBody,
    team_id: Option<TeamId>,
    league_id: Option<LeagueId>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When everybody was found who is to be told; null while they are looked for.
    #[schema(value_type = Option<String>, format = DateTime)]
    planned_at: Option<Timestamp>,
    /// How many that is so far.
    #[schema(example = 2304)]
    recipients: i64,
}

impl From<BroadcastRow> for BroadcastView {
    fn from(row: BroadcastRow) -> Self {
        let BroadcastRow {
            id,
            title,
            body,
            team_id,
            league_id,
            created_at,
            planned_at,
            recipients,
        } = row;
        Self { id, title, body, team_id, league_id, created_at, planned_at, recipients }
    }
}

/// Whether there is such an audience.
fn check(tx: &mut Tx, audience: Audience) -> Result<()> {
    match audience {
        Audience { team: Some(_), league: Some(_) } => {
            Err(Error::invalid("league_id", text!("Name a team or a league, not both.")))
        }
        Audience { team: Some(team), .. } if teams::find(tx, team)?.is_none() => {
            Err(Error::invalid("team_id", text!("There is no such team.")))
        }
        Audience { league: Some(league), .. } if leagues::find(tx, league)?.is_none() => {
            Err(Error::invalid("league_id", text!("There is no such league.")))
        }
        _ => Ok(()),
    }
}

/// Tells them, by a job; the same request twice tells them once. Answers also whether it came before.
pub fn tell(
    tx: &mut Tx,
    operator: &Operator,
    title: &BroadcastTitle,
    body: &BroadcastBody,
    audience: Audience,
    once: &Once,
) -> Result<(BroadcastView, bool)> {
    check(tx, audience)?;
    let oldest = idempotency::oldest_kept(tx);
    store::free_key(tx, once, oldest)?;
    let Some(id) = store::insert(tx, title, body, audience, once)? else {
        let (id, request_hash) = store::get_requested(tx, once)?;
        if request_hash != once.request_hash() {
            return Err(idempotency::key_reused());
        }
        return Ok((store::get(tx, id)?.into(), true));
    };
    jobs::ask(tx, &PlanBroadcast { broadcast: id })?;
    let detail = json!({"title": title, "team_id": audience.team, "league_id": audience.league});
    operators::audit(tx, operator, "push.message", &format!("push message {}", id.0), &detail)?;
    Ok((store::get(tx, id)?.into(), false))
}

pub fn list(tx: &mut Tx, page: Page) -> Result<(Vec<BroadcastView>, i64)> {
    let (rows, total) = store::list(tx, page.per_page, page.offset())?;
    Ok((rows.into_iter().map(BroadcastView::from).collect(), total))
}

/// What these say.
pub fn list_words(tx: &mut Tx, ids: &[i64]) -> Result<BTreeMap<i64, Words>> {
    let rows = store::list_by_ids(tx, ids)?;
    let words = |row: BroadcastRow| (row.id.0, Words { title: row.title.0, body: row.body.0 });
    Ok(rows.into_iter().map(words).collect())
}

/// Finds everybody who is to be told.
#[derive(Debug, Serialize, Deserialize)]
pub struct PlanBroadcast {
    broadcast: BroadcastId,
}

impl Job for PlanBroadcast {
    const KIND: &'static str = "push_plan_message";
    const LANE: Lane = Lane::Push;
    type State = Core;

    fn key(&self) -> Option<String> {
        Some(self.broadcast.0.to_string())
    }

    async fn run(self, core: Core, stop: Stop) -> Result<Next> {
        let step = move |tx: &mut Tx, last| plan_stretch(tx, self.broadcast, last);
        in_stretches(&core, &stop, UserId(0), step).await
    }
}

/// Answers the last user who was looked at, or nothing at the end.
fn plan_stretch(tx: &mut Tx, id: BroadcastId, after: UserId) -> Result<Option<UserId>> {
    let row = store::get(tx, id)?;
    let next = match (row.team_id, row.league_id) {
        (Some(team), _) => plan_store::end_of_followers(tx, team, after, STRETCH)?,
        (None, Some(league)) => plan_store::end_of_members(tx, league, after, STRETCH)?,
        (None, None) => plan_store::end_of_all(tx, after, STRETCH)?,
    };
    let Some(end) = next else {
        store::update_planned(tx, id)?;
        return Ok(None);
    };
    let name = format!("message:{}", id.0);
    let occasion = Occasion {
        subject: id.0,
        name: &name,
        due_at: row.created_at,
        expires_at: row.created_at.plus_ms(LIVES_MS),
    };
    let users = Users { after, end };
    let planned = match (row.team_id, row.league_id) {
        (Some(team), _) => {
            let what = ForFollowers::Message;
            plan_store::insert_for_followers(tx, what, occasion, team, users)?
        }
        (None, Some(league)) => plan_store::insert_to_members(tx, occasion, league, users)?,
        (None, None) => plan_store::insert_to_all(tx, occasion, users)?,
    };
    if planned > 0 {
        store::add_recipients(tx, id, planned)?;
        SendShard::ask_all(tx)?;
    }
    Ok(Some(end))
}
