// A room: what was said, what is said now, and a line to write. Plain Matrix calls through the client, in rooms that are not encrypted.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../vendor/htm-preact-standalone.module.js";
import { Face, Failure, Loading } from "../shared/components.js";
import { useTexts } from "./texts.js";

/** @typedef {import("./fan.js").Fan} Fan */
/** @typedef {{ id: string, who: string, text: string, at: number, isNews?: boolean }} Line */

/** Asked for every so often, instead of waiting on a connection: two fans and other tabs share a browser's six. */
const PAUSE_MS = 2_500;
const KEPT_LINES = 200;

/** @param {any} event @returns {Line[]} */
function lineOf(event) {
  if (event.type !== "m.room.message" || typeof event.content?.body !== "string") return [];
  return [{ id: event.event_id, who: event.sender.replace(/^@|:.*$/g, ""), text: event.content.body, at: event.origin_server_ts }];
}

/** Adds what is not there yet, in the order of time. @param {Line[]} before @param {Line[]} more */
function added(before, more) {
  const known = new Set(before.map((line) => line.id));
  const fresh = more.filter((line) => !known.has(line.id));
  return fresh.length ? [...before, ...fresh].sort((one, other) => one.at - other.at).slice(-KEPT_LINES) : before;
}

function useIsVisible() {
  const [isVisible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    const look = () => setVisible(!document.hidden);
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  return isVisible;
}

/**
 * The room's lines while it is on the screen.
 * @param {Fan} fan @param {string} room
 */
function useLines(fan, room) {
  const [lines, setLines] = useState(/** @type {Line[] | null} */ (null));
  const [error, setError] = useState(/** @type {any} */ (null));
  const [times, setTimes] = useState(0);
  const isVisible = useIsVisible();
  const credentials = fan.state.session?.chat?.access_token;
  const add = (/** @type {Line[]} */ more) => setLines((before) => added(before ?? [], more));
  useEffect(() => {
    if (!isVisible) return;
    const stop = new AbortController();
    const { signal } = stop;
    const listen = async () => {
      const chat = await fan.touchline.chat({ signal });
      // Where the room stands first, then what was said: what comes in between is in both, and shown once.
      const { next_batch: since } = await chat.request("GET", "/sync?timeout=0", undefined, signal);
      const { chunk } = await chat.history(room, { limit: 40 });
      if (signal.aborted) return;
      setError(null);
      add(chunk.flatMap(lineOf));
      for await (const news of chat.sync({ since, signal, waitMs: 0, pauseMs: PAUSE_MS })) {
        if (news.kind === "room" && news.room === room) add(lineOf(news.event));
      }
    };
    listen().catch((refused) => !signal.aborted && setError(refused));
    return () => stop.abort();
  }, [fan, room, isVisible, credentials, times]);
  const again = () => setTimes(times + 1);
  const { connection } = fan.state;
  useEffect(() => {
    // What failed while the service was away is tried again when it is back.
    if (error && connection === "live") again();
  }, [connection]);
  return { lines, error, add, again };
}

/** @param {{ lines: Line[], own: string }} props */
function Lines({ lines, own }) {
  const { t, say } = useTexts();
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    // Whoever reads further up is left there.
    if (list.current && isAtEnd.current) list.current.scrollTop = list.current.scrollHeight;
  }, [lines]);
  const look = (/** @type {any} */ { target }) => (isAtEnd.current = target.scrollHeight - target.scrollTop - target.clientHeight < 40);
  return html`<div class="lines" ref=${list} onScroll=${look} tabindex="0" role="log" aria-label=${t.said}><ol>
    ${lines.length === 0 && html`<li class="news muted">${t.nothingSaid}</li>`}
    ${lines.map(({ id, who, text, at, isNews }, place) => {
      if (isNews) return html`<li class="news" key=${id}>${text}</li>`;
      const before = lines[place - 1];
      const isMore = before && !before.isNews && before.who === who && at - before.at < 120_000;
      return html`<li class="${isMore ? "more" : ""} ${who === own ? "own" : ""}" key=${id}>
        ${isMore ? html`<span></span>` : html`<${Face} name=${who} />`}
        <div>
          ${!isMore && html`<p class="small muted"><b>${who}</b> <time datetime=${new Date(at).toISOString()}>${say.time(new Date(at).toISOString())}</time></p>`}
          <p class="text">${text}</p>
        </div>
      </li>`;
    })}
  </ol></div>`;
}

