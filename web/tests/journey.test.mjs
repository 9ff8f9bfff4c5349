// The fan's whole way, at the width of a desk and of a phone: from a stranger's first look to leaving for good.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { LIMIT, assertAccessible, comeIn, eventually, fanOf, goTo, makeMatch, openPage, stage } from "./browser.mjs";

const on = stage();

for (const width of [1280, 360]) {
  test(`a fan comes in, predicts, talks, collects and leaves at ${width} pixels`, LIMIT, async (t) => {
    const id = await makeMatch(on, `test:journey:${width}`, 60);
    const { page, complaints } = await openPage(t, on, { width });
    const fan = fanOf(page);
    const match = fan.locator(`[data-match="${id}"]`);

    await t.test("a stranger sees what is on, and goals that fall", async () => {
      const live = fan.locator(".match", { has: page.locator(".live") }).first();
      await live.waitFor();
      const shown = Number(await live.getAttribute("data-match"));
      const [home, away] = (await live.locator(".score").allInnerTexts()).map(Number);
      const goal = { event: shown, home_score: home + 1, away_score: away, period: "second_half", minute: 63 };
      const { data } = await on.operator.call("update_event", goal);
      await eventually(() => live.locator(".score").allInnerTexts(), [String(home + 1), String(away)], "the goal");
      await live.getByText("63′").waitFor();
      await fan.locator(".notice.goal", { hasText: `Goal for ${data.home_team.name}!` }).waitFor();
    });

    await t.test("a phone number, a code on the page, one press", async () => {
      await comeIn(fan);
      assert.equal(await fan.locator(".balance").innerText().then((text) => text.replace(/\D/g, "")), "500");
      await page.reload();
      await fan.locator(".balance").waitFor();
    });

    await t.test("a tap is a pick, and the split moves", async () => {
      await goTo(fan, "Matches");
      await match.click();
      await fan.locator("[data-pick=home]").click();
      await fan.locator('[data-pick=home][aria-pressed="true"]').waitFor();
      await fan.getByRole("button", { name: "Add an exact score" }).click();
      await fan.getByRole("button", { name: "One goal more for Bryncoed" }).click();
      await fan.getByText("Your pick is in.").waitFor();
      await eventually(() => fan.locator(".shares .home b").innerText(), "100 %", "the split");
      await eventually(async () => (await on.operator.call("preview_settlement", { event: id, home_score: 2, away_score: 0 })).data.totals[0]?.rule, "exact", "2-0 was predicted");
    });

    await t.test("the goal arrives by itself, and points and rank with the end", async () => {
      await on.operator.call("update_event", { event: id, status: "live", home_score: 1, away_score: 0, period: "first_half", minute: 12 });
      await eventually(() => fan.locator(".big-score .goals").allInnerTexts(), ["1", "0"], "the goal");
      await fan.locator(".match-card .live", { hasText: "12′" }).waitFor();
      await fan.locator(".match-card").getByText("Picks closed at kick-off.").waitFor();
      await on.operator.call("enter_result", { event: id, home_score: 2, away_score: 0 });
      await fan.locator(".match-card .pill", { hasText: "+6 points" }).waitFor();
      await fan.getByText("Exact score").waitFor();
      await goTo(fan, "Table");
      await fan.locator(".table tr[aria-current] td").last().getByText("6", { exact: true }).waitFor();
    });

    await t.test("coins are claimed and spent, and every movement is listed", async () => {
      await goTo(fan, "Me");
      await fan.locator(".claim").last().click();
      await fan.getByText("Daily bonus").waitFor();
      await fan.getByRole("button", { name: "Spend 25" }).click();
      await eventually(() => fan.locator(".balance").innerText().then((text) => text.replace(/\D/g, "")), "525", "500 + 50 - 25");
      await fan.getByText("A sticker").waitFor();
    });

    await t.test("teams, profile and sessions", async () => {
      await fan.getByRole("searchbox", { name: "Find a team" }).fill("north");
      await fan.getByRole("button", { name: "My team: Northgate FC" }).click();
      await fan.locator('[aria-label="My team: Northgate FC"][aria-pressed="true"]').waitFor();
      await fan.getByRole("button", { name: "Also follow: Northgate FC" }).click();
      await fan.locator('[aria-label="Also follow: Northgate FC"][aria-pressed="true"]').waitFor();
      await fan.getByLabel("Email").fill("nobody");
      await fan.getByLabel("Date of birth").fill("2020-01-01");
      await fan.getByRole("textbox", { name: "Name", exact: true }).fill("Ada");
      await fan.getByLabel("Email").fill("ada@example.org");
      await fan.getByRole("button", { name: "Save" }).click();
      await fan.locator(".wrong").waitFor();
      await fan.getByLabel("Date of birth").fill("1990-05-01");
      await fan.getByLabel(/^Username/).fill(`ada_${width}`);
      await fan.getByRole("button", { name: "Save" }).click();
      await fan.getByText("Saved.").waitFor();
      await fan.getByText("This one").waitFor();
      await assertAccessible(page, "the account");
    });

    await t.test("a room of one's own", async () => {
      await goTo(fan, "Rooms");
      const form = fan.getByRole("group", { name: "New room" });
      await form.getByLabel("Name").fill(`Away end ${width}`);
      await form.getByLabel("Topic").fill("Trains, tickets, songs");
      await form.getByRole("button", { name: "Make the room" }).click();
      await fan.locator(".write input").waitFor();
      await fan.locator(".write input").fill("First!");
      await fan.getByRole("button", { name: "Send", exact: true }).click();
      await fan.locator(".lines .text", { hasText: "First!" }).waitFor();
    });

    await t.test("two fans beside each other hear each other", async () => {
      await page.getByRole("button", { name: "Open another fan" }).click();
      const other = fanOf(page, 2);
      await comeIn(other);
      await goTo(other, "Rooms");
      await other.getByRole("searchbox", { name: "Find a room" }).fill(`away end ${width}`);
      await other.locator("a.item", { hasText: `Away end ${width}` }).click();
      await other.getByRole("button", { name: "Join the room" }).click();
      await other.locator(".lines .text", { hasText: "First!" }).waitFor();
      await other.locator(".write input").fill("Second!");
      await other.getByRole("button", { name: "Send", exact: true }).click();
      if (width < 500) await page.getByRole("button", { name: "Fan 1" }).click();
      await fan.locator(".lines .text", { hasText: "Second!" }).waitFor();
      await assertAccessible(page, "two fans");
      if (width < 500) await page.getByRole("button", { name: "Fan 2" }).click();
      await other.getByRole("button", { name: "Close this fan" }).click();
    });

    await t.test("the drawer has every call as curl and as JavaScript", async () => {
      await page.getByRole("button", { name: /What just happened|Calls/ }).click();
      const drawer = page.locator(".drawer");
      await drawer.getByRole("button", { name: /POST .*auth\/chat-room ·/ }).click();
      const [curl, script] = await drawer.locator("pre").allInnerTexts();
      assert.match(curl, /^curl -s "\$BASE\/api\/auth\/chat-room"/);
      assert.match(script, /touchline\.call\("create_chat_room"/);
      await assertAccessible(page, "the drawer");
      await page.keyboard.press("Escape");
      await drawer.waitFor({ state: "detached" });
    });

    await t.test("everything is taken along, then the account is gone", async () => {
      await goTo(fan, "Me");
      const [file] = await Promise.all([page.waitForEvent("download"), fan.getByRole("button", { name: "Download everything" }).click()]);
      const taken = JSON.parse(await readFile(await file.path(), "utf8"));
      assert.match(JSON.stringify(taken), /ada@example\.org/);
      await fan.getByRole("button", { name: "Leave for good" }).click();
      await fan.getByText(`This deletes ada_${width} for good`).waitFor();
      await fan.getByRole("button", { name: "Delete my account" }).click();
      await fan.locator(".balance").waitFor({ state: "detached" });
      await fan.locator(".match").first().waitFor();
    });
    // The browser itself notes the profile that was refused on purpose.
    assert.deepEqual(complaints.filter((text) => !text.includes("status of 422")), []);
  });
}
