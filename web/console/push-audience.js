// Who hears of a message: everybody, who follows a team, or the members of a league; both are found by a part of their name.
import { html, useState } from "../vendor/htm-preact-standalone.module.js";
import { useOnce } from "./desk.js";
import { typed } from "./inputs.js";
import { Failure, Field } from "./parts.js";
import { useTexts } from "./texts.js";

/** @import { Schemas } from "./api.d.ts" */
/** @typedef {{ id: number, name: string, note: string, members?: number }} Found */
/** @typedef {{ kind: "everybody" | "team" | "league", chosen: Found | null }} Audience */

/** @type {Audience} */
export const EVERYBODY = { kind: "everybody", chosen: null };
const KINDS = /** @type {const} */ (["everybody", "team", "league"]);
/** More than these are narrowed down by name. */
const SHOWN = 20;

/** @param {{ audience: Audience, set: (audience: Audience) => void, wrong: string[] }} props */
export function AudienceFields({ audience, set, wrong }) {
  const { t, say } = useTexts();
  const p = t.push;
  const { kind, chosen } = audience;
  const choose = (/** @type {Found} */ chosen) => set({ kind, chosen });
  const teamOf = (/** @type {Schemas["TeamChoiceView"]} */ { id, name, country, sport }) => ({ id, name, note: [country, sport.name].filter(Boolean).join(", ") });
  const leagueOf = (/** @type {Schemas["FoundLeagueView"]} */ { id, name, member_count: members }) => ({ id, name, members, note: p.members(say.number(members), members) });
  const findTeams = (/** @type {import("./desk.js").Desk} */ desk, /** @type {object} */ asked, /** @type {AbortSignal} */ signal) => desk.call("list_teams_to_choose", asked, { signal }).then(({ data, meta }) => ({ found: data.map(teamOf), total: meta.total }));
  const findLeagues = (/** @type {import("./desk.js").Desk} */ desk, /** @type {object} */ asked, /** @type {AbortSignal} */ signal) => desk.call("find_leagues", { ...asked, open: true }, { signal }).then(({ data, meta }) => ({ found: data.map(leagueOf), total: meta.total }));
  return html`<fieldset class="field stack"><legend class="small muted">${p.to}</legend>
    <div class="row wrap">${KINDS.map((one) => html`<label key=${one} class="row check"><input type="radio" name="audience" checked=${kind === one} onChange=${() => set({ kind: one, chosen: null })} /> ${p.audiences[one]}</label>`)}</div>
    ${kind === "team" && html`<${Finder} key="team" label=${p.findTeam} foundLabel=${p.foundTeams} none=${p.noTeam} find=${findTeams} chosen=${chosen} choose=${choose} wrong=${wrong} />`}
    ${kind === "league" && html`<${Finder} key="league" label=${p.findLeague} foundLabel=${p.foundLeagues} none=${p.noLeague} find=${findLeagues} chosen=${chosen} choose=${choose} wrong=${wrong} />`}
  </fieldset>`;
}

/**
 * One of many, by a part of its name; what was chosen stays in sight when another search no longer finds it.
 * @param {{ label: string, foundLabel: string, none: (text: string) => string, find: (desk: import("./desk.js").Desk, asked: object, signal: AbortSignal) => Promise<{ found: Found[], total: number }>, chosen: Found | null, choose: (one: Found) => void, wrong: string[] }} props
 */
function Finder({ label, foundLabel, none, find, chosen, choose, wrong }) {
  const { t, say } = useTexts();
  const [text, setText] = useState("");
  const search = text.trim();
  const reading = useOnce((desk, signal) => find(desk, { per_page: SHOWN, ...(search && { search }) }, signal), [search]);
  const { found = [], total = 0 } = reading.value ?? {};
  const shown = chosen && !found.some(({ id }) => id === chosen.id) ? [chosen, ...found] : found;
  return html`<${Field} label=${label} wrong=${wrong}><input type="search" name="search" maxlength="60" autocomplete="off" aria-invalid=${wrong.length ? "true" : null} value=${text} onInput=${typed(setText)} /><//>
    ${reading.error && html`<${Failure} error=${reading.error} again=${reading.again} />`}
    ${shown.length > 0 && html`<div class="ticks found" role="group" aria-label=${foundLabel}>${shown.map((one) => html`<label key=${one.id} class="row check"><input type="radio" name="found" checked=${chosen?.id === one.id} onChange=${() => choose(one)} /> <span class="said">${one.name}</span> <small class="muted">${one.note}</small></label>`)}</div>`}
    <small class="muted" role="status">${reading.value && (total === 0 ? none(search) : total > SHOWN ? t.push.firstOf(say.number(SHOWN), say.number(total)) : "")}</small>`;
}
