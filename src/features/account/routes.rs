//! My account as a whole: profile, sessions, export and deletion; and the operators' bans.

use axum::extract::{FromRef, State};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa::openapi::Ref;
use utoipa::openapi::extensions::ExtensionsBuilder;
use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, Schema, Type};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::adapters::matrix::Credentials;
use crate::features::chat::{self, Chat};
use crate::features::operators::{self, Change, guard};
use crate::features::sessions::{self, SessionId, Sessions, User};
use crate::features::teams::routes::BriefTeamView;
use crate::features::users::{
    self, Ban, BanReason, BanRow, DateOfBirth, Email, Hold, Name, Phone, ProfileChange, UserId,
    Username,
};
use crate::input;
use crate::platform::clock::{MINUTE_MS, Timestamp};
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::http::AppState;
use crate::platform::http::description::MAY_BE_ABSENT;
use crate::platform::http::input::{Complaint, FromInput, Raw, Valid, ValidIfAny};
use crate::platform::http::moments::Moment;
use crate::platform::http::path::PathId;
use crate::platform::http::views::{Data, Json, Message, WithMessage};
use crate::platform::language::Language;

use super::{Accounts, ShowAccount};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Accounts: FromRef<S>,
    Chat: FromRef<S>,
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(update_user_info))
        .routes(routes!(show_me, delete_account))
        .routes(routes!(export_account))
        .routes(routes!(list_sessions, revoke_other_sessions))
        .routes(routes!(revoke_session))
        .routes(routes!(log_out))
        .routes(routes!(ban_user))
        .routes(routes!(unban_user))
}

#[derive(Serialize, ToSchema)]
struct ProfileView {
    id: UserId,
    name: Option<Name>,
    email: Option<Email>,
    /// Only when this call changed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    username: Option<Username>,
    /// Only when this call changed the username: credentials of the new chat account, or null while chat cannot be reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = credentials_or_null_if_there)]
    #[allow(clippy::option_option, reason = "absent, null and there are three answers")]
    matrix_credentials: Option<Option<Credentials>>,
}

/// The mark cannot be put on a field of a named type, so its schema is written out.
fn credentials_or_null_if_there() -> Schema {
    let mark = ExtensionsBuilder::new().add(MAY_BE_ABSENT, true).build();
    OneOfBuilder::new()
        .item(Ref::from_schema_name(Credentials::name()))
        .item(ObjectBuilder::new().schema_type(Type::Null))
        .description(Some(
            "Only when this call changed the username: credentials of the new chat account, or null while chat cannot be reached.",
        ))
        .extensions(Some(mark))
        .build()
        .into()
}

/// Update my profile: any of the fields, at least one.
#[utoipa::path(post, path = "/api/auth/update-user-info", tag = "Users", security(("user" = [])),
    request_body = ProfileChange, responses((status = 200, body = WithMessage<ProfileView>)),
    extensions(("x-codes" = json!(["404 not_found"]))))]
async fn update_user_info(
    State(chat): State<Chat>,
    user: User,
    Valid(change): Valid<ProfileChange>,
) -> Result<Json<WithMessage<ProfileView>>> {
    if change.is_empty() {
        return Err(Error::invalid(
            "body",
            text!("At least one of name, email, date_of_birth, username and language is required."),
        ));
    }
    let shared = chat.clone();
    let update = move |tx: &mut Tx| super::update_profile(tx, &shared, user, &change);
    let (row, is_renamed) = chat.db.write(update).await?;
    let mut matrix_credentials = None;
    if is_renamed {
        let credentials = chat::credentials_in_time(&chat, user, None).await;
        matrix_credentials = Some(credentials);
    }
    let view = ProfileView {
        id: row.id,
        name: row.name,
        email: row.email,
        username: is_renamed.then_some(row.username),
        matrix_credentials,
    };
    Ok(WithMessage::json(text!("Your information is updated."), view))
}

#[derive(Serialize, ToSchema)]
struct MeView {
    id: UserId,
    phone: Option<Phone>,
    username: Username,
    /// Whether the username was generated and may still be replaced, once.
    can_choose_username: bool,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    name: Option<Name>,
    email: Option<Email>,
    date_of_birth: Option<DateOfBirth>,
    /// In which I am told things, where I do not ask for another one with `Accept-Language`; null until one is known.
    language: Option<Language>,
    /// Null until one is chosen.
    primary_team: Option<BriefTeamView>,
    other_teams: Vec<BriefTeamView>,
}

/// Show my own account.
#[utoipa::path(get, path = "/api/auth/me", tag = "Users", security(("user" = [])),
    responses((status = 200, body = Data<MeView>)))]
