//! Chat: credentials, rooms and who is in them.

use axum::extract::{FromRef, FromRequestParts, State};
use axum::response::{IntoResponse, Response};
use http::request::Parts;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::adapters::matrix::Credentials;
use crate::features::chat::Chat;
use crate::features::events::EventId;
use crate::features::sessions::{Sessions, User};
use crate::features::users::{UserId, Username};
use crate::input;
use crate::platform::clock::MINUTE_MS;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::http::AppState;
use crate::platform::http::client_address::ClientAddress;
use crate::platform::http::input::{Params, Valid};
use crate::platform::http::list::{self, List};
use crate::platform::http::page::{AtLeastOne, Page, PageMeta};
use crate::platform::http::path::{PathId, PathText};
use crate::platform::http::views::{Data, Json, Listed, Message, WithMessage};
use crate::platform::idempotency::{Answer, ValidOnce};
use crate::platform::limits::{self, Limit, Who};

use super::listing;
use super::moderation::{self, NewReport};
use super::rooms::{self, ShownRoomView, Wish};
use super::values::RoomId;
use super::visits::{self, Deed, Guest};
use super::{ListedRoomView, NewRoomRow, RoomFilter};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Chat: FromRef<S>,
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(issue_matrix_credentials))
        .routes(routes!(create_chat_room))
        .routes(routes!(list_chat_rooms))
        .routes(routes!(show_chat_room))
        .routes(routes!(join_chat_room))
        .routes(routes!(leave_chat_room))
        .routes(routes!(invite_to_chat_room))
        .routes(routes!(report_chat))
        .routes(routes!(list_blocked_users))
        .routes(routes!(block_user, unblock_user))
}

const CREDENTIALS: Limit =
    Limit { code: "too_many_credentials", most: 10, window_ms: 10 * MINUTE_MS };
const JOINS: Limit = Limit { code: "too_many_joins", most: 30, window_ms: MINUTE_MS };
const LEAVES: Limit = Limit { code: "too_many_leaves", most: 30, window_ms: MINUTE_MS };
const INVITATIONS: Limit = Limit { code: "too_many_invitations", most: 30, window_ms: MINUTE_MS };

/// A path's room by its id on the chat network; anything else names none.
pub struct PathRoom(pub RoomId);

impl<S: Send + Sync> FromRequestParts<S> for PathRoom {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let PathText(text) = PathText::from_request_parts(parts, state).await?;
        RoomId::parse(&text).map(Self).ok_or(not_found!("room"))
    }
}

async fn limit(chat: &Chat, limit: Limit, user: User) -> Result<()> {
    let who = Who::user(&chat.keys, user.id);
    chat.db.write(move |tx| limits::hit(tx, limit, &who)).await
}

#[derive(Serialize, ToSchema)]
struct CredentialsView {
    matrix_credentials: Credentials,
}

/// Get chat credentials for this session.
///
/// For an app whose login was answered with `matrix_credentials: null`, or that lost its chat token. The session gets a new
/// device; the one it had ends.
#[utoipa::path(post, path = "/api/auth/matrix-credentials", tag = "Chat", security(("user" = [])),
    responses((status = 200, body = Data<CredentialsView>),
    (status = 429, description = "Asked too often", body = crate::platform::http::error_body::ErrorBody)),
    extensions(("x-codes" = json!(["429 too_many_credentials", "503 chat_unavailable"]))))]
async fn issue_matrix_credentials(
    State(chat): State<Chat>,
    user: User,
) -> Result<Json<Data<CredentialsView>>> {
    limit(&chat, CREDENTIALS, user).await?;
    let matrix_credentials = super::issue_credentials(&chat, user).await?;
    Ok(Data::json(CredentialsView { matrix_credentials }))
}

/// Create a chat room, of which I am the first member.
///
/// With an `Idempotency-Key` header the same request twice makes one room.
#[utoipa::path(post, path = "/api/auth/chat-room", tag = "Chat", security(("user" = [])),
    request_body = Wish,
    params(("Idempotency-Key" = Option<String>, Header, pattern = "^[ -~]{1,255}$", description = "Makes the request safe to repeat")),
    responses((status = 201, body = WithMessage<NewRoomRow>),
    (status = 404, description = "There is no such match", body = crate::platform::http::error_body::ErrorBody),
    (status = 429, description = "Too many rooms", body = crate::platform::http::error_body::ErrorBody)),
    extensions(("x-codes" = json!(["404 not_found", "429 too_many_rooms", "503 chat_unavailable"]))))]
async fn create_chat_room(
    State(chat): State<Chat>,
    user: User,
    ValidOnce(wish, once): ValidOnce<Wish>,
) -> Result<Answer> {
    rooms::create(&chat, user, wish, once).await
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct ChatRoomsQuery {
        /// Only rooms that I have joined; false narrows nothing.
        joined: Option<bool>,
        /// Only rooms about this match.
        #[param(value_type = Option<i64>, minimum = 1)]
        event_id: Option<EventId>,
        /// Only rooms whose name contains this, whatever its case.
        search: Option<String>,
        /// Page number, from 1; without it and `per_page` the list is whole.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Rooms on a page, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

/// List chat rooms, the liveliest first.
///
/// Public rooms, and private ones that I am in or invited to. The rooms of matches long over are left out unless I am in them or
/// ask for their match. A message moves its room up within a quarter of a second.
#[utoipa::path(get, path = "/api/auth/chat-rooms", tag = "Chat", security(("user" = [])),
    params(ChatRoomsQuery), responses((status = 200, body = Listed<ListedRoomView, PageMeta>)),
    extensions(("x-codes" = json!(["429 user_list_limit", "429 address_list_limit"]))))]
