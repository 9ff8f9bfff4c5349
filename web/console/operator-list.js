// Operators' tokens, for owners: who has one, making one, which is shown once, and ending one.
import { html, useState } from "../vendor/htm-preact-standalone.module.js";
import { addressOf, useDesk, useLive } from "./desk.js";
import { Ask, Field, Heading, List, Opens, Pager, Read, When } from "./parts.js";
import { useTexts } from "./texts.js";

/** @import { Schemas } from "./api.d.ts" */
/** @typedef {Schemas["OperatorView"]} Operator */

const ROLES = /** @type {const} */ (["viewer", "moderator", "operator", "owner"]);
const DAYS = [1, 7, 30, 90, 365, 0];

/** @param {{ address: import("./desk.js").Address }} props */
export function View({ address }) {
  const desk = useDesk();
  const { t } = useTexts();
  const active = address.query.get("all") === null;
  const page = Number(address.query.get("page") ?? 1);
  const [made, setMade] = useState(/** @type {any} */ (null));
  const reading = useLive((desk, signal) => desk.call("list_operators", { active, page }, { signal }), [active, page]);
  const revoke = (/** @type {Operator} */ row) => row.state === "active" && html`<${Opens} label=${t.revoke} kind="bad" ask=${(/** @type {() => void} */ close) => html`<${Ask} title=${t.revokeTitle(row.name)} what=${row.id === desk.state.me?.id ? t.revokeOwn : t.revokeWhat}
    action=${t.revoke} kind="bad" close=${close} run=${(/** @type {any} */ desk) => desk.call("revoke_operator", { operator: row.id })} />`} />`;
  return html`<${Heading} title=${t.places.operators}>
      <a class="button" href=${addressOf("operators", null, active ? { all: 1 } : {})}>${active ? t.showEnded : t.hideEnded}</a>
      <${Opens} label=${t.newToken} kind="primary" ask=${(/** @type {() => void} */ close) => html`<${Make} close=${close} then=${setMade} />`} />
    <//>
    ${made && html`<${Once} made=${made} close=${() => setMade(null)} />`}
    <${Read} reading=${reading} draw=${(/** @type {any} */ { data, meta }) => html`
      <${List} label=${t.places.operators} rows=${data} empty=${t.noOperators} rowClass=${(/** @type {Operator} */ row) => (row.state === "active" ? "" : "faded")} columns=${[
        { head: t.ways.name, cell: (/** @type {Operator} */ row) => html`<b>${row.name}</b> ${row.id === desk.state.me?.id ? html`<small class="muted">${t.thatIsYou}</small>` : ""}` },
        { head: t.role, cell: (/** @type {Operator} */ row) => t.roles[row.role] ?? row.role },
        { head: t.state, cell: (/** @type {Operator} */ row) => t.tokenStates[row.state] },
        { head: t.lastUsed, cell: (/** @type {Operator} */ row) => html`<${When} at=${row.last_used_at} none=${t.never} />` },
        { head: t.ends, cell: (/** @type {Operator} */ row) => html`<${When} at=${row.expires_at} none=${t.never} />` },
        { head: t.madeBy, cell: (/** @type {Operator} */ row) => html`${row.created_by ?? "–"} <small class="muted"><${When} at=${row.created_at} /></small>` },
        { head: html`<span class="hidden">${t.actions}</span>`, kind: "acts", cell: revoke },
      ]} />
      <${Pager} meta=${meta} to=${(/** @type {number} */ to) => addressOf("operators", null, { all: active ? null : 1, page: to })} />`} />`;
}

/** @param {{ close: () => void, then: (made: any) => void }} props */
function Make({ close, then }) {
  const { t } = useTexts();
  const [name, setName] = useState("");
  const [role, setRole] = useState(/** @type {typeof ROLES[number]} */ ("moderator"));
  const [days, setDays] = useState(30);
  const run = (/** @type {any} */ desk) => desk.call("add_operator", { name: name.trim(), role, ...(days && { expires_at: new Date(Date.now() + days * 86_400_000).toISOString() }) });
  return html`<${Ask} title=${t.newToken} what=${t.newTokenWhat} action=${t.makeToken} close=${close} isReady=${name.trim() !== ""} run=${run} then=${(/** @type {any} */ { data }) => then(data)}>
    <${Field} label=${t.whoFor}><input name="name" maxlength="64" autocomplete="off" value=${name} onInput=${(/** @type {any} */ event) => setName(event.target.value)} /><//>
    <${Field} label=${t.role} hint=${t.roleMay[role]}><select name="role" value=${role} onChange=${(/** @type {any} */ event) => setRole(event.target.value)}>${ROLES.map((one) => html`<option value=${one} selected=${one === role}>${t.roles[one]}</option>`)}</select><//>
    <${Field} label=${t.ends}><select name="days" value=${String(days)} onChange=${(/** @type {any} */ event) => setDays(Number(event.target.value))}>${DAYS.map((one) => html`<option value=${one} selected=${one === days}>${one ? t.afterDays(one) : t.never}</option>`)}</select><//>
  <//>`;
}

/** @param {{ made: any, close: () => void }} props */
function Once({ made, close }) {
  const { t } = useTexts();
  const [isCopied, setCopied] = useState(false);
  const copy = () => navigator.clipboard?.writeText(made.token).then(() => setCopied(true), () => {});
  return html`<section class="verdict good once" aria-label=${t.tokenOf(made.name)}><b>${t.tokenOf(made.name)}</b><span>${t.shownOnce}</span>
    <div class="row wrap"><input class="mono" readonly aria-label=${t.token} value=${made.token} onFocus=${(/** @type {any} */ event) => event.target.select()} /><button onClick=${copy}>${isCopied ? t.copied : t.copy}</button><button class="quiet" onClick=${close}>${t.haveIt}</button></div></section>`;
}
