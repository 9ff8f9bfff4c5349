// One fan's part of the page: where they are, and what stands there at this width.
import { html, useContext, useEffect, useLayoutEffect, useRef, useState } from "../vendor/htm-preact-standalone.module.js";
import { Face, useChanges, useNow } from "../shared/components.js";
import { Language } from "../shared/language.js";
import { About } from "./about.js";
import { ComeIn } from "./come-in.js";
import { Invitation, MatchCard } from "./match.js";
import { MatchList, firstMatch } from "./matches.js";
import { useTexts } from "./texts.js";

/** @typedef {import("./fan.js").Fan} Fan */
/** @typedef {{ name: string, id: string | null }} View */
/** @typedef {(name: string, id?: string | number | null) => void} Go */

const MEDIUM = 680;
const WIDE = 1080;

/** How wide the panel is, in three steps. @param {{ current: HTMLElement | null }} element */
function useSize(element) {
  const sizeOf = (/** @type {number} */ width) => (width >= WIDE ? "wide" : width >= MEDIUM ? "medium" : "narrow");
  const [size, setSize] = useState(() => sizeOf(innerWidth));
  useLayoutEffect(() => {
    const panel = /** @type {HTMLElement} */ (element.current);
    const watcher = new ResizeObserver(([entry]) => entry.contentRect.width > 0 && setSize(sizeOf(entry.contentRect.width)));
    watcher.observe(panel);
    return () => watcher.disconnect();
  }, []);
  return size;
}

/** The code of a league's link, `/?league=CODE`: in the address until it is answered, and so through logging in. @param {number} place */
const invitedTo = (place) => (place === 1 ? new URLSearchParams(location.search).get("league") : null);

