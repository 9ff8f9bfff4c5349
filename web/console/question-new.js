// A new question about a tournament, with its answers.
import { html, useState } from "../vendor/htm-preact-standalone.module.js";
import { addressOf, go } from "./desk.js";
import { momentOf, typed } from "./inputs.js";
import { Ask, Field } from "./parts.js";
import { AnswersField, UNANSWERED, areWhole, optionsOf } from "./question-answers.js";
import { TermFields, UNWRITTEN, isWhole, numberOf, useFields } from "./question-form.js";
import { useTexts } from "./texts.js";
import { TournamentChoice } from "./tournament-choice.js";

const FIELDS = ["tournament_id", "text", "closes_at", "points", "most_picks", "counts_in", "options"];

/** @param {{ close: () => void }} props */
export function NewQuestion({ close }) {
  const { t } = useTexts();
  const q = t.questions;
  const [tournament, setTournament] = useState(/** @type {number | null} */ (null));
  const [terms, setTerms] = useState(UNWRITTEN);
  const [picks, setPicks] = useState("1");
  const [written, setWritten] = useState(UNANSWERED);
  const { run, wrong } = useFields(FIELDS, (desk) =>
    desk.call("open_question", {
      tournament_id: tournament ?? 0, text: terms.text.trim(), closes_at: momentOf(terms.time) ?? "", points: numberOf(terms.points),
      most_picks: numberOf(picks), counts_in: terms.tables, options: optionsOf(written),
    }),
  );
  const isReady = tournament !== null && isWhole(terms) && picks.trim() !== "" && areWhole(written);
  return html`<${Ask} title=${q.newTitle} what=${q.newWhat} action=${q.openIt} close=${close} isReady=${isReady} run=${run} then=${(/** @type {any} */ { data }) => go(addressOf("questions", data.id))}>
    <${TournamentChoice} none=${t.choose} value=${tournament} set=${setTournament} wrong=${wrong("tournament_id")} />
    <${TermFields} terms=${terms} set=${setTerms} wrong=${wrong} />
    <${AnswersField} tournament=${tournament} written=${written} set=${setWritten} wrong=${wrong("options")} />
    <${Field} label=${q.mostPicks} wrong=${wrong("most_picks")}><input name="most_picks" inputmode="numeric" maxlength="2" autocomplete="off" aria-invalid=${wrong("most_picks").length ? "true" : null} value=${picks} onInput=${typed(setPicks)} /><//>
  <//>`;
}
