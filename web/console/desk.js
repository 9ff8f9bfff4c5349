// Who sits at the console: the token, the role, every call, and whether the service answers. The views draw from it.
import { createContext, useContext, useEffect, useRef, useState } from "../vendor/htm-preact-standalone.module.js";
import { useChanges, useReading } from "../shared/components.js";
import { inLanguage } from "../shared/language.js";
import { TouchlineOperator } from "./operators.js";

/** @import { Answer, OperationId, Rest, Schemas } from "./api.d.ts" */
/** @typedef {import("./touchline.js").TouchlineError} TouchlineError */

/** The tab's own and gone with it; nothing sends it but this page. */
const KEPT = "touchline-operator-token";
const ROLES = ["viewer", "moderator", "operator", "owner"];
/** How often what is shown is read again while somebody looks, and while the service does not answer. */
const BEAT_MS = 5_000;
const BEAT_WHEN_LOST_MS = 2_000;
/** The same while the stream says what happens, and how soon after it says so. */
const BEAT_WHEN_TOLD_MS = 30_000;
const SOON_MS = 400;

export class Desk {
  /** @type {Set<() => void>} */
  #listeners = new Set();
  #timer = 0;
  #soon = 0;
  #isTold = false;
  #ears = new AbortController();

  constructor() {
    this.client = clientOf(sessionStorage.getItem(KEPT) ?? "");
    this.state = {
      /** @type {Schemas["CallerView"] | null} */ me: null,
      /** Whether somebody has to sign in, and whether they were in before. */
      isOut: !sessionStorage.getItem(KEPT),
      hasEnded: false,
      isLost: false,
      /** @type {number | null} When the service last answered. */ answeredAt: null,
      /** Rises whenever what is shown is to be read again. */
      beat: 0,
      /** Rises whenever this operator has done something. */
      deeds: 0,
      /** @type {Record<string, number | null> | null} How busy it is, as the stream last said. */ figures: null,
    };
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.refresh());
    addEventListener("online", () => this.refresh());
  }

  /** @param {() => void} listener */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** @param {Partial<Desk["state"]>} change */
  #become(change) {
    this.state = { ...this.state, ...change };
    for (const listener of this.#listeners) listener();
  }

  /** Reads again what is shown, now and from time to time. */
  refresh() {
    clearTimeout(this.#timer);
    if (!this.state.isOut) this.#become({ beat: this.state.beat + 1 });
    const pause = this.state.isLost ? BEAT_WHEN_LOST_MS : this.#isTold ? BEAT_WHEN_TOLD_MS : BEAT_MS;
    this.#timer = setTimeout(() => (document.visibilityState === "visible" ? this.refresh() : undefined), pause);
  }

  /**
   * Calls the service and notes whether it answers. A token that opens nothing any more asks to sign in, over whatever is shown.
   * @template {OperationId} Id
   * @param {Id} id
   * @param {Rest<Id>} rest
   * @returns {Promise<Answer<Id>>}
   */
  async call(id, ...rest) {
    const { client } = this;
    try {
      // Unchecked here, checked for whoever calls: with so many operations the compiler gives up on passing them on.
      const answer = await /** @type {any} */ (client).call(id, ...rest);
      this.#noteAnswer();
      return answer;
    } catch (caught) {
      const error = /** @type {TouchlineError} */ (caught);
      const isAway = error.code === "network" || error.code === "timeout" || [502, 503, 504].includes(error.status);
      if (isAway && !this.state.isLost) {
        this.#become({ isLost: true });
        this.#again(BEAT_WHEN_LOST_MS);
      }
      if (error.status > 0 && !isAway) this.#noteAnswer();
      // Not if somebody signed in anew while this was under way.
      const isRefused = error.code === "unauthenticated" || error.code === "too_many_unknown_tokens";
      if (isRefused && client === this.client) this.#become({ isOut: true, hasEnded: this.state.me !== null });
      throw error;
    }
  }

  /** Something was done: all that is shown may be old. */
  noteDeed() {
    this.state.deeds += 1;
    this.refresh();
  }

  #noteAnswer() {
    const wasLost = this.state.isLost;
    this.state.answeredAt = Date.now();
    if (!wasLost) return;
    this.#become({ isLost: false });
    this.refresh();
  }

  /** @param {number} ms */
  #again(ms) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.refresh(), ms);
  }

  /** Hears what happens, for as long as this token opens anything; what is shown is then read again soon. */
  async #listen() {
    this.#ears.abort();
    const ears = (this.#ears = new AbortController());
    const onConnected = (/** @type {boolean} */ isConnected) => {
      this.#isTold = isConnected;
      if (!isConnected && !ears.signal.aborted) this.refresh();
    };
    try {
      for await (const { name, data } of this.client.desk({ signal: ears.signal, onConnected })) {
        if (name === "figures") this.#become({ figures: data });
        else if (!this.#soon) this.#soon = setTimeout(() => ((this.#soon = 0), document.visibilityState === "visible" && this.refresh()), SOON_MS);
      }
    } catch {
      // The token has ended, which the next call finds too.
      this.#isTold = false;
      if (!ears.signal.aborted) this.refresh();
    }
  }

  /** Comes in with a token; one that opens nothing leaves everything as it was. @param {string} token */
  async signIn(token) {
    const client = clientOf(token);
    const { data } = await client.call("show_operator");
    sessionStorage.setItem(KEPT, token);
    this.client = client;
    this.#become({ me: data, isOut: false, hasEnded: false, isLost: false, answeredAt: Date.now() });
    this.refresh();
    this.#listen();
  }

  /** Comes in by the link on the terminal. @param {string} code */
  async signInByLink(code) {
    const { data } = await clientOf("").call("sign_in_operator", { code });
    await this.signIn(data.token);
  }

  /** Finds out whose the token of this tab is. */
  async begin() {
    if (this.state.isOut) return;
    try {
      const { data } = await this.call("show_operator");
      this.#become({ me: data });
      this.refresh();
      this.#listen();
    } catch (error) {
      // Out is shown by itself; what does not answer is asked again.
      if (this.state.isLost) setTimeout(() => this.begin(), BEAT_WHEN_LOST_MS);
      else if (!this.state.isOut) throw error;
    }
  }

  signOut() {
    sessionStorage.removeItem(KEPT);
    clearTimeout(this.#timer);
    this.#ears.abort();
    this.client = clientOf("");
    this.#become({ me: null, isOut: true, hasEnded: false });
  }

  /** Whether this operator's role is at least so high. @param {string} role */
  may(role) {
    const { me } = this.state;
    return me !== null && ROLES.indexOf(me.role) >= ROLES.indexOf(role);
  }
}

/** @param {string} token */
function clientOf(token) {
  return new TouchlineOperator({ token, fetch: inLanguage(), tries: 2, longestWaitMs: 3_000 });
}

export const DeskContext = createContext(/** @type {Desk} */ (/** @type {unknown} */ (null)));

/** The desk, drawn again whenever it changes. */
export function useDesk() {
  const desk = useContext(DeskContext);
  useChanges(desk);
  return desk;
}

/**
 * Reads something when it is shown, when one of `inputs` changes, and again from time to time.
 * @template T
 * @param {(desk: Desk, signal: AbortSignal) => Promise<T>} read
 * @param {readonly unknown[]} inputs
 */
export function useLive(read, inputs) {
  const desk = useDesk();
  const reading = useReading((signal) => read(desk, signal), [...inputs, desk.state.beat, desk.client]);
  // What is shown stays while the service is away; the line above all views says since when it is old.
  const isQuiet = reading.value !== undefined && desk.state.isLost;
  return { ...reading, error: isQuiet ? undefined : reading.error };
}

/**
 * Reads something when it is shown and after whatever this operator does, and not from time to time: for what is written down each time that it is read.
 * @template T
 * @param {(desk: Desk, signal: AbortSignal) => Promise<T>} read
 * @param {readonly unknown[]} inputs
 */
export function useOnce(read, inputs) {
  const desk = useDesk();
  return useReading((signal) => read(desk, signal), [...inputs, desk.state.deeds, desk.client]);
}

/**
 * Something that a press does: whether it is under way, what went wrong, and what came of it.
 * @template T
 * @param {(desk: Desk) => Promise<T>} run
 * @param {(result: T) => void} [then]
 */
export function useAction(run, then) {
  const desk = useContext(DeskContext);
  const [state, setState] = useState(/** @type {{ isBusy: boolean, error?: any }} */ ({ isBusy: false }));
  const press = async () => {
    if (state.isBusy) return;
    setState({ isBusy: true });
    try {
      const result = await run(desk);
      setState({ isBusy: false });
      desk.noteDeed();
      then?.(result);
    } catch (error) {
      // Who has to sign in again is asked to; what was typed waits for another press.
      setState({ isBusy: false, error: /** @type {TouchlineError} */ (error).code === "unauthenticated" ? undefined : error });
    }
  };
  return { ...state, press, forget: () => setState({ isBusy: false }) };
}

/** @typedef {{ name: string, id: string | null, query: URLSearchParams }} Address */

/** Where the page is, by what stands behind `#`. @returns {Address} */
export function addressNow() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [name = "", ...rest] = path.split("/");
  return { name, id: rest.length && rest[0] !== "" ? decodeURIComponent(rest.join("/")) : null, query: new URLSearchParams(query) };
}

