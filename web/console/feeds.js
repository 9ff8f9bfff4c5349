// Feeds: what each source last said, what is held and why, what a poll would change, and which ids stand for what.
import { html, useState } from "../vendor/htm-preact-standalone.module.js";
import { useDesk, useLive } from "./desk.js";
import { Ask, Facts, Field, List, Opens, Press, Read, When, plain } from "./parts.js";
import { useTexts } from "./texts.js";

/** @import { Schemas } from "./api.d.ts" */
/** @typedef {Schemas["FeedView"]} Feed */

const typed = (/** @type {(text: string) => void} */ set) => (/** @type {any} */ event) => set(event.target.value);

export function Feeds() {
  const desk = useDesk();
  const { t } = useTexts();
  const reading = useLive((desk, signal) => desk.call("list_feeds", {}, { signal }), []);
  return html`<${Read} reading=${reading} draw=${(/** @type {{ data: Feed[] }} */ { data }) => (data.length === 0 ? html`<p class="empty">${t.noFeeds}</p>` : data.map((feed) => html`<${OneFeed} key=${feed.tournament} feed=${feed} />`))} />
    ${desk.may("operator") && html`<section class="plain" aria-label=${t.bindings}><h2>${t.bindings}</h2><p class="muted small">${t.bindingsHow}</p><div class="row wrap"><${Opens} label=${t.bindMatch} ask=${(/** @type {() => void} */ close) => html`<${Bind} kind="match" close=${close} />`} /><${Opens} label=${t.bindTeam} ask=${(/** @type {() => void} */ close) => html`<${Bind} kind="team" close=${close} />`} /></div></section>`}
    <${Bindings} />`;
}

/** @param {{ feed: Feed }} props */
function OneFeed({ feed }) {
  const desk = useDesk();
  const { t, say } = useTexts();
  const [outcome, setOutcome] = useState(/** @type {Schemas["PollOutcome"] | null} */ (null));
  const left = (/** @type {Schemas["SourceView"]} */ source) => [source.left_this_minute !== null ? t.leftThisMinute(say.number(source.left_this_minute ?? 0)) : "", source.left_today !== null ? t.leftToday(say.number(source.left_today ?? 0)) : ""].filter(Boolean).join(" · ");
  return html`<section class="plain" aria-label=${feed.tournament}>
    <header class="row between wrap"><h2>${feed.tournament}</h2>${desk.may("operator") && html`<span class="row wrap">
      <${Press} label=${t.dryRun} run=${(/** @type {any} */ desk) => desk.call("poll_feed", { tournament: feed.tournament, dry_run: true })} then=${(/** @type {any} */ { data }) => setOutcome(data)} />
      <${Press} label=${t.pollNow} run=${(/** @type {any} */ desk) => desk.call("poll_feed", { tournament: feed.tournament })} then=${(/** @type {any} */ { data }) => setOutcome(data)} /></span>`}</header>
    <${Facts} facts=${[[t.lastPoll, html`<${When} at=${feed.last_poll_at} none=${t.never} /> ${feed.last_provider ?? ""}`], [t.nextPoll, html`<${When} at=${feed.next_poll_at} />`],
      ...feed.sources.map((source) => /** @type {[any, any]} */ ([source.provider, source.blocked_until ? html`<span class="mark bad">${t.blockedUntil} <${When} at=${source.blocked_until} /></span>` : left(source) || t.noQuota]))]} />
    ${feed.last_error && html`<p class="verdict bad"><b>${t.lastError} <${When} at=${feed.last_error_at} /></b><span class="said">${feed.last_error}</span></p>`}
    ${feed.problems.length > 0 && html`<ul class="problems">${feed.problems.map((problem) => html`<li>${problem}</li>`)}</ul>`}
    ${feed.held.length > 0 && html`<h3>${t.heldMatches}</h3><${List} label=${t.heldMatches} rows=${feed.held} empty="" keyOf=${(/** @type {any} */ held) => held.provider + held.external_id} rowClass=${() => "over"} columns=${[
      { head: t.match, cell: (/** @type {Schemas["HeldView"]} */ held) => held.title }, { head: t.source, cell: (/** @type {Schemas["HeldView"]} */ held) => html`${held.provider} <small class="muted">${held.external_id}</small>` },
      { head: t.why, kind: "wide", cell: (/** @type {Schemas["HeldView"]} */ held) => held.reason }, { head: t.since, cell: (/** @type {Schemas["HeldView"]} */ held) => html`<${When} at=${held.since} />` },
    ]} />`}
    ${outcome && html`<${Outcome} outcome=${outcome} close=${() => setOutcome(null)} />`}
  </section>`;
}

