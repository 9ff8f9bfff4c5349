// What an operator does about a question: change its terms, say what was right, correct that, and take it out of the game.
import { html, useState } from "../vendor/htm-preact-standalone.module.js";
import { typed } from "./inputs.js";
import { Ask, Field } from "./parts.js";
import { ChangeQuestion, useFields } from "./question-form.js";
import { SettleQuestion } from "./question-settle.js";
import { useTexts } from "./texts.js";

/** @import { Schemas } from "./api.d.ts" */
/** @typedef {Schemas["QuestionView"]} QuestionView */

/** @param {{ question: QuestionView }} props */
export function QuestionActions({ question }) {
  const { t } = useTexts();
  const q = t.questions;
  // Not in its button: a question that somebody else settles meanwhile takes nothing along that was typed.
  const [Asked, setAsked] = useState(/** @type {any} */ (null));
  const { state } = question;
  const isPast = Date.parse(question.closes_at) <= Date.now();
  const opens = (/** @type {string} */ label, /** @type {any} */ One, kind = "") => html`<button class=${kind} aria-haspopup="dialog" onClick=${() => setAsked(() => One)}>${label}</button>`;
  return html`<aside class="acts-side stack" aria-label=${t.actions}>
    <h2>${t.actions}</h2>
    ${state === "closed" && opens(q.settle, SettleQuestion, "primary")}
    ${state === "settled" && opens(t.correct, SettleQuestion)}
    ${state === "void" && isPast && opens(q.settleVoid, SettleQuestion)}
    ${(state === "open" || state === "closed") && opens(q.change, ChangeQuestion)}
    ${state !== "void" && opens(t.voidMatch, VoidQuestion, "bad")}
    ${(state === "open" || (state === "void" && !isPast)) && html`<p class="muted small">${q.settledLater}</p>`}
    ${Asked && html`<${Asked} question=${question} close=${() => setAsked(null)} />`}
  </aside>`;
}

/** @param {{ question: QuestionView, close: () => void }} props */
function VoidQuestion({ question, close }) {
  const { t } = useTexts();
  const q = t.questions;
  const [before] = useState(question);
  const [reason, setReason] = useState("");
  const { run, wrong } = useFields(["reason"], (desk) => desk.call("void_question", { question: before.id, reason: reason.trim() }));
  return html`<${Ask} title=${q.voidTitle(before.text)} what=${q.voidWhat(before.state, before.tips)} action=${q.voidIt} kind="bad" close=${close} isReady=${reason.trim() !== ""} run=${run}>
    <${Field} label=${t.reason} hint=${t.fansSeeReason} wrong=${wrong("reason")}><input name="reason" maxlength="255" autocomplete="off" value=${reason} onInput=${typed(setReason)} /><//>
  <//>`;
}
