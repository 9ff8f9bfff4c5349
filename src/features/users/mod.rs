//! Users: who they are, what they are called, what they told about themselves.
//!
//! Owns: the `users` and `closed_usernames` tables, phone numbers, usernames and profiles.
//! Invariants: a phone and a username belong to one user at most; a generated username can be replaced once, a chosen one
//! never; a username that was given up, by its user or with the account, is taken for ever; a deleted user keeps a row without any personal data, so that what refers to it stays whole.
//! Never: proves who somebody is (that is `login`) or holds a session.

mod phone;
mod profile;
pub mod routes;
mod search_store;
mod store;
mod username;

use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use crate::platform::clock::Timestamp;
use crate::platform::db::{ChangeCounter, Tx, column};
use crate::platform::error::{Error, FieldErrors, Result};
use crate::platform::http::page::Page;
use crate::platform::keys::{self, Keys};
use crate::platform::language::Language;
use crate::platform::search::{self, prefix_end};
use crate::platform::texts::Text;
use crate::platform::tokens;
use crate::{id_input, input, text_input};

pub use phone::Phone;
pub use profile::{BanReason, DateOfBirth, Email, Name};
pub use routes::BriefUserView;
pub use search_store::{FoundRow, fold_names};
pub use store::{
    BanRow, Hold, RecipientRow, UserRow, find, find_by_username, find_language, hold, is_in_force,
    list_languages, list_recipients, list_simulated, registered, update_language,
};
pub use username::{Base, Username};

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[schema(value_type = i64, minimum = 1, example = 1)]
pub struct UserId(pub i64);

column!(UserId as i64);
id_input!(UserId);

impl From<UserId> for i64 {
    fn from(id: UserId) -> Self {
        id.0
    }
}

/// Of what users are called.
pub static NAMES: ChangeCounter = ChangeCounter::new();

/// Rounds of invention before giving up on a free name; each is larger than the last.
const NAME_ROUNDS: u32 = 8;

input! {
    // What a user may change about themselves; what is absent stays.
    #[derive(Debug, ToSchema)]
    #[schema(as = ProfileBody)]
    pub struct ProfileChange {
        pub name: Option<Name>,
        pub email: Option<Email>,
        pub date_of_birth: Option<DateOfBirth>,
        /// Replaces a generated username, once.
        pub username: Option<Username>,
        /// In which people are told things, where they do not ask for another one with `Accept-Language`.
        pub language: Option<Language>,
    }
}

impl ProfileChange {
    pub fn is_empty(&self) -> bool {
        self.name.is_none()
            && self.email.is_none()
            && self.date_of_birth.is_none()
            && self.username.is_none()
            && self.language.is_none()
    }
}

/// How a username begins: 1 to 30 of the characters that usernames have, in lower case.
#[derive(Debug, Clone)]
pub struct UsernameBeginning(String);

text_input!(UsernameBeginning);

impl TryFrom<&str> for UsernameBeginning {
    type Error = Text;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        let text = text.trim().to_lowercase();
        let fits = (1..=username::LONGEST).contains(&text.chars().count());
        if fits { Ok(Self(text)) } else { Err(text!("Must have 1 to 30 characters.")) }
    }
}

/// How a name begins, folded.
#[derive(Debug, Clone)]
pub struct NameBeginning(String);

text_input!(NameBeginning);

impl TryFrom<&str> for NameBeginning {
    type Error = Text;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        let fits = (1..=100).contains(&text.trim_start().chars().count());
        if fits {
            Ok(Self(search::fold(text.trim_start())))
        } else {
            Err(text!("Must have 1 to 100 characters."))
        }
    }
}

/// What somebody looks for users by.
#[derive(Debug, Clone)]
pub enum UserSearch {
    Newest,
    Id(UserId),
    Username(UsernameBeginning),
    Name(NameBeginning),
    Phone(Phone),
}