async fn list_chat_rooms(
    State(chat): State<Chat>,
    user: User,
    address: ClientAddress,
    Params(query): Params<ChatRoomsQuery>,
) -> Result<Response> {
    let page = Page::asked(query.page, query.per_page);
    let filter = RoomFilter {
        joined: query.joined.unwrap_or(false),
        event_id: query.event_id,
        search: query.search.filter(|search| !search.is_empty()),
    };
    if let Some(whole) = listing::from_memory(&chat, user.id, &filter, page).await? {
        return Ok(whole.into_response());
    }
    let list = move |tx: &mut Tx, list: &mut List<'_>| {
        if let Some(page) = page {
            list.set_meta(&page.meta(super::count_rooms(tx, user.id, &filter)?))?;
        }
        super::each_room(tx, user.id, &filter, list.page(page), |room| list.push(&room))?;
        // A whole list need not be counted apart: these are all of its rooms.
        if page.is_none() { list.set_meta(&Page::whole(list.rows())) } else { Ok(()) }
    };
    list::respond(&chat.db, address.reader(Some(user.id.0)), list).await
}

/// Show one chat room: any public one, or a private one that I am in or invited to.
#[utoipa::path(get, path = "/api/auth/chat-rooms/{room}", tag = "Chat", security(("user" = [])),
    params(("room" = String, Path, pattern = "^![^:]+:.+$", description = "The room's id on the chat network")),
    responses((status = 200, description = "The room", body = Data<ShownRoomView>),
    (status = 403, description = "The room is private", body = crate::platform::http::error_body::ErrorBody),
    (status = 404, description = "There is no such room", body = crate::platform::http::error_body::ErrorBody)),
    extensions(("x-codes" = json!(["403 not_a_member"]))))]
async fn show_chat_room(
    State(chat): State<Chat>,
    user: User,
    PathRoom(room): PathRoom,
) -> Result<Json<Data<ShownRoomView>>> {
    Ok(Data::json(chat.db.read(move |tx| rooms::show(tx, user.id, &room)).await?))
}

#[derive(Serialize, ToSchema)]
struct MembershipView {
    room_id: String,
    /// `join`, or `leave` after leaving.
    #[schema(example = "join")]
    membership: &'static str,
}

/// Join a chat room.
#[utoipa::path(post, path = "/api/auth/chat-rooms/{room}/join", tag = "Chat", security(("user" = [])),
    params(("room" = String, Path, pattern = "^![^:]+:.+$", description = "The room's id on the chat network")),
    responses((status = 200, body = WithMessage<MembershipView>),
    (status = 403, description = "The room is private", body = crate::platform::http::error_body::ErrorBody),
    (status = 409, description = "I am already a member", body = crate::platform::http::error_body::ErrorBody)),
    extensions(("x-codes" = json!(["403 not_allowed", "409 already_a_member", "429 too_many_joins", "503 chat_unavailable"]))))]
async fn join_chat_room(
    State(chat): State<Chat>,
    user: User,
    PathRoom(room): PathRoom,
) -> Result<Json<WithMessage<MembershipView>>> {
    limit(&chat, JOINS, user).await?;
    let room_id = room.as_str().to_owned();
    visits::carry_out(&chat, user, room, Deed::Join).await?;
    Ok(WithMessage::json(
        text!("You have joined the room."),
        MembershipView { room_id, membership: "join" },
    ))
}

/// Leave a chat room, or turn an invitation down.
#[utoipa::path(post, path = "/api/auth/chat-rooms/{room}/leave", tag = "Chat", security(("user" = [])),
    params(("room" = String, Path, pattern = "^![^:]+:.+$", description = "The room's id on the chat network")),
    responses((status = 200, body = WithMessage<MembershipView>),
    (status = 409, description = "I am no member", body = crate::platform::http::error_body::ErrorBody)),
    extensions(("x-codes" = json!(["409 not_a_member", "429 too_many_leaves", "503 chat_unavailable"]))))]
async fn leave_chat_room(
    State(chat): State<Chat>,
    user: User,
    PathRoom(room): PathRoom,
) -> Result<Json<WithMessage<MembershipView>>> {
    limit(&chat, LEAVES, user).await?;
    let room_id = room.as_str().to_owned();
    visits::carry_out(&chat, user, room, Deed::Leave).await?;
    Ok(WithMessage::json(
        text!("You have left the room."),
        MembershipView { room_id, membership: "leave" },
    ))
}

input! {
    #[derive(ToSchema)]
    struct InviteBody {
        /// Whom to invite: this, or `username`.
        user_id: Option<UserId>,
        username: Option<Username>,
    }
}

