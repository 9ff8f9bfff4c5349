// The program goes away and is started again while fans look on and talk.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LIMIT, comeIn, eventually, fanOf, goTo, joinRoom, lineOf, makeMatch, openPage, say, scoresOf, stage, tryOnlyWhenWoken } from "./browser.mjs";

const on = stage();

test("a restart of the program is survived by everybody who is in, and by what they said meanwhile", LIMIT, async (t) => {
  const id = await makeMatch(on, "test:restart", -10, { status: "live", home_score: 0, away_score: 0 });
  const [{ page: looking }, { page: talking }] = await Promise.all([openPage(t, on), openPage(t, on)]);
  const [first, second, talker] = [fanOf(looking), fanOf(looking, 2), fanOf(talking)];
  await comeIn(first);
  await looking.getByRole("button", { name: "Open another fan" }).click();
  await comeIn(second);
  await comeIn(talker);
  await joinRoom(talker, id);
  await say(talker, "Before");
  await lineOf(talker, "Before").waitFor();
  await Promise.all([tryOnlyWhenWoken(looking), tryOnlyWhenWoken(talking)]);
  await on.service.restart(async () => {
    await say(talker, "Meanwhile");
    await lineOf(talker, "Meanwhile").getByText("Not sent yet").waitFor();
    await say(talker, "And more");
    await lineOf(talker, "And more").waitFor();
    await eventually(() => looking.evaluate(() => window.waits), 2, "both who look wait");
    assert.equal(await looking.locator(".fresh.stale").count(), 2);
  });
  await on.operator.call("update_event", { event: id, home_score: 0, away_score: 1 });
  await first.getByRole("button", { name: "try now" }).click();
  await first.locator(".fresh .dot.good").waitFor();
  await second.locator(".fresh.stale").waitFor();
  // As a browser does when somebody comes back to its tab.
  await looking.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await second.locator(".fresh .dot.good").waitFor();
  // One call that is answered wakes all else: the stream, the room, and what waits to be sent.
  await goTo(talker, "Table");
  await talker.locator(".fresh .dot.good").waitFor();
  await goTo(talker, "Matches");
  await talker.locator(`[data-match="${id}"]`).click();
  for (const fan of [first, second, talker]) await eventually(() => scoresOf(fan, id), ["0", "1"], "after");
  await eventually(() => talker.locator(".lines .text").allInnerTexts(), ["Before", "Meanwhile", "And more"], "said once each, in order");
  await talking.reload();
  await eventually(() => talker.locator(".lines .text").allInnerTexts(), ["Before", "Meanwhile", "And more"], "as the room has it");
});
