//! Operators' calls about users: finding them, one as a whole, the end of an account.

use axum::extract::{FromRef, State};
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::operators::{self, Operator, guard};
use crate::features::sessions::Sessions;
use crate::features::users::{
    self, BanRow, DateOfBirth, Email, FoundRow, Name, NameBeginning, Phone, UserId, UserSearch,
    Username, UsernameBeginning,
};
use crate::input;
use crate::platform::clock::Timestamp;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::http::AppState;
use crate::platform::http::input::Params;
use crate::platform::http::page::{AtLeastOne, Page, PageMeta};
use crate::platform::http::path::PathId;
use crate::platform::http::views::{Data, Json, Listed, Message};

use super::Person;

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(find_users)).routes(routes!(show_person, delete_user))
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct UsersQuery {
        /// The user with this id.
        #[param(value_type = Option<i64>, minimum = 1)]
        id: Option<UserId>,
        /// Usernames that begin so.
        #[param(value_type = Option<String>, max_length = 30)]
        username: Option<UsernameBeginning>,
        /// Names that begin so, in upper or lower case.
        #[param(value_type = Option<String>, max_length = 100)]
        name: Option<NameBeginning>,
        /// The user of this phone number, whole; for moderators and above.
        #[param(value_type = Option<String>)]
        phone: Option<Phone>,
        /// Page number, from 1.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Users on a page, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

impl UsersQuery {
    fn search(self) -> Result<UserSearch> {
        let searches = [
            self.id.map(UserSearch::Id),
            self.username.map(UserSearch::Username),
            self.name.map(UserSearch::Name),
            self.phone.map(UserSearch::Phone),
        ];
        let mut given = searches.into_iter().flatten();
        let search = given.next().unwrap_or(UserSearch::Newest);
        if given.next().is_some() {
            let sentence =
                text!("Only one of id, username, name and phone can be searched by at a time.");
            return Err(Error::invalid("query", sentence));
        }
        Ok(search)
    }
}

#[derive(Serialize, ToSchema)]
struct FoundUserView {
    id: UserId,
    username: Username,
    name: Option<Name>,
    /// Whole for operators and owners; null for others, and for a simulated fan.
    phone: Option<Phone>,
    /// The last three digits.
    #[schema(example = "123")]
    phone_end: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Since when; null for a user who is not banned.
    #[schema(value_type = Option<String>, format = DateTime)]
    banned_at: Option<Timestamp>,
    /// Null for a ban that does not end by itself.
    #[schema(value_type = Option<String>, format = DateTime)]
    banned_until: Option<Timestamp>,
}

impl FoundUserView {
    fn of(row: FoundRow, by: &Operator, now: Timestamp) -> Self {
        let is_banned = users::is_in_force(row.banned_at, row.banned_until, now);
        Self {
            id: row.id,
            username: row.username,
            name: row.name,
            phone_end: super::phone_end(row.phone.as_ref()),
            phone: super::seen(by, row.phone),
            created_at: row.created_at,
            banned_at: row.banned_at.filter(|_| is_banned),
            banned_until: row.banned_until.filter(|_| is_banned),
        }
    }
}

/// Find users by one of id, username, name and phone; the newest first where none is given.
///
/// A search shows the first 10,000 and counts so far.
#[utoipa::path(get, path = "/api/admin/users", tag = "Operators", security(("operator" = ["viewer"])),
    params(UsersQuery), responses((status = 200, body = Listed<FoundUserView, PageMeta>)))]
async fn find_users(
    State(core): State<Core>,
    guard::Viewer(operator): guard::Viewer,
    Params(query): Params<UsersQuery>,
) -> Result<Json<Listed<FoundUserView, PageMeta>>> {
    let page = Page::of(query.page, query.per_page);
    let search = query.search()?;
    let by = operator.clone();
    let find = move |tx: &mut Tx| super::find(tx, &by, &search, page);
    let (rows, total) = core.db.read(find).await?;
    let now = core.clock.now();
    let data = rows.into_iter().map(|row| FoundUserView::of(row, &operator, now)).collect();
    operators::note_reading(&core, operator, "users.read", "users").await?;
    Ok(Json(Listed { data, meta: page.meta(total) }))
}

