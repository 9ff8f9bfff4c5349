import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import * as operators from "../operators.js";
import * as client from "../touchline.js";
import { journey } from "./journey.mjs";
import { OPERATOR_TOKEN, startService } from "./service.mjs";

const { Touchline, TouchlineError } = client;
// Nothing here waits for long: a test that hangs is a failed one.
const LIMIT = { timeout: 60_000 };

let service;
before(async () => (service = await startService()));
after(() => service.stop());

test("a fan's whole way works in Node", LIMIT, async () => {
  assert.equal(await journey({ ...client, ...operators }, service.baseUrl, OPERATOR_TOKEN), "arrived");
});

test("an operation that does not exist is refused before anything is sent", LIMIT, async () => {
  const touchline = new Touchline({ baseUrl: "http://127.0.0.1:9" });
  await assert.rejects(touchline.call(/** @type {any} */ ("list_evnts")), /no operation list_evnts/);
  await assert.rejects(touchline.call("void_event", { event: 1 }), /no operation void_event here .*operators\.js/);
  await assert.rejects(touchline.call("show_event", /** @type {any} */ ({})), /show_event needs event/);
});

test("a safe call is tried again as soon as the service says", LIMIT, async (t) => {
  const peer = await script(t, [refusal(503, "overloaded", 1), answer({ data: 1 })]);
  const started = Date.now();
  assert.deepEqual(await peer.client.call("show_me"), { data: 1 });
  // Timers count in whole milliseconds of another clock.
  assert.ok(Date.now() - started >= 990, "it waited");
  assert.equal(peer.requests.length, 2);
});

test("what creates is tried again under the same key, also when the connection breaks", LIMIT, async (t) => {
  const peer = await script(t, [hangUp, hangUp, answer({ data: 1 })]);
  await peer.client.call("deduct_coins", { amount: 1, reason: "wager" });
  const keys = peer.requests.map((request) => request.headers["idempotency-key"]);
  assert.equal(keys.length, 3);
  assert.ok(keys[0] && new Set(keys).size === 1, `one key: ${keys}`);
});

test("what may not be done twice is tried once", LIMIT, async (t) => {
  const peer = await script(t, [refusal(503, "database_unavailable", 1)]);
  await assert.rejects(peer.client.call("verify_code", { phone: "+447700900123", code: "1" }), { code: "database_unavailable" });
  assert.equal(peer.requests.length, 1);
});

test("a refusal for its rate did nothing, so it is tried again", LIMIT, async (t) => {
  const peer = await script(t, [refusal(429, "address_request_limit", 1), answer({ data: { expires_in: 300 } })]);
  await peer.client.call("request_code", { phone: "+447700900123" });
  assert.equal(peer.requests.length, 2);
});

test("what people are told is in the language that the app is in", LIMIT, async () => {
  const touchline = new Touchline({ baseUrl: service.baseUrl, language: "de" });
  await assert.rejects(touchline.call("request_code", { phone: "12" }), {
    message: "Die Angaben sind nicht gültig.",
    fields: { phone: ["Muss eine Telefonnummer im internationalen Format sein, etwa +447700900123."] },
  });
});

test("a wait that is too long is told to the caller at once", LIMIT, async (t) => {
  const peer = await script(t, [refusal(429, "phone_send_limit", 600)]);
  const refused = peer.client.call("request_code", { phone: "+447700900123" });
  await assert.rejects(refused, { code: "phone_send_limit", status: 429, retryAfterMs: 600_000 });
  assert.equal(peer.requests.length, 1);
});

test("a service that is away is a failure like any other", LIMIT, async () => {
  const touchline = new Touchline({ baseUrl: "http://127.0.0.1:9", tries: 2 });
  await assert.rejects(touchline.call("show_me"), (error) => error instanceof TouchlineError && error.code === "network" && error.status === 0);
});

test("a service that does not answer is given up", LIMIT, async (t) => {
  const peer = await script(t, [() => {}], { tries: 1, timeoutMs: 200 });
  await assert.rejects(peer.client.call("show_me"), { code: "timeout" });
});

