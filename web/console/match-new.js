// A new match, of the tournaments and teams that there are.
import { html, useState } from "../vendor/htm-preact-standalone.module.js";
import { addressOf, go, useOnce } from "./desk.js";
import { typed } from "./inputs.js";
import { Ask, Failure, Field } from "./parts.js";
import { useTexts } from "./texts.js";

/** @import { Schemas } from "./api.d.ts" */

/** More than these are narrowed down by name. */
const SHOWN = 100;

/** @param {{ close: () => void }} props */
export function AddMatch({ close }) {
  const { t } = useTexts();
  const known = useOnce((desk, signal) => desk.call("list_tournaments_to_choose", { per_page: SHOWN }, { signal }), []);
  const tournaments = /** @type {Schemas["TournamentChoiceView"][]} */ (known.value?.data ?? []);
  const [chosen, setTournament] = useState("");
  const tournament = tournaments.find(({ id }) => String(id) === chosen) ?? tournaments[0];
  const [home, setHome] = useState("");
  const [away, setAway] = useState("");
  const [time, setTime] = useState("");
  const [venue, setVenue] = useState("");
  const isReady = Boolean(tournament && home && away && home !== away && !Number.isNaN(Date.parse(time)));
  const run = (/** @type {any} */ desk) => desk.call("add_match", { tournament_id: tournament?.id, home_team_id: Number(home), away_team_id: Number(away), start_time: new Date(time).toISOString(), ...(venue.trim() && { venue: venue.trim() }) });
  const isEmpty = known.value !== undefined && tournaments.length === 0;
  return html`<${Ask} title=${t.addMatchTitle} what=${isEmpty ? t.noCatalogue : t.addMatchWhat} action=${t.addMatchTitle} close=${close} isReady=${isReady} run=${run} then=${(/** @type {any} */ { data }) => go(addressOf("matches", data.id))}>
    ${known.error && html`<${Failure} error=${known.error} again=${known.again} />`}
    <${Field} label=${t.tournament}><select value=${String(tournament?.id ?? "")} onChange=${typed(setTournament)}>${tournaments.map((one) => html`<option value=${one.id} selected=${one === tournament}>${one.name}</option>`)}</select><//>
    ${tournament && html`<${Side} key=${`home ${tournament.sport.id}`} label=${t.homeSide} sport=${tournament.sport.id} value=${home} set=${setHome} /><${Side} key=${`away ${tournament.sport.id}`} label=${t.awaySide} sport=${tournament.sport.id} value=${away} set=${setAway} />`}
    <${Field} label=${t.kickOff}><input name="time" type="datetime-local" value=${time} onInput=${typed(setTime)} /><//>
    <${Field} label=${t.venue}><input name="venue" maxlength="100" value=${venue} onInput=${typed(setVenue)} /><//>
  <//>`;
}

/** One side, chosen among all teams of the sport; if they are many, narrowed by name. @param {{ label: string, sport: number, value: string, set: (value: string) => void }} props */
function Side({ label, sport, value, set }) {
  const { t } = useTexts();
  const [search, setSearch] = useState("");
  const reading = useOnce((desk, signal) => desk.call("list_teams_to_choose", { sport_id: sport, per_page: SHOWN, ...(search.trim() && { search: search.trim() }) }, { signal }), [sport, search]);
  const teams = /** @type {Schemas["TeamChoiceView"][]} */ (reading.value?.data ?? []);
  // Where two have one name, the country tells them apart.
  const nameOf = (/** @type {Schemas["TeamChoiceView"]} */ team) => (team.country && teams.some((other) => other !== team && other.name === team.name) ? `${team.name} (${team.country})` : team.name);
  const isMany = search !== "" || (reading.value?.meta.total ?? 0) > SHOWN;
  return html`${isMany && html`<${Field} label=${t.narrowTeams(label)}><input type="search" autocomplete="off" value=${search} onInput=${typed(setSearch)} /><//>`}
    <${Field} label=${label}><select value=${value} onChange=${typed(set)}><option value="">${t.choose}</option>${teams.map((team) => html`<option value=${team.id} selected=${String(team.id) === value}>${nameOf(team)}</option>`)}</select><//>`;
}
