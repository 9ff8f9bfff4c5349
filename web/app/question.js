// One question: what it asks, until when and for what; answering it, and what came of it.
import { html, useEffect, useReducer, useRef, useState } from "../vendor/htm-preact-standalone.module.js";
import { Failure, Loading, useNow } from "../shared/components.js";
import { useReadingOften } from "./asking.js";
import { AnswerForm } from "./question-form.js";
import { OwnAnswer, Shares } from "./question-result.js";
import { keepQuestions } from "./questions-open.js";
import { leftUntil } from "./questions.js";
import { useQuestionTexts } from "./texts-questions.js";

/** @typedef {import("./fan.js").Fan} Fan */
/** @typedef {import("./questions-open.js").Question} Question */

/** Questions are not told on the stream: they are read again now and then, and sooner while something is about to come. */
const REFRESH_MS = 30_000;
const SOON_MS = 2_000;
/** A clock that is further ahead than this does not make the page ask all the time. */
const AHEAD_MS = 60_000;
const LONGEST_TIMER_MS = 86_400_000;

/** Whether this moment has passed, by this clock; draws again when it does. @param {string | undefined} moment */
function useIsPast(moment) {
  const [, look] = useReducer((/** @type {number} */ times) => times + 1, 0);
  const leftMs = moment ? Date.parse(moment) - Date.now() : 0;
  useEffect(() => {
    if (leftMs <= 0) return;
    const timer = setTimeout(look, Math.min(leftMs, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  }, [moment, leftMs > 0]);
  return leftMs <= 0;
}

/** Whether the service is about to say more. @param {Question | undefined} question */
function isSoon(question) {
  if (!question) return false;
  const { state, tips, tip } = question;
  const pastMs = Date.now() - Date.parse(question.closes_at);
  if (state === "open") return pastMs >= 0 && pastMs < AHEAD_MS;
  return (state === "closed" && tips === null) || (state === "settled" && tip?.points_earned === null);
}

/** @param {{ question: Question }} props */
function Deadline({ question }) {
  const texts = useQuestionTexts();
  const { q, say } = texts;
  const now = useNow(5_000);
  const { closes_at: at } = question;
  return html`<dt>${question.state === "open" ? q.until : q.wasUntil}</dt><dd><time datetime=${at}>${say.moment(at)}</time> <span class="muted">(${leftUntil(texts, question, now)})</span><small class="muted zone-of">${say.zone}</small></dd>`;
}

/** @param {{ question: Question }} props */
function Terms({ question }) {
  const { language, q, say } = useQuestionTexts();
  const { points, most_picks: most, counts_in: tables, state } = question;
  const list = new Intl.ListFormat(language, { type: "conjunction" });
  const each = most > 1 ? q.pointsEach(points, say.number(points)) : q.pointsFor(points, say.number(points));
  // One that does not count pays nothing anywhere, and what was its deadline is nobody's concern.
  if (state === "void") return null;
  return html`<dl class="terms">
    <${Deadline} question=${question} />
    <dt>${q.points}</dt><dd>${each}</dd>
    ${state === "open" && html`<dt>${q.picks}</dt><dd>${most > 1 ? q.pickUpTo(say.number(most)) : q.pickOne}</dd>`}
    ${tables.length > 0 && html`<dt>${q.countsIn}</dt><dd>${list.format(tables.map((table) => q.tables[table]))}</dd>`}
  </dl>`;
}

/** @param {{ fan: Fan, id: number, go: import("./panel.js").Go }} props */
export function Question({ fan, id, go }) {
  const { t, q } = useQuestionTexts();
  const question = fan.state.questions.get(id);
  const card = useRef(/** @type {HTMLElement | null} */ (null));
  const isPast = useIsPast(question?.closes_at);
  const [isTooLate, setTooLate] = useState(false);
  const { error, again } = useReadingOften(
    async (signal) => keepQuestions(fan, [(await fan.call("show_question", { question: id }, { signal })).data]),
    [id, isPast],
    isSoon(question) ? SOON_MS : REFRESH_MS,
  );
  // The column may have been scrolled for another.
  useEffect(() => card.current?.closest(".column")?.scrollTo({ top: 0 }), []);
  const isGone = error && (error.status === 404 || error.status === 422);
  if (error && (isGone || !question)) {
    return html`<section role="group" class="card" aria-label=${q.question} ref=${card}><div class="body stack">
      ${isGone ? html`<p role="alert">${q.gone}</p>` : html`<${Failure} error=${error} words=${t} again=${again} />`}
      <div><button onClick=${() => go("tips")}>${q.back}</button></div>
    </div></section>`;
  }
  if (!question) return html`<section role="group" class="card" aria-label=${q.question} ref=${card}><${Loading} lines=${6} label=${t.loading} /></section>`;
  const { state, text, tournament, void_reason: reason } = question;
  const refused = () => {
    setTooLate(true);
    again();
  };
  return html`<section role="group" class="card question" aria-label=${q.question} ref=${card}>
    <header><div class="grow"><small class="muted">${tournament.name}</small><h2 class="asked">${text}</h2></div><span class="pill state-${state}">${q.states[state]}</span></header>
    <div class="body stack">
      <${Terms} question=${question} />
      ${state === "void" && html`<p class="void-why"><b>${q.isVoid}</b> ${reason && q.why(reason)}</p>`}
      ${isTooLate && state !== "open" && html`<p class="failure" role="alert">${q.closedMeanwhile}</p>`}
      ${error && html`<${Failure} error=${error} words=${t} again=${again} />`}
    </div>
    ${state === "open" ? html`<${AnswerForm} fan=${fan} question=${question} refused=${refused} changed=${again} />` : html`<${OwnAnswer} question=${question} /><${Shares} fan=${fan} question=${question} />
        <div class="block where-alone"><div><a class="button" href="#tips" onClick=${(/** @type {Event} */ event) => (event.preventDefault(), go("tips"))}>${q.back}</a></div></div>`}
  </section>`;
}
