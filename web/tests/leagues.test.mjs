// Leagues on the fan page: making one, the link that asks to join it, its table, its members and running it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LIMIT, assertAccessible, comeIn, eventually, fanOf, goTo, makeMatch, openPage, openPageOf, somebodyNew, stage } from "./browser.mjs";

const on = stage();
const somebody = () => somebodyNew(on);
const openAs = (t, ...rest) => openPageOf(t, on, ...rest);

/** A league of the demo's first tournament. */
async function makeLeague(owner, fields) {
  const { data } = await owner.call("list_tournaments", { search: "harbour" });
  return (await owner.call("create_league", { tournament_ids: [data[0].id], ...fields })).data;
}

const group = (fan, name) => fan.getByRole("group", { name, exact: true });
const namesIn = (fan) => group(fan, "League").locator("tbody .name").allInnerTexts();
const nameOf = (fan) => fan.locator(".own-face .hidden").innerText();

/** Makes a league on the page, with what the form has beside the name. */
async function makeOnPage(fan, name) {
  await goTo(fan, "Table");
  await fan.getByRole("link", { name: "Make a league" }).click();
  const form = group(fan, "New league");
  await form.getByRole("textbox", { name: "Name" }).fill(name);
  await form.getByRole("checkbox", { name: "Harbour League" }).check();
  await form.getByRole("button", { name: "Make the league" }).click();
  await group(fan, "League").getByRole("heading", { name }).waitFor();
}

/** Opens what can be done about a member. */
async function about(fan, who) {
  await group(fan, "Members").getByRole("button", { name: `What to do about ${who}` }).click();
}

test("a fan makes a league, another opens its link, logs in and joins, and both see both in the table", LIMIT, async (t) => {
  const first = await openPage(t, on);
  const owner = fanOf(first.page);
  await comeIn(owner);
  await makeOnPage(owner, "Office league");
  const link = await owner.getByRole("textbox", { name: "Link" }).inputValue();
  assert.match(link, /\/\?league=[2-9A-Z]{10}$/);

  const second = await openPage(t, on, { width: 360, hash: new URL(link).search });
  const guest = fanOf(second.page);
  await guest.getByText("You are invited to a league.").waitFor();
  await comeIn(guest);
  await guest.getByRole("heading", { name: "Join Office league?" }).waitFor();
  await guest.getByText("1 member · Harbour League").first().waitFor();
  await guest.getByRole("button", { name: "Join the league" }).click();
  const both = [await nameOf(owner), await nameOf(guest)].sort();
  await eventually(async () => (await namesIn(guest)).sort(), both, "the guest's table");
  assert.equal(new URL(second.page.url()).search, "", "the code is out of the address");
  await first.page.reload();
  await eventually(async () => (await namesIn(owner)).sort(), both, "the owner's table");
});

test("the owner makes a member deputy, hands the league over and leaves", LIMIT, async (t) => {
  const [owner, other] = [await somebody(), await somebody()];
  const league = await makeLeague(owner, { name: "Handed on" });
  await other.call("join_league_by_code", { code: league.code });
  const { fan, page } = await openAs(t, owner, `#league/${league.id}`);
  const heir = (await other.session()).user.username;
  const roleOf = async (who) => (await owner.call("list_league_members", { league: league.id })).data.find(({ user }) => user.username === who)?.role;
  await fan.getByText("To leave, hand the league over").waitFor();
  await about(fan, heir);
  await fan.getByRole("button", { name: "Make deputy" }).click();
  await group(fan, "Members").getByText("deputy", { exact: true }).waitFor();
  assert.equal(await roleOf(heir), "deputy");
  await about(fan, heir);
  await fan.getByRole("button", { name: "Hand over …" }).click();
  await fan.getByRole("alertdialog").getByText(`The league is ${heir}'s then`).waitFor();
  await fan.getByRole("button", { name: "Hand the league over" }).click();
  await group(fan, "This league").getByText("deputy", { exact: true }).waitFor();
  assert.equal(await roleOf(heir), "owner");
  await fan.getByRole("button", { name: "Leave …" }).click();
  await fan.getByRole("button", { name: "Leave the league" }).click();
  await fan.getByText("You are in no league yet.").waitFor();
  assert.equal(new URL(page.url()).hash, "#table");
});

