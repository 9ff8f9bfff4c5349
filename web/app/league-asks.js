// What the parts of a league share: keeping it as it was told last, and asking before something is done that hurts.
import { html, useEffect, useRef } from "../vendor/htm-preact-standalone.module.js";
import { Failure } from "../shared/components.js";
import { useAttempt } from "./asking.js";
import { useLeagueTexts } from "./texts-leagues.js";

/** @typedef {import("./fan.js").Fan} Fan */
/** @typedef {import("./api.d.ts").Schemas["LeagueView"]} League */

/** Whoever shows leagues reads them again. @param {Fan} fan */
export function leaguesChanged(fan) {
  fan.change({ leagueChanges: fan.state.leagueChanges + 1 });
}

/** Keeps a league as it was told last, for all who show it. @param {Fan} fan @param {League} league */
export function keepLeague(fan, league) {
  fan.change({ leagues: new Map(fan.state.leagues).set(league.id, league) });
}

/** A day of the API, such as 2026-11-09, as a moment that is this day in every zone where people watch football. @param {string} day */
export function momentOf(day) {
  return `${day}T12:00:00Z`;
}

/**
 * Says what will happen, and does it on a second press.
 * @param {{ label: string, what: string, yes: string, act: () => Promise<any>, close: () => void }} props
 */
export function Ask({ label, what, yes, act, close }) {
  const { t } = useLeagueTexts();
  const { error, isBusy, attempt } = useAttempt();
  const stay = useRef(/** @type {HTMLButtonElement | null} */ (null));
  // Whoever came by keyboard or hears the page is where the question is, on the answer that changes nothing.
  useEffect(() => stay.current?.focus(), []);
  return html`<div class="failure" role="alertdialog" aria-label=${label} onKeyDown=${(/** @type {KeyboardEvent} */ event) => event.key === "Escape" && close()}>
    <p>${what}</p>
    <div class="row wrap"><button class="bad" disabled=${isBusy} onClick=${() => attempt(act)}>${yes}</button><button ref=${stay} onClick=${close}>${t.cancel}</button></div>
    ${error && html`<${Failure} error=${error} words=${t} />`}
  </div>`;
}
