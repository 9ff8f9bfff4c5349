//! Moderators' calls about rooms, and about what was reported in them.

use axum::extract::{FromRef, State};
use serde::Serialize;
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::chat::values::{MessageId, Reason, RoomId, RoomName};
use crate::features::chat::{Chat, PathRoom};
use crate::features::operators::{self, Operator, guard};
use crate::features::sessions::Sessions;
use crate::features::users::UserId;
use crate::input;
use crate::platform::clock::{MINUTE_MS, Timestamp};
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::http::AppState;
use crate::platform::http::input::{Params, Valid};
use crate::platform::http::page::{AtLeastOne, Page, PageMeta};
use crate::platform::http::path::PathId;
use crate::platform::http::views::{Data, Json, Listed, Message, WithMessage};

use super::surroundings::{self, WholeReport};
use super::{DeskMemberRow, DeskRoomRow, Measure, MuteRow, take_measure};

/// A longer mute is one for good.
const LONGEST_MINUTES: i64 = 525_600;

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Chat: FromRef<S>,
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(show_chat_report))
        .routes(routes!(find_rooms))
        .routes(routes!(show_room))
        .routes(routes!(list_room_members))
        .routes(routes!(redact_message))
        .routes(routes!(mute_member))
        .routes(routes!(unmute_member))
        .routes(routes!(remove_member))
        .routes(routes!(ban_member))
        .routes(routes!(unban_member))
        .routes(routes!(remove_from_all_rooms))
}

/// Show a report with the message and what was said around it.
///
/// The messages are read from the homeserver for this answer and kept nowhere. In an encrypted room there is no text to read.
#[utoipa::path(get, path = "/api/admin/chat/reports/{report}", tag = "Operators", security(("operator" = ["moderator"])),
    params(("report" = i64, Path, minimum = 1, description = "The report's id")),
    responses((status = 200, body = Data<WholeReport>)),
    extensions(("x-codes" = json!(["503 chat_unavailable"]))))]
async fn show_chat_report(
    State(chat): State<Chat>,
    guard::Moderator(operator): guard::Moderator,
    PathId(report): PathId,
) -> Result<Json<Data<WholeReport>>> {
    let whole = surroundings::read(&chat, report).await?;
    // Who looks at what people said is written down.
    let note = move |tx: &mut Tx| {
        operators::audit(tx, &operator, "chat.read_report", &format!("report {report}"), &json!({}))
    };
    chat.db.write(note).await?;
    Ok(Data::json(whole))
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct FindRoomsQuery {
        /// Rooms whose name begins so, in upper or lower case; where something happened last when absent.
        #[param(value_type = Option<String>, max_length = 100)]
        name: Option<RoomName>,
        /// Page number, from 1.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Rooms on a page, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

/// Find rooms by the beginning of their name; those where something happened last where none is given.
///
/// Private ones too. They are counted up to 10,000.
#[utoipa::path(get, path = "/api/admin/chat/rooms", tag = "Operators", security(("operator" = ["moderator"])),
    params(FindRoomsQuery), responses((status = 200, body = Listed<DeskRoomRow, PageMeta>)))]
async fn find_rooms(
    State(chat): State<Chat>,
    guard::Moderator(operator): guard::Moderator,
    Params(query): Params<FindRoomsQuery>,
) -> Result<Json<Listed<DeskRoomRow, PageMeta>>> {
    let page = Page::of(query.page, query.per_page);
    let name = query.name;
    let find = move |tx: &mut Tx| super::find_rooms(tx, name.as_ref(), page);
    let (data, total) = chat.db.read(find).await?;
    operators::note_reading(&chat, operator, "chat.read_rooms", "chat").await?;
    Ok(Json(Listed { data, meta: page.meta(total) }))
}

#[derive(Serialize, ToSchema)]
struct WholeRoomView {
    #[serde(flatten)]
    room: DeskRoomRow,
    /// Who is to be silent in it, the newest first; at most 100.
    muted: Vec<MuteRow>,
}

/// Show a room, with who is to be silent in it.
#[utoipa::path(get, path = "/api/admin/chat/rooms/{room}", tag = "Operators", security(("operator" = ["moderator"])),
    params(("room" = String, Path, pattern = "^![^:]+:.+$", description = "The room's id on the chat network")),
    responses((status = 200, body = Data<WholeRoomView>)))]