/** What a poll did or would do. @param {{ outcome: Schemas["PollOutcome"], close: () => void }} props */
function Outcome({ outcome, close }) {
  const { t, say } = useTexts();
  const { differences, failures, problems } = outcome;
  return html`<div class="verdict ${outcome.provider ? "good" : "bad"}" role="status">
    <b>${outcome.provider ? t.pollSaid(outcome.dry_run, outcome.provider, say.number(outcome.created), say.number(outcome.changed), say.number(outcome.unchanged), say.number(outcome.held)) : t.nobodyAnswered}</b>
    ${[...failures, ...problems].map((line) => html`<span class="said">${line}</span>`)}
    ${differences.length > 0 && html`<ul class="differences">${differences.map((one) => html`<li><b>${one.title}</b> <span class="mark ${one.effect === "held" ? "bad" : ""}">${t.effects[one.effect]}</span> ${one.reason ?? ""} ${one.fields.map((field) => html`<span class="pair">${field.field}: <del>${plain(field.from, say)}</del> <ins>${plain(field.to, say)}</ins></span>`)}</li>`)}</ul>`}
    <button class="quiet" onClick=${close}>${t.close}</button></div>`;
}

/** @param {{ kind: "match" | "team", close: () => void }} props */
function Bind({ kind, close }) {
  const { t } = useTexts();
  const [provider, setProvider] = useState("football_data");
  const [theirs, setTheirs] = useState("");
  const [ours, setOurs] = useState("");
  const body = { provider, external_id: theirs.trim(), [kind === "match" ? "event_id" : "team_id"]: Number(ours) };
  return html`<${Ask} title=${kind === "match" ? t.bindMatch : t.bindTeam} what=${kind === "match" ? t.bindMatchWhat : t.bindTeamWhat} action=${t.bind} close=${close} isReady=${theirs.trim() !== "" && Number(ours) > 0}
    run=${(/** @type {any} */ desk) => desk.call(kind === "match" ? "bind_feed_match" : "bind_feed_team", body)}>
    <${Field} label=${t.source}><select value=${provider} onChange=${typed(setProvider)}>${["football_data", "api_football", "openfootball"].map((one) => html`<option value=${one} selected=${one === provider}>${one}</option>`)}</select><//>
    <${Field} label=${t.theirId}><input name="external" autocomplete="off" value=${theirs} onInput=${typed(setTheirs)} /><//>
    <${Field} label=${kind === "match" ? t.ourMatchId : t.ourTeamId}><input name="own" inputmode="numeric" autocomplete="off" value=${ours} onInput=${typed(setOurs)} /><//>
  <//>`;
}

/** What stands for what, of both kinds. */
function Bindings() {
  const desk = useDesk();
  const { t } = useTexts();
  const matches = useLive((desk, signal) => desk.call("list_feed_matches", {}, { signal }), []);
  const teams = useLive((desk, signal) => desk.call("list_feed_teams", {}, { signal }), []);
  const undo = (/** @type {any} */ row, /** @type {any} */ id, /** @type {object} */ key, /** @type {string} */ what) => html`<${Opens} label=${t.unbind} kind="bad" ask=${(/** @type {() => void} */ close) => html`<${Ask} title=${t.unbindTitle(row.external_id)} what=${what} action=${t.unbind} kind="bad" close=${close} run=${(/** @type {any} */ desk) => desk.call(id, key)} />`} />`;
  const acts = (/** @type {(row: any) => any} */ cell) => (desk.may("operator") ? [{ head: html`<span class="hidden">${t.actions}</span>`, kind: "acts", cell }] : []);
  const source = { head: t.source, cell: (/** @type {any} */ row) => html`${row.provider} <small class="muted">${row.external_id}</small>` };
  const keyOf = (/** @type {any} */ row) => `${row.provider} ${row.external_id}`;
  return html`<${Read} reading=${matches} draw=${(/** @type {any} */ { data }) => data.length > 0 && html`<h2>${t.boundMatches}</h2><${List} label=${t.boundMatches} rows=${data} empty="" keyOf=${keyOf} columns=${[
      { head: t.match, cell: (/** @type {any} */ row) => html`${row.title} <small class="muted">${row.tournament}</small>` }, source, { head: t.ourMatchId, kind: "num", cell: (/** @type {any} */ row) => row.event_id ?? "–" },
      { head: t.why, cell: (/** @type {any} */ row) => row.held ?? "" }, ...acts((row) => undo(row, "unbind_feed_match", { provider: row.provider, external_id: row.external_id }, t.unbindMatchWhat)),
    ]} />`} />
    <${Read} reading=${teams} draw=${(/** @type {any} */ { data }) => data.length > 0 && html`<h2>${t.boundTeams}</h2><${List} label=${t.boundTeams} rows=${data} empty="" keyOf=${keyOf} columns=${[
      { head: t.team, cell: (/** @type {any} */ row) => row.team.name }, source, { head: t.theirName, cell: (/** @type {any} */ row) => row.name ?? "–" },
      ...acts((row) => undo(row, "unbind_feed_team", { provider: row.provider, external_id: row.external_id, team_id: row.team.id }, t.unbindTeamWhat)),
    ]} />`} />`;
}
