// The terms of a question, for a new one and for one that is changed; what the service says of a field stands at that field.
import { html, useState } from "../vendor/htm-preact-standalone.module.js";
import { local, momentOf, typed } from "./inputs.js";
import { Ask, Field } from "./parts.js";
import { useTexts } from "./texts.js";

/** @import { Schemas } from "./api.d.ts" */
/** @typedef {Schemas["QuestionView"]} QuestionView */
/** @typedef {Schemas["CountsIn"]} CountsIn */
/** @typedef {{ text: string, time: string, points: string, tables: CountsIn[] }} Terms */

const TABLES = /** @type {const} */ (["global", "tournament", "season", "leagues", "month", "tournament_month", "week", "tournament_week"]);

/** What most questions count in. @type {Terms} */
export const UNWRITTEN = { text: "", time: "", points: "", tables: ["global", "season", "tournament", "leagues"] };

/** @param {Terms} terms */
export const isWhole = ({ text, time, points, tables }) => text.trim() !== "" && momentOf(time) !== null && points.trim() !== "" && tables.length > 0;

/** What is no number goes as it is: the service says what it must be. @param {string} text */
export const numberOf = (text) => /** @type {number} */ (/^\d{1,9}$/.test(text.trim()) ? Number(text) : /** @type {unknown} */ (text));

/**
 * Sends what a form has, and keeps what the service says of its fields, to be said there; the line above the buttons then only points at them.
 * @param {string[]} names the fields that have a place for it
 * @param {(desk: import("./desk.js").Desk) => Promise<any>} send
 */
export function useFields(names, send) {
  const { t } = useTexts();
  const [fields, setFields] = useState(/** @type {Record<string, string[]>} */ ({}));
  const run = async (/** @type {import("./desk.js").Desk} */ desk) => {
    setFields({});
    try {
      return await send(desk);
    } catch (caught) {
      const error = /** @type {any} */ (caught);
      const told = Object.keys(error.fields ?? {});
      if (told.length === 0 || !told.every((field) => names.includes(field.split(".")[0]))) throw error;
      setFields(error.fields);
      throw { code: error.code, message: t.questions.seeFields, requestId: error.requestId };
    }
  };
  const wrong = (/** @type {string} */ name) => [...new Set(Object.entries(fields).flatMap(([field, said]) => (field.split(".")[0] === name ? said : [])))];
  return { run, wrong };
}

/** @param {{ terms: Terms, set: (terms: Terms) => void, wrong: (name: string) => string[], deadlineHint?: any }} props */
export function TermFields({ terms, set, wrong, deadlineHint }) {
  const { t, say } = useTexts();
  const q = t.questions;
  const put = (/** @type {keyof Terms} */ name) => typed((value) => set({ ...terms, [name]: value }));
  const invalid = (/** @type {string} */ name) => (wrong(name).length ? "true" : null);
  return html`
    <${Field} label=${q.question} wrong=${wrong("text")}><input name="text" maxlength="200" autocomplete="off" placeholder=${q.textExample} aria-invalid=${invalid("text")} value=${terms.text} onInput=${put("text")} /><//>
    <${Field} label=${q.deadline} wrong=${wrong("closes_at")} hint=${deadlineHint || `${t.timesIn} ${say.zone}`}><input name="closes_at" type="datetime-local" aria-invalid=${invalid("closes_at")} value=${terms.time} onInput=${put("time")} /><//>
    <${Field} label=${q.pointsForRight} wrong=${wrong("points")}><input name="points" inputmode="numeric" maxlength="4" autocomplete="off" aria-invalid=${invalid("points")} value=${terms.points} onInput=${put("points")} /><//>
    <${Tables} chosen=${terms.tables} choose=${(/** @type {CountsIn[]} */ tables) => set({ ...terms, tables })} wrong=${wrong("counts_in")} />`;
}

/** @param {{ chosen: CountsIn[], choose: (tables: CountsIn[]) => void, wrong: string[] }} props */
function Tables({ chosen, choose, wrong }) {
  const { t } = useTexts();
  const q = t.questions;
  const said = chosen.length ? wrong : [q.oneTable];
  const toggle = (/** @type {CountsIn} */ table) => choose(chosen.includes(table) ? chosen.filter((one) => one !== table) : [...chosen, table]);
  return html`<fieldset class="field"><legend class="small muted">${q.countsIn}</legend>
    <div class="ticks two">${TABLES.map((table) => html`<label key=${table} class="row check"><input type="checkbox" name="counts_in" checked=${chosen.includes(table)} onChange=${() => toggle(table)} /> ${q.tables[table]}</label>`)}</div>
    <small class="muted">${q.periodOfDeadline}</small>
    ${said.length > 0 && html`<small class="wrong">${said.join(" ")}</small>`}
  </fieldset>`;
}

/** @param {QuestionView} question @returns {Terms} */
const termsOf = ({ text, closes_at, points, counts_in }) => ({ text, time: local(closes_at), points: String(points), tables: counts_in });

/** Only what is another than before: a deadline's seconds stay, and so does what somebody else changed meanwhile. @param {Terms} before @param {Terms} now */
function changeOf(before, now) {
  const isOther = before.tables.length !== now.tables.length || now.tables.some((table) => !before.tables.includes(table));
  return {
    ...(now.text.trim() !== before.text && { text: now.text.trim() }), ...(now.time !== before.time && { closes_at: momentOf(now.time) ?? "" }),
    ...(now.points.trim() !== before.points && { points: numberOf(now.points) }), ...(isOther && { counts_in: now.tables }),
  };
}

/** @param {{ question: QuestionView, close: () => void }} props */
export function ChangeQuestion({ question, close }) {
  const { t } = useTexts();
  const q = t.questions;
  const [before] = useState(question);
  const [terms, setTerms] = useState(() => termsOf(before));
  const change = changeOf(termsOf(before), terms);
  const { run, wrong } = useFields(["text", "closes_at", "points", "counts_in"], (desk) => desk.call("change_question", { question: before.id, ...change }));
  const opensAgain = before.state === "closed" && change.closes_at && Date.parse(change.closes_at) > Date.now();
  return html`<${Ask} title=${q.changeTitle(before.text)} what=${q.changeWhat} action=${q.changeIt} close=${close} isReady=${isWhole(terms) && Object.keys(change).length > 0} run=${run}>
    <${TermFields} terms=${terms} set=${setTerms} wrong=${wrong} deadlineHint=${opensAgain && html`<b class="warn">${q.opensAgain}</b>`} />
  <//>`;
}
