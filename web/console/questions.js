// Special tips: every question about a tournament by its state, and the page of the one that is opened.
import { html } from "../vendor/htm-preact-standalone.module.js";
import { addressOf, go, useDesk, useLive } from "./desk.js";
import { Heading, List, Opens, Pager, Read, When } from "./parts.js";
import { Question } from "./question.js";
import { NewQuestion } from "./question-new.js";
import { useTexts } from "./texts.js";
import { TournamentChoice } from "./tournament-choice.js";

/** @import { Schemas } from "./api.d.ts" */
/** @typedef {Schemas["QuestionView"]} QuestionView */

const STATES = /** @type {const} */ (["open", "closed", "settled", "void"]);

/** @param {{ address: import("./desk.js").Address }} props */
export function View({ address }) {
  return address.id ? html`<${Question} key=${address.id} id=${Number.parseInt(address.id, 10) || 0} />` : html`<${Questions} address=${address} />`;
}

/** @param {{ address: import("./desk.js").Address }} props */
function Questions({ address }) {
  const desk = useDesk();
  const { t } = useTexts();
  const q = t.questions;
  const state = STATES.find((one) => one === address.query.get("state")) ?? null;
  const tournament = Number(address.query.get("tournament")) || null;
  const page = Number(address.query.get("page") ?? 1);
  const at = (/** @type {Record<string, any>} */ change) => addressOf("questions", null, { state, tournament, ...change });
  const reading = useLive((desk, signal) => desk.call("find_questions", { ...(state && { state }), ...(tournament && { tournament_id: tournament }), page }, { signal }), [state, tournament, page]);
  const words = state === "open" ? [q.sooner, q.later] : [q.later, q.sooner];
  const empty = (/** @type {number} */ total) => (state || tournament || total ? html`${total ? "" : q.noneFound} <a class="link" href=${addressOf("questions")}>${t.showAll}</a>` : q.none);
  return html`<${Heading} title=${t.places.questions} note=${state === "open" ? q.soonestFirst : q.latestFirst}>
      <span class="search row grow"><${TournamentChoice} isBare none=${q.allTournaments} value=${tournament} set=${(/** @type {number | null} */ id) => go(at({ tournament: id }))} /></span>
      ${desk.may("operator") && html`<${Opens} label=${q.newQuestion} kind="primary" ask=${(/** @type {() => void} */ close) => html`<${NewQuestion} close=${close} />`} />`}
    <//>
    <p class="row wrap choices" role="group" aria-label=${t.state}>
      ${[null, ...STATES].map((one) => html`<a class="choice" aria-current=${one === state ? "true" : null} href=${at({ state: one })}>${one ? q.states[one] : t.all}</a>`)}
    </p>
    <${Read} reading=${reading} draw=${(/** @type {{ data: QuestionView[], meta: Schemas["PageMeta"] }} */ { data, meta }) => html`
      <${Table} questions=${data} empty=${empty(meta.total)} />
      <${Pager} meta=${meta} words=${words} to=${(/** @type {number} */ page) => at({ page })} />`} />`;
}

/** @param {{ questions: QuestionView[], empty: any }} props */
function Table({ questions, empty }) {
  const { t, say } = useTexts();
  const q = t.questions;
  const columns = [
    { head: q.question, kind: "wide", cell: (/** @type {QuestionView} */ question) => html`<a class="link main said" href=${addressOf("questions", question.id)}>${question.text}</a><br /><small class="muted">${question.tournament.name}</small>` },
    { head: t.state, cell: (/** @type {QuestionView} */ question) => html`<${State} question=${question} />` },
    { head: q.deadline, cell: (/** @type {QuestionView} */ question) => html`<${When} at=${question.closes_at} />` },
    { head: t.points, kind: "num", cell: (/** @type {QuestionView} */ question) => say.number(question.points) },
    { head: q.answers, kind: "num", cell: (/** @type {QuestionView} */ question) => say.number(question.options.length) },
    { head: q.tips, kind: "num", cell: (/** @type {QuestionView} */ { tips }) => (tips === null ? html`<span class="muted">–</span>` : say.number(tips)) },
  ];
  return html`<${List} label=${t.places.questions} rows=${questions} columns=${columns} empty=${empty} rowClass=${(/** @type {QuestionView} */ { state }) => (state === "void" ? "faded" : "")} />`;
}

/** @param {{ question: QuestionView }} props */
export function State({ question }) {
  const { t } = useTexts();
  const kinds = { open: "mark good", closed: "mark", settled: "mark muted", void: "mark muted" };
  return html`<span class=${kinds[question.state]}>${t.questions.states[question.state]}</span>`;
}
