// One setting of the notifications: saved as soon as it is changed, with a sign that it was, and as before if it was not.
import { html, useEffect, useRef, useState } from "../vendor/htm-preact-standalone.module.js";
import { Failure } from "../shared/components.js";
import { keepSettings } from "./notification-store.js";
import { useNotificationTexts } from "./texts-notifications.js";

/** @typedef {import("./fan.js").Fan} Fan */
/** @typedef {import("./notification-store.js").Settings} Settings */

const SIGN_MS = 4_000;

/** Saves changes of the settings; `pending` are those that the service has not answered. @param {Fan} fan */
export function useSaving(fan) {
  const [pending, setPending] = useState(/** @type {Partial<Settings> | null} */ (null));
  const [isSaved, setSaved] = useState(false);
  const [failed, setFailed] = useState(/** @type {{ error: any, changes: Partial<Settings> } | null} */ (null));
  const latest = useRef(0);
  const timer = useRef(/** @type {any} */ (null));
  useEffect(() => () => clearTimeout(timer.current), []);
  const save = async (/** @type {Partial<Settings>} */ changes) => {
    const own = ++latest.current;
    clearTimeout(timer.current);
    setSaved(false);
    setFailed(null);
    setPending(changes);
    try {
      const told = /** @type {any} */ ((await fan.call("change_push_settings", changes)).data);
      // An answer may be older than what was changed beside it meanwhile.
      if (own === latest.current) keepSettings(fan, Object.fromEntries(Object.keys(changes).map((name) => [name, told[name]])));
      setSaved(true);
      timer.current = setTimeout(() => setSaved(false), SIGN_MS);
    } catch (error) {
      if (own === latest.current) setFailed({ error, changes });
    }
    if (own === latest.current) setPending(null);
  };
  return { pending, isSaved, failed, save };
}

/** The sign beside a setting, and what is said of it. @param {{ label: string, saving: ReturnType<typeof useSaving> }} props */
export function Sign({ label, saving }) {
  const { n } = useNotificationTexts();
  return html`<span class="saved-sign" role="status">${saving.isSaved && html`<small aria-hidden="true">✓ ${n.saved}</small><span class="hidden">${n.isSaved(label)}</span>`}</span>`;
}

/** @param {{ saving: ReturnType<typeof useSaving> }} props */
export function NotSaved({ saving }) {
  const { t, n } = useNotificationTexts();
  const { failed, save } = saving;
  if (!failed) return null;
  return html`<div class="not-saved"><small>${n.notSaved}</small><${Failure} error=${failed.error} words=${t} again=${() => save(failed.changes)} /></div>`;
}

/**
 * A switch with a line on what it does.
 * @param {{ saving: ReturnType<typeof useSaving>, words: string[], isOn: boolean, set: (isOn: boolean) => void, kind?: string }} props
 */
export function Switch({ saving, words: [label, line], isOn, set, kind = "" }) {
  return html`<li class="setting ${kind}">
    <label><span class="grow"><b>${label}</b><small class="muted">${line}</small></span>
      <${Sign} label=${label} saving=${saving} />
      <input type="checkbox" role="switch" checked=${isOn} onChange=${(/** @type {any} */ event) => set(event.target.checked)} /></label>
    <${NotSaved} saving=${saving} />
  </li>`;
}

/** One of several values. @param {{ label: string, value: string | number, choices: [string | number, string][], choose: (value: string) => void, [attribute: string]: any }} props */
export function Choice({ label, value, choices, choose, ...rest }) {
  return html`<select aria-label=${label} value=${value} onChange=${(/** @type {any} */ event) => choose(event.target.value)} ...${rest}>
    ${choices.map(([one, name]) => html`<option key=${one} value=${one} selected=${one === value}>${name}</option>`)}
  </select>`;
}
