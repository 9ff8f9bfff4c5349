// One match: the score, what everybody predicted, and the fan's own pick.
import { html, useEffect } from "../vendor/htm-preact-standalone.module.js";
import { Crest, Failure, Split, useReading } from "../shared/components.js";
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

/** What all fans said; moves by itself while picks come in. @param {{ fan: Fan, match: Match }} props */
function Everybody({ fan, match }) {
  const { t, say } = useTexts();
  const split = fan.state.splits.get(match.id);
  const isIn = fan.state.session !== null;
  useEffect(() => {
    if (!isIn) return;
    const stop = new AbortController();
    const keep = (/** @type {any} */ { meta }) => {
      const read = { distribution: meta.prediction_distribution, total: meta.total_predictions, average: meta.average_confidence };
      fan.change({ splits: new Map(fan.state.splits).set(match.id, read) });
    };
    // Without it the block stays with the count alone; news of picks brings the rest.
    fan.call("list_event_predictions", { event: match.id, per_page: 1 }, { signal: stop.signal }).then(keep, () => {});
    return () => stop.abort();
  }, [match.id, isIn, fan.state.picks.get(match.id)?.updated_at]);
  const total = split?.total ?? match.predictions_count;
  const { home, draw, away } = split?.distribution ?? { home: 0, draw: 0, away: 0 };
  const share = (/** @type {number} */ count) => `${total ? Math.round((count / total) * 100) : 0} %`;
  const parts = [
    { name: "home", count: home, label: match.home_team.name },
    { name: "draw", count: draw, label: t.draw },
    { name: "away", count: away, label: match.away_team.name },
  ];
  return html`<div class="block">
    <div class="row between">
      <h2>${t.fansSaid(total, say.number(total))}</h2>
      ${split && split.average !== null && total > 0 && html`<small class="muted">${t.averageSure(Math.round(split.average))}</small>`}
    </div>
    <${Split} parts=${parts} label=${parts.map(({ label, count }) => `${label} ${share(count)}`).join(", ")} />
    <div class="shares small muted" aria-hidden="true">
      ${parts.map(({ name, label, count }) => html`<span class=${name}>${isIn && html`<b>${share(count)}</b>`}<i class="cut">${label}</i></span>`)}
    </div>
  </div>`;
}

/** What stands where a pick would be. @param {{ comeIn: any }} props */
export function Invitation({ comeIn }) {
  const { t } = useTexts();
  return html`<div class="block"><p class="muted">${t.comeInToPick}</p>${comeIn}</div>`;
}

/** @param {{ fan: Fan, match: Match, own: any }} props */
export function MatchCard({ fan, match, own }) {
  return html`<article class="card match-card" aria-label="${match.home_team.name} – ${match.away_team.name}">
    <h2 class="hidden">${match.home_team.name} – ${match.away_team.name}</h2>
    <${Scoreboard} key=${match.id} match=${match} />
    <${Everybody} fan=${fan} match=${match} />
    ${own}
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
