// Leagues: those one is in, a new one, those that anybody may join, and the question behind a link.
import { html, useState } from "../vendor/htm-preact-standalone.module.js";
import { Failure, Loading, useReading } from "../shared/components.js";
import { upTo, useAttempt } from "./asking.js";
import { keepLeague, leaguesChanged } from "./league-asks.js";
import { LeagueForm } from "./league-form.js";
import { useLeagueTexts } from "./texts-leagues.js";

/** @typedef {import("./fan.js").Fan} Fan */
/** @typedef {import("./panel.js").Go} Go */
/** @typedef {import("./league-asks.js").League} League */
/** @typedef {League & { me?: { rank: number, points: number } | null }} Own */

const PER_PAGE = 20;

/** @param {{ league: { id: number, name: string, member_count: number, tournaments: { name: string }[] }, go: Go, isOpen?: boolean, children?: any }} props */
function LeagueLink({ league, go, isOpen = false, children }) {
  const { t, say } = useLeagueTexts();
  const of = league.tournaments.map((one) => one.name).join(", ");
  return html`<a class="item" href="#league/${league.id}" aria-current=${isOpen ? "true" : undefined} onClick=${(/** @type {Event} */ event) => (event.preventDefault(), go("league", league.id))}>
    <span class="grow"><b class="cut">${league.name}</b><small class="cut muted">${t.members(league.member_count, say.number(league.member_count))} · ${of}</small></span>${children}
  </a>`;
}

/** @param {{ go: Go }} props */
function JoinWithCode({ go }) {
  const { l } = useLeagueTexts();
  const submit = (/** @type {any} */ event) => {
    event.preventDefault();
    // As the service reads it: small letters, spaces and hyphens do not matter.
    const code = String(new FormData(event.target).get("code")).replace(/[\s-]/g, "").toUpperCase();
    event.target.reset();
    if (code) go("league-join", code);
  };
  return html`<form class="row" onSubmit=${submit}>
    <input name="code" required aria-label=${l.haveCode} placeholder=${l.haveCode} autocomplete="off" autocapitalize="characters" spellcheck=${false} maxlength="20" /><button>${l.look}</button>
  </form>`;
}

/** One's own leagues with one's place in each, and the ways into another. @param {{ fan: Fan, go: Go, openId?: number | null, view: string }} props */
export function Leagues({ fan, go, openId = null, view }) {
  const { t, l, say } = useLeagueTexts();
  const [pages, setPages] = useState(1);
  const { rank, picks, leagueChanges } = fan.state;
  const { value, error, again } = useReading(
    async (signal) => {
      const own = await upTo(pages, (page) => fan.call("list_leagues", { page, per_page: PER_PAGE }, { signal }));
      // A place that cannot be read is left out: the league's own view says why.
      const places = await Promise.all(own.data.map(({ id }) => fan.call("show_league_table", { league: id, per_page: 1 }, { signal }).catch(() => null)));
      return { ...own, data: own.data.map((league, at) => /** @type {Own} */ ({ ...league, me: places[at]?.meta.me })) };
    },
    [pages, leagueChanges, rank?.points, rank?.rank, picks.size],
  );
  const to = (/** @type {string} */ name) => (/** @type {Event} */ event) => (event.preventDefault(), go(name));
  return html`<section role="group" class="card leagues" aria-label=${l.leagues}>
    <header><h2>${l.leagues}</h2></header>
    ${error && html`<div class="body"><${Failure} error=${error} words=${t} again=${again} /></div>`}
    ${!value && !error && html`<${Loading} lines=${3} label=${t.loading} />`}
    ${value?.data.length === 0 && html`<p class="body muted">${l.noLeagues}</p>`}
    ${value &&
    value.data.length > 0 &&
    html`<ul class="rows">
      ${value.data.map(
        (league) => html`<li key=${league.id}><${LeagueLink} league=${league} go=${go} isOpen=${league.id === openId}>
          <small class="num muted">${league.closed_at ? l.closed : league.me && l.place(say.number(league.me.rank), say.number(league.me.points))}</small><//></li>`,
      )}
    </ul>`}
    <div class="body stack">
      ${value?.hasMore && html`<div><button class="quiet flush" onClick=${() => setPages(pages + 1)}>${l.more}</button></div>`}
      <div class="halves">
        <a class="button" href="#league-new" aria-current=${view === "league-new" ? "page" : undefined} onClick=${to("league-new")}>${l.make}</a>
        <a class="button" href="#league-find" aria-current=${view === "league-find" ? "page" : undefined} onClick=${to("league-find")}>${l.find}</a>
      </div>
      <${JoinWithCode} go=${go} />
    </div>
  </section>`;
}

