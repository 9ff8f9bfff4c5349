// Notifications on the fan page: turning them on and off, what is told and when, and what the browser shows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LIMIT, ZONE, assertAccessible, eventually, fanOf, goTo, makeMatch, openPageOf, somebodyNew, stage } from "./browser.mjs";
import { pushService, subscribeHere } from "./push-service.mjs";

const on = stage();
const push = pushService();

/** A page on which somebody is in, in a browser that subscribes here. */
async function openAs(t, who, address, { as, browser = push.subscription(), ...size } = {}) {
  const opened = await openPageOf(t, on, who, address, { ...size, prepare: (context) => subscribeHere(context, browser, as) });
  return { ...opened, browser };
}

const group = (fan, name) => fan.getByRole("group", { name, exact: true });
const here = (fan) => group(fan, "Notifications on this device");
const turnOn = (fan) => fan.getByRole("button", { name: "Turn on for this device" });
const turnOff = (fan) => fan.getByRole("button", { name: "Turn off" });
const isSubscribed = (page) => page.evaluate(async () => (await (await navigator.serviceWorker.ready).pushManager.getSubscription()) !== null);
const devicesOf = async (who) => (await who.call("list_devices")).data;
const settingsOf = async (who) => (await who.call("show_push_settings")).data;

/** Messages come at any time of the day at which a test runs. */
const neverQuiet = (who) => who.call("change_push_settings", { quiet_from: "22:00", quiet_until: "22:00" });

test("turning it on registers this browser and takes its time zone", LIMIT, async (t) => {
  const who = await somebodyNew(on);
  const { fan, page } = await openAs(t, who, "#me", { as: { permission: "default" }, width: 360 });
  await fan.getByRole("link", { name: /^Notifications/ }).click();
  await here(fan).getByText("off", { exact: true }).waitFor();
  assert.equal(await page.evaluate(() => window.timesAsked), 0, "nobody is asked before they press something");
  await turnOn(fan).click();
  await turnOff(fan).waitFor();
  await here(fan).getByText("on", { exact: true }).waitFor();
  assert.equal(await page.evaluate(() => window.timesAsked), 1);
  const [device, ...others] = await devicesOf(who);
  assert.deepEqual([device.kind, others], ["webpush", []]);
  assert.match(device.name, /^Chrome, /);
  await eventually(async () => (await settingsOf(who)).zone, ZONE, "the zone of the browser");
  await fan.getByText(`Times in ${ZONE}`).waitFor();
  await group(fan, "Your other devices").getByText("No other device").waitFor();
});

test("turning it off removes this browser", LIMIT, async (t) => {
  const who = await somebodyNew(on);
  const { fan, page } = await openAs(t, who, "#notifications");
  await turnOn(fan).click();
  await turnOff(fan).click();
  await turnOn(fan).waitFor();
  assert.deepEqual(await devicesOf(who), []);
  assert.equal(await isSubscribed(page), false);
});

test("what operators tell reaches a browser that is turned on", LIMIT, async (t) => {
  const who = await somebodyNew(on);
  await neverQuiet(who);
  const { fan, browser } = await openAs(t, who, "#notifications");
  await turnOn(fan).click();
  await turnOff(fan).waitFor();
  await on.operator.call("send_push_message", { title: "The cup begins", body: "Answer the special tips." });
  await eventually(() => browser.messages().map(({ title, body, data }) => [title, body, data.kind]), [["The cup begins", "Answer the special tips.", "message"]], "what came");
});

