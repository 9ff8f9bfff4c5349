// @touchline/client: the Touchline API for browsers, Node 20+ and React Native. No dependencies, no build step.
// README.md shows how to use it; api.d.ts has its types.

/** @import { Answer, Item, OperationId, Rest, Schemas, CallOptions } from "./api.d.ts" */
/** @typedef {{ token: string, user: Schemas["LoginUserView"], chat: Schemas["Credentials"] | null }} Session */
/**
 * Where a session is kept, such as `storedIn(localStorage)`. Each may answer with a promise.
 * @typedef {{ get(): Session | null | Promise<Session | null>, set(session: Session | null): void | Promise<void> }} SessionStore
 */
/**
 * @typedef {object} Options
 * @property {string} [baseUrl] the service's address; in a browser its own origin is the default
 * @property {string} [token] instead of a session
 * @property {string} [language] of what people are told, such as `de`
 * @property {SessionStore} [session] in memory, if none is given
 * @property {typeof fetch} [fetch] another transport; on React Native one that streams, such as `expo/fetch`. It is also told
 *   `init.operation`, `{ id, args }`, for logs
 * @property {number} [tries] how often a call is tried in all: 4
 * @property {number} [timeoutMs] for one try: 15,000
 * @property {number} [longestWaitMs] a `Retry-After` above this is an error at once: 20,000
 * @property {number} [longestBackOffMs] of a stream or sync: 30,000
 * @property {(session: Session | null) => void} [onSession] called when somebody logged in, or the session ended
 */
/** @typedef {{ id: string, name: string, data: any }} News */

