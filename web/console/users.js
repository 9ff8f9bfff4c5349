// Users: finding one, and the page of the one that was found.
import { html, useState } from "../vendor/htm-preact-standalone.module.js";
import { addressOf, useDesk, useLive, useTyped } from "./desk.js";
import { Heading, List, Pager, Read, When } from "./parts.js";
import { useTexts } from "./texts.js";
import { Person } from "./person.js";

/** @import { Schemas } from "./api.d.ts" */
/** @typedef {"username" | "name" | "phone" | "id"} By */

/** What somebody typed is most likely. @param {string} text @returns {By} */
function likely(text) {
  if (/^\+/.test(text) || /^[\d\s-]{7,}$/.test(text)) return "phone";
  if (/^\d+$/.test(text)) return "id";
  return /[A-Z\s]/.test(text) ? "name" : "username";
}

/** @param {{ address: import("./desk.js").Address }} props */
export function View({ address }) {
  return address.id ? html`<${Person} key=${address.id} id=${Number.parseInt(address.id, 10) || 0} address=${address} />` : html`<${Search} address=${address} />`;
}

/** @param {{ address: import("./desk.js").Address }} props */
function Search({ address }) {
  const desk = useDesk();
  const { t } = useTexts();
  const asked = address.query.get("q") ?? "";
  const by = /** @type {By} */ (address.query.get("by") ?? "username");
  const page = Number(address.query.get("page") ?? 1);
  const [text, setText, search] = useTyped(asked);
  const [chosen, setChosen] = useState(/** @type {By | null} */ (asked ? by : null));
  const how = chosen ?? likely(text);
  const reading = useLive((desk, signal) => desk.call("find_users", { ...(asked && { [by]: by === "id" ? Number(asked) : asked }), page }, { signal }), [asked, by, page]);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const q = text.trim();
    search(q, addressOf("users", null, { q, by: q ? how : null }));
  };
  /** @type {By[]} */
  const ways = desk.may("moderator") ? ["username", "name", "phone", "id"] : ["username", "name", "id"];
  return html`<${Heading} title=${t.places.users} note=${asked ? "" : t.newestFirst} />
    <form class="search row wrap" role="search" onSubmit=${submit}>
      <input class="grow" type="search" aria-label=${t.findUser} placeholder=${t.findUserHow} value=${text} onInput=${(/** @type {any} */ event) => (setText(event.target.value), setChosen(null))} />
      <select aria-label=${t.findBy} value=${how} onChange=${(/** @type {any} */ event) => setChosen(event.target.value)}>${ways.map((way) => html`<option value=${way} selected=${way === how}>${t.ways[way]}</option>`)}</select>
      <button class="primary">${t.search}</button>
    </form>
    <${Read} reading=${reading} draw=${(/** @type {{ data: Schemas["FoundUserView"][], meta: Schemas["PageMeta"] }} */ { data, meta }) => html`
      <${List} label=${t.places.users} rows=${data} empty=${asked ? html`${t.nobodyFound(asked)} <a class="link" href=${addressOf("users")}>${t.showAll}</a>` : t.noUsers} columns=${[
        { head: t.ways.username, cell: (/** @type {any} */ user) => html`<a class="link main" href=${addressOf("users", user.id)}>${user.username}</a>` },
        { head: t.ways.name, cell: (/** @type {any} */ user) => user.name ?? html`<span class="muted">–</span>` },
        { head: t.ways.phone, kind: "num", cell: (/** @type {any} */ user) => user.phone ?? (user.phone_end ? `…${user.phone_end}` : "–") },
        { head: t.ways.id, kind: "num", cell: (/** @type {any} */ user) => user.id },
        { head: t.since, cell: (/** @type {any} */ user) => html`<${When} at=${user.created_at} />` },
        { head: t.state, cell: (/** @type {any} */ user) => (user.banned_at ? html`<span class="mark bad">${user.banned_until ? html`${t.bannedUntil} <${When} at=${user.banned_until} />` : t.bannedForGood}</span>` : html`<span class="muted">${t.fine}</span>`) },
      ]} />
      <${Pager} meta=${meta} to=${(/** @type {number} */ to) => addressOf("users", null, { q: asked, by: asked ? by : null, page: to })} />`} />`;
}