async fn show_me(State(accounts): State<Accounts>, user: User) -> Result<Json<Data<MeView>>> {
    let (row, chosen) = accounts.show.ask(ShowAccount(user.id)).await?;
    let team = |row| BriefTeamView::of(row, &accounts.config);
    Ok(Data::json(MeView {
        id: row.id,
        phone: row.phone,
        username: row.username,
        can_choose_username: row.username_generated,
        created_at: row.created_at,
        name: row.name,
        email: row.email,
        date_of_birth: row.date_of_birth,
        language: row.language,
        primary_team: chosen.primary.map(team),
        other_teams: chosen.others.into_iter().map(team).collect(),
    }))
}

#[derive(Serialize, ToSchema)]
struct BanView {
    id: UserId,
    /// Since when; null for a user who is not banned.
    #[schema(value_type = Option<String>, format = DateTime)]
    banned_at: Option<Timestamp>,
    /// Until when; null for a ban that does not end by itself.
    #[schema(value_type = Option<String>, format = DateTime)]
    banned_until: Option<Timestamp>,
    #[schema(example = "Insults in three rooms")]
    reason: Option<String>,
}

impl BanView {
    fn of(id: UserId, ban: Option<BanRow>) -> Self {
        let (banned_at, banned_until, reason) = match ban {
            Some(ban) => (ban.banned_at, ban.banned_until, ban.reason),
            None => (None, None, None),
        };
        Self { id, banned_at, banned_until, reason }
    }
}

input! {
    #[derive(Default, ToSchema)]
    struct BanBody {
        reason: Option<BanReason>,
        /// When the ban ends by itself; never when this and `minutes` are absent.
        #[schema(value_type = Option<String>, format = DateTime)]
        until: Option<Moment>,
        /// The same, from now on: 1 to 5,256,000, which is ten years.
        #[schema(value_type = Option<i64>, minimum = 1, maximum = 5_256_000, example = 1440)]
        minutes: Option<BanMinutes>,
    }
}

#[derive(Debug, Clone, Copy)]
struct BanMinutes(i64);

const MOST_BAN_MINUTES: i64 = 5_256_000;

impl FromInput for BanMinutes {
    fn from_input(raw: Raw) -> Result<Self, Complaint> {
        match i64::from_input(raw) {
            Ok(minutes) if (1..=MOST_BAN_MINUTES).contains(&minutes) => Ok(Self(minutes)),
            _ => Err(text!("Must be a whole number from 1 to 5256000.").into()),
        }
    }
}

impl BanBody {
    fn until(&self, now: Timestamp) -> Result<Option<Timestamp>> {
        match (self.until, self.minutes) {
            (Some(_), Some(_)) => {
                Err(Error::invalid("minutes", text!("Give until or minutes, not both.")))
            }
            (Some(end), None) => Ok(Some(end.get())),
            (None, Some(minutes)) => Ok(Some(now.plus_ms(minutes.0.saturating_mul(MINUTE_MS)))),
            (None, None) => Ok(None),
        }
    }
}

/// Ban a user, for good or for a time: every call of theirs answers 403 `banned` until the ban ends.
///
/// A user who is banned already stays so since then; end and reason are the new ones.
#[utoipa::path(post, path = "/api/admin/users/{user}/ban", tag = "Operators", security(("operator" = ["moderator"])),
    params(("user" = i64, Path, minimum = 1, description = "The user's id")),
    request_body = Option<BanBody>, responses((status = 200, body = WithMessage<BanView>)))]
async fn ban_user(
    State(core): State<Core>,
    guard::Moderator(operator): guard::Moderator,
    PathId(user): PathId,
    ValidIfAny(body): ValidIfAny<BanBody>,
) -> Result<Json<WithMessage<BanView>>> {
    let id = UserId(user);
    let ban = move |tx: &mut Tx| {
        users::get_held(tx, id, Hold::Change)?;
        let before = users::find_ban(tx, id)?;
        let until = body.until(tx.now())?;
        let new = Ban { until, reason: body.reason.as_ref(), by: &operator.name };
        super::ban(tx, id, &new)?;
        let after = users::find_ban(tx, id)?;
        let change = Change { before: json!(before), after: json!(after) };
        let subject = format!("user {user}");
        operators::audit_change(tx, &operator, "user.ban", &subject, &json!({}), &change)?;
        Ok(after)
    };
    let ban = core.db.write(ban).await?;
    Ok(WithMessage::json(text!("The user is banned."), BanView::of(id, ban)))
}

