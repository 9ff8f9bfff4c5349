//! Rooms as users make them. The homeserver is asked first; what it did is then written down here at once.

use std::time::Duration;

use http::StatusCode;
use ruma::UserId as MatrixId;
use serde::Serialize;
use utoipa::ToSchema;

use crate::adapters::matrix::{self, Entry, PURPOSE};
use crate::features::chat::Chat;
use crate::features::events::{self, EventId};
use crate::features::sessions::{self, User};
use crate::features::users::UserId;
use crate::input;
use crate::platform::clock::{MINUTE_MS, SECOND_MS};
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::http::views::WithMessage;
use crate::platform::idempotency::{self, Answer, Once};
use crate::platform::limits::{self, Limit, Who};
use crate::platform::verdict::Verdict;

use super::account_store::AccountRow;
use super::listing_store::{self, ListedRoomView};
use super::member_store::{self, Membership};
use super::membership::Turned;
use super::purpose::Purpose;
use super::store::{self, Claim, NewRoomRow, RequestRow, Room};
use super::values::{RoomId, RoomName, Topic};
use super::{accounts, membership, room_for_reading};

pub const PUBLIC: &str = "public";
pub const INVITE: &str = "invite";
const LIMIT: Limit = Limit { code: "too_many_rooms", most: 20, window_ms: 10 * MINUTE_MS };
/// How long a room is waited for that another request is making under the same key.
const TWIN_POLLS: u32 = 60;
const TWIN_PAUSE: Duration = Duration::from_millis(50);
/// After a crash this long has to pass before the same request may make a room: by then the network has made the first or never will.
const REQUEST_LEASE_MS: i64 = 30 * SECOND_MS;

input! {
    // What somebody wants of a new room.
    #[derive(Debug, ToSchema)]
    #[schema(as = ChatRoomBody)]
    pub struct Wish {
        name: RoomName,
        topic: Option<Topic>,
        /// The match that the room is about.
        event_id: Option<EventId>,
        /// A private room is encrypted and joined by invitation; false when absent.
        is_private: Option<bool>,
    }
}

/// Makes a room; the same request twice makes one.
pub async fn create(chat: &Chat, user: User, wish: Wish, once: Once) -> Result<Answer> {
    let request = once.key().map(|key| Request {
        key: chat.keys.pseudonym("chat room request", key),
        hash: once.request_hash().to_vec(),
    });
    let (check, event_id) = (once.clone(), wish.event_id);
    let kept = move |tx: &mut Tx| {
        if let Some(answer) = idempotency::find(tx, user.id, &check)? {
            return Ok(Some(answer));
        }
        match event_id {
            Some(event) => events::get(tx, event).map(|_| None),
            None => Ok(None),
        }
    };
    if let Some(answer) = chat.db.read(kept).await? {
        return Ok(answer);
    }
    let (who, shared) = (Who::user(&chat.keys, user.id), chat.clone());
    let begin = move |tx: &mut Tx| {
        let row = sessions::confirm(tx, user)?;
        limits::hit(tx, LIMIT, &who)?;
        accounts::find_or_want(tx, &shared, &row)
    };
    let account = chat.db.write(begin).await?;
    let row = make(chat, &account, user.id, wish, request).await?;
    let shared = chat.clone();
    let keep = move |tx: &mut Tx| {
        // Whoever was shut out meanwhile is taken out of the room again.
        if let Err(refusal) = sessions::confirm(tx, user) {
            accounts::want(tx, &account.matrix_id)?;
            return Ok(Verdict::Refused(refusal));
        }
        let answer = idempotency::once(tx, user.id, &once, |tx| {
            note(tx, &shared, &row, &account.matrix_id)?;
            let told = WithMessage { message: text!("The room is created."), data: row.clone() };
            Ok((StatusCode::CREATED, told))
        });
        answer.map(Verdict::Accepted)
    };
    let answer = chat.db.write(keep).await?.into_result()?;
    metrics::counter!("touchline_chat_rooms_created_total").increment(1);
    Ok(answer)
}

/// Writes down a room that was just made, with its creator in it, unless the network has told of it already: of its name last.
fn note(tx: &mut Tx, chat: &Chat, room: &NewRoomRow, creator: &str) -> Result<()> {
    let is_told = store::find_name(tx, &room.room_id)?.is_some_and(|name| !name.is_empty());
    if is_told {
        return Ok(());
    }
    store::upsert_room(tx, room)?;
    let joined = Turned::own(&room.room_id, creator, Some(Membership::Join), tx.now());
    membership::set(tx, chat, joined)
}

/// A request that may be repeated: its key, under a name that tells nothing, and what it asked for.
#[derive(Debug, Clone)]
struct Request {
    key: String,
    hash: Vec<u8>,
}

