// Notifications at the console: what was sent and what was not, and telling users' devices something.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { OPERATOR_TOKEN } from "../../clients/js/test/service.mjs";
import { LIMIT, assertAccessible, eventually, somebodyNew, stage } from "./browser.mjs";
import * as desk from "./desk.mjs";
import { confirm, goTo, inspect, press, signIn, tamper } from "./desk.mjs";

const on = stage();
const SIZES = [{ width: 1280, colorScheme: "light" }, { width: 360, colorScheme: "light" }, { width: 1280, colorScheme: "dark" }, { width: 360, colorScheme: "dark" }];
const BRYNCOED = "Bryncoed";
const tokenOf = async (name, role) => (await on.operator.call("add_operator", { name, role })).data.token;
const dialogOf = (page) => page.getByRole("dialog");
const rowOf = (page, text) => page.getByRole("table", { name: "From operators" }).getByRole("row").filter({ hasText: text });
const cellsOf = (page, text) => rowOf(page, text).getByRole("cell").allInnerTexts();
const dayNumber = (ago) => Math.floor(Date.now() / 86_400_000) - ago;
const dateOf = (ago) => new Date(dayNumber(ago) * 86_400_000).toISOString().slice(0, 10);
const inAll = async () => (await on.operator.call("list_push_messages")).meta.total;

/** What came to the devices of this test file: the path is the device's own. */
const post = { came: [], server: null, titlesAt: (path) => post.came.filter((one) => one.path === path).map((one) => one.title) };
before(async () => {
  post.server = createServer(async (request, response) => {
    const { title } = JSON.parse((await request.setEncoding("utf8").toArray()).join(""));
    post.came.push({ path: request.url, title });
    response.writeHead(201).end();
  });
  await new Promise((resolve) => post.server.listen(0, "127.0.0.1", resolve));
});
after(() => post.server.close());

/** Somebody with a device of a server's kind, who is never in quiet hours. */
async function makeListener(path, { team } = {}) {
  const client = await somebodyNew(on);
  await client.call("register_device", { kind: "http", address: `http://127.0.0.1:${post.server.address().port}${path}` });
  await client.call("change_push_settings", { quiet_from: "00:00", quiet_until: "00:00", most_a_day: 100 });
  if (team) await client.call("save_primary_team", { team_id: await idOf(team) });
  return client;
}

async function idOf(team) {
  return (await on.operator.call("list_teams_to_choose", { search: team })).data[0].id;
}

async function makeLeague(client, name) {
  const { data: tournaments } = await client.call("list_tournaments");
  return (await client.call("create_league", { name, tournament_ids: [tournaments[0].id] })).data;
}

/** Days of messages as a busy service has them, behind the program's back; each test has days of its own. */
async function makeDays(ago, counts) {
  const rows = Object.entries(counts).flatMap(([kind, outcomes]) => Object.entries(outcomes).map(([outcome, messages]) => `(${dayNumber(ago)}, '${kind}', '${outcome}', ${messages})`));
  await tamper(on, `INSERT INTO push_sums (day, kind, outcome, messages) VALUES ${rows.join(", ")} ON CONFLICT (day, kind, outcome) DO NOTHING`);
}

/** The console where an operator is in. */
async function openAt(t, hash, { token = OPERATOR_TOKEN, ...options } = {}) {
  const opened = await desk.openConsole(t, on, options, hash);
  await signIn(opened.page, token);
  return opened;
}

async function fillForm(page, title, text = "Answer the special tips until Friday.") {
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Text").fill(text);
}