test("a caller who aborts gets their own reason, and nothing is tried again", LIMIT, async (t) => {
  const stop = new AbortController();
  const peer = await script(t, [() => stop.abort(new Error("enough"))]);
  await assert.rejects(peer.client.call("show_me", {}, { signal: stop.signal }), /enough/);
  assert.equal(peer.requests.length, 1);
});

test("pages are asked for until there is no other", LIMIT, async (t) => {
  const meta = { current_page: 1, last_page: 2, per_page: 2, total: 3 };
  const peer = await script(t, [answer({ data: [1, 2], meta }), answer({ data: [3], meta })]);
  const found = [];
  for await (const one of peer.client.pages("list_teams", { search: "a b" })) found.push(one);
  assert.deepEqual(found, [1, 2, 3]);
  assert.deepEqual(peer.requests.map((request) => request.url), [
    "/api/auth/teams?per_page=100&search=a%20b&page=1",
    "/api/auth/teams?per_page=100&search=a%20b&page=2",
  ]);
});

test("a stream goes on after the last news when its connection ends", LIMIT, async (t) => {
  const peer = await script(t, [
    events("retry: 10\n\nid: 7\nevent: score\ndata: {\"event_id\":", "1}\n\n"),
    hangUp,
    events(": still here\n\nid: 8\nevent: status\ndata: {\"event_id\":2}\r\n\r\n"),
  ]);
  const found = [];
  for await (const news of peer.client.stream({ eventId: 3 })) if (found.push(news) === 2) break;
  assert.deepEqual(found, [
    { id: "7", name: "score", data: { event_id: 1 } },
    { id: "8", name: "status", data: { event_id: 2 } },
  ]);
  assert.deepEqual(peer.requests.map((request) => request.headers["last-event-id"]), [undefined, "7", "7"]);
  assert.equal(peer.requests[0].url, "/api/auth/stream?event_id=3");
});

test("a stream that falls silent is opened anew", LIMIT, async (t) => {
  const silent = (_, response) => response.writeHead(200, { "content-type": "text/event-stream" }).write("retry: 10\n\n");
  // On a busy machine a later one may seem silent too.
  const peer = await script(t, [silent, ...Array(50).fill(events("id: 1\nevent: score\ndata: {}\n\n"))]);
  for await (const news of peer.client.stream({ silenceMs: 100 })) {
    assert.equal(news.id, "1");
    break;
  }
});

// Slept out, the waits of five failures in a row take at least 44 seconds.
const WOKEN_MS = 20_000;

test("a stream that lost the service tries again when it is woken", LIMIT, async (t) => {
  const peer = await script(t, [...Array(5).fill(hangUp), events("id: 1\nevent: score\ndata: {}\n\n")]);
  const started = Date.now();
  // Told just before it waits.
  const onConnected = (isConnected) => isConnected || setTimeout(() => peer.client.wake());
  assert.equal((await firstOf(peer.client.stream({ onConnected }))).id, "1");
  assert.ok(Date.now() - started < WOKEN_MS, "it did not sleep its waits out");
});

test("any call that is answered wakes a stream that lost the service", LIMIT, async (t) => {
  const peer = await script(t, [...Array(5).fill([hangUp, answer({ data: 1 })]).flat(), events("id: 1\nevent: score\ndata: {}\n\n")]);
  const started = Date.now();
  const onConnected = (isConnected) => isConnected || setTimeout(() => peer.client.call("show_me"));
  assert.equal((await firstOf(peer.client.stream({ onConnected }))).id, "1");
  assert.ok(Date.now() - started < WOKEN_MS, "it did not sleep its waits out");
});

test("a wait that the service asked for is not cut short", LIMIT, async (t) => {
  const peer = await script(t, [refusal(503, "overloaded", 3), events("id: 1\nevent: score\ndata: {}\n\n")]);
  const started = Date.now();
  const onConnected = (isConnected) => isConnected || setTimeout(() => peer.client.wake());
  await firstOf(peer.client.stream({ onConnected }));
  assert.ok(Date.now() - started >= 1_490, "half of it, or more");
});

