//! How far the stream has come, for whoever embeds this and keeps something beside it.

use rusqlite::Connection;

use crate::Homeserver;
use crate::error::OpenError;
use crate::store::{Turn, Tx, find, list, tuple};

/// How far the stream has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The last position that was given.
    pub position: i64,
    /// The last one that the application service has acknowledged.
    pub pushed: i64,
}

impl Homeserver {
    pub async fn progress(&self) -> Result<Progress, OpenError> {
        let read = |conn: &Connection| {
            let found = find(conn, "SELECT position, pushed FROM stream", [], tuple::<(i64, i64)>)?;
            let (position, pushed) = found.unwrap_or_default();
            Ok(Progress { position, pushed })
        };
        self.hs.store.read_in(Turn::Service, read).await.map_err(OpenError::of_work)
    }

    /// Gives only positions behind this one from now on: clients may know those before it.
    pub async fn skip_to(&self, position: i64) -> Result<(), OpenError> {
        let skip = move |tx: &mut Tx<'_>| {
            tx.skip_to(position);
            Ok(())
        };
        self.hs.store.write_in(Turn::Service, skip).await.map_err(OpenError::of_work)
    }

    /// Accounts that are not closed, by their ids, those behind this one.
    pub async fn list_accounts(&self, after: &str, most: i64) -> Result<Vec<String>, OpenError> {
        let after = after.to_owned();
        let read = move |conn: &Connection| {
            let sql =
                "SELECT user FROM users WHERE user > ?1 AND deactivated = 0 ORDER BY user LIMIT ?2";
            list(conn, sql, (&after, most), |row| row.get(0))
        };
        self.hs.store.read_in(Turn::Service, read).await.map_err(OpenError::of_work)
    }
}
