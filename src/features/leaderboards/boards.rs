//! Which boards there are: of everything or one tournament, over all time, a season, a month or a week.

use std::collections::BTreeSet;

use jiff::ToSpan;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::Serialize;
use utoipa::ToSchema;

use crate::features::events::TournamentId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{FromColumn, Tx, Value, column, enum_column};
use crate::platform::error::{Error, Result};
use crate::platform::texts::Text;
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
    type Error = Text;

    fn try_from(word: &str) -> Result<Self, Self::Error> {
        Self::from_value(Value::Text(word))
            .map_err(|_| text!("Must be all, season, month or week."))
    }
}

impl Period {
    /// When the period that holds this moment begins, and when the next one does; neither for all time, nor beyond the calendar.
    fn span(
        self,
        moment: Timestamp,
        season_start_month: i64,
    ) -> (Option<Timestamp>, Option<Timestamp>) {
        let Ok(moment) = jiff::Timestamp::from_millisecond(moment.as_millis()) else {
            return (None, None);
        };
        let date = moment.to_zoned(TimeZone::UTC).date();
        let (first, length) = match self {
            Self::All => return (None, None),
            Self::Week => {
                let since_monday = i64::from(date.weekday().to_monday_zero_offset());
                (date.checked_sub(since_monday.days()), 7.days())
            }
            Self::Month => (Ok(date.first_of_month()), 1.month()),
            Self::Season => {
                let month = i8::try_from(season_start_month).unwrap_or(7);
                let year = date.year() - i16::from(date.month() < month);
                (Date::new(year, month, 1), 1.year())
            }
        };
        let midnight = |date: Date| {
            let midnight = date.to_zoned(TimeZone::UTC).ok()?;
            Some(Timestamp::from_millis(midnight.timestamp().as_millisecond()))
        };
        let next = first.clone().and_then(|first| first.checked_add(length));
        (first.ok().and_then(midnight), next.ok().and_then(midnight))
    }
}

/// A board by what it adds up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Board {
    /// 0: of everything.
    pub(super) tournament: i64,
    pub(super) period: Period,
    /// 0 for all time.
    pub(super) starts_at: Timestamp,
    ends_at: Option<Timestamp>,
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
        let (starts_at, ends_at) = period.span(moment, season_start_month);
        let starts_at = starts_at.unwrap_or(Timestamp::from_millis(0));
        Self { tournament: tournament.map_or(0, |id| id.0), period, starts_at, ends_at }
    }

    /// Over which matches it adds up: those of the period that begins and ends then, or of all time.
    pub fn span(self) -> (Period, Option<Timestamp>, Option<Timestamp>) {
        let starts_at = Some(self.starts_at).filter(|_| self.period != Period::All);
        (self.period, starts_at, self.ends_at)
    }
}

/// The first moment of the week that holds this one.
pub fn monday_of(moment: Timestamp) -> Timestamp {
    Board::at(None, Period::Week, moment, 1).starts_at
}

/// All boards into which something of a tournament can count, and whether they are the tournament's.
const EVERY: [(bool, Period); 7] = [
    (false, Period::All),
    (false, Period::Season),
    (false, Period::Month),
    (false, Period::Week),
    (true, Period::All),
    (true, Period::Month),
    (true, Period::Week),
];

/// The boards into which a match counts, as a JSON list of their ids in order; made now if they are not there.
pub fn boards_of(
    tx: &mut Tx,
    tournament: TournamentId,
    kick_off: Timestamp,
    season_start_month: i64,
) -> Result<String> {
    boards_among(tx, tournament, kick_off, season_start_month, &EVERY)
}

/// Those of them that are wanted.
pub fn boards_among(
    tx: &mut Tx,
    tournament: TournamentId,
    moment: Timestamp,
    season_start_month: i64,
    wanted: &[(bool, Period)],
) -> Result<String> {
    let mut ids = Vec::new();
    for (is_tournaments, period) in wanted {
        let of = is_tournaments.then_some(tournament);
        ids.push(find_or_insert(tx, Board::at(of, *period, moment, season_start_month))?);
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

    fn span(period: Period, moment: &str) -> [String; 2] {
        let (first, next) = period.span(Timestamp::parse(moment).unwrap(), 7);
        [first.unwrap(), next.unwrap()].map(Timestamp::to_utc_date)
    }

    #[test]
    fn periods_begin_on_mondays_firsts_and_the_first_of_the_seasons_month() {
        // 15 November 2026 is a Sunday.
        for (period, moment, expected) in [
            (Period::Week, "2026-11-15T23:59:59.999Z", ["2026-11-09", "2026-11-16"]),
            (Period::Week, "2026-11-16T00:00:00Z", ["2026-11-16", "2026-11-23"]),
            (Period::Week, "1969-12-31T12:00:00Z", ["1969-12-29", "1970-01-05"]),
            (Period::Month, "2026-11-15T12:00:00Z", ["2026-11-01", "2026-12-01"]),
            (Period::Month, "2026-12-31T23:59:59Z", ["2026-12-01", "2027-01-01"]),
            (Period::Season, "2026-11-15T12:00:00Z", ["2026-07-01", "2027-07-01"]),
            (Period::Season, "2026-06-30T23:00:00Z", ["2025-07-01", "2026-07-01"]),
        ] {
            assert_eq!(span(period, moment), expected, "{moment}");
        }
    }

    #[test]
    fn the_first_and_the_last_days_of_the_calendar_are_in_a_period_too() {
        for day in ["0000-01-01", "9999-12-30"] {
            let day = Timestamp::parse_date(day).unwrap();
            for period in [Period::Week, Period::Month, Period::Season] {
                assert!(period.span(day, 7).0.is_some_and(|first| first <= day), "{day}");
            }
        }
        assert_eq!(Period::All.span(Timestamp::from_millis(0), 7), (None, None));
    }
}
