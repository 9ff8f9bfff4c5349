import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { OPERATOR_TOKEN, startService } from "./service.mjs";

const LIMIT = { timeout: 90_000 };
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

let service, browser;
before(async () => {
  service = await startService();
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

/** The page at a width, and what it complained of. */
async function open(t, width, colorScheme = "light", hash = "") {
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
  t.after(() => page.close());
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.goto(`${service.baseUrl}/docs/${hash}`);
  await page.locator("details.call").first().waitFor();
  return { page, complaints };
}

const everythingOpen = (page) => page.evaluate(() => document.querySelectorAll("details.call, .steps details").forEach((details) => (details.open = true)));

test("somebody new gets from a phone number to a prediction by pressing four times", LIMIT, async (t) => {
  const { page, complaints } = await open(t, 1280);
  for (const [place, name] of ["Ask", "Log in", "Show matches", "Home wins"].entries()) {
    await page.getByRole("button", { name, exact: true }).click();
    await page.locator(`.steps > li.done:nth-child(${place + 1})`).waitFor();
  }
  assert.match(await page.locator("#who").innerText(), /^Calls are made as fan_/);
  await page.goto(`${service.baseUrl}/docs/#create_prediction`);
  const card = page.locator("#create_prediction");
  await card.getByRole("button", { name: "Send" }).click();
  assert.match(await card.locator(".state.good").innerText(), /^Answered 200 /);
  assert.deepEqual(complaints, []);
});

test("every call is there with its curl and its JavaScript", LIMIT, async (t) => {
  const { page, complaints } = await open(t, 1280);
  await everythingOpen(page);
  const { paths } = await (await fetch(`${service.baseUrl}/api/openapi.json`)).json();
  const ids = Object.values(paths).flatMap((item) => Object.values(item).map((operation) => operation.operationId));
  for (const id of ids) {
    const examples = await page.locator(`#${id} .code pre`).allInnerTexts();
    assert.ok(examples.some((text) => text.startsWith("curl ")), `${id} has no curl`);
    const calls = id === "open_stream" ? ["touchline.stream()"] : [`touchline.call("${id}"`, `operator.call("${id}"`];
    assert.ok(examples.some((text) => calls.some((call) => text.includes(call))), `${id} has no JavaScript`);
  }
  assert.deepEqual(complaints, []);
});

test("an operator's call is sent with the operator's token, and a refusal says why", LIMIT, async (t) => {
  const { page } = await open(t, 1280, "light", "#show_overview");
  const card = page.locator("#show_overview");
  await card.getByRole("button", { name: "Send" }).click();
  assert.match(await card.locator(".state.bad").innerText(), /^Refused 401 /);
  await page.getByLabel("Operator's token").fill(OPERATOR_TOKEN);
  await card.getByRole("button", { name: "Send" }).click();
  assert.match(await card.locator(".state.good").innerText(), /^Answered 200 /);
});

test("a call is found by any of its words", LIMIT, async (t) => {
  const { page } = await open(t, 1280);
  await page.getByLabel("Find a call").fill("daily coins");
  assert.deepEqual(await page.locator("#list .group a:visible").allInnerTexts(), ["Claim the daily bonus, once for each UTC date"]);
});

for (const [width, scheme] of [[1280, "light"], [1280, "dark"], [360, "light"], [360, "dark"]]) {
  test(`everything is readable for everybody at ${width} pixels in ${scheme}`, LIMIT, async (t) => {
    const { page } = await open(t, width, scheme);
    await everythingOpen(page);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, "nothing is wider than the page");
    await page.evaluate(await readFile(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8"));
    const found = await page.evaluate(async () => (await window.axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`));
    assert.deepEqual(found, []);
  });
}
