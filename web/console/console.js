// The operators' console: who is in, the menu, the view that the address names, and how fresh it is.
import { html, render, useEffect, useRef, useState } from "../vendor/htm-preact-standalone.module.js";
import { Language, chooseLanguage, formats, keepLanguage } from "../shared/language.js";
import { Desk, DeskContext, addressNow, addressOf, go, useAddress, useDesk } from "./desk.js";
import { useNeeds } from "./needs.js";
import { Failure, Heading, Loading } from "./parts.js";
import { PLACES, placeAt } from "./places.js";
import { SignIn } from "./sign-in.js";
import { NAMES, completeTexts, textsIn, useTexts } from "./texts.js";

/** @param {string} language */
async function speak(language) {
  return { language, t: await textsIn(language), say: formats(language) };
}

/** How fresh what is shown is. It takes no space until there is something to say, and then stands above everything. */
function Freshness() {
  const desk = useDesk();
  const { t, say } = useTexts();
  const { isLost, answeredAt } = desk.state;
  const since = answeredAt ? t.staleSince(say.time(new Date(answeredAt).toISOString())) : "";
  return html`<div role="status" class="lost" hidden=${!isLost}>${isLost && html`<b>${t.lost}</b> <span class="grow">${since}</span> <button onClick=${() => desk.refresh()}>${t.tryNow}</button>`}</div>`;
}

/** @param {{ at: string, needs: import("./needs.js").Needs, language: string, choose: (event: any) => void, close: () => void }} props */
function Menu({ at, needs, language, choose, close }) {
  const desk = useDesk();
  const { t, say } = useTexts();
  const { me, isLost } = desk.state;
  return html`<nav aria-label=${t.sections}>
      ${PLACES.filter((place) => desk.may(place.least)).map(({ name, path }) => {
        const count = needs.byPlace[name] ?? 0;
        return html`<a key=${name} href=${addressOf(path)} aria-current=${path === at ? "page" : null} onClick=${close}>${t.places[name]}${count > 0 && html`<em title=${t.needPerson(count)}>${say.number(count)}</em>`}</a>`;
      })}
    </nav>
    <div class="foot">
      <span class="state ${isLost ? "lost" : ""}"><i></i>${isLost ? t.reconnecting : t.isFresh}</span>
      <span><b class="cut">${me?.name}</b> <small>${me && t.roles[me.role]}</small></span>
      ${me?.expires_at && html`<small class="muted">${t.until(say.moment(me.expires_at))}</small>`}
      <small class="muted">${t.timesIn} ${say.zone}</small>
      <select aria-label=${t.language} value=${language} onChange=${choose}>
        ${Object.entries(NAMES).map(([code, name]) => html`<option value=${code} selected=${code === language}>${name}</option>`)}
      </select>
      <div class="row"><button class="quiet grow" onClick=${() => desk.signOut()}>${t.signOut}</button><a class="quiet button" href="/docs/">${t.docs}</a></div>
    </div>`;
}

/** The view at an address, loaded when it is first opened. @param {{ address: import("./desk.js").Address, needs: import("./needs.js").Needs }} props */
function Shown({ address, needs }) {
  const desk = useDesk();
  const { t } = useTexts();
  const place = placeAt(address.name);
  const [loaded, setLoaded] = useState(/** @type {{ place?: any, View?: any, error?: any }} */ ({}));
  const load = () => {
    place && Promise.all([place.load(), place.path && completeTexts()]).then(([{ View }]) => setLoaded({ place, View }), (error) => setLoaded({ place, error: { code: "network", message: error.message } }));
  };
  useEffect(load, [place]);
  if (!place) return html`<${Heading} title=${t.noSuchPlace} /><p class="empty">${t.noSuchPlaceHow} <a class="link" href=${addressOf("")}>${t.places.front}</a></p>`;
  if (!desk.may(place.least)) return html`<${Heading} title=${t.places[place.name]} /><p class="empty">${t.notForRole(t.roles[desk.state.me?.role ?? "viewer"], t.roles[/** @type {"owner"} */ (place.least)])}</p>`;
  if (loaded.place !== place) return html`<${Loading} lines=${6} />`;
  if (loaded.error) return html`<${Failure} error=${loaded.error} again=${load} />`;
  return html`<${loaded.View} address=${address} needs=${needs} />`;
}