#[derive(Serialize, ToSchema)]
struct InvitedView {
    room_id: String,
    user_id: UserId,
    #[schema(example = "invite")]
    membership: &'static str,
}

/// Invite a user to a chat room that I am in.
#[utoipa::path(post, path = "/api/auth/chat-rooms/{room}/invite", tag = "Chat", security(("user" = [])),
    params(("room" = String, Path, pattern = "^![^:]+:.+$", description = "The room's id on the chat network")),
    request_body = InviteBody, responses((status = 200, body = WithMessage<InvitedView>),
    (status = 409, description = "They are already a member", body = crate::platform::http::error_body::ErrorBody)),
    extensions(("x-codes" = json!(["403 not_a_member", "403 not_allowed", "409 already_a_member", "429 too_many_invitations", "503 chat_unavailable"]))))]
async fn invite_to_chat_room(
    State(chat): State<Chat>,
    user: User,
    PathRoom(room): PathRoom,
    Valid(body): Valid<InviteBody>,
) -> Result<Json<WithMessage<InvitedView>>> {
    let guest = match (body.user_id, body.username) {
        (Some(id), _) => Guest::Id(id),
        (None, Some(name)) => Guest::Name(name),
        (None, None) => {
            return Err(Error::invalid(
                "user_id",
                text!("Either user_id or username is required."),
            ));
        }
    };
    limit(&chat, INVITATIONS, user).await?;
    let room_id = room.as_str().to_owned();
    let user_id = visits::carry_out(&chat, user, room, Deed::Invite(guest)).await?;
    let view = InvitedView { room_id, user_id, membership: "invite" };
    Ok(WithMessage::json(text!("The user is invited."), view))
}

#[derive(Serialize, ToSchema)]
struct ReportedView {
    id: i64,
}

/// Report a message or a user in a room to the operators.
#[utoipa::path(post, path = "/api/auth/chat-rooms/{room}/report", tag = "Chat", security(("user" = [])),
    params(("room" = String, Path, pattern = "^![^:]+:.+$", description = "The room's id on the chat network")),
    request_body = NewReport, responses((status = 201, body = WithMessage<ReportedView>),
    (status = 429, description = "Too many reports", body = crate::platform::http::error_body::ErrorBody)),
    extensions(("x-codes" = json!(["403 not_a_member", "429 too_many_reports"]))))]
async fn report_chat(
    State(chat): State<Chat>,
    user: User,
    PathRoom(room): PathRoom,
    Valid(report): Valid<NewReport>,
) -> Result<(http::StatusCode, Json<WithMessage<ReportedView>>)> {
    if report.message_id.is_none() && report.user_id.is_none() {
        return Err(Error::invalid(
            "message_id",
            text!("Either message_id or user_id is required."),
        ));
    }
    limit(&chat, moderation::REPORTS, user).await?;
    let id = chat.db.write(move |tx| moderation::report(tx, user, &room, &report)).await?;
    metrics::counter!("touchline_chat_reports_total").increment(1);
    let view =
        WithMessage::json(text!("Thank you: the operators will look at it."), ReportedView { id });
    Ok((http::StatusCode::CREATED, view))
}

#[derive(Serialize, ToSchema)]
struct BlockedView {
    id: UserId,
    username: String,
}

/// List the users whom I have blocked.
#[utoipa::path(get, path = "/api/auth/blocks", tag = "Chat", security(("user" = [])),
    responses((status = 200, body = Data<Vec<BlockedView>>)))]
async fn list_blocked_users(
    State(chat): State<Chat>,
    user: User,
) -> Result<Json<Data<Vec<BlockedView>>>> {
    let rows = chat.db.lookup(move |tx| moderation::list_blocked(tx, user.id)).await?;
    Ok(Data::json(rows.into_iter().map(|(id, username)| BlockedView { id, username }).collect()))
}

/// Block a user: they cannot invite me, and my chat apps hide what they write.
#[utoipa::path(post, path = "/api/auth/users/{user}/block", tag = "Chat", security(("user" = [])),
    params(("user" = i64, Path, minimum = 1, description = "The user's id")), responses((status = 200, body = Message)),
    extensions(("x-codes" = json!(["422 cannot_block_yourself"]))))]
async fn block_user(
    State(chat): State<Chat>,
    user: User,
    PathId(blocked): PathId,
) -> Result<Json<Message>> {
    chat.db.write(move |tx| moderation::block(tx, user, UserId(blocked))).await?;
    Ok(Json(Message { message: text!("The user is blocked.") }))
}

/// Unblock a user.
#[utoipa::path(delete, path = "/api/auth/users/{user}/block", tag = "Chat", security(("user" = [])),
    params(("user" = i64, Path, minimum = 1, description = "The user's id")), responses((status = 200, body = Message)))]
async fn unblock_user(
    State(chat): State<Chat>,
    user: User,
    PathId(blocked): PathId,
) -> Result<Json<Message>> {
    chat.db.write(move |tx| moderation::unblock(tx, user.id, UserId(blocked))).await?;
    Ok(Json(Message { message: text!("The user is no longer blocked.") }))
}
