// Who is in a league, and running it: roles, handing over, removing, changing, leaving, closing.
import { html, useState } from "../vendor/htm-preact-standalone.module.js";
import { Face, Failure, Loading, useReading } from "../shared/components.js";
import { upTo, useAttempt } from "./asking.js";
import { Ask, keepLeague, leaguesChanged } from "./league-asks.js";
import { LeagueForm } from "./league-form.js";
import { useLeagueTexts } from "./texts-leagues.js";

/** @typedef {import("./fan.js").Fan} Fan */
/** @typedef {import("./league-asks.js").League} League */
/** @typedef {import("./api.d.ts").Schemas["LeagueMemberView"]} Member */
/** @typedef {{ id: number, username: string }} Person */

const PER_PAGE = 20;

/** What the owner or a deputy can do about a member. @param {{ fan: Fan, league: League, member: Member, shutOut: (who: Person) => void, close: () => void }} props */
function Actions({ fan, league, member: { user, role }, shutOut, close }) {
  const { t, l } = useLeagueTexts();
  const [asked, setAsked] = useState(/** @type {"handOver" | "remove" | "forGood" | null} */ (null));
  const { error, isBusy, attempt } = useAttempt();
  const isOwner = league.role === "owner";
  const setRole = async (/** @type {Member["role"]} */ wanted) => {
    await fan.call("set_league_role", { league: league.id, user_id: user.id, role: wanted });
    close();
    leaguesChanged(fan);
  };
  const remove = async (/** @type {boolean} */ isForGood) => {
    await fan.call("remove_league_member", { league: league.id, user_id: user.id, for_good: isForGood });
    if (isForGood) shutOut(user);
    close();
    leaguesChanged(fan);
  };
  const asks = {
    handOver: { label: l.handOver, what: l.handOverWhat(user.username), yes: l.handOverYes, act: () => setRole("owner") },
    remove: { label: l.remove, what: l.removeWhat(user.username), yes: l.removeYes, act: () => remove(false) },
    forGood: { label: l.removeForGood, what: l.forGoodWhat(user.username), yes: l.forGoodYes, act: () => remove(true) },
  };
  return html`<div class="actions stack">
    ${asked
      ? html`<${Ask} key=${asked} ...${asks[asked]} close=${() => setAsked(null)} />`
      : html`<div class="row wrap">
          ${isOwner && role === "member" && html`<button disabled=${isBusy} onClick=${() => attempt(() => setRole("deputy"))}>${l.makeDeputy}</button>`}
          ${isOwner && role === "deputy" && html`<button disabled=${isBusy} onClick=${() => attempt(() => setRole("member"))}>${l.makeMember}</button>`}
          ${isOwner && html`<button onClick=${() => setAsked("handOver")}>${l.handOver}</button>`}
          <button onClick=${() => setAsked("remove")}>${l.remove}</button>
          <button onClick=${() => setAsked("forGood")}>${l.removeForGood}</button>
        </div>`}
    ${isOwner && role === "member" && !asked && html`<p class="small muted">${l.deputyMay}</p>`}
    ${error && html`<${Failure} error=${error} words=${t} />`}
  </div>`;
}

/** Somebody who was just shut out, and the way back. @param {{ fan: Fan, league: League, who: Person, done: () => void }} props */
function ShutOut({ fan, league, who, done }) {
  const { t, l } = useLeagueTexts();
  const [isBack, setBack] = useState(false);
  const { error, isBusy, attempt } = useAttempt();
  const readmit = () =>
    attempt(async () => {
      await fan.call("readmit_to_league", { league: league.id, user_id: who.id });
      setBack(true);
    });
  return html`<div class="body stack" role="status">
    <div class="row wrap"><span class="grow">${isBack ? l.readmitted(who.username) : l.removed(who.username)}</span>
      ${isBack ? html`<button class="quiet" onClick=${done}>${t.fine}</button>` : html`<button disabled=${isBusy} onClick=${readmit}>${l.readmit}</button>`}</div>
    ${error && html`<${Failure} error=${error} words=${t} />`}
  </div>`;
}

