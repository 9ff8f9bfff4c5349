// Money: what the house has given and taken, day by day and why, accounts that are frozen, and whether the books agree.
import { html } from "../vendor/htm-preact-standalone.module.js";
import { addressOf, useDesk, useLive } from "./desk.js";
import { noon } from "./inputs.js";
import { Heading, List, Pager, Press, Read, When } from "./parts.js";
import { Named } from "./reports.js";
import { useTexts } from "./texts.js";

/** @import { Schemas } from "./api.d.ts" */
/** @typedef {Schemas["FlowView"]} Flow */

/** @param {{ address: import("./desk.js").Address }} props */
export function View({ address }) {
  const desk = useDesk();
  const { t, say } = useTexts();
  const page = Number(address.query.get("page") ?? 1);
  const reading = useLive(async (desk, signal) => {
    const [books, flows, frozen] = await Promise.all([desk.call("show_treasury", {}, { signal }), desk.call("list_coin_flows", {}, { signal }), desk.call("list_frozen_accounts", { page }, { signal })]);
    return { books: books.data, flows: flows.data, frozen };
  }, [page]);
  const reconcile = desk.may("operator") ? html`<${Press} label=${t.reconcileNow} run=${(/** @type {any} */ desk) => desk.call("reconcile_coins")} />` : "";
  return html`<${Heading} title=${t.places.money}>${reconcile}<//>
    <${Read} reading=${reading} lines=${8} draw=${(/** @type {any} */ { books, flows, frozen }) => html`
      <${Books} books=${books} />
      <section class="figures" aria-label=${t.houseAccounts}><div><h2>${t.usersHold}</h2><dl><div><dt>${t.inAllUsers}</dt><dd>${say.number(books.users_coins)}</dd></div></dl></div>
        ${books.accounts.map((/** @type {any} */ account) => html`<div><h2>${t.houseNames[/** @type {"welcome"} */ (account.name)] ?? account.name}</h2><dl><div><dt>${account.coins < 0 || (account.coins === 0 && account.name !== "spending") ? t.given : t.taken}</dt><dd>${say.number(Math.abs(account.coins))}</dd></div></dl></div>`)}</section>
      <h2>${t.flows} <small class="muted">${t.completeTo} <${When} at=${books.complete_to} /></small></h2><${Days} flows=${flows} />
      <${List} label=${t.flows} rows=${flows.slice(0, 60)} empty=${t.noFlows} keyOf=${(/** @type {Flow} */ flow) => `${flow.day} ${flow.account} ${flow.reason}`} columns=${[
        { head: t.day, cell: (/** @type {Flow} */ flow) => say.day(noon(flow.day)) }, { head: t.what, cell: (/** @type {Flow} */ flow) => html`${t.houseNames[/** @type {"welcome"} */ (flow.account)] ?? flow.account}${flow.reason === flow.account ? "" : html` <span class="muted">${flow.reason}</span>`}` },
        { head: t.transfers, kind: "num", cell: (/** @type {Flow} */ flow) => say.number(flow.transfers) }, { head: t.coinsIn, kind: "num", cell: (/** @type {Flow} */ flow) => (flow.coins_in ? html`<span class="up">+${say.number(flow.coins_in)}</span>` : "–") }, { head: t.coinsOut, kind: "num", cell: (/** @type {Flow} */ flow) => (flow.coins_out ? html`<span class="down">−${say.number(flow.coins_out)}</span>` : "–") },
      ]} />
      <h2>${t.frozenAccounts}</h2><${List} label=${t.frozenAccounts} rows=${frozen.data} empty=${t.noFrozen} keyOf=${(/** @type {any} */ row) => row.user_id} columns=${[
        { head: t.ways.username, cell: (/** @type {any} */ row) => html`<${Named} id=${row.user_id} name=${row.username} />` }, { head: t.since, cell: (/** @type {any} */ row) => html`<${When} at=${row.frozen_at} />` },
        { head: t.difference, kind: "num", cell: (/** @type {any} */ row) => (row.difference === null ? "–" : say.signed(row.difference)) },
      ]} />${frozen.meta.total > 0 && html`<${Pager} meta=${frozen.meta} to=${(/** @type {number} */ page) => addressOf("money", null, { page })} />`}`} />`;
}

/** Whether the books agree. @param {{ books: any }} props */
function Books({ books }) {
  const { t, say } = useTexts();
  const { reconciliation: run, frozen_accounts: frozen } = books;
  const isWell = frozen === 0 && (!run || run.disagreeing === 0);
  return html`<section class="verdict ${isWell ? "good" : "bad"}"><b>${isWell ? t.booksAgree : t.booksDisagree(say.number(frozen), frozen)}</b>
    <span>${run ? html`${t.lastReconciled} <${When} at=${run.finished_at} />: ${t.accountsChecked(say.number(run.accounts))}` : t.neverReconciled}</span></section>`;
}

/** Coins in and out by day, as small bars. @param {{ flows: Flow[] }} props */
function Days({ flows }) {
  const { t, say } = useTexts();
  /** @type {Map<string, { into: number, out: number }>} */
  const days = new Map();
  for (const { day, coins_in: into, coins_out: out } of flows) {
    const sum = days.get(day) ?? { into: 0, out: 0 };
    days.set(day, { into: sum.into + into, out: sum.out + out });
  }
  const all = [...days].sort(([one], [other]) => (one < other ? -1 : 1));
  if (all.length < 2) return null;
  const most = Math.max(1, ...all.flatMap(([, { into, out }]) => [into, out]));
  const words = t.flowsChart(all.length, say.number(all.reduce((sum, [, { into }]) => sum + into, 0)), say.number(all.reduce((sum, [, { out }]) => sum + out, 0)));
  return html`<svg class="bars" viewBox=${`0 0 ${all.length * 12} 64`} role="img" aria-label=${words} preserveAspectRatio="none">
    ${all.map(([day, { into, out }], at) => html`<g key=${day}><title>${`${say.day(noon(day))}: +${say.number(into)} −${say.number(out)}`}</title><rect class="in" x=${at * 12 + 1} width="10" y=${32 - (into / most) * 30} height=${(into / most) * 30} /><rect class="out" x=${at * 12 + 1} width="10" y="33" height=${(out / most) * 30} /></g>`)}
  </svg>`;
}
