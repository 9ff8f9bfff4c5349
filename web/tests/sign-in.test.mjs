// The pages at /sign-in: a person's way without scripts from a Matrix client's first screen and back, and every step for everybody.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { Touchline } from "../../clients/js/touchline.js";
import { LIMIT, assertAccessible, somebodyNew, stage } from "./browser.mjs";

const on = stage();
const PICTURES = process.env.SIGN_IN_PICTURES;
let people = 0;

function newPhone() {
  people += 1;
  return `+44770090${1_000 + people}`.slice(0, 13);
}

async function codeFor(phone) {
  const [{ code }] = (await new Touchline({ baseUrl: on.service.baseUrl }).call("list_sms_log", { phone })).data;
  return code;
}

async function matrix(method, path, token, body) {
  const answer = await fetch(`${on.service.baseUrl}/_matrix/client/v3${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

/** A browser of this size, with scripts only where they look at the page from outside. */
async function open(t, { width, colorScheme, locale = "en-GB", javaScriptEnabled = false }) {
  const context = await on.browser.newContext({ viewport: { width, height: width > 500 ? 800 : 740 }, colorScheme, locale, javaScriptEnabled, hasTouch: width < 500 });
  t.after(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const complaints = [];
  page.on("console", (message) => message.type() === "error" && !/status of 4\d\d/.test(message.text()) && complaints.push(message.text()));
  return { page, complaints };
}

const start = (back) => `${on.service.baseUrl}/_matrix/client/v3/login/sso/redirect?redirectUrl=${encodeURIComponent(back)}`;

/** Whoever has keys and wants others: where that is to be confirmed, and their phone. */
async function resetOf() {
  const touchline = await somebodyNew(on);
  const { user } = await touchline.session();
  const { matrix_credentials: chat } = (await touchline.call("issue_matrix_credentials", {})).data;
  const keys = (name) => ({ master_key: { user_id: chat.user_id, usage: ["master"], keys: { [`ed25519:${name}`]: name } } });
  const path = "/keys/device_signing/upload";
  assert.equal((await matrix("POST", path, chat.access_token, keys("A"))).status, 200);
  const asked = await matrix("POST", path, chat.access_token, keys("B"));
  assert.equal(asked.status, 401);
  const again = () => matrix("POST", path, chat.access_token, { ...keys("B"), auth: { session: asked.body.session } });
  const url = `${on.service.baseUrl}/_matrix/client/v3/auth/m.login.sso/fallback/web?session=${asked.body.session}`;
  return { url, phone: user.phone, username: user.username, again };
}

test("somebody gets from their client to the page and back to it with scripts switched off", LIMIT, async (t) => {
  const brought = [];
  const client = createServer((request, response) => {
    brought.push({ url: request.url, referer: request.headers.referer });
    response.end("Back in the client");
  });
  await new Promise((resolve) => client.listen(0, "127.0.0.1", resolve));
  t.after(() => client.close());
  const { page, complaints } = await open(t, { width: 1280, colorScheme: "light" });
  const back = `http://localhost:${client.address().port}/sso?state=1`;
  await page.goto(start(back));
  const phone = newPhone();
  await page.getByLabel("Phone number").fill(phone);
  await page.getByRole("button", { name: "Send me a code" }).click();
  await page.getByLabel("Code from the message").fill(await codeFor(phone));
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByRole("heading", { name: `Continue to http://localhost:${client.address().port}?` }).waitFor();
  assert.deepEqual(brought, []);
  await page.getByRole("link", { name: "Continue" }).click();
  await page.getByText("Back in the client").waitFor();
  const [{ url, referer }] = brought;
  assert.match(url, /^\/sso\?state=1&loginToken=tlin_[0-9A-Za-z]{36}$/);
  assert.equal(referer, undefined);
  assert.deepEqual(complaints, []);
});

test("a form on another site cannot be sent to the page", LIMIT, async (t) => {
  const phone = newPhone();
  const evil = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<form method="post" action="${on.service.baseUrl}/sign-in/code"><input name="redirectUrl" value="https://evil.example/"><input name="phone" value="${phone}"><button>Win</button></form>`);
  });
  await new Promise((resolve) => evil.listen(0, "127.0.0.1", resolve));
  t.after(() => evil.close());
  const { page } = await open(t, { width: 1280, colorScheme: "light" });
  await page.goto(`http://localhost:${evil.address().port}/`);
  await page.getByRole("button", { name: "Win" }).click();
  await page.getByText("This form was sent from another site.").waitFor();
  assert.deepEqual((await new Touchline({ baseUrl: on.service.baseUrl }).call("list_sms_log", { phone })).data, []);
});

for (const [width, colorScheme, locale] of [[1280, "light", "en-GB"], [1280, "dark", "de-DE"], [360, "light", "de-DE"], [360, "dark", "en-GB"]]) {
  test(`every step is for everybody at ${width} pixels in ${colorScheme}`, LIMIT, async (t) => {
    // With scripts, for axe.
    const { page, complaints } = await open(t, { width, colorScheme, locale, javaScriptEnabled: true });
    let number = 0;
    const look = async (step) => {
      await assertAccessible(page, step);
      number += 1;
      if (PICTURES) await page.screenshot({ path: `${PICTURES}/${width}-${colorScheme}-${number}-${step}.png`, fullPage: true });
    };
    const submit = () => page.locator("form").first().getByRole("button").click();
    await page.goto(start("https://a-rather-long-name-of-a-host.of-somebody-who-has-many-subdomains.element.example:8443/?x=1"));
    await look("phone");
    await page.locator("[name=phone]").fill("0170 123");
    await submit();
    await page.locator(".failure").waitFor();
    await look("wrong-phone");
    const phone = newPhone();
    await page.locator("[name=phone]").fill(phone);
    await submit();
    await page.locator(".code").waitFor();
    await look("code");
    const code = await codeFor(phone);
    await page.locator(".code").fill(code === "000000" ? "000001" : "000000");
    await submit();
    await page.locator(".failure").waitFor();
    await look("wrong-code");
    await page.locator(".code").fill(code);
    await submit();
    await page.locator("a.primary").waitFor();
    await look("continue");
    await page.goto(`${on.service.baseUrl}/sign-in?redirectUrl=javascript:alert(1)`);
    await look("error");
    const reset = await resetOf();
    await page.goto(reset.url);
    await page.locator(".means").waitFor();
    await look("reset");
    assert.equal((await reset.again()).status, 401);
    await submit();
    await page.locator(".code").waitFor();
    await look("reset-code");
    await page.locator(".code").fill(await codeFor(reset.phone));
    await submit();
    await page.getByRole("heading", { name: locale === "de-DE" ? "Bestätigt" : "Confirmed" }).waitFor();
    await look("confirmed");
    assert.equal((await reset.again()).status, 200);
    assert.deepEqual(complaints, []);
  });
}