/** @param {{ fan: Fan, go: Go }} props */
export function NewLeague({ fan, go }) {
  const { l } = useLeagueTexts();
  const send = async (/** @type {import("./league-form.js").LeagueBody} */ body) => {
    const { data } = await fan.call("create_league", body);
    keepLeague(fan, data);
    leaguesChanged(fan);
    go("league", data.id);
  };
  return html`<section role="group" class="card" aria-label=${l.newLeague}>
    <header><h2>${l.newLeague}</h2></header>
    <${LeagueForm} fan=${fan} yes=${l.makeIt} send=${send} />
  </section>`;
}

/** @param {{ fan: Fan, go: Go }} props */
export function PublicLeagues({ fan, go }) {
  const { t, l } = useLeagueTexts();
  const [search, setSearch] = useState("");
  const [pages, setPages] = useState(1);
  const { error: refused, attempt } = useAttempt();
  const { value, error, again } = useReading(
    (signal) => upTo(pages, (page) => fan.call("list_leagues", { public: true, search: search.trim() || undefined, page, per_page: PER_PAGE }, { signal })),
    [search.trim(), pages, fan.state.leagueChanges],
  );
  const join = (/** @type {number} */ id) =>
    attempt(async () => {
      keepLeague(fan, (await fan.call("join_public_league", { league: id })).data);
      leaguesChanged(fan);
      go("league", id);
    });
  const look = (/** @type {any} */ event) => {
    setSearch(event.target.value);
    setPages(1);
  };
  return html`<section role="group" class="card" aria-label=${l.publicLeagues}>
    <header><h2>${l.publicLeagues}</h2></header>
    <div class="body stack">
      <input type="search" maxlength="60" aria-label=${l.findLeague} placeholder=${l.findLeague} value=${search} onInput=${look} />
      ${(error || refused) && html`<${Failure} error=${error || refused} words=${t} again=${error && again} />`}
    </div>
    ${!value && !error && html`<${Loading} lines=${4} label=${t.loading} />`}
    ${value?.data.length === 0 && html`<p class="empty">${search ? l.notFound : l.noPublic}</p>`}
    ${value &&
    value.data.length > 0 &&
    html`<ul class="rows">
      ${value.data.map(
        (league) => html`<li key=${league.id} class="with-button"><${LeagueLink} league=${league} go=${go} />
          ${league.role ? html`<small class="muted">${l.joined}</small>` : html`<button aria-label="${l.join}: ${league.name}" onClick=${() => join(league.id)}>${l.join}</button>`}</li>`,
      )}
    </ul>`}
    ${value?.hasMore && html`<div class="body"><button class="quiet flush" onClick=${() => setPages(pages + 1)}>${l.more}</button></div>`}
  </section>`;
}

/** The question behind a code or a link. @param {{ fan: Fan, code: string, go: Go }} props */
export function Invitation({ fan, code, go }) {
  const { t, l, say } = useLeagueTexts();
  const { error: refused, isBusy, attempt } = useAttempt();
  const { value, error, again } = useReading(async (signal) => (await fan.call("show_league_of_code", { code }, { signal })).data, [code]);
  const join = () =>
    attempt(async () => {
      const { data } = await fan.call("join_league_by_code", { code });
      keepLeague(fan, data);
      leaguesChanged(fan);
      go("league", data.id);
    });
  const isWrong = error?.status === 404;
  return html`<section role="group" class="card" aria-label=${l.invitation}>
    <header><h2>${value ? (value.is_member ? l.isMember(value.name) : l.joinWhat(value.name)) : l.invitation}</h2></header>
    ${!value && !error && html`<${Loading} lines=${2} label=${t.loading} />`}
    ${error &&
    html`<div class="body stack">
      ${isWrong ? html`<p role="alert">${l.wrongCode(code)}</p>` : html`<${Failure} error=${error} words=${t} again=${again} />`}
      <div><button onClick=${() => go("table")}>${l.backToLeagues}</button></div>
    </div>`}
    ${value &&
    html`<div class="body stack">
      <p class="muted">${t.members(value.member_count, say.number(value.member_count))} · ${value.tournaments.map((one) => one.name).join(", ")}</p>
      ${!value.is_member && html`<p class="small muted">${l.joinCounts}</p>`}
      ${refused && html`<${Failure} error=${refused} words=${t} />`}
      <div class="row wrap">
        ${value.is_member ? html`<button class="primary" onClick=${() => go("league", value.id)}>${l.openIt}</button>` : html`<button class="primary" disabled=${isBusy} onClick=${join}>${l.joinIt}</button>`}
        <button class="quiet" onClick=${() => go("table")}>${l.notNow}</button>
      </div>
    </div>`}
  </section>`;
}
