// What operators told users' devices: to whom, when, and how many that are so far.
import { html, useEffect } from "../vendor/htm-preact-standalone.module.js";
import { addressOf, useDesk, useLive, useOnce } from "./desk.js";
import { List, Pager, Read, When } from "./parts.js";
import { useTexts } from "./texts.js";

/** @import { Schemas } from "./api.d.ts" */
/** @typedef {Schemas["BroadcastView"]} Message */

/** How soon is looked again while recipients are looked for. */
const SOON_MS = 1_000;
/** Who is not among so many pages of a hundred is called by number. */
const MOST_PAGES = 5;

/** @param {{ address: import("./desk.js").Address }} props */
export function Messages({ address }) {
  const desk = useDesk();
  const { t } = useTexts();
  const p = t.push;
  const page = Number(address.query.get("page") ?? 1);
  const to = (/** @type {number | null} */ page) => addressOf("notifications", "messages", { page });
  const reading = useLive((desk, signal) => desk.call("list_push_messages", { page }, { signal }), [page]);
  const isUnderWay = Boolean(reading.value?.data.some((message) => !message.planned_at));
  useEffect(() => {
    const timer = isUnderWay ? setTimeout(reading.again, SOON_MS) : 0;
    return () => clearTimeout(timer);
  }, [isUnderWay, reading.value]);
  const empty = (/** @type {number} */ total) => (total ? html`<a class="link" href=${to(null)}>${t.showAll}</a>` : html`${p.noMessages} ${desk.may("operator") && html`<a class="link" href=${addressOf("notifications", "new")}>${p.tabs.new}</a>`}`);
  return html`<${Read} reading=${reading} draw=${(/** @type {{ data: Message[], meta: Schemas["PageMeta"] }} */ { data, meta }) => html`
    <${Table} messages=${data} empty=${empty(meta.total)} />
    ${meta.total > 0 && html`<${Pager} meta=${meta} to=${to} />`}`} />`;
}

/** The names of teams or leagues by their ids, read page by page until all that are wanted are known. @param {"list_teams_to_choose" | "find_leagues"} call @param {(number | null)[]} ids */
function useNames(call, ids) {
  const wanted = [...new Set(ids.filter((id) => id !== null))].sort((one, other) => one - other);
  const reading = useOnce(async (desk, signal) => {
    const names = /** @type {Map<number, string>} */ (new Map());
    for (let page = 1, last = MOST_PAGES; page <= last && wanted.some((id) => !names.has(id)); page += 1) {
      const { data, meta } = await desk.call(call, { page, per_page: 100, ...(call === "find_leagues" && { open: false }) }, { signal });
      for (const { id, name } of data) names.set(id, name);
      last = Math.min(last, meta.last_page);
    }
    return names;
  }, [wanted.join()]);
  return reading.value ?? new Map();
}

/** @param {{ messages: Message[], empty: any }} props */
function Table({ messages, empty }) {
  const { t, say } = useTexts();
  const p = t.push;
  const teams = useNames("list_teams_to_choose", messages.map((message) => message.team_id));
  const leagues = useNames("find_leagues", messages.map((message) => message.league_id));
  const audienceOf = (/** @type {Message} */ { team_id: team, league_id: league }) => {
    if (team !== null) return p.followersOf(teams.get(team) ?? p.teamNumber(team));
    return league !== null ? p.membersOf(leagues.get(league) ?? p.leagueNumber(league)) : p.everybody;
  };
  const columns = [
    { head: p.message, kind: "wide", cell: (/** @type {Message} */ message) => html`<b class="said">${message.title}</b><br /><span class="muted said">${message.body}</span>` },
    { head: p.to, cell: (/** @type {Message} */ message) => html`<div class="said whom">${audienceOf(message)}</div>` },
    { head: t.when, cell: (/** @type {Message} */ message) => html`<${When} at=${message.created_at} />` },
    { head: p.recipients, kind: "num", cell: (/** @type {Message} */ message) => say.number(message.recipients) },
    { head: t.state, cell: (/** @type {Message} */ message) => (message.planned_at ? html`<span class="mark good">${p.allFound}</span>` : html`<span class="live">${p.lookingFor}</span>`) },
  ];
  return html`<${List} label=${p.tabs.messages} rows=${messages} columns=${columns} empty=${empty} />`;
}
