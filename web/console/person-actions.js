// What an operator can do about a user. Each question says what the press will do; what the role does not allow is not offered.
import { html, useState } from "../vendor/htm-preact-standalone.module.js";
import { addressOf, go, useDesk } from "./desk.js";
import { Ask, Field, Opens, Press, saveFile } from "./parts.js";
import { useTexts } from "./texts.js";
import { uniqueName } from "./touchline.js";

/** @typedef {import("./person.js").PersonView} PersonView */
/** @typedef {{ person: PersonView, close: () => void }} Question */

const typed = (/** @type {(text: string) => void} */ set) => (/** @type {any} */ event) => set(event.target.value);

/** @param {{ person: PersonView }} props */
export function Actions({ person }) {
  const desk = useDesk();
  const { t } = useTexts();
  const ask = (/** @type {any} */ Question) => (/** @type {() => void} */ close) => html`<${Question} person=${person} close=${close} />`;
  if (!desk.may("moderator")) return html`<aside class="acts-side" aria-label=${t.actions}><p class="muted small">${t.onlyLooking}</p></aside>`;
  return html`<aside class="acts-side stack" aria-label=${t.actions}>
    <h2>${t.actions}</h2>
    ${person.ban && html`<${Opens} label=${t.unban} ask=${ask(Unban)} />`}
    <${Opens} label=${person.ban ? t.changeBan : t.ban} kind=${person.ban ? "" : "bad"} ask=${ask(Ban)} />
    <${Opens} label=${t.endSessions} ask=${ask(EndSessions)} />
    ${desk.may("operator") && html`<${Opens} label=${t.adjustCoins} ask=${ask(AdjustCoins)} />${person.frozen_at && html`<${Opens} label=${t.unfreeze} ask=${ask(Unfreeze)} />`}`}
    ${desk.may("owner") && html`
      <${Press} label=${t.exportUser} run=${(/** @type {any} */ desk) => desk.call("export_user", { user: person.id })} then=${(/** @type {any} */ whole) => saveFile(`user-${person.id}.json`, whole)} />
      <${Opens} label=${t.deleteUser} kind="bad" ask=${ask(Delete)} />`}
  </aside>`;
}

const TIMES = /** @type {const} */ ([60, 1_440, 10_080, 43_200, 0]);

/** @param {Question} props */
function Ban({ person, close }) {
  const { t } = useTexts();
  const [minutes, setMinutes] = useState(1_440);
  const [reason, setReason] = useState(person.ban?.reason ?? "");
  const body = { ...(minutes && { minutes }), ...(reason.trim() && { reason: reason.trim() }) };
  return html`<${Ask} title=${t.banTitle(person.username)} what=${t.banWhat} action=${minutes ? t.banFor(t.banTimes[/** @type {60} */ (minutes)]) : t.banForGood} kind="bad" close=${close}
    isReady=${reason.trim() !== ""} run=${(/** @type {any} */ desk) => desk.call("ban_user", { user: person.id, ...body })}>
    <${Field} label=${t.forHowLong}><select value=${String(minutes)} onChange=${(/** @type {any} */ event) => setMinutes(Number(event.target.value))}>${TIMES.map((time) => html`<option value=${time} selected=${time === minutes}>${t.banTimes[time]}</option>`)}</select><//>
    <${Field} label=${t.reason} hint=${t.banReasonHint}><textarea name="reason" rows="3" maxlength="500" value=${reason} onInput=${typed(setReason)}></textarea><//>
  <//>`;
}

/** @param {Question} props */
function Unban({ person, close }) {
  const { t } = useTexts();
  return html`<${Ask} title=${t.unbanTitle(person.username)} what=${t.unbanWhat} action=${t.unban} close=${close} run=${(/** @type {any} */ desk) => desk.call("unban_user", { user: person.id })} />`;
}

/** @param {Question} props */
function EndSessions({ person, close }) {
  const { t } = useTexts();
  return html`<${Ask} title=${t.endSessionsTitle(person.username)} what=${t.endSessionsWhat} action=${t.endSessions} kind="bad" close=${close} run=${(/** @type {any} */ desk) => desk.call("end_user_sessions", { user: person.id })} />`;
}

/** @param {Question} props */
function AdjustCoins({ person, close }) {
  const { t, say } = useTexts();
  const [amount, setAmount] = useState("");
  const [reason, setReason] = useState("");
  // A second press after a lost answer is the same correction, not another one.
  const [idempotencyKey] = useState(uniqueName);
  const number = /^[+-]?\d{1,10}$/.test(amount.trim()) ? Number(amount) : 0;
  const after = person.balance + number;
  return html`<${Ask} title=${t.adjustTitle(person.username)} what=${t.adjustWhat(say.number(person.balance))} action=${number ? t.adjustBy(say.signed(number)) : t.adjustCoins} close=${close}
    isReady=${number !== 0 && after >= 0 && reason.trim() !== ""} run=${(/** @type {any} */ desk) => desk.call("correct_coins", { user: person.id, amount: number, reason: reason.trim() }, { idempotencyKey })}>
    <${Field} label=${t.amount} hint=${number ? (after < 0 ? t.notBelowZero : t.balanceWouldBe(say.number(after))) : t.amountHint}><input name="amount" inputmode="numeric" autocomplete="off" value=${amount} onInput=${typed(setAmount)} /><//>
    <${Field} label=${t.reason} hint=${t.userSeesReason}><input name="reason" maxlength="255" value=${reason} onInput=${typed(setReason)} /><//>
  <//>`;
}

/** @param {Question} props */
function Unfreeze({ person, close }) {
  const { t } = useTexts();
  const [reason, setReason] = useState("");
  return html`<${Ask} title=${t.unfreezeTitle(person.username)} what=${t.unfreezeWhat} action=${t.unfreeze} close=${close} isReady=${reason.trim() !== ""}
    run=${(/** @type {any} */ desk) => desk.call("unfreeze_coins", { user: person.id, reason: reason.trim() })}>
    <${Field} label=${t.reason} hint=${t.userSeesReason}><input name="reason" maxlength="255" value=${reason} onInput=${typed(setReason)} /><//>
  <//>`;
}

/** @param {Question} props */
function Delete({ person, close }) {
  const { t } = useTexts();
  const [name, setName] = useState("");
  return html`<${Ask} title=${t.deleteTitle(person.username)} what=${t.deleteWhat} action=${t.deleteUser} kind="bad" close=${close} isReady=${name.trim() === person.username}
    run=${(/** @type {any} */ desk) => desk.call("delete_user", { user: person.id })} then=${() => go(addressOf("users"))}>
    <${Field} label=${t.typeToConfirm(person.username)}><input name="username" autocomplete="off" autocapitalize="none" spellcheck=${false} value=${name} onInput=${typed(setName)} /><//>
  <//>`;
}

/** @param {{ person: PersonView }} props */
export function AddNote({ person }) {
  const { t } = useTexts();
  const [text, setText] = useState("");
  return html`<form class="note-form" onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
    <${Field} label=${t.newNote}><textarea name="note" rows="2" maxlength="2000" value=${text} onInput=${typed(setText)}></textarea><//>
    <${Press} label=${t.addNote} isReady=${text.trim() !== ""} run=${(/** @type {any} */ desk) => desk.call("add_user_note", { user: person.id, text: text.trim() })} then=${() => setText("")} />
  </form>`;
}
