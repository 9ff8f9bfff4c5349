// Every view is readable for everybody, in both colour schemes and at both widths; and the page is small, quick and calm.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LIMIT, ZONE, assertAccessible, comeIn, eventually, fanOf, goTo, openPage, phoneIsFilledIn, stage } from "./browser.mjs";

const on = stage();
const LARGEST_FIRST_VIEW = 60 * 1024;

for (const [width, colorScheme] of [[1280, "light"], [1280, "dark"], [360, "light"], [360, "dark"]]) {
  test(`every view is for everybody at ${width} pixels in ${colorScheme}`, LIMIT, async (t) => {
    const { page, complaints } = await openPage(t, on, { width, colorScheme });
    const fan = fanOf(page);
    await fan.locator(".match").first().waitFor();
    await assertAccessible(page, "a stranger's matches");
    await comeIn(fan);
    await goTo(fan, "Matches");
    await fan.locator(".match:has(time)").first().click();
    await fan.locator("[data-pick=draw]").click();
    await fan.getByRole("button", { name: "Add an exact score" }).click();
    await fan.getByText("Your pick is in.").waitFor();
    await assertAccessible(page, "a pick");
    await fan.getByRole("button", { name: "Join the room" }).click();
    await fan.locator(".write input").waitFor();
    await assertAccessible(page, "the match's room");
    for (const [place, sign] of [["Rooms", "a.item"], ["Table", ".segments"], ["Me", ".teams .item"]]) {
      await goTo(fan, place);
      await fan.locator(sign).first().waitFor();
      await assertAccessible(page, place);
    }
    await fan.getByRole("link", { name: /^Notifications/ }).click();
    await fan.locator(".setting").first().waitFor();
    await assertAccessible(page, "Notifications");
    await goTo(fan, "Me");
    await fan.getByRole("button", { name: "Leave for good" }).click();
    await assertAccessible(page, "leaving");
    assert.deepEqual(complaints, []);
  });
}

/** Opens the page as somebody new: how much came, and how long it took to the first list. */
async function firstView() {
  const context = await on.browser.newContext();
  const page = await context.newPage();
  const network = await context.newCDPSession(page);
  await network.send("Network.enable");
  const paths = new Map();
  let bytes = 0;
  network.on("Network.responseReceived", ({ requestId, response }) => paths.set(requestId, new URL(response.url).pathname));
  network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (!paths.get(requestId)?.startsWith("/crests/")) bytes += encodedDataLength;
  });
  await page.goto(on.service.baseUrl);
  await page.evaluate(() => new Promise((resolve) => {
    const look = () => (document.querySelector(".match") ? resolve() : requestAnimationFrame(look));
    look();
  }));
  const ms = await page.evaluate(() => performance.now());
  await phoneIsFilledIn(page);
  await context.close();
  return { bytes, ms };
}

// Of several tries the best: others may be at work on the machine, and the first has the program compress its files.
test("the first view is small and the list is there within a second", LIMIT, async (t) => {
  const views = [];
  for (let times = 0; times < 4; times += 1) views.push(await firstView());
  const bytes = Math.max(...views.map((view) => view.bytes));
  const ms = Math.min(...views.map((view) => view.ms));
  t.diagnostic(`${bytes} bytes, ${Math.round(ms)} ms to the first list`);
  assert.ok(bytes < LARGEST_FIRST_VIEW, `${bytes} bytes`);
  assert.ok(ms < 1_000, `${ms} ms`);
});

