// Every view is readable for everybody, in both colour schemes and at both widths; and the page is small, quick and calm.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LIMIT, assertAccessible, comeIn, eventually, fanOf, goTo, openPage, stage } from "./browser.mjs";

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
    await fan.getByRole("button", { name: "Leave for good" }).click();
    await assertAccessible(page, "leaving");
    assert.deepEqual(complaints, []);
  });
}

test("the first view is small and the list is there within a second", LIMIT, async (t) => {
  const { page } = await openPage(t, on);
  // Once for the program to compress its files and for the browser to start; then as somebody new.
  await fanOf(page).locator(".match").first().waitFor();
  const context = await on.browser.newContext();
  t.after(() => context.close());
  const fresh = await context.newPage();
  const network = await context.newCDPSession(fresh);
  await network.send("Network.enable");
  const paths = new Map();
  let bytes = 0;
  network.on("Network.responseReceived", ({ requestId, response }) => paths.set(requestId, new URL(response.url).pathname));
  network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (!paths.get(requestId)?.startsWith("/crests/")) bytes += encodedDataLength;
  });
  await fresh.goto(on.service.baseUrl);
  await fresh.locator(".match").first().waitFor();
  const ms = await fresh.evaluate(() => performance.now());
  await fresh.locator("input[name=phone]:not([value=''])").waitFor();
  t.diagnostic(`${bytes} bytes, ${Math.round(ms)} ms to the first list`);
  assert.ok(bytes < LARGEST_FIRST_VIEW, `${bytes} bytes`);
  assert.ok(ms < 1_000 * (Number(process.env.SLOWNESS) || 1), `${ms} ms`);
});

test("fifty matches that change at once are one calm frame, and move nothing", LIMIT, async (t) => {
  const { page } = await openPage(t, on);
  await comeIn(fanOf(page));
  await fanOf(page).locator(".match").first().waitFor();
  const { longest, shift, changed } = await page.evaluate(async () => {
    const { Fan } = await import("/app/fan.js");
    const hear = Fan.prototype.hear;
    // The page's own fan, caught when it next hears something; then fifty matches are told to it, as the stream would.
    const caught = new Promise((resolve) => {
      Fan.prototype.hear = function (news) {
        resolve(this);
        return hear.call(this, news);
      };
    });
    window.dispatchEvent(new Event("ready-for-news"));
    window.caught = caught;
    return {};
  }).then(async () => {
    const { data } = await on.operator.call("show_overview").then(() => fetch(`${on.service.baseUrl}/api/matches/today`).then((answer) => answer.json()));
    const live = data.find((match) => match.status === "live");
    await on.operator.call("update_event", { event: live.id, home_score: (live.home_score ?? 0) + 1, away_score: live.away_score ?? 0 });
    return page.evaluate(async () => {
      const fan = await window.caught;
      const ids = [...fan.state.matches.keys()].slice(0, 50);
      let shift = 0;
      new PerformanceObserver((list) => list.getEntries().forEach((entry) => (shift += entry.value))).observe({ type: "layout-shift" });
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const lengths = [];
      for (let round = 1; round <= 5; round += 1) {
        await frame();
        const started = performance.now();
        for (const id of ids) fan.hear({ id: "", name: "score", data: { event_id: id, home_score: 10 + round, away_score: 3 } });
        // What was told is drawn in the next frame; the one after it begins when that is done.
        await frame();
        await frame();
        lengths.push(performance.now() - started);
      }
      const changed = [...document.querySelectorAll(".match .score")].filter((score) => score.textContent === "15").length;
      return { longest: Math.max(...lengths), shift, changed };
    });
  });
  t.diagnostic(`${Math.round(longest)} ms for telling and drawing fifty changes, two frames included; shift ${shift}`);
  assert.ok(changed >= 50, `${changed} were drawn`);
  assert.equal(shift, 0, "nothing moved");
  // Two frames of a screen are 33 ms by themselves.
  assert.ok(longest < 83 * (Number(process.env.SLOWNESS) || 1), `${longest} ms`);
});

test("a reader of German is spoken to in German, with times in the reader's zone", LIMIT, async (t) => {
  const { page } = await openPage(t, on, { locale: "de-DE" });
  await page.getByText("Als Fan hereinkommen").first().waitFor();
  await page.getByText(/Zeiten in Europe\/London/).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), "de");
  await page.getByLabel("Sprache").selectOption("en");
  await page.getByText("Come in as a fan").first().waitFor();
  await page.reload();
  await page.getByText("Come in as a fan").first().waitFor();
});

test("everything can be done by keyboard", LIMIT, async (t) => {
  const { page } = await openPage(t, on);
  const phone = page.locator("input[name=phone]:not([value=''])");
  await phone.waitFor();
  await phone.focus();
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