test("a wrong code in a link is told clearly", LIMIT, async (t) => {
  const { page } = await openPage(t, on, { hash: "?league=WRNGC2DE34" });
  const fan = fanOf(page);
  await comeIn(fan);
  await fan.getByText("There is no league with the code WRNGC2DE34.").waitFor();
  await fan.getByRole("button", { name: "To your leagues" }).click();
  await fan.getByText("You are in no league yet.").waitFor();
  assert.equal(new URL(page.url()).search, "");
});

test("a code that is typed with small letters and hyphens leads to the same question", LIMIT, async (t) => {
  const league = await makeLeague(await somebody(), { name: "Typed in" });
  const { fan } = await openAs(t, await somebody(), "#table");
  await fan.getByRole("textbox", { name: "Join with a code" }).fill(`${league.code.slice(0, 5)}-${league.code.slice(5)}`.toLowerCase());
  await fan.getByRole("button", { name: "Go on" }).click();
  await fan.getByRole("heading", { name: "Join Typed in?" }).waitFor();
});

test("whoever does not want to join now is asked no more", LIMIT, async (t) => {
  const league = await makeLeague(await somebody(), { name: "Perhaps later" });
  const { fan, page } = await openAs(t, await somebody(), `?league=${league.code}#me`);
  await fan.getByRole("button", { name: "Not now" }).click();
  await fan.getByText("You are in no league yet.").waitFor();
  assert.equal(new URL(page.url()).search, "");
});

test("the question of a link waits while a stranger looks at a match first", LIMIT, async (t) => {
  const league = await makeLeague(await somebody(), { name: "Patient" });
  const { page } = await openPage(t, on, { hash: `?league=${league.code}` });
  const fan = fanOf(page);
  await fan.locator(".match").nth(1).click();
  await fan.locator(".match[aria-current]").waitFor();
  await comeIn(fan);
  await fan.getByRole("heading", { name: "Join Patient?" }).waitFor();
});

test("the link of a league of one's own opens the league", LIMIT, async (t) => {
  const owner = await somebody();
  const league = await makeLeague(owner, { name: "Our own" });
  const { fan, username } = await openAs(t, owner, `?league=${league.code}`);
  await fan.getByText("You are in Our own already.").waitFor();
  await fan.getByRole("button", { name: "Open the league" }).click();
  await eventually(() => namesIn(fan), [username], "the table");
});

test("the link is copied with one press", LIMIT, async (t) => {
  const owner = await somebody();
  const league = await makeLeague(owner, { name: "Copied" });
  const { fan, page, context } = await openAs(t, owner, `#league/${league.id}`);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await fan.getByRole("button", { name: "Copy the link" }).click();
  await fan.getByRole("button", { name: "Copied" }).waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), new RegExp(`/\\?league=${league.code}$`));
});

test("where the browser can share, the link is shared by the browser", LIMIT, async (t) => {
  const owner = await somebody();
  const league = await makeLeague(owner, { name: "Shared" });
  const { fan, page } = await openAs(t, owner, "#me");
  await page.addInitScript(() => {
    navigator.share = async (what) => void (window.shared = what.url);
  });
  await page.goto(`${on.service.baseUrl}/#league/${league.id}`);
  await page.reload();
  await fan.getByRole("button", { name: "Share" }).click();
  await eventually(async () => (await page.evaluate(() => window.shared))?.endsWith(`/?league=${league.code}`), true, "what was shared");
});

