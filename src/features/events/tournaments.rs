//! The list of tournaments, by name, and the days on which each has matches.

use crate::features::teams::SportId;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::page::Page;
use crate::platform::search::fold;

use super::tournament_store::{self as store, ListedTournamentRow, MatchDayRow};
use super::{TournamentId, get_tournament};

/// Which tournaments are asked for; what is absent does not narrow.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct TournamentFilter {
    pub sport: Option<SportId>,
    pub search: Option<String>,
}

/// One page of tournaments, and how many there are in all.
///
/// There are few, and pages are kept in memory, so they are walked: a name is compared in folded case here, which the databases do
/// differently, and is stored once.
pub fn list(
    tx: &mut Tx,
    filter: &TournamentFilter,
    page: Page,
) -> Result<(Vec<ListedTournamentRow>, i64)> {
    let search = filter.search.as_deref().map(fold).unwrap_or_default();
    let end = page.offset().saturating_add(page.per_page);
    let (mut rows, mut total) = (Vec::new(), 0);
    store::each_tournament(tx, filter.sport, |row| {
        if fold(&row.name).contains(&search) {
            if (page.offset()..end).contains(&total) {
                rows.push(row);
            }
            total += 1;
        }
        Ok(())
    })?;
    Ok((rows, total))
}

/// One page of the UTC days on which a tournament has matches, and how many such days there are in all.
pub fn match_days(
    tx: &mut Tx,
    tournament: TournamentId,
    page: Page,
) -> Result<(Vec<MatchDayRow>, i64)> {
    get_tournament(tx, tournament)?;
    store::list_match_days(tx, tournament, page)
}
