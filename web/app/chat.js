// A room: what was said, what is said now, and a line to write. Plain Matrix calls through the client, in rooms that are not encrypted.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../vendor/htm-preact-standalone.module.js";
import { Face, Failure, Loading } from "../shared/components.js";
import { Report } from "./report.js";
import { forget, isAway, say as saySoon, sayAgain } from "./outbox.js";
import { useTexts } from "./texts-inside.js";

/** @typedef {import("./fan.js").Fan} Fan */
/**
 * @typedef {object} Line
 * @property {string} id
 * @property {string} who
 * @property {string} text
 * @property {number} at
 * @property {string} [transaction] by which one's own is known before it has an id
 * @property {boolean} [isNews] a score
 * @property {boolean} [isEcho] this page's word for it, until the room tells it
 * @property {import("./outbox.js").Unsent["state"]} [state]
 * @property {any} [error]
 */

/** Asked for every so often, instead of waiting on a connection: two fans and other tabs share a browser's six. */
const PAUSE_MS = 2_500;
const KEPT_LINES = 200;
/** How often it is asked whether a new match has its room yet, of which there is no news. */
const ROOM_SOON_MS = 2_000;

/** @param {any} event @returns {Line[]} */
function lineOf(event) {
  if (event.type !== "m.room.message" || typeof event.content?.body !== "string") return [];
  const transaction = event.unsigned?.transaction_id;
  const line = { id: event.event_id, who: event.sender.replace(/^@|:.*$/g, ""), text: event.content.body, at: event.origin_server_ts, isEcho: false };
  return [transaction ? { ...line, transaction } : line];
}

/** The message that this takes away, if it does. @param {any} event @returns {string | undefined} */
function redactedBy(event) {
  return event.type === "m.room.redaction" ? (event.redacts ?? event.content?.redacts) : undefined;
}

/** In the order of time, each once; the room's word for a line counts more than this page's. @param {Line[]} before @param {Line[]} more */
function added(before, more) {
  const lines = new Map(before.map((line) => [line.id, line]));
  for (const line of more) {
    const known = lines.get(line.id);
    lines.set(line.id, line.isEcho ? { ...line, ...known } : { ...known, ...line });
  }
  return [...lines.values()].sort((one, other) => one.at - other.at).slice(-KEPT_LINES);
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
      const chat = await fan.chat();
      // Where the room stands first, then what was said: what comes in between is in both, and shown once.
      const { next_batch: since } = await chat.request("GET", "/sync?timeout=0", undefined, signal);
      const { chunk } = await chat.history(room, { limit: 40 });
      if (signal.aborted) return;
      setError(null);
      add(chunk.reverse().flatMap(lineOf));
      for await (const news of chat.sync({ since, signal, waitMs: 0, pauseMs: PAUSE_MS })) {
        if (news.kind !== "room" || news.room !== room) continue;
        const gone = redactedBy(news.event);
        if (gone) setLines((before) => before && before.filter((line) => line.id !== gone));
        else add(lineOf(news.event));
      }
    };
    const listenOn = async () => {
      for (let failures = 1; !signal.aborted; failures += 1) {
        try {
          return await listen();
        } catch (refused) {
          if (signal.aborted) return;
          setError(refused);
          if (!isAway(refused)) return;
          await fan.touchline.backOff(failures, signal);
        }
      }
    };
    listenOn();
    return () => stop.abort();
  }, [fan, room, isVisible, credentials, times]);
  const again = () => setTimes(times + 1);
  return { lines, error, add, again };
}

/**
 * What the fan said in this room and the room has not told yet: first as it waits, then, once the service has it, among the other lines.
 * @param {Fan} fan @param {string} room @param {Line[] | null} lines @param {(more: Line[]) => void} add @returns {Line[]}
 */
function useEchoes(fan, room, lines, add) {
  const isTold = (/** @type {import("./outbox.js").Unsent} */ { id, transaction }) => lines?.some((line) => line.id === id || line.transaction === transaction) ?? false;
  const own = fan.state.unsent.filter((message) => message.room === room);
  const echoes = own.filter((message) => !isTold(message)).map((message) => ({ ...message, id: message.id ?? message.transaction, who: fan.name, isEcho: true }));
  useEffect(() => {
    forget(fan, isTold);
    // At the end, whatever this machine's clock says, until the room tells its place.
    const end = lines?.at(-1)?.at ?? 0;
    const sent = echoes.filter(({ state }) => state === "sent").map((line) => ({ ...line, at: Math.max(line.at, end) }));
    if (lines && sent.length) add(sent);
  }, [lines, fan.state.unsent]);
  return echoes;
}

/** What became of a line that is not there yet. @param {{ fan: Fan, line: Line }} props */
function Fate({ fan, line: { transaction = "", state, error } }) {
  const { t } = useTexts();
  return html`<p class="fate small" role="status">
    <span>${state === "refused" ? t.refused(error.message) : t.waits}</span>
    <button class="quiet" onClick=${() => sayAgain(fan, transaction)}>${t.again}</button>
    <button class="quiet" onClick=${() => forget(fan, (message) => message.transaction === transaction)}>${t.discard}</button>
  </p>`;
}