/// A page of those whom a search finds, and how many there are, both up to 10,000.
pub fn search(tx: &mut Tx, search: &UserSearch, page: Page) -> Result<(Vec<FoundRow>, i64)> {
    let one = match search {
        UserSearch::Newest => return search_store::list_newest(tx, page),
        UserSearch::Username(UsernameBeginning(text)) => {
            return search_store::list_by_username(tx, text, &prefix_end(text), page);
        }
        UserSearch::Name(NameBeginning(text)) => {
            return search_store::list_by_name(tx, text, &prefix_end(text), page);
        }
        UserSearch::Id(id) => Some(*id),
        UserSearch::Phone(phone) => store::find_by_phone(tx, phone)?.map(|user| user.id),
    };
    let found = one.map_or(Ok(None), |id| search_store::find(tx, id))?;
    let total = i64::from(found.is_some());
    Ok((found.into_iter().filter(|_| page.offset() == 0).collect(), total))
}

pub fn get(tx: &mut Tx, id: UserId) -> Result<UserRow> {
    store::find(tx, id)?.ok_or(not_found!("user"))
}

/// Holds one user, who stays as they are until the end of the transaction. Every transaction that makes or ends something that
/// depends on a user holds them first, so that none is made for somebody who is on their way out.
pub fn get_held(tx: &mut Tx, id: UserId, how: Hold) -> Result<UserRow> {
    hold(tx, &[id], how)?.pop().ok_or(not_found!("user"))
}

pub fn is_phone_of_somebody(tx: &mut Tx, phone: &Phone) -> Result<bool> {
    Ok(store::find_by_phone(tx, phone)?.is_some())
}

/// The user of each of these phones, held, if it has one.
pub fn hold_by_phones(tx: &mut Tx, phones: &[&Phone]) -> Result<Vec<Option<UserRow>>> {
    let held = store::hold_by_phones(tx, phones)?;
    let of = |phone: &&Phone| {
        let theirs = held.iter().filter(|(_, user)| user.phone.as_ref() == Some(*phone));
        // The normal form is the shorter one.
        theirs.min_by_key(|(length, _)| *length).map(|(_, user)| user.clone())
    };
    Ok(phones.iter().map(of).collect())
}

/// What became of somebody who is to be registered, and whether they are new.
type Registered = Result<(UserRow, bool)>;
/// Somebody's phone, and the name they chose if they did.
type Newcomer<'a> = (&'a Phone, Option<&'a Username>);

