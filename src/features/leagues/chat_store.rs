//! The `league_chat_moves` table, and what leagues know of their chat rooms.

use crate::features::users::UserId;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::Result;

use super::values::{LeagueId, LeagueName};

row! {
    pub struct ChatRow {
        pub name: LeagueName,
        pub has_chat: bool,
        pub chat_room_id: Option<String>,
    }
}

pub fn find(tx: &mut Tx, id: LeagueId) -> Result<Option<ChatRow>> {
    tx.opt("SELECT name, has_chat, chat_room_id FROM leagues WHERE id = $1", params![id])
}

pub fn update_has_chat(tx: &mut Tx, id: LeagueId, has_chat: bool) -> Result<u64> {
    tx.exec("UPDATE leagues SET has_chat = $2 WHERE id = $1", params![id, has_chat])
}

pub fn update_room(tx: &mut Tx, id: LeagueId, room_id: &str) -> Result<u64> {
    tx.exec("UPDATE leagues SET chat_room_id = $2 WHERE id = $1", params![id, room_id])
}

/// Leagues that are to have a room and have none, or one that is no more.
pub fn list_roomless(tx: &mut Tx, most: i64) -> Result<Vec<LeagueId>> {
    tx.all(
        "SELECT l.id FROM leagues l LEFT JOIN chat_rooms r ON r.room_id = l.chat_room_id
         WHERE l.has_chat = 1 AND r.room_id IS NULL ORDER BY l.id LIMIT $1",
        params![most],
    )
}

pub fn upsert_move(tx: &mut Tx, league: LeagueId, user: UserId, is_in: bool) -> Result<u64> {
    tx.exec(
        "INSERT INTO league_chat_moves (league_id, user_id, is_in) VALUES ($1, $2, $3)
         ON CONFLICT (league_id, user_id) DO UPDATE SET is_in = excluded.is_in",
        params![league, user, is_in],
    )
}

/// The same for all members.
pub fn upsert_all_moves(tx: &mut Tx, league: LeagueId, is_in: bool) -> Result<u64> {
    tx.exec(
        "INSERT INTO league_chat_moves (league_id, user_id, is_in) SELECT league_id, user_id, $2 FROM league_members WHERE league_id = $1
         ON CONFLICT (league_id, user_id) DO UPDATE SET is_in = excluded.is_in",
        params![league, is_in],
    )
}

/// The next moves after this user's, at most so many.
pub fn list_moves(
    tx: &mut Tx,
    league: LeagueId,
    after: UserId,
    most: i64,
) -> Result<Vec<(UserId, bool)>> {
    tx.all(
        "SELECT user_id, is_in FROM league_chat_moves WHERE league_id = $1 AND user_id > $2 ORDER BY user_id LIMIT $3",
        params![league, after, most],
    )
}

/// Unless it is to be the other way round by now.
pub fn delete_move(tx: &mut Tx, league: LeagueId, user: UserId, is_in: bool) -> Result<u64> {
    tx.exec(
        "DELETE FROM league_chat_moves WHERE league_id = $1 AND user_id = $2 AND is_in = $3",
        params![league, user, is_in],
    )
}

pub fn delete_moves_of(tx: &mut Tx, user: UserId) -> Result<u64> {
    tx.exec("DELETE FROM league_chat_moves WHERE user_id = $1", params![user])
}
