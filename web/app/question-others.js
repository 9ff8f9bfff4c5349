// What others answered to a question, once nobody can copy it.
import { html, useState } from "../vendor/htm-preact-standalone.module.js";
import { Face, Failure, Loading, useReading } from "../shared/components.js";
import { upTo } from "./asking.js";
import { inWords } from "./question-form.js";
import { useQuestionTexts } from "./texts-questions.js";

/** @typedef {import("./fan.js").Fan} Fan */
/** @typedef {import("./questions-open.js").Question} Question */

const PER_PAGE = 20;

/** @param {{ fan: Fan, question: Question }} props */
function Everybody({ fan, question }) {
  const { t, q, say } = useQuestionTexts();
  const [pages, setPages] = useState(1);
  const { id, state, tips, tip, options } = question;
  const right = options.filter((option) => option.is_right).map((option) => option.id).join();
  const { value, error, again } = useReading((signal) => upTo(pages, (page) => fan.call("list_question_tips", { question: id, page, per_page: PER_PAGE }, { signal })), [id, pages, state, tips, right, tip?.points_earned]);
  const own = fan.state.session?.user.id;
  return html`<section role="group" class="card" aria-label=${q.whatOthersSaid}>
    <header><h2>${q.whatOthersSaid}</h2><small class="muted">${value && value.total > 0 && q.others(value.total, say.number(value.total))}</small></header>
    ${error && html`<div class="body"><${Failure} error=${error} words=${t} again=${again} /></div>`}
    ${!value && !error && html`<${Loading} lines=${4} label=${t.loading} />`}
    ${value?.data.length === 0 && html`<p class="body muted">${q.nobody}</p>`}
    ${value &&
    value.data.length > 0 &&
    html`<ul class="rows">
      ${value.data.map(
        ({ user, option_ids: ids, points_earned: points }) => html`<li class="item" key=${user.id}><${Face} name=${user.username} />
          <span class="grow"><span class="cut">${user.username}${user.id === own && html` <small class="muted">(${q.you})</small>`}</span><small class="muted answer-text">${inWords(question, ids)}</small></span>
          ${state === "settled" && points !== null && html`<b class="num small ${points > 0 ? "won" : "muted"}">${t.points(points)}</b>`}</li>`,
      )}
    </ul>`}
    ${value?.hasMore && html`<div class="body"><button class="quiet flush" onClick=${() => setPages(pages + 1)}>${q.more}</button></div>`}
  </section>`;
}

/** @param {{ fan: Fan, id: number }} props */
export function Others({ fan, id }) {
  const { q } = useQuestionTexts();
  const question = fan.state.questions.get(id);
  if (question?.state === "open") return html`<section role="group" class="card" aria-label=${q.whatOthersSaid}><header><h2>${q.whatOthersSaid}</h2></header><p class="body muted">${q.othersLater}</p></section>`;
  return question && question.tips !== null ? html`<${Everybody} fan=${fan} question=${question} />` : null;
}
