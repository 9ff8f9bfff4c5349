// The words for those who are in, apart from those of the first view: strangers do not load them.
import { useContext } from "../vendor/htm-preact-standalone.module.js";
import { Language } from "../shared/language.js";

/** @typedef {typeof import("./texts-inside-en.js").en} InsideTexts */
/** @typedef {import("./texts.js").Texts & InsideTexts} Texts */

/** @param {string} language @returns {Promise<InsideTexts>} */
export async function insideTextsIn(language) {
  return language === "de" ? (await import("./texts-inside-de.js")).de : (await import("./texts-inside-en.js")).en;
}

/** All texts of the page as `t`, and `say` for times and numbers. */
export function useTexts() {
  return /** @type {{ t: Texts, say: ReturnType<typeof import("../shared/language.js").formats> }} */ (useContext(Language));
}
