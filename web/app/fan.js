// One fan: who is in, what they see, and how it changes. Everything goes through the client; the page only draws `state`.
import { Touchline, TouchlineError, storedIn } from "./touchline.js";
import { effectOf } from "./news.js";

/** @typedef {import("./api.d.ts").Schemas} Schemas */
/** @typedef {import("./news.js").Notice} Notice */
/**
 * @typedef {import("./news.js").Shown & {
 *   session: import("./touchline.js").Session | null,
 *   me: Schemas["MeView"] | null,
 *   rank: Schemas["OwnPlaceView"] | null,
 *   top: Schemas["PlaceView"][],
 *   joined: Set<string>,
 *   roomChanges: number,
 *   leagues: Map<number, Schemas["LeagueView"]>,
 *   leagueChanges: number,
 *   questions: Map<number, Schemas["QuestionView"]>,
 *   firstQuestion: number | null,
 *   connection: "starting" | "polling" | "live" | "away",
 *   asOf: number,
 *   isLoaded: boolean,
 *   isClosed: boolean,
 *   error: TouchlineError | null,
 *   notices: (Notice & { key: number, slot: number })[],
 *   unsent: import("./outbox.js").Unsent[],
 * }} State
 */

const POLL_MS = 5_000;
const POLL_HIDDEN_MS = 30_000;
/** Tries are 10 to 20 seconds apart then: somebody who only looks is back 8 seconds after the service on average, and all who look are spread. */
const LONGEST_BACK_OFF_MS = 20_000;
/** Matches that were added are not told: the list is read again now and then. */
const REFRESH_MS = 60_000;
const NOTICE_MS = 7_000;
const NOTICES = 3;
/** Much may change at once: it is read together, a moment later. */
const GATHER_MS = 300;

export class Fan {
  /** @type {State} */
  state = {
    session: null, me: null, rank: null, top: [], coins: null,
    matches: new Map(), picks: new Map(), splits: new Map(), joined: new Set(), roomChanges: 0, leagues: new Map(), leagueChanges: 0, questions: new Map(), firstQuestion: null,
    connection: "starting", asOf: 0, isLoaded: false, isClosed: false, error: null, notices: [], unsent: [],
  };
  #listeners = new Set();
  #isTold = true;
  #stop = new AbortController();
  /** Aborted to end a pause between two questions. */
  #pause = new AbortController();
  /** @type {Promise<import("./touchline.js").Chat> | null} */
  #chat = null;
  /** News that came while all was read afresh. @type {import("./touchline.js").News[] | null} */
  #waiting = null;
  /** @type {Set<string>} */
  #stale = new Set();
  #nextNotice = 1;
  #closed = new AbortController();

