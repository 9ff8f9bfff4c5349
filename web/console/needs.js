// What needs a person, for the menu and the front page.
import { useLive } from "./desk.js";

/** @import { Schemas } from "./api.d.ts" */
/** @typedef {{ place: string, address: string, kind: string, count: number }} Need */
/** @typedef {{ overview: Schemas["OverviewView"] | undefined, reading: { error?: any, again: () => void }, list: Need[], count: number, byPlace: Record<string, number> }} Needs */

/** @returns {Needs} */
export function useNeeds() {
  const reading = useLive(async (desk, signal) => {
    const [overview, feeds, matches] = await Promise.all([
      desk.call("show_overview", {}, { signal }),
      desk.call("list_feeds", {}, { signal }),
      desk.call("list_matches_in_need", {}, { signal }),
    ]);
    return { overview: overview.data, feeds: feeds.data, matches: matches.data };
  }, []);
  const { overview, feeds = [], matches = [] } = reading.value ?? {};
  const list = overview ? needsOf(overview, feeds, matches) : [];
  /** @type {Record<string, number>} */
  const byPlace = {};
  for (const { place, count } of list) byPlace[place] = (byPlace[place] ?? 0) + count;
  return { overview, reading, list, byPlace, count: list.reduce((sum, need) => sum + need.count, 0) };
}

/** @param {Schemas["OverviewView"]} overview @param {Schemas["FeedView"][]} feeds @param {Schemas["DeskMatchView"][]} matches @returns {Need[]} */
function needsOf(overview, feeds, matches) {
  // What is held for a match that is known is counted with that match.
  const held = feeds.reduce((sum, feed) => sum + feed.held.filter((one) => one.event_id === null).length, 0);
  const silent = feeds.filter((feed) => feed.last_error).length;
  const all = [
    { place: "matches", address: "#/matches?status=need", kind: "matchesInNeed", count: matches.length },
    { place: "reports", address: "#/reports", kind: "openReports", count: overview.chat.open_reports },
    { place: "money", address: "#/money", kind: "frozenAccounts", count: overview.coins.frozen_accounts },
    { place: "machinery", address: "#/machinery/jobs?state=failing", kind: "failingJobs", count: overview.jobs.failing },
    { place: "machinery", address: "#/machinery/feeds", kind: "heldMatches", count: held },
    { place: "machinery", address: "#/machinery/feeds", kind: "failingFeeds", count: silent },
    { place: "machinery", address: "#/machinery/sms", kind: "failedCodes", count: overview.sms_last_hour.failed },
  ];
  return all.filter(({ count }) => count > 0);
}
