// This browser as a device that gets messages: subscribing it, telling the service, and ending it. One browser has one subscription, whoever is in.

/** @typedef {import("./fan.js").Fan} Fan */
/** Whose messages this browser gets, and what the service was told. @typedef {{ user: number, device: number, address: string, key: string, at: number }} Kept */
/** @typedef {Partial<import("./api.d.ts").Schemas["SettingsView"]>} Settings */

const KEPT = "touchline-push";
/** Of the login of this tab, to which the device is tied, at the service and in chat. */
const TOLD = "touchline-push-told";
/** Addresses change: an unchanged one is told again so often. */
const AGAIN_MS = 86_400_000;

/** Told on the window when this browser has become another device, or none. */
export const CHANGED = "touchline-push-changed";

/** @param {Fan} fan */
const userOf = (fan) => fan.state.session?.user.id ?? null;

/** The service's device, and the one in chat. @param {Fan} fan @param {number} device */
const toldOf = (fan, device) => `${device} ${fan.state.session?.chat?.device_id}`;

/** What this browser can do: take messages, take them once it is installed as an app, or nothing. @returns {"able" | "to_install" | "unable"} */
export function ability() {
  if (navigator.serviceWorker && "PushManager" in window && "Notification" in window) return "able";
  const isApple = /iPhone|iPad/.test(navigator.userAgent) || (navigator.userAgent.includes("Macintosh") && navigator.maxTouchPoints > 1);
  return isApple && !matchMedia("(display-mode: standalone)").matches ? "to_install" : "unable";
}

/** @returns {Kept | null} */
export function keptDevice() {
  return JSON.parse(localStorage.getItem(KEPT) ?? "null");
}

