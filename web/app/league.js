// One league: its table of all weeks or of one, who won each, its link to pass on, and its chat room.
import { html, useEffect, useRef, useState } from "../vendor/htm-preact-standalone.module.js";
import { Failure, Loading, useReading } from "../shared/components.js";
import { upTo, useAttempt } from "./asking.js";
import { Ask, keepLeague, leaguesChanged, momentOf } from "./league-asks.js";
import { Places } from "./table.js";
import { useLeagueTexts } from "./texts-leagues.js";

/** @typedef {import("./fan.js").Fan} Fan */
/** @typedef {import("./panel.js").Go} Go */
/** @typedef {import("./league-asks.js").League} League */
/** @typedef {import("./api.d.ts").Schemas["WeekView"]} Week */

const PER_PAGE = 20;
/** Who joined is not told: the table is read again now and then. */
const REFRESH_MS = 30_000;
/** How often it is asked whether the chat room is there, or somebody in it, of which there is no news. */
const ROOM_SOON_MS = 2_000;
const LOOKS = 5;
const LOOKS_WHEN_ASKED = 15;
const COPIED_MS = 1_500;
const NAMED_WINNERS = 3;

/** A number that grows every so often while the page is looked at, and when the network is back. */
function useTicks() {
  const [ticks, setTicks] = useState(0);
  useEffect(() => {
    const tick = () => document.hidden || setTicks((before) => before + 1);
    const timer = setInterval(tick, REFRESH_MS);
    addEventListener("online", tick);
    return () => {
      clearInterval(timer);
      removeEventListener("online", tick);
    };
  }, []);
  return ticks;
}

/** What a league is, in a line. @param {{ league: League }} props */
function About({ league }) {
  const { t, l, say } = useLeagueTexts();
  const day = say.date(momentOf(league.starts_on));
  const isAhead = Date.parse(league.starts_on) > Date.now();
  const parts = [t.members(league.member_count, say.number(league.member_count)), league.tournaments.map((one) => one.name).join(", "), l.presets[league.scoring], isAhead ? l.startsOn(day) : l.countsSince(day)];
  return html`<p class="small muted">${parts.join(" · ")}</p>`;
}

/** Which part of the table is shown, and the ways to others. @param {{ meta: any, turn: (page: number | "me") => void, isMeShown: boolean }} props */
function Pages({ meta, turn, isMeShown }) {
  const { l, say } = useLeagueTexts();
  if (meta.last_page <= 1) return null;
  const from = (meta.current_page - 1) * meta.per_page + 1;
  const to = Math.min(meta.total, from + meta.per_page - 1);
  return html`<div class="body row pages">
    <button class="star" aria-label=${l.earlier} title=${l.earlier} disabled=${meta.current_page === 1} onClick=${() => turn(meta.current_page - 1)}>‹</button>
    <small class="muted num">${l.of(say.number(from), say.number(to), say.number(meta.total))}</small>
    <button class="star" aria-label=${l.later} title=${l.later} disabled=${meta.current_page >= meta.last_page} onClick=${() => turn(meta.current_page + 1)}>›</button>
    <span class="grow"></span>${meta.me && !isMeShown && html`<button onClick=${() => turn("me")}>${l.whereAmI}</button>`}
  </div>`;
}

/** Who was best in a week, a few of them by name. @param {{ week: Week }} props */
function Winners({ week }) {
  const { l, say } = useLeagueTexts();
  const [first] = week.winners;
  if (!first) return html`<small class="muted">${l.nobodyWon}</small>`;
  const names = week.winners.slice(0, NAMED_WINNERS).map(({ user }) => user.username).join(", ");
  const others = week.winners.length > NAMED_WINNERS ? ` ${l.others}` : "";
  return html`<small class="muted">${week.is_over ? l.wonBy : l.leadBy} <b>${names}</b>${others} · ${l.pointsOf(first.points, say.number(first.points))}</small>`;
}

