// What a league is: asked when one is made, and when its owner changes it.
import { html, useState } from "../vendor/htm-preact-standalone.module.js";
import { Failure, Loading, useReading } from "../shared/components.js";
import { useAttempt } from "./asking.js";
import { momentOf } from "./league-asks.js";
import { useLeagueTexts } from "./texts-leagues.js";

/** @typedef {import("./fan.js").Fan} Fan */
/** @typedef {import("./league-asks.js").League} League */
/** @typedef {import("./api.d.ts").Schemas["LeagueBody"]} LeagueBody */
/** @typedef {import("./api.d.ts").Schemas["LeagueScoring"]} Scoring */
/** @typedef {{ id: number, name: string }} Tournament */

const SCORINGS = /** @type {Scoring[]} */ (["tournament", "classic", "kicktipp", "super6", "premier_league"]);
/** More than these are looked for by name. */
const SHOWN_TOURNAMENTS = 6;
const DAY_MS = 24 * 60 * 60_000;

/** The Monday of a day's week, in UTC as the service reckons. @param {string} day */
function mondayOf(day) {
  const at = new Date(momentOf(day));
  return new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * DAY_MS).toISOString().slice(0, 10);
}

/** @param {{ fan: Fan, chosen: Tournament[], choose: (chosen: Tournament[]) => void, wrong?: string }} props */
function Tournaments({ fan, chosen, choose, wrong }) {
  const { t, l } = useLeagueTexts();
  const [search, setSearch] = useState("");
  const { value, error, again } = useReading(
    (signal) => fan.call("list_tournaments", { search: search || undefined, per_page: SHOWN_TOURNAMENTS }, { signal }),
    [search],
  );
  const isChosen = (/** @type {Tournament} */ { id }) => chosen.some((one) => one.id === id);
  // What was chosen stays in sight, whatever is looked for.
  const shown = value && [...chosen.filter((one) => !value.data.some(({ id }) => id === one.id)), ...value.data];
  const toggle = (/** @type {Tournament} */ { id, name }) => choose(isChosen({ id, name }) ? chosen.filter((one) => one.id !== id) : [...chosen, { id, name }]);
  const hasMore = search !== "" || (value?.meta.total ?? 0) > SHOWN_TOURNAMENTS;
  return html`<fieldset class="field" aria-invalid=${wrong ? "true" : undefined}>
    <legend class="small muted">${l.whichMatches}</legend>
    ${hasMore && html`<input type="search" aria-label=${l.findTournament} placeholder=${l.findTournament} value=${search} onInput=${(/** @type {any} */ event) => setSearch(event.target.value)} />`}
    ${error && html`<${Failure} error=${error} words=${t} again=${again} />`}
    ${!value && !error && html`<${Loading} lines=${2} label=${t.loading} />`}
    ${shown?.map((one) => html`<label class="row tick" key=${one.id}><input type="checkbox" checked=${isChosen(one)} onChange=${() => toggle(one)} /> <span>${one.name}</span></label>`)}
    ${value?.data.length === 0 && html`<p class="small muted">${search ? l.noTournament : l.noTournaments}</p>`}
    ${wrong && html`<span class="wrong">${wrong}</span>`}
  </fieldset>`;
}

/** @param {{ fan: Fan, league?: League, yes: string, send: (body: LeagueBody) => Promise<any>, cancel?: () => void }} props */
export function LeagueForm({ fan, league, yes, send, cancel }) {
  const { t, l, say } = useLeagueTexts();
  const today = new Date().toISOString().slice(0, 10);
  const [name, setName] = useState(league?.name ?? "");
  const [chosen, setChosen] = useState(/** @type {Tournament[]} */ (league?.tournaments ?? []));
  const [scoring, setScoring] = useState(/** @type {Scoring} */ (league?.scoring ?? "tournament"));
  const [startsOn, setStartsOn] = useState(league?.starts_on ?? mondayOf(today));
  const [isPublic, setPublic] = useState(league?.is_public ?? false);
  const [hasChat, setChat] = useState(league?.has_chat ?? true);
  const { error, isBusy, attempt, setError } = useAttempt();
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!chosen.length) return setError({ fields: { tournament_ids: [l.chooseOne] } });
    const body = { name: name.trim(), tournament_ids: chosen.map(({ id }) => id), scoring, starts_on: startsOn, is_public: isPublic, has_chat: hasChat };
    attempt(() => send(body));
  };
  const wrong = (/** @type {string} */ field) => error?.fields?.[field]?.join(" ");
  const hasOwnPlace = ["name", "tournament_ids", "starts_on"].some(wrong);
  const typed = (/** @type {(value: any) => void} */ set) => (/** @type {any} */ event) => set(event.target.value);
  return html`<form class="body stack" onSubmit=${submit}>
    <label class="field"><span>${l.name}</span><input name="name" required maxlength="60" autocomplete="off" value=${name} onInput=${typed(setName)} aria-invalid=${wrong("name") ? "true" : undefined} />
      ${wrong("name") && html`<span class="wrong">${wrong("name")}</span>`}</label>
    <${Tournaments} fan=${fan} chosen=${chosen} choose=${setChosen} wrong=${wrong("tournament_ids")} />
    <div class="field"><label class="field"><span>${l.scoring}</span>
      <select name="scoring" value=${scoring} onChange=${typed(setScoring)}>${SCORINGS.map((one) => html`<option value=${one} selected=${one === scoring}>${l.presets[one]}</option>`)}</select></label>
      <small class="muted">${l.presetOf[scoring]}</small></div>
    <div class="field"><label class="field"><span>${l.firstWeek}</span>
      <input type="date" name="starts_on" required value=${startsOn} onInput=${typed(setStartsOn)} aria-invalid=${wrong("starts_on") ? "true" : undefined} />
      ${wrong("starts_on") && html`<span class="wrong">${wrong("starts_on")}</span>`}</label>
      <small class="muted">${startsOn && l.countsFrom(say.date(momentOf(mondayOf(startsOn))))}</small></div>
    <div><label class="row tick"><input type="checkbox" name="public" checked=${isPublic} onChange=${() => setPublic(!isPublic)} /> <span>${l.isPublic}</span></label>
      <small class="muted beside-tick">${isPublic ? l.isForAll : l.isPrivate}</small></div>
    <div><label class="row tick"><input type="checkbox" name="chat" checked=${hasChat} onChange=${() => setChat(!hasChat)} /> <span>${l.hasChat}</span></label>
      ${league?.has_chat && !hasChat && html`<small class="muted beside-tick">${l.noChatThen}</small>`}</div>
    ${league && html`<p class="small muted">${l.reckoned}</p>`}
    ${error && !hasOwnPlace && html`<${Failure} error=${error} words=${t} />`}
    <div class="row wrap"><button class="primary" disabled=${isBusy}>${yes}</button>${cancel && html`<button type="button" class="quiet" onClick=${cancel}>${t.cancel}</button>`}</div>
  </form>`;
}