test("fifty matches that change at once are one calm frame, and move nothing", LIMIT, async (t) => {
  const { page } = await openPage(t, on);
  await comeIn(fanOf(page));
  await fanOf(page).locator(".match").nth(50).waitFor({ state: "attached" });
  const { fastest, shift, changed } = await page.evaluate(async () => {
    const { Fan } = await import("/app/fan.js");
    // The page's own fan, caught when something about them next changes.
    const change = Fan.prototype.change;
    const fan = await new Promise((resolve) => {
      Fan.prototype.change = function (changes) {
        resolve(this);
        return change.call(this, changes);
      };
      document.querySelector(".claim").click();
    });
    Fan.prototype.change = change;
    // The day's coins make room beside the balance when they are there: before anything is measured.
    while (document.querySelector(".claim")) await new Promise((resolve) => requestAnimationFrame(resolve));
    let shift = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => (shift += entry.value))).observe({ type: "layout-shift" });
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const live = [...fan.state.matches.values()].filter((match) => match.status !== "scheduled");
    const rest = [...fan.state.matches.values()].filter((match) => match.status === "scheduled");
    const ids = [...live, ...rest].slice(0, 50).map((match) => match.id);
    // As the stream would tell it; the first round gives a score to those that had none.
    const hear = fan.hear.bind(fan);
    // And nothing else is told meanwhile: a kick-off of the demo would move matches, as it should.
    fan.hear = () => {};
    const tell = (goals) => ids.forEach((id) => hear({ id: "", name: "score", data: { event_id: id, home_score: goals, away_score: 3 } }));
    tell(0);
    await frame();
    await frame();
    shift = 0;
    const lengths = [];
    for (let goals = 1; goals <= 9; goals += 1) {
      await frame();
      // Callbacks of a frame run in the order in which they were asked for: before the page draws, the page, after it.
      const begun = frame().then(() => performance.now());
      const started = performance.now();
      tell(goals);
      const telling = performance.now() - started;
      await frame();
      document.body.getBoundingClientRect();
      lengths.push(telling + performance.now() - (await begun));
    }
    await frame();
    const changed = [...document.querySelectorAll(".match .score")].filter((score) => score.textContent === "9").length;
    return { fastest: Math.min(...lengths), shift, changed };
  });
  t.diagnostic(`${Math.round(fastest)} ms for drawing fifty changes; layout shift ${shift}`);
  assert.ok(changed >= 50, `${changed} were drawn`);
  assert.ok(shift < 0.001, `what is there moved: ${shift}`);
  assert.ok(fastest < 50, `${fastest} ms`);
});

test("a reader of German is spoken to in German, with times in the reader's zone", LIMIT, async (t) => {
  const { page } = await openPage(t, on, { locale: "de-DE" });
  await page.getByText("Als Fan hereinkommen").first().waitFor();
  await page.getByText(`Zeiten in ${ZONE}`).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), "de");
  await page.getByLabel("Sprache").selectOption("en");
  await page.getByText("Come in as a fan").first().waitFor();
  await page.reload();
  await page.getByText("Come in as a fan").first().waitFor();
});

test("a refusal is in the language of the page, whatever the browser's is, and so is what is told when the page is closed", LIMIT, async (t) => {
  const { page } = await openPage(t, on);
  await comeIn(fanOf(page));
  await page.getByLabel("Language").selectOption("de");
  const fan = fanOf(page);
  await eventually(() => page.evaluate(async () => {
    const { token } = JSON.parse(sessionStorage.getItem("touchline-fan-1"));
    const answer = await fetch("/api/auth/me", { headers: { authorization: `Bearer ${token}` } });
    return (await answer.json()).data.language;
  }), "de", "the language that the fan has chosen");
  await fan.getByRole("link", { name: "Ich", exact: true }).click();
  await fan.locator("input[name=email]").fill("ada@nowhere");
  await fan.getByRole("button", { name: "Speichern" }).first().click();
  await fan.getByText("Muss eine gültige E-Mail-Adresse sein.").waitFor();
});

test("everything can be done by keyboard", LIMIT, async (t) => {
  const { page } = await openPage(t, on);
  await phoneIsFilledIn(page);
  await page.locator("input[name=phone]").focus();
  await page.keyboard.press("Enter");
  await page.getByText("Development only").waitFor();
  await page.locator("input[name=code]").focus();
  await page.keyboard.press("Enter");
  await page.locator(".balance").waitFor();
  const match = page.locator(".match:has(time)").first();
  await match.focus();
  await page.keyboard.press("Enter");
  await page.locator("[data-pick=away]").focus();
  await page.keyboard.press("Space");
  await eventually(() => page.locator("[data-pick=away]").getAttribute("aria-pressed"), "true", "the pick");
});
