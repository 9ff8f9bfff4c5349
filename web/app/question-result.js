// What came of a question: one's own answer and what it earned, and how many picked which.
import { html, useMemo, useState } from "../vendor/htm-preact-standalone.module.js";
import { Answer, inWords, teamsOf } from "./question-form.js";
import { useQuestionTexts } from "./texts-questions.js";

/** @typedef {import("./fan.js").Fan} Fan */
/** @typedef {import("./questions-open.js").Question} Question */

/** So many are shown at first. */
const FEW = 10;

/** @param {{ question: Question }} props */
export function OwnAnswer({ question }) {
  const { t, q } = useQuestionTexts();
  const { state, tip } = question;
  const points = tip?.points_earned ?? null;
  const isEarned = state === "settled" && points !== null;
  return html`<div class="block">
    <div class="row between"><h3>${q.yourAnswer}</h3>${isEarned && html`<span class="pill ${points ? "won" : ""}">${t.points(points)}</span>`}</div>
    ${tip ? html`<p class="own-answer">${inWords(question, tip.option_ids)}</p>` : html`<p class="muted">${q.noAnswer}</p>`}
    ${tip && !isEarned && state !== "void" && html`<p class="small muted" role="status">${state === "settled" ? q.pointsSoon : q.waits}</p>`}
  </div>`;
}

/** How many picked each answer, as bars and as numbers; the right ones are marked. @param {{ fan: Fan, question: Question }} props */
export function Shares({ fan, question }) {
  const { q, say } = useQuestionTexts();
  const [isWhole, setWhole] = useState(false);
  const teams = useMemo(() => teamsOf(fan), [fan.state.matches, fan.state.me]);
  const { options, tips, tip, state } = question;
  // One that became void before its deadline is never counted out.
  if (tips === null && state === "void") return null;
  if (tips === null) return html`<div class="block"><h3>${q.whatFansPicked}</h3><p class="muted" role="status">${q.counting}</p></div>`;
  const isOwn = (/** @type {number} */ id) => Boolean(tip?.option_ids.includes(id));
  const ranked = [...options].sort((one, other) => Number(other.is_right ?? 0) - Number(one.is_right ?? 0) || (other.picks ?? 0) - (one.picks ?? 0));
  const shown = isWhole ? ranked : ranked.filter((option, at) => at < FEW || option.is_right || isOwn(option.id));
  return html`<div class="block">
    <div class="row between"><h3>${q.whatFansPicked}</h3><small class="muted">${tips > 0 && q.others(tips, say.number(tips))}</small></div>
    ${tips === 0 && html`<p class="muted">${q.nobody}</p>`}
    <ul class="answer-shares ${state === "settled" ? "is-settled" : ""}">
      ${shown.map((option) => {
        const share = tips ? (option.picks ?? 0) / tips : 0;
        return html`<li key=${option.id} class=${option.is_right ? "is-right" : ""}>
          <span class="row"><${Answer} option=${option} teams=${teams}>${option.is_right && html` <b class="mark won">✓ ${q.right}</b>`}${isOwn(option.id) && html` <small class="mark own">${q.yourPick}</small>`}<//>
            <span class="num small">${q.share(say.number(option.picks ?? 0), Math.round(share * 100))}</span></span>
          <span class="answer-bar" aria-hidden="true"><i style=${{ width: `${share * 100}%` }}></i></span>
        </li>`;
      })}
    </ul>
    ${shown.length < options.length && html`<div><button class="quiet flush" onClick=${() => setWhole(true)}>${q.showAll(say.number(options.length))}</button></div>`}
  </div>`;
}
