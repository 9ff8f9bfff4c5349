// One match: how it stands, who says so, what was done about it, and what can be done now.
import { html } from "../vendor/htm-preact-standalone.module.js";
import { Crest } from "../shared/components.js";
import { addressOf, useDesk, useLive } from "./desk.js";
import { MatchActions } from "./match-actions.js";
import { State } from "./matches.js";
import { Facts, Read, When } from "./parts.js";
import { useTexts } from "./texts.js";

/** @import { Schemas } from "./api.d.ts" */
/** @typedef {Schemas["WholeMatchView"]} WholeMatch */

/** @param {{ id: number, back: string }} props */
export function Match({ id, back }) {
  const { t } = useTexts();
  const reading = useLive((desk, signal) => desk.call("show_match", { event: id }, { signal }), [id]);
  const isGone = reading.error?.status === 404;
  return html`<section class="match plain" aria-label=${t.match}>
    <p class="row between"><a class="link back" href=${back}>${t.allMatches}</a><span class="muted small">${t.matchNumber(id)}</span></p>
    ${isGone ? html`<p class="empty">${t.noSuchMatch(id)}</p>` : html`<${Read} reading=${reading} lines=${8} draw=${(/** @type {{ data: WholeMatch }} */ { data }) => html`<${Whole} match=${data} />`} />`}
  </section>`;
}

/** @param {{ match: WholeMatch }} props */
function Whole({ match }) {
  // Looking at what a result would do changed nothing.
  const changes = match.changes.filter((entry) => entry.before || entry.after);
  const desk = useDesk();
  const { t, say } = useTexts();
  return html`
    <div class="versus"><span><${Crest} team=${match.home_team} big /><b>${match.home_team.name}</b></span>
      <span class="middle"><b class="score">${match.home_score === null ? "–" : `${match.home_score}–${match.away_score}`}</b><${State} match=${match} /></span>
      <span><${Crest} team=${match.away_team} big /><b>${match.away_team.name}</b></span></div>
    ${match.void_reason && html`<p class="verdict bad"><b>${t.void}</b><span>${match.void_reason}</span></p>`}
    ${match.needs.map((need) => html`<p class="verdict warn"><b>${t.needKinds[need.kind](say.relative(Date.parse(need.since) - Date.now()))}</b>${need.reason && html`<span>${need.reason}</span>`}</p>`)}
    ${desk.may("operator") && html`<${MatchActions} key=${match.id} match=${match} />`}
    <${Facts} facts=${[[t.kickOff, match.start_time_confirmed ? html`<${When} at=${match.start_time} />` : t.noDate], [t.tournament, match.tournament.name], [t.venue, match.venue || "–"], [t.picks, say.number(match.predictions_count)],
      [t.room, match.chat_room_id && desk.may("moderator") ? html`<a class="link" href=${addressOf("reports", `rooms/${match.chat_room_id}`)}>${t.toRoom}</a>` : match.chat_room_id ? t.hasRoom : "–"],
      [t.settlement, t.settlementStates[/** @type {"open"} */ (match.settlement)] ?? match.settlement], [t.resultAt, html`<${When} at=${match.result_at} />`]]} />
    ${match.sources.length > 0 && html`<div><h2>${t.sources}</h2><ul class="problems plainly">${match.sources.map((source) => html`<li><b>${source.provider}</b> ${source.told ?? "–"} <small class="muted"><${When} at=${source.told_at} /></small>${source.held && html` <span class="mark bad">${source.held}</span>`}</li>`)}</ul></div>`}
    <div><h2>${t.lastChanges}</h2>${changes.length === 0 ? html`<p class="muted small">${t.nobodyChanged}</p>` : html`<ul class="problems plainly">${changes.slice(0, 6).map((entry) => html`<li><${When} at=${entry.created_at} /> <b>${entry.operator}</b> <code>${entry.action}</code></li>`)}</ul><a class="link small" href=${addressOf("audit", null, { subject: `event ${match.id}` })}>${t.places.audit}</a>`}</div>`;
}