/** @param {{ fan: Fan, room: string, lines: Line[], own: string }} props */
function Lines({ fan, room, lines, own }) {
  const { t, say } = useTexts();
  const [reported, setReported] = useState("");
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    // Whoever reads further up is left there, until they say something.
    if (list.current && (isAtEnd.current || lines.at(-1)?.state === "sending")) list.current.scrollTop = list.current.scrollHeight;
  }, [lines]);
  const look = (/** @type {any} */ { target }) => (isAtEnd.current = target.scrollHeight - target.scrollTop - target.clientHeight < 40);
  return html`<div class="lines" ref=${list} onScroll=${look} tabindex="0" role="log" aria-label=${t.said}><ol>
    ${lines.length === 0 && html`<li class="news muted">${t.nothingSaid}</li>`}
    ${lines.map((line, place) => {
      const { id, transaction, who, text, at, isNews, state } = line;
      if (isNews) return html`<li class="news" key=${id}>${text}</li>`;
      const before = lines[place - 1];
      const isMore = before && !before.isNews && before.who === who && at - before.at < 120_000;
      return html`<li class="${isMore ? "more" : ""} ${who === own ? "own" : ""} ${state ?? ""}" key=${transaction ?? id}>
        ${isMore ? html`<span></span>` : html`<${Face} name=${who} />`}
        <div>
          ${!isMore && html`<p class="small muted"><b>${who}</b> <time datetime=${new Date(at).toISOString()}>${say.time(new Date(at).toISOString())}</time></p>`}
          <p class="text">${text}${who !== own && reported !== id && html` <button class="quiet flag" aria-label=${t.reportOf(who)} title=${t.report} onClick=${() => setReported(id)}>⚑</button>`}${state === "sending" && html` <small class="sign">${t.sending}</small>`}</p>
          ${(state === "waiting" || state === "refused") && html`<${Fate} fan=${fan} line=${line} />`}
          ${reported === id && html`<${Report} key=${id} fan=${fan} room=${room} message=${id} close=${() => setReported("")} />`}
        </div>
      </li>`;
    })}
  </ol></div>`;
}

/** @param {{ fan: Fan, room: string, match?: import("./news.js").Match }} props */
function Talk({ fan, room, match }) {
  const { t } = useTexts();
  const { lines, error, add, again } = useLines(fan, room);
  const echoes = useEchoes(fan, room, lines, add);
  const [text, setText] = useState("");
  const own = fan.state.session?.user.username ?? "";
  const score = match && match.home_score !== null ? `${match.home_team.name} ${match.home_score}–${match.away_score} ${match.away_team.name}` : "";
  const lastScore = useRef(score);
  useEffect(() => {
    if (score && lastScore.current && score !== lastScore.current) add([{ id: `news ${score}`, who: "", text: score, at: Date.now(), isNews: true }]);
    lastScore.current = score;
  }, [score]);
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    const said = text.trim();
    if (said) saySoon(fan, room, said);
    setText("");
  };
  const known = [...(lines ?? []), ...echoes];
  return html`${lines || echoes.length
      ? html`<${Lines} fan=${fan} room=${room} lines=${known} own=${own} />`
      : html`<div class="lines">${!error && html`<${Loading} lines=${4} label=${t.loading} />`}</div>`}
    ${error && html`<div class="body"><${Failure} error=${error} words=${t} again=${again} /></div>`}
    <form class="write" onSubmit=${send}>
      <input aria-label=${t.message} placeholder=${t.saySomething} maxlength="1000" autocomplete="off" value=${text} onInput=${(/** @type {any} */ event) => setText(event.target.value)} />
      <button class="primary" disabled=${!text.trim()}>${t.send}</button>
    </form>`;
}

/** A match's room is made soon after the match. @param {{ fan: Fan, match?: import("./news.js").Match }} props */
function Soon({ fan, match }) {
  const { t } = useTexts();
  const id = match?.id;
  useEffect(() => {
    if (id === undefined) return;
    const look = async () => {
      const { data } = await fan.call("show_event", { event: id });
      const known = fan.state.matches.get(id);
      if (known && data.chat_room_id) fan.change({ matches: new Map(fan.state.matches).set(id, { ...known, chat_room_id: data.chat_room_id }) });
    };
    // If that fails, the next look may not.
    const timer = setInterval(() => document.hidden || look().catch(() => {}), ROOM_SOON_MS);
    return () => clearInterval(timer);
  }, [fan, id]);
  return html`<p class="empty">${t.roomSoon}</p>`;
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
    if (!room) return html`<${Soon} fan=${fan} match=${match} />`;
    if (isEncrypted) return html`<p class="empty">${t.encrypted}</p>`;
    if (isJoined) return html`<${Talk} key=${room} fan=${fan} room=${room} match=${match} />`;
    return html`<div class="empty">
      <p>${t.joinWhy}</p>
      <button class="primary" disabled=${isBusy} onClick=${join}>${t.join}</button>
      ${error && html`<${Failure} error=${error} words=${t} />`}
    </div>`;
  };
  return html`<section role="group" class="card room ${session && isJoined && !isEncrypted ? "" : "closed"}" aria-label=${t.room}>
    <header><h2 class="cut">${title}</h2>${note}</header>
    ${inside()}
  </section>`;
}
