// A part of the leagues, which are loaded with their words when somebody looks at one.
import { html, useContext, useMemo } from "../vendor/htm-preact-standalone.module.js";
import { Failure, Loading, useReading } from "../shared/components.js";
import { Language } from "../shared/language.js";

/** @typedef {typeof import("./leagues.js") & typeof import("./league.js") & typeof import("./league-members.js")} Parts */

/** What is there already is shown at once. @type {Map<string, { parts: Parts, l: import("./texts-leagues.js").LeagueTexts }>} */
const loaded = new Map();

/** @type {Promise<void> | null} */
let style = null;

/** What the leagues look like, once; tried again if it did not come. @returns {Promise<void>} */
function loadStyle() {
  style ??= new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      style = null;
      reject(new Error("The style did not come."));
    };
    document.head.append(Object.assign(link, { rel: "stylesheet", href: "/app/leagues.css" }));
  });
  return style;
}

/** @param {string} language */
async function load(language) {
  const [{ leagueTextsIn }, ...modules] = await Promise.all([import("./texts-leagues.js"), import("./leagues.js"), import("./league.js"), import("./league-members.js"), loadStyle()]);
  loaded.set(language, { parts: /** @type {Parts} */ (Object.assign({}, ...modules)), l: await leagueTextsIn(language) });
}

/** @param {{ part: keyof Parts, [prop: string]: any }} props */
export function LeaguePart({ part, ...props }) {
  const spoken = /** @type {any} */ (useContext(Language));
  const { t, language } = spoken;
  const { error, again } = useReading(() => load(language), [language]);
  const value = loaded.get(language);
  const both = useMemo(() => ({ ...spoken, l: value?.l }), [spoken, value]);
  if (error && !value) return html`<div class="card"><div class="body"><${Failure} error=${{ code: "network" }} words=${t} again=${again} /></div></div>`;
  if (!value) return html`<div class="card"><${Loading} label=${t.loading} /></div>`;
  return html`<${Language.Provider} value=${both}><${value.parts[part]} ...${props} /><//>`;
}
