// Match day: every match by its state, what needs a person and why, and the chosen one beside the list.
import { html, useState } from "../vendor/htm-preact-standalone.module.js";
import { Crest, minuteOf, useNow } from "../shared/components.js";
import { addressOf, useDesk, useLive } from "./desk.js";
import { AddMatch } from "./match-new.js";
import { Match } from "./match.js";
import { Heading, Opens, Pager, Read } from "./parts.js";
import { useTexts } from "./texts.js";

/** @import { Schemas } from "./api.d.ts" */
/** @typedef {Schemas["DeskMatchView"]} DeskMatch */

/** The reader's day that has this many after today. @param {number} days */
function dayFrom(days) {
  const day = new Date();
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() + days);
  return day;
}

/** @param {{ address: import("./desk.js").Address }} props */
export function View({ address }) {
  const desk = useDesk();
  const { t, say } = useTexts();
  const days = Number(address.query.get("day") ?? 0);
  const status = address.query.get("status") ?? "";
  const page = Number(address.query.get("page") ?? 1);
  const id = Number(address.id) || null;
  const [from, to] = [dayFrom(days).toISOString(), dayFrom(days + 1).toISOString()];
  const at = (/** @type {Record<string, any>} */ change, /** @type {number | null} */ match = null) => addressOf("matches", match, { day: days || null, status, ...change });
  const reading = useLive(async (desk, signal) => {
    const filter = status === "need" ? {} : { from, to, page, per_page: 100, ...(status === "void" ? { is_void: true } : status ? { status: /** @type {any} */ (status) } : {}) };
    const [listed, needing] = await Promise.all([status === "need" ? null : desk.call("list_matches", filter, { signal }), desk.call("list_matches_in_need", {}, { signal })]);
    return { listed, needing: needing.data };
  }, [days, status, page]);
  const title = days === 0 ? t.today : say.day(from);
  const isDay = status !== "need";
  return html`<${Heading} title=${t.places.matches} note=${`${title} · ${say.zone}`}>
      <nav class="row" aria-label=${t.day}><a class="button" href=${at({ day: days - 1 || null, page: null })} aria-label=${t.dayBefore}>‹</a><a class="button" href=${at({ day: null, page: null })} aria-current=${days === 0 ? "date" : null}>${t.today}</a><a class="button" href=${at({ day: days + 1 || null, page: null })} aria-label=${t.dayAfter}>›</a></nav>
      ${desk.may("operator") && html`<${Opens} label=${t.addMatch} kind="primary" ask=${(/** @type {() => void} */ close) => html`<${AddMatch} close=${close} />`} />`}
    <//>
    <p class="row wrap choices" role="group" aria-label=${t.state}>
      ${["", "need", "live", "scheduled", "finished", "void"].map((one) => html`<a class="choice" aria-current=${one === status ? "true" : null} href=${at({ status: one, page: null })}>${one ? t.matchFilters[/** @type {"live"} */ (one)] : t.all}${one === "need" && reading.value?.needing.length ? html` <em>${reading.value.needing.length}</em>` : ""}</a>`)}
    </p>
    <div class="matchday ${id ? "with" : ""}">
      <div class="stack"><${Read} reading=${reading} lines=${8} draw=${(/** @type {any} */ { listed, needing }) => html`
        <${Matches} matches=${isDay ? listed.data : needing} chosen=${id} at=${(/** @type {number} */ match) => at({ page: page > 1 ? page : null }, match)} empty=${isDay ? t.noMatches : t.noNeeds} />
        ${isDay && html`<${Pager} meta=${listed.meta} to=${(/** @type {number} */ page) => at({ page })} />`}`} /></div>
      ${id && html`<${Match} key=${id} id=${id} back=${at({})} />`}
    </div>`;
}

/** @param {{ matches: DeskMatch[], chosen: number | null, at: (id: number) => string, empty: any }} props */
function Matches({ matches, chosen, at, empty }) {
  const { t, say } = useTexts();
  if (matches.length === 0) return html`<div class="empty">${empty}</div>`;
  const order = { live: 0, scheduled: 1, finished: 2 };
  const sorted = [...matches].sort((one, other) => Number(other.needs.length > 0) - Number(one.needs.length > 0) || order[one.status] - order[other.status] || one.start_time.localeCompare(other.start_time));
  return html`<div class="scroll"><table class="table list matches" aria-label=${t.places.matches}>
    <thead><tr><th scope="col">${t.state}</th><th scope="col">${t.match}</th><th scope="col" class="num">${t.score}</th><th scope="col" class="num">${t.picks}</th><th scope="col">${t.sources}</th></tr></thead>
    <tbody>${sorted.map((match) => html`<tr key=${match.id} class=${match.id === chosen ? "chosen" : match.needs.length ? "over" : ""}>
      <td data-head=${t.state}><div><${State} match=${match} /></div></td>
      <td data-head=${t.match}><div><a class="row sides" href=${at(match.id)} aria-current=${match.id === chosen ? "true" : null}><${Crest} team=${match.home_team} /><${Crest} team=${match.away_team} /><span><b>${match.home_team.name} – ${match.away_team.name}</b><small class="muted cut">${match.tournament.name}</small>${match.needs.map((need) => html`<small class="warn">${t.needKinds[need.kind](say.relative(Date.parse(need.since) - Date.now()))}</small>`)}</span></a></div></td>
      <td data-head=${t.score} class="num"><div><b class="score">${match.home_score === null ? "–" : `${match.home_score}–${match.away_score}`}</b></div></td>
      <td data-head=${t.picks} class="num"><div>${say.number(match.predictions_count)}</div></td>
      <td data-head=${t.sources}><div><${Sources} match=${match} /></div></td>
    </tr>`)}</tbody></table></div>`;
}

/** @param {{ match: DeskMatch }} props */
export function State({ match }) {
  const now = useNow(20_000);
  const { t, say } = useTexts();
  if (match.void_reason) return html`<span class="muted">${t.void}</span>`;
  if (match.status === "live") {
    const minute = minuteOf(/** @type {any} */ (match), now);
    return html`<span class="live">${match.period === "half_time" ? t.halfTime : minute ? `${minute}'` : t.live}</span>`;
  }
  if (match.status === "finished") return html`<span class="muted">${t.final}</span>`;
  return match.start_time_confirmed ? html`<span>${say.time(match.start_time)}</span>` : html`<span class="muted">${t.noDate}</span>`;
}

/** @param {{ match: DeskMatch }} props */
function Sources({ match }) {
  const { t } = useTexts();
  const { sources } = match;
  const held = sources.filter((source) => source.held);
  if (sources.length === 0) return html`<span class="muted">${t.byHand}</span>`;
  return held.length ? html`<span class="mark bad" title=${held[0].held}>${t.heldBy(held[0].provider)}</span>` : html`<span class="small">${sources.map((source) => `${source.provider}: ${source.told ?? "–"}`).join(" · ")}</span>`;
}
