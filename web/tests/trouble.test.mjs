// The network goes away and comes back, the program is started again: what is shown says so, and goes on by itself.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LIMIT, comeIn, eventually, fanOf, goTo, makeMatch, openPage, stage } from "./browser.mjs";

const on = stage();

const scoresOf = (fan, id) => fan.locator(`[data-match="${id}"] .score`).allInnerTexts();

test("goals that fell without a network are there when it is back", LIMIT, async (t) => {
  const id = await makeMatch(on, "test:cut", -10, { status: "live", home_score: 0, away_score: 0 });
  const { page, context } = await openPage(t, on);
  const fan = fanOf(page);
  await comeIn(fan);
  await eventually(() => scoresOf(fan, id), ["0", "0"], "before");
  await context.setOffline(true);
  await page.getByText("You are offline.").waitFor();
  await on.operator.call("update_event", { event: id, home_score: 1, away_score: 0 });
  await on.operator.call("update_event", { event: id, home_score: 1, away_score: 1 });
  // What can be opened without a network can; what cannot says so and can be tried again.
  await goTo(fan, "Rooms");
  await fan.locator(".failure").first().waitFor({ timeout: 30_000 });
  await context.setOffline(false);
  await fan.getByRole("button", { name: "Try again" }).first().click();
  await fan.locator("a.item").first().waitFor();
  await goTo(fan, "Matches");
  await eventually(() => scoresOf(fan, id), ["1", "1"], "after");
  await page.getByText("You are offline.").waitFor({ state: "hidden" });
});

test("a restart of the program is survived by everybody who is in", LIMIT, async (t) => {
  const id = await makeMatch(on, "test:restart", -10, { status: "live", home_score: 0, away_score: 0 });
  const { page } = await openPage(t, on);
  const fan = fanOf(page);
  await comeIn(fan);
  await eventually(() => scoresOf(fan, id), ["0", "0"], "before");
  await fan.locator(`[data-match="${id}"]`).click();
  await fan.getByRole("button", { name: "Join the room" }).click();
  await fan.locator(".write input").waitFor();
  await on.service.restart(async () => {
    await fan.locator(".fresh.stale").waitFor({ timeout: 30_000 });
  });
  await on.operator.call("update_event", { event: id, home_score: 0, away_score: 1 });
  // Clients spread their way back over up to half a minute.
  await eventually(() => scoresOf(fan, id), ["0", "1"], "after", 60_000);
  await fan.locator(".fresh .dot.good").waitFor();
  await fan.locator(".write input").fill("Still here");
  await fan.getByRole("button", { name: "Send", exact: true }).click();
  await fan.locator(".lines .text", { hasText: "Still here" }).waitFor();
});

test("a session that was ended elsewhere shows the door, and the matches go on", LIMIT, async (t) => {
  const { page } = await openPage(t, on);
  const fan = fanOf(page);
  await comeIn(fan);
  const token = await page.evaluate(() => JSON.parse(sessionStorage.getItem("touchline-fan-1")).token);
  await fetch(`${on.service.baseUrl}/api/auth/logout`, { method: "POST", headers: { authorization: `Bearer ${token}` } });
  await fan.locator(".come-in").waitFor({ timeout: 40_000 });
  await fan.locator(".match").first().waitFor();
});

test("two fans hold two connections, so that a browser has some left", LIMIT, async (t) => {
  const { page } = await openPage(t, on);
  await comeIn(fanOf(page));
  await page.getByRole("button", { name: "Open another fan" }).click();
  await comeIn(fanOf(page, 2));
  const held = await page.evaluate(() => performance.getEntriesByType("resource").filter((entry) => entry.name.includes("timeout=") && !entry.name.includes("timeout=0")).length);
  assert.equal(held, 0, "no question to the chat waits for its answer");
  await eventually(() => page.locator(".fresh .dot.good").count(), 2, "two streams");
  // Four plain calls at once are answered while both streams are open.
  const answers = await page.evaluate(() => Promise.all(Array.from({ length: 4 }, (_, at) => fetch(`/healthz?${at}`).then((answer) => answer.status))));
  assert.deepEqual(answers, [200, 200, 200, 200]);
});

test("without a network the page opens and shows no old score as a new one", LIMIT, async (t) => {
  const { page, context } = await openPage(t, on);
  await fanOf(page).locator(".match").first().waitFor();
  await page.evaluate(() => navigator.serviceWorker.ready);
  // The worker keeps what it is asked for from its first day on.
  await page.reload();
  await fanOf(page).locator(".match").first().waitFor();
  const kept = await page.evaluate(async () => (await (await caches.open("touchline-fan-page")).keys()).map((request) => new URL(request.url).pathname));
  assert.ok(kept.includes("/") && kept.every((path) => path === "/" || /^\/(app|shared|vendor)\//.test(path)), kept.join(" "));
  await context.setOffline(true);
  await page.reload();
  await fanOf(page).locator(".list .failure").waitFor({ timeout: 60_000 });
  assert.equal(await page.locator(".match").count(), 0);
});