/** Any failure: the service's own, or `network`, `timeout`, `not_streaming` where it could not answer. */
export class TouchlineError extends Error {
  /** @param {{ status?: number, code: string, message: string, fields?: Record<string, string[]>, details?: any, requestId?: string, retryAfterMs?: number, cause?: unknown }} of */
  constructor({ status = 0, code, message, fields = {}, details, requestId = "", retryAfterMs, cause }) {
    super(message, { cause });
    this.name = "TouchlineError";
    this.status = status;
    /** A stable name to branch on. */
    this.code = code;
    /** What is wrong, by field, when `code` is `validation_failed`. */
    this.fields = fields;
    /** What a program needs besides, where the call says so. */
    this.details = details;
    /** To quote when you ask for help. */
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Keeps the session in a `Storage`, or in anything with its three methods (also asynchronous ones).
 * @param {{ getItem(key: string): any, setItem(key: string, value: string): any, removeItem(key: string): any }} storage
 * @returns {SessionStore}
 */
export function storedIn(storage, key = "touchline") {
  return {
    async get() {
      try {
        return JSON.parse((await storage.getItem(key)) ?? "null");
      } catch {
        return null;
      }
    },
    set: (session) => (session ? storage.setItem(key, JSON.stringify(session)) : storage.removeItem(key)),
  };
}

export class Touchline {
  /** @type {Set<() => void>} */
  #waiting = new Set();

  /** @param {Options} [options] */
  constructor(options = {}) {
    /** @type {Session | null} */
    let kept = null;
    const memory = { get: () => kept, set: (/** @type {Session | null} */ session) => void (kept = session) };
    this.options = { session: memory, tries: 4, timeoutMs: 15_000, longestWaitMs: 20_000, longestBackOffMs: 30_000, ...options };
    /** @type {Record<string, string>} */
    this.operations = OPERATIONS;
    this.baseUrl = (options.baseUrl ?? globalThis.location?.origin ?? "").replace(/\/+$/, "");
    // Called without a receiver: a browser's fetch refuses any other than the window.
    const { fetch = globalThis.fetch } = options;
    this.fetch = /** @type {typeof fetch} */ ((input, init) => fetch(input, init));
  }

  /** Who is logged in, or null. */
  async session() {
    return this.options.session.get();
  }

  /** @param {Session | null} session */
  async #keep(session) {
    await this.options.session.set(session);
    this.options.onSession?.(session);
  }

  /**
   * Calls an operation by its id. Logging in and out is remembered; what creates or moves has an `Idempotency-Key` by itself.
   * @template {OperationId} Id
   * @param {Id} id
   * @param {Rest<Id>} rest
   * @returns {Promise<Answer<Id>>}
   */
  async call(id, ...rest) {
    const [args = {}, options = {}] = /** @type {[object?, CallOptions?]} */ (/** @type {unknown} */ (rest));
    const { method, path, body, isCreating } = requestOf(this.operations, id, args);
    /** @type {Record<string, string>} */
    const headers = {};
    if (body) headers["content-type"] = "application/json";
    if (isCreating) headers["idempotency-key"] = options.idempotencyKey ?? uniqueName();
    if (options.ifMatch) headers["if-match"] = `"${options.ifMatch}"`;
    // What was decided by a version is not tried again: the first try may have made another one.
    const isSafe = (method !== "POST" || isCreating) && !options.ifMatch;
    const session = await this.session();
    const init = { method, headers, body, operation: { id, args } };
    const result = await this.#send(path, init, isSafe, session, options.signal);
    if (id === "log_in" || id === "verify_code") {
      const { token, user, matrix_credentials } = result.data;
      await this.#keep({ token, user, chat: matrix_credentials });
    } else if (id === "log_out" || id === "delete_account") {
      await this.#keep(null);
    } else if (session && result.data?.matrix_credentials) {
      const user = { ...session.user, username: result.data.username ?? session.user.username };
      await this.#keep({ ...session, user, chat: result.data.matrix_credentials });
    }
    return result;
  }

  /**
   * Every entry of a list that pages, one after another.
   * @template {OperationId} Id
   * @param {Id} id
   * @param {Rest<Id>} rest
   * @returns {AsyncGenerator<Item<Id>>}
   */
  async *pages(id, ...rest) {
    const [args, options] = /** @type {any} */ (rest);
    for (let page = 1, last = 1; page <= last; page += 1) {
      const call = /** @type {any} */ (this.call);
      const { data, meta } = await call.call(this, id, { per_page: 100, ...args, page }, options);
      yield* data;
      // Without a count, a full page may have another after it.
      last = meta?.last_page ?? (data.length ? page + 1 : page);
    }
  }

  /**
   * News of matches, and of what happens to the caller, as it happens: reconnects by itself and misses nothing, until `signal` aborts or the session ends.
   * A `reset` says that too much was missed: read afresh what is shown.
   * @param {{ eventId?: number, lastEventId?: string, signal?: AbortSignal, silenceMs?: number, onConnected?: (isConnected: boolean) => void }} options
   * @returns {AsyncGenerator<News>}
   */
  stream({ eventId, ...options } = {}) {
    return this.listen("/api/auth/stream" + (eventId ? `?event_id=${eventId}` : ""), options);
  }

  /**
   * @param {string} path
   * @param {{ lastEventId?: string, signal?: AbortSignal, silenceMs?: number, onConnected?: (isConnected: boolean) => void }} options
   * @returns {AsyncGenerator<any>}
   */
  async *listen(path, { lastEventId = "", signal, silenceMs = 50_000, onConnected }) {
    let retryMs = 2_000;
    for (let failures = 0; !signal?.aborted; ) {
      // The service speaks every 20 seconds: what is silent for longer is dead.
      const watch = watchdog(this.options.timeoutMs, signal);
      let retryAfterMs;
      try {
        /** @type {Record<string, string>} */
        const headers = { accept: "text/event-stream" };
        if (lastEventId) headers["last-event-id"] = lastEventId;
        const answer = await this.#once(path, { headers }, await this.session(), watch.signal);
        const reader = answer.body?.getReader?.();
        if (!reader) {
          const message = "This fetch does not stream: hand in one that does.";
          throw new TouchlineError({ code: "not_streaming", message });
        }
        onConnected?.(true);
        const parse = parser();
        for (;;) {
          watch.expect(silenceMs);
          const { done, value } = await reader.read();
          if (done) break;
          failures = 0;
          for (const news of parse(value)) {
            if (news.retryMs) retryMs = news.retryMs;
            if (news.id) lastEventId = news.id;
            if (news.data) yield { id: lastEventId, name: news.name, data: JSON.parse(news.data) };
          }
        }
      } catch (error) {
        const refused = /** @type {TouchlineError} */ (error);
        const isFinal = ["unauthenticated", "banned", "not_streaming"].includes(refused.code);
        if (!signal?.aborted && (isFinal || refused.status === 422)) throw error;
        failures += 1;
        ({ retryAfterMs } = refused);
      } finally {
        watch.end();
      }
      onConnected?.(false);
      // What the service asks for is waited out.
      if (retryAfterMs || !failures) await sleep(spread(retryAfterMs ?? retryMs), signal);
      else await this.backOff(failures, signal, retryMs);
    }
  }

  /** Waits, longer after each failure, until `wake()`. @param {number} failures @param {AbortSignal} [signal] */
  backOff(failures, signal, firstMs = 1_000) {
    return sleep(spread(Math.min(this.options.longestBackOffMs, firstMs * 2 ** failures)), signal, this.#waiting);
  }

  /** Tries again now what lost the service, as any answered call does: for an app that comes to the foreground. */
  wake() {
    for (const done of this.#waiting) done();
  }

  /** Talks in rooms with the chat network's own calls. @param {CallOptions} options */
  async chat(options = {}) {
    const session = await this.session();
    let credentials = session?.chat;
    if (!credentials) {
      const { data } = await this.call("issue_matrix_credentials", {}, options);
      credentials = data.matrix_credentials;
    }
    const found = await this.call("discover_homeserver", {}, options);
    const baseUrl = found["m.homeserver"].base_url.replace(/\/+$/, "");
    return new Chat(this, baseUrl, credentials);
  }

  /**
   * @param {string} path @param {RequestInit & { method: string }} init @param {boolean} isSafe
   * @param {Session | null} session @param {AbortSignal} [signal]
   */
  async #send(path, init, isSafe, session, signal) {
    for (let tried = 1; ; tried += 1) {
      const watch = watchdog(this.options.timeoutMs, signal);
      try {
        const answer = await this.#once(path, init, session, watch.signal);
        const isJson = answer.headers.get("content-type")?.startsWith("application/json");
        return await reach(() => (isJson ? answer.json() : answer.text()), watch.signal);
      } catch (error) {
        const refused = /** @type {TouchlineError} */ (error);
        const { status, retryAfterMs = 250 * 2 ** tried * Math.random() } = refused;
        // What was refused for its rate did nothing; else only what may be done twice is tried again.
        const isWorthIt = status === 429 || (isSafe && (status === 0 || status >= 502));
        if (signal?.aborted || !isWorthIt || tried >= this.options.tries || retryAfterMs > this.options.longestWaitMs) throw error;
        await sleep(retryAfterMs, signal);
      } finally {
        watch.end();
      }
    }
  }

  /** @param {string} path @param {RequestInit} init @param {Session | null} session @param {AbortSignal} signal */
  async #once(path, init, session, signal) {
    const { token = session?.token, language } = this.options;
    const headers = { ...init.headers, ...(language && { "accept-language": language }), ...(token && { authorization: `Bearer ${token}` }) };
    const answer = await reach(() => this.fetch(this.baseUrl + path, { ...init, headers, signal }), signal);
    if (answer.ok) {
      this.wake();
      return answer;
    }
    const body = await answer.json().catch(() => ({}));
    // Unless somebody logged in meanwhile.
    if (body.code === "unauthenticated" && session && (await this.session())?.token === session.token) await this.#keep(null);
    const { code = "unknown", message = `HTTP ${answer.status}`, errors: fields, details, request_id: requestId } = body;
    throw new TouchlineError({ status: answer.status, code, message, fields, details, requestId, retryAfterMs: retryAfter(answer) });
  }
}

/** The few calls that a room needs; an app of its own takes a Matrix SDK. Rooms are not encrypted here. */
export class Chat {
  /** @param {Touchline} touchline @param {string} baseUrl @param {Schemas["Credentials"]} credentials */
  constructor(touchline, baseUrl, credentials) {
    this.touchline = touchline;
    this.baseUrl = baseUrl;
    this.credentials = credentials;
  }

