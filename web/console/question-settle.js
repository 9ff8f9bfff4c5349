// Saying what was right about a question, or that something else was, with what it pays before the press.
import { html, useState } from "../vendor/htm-preact-standalone.module.js";
import { typed } from "./inputs.js";
import { Ask, Field } from "./parts.js";
import { useFields } from "./question-form.js";
import { useTexts } from "./texts.js";

/** @import { Schemas } from "./api.d.ts" */
/** @typedef {Schemas["QuestionView"]} QuestionView */
/** @typedef {Schemas["OptionView"]} OptionView */

/** More answers than these are narrowed down by their text. */
const SEEN_AT_ONCE = 12;
const MOST_RIGHT = 20;

/** @param {{ question: QuestionView, close: () => void }} props */
export function SettleQuestion({ question, close }) {
  const { t, say } = useTexts();
  const q = t.questions;
  // As it was looked at: what it says and what was right do not change under the hand that chooses.
  const [before] = useState(question);
  const wasRight = before.options.filter((option) => option.is_right);
  const [chosen, setChosen] = useState(() => wasRight.map(({ id }) => id));
  const { run, wrong } = useFields(["right_option_ids"], (desk) => desk.call("settle_question", { question: before.id, right_option_ids: chosen }));
  const right = before.options.filter(({ id }) => chosen.includes(id));
  const isOther = right.length !== wasRight.length || right.some((option) => !option.is_right);
  const isCorrection = before.state === "settled";
  const action = (isCorrection ? q.correctFor : q.settleFor)(say.number(before.tips ?? 0), before.tips);
  return html`<${Ask} title=${isCorrection ? q.correctTitle(before.text) : q.settleTitle(before.text)} what=${isCorrection ? q.correctWhat : before.state === "void" ? q.settleVoidWhat : q.settleWhat} action=${action} close=${close} isReady=${right.length > 0 && right.length <= MOST_RIGHT && isOther} run=${run}>
    ${isCorrection && html`<p>${q.rightBefore} <b class="said">${wasRight.map(({ text }) => text).join(", ")}</b></p>`}
    <${Choice} options=${before.options} chosen=${chosen} choose=${setChosen} wrong=${right.length > MOST_RIGHT ? [q.tooManyRight] : wrong("right_option_ids")} />
    <p aria-live="polite">${right.length > 0 && before.tips !== null && html`<${Pays} question=${before} right=${right} />`}</p>
  <//>`;
}

/** @param {{ question: QuestionView, right: OptionView[] }} props */
function Pays({ question, right }) {
  const { t, say } = useTexts();
  const picks = right.reduce((sum, option) => sum + (option.picks ?? 0), 0);
  const tables = question.counts_in.map((table) => t.questions.tables[table] ?? table).join(", ");
  return picks ? t.questions.pays(say.number(picks), picks, say.number(picks * question.points), tables) : t.questions.paysNobody;
}

/** @param {{ options: OptionView[], chosen: number[], choose: (ids: number[]) => void, wrong: string[] }} props */
function Choice({ options, chosen, choose, wrong }) {
  const { t, say } = useTexts();
  const q = t.questions;
  const [search, setSearch] = useState("");
  const part = search.trim().toLocaleLowerCase();
  // What is chosen stays in sight, whatever is searched for.
  const shown = options.filter(({ id, text }) => chosen.includes(id) || text.toLocaleLowerCase().includes(part));
  const toggle = (/** @type {number} */ id) => choose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return html`${options.length > SEEN_AT_ONCE && html`<${Field} label=${q.findAnswer}><input type="search" autocomplete="off" value=${search} onInput=${typed(setSearch)} /><//>`}
    <fieldset class="field"><legend class="small muted">${q.whatWasRight}</legend>
      <div class="ticks">${shown.map(({ id, text, picks }) => html`<label key=${id} class="row check"><input type="checkbox" name="right" checked=${chosen.includes(id)} onChange=${() => toggle(id)} /> <span class="grow said">${text}</span>${picks !== null && html`<small class="muted">${q.pickedBy(say.number(picks), picks)}</small>`}</label>`)}</div>
      ${wrong.length > 0 && html`<small class="wrong">${wrong.join(" ")}</small>`}
    </fieldset>`;
}