test("a message to everybody arrives, and is in the list with its recipients", LIMIT, async (t) => {
  await makeListener("/everybody-one");
  await makeListener("/everybody-two");
  const { page, complained } = await openAt(t, "");
  await goTo(page, "Notifications");
  await desk.openTab(page, "Notifications", "Send a message");
  await fillForm(page, "To everybody");
  await press(page, "Send …");
  const dialog = page.getByRole("dialog", { name: "Send this to everybody?" });
  const { data } = await on.operator.call("show_push");
  const devices = data.devices.reduce((sum, kind) => sum + kind.devices, 0);
  await dialog.getByText(`It goes to ${devices} devices at most.`).waitFor();
  await dialog.getByText("Whoever is in quiet hours gets it in the morning.").waitFor();
  assert.deepEqual(post.titlesAt("/everybody-one"), [], "nothing goes before that");
  await confirm(page, "Send to everybody");
  await page.waitForURL(/#\/notifications\/messages$/);
  await eventually(async () => [post.titlesAt("/everybody-one"), post.titlesAt("/everybody-two")], [["To everybody"], ["To everybody"]], "what the devices got");
  const { data: told } = await on.operator.call("list_push_messages");
  const { recipients } = told.find(({ title }) => title === "To everybody");
  assert.ok(recipients >= 2, `${recipients} recipients`);
  await eventually(async () => (await cellsOf(page, "To everybody")).toSpliced(2, 1), ["To everybody\nAnswer the special tips until Friday.", "everybody", String(recipients), "all found"], "the row");
  assert.deepEqual(complained(), []);
});

test("a message to those who follow a team reaches only them", LIMIT, async (t) => {
  await makeListener("/follows", { team: BRYNCOED });
  await makeListener("/follows-not");
  const { page } = await openAt(t, "#/notifications/new");
  await fillForm(page, "To followers");
  await page.getByLabel("Who follows a team").check();
  await page.getByLabel("Team: part of its name").fill("ryncoe");
  await page.getByRole("radio", { name: BRYNCOED }).check();
  await press(page, "Send …");
  await page.getByRole("dialog", { name: "Send this to followers of Bryncoed?" }).getByText("Only to those who follow Bryncoed").waitFor();
  await confirm(page, "Send to followers");
  await eventually(async () => (await cellsOf(page, "To followers")).toSpliced(2, 1), ["To followers\nAnswer the special tips until Friday.", "followers of Bryncoed", "1", "all found"], "the row");
  await eventually(async () => post.titlesAt("/follows"), ["To followers"], "what the follower got");
  // Something that goes to both afterwards has arrived, so what was to come before it is there.
  await on.operator.call("send_push_message", { title: "After followers", body: "To everybody" });
  await eventually(async () => post.titlesAt("/follows-not").includes("After followers"), true, "what everybody gets");
  assert.deepEqual(post.titlesAt("/follows-not").includes("To followers"), false);
});

test("a message to a league reaches its members, who are counted before", LIMIT, async (t) => {
  await makeLeague(await makeListener("/member"), "Told league");
  const { page } = await openAt(t, "#/notifications/new");
  await fillForm(page, "To members");
  await page.getByLabel("Members of a league").check();
  await page.getByLabel("League: part of its name").fill("told");
  await page.getByRole("radio", { name: "Told league" }).check();
  await press(page, "Send …");
  await dialogOf(page).getByText("Only to Told league (1 member), on").waitFor();
  await confirm(page, "Send to members");
  await eventually(async () => (await cellsOf(page, "To members")).slice(1, 2).concat((await cellsOf(page, "To members")).slice(3)), ["members of Told league", "1", "all found"], "the row");
  await eventually(async () => post.titlesAt("/member").includes("To members"), true, "what the member got");
});

test("recipients grow in sight while they are looked for", LIMIT, async (t) => {
  const { data: told } = await on.operator.call("send_push_message", { title: "Growing", body: "Still being planned" });
  const { page } = await openAt(t, "#/notifications/messages");
  let found = 40;
  await page.route("**/api/admin/push/messages*", (route) => {
    found += 1;
    const growing = { ...told, recipients: Math.min(found, 43), planned_at: found < 43 ? null : told.created_at };
    return route.fulfill({ json: { data: [growing], meta: { current_page: 1, last_page: 1, per_page: 20, total: 1 } } });
  });
  await page.reload();
  await rowOf(page, "Growing").getByText("looking for more").waitFor();
  await eventually(async () => (await cellsOf(page, "Growing")).slice(3), ["43", "all found"], "the row at its end");
});

test("what is missing is said at its field, and nothing is sent", LIMIT, async (t) => {
  const before = await inAll();
  const { page } = await openAt(t, "#/notifications/new");
  await page.getByLabel("Members of a league").check();
  await page.getByLabel("Text").fill("x".repeat(301));
  await page.getByText("301 of 300 characters").waitFor();
  await press(page, "Send …");
  await page.locator("label", { has: page.locator("[name=title]") }).getByText("Must have 1 to 60 characters.").waitFor();
  await page.locator("label", { has: page.locator("[name=body]") }).getByText("Must have 1 to 300 characters.").waitFor();
  await page.locator("label", { has: page.locator("[name=search]") }).getByText("Choose a league below.").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.name), "title", "where the first thing is wrong");
  assert.equal(await dialogOf(page).count(), 0);
  assert.equal(await inAll(), before);
});

