// The ways to the notifications from elsewhere: a line on the account, and a question after a prediction, which is the moment when a reminder makes sense.
import { html, useState } from "../vendor/htm-preact-standalone.module.js";
import { Failure } from "../shared/components.js";
import { useAttempt } from "./asking.js";
import { useTexts } from "./texts-inside.js";

/** @typedef {import("./fan.js").Fan} Fan */
/** @typedef {import("./panel.js").Go} Go */

const NOT_NOW = "touchline-no-reminder";
/** Whom it is asked, and under which match: of one visit there is one. @type {{ fan: Fan, match: number } | null} */
let asked = null;

/** Whether the question makes sense: nobody answered it, neither here nor to the browser. */
const isOpen = () => "PushManager" in window && window.Notification?.permission === "default" && !localStorage.getItem(NOT_NOW);

/** Says that a prediction was saved: the moment to ask. @param {Fan} fan @param {number} match */
export function predicted(fan, match) {
  if (isOpen()) asked ??= { fan, match };
}

/** @param {{ fan: Fan, match: number, go: Go }} props */
export function ReminderQuestion({ fan, match, go }) {
  const { t } = useTexts();
  const [answer, setAnswer] = useState(/** @type {"yes" | "no" | "blocked" | null} */ (null));
  const { error, isBusy, attempt } = useAttempt();
  const isUnderWay = isBusy || error || answer === "yes" || answer === "blocked";
  if (asked?.fan !== fan || asked.match !== match || !(isUnderWay || isOpen())) return null;
  const no = () => {
    localStorage.setItem(NOT_NOW, "1");
    setAnswer("no");
  };
  const yes = () =>
    attempt(async () => {
      // First of all, while the browser still knows that somebody pressed something.
      const permission = await Notification.requestPermission();
      if (permission === "default") return;
      if (permission === "granted") await (await import("./push.js")).turnOn(fan, { reminder: true });
      setAnswer(permission === "granted" ? "yes" : "blocked");
    });
  const settings = html`<a class="link" href="#notifications" onClick=${(/** @type {Event} */ event) => (event.preventDefault(), go("notifications"))}>${t.notifications}</a>`;
  return html`<div class="reminder" role="group" aria-label=${t.notifications}>
    <p role="status">${answer === "yes" ? t.willRemind : answer === "blocked" ? t.remindBlocked : t.shallRemind} ${answer && settings}</p>
    ${!answer && html`<div class="row wrap"><button disabled=${isBusy} onClick=${yes}>${t.remindMe}</button><button class="quiet" disabled=${isBusy} onClick=${no}>${t.notNow}</button></div>`}
    ${error && html`<${Failure} error=${error instanceof DOMException ? { message: t.remindFailed } : error} words=${t} again=${yes} />`}
  </div>`;
}

/** @param {{ go: Go }} props */
export function NotificationsLine({ go }) {
  const { t } = useTexts();
  return html`<a class="card leads-on" href="#notifications" onClick=${(/** @type {Event} */ event) => (event.preventDefault(), go("notifications"))}>
    <span class="grow"><b>${t.notifications}</b> <small class="muted cut">${t.notificationsWhat}</small></span><span class="muted" aria-hidden="true">›</span>
  </a>`;
}