  /** @param {string} method @param {string} path @param {object} [body] @param {AbortSignal} [signal] @returns {Promise<any>} */
  async request(method, path, body, signal, waitMs = 0) {
    const { fetch, options } = this.touchline;
    for (let tried = 1; ; tried += 1) {
      const watch = watchdog(waitMs + options.timeoutMs, signal);
      let refused;
      try {
        const headers = { authorization: `Bearer ${this.credentials.access_token}`, "content-type": "application/json" };
        const init = { method, headers, body: body && JSON.stringify(body), signal: watch.signal };
        const answer = await reach(() => fetch(`${this.baseUrl}/_matrix/client/v3${path}`, init), watch.signal);
        if (answer.ok) {
          this.touchline.wake();
          return await reach(() => answer.json(), watch.signal);
        }
        const result = await answer.json().catch(() => ({}));
        const { errcode: code = "unknown", error: message = `HTTP ${answer.status}`, retry_after_ms: retryAfterMs = retryAfter(answer) } = result;
        refused = new TouchlineError({ status: answer.status, code, message, retryAfterMs });
      } finally {
        watch.end();
      }
      if (refused.status !== 429 || tried >= options.tries) throw refused;
      await sleep(refused.retryAfterMs ?? 1_000, signal);
    }
  }

  /** @param {string} room @param {string} text @param {string} [transaction] @returns {Promise<string>} the message's id */
  async send(room, text, transaction = uniqueName()) {
    const content = { msgtype: "m.text", body: text };
    const path = `/rooms/${encodeURIComponent(room)}/send/m.room.message/${transaction}`;
    return (await this.request("PUT", path, content)).event_id;
  }

