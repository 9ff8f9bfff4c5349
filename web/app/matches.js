// The list of matches: what is on, what is to come, what is over.
import { html, useMemo, useRef } from "../vendor/htm-preact-standalone.module.js";
import { Crest, Failure, Loading, memo, minuteOf, useNow } from "../shared/components.js";
import { useTexts } from "./texts.js";

/** @typedef {import("./news.js").Match} Match */

/** The minute as it runs, the break by its name, or that it is live. @param {{ match: Match }} props */
export function Minute({ match }) {
  const { t } = useTexts();
  const minute = minuteOf(match, useNow(5_000));
  const word = match.period === "half_time" ? t.halfTime : match.period === "penalties" ? t.penalties : t.live;
  return html`<span class="live ${minute || word === t.live ? "" : "still"}">${minute ? `${minute}′` : word}</span>`;
}

/** @param {{ match: Match }} props */
export function When({ match }) {
  const { t, say } = useTexts();
  if (match.status === "live") return html`<${Minute} match=${match} />`;
  if (match.status === "finished") return html`<span class="muted">${t.fullTime}</span>`;
  if (!match.start_time_confirmed) return html`<span class="muted">${t.postponed}</span>`;
  return html`<time class="muted" datetime=${match.start_time}>${say.time(match.start_time)}</time>`;
}

/** A pick in words: who wins, or the exact score. @param {any} t @param {Match} match @param {any} pick */
export function pickInWords(t, match, pick) {
  const who = pick.prediction === "draw" ? t.draw : pick.prediction === "home" ? match.home_team.name : match.away_team.name;
  const score = pick.score_prediction;
  return score ? `${who} ${score.home}–${score.away}` : who;
}

/** A number of goals that lights up when it changes. @param {{ kind: string, goals: number | null }} props */
export function Goals({ kind, goals }) {
  const first = useRef(goals);
  return html`<b key=${goals} class="${kind} ${goals === first.current ? "" : "flash"}">${goals ?? ""}</b>`;
}

const Side = memo(({ team, score, isBehind }) => html`<span class="side ${isBehind ? "behind" : ""}">
  <${Crest} team=${team} /><span class="grow cut">${team.name}</span>
  <${Goals} kind="score" goals=${score} />
</span>`);

const Row = memo(({ match, pick, isOpen, open, t }) => {
  const { home_score: home, away_score: away } = match;
  const isOver = match.status === "finished";
  const points = pick?.points_earned;
  return html`<li>
    <a class="match" href="#match/${match.id}" aria-current=${isOpen ? "true" : undefined} data-match=${match.id}
      onClick=${(/** @type {Event} */ event) => (event.preventDefault(), open(match.id))}>
      <span class="when"><${When} match=${match} /></span>
      <span class="sides">
        <${Side} team=${match.home_team} score=${home} isBehind=${isOver && home < away} />
        <${Side} team=${match.away_team} score=${away} isBehind=${isOver && away < home} />
      </span>
      ${pick &&
      html`<span class="pick cut">${t.yourPick} ${pickInWords(t, match, pick)}${points !== null && points !== undefined && html` <b class=${points > 0 ? "won" : ""}>${t.points(points)}</b>`}</span>`}
    </a>
  </li>`;
});

/** In the order of the API's own list, under headings: now, each day to come, then what is over. @param {Iterable<Match>} matches @param {any} t @param {any} say */
function inGroups(matches, t, say) {
  /** @type {Map<string, Match[]>} */
  const groups = new Map();
  const add = (/** @type {string} */ name, /** @type {Match} */ match) => groups.set(name, [...(groups.get(name) ?? []), match]);
  const all = [...matches];
  const by = (/** @type {string} */ status) => all.filter((match) => match.status === status);
  const early = (/** @type {Match} */ one, /** @type {Match} */ other) => Date.parse(one.start_time) - Date.parse(other.start_time) || one.id - other.id;
  const today = say.day(new Date().toISOString());
  for (const match of by("live").sort(early)) add(t.onNow, match);
  for (const match of by("scheduled").sort(early)) {
    const day = say.day(match.start_time);
    add(!match.start_time_confirmed ? t.noDate : day === today ? t.today : day, match);
  }
  for (const match of by("finished").sort((one, other) => early(other, one))) add(t.over, match);
  return [...groups];
}

/** @param {{ fan: import("./fan.js").Fan, openId: number | null, open: (id: number) => void }} props */
export function MatchList({ fan, openId, open }) {
  const { t, say } = useTexts();
  const { matches, picks, isLoaded, isClosed, error } = fan.state;
  const groups = useMemo(() => inGroups(matches.values(), t, say), [matches, t]);
  if (!isLoaded && !matches.size) {
    return html`<section role="group" class="card list" aria-label=${t.matches}>
      ${error ? html`<div class="body"><${Failure} error=${error} words=${t} again=${() => (fan.state.session ? fan.load() : fan.start())} /></div>` : html`<${Loading} lines=${12} label=${t.loading} />`}
    </section>`;
  }
  if (!matches.size) return html`<section role="group" class="card list" aria-label=${t.matches}><p class="empty">${isClosed ? t.matchesClosed : t.noMatches}</p></section>`;
  return html`<section role="group" class="card list" aria-label=${t.matches}>
    ${groups.map(
      ([name, list]) => html`<div class="group" key=${name}>
        <h2>${name}</h2>
        <ul>
          ${list.map((match) => html`<${Row} key=${match.id} match=${match} pick=${picks.get(match.id)} isOpen=${match.id === openId} open=${open} t=${t} />`)}
        </ul>
      </div>`,
    )}
    <p class="zone small muted">${t.timesIn} ${say.zone}</p>
  </section>`;
}

/** Which match is shown when none was chosen: one that is on, else the next. @param {Map<number, Match>} matches */
export function firstMatch(matches) {
  const all = [...matches.values()];
  return all.find((match) => match.status === "live") ?? all.find((match) => match.status === "scheduled") ?? all[0] ?? null;
}
