// What the tests of the console stand on: the page at an address, the way in and about, and a fan who makes something happen.
import { execFile } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { OPERATOR_TOKEN } from "../../clients/js/test/service.mjs";
import { Touchline } from "../../clients/js/touchline.js";
import { assertAccessible, openPage } from "./browser.mjs";

const DOCS = new URL("../../docs/", import.meta.url);
const PAGES = (await Promise.all(["console.md", "../README.md"].map((page) => readFile(new URL(page, DOCS), "utf8")))).join();

/** The console at an address, as somebody who is not in sees it. */
export async function openConsole(t, on, options = {}, hash = "") {
  const opened = await openPage(t, on, { ...options, hash: `console${hash}` });
  // A browser says of its own accord that an answer was a refusal; those are part of these tests.
  const refusals = /Failed to load resource/;
  return { ...opened, complained: () => opened.complaints.filter((text) => !refusals.test(text)) };
}

export async function signIn(page, token = OPERATOR_TOKEN) {
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.locator(".side").waitFor({ state: "attached" });
}

/** By the menu, which is behind a button on a phone. */
export async function goTo(page, name) {
  const menu = page.getByRole("button", { name: "Menu" });
  if ((await menu.isVisible()) && (await menu.getAttribute("aria-expanded")) === "false") await menu.click();
  await page.locator(".side").getByRole("link", { name }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

/** A part of a view, by its tab. */
export const openTab = (page, view, name) => page.getByRole("navigation", { name: view, exact: true }).getByRole("link", { name }).click();

export async function makeFan(on, phone, username) {
  const client = new Touchline({ baseUrl: on.service.baseUrl });
  await client.call("request_code", { phone });
  const { data } = await client.call("list_sms_log", { phone });
  const inside = await client.call("verify_code", { phone, code: data[0].code, username });
  return { id: inside.data.user.id, client };
}

/** Looks at a view as a demanding reader would, and takes the picture that the docs show; all sizes and colours go where LOOKS says. */
export async function inspect(page, name, { width, colorScheme }, filled = null) {
  await assertAccessible(page, `${name} at ${width}, ${colorScheme}`);
  const isShown = width > 500 && colorScheme === "light" && PAGES.includes(`/console-${name}.png`);
  const folder = process.env.LOOKS ?? (process.env.PICTURES && isShown && new URL("images", DOCS).pathname);
  if (!folder) return;
  // Coins are shown when they are a minute old; a picture waits for that, a test does not.
  await filled?.waitFor({ timeout: 100_000 });
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/console-${name}${process.env.LOOKS ? `-${width}-${colorScheme}` : ""}.png` });
}

export const press = (page, name) => page.getByRole("button", { name, exact: true }).click();

/** In the question that is open. */
export const confirm = (page, name) => page.getByRole("dialog").getByRole("button", { name, exact: true }).click();

export const scoreOf = (page) => page.locator(".versus .score").innerText();

/** Changes something behind the program's back, in its database. */
export async function tamper(on, sql) {
  const { folder, databaseUrl } = on.service;
  const command = databaseUrl
    ? [join(process.env.TOUCHLINE_TEST_PG_BIN, "psql"), databaseUrl, "-c", sql]
    : ["python3", "-c", "import sqlite3, sys; db = sqlite3.connect(sys.argv[1], timeout=20); db.execute(sys.argv[2]); db.commit()", join(folder, "touchline.db"), sql];
  await promisify(execFile)(command[0], command.slice(1));
}
