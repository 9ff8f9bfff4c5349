// What an operator does with a match. Every change names the version that was looked at; what somebody else changed meanwhile is shown, not overwritten.
import { html, useEffect, useRef, useState } from "../vendor/htm-preact-standalone.module.js";
import { useReading } from "../shared/components.js";
import { useAction, useDesk } from "./desk.js";
import { local, typed } from "./inputs.js";
import { Ask, Failure, Field, Loading, Opens, plain } from "./parts.js";
import { useTexts } from "./texts.js";

/** @import { Schemas } from "./api.d.ts" */
/** @typedef {Schemas["WholeMatchView"]} WholeMatch */
/** @typedef {{ id: "update_event" | "enter_result" | "void_event", args: Record<string, any> }} Change */

/** @param {{ value: number, set: (value: number) => void, name: string }} props */
function Stepper({ value, set, name }) {
  const { t } = useTexts();
  return html`<span class="stepper" role="group" aria-label=${name}><button type="button" aria-label=${t.goalLess(name)} disabled=${value === 0} onClick=${() => set(value - 1)}>−</button><output aria-live="polite">${value}</output><button type="button" aria-label=${t.goalMore(name)} disabled=${value === 99} onClick=${() => set(value + 1)}>+</button></span>`;
}

/** @param {{ match: WholeMatch }} props */
export function MatchActions({ match }) {
  const { t } = useTexts();
  const stands = `${match.home_score}–${match.away_score}`;
  const [home, setHome] = useState(match.home_score ?? 0);
  const [away, setAway] = useState(match.away_score ?? 0);
  const isTouched = useRef(false);
  // What came in meanwhile is taken over, unless somebody is about to enter something else.
  useEffect(() => {
    if (isTouched.current) return;
    setHome(match.home_score ?? 0);
    setAway(match.away_score ?? 0);
  }, [stands]);
  const set = (/** @type {(value: number) => void} */ one) => (/** @type {number} */ value) => ((isTouched.current = true), one(value));
  const [asked, setAsked] = useState(/** @type {string | null} */ (null));
  const change = useChange(match, () => (isTouched.current = false));
  const score = { home_score: home, away_score: away };
  const isLive = match.status === "live" && !match.void_reason;
  const isChanged = match.home_score !== home || match.away_score !== away;
  const patch = (/** @type {Record<string, any>} */ args) => change.run({ id: "update_event", args });
  const close = () => setAsked(null);
  const period = (/** @type {string} */ name, /** @type {Record<string, any>} */ args) => html`<button disabled=${change.isBusy} onClick=${() => patch(args)}>${name}</button>`;
  return html`<div class="stack acts">
    ${!match.void_reason && html`<div class="row wrap steppers"><${Stepper} name=${match.home_team.name} value=${home} set=${set(setHome)} /><span>–</span><${Stepper} name=${match.away_team.name} value=${away} set=${set(setAway)} />
      ${isLive && html`<button class="primary" disabled=${!isChanged || change.isBusy} onClick=${() => patch(score)}>${t.setScore}</button>`}</div>`}
    <div class="row wrap">
      ${match.void_reason
        ? html`<button class="primary" disabled=${change.isBusy} onClick=${() => setAsked("unvoid")}>${t.unvoid}</button>`
        : html`
          ${match.status === "scheduled" && html`<button disabled=${change.isBusy} onClick=${() => patch({ status: "live", period: "first_half", minute: 1 })}>${t.start}</button>`}
          ${isLive && match.period !== "half_time" && match.period !== "second_half" && period(t.halfTimeNow, { period: "half_time" })}
          ${isLive && match.period === "half_time" && period(t.secondHalf, { period: "second_half", minute: 46 })}
          ${match.status !== "finished" && html`<button class=${isLive ? "primary" : ""} onClick=${() => setAsked("finish")}>${t.finishWith(home, away)}</button>`}
          ${match.status === "finished" && html`<button class="primary" disabled=${!isChanged} onClick=${() => setAsked("correct")}>${isChanged ? t.correctTo(home, away) : t.correct}</button>`}
          ${match.status !== "finished" && html`<button onClick=${() => setAsked("postpone")}>${t.postpone}</button>`}
          <button class="quiet" onClick=${() => setAsked("void")}>${t.voidMatch}</button>`}
    </div>
    ${change.conflict ? html`<${Conflict} change=${change} match=${match} />` : change.error && html`<${Failure} error=${change.error} again=${change.again} />`}
    ${(asked === "finish" || asked === "correct") && html`<${Result} match=${match} home=${home} away=${away} change=${change} close=${close} />`}
    ${asked === "postpone" && html`<${Postpone} match=${match} change=${change} close=${close} />`}
    ${asked === "void" && html`<${Void} match=${match} change=${change} close=${close} />`}
    ${asked === "unvoid" && html`<${Ask} title=${t.unvoid} what=${t.unvoidWhat} action=${t.unvoid} close=${close} run=${() => change.send({ id: "update_event", args: { status: match.status } })} />`}
  </div>`;
}

