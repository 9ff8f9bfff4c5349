// An operator's whole Saturday beside two fans in the fan page: everything is clicked and typed, and no call is made by the test itself.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LIMIT, ZONE, assertAccessible, comeIn, eventually, fanOf, goTo as fanGoesTo, lineOf, openPage, say, stage } from "./browser.mjs";
import { confirm, goTo, inspect, openConsole, openTab, press, scoreOf, signIn } from "./desk.mjs";

const on = stage();
const DAY = { timeout: 2 * LIMIT.timeout };

/** In so many minutes, as a field for local times has it. */
function inMinutes(minutes) {
  const parts = new Intl.DateTimeFormat("sv-SE", { timeZone: ZONE, dateStyle: "short", timeStyle: "short" });
  return parts.format(new Date(Date.now() + minutes * 60_000)).replace(" ", "T");
}

async function addMatch(page, home, away, minutes) {
  await press(page, "New match …");
  await page.getByLabel("Home").selectOption({ label: home });
  await page.getByLabel("Away").selectOption({ label: away });
  await page.getByLabel("Kick-off").fill(inMinutes(minutes));
  await press(page, "Add the match");
  await page.locator(".versus").getByText(home).waitFor();
  return Number(page.url().match(/#\/matches\/(\d+)/)[1]);
}

/** Comes in beside the others, and is called so from then on. */
async function fanNamed(page, place, name) {
  const fan = fanOf(page, place);
  await comeIn(fan);
  await fanGoesTo(fan, "Me");
  await fan.getByLabel(/^Username/).fill(name);
  await fan.getByRole("button", { name: "Save" }).click();
  await fan.getByText("Saved.").waitFor();
  await fanGoesTo(fan, "Matches");
  return fan;
}

async function pick(fan, match, outcome) {
  await fan.locator(`[data-match="${match}"]`).click();
  await fan.locator(`[data-pick=${outcome}]`).click();
  await fan.locator(`[data-pick=${outcome}][aria-pressed="true"]`).waitFor();
}

const teams = [["Bryncoed", "Port Ellery"], ["Northgate FC", "Bryncoed"]];

// The wide one last: the coins of the first are a minute old by then, and stand in the picture of the money.
for (const [nth, size] of [{ width: 360, colorScheme: "dark" }, { width: 1280, colorScheme: "light" }].entries()) {
  test(`an operator gets through a Saturday, at ${size.width}`, DAY, async (t) => {
    const { context, page, complained } = await openConsole(t, on, size);
    const [ada, ben] = [`ada_of_${size.width}`, `ben_of_${size.width}`];
    const [home, away] = teams[nth];
    let match = 0;
    // A day goes on where it stopped: what stands on a step that failed says nothing.
    let failed = "";
    const step = (name, run) =>
      t.test(name, { skip: failed !== "" && `after: ${failed}` }, async () => {
        failed = name;
        await run();
        failed = "";
      });
    let fans = { ada: null, ben: null };

    await step("in the morning nothing needs a person, and the day's match is added", async () => {
      await signIn(page);
      await page.getByText("Nothing needs a person right now.").waitFor();
      await goTo(page, "Match day");
      match = await addMatch(page, home, away, 45 + 5 * nth);
      await inspect(page, "saturday-match", size);
    });

    const { page: crowd } = await openPage(t, on);
    await step("fans come and predict, and the operator sees it without a press", async () => {
      fans.ada = await fanNamed(crowd, 1, ada);
      await pick(fans.ada, match, "home");
      await crowd.getByRole("button", { name: "Open another fan" }).click();
      fans.ben = await fanNamed(crowd, 2, ben);
      await pick(fans.ben, match, "draw");
      await eventually(() => page.locator(".match .facts div", { hasText: "Picks" }).locator("dd").innerText(), "2", "both picks");
    });

    await step("what a fan said in the room is reported, looked at in its place and taken away", async () => {
      for (const fan of [fans.ada, fans.ben]) await fan.getByRole("button", { name: "Join the room" }).click();
      await fans.ada.locator(".write input").waitFor();
      await say(fans.ada, "Good morning everybody");
      await lineOf(fans.ben, "Good morning everybody").waitFor();
      await say(fans.ben, "A very rude word");
      await lineOf(fans.ada, "A very rude word").hover();
      await fans.ada.getByRole("button", { name: `Report what ${ben} said` }).click();
      await fans.ada.getByLabel("What is wrong with it?").fill("He is rude");
      await assertAccessible(crowd, "reporting");
      await fans.ada.getByRole("button", { name: "Report", exact: true }).click();
      await fans.ada.getByText("Reported. The operators will look at it.").waitFor();
      await goTo(page, "Overview");
      await page.getByRole("link", { name: "1 report is open" }).click();
      await page.getByRole("link", { name: "He is rude" }).waitFor();
      await inspect(page, "reports", size);
      await page.getByRole("link", { name: "He is rude" }).click();
      await page.locator(".talk").getByText("Good morning everybody").waitFor();
      await page.locator(".talk [aria-current]").getByText("A very rude word").waitFor();
      await inspect(page, "report", size);
      await press(page, "Take the message away");
      await confirm(page, "Take the message away");
      await page.locator(".talk [aria-current]").getByText("taken away").waitFor();
      await lineOf(fans.ada, "A very rude word").waitFor({ state: "detached" });
    });

    await step("whoever was rude is mute, and the report is resolved", async () => {
      await press(page, "Mute …");
      await page.getByLabel("For how long").selectOption("10");
      await confirm(page, "Mute for ten minutes");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await say(fans.ben, "Am I still heard?");
      await lineOf(fans.ben, "Am I still heard?").getByText("Not sent").waitFor();
      await press(page, "Resolve …");
      await page.getByLabel("What was done about it").fill("Message taken away, ten minutes of silence");
      await confirm(page, "Resolve …");
      await page.locator(".verdict.good").getByText("ten minutes of silence").waitFor();
      await goTo(page, "Reports");
      await page.getByText("No report is open.").waitFor();
    });

    await step("the match kicks off, and a goal reaches the fans", async () => {
      await goTo(page, "Match day");
      await page.locator(`a[href*="#/matches/${match}"]`).click();
      await press(page, "Start");
      await fans.ada.locator(".match-card .live").waitFor();
      await press(page, `One more for ${home}`);
      await press(page, "Set the score");
      await eventually(() => scoreOf(page), "1–0", "the goal at the desk");
      await eventually(() => fans.ada.locator(".big-score .goals").allInnerTexts(), ["1", "0"], "the goal for the fans");
    });

    await step("the network is cut and comes back, and what was about to be entered is still there", async () => {
      await press(page, `One more for ${away}`);
      await context.setOffline(true);
      await page.getByText("The service does not answer.").waitFor();
      await context.setOffline(false);
      await page.locator(".view > .lost").waitFor({ state: "hidden" });
      await press(page, "Set the score");
      await eventually(() => scoreOf(page), "1–1", "the goal that was entered before");
      await press(page, "Half-time");
      await page.locator(".versus").getByText("half-time").waitFor();
    });

    await step("the program is started anew amid the match, and the day goes on", async () => {
      await on.service.restart(() => page.getByText("The service does not answer.").waitFor());
      await page.locator(".view > .lost").waitFor({ state: "hidden" });
      await press(page, "Second half");
      await press(page, "Finish 1–1 …");
      await page.getByText("What it would change").waitFor();
      await press(page, "Finish for 2 fans");
      await page.locator(".versus").getByText("final").waitFor();
      await fans.ben.locator(".match-card .pill", { hasText: /\+\d points/ }).waitFor();
    });

    await step("the result was wrong, and its correction says first whom it touches", async () => {
      await press(page, `One less for ${away}`);
      await press(page, "Correct to 1–0 …");
      await page.locator(".would").getByText("predictions settled again").waitFor();
      await inspect(page, "saturday-correction", size);
      await press(page, "Correct for 2 fans");
      await eventually(() => scoreOf(page), "1–0", "the correction");
      await fans.ada.locator(".match-card .pill", { hasText: /\+\d points/ }).waitFor();
    });

    await step("a match is postponed without a date, and voided in the end", async () => {
      await goTo(page, "Match day");
      await addMatch(page, away, home, 90 + 5 * nth);
      await press(page, "Postpone …");
      await page.getByLabel("Without a date for now").check();
      await press(page, "Postpone");
      await page.locator(".match .facts").getByText("no date").waitFor();
      await press(page, "Void …");
      await page.getByLabel("Reason").fill("The pitch is under water");
      await press(page, "Void the match");
      await page.locator(".verdict.bad").getByText("The pitch is under water").waitFor();
    });

    await step("a fan is given coins that were missing, and the books agree", async () => {
      await goTo(page, "Users");
      await page.getByRole("searchbox").fill(ada);
      await press(page, "Search");
      await page.getByRole("link", { name: ada }).click();
      await press(page, "Adjust coins …");
      await page.getByLabel("Amount").fill("75");
      await page.getByLabel("Reason").fill("The bonus of yesterday");
      await confirm(page, "Adjust by +75");
      await page.getByRole("link", { name: "Coins" }).click();
      await page.getByRole("cell", { name: "The bonus of yesterday" }).waitFor();
      await goTo(page, "Money");
      await press(page, "Reconcile now");
      await page.getByText("The books agree.").waitFor();
      await page.getByText(/Last reconciled/).waitFor();
      await inspect(page, "money", size, page.getByRole("table", { name: "Coins by day" }));
    });

    await step("whoever goes on being rude is banned for a day", async () => {
      await goTo(page, "Users");
      await page.getByRole("searchbox").fill(ben);
      await press(page, "Search");
      await page.getByRole("link", { name: ben }).click();
      await press(page, "Ban …");
      await page.getByLabel("Reason").fill("Rude again after a warning");
      await confirm(page, "Ban for a day");
      await page.locator(".verdict.bad").getByText("Rude again after a warning").waitFor();
      await fans.ben.getByText("This account is banned.").waitFor();
    });

    await step("the machinery is well, and the log has the whole day", async () => {
      await goTo(page, "Machinery");
      await openTab(page, "Machinery", "Nodes");
      await page.getByRole("table", { name: "Nodes" }).waitFor();
      await inspect(page, "nodes", size);
      await openTab(page, "Machinery", "Messages");
      await page.getByRole("cell", { name: "+44" }).waitFor();
      await inspect(page, "messages", size);
      await goTo(page, "Audit");
      for (const action of ["event.add", "chat.redact", "chat.mute", "chat.resolve", "event.update", "event.result", "event.void", "coins.correct", "coins.reconcile", "user.ban"]) {
        await page.getByLabel("Action begins with").fill(action);
        await press(page, "Filter");
        await page.locator(".list code", { hasText: action }).first().waitFor();
      }
    });

    await step("in the evening nothing needs a person", async () => {
      await goTo(page, "Overview");
      await page.getByText("Nothing needs a person right now.").waitFor();
      const menu = page.getByRole("button", { name: "Menu" });
      if (await menu.isVisible()) await menu.click();
      await press(page, "Sign out");
      await page.getByRole("heading", { name: "Sign in to the console" }).waitFor();
      assert.deepEqual(complained(), []);
    });
  });
}
