// What those who are in see: the columns of each view, what is first, what is in the middle, what stands beside it.
import { html } from "../vendor/htm-preact-standalone.module.js";
import { Room } from "./chat.js";
import { Coins } from "./coins.js";
import { LeaguePart } from "./league-part.js";
import { MatchCard, UnlistedMatch } from "./match.js";
import { MatchList, firstMatch } from "./matches.js";
import { Leaving, Profile, Sessions } from "./me.js";
import { NotificationPart } from "./notification-part.js";
import { Everybody, OwnPick } from "./pick.js";
import { QuestionPart } from "./question-part.js";
import { QuestionsLine } from "./questions-open.js";
import { NotificationsLine } from "./reminder.js";
import { BesideRoom, RoomList, RoomPage } from "./rooms.js";
import { OwnPicks, Places, Statistics, Table } from "./table.js";
import { Teams } from "./teams.js";

export { ClaimButton } from "./coins.js";

/** @typedef {{ fan: import("./fan.js").Fan, view: import("./panel.js").View, go: import("./panel.js").Go, size: string, t: import("./texts-inside.js").Texts }} Place */

/** @param {Place} place */
export function columnsInside(place) {
  const { view } = place;
  if (view.name === "rooms" || view.name === "room") return rooms(place);
  if (view.name === "tips") return questions(place);
  if (view.name === "table") return table(place);
  if (view.name.startsWith("league")) return leagues(place);
  if (view.name === "me") return account(place);
  if (view.name === "notifications") return notifications(place);
  return matches(place);
}

/** @param {Place} place */
function matches({ fan, view, go, size, t }) {
  const { matches: all, top, session, isLoaded } = fan.state;
  const wanted = view.name === "match" ? Number(view.id) : null;
  const shown = wanted !== null ? (all.get(wanted) ?? null) : size === "narrow" ? null : firstMatch(all);
  const list = html`<${MatchList} fan=${fan} openId=${shown?.id ?? null} open=${(/** @type {number} */ id) => go("match", id)} />`;
  const room =
    shown &&
    html`<${Room} key=${shown.id} fan=${fan} room=${shown.chat_room_id} match=${shown} title=${t.matchRoom}
      note=${html`<small class="muted cut">${shown.home_team.name} – ${shown.away_team.name}</small>`} />`;
  const card = shown
    ? html`<${MatchCard} match=${shown} picks=${html`<${Everybody} fan=${fan} match=${shown} /><${OwnPick} fan=${fan} match=${shown} go=${go} />`} />`
    : wanted !== null && isLoaded && html`<${UnlistedMatch} fan=${fan} id=${wanted} />`;
  const best = top.length > 0 && html`<section role="group" class="card" aria-label=${t.table}><header><h2>${t.table}</h2></header><${Places} rows=${top} own=${session?.user.id} isShort /></section>`;
  const waiting = html`<${QuestionsLine} fan=${fan} go=${go} />`;
  if (size === "narrow") return wanted !== null ? [[card, room]] : [[waiting, list]];
  return size === "medium" ? [[waiting, list], [card, room]] : [[waiting, list], [card, best], [room]];
}

/** The questions, and one of them: where there is space, the first if none was chosen. @param {Place} place */
function questions({ fan, view, go, size }) {
  const shown = view.id ? Number(view.id) : size === "narrow" ? null : fan.state.firstQuestion;
  const list = html`<${QuestionPart} part="Questions" fan=${fan} go=${go} openId=${shown} />`;
  const one = (/** @type {"Question" | "Others"} */ part) => shown !== null && html`<${QuestionPart} key="${part} ${shown}" part=${part} fan=${fan} go=${go} id=${shown} />`;
  if (size === "narrow") return shown === null ? [[list]] : [[one("Question"), one("Others")]];
  return size === "medium" ? [[list], [one("Question"), one("Others")]] : [[list], [one("Question")], [one("Others")]];
}