test("what only the service finds wrong is said at its field, and what was typed stays", LIMIT, async (t) => {
  const before = await inAll();
  const { page } = await openAt(t, "#/notifications/new");
  await fillForm(page, "Hid\u200bden", "Kept text");
  await press(page, "Send …");
  await confirm(page, "Send to everybody");
  await dialogOf(page).waitFor({ state: "detached" });
  await page.locator("label", { has: page.locator("[name=title]") }).getByText("Must not contain invisible characters").waitFor();
  assert.equal(await page.getByLabel("Text").inputValue(), "Kept text");
  assert.equal(await inAll(), before);
});

test("a message whose sending is not answered is sent again, and told once", LIMIT, async (t) => {
  const before = await inAll();
  const { page } = await openAt(t, "#/notifications/new");
  await fillForm(page, "Lost answer");
  let isLost = true;
  const lose = async (/** @type {import("playwright-core").Route} */ route) => {
    if (route.request().method() !== "POST" || !isLost) return route.continue();
    await route.fetch();
    return route.abort();
  };
  await page.route("**/api/admin/push/messages", lose);
  await press(page, "Send …");
  await confirm(page, "Send to everybody");
  await dialogOf(page).getByRole("alert").waitFor();
  isLost = false;
  await confirm(page, "Send to everybody");
  await rowOf(page, "Lost answer").waitFor();
  assert.equal(await inAll(), before + 1);
});

test("everything is done by keyboard, and whoever thinks better of it is back where they were", LIMIT, async (t) => {
  const { page } = await openAt(t, "#/notifications/new");
  await page.getByLabel("Text").fill("Typed before the title");
  await page.getByLabel("Title").focus();
  await page.keyboard.type("By keyboard");
  await page.keyboard.press("Enter");
  await dialogOf(page).getByText("It goes to").or(dialogOf(page).getByText("No device is registered")).waitFor();
  await page.keyboard.press("Escape");
  await dialogOf(page).waitFor({ state: "detached" });
  await eventually(() => page.evaluate(() => document.activeElement.name), "title", "where the cursor is");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Send to everybody", disabled: false }).focus();
  await page.keyboard.press("Enter");
  await rowOf(page, "By keyboard").waitFor();
});

test("a text of several lines becomes one paragraph, as phones show it, and the preview follows", LIMIT, async (t) => {
  const { page } = await openAt(t, "#/notifications/new");
  await fillForm(page, "Two lines", "First line\n  second line");
  assert.equal(await page.getByLabel("Text").inputValue(), "First line second line");
  await eventually(() => page.locator(".notice > :is(b, p)").allInnerTexts(), ["Two lines", "First line second line"], "the preview");
});

for (const role of ["viewer", "moderator"]) {
  test(`a ${role} sees figures and messages, and why nothing can be sent`, LIMIT, async (t) => {
    await on.operator.call("send_push_message", { title: `Seen by a ${role}`, body: "By a script" });
    const { page } = await openAt(t, "#/notifications", { token: await tokenOf(`looking ${role}`, role) });
    await page.getByRole("region", { name: "Figures" }).getByRole("heading", { name: "Browsers" }).waitFor();
    await desk.openTab(page, "Notifications", "From operators");
    await rowOf(page, `Seen by a ${role}`).waitFor();
    await desk.openTab(page, "Notifications", "Send a message");
    await page.getByText("are sent by operators and owners").waitFor();
    await inspect(page, `push-${role}`, { width: 1280, colorScheme: "light" });
    assert.equal(await page.locator(".view").getByRole("textbox").count() + (await page.locator(".view").getByRole("button").count()), 0);
  });
}