/** @param {{ language: string, choose: (event: any) => void }} props */
function Inside({ language, choose }) {
  const { t } = useTexts();
  const address = useAddress();
  const needs = useNeeds();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const main = useRef(/** @type {any} */ (null));
  const isFirst = useRef(true);
  const at = `${address.name}/${address.id ?? ""}`;
  useEffect(() => {
    // Whoever opens another view by keyboard or reads by ear begins at its heading.
    if (!isFirst.current) {
      scrollTo(0, 0);
      main.current.focus({ preventScroll: true });
    }
    isFirst.current = false;
  }, [at]);
  useEffect(() => {
    const close = (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && setMenuOpen(false);
    addEventListener("keydown", close);
    return () => removeEventListener("keydown", close);
  }, []);
  const place = placeAt(address.name);
  return html`<div class="shell">
    <a class="skip" href="#view" onClick=${(/** @type {Event} */ event) => (event.preventDefault(), main.current.focus())}>${t.skip}</a>
    <header class="bar"><button class="quiet" aria-expanded=${isMenuOpen ? "true" : "false"} aria-controls="side" onClick=${() => setMenuOpen(!isMenuOpen)}>${t.menu}</button>
      <b class="grow">${place ? t.places[place.name] : t.console}</b>${needs.count > 0 && html`<a class="needs" href=${addressOf("")}>${t.needPerson(needs.count)}</a>`}</header>
    <aside id="side" class="side ${isMenuOpen ? "open" : ""}" aria-label=${t.console}>
      <b class="name">Touchline</b>
      <${Menu} at=${address.name} needs=${needs} language=${language} choose=${choose} close=${() => setMenuOpen(false)} />
    </aside>
    <main id="view" class="view" tabindex="-1" ref=${main}><${Freshness} /><${Shown} address=${address} needs=${needs} /></main>
  </div>`;
}

/** @param {{ desk: Desk, first: Awaited<ReturnType<typeof speak>>, link: string | null }} props */
function Console({ desk, first, link }) {
  const [spoken, setSpoken] = useState(first);
  const { language, t } = spoken;
  const [failed, setFailed] = useState(/** @type {any} */ (null));
  const [, redraw] = useState(0);
  useEffect(() => desk.subscribe(() => redraw((times) => times + 1)), [desk]);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  useEffect(() => {
    if (!link) desk.begin().catch(setFailed);
  }, []);
  const choose = (/** @type {any} */ event) => {
    keepLanguage(event.target.value);
    speak(event.target.value).then(setSpoken);
  };
  const { me, isOut, isLost } = desk.state;
  const waiting = html`<div class="waiting">${failed ? html`<${Failure} error=${failed} again=${() => location.reload()} />` : isLost ? html`<p class="empty" role="status">${t.lost} ${t.reconnecting}</p>` : html`<${Loading} />`}</div>`;
  return html`<${Language.Provider} value=${spoken}><${DeskContext.Provider} value=${desk}>
    ${me ? html`<${Inside} language=${language} choose=${choose} />` : !isOut && waiting}
    ${isOut && html`<${SignIn} isOver=${me !== null} link=${link} language=${language} choose=${choose} />`}
  <//><//>`;
}

/** The code of a link from the terminal, which does not stay in the address or in the history. */
function takeLink() {
  const found = location.hash.match(/^#sign-in=(.+)$/);
  if (found) history.replaceState(null, "", location.pathname);
  return found && decodeURIComponent(found[1]);
}

const link = takeLink();
if (addressNow().name === "" && location.hash === "#") go(addressOf(""));
render(html`<${Console} desk=${new Desk()} link=${link} first=${await speak(chooseLanguage(Object.keys(NAMES)))} />`, /** @type {Element} */ (document.getElementById("console")));
