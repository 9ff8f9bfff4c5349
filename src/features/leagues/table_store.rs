//! The `league_standings` table. It is made of the standings of the tournaments' weeks, which are read here: a league of ten thousand is
//! counted without passing through the program. `CROSS JOIN` says to SQLite in which order to go; PostgreSQL finds its own.

use crate::features::events::TournamentId;
use crate::features::leaderboards::{Place, TipStretch};
use crate::features::predictions::Stretch;
use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{ChangeCounter, Tx, params, row};
use crate::platform::error::Result;

use super::values::LeagueId;

/// Counts changes of tables.
pub static TABLES: ChangeCounter = ChangeCounter::new();

/// The week under which stands what members have in all.
pub const IN_ALL: Timestamp = Timestamp::from_millis(0);

/// What the weeks `w` of a league `l` come to for a user, from the standings `s`.
macro_rules! sums {
    () => {
        "CAST(COALESCE(sum(s.settled), 0) AS BIGINT), CAST(COALESCE(sum(s.correct), 0) AS BIGINT),
         CAST(COALESCE(sum(s.exact), 0) AS BIGINT),
         CAST(COALESCE(sum(CASE WHEN l.pays_outcome IS NULL THEN s.points - s.tip_points
                                ELSE l.pays_outcome * (s.correct - s.exact - s.draws - s.differences) + l.pays_draw * s.draws
                                     + l.pays_difference * s.differences + l.pays_exact * s.exact END), 0) AS BIGINT)"
    };
}

macro_rules! upsert {
    ($select:expr) => {
        concat!(
            "INSERT INTO league_standings (league_id, week, user_id, settled, correct, exact, points) ",
            $select,
            " ON CONFLICT (league_id, user_id, week) DO UPDATE
              SET settled = excluded.settled, correct = excluded.correct, exact = excluded.exact, points = excluded.points"
        )
    };
}

/// The same for rows that say by how much it changes.
macro_rules! add {
    () => {
        "ON CONFLICT (league_id, user_id, week) DO UPDATE
         SET settled = league_standings.settled + excluded.settled, correct = league_standings.correct + excluded.correct,
             exact = league_standings.exact + excluded.exact, points = league_standings.points + excluded.points"
    };
}

/// What the week $5 comes to, as `new`, for those who made the predictions of a stretch, in every league that the tournament $4 counts in. Whose
/// leagues those are is found first: PostgreSQL, if it knows little of young leagues, would go through all of them.
macro_rules! week_of_stretch {
    () => {
        concat!(
            "WITH place (league_id, user_id) AS MATERIALIZED
               (SELECT m.league_id, m.user_id FROM predictions p CROSS JOIN league_members m
                WHERE p.event_id = $1 AND p.id > $2 AND p.id <= $3 AND m.user_id = p.user_id),
             new (league_id, user_id, settled, correct, exact, points) AS
               (SELECT l.id, place.user_id, ", sums!(), "
                FROM place CROSS JOIN leagues l CROSS JOIN league_tournaments own CROSS JOIN league_tournaments t CROSS JOIN boards w
                LEFT JOIN standings s ON s.board_id = w.id AND s.user_id = place.user_id
                WHERE l.id = place.league_id AND l.closed_at IS NULL AND l.starts_at <= $5
                  AND own.league_id = l.id AND own.tournament_id = $4
                  AND t.league_id = l.id AND w.tournament_id = t.tournament_id AND w.period = 'week' AND w.starts_at = $5
                GROUP BY l.id, place.user_id) "
        )
    };
}

/// The weeks of a tournament that are among these boards.
pub fn list_weeks_of(
    tx: &mut Tx,
    tournament: TournamentId,
    boards: &str,
) -> Result<Vec<Timestamp>> {
    tx.all(
        "SELECT starts_at FROM boards WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each($2))
           AND tournament_id = $1 AND period = 'week'",
        params![tournament, boards],
    )
}

/// Adds to what members have in all by how much a week is about to change: somebody in many leagues has too many weeks to add them all up.
pub fn add_to_all(
    tx: &mut Tx,
    stretch: Stretch,
    tournament: TournamentId,
    week: Timestamp,
) -> Result<u64> {
    let Stretch { event, after, end } = stretch;
    tx.changes(&TABLES);
    tx.exec(
        concat!(
            week_of_stretch!(),
            "INSERT INTO league_standings (league_id, week, user_id, settled, correct, exact, points)
             SELECT new.league_id, 0, new.user_id, new.settled - COALESCE(old.settled, 0), new.correct - COALESCE(old.correct, 0),
                    new.exact - COALESCE(old.exact, 0), new.points - COALESCE(old.points, 0)
             FROM new LEFT JOIN league_standings old ON old.league_id = new.league_id AND old.user_id = new.user_id AND old.week = $5
             WHERE true ",
            add!()
        ),
        params![event, after, end, tournament, week],
    )
}

/// Reckons that week anew.
pub fn count_week(
    tx: &mut Tx,
    stretch: Stretch,
    tournament: TournamentId,
    week: Timestamp,
) -> Result<u64> {
    let Stretch { event, after, end } = stretch;
    tx.exec(
        concat!(
            week_of_stretch!(),
            upsert!(
                "SELECT league_id, $5, user_id, settled, correct, exact, points FROM new WHERE true"
            )
        ),
        params![event, after, end, tournament, week],
    )
}

