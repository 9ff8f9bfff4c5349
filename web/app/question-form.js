// Answering a question: one of its answers, or as many as it takes; found by a part of their name where there are many.
import { html, useEffect, useMemo, useState } from "../vendor/htm-preact-standalone.module.js";
import { Crest, Failure } from "../shared/components.js";
import { useAttempt } from "./asking.js";
import { keepQuestions } from "./questions-open.js";
import { useQuestionTexts } from "./texts-questions.js";

/** @typedef {import("./fan.js").Fan} Fan */
/** @typedef {import("./questions-open.js").Question} Question */

/** More than these are not seen at a glance. */
const MANY = 12;

/** As somebody would type it in haste: small, and without marks above letters. @param {string} text */
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();

/** The crests that the page knows, of the teams in its matches and the fan's own. @param {Fan} fan @returns {Map<number, { name: string, logo?: string }>} */
export function teamsOf(fan) {
  const { matches, me } = fan.state;
  const playing = [...matches.values()].flatMap((match) => [match.home_team, match.away_team]);
  const own = me ? [...(me.primary_team ? [me.primary_team] : []), ...me.other_teams] : [];
  return new Map([...playing, ...own].map((team) => [team.id, team]));
}

/** An answer, with a crest if it is a team, and what is to be said of it. @param {{ option: Question["options"][number], teams: ReturnType<typeof teamsOf>, children?: any }} props */
export function Answer({ option, teams, children }) {
  return html`${option.team_id !== null && html`<${Crest} team=${teams.get(option.team_id) ?? { name: option.text }} />`}<span class="grow"><span class="answer-text">${option.text}</span>${children}</span>`;
}

/** The answers with these ids, in the question's order and in words. @param {Question} question @param {number[]} ids */
export function inWords({ options }, ids) {
  return options.filter(({ id }) => ids.includes(id)).map(({ text }) => text).join(", ");
}

/** @param {{ fan: Fan, question: Question, refused: () => void, changed: () => void }} props */
export function AnswerForm({ fan, question, refused, changed }) {
  const { t, q, say } = useQuestionTexts();
  const { id, options, most_picks: most, tip } = question;
  const saved = tip?.option_ids ?? [];
  const [chosen, setChosen] = useState(saved);
  const [search, setSearch] = useState("");
  const [isWithdrawn, setWithdrawn] = useState(false);
  const { error, isBusy, attempt } = useAttempt();
  const teams = useMemo(() => teamsOf(fan), [fan.state.matches, fan.state.me]);
  // What was saved here or on another device is what is picked.
  useEffect(() => setChosen(saved), [tip?.changed_at]);

  const pick = (/** @type {number} */ option, /** @type {boolean} */ isPicked) => {
    setWithdrawn(false);
    setChosen(most === 1 ? [option] : isPicked ? [...chosen, option] : chosen.filter((one) => one !== option));
  };
  /** Whoever is too late is told so by the question, which is read again. @param {() => Promise<void>} work */
  const send = (work) =>
    attempt(async () => {
      try {
        await work();
        changed();
      } catch (error) {
        if (/** @type {any} */ (error).code !== "question_closed") throw error;
        refused();
      }
    });
  const save = (/** @type {Event} */ event) => {
    event.preventDefault();
    send(async () => keepQuestions(fan, [(await fan.call("answer_question", { question: id, option_ids: chosen })).data]));
  };
  const withdraw = () =>
    send(async () => {
      await fan.call("take_answer_back", { question: id });
      keepQuestions(fan, [{ ...question, tip: null }]);
      setWithdrawn(true);
    });

  const wanted = plain(search.trim());
  const shown = wanted ? options.filter(({ text }) => plain(text).includes(wanted)) : options;
  const isSame = chosen.length === saved.length && chosen.every((one) => saved.includes(one));
  const isFull = most > 1 && chosen.length >= most;
  const names = inWords(question, chosen);
  const status = isSame ? (saved.length ? q.noted(names) : isWithdrawn ? q.withdrawn : q.nothingPicked) : names ? q.unsaved(names) : q.nothingPicked;
  return html`<form class="answer-form" onSubmit=${save} aria-busy=${isBusy}>
    ${options.length > MANY && html`<div class="find-answer"><input type="search" maxlength="60" aria-label=${q.find} placeholder=${q.find} value=${search} onInput=${(/** @type {any} */ event) => setSearch(event.target.value)} onKeyDown=${(/** @type {KeyboardEvent} */ event) => event.key === "Enter" && event.preventDefault()} /></div>`}
    <fieldset class="answers">
      <legend class="hidden">${question.text} ${most > 1 ? q.pickUpTo(say.number(most)) : q.pickOne}</legend>
      ${shown.map((option) => {
        const isPicked = chosen.includes(option.id);
        return html`<label class="answer" key=${option.id}>
          <input type=${most > 1 ? "checkbox" : "radio"} name="answer-${fan.place}-${id}" value=${option.id} checked=${isPicked} disabled=${isFull && !isPicked} onChange=${(/** @type {any} */ event) => pick(option.id, event.target.checked)} />
          <${Answer} option=${option} teams=${teams} />
        </label>`;
      })}
      ${!shown.length && html`<p class="muted">${q.notFound}</p>`}
    </fieldset>
    <div class="answer-foot">
      <p class="small ${isSame && saved.length ? "" : "muted"}" role="status">${isSame && saved.length > 0 && html`<b class="won" aria-hidden="true">✓ </b>`}${status}${isFull && html`<br />${q.isFull(say.number(most))}`}</p>
      ${error && html`<${Failure} error=${error} words=${t} />`}
      <div class="row wrap">
        <button class="primary" disabled=${isBusy || isSame || !chosen.length}>${tip ? q.change : q.save}</button>
        ${tip && html`<button type="button" class="quiet" disabled=${isBusy} onClick=${withdraw}>${q.withdraw}</button>`}
      </div>
    </div>
  </form>`;
}