test("what is said in a room of theirs reaches a browser that is turned on, until they switch it off", LIMIT, async (t) => {
  const [who, friend] = [await somebodyNew(on), await somebodyNew(on)];
  await neverQuiet(who);
  const [mine, theirs] = [await who.chat(), await friend.chat()];
  const { room_id: room } = await theirs.request("POST", "/createRoom", { preset: "public_chat", name: "Corner" });
  await mine.request("POST", `/join/${encodeURIComponent(room)}`, {});
  const { fan, browser } = await openAs(t, who, "#notifications");
  await turnOn(fan).click();
  await eventually(async () => (await mine.request("GET", "/pushers")).pushers.map(({ app_id }) => app_id), ["touchline.fan-page"], "the pusher");
  await theirs.send(room, "Are you there?");
  await eventually(() => browser.messages().map(({ body, data }) => [body, data.kind, data.room_id]), [["Are you there?", "chat", room]], "what came");
  await fan.getByRole("switch", { name: /^All that is said/ }).uncheck();
  await fan.getByText("All that is said: saved.").waitFor();
  assert.equal((await settingsOf(who)).chat, false);
});

test("a setting is saved when it is changed, and is there after a reload", LIMIT, async (t) => {
  const who = await somebodyNew(on);
  const { fan, page } = await openAs(t, who, "#notifications");
  await fan.getByRole("switch", { name: /^Goals/ }).check();
  await fan.getByText("Goals: saved.").waitFor();
  await fan.getByLabel("How long before").selectOption("3 hours");
  await fan.getByText("How long before: saved.").waitFor();
  await fan.getByLabel("From", { exact: true }).selectOption({ value: "23:30" });
  await fan.getByText("Quiet hours: saved.").waitFor();
  await fan.getByRole("button", { name: `Take ${ZONE.replaceAll("_", " ")}` }).click();
  await fan.getByText("Time zone: saved.").waitFor();
  await fan.getByLabel("Messages a day").selectOption("5");
  await fan.getByText("Messages a day: saved.").waitFor();
  const { goal, remind_minutes, quiet_from, zone, most_a_day } = await settingsOf(who);
  assert.deepEqual({ goal, remind_minutes, quiet_from, zone, most_a_day }, { goal: true, remind_minutes: 180, quiet_from: "23:30", zone: ZONE, most_a_day: 5 });
  await page.reload();
  await eventually(() => fan.getByRole("switch", { name: /^Goals/ }).isChecked().catch(() => null), true, "the switch");
  assert.equal(await fan.getByLabel("How long before").inputValue(), "180");
  assert.equal(await fan.getByLabel("From", { exact: true }).inputValue(), "23:30");
  assert.equal(await fan.getByLabel("Messages a day").inputValue(), "5");
});

test("quiet hours are switched off and on again", LIMIT, async (t) => {
  const who = await somebodyNew(on);
  const { fan } = await openAs(t, who, "#notifications");
  const quiet = fan.getByRole("switch", { name: /^Quiet hours/ });
  await quiet.uncheck();
  await fan.getByText("Quiet hours: saved.").waitFor();
  await eventually(() => fan.getByLabel("From", { exact: true }).count(), 0, "no hours are shown");
  const { quiet_from, quiet_until } = await settingsOf(who);
  assert.equal(quiet_from, quiet_until);
  await quiet.check();
  await eventually(async () => (await settingsOf(who)).quiet_until, "08:00", "a night");
});

test("a setting that was not saved goes back, says why, and is tried again", LIMIT, async (t) => {
  const who = await somebodyNew(on);
  const { fan, page, context } = await openAs(t, who, "#notifications");
  const results = fan.getByRole("switch", { name: /^Results/ });
  await eventually(() => results.isChecked().catch(() => null), true, "as it is at first");
  const refusal = { code: "unavailable", message: "Not now, please.", request_id: "req_123" };
  let isRefused = true;
  await context.route("**/api/auth/push/settings", (route) =>
    isRefused && route.request().method() === "PATCH" ? route.fulfill({ status: 409, json: refusal, headers: { "x-request-id": "req_123" } }) : route.continue());
  await results.click();
  await fan.getByText("This was not saved, and is as it was before.").waitFor();
  await fan.getByText("Request id req_123").waitFor();
  assert.equal(await results.isChecked(), true);
  isRefused = false;
  await fan.getByRole("button", { name: "Try again" }).click();
  await fan.getByText("Results: saved.").waitFor();
  assert.equal((await settingsOf(who)).result, false);
  await page.getByRole("button", { name: /What just happened/ }).click();
  await page.locator(".calls").getByText("/api/auth/push/settings").first().click();
  await page.locator(".codes").getByText(/touchline\.call\("change_push_settings", \{ result: false \}\)/).waitFor();
});

