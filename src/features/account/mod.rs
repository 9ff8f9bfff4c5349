//! A whole account at once: what shows, changes, ends or takes away more than one feature's part of it.
//!
//! Owns: the order in which features hand out, change or forget what they know of a user.
//! Invariants: each is one transaction; a feature that stores something about users is listed in [`export`] and [`delete`].
//! Never: changes a table itself.

pub mod profile_routes;
pub mod routes;
mod store;

use serde_json::json;

use crate::extends_core;
use crate::features::chat::Chat;
use crate::features::leaderboards::{self, StandingRow};
use crate::features::sessions::{SessionId, User};
use crate::features::teams::{BriefTeamRow, Favourites};
use crate::features::users::{Ban, Hold, ProfileChange, UserId, UserRow};
use crate::features::{
    chat, chat_login, coins, leagues, login, predictions, push, questions, sessions, teams,
    user_notes, users,
};
use crate::platform::core::Core;
use crate::platform::db::{Shared, Tx, Wish};
use crate::platform::error::{Error, Result};
use crate::platform::idempotency;
use crate::platform::jobs::{self, Next, Stop, job};

/// Accounts, which very many look at in the same moment, each at their own.
#[derive(Clone)]
pub struct Accounts {
    core: Core,
    show: Shared<ShowAccount>,
}

extends_core!(Accounts);

impl Accounts {
    pub fn new(core: &Core) -> Self {
        Self { core: core.clone(), show: Shared::new(&core.db) }
    }
}

/// An account as its user sees it.
struct ShowAccount(UserId);

impl Wish for ShowAccount {
    type Granted = (UserRow, Favourites);
    const WRITES: bool = false;

    fn grant(tx: &mut Tx, wishes: &[Self]) -> Result<Vec<Result<Self::Granted>>> {
        let ids: Vec<UserId> = wishes.iter().map(|Self(id)| *id).collect();
        let mut found: Vec<Result<Self::Granted>> =
            ids.iter().map(|_| Err(not_found!("user"))).collect();
        for mut row in store::list(tx, &ids)? {
            let place = usize::try_from(row.position).ok().and_then(|at| found.get_mut(at));
            let Some(account) = place else { continue };
            let favourite = row.favourite();
            if account.is_err() {
                *account = Ok((row.user, Favourites::default()));
            }
            if let (Ok((_, favourites)), Some((slot, team))) = (account, favourite) {
                favourites.add(slot, team);
            }
        }
        Ok(found)
    }
}

/// What others may know of a user.
pub struct PublicProfile {
    pub user: UserRow,
    pub primary_team: Option<BriefTeamRow>,
    /// Their rank among all, and what their settled predictions add up to; nothing before the first.
    pub place: Option<(i64, StandingRow)>,
}

/// Somebody who is banned is shown too, as on the leaderboards: they are shut out, and what they did stays.
pub fn public_profile(tx: &mut Tx, id: UserId) -> Result<PublicProfile> {
    Ok(PublicProfile {
        user: users::get(tx, id)?,
        primary_team: teams::favourites(tx, id)?.primary,
        place: leaderboards::overall_place(tx, id)?,
    })
}

/// Everything the service holds about a user.
pub fn export(tx: &mut Tx, id: UserId) -> Result<serde_json::Value> {
    let user = users::get(tx, id)?;
    Ok(json!({
        "user": users::export(tx, id)?,
        "sessions": sessions::export(tx, id)?,
        "coins": coins::export(tx, id)?,
        "sms_messages": login::export(tx, &user)?,
        "teams": teams::export(tx, id)?,
        "chat": chat::export(tx, id)?,
        "predictions": predictions::export(tx, id)?,
        "leagues": leagues::export(tx, id)?,
        "tips": questions::export(tx, id)?,
        "push": push::export(tx, id)?,
        "notes": user_notes::export(tx, id)?,
    }))
}

/// Ends an account: frees the phone, revokes every token, forgets all personal data.
pub fn delete(tx: &mut Tx, core: &Core, id: UserId) -> Result<()> {
    let user = users::get_held(tx, id, Hold::Change)?;
    let ended = sessions::revoke_all(tx, id, None)?;
    chat::sessions_ended(tx, &ended)?;
    login::forget(tx, &user)?;
    chat_login::forget(tx, id)?;
    user_notes::forget(tx, id)?;
    teams::forget(tx, id)?;
    leagues::forget(tx, id)?;
    push::forget(tx, id)?;
    chat::forget(tx, id)?;
    coins::forget(tx, &core.keys, &core.config.coins, &user)?;
    idempotency::forget_user(tx, id)?;
    users::forget(tx, &core.keys, &user)
}

/// Changes a profile, all of it or nothing, and lets the chat network follow. Answers the user and whether the username changed.
pub fn update_profile(
    tx: &mut Tx,
    chat: &Chat,
    caller: User,
    change: &ProfileChange,
) -> Result<(UserRow, bool)> {
    let years = chat.config.login.minimum_age_years;
    let (user, is_renamed) = users::update_profile(tx, &chat.keys, caller.id, change, years)?;
    sessions::confirm(tx, caller)?;
    if change.language.is_some() {
        // Which goes by what is known of the session.
        sessions::standing_changes(tx);
    }
    if is_renamed || change.name.is_some() {
        chat::profile_changed(tx, chat, &user)?;
    }
    Ok((user, is_renamed))
}

/// Shuts a user out: their tokens stay, and every call with them is refused until the ban ends.
pub fn ban(tx: &mut Tx, id: UserId, ban: &Ban<'_>) -> Result<()> {
    if ban.until.is_some_and(|end| end <= tx.now()) {
        return Err(Error::invalid("until", text!("Must be in the future.")));
    }
    sessions::standing_changes(tx);
    users::ban(tx, id, ban)?;
    chat::standing_changed(tx, id)?;
    match ban.until {
        Some(end) => jobs::ask_at(tx, &EndBan { user_id: id }, end),
        None => Ok(()),
    }
}

job! {
    /// Takes a ban off that is over, so that the chat network lets the user in again. The service itself goes by the time.
    pub struct EndBan { user_id: UserId }
    kind: "end_ban", lane: Local, key: user_id.0, run: end_ban(Core)
}

async fn end_ban(job: EndBan, core: Core, _: Stop) -> Result<Next> {
    let end = move |tx: &mut Tx| {
        let Some(user) = users::hold(tx, &[job.user_id], Hold::Change)?.pop() else {
            return Ok(());
        };
        // Meanwhile it may have been ended by hand, or made longer.
        let is_over = user.banned_at.is_some() && !user.is_banned(tx.now());
        if is_over { unban(tx, user.id) } else { Ok(()) }
    };
    core.db.write(end).await?;
    Ok(Next::Done)
}

pub fn unban(tx: &mut Tx, id: UserId) -> Result<()> {
    sessions::standing_changes(tx);
    users::unban(tx, id)?;
    chat::standing_changed(tx, id)
}

/// Ends a session of a user, and its device on the chat network.
pub fn end_session(tx: &mut Tx, user: UserId, session: SessionId) -> Result<()> {
    let ended = sessions::revoke(tx, user, session)?;
    chat::sessions_ended(tx, &ended)
}

/// Ends all sessions of a user but the one that asks for it, those included that are about to begin.
pub fn end_other_sessions(tx: &mut Tx, user: User) -> Result<()> {
    let ended = sessions::revoke_all(tx, user.id, Some(user.session_id))?;
    chat_login::forget(tx, user.id)?;
    chat::sessions_ended(tx, &ended)
}
