// The table: who is ahead, where one stands oneself, and how good one's picks are.
import { html, useState } from "../vendor/htm-preact-standalone.module.js";
import { Failure, Loading, useReading } from "../shared/components.js";
import { pickInWords } from "./matches.js";
import { useTexts } from "./texts-inside.js";

/** @typedef {import("./fan.js").Fan} Fan */
/** @typedef {"all" | "season" | "month" | "week"} Period */

/** @param {{ rows: any[], own: number | undefined, isShort?: boolean }} props */
export function Places({ rows, own, isShort = false }) {
  const { t } = useTexts();
  return html`<table class="table">
    <thead>
      <tr><th>${t.rank}</th><th>${t.fan}</th>${!isShort && html`<th class="num">${t.exact}</th><th class="num">${t.right}</th>`}<th class="num">${t.pointsWord}</th></tr>
    </thead>
    <tbody>
      ${rows.map(
        ({ rank, points, user, exact_scores: exact, correct_predictions: right, settled_predictions: settled }) => html`<tr key=${user.id} aria-current=${user.id === own ? "true" : undefined}>
          <td class="muted">${rank}</td><td class="name cut">${user.username}</td>
          ${!isShort && html`<td class="num">${exact}</td><td class="num">${right}/${settled}</td>`}
          <td class="num"><b>${points}</b></td>
        </tr>`,
      )}
    </tbody>
  </table>`;
}

/** @param {{ fan: Fan }} props */
export function Table({ fan }) {
  const { t } = useTexts();
  const [period, setPeriod] = useState(/** @type {Period} */ ("all"));
  const [isAround, setAround] = useState(false);
  const { rank } = fan.state;
  const { value, error, again } = useReading(
    (signal) => fan.call("show_leaderboard", { period, ...(isAround && { around: /** @type {const} */ ("me") }) }, { signal }),
    [period, isAround, rank?.points, rank?.rank],
  );
  const periods = /** @type {Period[]} */ (["all", "season", "month", "week"]);
  return html`<section role="group" class="card" aria-label=${t.table}>
    <header class="wrap"><h2>${t.table}</h2>
      <div class="segments" role="group" aria-label=${t.period}>
        ${periods.map((name) => html`<button aria-pressed=${period === name ? "true" : "false"} onClick=${() => setPeriod(name)}>${t.periods[name]}</button>`)}
      </div>
    </header>
    ${error && html`<div class="body"><${Failure} error=${error} words=${t} again=${again} /></div>`}
    ${!value && !error && html`<${Loading} lines=${6} label=${t.loading} />`}
    ${value && (value.data.length ? html`<${Places} rows=${value.data} own=${fan.state.session?.user.id} />` : html`<p class="empty">${t.tableEmpty}</p>`)}
    ${value?.meta.me && value.meta.last_page > 1 && html`<p class="body"><button onClick=${() => setAround(!isAround)}>${isAround ? t.fromTop : t.whereAmI}</button></p>`}
  </section>`;
}

/** How often one was right by how sure one was: small bars, and the same in words. @param {{ rows: any[] }} props */
function Calibration({ rows }) {
  const { t } = useTexts();
  const used = rows.filter((row) => row.predictions > 0);
  if (!used.length) return null;
  const label = used.map((row) => t.calibrated(row.from, row.to, Math.round(row.accuracy * 100))).join("; ");
  return html`<figure>
    <svg class="bars" viewBox="0 0 100 32" preserveAspectRatio="none" role="img" aria-label=${label}>
      <line x1="0" y1="32" x2="100" y2="0" />
      ${used.map((row) => html`<rect x=${row.from + 1} width="8" y=${32 - row.accuracy * 32} height=${Math.max(1, row.accuracy * 32)} />`)}
    </svg>
    <figcaption class="small muted">${t.calibration}</figcaption>
  </figure>`;
}

/** @param {{ fan: Fan }} props */
export function Statistics({ fan }) {
  const { t } = useTexts();
  const { rank } = fan.state;
  const { value, error, again } = useReading(async (signal) => (await fan.call("show_my_statistics", {}, { signal })).data, [rank?.points, fan.state.picks.size]);
  return html`<section role="group" class="card" aria-label=${t.yourFigures}>
    <header><h2>${t.yourFigures}</h2>${rank && html`<small class="muted">#${rank.rank}</small>`}</header>
    <div class="body stack">
      ${error && html`<${Failure} error=${error} words=${t} again=${again} />`}
      ${value && html`<dl class="facts">
        <div><dt>${t.pointsWord}</dt><dd>${value.points}</dd></div>
        <div><dt>${t.right}</dt><dd>${value.correct_predictions}/${value.settled_predictions}</dd></div>
        <div><dt>${t.exact}</dt><dd>${value.exact_scores}</dd></div>
        <div><dt>${t.run}</dt><dd>${value.current_run}</dd></div>
      </dl>
      <${Calibration} rows=${value.calibration} />`}
    </div>
  </section>`;
}

/** @param {{ fan: Fan, open: (id: number) => void }} props */
export function OwnPicks({ fan, open }) {
  const { t, say } = useTexts();
  const { picks, matches } = fan.state;
  const list = [...picks.values()].sort((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at));
  return html`<section role="group" class="card" aria-label=${t.yourPicks}>
    <header><h2>${t.yourPicks}</h2></header>
    ${list.length === 0 && html`<p class="empty">${t.noPicks}</p>`}
    <ul class="rows">
      ${list.map((pick) => {
        const match = matches.get(pick.event_id);
        return html`<li key=${pick.id}>
          <a class="item" href="#match/${pick.event_id}" onClick=${(/** @type {Event} */ event) => (event.preventDefault(), open(pick.event_id))}>
            <span class="grow"><span class="cut">${match ? `${match.home_team.name} – ${match.away_team.name}` : t.matchNumber(pick.event_id)}</span>
              <small class="cut muted">${match ? pickInWords(t, match, pick) : t.outcomes[pick.prediction]} · ${say.date(pick.created_at)}</small></span>
            <b class="num ${pick.points_earned ? "won" : "muted"}">${pick.points_earned === null ? t.open : t.points(pick.points_earned)}</b>
          </a>
        </li>`;
      })}
    </ul>
  </section>`;
}
