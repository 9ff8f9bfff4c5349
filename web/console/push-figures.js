// What was sent to devices: the figures of today, the devices that there are, and by day and kind what became of messages.
import { html } from "../vendor/htm-preact-standalone.module.js";
import { addressOf, go, useDesk, useLive } from "./desk.js";
import { noon, typed } from "./inputs.js";
import { List, Read } from "./parts.js";
import { useTexts } from "./texts.js";

/** @import { Schemas } from "./api.d.ts" */
/** @typedef {Schemas["PushSumView"]} Sum */
/** @typedef {Schemas["DeviceKind"]} DeviceKind */
/** @typedef {Partial<Record<string, number>>} Counts messages by what became of them */
/** @typedef {{ kind: Schemas["PushKind"] | null, counts: Counts }} Row of a kind, or of all */

const DAY_MS = 86_400_000;
const SHOWN_DAYS = 14;
const DEVICES = /** @type {const} */ (["webpush", "fcm", "apns", "http"]);
const KINDS = /** @type {const} */ (["reminder", "kick_off", "goal", "result", "invitation", "mention", "chat", "message"]);
const REASONS = /** @type {const} */ (["switched_off", "no_device", "quiet", "too_many", "outdated", "refused", "gone"]);

/** The last days as the service counts them, in UTC, the latest first. */
const lastDays = () => Array.from({ length: SHOWN_DAYS }, (_, ago) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10));

/** @param {Sum[]} sums @returns {Counts} */
function countsOf(sums) {
  /** @type {Counts} */
  const counts = {};
  for (const { outcome, messages } of sums) counts[outcome] = (counts[outcome] ?? 0) + messages;
  return counts;
}

/** @param {Counts} counts */
const notSentOf = (counts) => Object.entries(counts).reduce((sum, [outcome, messages]) => sum + (outcome === "sent" ? 0 : (messages ?? 0)), 0);

/** @param {{ address: import("./desk.js").Address }} props */
export function Sent({ address }) {
  const days = lastDays();
  const day = days.find((one) => one === address.query.get("day")) ?? null;
  const reading = useLive((desk, signal) => desk.call("show_push", {}, { signal }), []);
  return html`<${Read} reading=${reading} lines=${8} draw=${(/** @type {{ data: Schemas["PushView"] }} */ { data }) => {
    const sums = data.days.filter((sum) => days.includes(sum.day));
    return html`<${Figures} push=${data} today=${countsOf(sums.filter((sum) => sum.day === days[0]))} /><${Days} sums=${sums} days=${days} day=${day} />`;
  }} />`;
}

/** @param {{ push: Schemas["PushView"], today: Counts }} props */
function Figures({ push, today }) {
  const { t, say } = useTexts();
  const p = t.push;
  const notSent = notSentOf(today);
  const [main] = [...REASONS].sort((one, other) => (today[other] ?? 0) - (today[one] ?? 0));
  return html`<section class="figures told" aria-label=${t.figures}>
    <div><h2>${t.today} <small>${p.utcDay}</small></h2><dl>
      <div><dt>${t.sent}</dt><dd>${say.number(today.sent ?? 0)}</dd></div>
      <div><dt>${p.notSent}</dt><dd>${say.number(notSent)}</dd></div>
      <div><dt>${p.waiting}</dt><dd>${say.number(push.waiting)}</dd></div></dl>
      ${notSent > 0 && html`<p class="small muted">${p.mostly(p.outcomes[main])}</p>`}</div>
    ${DEVICES.map((kind) => html`<${Devices} key=${kind} kind=${kind} count=${push.devices.find((one) => one.kind === kind)} />`)}
  </section>`;
}

/** @param {{ kind: DeviceKind, count: Schemas["DeviceCountView"] | undefined }} props */
function Devices({ kind, count }) {
  const { t, say } = useTexts();
  const p = t.push;
  const { devices = 0, failing = 0, is_set_up: isSetUp = true } = count ?? {};
  const note = !isSetUp ? p.notSetUp(kind) : devices === 0 ? p.noDevices[kind] : null;
  return html`<div><h2>${p.deviceKinds[kind]} <small>${p.services[kind]}</small></h2><dl>
      <div><dt>${p.devices}</dt><dd>${say.number(devices)}</dd></div>
      ${failing > 0 && html`<div class="down"><dt>${t.failing}</dt><dd>${say.number(failing)}</dd></div>`}</dl>
    ${note ? html`<p class="small muted">${note}</p>` : failing > 0 && html`<p class="small">${p.failingHow[kind]}</p>`}</div>`;
}