  /** Says that somebody is writing; it wears off by itself. @param {string} room */
  typing(room, isTyping = true) {
    const user = encodeURIComponent(this.credentials.user_id);
    const body = { typing: isTyping, ...(isTyping && { timeout: 20_000 }) };
    return this.request("PUT", `/rooms/${encodeURIComponent(room)}/typing/${user}`, body);
  }

  /** Says that everything up to this message was read. @param {string} room @param {string} message */
  read(room, message) {
    return this.request("POST", `/rooms/${encodeURIComponent(room)}/receipt/m.read/${encodeURIComponent(message)}`, {});
  }

  /**
   * Messages before `from`, newest first; `end` is where the next call goes on.
   * @param {string} room @param {{ from?: string, limit?: number }} options
   * @returns {Promise<{ chunk: any[], end?: string }>}
   */
  history(room, { from, limit = 50 } = {}) {
    const query = `dir=b&limit=${limit}` + (from ? `&from=${encodeURIComponent(from)}` : "");
    return this.request("GET", `/rooms/${encodeURIComponent(room)}/messages?${query}`);
  }

  /**
   * Everything that happens in the caller's rooms from now on (or since `since`), until `signal` aborts: messages and state as
   * `room`, who writes and who has read what as `ephemeral`, invitations as `invite`. Each question waits `waitMs` for news; with
   * 0 and a `pauseMs` between questions no connection is held, of which a browser has six.
   * @param {{ since?: string, signal?: AbortSignal, waitMs?: number, pauseMs?: number }} options
   * @returns {AsyncGenerator<{ kind: "room" | "ephemeral" | "invite", room: string, event: any, since: string }>}
   */
  async *sync({ since, signal, waitMs = 25_000, pauseMs = 0 } = {}) {
    for (let failures = 0; !signal?.aborted; ) {
      try {
        const query = since ? `timeout=${waitMs}&since=${encodeURIComponent(since)}` : "timeout=0";
        const news = await this.request("GET", `/sync?${query}`, undefined, signal, waitMs);
        failures = 0;
        const isFirst = !since;
        since = /** @type {string} */ (news.next_batch);
        const { join = {}, invite = {} } = news.rooms ?? {};
        for (const room in invite) yield { kind: "invite", room, event: invite[room], since };
        // The first answer is how things stood: history() reads that.
        for (const room in isFirst ? {} : join) {
          for (const event of join[room].timeline?.events ?? []) yield { kind: "room", room, event, since };
          for (const event of join[room].ephemeral?.events ?? []) yield { kind: "ephemeral", room, event, since };
        }
        await sleep(pauseMs, signal);
      } catch (error) {
        const { status, retryAfterMs } = /** @type {TouchlineError} */ (error);
        if (!signal?.aborted && (status === 401 || status === 403)) throw error;
        failures += 1;
        await (retryAfterMs ? sleep(retryAfterMs, signal) : this.touchline.backOff(failures, signal));
      }
    }
  }
}

/** @param {Record<string, string>} operations @param {OperationId} id @param {Record<string, any>} args */
function requestOf(operations, id, args) {
  const operation = operations[id];
  if (!operation) throw new TypeError(`There is no operation ${id} here (those of operators are in operators.js)`);
  const [, method, mark, template, listed] = /** @type {string[]} */ (operation.match(/^(\w+)(!?) ([^?]+)\??(.*)$/));
  const rest = { ...args };
  const path = template.replace("^", "/api/auth/").replace(/\{(\w+)\}/g, (_, name) => {
    const value = rest[name];
    if (value === undefined || value === null || value === "") throw new TypeError(`${id} needs ${name}`);
    delete rest[name];
    return encodeURIComponent(value);
  });
  const takesBody = method !== "GET" && method !== "DELETE";
  const inQuery = takesBody ? listed.split("&") : Object.keys(rest);
  const query = inQuery.filter((name) => rest[name] !== undefined).map((name) => {
    const pair = `${name}=${encodeURIComponent(rest[name])}`;
    delete rest[name];
    return pair;
  });
  const body = takesBody && Object.keys(rest).length ? JSON.stringify(rest) : undefined;
  return { method, path: path + (query.length ? `?${query.join("&")}` : ""), body, isCreating: mark === "!" };
}

/**
 * Says why something did not come: the caller's own abort, silence, or the network.
 * @template T
 * @param {() => Promise<T>} get
 * @param {AbortSignal} [signal]
 */
async function reach(get, signal) {
  try {
    return await get();
  } catch (cause) {
    if (signal?.aborted) throw signal.reason ?? cause;
    throw new TouchlineError({ code: "network", message: "The service cannot be reached.", cause });
  }
}

/** @param {Response} answer */
function retryAfter(answer) {
  const seconds = Number.parseInt(answer.headers.get("retry-after") ?? "", 10);
  return Number.isNaN(seconds) ? undefined : seconds * 1000;
}

/** Aborts when nothing came for as long as was expected, or when the caller does. @param {number} ms @param {AbortSignal} [signal] */
function watchdog(ms, signal) {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort);
  const giveUp = () => controller.abort(new TouchlineError({ code: "timeout", message: "The service did not answer in time." }));
  let timer = setTimeout(giveUp, ms);
  return {
    signal: controller.signal,
    /** @param {number} ms */
    expect(ms) {
      clearTimeout(timer);
      timer = setTimeout(giveUp, ms);
    },
    end() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      // Whoever stops listening also hangs up.
      controller.abort();
    },
  };
}

