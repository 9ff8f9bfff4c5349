//! Codes exchanged for sessions, for as many as log in at the same moment.

use std::collections::BTreeMap;

use crate::features::chat::{self, PendingDevice};
use crate::features::coins;
use crate::features::login::Login;
use crate::features::sessions::{self, SessionId};
use crate::features::users::{self, Phone, UserId, UserRow, Username};
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, Wish};
use crate::platform::error::{Error, Result};
use crate::platform::tokens::{Token, TokenHash, TokenKind};

use super::tries::{self, Judged, Try};
use super::{give_places_back, turn_of};

#[derive(Debug)]
pub struct LoggedIn {
    pub user: UserRow,
    pub token: Token,
    pub session_id: SessionId,
    /// What the homeserver is to make for it, unless the user cannot have chat.
    pub device: Option<PendingDevice>,
    /// Whether this login made the user.
    pub is_new: bool,
}

/// Exchanges a phone and its code for a session, registering the user at their first login.
pub async fn log_in(
    login: &Login,
    one_try: Try,
    username: Option<Username>,
    device_name: Option<String>,
) -> Result<LoggedIn> {
    let token = Token::generate(TokenKind::User);
    let token_hash = token.hash();
    let wish = LogIn { login: login.clone(), one_try, username, device_name, token_hash };
    let Begun { user, session_id, device, is_new } = login.log_in.ask(wish).await?;
    let kind = if is_new { "registration" } else { "login" };
    metrics::counter!("touchline_logins_total", "kind" => kind).increment(1);
    Ok(LoggedIn { user, token, session_id, device, is_new })
}

/// Somebody's wish to be logged in.
pub struct LogIn {
    login: Login,
    one_try: Try,
    username: Option<Username>,
    device_name: Option<String>,
    token_hash: TokenHash,
}

/// A session that has begun.
pub struct Begun {
    user: UserRow,
    session_id: SessionId,
    device: Option<PendingDevice>,
    is_new: bool,
}

impl Wish for LogIn {
    type Granted = Begun;
    const WRITES: bool = true;

    fn turn(&self) -> Option<u64> {
        Some(turn_of(&self.one_try.phone))
    }

    fn grant(tx: &mut Tx, wishes: &[Self]) -> Result<Vec<Result<Begun>>> {
        let Some(login) = wishes.first().map(|wish| &wish.login) else { return Ok(Vec::new()) };
        // Users are held before anything of theirs, as everywhere.
        let phones: Vec<&Phone> = wishes.iter().map(|wish| &wish.one_try.phone).collect();
        let known = users::hold_by_phones(tx, &phones)?;
        let all: Vec<&Try> = wishes.iter().map(|wish| &wish.one_try).collect();
        let judged = tries::judge_each(tx, login, &all)?;
        let users = users_of(tx, login, wishes, known, &judged)?;
        // Whose name is taken has not used their code up.
        let counted = users.iter().zip(all).zip(judged).filter(|((user, _), _)| !is_refused(user));
        let counted = counted.map(|((_, one), judged)| (one, judged)).collect();
        let mut outcomes = tries::count_each(tx, login, counted)?.into_iter();
        let mut places = Vec::new();
        let mut entered: Vec<Result<(UserRow, bool)>> = Vec::with_capacity(wishes.len());
        for user in users {
            entered.push(match user {
                Some(Err(error)) => Err(error),
                user => match outcomes.next().unwrap_or_else(|| Err(no_outcome())) {
                    Err(error) => Err(error),
                    Ok(sends) => {
                        places.push(sends);
                        enter(user, tx.now())
                    }
                },
            });
        }
        let begun = begin_each(tx, login, wishes, entered)?;
        give_places_back(tx, login, &places)?;
        Ok(begun)
    }
}

/// Who logs in: a known user, or one who is registered now; nobody where the code is not right.
type Entrant = Option<Result<(UserRow, bool)>>;

fn is_refused(entrant: &Entrant) -> bool {
    matches!(entrant, Some(Err(_)))
}

fn no_outcome() -> Error {
    Error::internal("each login has an outcome")
}

/// A banned user has used their code up all the same.
fn enter(entrant: Entrant, now: Timestamp) -> Result<(UserRow, bool)> {
    let (user, is_new) = entrant.unwrap_or_else(|| Err(no_outcome()))?;
    if user.is_banned(now) { Err(sessions::banned()) } else { Ok((user, is_new)) }
}

fn users_of(
    tx: &mut Tx,
    login: &Login,
    wishes: &[LogIn],
    known: Vec<Option<UserRow>>,
    judged: &[Judged],
) -> Result<Vec<Entrant>> {
    let is_right = |judged: &Judged| matches!(judged, Judged::Right(_));
    let new: Vec<(&Phone, Option<&Username>)> = wishes
        .iter()
        .zip(known.iter().zip(judged))
        .filter(|(_, (known, judged))| known.is_none() && is_right(judged))
        .map(|(wish, _)| (&wish.one_try.phone, wish.username.as_ref()))
        .collect();
    let registered =
        if new.is_empty() { Vec::new() } else { users::register_each(tx, &login.keys, &new)? };
    let mut registered = registered.into_iter();
    let entrant = |(known, judged): (Option<UserRow>, &Judged)| match known {
        _ if !is_right(judged) => None,
        Some(user) => Some(Ok((user, false))),
        None => registered.next(),
    };
    Ok(known.into_iter().zip(judged).map(entrant).collect())
}

/// Begins a session with a device for each who has entered.
fn begin_each(
    tx: &mut Tx,
    login: &Login,
    wishes: &[LogIn],
    entered: Vec<Result<(UserRow, bool)>>,
) -> Result<Vec<Result<Begun>>> {
    let inside: Vec<(&LogIn, &UserRow, bool)> = wishes
        .iter()
        .zip(&entered)
        .filter_map(|(wish, entered)| {
            entered.as_ref().ok().map(|(user, is_new)| (wish, user, *is_new))
        })
        .collect();
    let new: Vec<(UserId, Option<&Phone>)> = inside
        .iter()
        .filter(|(_, _, is_new)| *is_new)
        .map(|(wish, user, _)| (user.id, Some(&wish.one_try.phone)))
        .collect();
    if !new.is_empty() {
        coins::open_accounts(tx, &login.keys, &login.config.coins, &new)?;
    }
    let rows: Vec<_> = inside
        .iter()
        .map(|(wish, user, _)| (user.id, &wish.token_hash, wish.device_name.as_deref()))
        .collect();
    let begun = if rows.is_empty() {
        BTreeMap::new()
    } else {
        sessions::begin_each(tx, &login.config.sessions, &rows)?
    };
    let session_of = |user: &UserRow| begun.get(&user.id).copied().ok_or_else(no_outcome);
    let sessions: Vec<(&UserRow, SessionId, bool)> = inside
        .iter()
        .map(|(_, user, is_new)| Ok((*user, session_of(user)?, *is_new)))
        .collect::<Result<_>>()?;
    let devices = if sessions.is_empty() {
        Vec::new()
    } else {
        chat::begin_devices(tx, &login.chat, &sessions)?
    };
    let mut devices = devices.into_iter();
    let view = |entered: Result<(UserRow, bool)>| {
        let (user, is_new) = entered?;
        let (session_id, device) = (session_of(&user)?, devices.next().flatten());
        Ok(Begun { user, session_id, device, is_new })
    };
    Ok(entered.into_iter().map(view).collect())
}
