// Every word of the page, in two languages. English is complete; German is held to the same keys by its type.
import { useContext } from "../vendor/htm-preact-standalone.module.js";
import { Language } from "../shared/language.js";
import { de } from "./texts-de.js";
import { en } from "./texts-en.js";

/** @typedef {typeof en} Texts */
/** @type {Record<string, Texts>} */
export const TEXTS = { en, de };
export const NAMES = { en: "English", de: "Deutsch" };

/** The texts as `t`, and `say` for times and numbers. */
export function useTexts() {
  return /** @type {{ t: Texts, say: ReturnType<typeof import("../shared/language.js").formats> }} */ (useContext(Language));
}