/** So that all who lost one connection do not come back in one moment. @param {number} ms */
function spread(ms) {
  return ms * (0.5 + Math.random() / 2);
}

/** Waits; an abort ends it at once. @param {number} ms @param {AbortSignal} [signal] @param {Set<() => void>} [waiting] @returns {Promise<void>} */
function sleep(ms, signal, waiting) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      waiting?.delete(done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    if (signal?.aborted) return done();
    signal?.addEventListener("abort", done);
    waiting?.add(done);
  });
}

/** Reads server-sent events out of bytes, however they are cut. */
function parser() {
  const decoder = new TextDecoder();
  let text = "";
  /** @param {Uint8Array} bytes */
  return function* parse(bytes) {
    text = (text + decoder.decode(bytes, { stream: true })).replace(/\r\n/g, "\n");
    const parts = text.split("\n\n");
    text = /** @type {string} */ (parts.pop());
    for (const part of parts) {
      const news = { id: "", name: "message", data: "", retryMs: 0 };
      for (const line of part.split("\n")) {
        const [, field, value] = /** @type {string[]} */ (line.match(/^([^:]*):? ?(.*)$/));
        if (field === "id") news.id = value;
        else if (field === "event") news.name = value;
        else if (field === "data") news.data += (news.data && "\n") + value;
        else if (field === "retry") news.retryMs = Number(value) || 0;
      }
      yield news;
    }
  };
}

