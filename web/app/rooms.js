// Rooms: those one is in, those one could join, and a room of one's own.
import { html, useState } from "../vendor/htm-preact-standalone.module.js";
import { Failure, Loading, useReading } from "../shared/components.js";
import { Room } from "./chat.js";
import { useTexts } from "./texts-inside.js";

/** @typedef {import("./fan.js").Fan} Fan */

/** @param {{ fan: Fan, made: (room: string) => void }} props */
function NewRoom({ fan, made }) {
  const { t } = useTexts();
  const [error, setError] = useState(/** @type {any} */ (null));
  const [isBusy, setBusy] = useState(false);
  const submit = async (/** @type {any} */ event) => {
    event.preventDefault();
    const given = new FormData(event.target);
    const form = event.target;
    setBusy(true);
    setError(null);
    try {
      const body = { name: String(given.get("name")), topic: String(given.get("topic")), is_private: given.has("private") };
      const { data } = await fan.call("create_chat_room", body);
      form.reset();
      fan.change({ joined: new Set(fan.state.joined).add(data.room_id) });
      made(data.room_id);
    } catch (refused) {
      setError(refused);
    }
    setBusy(false);
  };
  return html`<section role="group" class="card" aria-label=${t.newRoom}>
    <header><h2>${t.newRoom}</h2></header>
    <form class="body stack" onSubmit=${submit}>
      <label class="field"><span>${t.roomName}</span><input name="name" required maxlength="100" /></label>
      <label class="field"><span>${t.topic}</span><input name="topic" maxlength="500" /></label>
      <label class="row"><input type="checkbox" name="private" /> <span>${t.privateRoom}</span></label>
      ${error && html`<${Failure} error=${error} words=${t} />`}
      <div><button class="primary" disabled=${isBusy}>${t.makeRoom}</button></div>
    </form>
  </section>`;
}

/** @param {{ fan: Fan, openId: string | null, open: (id: string) => void, children?: any }} props */
export function RoomList({ fan, openId, open }) {
  const { t, say } = useTexts();
  const [search, setSearch] = useState("");
  const { joined, roomChanges } = fan.state;
  const { value: rooms, error, again } = useReading(
    async (signal) => (await fan.call("list_chat_rooms", { search: search || undefined, page: 1, per_page: 50 }, { signal })).data,
    [search, joined.size, roomChanges, fan.state.session?.token],
  );
  const mine = rooms?.filter((room) => joined.has(room.room_id)) ?? [];
  const others = rooms?.filter((room) => !joined.has(room.room_id)) ?? [];
  // A match's room says when it is played, in the reader's zone; live ones that it is on.
  const about = (/** @type {import("./api.d.ts").Schemas["ListedRoomView"]} */ { event, topic }) => {
    if (!event) return topic || t.noTopic;
    const isOn = fan.state.matches.get(event.id)?.status === "live";
    return isOn ? html`<b class="on">${t.live}</b>` : `${say.day(event.start_time)}, ${say.time(event.start_time)}`;
  };
  const item = (/** @type {any} */ room) => html`<li key=${room.room_id}>
    <a class="item" href="#room/${encodeURIComponent(room.room_id)}" aria-current=${openId === room.room_id ? "true" : undefined}
      onClick=${(/** @type {Event} */ event) => (event.preventDefault(), open(room.room_id))}>
      <span class="grow"><b class="cut">${room.name}</b>
        <small class="cut muted">${about(room)} · ${t.members(room.member_count, say.number(room.member_count))}</small></span>
    </a>
  </li>`;
  return html`<section role="group" class="card list" aria-label=${t.rooms}>
    <div class="body"><input type="search" aria-label=${t.findRoom} placeholder=${t.findRoom} value=${search} onInput=${(/** @type {any} */ event) => setSearch(event.target.value)} /></div>
    ${error && html`<div class="body"><${Failure} error=${error} words=${t} again=${again} /></div>`}
    ${!rooms && !error && html`<${Loading} lines=${8} label=${t.loading} />`}
    ${mine.length > 0 && html`<div class="group"><h2>${t.yourRooms}</h2><ul>${mine.map(item)}</ul></div>`}
    ${others.length > 0 && html`<div class="group"><h2>${t.otherRooms}</h2><ul>${others.map(item)}</ul></div>`}
    ${rooms?.length === 0 && html`<p class="empty">${search ? t.noRoomFound : t.noRooms}</p>`}
  </section>`;
}

