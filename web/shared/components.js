// Small things that every page shows: crests, faces, the running minute, and honest states.
import { Component, html, useEffect, useReducer, useState } from "../vendor/htm-preact-standalone.module.js";

/** Draws again only if one of its properties is another. @param {(props: any) => any} draw */
export function memo(draw) {
  return class extends Component {
    /** @param {any} next */
    shouldComponentUpdate(next) {
      const names = Object.keys({ ...this.props, ...next });
      return names.some((name) => this.props[name] !== next[name]);
    }
    /** @param {any} props */
    render(props) {
      return draw(props);
    }
  };
}

/** Draws again whenever `source` changes. @param {{ subscribe(listener: () => void): () => void }} source */
export function useChanges(source) {
  const [, redraw] = useReducer((/** @type {number} */ times) => times + 1, 0);
  useEffect(() => source.subscribe(() => redraw(undefined)), [source]);
}

/** The time, anew every so often. @param {number} everyMs */
export function useNow(everyMs) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/**
 * Reads something when it is shown, and again when one of `inputs` changes or `again` is called; what was there stays until the new one is.
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} read
 * @param {readonly unknown[]} inputs
 */
export function useReading(read, inputs) {
  const [state, setState] = useState(/** @type {{ value?: T, error?: any, isReading: boolean }} */ ({ isReading: true }));
  const [times, again] = useReducer((/** @type {number} */ count) => count + 1, 0);
  useEffect(() => {
    const stop = new AbortController();
    setState((before) => ({ ...before, isReading: true }));
    read(stop.signal).then(
      (value) => !stop.signal.aborted && setState({ value, isReading: false }),
      (error) => !stop.signal.aborted && setState((before) => ({ ...before, error, isReading: false })),
    );
    return () => stop.abort();
  }, [...inputs, times]);
  return { ...state, again: () => again(undefined) };
}

/**
 * A club's crest. One that the service draws comes from the page's own address, by whatever name that was opened.
 * @param {{ team: { name: string, logo?: string }, big?: boolean }} props
 */
export function Crest({ team, big = false }) {
  const [isMissing, setMissing] = useState(false);
  const kind = `crest ${big ? "big" : ""}`;
  if (!team.logo || isMissing) return html`<span class="${kind} none" aria-hidden="true">${team.name.slice(0, 2)}</span>`;
  const address = new URL(team.logo, location.href);
  const source = address.pathname.startsWith("/crests/") ? address.pathname : address.href;
  const size = big ? 56 : 22;
  return html`<img class=${kind} src=${source} alt="" width=${size} height=${size} loading="lazy" onError=${() => setMissing(true)} />`;
}

const FACES = ["#0f766e", "#6d28d9", "#1d4ed8", "#be185d", "#9a3412", "#334155", "#15803d", "#7e22ce"];

/** Somebody's first letter in a colour of their own. @param {{ name: string }} props */
export function Face({ name }) {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + letter.charCodeAt(0)) % 997;
  const letter = name.replace(/^fan_/, "").charAt(0) || name.charAt(0);
  return html`<span class="face" style=${{ background: FACES[sum % FACES.length] }} aria-hidden="true">${letter.toUpperCase()}</span>`;
}

const LONGEST_ADDED = 15;

/**
 * The minute of a live match as it runs on from when it was last told, such as 45+2; null if nobody told it.
 * @param {{ period?: string | null, minute?: number | null, minute_at?: string | null }} match
 * @param {number} now
 */
export function minuteOf({ period, minute, minute_at: at }, now) {
  if (minute === null || minute === undefined || !at || period === "half_time" || period === "penalties") return null;
  const passed = Math.max(0, Math.floor((now - Date.parse(at)) / 60_000));
  const end = period === "first_half" ? 45 : period === "second_half" ? 90 : 120;
  const shown = minute + passed;
  if (shown <= end) return String(shown);
  // So much added time is nobody's: the end of the half was not told.
  return shown > end + LONGEST_ADDED ? `${end}+` : `${end}+${shown - end}`;
}

/** How the parts of a whole compare, with the same in words. @param {{ parts: { name: string, count: number }[], label: string }} props */
export function Split({ parts, label }) {
  const total = parts.reduce((sum, part) => sum + part.count, 0);
  return html`<div class="split" role="img" aria-label=${label}>
    ${total > 0 && parts.map(({ name, count }) => html`<i key=${name} class=${name} style=${{ flexGrow: count / total }} hidden=${count === 0}></i>`)}
  </div>`;
}

/**
 * What went wrong, the id to quote, and a way on.
 * @param {{ error: any, again?: (() => void) | null, words: { unreachable: string, requestId: string, again: string } }} props
 */
export function Failure({ error, again, words }) {
  const fields = Object.values(error.fields ?? {}).flat();
  return html`<div class="failure" role="alert">
    <span>${fields.length ? fields.join(" ") : error.code === "network" ? words.unreachable : error.message}</span>
    ${error.requestId && html`<span class="mono">${words.requestId} ${error.requestId}</span>`}
    ${again && html`<button onClick=${again}>${words.again}</button>`}
  </div>`;
}

/** Where something will be, in its size. @param {{ lines?: number, label: string }} props */
export function Loading({ lines = 3, label }) {
  const widths = ["70%", "90%", "55%", "80%"];
  return html`<div class="stack body" role="status" aria-label=${label}>
    ${Array.from({ length: lines }, (_, at) => html`<span class="skeleton" style=${{ width: widths[at % widths.length] }}></span>`)}
  </div>`;
}
