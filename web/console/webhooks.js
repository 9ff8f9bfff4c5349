// Webhooks: who hears of what, what was taken and what was not, and sending it again.
import { html, useState } from "../vendor/htm-preact-standalone.module.js";
import { addressOf, useDesk, useLive } from "./desk.js";
import { Ask, Field, List, Opens, Pager, Read, When } from "./parts.js";
import { useTexts } from "./texts.js";

/** @import { Schemas } from "./api.d.ts" */
/** @typedef {Schemas["WebhookView"]} Webhook */

const KINDS = ["status", "score", "predictions", "settlement"];

/** @param {{ id?: string, address: import("./desk.js").Address }} props */
export function Webhooks({ id, address }) {
  const desk = useDesk();
  const { t } = useTexts();
  const [made, setMade] = useState(/** @type {any} */ (null));
  const reading = useLive((desk, signal) => desk.call("list_webhooks", {}, { signal }), []);
  const columns = [
    { head: t.address, kind: "wide", cell: (/** @type {Webhook} */ hook) => html`<a class="link main said" href=${`#/machinery/webhooks/${hook.id}`}>${hook.url}</a>` },
    { head: t.hearsOf, cell: (/** @type {Webhook} */ hook) => hook.kinds.join(", ") },
    { head: t.state, cell: (/** @type {Webhook} */ hook) => html`<span class="mark ${hook.is_gone ? "bad" : "good"}">${hook.is_gone ? t.hookGone : t.hookActive}</span>` },
    { head: t.since, cell: (/** @type {Webhook} */ hook) => html`<${When} at=${hook.created_at} />` },
    ...(desk.may("operator") ? [{ head: html`<span class="hidden">${t.actions}</span>`, kind: "acts", cell: (/** @type {Webhook} */ hook) => html`<${HookActions} hook=${hook} />` }] : []),
  ];
  return html`${desk.may("owner") && html`<p class="row"><${Opens} label=${t.addWebhook} kind="primary" ask=${(/** @type {() => void} */ close) => html`<${Add} close=${close} then=${setMade} />`} /></p>`}
    ${made && html`<section class="verdict good once" aria-label=${t.secret}><b>${t.secretOf(made.url)}</b><span>${t.shownOnce}</span><div class="row wrap"><input class="mono" readonly aria-label=${t.secret} value=${made.secret} onFocus=${(/** @type {any} */ event) => event.target.select()} /><button class="quiet" onClick=${() => setMade(null)}>${t.haveIt}</button></div></section>`}
    <${Read} reading=${reading} draw=${(/** @type {any} */ { data }) => html`<${List} label=${t.machines.webhooks} rows=${data} columns=${columns} empty=${t.noWebhooks} rowClass=${(/** @type {Webhook} */ hook) => (String(hook.id) === id ? "chosen" : "")} />`} />
    ${id && html`<${Deliveries} key=${id} id=${Number(id)} page=${Number(address.query.get("page") ?? 1)} />`}`;
}

/** @param {{ hook: Webhook }} props */
function HookActions({ hook }) {
  const desk = useDesk();
  const { t } = useTexts();
  const replay = (/** @type {() => void} */ close) => html`<${Replay} hook=${hook} close=${close} />`;
  const remove = (/** @type {() => void} */ close) => html`<${Ask} title=${t.removeHookTitle(hook.url)} what=${t.removeHookWhat} action=${t.remove} kind="bad" close=${close} run=${(/** @type {any} */ desk) => desk.call("remove_webhook", { webhook: hook.id })} />`;
  return html`<div class="row end"><${Opens} label=${t.sendAgain} ask=${replay} />${desk.may("operator") && html`<${Opens} label=${t.remove} kind="bad" ask=${remove} />`}</div>`;
}

/** @param {{ hook: Webhook, close: () => void }} props */
function Replay({ hook, close }) {
  const { t } = useTexts();
  const [after, setAfter] = useState("");
  const isNumber = /^\d*$/.test(after.trim());
  return html`<${Ask} title=${t.replayTitle} what=${t.replayWhat(hook.url)} action=${t.sendAgain} close=${close} isReady=${isNumber} run=${(/** @type {any} */ desk) => desk.call("replay_webhook", { webhook: hook.id, ...(after.trim() && { after: Number(after) }) })}>
    <${Field} label=${t.afterFeedId} hint=${t.afterFeedIdHint}><input name="after" inputmode="numeric" autocomplete="off" value=${after} onInput=${(/** @type {any} */ event) => setAfter(event.target.value)} /><//>
  <//>`;
}

/** @param {{ close: () => void, then: (made: any) => void }} props */
function Add({ close, then }) {
  const { t } = useTexts();
  const [url, setUrl] = useState("");
  const [kinds, setKinds] = useState(KINDS);
  const toggle = (/** @type {string} */ kind) => setKinds(kinds.includes(kind) ? kinds.filter((one) => one !== kind) : [...kinds, kind]);
  return html`<${Ask} title=${t.addWebhook} what=${t.addWebhookWhat} action=${t.addWebhook} close=${close} isReady=${/^https?:\/\/./.test(url) && kinds.length > 0} run=${(/** @type {any} */ desk) => desk.call("add_webhook", { url: url.trim(), kinds })} then=${(/** @type {any} */ { data }) => then(data)}>
    <${Field} label=${t.address}><input name="url" type="url" autocomplete="off" placeholder="https://example.org/hooks/touchline" value=${url} onInput=${(/** @type {any} */ event) => setUrl(event.target.value)} /><//>
    <fieldset class="row wrap"><legend class="small muted">${t.hearsOf}</legend>${KINDS.map((kind) => html`<label class="row check"><input type="checkbox" checked=${kinds.includes(kind)} onChange=${() => toggle(kind)} /> ${kind}</label>`)}</fieldset>
  <//>`;
}

/** @param {{ id: number, page: number }} props */
function Deliveries({ id, page }) {
  const { t } = useTexts();
  const reading = useLive((desk, signal) => desk.call("list_webhook_deliveries", { webhook: id, page }, { signal }), [id, page]);
  return html`<h2>${t.deliveries}</h2><${Read} reading=${reading} draw=${(/** @type {any} */ { data, meta }) => html`<${List} label=${t.deliveries} rows=${data} empty=${t.noDeliveries} keyOf=${(/** @type {any} */ row) => row.feed_id} rowClass=${(/** @type {any} */ row) => (row.state === "failing" ? "over" : "")} columns=${[
      { head: t.ways.id, kind: "num", cell: (/** @type {any} */ row) => row.feed_id }, { head: t.what, cell: (/** @type {any} */ row) => row.kind },
      { head: t.state, cell: (/** @type {any} */ row) => html`<span class="mark ${row.state === "failing" ? "bad" : row.state === "delivered" ? "good" : ""}">${t.deliveryStates[/** @type {"failing"} */ (row.state)] ?? row.state}</span>` },
      { head: t.tries, kind: "num", cell: (/** @type {any} */ row) => row.attempts }, { head: t.lastError, kind: "wide", cell: (/** @type {any} */ row) => row.error ?? "–" }, { head: t.changed, cell: (/** @type {any} */ row) => html`<${When} at=${row.updated_at} />` },
    ]} /><${Pager} meta=${meta} to=${(/** @type {number} */ to) => `#/machinery/webhooks/${id}${addressOf("", null, { page: to }).slice(2)}`} />`} />`;
}
