// One user: who they are, what they did, and what an operator can do about it.
import { html } from "../vendor/htm-preact-standalone.module.js";
import { Face } from "../shared/components.js";
import { Changes } from "./changes.js";
import { addressOf, useDesk, useLive } from "./desk.js";
import { Facts, Heading, List, Pager, Press, Read, Tabs, When } from "./parts.js";
import { Actions, AddNote } from "./person-actions.js";
import { useTexts } from "./texts.js";

/** @import { Schemas } from "./api.d.ts" */
/** @typedef {Schemas["PersonView"]} PersonView */

/** @param {{ id: number, address: import("./desk.js").Address }} props */
export function Person({ id, address }) {
  const { t } = useTexts();
  const reading = useLive((desk, signal) => desk.call("show_person", { user: id }, { signal }), [id]);
  const person = /** @type {PersonView | undefined} */ (reading.value?.data);
  const isGone = reading.error?.status === 404;
  return html`<nav class="crumbs" aria-label=${t.way}><a class="link" href=${addressOf("users")}>${t.places.users}</a></nav>
    <${Heading} title=${person?.username ?? t.userNumber(id)} note=${person?.name} />
    ${isGone ? html`<p class="empty">${t.noSuchUser(id)}</p>` : html`<${Read} reading=${reading} lines=${8} draw=${() => html`<${Page} person=${person} address=${address} />`} />`}`;
}

/** @param {{ person: PersonView, address: import("./desk.js").Address }} props */
function Page({ person, address }) {
  const desk = useDesk();
  const { t, say } = useTexts();
  const { ban, counts } = person;
  const to = (/** @type {string} */ tab) => addressOf("users", person.id, { tab });
  const tabs = [
    { name: "predictions", label: t.predictions, count: counts.predictions }, { name: "coins", label: t.coins, least: "operator" }, { name: "sessions", label: t.sessions, least: "moderator" },
    { name: "reports", label: t.reports, count: counts.reports_about + counts.reports_by, least: "moderator" }, { name: "notes", label: t.notes, count: counts.notes, least: "moderator" }, { name: "log", label: t.places.audit },
  ].filter(({ least = "viewer" }) => desk.may(least));
  const asked = address.query.get("tab");
  const at = tabs.find(({ name }) => name === asked)?.name ?? "predictions";
  const Tab = /** @type {Record<string, any>} */ ({ predictions: Predictions, coins: Coins, sessions: Sessions, reports: Reports, notes: Notes, log: Log })[at];
  return html`
    ${ban && html`<p class="verdict bad"><b>${ban.banned_until ? html`${t.bannedUntil} <${When} at=${ban.banned_until} />` : t.bannedForGood}</b><span>${ban.reason ?? t.noReason} ${ban.banned_by && t.by(ban.banned_by)}</span></p>`}
    ${person.frozen_at && html`<p class="verdict warn"><b>${t.frozenSince} <${When} at=${person.frozen_at} /></b><span>${t.frozenHow}</span></p>`}
    <div class="beside">
      <div class="stack">
        <section class="plain" aria-label=${t.profile}>
          <div class="row who"><${Face} name=${person.username} /><b>${person.username}</b><span class="muted">${t.userNumber(person.id)}</span></div>
          <${Facts} facts=${[
            [t.ways.name, person.name ?? "–"], [t.ways.phone, person.phone ?? (person.phone_end ? `…${person.phone_end}` : "–")], [t.email, person.email ?? "–"],
            [t.born, person.date_of_birth ?? "–"], [t.since, html`<${When} at=${person.created_at} />`], [t.balance, html`<b class="gold">${say.number(person.balance)}</b>`],
            [t.points, say.number(counts.points)], [t.predictionsSettled, `${say.number(counts.predictions)} · ${say.number(counts.settled_predictions)}`],
            [t.rooms, say.number(counts.rooms)], [t.reportsAboutBy, `${say.number(counts.reports_about)} · ${say.number(counts.reports_by)}`],
          ]} />
          ${!person.shows_personal && html`<p class="muted small">${t.personalHidden}</p>`}
        </section>
        <section aria-label=${t.whatTheyDid}>
          <${Tabs} label=${t.whatTheyDid} at=${at} tabs=${tabs.map((tab) => ({ ...tab, address: to(tab.name) }))} />
          <${Tab} key=${at} person=${person} address=${address} />
        </section>
      </div>
      <${Actions} person=${person} />
    </div>`;
}

/**
 * A list of the user's that pages within its tab.
 * @param {{ id: any, person: PersonView, address: import("./desk.js").Address, tab: string, columns: any[], empty: string, label: string, keyOf?: (row: any) => any }} props
 */
function Paged({ id, person, address, tab, columns, empty, label, keyOf }) {
  const page = Number(address.query.get("page") ?? 1);
  const reading = useLive((desk, signal) => desk.call(/** @type {"list_user_notes"} */ (id), { user: person.id, page }, { signal }), [person.id, page]);
  return html`<${Read} reading=${reading} draw=${(/** @type {any} */ { data, meta }) => html`<${List} label=${label} rows=${data} empty=${empty} columns=${columns} keyOf=${keyOf} />
    <${Pager} meta=${meta} to=${(/** @type {number} */ to) => addressOf("users", person.id, { tab, page: to })} />`} />`;
}

/** @typedef {{ person: PersonView, address: import("./desk.js").Address }} TabProps */