/** @param {{ fan: Fan, room: string, match?: import("./news.js").Match }} props */
function Talk({ fan, room, match }) {
  const { t } = useTexts();
  const { lines, error, add, again } = useLines(fan, room);
  const [text, setText] = useState("");
  const [refused, setRefused] = useState(/** @type {any} */ (null));
  const own = fan.state.session?.user.username ?? "";
  const score = match && match.home_score !== null ? `${match.home_team.name} ${match.home_score}–${match.away_score} ${match.away_team.name}` : "";
  const lastScore = useRef(score);
  useEffect(() => {
    if (score && lastScore.current && score !== lastScore.current) add([{ id: `news ${score}`, who: "", text: score, at: Date.now(), isNews: true }]);
    lastScore.current = score;
  }, [score]);
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const said = text.trim();
    if (!said) return;
    setText("");
    setRefused(null);
    try {
      const chat = await fan.touchline.chat();
      const id = await chat.send(room, said);
      add([{ id, who: own, text: said, at: Date.now() }]);
    } catch (problem) {
      // What was written is not lost.
      setText(said);
      setRefused(problem);
    }
  };
  return html`${error
      ? html`<div class="lines"><${Failure} error=${error} words=${t} again=${again} /></div>`
      : lines
        ? html`<${Lines} lines=${lines} own=${own} />`
        : html`<div class="lines"><${Loading} lines=${4} label=${t.loading} /></div>`}
    ${refused && html`<div class="body"><${Failure} error=${refused} words=${t} /></div>`}
    <form class="write" onSubmit=${send}>
      <input aria-label=${t.message} placeholder=${t.saySomething} maxlength="1000" autocomplete="off" value=${text} onInput=${(/** @type {any} */ event) => setText(event.target.value)} />
      <button class="primary" disabled=${!text.trim()}>${t.send}</button>
    </form>`;
}

/**
 * A room as a card: to join, or to talk in.
 * @param {{ fan: Fan, room: string | null, title: any, note?: any, isEncrypted?: boolean, match?: import("./news.js").Match }} props
 */
export function Room({ fan, room, title, note, isEncrypted = false, match }) {
  const { t } = useTexts();
  const [error, setError] = useState(/** @type {any} */ (null));
  const [isBusy, setBusy] = useState(false);
  const { session, joined } = fan.state;
  const isJoined = room !== null && joined.has(room);
  const join = async () => {
    setBusy(true);
    setError(null);
    await fan.join(/** @type {string} */ (room)).catch(setError);
    setBusy(false);
  };
  const inside = () => {
    if (!session) return html`<p class="empty">${t.comeInToTalk}</p>`;
    if (!room) return html`<p class="empty">${t.roomSoon}</p>`;
    if (isEncrypted) return html`<p class="empty">${t.encrypted}</p>`;
    if (isJoined) return html`<${Talk} key=${room} fan=${fan} room=${room} match=${match} />`;
    return html`<div class="empty">
      <p>${t.joinWhy}</p>
      <button class="primary" disabled=${isBusy} onClick=${join}>${t.join}</button>
      ${error && html`<${Failure} error=${error} words=${t} />`}
    </div>`;
  };
  return html`<section role="group" class="card room" aria-label=${t.room}>
    <header><h2 class="cut">${title}</h2>${note}</header>
    ${inside()}
  </section>`;
}
