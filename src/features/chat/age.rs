//! Whether the embedded homeserver's data and the rest are of one age. After a copy was brought back, either may be older.
//!
//! The homeserver numbers what happens and notes up to where the service has taken it in. The service notes the same, in the transaction
//! that takes it in. So the homeserver never notes more than the service does, and the service no more than the homeserver has, unless one
//! of the two is a copy from before.

use crate::adapters::matrix::{Homeserver, Progress};
use crate::features::chat::Chat;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};

use super::account_store::State;
use super::{account_store, accounts, age_store as store, resync};

const ACCOUNTS_AT_ONCE: i64 = 250;
/// More than happens in chat between a backup and the day on which it is needed. Apps remember positions up to which they have heard, and would
/// hear nothing new before these were passed again.
const FAR_AHEAD: i64 = 1_000_000_000;

#[derive(Debug, PartialEq, Eq)]
enum Age {
    Unknown,
    Same,
    Older,
    Newer,
}

/// How old chat is, measured by the rest.
fn judge(taken: Option<i64>, chat: Progress) -> Age {
    match taken {
        None => Age::Unknown,
        Some(taken) if taken > chat.position => Age::Older,
        Some(taken) if taken < chat.pushed => Age::Newer,
        Some(_) => Age::Same,
    }
}

/// Compares the two before either is used, and has what differs mended: nothing is asked of people but to wait for the job.
pub async fn compare(chat: &Chat, homeserver: &Homeserver) -> Result<()> {
    let progress = homeserver.progress().await.map_err(Error::internal)?;
    let taken = chat.db.read(store::find).await?;
    match judge(taken, progress) {
        Age::Same => {}
        Age::Unknown => {
            chat.db.write(move |tx| store::upsert(tx, progress.pushed)).await?;
        }
        Age::Older => {
            tracing::warn!(
                "chat is older than the database, or both were restored: what chat does not have is made anew, and what was said since is lost"
            );
            // Asked for first: with its positions ahead again chat no longer looks older.
            chat.db.write(resync::rebuild_later).await?;
            let ahead = taken.unwrap_or_default();
            homeserver.skip_to(ahead).await.map_err(Error::internal)?;
        }
        Age::Newer => {
            tracing::warn!(
                "the database is older than chat: rooms and members are read back from chat, and accounts of users who are not known here are closed"
            );
            disown_strangers(chat, homeserver).await?;
            let renew = move |tx: &mut Tx| {
                resync::rebuild_later(tx)?;
                store::upsert(tx, progress.pushed)
            };
            chat.db.write(renew).await?;
        }
    }
    Ok(())
}

/// Whoever registered after the copy was made is not known here; their accounts would keep their names from whoever comes again.
async fn disown_strangers(chat: &Chat, homeserver: &Homeserver) -> Result<()> {
    let mut after = String::new();
    loop {
        let listed = homeserver.list_accounts(&after, ACCOUNTS_AT_ONCE).await;
        let listed = listed.map_err(Error::internal)?;
        let Some(last) = listed.last() else { return Ok(()) };
        after.clone_from(last);
        let disown = move |tx: &mut Tx| {
            for matrix_id in &listed {
                let name = accounts::parse(matrix_id)?.localpart().to_owned();
                // Known ones stay as they are.
                if store_stranger(tx, matrix_id, &name)? {
                    accounts::want(tx, matrix_id)?;
                }
            }
            Ok(())
        };
        chat.db.write(disown).await?;
    }
}

/// An account of nobody is closed as soon as somebody looks at it.
fn store_stranger(tx: &mut Tx, matrix_id: &str, name: &str) -> Result<bool> {
    if account_store::insert(tx, matrix_id, name, None)? == 0 {
        return Ok(false);
    }
    account_store::update_state(tx, &[matrix_id], State::Ready)?;
    Ok(true)
}

/// A backup was brought back: at the next start chat is taken for older, and its positions go on far ahead of those that apps know.
pub fn restored(tx: &mut Tx) -> Result<()> {
    let taken = store::find(tx)?.unwrap_or_default();
    store::upsert(tx, taken + FAR_AHEAD).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chat_is_older_if_it_lacks_what_was_taken_in_and_newer_if_what_it_told_was_not() {
        let chat = Progress { position: 10, pushed: 8 };
        let ages =
            [None, Some(7), Some(8), Some(9), Some(10), Some(11)].map(|taken| judge(taken, chat));
        assert_eq!(ages, [Age::Unknown, Age::Newer, Age::Same, Age::Same, Age::Same, Age::Older]);
    }
}