/** @param {{ fan: Fan, id: number }} props */
export function LeagueMembers({ fan, id }) {
  const { t, l, say } = useLeagueTexts();
  const [pages, setPages] = useState(1);
  const [opened, setOpened] = useState(/** @type {number | null} */ (null));
  const [shutOut, setShutOut] = useState(/** @type {Person | null} */ (null));
  const league = fan.state.leagues.get(id);
  const { value, error, again } = useReading(
    (signal) => upTo(pages, (page) => fan.call("list_league_members", { league: id, page, per_page: PER_PAGE }, { signal })),
    [id, pages, fan.state.leagueChanges, league?.member_count],
  );
  if (!league) return null;
  const own = fan.state.session?.user.id;
  const isOpen = !league.closed_at;
  // The owner stands above everybody, a deputy above members.
  const isBelow = (/** @type {Member} */ { user, role }) => isOpen && user.id !== own && (league.role === "owner" || (league.role === "deputy" && role === "member"));
  return html`<section role="group" class="card" aria-label=${l.members}>
    <header><h2>${l.members}</h2><small class="muted">${say.number(league.member_count)}</small></header>
    ${error && html`<div class="body"><${Failure} error=${error} words=${t} again=${again} /></div>`}
    ${!value && !error && html`<${Loading} lines=${3} label=${t.loading} />`}
    ${shutOut && html`<${ShutOut} key=${shutOut.id} fan=${fan} league=${league} who=${shutOut} done=${() => setShutOut(null)} />`}
    <ul class="rows">
      ${value?.data.map(
        (member) => html`<li key=${member.user.id}>
          <div class="item"><${Face} name=${member.user.username} />
            <span class="grow"><span class="cut">${member.user.username}${member.user.id === own && html` <small class="muted">(${l.you})</small>`}</span>
              <small class="cut muted">${member.role !== "member" && html`<b>${l.roles[member.role]}</b> · `}${l.joinedOn(say.date(member.joined_at))}</small></span>
            ${isBelow(member) &&
            html`<button class="quiet star" aria-label=${l.actionsFor(member.user.username)} aria-expanded=${opened === member.user.id ? "true" : "false"}
              onClick=${() => setOpened(opened === member.user.id ? null : member.user.id)}>⋯</button>`}
          </div>
          ${opened === member.user.id && isBelow(member) && html`<${Actions} fan=${fan} league=${league} member=${member} shutOut=${setShutOut} close=${() => setOpened(null)} />`}
        </li>`,
      )}
    </ul>
    ${value?.hasMore && html`<div class="body"><button class="quiet flush" onClick=${() => setPages(pages + 1)}>${l.more}</button></div>`}
  </section>`;
}

/** Changing, leaving and closing. @param {{ fan: Fan, id: number, go: import("./panel.js").Go }} props */
export function LeagueRunning({ fan, id, go }) {
  const { t, l, say } = useLeagueTexts();
  const [opened, setOpened] = useState(/** @type {"change" | "leave" | "close" | null} */ (null));
  const league = fan.state.leagues.get(id);
  if (!league?.role) return null;
  const { role, closed_at: closedAt, member_count: count } = league;
  const close = () => setOpened(null);
  const change = async (/** @type {import("./league-form.js").LeagueBody} */ body) => {
    keepLeague(fan, (await fan.call("change_league", { league: id, ...body })).data);
    leaguesChanged(fan);
    close();
  };
  const leave = async () => {
    await fan.call("leave_league", { league: id });
    // First away from here: whoever has left may not see the league any more.
    go("table");
    const leagues = new Map(fan.state.leagues);
    leagues.delete(id);
    fan.change({ leagues });
    leaguesChanged(fan);
  };
  const end = async () => {
    await fan.call("close_league", { league: id });
    leaguesChanged(fan);
    close();
  };
  const isOwner = role === "owner" && !closedAt;
  const staysFor = isOwner && count > 1;
  return html`<section role="group" class="card" aria-label=${l.running}>
    <header><h2>${l.running}</h2><small class="muted">${l.roles[role]}</small></header>
    ${opened === "change" && html`<${LeagueForm} fan=${fan} league=${league} yes=${t.save} send=${change} cancel=${close} />`}
    ${opened !== "change" && html`<div class="body stack">
      ${!opened &&
      html`<div class="row wrap">
        ${isOwner && html`<button onClick=${() => setOpened("change")}>${l.change}</button>`}
        ${!staysFor && html`<button onClick=${() => setOpened("leave")}>${l.leave}</button>`}
        ${isOwner && html`<button onClick=${() => setOpened("close")}>${l.closeIt}</button>`}
      </div>`}
      ${!opened && staysFor && html`<p class="small muted">${l.ownerStays}</p>`}
      ${opened === "leave" && html`<${Ask} label=${l.leave} what=${isOwner ? l.leaveLast : l.leaveWhat} yes=${l.leaveYes} act=${leave} close=${close} />`}
      ${opened === "close" && html`<${Ask} label=${l.closeIt} what=${l.closeWhat(count, say.number(count))} yes=${l.closeYes} act=${end} close=${close} />`}
    </div>`}
  </section>`;
}
