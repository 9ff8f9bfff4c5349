// Rooms as moderators find them, and one with its members and who is silent in it.
import { html } from "../vendor/htm-preact-standalone.module.js";
import { addressOf, useLive, useTyped } from "./desk.js";
import { Ask, Facts, List, Opens, Pager, Read, When } from "./parts.js";
import { BanMember, Mute, Named, Remove } from "./reports.js";
import { useTexts } from "./texts.js";

/** @import { Schemas } from "./api.d.ts" */
/** @typedef {Schemas["DeskRoomView"]} Room */
/** @typedef {Schemas["DeskMemberView"]} Member */

/** @param {{ address: import("./desk.js").Address }} props */
export function Rooms({ address }) {
  const { t, say } = useTexts();
  const asked = address.query.get("q") ?? "";
  const page = Number(address.query.get("page") ?? 1);
  const [text, setText, search] = useTyped(asked);
  const reading = useLive((desk, signal) => desk.call("find_rooms", { ...(asked && { name: asked }), page }, { signal }), [asked, page]);
  const submit = (/** @type {Event} */ event) => (event.preventDefault(), search(text.trim(), `#/reports/rooms${addressOf("", null, { q: text.trim() }).slice(2)}`));
  const columns = [
    { head: t.room, kind: "wide", cell: (/** @type {Room} */ room) => html`<a class="link main" href=${addressOf("reports", `rooms/${room.room_id}`)}>${room.name || room.room_id}</a>` },
    { head: t.kind, cell: (/** @type {Room} */ room) => (room.is_event_room ? t.roomKinds.match : room.join_rule === "public" ? t.roomKinds.public : t.roomKinds.private) },
    { head: t.members, kind: "num", cell: (/** @type {Room} */ room) => say.number(room.member_count) },
    { head: t.lastActivity, cell: (/** @type {Room} */ room) => html`<${When} at=${room.last_activity} />` },
  ];
  return html`<form class="search row wrap" role="search" onSubmit=${submit}><input class="grow" type="search" aria-label=${t.findRoom} placeholder=${t.findRoomHow} value=${text} onInput=${(/** @type {any} */ event) => setText(event.target.value)} /><button class="primary">${t.search}</button></form>
    <${Read} reading=${reading} draw=${(/** @type {any} */ { data, meta }) => html`<${List} label=${t.rooms} rows=${data} columns=${columns} keyOf=${(/** @type {Room} */ room) => room.room_id} empty=${asked ? t.noRoomFound(asked) : t.noRooms} /><${Pager} meta=${meta} to=${(/** @type {number} */ page) => `#/reports/rooms${addressOf("", null, { q: asked, page }).slice(2)}`} />`} />`;
}

/** @param {{ id: string, page: number }} props */
export function RoomView({ id, page }) {
  const { t, say } = useTexts();
  const reading = useLive(async (desk, signal) => {
    const [room, members] = await Promise.all([desk.call("show_room", { room: id }, { signal }), desk.call("list_room_members", { room: id, page }, { signal })]);
    return { room: room.data, members };
  }, [id, page]);
  if (reading.error?.status === 404) return html`<p class="empty">${t.noSuchRoom} <a class="link" href="#/reports/rooms">${t.rooms}</a></p>`;
  return html`<${Read} reading=${reading} draw=${(/** @type {any} */ { room, members }) => html`<section class="plain"><h2>${room.name || room.room_id}</h2>${room.topic && html`<p class="said muted">${room.topic}</p>`}
      <${Facts} facts=${[[t.kind, room.is_event_room ? t.roomKinds.match : room.join_rule === "public" ? t.roomKinds.public : t.roomKinds.private], [t.members, say.number(room.member_count)], [t.encryption, room.is_encrypted ? t.isEncrypted : t.isReadable], [t.lastActivity, html`<${When} at=${room.last_activity} />`], [t.since, html`<${When} at=${room.created_at} />`], [t.match, room.event_id ? html`<a class="link" href=${addressOf("matches", room.event_id)}>${t.matchNumber(room.event_id)}</a>` : "–"]]} /></section>
    ${room.muted.length > 0 && html`<h2>${t.muted}</h2><${List} label=${t.muted} rows=${room.muted} empty="" keyOf=${(/** @type {any} */ mute) => mute.user_id} columns=${[
      { head: t.ways.username, cell: (/** @type {any} */ mute) => html`<${Named} id=${mute.user_id} name=${mute.username} />` }, { head: t.ends, cell: (/** @type {any} */ mute) => html`<${When} at=${mute.muted_until} none=${t.never} />` }, { head: t.reason, kind: "wide", cell: (/** @type {any} */ mute) => html`<span class="said">${mute.reason}</span>` }, { head: t.who, cell: (/** @type {any} */ mute) => mute.operator },
      { head: html`<span class="hidden">${t.actions}</span>`, kind: "acts", cell: (/** @type {any} */ mute) => html`<${Opens} label=${t.unmute} ask=${(/** @type {() => void} */ close) => html`<${Ask} title=${t.unmuteTitle(mute.username ?? "–")} what=${t.unmuteWhat} action=${t.unmute} close=${close} run=${(/** @type {any} */ desk) => desk.call("unmute_member", { room: id, user_id: mute.user_id, reason: t.unmute })} />`} />` },
    ]} />`}
    <h2>${t.members}</h2><${List} label=${t.members} rows=${members.data} empty=${t.nobodyIn} keyOf=${(/** @type {Member} */ member) => member.matrix_id} columns=${[
      { head: t.ways.username, cell: (/** @type {Member} */ member) => html`${member.user_id ? html`<${Named} id=${member.user_id} name=${member.username} />` : html`<span class="muted said">${member.matrix_id}</span>`}` },
      { head: t.state, cell: (/** @type {Member} */ member) => t.memberships[/** @type {"join"} */ (member.membership)] ?? member.membership },
      { head: t.lastActive, cell: (/** @type {Member} */ member) => html`<${When} at=${member.last_active_at} />` },
      { head: html`<span class="hidden">${t.actions}</span>`, kind: "acts", cell: (/** @type {Member} */ member) => html`<${MemberActions} room=${id} member=${member} />` },
    ]} /><${Pager} meta=${members.meta} to=${(/** @type {number} */ page) => addressOf("reports", `rooms/${id}`, { page })} />`} />`;
}

/** @param {{ room: string, member: Member }} props */
function MemberActions({ room, member }) {
  const { t } = useTexts();
  const { user_id: user, username: name, membership } = member;
  if (!user) return null;
  const ask = (/** @type {any} */ Question) => (/** @type {() => void} */ close) => html`<${Question} room=${room} user=${user} name=${name} close=${close} />`;
  if (membership === "ban")
    return html`<${Opens} label=${t.unbanMember} ask=${(/** @type {() => void} */ close) => html`<${Ask} title=${t.unbanMemberTitle(name ?? "–")} what=${t.unbanMemberWhat} action=${t.unbanMember} close=${close} run=${(/** @type {any} */ desk) => desk.call("unban_member", { room, user_id: user, reason: t.unbanMember })} />`} />`;
  return html`<${Opens} label=${t.mute} ask=${ask(Mute)} /><${Opens} label=${t.removeMember} kind="quiet" ask=${ask(Remove)} /><${Opens} label=${t.banMember} kind="quiet" ask=${ask(BanMember)} />`;
}
