//! An account as a whole, read by one statement: it is what apps ask for first, and a second statement costs as much as the first.

use crate::features::teams::{BriefTeamRow, TeamId};
use crate::features::users::{UserId, UserRow};
use crate::platform::db::{Tx, params, row};
use crate::platform::error::{Error, Result};

row! {
    /// A user and one of the teams that they follow, if there is any.
    pub struct AccountRow {
        /// Who asked.
        pub position: i64,
        pub user: UserRow,
        slot: Option<i64>,
        team_id: Option<TeamId>,
        team_name: Option<String>,
        team_logo: Option<String>,
    }
}

impl AccountRow {
    pub fn favourite(&mut self) -> Option<(i64, BriefTeamRow)> {
        let (id, name) = (self.team_id?, self.team_name.take()?);
        Some((self.slot?, BriefTeamRow { id, name, logo: self.team_logo.take() }))
    }
}

/// Those of these users who are there, each with their position among them, once for each of their teams by their slots. Teams are
/// looked up instead of joined: while few have any, PostgreSQL would make a table of them for every user.
pub fn list(tx: &mut Tx, ids: &[UserId]) -> Result<Vec<AccountRow>> {
    let ids = serde_json::to_string(ids).map_err(Error::internal)?;
    let mut rows: Vec<AccountRow> = tx.all(
        "SELECT asked.key, u.id, u.phone, u.username, u.username_generated, u.name, u.email, u.date_of_birth, u.language,
                u.created_at, u.banned_at, u.banned_until, f.slot, f.team_id,
                CASE WHEN f.team_id IS NOT NULL THEN (SELECT t.name FROM teams t WHERE t.id = f.team_id) END,
                CASE WHEN f.team_id IS NOT NULL THEN (SELECT t.logo FROM teams t WHERE t.id = f.team_id) END
         FROM json_each($1) asked JOIN users u ON u.id = CAST(asked.value AS BIGINT)
         LEFT JOIN favourite_teams f ON f.user_id = u.id
         WHERE u.deleted_at IS NULL",
        params![ids],
    )?;
    rows.sort_by_key(|row| row.slot);
    Ok(rows)
}
