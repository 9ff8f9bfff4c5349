// Special tips: the questions that take an answer, by their deadline, and those that are closed.
import { html, useEffect, useRef, useState } from "../vendor/htm-preact-standalone.module.js";
import { Failure, Loading, useNow } from "../shared/components.js";
import { upTo, useReadingOften } from "./asking.js";
import { keepQuestions } from "./questions-open.js";
import { useQuestionTexts } from "./texts-questions.js";

/** @typedef {import("./fan.js").Fan} Fan */
/** @typedef {import("./panel.js").Go} Go */
/** @typedef {import("./questions-open.js").Question} Question */

const PER_PAGE = 20;
const REFRESH_MS = 30_000;

/** How long until its deadline or since, or that it is now. @param {ReturnType<typeof useQuestionTexts>} texts @param {Question} question @param {number} now */
export function leftUntil({ q, say }, question, now) {
  const ms = Date.parse(question.closes_at) - now;
  if (ms >= 60_000 || ms <= -60_000) return say.relative(ms);
  return ms > 0 ? q.thisMinute : question.state === "open" ? q.closesNow : q.justNow;
}

/** How it stands with me, in a word. @param {{ question: Question }} props */
function Standing({ question }) {
  const { t, q } = useQuestionTexts();
  const { state, tip } = question;
  if (state === "open") return tip ? html`<small class="muted">✓ ${q.answered}</small>` : html`<small class="won">${q.toAnswer}</small>`;
  if (state !== "settled" || !tip || tip.points_earned === null) return html`<small class="muted">${q.states[state]}</small>`;
  return html`<small class=${tip.points_earned > 0 ? "won" : "muted"}>${t.points(tip.points_earned)}</small>`;
}

/** @param {{ name: string, questions: Question[], openId: number | null, go: Go, now: number }} props */
function Group({ name, questions, openId, go, now }) {
  const texts = useQuestionTexts();
  const { q } = texts;
  const when = (/** @type {Question} */ one) => {
    const left = leftUntil(texts, one, now);
    return one.state === "void" ? "" : `${one.state === "open" ? q.closes(left) : left} · `;
  };
  return html`<div class="group"><h2>${name}</h2>
    <ul>
      ${questions.map(
        (one) => html`<li key=${one.id}><a class="item" href="#tips/${one.id}" aria-current=${one.id === openId ? "true" : undefined} onClick=${(/** @type {Event} */ event) => (event.preventDefault(), go("tips", one.id))}>
          <span class="grow"><b class="question-text">${one.text}</b><span class="question-line"><small class="muted cut">${when(one)}${one.tournament.name}</small><${Standing} question=${one} /></span></span></a></li>`,
      )}
    </ul>
  </div>`;
}

/** The first to show where none was chosen: one that waits for an answer, else the first that is open, else the last that was closed. @param {Question[]} open @param {Question[]} over */
const firstOf = (open, over) => (open.find((one) => !one.tip) ?? open[0] ?? over[0])?.id ?? null;

/** @param {{ fan: Fan, go: Go, openId: number | null }} props */
export function Questions({ fan, go, openId }) {
  const { t, q } = useQuestionTexts();
  const [pages, setPages] = useState(1);
  const now = useNow(10_000);
  const card = useRef(/** @type {HTMLElement | null} */ (null));
  const { value, error, again } = useReadingOften(
    async (signal) => {
      const list = (/** @type {Question["state"]} */ state) => upTo(pages, (page) => fan.call("list_questions", { state, page, per_page: PER_PAGE }, { signal }));
      const lists = await Promise.all([list("open"), list("closed"), list("settled"), list("void")]);
      const all = lists.flatMap(({ data }) => data);
      keepQuestions(fan, all);
      return { ids: all.map(({ id }) => id), hasMore: lists.some(({ hasMore }) => hasMore) };
    },
    [pages],
    REFRESH_MS,
  );
  // As each was told last: one that was answered or closed meanwhile is in its place at once.
  const questions = (value?.ids ?? []).flatMap((id) => fan.state.questions.get(id) ?? []).sort((one, other) => Date.parse(one.closes_at) - Date.parse(other.closes_at) || one.id - other.id);
  const open = questions.filter(({ state }) => state === "open");
  const over = questions.filter(({ state }) => state !== "open").reverse();
  // On a phone the list takes the place of a question, which may have been scrolled.
  useEffect(() => card.current?.closest(".column")?.scrollTo({ top: 0 }), []);
  useEffect(() => {
    if (value) fan.change({ firstQuestion: firstOf(open, over) });
  }, [Boolean(value)]);
  return html`<section role="group" class="card list" aria-label=${q.questions} ref=${card}>
    <header class=${value && questions.length ? "hidden" : ""}><h2>${q.questions}</h2></header>
    ${error && html`<div class="body"><${Failure} error=${error} words=${t} again=${again} /></div>`}
    ${!value && !error && html`<${Loading} lines=${6} label=${t.loading} />`}
    ${value && !questions.length && html`<p class="body muted">${q.none}</p>`}
    ${questions.length > 0 && (open.length ? html`<${Group} name=${q.open} questions=${open} openId=${openId} go=${go} now=${now} />` : html`<p class="empty">${q.noneOpen}</p>`)}
    ${over.length > 0 && html`<${Group} name=${q.over} questions=${over} openId=${openId} go=${go} now=${now} />`}
    ${value?.hasMore && html`<div class="body"><button class="quiet flush" onClick=${() => setPages(pages + 1)}>${q.more}</button></div>`}
  </section>`;
}
