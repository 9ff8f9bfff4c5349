// A part of the leagues, which are loaded with their words when somebody looks at one.
import { lazyPart, loadStyle } from "./lazy.js";

/** @typedef {typeof import("./leagues.js") & typeof import("./league.js") & typeof import("./league-members.js")} Parts */

export const LeaguePart = lazyPart(async (language) => {
  const [{ leagueTextsIn }, ...modules] = await Promise.all([import("./texts-leagues.js"), import("./leagues.js"), import("./league.js"), import("./league-members.js"), loadStyle("/app/leagues.css")]);
  return { parts: /** @type {Parts} */ (Object.assign({}, ...modules)), words: { l: await leagueTextsIn(language) } };
});
