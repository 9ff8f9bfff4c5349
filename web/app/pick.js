// Predicting: what everybody said, and one's own. A tap on who wins is a pick already; the exact score and how sure one is are extras.
import { html, useEffect, useState } from "../vendor/htm-preact-standalone.module.js";
import { Failure, Split, useNow, useReading } from "../shared/components.js";
import { pickInWords } from "./matches.js";
import { ReminderQuestion, predicted } from "./reminder.js";
import { useTexts } from "./texts-inside.js";

/** @typedef {import("./news.js").Match} Match */
/** @typedef {import("./fan.js").Fan} Fan */

const HIGHEST = 99;

/** What all fans said; moves by itself while picks come in. @param {{ fan: Fan, match: Match }} props */
export function Everybody({ fan, match }) {
  const { t, say } = useTexts();
  const split = fan.state.splits.get(match.id);
  useEffect(() => {
    const stop = new AbortController();
    const keep = (/** @type {any} */ { meta }) => {
      const read = { distribution: meta.prediction_distribution, total: meta.total_predictions, average: meta.average_confidence };
      fan.change({ splits: new Map(fan.state.splits).set(match.id, read) });
    };
    // Without it the block stays with the count alone; news of picks brings the rest.
    fan.call("list_event_predictions", { event: match.id, per_page: 1 }, { signal: stop.signal }).then(keep, () => {});
    return () => stop.abort();
  }, [match.id, fan.state.picks.get(match.id)?.updated_at]);
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
      ${parts.map(({ name, label, count }) => html`<span class=${name}><b>${share(count)}</b><i class="cut">${label}</i></span>`)}
    </div>
  </div>`;
}

/** The outcome that a score stands for. @param {{ home: number, away: number }} score */
function outcomeOf({ home, away }) {
  return home > away ? "home" : home < away ? "away" : "draw";
}

/** @param {{ label: string, value: number, set: (value: number) => void }} props */
function Stepper({ label, value, set }) {
  const { t } = useTexts();
  return html`<span class="stepper" role="group" aria-label=${label}>
    <button type="button" aria-label=${t.goalLess(label)} disabled=${value === 0} onClick=${() => set(value - 1)}>−</button>
    <b aria-live="polite">${value}</b>
    <button type="button" aria-label=${t.goalMore(label)} disabled=${value === HIGHEST} onClick=${() => set(value + 1)}>+</button>
  </span>`;
}

/** @param {{ fan: import("./fan.js").Fan, match: import("./news.js").Match, now: number, go: import("./panel.js").Go }} props */
function PickForm({ fan, match, now, go }) {
  const { t, say } = useTexts();
  const pick = fan.state.picks.get(match.id);
  const [confidence, setConfidence] = useState(pick?.confidence ?? 50);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState(/** @type {any} */ (null));
  const score = pick?.score_prediction ?? null;

  const predict = async (/** @type {any} */ changes) => {
    setBusy(true);
    setError(null);
    try {
      await fan.predict({ event_id: match.id, confidence, ...changes });
      predicted(fan, match.id);
    } catch (refused) {
      setError(refused);
    }
    setBusy(false);
  };
  // Another winner than the exact score says: the score is dropped, not turned round.
  const choose = (/** @type {any} */ prediction) => predict({ prediction, score_prediction: score && outcomeOf(score) === prediction ? score : undefined });
  const setScore = (/** @type {{ home: number, away: number }} */ next) => predict({ prediction: outcomeOf(next), score_prediction: next });
  const startScore = () => setScore({ home: { home: 1, draw: 1, away: 0 }[pick?.prediction ?? "draw"], away: { home: 0, draw: 1, away: 1 }[pick?.prediction ?? "draw"] });
  const choices = [
    { name: "home", label: match.home_team.name },
    { name: "draw", label: t.draw },
    { name: "away", label: match.away_team.name },
  ];
  return html`<div class="block" aria-busy=${isBusy}>
    <div class="row between">
      <h2>${t.yourPrediction}</h2>
      <small class="muted">${match.start_time_confirmed ? t.closes(say.relative(Date.parse(match.start_time) - now)) : t.openUntilDate}</small>
    </div>
    <div class="picks" role="group" aria-label=${t.whoWins}>
      ${choices.map(({ name, label }) => html`<button type="button" data-pick=${name} aria-pressed=${pick?.prediction === name ? "true" : "false"} disabled=${isBusy} onClick=${() => choose(name)}>${label}</button>`)}
    </div>
    <div class="extras">
      ${score
        ? html`<div class="exact"><${Stepper} label=${match.home_team.name} value=${score.home} set=${(/** @type {number} */ home) => setScore({ ...score, home })} />
            <span class="small muted">${t.exactScore}</span>
            <${Stepper} label=${match.away_team.name} value=${score.away} set=${(/** @type {number} */ away) => setScore({ ...score, away })} /></div>`
        : html`<button type="button" class="add" disabled=${!pick || isBusy} onClick=${startScore}>${t.addScore}</button>`}
      <label class="sure row"><span class="small muted">${t.howSure}</span>
        <input type="range" min="0" max="100" step="5" value=${confidence} disabled=${!pick}
          onInput=${(/** @type {any} */ event) => setConfidence(Number(event.target.value))}
          onChange=${(/** @type {any} */ event) => pick && predict({ prediction: pick.prediction, score_prediction: score ?? undefined, confidence: Number(event.target.value) })} />
        <b class="num">${confidence} %</b></label>
    </div>
    <p class="small muted" role="status">${pick ? t.pickSaved : t.tapToPick}</p>
    <${ReminderQuestion} fan=${fan} match=${match.id} go=${go} />
    ${error && html`<${Failure} error=${error} words=${t} />`}
  </div>`;
}

/** What a closed pick stands at, or what it earned and why. @param {{ fan: Fan, match: Match }} props */
function ClosedPick({ fan, match }) {
  const { t, say } = useTexts();
  const pick = fan.state.picks.get(match.id);
  const points = pick?.points_earned ?? null;
  const isSettled = pick && points !== null;
  const explained = useReading(async (signal) => (isSettled ? (await fan.call("show_prediction", { prediction: pick.id }, { signal })).data.explanation : null), [
    pick?.id,
    points,
  ]);
  if (!pick) return html`<div class="block"><h2>${t.yourPrediction}</h2><p class="muted">${match.status === "finished" ? t.noPickOver : t.noPickLive}</p></div>`;
  return html`<div class="block">
    <div class="row between">
      <h2>${t.yourPrediction}</h2>
      ${points !== null && html`<span class="pill ${points ? "won" : ""}">${t.points(points)}</span>`}
    </div>
    <p><b>${pickInWords(t, match, pick)}</b>, ${t.sure(pick.confidence)}</p>
    <p class="small muted">
      ${explained.value ? `${explained.value.sentence} ${explained.value.settlement === "final" ? t.final : explained.value.final_at ? t.finalAt(say.time(explained.value.final_at)) : ""}` : match.status === "finished" ? t.pointsSoon : t.picksClosed}
    </p>
  </div>`;
}

/** Whether it is still open by this clock; the service decides by its own. @param {{ fan: Fan, match: Match, go: import("./panel.js").Go }} props */
export function OwnPick({ fan, match, go }) {
  const now = useNow(1_000);
  const isOpen = match.status === "scheduled" && (!match.start_time_confirmed || now < Date.parse(match.start_time));
  return isOpen ? html`<${PickForm} key=${match.id} fan=${fan} match=${match} now=${now} go=${go} />` : html`<${ClosedPick} key=${match.id} fan=${fan} match=${match} />`;
}
