// Reports and rooms: what was reported, with what was said around it, and what can be done about it.
import { html, useState } from "../vendor/htm-preact-standalone.module.js";
import { addressOf, useDesk, useLive, useOnce } from "./desk.js";
import { Ask, Facts, Field, Heading, List, Opens, Pager, Read, Tabs, When } from "./parts.js";
import { RoomView, Rooms } from "./rooms.js";
import { useTexts } from "./texts.js";

/** @import { Schemas } from "./api.d.ts" */
/** @typedef {Schemas["ReportView"]} Report */
/** @typedef {Schemas["MessageView"]} Message */

/** @param {{ address: import("./desk.js").Address, needs: import("./needs.js").Needs }} props */
export function View({ address, needs }) {
  const { t } = useTexts();
  const [first, ...rest] = (address.id ?? "").split("/");
  const isRooms = first === "rooms";
  const room = isRooms ? rest.join("/") : "";
  const tabs = [
    { name: "reports", label: t.reports, address: "#/reports", count: needs.overview?.chat.open_reports ?? 0 },
    { name: "rooms", label: t.rooms, address: "#/reports/rooms" },
  ];
  const part = room ? html`<${RoomView} key=${room} id=${room} page=${pageOf(address)} />` : isRooms ? html`<${Rooms} address=${address} />` : first ? html`<${WholeReport} key=${first} id=${Number(first)} />` : html`<${Reports} address=${address} />`;
  return html`<${Heading} title=${t.places.reports} /><${Tabs} label=${t.places.reports} at=${isRooms ? "rooms" : "reports"} tabs=${tabs} />${part}`;
}

/** @param {import("./desk.js").Address} address */
const pageOf = (address) => Number(address.query.get("page") ?? 1);