test("a public league is found by its name and joined", LIMIT, async (t) => {
  await makeLeague(await somebody(), { name: "Zebra stand", is_public: true });
  const { fan, username } = await openAs(t, await somebody(), "#league-find");
  await fan.getByRole("searchbox", { name: "Search by name" }).fill("zebra");
  await fan.getByRole("button", { name: "Join: Zebra stand" }).click();
  await eventually(async () => (await namesIn(fan)).includes(username), true, "the table");
});

test("points come into the table by themselves, and the week has its winner", LIMIT, async (t) => {
  const [winner, loser] = [await somebody(), await somebody()];
  const league = await makeLeague(winner, { name: "Counted", scoring: "premier_league" });
  await loser.call("join_league_by_code", { code: league.code });
  const event = await makeMatch(on, "test:leagues:counted", 60);
  await winner.call("create_prediction", { event_id: event, prediction: "home", score_prediction: { home: 2, away: 0 } });
  await loser.call("create_prediction", { event_id: event, prediction: "away" });
  const { fan, username } = await openAs(t, winner, `#league/${league.id}`);
  const points = () => group(fan, "League").locator("tbody td:last-child").allInnerTexts();
  await eventually(points, ["0", "0"], "before the result");
  await on.operator.call("enter_result", { event, home_score: 2, away_score: 0 });
  await eventually(points, ["10", "0"], "after the result");
  await group(fan, "Weeks").getByRole("link", { name: new RegExp(`${username} · 10 points`) }).click();
  await eventually(() => group(fan, "League").getByRole("combobox", { name: "Week" }).inputValue().then((week) => week !== ""), true, "the week");
  await eventually(points, ["10", "0"], "the week's table");
});

test("a long table has pages, and shows me where I am", LIMIT, async (t) => {
  const owner = await somebody();
  const league = await makeLeague(owner, { name: "Crowd" });
  const event = await makeMatch(on, "test:leagues:crowd", 60);
  for (let times = 0; times < 20; times += 1) {
    const member = await somebody();
    await member.call("join_league_by_code", { code: league.code });
    await member.call("create_prediction", { event_id: event, prediction: "draw" });
  }
  await on.operator.call("enter_result", { event, home_score: 1, away_score: 1 });
  await eventually(async () => (await owner.call("show_league_table", { league: league.id })).meta.me.rank, 21, "the owner is last");
  const { fan, username } = await openAs(t, owner, `#league/${league.id}`);
  await fan.getByText("1–20 of 21").waitFor();
  await fan.getByRole("button", { name: "Where am I?" }).click();
  await eventually(() => namesIn(fan), [username], "the second page");
});

test("somebody who is removed for good stays out until they are let in again", LIMIT, async (t) => {
  const [owner, other] = [await somebody(), await somebody()];
  const league = await makeLeague(owner, { name: "Shut" });
  await other.call("join_league_by_code", { code: league.code });
  const { fan } = await openAs(t, owner, `#league/${league.id}`);
  const who = (await other.session()).user.username;
  await about(fan, who);
  await fan.getByRole("button", { name: "Remove for good …" }).click();
  await fan.getByRole("alertdialog").getByText("cannot join again").waitFor();
  await fan.getByRole("button", { name: "Remove for good", exact: true }).click();
  await fan.getByText(`${who} is shut out.`).waitFor();
  await assert.rejects(other.call("join_league_by_code", { code: league.code }), { code: "not_welcome" });
  await fan.getByRole("button", { name: "Let in again" }).click();
  await fan.getByText(`${who} may join again.`).waitFor();
  await other.call("join_league_by_code", { code: league.code });
});

