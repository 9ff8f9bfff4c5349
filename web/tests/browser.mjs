// What the tests of the pages stand on: the program of the client's tests, a browser, and an operator who makes matches happen.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { after, before } from "node:test";
import { OPERATOR_TOKEN, startService } from "../../clients/js/test/service.mjs";
import { TouchlineOperator } from "../../clients/js/operators.js";
import { Touchline } from "../../clients/js/touchline.js";

// The tools are those of the client's tests, and are installed there.
const toolsOfTheClient = createRequire(new URL("../../clients/js/package.json", import.meta.url));
const { chromium } = toolsOfTheClient("playwright-core");
const AXE = await readFile(toolsOfTheClient.resolve("axe-core/axe.min.js"), "utf8");

export const LIMIT = { timeout: 150_000 };
/** Where the browsers are: where a match that begins within two hours is still today's. */
export const ZONE = new Date().getUTCHours() < 21 ? "Europe/London" : "America/Chicago";

/** The service and the browser of a test file. */
export function stage(settings = {}) {
  const on = {};
  before(async () => {
    on.service = await startService({ TOUCHLINE_LOGIN__SENDS_PER_10_MINUTES: "100", TOUCHLINE_LOGIN__SENDS_PER_DAY: "1000", TOUCHLINE_PUSH__ALLOWS_PRIVATE_NETWORKS: "true", ...settings });
    on.operator = new TouchlineOperator({ baseUrl: on.service.baseUrl, token: OPERATOR_TOKEN });
    on.browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  });
  after(async () => {
    await on.browser?.close();
    await on.service?.stop();
  });
  return on;
}

/** Files of the pages as they are on the disk, for whoever changes them and does not want to build in between: WEB_FROM_DISK=1. */
async function serveFromDisk(context) {
  const clients = ["touchline.js", "operators.js"];
  await context.route(/\/(app|console|shared|vendor)\/[^/]+\.(js|css|svg)$/, (route) => {
    const path = new URL(route.request().url()).pathname;
    const file = path.split("/").pop();
    const from = clients.includes(file) ? `../../clients/js/${file}` : `..${path}`;
    // As the program says it of the worker, which looks after the page at `/`.
    return route.fulfill({ path: new URL(from, import.meta.url).pathname, headers: { "service-worker-allowed": "/" } });
  });
}

/** A page of the service at a size, the fan page if none is named, in a browser that `prepare` may change before; with what it complained of: errors, and anything that the content policy refused. */
export async function openPage(t, on, { width = 1280, colorScheme = "light", locale = "en-GB", hash = "", prepare = async () => {} } = {}) {
  const context = await on.browser.newContext({ viewport: { width, height: width > 500 ? 800 : 740 }, colorScheme, locale, hasTouch: width < 500, timezoneId: ZONE });
  t.after(() => context.close());
  if (process.env.WEB_FROM_DISK) await serveFromDisk(context);
  await prepare(context);
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.goto(`${on.service.baseUrl}/${hash}`);
  return { context, page, complaints };
}

let people = 0;

/** Somebody who is in without a page: in a place of the range that the page's examples are not from. */
export async function somebodyNew(on) {
  people += 1;
  const phone = `+4477009${10_000 + people}`;
  const touchline = new Touchline({ baseUrl: on.service.baseUrl });
  await touchline.call("request_code", { phone });
  const [{ code }] = (await touchline.call("list_sms_log", { phone })).data;
  await touchline.call("verify_code", { phone, code });
  return touchline;
}

/** Moves the deadline of a question to this moment; asked again if a busy machine took longer than that. */
export async function closeQuestion(on, question) {
  for (;;) {
    try {
      return await on.operator.call("change_question", { question: question.id, closes_at: new Date(Date.now() + 1_000).toISOString() });
    } catch (error) {
      if (error.code !== "validation_failed") throw error;
    }
  }
}

/** One fan's part of a page. */
export function fanOf(page, place = 1) {
  return page.locator(".panel").nth(place - 1);
}

