//! What moderators see and do in a room, through the eyes and hands of one of its members.

use ruma::api::client::context::get_context;
use ruma::api::client::membership::{ban_user, kick_user, unban_user};
use ruma::api::client::redact::redact_event;
use ruma::{EventId, RoomId, TransactionId, UserId};

use super::call::By;
use super::event::{self, PushedEvent};
use super::{Matrix, Result, unless};

/// A message, and what was said before and after it, oldest first.
#[derive(Debug)]
pub struct Surroundings {
    pub before: Vec<PushedEvent>,
    pub event: PushedEvent,
    pub after: Vec<PushedEvent>,
}

impl Matrix {
    /// Nothing where this member sees no such message. `around` counts both sides.
    pub async fn find_surroundings(
        &self,
        by: &UserId,
        room: &RoomId,
        event: &EventId,
        around: u32,
    ) -> Result<Option<Surroundings>> {
        let mut request = get_context::v3::Request::new(room.to_owned(), event.to_owned());
        request.limit = around.into();
        let answer = unless(&[403, 404], self.0.caller.send(By::User(by), request).await)?;
        let Some(answer) = answer else { return Ok(None) };
        let read = |raw: &ruma::serde::Raw<_>| event::read(raw.json());
        let Some(event) = answer.event.as_ref().and_then(read) else { return Ok(None) };
        let mut before: Vec<_> = answer.events_before.iter().filter_map(read).collect();
        before.reverse();
        let after = answer.events_after.iter().filter_map(read).collect();
        Ok(Some(Surroundings { before, event, after }))
    }

    /// Takes a message away; done once, however often it is asked for under the same transaction id.
    pub async fn redact(
        &self,
        by: &UserId,
        room: &RoomId,
        event: &EventId,
        transaction: &str,
        reason: &str,
    ) -> Result<()> {
        let transaction = <&TransactionId>::from(transaction).to_owned();
        let mut request =
            redact_event::v3::Request::new(room.to_owned(), event.to_owned(), transaction);
        request.reason = Some(reason.to_owned());
        self.0.caller.send(By::User(by), request).await.map(drop)
    }

    /// Takes somebody out of a room, who may come back; not being in it is no error.
    pub async fn kick(&self, by: &UserId, room: &RoomId, whom: &UserId, why: &str) -> Result<()> {
        let mut request = kick_user::v3::Request::new(room.to_owned(), whom.to_owned());
        request.reason = Some(why.to_owned());
        unless(&[403, 404], self.0.caller.send(By::User(by), request).await).map(drop)
    }

    /// Takes somebody out of a room for good.
    pub async fn ban(&self, by: &UserId, room: &RoomId, whom: &UserId, why: &str) -> Result<()> {
        let mut request = ban_user::v3::Request::new(room.to_owned(), whom.to_owned());
        request.reason = Some(why.to_owned());
        self.0.caller.send(By::User(by), request).await.map(drop)
    }

    /// Lets somebody back whom [`Matrix::ban`] took out; not being banned is no error.
    pub async fn unban(&self, by: &UserId, room: &RoomId, whom: &UserId) -> Result<()> {
        let request = unban_user::v3::Request::new(room.to_owned(), whom.to_owned());
        unless(&[403, 404], self.0.caller.send(By::User(by), request).await).map(drop)
    }
}
