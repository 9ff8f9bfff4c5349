// One question: how it stands, what was picked, and what can be done about it now.
import { html, useEffect } from "../vendor/htm-preact-standalone.module.js";
import { Split } from "../shared/components.js";
import { addressOf, useDesk, useLive } from "./desk.js";
import { Facts, Heading, List, Read, When } from "./parts.js";
import { QuestionActions } from "./question-actions.js";
import { State } from "./questions.js";
import { useTexts } from "./texts.js";

/** @import { Schemas } from "./api.d.ts" */
/** @typedef {Schemas["QuestionView"]} QuestionView */
/** @typedef {Schemas["OptionView"]} OptionView */

/** How soon it is looked again whether it has closed, or its tips are counted; and the longest that a browser waits. */
const SOON_MS = 1_000;
const LONGEST_MS = 2 ** 31 - 1;

/** @param {{ id: number }} props */
export function Question({ id }) {
  const desk = useDesk();
  const { t } = useTexts();
  const q = t.questions;
  const reading = useLive((desk, signal) => desk.call("look_at_question", { question: id }, { signal }), [id]);
  const question = /** @type {QuestionView | undefined} */ (reading.value?.data);
  useEffect(() => readAtDeadline(question, reading.again), [question]);
  const isGone = reading.error?.status === 404;
  return html`<nav class="crumbs" aria-label=${t.way}><a class="link" href=${addressOf("questions")}>${t.places.questions}</a></nav>
    <${Heading} title=${question?.text ?? q.number(id)} note=${question && q.number(id)} />
    ${isGone ? html`<p class="empty">${q.noSuch(id)}</p>` : html`<${Read} reading=${reading} lines=${8} draw=${() => html`
      ${question?.void_reason && html`<p class="verdict bad"><b>${q.states.void}</b><span class="said">${question.void_reason}</span></p>`}
      <div class=${desk.may("operator") ? "beside question" : "stack"}>
        <${About} question=${question} />
        ${desk.may("operator") && html`<${QuestionActions} question=${question} />`}
        <${Answers} question=${question} />
      </div>`} />`}`;
}

/** Nothing tells the console that a deadline has passed, or that tips are counted: it looks. @param {QuestionView | undefined} question @param {() => void} again */
function readAtDeadline(question, again) {
  const left = question && Date.parse(question.closes_at) - Date.now();
  if (left === undefined || (left <= 0 && question?.tips !== null)) return undefined;
  const timer = setTimeout(again, Math.min(LONGEST_MS, Math.max(0, left) + SOON_MS));
  return () => clearTimeout(timer);
}

/** @param {{ question: QuestionView }} props */
function About({ question }) {
  const { t, say } = useTexts();
  const q = t.questions;
  const isOpen = question.state === "open";
  return html`<section class="plain" aria-label=${q.about}><${Facts} facts=${[
    [t.tournament, question.tournament.name], [t.state, html`<${State} question=${question} />`],
    [q.deadline, html`<${When} at=${question.closes_at} /> ${isOpen && html`<small class="muted">${say.relative(Date.parse(question.closes_at) - Date.now())}</small>`}`],
    [q.pointsForRight, say.number(question.points)], [q.mostPicks, say.number(question.most_picks)], [q.countsIn, question.counts_in.map((table) => q.tables[table] ?? table).join(", ")],
    [q.tips, question.tips === null ? html`<span class="muted">${isOpen ? q.notToldYet : "–"}</span>` : say.number(question.tips)], [q.opened, html`<${When} at=${question.created_at} />`],
    [t.lastChanges, html`<a class="link" href=${addressOf("audit", null, { subject: `question ${question.id}` })}>${t.places.audit}</a>`],
  ]} /></section>`;
}

/** @param {{ question: QuestionView }} props */
function Answers({ question }) {
  const { t, say } = useTexts();
  const q = t.questions;
  const { options, tips } = question;
  const isPast = Date.parse(question.closes_at) <= Date.now();
  // What was right comes first, then what most people took it to be.
  const sorted = tips === null ? options : [...options].sort((one, other) => Number(other.is_right) - Number(one.is_right) || (other.picks ?? 0) - (one.picks ?? 0));
  const share = (/** @type {OptionView} */ option) => (tips ? Math.round(((option.picks ?? 0) / tips) * 100) : 0);
  const columns = [
    { head: q.answer, cell: (/** @type {OptionView} */ option) => html`<span class="said">${option.is_right ? html`<b>${option.text}</b> <span class="mark good">✓ ${q.right}</span>` : option.text}</span>
      ${share(option) > 0 && html`<${Split} label=${q.shareOf(share(option))} parts=${[{ name: "home", count: share(option) }, { name: "rest", count: 100 - share(option) }]} />`}` },
    ...(tips === null ? [] : [{ head: q.picked, kind: "num", cell: (/** @type {OptionView} */ { picks }) => say.number(picks ?? 0) }, { head: q.share, kind: "num", cell: (/** @type {OptionView} */ option) => `${share(option)} %` }]),
  ];
  return html`<section class="stack" aria-label=${q.answers}>
    <div><h2>${q.answers}</h2>${tips === null && html`<p class="muted small">${question.state === "open" ? q.countedLater : isPast ? q.beingCounted : ""}</p>`}</div>
    <${List} isCompact label=${q.answers} rows=${sorted} columns=${columns} empty="" />
  </section>`;
}