/** @param {{ sums: Sum[], days: string[], day: string | null }} props */
function Days({ sums, days, day }) {
  const { t, say } = useTexts();
  const p = t.push;
  const desk = useDesk();
  if (sums.length === 0) return html`<div class="empty">${p.nothingYet} ${desk.may("operator") && html`<a class="link" href=${addressOf("notifications", "new")}>${p.tabs.new}</a>`}</div>`;
  const choose = typed((one) => go(addressOf("notifications", null, { day: one })));
  return html`<header class="heading"><h2>${p.byDay}</h2><label class="row small muted">${t.day}
      <select value=${day ?? ""} onChange=${choose}><option value="" selected=${day === null}>${p.allDays}</option>
        ${days.map((one, ago) => html`<option key=${one} value=${one} selected=${one === day}>${ago === 0 ? t.today : say.day(noon(one))}</option>`)}</select></label></header>
    <${Chart} sums=${sums} days=${days} day=${day} />
    <${Outcomes} all=${sums} sums=${day ? sums.filter((sum) => sum.day === day) : sums} />`;
}

/** Sent by day, as small bars; the chosen day stands out. @param {{ sums: Sum[], days: string[], day: string | null }} props */
function Chart({ sums, days, day }) {
  const { t, say } = useTexts();
  const sent = days.toReversed().map((one) => ({ one, sent: countsOf(sums.filter((sum) => sum.day === one)).sent ?? 0 }));
  const most = sent.reduce((best, next) => (next.sent > best.sent ? next : best));
  const words = t.push.chart(say.number(sent.reduce((sum, next) => sum + next.sent, 0)), say.number(most.sent), say.day(noon(most.one)));
  const heightOf = (/** @type {number} */ count) => (count && Math.max(1, (count / most.sent) * 60));
  return html`<figure class="sent"><svg class="bars" viewBox=${`0 0 ${sent.length * 12} 62`} role="img" aria-label=${words} preserveAspectRatio="none">
      ${sent.map(({ one, sent }, at) => html`<g key=${one}><title>${`${say.day(noon(one))}: ${say.number(sent)}`}</title><rect class="ground" x=${at * 12 + 1} width="10" y="61" height="1" /><rect class=${day && day !== one ? "in other" : "in"} x=${at * 12 + 1} width="10" y=${62 - heightOf(sent)} height=${heightOf(sent)} /></g>`)}
    </svg><figcaption class="row between small muted"><span>${say.day(noon(sent[0].one))}</span><span aria-hidden="true">${words}</span><span>${t.today}</span></figcaption></figure>`;
}

/** Messages by kind and by what became of them, with what that means. @param {{ all: Sum[], sums: Sum[] }} props `all` decides which reasons have a column, so that they stay where they are from day to day. */
function Outcomes({ all, sums }) {
  const { t, say } = useTexts();
  const p = t.push;
  const reasons = REASONS.filter((reason) => all.some(({ outcome }) => outcome === reason));
  /** @type {Row[]} */
  const kinds = KINDS.map((kind) => ({ kind, counts: countsOf(sums.filter((sum) => sum.kind === kind)) })).filter(({ counts }) => Object.keys(counts).length > 0);
  const rows = kinds.length > 1 ? [...kinds, { kind: null, counts: countsOf(sums) }] : kinds;
  const cell = (/** @type {string} */ outcome) => (/** @type {Row} */ { counts }) => (counts[outcome] ? say.number(counts[outcome]) : html`<span class="muted none">–</span>`);
  const columns = [
    { head: t.kind, cell: (/** @type {Row} */ { kind }) => html`<b>${kind ? p.kinds[kind] : p.allKinds}</b>` },
    { head: t.sent, kind: "num", cell: cell("sent") },
    ...reasons.map((reason) => ({ head: p.outcomes[reason], kind: "num", cell: cell(reason) })),
  ];
  return html`<${List} label=${p.byDay} rows=${rows} columns=${columns} empty=${p.nothingThatDay} keyOf=${(/** @type {Row} */ { kind }) => kind ?? "all"} />
    ${reasons.length > 0 && html`<section class="stack"><h2>${p.whyNot}</h2><dl class="reasons">${reasons.map((reason) => html`<div key=${reason}><dt>${p.outcomes[reason]}</dt><dd>${p.outcomesHow[reason]}</dd></div>`)}</dl></section>`}`;
}
