// The words of the special tips, apart from the page's others: loaded with them.
import { useContext } from "../vendor/htm-preact-standalone.module.js";
import { Language } from "../shared/language.js";

/** @typedef {typeof import("./texts-questions-en.js").en} QuestionTexts */

/** @param {string} language @returns {Promise<QuestionTexts>} */
export async function questionTextsIn(language) {
  return language === "de" ? (await import("./texts-questions-de.js")).de : (await import("./texts-questions-en.js")).en;
}

/** The page's texts as `t`, those of special tips as `q`, and `say` for times and numbers. */
export function useQuestionTexts() {
  return /** @type {{ language: string, t: import("./texts-inside.js").Texts, q: QuestionTexts, say: ReturnType<typeof import("../shared/language.js").formats> }} */ (useContext(Language));
}
