//! The `leagues`, `league_tournaments`, `league_members` and `league_exclusions` tables.

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::events::TournamentId;
use crate::features::users::{BriefUserView, UserId};
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::{Error, Result};
use crate::platform::http::page::Page;

use super::values::{Code, LeagueId, LeagueName, LeagueScoring, LeagueSearch, Role};

row! {
    #[derive(Debug, Clone)]
    pub struct LeagueRow {
        pub id: LeagueId,
        pub name: LeagueName,
        pub is_public: bool,
        pub code: String,
        pub scoring: LeagueScoring,
        pub starts_at: Timestamp,
        pub member_count: i64,
        pub created_at: Timestamp,
        pub closed_at: Option<Timestamp>,
        pub has_chat: bool,
        pub chat_room_id: Option<String>,
    }
}

/// What a league is to be.
#[derive(Debug, Clone)]
pub struct Terms<'a> {
    pub name: &'a LeagueName,
    pub is_public: bool,
    pub scoring: LeagueScoring,
    pub starts_at: Timestamp,
    pub has_chat: bool,
}

macro_rules! select_leagues {
    ($rest:literal) => {
        concat!(
            "SELECT l.id, l.name, l.is_public, l.code, l.scoring, l.starts_at, l.member_count, l.created_at, l.closed_at,
                    l.has_chat, l.chat_room_id
             FROM leagues l ",
            $rest
        )
    };
}

/// Nothing if the code is another league's.
pub fn insert(tx: &mut Tx, terms: &Terms<'_>, code: &Code) -> Result<Option<LeagueId>> {
    let (now, pays) = (tx.now(), terms.scoring.weights());
    tx.opt(
        "INSERT INTO leagues (name, name_folded, is_public, code, scoring, starts_at, pays_outcome, pays_draw, pays_difference,
                pays_exact, member_count, has_chat, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, 0, $11) ON CONFLICT (code) DO NOTHING RETURNING id",
        params![
            terms.name,
            terms.name.folded(),
            terms.is_public,
            code,
            terms.scoring,
            terms.starts_at,
            pays.map(|pays| pays.outcome),
            pays.map(|pays| pays.draw),
            pays.map(|pays| pays.difference),
            pays.map(|pays| pays.exact),
            now
        ],
    )
}

pub fn update(tx: &mut Tx, id: LeagueId, terms: &Terms<'_>) -> Result<u64> {
    let pays = terms.scoring.weights();
    tx.exec(
        "UPDATE leagues SET name = $2, name_folded = $3, is_public = $4, scoring = $5, starts_at = $6, pays_outcome = $7,
                pays_draw = $8, pays_difference = $9, pays_exact = $10 WHERE id = $1",
        params![
            id,
            terms.name,
            terms.name.folded(),
            terms.is_public,
            terms.scoring,
            terms.starts_at,
            pays.map(|pays| pays.outcome),
            pays.map(|pays| pays.draw),
            pays.map(|pays| pays.difference),
            pays.map(|pays| pays.exact)
        ],
    )
}

/// False if the code is another league's.
pub fn update_code(tx: &mut Tx, id: LeagueId, code: &Code) -> Result<bool> {
    let updated = tx.exec(
        "UPDATE leagues SET code = $2 WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM leagues WHERE code = $2)",
        params![id, code],
    )?;
    Ok(updated == 1)
}

pub fn update_closed(tx: &mut Tx, id: LeagueId) -> Result<u64> {
    let now = tx.now();
    tx.exec(
        "UPDATE leagues SET closed_at = $2 WHERE id = $1 AND closed_at IS NULL",
        params![id, now],
    )
}

pub fn find(tx: &mut Tx, id: LeagueId) -> Result<Option<LeagueRow>> {
    tx.opt(select_leagues!("WHERE l.id = $1"), params![id])
}

/// Holds the league until the end of the transaction.
pub fn hold(tx: &mut Tx, id: LeagueId) -> Result<Option<LeagueRow>> {
    tx.opt(select_leagues!("WHERE l.id = $1 FOR UPDATE"), params![id])
}

pub fn find_by_code(tx: &mut Tx, code: &Code) -> Result<Option<LeagueRow>> {
    tx.opt(select_leagues!("WHERE l.code = $1 AND l.closed_at IS NULL"), params![code])
}

/// A page of the leagues that somebody is in, those they joined last first, and how many there are.
pub fn list_of(tx: &mut Tx, user: UserId, page: Page) -> Result<(Vec<LeagueRow>, i64)> {
    let rows = tx.all(
        select_leagues!(
            "JOIN league_members m ON m.league_id = l.id WHERE m.user_id = $1
             ORDER BY m.joined_at DESC, l.id DESC LIMIT $2 OFFSET $3"
        ),
        params![user, page.per_page, page.offset()],
    )?;
    let total = tx.one("SELECT count(*) FROM league_members WHERE user_id = $1", params![user])?;
    Ok((rows, total))
}

