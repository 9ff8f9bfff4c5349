//! Which boards there are: of everything or one tournament, over all time, a season, a month or a week.

use std::collections::BTreeSet;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::Serialize;
use utoipa::ToSchema;

use crate::features::events::TournamentId;
use crate::platform::clock::{DAY_MS, Timestamp};
use crate::platform::db::{FromColumn, Tx, Value, column, enum_column};
use crate::platform::error::{Error, Result};
use crate::text_input;

use super::store;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct BoardId(pub i64);

column!(BoardId as i64);

/// The JSON list of boards of an event that is in none.
pub const NO_BOARDS: &str = "[]";

/// Over which matches a board adds up, by their kick-off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Period {
    #[default]
    All,
    Season,
    Month,
    Week,
}

enum_column!(Period { All = "all", Season = "season", Month = "month", Week = "week" });
text_input!(Period);

impl TryFrom<&str> for Period {
    type Error = &'static str;

    fn try_from(word: &str) -> Result<Self, Self::Error> {
        Self::from_value(Value::Text(word)).map_err(|_| "Must be all, season, month or week.")
    }
}

impl Period {
    /// When the period that holds this moment began; 0 for all time.
    fn start(self, moment: Timestamp, season_start_month: i64) -> Timestamp {
        let day = moment.utc_day();
        let date = jiff::Timestamp::from_millisecond(moment.as_millis())
            .map(|moment| moment.to_zoned(TimeZone::UTC).date());
        let Ok(date) = date else { return Timestamp::from_millis(0) };
        let season_month = i8::try_from(season_start_month).unwrap_or(7);
        match self {
            Self::All => Timestamp::from_millis(0),
            // 1 January 1970 was a Thursday: Monday is three days before it.
            Self::Week => Timestamp::from_millis((day + 3).div_euclid(7) * 7 * DAY_MS - 3 * DAY_MS),
            Self::Month => first_of(date.year(), date.month()),
            Self::Season => {
                let is_before = date.month() < season_month;
                first_of(date.year() - i16::from(is_before), season_month)
            }
        }
    }
}

fn first_of(year: i16, month: i8) -> Timestamp {
    let midnight = Date::new(year, month, 1).and_then(|date| date.to_zoned(TimeZone::UTC));
    Timestamp::from_millis(midnight.map_or(0, |midnight| midnight.timestamp().as_millisecond()))
}

/// A board by what it adds up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Board {
    /// 0: of everything.
    pub(super) tournament: i64,
    pub(super) period: Period,
    pub(super) starts_at: Timestamp,
}

impl Board {
    /// The board of a tournament (none: of everything) whose period holds this moment.
    pub fn at(
        tournament: Option<TournamentId>,
        period: Period,
        moment: Timestamp,
        season_start_month: i64,
    ) -> Self {
        // A tournament of the catalogue is one season of a competition.
        let period = match (tournament, period) {
            (Some(_), Period::Season) => Period::All,
            (_, period) => period,
        };
        let starts_at = period.start(moment, season_start_month);
        Self { tournament: tournament.map_or(0, |id| id.0), period, starts_at }
    }
}

/// The boards into which a match counts, as a JSON list of their ids in order; made now if they are not there.
pub fn boards_of(
    tx: &mut Tx,
    tournament: TournamentId,
    kick_off: Timestamp,
    season_start_month: i64,
) -> Result<String> {
    let at = |tournament, period| Board::at(tournament, period, kick_off, season_start_month);
    let mut ids = Vec::new();
    for board in [
        at(None, Period::All),
        at(None, Period::Season),
        at(None, Period::Month),
        at(None, Period::Week),
        at(Some(tournament), Period::All),
        at(Some(tournament), Period::Month),
        at(Some(tournament), Period::Week),
    ] {
        ids.push(find_or_insert(tx, board)?);
    }
    ids.sort_unstable();
    serde_json::to_string(&ids).map_err(Error::internal)
}

/// Two JSON lists of boards as one, in order.
pub fn all_of(one: &str, other: &str) -> Result<String> {
    let mut ids: BTreeSet<i64> = serde_json::from_str(one).map_err(Error::internal)?;
    ids.extend(serde_json::from_str::<Vec<i64>>(other).map_err(Error::internal)?);
    serde_json::to_string(&ids).map_err(Error::internal)
}

fn find_or_insert(tx: &mut Tx, board: Board) -> Result<BoardId> {
    if let Some(id) = store::find_board(tx, board)? {
        return Ok(id);
    }
    store::insert_board(tx, board)?;
    store::find_board(tx, board)?.ok_or_else(|| Error::internal("a board was not made"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(period: Period, moment: &str) -> String {
        period.start(Timestamp::parse(moment).unwrap(), 7).to_string()
    }

    #[test]
    fn periods_begin_on_mondays_firsts_and_the_first_of_the_seasons_month() {
        // 15 November 2026 is a Sunday.
        assert_eq!(start(Period::Week, "2026-11-15T23:59:59.999Z"), "2026-11-09T00:00:00.000Z");
        assert_eq!(start(Period::Week, "2026-11-16T00:00:00Z"), "2026-11-16T00:00:00.000Z");
        assert_eq!(start(Period::Month, "2026-11-15T12:00:00Z"), "2026-11-01T00:00:00.000Z");
        assert_eq!(start(Period::Season, "2026-11-15T12:00:00Z"), "2026-07-01T00:00:00.000Z");
        assert_eq!(start(Period::Season, "2026-06-30T23:00:00Z"), "2025-07-01T00:00:00.000Z");
        assert_eq!(start(Period::Week, "1969-12-31T12:00:00Z"), "1969-12-29T00:00:00.000Z");
    }
}
