//! What was reported, with what was said around it: read from the homeserver for the moderator who looks, and kept nowhere.

use std::collections::BTreeMap;

use ruma::{EventId as MessageName, OwnedUserId, RoomId as MatrixRoomId};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::adapters::matrix::{PushedEvent, Surroundings};
use crate::features::chat::moderation_store::{self, ReportView};
use crate::features::chat::{Chat, account_store, accounts, member_store};
use crate::features::users::{self, Hold, UserId};
use crate::platform::clock::Timestamp;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::jobs::{Next, Stop, job};

use super::store;

/// How many messages are read around one, both sides together.
const AROUND: u32 = 20;
/// Members through whose eyes a room is looked at, besides the reporter and the bot.
const VIEWERS: i64 = 3;
/// Longer messages are cut.
const LONGEST_TEXT: usize = 4000;

/// A message as moderators see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct MessageView {
    #[schema(example = "$Rqnc-F-dvnEYJTyHq_iKxU2bZ1CI92-kuZq3a5lr5Zg")]
    message_id: String,
    /// Who wrote it, by their name on the network.
    #[schema(example = "@ben:localhost")]
    sender: String,
    /// Null for people of other servers, and for accounts that were given up.
    user_id: Option<UserId>,
    #[schema(example = "ben")]
    username: Option<String>,
    /// Null where nobody but members reads it, and for what is taken away.
    #[schema(example = "What a save!")]
    text: Option<String>,
    is_encrypted: bool,
    /// Somebody took it away.
    is_redacted: bool,
    #[schema(value_type = String, format = DateTime)]
    sent_at: Timestamp,
}

impl MessageView {
    fn of(event: &PushedEvent, names: &BTreeMap<String, (UserId, String)>) -> Self {
        let is_encrypted = event.kind == "m.room.encrypted";
        let body = event.content.get("body").and_then(Value::as_str);
        let user = names.get(&event.sender);
        Self {
            message_id: event.event_id.clone(),
            sender: event.sender.clone(),
            user_id: user.map(|(id, _)| *id),
            username: user.map(|(_, name)| name.clone()),
            text: body.map(|body| body.chars().take(LONGEST_TEXT).collect()),
            is_encrypted,
            // What is taken away has nothing left but that it was there.
            is_redacted: event.content.as_object().is_some_and(serde_json::Map::is_empty),
            sent_at: event.happened_at(),
        }
    }
}

/// Whether it is something that people say.
fn is_message(event: &PushedEvent) -> bool {
    !event.is_state() && matches!(event.kind.as_str(), "m.room.message" | "m.room.encrypted")
}

/// A report with what it is about.
#[derive(Debug, Serialize, ToSchema)]
pub struct WholeReport {
    #[serde(flatten)]
    report: ReportView,
    /// What was reported; null if no message was, or if it can no longer be read.
    message: Option<MessageView>,
    /// What was said before it, oldest first; at most ten.
    before: Vec<MessageView>,
    /// What was said after it, oldest first; at most ten.
    after: Vec<MessageView>,
}

pub async fn read(chat: &Chat, id: i64) -> Result<WholeReport> {
    let find = move |tx: &mut Tx| moderation_store::find_report(tx, id);
    let report = chat.db.read(find).await?.ok_or(not_found!("report"))?;
    let Some(found) = find_surroundings(chat, &report, AROUND).await? else {
        let (before, after) = (Vec::new(), Vec::new());
        return Ok(WholeReport { report, message: None, before, after });
    };
    let Surroundings { before, event, after } = found;
    let senders: Vec<String> =
        before.iter().chain([&event]).chain(&after).map(|event| event.sender.clone()).collect();
    let named = move |tx: &mut Tx| {
        let senders: Vec<&str> = senders.iter().map(String::as_str).collect();
        store::list_users(tx, &senders)
    };
    let names = chat.db.read(named).await?;
    let names = names.into_iter().map(|(name, id, username)| (name, (id, username))).collect();
    let views = |events: Vec<PushedEvent>| {
        events
            .iter()
            .filter(|event| is_message(event))
            .map(|event| MessageView::of(event, &names))
            .collect()
    };
    Ok(WholeReport {
        report,
        message: Some(MessageView::of(&event, &names)),
        before: views(before),
        after: views(after),
    })
}

job! {
    /// Finds out who wrote the message that was reported, so that the report counts as one about them.
    pub struct FindAuthor { pub report: i64 }
    kind: "chat_find_author", lane: Chat, key: report, run: find_author(Chat)
}

async fn find_author(job: FindAuthor, chat: Chat, _: Stop) -> Result<Next> {
    let id = job.report;
    let Some(report) = chat.db.read(move |tx| moderation_store::find_report(tx, id)).await? else {
        return Ok(Next::Done);
    };
    if let Some(found) = find_surroundings(&chat, &report, 0).await? {
        let note = move |tx: &mut Tx| {
            let author = store::list_users(tx, &[&found.event.sender])?.pop();
            // Held: somebody who leaves in this moment is in no report any more.
            let held = match author {
                Some((_, user, _)) => users::hold(tx, &[user], Hold::Share)?.pop(),
                None => None,
            };
            match held {
                Some(user) => moderation_store::update_reported(tx, id, user.id).map(drop),
                None => Ok(()),
            }
        };
        chat.db.write(note).await?;
    }
    Ok(Next::Done)
}

/// Through the eyes of whoever reported it, who has seen it; otherwise of other members, or of the bot.
async fn find_surroundings(
    chat: &Chat,
    report: &ReportView,
    around: u32,
) -> Result<Option<Surroundings>> {
    let (Some(room_id), Some(message)) = (report.room_id.clone(), report.message_id.as_deref())
    else {
        return Ok(None);
    };
    let (Ok(room), Ok(message)) = (MatrixRoomId::parse(&room_id), MessageName::parse(message))
    else {
        return Ok(None);
    };
    let reporter = report.reporter_id;
    let list = move |tx: &mut Tx| {
        let own = account_store::find_current(tx, reporter)?.map(|account| account.matrix_id);
        let others = member_store::list_viewers(tx, &room_id, VIEWERS)?;
        Ok(own.into_iter().chain(others).collect::<Vec<String>>())
    };
    let mut viewers: Vec<OwnedUserId> = Vec::new();
    for viewer in chat.db.read(list).await? {
        viewers.push(accounts::parse(&viewer)?);
    }
    viewers.push(chat.matrix.bot().to_owned());
    for viewer in viewers {
        if let Some(found) = chat.matrix.find_surroundings(&viewer, &room, &message, around).await?
        {
            return Ok(Some(found));
        }
    }
    Ok(None)
}
