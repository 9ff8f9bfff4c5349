// Telling the operators of something that was said, with a reason.
import { html, useState } from "../vendor/htm-preact-standalone.module.js";
import { Failure } from "../shared/components.js";
import { useTexts } from "./texts-inside.js";

/** @param {{ fan: import("./fan.js").Fan, room: string, message: string, close: () => void }} props */
export function Report({ fan, room, message, close }) {
  const { t } = useTexts();
  const [reason, setReason] = useState("");
  const [state, setState] = useState(/** @type {{ isBusy?: boolean, isDone?: boolean, error?: any }} */ ({}));
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setState({ isBusy: true });
    try {
      await fan.call("report_chat", { room, message_id: message, reason: reason.trim() });
      setState({ isDone: true });
    } catch (error) {
      setState({ error });
    }
  };
  if (state.isDone) return html`<p class="fate small" role="status"><span>${t.isReported}</span><button class="quiet" onClick=${close}>${t.fine}</button></p>`;
  return html`<form class="report" onSubmit=${send}>
    <input aria-label=${t.reportReason} placeholder=${t.reportReason} maxlength="500" autocomplete="off" value=${reason} onInput=${(/** @type {any} */ event) => setReason(event.target.value)} />
    <button class="primary" disabled=${!reason.trim() || state.isBusy}>${t.report}</button><button type="button" class="quiet" onClick=${close}>${t.cancel}</button>
    ${state.error && html`<${Failure} error=${state.error} words=${t} />`}
  </form>`;
}