/// A page of the leagues that anybody may join, the largest first, and how many there are.
pub fn list_public(
    tx: &mut Tx,
    search: Option<&LeagueSearch>,
    page: Page,
) -> Result<(Vec<LeagueRow>, i64)> {
    let pattern = search.map(LeagueSearch::pattern);
    let rows = tx.all(
        select_leagues!(
            "WHERE l.is_public = 1 AND l.closed_at IS NULL
               AND (CAST($1 AS TEXT) IS NULL OR l.name_folded LIKE $1 ESCAPE '\\')
             ORDER BY l.member_count DESC, l.id LIMIT $2 OFFSET $3"
        ),
        params![pattern, page.per_page, page.offset()],
    )?;
    let total = tx.one(
        "SELECT count(*) FROM leagues l WHERE l.is_public = 1 AND l.closed_at IS NULL
           AND (CAST($1 AS TEXT) IS NULL OR l.name_folded LIKE $1 ESCAPE '\\')",
        params![pattern],
    )?;
    Ok((rows, total))
}

#[derive(Debug)]
pub struct FoundLeagueRow {
    pub league: LeagueRow,
    pub owner: Option<BriefUserView>,
}

/// A page of all leagues, the largest first, and how many there are.
pub fn search(
    tx: &mut Tx,
    search: Option<&LeagueSearch>,
    only_open: bool,
    page: Page,
) -> Result<(Vec<FoundLeagueRow>, i64)> {
    let pattern = search.map(LeagueSearch::pattern);
    let mut found = Vec::new();
    for league in tx.all::<LeagueRow>(
        select_leagues!(
            "WHERE (CAST($1 AS TEXT) IS NULL OR l.name_folded LIKE $1 ESCAPE '\\') AND ($2 = 0 OR l.closed_at IS NULL)
             ORDER BY l.member_count DESC, l.id LIMIT $3 OFFSET $4"
        ),
        params![pattern, only_open, page.per_page, page.offset()],
    )? {
        let owner = tx.opt(
            "SELECT u.id, u.username, u.name FROM league_members m JOIN users u ON u.id = m.user_id
             WHERE m.league_id = $1 AND m.role = 'owner'",
            params![league.id],
        )?;
        found.push(FoundLeagueRow { league, owner });
    }
    let total = tx.one(
        "SELECT count(*) FROM leagues l
         WHERE (CAST($1 AS TEXT) IS NULL OR l.name_folded LIKE $1 ESCAPE '\\') AND ($2 = 0 OR l.closed_at IS NULL)",
        params![pattern, only_open],
    )?;
    Ok((found, total))
}

pub fn update_name(tx: &mut Tx, id: LeagueId, name: &LeagueName) -> Result<u64> {
    tx.exec(
        "UPDATE leagues SET name = $2, name_folded = $3 WHERE id = $1",
        params![id, name, name.folded()],
    )
}

row! {
    #[derive(Debug, Clone, Serialize, ToSchema)]
    pub struct LeagueTournamentView {
        pub id: TournamentId,
        #[schema(example = "Premier Division")]
        name: String,
    }
}

/// The tournaments of these leagues, by name.
pub fn list_tournaments(
    tx: &mut Tx,
    leagues: &[LeagueId],
) -> Result<Vec<(LeagueId, LeagueTournamentView)>> {
    let leagues = serde_json::to_string(leagues).map_err(Error::internal)?;
    tx.all(
        "SELECT l.league_id, t.id, t.name FROM league_tournaments l JOIN tournaments t ON t.id = l.tournament_id
         WHERE l.league_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1)) ORDER BY t.name, t.id",
        params![leagues],
    )
}

pub fn insert_tournaments(tx: &mut Tx, league: LeagueId, ids: &[TournamentId]) -> Result<u64> {
    let ids = serde_json::to_string(ids).map_err(Error::internal)?;
    tx.exec(
        "INSERT INTO league_tournaments (league_id, tournament_id)
         SELECT $1, CAST(value AS BIGINT) FROM json_each($2)",
        params![league, ids],
    )
}

pub fn delete_tournaments(tx: &mut Tx, league: LeagueId) -> Result<u64> {
    tx.exec("DELETE FROM league_tournaments WHERE league_id = $1", params![league])
}

pub fn find_role(tx: &mut Tx, league: LeagueId, user: UserId) -> Result<Option<Role>> {
    tx.opt(
        "SELECT role FROM league_members WHERE league_id = $1 AND user_id = $2",
        params![league, user],
    )
}

/// The roles that somebody has in these leagues.
pub fn list_roles(
    tx: &mut Tx,
    user: UserId,
    leagues: &[LeagueId],
) -> Result<Vec<(LeagueId, Role)>> {
    let leagues = serde_json::to_string(leagues).map_err(Error::internal)?;
    tx.all(
        "SELECT league_id, role FROM league_members
         WHERE user_id = $1 AND league_id IN (SELECT CAST(value AS BIGINT) FROM json_each($2))",
        params![user, leagues],
    )
}