async fn make(
    chat: &Chat,
    account: &AccountRow,
    user: UserId,
    wish: Wish,
    request: Option<Request>,
) -> Result<NewRoomRow> {
    let name = wish.name.as_str().to_owned();
    let topic = wish.topic.unwrap_or_default().as_str().to_owned();
    let is_private = wish.is_private.unwrap_or(false);
    let creator = accounts::ensure(chat, account).await?;
    let key = request.as_ref().map(|request| request.key.clone());
    let made = match request {
        Some(request) => claim(chat, user, &creator, request).await?,
        None => None,
    };
    let room_id = match made {
        Some(room_id) => room_id,
        None => {
            let purpose = Purpose {
                event_id: wish.event_id,
                is_event_room: false,
                creator_id: Some(user),
                request: key.clone(),
            };
            let new = matrix::NewRoom {
                name: name.clone(),
                topic: topic.clone(),
                entry: if is_private { Entry::Invited } else { Entry::Anybody },
                alias: None,
                purpose: purpose.to_content(&chat.keys, creator.as_str()),
            };
            match chat.matrix.create_room(&creator, &new).await {
                Ok(room_id) => room_id.to_string(),
                Err(error) => return Err(give_up(chat, user, key, error).await),
            }
        }
    };
    Ok(NewRoomRow {
        room_id,
        name,
        topic,
        event_id: wish.event_id,
        is_event_room: false,
        creator_id: Some(user),
        is_encrypted: is_private,
        join_rule: if is_private { INVITE } else { PUBLIC },
    })
}

/// Takes up a request with a key, or waits for its twin; the room, if there is one already.
async fn claim(
    chat: &Chat,
    user: UserId,
    creator: &MatrixId,
    request: Request,
) -> Result<Option<String>> {
    for _ in 0..TWIN_POLLS {
        let wanted = request.clone();
        let take = move |tx: &mut Tx| {
            let until = tx.now().plus_ms(REQUEST_LEASE_MS);
            store::claim_request(tx, user, &wanted.key, &wanted.hash, until)
        };
        match chat.db.write(take).await? {
            (row, _) if row.request_hash != request.hash => return Err(idempotency::key_reused()),
            (RequestRow { room_id: Some(room), .. }, _) => return Ok(Some(room)),
            (_, Claim::First) => return Ok(None),
            (_, Claim::Again) => return find_made(chat, creator, &request.key).await,
            (_, Claim::Others) => tokio::time::sleep(TWIN_PAUSE).await,
        }
    }
    Err(matrix::unavailable())
}

/// The room that an earlier try made before it crashed, as the network has it: the push that tells of it may be late.
async fn find_made(chat: &Chat, creator: &MatrixId, key: &str) -> Result<Option<String>> {
    for room in chat.matrix.list_joined_rooms(creator).await?.unwrap_or_default() {
        let content = chat.matrix.find_state(creator, &room, PURPOSE).await?;
        let purpose =
            content.and_then(|content| Purpose::read(&content, creator.as_str(), &chat.keys));
        if purpose.is_some_and(|purpose| purpose.request.as_deref() == Some(key)) {
            return Ok(Some(room.to_string()));
        }
    }
    Ok(None)
}

/// A refusal has made no room, so the request may be tried again at once; an answer that did not come may have.
async fn give_up(chat: &Chat, user: UserId, key: Option<String>, error: matrix::Error) -> Error {
    if let (Some(key), matrix::Error::Refused { .. }) = (key, &error) {
        let released = chat.db.write(move |tx| store::release_request(tx, user, &key)).await;
        if let Err(error) = released {
            tracing::warn!(error = %error, "a request for a room could not be released");
        }
    }
    error.into()
}

/// A room and what the caller is to it.
pub fn get_seen_by(tx: &mut Tx, user: UserId, room: &RoomId) -> Result<(Room, Option<Membership>)> {
    let row = store::find_room(tx, room.as_str())?.ok_or(not_found!("room"))?;
    let membership = member_store::find_membership_of(tx, room.as_str(), user)?;
    Ok((row, membership))
}

/// One room, for somebody who looks at it.
#[derive(Debug, Serialize, ToSchema)]
pub struct ShownRoomView {
    #[serde(flatten)]
    room: ListedRoomView,
    /// Null for the room of a match, which the service makes.
    creator_id: Option<UserId>,
    /// `public`, or `invite` for a private room; rooms made with other apps may have another of the chat network's rules.
    #[schema(example = "public")]
    join_rule: String,
}

/// A room that the user may read.
pub fn show(tx: &mut Tx, user: UserId, room: &RoomId) -> Result<ShownRoomView> {
    let Room { room_id, creator_id, join_rule, .. } = room_for_reading(tx, user, room)?;
    let listed = listing_store::find_listed(tx, user, &room_id)?;
    let room = listed.ok_or(not_found!("room"))?;
    Ok(ShownRoomView { room, creator_id, join_rule })
}
