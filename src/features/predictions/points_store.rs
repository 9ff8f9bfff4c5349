//! Points go into predictions, and what of them was counted: a stretch of an event's predictions at a time, as whoever settles
//! the event asks for it.

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::events::{EventId, Score};
use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{SqlParam, Tx, params, row};
use crate::platform::error::{Error, Result};

use super::{Confidence, Outcome, PredictionId, Rules, ScorePair, Tier};

/// Predictions of one event, by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    pub event: EventId,
    /// The first one is after this, the last one is `end`.
    pub after: i64,
    pub end: i64,
}

/// By what the predictions of an event are settled. Without a result they are unsettled.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    pub result: Option<(Score, Score)>,
    /// The event's outcome; 0 without a result.
    pub version: i64,
    pub rules: Rules,
    /// Predictions from here on are late.
    pub start_time: Timestamp,
}

/// The next of an event's predictions, at most so many; nothing at the end.
pub fn next_stretch(tx: &mut Tx, event: EventId, after: i64, most: i64) -> Result<Option<Stretch>> {
    let end: Option<i64> = tx.one(
        "SELECT max(id) FROM
           (SELECT id FROM predictions WHERE event_id = $1 AND id > $2 ORDER BY id LIMIT $3) stretch",
        params![event, after, most],
    )?;
    Ok(end.map(|end| Stretch { event, after, end }))
}

/// Holds a stretch until the end of the transaction, for events that still take predictions.
pub fn hold_stretch(tx: &mut Tx, stretch: Stretch) -> Result<()> {
    tx.one::<i64>(
        "SELECT count(*) FROM
           (SELECT id FROM predictions WHERE event_id = $1 AND id > $2 AND id <= $3 ORDER BY id FOR UPDATE) held",
        params![stretch.event, stretch.after, stretch.end],
    )
    .map(drop)
}

/// What was right about a prediction, as `scoring.rs` says. $4: the result's outcome, or null; $5 and $6: its goals; $7: what
/// the goal difference pays, if it does; $8: kick-off.
macro_rules! tier {
    () => {
        "(CASE WHEN $4 IS NULL OR p.updated_at >= $8 THEN NULL
               WHEN p.outcome <> $4 THEN 0
               WHEN p.home_score = $5 AND p.away_score = $6 THEN 3
               WHEN $7 IS NOT NULL AND ($4 = 'draw' OR p.home_score - p.away_score = $5 - $6) THEN 2
               ELSE 1 END)"
    };
}

/// What that earns. $9: what the outcome pays; $10: what the exact score pays; $11: whether confidence weighs in.
macro_rules! points {
    () => {
        concat!(
            "(CASE WHEN $11 = 1 THEN (",
            points!(base),
            " * p.confidence + 25) / 50 ELSE ",
            points!(base),
            " END)"
        )
    };
    (base) => {
        concat!(
            "(CASE ",
            tier!(),
            " WHEN 3 THEN $10 WHEN 2 THEN $7 WHEN 1 THEN $9 WHEN 0 THEN 0 END)"
        )
    };
}

/// Gives a stretch the points that it should have; answers how many predictions had others. Those are left alone that already
/// are what they should be.
pub fn settle_points(tx: &mut Tx, stretch: Stretch, to: &Target) -> Result<u64> {
    tx.changes(super::CHANGES.of(stretch.event.0));
    let target = TargetParams::of(stretch, to);
    let scoring = to.result.map(|_| to.rules.scoring);
    tx.exec(
        concat!(
            "UPDATE predictions AS p
             SET is_late = (CASE WHEN p.updated_at >= $8 THEN 1 ELSE 0 END), settlement_version = $12, scoring = $13,
                 tier = ", tier!(), ", points = ", points!(), "
             WHERE p.event_id = $1 AND p.id > $2 AND p.id <= $3
               AND (p.settlement_version <> $12 OR p.is_late <> (CASE WHEN p.updated_at >= $8 THEN 1 ELSE 0 END))"
        ),
        &[&target.params()[..], params![to.version, scoring]].concat(),
    )
}

/// A stretch and a target as statements take them, `$1` to `$11`.
struct TargetParams {
    stretch: Stretch,
    outcome: Option<Outcome>,
    home: Option<Score>,
    away: Option<Score>,
    difference_pay: Option<i64>,
    start_time: Timestamp,
    outcome_pay: i64,
    exact_pay: i64,
    confidence_weighted: bool,
}

