// Special tips that still take an answer, and the quiet line above the matches that leads to them.
import { html, useEffect, useState } from "../vendor/htm-preact-standalone.module.js";
import { useNow } from "../shared/components.js";
import { useTexts } from "./texts-inside.js";

/** @typedef {import("./fan.js").Fan} Fan */
/** @typedef {import("./api.d.ts").Schemas["QuestionView"]} Question */

const FIRST_ONES = 20;
/** The page is not kept waiting for them any longer. */
const PATIENCE_MS = 1_500;
/** New ones are not told: they are looked for now and then. */
const FRESH_MS = 60_000;

/** @type {WeakMap<Fan, number>} */
const readAt = new WeakMap();

/** Keeps questions as they were told last, for all who show them. @param {Fan} fan @param {Question[]} told */
export function keepQuestions(fan, told) {
  const before = fan.state.questions;
  fan.change({ questions: new Map([...before, ...told.map((one) => /** @type {const} */ ([one.id, one]))]) });
  const isEarned = (/** @type {Question | undefined} */ one) => (one?.tip?.points_earned ?? null) !== null;
  // Of these points there is no news; the rank has them too.
  if (told.some((one) => before.has(one.id) && isEarned(one) !== isEarned(before.get(one.id)))) fan.readRank().catch(() => {});
}

/** Reads those that close first. Without them the page is whole: it is tried again with the next look. @param {Fan} fan */
export async function readOpenQuestions(fan) {
  readAt.set(fan, Date.now());
  try {
    keepQuestions(fan, (await fan.call("list_questions", { state: "open", per_page: FIRST_ONES }, { signal: AbortSignal.timeout(PATIENCE_MS) })).data);
  } catch {
    readAt.delete(fan);
  }
}

/** @param {Fan} fan @param {number} now */
function unansweredOf(fan, now) {
  return [...fan.state.questions.values()].filter((one) => one.state === "open" && !one.tip && Date.parse(one.closes_at) > now);
}

/** Says that questions wait, and leads there. It comes and goes only with the view around it, so that it never moves the matches below. @param {{ fan: Fan, go: import("./panel.js").Go }} props */
export function QuestionsLine({ fan, go }) {
  const { t, say } = useTexts();
  const now = useNow(30_000);
  const waiting = unansweredOf(fan, now);
  const [isShown] = useState(waiting.length > 0);
  useEffect(() => {
    if (Date.now() - (readAt.get(fan) ?? 0) > FRESH_MS) readOpenQuestions(fan);
  }, []);
  if (!isShown) return null;
  const next = Math.min(...waiting.map((one) => Date.parse(one.closes_at)));
  return html`<a class="card leads-on questions-line" href="#tips" onClick=${(/** @type {Event} */ event) => (event.preventDefault(), go("tips"))}>
    <span class="grow"><b>${t.places.tips}</b> <small class="muted cut">${waiting.length ? t.tipsWait(waiting.length, say.number(waiting.length), say.relative(next - now)) : t.tipsDone}</small></span><span class="muted" aria-hidden="true">›</span>
  </a>`;
}