/// Makes the users of phones that were seen to have none, each under the name they chose or a generated one.
pub fn register_each(tx: &mut Tx, keys: &Keys, new: &[Newcomer<'_>]) -> Result<Vec<Registered>> {
    let mut outcomes: Vec<Option<Registered>> = new.iter().map(|_| None).collect();
    for _ in 0..NAME_ROUNDS {
        let places = outcomes.iter_mut().zip(new).filter(|(place, _)| place.is_none());
        let mut open: Vec<_> = places.collect();
        if open.is_empty() {
            break;
        }
        register_round(tx, keys, &mut open)?;
    }
    let none = || Err(Error::internal("no free username was found"));
    Ok(outcomes.into_iter().map(|outcome| outcome.unwrap_or_else(none)).collect())
}

/// One try for each. Those whose generated name was not free have no outcome yet.
fn register_round(
    tx: &mut Tx,
    keys: &Keys,
    open: &mut [(&mut Option<Registered>, &Newcomer<'_>)],
) -> Result<()> {
    let name = |chosen: Option<&Username>| chosen.cloned().unwrap_or_else(Username::generated);
    let named: Vec<(&Phone, Username, bool)> = open
        .iter()
        .map(|(_, (phone, chosen))| (*phone, name(*chosen), chosen.is_none()))
        .filter(|(_, name, _)| !name.is_reserved())
        .collect();
    let row = |(phone, name, is_generated): &'_ (&Phone, Username, bool)| {
        new_row(keys, Some(phone), name, *is_generated)
    };
    let rows: Vec<store::NewUser> = named.iter().map(row).collect();
    let made = store::insert(tx, &rows)?;
    // Another request may have registered a phone in the same moment: theirs is the account.
    let phones: Vec<&Phone> = open.iter().map(|(_, (phone, _))| *phone).collect();
    let there = if made.len() == open.len() { Vec::new() } else { hold_by_phones(tx, &phones)? };
    let mut there = there.into_iter();
    for (outcome, (phone, chosen)) in open {
        let other = there.next().flatten();
        let new = made.iter().find(|user| user.phone.as_ref() == Some(*phone));
        **outcome = match (new, other) {
            (Some(user), _) => Some(Ok((user.clone(), true))),
            (None, Some(user)) => Some(Ok((user, false))),
            (None, None) => chosen.map(|_| Err(name_taken())),
        };
    }
    Ok(())
}

fn new_row(
    keys: &Keys,
    phone: Option<&Phone>,
    name: &Username,
    is_generated: bool,
) -> store::NewUser {
    let closed = [&closed_hash(keys, name)[..], &tokens::hash(name.as_str())].map(keys::hex);
    let phone = phone.map(|phone| phone.as_str().to_owned());
    (phone, name.to_string(), i64::from(is_generated), closed)
}

/// Makes users who are nobody: without a phone, so that no code can be sent to them and no login can reach them. Those whose name
/// somebody has, or had, are left out.
pub fn register_simulated(
    tx: &mut Tx,
    keys: &Keys,
    new: &[(Username, Name)],
) -> Result<Vec<UserRow>> {
    let rows: Vec<_> = new.iter().map(|(name, _)| new_row(keys, None, name, false)).collect();
    let made = store::insert(tx, &rows)?;
    for user in &made {
        let name = new.iter().find(|(username, _)| *username == user.username);
        let name = name.map(|(_, name)| name.clone());
        let change = ProfileChange {
            name,
            email: None,
            date_of_birth: None,
            username: None,
            language: None,
        };
        store::update_profile(tx, user.id, &change)?;
    }
    Ok(made)
}

impl UserRow {
    /// Whether they are shut out at this moment.
    pub fn is_banned(&self, now: Timestamp) -> bool {
        is_in_force(self.banned_at, self.banned_until, now)
    }

    /// Whether there is nobody behind this user, who is in the demo to be looked at.
    pub const fn is_simulated(&self) -> bool {
        self.phone.is_none()
    }
}

fn name_taken() -> Error {
    Error::invalid("username", text!("This username is already taken."))
}

pub fn is_free(tx: &mut Tx, keys: &Keys, name: &Username) -> Result<bool> {
    if name.is_reserved() {
        return Ok(false);
    }
    let (hash, plain) = (closed_hash(keys, name), tokens::hash(name.as_str()));
    Ok(!store::username_exists(tx, name, &hash, &plain)?)
}

/// Under what a name that was given up is remembered.
fn closed_hash(keys: &Keys, name: &Username) -> [u8; 32] {
    keys.derive("closed username", &[name.as_str().as_bytes()])
}

fn close_name(tx: &mut Tx, keys: &Keys, name: &Username) -> Result<()> {
    store::insert_closed_username(tx, &closed_hash(keys, name)).map(drop)
}

/// Five free names that grow from `base`.
pub fn suggest(
    tx: &mut Tx,
    keys: &Keys,
    base: &Base,
    include_numbers: bool,
) -> Result<Vec<Username>> {
    let mut free: Vec<Username> = Vec::new();
    for round in 0..NAME_ROUNDS {
        let candidates = username::candidates(base, include_numbers, round);
        let taken = store::list_taken(tx, &candidates)?;
        for name in candidates {
            if !taken.contains(&name) && !free.contains(&name) && is_free(tx, keys, &name)? {
                free.push(name);
            }
            if free.len() == username::SUGGESTIONS {
                return Ok(free);
            }
        }
    }
    Ok(free)
}

/// Changes a profile, all of it or nothing. Answers the user and whether the username changed.
pub fn update_profile(
    tx: &mut Tx,
    keys: &Keys,
    id: UserId,
    change: &ProfileChange,
    minimum_age_years: i64,
) -> Result<(UserRow, bool)> {
    // Held, so that two replacements of the username cannot both be the first.
    let user = get_held(tx, id, Hold::Change)?;
    let mut errors = FieldErrors::default();
    let now = tx.now();
    if change.date_of_birth.as_ref().is_some_and(|born| !born.is_at_least(minimum_age_years, now)) {
        errors.add(
            "date_of_birth",
            text!("Must be at least {years} years ago.", years = minimum_age_years),
        );
    }
    let new_name = change.username.as_ref().filter(|name| **name != user.username);
    if let Some(name) = new_name {
        if !user.username_generated {
            errors.add("username", text!("A username can be chosen only once."));
        } else if !is_free(tx, keys, name)? {
            errors.add("username", text!("This username is already taken."));
        }
    }
    if !errors.is_empty() {
        return Err(errors.into());
    }
    store::update_profile(tx, id, change)?;
    let is_renamed = match new_name {
        Some(name) => store::update_username(tx, id, name)? == 1,
        None => false,
    };
    if is_renamed {
        close_name(tx, keys, &user.username)?;
    }
    Ok((get(tx, id)?, is_renamed))
}

/// Moves an account to a phone that its user has proved to hold.
pub fn move_to_phone(tx: &mut Tx, id: UserId, phone: &Phone) -> Result<()> {
    let holder = store::find_by_phone(tx, phone)?;
    if holder.is_some_and(|holder| holder.id != id) {
        return Err(Error::Unprocessable {
            code: "phone_taken",
            message: text!("This phone number belongs to another account."),
        });
    }
    store::update_phone(tx, id, phone).map(drop)
}

/// A ban to be made: until when (for good when absent), why, and by whom.
#[derive(Debug, Clone, Copy)]
pub struct Ban<'a> {
    pub until: Option<Timestamp>,
    pub reason: Option<&'a BanReason>,
    pub by: &'a str,
}

/// Marks a user as banned; `account::ban` shuts them out.
pub fn ban(tx: &mut Tx, id: UserId, ban: &Ban<'_>) -> Result<()> {
    match store::update_banned(tx, id, ban)? {
        0 => Err(not_found!("user")),
        _ => Ok(()),
    }
}

/// The ban that is in force, if there is one.
pub fn find_ban(tx: &mut Tx, id: UserId) -> Result<Option<BanRow>> {
    let now = tx.now();
    Ok(store::find_ban(tx, id)?.and_then(|ban| ban.in_force(now)))
}

/// Ends the mark.
pub fn unban(tx: &mut Tx, id: UserId) -> Result<()> {
    match store::update_unbanned(tx, id)? {
        0 => Err(not_found!("user")),
        _ => Ok(()),
    }
}

/// Everything this feature knows about a user, for them to take away.
pub fn export(tx: &mut Tx, id: UserId) -> Result<serde_json::Value> {
    let (user, ban) = (get(tx, id)?, find_ban(tx, id)?);
    Ok(json!({
        "id": user.id, "phone": user.phone, "username": user.username, "name": user.name,
        "email": user.email, "date_of_birth": user.date_of_birth, "language": user.language, "created_at": user.created_at,
        "ban": ban.map(|ban| json!({"since": ban.banned_at, "until": ban.banned_until, "reason": ban.reason})),
    }))
}

/// Removes all personal data and frees the phone; the row stays as a pseudonym, and the name stays taken.
pub fn forget(tx: &mut Tx, keys: &Keys, user: &UserRow) -> Result<()> {
    close_name(tx, keys, &user.username)?;
    let pseudonym = format!("{}{}", username::DELETED_PREFIX, user.id.0);
    store::update_deleted(tx, user.id, &pseudonym).map(drop)
}
