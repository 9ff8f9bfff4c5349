// Leagues: finding one, another name for one that offends, and the end of one.
import { html, useState } from "../vendor/htm-preact-standalone.module.js";
import { addressOf, useDesk, useLive, useTyped } from "./desk.js";
import { Ask, Field, Heading, List, Pager, Read, When } from "./parts.js";
import { useTexts } from "./texts.js";

/** @import { Schemas } from "./api.d.ts" */
/** @typedef {Schemas["FoundLeagueView"]} League */
/** @typedef {{ league: League, close: () => void }} Question */

/** @param {{ address: import("./desk.js").Address }} props */
export function View({ address }) {
  const desk = useDesk();
  const { t, say } = useTexts();
  const asked = address.query.get("q") ?? "";
  const open = address.query.get("show") !== "all";
  const page = Number(address.query.get("page") ?? 1);
  const at = (/** @type {Record<string, any>} */ change) => addressOf("leagues", null, { q: asked, show: open ? null : "all", ...change });
  const [text, setText, search] = useTyped(asked);
  // Not in its row: a league that leaves the list meanwhile takes nothing along that was typed.
  const [question, setQuestion] = useState(/** @type {{ Asked: any, league: League } | null} */ (null));
  const reading = useLive((desk, signal) => desk.call("find_leagues", { ...(asked && { search: asked }), open, page }, { signal }), [asked, open, page]);
  const submit = (/** @type {Event} */ event) => (event.preventDefault(), search(text.trim(), at({ q: text.trim() })));
  const opens = (/** @type {string} */ label, /** @type {any} */ Asked, /** @type {League} */ league) => html`<button aria-haspopup="dialog" onClick=${() => setQuestion({ Asked, league })}>${label}</button>`;
  const kindOf = (/** @type {League} */ league) => [league.is_public ? t.roomKinds.public : t.byCode, t.scoredBy(t.scorings[league.scoring] ?? league.scoring), league.has_chat ? t.withChat : t.noChat].join(" · ");
  const columns = [
    { head: t.ways.name, kind: "wide", cell: (/** @type {League} */ league) => html`<b class="said">${league.name}</b> <a class="link quiet small" href=${addressOf("audit", null, { subject: `league ${league.id}` })} title=${t.lastChanges}>#${league.id}</a><br /><small class="muted">${kindOf(league)}</small>` },
    { head: t.roles.owner, cell: (/** @type {League} */ { owner }) => (owner ? html`<a class="link quiet" href=${addressOf("users", owner.id)}>${owner.username}</a>` : html`<span class="muted">–</span>`) },
    { head: t.members, kind: "num", cell: (/** @type {League} */ league) => say.number(league.member_count) },
    { head: t.since, cell: (/** @type {League} */ league) => html`<${When} at=${league.created_at} />` },
    ...(open ? [] : [{ head: t.closed, cell: (/** @type {League} */ league) => html`<${When} at=${league.closed_at} />` }]),
    ...(desk.may("moderator") ? [{ head: html`<span class="hidden">${t.actions}</span>`, kind: "acts", cell: (/** @type {League} */ league) => html`${!league.closed_at && opens(t.closeLeague, Close, league)}${opens(t.rename, Rename, league)}` }] : []),
  ];
  const empty = (/** @type {number} */ total) => {
    if (!asked && !total) return open ? t.noOpenLeagues : t.noLeagues;
    // Beyond the last page the search goes on at its first; what is not found may be closed, or go by another name.
    return html`${total ? "" : t.noLeagueFound(asked, open)} <a class="link" href=${total ? at({}) : at(open ? { show: "all" } : { q: null })}>${t.showAll}</a>`;
  };
  return html`<${Heading} title=${t.places.leagues} note=${t.largestFirst} />
    <form class="search row wrap" role="search" onSubmit=${submit}><input class="grow" type="search" maxlength="60" aria-label=${t.findLeague} placeholder=${t.findLeagueHow} value=${text} onInput=${(/** @type {any} */ event) => setText(event.target.value)} /><button class="primary">${t.search}</button></form>
    <p class="row wrap choices" role="group" aria-label=${t.state}><a class="choice" aria-current=${open ? "true" : null} href=${at({ show: null })}>${t.open}</a><a class="choice" aria-current=${open ? null : "true"} href=${at({ show: "all" })}>${t.all}</a></p>
    <${Read} reading=${reading} draw=${(/** @type {{ data: League[], meta: Schemas["PageMeta"] }} */ { data, meta }) => html`
      <${List} label=${t.places.leagues} rows=${data} columns=${columns} empty=${empty(meta.total)} rowClass=${(/** @type {League} */ league) => (league.closed_at ? "faded" : "")} />
      <${Pager} meta=${meta} words=${[t.largerPage, t.smallerPage]} to=${(/** @type {number} */ page) => at({ page })} />`} />
    ${question && html`<${question.Asked} league=${question.league} close=${() => setQuestion(null)} />`}`;
}

/** @param {Question} props */
function Rename({ league, close }) {
  const { t } = useTexts();
  const [typed, setTyped] = useState(league.name);
  const name = typed.trim();
  return html`<${Ask} title=${t.renameTitle(league.name)} what=${t.renameWhat(league.member_count, !league.closed_at)} action=${t.renameIt} close=${close} isReady=${name !== "" && name !== league.name}
    run=${(/** @type {any} */ desk) => desk.call("rename_league", { league: league.id, name })}>
    <${Field} label=${t.ways.name}><input name="name" maxlength="60" autocomplete="off" value=${typed} onInput=${(/** @type {any} */ event) => setTyped(event.target.value)} /><//>
  <//>`;
}

/** @param {Question} props */
function Close({ league, close }) {
  const { t } = useTexts();
  const [reason, setReason] = useState("");
  return html`<${Ask} title=${t.closeTitle(league.name)} what=${t.closeWhat(league.member_count, league.has_chat)} action=${t.closeFor(league.member_count)} kind="bad" close=${close} isReady=${reason.trim() !== ""}
    run=${(/** @type {any} */ desk) => desk.call("end_league", { league: league.id, reason: reason.trim() })}>
    <${Field} label=${t.reason} hint=${t.closeReasonHint}><textarea name="reason" rows="3" maxlength="500" value=${reason} onInput=${(/** @type {any} */ event) => setReason(event.target.value)}></textarea><//>
  <//>`;
}
