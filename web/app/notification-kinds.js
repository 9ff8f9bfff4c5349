// What somebody is told: a switch for each kind of message, and of reminders how long before and of which matches.
import { html } from "../vendor/htm-preact-standalone.module.js";
import { Failure, Loading } from "../shared/components.js";
import { Choice, NotSaved, Sign, Switch, useSaving } from "./notification-setting.js";
import { useShared } from "./notification-store.js";
import { useNotificationTexts } from "./texts-notifications.js";

/** @typedef {import("./fan.js").Fan} Fan */
/** @typedef {import("./notification-store.js").Settings} Settings */
/** @typedef {keyof import("./texts-notifications.js").NotificationTexts["kinds"]} Kind */

const LEADS = /** @type {const} */ ([15, 30, 60, 180, 720, 1440]);
const KINDS = /** @type {const} */ (["result", "kick_off", "goal", "mention", "chat", "invitation", "message"]);

/** @param {{ fan: Fan, settings: Settings, name: Kind, kind?: string }} props */
function KindSwitch({ fan, settings, name, kind }) {
  const { n } = useNotificationTexts();
  const saving = useSaving(fan);
  const isOn = { ...settings, ...saving.pending }[name];
  return html`<${Switch} saving=${saving} words=${n.kinds[name]} isOn=${isOn} set=${(/** @type {boolean} */ next) => saving.save({ [name]: next })} kind=${kind} />`;
}

/** @param {{ fan: Fan, settings: Settings }} props */
function Lead({ fan, settings }) {
  const { n } = useNotificationTexts();
  const saving = useSaving(fan);
  const value = saving.pending?.remind_minutes ?? settings.remind_minutes;
  const choose = (/** @type {string} */ minutes) => saving.save({ remind_minutes: Number(minutes) });
  return html`<li class="setting below">
    <div class="choice"><b class="grow">${n.before}</b><${Sign} label=${n.before} saving=${saving} />
      <${Choice} label=${n.before} value=${value} choices=${LEADS.map((minutes) => [minutes, n.leads[minutes]])} choose=${choose} /></div>
    <${NotSaved} saving=${saving} />
  </li>`;
}

/** @param {{ fan: Fan }} props */
export function Kinds({ fan }) {
  const { t, n } = useNotificationTexts();
  const { value: settings, error, again } = useShared(fan, "settings");
  const one = (/** @type {Kind} */ name, kind = "") => html`<${KindSwitch} key=${name} fan=${fan} settings=${settings} name=${name} kind=${kind} />`;
  const below = settings?.reminder && [
    html`<${Lead} key="lead" fan=${fan} settings=${settings} />`,
    one("remind_teams", "below"),
    one("remind_leagues", "below"),
    !settings.remind_teams && !settings.remind_leagues && html`<li class="setting below warning" key="nothing"><span role="status">${n.remindsOfNothing}</span></li>`,
  ];
  return html`<section role="group" class="card" aria-label=${n.what}>
    <header><h2>${n.what}</h2></header>
    ${error && html`<div class="body"><${Failure} error=${error} words=${t} again=${again} /></div>`}
    ${!settings && !error && html`<${Loading} lines=${8} label=${t.loading} />`}
    ${settings && html`<ul class="rows">${one("reminder")}${below}${KINDS.map((name) => one(name))}</ul>`}
  </section>`;
}
