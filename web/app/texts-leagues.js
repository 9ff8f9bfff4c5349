// The words of the leagues, apart from the page's others: strangers and whoever has no league do not load them.
import { useContext } from "../vendor/htm-preact-standalone.module.js";
import { Language } from "../shared/language.js";

/** @typedef {typeof import("./texts-leagues-en.js").en} LeagueTexts */

/** @param {string} language @returns {Promise<LeagueTexts>} */
export async function leagueTextsIn(language) {
  return language === "de" ? (await import("./texts-leagues-de.js")).de : (await import("./texts-leagues-en.js")).en;
}

/** The page's texts as `t`, those of leagues as `l`, and `say` for times and numbers. */
export function useLeagueTexts() {
  return /** @type {{ t: import("./texts-inside.js").Texts, l: LeagueTexts, say: ReturnType<typeof import("../shared/language.js").formats> }} */ (useContext(Language));
}