/** The table, and the weeks below it. @param {{ fan: Fan, id: number, week: string | null, go: Go }} props */
export function LeagueTable({ fan, id, week, go }) {
  const { t, l, say } = useLeagueTexts();
  const [page, setPage] = useState(/** @type {number | "me"} */ (1));
  const [weekPages, setWeekPages] = useState(1);
  const { rank, picks, leagueChanges, session } = fan.state;
  const card = useRef(/** @type {HTMLElement | null} */ (null));
  const ticks = useTicks();
  const moved = [ticks, leagueChanges, rank?.points, rank?.rank, picks];
  const league = fan.state.leagues.get(id);
  const { error: unknown, again: readLeague } = useReading(async (signal) => keepLeague(fan, (await fan.call("show_league", { league: id }, { signal })).data), [id, ticks, leagueChanges]);
  const { value, error, again } = useReading(
    async (signal) => {
      const part = page === "me" ? { around: /** @type {const} */ ("me") } : { page };
      const answer = await fan.call("show_league_table", { league: id, ...(week && { week }), per_page: PER_PAGE, ...part }, { signal });
      return { ...answer, week };
    },
    [id, week, page, ...moved],
  );
  const { value: weeks, error: noWeeks, again: readWeeks } = useReading((signal) => upTo(weekPages, (number) => fan.call("list_league_weeks", { league: id, page: number, per_page: PER_PAGE }, { signal })), [id, weekPages, ...moved]);
  // Another week's table begins at its top.
  useEffect(() => setPage(1), [id, week]);
  if (unknown && !league) {
    const isGone = unknown.status === 404 || unknown.status === 422;
    return html`<section role="group" class="card" aria-label=${l.league}><div class="body stack">
      ${isGone ? html`<p role="alert">${l.gone}</p>` : html`<${Failure} error=${unknown} words=${t} again=${readLeague} />`}
      <div><button onClick=${() => go("table")}>${l.backToLeagues}</button></div>
    </div></section>`;
  }
  if (!league) return html`<section role="group" class="card" aria-label=${l.league}><${Loading} lines=${6} label=${t.loading} /></section>`;
  const own = session?.user.id;
  const table = value?.week === week ? value : undefined;
  const choose = (/** @type {string | null} */ monday) => {
    go("league", monday ? `${id}:${monday}` : id);
    // On a phone the weeks are a screen below the table.
    card.current?.closest(".column")?.scrollTo({ top: 0 });
  };
  const known = weeks?.data.map((one) => one.week) ?? [];
  const listed = week && !known.includes(week) ? [week, ...known] : known;
  const nameOf = (/** @type {string} */ monday) => l.weekOf(say.date(momentOf(monday)));
  const chosen = weeks?.data.find((one) => one.week === week);
  return html`<section role="group" class="card" aria-label=${l.league} ref=${card}>
      <header class="wrap"><h2 class="title">${league.name}</h2>
        <select class="short-select" aria-label=${l.week} value=${week ?? ""} onChange=${(/** @type {any} */ event) => choose(event.target.value || null)}>
          <option value="" selected=${!week}>${l.allWeeks}</option>
          ${listed.map((monday) => html`<option value=${monday} selected=${monday === week}>${nameOf(monday)}</option>`)}
        </select>
      </header>
      <div class="body stack about-league"><${About} league=${league} />
        ${league.closed_at && html`<p>${l.isClosed}</p>`}
        ${chosen && html`<p><${Winners} week=${chosen} /></p>`}
        ${!league.role && !league.closed_at && html`<${JoinPublic} fan=${fan} id=${id} />`}
        ${(error || unknown) && html`<${Failure} error=${error || unknown} words=${t} again=${() => (readLeague(), again())} />`}
      </div>
      ${!table && !error && html`<${Loading} lines=${5} label=${t.loading} />`}
      ${table && (table.data.length ? html`<${Places} rows=${table.data} own=${own} />` : html`<p class="empty">${week ? l.weekEmpty : t.tableEmpty}</p>`)}
      ${table && html`<${Pages} meta=${table.meta} turn=${setPage} isMeShown=${table.data.some(({ user }) => user.id === own)} />`}
    </section>
    <section role="group" class="card" aria-label=${l.weeks}>
      <header><h2>${l.weeks}</h2></header>
      ${noWeeks && html`<div class="body"><${Failure} error=${noWeeks} words=${t} again=${readWeeks} /></div>`}
      ${!weeks && !noWeeks && html`<${Loading} lines=${2} label=${t.loading} />`}
      ${weeks?.data.length === 0 && html`<p class="body muted">${l.noWeeks}</p>`}
      ${weeks &&
      weeks.data.length > 0 &&
      html`<ul class="rows">
        ${weeks.data.map(
          (one) => html`<li key=${one.week}><a class="item" href="#league/${id}:${one.week}" aria-current=${one.week === week ? "true" : undefined} onClick=${(/** @type {Event} */ event) => (event.preventDefault(), choose(one.week))}>
            <span class="grow"><span class="cut">${nameOf(one.week)}</span><${Winners} week=${one} /></span>${!one.is_over && html`<small class="muted">${l.isOn}</small>`}</a></li>`,
        )}
      </ul>`}
      ${weeks?.hasMore && html`<div class="body"><button class="quiet flush" onClick=${() => setWeekPages(weekPages + 1)}>${l.more}</button></div>`}
    </section>`;
}

