// Operators and what goes wrong: feeds, webhooks, jobs, rooms, and books that disagree.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { LIMIT, eventually, makeMatch, openPage, stage } from "./browser.mjs";
import { confirm, goTo, inspect, makeFan, openConsole, openTab, press, signIn, tamper } from "./desk.mjs";

const folder = await mkdtemp(join(tmpdir(), "touchline-feed-"));
after(() => rm(folder, { recursive: true, force: true }));
const feed = join(folder, "feed.json");
const matches = [
  { round: "Matchday 1", date: "2037-03-01", time: "15:00", team1: "Northgate FC", team2: "Southbank FC" },
  { round: "Matchday 1", date: "2037-03-02", time: "15:00", team1: "Kelder Rangers", team2: "Oldmoor" },
];
await writeFile(feed, JSON.stringify({ name: "Fed League", matches }));
const on = stage({ TOUCHLINE_FEEDS__SOURCES: `fed_league = openfootball:${feed}` });

const WIDE = { width: 1280, colorScheme: "light" };
const PHONE = { width: 360, colorScheme: "dark" };

test("a feed is tried without effect, polled, and what stands for what is undone and bound by hand", LIMIT, async (t) => {
  const { page, complained } = await openConsole(t, on, WIDE, "#/machinery/feeds");
  await signIn(page);
  const league = page.getByRole("region", { name: "fed_league" });
  // The service asks its feeds by itself soon after its start; a postponement is then news.
  await page.getByRole("table", { name: "Bound matches" }).getByText("Kelder Rangers").waitFor();
  await writeFile(feed, JSON.stringify({ name: "Fed League", matches: [{ ...matches[0], time: "17:30" }, matches[1]] }));
  await league.getByRole("button", { name: "Dry run" }).click();
  await league.getByText(/1 would change/).waitFor();
  await inspect(page, "feeds", WIDE);
  await league.getByRole("button", { name: "Close" }).click();
  await league.getByRole("button", { name: "Poll now" }).click();
  await league.getByText(/1 changed/).waitFor();
  const team = page.getByRole("table", { name: "Bound teams" }).getByRole("row", { name: /Oldmoor/ });
  await team.getByRole("button", { name: "Unbind" }).click();
  await confirm(page, "Unbind");
  await team.waitFor({ state: "detached" });
  await press(page, "Bind a team …");
  await page.getByRole("combobox", { name: "Source" }).selectOption("openfootball");
  await page.getByLabel("The source's id").fill("Oldmoor");
  await page.getByLabel("Our team id").fill("1");
  await confirm(page, "Bind");
  await team.waitFor();
  assert.deepEqual(complained(), []);
});

for (const size of [WIDE, PHONE]) {
  test(`a webhook that fails is seen, tried again, sent again and removed, at ${size.width}`, LIMIT, async (t) => {
    const heard = [];
    let isDown = true;
    const receiver = createServer((request, response) => {
      // Slowly, so that the page is also read in the midst of a try.
      if (isDown) return void setTimeout(() => request.socket.destroy(), 1_000);
      request.resume();
      heard.push(request.url);
      response.end();
    });
    receiver.listen(0, "127.0.0.1");
    await once(receiver, "listening");
    t.after(() => receiver.close());
    const path = `/hook-${size.width}`;
    const url = `http://127.0.0.1:${receiver.address().port}${path}`;
    const { page, complained } = await openConsole(t, on, size, "#/machinery/webhooks");
    await signIn(page);
    await press(page, "Add a webhook …");
    await page.getByLabel("Address").fill(url);
    await confirm(page, "Add a webhook …");
    assert.match(await page.getByRole("textbox", { name: "Secret" }).inputValue(), /^whsec_/);
    await press(page, "I have it");
    const id = await makeMatch(on, `test:hook:${size.width}`, 30);
    await on.operator.call("update_event", { event: id, status: "live" });
    await page.getByRole("link", { name: url }).click();
    await page.getByRole("table", { name: "Deliveries" }).getByText("failing").first().waitFor();
    await inspect(page, "webhooks", size);
    await goTo(page, "Overview");
    await page.getByRole("link", { name: /job fails|jobs fail/ }).click();
    const job = page.getByRole("table", { name: "Jobs" }).getByRole("row", { name: /webhook/ }).first();
    await job.getByText("failing").waitFor();
    await inspect(page, "failing-jobs", size);
    isDown = false;
    await job.getByRole("button", { name: "Retry now" }).click();
    await page.getByText("No job fails.").waitFor();
    await openTab(page, "Machinery", "Webhooks");
    await page.getByRole("link", { name: url }).click();
    await page.getByRole("table", { name: "Deliveries" }).getByText("taken").first().waitFor();
    const before = heard.length;
    await page.getByRole("row", { name: url }).getByRole("button", { name: "Send again …" }).click();
    await page.getByLabel("After the message with this id").fill("0");
    await confirm(page, "Send again …");
    await eventually(async () => heard.length > before, true, "sent again");
    await page.getByRole("row", { name: url }).getByRole("button", { name: "Remove" }).click();
    await confirm(page, "Remove");
    await page.getByText("No webhooks.").waitFor();
    assert.deepEqual(complained(), []);
  });

  test(`in a room somebody is muted and heard again, put out, kept out and let back, at ${size.width}`, LIMIT, async (t) => {
    const [host, guest] = [`host_${size.width}`, `guest_${size.width}`];
    const { client } = await makeFan(on, size === WIDE ? "+447700900341" : "+447700900343", host);
    const { client: other } = await makeFan(on, size === WIDE ? "+447700900342" : "+447700900344", guest);
    const { data: room } = await client.call("create_chat_room", { name: `Terrace ${size.width}`, is_private: false });
    await other.call("join_chat_room", { room: room.room_id });
    const { page, complained } = await openConsole(t, on, size, "#/reports/rooms");
    await signIn(page);
    await page.getByRole("searchbox").fill("terr");
    await press(page, "Search");
    await page.getByRole("link", { name: `Terrace ${size.width}` }).click();
    const member = page.getByRole("table", { name: "Members" }).getByRole("row", { name: guest });
    const measure = async (label, action) => {
      await member.getByRole("button", { name: label }).click();
      await page.getByLabel("Reason").fill("Shouts");
      await confirm(page, action);
      await page.getByRole("dialog").waitFor({ state: "detached" });
    };
    await measure("Mute …", "Mute for an hour");
    const muted = page.getByRole("table", { name: "Muted" });
    await muted.getByText("Shouts").waitFor();
    await inspect(page, "room", size);
    await muted.getByRole("button", { name: "End the mute" }).click();
    await confirm(page, "End the mute");
    await muted.waitFor({ state: "detached" });
    await measure("Ban from the room …", "Ban from the room …");
    await member.getByText("banned").waitFor();
    await member.getByRole("button", { name: "Let back in" }).click();
    await confirm(page, "Let back in");
    await member.waitFor({ state: "detached" });
    await other.call("join_chat_room", { room: room.room_id });
    // Who comes is no news to the console: it looks again after half a minute, and whoever opens it anew at once.
    await page.reload();
    await member.getByText("member").waitFor();
    await measure("Remove …", "Remove …");
    await member.waitFor({ state: "detached" });
    assert.deepEqual(complained(), []);
  });
}