test("what cannot be read says so, and comes when it is tried again", LIMIT, async (t) => {
  const isAway = (url) => /\/api\/auth\/(devices|push\/settings)$/.test(url.pathname);
  const prepare = async (context) => {
    await subscribeHere(context, push.subscription());
    await context.route(isAway, (route) => route.abort());
  };
  const { fan, context } = await openPageOf(t, on, await somebodyNew(on), "#notifications", { prepare });
  for (const place of [here(fan), group(fan, "What you are told")]) await place.getByText("The service cannot be reached.").waitFor();
  await context.unroute(isAway);
  await here(fan).getByRole("button", { name: "Try again" }).click();
  await turnOn(fan).waitFor();
  await group(fan, "What you are told").getByRole("button", { name: "Try again" }).click();
  await fan.getByRole("switch", { name: /^Goals/ }).waitFor();
  await group(fan, "When").waitFor();
});

test("a browser that blocks messages is told how to allow them", LIMIT, async (t) => {
  const { fan, page } = await openAs(t, await somebodyNew(on), "#notifications", { as: { permission: "default", answer: "denied" } });
  await turnOn(fan).click();
  await fan.getByText("Your browser blocks messages from this page.").waitFor();
  await fan.getByText("allow notifications for this page").waitFor();
  await page.evaluate(() => {
    localStorage.setItem("test-permission", "granted");
    dispatchEvent(new Event("focus"));
  });
  await turnOn(fan).waitFor();
});

test("a browser without messages from pages says so", LIMIT, async (t) => {
  const who = await somebodyNew(on);
  const prepare = (context) => context.addInitScript(() => delete window.PushManager);
  const { fan } = await openPageOf(t, on, who, "#notifications", { prepare });
  await here(fan).getByText("This browser takes no messages from pages").waitFor();
  await fan.getByRole("switch", { name: /^Goals/ }).waitFor();
});

test("an iPhone is told to install the page first", LIMIT, async (t) => {
  const who = await somebodyNew(on);
  const prepare = (context) =>
    context.addInitScript(() => {
      delete window.PushManager;
      Object.defineProperty(navigator, "userAgent", { get: () => "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1" });
    });
  const { fan } = await openPageOf(t, on, who, "#notifications", { prepare });
  await here(fan).getByText("Add to Home Screen").waitFor();
});

test("a browser whose message service does not answer says so, and is tried again", LIMIT, async (t) => {
  const who = await somebodyNew(on);
  const { fan, page } = await openAs(t, who, "#notifications", { as: { refuses: true } });
  await turnOn(fan).click();
  await fan.getByText("Registration failed - push service error").waitFor();
  assert.deepEqual(await devicesOf(who), []);
  await page.evaluate(() => void (window.refuses = false));
  await fan.getByRole("button", { name: "Try again" }).click();
  await turnOff(fan).waitFor();
});

