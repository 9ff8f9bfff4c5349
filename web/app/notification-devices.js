// Where messages come: to this browser, and to what else somebody has.
import { html, useEffect, useState } from "../vendor/htm-preact-standalone.module.js";
import { Failure, Loading } from "../shared/components.js";
import { useAttempt } from "./asking.js";
import { keepSettings, useShared } from "./notification-store.js";
import { ability, keptDevice, turnOff, turnOn } from "./push.js";
import { useNotificationTexts } from "./texts-notifications.js";

/** @typedef {import("./fan.js").Fan} Fan */
/** @typedef {import("./notification-store.js").Device} Device */

/** What the browser allows, again when that is changed beside the page, and a way to look at once. */
function usePermission() {
  const read = () => window.Notification?.permission ?? "default";
  const [permission, setPermission] = useState(read);
  const look = () => setPermission(read());
  useEffect(() => {
    const stop = new AbortController();
    // Without it the page still sees the change when it is looked at again.
    navigator.permissions?.query({ name: "notifications" }).then((status) => status.addEventListener("change", look, { signal: stop.signal }), () => {});
    addEventListener("focus", look, { signal: stop.signal });
    return () => stop.abort();
  }, []);
  return { permission, look };
}

/** The device that this browser is for this fan, if it is one. @param {Fan} fan @param {Device[] | null} devices */
function ownDevice(fan, devices) {
  const kept = keptDevice();
  return kept?.user === fan.state.session?.user.id ? devices?.find(({ id }) => id === kept?.device) : undefined;
}

/** @param {{ device: Device }} props */
function Trouble({ device }) {
  const { n } = useNotificationTexts();
  const why = n.failures[/** @type {"later"} */ (device.failure ?? "")];
  return why ? html`<small class="trouble">${why}</small>` : null;
}

/** @param {{ fan: Fan }} props */
export function ThisDevice({ fan }) {
  const { t, n } = useNotificationTexts();
  const { permission, look } = usePermission();
  const { value: devices, error: unread, again } = useShared(fan, "devices");
  const { error, isBusy, attempt } = useAttempt();
  const [isAsking, setAsking] = useState(false);
  const [wasLeftOpen, setLeftOpen] = useState(false);
  const device = ownDevice(fan, devices);
  const begin = () =>
    attempt(async () => {
      setAsking(true);
      const answer = await Notification.requestPermission().finally(() => setAsking(false));
      look();
      setLeftOpen(answer === "default");
      if (answer === "granted") keepSettings(fan, await turnOn(fan).finally(again));
    });
  const end = () => attempt(() => turnOff(fan).then(again));
  const able = ability();
  const isBlocked = able === "able" && permission === "denied";
  const card = (/** @type {string} */ state, /** @type {any} */ body) => html`<section role="group" class="card this-device" aria-label=${n.thisDevice}>
    <header><h2>${n.thisDevice}</h2><span class="pill ${device ? "won" : ""}" role="status">${state}</span></header><div class="body stack">${body}</div>
  </section>`;
  if (able !== "able") return card(n.isUnable, html`<p>${able === "to_install" ? n.toInstall : n.unable}</p>`);
  if (isBlocked) return card(n.isBlocked, html`<p><b>${n.blocked}</b></p><p class="muted">${n.unblock}</p>`);
  if (!devices) return unread ? card("–", html`<${Failure} error=${unread} words=${t} again=${again} />`) : html`<section class="card"><${Loading} lines=${3} label=${t.loading} /></section>`;
  const why = error && (error instanceof DOMException || error instanceof TypeError ? { message: `${n.notSubscribed} ${n.itsWords(error.message)}` } : error);
  const isOfAnother = !device && keptDevice() && keptDevice()?.user !== fan.state.session?.user.id;
  const wait = isAsking ? n.asking : isBusy ? n.settingUp : !device && wasLeftOpen ? n.notYet : "";
  return card(
    device ? n.isOn : n.isOff,
    html`<p class="muted">${device ? n.onHow : isOfAnother ? n.ofAnother : n.offWhy}</p>
      ${device && html`<${Trouble} device=${device} />`}
      <div>${device ? html`<button disabled=${isBusy} onClick=${end}>${n.turnOff}</button>` : html`<button class="primary" disabled=${isBusy} onClick=${begin}>${n.turnOn}</button>`}</div>
      <p class="small muted" role="status" hidden=${!wait}>${wait}</p>
      ${why && html`<${Failure} error=${why} words=${t} again=${device ? end : begin} />`}`,
  );
}

/** @param {{ fan: Fan }} props */
export function OtherDevices({ fan }) {
  const { t, n, say } = useNotificationTexts();
  const { value: devices, error: unread, again } = useShared(fan, "devices");
  const { error, isBusy, attempt } = useAttempt();
  const [gone, setGone] = useState("");
  // Why they are not there is said of this device already, where that can be one.
  if (!devices) return unread && ability() !== "able" ? html`<section class="card"><div class="body"><${Failure} error=${unread} words=${t} again=${again} /></div></section>` : null;
  const own = ownDevice(fan, devices);
  const others = devices.filter((device) => device !== own);
  const remove = (/** @type {Device} */ device, /** @type {string} */ name) =>
    attempt(async () => {
      await fan.call("remove_device", { device: device.id }).catch((refused) => {
        // Removed from elsewhere already: that is what was wanted.
        if (refused.status !== 404) throw refused;
      });
      setGone(n.removed(name));
      await again();
    });
  return html`<section role="group" class="card" aria-label=${n.otherDevices}>
    <header><h2>${n.otherDevices}</h2></header>
    ${others.length > 0
      ? html`<ul class="rows">
          ${others.map((device) => {
            const name = device.name ?? n.noName;
            return html`<li class="item" key=${device.id}>
              <span class="grow"><span class="cut">${name}</span><small class="muted">${n.services[device.kind]}, ${n.since(say.date(device.created_at))}</small><${Trouble} device=${device} /></span>
              <button class="quiet" aria-label=${n.removeOf(name)} disabled=${isBusy} onClick=${() => remove(device, name)}>${n.remove}</button>
            </li>`;
          })}
        </ul>`
      : html`<p class="body muted">${n.noDevices}</p>`}
    <p class="device-gone small muted" role="status">${gone}</p>
    ${error && html`<div class="body"><${Failure} error=${error} words=${t} /></div>`}
  </section>`;
}
