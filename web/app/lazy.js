// What is loaded when somebody looks at it: styles, and parts of the page with their own words.
import { html, useContext, useMemo } from "../vendor/htm-preact-standalone.module.js";
import { Failure, Loading, useReading } from "../shared/components.js";
import { Language } from "../shared/language.js";

/** @type {Map<string, Promise<void>>} */
const styles = new Map();

/** A style, once; tried again if it did not come. @param {string} href @returns {Promise<void>} */
export function loadStyle(href) {
  const before = styles.get(href);
  if (before) return before;
  const coming = new Promise((/** @type {(value: void) => void} */ resolve, reject) => {
    const link = document.createElement("link");
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      styles.delete(href);
      reject(new Error("The style did not come."));
    };
    document.head.append(Object.assign(link, { rel: "stylesheet", href }));
  });
  styles.set(href, coming);
  return coming;
}

/**
 * A component that draws one of the parts that `load` brings; `words` are told to it with the page's texts.
 * @template {Record<string, any>} Parts
 * @param {(language: string) => Promise<{ parts: Parts, words: object }>} load
 */
export function lazyPart(load) {
  /** What is there already is shown at once. @type {Map<string, { parts: Parts, words: object }>} */
  const loaded = new Map();
  return function Part(/** @type {{ part: keyof Parts & string, [prop: string]: any }} */ { part, ...props }) {
    const spoken = /** @type {any} */ (useContext(Language));
    const { t, language } = spoken;
    const { error, again } = useReading(async () => void loaded.set(language, await load(language)), [language]);
    const value = loaded.get(language);
    const both = useMemo(() => ({ ...spoken, ...value?.words }), [spoken, value]);
    if (error && !value) return html`<div class="card"><div class="body"><${Failure} error=${{ code: "network" }} words=${t} again=${again} /></div></div>`;
    if (!value) return html`<div class="card"><${Loading} label=${t.loading} /></div>`;
    return html`<${Language.Provider} value=${both}><${value.parts[part]} ...${props} /><//>`;
  };
}
