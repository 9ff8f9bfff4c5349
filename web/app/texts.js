// Every word of the first view, in two languages. English is complete; German is held to the same keys by its type, and loaded when it is read.
import { useContext } from "../vendor/htm-preact-standalone.module.js";
import { Language } from "../shared/language.js";
import { en } from "./texts-en.js";

/** @typedef {typeof en} Texts */
export const NAMES = { en: "English", de: "Deutsch" };

/** @param {string} language @returns {Promise<Texts>} */
export async function textsIn(language) {
  return language === "de" ? (await import("./texts-de.js")).de : en;
}

/** The texts of the first view as `t`, and `say` for times and numbers. */
export function useTexts() {
  return /** @type {{ t: Texts, say: ReturnType<typeof import("../shared/language.js").formats> }} */ (useContext(Language));
}
