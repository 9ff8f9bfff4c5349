// What the page asked and heard, for the drawer "what just happened": every call as curl and as JavaScript.

import { inLanguage } from "../shared/language.js";

const MOST = 150;
/** Asked again and again: counted, not listed anew. */
const POLLS = ["/api/matches/today", "/sync"];

/**
 * @typedef {object} Call
 * @property {number} key
 * @property {string} who
 * @property {string} method
 * @property {string} path
 * @property {any} [body]
 * @property {{ id: string, args: any }} [operation]
 * @property {boolean} hasToken
 * @property {number | null} status null while it is under way, 0 if there was no answer
 * @property {number} ms
 * @property {number} times
 * @property {string} [requestId]
 * @property {string} [news] what came on a stream, instead of an answer
 */

const ask = inLanguage();

export class Calls {
  /** Newest first. @type {Call[]} */
  list = [];
  #next = 1;
  #listeners = new Set();
  #isTold = true;

  /** @param {() => void} listener */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #changed() {
    if (!this.#isTold) return;
    this.#isTold = false;
    requestAnimationFrame(() => {
      this.#isTold = true;
      for (const listener of this.#listeners) listener();
    });
  }

  /** A fetch whose calls are noted. @param {() => string} who @returns {typeof fetch} */
  watch(who) {
    return async (input, init = {}) => {
      const call = this.#begin(who(), String(input), init);
      const started = performance.now();
      try {
        const answer = await ask(input, init);
        call.status = answer.status;
        call.requestId = answer.headers.get("x-request-id") ?? undefined;
        return answer;
      } catch (error) {
        call.status = 0;
        throw error;
      } finally {
        call.ms = performance.now() - started;
        this.#changed();
      }
    };
  }

  /** Something that came on a stream. @param {string} who @param {string} name @param {object} data */
  hear(who, name, data) {
    this.#add({ who, method: "stream", path: name, body: data, hasToken: true, status: 200, ms: 0, times: 1, news: JSON.stringify(data) });
  }

  /** @param {string} who @param {string} url @param {any} init @returns {Call} */
  #begin(who, url, { method = "GET", body, headers = {}, operation }) {
    const { pathname, search } = new URL(url, location.href);
    const path = pathname + search;
    const isPoll = POLLS.some((end) => pathname.endsWith(end));
    const known = isPoll && this.list.find((call) => call.who === who && call.path.split("?")[0] === pathname);
    if (known) {
      known.times += 1;
      known.path = path;
      return known;
    }
    const parsed = typeof body === "string" ? JSON.parse(body) : undefined;
    return this.#add({ who, method, path, body: parsed, operation, hasToken: "authorization" in headers, status: null, ms: 0, times: 1 });
  }

  /** @param {Omit<Call, "key">} made */
  #add(made) {
    const call = { key: this.#next++, ...made };
    this.list = [call, ...this.list].slice(0, MOST);
    this.#changed();
    return call;
  }
}

/** @param {Call} call */
export function asCurl({ method, path, body, hasToken }) {
  if (method === "stream") return 'curl -sN "$BASE/api/auth/stream" \\\n  -H "Authorization: Bearer $TOKEN"';
  const hasBody = body !== undefined;
  const flag = method === "GET" || (method === "POST" && hasBody) ? "" : ` -X ${method}`;
  const isStream = path.startsWith("/api/auth/stream");
  const lines = [`curl -s${isStream ? "N" : ""}${flag} "$BASE${path}"`];
  if (hasToken) lines.push(`-H "Authorization: Bearer ${path.startsWith("/_matrix/") ? "$CHAT_TOKEN" : "$TOKEN"}"`);
  if (hasBody) lines.push(`--json '${JSON.stringify(body).replaceAll("'", "'\\''")}'`);
  return lines.join(" \\\n  ");
}

/** @param {Call} call */
export function asJavaScript({ method, path, body, operation, news }) {
  if (news !== undefined || path.startsWith("/api/auth/stream")) {
    return `for await (const news of touchline.stream()) {\n  console.log(news.name, news.data);${news ? ` // "${path}", ${news}` : ""}\n}`;
  }
  if (path.startsWith("/_matrix/")) return inChat(method, path, body);
  if (!operation) return `await fetch("${path}");`;
  const args = Object.entries(operation.args ?? {}).filter(([, value]) => value !== undefined);
  if (!args.length) return `await touchline.call("${operation.id}");`;
  const shown = args.map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const line = `await touchline.call("${operation.id}", { ${shown.join(", ")} });`;
  return line.length < 84 ? line : `await touchline.call("${operation.id}", {\n  ${shown.join(",\n  ")},\n});`;
}

/** @param {string} method @param {string} path @param {any} body */
function inChat(method, path, body) {
  const room = JSON.stringify(decodeURIComponent(path.match(/\/rooms\/([^/]+)/)?.[1] ?? ""));
  const chat = "const chat = await touchline.chat();\n";
  if (path.includes("/send/")) return `${chat}await chat.send(${room}, ${JSON.stringify(body?.body)});`;
  if (path.includes("/messages")) return `${chat}const { chunk } = await chat.history(${room});`;
  if (path.includes("/typing/")) return `${chat}await chat.typing(${room});`;
  if (path.includes("/sync")) return `${chat}for await (const { room, event } of chat.sync({ waitMs: 0, pauseMs: 2500 })) {\n  console.log(room, event);\n}`;
  return `${chat}await chat.request("${method}", "${path.replace("/_matrix/client/v3", "")}");`;
}