  /** @param {number} place @param {import("./calls.js").Calls} calls */
  constructor(place, calls) {
    this.place = place;
    this.calls = calls;
    this.touchline = new Touchline({
      session: storedIn(sessionStorage, `touchline-fan-${place}`),
      fetch: calls.watch(() => this.name),
      onSession: (session) => this.#enter(session),
      longestBackOffMs: LONGEST_BACK_OFF_MS,
    });
    addEventListener("online", this.wake, { signal: this.#closed.signal });
    // A browser that is offline may keep a dead connection for a while.
    addEventListener("offline", () => this.change({ connection: "away" }), { signal: this.#closed.signal });
    document.addEventListener("visibilitychange", () => document.hidden || this.wake(), { signal: this.#closed.signal });
  }

  /** How the drawer calls them. */
  get name() {
    return this.state.session?.user.username ?? `fan ${this.place}`;
  }

  /** Unchecked inside: with so many operations the compiler gives up on passing them on. @type {Touchline["call"]} */
  call = (/** @type {any} */ id, /** @type {any[]} */ ...rest) => /** @type {any} */ (this.touchline).call(id, ...rest);

  /** @param {() => void} listener */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Shows it with the next frame: fifty matches that change at once are drawn once. @param {Partial<State>} changes */
  change(changes) {
    this.state = { ...this.state, ...changes };
    if (!this.#isTold) return;
    this.#isTold = false;
    requestAnimationFrame(() => {
      this.#isTold = true;
      for (const listener of this.#listeners) listener();
    });
  }

  /** Whatever waits to reach the service tries now. */
  wake = () => {
    if (this.state.connection === "away") this.change({ connection: "starting" });
    this.touchline.wake();
    this.#pause.abort();
  };

  /** The fan's way to talk, looked up once. */
  async chat() {
    this.#chat ??= this.touchline.chat();
    try {
      return await this.#chat;
    } catch (error) {
      this.#chat = null;
      throw error;
    }
  }

  /** Whoever is told something when the page is closed hears it in this language too. @param {"en" | "de"} language */
  speak(language) {
    if (this.state.session) this.call("update_user_info", { language }).catch(() => {});
  }

  async start() {
    await this.#enter(await this.touchline.session());
  }

  /** Ends everything that is under way. */
  end() {
    this.#closed.abort();
    this.#stop.abort();
  }

  /** @param {State["session"]} session */
  async #enter(session) {
    this.#chat = null;
    // A new name or chat account is not another fan.
    if (session && this.state.session?.token === session.token) return this.change({ session });
    this.#stop.abort();
    const stop = (this.#stop = new AbortController());
    const nobody = { me: null, rank: null, top: [], coins: null, picks: new Map(), splits: new Map(), joined: new Set(), leagues: new Map(), questions: new Map(), firstQuestion: null };
    this.change({ session, ...nobody, isLoaded: false, error: null, notices: [], unsent: [], connection: "starting" });
    await (session ? this.#follow(stop.signal) : this.#watch(stop.signal));
  }

  /** Nobody is in: what anybody may see, asked for every few seconds. @param {AbortSignal} signal */
  async #watch(signal) {
    while (!signal.aborted) {
      try {
        const { data } = await this.call("list_todays_matches", {}, { signal });
        this.#told(data);
        this.change({ isLoaded: true, error: null, connection: "polling", asOf: Date.now(), isClosed: false });
      } catch (error) {
        if (signal.aborted) return;
        const refused = /** @type {TouchlineError} */ (error);
        // Switched off: matches are for those who are in.
        if (refused.status === 404) return this.change({ isLoaded: true, isClosed: true, connection: "polling" });
        this.change({ error: refused, connection: "away" });
      }
      await this.#pauseFor(document.hidden ? POLL_HIDDEN_MS : POLL_MS, signal);
    }
  }

  /** @param {number} ms @param {AbortSignal} signal @returns {Promise<void>} */
  #pauseFor(ms, signal) {
    const pause = (this.#pause = new AbortController());
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      pause.signal.addEventListener("abort", done);
      signal.addEventListener("abort", done);
    });
  }

  /** A list that is read again says what happened in between, as news does. @param {Schemas["EventView"][]} list */
  #told(list) {
    const before = this.state.matches;
    const matches = new Map(list.map((match) => [match.id, match]));
    for (const match of before.size ? list : []) {
      const { home_score = 0, away_score = 0 } = before.get(match.id) ?? match;
      const home = (match.home_score ?? 0) > (home_score ?? 0);
      if (home || (match.away_score ?? 0) > (away_score ?? 0)) this.#notice({ kind: "goal", match, home });
    }
    this.change({ matches });
  }

  /** Somebody is in: one stream, and everything read once it is open, so that nothing falls between. @param {AbortSignal} signal */
  async #follow(signal) {
    let lastEventId = "";
    let isAfresh = true;
    const onConnected = (/** @type {boolean} */ isConnected) => {
      if (signal.aborted) return;
      // What is shown is as old as the connection that was lost, however often it is tried since.
      const wasLive = this.state.connection === "live";
      this.change({ connection: isConnected ? "live" : "away", asOf: isConnected || wasLive ? Date.now() : this.state.asOf });
      if (!isConnected || (this.state.isLoaded && !isAfresh)) return;
      isAfresh = false;
      this.load();
    };
    const timer = setInterval(() => !document.hidden && this.state.connection === "live" && this.#refresh("matches"), REFRESH_MS);
    while (!signal.aborted) {
      // Without news of before there is no place to go on from.
      isAfresh = !lastEventId;
      try {
        for await (const news of this.touchline.stream({ signal: untilOnline(signal), lastEventId, onConnected })) {
          lastEventId = news.id;
          this.calls.hear(this.name, news.name, news.data);
          this.change({ asOf: Date.now() });
          if (this.#waiting) this.#waiting.push(news);
          else this.hear(news);
        }
      } catch (error) {
        // An ended session is told by `onSession`.
        if (signal.aborted) break;
        this.change({ error: /** @type {TouchlineError} */ (error), connection: "away" });
        await this.#pauseFor(POLL_HIDDEN_MS, signal);
      }
    }
    clearInterval(timer);
  }

  /** @param {import("./touchline.js").News} news */
  hear(news) {
    const { shown, notice, stale = [] } = effectOf(this.state, news);
    if (shown) this.change(shown);
    if (notice) this.#notice(notice);
    for (const what of stale) this.#refresh(what);
  }

  /** @param {Notice} notice */
  #notice(notice) {
    const key = this.#nextNotice++;
    // Each has a place of its own, so that one that comes or goes moves no other.
    const others = this.state.notices.slice(-NOTICES + 1);
    const slot = [...Array(NOTICES).keys()].find((place) => !others.some((one) => one.slot === place)) ?? 0;
    this.change({ notices: [...others, { ...notice, key, slot }] });
    setTimeout(() => this.change({ notices: this.state.notices.filter((one) => one.key !== key) }), NOTICE_MS);
  }

  /** Everything that is shown to somebody who is in. */
  async load() {
    const { signal } = this.#stop;
    this.#waiting = [];
    try {
      const [, , me, rooms] = await Promise.all([
        this.readMatches(),
        this.readOwn(),
        this.call("show_me", {}, { signal }),
        this.call("list_chat_rooms", { joined: true, per_page: 100 }, { signal }),
      ]);
      const joined = new Set(rooms.data.map((room) => room.room_id));
      this.change({ me: me.data, joined, isLoaded: true, error: null });
    } catch (error) {
      if (!signal.aborted) this.change({ error: /** @type {TouchlineError} */ (error) });
    }
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    if (!signal.aborted) for (const news of waiting) this.hear(news);
  }

  async readMatches() {
    const { signal } = this.#stop;
    const list = (/** @type {Schemas["Status"]} */ status, /** @type {number} */ per_page) => this.call("list_events", { status, per_page }, { signal });
    const lists = await Promise.all([list("live", 100), list("scheduled", 40), list("finished", 20)]);
    this.change({ matches: new Map(lists.flatMap(({ data }) => data).map((match) => [match.id, match])) });
  }

  /** The fan's own: predictions with their points, rank, coins. */
  async readOwn() {
    const { signal } = this.#stop;
    const [picks, coins] = await Promise.all([
      this.call("list_my_predictions", { per_page: 100, page: 1 }, { signal }),
      this.call("show_coins", {}, { signal }),
      this.readRank(),
    ]);
    const before = this.state.picks;
    for (const pick of before.size ? picks.data : []) {
      const known = before.get(pick.event_id);
      const isNew = known && known.points_earned === null && pick.points_earned !== null;
      if (isNew) this.#notice({ kind: "points", match: this.state.matches.get(pick.event_id), amount: pick.points_earned ?? 0 });
    }
    this.change({ picks: new Map(picks.data.map((pick) => [pick.event_id, pick])), coins: coins.data });
  }

  async readRank() {
    const { data, meta } = await this.call("show_leaderboard", { per_page: 5 }, { signal: this.#stop.signal });
    this.change({ rank: meta.me, top: data });
  }

  /** Reads it in a moment, once however often it is asked for. @param {string} what */
  #refresh(what) {
    if (what === "rooms") return this.change({ roomChanges: this.state.roomChanges + 1 });
    const isFirst = this.#stale.size === 0;
    this.#stale.add(what);
    if (!isFirst) return;
    setTimeout(() => {
      const stale = this.#stale;
      this.#stale = new Set();
      if (this.#stop.signal.aborted || !this.state.session) return;
      const reads = stale.has("all")
        ? [this.load()]
        : [stale.has("matches") && this.readMatches(), stale.has("own") && this.readOwn(), stale.has("rank") && this.readRank()];
      // What could not be read is read with the next news; the connection's state says that it is old.
      Promise.all(reads).catch(() => {});
    }, GATHER_MS);
  }

  /** @param {Schemas["PredictionBody"]} pick */
  async predict(pick) {
    const { data } = await this.call("create_prediction", pick);
    const own = { ...data, updated_at: data.created_at };
    this.change({ picks: new Map(this.state.picks).set(pick.event_id, own) });
  }

  async claim() {
    const { data } = await this.call("claim_daily_coins");
    this.change({ coins: (await this.call("show_coins")).data });
    return data;
  }

  /** @param {string} room */
  async join(room) {
    try {
      await this.call("join_chat_room", { room });
    } catch (error) {
      // From another device, perhaps: that is what was wanted.
      if (/** @type {TouchlineError} */ (error).code !== "already_a_member") throw error;
    }
    this.change({ joined: new Set(this.state.joined).add(room) });
  }

  /** @param {string} room */
  async leave(room) {
    await this.call("leave_chat_room", { room });
    const joined = new Set(this.state.joined);
    joined.delete(room);
    this.change({ joined });
  }
}

/** Aborts with `signal`, and when the network is back: a connection of before may be dead without a sign. @param {AbortSignal} signal */
function untilOnline(signal) {
  const stop = new AbortController();
  addEventListener("online", () => stop.abort(), { once: true, signal: stop.signal });
  signal.addEventListener("abort", () => stop.abort(), { once: true, signal: stop.signal });
  return stop.signal;
}