test("a deputy removes members and takes a new code, and nothing else", LIMIT, async (t) => {
  const [owner, deputy, member] = [await somebody(), await somebody(), await somebody()];
  const league = await makeLeague(owner, { name: "Second in line" });
  for (const one of [deputy, member]) await one.call("join_league_by_code", { code: league.code });
  await owner.call("set_league_role", { league: league.id, user_id: (await deputy.session()).user.id, role: "deputy" });
  const { fan } = await openAs(t, deputy, `#league/${league.id}`);
  const who = (await member.session()).user.username;
  await about(fan, who);
  assert.deepEqual(await group(fan, "Members").getByRole("button").allInnerTexts(), ["⋯", "Remove …", "Remove for good …"]);
  await fan.getByRole("button", { name: "New code …" }).click();
  await fan.getByRole("button", { name: "Take a new code" }).click();
  await eventually(async () => (await fan.getByRole("textbox", { name: "Link" }).inputValue()).endsWith(league.code), false, "another code");
  await assert.rejects(member.call("show_league_of_code", { code: league.code }), { status: 404 });
  assert.deepEqual(await group(fan, "This league").getByRole("button").allInnerTexts(), ["Leave …"]);
});

test("the owner changes a league, then closes it after having read what that means", LIMIT, async (t) => {
  const owner = await somebody();
  const league = await makeLeague(owner, { name: "Before" });
  const { fan } = await openAs(t, owner, `#league/${league.id}`);
  await fan.getByRole("button", { name: "Change …" }).click();
  await group(fan, "This league").getByRole("textbox", { name: "Name" }).fill("After");
  await fan.getByRole("combobox", { name: "Points" }).selectOption("super6");
  await fan.getByRole("button", { name: "Save" }).click();
  await group(fan, "League").getByRole("heading", { name: "After" }).waitFor();
  await group(fan, "League").getByText("Super 6").waitFor();
  await fan.getByRole("button", { name: "Close …" }).click();
  await fan.getByText("For its one member the league ends").waitFor();
  await fan.getByRole("button", { name: "Close the league" }).click();
  await fan.getByText("This league is closed").waitFor();
  await group(fan, "Invite friends").waitFor({ state: "detached" });
});

test("whoever left a league's chat room comes in again, and talks there", LIMIT, async (t) => {
  const owner = await somebody();
  const league = await makeLeague(owner, { name: "Talkers", has_chat: true });
  const { fan } = await openAs(t, owner, `#league/${league.id}`);
  await fan.getByRole("link", { name: "Open the chat room" }).click();
  await fan.getByRole("button", { name: "Leave this room" }).click();
  await goTo(fan, "Table");
  await fan.getByRole("link", { name: /Talkers/ }).click();
  await fan.getByRole("button", { name: "Come in again" }).click();
  await fan.getByRole("link", { name: "Open the chat room" }).click();
  await fan.locator(".write input").fill("Back again");
  await fan.getByRole("button", { name: "Send", exact: true }).click();
  await fan.locator(".lines .text", { hasText: "Back again" }).waitFor();
});

test("leaving a room that takes a while calls nobody back who has gone elsewhere meanwhile", LIMIT, async (t) => {
  const owner = await somebody();
  const league = await makeLeague(owner, { name: "Slow to part", has_chat: true });
  const { fan, page } = await openAs(t, owner, `#league/${league.id}`);
  await fan.getByRole("link", { name: "Open the chat room" }).click();
  let answer = () => {};
  const isElsewhere = new Promise((resolve) => (answer = resolve));
  await page.route(/\/chat-rooms\/.*\/leave/, async (route) => (await isElsewhere, route.continue()));
  const answered = page.waitForResponse(/\/chat-rooms\/.*\/leave/);
  await fan.getByRole("button", { name: "Leave this room" }).click();
  await goTo(fan, "Table");
  await fan.getByRole("link", { name: /Slow to part/ }).waitFor();
  answer();
  await (await answered).finished();
  // A round trip through the page: what the answer sets off has happened by then.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
  assert.equal(new URL(page.url()).hash, "#table");
});