test("after a prediction the page asks once whether to remind, and not now is remembered", LIMIT, async (t) => {
  const who = await somebodyNew(on);
  const [first, second] = [await makeMatch(on, "ask_first", 60), await makeMatch(on, "ask_second", 70)];
  const { fan, page } = await openAs(t, who, `#match/${first}`, { as: { permission: "default" } });
  const question = fan.getByText("Shall we remind you before kick-off if a prediction is missing?");
  const predict = async (match, outcome) => {
    await page.goto(`${on.service.baseUrl}/#match/${match}`);
    await fan.locator(`[data-match="${match}"][aria-current]`).waitFor();
    await fan.locator(`[data-pick=${outcome}]`).click();
    await eventually(async () => (await who.call("list_my_predictions", {})).data.find(({ event_id }) => event_id === match)?.prediction, outcome, "the prediction");
    await fan.locator(`[data-pick=${outcome}][aria-pressed=true]`).waitFor();
  };
  await fan.locator("[data-pick]").first().waitFor();
  assert.equal(await question.count(), 0);
  await predict(first, "home");
  await question.waitFor();
  await predict(second, "draw");
  assert.equal(await question.count(), 0, "one match is enough");
  await page.goto(`${on.service.baseUrl}/#match/${first}`);
  await fan.getByRole("button", { name: "Not now" }).click();
  await eventually(() => question.count(), 0, "it goes");
  await predict(second, "home");
  await predict(first, "draw");
  assert.equal(await question.count(), 0, "it stays away");
  assert.equal(await page.evaluate(() => window.timesAsked), 0, "the browser asked nobody");
  await page.reload();
  await predict(second, "away");
  assert.equal(await question.count(), 0, "not now is remembered");
  assert.deepEqual(await devicesOf(who), []);
});

test("yes to a reminder turns it on", LIMIT, async (t) => {
  const who = await somebodyNew(on);
  await who.call("change_push_settings", { reminder: false });
  const match = await makeMatch(on, "ask_yes", 80);
  const { fan } = await openAs(t, who, `#match/${match}`, { as: { permission: "default" }, width: 360 });
  await fan.locator("[data-pick=home]").click();
  await fan.getByRole("button", { name: "Yes, remind me" }).click();
  await fan.getByText("We will remind you").waitFor();
  assert.equal((await devicesOf(who)).length, 1);
  const { reminder, zone } = await settingsOf(who);
  assert.deepEqual({ reminder, zone }, { reminder: true, zone: ZONE });
  await fan.getByRole("link", { name: "Notifications" }).click();
  await turnOff(fan).waitFor();
});

test("logging out ends the subscription", LIMIT, async (t) => {
  const who = await somebodyNew(on);
  const { fan, page } = await openAs(t, who, "#notifications");
  await turnOn(fan).click();
  await turnOff(fan).waitFor();
  assert.equal(await isSubscribed(page), true);
  await goTo(fan, "Me");
  await fan.getByRole("button", { name: "Log out" }).click();
  await eventually(() => isSubscribed(page), false, "the subscription");
});

test("whoever comes in next gets nothing of the one before", LIMIT, async (t) => {
  const [ada, bob] = [await somebodyNew(on), await somebodyNew(on)];
  const { fan, page } = await openAs(t, ada, "#notifications");
  await turnOn(fan).click();
  await turnOff(fan).waitFor();
  // As in a new tab: the one before did not log out.
  const session = await bob.session();
  await page.evaluate((kept) => (sessionStorage.clear(), sessionStorage.setItem("touchline-fan-1", JSON.stringify(kept))), session);
  await page.reload();
  await eventually(() => isSubscribed(page), false, "the subscription");
  await turnOn(fan).waitFor();
  assert.deepEqual(await devicesOf(bob), []);
});

test("a page that starts tells the service of a new address or key, and of the same ones once a day", LIMIT, async (t) => {
  const who = await somebodyNew(on);
  const { fan, page, browser } = await openAs(t, who, "#notifications");
  await turnOn(fan).click();
  await turnOff(fan).waitFor();
  const kept = () => page.evaluate(() => JSON.parse(localStorage.getItem("touchline-push")));
  const change = (fields) => page.evaluate((changed) => localStorage.setItem("touchline-push", JSON.stringify({ ...JSON.parse(localStorage.getItem("touchline-push")), ...changed })), fields);
  const { key, at } = await kept();
  for (const old of [{ address: "https://push.example.org/before" }, { key: "another" }, { at: at - 90_000_000 }]) {
    await change(old);
    await page.reload({ waitUntil: "commit" });
    await eventually(async () => {
      const now = await kept();
      return [now?.address, now?.key, now?.at > at];
    }, [browser.endpoint, key, true], `told again after ${Object.keys(old)}`);
    await turnOff(fan).waitFor();
  }
  const told = await kept();
  const isAsked = page.waitForResponse((response) => response.url().endsWith("/push/key"));
  await Promise.all([isAsked, page.reload({ waitUntil: "commit" })]);
  await turnOff(fan).waitFor();
  assert.deepEqual(await kept(), told);
  assert.equal((await devicesOf(who)).length, 1);
});