/** @param {TabProps} props */
function Predictions(props) {
  const { t, say } = useTexts();
  return html`<${Paged} ...${props} id="list_user_predictions" tab="predictions" label=${t.predictions} empty=${t.noPredictions} columns=${[
    { head: t.match, cell: (/** @type {any} */ row) => html`<a class="link quiet num" href=${addressOf("matches", row.event_id)}>${t.matchNumber(row.event_id)}</a>` },
    { head: t.pick, cell: (/** @type {any} */ row) => html`${t.outcomes[/** @type {"home"} */ (row.prediction)]} ${row.score_prediction ? html`<b class="num">${row.score_prediction.home}–${row.score_prediction.away}</b>` : ""}` },
    { head: t.confidence, kind: "num", cell: (/** @type {any} */ row) => `${row.confidence} %` },
    { head: t.points, kind: "num", cell: (/** @type {any} */ row) => (row.points_earned === null ? html`<span class="muted">${row.void_reason ? t.void : t.open}</span>` : say.signed(row.points_earned)) },
    { head: t.changed, cell: (/** @type {any} */ row) => html`<${When} at=${row.updated_at} />` },
  ]} />`;
}

/** @param {TabProps} props */
function Coins(props) {
  const { t, say } = useTexts();
  return html`<${Paged} ...${props} id="list_user_transactions" tab="coins" label=${t.coins} empty=${t.noCoins} columns=${[
    { head: t.when, cell: (/** @type {any} */ row) => html`<${When} at=${row.created_at} />` },
    { head: t.reason, cell: (/** @type {any} */ row) => html`${row.reason} ${row.reference_id ? html`<small class="muted">${row.reference_id}</small>` : ""}` },
    { head: t.amount, kind: "num", cell: (/** @type {any} */ row) => html`<b class=${row.amount < 0 ? "down" : "up"}>${say.signed(row.amount)}</b>` },
    { head: t.balanceAfter, kind: "num", cell: (/** @type {any} */ row) => say.number(row.balance_after) },
  ]} />`;
}

/** @param {TabProps} props */
function Sessions({ person }) {
  const desk = useDesk();
  const { t } = useTexts();
  const reading = useLive((desk, signal) => desk.call("list_user_sessions", { user: person.id }, { signal }), [person.id]);
  const end = (/** @type {any} */ row) => html`<${Press} label=${t.endIt} run=${(/** @type {any} */ desk) => desk.call("end_user_sessions", { user: person.id, session_id: row.id })} />`;
  const columns = [
    { head: t.device, cell: (/** @type {any} */ row) => row.device_name ?? html`<span class="muted">${t.unknownDevice}</span>` },
    { head: t.lastUsed, cell: (/** @type {any} */ row) => html`<${When} at=${row.last_used_at} />` },
    { head: t.since, cell: (/** @type {any} */ row) => html`<${When} at=${row.created_at} />` },
    { head: t.ends, cell: (/** @type {any} */ row) => html`<${When} at=${row.expires_at} />` },
    ...(desk.may("moderator") ? [{ head: html`<span class="hidden">${t.actions}</span>`, kind: "acts", cell: end }] : []),
  ];
  return html`<${Read} reading=${reading} draw=${(/** @type {any} */ { data }) => html`<${List} label=${t.sessions} rows=${data} empty=${t.noSessions} columns=${columns} />`} />`;
}

/** Reports about the user, then those by them. @param {TabProps} props */
function Reports({ person, address }) {
  const { t } = useTexts();
  const isBy = address.query.get("show") === "by";
  const page = Number(address.query.get("page") ?? 1);
  const to = (/** @type {Record<string, any>} */ change) => addressOf("users", person.id, { tab: "reports", show: isBy ? "by" : null, ...change });
  const reading = useLive((desk, signal) => desk.call("list_chat_reports", { open: false, page, ...(isBy ? { by: person.id } : { about: person.id }) }, { signal }), [person.id, isBy, page]);
  return html`<p class="row wrap choices" role="group" aria-label=${t.reports}><a class="choice" aria-current=${isBy ? null : "true"} href=${to({ show: null })}>${t.aboutThem}</a><a class="choice" aria-current=${isBy ? "true" : null} href=${to({ show: "by" })}>${t.byThem}</a></p>
    <${Read} reading=${reading} draw=${(/** @type {any} */ { data, meta }) => html`<${List} label=${t.reports} rows=${data} empty=${isBy ? t.noReportsBy : t.noReportsAbout} columns=${[
      { head: t.reason, kind: "wide", cell: (/** @type {any} */ row) => html`<a class="link main said" href=${`#/reports/${row.id}`}>${row.reason}</a>` }, { head: t.room, cell: (/** @type {any} */ row) => row.room_name ?? "–" },
      { head: t.when, cell: (/** @type {any} */ row) => html`<${When} at=${row.created_at} />` }, { head: t.state, cell: (/** @type {any} */ row) => (row.resolved_at ? t.resolved : html`<span class="mark bad">${t.open}</span>`) },
    ]} /><${Pager} meta=${meta} to=${(/** @type {number} */ page) => to({ page })} />`} />`;
}

/** @param {TabProps} props */
function Notes(props) {
  const desk = useDesk();
  const { t } = useTexts();
  return html`${desk.may("moderator") && html`<${AddNote} person=${props.person} />`}
    <${Paged} ...${props} id="list_user_notes" tab="notes" label=${t.notes} empty=${t.noNotes} columns=${[
      { head: t.when, cell: (/** @type {any} */ row) => html`<${When} at=${row.created_at} />` },
      { head: t.who, cell: (/** @type {any} */ row) => row.operator },
      { head: t.note, kind: "wide", cell: (/** @type {any} */ row) => html`<span class="said">${row.text}</span>` },
    ]} />`;
}

/** @param {TabProps} props */
function Log({ person, address }) {
  const page = Number(address.query.get("page") ?? 1);
  return html`<${Changes} filter=${{ subject: `user ${person.id}` }} page=${page} to=${(/** @type {number} */ to) => addressOf("users", person.id, { tab: "log", page: to })} />`;
}