/** @param {string} name @param {string | number | null} [id] @param {Record<string, string | number | null | undefined>} [query] */
export function addressOf(name, id, query = {}) {
  const pairs = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const text = new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])).toString();
  return `#/${name}${id === null || id === undefined ? "" : `/${encodeURIComponent(id)}`}${text && `?${text}`}`;
}

/** @param {string} address */
export function go(address) {
  location.hash = address;
}

export function useAddress() {
  const [address, setAddress] = useState(addressNow);
  useEffect(() => {
    const again = () => setAddress(addressNow());
    addEventListener("hashchange", again);
    return () => removeEventListener("hashchange", again);
  }, []);
  return address;
}

/**
 * What is typed into a search whose address asks for `asked`. It follows the address, but not to where it led itself: by then the next search may be half typed.
 * @template T
 * @param {T} asked
 * @returns {[T, (typed: T) => void, (asked: T, address: string) => void]} what is typed, how it changes, and what goes to the address of a search
 */
export function useTyped(asked) {
  const [typed, setTyped] = useState(asked);
  const key = JSON.stringify(asked);
  const led = useRef(key);
  useEffect(() => {
    if (key !== led.current) setTyped(asked);
    led.current = "";
  }, [key]);
  const search = (/** @type {T} */ asked, /** @type {string} */ address) => {
    led.current = JSON.stringify(asked);
    go(address);
  };
  return [typed, setTyped, search];
}
