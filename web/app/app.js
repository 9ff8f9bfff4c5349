// The fan page: one fan, or two side by side, and the drawer that shows what they ask the service.
import { html, render, useEffect, useMemo, useState } from "../vendor/htm-preact-standalone.module.js";
import { Language, chooseLanguage, formats, keepLanguage } from "../shared/language.js";
import { Calls } from "./calls.js";
import { Drawer } from "./drawer.js";
import { Fan } from "./fan.js";
import { Panel } from "./panel.js";
import { NAMES, textsIn } from "./texts.js";

/** Two beside each other need this much; less, and they are tabs. */
const SIDE_BY_SIDE = 900;
const SECOND = "touchline-second-fan";

const calls = new Calls();

function makeFan(/** @type {number} */ place) {
  const fan = new Fan(place, calls);
  fan.start();
  return fan;
}

/** Whether `query` holds, and again when that changes. @param {string} query */
function useMedia(query) {
  const media = useMemo(() => matchMedia(query), [query]);
  const [does, setDoes] = useState(media.matches);
  useEffect(() => {
    const look = () => setDoes(media.matches);
    media.addEventListener("change", look);
    return () => media.removeEventListener("change", look);
  }, [media]);
  return does;
}

function useIsOffline() {
  const [isOffline, setOffline] = useState(!navigator.onLine);
  useEffect(() => {
    const look = () => setOffline(!navigator.onLine);
    addEventListener("online", look);
    addEventListener("offline", look);
    return () => {
      removeEventListener("online", look);
      removeEventListener("offline", look);
    };
  }, []);
  return isOffline;
}

/** @param {string} language */
async function speak(language) {
  return { language, t: await textsIn(language), say: formats(language) };
}

/** @param {{ first: Awaited<ReturnType<typeof speak>> }} props */
function App({ first }) {
  const [spoken, setSpoken] = useState(first);
  const { t, language } = spoken;
  const [fans, setFans] = useState(() => (sessionStorage.getItem(SECOND) ? [makeFan(1), makeFan(2)] : [makeFan(1)]));
  const [shown, setShown] = useState(0);
  const isSideBySide = useMedia(`(min-width: ${SIDE_BY_SIDE}px)`);
  const isOffline = useIsOffline();
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const open = () => {
    sessionStorage.setItem(SECOND, "open");
    setFans([...fans, makeFan(2)]);
    setShown(1);
  };
  const close = () => {
    fans[1]?.end();
    sessionStorage.removeItem(SECOND);
    setFans(fans.slice(0, 1));
    setShown(0);
  };
  const choose = (/** @type {any} */ event) => {
    keepLanguage(event.target.value);
    for (const fan of fans) fan.speak(event.target.value);
    speak(event.target.value).then(setSpoken);
  };
  const hasTabs = fans.length > 1 && !isSideBySide;
  return html`<${Language.Provider} value=${spoken}>
    <p class="offline" role="status" hidden=${!isOffline}>${t.offline}</p>
    ${hasTabs &&
    html`<nav class="fan-tabs" aria-label=${t.fans}>
      ${fans.map((fan, at) => html`<button aria-pressed=${at === shown ? "true" : "false"} onClick=${() => setShown(at)}>${t.fanNumber(fan.place)}</button>`)}
    </nav>`}
    <main class="panels ${fans.length > 1 && isSideBySide ? "two" : ""}">
      ${fans.map((fan, at) => html`<${Panel} key=${fan.place} fan=${fan} isHidden=${hasTabs && at !== shown} close=${at > 0 ? close : null} />`)}
    </main>
    <${Drawer} calls=${calls}>
      ${fans.length === 1 && html`<button class="quiet another" onClick=${open}>${t.anotherFan}</button>`}
      <a class="quiet button docs" href="/docs/">${t.docs}</a>
      <select class="language" aria-label=${t.language} value=${language} onChange=${choose}>
        ${Object.entries(NAMES).map(([code, name]) => html`<option value=${code} selected=${code === language} label=${name}>${name}</option>`)}
      </select>
    <//>
  <//>`;
}

render(html`<${App} first=${await speak(chooseLanguage(Object.keys(NAMES)))} />`, /** @type {Element} */ (document.getElementById("app")));
// Makes it installable, and there without a network; it keeps the page, never an answer of the API.
navigator.serviceWorker?.register("/app/worker.js", { scope: "/" }).catch(() => {});
// A message was pressed that leads here.
navigator.serviceWorker?.addEventListener("message", ({ data }) => void (location.hash = data.go));