/// Counted with them; the league is held.
pub fn insert_member(tx: &mut Tx, league: LeagueId, user: UserId, role: Role) -> Result<()> {
    let now = tx.now();
    tx.exec(
        "INSERT INTO league_members (league_id, user_id, role, joined_at) VALUES ($1, $2, $3, $4)",
        params![league, user, role, now],
    )?;
    update_member_count(tx, league, 1)
}

pub fn delete_member(tx: &mut Tx, league: LeagueId, user: UserId) -> Result<()> {
    tx.exec(
        "DELETE FROM league_members WHERE league_id = $1 AND user_id = $2",
        params![league, user],
    )?;
    update_member_count(tx, league, -1)
}

fn update_member_count(tx: &mut Tx, league: LeagueId, by: i64) -> Result<()> {
    tx.exec(
        "UPDATE leagues SET member_count = member_count + $2 WHERE id = $1",
        params![league, by],
    )
    .map(drop)
}

pub fn update_role(tx: &mut Tx, league: LeagueId, user: UserId, role: Role) -> Result<u64> {
    tx.exec(
        "UPDATE league_members SET role = $3 WHERE league_id = $1 AND user_id = $2",
        params![league, user, role],
    )
}

row! {
    #[derive(Debug, Serialize, ToSchema)]
    pub struct LeagueMemberView {
        pub user: BriefUserView,
        role: Role,
        #[schema(value_type = String, format = DateTime)]
        joined_at: Timestamp,
    }
}

/// A page of the members: the owner, deputies, then the others as they joined.
pub fn list_members(tx: &mut Tx, league: LeagueId, page: Page) -> Result<Vec<LeagueMemberView>> {
    tx.all(
        "SELECT u.id, u.username, u.name, m.role, m.joined_at FROM league_members m JOIN users u ON u.id = m.user_id
         WHERE m.league_id = $1
         ORDER BY CASE m.role WHEN 'owner' THEN 0 WHEN 'deputy' THEN 1 ELSE 2 END, m.joined_at, m.user_id
         LIMIT $2 OFFSET $3",
        params![league, page.per_page, page.offset()],
    )
}

/// The last of the next members after this one by their ids, at most so many; nothing at the end.
pub fn find_stretch_end(
    tx: &mut Tx,
    league: LeagueId,
    after: UserId,
    most: i64,
) -> Result<Option<UserId>> {
    tx.one(
        "SELECT max(user_id) FROM
           (SELECT user_id FROM league_members WHERE league_id = $1 AND user_id > $2 ORDER BY user_id LIMIT $3) stretch",
        params![league, after, most],
    )
}

/// Who has been there longest: a deputy if there is any.
pub fn find_heir(tx: &mut Tx, league: LeagueId, without: UserId) -> Result<Option<UserId>> {
    tx.opt(
        "SELECT user_id FROM league_members WHERE league_id = $1 AND user_id <> $2
         ORDER BY CASE role WHEN 'deputy' THEN 0 ELSE 1 END, joined_at, user_id LIMIT 1",
        params![league, without],
    )
}

pub fn find_owner(tx: &mut Tx, league: LeagueId) -> Result<Option<UserId>> {
    tx.opt(
        "SELECT user_id FROM league_members WHERE league_id = $1 AND role = 'owner'",
        params![league],
    )
}

/// In how many leagues that are not closed somebody is, and how many of those are theirs.
pub fn count_of(tx: &mut Tx, user: UserId) -> Result<(i64, i64)> {
    tx.one(
        "SELECT count(*), count(*) FILTER (WHERE m.role = 'owner') FROM league_members m JOIN leagues l ON l.id = m.league_id
         WHERE m.user_id = $1 AND l.closed_at IS NULL",
        params![user],
    )
}

pub fn list_league_ids(tx: &mut Tx, user: UserId) -> Result<Vec<LeagueId>> {
    tx.all(
        "SELECT league_id FROM league_members WHERE user_id = $1 ORDER BY league_id",
        params![user],
    )
}

pub fn insert_exclusion(tx: &mut Tx, league: LeagueId, user: UserId) -> Result<u64> {
    let now = tx.now();
    tx.exec(
        "INSERT INTO league_exclusions (league_id, user_id, created_at) VALUES ($1, $2, $3)
         ON CONFLICT (league_id, user_id) DO NOTHING",
        params![league, user, now],
    )
}

pub fn delete_exclusion(tx: &mut Tx, league: LeagueId, user: UserId) -> Result<u64> {
    tx.exec(
        "DELETE FROM league_exclusions WHERE league_id = $1 AND user_id = $2",
        params![league, user],
    )
}

pub fn delete_exclusions_of(tx: &mut Tx, user: UserId) -> Result<u64> {
    tx.exec("DELETE FROM league_exclusions WHERE user_id = $1", params![user])
}

pub fn is_excluded(tx: &mut Tx, league: LeagueId, user: UserId) -> Result<bool> {
    let found: Option<i64> = tx.opt(
        "SELECT 1 FROM league_exclusions WHERE league_id = $1 AND user_id = $2",
        params![league, user],
    )?;
    Ok(found.is_some())
}