/// Whoever has no settled prediction left in the week is not in its table.
pub fn delete_empty_weeks(
    tx: &mut Tx,
    stretch: Stretch,
    week: Timestamp,
    is_counting: bool,
) -> Result<u64> {
    let Stretch { event, after, end } = stretch;
    tx.exec(
        "DELETE FROM league_standings WHERE week = $4 AND settled = 0 AND (league_id, user_id) IN
           (SELECT m.league_id, m.user_id FROM predictions p CROSS JOIN league_members m
            WHERE p.event_id = $1 AND p.id > $2 AND p.id <= $3 AND p.counted_tier IS NOT NULL AND (p.tier IS NULL OR $5 = 0)
              AND m.user_id = p.user_id)",
        params![event, after, end, week, is_counting],
    )
}

/// What the members `m` of leagues `l` have earned by special tips on the league's tournaments since its first week.
macro_rules! tips {
    () => {
        "(SELECT CAST(COALESCE(sum(t.points), 0) AS BIGINT) FROM question_tips t
          JOIN questions q ON q.id = t.question_id AND q.in_leagues = 1 AND q.closes_at >= l.starts_at
          JOIN league_tournaments counted ON counted.league_id = l.id AND counted.tournament_id = q.tournament_id
          WHERE t.user_id = m.user_id)"
    };
}

/// Adds what special tips of a stretch earn otherwise than was counted to what their users have in all, in every league that the tournament
/// counts in.
pub fn add_tips_to_all(tx: &mut Tx, stretch: TipStretch) -> Result<u64> {
    let TipStretch { question, after, end } = stretch;
    tx.changes(&TABLES);
    tx.exec(
        concat!(
            "INSERT INTO league_standings (league_id, week, user_id, settled, correct, exact, points)
             SELECT m.league_id, 0, m.user_id, 0, 0, 0, COALESCE(t.points, 0) - COALESCE(t.counted_points, 0)
             FROM question_tips t CROSS JOIN questions q CROSS JOIN league_members m CROSS JOIN leagues l CROSS JOIN league_tournaments counted
             WHERE t.question_id = $1 AND t.id > $2 AND t.id <= $3 AND t.points IS DISTINCT FROM t.counted_points
               AND q.id = t.question_id AND q.in_leagues = 1 AND m.user_id = t.user_id
               AND l.id = m.league_id AND l.closed_at IS NULL AND q.closes_at >= l.starts_at
               AND counted.league_id = l.id AND counted.tournament_id = q.tournament_id ",
            add!()
        ),
        params![question, after, end],
    )
}

/// Members of one league, by their ids.
#[derive(Debug, Clone, Copy)]
pub struct Members {
    pub league: LeagueId,
    /// The first one is after this, the last one is `end`.
    pub after: UserId,
    pub end: UserId,
}

impl Members {
    pub const fn one(league: LeagueId, user: UserId) -> Self {
        Self { league, after: UserId(user.0 - 1), end: user }
    }
}

/// Reckons what these members have in all, past the weeks: what everybody looks at first.
pub fn recount_in_all(tx: &mut Tx, members: Members) -> Result<u64> {
    let Members { league, after, end } = members;
    tx.changes(&TABLES);
    tx.exec(
        concat!(
            "WITH x (user_id, settled, correct, exact, points) AS
               (SELECT own.user_id, ", sums!(), "
                FROM leagues l CROSS JOIN league_members own CROSS JOIN league_tournaments t CROSS JOIN boards w CROSS JOIN standings s
                WHERE l.id = $1 AND own.league_id = l.id AND own.user_id > $2 AND own.user_id <= $3 AND t.league_id = l.id
                  AND w.tournament_id = t.tournament_id AND w.period = 'week' AND w.starts_at >= l.starts_at
                  AND s.board_id = w.id AND s.user_id = own.user_id
                GROUP BY own.user_id) ",
            upsert!(concat!(
                "SELECT m.league_id, 0, m.user_id, COALESCE(x.settled, 0), COALESCE(x.correct, 0), COALESCE(x.exact, 0),
                        COALESCE(x.points, 0) + ", tips!(), "
                 FROM league_members m JOIN leagues l ON l.id = m.league_id LEFT JOIN x ON x.user_id = m.user_id
                 WHERE m.league_id = $1 AND m.user_id > $2 AND m.user_id <= $3"
            ))
        ),
        params![league, after, end],
    )
}