#[derive(Serialize, ToSchema)]
struct PersonView {
    id: UserId,
    username: Username,
    name: Option<Name>,
    /// Whether the caller's role sees phone, email and date of birth; they are null otherwise.
    shows_personal: bool,
    phone: Option<Phone>,
    /// The last three digits.
    #[schema(example = "123")]
    phone_end: Option<String>,
    email: Option<Email>,
    date_of_birth: Option<DateOfBirth>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Null for a user who is not banned.
    ban: Option<PersonBanView>,
    #[schema(example = 500)]
    balance: i64,
    /// Since when no coins move; null for an account that is well.
    #[schema(value_type = Option<String>, format = DateTime, example = json!(null))]
    frozen_at: Option<Timestamp>,
    counts: PersonCounts,
}

#[derive(Serialize, ToSchema)]
struct PersonBanView {
    #[schema(value_type = Option<String>, format = DateTime)]
    banned_at: Option<Timestamp>,
    /// Null for a ban that does not end by itself.
    #[schema(value_type = Option<String>, format = DateTime)]
    banned_until: Option<Timestamp>,
    #[schema(example = "Insults in three rooms")]
    reason: Option<String>,
    /// The name of whoever banned them; null for a ban from before that was written down.
    #[schema(example = "mia")]
    banned_by: Option<String>,
}

impl PersonBanView {
    fn of(ban: BanRow) -> Self {
        let BanRow { banned_at, banned_until, reason, banned_by } = ban;
        Self { banned_at, banned_until, reason, banned_by }
    }
}

#[derive(Serialize, ToSchema)]
struct PersonCounts {
    #[schema(example = 14)]
    predictions: i64,
    #[schema(example = 12)]
    settled_predictions: i64,
    #[schema(example = 31)]
    points: i64,
    /// Rooms that they are in.
    #[schema(example = 3)]
    rooms: i64,
    #[schema(example = 0)]
    reports_about: i64,
    #[schema(example = 0)]
    reports_by: i64,
    #[schema(example = 1)]
    notes: i64,
}

impl PersonView {
    fn of(person: Person, by: &Operator) -> Self {
        let Person { user, predictions, .. } = person;
        Self {
            id: user.id,
            username: user.username,
            name: user.name,
            shows_personal: by.role >= super::SEES_PERSONAL,
            phone_end: super::phone_end(user.phone.as_ref()),
            phone: super::seen(by, user.phone),
            email: super::seen(by, user.email),
            date_of_birth: super::seen(by, user.date_of_birth),
            created_at: user.created_at,
            ban: person.ban.map(PersonBanView::of),
            balance: person.balance,
            frozen_at: person.frozen_at,
            counts: PersonCounts {
                predictions: predictions.predictions,
                settled_predictions: predictions.settled,
                points: predictions.points,
                rooms: person.rooms,
                reports_about: person.reports_about,
                reports_by: person.reports_by,
                notes: person.notes,
            },
        }
    }
}

/// Show one user as a whole.
#[utoipa::path(get, path = "/api/admin/users/{user}", tag = "Operators", security(("operator" = ["viewer"])),
    params(("user" = i64, Path, minimum = 1, description = "The user's id")),
    responses((status = 200, body = Data<PersonView>)))]
async fn show_person(
    State(core): State<Core>,
    guard::Viewer(operator): guard::Viewer,
    PathId(user): PathId,
) -> Result<Json<Data<PersonView>>> {
    let person = core.db.read(move |tx| super::get(tx, UserId(user))).await?;
    let view = PersonView::of(person, &operator);
    operators::note_reading(&core, operator, "users.read", "users").await?;
    Ok(Data::json(view))
}

/// Delete a user's account, for good, as when they leave themselves.
#[utoipa::path(delete, path = "/api/admin/users/{user}", tag = "Operators", security(("operator" = ["owner"])),
    params(("user" = i64, Path, minimum = 1, description = "The user's id")),
    responses((status = 200, body = Message)))]
async fn delete_user(
    State(core): State<Core>,
    guard::Owner(operator): guard::Owner,
    PathId(user): PathId,
) -> Result<Json<Message>> {
    let this = core.clone();
    core.db.write(move |tx| super::delete(tx, &this, &operator, UserId(user))).await?;
    Ok(Json(Message { message: text!("The account is deleted.") }))
}