/** @param {Place} place */
function rooms({ fan, view, go, size }) {
  // Where there is space, a room is open: the first of one's own, if none was chosen.
  const shown = view.id ?? (size === "narrow" ? null : ([...fan.state.joined][0] ?? null));
  const open = (/** @type {string | null} */ id) => (id === null ? go("rooms") : go("room", id));
  const list = html`<${RoomList} fan=${fan} openId=${shown} open=${open} />`;
  const page = html`<${RoomPage} fan=${fan} room=${shown} open=${open} />`;
  const beside = html`<${BesideRoom} fan=${fan} room=${shown} open=${open} />`;
  if (size === "narrow") return view.id ? [[page, beside]] : [[list, beside]];
  return size === "medium" ? [[list], [shown && page, beside]] : [[list], [page], [beside]];
}

/** @param {Place} place */
function table({ fan, view, go, size }) {
  const [board, figures] = [html`<${Table} fan=${fan} />`, html`<${Statistics} fan=${fan} />`];
  const own = html`<${LeaguePart} part="Leagues" fan=${fan} go=${go} view=${view.name} />`;
  const picks = html`<${OwnPicks} fan=${fan} open=${(/** @type {number} */ id) => go("match", id)} />`;
  if (size === "narrow") return [[own, board, figures, picks]];
  return size === "medium" ? [[own, figures], [board, picks]] : [[own, figures], [board], [picks]];
}

/** @param {Place} place */
function leagues({ fan, view, go, size }) {
  const part = (/** @type {string} */ name, /** @type {object} */ props = {}) => html`<${LeaguePart} key=${name} part=${name} fan=${fan} go=${go} ...${props} />`;
  if (view.name === "league") return league(part, view, size);
  const list = part("Leagues", { view: view.name });
  const [making, finding] = [part("NewLeague"), part("PublicLeagues")];
  if (view.name === "league-join") {
    const question = part("Invitation", { code: view.id ?? "", key: view.id });
    return size === "narrow" ? [[question, list]] : [[list], [question]];
  }
  if (size === "wide") return [[list], [making], [finding]];
  const shown = view.name === "league-new" ? making : finding;
  return size === "narrow" ? [[shown]] : [[list], [shown]];
}

/** One league, and one week of it if the address has it: `league/8:2026-11-09`. @param {(name: string, props?: object) => any} part @param {import("./panel.js").View} view @param {string} size */
function league(part, view, size) {
  const [id, week = null] = (view.id ?? "").split(":");
  const of = (/** @type {string} */ name, /** @type {object} */ props = {}) => part(name, { id: Number(id), key: `${name} ${id}`, ...props });
  const table = of("LeagueTable", { week });
  const [chat, invite, members, running] = ["LeagueChat", "LeagueInvite", "LeagueMembers", "LeagueRunning"].map((name) => of(name));
  if (size === "narrow") return [[table, chat, invite, members, running]];
  if (size === "medium") return [[chat, invite, running, members], [table]];
  return [[part("Leagues", { view: view.name, openId: Number(id) }), invite, chat], [table], [running, members]];
}

/** @param {Place} place */
function account({ fan, go, size }) {
  const [profile, coins, teams] = [html`<${Profile} fan=${fan} />`, html`<${Coins} fan=${fan} />`, html`<${Teams} fan=${fan} />`];
  const [sessions, leaving] = [html`<${Sessions} fan=${fan} />`, html`<${Leaving} fan=${fan} />`];
  const told = html`<${NotificationsLine} go=${go} />`;
  if (size === "narrow") return [[profile, told, teams, coins, sessions, leaving]];
  return size === "medium" ? [[profile, told, sessions, leaving], [coins, teams]] : [[profile, told], [teams, sessions], [coins, leaving]];
}

/** @param {Place} place */
function notifications({ fan, size }) {
  const [here, others, kinds, times] = /** @type {const} */ (["ThisDevice", "OtherDevices", "Kinds", "Times"]).map((part) => html`<${NotificationPart} key=${part} part=${part} fan=${fan} />`);
  if (size === "narrow") return [[here, kinds, times, others]];
  return size === "medium" ? [[here, others], [kinds, times]] : [[here, others], [kinds], [times]];
}