test("an account whose books disagree needs a person, who looks and lets it go on", LIMIT, async (t) => {
  const { id } = await makeFan(on, "+447700900333", "rich_fan");
  await tamper(on, `UPDATE coin_accounts SET balance = balance + 7 WHERE user_id = ${id}`);
  const { page, complained } = await openConsole(t, on, WIDE, "#/money");
  await signIn(page);
  await press(page, "Reconcile now");
  await page.getByText("One account disagrees with its entries and is frozen.").waitFor();
  const frozen = page.getByRole("table", { name: "Frozen accounts" });
  await frozen.getByText("+7").waitFor();
  await inspect(page, "frozen", WIDE, page.getByRole("table", { name: "Coins by day" }));
  await goTo(page, "Overview");
  await page.getByRole("link", { name: "1 account is frozen" }).click();
  await frozen.getByRole("link", { name: "rich_fan" }).click();
  await page.locator(".verdict.warn").getByText("Coins frozen since").waitFor();
  await press(page, "Unfreeze coins");
  await page.getByLabel("Reason").fill("Looked at the ledger");
  await confirm(page, "Unfreeze coins");
  await page.locator(".verdict.warn").waitFor({ state: "detached" });
  await goTo(page, "Money");
  await page.getByText("No account is frozen.").waitFor();
  assert.deepEqual(complained(), []);
});

test("the link on the terminal signs in whoever started the service, once", LIMIT, async (t) => {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("TOUCHLINE_"));
  const settings = { TOUCHLINE_LISTEN: "127.0.0.1:0", TOUCHLINE_METRICS_LISTEN: "", TOUCHLINE_DATA_DIR: join(folder, "terminal"), TOUCHLINE_DEMO__PLAYS: "false" };
  const program = process.env.TOUCHLINE_PROGRAM ?? new URL("../../target/debug/touchline", import.meta.url).pathname;
  const terminal = spawn("script", ["-qec", `${program} serve`, "/dev/null"], { env: { ...Object.fromEntries(own), ...settings }, cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(terminal, "exit");
  t.after(async () => {
    // Ctrl-C, as somebody at the terminal would.
    terminal.stdin.write("\x03");
    await ended;
  });
  let said = "";
  terminal.stdout.on("data", (part) => (said += part));
  await eventually(async () => said.includes("#sign-in="), true, "the link");
  const [, baseUrl, hash] = said.match(/(http:\/\/[\d.]+:\d+)\/(console#sign-in=\w+)/);
  const { page } = await openPage(t, { ...on, service: { baseUrl } }, { hash });
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await page.locator(".side .foot").getByText("terminal").waitFor();
  assert.ok(!page.url().includes("sign-in"), page.url());
  const { page: second } = await openPage(t, { ...on, service: { baseUrl } }, { hash });
  await second.getByText("This sign-in link was used already or is too old.").waitFor();
});