test("a table that cannot be read says why with the request's id, and is read when asked again", LIMIT, async (t) => {
  const owner = await somebody();
  const league = await makeLeague(owner, { name: "Unread" });
  const { fan, page, context, username } = await openAs(t, owner, "#table");
  const path = /\/api\/auth\/leagues\/\d+\/table/;
  const json = { message: "The database is resting.", code: "not_now", request_id: "req_of_the_test" };
  await context.route(path, (route) => route.fulfill({ status: 418, json, headers: { "x-request-id": "req_of_the_test" } }));
  await page.goto(`${on.service.baseUrl}/#league/${league.id}`);
  const failure = group(fan, "League").getByRole("alert");
  await failure.getByText("The database is resting.").waitFor();
  await failure.getByText("req_of_the_test").waitFor();
  await context.unroute(path);
  await failure.getByRole("button", { name: "Try again" }).click();
  await eventually(() => namesIn(fan), [username], "the table");
});

test("a reader of German reads about leagues in German", LIMIT, async (t) => {
  const owner = await somebody();
  const league = await makeLeague(owner, { name: "Stammtisch" });
  const { fan } = await openAs(t, owner, `#league/${league.id}`, { locale: "de-DE" });
  await fan.getByText("Freunde einladen").waitFor();
  await fan.getByText("Wer den Link öffnet").waitFor();
});

for (const [width, colorScheme] of [[1280, "light"], [1280, "dark"], [360, "light"], [360, "dark"]]) {
  test(`every view of leagues is for everybody at ${width} pixels in ${colorScheme}`, LIMIT, async (t) => {
    const [owner, other] = [await somebody(), await somebody()];
    const league = await makeLeague(owner, { name: `A league with a long name for ${width} pixels in ${colorScheme}`, has_chat: true, is_public: true });
    const { fan, page, complaints } = await openAs(t, other, `?league=${league.code}`, { width, colorScheme });
    await fan.getByRole("button", { name: "Join the league" }).waitFor();
    await assertAccessible(page, "the question");
    await fan.getByRole("button", { name: "Not now" }).click();
    await fan.getByText("You are in no league yet.").waitFor();
    await assertAccessible(page, "no leagues");
    await fan.getByRole("link", { name: "Find a league" }).click();
    await fan.getByRole("button", { name: `Join: ${league.name}` }).waitFor();
    await assertAccessible(page, "public leagues");
    await goTo(fan, "Table");
    await fan.getByRole("link", { name: "Make a league" }).click();
    await fan.getByRole("checkbox", { name: "Harbour League" }).waitFor();
    await assertAccessible(page, "a new league");
    await makeOnPage(fan, "Mine");
    await group(fan, "Weeks").waitFor();
    await group(fan, "Members").getByText("owner", { exact: true }).waitFor();
    await fan.getByRole("link", { name: "Open the chat room" }).waitFor();
    await assertAccessible(page, "a league");
    const [{ code, id }] = (await other.call("list_leagues")).data;
    await owner.call("join_league_by_code", { code });
    await page.reload();
    await about(fan, (await owner.session()).user.username);
    await assertAccessible(page, "what to do about a member");
    await fan.getByRole("button", { name: "Hand over …" }).click();
    await assertAccessible(page, "handing over");
    await fan.getByRole("button", { name: "Change …" }).click();
    await fan.getByRole("checkbox", { name: "Harbour League" }).waitFor();
    await assertAccessible(page, "changing it");
    await other.call("close_league", { league: id });
    await page.reload();
    await fan.getByText("This league is closed").waitFor();
    await assertAccessible(page, "a closed league");
    await goTo(fan, "Table");
    await group(fan, "Leagues").getByText("closed", { exact: true }).waitFor();
    await assertAccessible(page, "one's leagues");
    // A page that is read from the disk has no header that lets its worker see to all of it.
    assert.deepEqual(complaints.filter((text) => !(process.env.WEB_FROM_DISK && text.includes("max scope"))), []);
  });
}
