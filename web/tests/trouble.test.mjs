// The network goes away and comes back, answers are lost, a session ends: what is shown says so, and goes on.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LIMIT, comeIn, eventually, fanOf, goTo, joinRoom, lineOf, makeMatch, openPage, say, scoresOf, stage, tryOnlyWhenWoken } from "./browser.mjs";

const on = stage();

test("goals that fell without a network are there when it is back", LIMIT, async (t) => {
  const id = await makeMatch(on, "test:cut", -10, { status: "live", home_score: 0, away_score: 0 });
  const { page, context } = await openPage(t, on);
  const fan = fanOf(page);
  await comeIn(fan);
  await eventually(() => scoresOf(fan, id), ["0", "0"], "before");
  await tryOnlyWhenWoken(page);
  await context.setOffline(true);
  await page.getByText("You are offline.").waitFor();
  await on.operator.call("update_event", { event: id, home_score: 1, away_score: 0 });
  await on.operator.call("update_event", { event: id, home_score: 1, away_score: 1 });
  // What can be opened without a network can; what cannot says so and can be tried again.
  await goTo(fan, "Rooms");
  await fan.locator(".failure").first().waitFor();
  await context.setOffline(false);
  await page.getByText("You are offline.").waitFor({ state: "hidden" });
  await fan.locator(".fresh .dot.good").waitFor();
  await fan.getByRole("button", { name: "Try again" }).first().click();
  await fan.locator("a.item").first().waitFor();
  await goTo(fan, "Matches");
  await eventually(() => scoresOf(fan, id), ["1", "1"], "after");
});

test("what a fan says is there at once, once, and in its order, whatever becomes of it", LIMIT, async (t) => {
  const id = await makeMatch(on, "test:echo", -10, { status: "live", home_score: 0, away_score: 0 });
  const { page } = await openPage(t, on);
  const fan = fanOf(page);
  await comeIn(fan);
  await joinRoom(fan, id);
  let onSending = (route) => route.continue();
  await page.route("**/send/m.room.message/**", (route) => onSending(route));
  const said = () => fan.locator(".lines .text").allInnerTexts();
  const isSettled = async () => (await fan.locator(".lines .sending, .lines .waiting, .lines .refused").count()) === 0;

  await t.test("while it is sent", async () => {
    let send;
    const isHeld = new Promise((resolve) => (onSending = (route) => resolve((send = () => route.continue()))));
    await say(fan, "One");
    await say(fan, "Two");
    await isHeld;
    await lineOf(fan, "One").getByText("sending").waitFor();
    await lineOf(fan, "Two").getByText("sending").waitFor();
    onSending = (route) => route.continue();
    send();
    await eventually(isSettled, true, "both are sent");
    assert.deepEqual(await said(), ["One", "Two"]);
  });

  await t.test("when the answer is lost, but the room has it", async () => {
    await tryOnlyWhenWoken(page);
    onSending = async (route) => {
      await route.fetch();
      await route.abort();
    };
    await say(fan, "Three");
    await eventually(async () => (await isSettled()) && (await said()), ["One", "Two", "Three"], "the room tells it");
  });

  await t.test("when it is refused", async () => {
    onSending = (route) => route.fulfill({ status: 403, json: { errcode: "M_FORBIDDEN", error: "You are muted." } });
    await say(fan, "Four");
    await say(fan, "Five");
    await lineOf(fan, "Four").getByText("Not sent: You are muted.").waitFor();
    await lineOf(fan, "Five").getByText("Not sent: You are muted.").waitFor();
    onSending = (route) => route.continue();
    await lineOf(fan, "Four").getByRole("button", { name: "Discard" }).click();
    await lineOf(fan, "Five").getByRole("button", { name: "Try again" }).click();
    await eventually(isSettled, true, "one is gone, one is sent");
    assert.deepEqual(await said(), ["One", "Two", "Three", "Five"]);
  });

  await page.reload();
  await eventually(said, ["One", "Two", "Three", "Five"], "as the room has it");
});

test("a session that was ended elsewhere shows the door, and the matches go on", LIMIT, async (t) => {
  const { page } = await openPage(t, on);
  const fan = fanOf(page);
  await comeIn(fan);
  const token = await page.evaluate(() => JSON.parse(sessionStorage.getItem("touchline-fan-1")).token);
  await fetch(`${on.service.baseUrl}/api/auth/logout`, { method: "POST", headers: { authorization: `Bearer ${token}` } });
  await fan.locator(".come-in").waitFor();
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
  // The list may be answered from there for two seconds, for which it is new.
  await (await context.newCDPSession(page)).send("Network.clearBrowserCache");
  await page.reload();
  await fanOf(page).locator(".list .failure").waitFor();
  assert.equal(await page.locator(".match").count(), 0);
});
