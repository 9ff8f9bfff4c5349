import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { OPERATOR_TOKEN, startService } from "./service.mjs";

const LIMIT = { timeout: 90_000 };
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

let service, pages, browser;
before(async () => {
  pages = await serveModules();
  service = await startService({ TOUCHLINE_HTTP__CORS_ORIGINS: origin() });
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
});
after(async () => {
  await browser?.close();
  await service?.stop();
  pages?.close();
});

test("a fan's whole way works in a browser, from another origin", LIMIT, async () => {
  const page = await browser.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(`${origin()}/`);
  const run = async ([baseUrl, token]) => {
    const client = { ...(await import("/touchline.js")), ...(await import("/operators.js")) };
    const { journey } = await import("/test/journey.mjs");
    return journey(client, baseUrl, token);
  };
  assert.equal(await page.evaluate(run, [service.baseUrl, OPERATOR_TOKEN]), "arrived");
  assert.deepEqual(complaints, []);
});

test("a session in a browser's storage is there after a reload", LIMIT, async () => {
  const page = await browser.newPage();
  await page.goto(`${origin()}/`);
  const logIn = async (baseUrl) => {
    const { Touchline, storedIn } = await import("/touchline.js");
    const touchline = new Touchline({ baseUrl, session: storedIn(localStorage) });
    const phone = "+447700912345";
    await touchline.call("request_code", { phone });
    const { data } = await touchline.call("list_sms_log", { phone });
    return (await touchline.call("verify_code", { phone, code: data[0].code })).data.user.id;
  };
  const whoAmI = async (baseUrl) => {
    const { Touchline, storedIn } = await import("/touchline.js");
    return (await new Touchline({ baseUrl, session: storedIn(localStorage) }).call("show_me")).data.id;
  };
  const id = await page.evaluate(logIn, service.baseUrl);
  await page.reload();
  assert.equal(await page.evaluate(whoAmI, service.baseUrl), id);
});

function origin() {
  return `http://127.0.0.1:${pages.address().port}`;
}

/** An empty page and the modules, as any web server would serve them. */
async function serveModules() {
  const files = { "/touchline.js": "../touchline.js", "/operators.js": "../operators.js", "/test/journey.mjs": "./journey.mjs" };
  const server = createServer(async (request, response) => {
    const file = files[request.url];
    if (!file) return response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>test</title>");
    response.writeHead(200, { "content-type": "text/javascript" }).end(await readFile(new URL(file, import.meta.url)));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}
