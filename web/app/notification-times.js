// When messages may come: not in quiet hours, and only so many a day.
import { html } from "../vendor/htm-preact-standalone.module.js";
import { Loading } from "../shared/components.js";
import { Choice, NotSaved, Sign, Switch, useSaving } from "./notification-setting.js";
import { useShared } from "./notification-store.js";
import { useNotificationTexts } from "./texts-notifications.js";

/** @typedef {import("./fan.js").Fan} Fan */
/** @typedef {import("./notification-store.js").Settings} Settings */

const HALF_HOURS = Array.from({ length: 48 }, (_, at) => `${String(Math.floor(at / 2)).padStart(2, "0")}:${at % 2 ? "30" : "00"}`);
const MOST = [1, 2, 3, 5, 10, 20, 50, 100];
const NIGHT = { quiet_from: "22:00", quiet_until: "08:00" };

/** The choices, and what was chosen elsewhere if it is none of them. @template T @param {T[]} choices @param {T} value */
const including = (choices, value) => (choices.includes(value) ? choices : [...choices, value].sort());

/** @param {{ fan: Fan, settings: Settings }} props */
function Quiet({ fan, settings }) {
  const { n } = useNotificationTexts();
  const saving = useSaving(fan);
  const { quiet_from: from, quiet_until: until } = { ...settings, ...saving.pending };
  // The same time twice is how the service is told that there are none.
  const set = (/** @type {boolean} */ isOn) => saving.save(isOn ? NIGHT : { quiet_from: from, quiet_until: from });
  return html`<${Switch} saving=${saving} words=${n.quiet} isOn=${from !== until} set=${set} />
    ${from !== until && html`<${Hours} fan=${fan} settings=${settings} /><${Zone} fan=${fan} settings=${settings} />`}`;
}

/** @param {{ fan: Fan, settings: Settings }} props */
function Hours({ fan, settings }) {
  const { n, say } = useNotificationTexts();
  const saving = useSaving(fan);
  const shown = { ...settings, ...saving.pending };
  const asShown = (/** @type {string} */ time) => say.time(`2026-01-01T${time}`);
  const hour = (/** @type {"quiet_from" | "quiet_until"} */ name, /** @type {string} */ label) => html`<label class="field"><span>${label}</span>
    <${Choice} label=${label} value=${shown[name]} choices=${including(HALF_HOURS, shown[name]).map((time) => [time, asShown(time)])} choose=${(/** @type {string} */ time) => saving.save({ [name]: time })} /></label>`;
  return html`<li class="setting below">
    <div class="hours">${hour("quiet_from", n.from)}${hour("quiet_until", n.until)}<${Sign} label=${n.quiet[0]} saving=${saving} /></div>
    <${NotSaved} saving=${saving} />
  </li>`;
}

/** Whose time the hours are in, and this device's where that is another. @param {{ fan: Fan, settings: Settings }} props */
function Zone({ fan, settings }) {
  const { n } = useNotificationTexts();
  const saving = useSaving(fan);
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zone = saving.pending?.zone ?? settings.zone;
  const inWords = (/** @type {string} */ name) => name.replaceAll("_", " ");
  return html`<li class="setting below">
    <div class="choice zone-line"><span class="grow muted small">${n.zone(inWords(zone))}</span><${Sign} label=${n.zoneWord} saving=${saving} />
      ${here && here !== zone && html`<button onClick=${() => saving.save({ zone: here })}>${n.useZone(inWords(here))}</button>`}</div>
    <${NotSaved} saving=${saving} />
  </li>`;
}

/** @param {{ fan: Fan, settings: Settings }} props */
function Most({ fan, settings }) {
  const { n, say } = useNotificationTexts();
  const saving = useSaving(fan);
  const value = saving.pending?.most_a_day ?? settings.most_a_day;
  const [label, line] = n.most;
  const counts = including(MOST, value).sort((one, other) => one - other);
  return html`<li class="setting">
    <div class="choice"><span class="grow"><b>${label}</b><small class="muted">${line}</small></span><${Sign} label=${label} saving=${saving} />
      <${Choice} label=${label} value=${value} choices=${counts.map((count) => [count, say.number(count)])} choose=${(/** @type {string} */ count) => saving.save({ most_a_day: Number(count) })} /></div>
    <${NotSaved} saving=${saving} />
  </li>`;
}

/** Why the settings are not there is said beside it. @param {{ fan: Fan }} props */
export function Times({ fan }) {
  const { t, n } = useNotificationTexts();
  const { value: settings, error } = useShared(fan, "settings");
  if (!settings && error) return null;
  return html`<section role="group" class="card" aria-label=${n.when}>
    <header><h2>${n.when}</h2></header>
    ${settings ? html`<ul class="rows"><${Quiet} fan=${fan} settings=${settings} /><${Most} fan=${fan} settings=${settings} /></ul>` : html`<${Loading} lines=${4} label=${t.loading} />`}
  </section>`;
}