test("what became of messages is shown by kind and outcome, of all days and of one", LIMIT, async (t) => {
  await makeDays(9, { reminder: { sent: 1200, switched_off: 30 }, goal: { sent: 800, too_many: 15 } });
  const { page } = await openAt(t, "#/notifications");
  const table = page.getByRole("table", { name: "What became of messages" });
  await table.getByRole("row").filter({ hasText: "Reminders" }).waitFor();
  await page.getByRole("combobox", { name: "Day" }).selectOption(dateOf(9));
  await page.waitForURL(/day=/);
  const valuesOf = async (kind) => {
    const heads = await table.getByRole("columnheader").allInnerTexts();
    const cells = await table.getByRole("row").filter({ hasText: kind }).getByRole("cell").allInnerTexts();
    return Object.fromEntries(cells.map((cell, at) => [heads[at], cell]).filter(([, cell]) => cell !== "–"));
  };
  await eventually(() => valuesOf("Reminders"), { Kind: "Reminders", Sent: "1,200", "Switched off": "30" }, "reminders");
  await eventually(() => valuesOf("Goals"), { Kind: "Goals", Sent: "800", "Too many that day": "15" }, "goals");
  await eventually(() => valuesOf("All"), { Kind: "All", Sent: "2,000", "Switched off": "30", "Too many that day": "15" }, "all");
  await page.getByText("They had as many messages that day as they want.").waitFor();
  await page.getByRole("img", { name: /sent in 14 days, most on/ }).waitFor();
});

for (const width of [1280, 360]) test(`kinds without settings say so, and failing ones what to do, at ${width}`, LIMIT, async (t) => {
  const { page } = await openAt(t, "#/notifications", { width });
  const devices = [{ kind: "apns", is_set_up: true, devices: 900, failing: 12 }, { kind: "fcm", is_set_up: false, devices: 40, failing: 0 }];
  const days = ["sent", "no_device", "outdated"].map((outcome, at) => ({ day: dateOf(0), kind: "goal", outcome, messages: [310, 4, 55][at] }));
  await page.route("**/api/admin/push", (route) => route.fulfill({ json: { data: { devices, waiting: 0, days } } }));
  await page.reload();
  const figures = page.getByRole("region", { name: "Figures" });
  await figures.getByText("the key is wrong or expired: look at push.apns").waitFor();
  await figures.getByText("Not set up: they get nothing until push.fcm has a key.").waitFor();
  await figures.getByText("None has subscribed yet.").waitFor();
  await figures.getByText("Why not, mostly: outdated.").waitFor();
  await inspect(page, "push-failing", { width, colorScheme: "light" });
});

for (const [hash, sign] of [["", "Nothing was sent in the last 14 days."], ["/messages", "No operator has told anything yet."]]) {
  test(`where there is nothing it is said what to do next, at notifications${hash}`, LIMIT, async (t) => {
    const { page } = await openAt(t, `#/notifications${hash}`);
    await page.route("**/api/admin/push", (route) => route.fulfill({ json: { data: { devices: [], waiting: 0, days: [] } } }));
    await page.route("**/api/admin/push/messages*", (route) => route.fulfill({ json: { data: [], meta: { current_page: 1, last_page: 1, per_page: 20, total: 0 } } }));
    await page.reload();
    await page.getByText(sign).waitFor();
    await inspect(page, `push-empty${hash.replace("/", "-")}`, { width: 1280, colorScheme: "light" });
    await page.locator(".empty").getByRole("link", { name: "Send a message" }).click();
    await page.getByLabel("Title").waitFor();
  });
}

test("figures that cannot be read are said so with the request's id, and are tried again", LIMIT, async (t) => {
  const { page } = await openAt(t, "");
  await page.route("**/api/admin/push", (route) => route.fulfill({ status: 500, json: { code: "internal_error", message: "Something went wrong on our side.", request_id: "req_of_this_test" } }));
  await goTo(page, "Notifications");
  await page.locator(".failure").getByText("req_of_this_test").waitFor();
  await inspect(page, "push-failed", { width: 1280, colorScheme: "light" });
  await page.unroute("**/api/admin/push");
  await press(page, "Try again");
  await page.getByRole("region", { name: "Figures" }).waitFor();
});

