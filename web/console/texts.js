// Every word of the console, in two languages. English is complete; German is held to the same keys by its type, and loaded when it is read.
import { useContext } from "../vendor/htm-preact-standalone.module.js";
import { Language } from "../shared/language.js";
import { en as first } from "./texts-en.js";

/** @typedef {typeof first & typeof import("./texts-places-en.js").en} Texts */
export const NAMES = { en: "English", de: "Deutsch" };
const english = /** @type {Texts} */ ({ ...first });

/** @param {string} language @returns {Promise<Texts>} */
export async function textsIn(language) {
  return language === "de" ? (await import("./texts-de.js")).de : english;
}

/** Completes the English texts, of which the first view needs a part. */
export async function completeTexts() {
  Object.assign(english, (await import("./texts-places-en.js")).en);
}

/** The texts as `t`, and `say` for times and numbers. */
export function useTexts() {
  return /** @type {{ t: Texts, say: ReturnType<typeof import("../shared/language.js").formats> }} */ (useContext(Language));
}