impl TargetParams {
    fn of(stretch: Stretch, target: &Target) -> Self {
        let outcome = target.result.map(|(home, away)| Outcome::of(home, away));
        let (home, away) = target.result.unzip();
        Self {
            stretch,
            outcome,
            home,
            away,
            difference_pay: outcome.and_then(|outcome| target.rules.difference_pay(outcome)),
            start_time: target.start_time,
            outcome_pay: target.rules.base_points(Tier::Outcome),
            exact_pay: target.rules.base_points(Tier::Exact),
            confidence_weighted: target.rules.confidence_weighted,
        }
    }

    fn params(&self) -> [&dyn SqlParam; 11] {
        *params![
            self.stretch.event,
            self.stretch.after,
            self.stretch.end,
            self.outcome,
            self.home,
            self.away,
            self.difference_pay,
            self.start_time,
            self.outcome_pay,
            self.exact_pay,
            self.confidence_weighted
        ]
    }
}

row! {
    // How many predictions earn how much.
    #[derive(Debug, Serialize, ToSchema)]
    pub struct PaidView {
        rule: Tier,
        #[schema(example = 4)]
        pub points: i64,
        #[schema(example = 17)]
        pub predictions: i64,
    }
}

row! {
    #[derive(Debug, Serialize, ToSchema)]
    pub struct WouldEarnView {
        pub id: PredictionId,
        user_id: UserId,
        #[schema(example = "northgate_fan")]
        username: String,
        prediction: Outcome,
        score_prediction: Option<ScorePair>,
        confidence: Confidence,
        /// What it has now.
        points_earned: Option<i64>,
        /// What it would have; null if it does not count.
        points: Option<i64>,
        rule: Option<Tier>,
    }
}

/// How many of an event's predictions would earn how much, without writing anything.
pub fn would_pay(tx: &mut Tx, event: EventId, to: &Target) -> Result<Vec<PaidView>> {
    let target = TargetParams::of(Stretch { event, after: 0, end: i64::MAX }, to);
    tx.all(
        concat!(
            "SELECT w.tier, w.points, count(*) FROM
               (SELECT ", tier!(), " AS tier, ", points!(), " AS points FROM predictions p
                WHERE p.event_id = $1 AND p.id > $2 AND p.id <= $3) w
             WHERE w.tier IS NOT NULL GROUP BY w.tier, w.points ORDER BY w.points DESC, w.tier DESC"
        ),
        &target.params(),
    )
}

/// The same for the predictions of a stretch, one by one.
pub fn would_earn(tx: &mut Tx, stretch: Stretch, to: &Target) -> Result<Vec<WouldEarnView>> {
    let target = TargetParams::of(stretch, to);
    tx.all(
        concat!(
            "SELECT p.id, u.id, u.username, p.outcome, p.home_score, p.away_score, p.confidence, p.points, ",
            points!(), ", ", tier!(),
            " FROM predictions p JOIN users u ON u.id = p.user_id
              WHERE p.event_id = $1 AND p.id > $2 AND p.id <= $3 ORDER BY p.id"
        ),
        &target.params(),
    )
}

row! {
    // How the points of an event's predictions would differ from what they are.
    #[derive(Debug, Serialize, ToSchema)]
    pub struct WouldChangeView {
        /// Predictions that would have other points, or points where they have none.
        #[schema(example = 41)]
        predictions: i64,
        /// Predictions that would have more.
        #[schema(example = 12)]
        up: i64,
        /// Predictions that would have less.
        #[schema(example = 29)]
        down: i64,
        #[schema(example = 48)]
        points_up: i64,
        #[schema(example = 90)]
        points_down: i64,
    }
}