test("an answer of the chat that breaks off is asked for again, from the same place", LIMIT, async (t) => {
  const breakOff = (_, response) => response.writeHead(200, { "content-type": "application/json", "content-length": 100 }).write("{", () => response.destroy());
  const event = { event_id: "$1" };
  const peer = await script(t, [breakOff, answer({ next_batch: "s2", rooms: { join: { "!r": { timeline: { events: [event] } } } } })]);
  const chat = new client.Chat(peer.client, peer.client.baseUrl, { access_token: "a", device_id: "d", user_id: "@u:h" });
  assert.deepEqual(await firstOf(chat.sync({ since: "s1", waitMs: 0 })), { kind: "room", room: "!r", event, since: "s2" });
  assert.ok(peer.requests.every(({ url }) => url.endsWith("since=s1")));
});

test("a message that gets no answer is a failure, not a wait without end", LIMIT, async (t) => {
  const peer = await script(t, [() => {}], { timeoutMs: 200 });
  const chat = new client.Chat(peer.client, peer.client.baseUrl, { access_token: "a", device_id: "d", user_id: "@u:h" });
  await assert.rejects(chat.send("!r", "Goal!"), { code: "timeout" });
});

test("a stream ends with the session", LIMIT, async (t) => {
  const peer = await script(t, [refusal(401, "unauthenticated")]);
  await assert.rejects(peer.client.stream().next(), { code: "unauthenticated" });
});

test("a transport that cannot stream is named", LIMIT, async () => {
  const fetch = async () => ({ ok: true, status: 200, headers: new Headers(), body: null });
  const touchline = new Touchline({ baseUrl: "http://127.0.0.1:9", fetch: /** @type {any} */ (fetch) });
  await assert.rejects(touchline.stream().next(), { code: "not_streaming" });
});

test("a session that somebody else began is not ended by the late refusal of an older one", LIMIT, async (t) => {
  const kept = { token: "old", user: /** @type {any} */ ({}), chat: null };
  let session = /** @type {any} */ (kept);
  const store = { get: () => session, set: (next) => void (session = next) };
  const swap = (request, response) => {
    session = { ...kept, token: "new" };
    refusal(401, "unauthenticated")(request, response);
  };
  const peer = await script(t, [swap], { session: store });
  await assert.rejects(peer.client.call("show_me"), { code: "unauthenticated" });
  assert.equal(session.token, "new");
});

test("little more than fetch is needed", LIMIT, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [new URL("bare.mjs", import.meta.url).pathname]);
  assert.deepEqual(JSON.parse(stdout), [
    ["POST", "https://app.example.org/api/auth/coins/deduct", true],
    ["GET", "https://app.example.org/api/auth/teams?search=%C3%A9%26%3D", false],
  ]);
});

test("the package holds what an app needs and nothing else", LIMIT, async () => {
  const cwd = new URL("..", import.meta.url).pathname;
  const { stdout } = await promisify(execFile)("npm", ["pack", "--dry-run", "--json"], { cwd });
  const [{ files }] = JSON.parse(stdout);
  const names = files.map((file) => file.path).sort();
  assert.deepEqual(names, ["LICENSE", "README.md", "api.d.ts", "operators.d.ts", "operators.js", "package.json", "touchline.d.ts", "touchline.js"]);
});

/** A service that does one thing a request, in order, and a client of it. */
async function script(t, steps, options = {}) {
  const requests = [];
  const server = createServer((request, response) => {
    const step = steps[requests.length];
    requests.push({ url: request.url, headers: request.headers });
    request.resume().once("end", () => (step ?? refusal(500, "not_expected"))(request, response));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => (server.closeAllConnections(), new Promise((resolve) => server.close(resolve))));
  return { requests, client: new Touchline({ baseUrl: `http://127.0.0.1:${server.address().port}`, ...options }) };
}

/** What comes first; nothing is listened to after it. */
async function firstOf(coming) {
  for await (const one of coming) return one;
}

function answer(body) {
  return (_, response) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function refusal(status, code, retryAfter) {
  const headers = { "content-type": "application/json", ...(retryAfter && { "retry-after": retryAfter }) };
  return (_, response) => response.writeHead(status, headers).end(JSON.stringify({ code, message: code, request_id: "req_1" }));
}

function hangUp(request) {
  request.socket.destroy();
}

/** The parts arrive one after another, so that a reader that waits for whole messages is found out. */
function events(...parts) {
  return async (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const part of parts) await new Promise((resolve) => response.write(part, () => setTimeout(resolve, 20)));
    response.end();
  };
}