/// End a user's ban.
#[utoipa::path(post, path = "/api/admin/users/{user}/unban", tag = "Operators", security(("operator" = ["moderator"])),
    params(("user" = i64, Path, minimum = 1, description = "The user's id")),
    responses((status = 200, body = WithMessage<BanView>)))]
async fn unban_user(
    State(core): State<Core>,
    guard::Moderator(operator): guard::Moderator,
    PathId(user): PathId,
) -> Result<Json<WithMessage<BanView>>> {
    let id = UserId(user);
    let unban = move |tx: &mut Tx| {
        users::get_held(tx, id, Hold::Change)?;
        let before = users::find_ban(tx, id)?;
        super::unban(tx, id)?;
        let change = Change { before: json!(before), after: json!(null) };
        let subject = format!("user {user}");
        operators::audit_change(tx, &operator, "user.unban", &subject, &json!({}), &change)
    };
    core.db.write(unban).await?;
    Ok(WithMessage::json(text!("The user is no longer banned."), BanView::of(id, None)))
}

#[derive(Serialize, ToSchema)]
struct SessionView {
    id: SessionId,
    /// What the app called the device at login, if anything.
    #[schema(example = "Ada's phone")]
    device_name: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Accurate to an hour.
    #[schema(value_type = String, format = DateTime)]
    last_used_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
    /// Whether this is the session of the token that asks.
    is_current: bool,
}

/// List my sessions, newest first.
#[utoipa::path(get, path = "/api/auth/sessions", tag = "Sessions", security(("user" = [])),
    responses((status = 200, body = Data<Vec<SessionView>>)))]
async fn list_sessions(
    State(core): State<Core>,
    user: User,
) -> Result<Json<Data<Vec<SessionView>>>> {
    let rows = core.db.lookup(move |tx| sessions::list(tx, user.id)).await?;
    let views = rows.into_iter().map(|row| SessionView {
        id: row.id,
        device_name: row.device_name,
        created_at: row.created_at,
        last_used_at: row.last_used_at,
        expires_at: row.expires_at,
        is_current: row.id == user.session_id,
    });
    Ok(Data::json(views.collect()))
}

/// Revoke all my sessions but this one.
#[utoipa::path(delete, path = "/api/auth/sessions", tag = "Sessions", security(("user" = [])),
    responses((status = 200, body = Message)))]
async fn revoke_other_sessions(State(core): State<Core>, user: User) -> Result<Json<Message>> {
    core.db.write(move |tx| super::end_other_sessions(tx, user)).await?;
    Ok(Json(Message { message: text!("All other sessions are revoked.") }))
}

/// Revoke one of my sessions.
#[utoipa::path(delete, path = "/api/auth/sessions/{session}", tag = "Sessions", security(("user" = [])),
    params(("session" = i64, Path, minimum = 1, description = "The session's id")),
    responses((status = 200, body = Message)))]
async fn revoke_session(
    State(core): State<Core>,
    user: User,
    PathId(session): PathId,
) -> Result<Json<Message>> {
    core.db.write(move |tx| super::end_session(tx, user.id, SessionId(session))).await?;
    Ok(Json(Message { message: text!("The session is revoked.") }))
}

/// Log out: revoke the session of this token.
#[utoipa::path(post, path = "/api/auth/logout", tag = "Sessions", security(("user" = [])),
    responses((status = 200, body = Message)))]
async fn log_out(State(core): State<Core>, user: User) -> Result<Json<Message>> {
    core.db.write(move |tx| super::end_session(tx, user.id, user.session_id)).await?;
    Ok(Json(Message { message: text!("You are logged out.") }))
}

/// Take away everything the service holds about me.
#[utoipa::path(get, path = "/api/auth/export", tag = "Account", security(("user" = [])),
    responses((status = 200, body = Data<Object>)))]
async fn export_account(
    State(core): State<Core>,
    user: User,
) -> Result<Json<Data<serde_json::Value>>> {
    let read = move |tx: &mut Tx| super::export(tx, user.id);
    Ok(Data::json(core.db.read_aside(user.id.0, read).await?))
}

/// Delete my account, for good.
///
/// Frees the phone number, revokes every token and closes the chat account. What others rely on stays under a pseudonym, and
/// the username is taken for ever, since it names a chat account that can never be opened again. Who comes back with the same
/// phone gets no second welcome coins.
#[utoipa::path(delete, path = "/api/auth/me", tag = "Account", security(("user" = [])),
    responses((status = 200, body = Message)))]
async fn delete_account(State(core): State<Core>, user: User) -> Result<Json<Message>> {
    let this = core.clone();
    core.db.write(move |tx| super::delete(tx, &this, user.id)).await?;
    Ok(Json(Message { message: text!("Your account is deleted.") }))
}