test("a device that was removed elsewhere is not brought back", LIMIT, async (t) => {
  const who = await somebodyNew(on);
  const { fan, page } = await openAs(t, who, "#notifications");
  await turnOn(fan).click();
  await turnOff(fan).waitFor();
  const [device] = await devicesOf(who);
  await who.call("remove_device", { device: device.id });
  await page.reload();
  await turnOn(fan).waitFor();
  await eventually(() => isSubscribed(page), false, "the subscription");
  assert.deepEqual(await devicesOf(who), []);
});

test("another device is shown with its name, and is gone when it is removed", LIMIT, async (t) => {
  const who = await somebodyNew(on);
  const { endpoint: address, keys } = push.subscription();
  await who.call("register_device", { kind: "webpush", address, ...keys, name: "Old phone" });
  const { fan } = await openAs(t, who, "#notifications");
  const others = group(fan, "Your other devices");
  await others.getByText(/^Browser, since /).waitFor();
  await others.getByRole("button", { name: "Remove Old phone" }).click();
  await fan.getByText("Old phone gets no more messages.").waitFor();
  await others.getByText("No other device").waitFor();
  assert.deepEqual(await devicesOf(who), []);
});

/** Has the worker of a page get a message, as from a push service; devtools' own way says nothing of a message that it drops, and a busy machine drops some. */
async function deliver(page, context, data) {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  const [worker] = context.serviceWorkers();
  await worker.evaluate(async (data) => {
    const event = new PushEvent("push", { data });
    const shown = new Promise((resolve) => Object.defineProperty(event, "waitUntil", { value: resolve }));
    self.dispatchEvent(event);
    await shown;
  }, data);
}

const shownOn = (page) =>
  page.evaluate(async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(({ title, body, tag, data, icon }) => ({ title, body, tag, data, icon: new URL(icon).pathname })));

test("a message is shown with its words, its tag and our icon", LIMIT, async (t) => {
  const { page, context } = await openAs(t, await somebodyNew(on), "#matches");
  const message = { title: "Arden – Bryncoed", body: "Kick-off in an hour", tag: "reminder-1", data: { kind: "reminder", event_ids: [1] } };
  await deliver(page, context, JSON.stringify(message));
  await eventually(() => shownOn(page), [{ ...message, icon: "/app/icon-192.png" }], "what is shown");
});

test("what is said while somebody looks at the page is not shown once more", LIMIT, async (t) => {
  const { page, context } = await openAs(t, await somebodyNew(on), "#matches");
  await deliver(page, context, JSON.stringify({ title: "ben · Corner", body: "Hello", tag: "chat-1", data: { kind: "chat", room_id: "!abc:localhost" } }));
  await deliver(page, context, JSON.stringify({ title: "Goal!", body: "1 – 0", tag: "goal-1", data: { kind: "goal" } }));
  await eventually(async () => (await shownOn(page)).map(({ title }) => title), ["Goal!"], "what is shown");
});

test("whoever comes in where nothing was subscribed leaves what is shown", LIMIT, async (t) => {
  const { page, context } = await openAs(t, await somebodyNew(on), "#matches");
  await deliver(page, context, JSON.stringify({ title: "Shown", body: "And stays", tag: "t", data: {} }));
  await eventually(async () => (await shownOn(page)).map(({ title }) => title), ["Shown"], "what is shown");
  await page.evaluate(async () => {
    const { keepSubscribed } = await import("/app/push.js");
    await keepSubscribed({ place: 1, state: { session: { user: { id: 1 } } } });
  });
  assert.equal((await shownOn(page)).length, 1);
});

