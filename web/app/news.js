// What news on the stream means for what is shown. Pure: state in, changes out.

/** @typedef {import("./touchline.js").News} News */
/** @typedef {import("./api.d.ts").Schemas} Schemas */
/** @typedef {Schemas["EventView"]} Match */
/** @typedef {{ kind: "goal" | "start" | "end" | "points" | "coins" | "room", match?: Match, home?: boolean, amount?: number, name?: string, change?: string }} Notice */
/** @typedef {{ distribution: Schemas["Distribution"], total: number, average: number | null }} Picks */
/**
 * @typedef {object} Shown
 * @property {Map<number, Match>} matches
 * @property {Map<number, Picks>} splits how many predicted what, of matches that were looked at
 * @property {Map<number, Schemas["OwnPredictionView"]>} picks the fan's own, by match
 * @property {Schemas["CoinsView"] | null} coins
 */
/**
 * What a piece of news changes, what to tell, and what has to be read afresh because the news only says that it changed.
 * @typedef {{ shown?: Partial<Shown>, notice?: Notice, stale?: ("matches" | "own" | "rank" | "rooms" | "all")[] }} Effect
 */

/** @param {Shown} shown @param {News} news @returns {Effect} */
export function effectOf(shown, { name, data }) {
  switch (name) {
    case "score":
      return onScore(shown, data);
    case "status":
      return onStatus(shown, data);
    case "predictions":
      return onPredictions(shown, data);
    case "settlement":
      return { stale: ["own"] };
    case "prediction":
      return onPoints(shown, data);
    case "coins":
      return onCoins(shown, data);
    case "room":
      // Into a league's room the service itself brings those who joined: nobody invited them.
      return { notice: data.change === "invited" && !data.by ? undefined : { kind: "room", name: data.name, change: data.change }, stale: ["rooms"] };
    case "reset":
      return { stale: ["all"] };
    default:
      // A newer service may tell more than this page knows.
      return {};
  }
}

/** @param {Shown} shown @param {any} data @returns {Effect} */
function onScore({ matches }, { event_id: id, ...told }) {
  const before = matches.get(id);
  if (!before) return { stale: ["matches"] };
  const match = { ...before, ...told };
  const home = (match.home_score ?? 0) > (before.home_score ?? 0);
  const isGoal = home || (match.away_score ?? 0) > (before.away_score ?? 0);
  return { shown: { matches: new Map(matches).set(id, match) }, notice: isGoal ? { kind: "goal", match, home } : undefined };
}

/** @param {Shown} shown @param {any} data @returns {Effect} */
function onStatus({ matches }, { event_id: id, status_detail: detail, ...told }) {
  const before = matches.get(id);
  if (!before) return { stale: ["matches"] };
  const changed = new Map(matches);
  // A match that does not count is in no list.
  if (detail === "void") changed.delete(id);
  else changed.set(id, { ...before, ...told });
  const match = changed.get(id);
  if (!match || match.status === before.status) return { shown: { matches: changed } };
  const kind = match.status === "live" ? "start" : "end";
  return { shown: { matches: changed }, notice: match.status === "scheduled" ? undefined : { kind, match } };
}

/** @param {Shown} shown @param {any} data @returns {Effect} */
function onPredictions({ matches, splits }, { event_id: id, predictions_count: total, prediction_distribution: distribution }) {
  const before = matches.get(id);
  if (!before) return {};
  const average = splits.get(id)?.average ?? null;
  return {
    shown: {
      matches: new Map(matches).set(id, { ...before, predictions_count: total }),
      splits: new Map(splits).set(id, { distribution, total, average }),
    },
  };
}

/** @param {Shown} shown @param {any} data @returns {Effect} */
function onPoints({ matches, picks }, { event_id: id, points_earned: points }) {
  const before = picks.get(id);
  if (!before) return { stale: ["own"] };
  const isNew = points !== null && points !== before.points_earned;
  return {
    shown: { picks: new Map(picks).set(id, { ...before, points_earned: points }) },
    notice: isNew ? { kind: "points", match: matches.get(id), amount: points } : undefined,
    stale: ["rank"],
  };
}

/** @param {Shown} shown @param {any} data @returns {Effect} */
function onCoins({ coins }, { balance_after: balance, amount }) {
  if (!coins) return {};
  const notice = balance === coins.balance ? undefined : /** @type {Notice} */ ({ kind: "coins", amount });
  return { shown: { coins: { ...coins, balance } }, notice };
}