/// Reckons all weeks of these members anew, and what they have in all. Weeks are told from the sum by `<>`: PostgreSQL, whose figures of a
/// table are older than what was just written, would take `>` for a way to find a few of them.
pub fn recount(tx: &mut Tx, members: Members) -> Result<()> {
    let Members { league, after, end } = members;
    tx.changes(&TABLES);
    tx.exec(
        "DELETE FROM league_standings WHERE league_id = $1 AND user_id > $2 AND user_id <= $3 AND week <> 0",
        params![league, after, end],
    )?;
    tx.exec(
        concat!(
            "INSERT INTO league_standings (league_id, week, user_id, settled, correct, exact, points)
             SELECT l.id, w.starts_at, s.user_id, ", sums!(), "
             FROM leagues l CROSS JOIN league_tournaments t CROSS JOIN boards w CROSS JOIN league_members m CROSS JOIN standings s
             WHERE l.id = $1 AND t.league_id = l.id
               AND w.tournament_id = t.tournament_id AND w.period = 'week' AND w.starts_at >= l.starts_at
               AND m.league_id = l.id AND m.user_id > $2 AND m.user_id <= $3
               AND s.board_id = w.id AND s.user_id = m.user_id AND s.settled <> 0
             GROUP BY l.id, w.starts_at, s.user_id"
        ),
        params![league, after, end],
    )?;
    tx.exec(
        upsert!(concat!(
            "SELECT m.league_id, 0, m.user_id, CAST(COALESCE(sum(s.settled), 0) AS BIGINT),
                    CAST(COALESCE(sum(s.correct), 0) AS BIGINT), CAST(COALESCE(sum(s.exact), 0) AS BIGINT),
                    CAST(COALESCE(sum(s.points), 0) AS BIGINT) + ", tips!(), "
             FROM league_members m JOIN leagues l ON l.id = m.league_id
             LEFT JOIN league_standings s ON s.league_id = m.league_id AND s.user_id = m.user_id AND s.week <> 0
             WHERE m.league_id = $1 AND m.user_id > $2 AND m.user_id <= $3
             GROUP BY l.id, m.league_id, m.user_id"
        )),
        params![league, after, end],
    )
    .map(drop)
}

pub fn delete_of(tx: &mut Tx, league: LeagueId, user: UserId) -> Result<u64> {
    tx.changes(&TABLES);
    tx.exec(
        "DELETE FROM league_standings WHERE league_id = $1 AND user_id = $2",
        params![league, user],
    )
}

row! {
    #[derive(Debug, Clone, Copy)]
    pub struct OwnRow {
        pub points: i64,
        pub exact: i64,
    }
}

pub fn find_own(
    tx: &mut Tx,
    league: LeagueId,
    week: Timestamp,
    user: UserId,
) -> Result<Option<OwnRow>> {
    tx.opt(
        "SELECT points, exact FROM league_standings WHERE league_id = $1 AND week = $2 AND user_id = $3",
        params![league, week, user],
    )
}

/// How many have so many points, most points first.
pub fn list_counts(tx: &mut Tx, league: LeagueId, week: Timestamp) -> Result<Vec<(i64, i64)>> {
    tx.all(
        "SELECT points, count(*) FROM league_standings WHERE league_id = $1 AND week = $2 GROUP BY points ORDER BY points DESC",
        params![league, week],
    )
}

/// How many with the same points stand before somebody.
pub fn count_before(
    tx: &mut Tx,
    league: LeagueId,
    week: Timestamp,
    user: UserId,
    own: OwnRow,
) -> Result<i64> {
    tx.one(
        "SELECT count(*) FROM league_standings
         WHERE league_id = $1 AND week = $2 AND points = $3 AND (exact > $4 OR (exact = $4 AND user_id < $5))",
        params![league, week, own.points, own.exact, user],
    )
}

/// Those with at most so many points, in the order of the table.
pub fn list_places(
    tx: &mut Tx,
    league: LeagueId,
    week: Timestamp,
    most: i64,
    limit: i64,
    offset: i64,
) -> Result<Vec<Place>> {
    tx.all(
        "SELECT u.id, u.username, u.name, s.points, s.exact, s.correct, s.settled
         FROM (SELECT user_id, points, exact, correct, settled FROM league_standings
               WHERE league_id = $1 AND week = $2 AND points <= $3
               ORDER BY points DESC, exact DESC, user_id LIMIT $4 OFFSET $5) s
         JOIN users u ON u.id = s.user_id ORDER BY s.points DESC, s.exact DESC, s.user_id",
        params![league, week, most, limit, offset],
    )
}

/// The weeks in which anything was settled that counts in the league, the latest first, and how many there are.
pub fn list_weeks(
    tx: &mut Tx,
    league: LeagueId,
    limit: i64,
    offset: i64,
) -> Result<(Vec<Timestamp>, i64)> {
    let weeks = tx.all(
        "SELECT DISTINCT w.starts_at FROM leagues l JOIN league_tournaments t ON t.league_id = l.id
         JOIN boards w ON w.tournament_id = t.tournament_id AND w.period = 'week' AND w.starts_at >= l.starts_at
         WHERE l.id = $1 ORDER BY w.starts_at DESC LIMIT $2 OFFSET $3",
        params![league, limit, offset],
    )?;
    let total = tx.one(
        "SELECT count(DISTINCT w.starts_at) FROM leagues l JOIN league_tournaments t ON t.league_id = l.id
         JOIN boards w ON w.tournament_id = t.tournament_id AND w.period = 'week' AND w.starts_at >= l.starts_at
         WHERE l.id = $1",
        params![league],
    )?;
    Ok((weeks, total))
}