async fn show_room(
    State(chat): State<Chat>,
    guard::Moderator(operator): guard::Moderator,
    PathRoom(room): PathRoom,
) -> Result<Json<Data<WholeRoomView>>> {
    let read = move |tx: &mut Tx| {
        let (room, muted) = super::get_room(tx, &room)?;
        Ok(WholeRoomView { room, muted })
    };
    let view = chat.db.read(read).await?;
    operators::note_reading(&chat, operator, "chat.read_rooms", "chat").await?;
    Ok(Data::json(view))
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct MembersQuery {
        /// Page number, from 1.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Members on a page, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

/// List who is in a room, invited to it or banned from it, who was active last first.
#[utoipa::path(get, path = "/api/admin/chat/rooms/{room}/members", tag = "Operators", security(("operator" = ["moderator"])),
    params(("room" = String, Path, pattern = "^![^:]+:.+$", description = "The room's id on the chat network"), MembersQuery),
    responses((status = 200, body = Listed<DeskMemberRow, PageMeta>)))]
async fn list_room_members(
    State(chat): State<Chat>,
    guard::Moderator(operator): guard::Moderator,
    PathRoom(room): PathRoom,
    Params(query): Params<MembersQuery>,
) -> Result<Json<Listed<DeskMemberRow, PageMeta>>> {
    let page = Page::of(query.page, query.per_page);
    let list = move |tx: &mut Tx| super::list_members(tx, &room, page);
    let (data, total) = chat.db.read(list).await?;
    operators::note_reading(&chat, operator, "chat.read_rooms", "chat").await?;
    Ok(Json(Listed { data, meta: page.meta(total) }))
}

input! {
    #[derive(ToSchema)]
    struct RedactBody {
        message_id: MessageId,
        reason: Reason,
    }
}

/// Take a message away, for everybody in the room.
#[utoipa::path(post, path = "/api/admin/chat/rooms/{room}/redact", tag = "Operators", security(("operator" = ["moderator"])),
    params(("room" = String, Path, pattern = "^![^:]+:.+$", description = "The room's id on the chat network")),
    request_body = RedactBody, responses((status = 200, body = Message)),
    extensions(("x-codes" = json!(["409 nobody_has_the_power", "503 chat_unavailable"]))))]
async fn redact_message(
    State(chat): State<Chat>,
    guard::Moderator(operator): guard::Moderator,
    PathRoom(room): PathRoom,
    Valid(body): Valid<RedactBody>,
) -> Result<Json<Message>> {
    super::redact(&chat, operator, room, body.message_id, body.reason).await?;
    Ok(Json(Message { message: text!("The message is taken away.") }))
}

input! {
    #[derive(ToSchema)]
    struct MuteBody {
        user_id: UserId,
        reason: Reason,
        /// For how long, at most a year; for good when absent.
        #[schema(value_type = Option<i64>, minimum = 1, maximum = 525_600, example = 60)]
        minutes: Option<i64>,
    }
}

/// What the five calls about a member have in common.
async fn deal_with(
    chat: &Chat,
    operator: Operator,
    room: RoomId,
    (user, reason): (UserId, Reason),
    measure: Measure,
) -> Result<Json<Message>> {
    take_measure(chat, operator, room, user, measure, &reason).await?;
    let message = match measure {
        Measure::Mute { .. } => text!("The member is muted."),
        Measure::Unmute => text!("The member may speak again."),
        Measure::Remove => text!("The member is out of the room."),
        Measure::Ban => text!("The member is banned from the room."),
        Measure::Unban => text!("The user may come back to the room."),
    };
    Ok(Json(Message { message }))
}

/// Have somebody be silent in a room, for good or for a time: they read, and cannot write.
#[utoipa::path(post, path = "/api/admin/chat/rooms/{room}/mute", tag = "Operators", security(("operator" = ["moderator"])),
    params(("room" = String, Path, pattern = "^![^:]+:.+$", description = "The room's id on the chat network")),
    request_body = MuteBody, responses((status = 200, body = Message)),
    extensions(("x-codes" = json!(["409 nobody_has_the_power", "503 chat_unavailable"]))))]
async fn mute_member(
    State(chat): State<Chat>,
    guard::Moderator(operator): guard::Moderator,
    PathRoom(room): PathRoom,
    Valid(body): Valid<MuteBody>,
) -> Result<Json<Message>> {
    if body.minutes.is_some_and(|minutes| !(1..=LONGEST_MINUTES).contains(&minutes)) {
        return Err(Error::invalid("minutes", text!("Must be a whole number from 1 to 525600.")));
    }
    let end =
        |minutes: i64| -> Timestamp { chat.clock.now().plus_ms(minutes.saturating_mul(MINUTE_MS)) };
    let (until, member) = (body.minutes.map(end), (body.user_id, body.reason));
    deal_with(&chat, operator, room, member, Measure::Mute { until }).await
}