/** A page on which somebody is in who is known already. */
export async function openPageOf(t, on, touchline, address, size = {}) {
  const opened = await openPage(t, on, size);
  const session = await touchline.session();
  await opened.page.evaluate((kept) => sessionStorage.setItem("touchline-fan-1", JSON.stringify(kept)), session);
  await opened.page.goto(`${on.service.baseUrl}/${address}`);
  await opened.page.reload();
  await fanOf(opened.page).locator(".balance").waitFor();
  return { ...opened, fan: fanOf(opened.page), username: session.user.username };
}

/** The field is there first, and filled in when the page knows that it is on a developer's machine. */
export async function phoneIsFilledIn(form) {
  await eventually(async () => (await form.locator("input[name=phone]").inputValue()) !== "", true, "the example of a phone number");
}

/** Comes in with the number and the code that the page fills in. */
export async function comeIn(panel) {
  const form = panel.locator(".come-in");
  if (!(await form.isVisible())) await panel.locator(".bar").getByRole("button", { name: "Come in" }).click();
  await phoneIsFilledIn(form);
  await form.getByRole("button", { name: "Send me a code" }).click();
  await form.getByText("Development only").waitFor();
  await form.getByRole("button", { name: "Come in" }).click();
  await panel.locator(".balance").waitFor();
}

/** @param {string} name one of the four places of the menu */
export async function goTo(panel, name) {
  const back = panel.getByRole("button", { name: "Back" });
  if (await back.isVisible()) await back.click();
  await panel.getByRole("link", { name, exact: true }).click();
}

/** A match of its own for a test, of the demo's clubs; nobody else changes it. Answers its id. */
export async function makeMatch(on, key, minutesFromNow, fields = {}) {
  const start_time = new Date(Date.now() + minutesFromNow * 60_000).toISOString();
  const event = { key, tournament: "harbour_league", home: "bryncoed", away: "port_ellery", venue: "Bryncoed Park", start_time, ...fields };
  const { data } = await on.operator.call("import_catalogue", { sports: [], teams: [], tournaments: [], events: [event] });
  return data.events[key];
}

/** The scores of a match in a fan's list, and what is said in the room that is open, by its text. */
export const scoresOf = (fan, id) => fan.locator(`[data-match="${id}"] .score`).allInnerTexts();
export const lineOf = (fan, text) => fan.locator(".lines li", { hasText: text });

/** Nobody on this page tries again by themselves any more, so that it is seen who is woken; counts those who wait. */
export function tryOnlyWhenWoken(page) {
  return page.evaluate(async () => {
    const { Touchline } = await import("/app/touchline.js");
    const { backOff } = Touchline.prototype;
    window.waits = 0;
    Touchline.prototype.backOff = function (failures, signal) {
      this.options.longestBackOffMs = 3_600_000;
      window.waits += 1;
      return backOff.call(this, failures, signal, 3_600_000);
    };
  });
}

/** Opens a match's room and joins it. */
export async function joinRoom(fan, id) {
  await fan.locator(`[data-match="${id}"]`).click();
  await fan.getByRole("button", { name: "Join the room" }).click();
  await fan.locator(".write input").waitFor();
}

export async function say(fan, text) {
  await fan.locator(".write input").fill(text);
  await fan.getByRole("button", { name: "Send", exact: true }).click();
}

/** Waits until `read` gives what is wanted; fails with what it gave last. */
export async function eventually(read, wanted, what, withinMs = 20_000) {
  const until = Date.now() + withinMs;
  for (;;) {
    const found = await read();
    if (JSON.stringify(found) === JSON.stringify(wanted)) return;
    if (Date.now() > until) assert.deepEqual(found, wanted, what);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Nothing that anybody could not read or reach, and nothing wider than the page. */
export async function assertAccessible(page, what) {
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => (await window.axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).slice(0, 3).join(" | ")}`));
  assert.deepEqual(found, [], what);
  const [whole, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(whole <= shown, `${what}: nothing is wider than the page (${whole} > ${shown})`);
}