/** Where the panel is. The first one's place is in the address, so that Back goes back. @param {number} place @param {boolean} isIn @returns {[View, Go]} */
function useView(place, isIn) {
  const read = () => {
    const [name, id = null] = location.hash.slice(1).split("/");
    return { name: name || "matches", id: id && decodeURIComponent(id) };
  };
  const [view, setView] = useState(/** @type {View} */ (place === 1 ? read() : { name: "come-in", id: null }));
  useEffect(() => {
    if (place !== 1) return;
    const look = () => setView(read());
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, []);
  const here = useRef(view);
  here.current = view;
  const go = (/** @type {string} */ name, /** @type {string | number | null} */ id = null) => {
    // An answer that comes when its asker is elsewhere by now does not call them back.
    if (here.current.name !== view.name || here.current.id !== view.id) return;
    // To go anywhere is an answer.
    if (isIn && invitedTo(place)) history.replaceState(null, "", location.pathname + location.hash);
    if (place === 1) location.hash = id === null ? name : `${name}/${encodeURIComponent(id)}`;
    setView({ name, id: id === null ? null : String(id) });
  };
  const code = isIn && invitedTo(place);
  return [code ? { name: "league-join", id: code } : view, go];
}

/** Whether what is shown is of this moment. @param {{ fan: Fan }} props */
function Freshness({ fan }) {
  const { t, say } = useTexts();
  useNow(5_000);
  const { connection, asOf, error } = fan.state;
  if (error?.code === "banned") return html`<span class="fresh small stale" role="status"><i class="dot"></i><span>${t.isBanned}</span></span>`;
  if (connection === "live" || connection === "polling") return html`<span class="fresh small muted" role="status"><i class="dot good"></i><span>${connection === "live" ? t.isLive : t.isPolling}</span></span>`;
  if (connection === "starting") return html`<span class="fresh small muted" role="status"><i class="dot"></i><span>${t.starting}</span></span>`;
  return html`<span class="fresh small stale" role="status">
    <i class="dot"></i><span class="lost">${t.lost}</span>${asOf > 0 && html`<span class="as-of">${t.asOf(say.time(new Date(asOf).toISOString()))}</span>`}
    <button class="now" onClick=${fan.wake}>${t.tryNow}</button>
  </span>`;
}

/** What just happened in matches and to the fan: seen above the page, and said by screen readers. @param {{ fan: Fan }} props */
function Notices({ fan }) {
  const { t, say } = useTexts();
  const words = (/** @type {any} */ { kind, match, home, amount, name, change }) => {
    const line = match && `${match.home_team.name} ${match.home_score ?? 0}–${match.away_score ?? 0} ${match.away_team.name}`;
    if (kind === "goal") return [t.goal(home ? match.home_team.name : match.away_team.name), line];
    if (kind === "start") return [t.kickOff, `${match.home_team.name} – ${match.away_team.name}`];
    if (kind === "end") return [t.fullTime, line];
    if (kind === "points") return [t.points(amount), line ?? ""];
    if (kind === "coins") return [t.coinsMoved(say.signed(amount)), ""];
    return [change === "removed" ? t.removedFrom(name) : t.invitedTo(name), ""];
  };
  return html`<div class="notices" role="log" aria-live="polite" aria-label=${t.notices}>
    ${fan.state.notices.map((notice) => {
      const [title, rest] = words(notice);
      return html`<p key=${notice.key} class="card notice ${notice.kind} slot-${notice.slot}"><b>${title}</b> <span>${rest}</span></p>`;
    })}
  </div>`;
}

/** The place of the menu that a view belongs to. @param {View} view */
const placeOf = ({ name, id }) => (name === "tips" && id ? name : name === "match" ? "matches" : name === "room" ? "rooms" : name === "notifications" ? "me" : name.startsWith("league") ? "table" : null);

/** @param {{ fan: Fan, view: View, go: any, places: string[], label: string }} props */
function Menu({ view, go, places, label }) {
  const { t } = useTexts();
  const isIn = (/** @type {string} */ name) => view.name === name || placeOf(view) === name;
  return html`<nav aria-label=${label}>
    ${places.map((name) => html`<a href="#${name}" aria-current=${isIn(name) ? "page" : undefined} onClick=${(/** @type {Event} */ event) => (event.preventDefault(), go(name))}>${t.places[/** @type {"matches"} */ (name)]}</a>`)}
  </nav>`;
}

/**
 * The columns of a stranger's view; what those who are in see is in its own module, which strangers do not load.
 * @param {{ fan: Fan, view: View, go: Go, size: string }} at
 */
function columnsOutside({ fan, view, go, size }) {
  const wanted = view.name === "match" ? Number(view.id) : null;
  const { matches } = fan.state;
  const shown = wanted !== null ? (matches.get(wanted) ?? null) : size === "narrow" ? null : firstMatch(matches);
  const isInvited = Boolean(invitedTo(fan.place));
  const comeIn = html`<${ComeIn} key=${fan.place} fan=${fan} isInvited=${isInvited} />`;
  const list = html`<${MatchList} fan=${fan} openId=${shown?.id ?? null} open=${(/** @type {number} */ id) => go("match", id)} />`;
  const card = shown && html`<${MatchCard} match=${shown} picks=${html`<${Invitation} match=${shown} comeIn=${size === "wide" ? null : comeIn} />`} />`;
  if (size === "narrow") return wanted !== null ? [[card]] : [[(view.name === "come-in" || isInvited) && comeIn, list, html`<${About} />`]];
  if (size === "medium") return [[list, html`<${About} />`], [card ?? comeIn]];
  return [[list], [card, html`<${About} />`], [comeIn]];
}

/** What those who are in see, loaded when somebody is; in another language as soon as its words are there. @param {Fan} fan @param {boolean} isIn */
function useInside(fan, isIn) {
  const spoken = /** @type {any} */ (useContext(Language));
  const [inside, setInside] = useState(/** @type {import("./entering.js").Inside | null} */ (null));
  useEffect(() => {
    if (!isIn) setInside(null);
    if (!isIn || inside?.spoken.language === spoken.language) return;
    let isWanted = true;
    const load = async () => {
      const loaded = await (await import("./entering.js")).enter(fan, spoken);
      if (isWanted) setInside(loaded);
    };
    // What did not come is asked for again when the network is back.
    const attempt = () => load().catch(() => {});
    attempt();
    addEventListener("online", attempt);
    return () => {
      isWanted = false;
      removeEventListener("online", attempt);
    };
  }, [isIn, inside, spoken]);
  return isIn ? inside : null;
}

/** @param {{ fan: Fan, isHidden: boolean, close: (() => void) | null }} props */
export function Panel({ fan, isHidden, close }) {
  useChanges(fan);
  const element = useRef(/** @type {HTMLElement | null} */ (null));
  const size = useSize(element);
  const { session, rank, coins, me } = fan.state;
  const [view, go] = useView(fan.place, session !== null);
  const places = ["matches", "tips", "rooms", "table", "me"];
  const above = size === "narrow" && placeOf(view);
  const inside = useInside(fan, session !== null);
  const outside = useTexts();
  const spoken = inside?.spoken ?? outside;
  const { t, say } = spoken;
  const columns = session ? (inside?.parts.columnsInside({ fan, view, go, size, t }) ?? [[]]) : columnsOutside({ fan, view, go, size });
  const Title = fan.place === 1 ? "h1" : "h2";
  return html`<${Language.Provider} value=${spoken}><section class="panel ${size}" aria-label=${t.fanNumber(fan.place)} ref=${element} hidden=${isHidden} data-view=${view.name}>
    <div class="bar">
      ${above
        ? html`<button class="quiet back" onClick=${() => go(above)}>‹ ${t.back}</button><${Title} class="hidden">Touchline</${Title}>`
        : html`<${Title} class="brand"><img src="/app/icon.svg" alt="" width="22" height="22" /><span>${fan.place === 1 ? "Touchline" : t.secondFan}</span></${Title}>`}
      ${session && size === "wide" && html`<${Menu} view=${view} go=${go} places=${places} label=${t.menuOf(fan.place)} />`}
      <span class="grow"></span>
      <${Freshness} fan=${fan} />
      ${session && rank && size !== "narrow" && html`<span class="pill">#${say.number(rank.rank)} · ${t.pointsShort(say.number(rank.points))}</span>`}
      ${coins && html`<span class="pill balance"><i class="coin" aria-hidden="true"></i>${say.number(coins.balance)} <span class="hidden">${t.coins}</span></span>`}
      ${inside && size !== "narrow" && html`<${inside.parts.ClaimButton} fan=${fan} />`}
      ${session && html`<a class="own-face" href="#me" onClick=${(/** @type {Event} */ event) => (event.preventDefault(), go("me"))}><${Face} name=${session.user.username} /><span class="hidden">${me?.username ?? session.user.username}</span></a>`}
      ${!session && size === "narrow" && view.name !== "come-in" && !invitedTo(fan.place) && html`<button class="primary" onClick=${() => go("come-in")}>${t.comeInShort}</button>`}
      ${close && html`<button class="quiet" aria-label=${t.closeFan} onClick=${close}>✕</button>`}
    </div>
    <div class="stage">
      ${columns.map((column, at) => html`<div class="column" key=${`${view.name} ${at}`}>${column}</div>`)}
    </div>
    ${session && size !== "wide" && html`<div class="tabs"><${Menu} view=${view} go=${go} places=${places} label=${t.menuOf(fan.place)} /></div>`}
    <${Notices} fan=${fan} />
  </section><//>`;
}
