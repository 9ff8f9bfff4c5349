// Messages: what became of login codes, by provider and country, and the day's budget. Never whose they were.
import { html } from "../vendor/htm-preact-standalone.module.js";
import { addressOf, useLive } from "./desk.js";
import { List, Read, When } from "./parts.js";
import { useTexts } from "./texts.js";

/** @import { Schemas } from "./api.d.ts" */

const HOURS = /** @type {const} */ ([1, 24, 168]);

/** @param {{ address: import("./desk.js").Address }} props */
export function Messages({ address }) {
  const { t, say } = useTexts();
  const hours = Number(address.query.get("hours") ?? 24);
  const reading = useLive((desk, signal) => desk.call("show_sms_figures", { hours }, { signal }), [hours]);
  const counts = [
    { head: t.sent, kind: "num", cell: (/** @type {any} */ row) => say.number(row.sent) },
    { head: t.failed, kind: "num", cell: (/** @type {any} */ row) => html`<span class=${row.failed ? "down" : ""}>${say.number(row.failed)}</span>` },
  ];
  const reasons = (/** @type {Schemas["ReasonCountView"][]} */ all) => all.map(({ reason, messages }) => `${t.smsReasons[/** @type {"busy"} */ (reason)] ?? reason} ${say.number(messages)}`).join(", ") || "–";
  return html`<p class="row wrap choices" role="group" aria-label=${t.when}>${HOURS.map((one) => html`<a class="choice" aria-current=${one === hours ? "true" : null} href=${`#/machinery/sms${addressOf("", null, { hours: one }).slice(2)}`}>${t.lastHours[one]}</a>`)}</p>
    <${Read} reading=${reading} draw=${(/** @type {{ data: Schemas["SmsFiguresView"] }} */ { data }) => html`<${Budget} budget=${data.budget ?? null} />
      <${List} label=${t.providers} rows=${data.providers} empty=${t.noMessages} keyOf=${(/** @type {any} */ row) => row.name} rowClass=${(/** @type {any} */ row) => (row.is_passed_over ? "over" : "")} columns=${[{ head: t.provider, cell: (/** @type {any} */ row) => html`<b>${row.name}</b>` }, { head: t.state, cell: (/** @type {any} */ row) => (row.is_passed_over === null ? "–" : html`<span class="mark ${row.is_passed_over ? "bad" : "good"}">${row.is_passed_over ? t.passedOver : t.well}</span>`) }, ...counts, { head: t.why, kind: "wide", cell: (/** @type {any} */ row) => reasons(row.failures) }]} />
      <h2>${t.countries}</h2><${List} label=${t.countries} rows=${data.countries} empty=${t.noMessages} keyOf=${(/** @type {any} */ row) => row.calling_code} columns=${[{ head: t.country, cell: (/** @type {any} */ row) => `+${row.calling_code}` }, ...counts, { head: t.refused, kind: "num", cell: (/** @type {any} */ row) => say.number(row.refused) }, { head: t.providers, kind: "wide", cell: (/** @type {any} */ row) => row.providers.map((/** @type {any} */ one) => `${one.name} ${say.number(one.sent)}`).join(", ") || "–" }]} />
      ${data.refusals.length > 0 && html`<p class="muted small">${t.refusedWhy} ${reasons(data.refusals)}</p>`}`} />`;
}

/** @param {{ budget: Schemas["SmsBudgetView"] | null }} props */
function Budget({ budget }) {
  const { t, say } = useTexts();
  if (!budget) return html`<p class="muted small">${t.noBudget}</p>`;
  const share = Math.min(100, Math.round((budget.used * 100) / Math.max(1, budget.a_day)));
  return html`<section class="verdict ${share >= 90 ? "bad" : share >= 70 ? "warn" : "good"}"><b>${t.budgetUsed(say.number(budget.used), say.number(budget.a_day), share)}</b><span>${t.budgetReserve(say.number(budget.reserve))} <${When} at=${budget.resets_at} /></span></section>`;
}
