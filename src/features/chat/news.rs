//! What others do to users in rooms, told to those users alone.

use crate::features::users::UserId;
use crate::platform::db::Tx;
use crate::platform::error::Result;

use super::member_store::Membership;
use super::membership::Turned;
use super::news_store::{self, Change};
use super::{account_store, addressed};

/// A member became something else to a room. Told to whom it was done, unless they did it themselves, under whichever name.
pub fn member_changed(tx: &mut Tx, turned: Turned<'_>, before: Option<Membership>) -> Result<()> {
    let Turned { room_id, matrix_id: member, by, after, at } = turned;
    let Some(change) = change(before, after) else { return Ok(()) };
    let Some(user) = user_of(tx, member)? else { return Ok(()) };
    let by = user_of(tx, by)?;
    if by == Some(user) {
        return Ok(());
    }
    if let (Change::Invited, Some(by)) = (change, by) {
        // The service told of it when it made it, and the network tells of it a moment later. If it has been taken up or refused by
        // then, it looks like another one.
        if news_store::is_last_invited(tx, user, room_id, by, at)? {
            return Ok(());
        }
        let now = tx.now();
        addressed::note_invitation(tx, user, by, room_id, now)?;
    }
    news_store::insert(tx, user, room_id, change, by).map(drop)
}

fn user_of(tx: &mut Tx, matrix_id: &str) -> Result<Option<UserId>> {
    let account = account_store::find(tx, matrix_id)?;
    Ok(account.and_then(|account| account.user_id))
}

fn change(before: Option<Membership>, after: Option<Membership>) -> Option<Change> {
    use Membership::{Ban, Invite, Join};
    match (before, after) {
        (_, Some(Invite)) => Some(Change::Invited),
        (Some(Join | Invite), None | Some(Ban)) => Some(Change::Removed),
        _ => None,
    }
}