test("a message that cannot be read still shows a line", LIMIT, async (t) => {
  const { page, context } = await openAs(t, await somebodyNew(on), "#matches");
  await deliver(page, context, "not what we send");
  await eventually(async () => (await shownOn(page)).map(({ title, body }) => [title, body]), [["Touchline", "There is something new."]], "what is shown");
});

for (const [name, data, place] of [
  ["of one match leads to it", { kind: "goal", event_ids: [7] }, "#match/7"],
  ["of several matches leads to all", { kind: "goal", event_ids: [7, 8] }, "#matches"],
  ["of a room leads into it", { kind: "mention", room_id: "!abc:localhost" }, "#room/!abc%3Alocalhost"],
]) {
  test(`a message ${name}`, LIMIT, async (t) => {
    const { page, context } = await openAs(t, await somebodyNew(on), "#table");
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
    const [worker] = context.serviceWorkers();
    // The page is there for the worker to find; what a press does is the handler's own.
    await worker.evaluate((data) => {
      WindowClient.prototype.focus = async function () {};
      const pressed = new Event("notificationclick");
      self.dispatchEvent(Object.assign(pressed, { notification: { data, close() {} }, waitUntil() {} }));
    }, data);
    await eventually(() => page.evaluate(() => location.hash), place, "where the page goes");
  });
}

test("the place speaks German", LIMIT, async (t) => {
  const { fan } = await openAs(t, await somebodyNew(on), "#notifications", { locale: "de-DE" });
  await fan.getByRole("button", { name: "Auf diesem Gerät einschalten" }).click();
  await fan.getByRole("button", { name: "Ausschalten" }).waitFor();
  await fan.getByRole("switch", { name: /^Tore/ }).check();
  await fan.getByText("Tore: gespeichert.").waitFor();
});

for (const [width, colorScheme] of [[1280, "light"], [1280, "dark"], [360, "light"], [360, "dark"]]) {
  test(`notifications are for everybody at ${width} pixels in ${colorScheme}`, LIMIT, async (t) => {
    const who = await somebodyNew(on);
    const { endpoint: address, keys } = push.subscription();
    await who.call("register_device", { kind: "webpush", address, ...keys, name: "A telephone with a name that is a good deal longer than telephones are wide" });
    const match = await makeMatch(on, `looks_${width}_${colorScheme}`, 90);
    const { fan, page, complaints } = await openAs(t, who, `#match/${match}`, { as: { permission: "default" }, width, colorScheme });
    await fan.locator("[data-pick=home]").click();
    await fan.getByRole("button", { name: "Yes, remind me" }).waitFor();
    await assertAccessible(page, "the question after a prediction");
    await page.goto(`${on.service.baseUrl}/#notifications`);
    await fan.getByRole("switch", { name: /^Goals/ }).waitFor();
    await assertAccessible(page, "off");
    await turnOn(fan).click();
    await turnOff(fan).waitFor();
    await fan.getByRole("switch", { name: /^Goals/ }).check();
    await fan.getByText("Goals: saved.").waitFor();
    await fan.getByRole("switch", { name: /^For my teams/ }).uncheck();
    await fan.getByRole("switch", { name: /^For my leagues/ }).uncheck();
    await fan.getByText("With neither chosen").waitFor();
    await assertAccessible(page, "on, with saved switches");
    const small = await page.evaluate(() => [...document.querySelectorAll(".stage button, .stage select, .stage .setting label")].filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.textContent.slice(0, 40)));
    if (width < 500) assert.deepEqual(small, [], "nothing is too small for a finger");
    assert.deepEqual(complaints, []);
  });
}