/** How its owner knows this browser among others, in words of no language. */
function nameOfThis() {
  const agent = navigator.userAgent;
  const first = (/** @type {[RegExp, string][]} */ names) => names.find(([sign]) => sign.test(agent))?.[1];
  const browser = first([[/Edg/, "Edge"], [/OPR\//, "Opera"], [/Firefox|FxiOS/, "Firefox"], [/Chrom|CriOS/, "Chrome"], [/Safari/, "Safari"]]);
  const system = first([[/Android/, "Android"], [/iPhone/, "iPhone"], [/iPad/, "iPad"], [/Windows/, "Windows"], [/Mac/, "Mac"], [/CrOS/, "ChromeOS"], [/Linux/, "Linux"]]);
  return [browser, system].filter(Boolean).join(", ") || null;
}

/** Registered once more if it is not there: `ready` alone would wait for ever where that did not work. */
async function readyWorker() {
  if (!(await navigator.serviceWorker.getRegistration("/"))) await navigator.serviceWorker.register("/app/worker.js", { scope: "/" });
  return navigator.serviceWorker.ready;
}

/** The subscription of this fan; one of another fan or by another key is ended first, so that nobody else's messages come. @param {Fan} fan @param {string} key */
async function subscribe(fan, key) {
  const { pushManager } = await readyWorker();
  const kept = keptDevice();
  let subscription = await pushManager.getSubscription();
  if (subscription && (kept?.user !== userOf(fan) || kept?.key !== key)) {
    await subscription.unsubscribe();
    subscription = null;
  }
  return subscription ?? pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/** Has the homeserver tell this device what is said in the fan's rooms. @param {Fan} fan @param {string} pushkey @param {string} url */
async function followTalk(fan, pushkey, url) {
  const chat = await fan.chat();
  const about = { app_display_name: "Touchline", device_display_name: nameOfThis() ?? "Browser", lang: document.documentElement.lang };
  await chat.request("POST", "/pushers/set", { kind: "http", app_id: "touchline.fan-page", pushkey, ...about, data: { url } });
}

/** @param {Fan} fan @param {PushSubscription} subscription @param {Service} service */
async function tell(fan, subscription, { key, gateway }) {
  const { endpoint: address = "", keys } = subscription.toJSON();
  // Quiet hours are of where somebody lives, until they say otherwise.
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  const { data } = await fan.call("register_device", { kind: "webpush", address, p256dh: keys?.p256dh, auth: keys?.auth, name: nameOfThis(), zone });
  const user = /** @type {number} */ (userOf(fan));
  const before = keptDevice();
  localStorage.setItem(KEPT, JSON.stringify({ user, device: data.id, address, key, at: Date.now() }));
  // Without chat the rest works all the same; it is tried again when the page is opened anew.
  followTalk(fan, data.pushkey, gateway).then(() => sessionStorage.setItem(TOLD, toldOf(fan, data.id)), () => {});
  dispatchEvent(new Event(CHANGED));
  // At its address of before nobody is any more; the service would find out with the next message.
  if (before?.user === user && before.device !== data.id) fan.call("remove_device", { device: before.device }).catch(() => {});
}

/** What the service says of itself. @typedef {{ key: string, gateway: string }} Service */
/** @param {Fan} fan @returns {Promise<Service>} */
async function askService(fan) {
  const { data } = await fan.call("show_push_key");
  return { key: data.public_key, gateway: data.gateway_url };
}

/**
 * Brings this fan's messages to this browser, which has allowed it; `wanted` is switched on with it.
 * @param {Fan} fan @param {Settings} [wanted] @returns {Promise<Settings>} the settings, as they are now
 */
export async function turnOn(fan, wanted = {}) {
  const service = await askService(fan);
  await tell(fan, await subscribe(fan, service.key), service);
  endWithLogin(fan);
  const { data } = await (Object.keys(wanted).length ? fan.call("change_push_settings", wanted) : fan.call("show_push_settings"));
  return data;
}

/** @param {Fan} fan */
export async function turnOff(fan) {
  const kept = keptDevice();
  try {
    if (kept) await fan.call("remove_device", { device: kept.device });
  } catch (error) {
    // Removed from elsewhere already: that is what was wanted.
    if (/** @type {any} */ (error).status !== 404) throw error;
  }
  await endSubscription();
}

/** Nothing more comes to this browser, and what is shown of it goes. */
export async function endSubscription() {
  localStorage.removeItem(KEPT);
  sessionStorage.removeItem(TOLD);
  const registration = await navigator.serviceWorker.getRegistration("/");
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
  dispatchEvent(new Event(CHANGED));
}

const watched = new WeakSet();

/** The service forgets a device with its login; the browser is not to keep it for whoever comes in next. @param {Fan} fan */
function endWithLogin(fan) {
  if (watched.has(fan)) return;
  watched.add(fan);
  const user = userOf(fan);
  const stop = fan.subscribe(() => {
    if (userOf(fan) === user) return;
    stop();
    watched.delete(fan);
    if (keptDevice()?.user === user) endSubscription().catch(() => {});
  });
}

/** When somebody comes in: tells the service where this browser is now, if that may have changed. @param {Fan} fan */
export async function keepSubscribed(fan) {
  if (ability() !== "able" || Notification.permission !== "granted") return;
  const kept = keptDevice();
  if (kept?.user !== userOf(fan)) {
    // The second fan of a page is a guest of the first; and where nothing was subscribed, nothing ends.
    const isSubscribed = kept || (await (await readyWorker()).pushManager.getSubscription());
    if (fan.place === 1 && isSubscribed) await endSubscription();
    return;
  }
  endWithLogin(fan);
  const [service, { data: devices }] = await Promise.all([askService(fan), fan.call("list_devices")]);
  const subscription = await subscribe(fan, service.key);
  const isSame = subscription.endpoint === kept.address && service.key === kept.key;
  // Its owner removed it, from another device perhaps.
  if (isSame && !devices.some(({ id }) => id === kept.device)) return endSubscription();
  const isTold = isSame && sessionStorage.getItem(TOLD) === toldOf(fan, kept.device) && Date.now() - kept.at < AGAIN_MS;
  if (!isTold) await tell(fan, subscription, service);
}