/// What all of an event's predictions together would gain and lose, without writing anything.
pub fn would_change(tx: &mut Tx, event: EventId, to: &Target) -> Result<WouldChangeView> {
    let target = TargetParams::of(Stretch { event, after: 0, end: i64::MAX }, to);
    tx.one(
        concat!(
            "SELECT count(*) FILTER (WHERE w.had <> w.gets OR w.had_any <> w.gets_any),
                    count(*) FILTER (WHERE w.gets > w.had), count(*) FILTER (WHERE w.gets < w.had),
                    CAST(COALESCE(sum(w.gets - w.had) FILTER (WHERE w.gets > w.had), 0) AS BIGINT),
                    CAST(COALESCE(sum(w.had - w.gets) FILTER (WHERE w.gets < w.had), 0) AS BIGINT)
             FROM (SELECT COALESCE(p.points, 0) AS had, COALESCE(",
            points!(),
            ", 0) AS gets,
                          CASE WHEN p.points IS NULL THEN 0 ELSE 1 END AS had_any,
                          CASE WHEN ",
            points!(),
            " IS NULL THEN 0 ELSE 1 END AS gets_any
                   FROM predictions p WHERE p.event_id = $1 AND p.id > $2 AND p.id <= $3) w"
        ),
        &target.params(),
    )
}

row! {
    // Somebody's place on a board, as it is or as it would be.
    #[derive(Debug, Clone, Serialize, ToSchema)]
    pub struct LeaderRow {
        pub user_id: UserId,
        #[schema(example = "northgate_fan")]
        pub username: String,
        #[schema(example = 48)]
        pub points: i64,
        /// Exact scores.
        #[schema(example = 3)]
        pub exact: i64,
    }
}

/// Those who predicted the event and would stand first on a board (0 for one that nobody is on yet), at most so many.
pub fn would_lead(
    tx: &mut Tx,
    event: EventId,
    to: &Target,
    board: i64,
    most: i64,
) -> Result<Vec<LeaderRow>> {
    let target = TargetParams::of(Stretch { event, after: 0, end: i64::MAX }, to);
    tx.all(
        concat!(
            "SELECT u.id, u.username, w.points, w.exact FROM
               (SELECT p.user_id, COALESCE(s.points, 0) - COALESCE(p.counted_points, 0) + COALESCE(", points!(), ", 0) AS points,
                       COALESCE(s.exact, 0) - CASE WHEN p.counted_tier = 3 THEN 1 ELSE 0 END
                         + CASE WHEN ", tier!(), " = 3 THEN 1 ELSE 0 END AS exact
                FROM predictions p LEFT JOIN standings s ON s.board_id = $12 AND s.user_id = p.user_id
                WHERE p.event_id = $1 AND p.id > $2 AND p.id <= $3
                  AND (s.user_id IS NOT NULL OR ", tier!(), " IS NOT NULL)
                ORDER BY 2 DESC, 3 DESC, 1 LIMIT $13) w
             JOIN users u ON u.id = w.user_id ORDER BY w.points DESC, w.exact DESC, u.id"
        ),
        &[&target.params()[..], params![board, most]].concat(),
    )
}

/// What was right about the settled prediction `p`, whatever its tournament pays for it; the columns of `predictions` say which is which.
macro_rules! merit {
    () => {
        "(CASE WHEN p.tier IS NULL THEN NULL
               WHEN p.tier = 0 THEN 0
               WHEN p.tier = 3 THEN 4
               WHEN p.outcome = 'draw' THEN 2
               WHEN p.home_score - p.away_score
                    = (SELECT e.home_score - e.away_score FROM events e WHERE e.id = p.event_id) THEN 3
               ELSE 1 END)"
    };
}
pub(crate) use merit;

/// What a stretch has earned is in the standings from here on; or, if it was taken out, nothing of it is.
pub fn mark_counted(tx: &mut Tx, stretch: Stretch, is_counting: bool) -> Result<()> {
    tx.exec(
        concat!(
            "UPDATE predictions AS p
             SET counted_tier = CASE WHEN $4 = 1 THEN tier END, counted_points = CASE WHEN $4 = 1 THEN points END,
                 counted_confidence = CASE WHEN $4 = 1 AND tier IS NOT NULL THEN confidence END,
                 counted_merit = CASE WHEN $4 = 1 THEN ", merit!(), " END
             WHERE event_id = $1 AND id > $2 AND id <= $3"
        ),
        params![stretch.event, stretch.after, stretch.end, is_counting],
    )
    .map(drop)
}

row! {
    /// What a prediction earned; nothing while there is no result that counts.
    #[derive(Debug, Clone)]
    pub struct EarnedRow {
        pub id: PredictionId,
        pub points: Option<i64>,
    }
}

/// What these users' predictions on these events earned, each with the position of its user and event.
pub fn list_earned(tx: &mut Tx, of: &[(UserId, EventId)]) -> Result<Vec<(i64, EarnedRow)>> {
    let of = serde_json::to_string(of).map_err(Error::internal)?;
    tx.all(
        "SELECT asked.key, p.id, p.points FROM json_each($1, '$') asked
         JOIN predictions p ON p.event_id = CAST(asked.value ->> 1 AS BIGINT) AND p.user_id = CAST(asked.value ->> 0 AS BIGINT)",
        params![of],
    )
}

/// What these users' predictions on these events have earned; nothing for those who made none.
pub fn list_points(
    tx: &mut Tx,
    asked: &[(EventId, UserId)],
) -> Result<Vec<(EventId, UserId, Option<i64>)>> {
    let asked = serde_json::to_string(asked).map_err(Error::internal)?;
    tx.all(
        "SELECT p.event_id, p.user_id, p.points FROM json_each($1, '$') a CROSS JOIN predictions p
         WHERE p.event_id = CAST(a.value ->> 0 AS BIGINT) AND p.user_id = CAST(a.value ->> 1 AS BIGINT)",
        params![asked],
    )
}