/** A name that nobody else gives. React Native has no `crypto` of its own; it need not be a secret. */
export function uniqueName() {
  const random = () => Math.random().toString(36).slice(2);
  return globalThis.crypto?.randomUUID?.() ?? `${Date.now().toString(36)}-${random()}${random()}`;
}

/** Operations by their ids, out of a text with one a line. @param {string} text @returns {Record<string, string>} */
export function listed(text) {
  return Object.fromEntries(text.split("\n").map((line) => line.split(/ (.*)/)));
}

// By generate.mjs; `!`: takes an Idempotency-Key.
const OPERATIONS = listed(`
discover_homeserver GET /.well-known/matrix/client
list_blocked_users GET ^blocks
create_chat_room POST! ^chat-room
list_chat_rooms GET ^chat-rooms
show_chat_room GET ^chat-rooms/{room}
invite_to_chat_room POST ^chat-rooms/{room}/invite
join_chat_room POST ^chat-rooms/{room}/join
leave_chat_room POST ^chat-rooms/{room}/leave
show_member_stats GET ^chat-rooms/{room}/member-stats
list_room_predictions GET ^chat-rooms/{room}/predictions
report_chat POST ^chat-rooms/{room}/report
show_coins GET ^coins
deduct_coins POST! ^coins/deduct
list_coin_transactions GET ^coins/transactions
claim_daily_coins POST! ^daily-coins
list_devices GET ^devices
register_device POST ^devices
remove_device DELETE ^devices/{device}
list_events GET ^events
show_event GET ^events/{event}
list_event_predictions GET ^events/{event}/predictions
export_account GET ^export
show_leaderboard GET ^leaderboard
list_leagues GET ^leagues
create_league POST! ^leagues
show_league_of_code GET ^leagues/codes/{code}
join_league_by_code POST ^leagues/join
close_league DELETE ^leagues/{league}
show_league GET ^leagues/{league}
change_league PATCH ^leagues/{league}
enter_league_chat POST ^leagues/{league}/chat
renew_league_code POST ^leagues/{league}/code
join_public_league POST ^leagues/{league}/join
leave_league POST ^leagues/{league}/leave
list_league_members GET ^leagues/{league}/members
readmit_to_league POST ^leagues/{league}/readmit
remove_league_member POST ^leagues/{league}/remove
set_league_role POST ^leagues/{league}/role
show_league_table GET ^leagues/{league}/table
list_league_weeks GET ^leagues/{league}/weeks
log_in POST ^login
log_out POST ^logout
issue_matrix_credentials POST ^matrix-credentials
delete_account DELETE ^me
show_me GET ^me
show_my_statistics GET ^me/statistics
list_my_predictions GET ^predictions
create_prediction POST! ^predictions
show_prediction GET ^predictions/{prediction}
show_push_key GET ^push/key
show_push_settings GET ^push/settings
change_push_settings PATCH ^push/settings
list_questions GET ^questions
show_question GET ^questions/{question}
take_answer_back DELETE ^questions/{question}/tip
answer_question PUT ^questions/{question}/tip
list_question_tips GET ^questions/{question}/tips
resend_code POST ^resend-code
revoke_other_sessions DELETE ^sessions
list_sessions GET ^sessions
revoke_session DELETE ^sessions/{session}
list_sports GET ^sports
open_stream GET ^stream
list_teams GET ^teams
save_other_teams POST ^teams/other
save_primary_team POST ^teams/primary
list_tournaments GET ^tournaments
list_match_days GET ^tournaments/{tournament}/match-days
update_user_info POST ^update-user-info
check_username POST ^username/check
generate_usernames POST ^username/generate
show_user GET ^users/{user}
unblock_user DELETE ^users/{user}/block
block_user POST ^users/{user}/block
verify_phone POST ^verify-phone
initiate_phone_verification POST ^verify-phone/initiate
request_code POST /api/code/request
verify_code POST /api/code/verify
list_sms_log GET /api/logs/sms
list_todays_matches GET /api/matches/today
show_crest GET /crests/{file}
health GET /healthz
readiness GET /readyz
`);