/** Sends changes under the version that is shown, and keeps what to do when somebody was quicker. @param {WholeMatch} match @param {() => void} then */
function useChange(match, then) {
  const desk = useDesk();
  const [conflict, setConflict] = useState(/** @type {{ change: Change, details: any } | null} */ (null));
  const pending = useRef(/** @type {{ change: Change, version: string } | null} */ (null));
  /** @param {Change} change */
  const send = async (change, version = match.version) => {
    pending.current = { change, version };
    setConflict(null);
    try {
      const answer = await desk.call(change.id, /** @type {any} */ ({ event: match.id, ...change.args }), { ifMatch: version });
      then();
      desk.refresh();
      return answer;
    } catch (caught) {
      const error = /** @type {any} */ (caught);
      if (error.code !== "changed_meanwhile") throw error;
      setConflict({ change, details: error.details });
      desk.refresh();
      return null;
    }
  };
  const act = useAction(() => (pending.current ? send(pending.current.change, pending.current.version) : Promise.resolve(null)));
  const run = (/** @type {Change} */ change, version = match.version) => {
    pending.current = { change, version };
    act.press();
  };
  return { ...act, conflict, send, run, again: act.press, takeTheirs: () => (then(), setConflict(null), desk.refresh()) };
}

/** Who changed what meanwhile: theirs, or one's own after all. @param {{ change: ReturnType<typeof useChange>, match: WholeMatch }} props */
function Conflict({ change, match }) {
  const { t, say } = useTexts();
  const { details, change: mine } = /** @type {any} */ (change.conflict);
  const theirs = details?.event ?? match;
  return html`<div class="verdict warn" role="alert"><b>${t.changedMeanwhile}</b>
    <span>${t.changedBy(details?.by ?? t.aSource, details?.at ? say.time(details.at) : "")}</span>
    <ul>${(details?.changed ?? []).map((/** @type {string} */ field) => html`<li>${field}: <ins>${plain(theirs[field], say)}</ins></li>`)}</ul>
    <span class="muted">${t.mineWas} ${Object.entries(mine.args).map(([name, value]) => `${name}: ${plain(value, say)}`).join(", ")}</span>
    <div class="row wrap"><button class="primary" onClick=${change.takeTheirs}>${t.takeTheirs}</button><button onClick=${() => change.run(mine, details.version)}>${t.mineAfterAll}</button></div></div>`;
}

