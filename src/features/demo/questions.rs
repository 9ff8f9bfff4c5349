//! The demo's special tips: about each tournament there is always one that is open, and its fans have answered.

use serde_json::{Map, Value, json};

use crate::features::catalogue::demo::{SIDES, Side};
use crate::features::events::{self, TournamentId};
use crate::features::questions::{self, NewQuestion, OptionId, Picks};
use crate::features::teams::{self, TeamId};
use crate::features::users::UserRow;
use crate::platform::clock::DAY_MS;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::http::input::Valid;

use super::fans::{self, Fan};
use super::league::League;
use super::store;

/// For so long a question takes answers. What was right is for an operator to say: clubs of the demo play for ever.
const OPEN_MS: i64 = 30 * DAY_MS;
const POINTS: i64 = 20;

/// Opens a question about each tournament that has none.
pub fn ask(tx: &mut Tx, core: &Core, league: League) -> Result<()> {
    // Of two nodes, the second finds what the first has opened.
    store::hold_progress(tx, league.seed())?;
    let crowd = fans::hold(tx, core.config.demo.fans)?;
    for side in &SIDES {
        let (slug, ..) = side.tournament;
        let known = events::imported_tournaments(tx, &[slug])?;
        let Some(tournament) = known.get(slug).map(|known| known.id) else { continue };
        if !questions::is_any_open(tx, tournament)? {
            ask_about(tx, core, league, side, tournament, &crowd)?;
        }
    }
    Ok(())
}

fn ask_about(
    tx: &mut Tx,
    core: &Core,
    league: League,
    side: &Side,
    tournament: TournamentId,
    crowd: &[(Fan, UserRow)],
) -> Result<()> {
    let slugs: Vec<&str> = side.clubs.iter().map(|(slug, ..)| *slug).collect();
    let known = teams::imported_teams(tx, &slugs)?;
    let team = |slug: &str| known.get(slug).map(|team| team.id);
    let option =
        |(slug, name, ..): &(&str, &str, _, _)| json!({"text": name, "team_id": team(slug)});
    let options: Vec<Value> = side.clubs.iter().map(option).collect();
    let (_, name, _) = side.tournament;
    let question = json!({
        "tournament_id": tournament, "text": format!("Who wins the {name}?"), "points": POINTS, "options": options,
        "closes_at": tx.now().plus_ms(OPEN_MS),
    });
    let month = core.config.predictions.season_start_month;
    let id = questions::open(tx, &checked(question)?, month)?;
    let options = questions::list_options(tx, id)?;
    for (fan, user) in crowd {
        let own =
            fan.clubs(league).into_iter().find_map(|(slug, _)| offered(&options, team(slug)?));
        if let Some(pick) = own {
            questions::tip(tx, id, user.id, &Picks::one(pick))?;
        }
    }
    Ok(())
}

fn offered(options: &[(OptionId, Option<TeamId>)], team: TeamId) -> Option<OptionId> {
    options.iter().find(|(_, of)| *of == Some(team)).map(|(option, _)| *option)
}

fn checked(question: Value) -> Result<NewQuestion> {
    let object: Map<String, Value> = serde_json::from_value(question).map_err(Error::internal)?;
    Ok(Valid::of(object).map_err(|error| Error::internal(error.to_string()))?.0)
}
