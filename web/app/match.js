// One match: the score, and a place for what was predicted.
import { html } from "../vendor/htm-preact-standalone.module.js";
import { Crest, Failure, useReading } from "../shared/components.js";
import { Goals, When } from "./matches.js";
import { useTexts } from "./texts.js";

/** @typedef {import("./news.js").Match} Match */
/** @typedef {import("./fan.js").Fan} Fan */

/** @param {{ match: Match }} props */
function Scoreboard({ match }) {
  const { t, say } = useTexts();
  const hasScore = match.home_score !== null;
  return html`<div class="board">
    <div class="row between small muted">
      <span class="cut">${match.tournament.name}${match.venue && ` · ${match.venue}`}</span>
      <${When} match=${match} />
    </div>
    <div class="score-line">
      <div class="team"><${Crest} team=${match.home_team} big /><span>${match.home_team.name}</span></div>
      <div class="big-score" aria-label=${t.score}>
        ${hasScore ? html`<${Goals} kind="goals" goals=${match.home_score} /><i>–</i><${Goals} kind="goals" goals=${match.away_score} />` : html`<time datetime=${match.start_time}>${say.time(match.start_time)}</time>`}
        ${match.status === "scheduled" && html`<small>${match.start_time_confirmed ? say.day(match.start_time) : t.noDate}</small>`}
      </div>
      <div class="team"><${Crest} team=${match.away_team} big /><span>${match.away_team.name}</span></div>
    </div>
  </div>`;
}

/** What stands where picks would be: how many there are is for everybody, what they say for those who are in. @param {{ match: Match, comeIn: any }} props */
export function Invitation({ match, comeIn }) {
  const { t, say } = useTexts();
  const { predictions_count: count } = match;
  return html`<div class="block"><h2>${t.fansPicked(count, say.number(count))}</h2><p class="muted">${t.comeInToPick}</p>${comeIn}</div>`;
}

/** @param {{ match: Match, picks: any }} props */
export function MatchCard({ match, picks }) {
  return html`<article class="card match-card" aria-label="${match.home_team.name} – ${match.away_team.name}">
    <h2 class="hidden">${match.home_team.name} – ${match.away_team.name}</h2>
    <${Scoreboard} key=${match.id} match=${match} />
    ${picks}
  </article>`;
}

/** A match that is in no list any more, such as one that was cancelled. @param {{ fan: Fan, id: number }} props */
export function UnlistedMatch({ fan, id }) {
  const { t } = useTexts();
  const { value, error, again } = useReading(async (signal) => (await fan.call("show_event", { event: id }, { signal })).data, [id]);
  if (error) return html`<div class="card"><div class="body"><${Failure} error=${error} words=${t} again=${again} /></div></div>`;
  if (!value) return null;
  return html`<article class="card"><${Scoreboard} match=${value} />
    ${value.status_detail === "void" && html`<p class="block muted">${t.void} ${value.void_reason ?? ""}</p>`}
  </article>`;
}
