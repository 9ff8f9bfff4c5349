// A tournament, chosen among all that there are; if they are many, narrowed by name.
import { html, useRef, useState } from "../vendor/htm-preact-standalone.module.js";
import { useOnce } from "./desk.js";
import { typed } from "./inputs.js";
import { Failure, Field } from "./parts.js";
import { useTexts } from "./texts.js";

/** @import { Schemas } from "./api.d.ts" */
/** @typedef {Schemas["TournamentChoiceView"]} Tournament */

/** More than these are narrowed down by name. */
const SHOWN = 100;

/**
 * `none` is what stands there as long as none is chosen; what is bare has its label for those who read by ear only.
 * @param {{ value: number | null, set: (id: number | null) => void, none: string, isBare?: boolean, wrong?: string[] }} props
 */
export function TournamentChoice({ value, set, none, isBare = false, wrong }) {
  const { t } = useTexts();
  const [search, setSearch] = useState("");
  const reading = useOnce((desk, signal) => desk.call("list_tournaments_to_choose", { per_page: SHOWN, ...(search.trim() && { search: search.trim() }) }, { signal }), [search]);
  const found = /** @type {Tournament[]} */ (reading.value?.data ?? []);
  // What was chosen stays chosen when another search no longer finds it.
  const names = useRef(/** @type {Map<number, string>} */ (new Map())).current;
  for (const { id, name } of found) names.set(id, name);
  const isElsewhere = value !== null && !found.some(({ id }) => id === value);
  const isMany = search !== "" || (reading.value?.meta.total ?? 0) > SHOWN;
  const isEmpty = search === "" && reading.value?.meta.total === 0;
  const narrow = t.narrowTeams(t.tournament);
  const searchbox = html`<input type="search" autocomplete="off" aria-label=${isBare ? narrow : null} placeholder=${isBare ? narrow : null} value=${search} onInput=${typed(setSearch)} />`;
  const select = html`<select name="tournament" aria-label=${isBare ? t.tournament : null} aria-invalid=${wrong?.length ? "true" : null} value=${String(value ?? "")} onChange=${typed((text) => set(Number(text) || null))}>
    <option value="" selected=${value === null}>${none}</option>
    ${isElsewhere && html`<option value=${value} selected>${names.get(value) ?? `#${value}`}</option>`}
    ${found.map(({ id, name }) => html`<option key=${id} value=${id} selected=${id === value}>${name}</option>`)}</select>`;
  if (isBare) return html`${isMany && searchbox}${select}`;
  return html`${reading.error && html`<${Failure} error=${reading.error} again=${reading.again} />`}
    ${isMany && html`<${Field} label=${narrow}>${searchbox}<//>`}
    <${Field} label=${t.tournament} wrong=${wrong} hint=${isEmpty && t.noCatalogue}>${select}<//>`;
}