/** Who is in it and how they predict, whom to invite, and the way out. @param {{ fan: Fan, room: string, left: () => void }} props */
function AboutRoom({ fan, room, left }) {
  const { t } = useTexts();
  const [error, setError] = useState(/** @type {any} */ (null));
  const [told, setTold] = useState("");
  const isJoined = fan.state.joined.has(room);
  const { value: stats } = useReading(async (signal) => (await fan.call("show_member_stats", { room }, { signal })).data, [room, isJoined]);
  const invite = async (/** @type {any} */ event) => {
    event.preventDefault();
    const form = event.target;
    const username = String(new FormData(form).get("username")).trim();
    setError(null);
    setTold("");
    try {
      await fan.call("invite_to_chat_room", { room, username });
      form.reset();
      setTold(t.invited(username));
    } catch (refused) {
      setError(refused);
    }
  };
  const leave = () => fan.leave(room).then(left, setError);
  return html`<section role="group" class="card" aria-label=${t.aboutRoom}>
    <header><h2>${t.aboutRoom}</h2></header>
    <div class="body stack">
      ${stats && html`<dl class="facts">
        <div><dt>${t.membersWord}</dt><dd>${stats.total_members}</dd></div>
        <div><dt>${t.activeMembers}</dt><dd>${stats.active_members}</dd></div>
        <div><dt>${t.predictionsWord}</dt><dd>${stats.predictions_made}</dd></div>
      </dl>`}
      ${stats && stats.top_predictors.length > 0 && html`<p class="small muted">${t.bestHere} ${stats.top_predictors.slice(0, 3).map((one) => one.username).join(", ")}</p>`}
      ${isJoined &&
      html`<form class="row" onSubmit=${invite}>
        <input name="username" required aria-label=${t.inviteWhom} placeholder=${t.inviteWhom} autocomplete="off" autocapitalize="none" />
        <button>${t.invite}</button>
      </form>`}
      <p class="small muted" role="status" hidden=${!told}>${told}</p>
      ${error && html`<${Failure} error=${error} words=${t} />`}
      ${isJoined && html`<div><button class="quiet flush" onClick=${leave}>${t.leaveRoom}</button></div>`}
    </div>
  </section>`;
}

/** @param {{ fan: Fan, room: string | null, open: (id: string | null) => void }} props */
export function RoomPage({ fan, room, open }) {
  const { t } = useTexts();
  const { value, error, again } = useReading(
    async (signal) => (room ? (await fan.call("show_chat_room", { room }, { signal })).data : null),
    [room, fan.state.joined.size],
  );
  if (!room) return html`<p class="card empty">${t.chooseRoom}</p>`;
  if (error) return html`<div class="card"><div class="body"><${Failure} error=${error} words=${t} again=${again} /></div></div>`;
  if (!value || value.room_id !== room) return html`<div class="card"><${Loading} label=${t.loading} /></div>`;
  return html`<${Room} fan=${fan} room=${room} title=${value.name} isEncrypted=${value.is_encrypted}
    note=${html`<small class="muted">${t.members(value.member_count, String(value.member_count))}</small>`} />`;
}

/** What stands beside a room. @param {{ fan: Fan, room: string | null, open: (id: string | null) => void }} props */
export function BesideRoom({ fan, room, open }) {
  return html`${room && html`<${AboutRoom} key=${room} fan=${fan} room=${room} left=${() => open(null)} />`}<${NewRoom} fan=${fan} made=${open} />`;
}