test("many messages come in pages", LIMIT, async (t) => {
  for (let nth = 0; nth < 21; nth += 1) await on.operator.call("send_push_message", { title: `Paged ${nth}`, body: "One of many", team_id: await idOf("Ashcombe City") });
  const { page } = await openAt(t, "#/notifications/messages");
  await rowOf(page, "Paged 20").getByText("followers of Ashcombe City").waitFor();
  await page.getByRole("link", { name: "Older" }).click();
  await page.waitForURL(/page=2$/);
  await rowOf(page, /^Paged 0/).waitFor();
});

for (const size of SIZES) {
  test(`every view of notifications can be read and reached, at ${size.width}, ${size.colorScheme}`, LIMIT, async (t) => {
    for (let ago = 1; ago < 14; ago += 1) await makeDays(ago, { reminder: { sent: 900 - ago * 37, switched_off: 12, outdated: 230 }, result: { sent: ago % 7 === 3 ? 2400 : 300, quiet: 41, refused: ago }, goal: { sent: ago % 7 === 3 ? 1900 : 60, too_many: 9 }, message: { sent: 4, no_device: 2, gone: 1 } });
    await makeListener(`/look-${size.width}-${size.colorScheme}`);
    await on.operator.call("send_push_message", { title: "The cup begins", body: "Answer the special tips until Friday: who wins, who scores the most goals, and who goes out first of all of them.", team_id: await idOf(BRYNCOED) });
    const { page, complained } = await openAt(t, "#/notifications", size);
    await page.getByRole("table", { name: "What became of messages" }).waitFor();
    await inspect(page, "push", size);
    await page.locator("figure.sent").evaluate((figure) => figure.scrollIntoView({ block: "center" }));
    await inspect(page, "push-chart", size);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await inspect(page, "push-end", size);
    await desk.openTab(page, "Notifications", "From operators");
    await rowOf(page, "The cup begins").first().getByText("followers of Bryncoed").waitFor();
    await inspect(page, "push-messages", size);
    await desk.openTab(page, "Notifications", "Send a message");
    await page.getByLabel("Who follows a team").check();
    await page.getByRole("radio", { name: BRYNCOED }).check();
    await press(page, "Send …");
    await page.getByText("Must have 1 to 60 characters.").waitFor();
    await inspect(page, "push-wrong", size);
    await fillForm(page, "The cup begins", "Answer the special tips until Friday: who wins, who scores the most goals, and who goes out first of all of them. ".repeat(2));
    await inspect(page, "push-new", size);
    await press(page, "Send …");
    await dialogOf(page).getByText("at most").waitFor();
    await inspect(page, "push-confirm", size);
    assert.equal(await dialogOf(page).evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth), 0, "all of it is within the dialog");
    assert.deepEqual(complained(), []);
  });
}

for (const width of [1280, 360]) {
  test(`something is told in German, at ${width}`, LIMIT, async (t) => {
    const { page } = await desk.openConsole(t, on, { width, locale: "de-DE" }, "#/notifications");
    await page.getByLabel("Token").fill(OPERATOR_TOKEN);
    await press(page, "Anmelden");
    await page.getByRole("region", { name: "Zahlen" }).waitFor();
    await inspect(page, "benachrichtigungen", { width, colorScheme: "light" });
    await page.getByRole("link", { name: "Mitteilen" }).first().click();
    await page.getByLabel("Titel").fill(`Hinweis ${width}`);
    await page.getByLabel("Text").fill("Bis Freitag beantworten.");
    await press(page, "Senden …");
    await dialogOf(page).getByText("Sie geht an höchstens").waitFor();
    await assertAccessible(page, "asking in German");
    await confirm(page, "An alle senden");
    await page.getByRole("table", { name: "Von Betreibern" }).getByRole("row").filter({ hasText: `Hinweis ${width}` }).getByText("alle gefunden").waitFor();
  });
}

test("the machinery names the lane of notifications", LIMIT, async (t) => {
  const { page } = await openAt(t, "#/machinery/jobs");
  await page.getByRole("table", { name: "Lanes" }).getByRole("link", { name: "notifications" }).waitFor();
});
