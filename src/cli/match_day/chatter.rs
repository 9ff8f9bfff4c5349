//! Fans in the room of the day's first match: some of them talk there, others try to join while chat is away.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::fans::Fan;
use super::script::Turn;
use crate::cli::operator_client::OperatorClient;
use crate::platform::error::Result;

const MOST_TALKERS: usize = 8;
/// A match's room is made by a job.
const ROOM_WITHIN: Duration = Duration::from_secs(15);
const LOOKS_EVERY: Duration = Duration::from_millis(200);

#[derive(Debug, Default)]
pub struct Chatter {
    /// None where chat is not to be had.
    room: Option<Room>,
    /// The first fans.
    talkers: usize,
    lines: usize,
    /// How many of the last fans have had their turn at joining.
    joiners: usize,
    pub is_away: bool,
}

#[derive(Debug)]
struct Room {
    id: String,
    homeserver: String,
}

impl Chatter {
    /// Lets the first fans join the match's room.
    pub async fn gather(client: &OperatorClient, fans: &[Fan], event: i64) -> Result<Self> {
        let mut chatter = Self::default();
        let Some(first) = fans.first() else { return Ok(chatter) };
        let Some(room) = find_room(client, first, event).await? else { return Ok(chatter) };
        for fan in fans.iter().take(MOST_TALKERS.min(fans.len() / 2)) {
            if join(client, fan, &room.id).await? == 200 {
                chatter.talkers += 1;
            }
        }
        chatter.room = Some(room);
        Ok(chatter)
    }

    /// One of them says what there is to say about it. A line that does not get through is not said again.
    pub async fn say(&mut self, client: &OperatorClient, fans: &[Fan], turn: &Turn) {
        let (Some(room), Some(line)) = (&self.room, line(turn)) else { return };
        let speaker = self.lines.checked_rem(self.talkers).and_then(|at| fans.get(at));
        let Some((fan, token)) = speaker.and_then(|fan| Some((fan, fan.chat_token.as_deref()?)))
        else {
            return;
        };
        if self.is_away {
            return;
        }
        self.lines += 1;
        let (homeserver, id, transaction) = (&room.homeserver, &room.id, self.lines);
        let path = format!(
            "{homeserver}/_matrix/client/v3/rooms/{id}/send/m.room.message/{}-{transaction}",
            fan.number
        );
        let body = json!({"msgtype": "m.text", "body": line});
        let _ = client.ask(Method::PUT, &path, Some(token), Some(&body)).await;
    }

    /// What the next of the last fans is answered who wants to join; none if nobody is left, or there is no room.
    pub async fn try_to_join(&self, client: &OperatorClient, fans: &[Fan]) -> Result<Option<u16>> {
        let outside = fans.get(self.talkers..).unwrap_or_default();
        match (outside.iter().rev().nth(self.joiners), &self.room) {
            (Some(fan), Some(room)) => join(client, fan, &room.id).await.map(Some),
            _ => Ok(None),
        }
    }

    pub const fn next_joiner(&mut self) {
        self.joiners += 1;
    }
}

async fn join(client: &OperatorClient, fan: &Fan, room: &str) -> Result<u16> {
    let path = format!("/api/auth/chat-rooms/{room}/join");
    let answer = client.ask(Method::POST, &path, Some(&fan.token), Some(&json!({}))).await?;
    Ok(answer.status)
}

async fn find_room(client: &OperatorClient, fan: &Fan, event: i64) -> Result<Option<Room>> {
    let deadline = Instant::now() + ROOM_WITHIN;
    let path = format!("/api/auth/events/{event}");
    let id = loop {
        let answer = client.ask(Method::GET, &path, Some(&fan.token), None).await?;
        match answer.body.pointer("/data/chat_room_id").and_then(Value::as_str) {
            Some(id) => break id.to_owned(),
            None if Instant::now() >= deadline => return Ok(None),
            None => sleep(LOOKS_EVERY).await,
        }
    };
    let found = client.ask(Method::GET, "/.well-known/matrix/client", None, None).await?;
    let homeserver = found.body.pointer("/m.homeserver/base_url").and_then(Value::as_str);
    let homeserver = homeserver.unwrap_or_default().trim_end_matches('/').to_owned();
    Ok(Some(Room { id, homeserver }))
}

const fn line(turn: &Turn) -> Option<&'static str> {
    match turn {
        Turn::KickOff => Some("Here we go!"),
        Turn::Goal { .. } => Some("GOAL!"),
        Turn::GoalTakenBack { .. } => Some("They took it back?"),
        Turn::HalfTime {} => Some("Half time. I need a pie."),
        Turn::FullTime {} => Some("What a match."),
        Turn::Corrected { .. } => Some("Wait, the result was wrong?"),
        Turn::SecondHalf {}
        | Turn::Delayed { .. }
        | Turn::Postponed { .. }
        | Turn::Abandoned { .. } => None,
    }
}
