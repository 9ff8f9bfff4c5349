// The answers of a new question, one a line; those that are teams of its tournament keep that they are.
import { html } from "../vendor/htm-preact-standalone.module.js";
import { useAction } from "./desk.js";
import { typed } from "./inputs.js";
import { Failure, Field } from "./parts.js";
import { useTexts } from "./texts.js";

/** @import { Schemas } from "./api.d.ts" */
/** @typedef {{ text: string, teams: Map<string, number>, isEmpty?: boolean }} Written what was typed, which lines of it are teams, and whether none were found */

const MOST = 200;
const LONGEST = 100;
const DAY_MS = 86_400_000;
/** The matches whose teams count as the tournament's: back to where a summer's break begins, and ahead for as long as any season goes. */
const DAYS_BACK = 60;
const DAYS_AHEAD = 400;
const PAGE = 100;
const MOST_PAGES = 20;

/** @type {Written} */
export const UNANSWERED = { text: "", teams: new Map() };

/** @param {string} text */
export const linesOf = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);

/** @param {Written} written */
export const optionsOf = ({ text, teams }) => linesOf(text).map((line) => ({ text: line, ...(teams.has(line) && { team_id: teams.get(line) }) }));

/** @param {string[]} lines */
const twiceIn = (lines) => [...new Set(lines.filter((line, at) => lines.indexOf(line) !== at))];

/** @param {Written} written */
export function areWhole({ text }) {
  const lines = linesOf(text);
  return lines.length >= 2 && lines.length <= MOST && twiceIn(lines).length === 0 && lines.every((line) => [...line].length <= LONGEST);
}

/** Everybody who plays in it, by name. @param {import("./desk.js").Desk} desk @param {number} tournament */
async function teamsOf(desk, tournament) {
  const day = (/** @type {number} */ days) => new Date(Date.now() + days * DAY_MS).toISOString();
  const wanted = { tournament_id: tournament, from: day(-DAYS_BACK), to: day(DAYS_AHEAD), is_void: false, per_page: PAGE };
  /** @type {Map<string, number>} */
  const teams = new Map();
  for (let page = 1, last = 1; page <= Math.min(last, MOST_PAGES); page += 1) {
    const { data, meta } = await desk.call("list_matches", { ...wanted, page });
    last = meta.last_page;
    for (const { home_team: home, away_team: away } of data) for (const { id, name } of [home, away]) teams.set(name.trim(), id);
  }
  return new Map([...teams].sort(([one], [other]) => one.localeCompare(other)));
}

/** @param {{ tournament: number | null, written: Written, set: (written: Written) => void, wrong: string[] }} props */
export function AnswersField({ tournament, written, set, wrong }) {
  const { t, say } = useTexts();
  const q = t.questions;
  const lines = linesOf(written.text);
  const fill = useAction(
    async (desk) => teamsOf(desk, tournament ?? 0),
    (found) => {
      const missing = [...found.keys()].filter((name) => !lines.includes(name));
      set({ text: [...lines, ...missing].join("\n"), teams: new Map([...written.teams, ...found]), isEmpty: found.size === 0 });
    },
  );
  const long = lines.filter((line) => [...line].length > LONGEST);
  const twice = twiceIn(lines);
  const said = [...wrong, ...(twice.length ? [q.twice(twice.join(", "))] : []), ...(long.length ? [q.tooLong(long[0].slice(0, 40))] : []), ...(lines.length > MOST ? [q.tooManyAnswers(say.number(lines.length))] : [])];
  return html`<${Field} label=${q.answers} hint=${q.answersHint(lines.length)} wrong=${said}><textarea name="answers" rows="7" aria-invalid=${said.length ? "true" : null} value=${written.text} onInput=${typed((text) => set({ ...written, text, isEmpty: false }))}></textarea><//>
    <div class="row wrap"><button type="button" disabled=${tournament === null || fill.isBusy} onClick=${fill.press}>${fill.isBusy ? t.working : q.itsTeams}</button>${written.isEmpty && html`<small class="muted grow" role="status">${q.noTeams}</small>`}</div>
    ${fill.error && html`<${Failure} error=${fill.error} />`}`;
}