/** @param {{ fan: Fan, id: number }} props */
function JoinPublic({ fan, id }) {
  const { t, l } = useLeagueTexts();
  const { error, isBusy, attempt } = useAttempt();
  const join = () =>
    attempt(async () => {
      keepLeague(fan, (await fan.call("join_public_league", { league: id })).data);
      leaguesChanged(fan);
    });
  return html`<p class="small muted">${l.joinCounts}</p><div><button class="primary" disabled=${isBusy} onClick=${join}>${l.joinIt}</button></div>
    ${error && html`<${Failure} error=${error} words=${t} />`}`;
}

/** The code and the link, to pass on. @param {{ fan: Fan, id: number }} props */
export function LeagueInvite({ fan, id }) {
  const { t, l } = useLeagueTexts();
  const [isCopied, setCopied] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const league = fan.state.leagues.get(id);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  if (!league?.code || league.closed_at) return null;
  const link = league.link ?? `${location.origin}/?league=${league.code}`;
  const copy = (/** @type {any} */ event) => {
    // Only over https and on one's own machine; elsewhere the text is marked, to be copied by hand.
    event.target.closest("section").querySelector("input").select();
    navigator.clipboard?.writeText(link).then(() => setCopied(true), () => {});
  };
  // Whoever thinks better of it has shared nothing, and nothing went wrong.
  const share = () => navigator.share({ title: league.name, text: l.shareText(league.name), url: link }).catch(() => {});
  const renew = async () => {
    keepLeague(fan, (await fan.call("renew_league_code", { league: id })).data);
    setAsking(false);
  };
  return html`<section role="group" class="card" aria-label=${l.invite}>
    <header><h2>${l.invite}</h2><b class="mono league-code" aria-label="${l.code} ${league.code}">${league.code}</b></header>
    <div class="body stack">
      <p class="small muted">${l.inviteHow}</p>
      <input class="mono" readonly aria-label=${l.link} value=${link} onFocus=${(/** @type {any} */ event) => event.target.select()} />
      <div class="row wrap">
        <button class="primary" onClick=${copy}>${isCopied ? t.copied : l.copyLink}</button>
        ${"share" in navigator && html`<button onClick=${share}>${l.share}</button>`}
        ${league.role !== "member" && !isAsking && html`<button class="quiet" onClick=${() => setAsking(true)}>${l.newCode}</button>`}
        <span class="hidden" role="status">${isCopied ? t.copied : ""}</span>
      </div>
      ${isAsking && html`<${Ask} label=${l.newCode} what=${l.newCodeWhat} yes=${l.newCodeYes} act=${renew} close=${() => setAsking(false)} />`}
    </div>
  </section>`;
}

/** The way into the league's room, and back into it. @param {{ fan: Fan, id: number, go: Go }} props */
export function LeagueChat({ fan, id, go }) {
  const { t, l } = useLeagueTexts();
  const { error, isBusy, attempt } = useAttempt();
  const [looksLeft, setLooks] = useState(LOOKS);
  const [isAwaited, setAwaited] = useState(false);
  const league = fan.state.leagues.get(id);
  const room = league?.chat_room_id ?? null;
  const isIn = room !== null && fan.state.joined.has(room);
  const isSought = Boolean(league?.role && league.has_chat && !isIn) && (room === null || looksLeft > 0);
  const isComing = isAwaited && looksLeft > 0;
  useEffect(() => {
    if (!isSought) return;
    const look = async () => {
      if (document.hidden) return;
      setLooks((left) => left - 1);
      if (room === null) return keepLeague(fan, (await fan.call("show_league", { league: id })).data);
      const { data } = await fan.call("list_chat_rooms", { joined: true, per_page: 100 });
      if (data.some((one) => one.room_id === room)) fan.change({ joined: new Set(data.map((one) => one.room_id)) });
    };
    // If that fails, the next look may not.
    const again = () => look().catch(() => {});
    again();
    const timer = setInterval(again, ROOM_SOON_MS);
    return () => clearInterval(timer);
  }, [id, room, isSought]);
  if (!league?.role || !league.has_chat) return null;
  const enter = () =>
    attempt(async () => {
      await fan.call("enter_league_chat", { league: id });
      setLooks(LOOKS_WHEN_ASKED);
      setAwaited(true);
    });
  return html`<section role="group" class="card" aria-label=${l.chat}>
    <header><h2>${l.chat}</h2></header>
    <div class="body stack">
      ${room === null && html`<p class="muted" role="status">${l.chatSoon}</p>`}
      ${isIn && html`<div><a class="button" href="#room/${encodeURIComponent(room)}" onClick=${(/** @type {Event} */ event) => (event.preventDefault(), go("room", room))}>${l.openChat}</a></div>`}
      ${room !== null && !isIn && html`<p class="muted" role="status">${isComing ? l.comingIn : l.chatLeft}</p>
      ${!isComing && html`<div><button disabled=${isBusy} onClick=${enter}>${l.comeInAgain}</button></div>`}`}
      ${error && html`<${Failure} error=${error} words=${t} />`}
    </div>
  </section>`;
}