input! {
    #[derive(ToSchema)]
    struct MemberBody {
        user_id: UserId,
        reason: Reason,
    }
}

/// Let somebody speak again in a room.
#[utoipa::path(post, path = "/api/admin/chat/rooms/{room}/unmute", tag = "Operators", security(("operator" = ["moderator"])),
    params(("room" = String, Path, pattern = "^![^:]+:.+$", description = "The room's id on the chat network")),
    request_body = MemberBody, responses((status = 200, body = Message)),
    extensions(("x-codes" = json!(["409 nobody_has_the_power", "503 chat_unavailable"]))))]
async fn unmute_member(
    State(chat): State<Chat>,
    guard::Moderator(operator): guard::Moderator,
    PathRoom(room): PathRoom,
    Valid(body): Valid<MemberBody>,
) -> Result<Json<Message>> {
    deal_with(&chat, operator, room, (body.user_id, body.reason), Measure::Unmute).await
}

/// Take somebody out of a room, who may come back.
#[utoipa::path(post, path = "/api/admin/chat/rooms/{room}/remove", tag = "Operators", security(("operator" = ["moderator"])),
    params(("room" = String, Path, pattern = "^![^:]+:.+$", description = "The room's id on the chat network")),
    request_body = MemberBody, responses((status = 200, body = Message)),
    extensions(("x-codes" = json!(["409 nobody_has_the_power", "503 chat_unavailable"]))))]
async fn remove_member(
    State(chat): State<Chat>,
    guard::Moderator(operator): guard::Moderator,
    PathRoom(room): PathRoom,
    Valid(body): Valid<MemberBody>,
) -> Result<Json<Message>> {
    deal_with(&chat, operator, room, (body.user_id, body.reason), Measure::Remove).await
}

/// Take somebody out of a room for good.
#[utoipa::path(post, path = "/api/admin/chat/rooms/{room}/ban", tag = "Operators", security(("operator" = ["moderator"])),
    params(("room" = String, Path, pattern = "^![^:]+:.+$", description = "The room's id on the chat network")),
    request_body = MemberBody, responses((status = 200, body = Message)),
    extensions(("x-codes" = json!(["409 nobody_has_the_power", "503 chat_unavailable"]))))]
async fn ban_member(
    State(chat): State<Chat>,
    guard::Moderator(operator): guard::Moderator,
    PathRoom(room): PathRoom,
    Valid(body): Valid<MemberBody>,
) -> Result<Json<Message>> {
    deal_with(&chat, operator, room, (body.user_id, body.reason), Measure::Ban).await
}

/// Let somebody come back to a room.
#[utoipa::path(post, path = "/api/admin/chat/rooms/{room}/unban", tag = "Operators", security(("operator" = ["moderator"])),
    params(("room" = String, Path, pattern = "^![^:]+:.+$", description = "The room's id on the chat network")),
    request_body = MemberBody, responses((status = 200, body = Message)),
    extensions(("x-codes" = json!(["409 nobody_has_the_power", "503 chat_unavailable"]))))]
async fn unban_member(
    State(chat): State<Chat>,
    guard::Moderator(operator): guard::Moderator,
    PathRoom(room): PathRoom,
    Valid(body): Valid<MemberBody>,
) -> Result<Json<Message>> {
    deal_with(&chat, operator, room, (body.user_id, body.reason), Measure::Unban).await
}

input! {
    #[derive(ToSchema)]
    struct LeaveAllBody {
        reason: Reason,
    }
}

#[derive(Serialize, ToSchema)]
struct LeavingView {
    /// How many rooms they are being taken out of.
    #[schema(example = 3)]
    rooms: i64,
}

/// Take a user out of every room. They may come back; a ban of the user keeps them out.
///
/// It is done one room after the other, shortly after this answer.
#[utoipa::path(post, path = "/api/admin/users/{user}/leave-rooms", tag = "Operators", security(("operator" = ["moderator"])),
    params(("user" = i64, Path, minimum = 1, description = "The user's id")),
    request_body = LeaveAllBody, responses((status = 200, body = WithMessage<LeavingView>)))]
async fn remove_from_all_rooms(
    State(chat): State<Chat>,
    guard::Moderator(operator): guard::Moderator,
    PathId(user): PathId,
    Valid(body): Valid<LeaveAllBody>,
) -> Result<Json<WithMessage<LeavingView>>> {
    let remove =
        move |tx: &mut Tx| super::remove_from_all(tx, &operator, UserId(user), &body.reason);
    let rooms = chat.db.write(remove).await?;
    Ok(WithMessage::json(
        text!("The user is being taken out of every room."),
        LeavingView { rooms },
    ))
}