/** @param {{ address: import("./desk.js").Address }} props */
function Reports({ address }) {
  const { t } = useTexts();
  const isOpen = address.query.get("show") !== "all";
  const page = pageOf(address);
  const reading = useLive((desk, signal) => desk.call("list_chat_reports", { open: isOpen, page }, { signal }), [isOpen, page]);
  const columns = [
    { head: t.reason, kind: "wide", cell: (/** @type {Report} */ report) => html`<a class="link main said" href=${`#/reports/${report.id}`}>${report.reason}</a>` },
    { head: t.reported, cell: (/** @type {Report} */ report) => html`<${Named} id=${report.reported_user_id} name=${report.reported_username} />` },
    { head: t.room, cell: (/** @type {Report} */ report) => (report.room_id ? html`<a class="link quiet" href=${addressOf("reports", `rooms/${report.room_id}`)}>${report.room_name || report.room_id}</a>` : "–") },
    { head: t.reporter, cell: (/** @type {Report} */ report) => html`<${Named} id=${report.reporter_id} name=${report.reporter_username} />` },
    { head: t.when, cell: (/** @type {Report} */ report) => html`<${When} at=${report.created_at} />` },
    ...(isOpen ? [] : [{ head: t.state, cell: (/** @type {Report} */ report) => (report.resolved_at ? html`<span class="muted said">${report.resolution}</span>` : html`<span class="mark bad">${t.open}</span>`) }]),
  ];
  return html`<p class="row wrap choices" role="group" aria-label=${t.state}><a class="choice" aria-current=${isOpen ? "true" : null} href="#/reports">${t.openReports}</a><a class="choice" aria-current=${isOpen ? null : "true"} href="#/reports?show=all">${t.all}</a></p>
    <${Read} reading=${reading} draw=${(/** @type {any} */ { data, meta }) => html`<${List} label=${t.reports} rows=${data} columns=${columns} empty=${isOpen ? t.noOpenReports : t.noReports} /><${Pager} meta=${meta} to=${(/** @type {number} */ page) => addressOf("reports", null, { show: isOpen ? null : "all", page })} />`} />`;
}

/** A user by name, with a way to their page. @param {{ id: number | null, name: string | null }} props */
export function Named({ id, name }) {
  if (!id) return html`<span class="muted">–</span>`;
  return html`<a class="link quiet" href=${addressOf("users", id)}>${name ?? `#${id}`}</a>`;
}

/** @param {{ id: number }} props */
function WholeReport({ id }) {
  const { t } = useTexts();
  const reading = useOnce((desk, signal) => desk.call("show_chat_report", { report: id }, { signal }), [id]);
  if (reading.error?.status === 404) return html`<p class="empty">${t.noSuchReport(id)} <a class="link" href="#/reports">${t.reports}</a></p>`;
  return html`<${Read} reading=${reading} draw=${(/** @type {any} */ { data }) => html`<div class="beside">
    <div class="stack">
      <section class="plain"><p class="said"><b>${data.reason}</b></p><${Facts} facts=${[[t.reported, html`<${Named} id=${data.message?.user_id ?? data.reported_user_id} name=${data.message?.username ?? data.reported_username} />`], [t.reporter, html`<${Named} id=${data.reporter_id} name=${data.reporter_username} />`], [t.room, data.room_id ? html`<a class="link" href=${addressOf("reports", `rooms/${data.room_id}`)}>${data.room_name || data.room_id}</a>` : "–"], [t.when, html`<${When} at=${data.created_at} />`]]} />
        ${data.resolved_at && html`<p class="verdict good"><b>${t.resolved} <${When} at=${data.resolved_at} /></b><span class="said">${data.resolution}</span></p>`}</section>
      <${Talk} report=${data} />
    </div>
    <${Measures} report=${data} />
  </div>`} />`;
}

/** What was said, the reported message among it. @param {{ report: any }} props */
function Talk({ report }) {
  const { t } = useTexts();
  if (!report.message_id) return html`<p class="empty">${t.noMessageReported}</p>`;
  if (!report.message) return html`<p class="empty">${t.messageGone}</p>`;
  const all = [...report.before, report.message, ...report.after];
  return html`<section class="plain" aria-label=${t.whatWasSaid}><h2>${t.whatWasSaid}</h2><ol class="talk">${all.map(
    (/** @type {Message} */ message) => html`<li key=${message.message_id} class=${message === report.message ? "chosen" : ""} aria-current=${message === report.message ? "true" : null}>
      <span><${Named} id=${message.user_id} name=${message.username ?? message.sender} />${message.user_id ? "" : html` <small class="muted">${message.sender}</small>`} <small class="muted"><${When} at=${message.sent_at} /></small></span>
      <p class="said">${message.is_redacted ? html`<i class="muted">${t.takenAway}</i>` : (message.text ?? html`<i class="muted">${t.encrypted}</i>`)}</p></li>`,
  )}</ol></section>`;
}

/** @param {{ report: any }} props */
function Measures({ report }) {
  const { t } = useTexts();
  const user = report.message?.user_id ?? report.reported_user_id;
  const name = report.message?.username ?? report.reported_username;
  const ask = (/** @type {any} */ Question) => (/** @type {() => void} */ close) => html`<${Question} report=${report} user=${user} name=${name} close=${close} />`;
  return html`<aside class="acts-side stack" aria-label=${t.actions}><h2>${t.actions}</h2>
    ${report.message && !report.message.is_redacted && html`<${Opens} label=${t.redact} kind="bad" ask=${ask(Redact)} />`}
    ${user && report.room_id && html`<${Opens} label=${t.mute} ask=${ask(Mute)} /><${Opens} label=${t.removeMember} ask=${ask(Remove)} /><${Opens} label=${t.banMember} ask=${ask(BanMember)} />`}
    ${user && html`<${Opens} label=${t.leaveAll} ask=${ask(LeaveAll)} /><a class="button" href=${addressOf("users", user)}>${t.toUser}</a>`}
    <${Opens} label=${report.resolved_at ? t.resolveAnew : t.resolve} kind="primary" ask=${ask(Resolve)} /></aside>`;
}

/** @typedef {{ report?: any, room?: string, user: number, name: string | null, close: () => void }} Question */

/** @param {{ title: string, what: string, action: string, kind?: string, close: () => void, run: (desk: any, reason: string) => Promise<any>, first?: string, children?: any }} props */
function WithReason({ title, what, action, kind = "bad", close, run, first = "", children }) {
  const { t } = useTexts();
  const [reason, setReason] = useState(first);
  return html`<${Ask} title=${title} what=${what} action=${action} kind=${kind} close=${close} isReady=${reason.trim() !== ""} run=${(/** @type {any} */ desk) => run(desk, reason.trim())}>
    ${children}<${Field} label=${t.reason} hint=${t.roomSeesReason}><textarea name="reason" rows="2" maxlength="500" value=${reason} onInput=${(/** @type {any} */ event) => setReason(event.target.value)}></textarea><//><//>`;
}

/** @param {Question} props */
function Redact({ report, name, close }) {
  const { t } = useTexts();
  return html`<${WithReason} title=${t.redactTitle(name ?? "–")} what=${t.redactWhat} action=${t.redact} first=${report.reason} close=${close} run=${(/** @type {any} */ desk, /** @type {string} */ reason) => desk.call("redact_message", { room: report.room_id, message_id: report.message_id, reason })} />`;
}

const TIMES = /** @type {const} */ ([10, 60, 1_440, 10_080, 0]);

/** @param {Question} props */
export function Mute({ report, room = report?.room_id, user, name, close }) {
  const { t } = useTexts();
  const [minutes, setMinutes] = useState(60);
  return html`<${WithReason} title=${t.muteTitle(name ?? "–")} what=${t.muteWhat} action=${t.muteFor(t.muteTimes[/** @type {60} */ (minutes)])} first=${report?.reason} close=${close} run=${(/** @type {any} */ desk, /** @type {string} */ reason) => desk.call("mute_member", { room, user_id: user, reason, ...(minutes && { minutes }) })}>
    <${Field} label=${t.forHowLong}><select value=${String(minutes)} onChange=${(/** @type {any} */ event) => setMinutes(Number(event.target.value))}>${TIMES.map((time) => html`<option value=${time} selected=${time === minutes}>${t.muteTimes[time]}</option>`)}</select><//><//>`;
}

/** @param {Question} props */
export function Remove({ report, room = report?.room_id, user, name, close }) {
  const { t } = useTexts();
  return html`<${WithReason} title=${t.removeTitle(name ?? "–")} what=${t.removeWhat} action=${t.removeMember} first=${report?.reason} close=${close} run=${(/** @type {any} */ desk, /** @type {string} */ reason) => desk.call("remove_member", { room, user_id: user, reason })} />`;
}

/** @param {Question} props */
export function BanMember({ report, room = report?.room_id, user, name, close }) {
  const { t } = useTexts();
  return html`<${WithReason} title=${t.banMemberTitle(name ?? "–")} what=${t.banMemberWhat} action=${t.banMember} first=${report?.reason} close=${close} run=${(/** @type {any} */ desk, /** @type {string} */ reason) => desk.call("ban_member", { room, user_id: user, reason })} />`;
}

/** @param {Question} props */
function LeaveAll({ report, user, name, close }) {
  const { t } = useTexts();
  return html`<${WithReason} title=${t.leaveAllTitle(name ?? "–")} what=${t.leaveAllWhat} action=${t.leaveAll} first=${report?.reason} close=${close} run=${(/** @type {any} */ desk, /** @type {string} */ reason) => desk.call("remove_from_all_rooms", { user, reason })} />`;
}

/** @param {Question} props */
function Resolve({ report, close }) {
  const { t } = useTexts();
  const desk = useDesk();
  const [resolution, setResolution] = useState(report.resolution ?? "");
  return html`<${Ask} title=${t.resolveTitle} what=${t.resolveWhat(desk.state.me?.name ?? "")} action=${t.resolve} close=${close} isReady=${resolution.trim() !== ""} run=${(/** @type {any} */ desk) => desk.call("resolve_chat_report", { report: report.id, resolution: resolution.trim() })}>
    <${Field} label=${t.whatWasDone}><textarea name="resolution" rows="2" maxlength="500" value=${resolution} onInput=${(/** @type {any} */ event) => setResolution(event.target.value)}></textarea><//><//>`;
}
