//! Points in SQL: whole stretches of the `predictions` table at a time.

use crate::features::events::{EventId, Score};
use crate::features::users::UserId;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::Result;

use super::points::{Stretch, Target};
use super::store::pair;
use super::{Confidence, Outcome, PredictionId, ScorePair, Tier};

/// The last prediction of the next stretch; nothing at the end.
pub fn find_end(tx: &mut Tx, event: EventId, after: i64, length: i64) -> Result<Option<i64>> {
    tx.one(
        "SELECT max(id) FROM
           (SELECT id FROM predictions WHERE event_id = $1 AND id > $2 ORDER BY id LIMIT $3) stretch",
        params![event, after, length],
    )
}

/// Holds a stretch of predictions, for events that still take them.
pub fn lock(tx: &mut Tx, stretch: Stretch) -> Result<()> {
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

/// Settles a stretch of an event's predictions; those that already are what they should be are left alone.
pub fn update_points(tx: &mut Tx, stretch: Stretch, to: &Target) -> Result<u64> {
    let target = TargetParams::of(to);
    tx.changes(super::CHANGES.of(stretch.event.0));
    tx.exec(
        concat!(
            "UPDATE predictions AS p
             SET is_late = (CASE WHEN p.updated_at >= $8 THEN 1 ELSE 0 END), settlement_version = $12, scoring = $13,
                 tier = ", tier!(), ", points = ", points!(), "
             WHERE p.event_id = $1 AND p.id > $2 AND p.id <= $3
               AND (p.settlement_version <> $12 OR p.is_late <> (CASE WHEN p.updated_at >= $8 THEN 1 ELSE 0 END))"
        ),
        params![
            stretch.event,
            stretch.after,
            stretch.end,
            target.outcome,
            target.home,
            target.away,
            target.difference_pay,
            to.start_time,
            target.outcome_pay,
            target.exact_pay,
            to.rules.confidence_weighted,
            to.version,
            to.result.map(|_| to.rules.scoring)
        ],
    )
}

/// A target as statements take it.
struct TargetParams {
    outcome: Option<Outcome>,
    home: Option<Score>,
    away: Option<Score>,
    difference_pay: Option<i64>,
    outcome_pay: i64,
    exact_pay: i64,
}

impl TargetParams {
    fn of(target: &Target) -> Self {
        let outcome = target.result.map(|(home, away)| Outcome::of(home, away));
        Self {
            outcome,
            home: target.result.map(|(home, _)| home),
            away: target.result.map(|(_, away)| away),
            difference_pay: outcome.and_then(|outcome| target.rules.difference_pay(outcome)),
            outcome_pay: target.rules.base_points(Tier::Outcome),
            exact_pay: target.rules.base_points(Tier::Exact),
        }
    }
}

row! {
    /// How many predictions earn how much.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct PaidRow {
        pub tier: Tier,
        pub points: i64,
        pub predictions: i64,
    }
}

row! {
    /// What one prediction would earn.
    #[derive(Debug, Clone)]
    pub struct WouldEarnRow {
        pub id: PredictionId,
        pub user_id: UserId,
        pub username: String,
        pub outcome: Outcome,
        home_score: Option<Score>,
        away_score: Option<Score>,
        pub confidence: Confidence,
        pub points_now: Option<i64>,
        pub tier: Option<Tier>,
        pub points: Option<i64>,
    }
}

impl WouldEarnRow {
    pub fn score(&self) -> Option<ScorePair> {
        pair(self.home_score, self.away_score)
    }
}

/// What the predictions of a stretch would earn, without writing anything.
pub fn list_would_pay(tx: &mut Tx, stretch: Stretch, to: &Target) -> Result<Vec<PaidRow>> {
    let target = TargetParams::of(to);
    tx.all(
        concat!(
            "SELECT w.tier, w.points, count(*) FROM
               (SELECT ", tier!(), " AS tier, ", points!(), " AS points FROM predictions p
                WHERE p.event_id = $1 AND p.id > $2 AND p.id <= $3) w
             WHERE w.tier IS NOT NULL GROUP BY w.tier, w.points ORDER BY w.points DESC, w.tier DESC"
        ),
        params![
            stretch.event,
            stretch.after,
            stretch.end,
            target.outcome,
            target.home,
            target.away,
            target.difference_pay,
            to.start_time,
            target.outcome_pay,
            target.exact_pay,
            to.rules.confidence_weighted
        ],
    )
}

/// The same, one by one.
pub fn list_would_earn(tx: &mut Tx, stretch: Stretch, to: &Target) -> Result<Vec<WouldEarnRow>> {
    let target = TargetParams::of(to);
    tx.all(
        concat!(
            "SELECT p.id, u.id, u.username, p.outcome, p.home_score, p.away_score, p.confidence, p.points, ",
            tier!(), ", ", points!(),
            " FROM predictions p JOIN users u ON u.id = p.user_id
              WHERE p.event_id = $1 AND p.id > $2 AND p.id <= $3 ORDER BY p.id"
        ),
        params![
            stretch.event,
            stretch.after,
            stretch.end,
            target.outcome,
            target.home,
            target.away,
            target.difference_pay,
            to.start_time,
            target.outcome_pay,
            target.exact_pay,
            to.rules.confidence_weighted
        ],
    )
}

/// From here on, what was just counted is what is counted.
pub fn update_counted(tx: &mut Tx, stretch: Stretch, is_counting: bool) -> Result<()> {
    tx.exec(
        "UPDATE predictions
         SET counted_tier = CASE WHEN $4 = 1 THEN tier END, counted_points = CASE WHEN $4 = 1 THEN points END,
             counted_confidence = CASE WHEN $4 = 1 AND tier IS NOT NULL THEN confidence END
         WHERE event_id = $1 AND id > $2 AND id <= $3",
        params![stretch.event, stretch.after, stretch.end, is_counting],
    )
    .map(drop)
}