/** A result, with what it would change before the press. @param {{ match: WholeMatch, home: number, away: number, change: ReturnType<typeof useChange>, close: () => void }} props */
function Result({ match, home, away, change, close }) {
  const desk = useDesk();
  const { t, say } = useTexts();
  const reading = useReading((signal) => desk.call("preview_settlement", { event: match.id, home_score: home, away_score: away, per_page: 1 }, { signal }), [match.id, home, away]);
  const isCorrection = match.status === "finished";
  const hasNotBegun = match.status === "scheduled" && Date.parse(match.start_time) > Date.now();
  const preview = /** @type {Schemas["PreviewView"] | undefined} */ (reading.value?.data);
  const fans = match.predictions_count;
  const action = isCorrection ? t.correctFor(say.number(fans), fans) : hasNotBegun ? t.finishAnyway : t.finishFor(say.number(fans), fans);
  return html`<${Ask} title=${isCorrection ? t.correctTitle(match.home_team.name, match.away_team.name, `${match.home_score}–${match.away_score}`, `${home}–${away}`) : t.finishTitle(match.home_team.name, match.away_team.name, `${home}–${away}`)}
    what=${hasNotBegun ? html`<b class="down">${t.notBegun(say.moment(match.start_time))}</b>` : isCorrection ? t.correctWhat : t.finishWhat} action=${action} close=${close} isReady=${preview !== undefined}
    run=${() => change.send({ id: "enter_result", args: { home_score: home, away_score: away } })}>
    ${reading.error ? html`<${Failure} error=${reading.error} again=${reading.again} />` : preview ? html`<${Would} preview=${preview} isCorrection=${isCorrection} />` : html`<${Loading} lines=${4} />`}
  <//>`;
}

/** @param {{ preview: Schemas["PreviewView"], isCorrection: boolean }} props */
function Would({ preview, isCorrection }) {
  const { t, say } = useTexts();
  const { changes, first_ten: ten } = preview;
  const moved = ten.after.filter((one, at) => ten.before[at]?.user_id !== one.user_id).length;
  const rows = isCorrection
    ? [[t.settledAgain, say.number(changes.predictions), ""], [t.gain, say.number(changes.up), say.signed(changes.points_up)], [t.lose, say.number(changes.down), say.signed(-Math.abs(changes.points_down))], [t.firstTen, say.number(moved), t.placesMove]]
    : [[t.settledNow, say.number(preview.settled_predictions), ""], ...preview.totals.map((paid) => [t.tiers[paid.rule], say.number(paid.predictions), t.pointsEach(say.number(paid.points))]), [t.pointsInAll, say.number(preview.total_points), ""]];
  return html`<div class="would"><h3>${t.wouldChange}</h3><dl>${rows.map(([what, count, more]) => html`<div><dt>${what}</dt><dd class="num"><b>${count}</b></dd><dd class="muted small">${more}</dd></div>`)}</dl></div>`;
}

/** @param {{ match: WholeMatch, change: ReturnType<typeof useChange>, close: () => void }} props */
function Postpone({ match, change, close }) {
  const { t } = useTexts();
  const [isDated, setDated] = useState(true);
  const [time, setTime] = useState(local(match.start_time));
  const moment = Date.parse(time);
  const args = isDated ? { status: "scheduled", start_time: Number.isNaN(moment) ? "" : new Date(moment).toISOString() } : { start_time_confirmed: false };
  return html`<${Ask} title=${t.postponeTitle(match.home_team.name, match.away_team.name)} what=${t.postponeWhat} action=${t.postponeIt} close=${close} isReady=${!isDated || (!Number.isNaN(moment) && time !== local(match.start_time))} run=${() => change.send({ id: "update_event", args })}>
    <label class="row check"><input type="radio" name="dated" checked=${isDated} onChange=${() => setDated(true)} /> ${t.toDate}</label>
    ${isDated && html`<${Field} label=${t.kickOff}><input name="time" type="datetime-local" value=${time} onInput=${typed(setTime)} /><//>`}
    <label class="row check"><input type="radio" name="dated" checked=${!isDated} onChange=${() => setDated(false)} /> ${t.withoutDate}</label>
  <//>`;
}

/** @param {{ match: WholeMatch, change: ReturnType<typeof useChange>, close: () => void }} props */
function Void({ match, change, close }) {
  const { t, say } = useTexts();
  const [reason, setReason] = useState("");
  return html`<${Ask} title=${t.voidTitle(match.home_team.name, match.away_team.name)} what=${t.voidWhat(say.number(match.predictions_count), match.predictions_count)} action=${t.voidIt} kind="bad" close=${close} isReady=${reason.trim() !== ""} run=${() => change.send({ id: "void_event", args: { reason: reason.trim() } })}>
    <${Field} label=${t.reason} hint=${t.fansSeeReason}><input name="reason" maxlength="200" value=${reason} onInput=${typed(setReason)} /><//>
  <//>`;
}
