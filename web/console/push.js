// Notifications: what was sent to devices and what was not, what operators told, and telling something.
import { html } from "../vendor/htm-preact-standalone.module.js";
import { addressOf } from "./desk.js";
import { Heading, Tabs } from "./parts.js";
import { Sent } from "./push-figures.js";
import { Messages } from "./push-messages.js";
import { NewMessage } from "./push-new.js";
import { useTexts } from "./texts.js";

const PARTS = { sent: Sent, messages: Messages, new: NewMessage };
const NAMES = /** @type {const} */ (["sent", "messages", "new"]);

/** @param {{ address: import("./desk.js").Address }} props */
export function View({ address }) {
  const { t } = useTexts();
  const at = NAMES.find((name) => name === address.id) ?? "sent";
  const tabs = NAMES.map((name) => ({ name, label: t.push.tabs[name], address: addressOf("notifications", name === "sent" ? null : name) }));
  return html`<${Heading} title=${t.places.notifications} /><${Tabs} label=${t.places.notifications} at=${at} tabs=${tabs} /><${PARTS[at]} address=${address} />`;
}
