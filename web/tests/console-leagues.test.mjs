// Leagues at the console: found, given another name, closed, and what a viewer is not offered.
import assert from "node:assert/strict";
import { test } from "node:test";
import { OPERATOR_TOKEN } from "../../clients/js/test/service.mjs";
import { LIMIT, assertAccessible, eventually, stage } from "./browser.mjs";
import * as desk from "./desk.mjs";
import { confirm, goTo, inspect, press, signIn } from "./desk.mjs";

const on = stage();
const openConsole = (t, options, hash) => desk.openConsole(t, on, options, hash);
const fan = (phone, username) => desk.makeFan(on, phone, username);
const tokenOf = async (name, role) => (await on.operator.call("add_operator", { name, role })).data.token;
const rowOf = (page, name) => page.getByRole("table", { name: "Leagues" }).getByRole("row").filter({ hasText: name });

/** A league of a fan's, as an app makes it. */
async function makeLeague({ client }, name, fields = {}) {
  const { data: tournaments } = await client.call("list_tournaments");
  return (await client.call("create_league", { name, tournament_ids: [tournaments[0].id], ...fields })).data;
}

for (const [at, size] of [{ width: 1280, colorScheme: "light" }, { width: 360, colorScheme: "light" }, { width: 1280, colorScheme: "dark" }, { width: 360, colorScheme: "dark" }].entries()) {
  test(`a moderator finds a league, gives it another name and closes it, and the log has both, at ${size.width}, ${size.colorScheme}`, LIMIT, async (t) => {
    const [lara, milo] = [await fan(`+44770090010${at}`, `lara_fan${at}`), await fan(`+44770090011${at}`, `milo_fan${at}`)];
    const league = await makeLeague(lara, `Office rogues ${at}`, { scoring: "kicktipp", has_chat: true });
    await milo.client.call("join_league_by_code", { code: league.code });
    await makeLeague(milo, `Everybody's office ${at}`, { is_public: true });
    const { page, complained } = await openConsole(t, size);
    await signIn(page, await tokenOf(`mona${at}`, "moderator"));
    await goTo(page, "Leagues");
    await page.getByLabel("Find a league").fill("OFFICE");
    await press(page, "Search");
    await page.waitForURL(/#\/leagues\?q=OFFICE$/);
    await rowOf(page, `Everybody's office ${at}`).getByText("public · scoring: as its tournaments · no chat").waitFor();
    await inspect(page, "leagues", size);
    await page.getByLabel("Find a league").fill(`rogues ${at}`);
    await press(page, "Search");
    await rowOf(page, `Everybody's office ${at}`).waitFor({ state: "detached" });
    const row = rowOf(page, `#${league.id}`);
    await row.getByText("by code · scoring: Kicktipp · chat").waitFor();
    assert.equal(await row.locator("td.num").innerText(), "2");
    assert.equal(await row.getByRole("link", { name: `lara_fan${at}` }).getAttribute("href"), `#/users/${lara.id}`);

    await row.getByRole("button", { name: "Rename …" }).click();
    const dialog = page.getByRole("dialog", { name: `Give Office rogues ${at} another name` });
    await dialog.getByText("2 members see the new name at once. The owner can change it again.").waitFor();
    assert.ok(await dialog.getByRole("button", { name: "Rename" }).isDisabled(), "not before it is another name");
    await dialog.getByLabel("Name").fill(`Reformed rogues ${at}`);
    await inspect(page, "league-rename", size);
    await confirm(page, "Rename");
    await row.getByText(`Reformed rogues ${at}`).waitFor();
    assert.equal((await lara.client.call("show_league", { league: league.id })).data.name, `Reformed rogues ${at}`);

    await row.getByRole("button", { name: "Close …" }).click();
    const question = page.getByRole("dialog", { name: `Close Reformed rogues ${at}` });
    await question.getByText("It ends for 2 members: nobody joins, nothing counts any more, and the table stays. Its chat goes on. This cannot be undone.").waitFor();
    assert.ok(await question.getByRole("button", { name: "Close for 2 members" }).isDisabled(), "not without a reason");
    await question.getByLabel("Reason").fill("Sells tickets");
    await inspect(page, "league-close", size);
    await confirm(page, "Close for 2 members");
    await page.getByText(`No open league has “rogues ${at}” in its name.`).waitFor();
    await inspect(page, "no-league", size);
    assert.notEqual((await lara.client.call("show_league", { league: league.id })).data.closed_at, null);
    await page.getByRole("link", { name: "Show all" }).click();
    await page.waitForURL(/q=rogues\+\d&show=all$/);
    await row.waitFor();
    assert.equal(await row.locator("time").count(), 2, "since when, and closed when");
    assert.deepEqual(await row.getByRole("button").allInnerTexts(), ["Rename …"]);
    await page.getByRole("searchbox").fill("");
    await press(page, "Search");
    await page.waitForURL(/#\/leagues\?show=all$/);
    await rowOf(page, `Everybody's office ${at}`).waitFor();
    await inspect(page, "leagues-all", size);
    await page.goBack();
    await rowOf(page, `Everybody's office ${at}`).waitFor({ state: "detached" });
    assert.equal(await page.getByRole("searchbox").inputValue(), `rogues ${at}`);

    await row.getByRole("link", { name: `#${league.id}` }).click();
    await page.getByText("2 entries").waitFor();
    const log = page.getByRole("table", { name: "Audit" });
    await log.getByRole("row").filter({ hasText: "league.rename" }).locator("ins", { hasText: `Reformed rogues ${at}` }).waitFor();
    const closing = log.getByRole("row").filter({ hasText: "league.close" });
    await closing.getByText(`mona${at}`).waitFor();
    await closing.getByRole("button", { name: "more" }).click();
    await closing.getByText("Sells tickets").waitFor();
    assert.deepEqual(complained(), []);
  });
}

test("a viewer sees leagues and is offered neither another name nor the end of one", LIMIT, async (t) => {
  await makeLeague(await fan("+447700900120", "nora_fan"), "Only to look at");
  const { page, complained } = await openConsole(t, {}, "#/leagues?q=look");
  await signIn(page, await tokenOf("vito", "viewer"));
  await rowOf(page, "Only to look at").waitFor();
  assert.equal(await page.getByRole("searchbox").inputValue(), "look");
  assert.equal(await page.locator(".view table").getByRole("button").count(), 0);
  await assertAccessible(page, "leagues as a viewer sees them");
  assert.deepEqual(complained(), []);
});

test("what is typed while a search for leagues is under way stays, and going back shows what was searched before", LIMIT, async (t) => {
  const { page } = await openConsole(t, {}, "#/leagues");
  await signIn(page);
  const field = page.getByLabel("Find a league");
  await field.fill("first");
  await field.evaluate((input) => {
    input.form.requestSubmit();
    // Before the address has changed, as quick fingers do on a busy machine.
    input.value = "second";
    input.dispatchEvent(new InputEvent("input", { bubbles: true }));
  });
  await page.getByText("No open league has “first” in its name.").waitFor();
  assert.equal(await field.inputValue(), "second");
  await page.goBack();
  await eventually(() => field.inputValue(), "", "the search before");
});

test("a league that somebody else closes meanwhile is said to be closed, and what was typed is still there", LIMIT, async (t) => {
  const league = await makeLeague(await fan("+447700900121", "olga_fan"), "Closed by two");
  const { page } = await openConsole(t, {}, "#/leagues?q=by+two");
  await signIn(page);
  await rowOf(page, "Closed by two").getByRole("button", { name: "Close …" }).click();
  await page.getByLabel("Reason").fill("Typed before");
  await on.operator.call("end_league", { league: league.id, reason: "Was quicker" });
  // Wakes the page, as coming back to its tab does.
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await rowOf(page, "Closed by two").waitFor({ state: "detached" });
  assert.equal(await page.getByLabel("Reason").inputValue(), "Typed before");
  await confirm(page, "Close for 1 member");
  await page.getByRole("dialog").getByText("This league is closed.").waitFor();
  await page.getByRole("dialog").getByText("Request id").waitFor();
});

test("many leagues come in pages, the largest first", LIMIT, async (t) => {
  const [petra, quinn, rita] = [await fan("+447700900122", "petra_fan"), await fan("+447700900123", "quinn_fan"), await fan("+447700900127", "rita_fan")];
  for (let nth = 0; nth < 7; nth += 1) for (const one of [petra, quinn, rita]) await makeLeague(one, `Paged ${nth}`);
  const large = await makeLeague(petra, "Paged and large");
  await quinn.client.call("join_league_by_code", { code: large.code });
  const { page, complained } = await openConsole(t, {}, "#/leagues?q=paged");
  await signIn(page);
  await page.getByText("Page 1 of 2 · 22 in all").waitFor();
  await page.locator(".view tbody tr").first().getByText("Paged and large").waitFor();
  await page.getByRole("link", { name: "Smaller" }).click();
  await page.waitForURL(/q=paged&page=2$/);
  await eventually(() => page.locator(".view tbody tr").count(), 2, "the second page");
  await assertAccessible(page, "the second page");
  await page.goto(`${on.service.baseUrl}/console#/leagues?q=paged&page=3`);
  await page.locator(".empty").getByRole("link", { name: "Show all" }).waitFor();
  assert.deepEqual(complained(), []);
});

test("leagues that cannot be read are said to be so, with the request id, and are tried again", LIMIT, async (t) => {
  await makeLeague(await fan("+447700900124", "rosa_fan"), "Read at last");
  const { page } = await openConsole(t, {}, "#/leagues?q=at+last");
  const refused = { status: 500, json: { code: "internal", message: "Something went wrong here.", request_id: "req_of_the_leagues" } };
  // Until the press, however often the page reads again by itself.
  await page.evaluate(() => addEventListener("click", ({ target }) => (window.isPressed ||= target.textContent === "Try again"), true));
  await page.route("**/api/admin/leagues?*", async (route) => ((await page.evaluate(() => window.isPressed)) ? route.continue() : route.fulfill(refused)));
  await signIn(page);
  await page.getByText("req_of_the_leagues").waitFor();
  await assertAccessible(page, "leagues that cannot be read");
  await press(page, "Try again");
  await rowOf(page, "Read at last").waitFor();
  await page.getByText("req_of_the_leagues").waitFor({ state: "detached" });
});

for (const width of [1280, 360]) {
  test(`leagues are dealt with in German, at ${width}`, LIMIT, async (t) => {
    await makeLeague(await fan(`+447700900${width === 360 ? 125 : 126}`, `sven_fan${width}`), `Donaudampfschifffahrtsgesellschaftskapitänskollegenkreis${width}`, { has_chat: true });
    const { page } = await openConsole(t, { width, locale: "de-DE" }, `#/leagues?show=all&q=kollegenkreis${width}`);
    await page.getByLabel("Token").fill(OPERATOR_TOKEN);
    await page.getByRole("button", { name: "Anmelden", exact: true }).click();
    await page.getByRole("button", { name: "Schließen …" }).click();
    await page.getByText("Ihr Chat geht weiter.").waitFor();
    await inspect(page, "liga", { width, colorScheme: "light" });
    assert.equal(await page.getByRole("dialog").evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth), 0, "a long name is within the question");
    await confirm(page, "Abbrechen");
    await inspect(page, "ligen", { width, colorScheme: "light" });
    assert.equal(await page.locator(".scroll").evaluate((list) => list.scrollWidth - list.clientWidth), 0, "and within the list");
  });
}
