// The views of the console: a line for each, and a file that is loaded when it is opened.

/**
 * `least` is the role that a view needs; `needs` names the count beside it in the menu.
 * @typedef {{ name: "front" | "matches" | "users" | "leagues" | "questions" | "reports" | "notifications" | "money" | "machinery" | "audit" | "operators", path: string, least: string, load: () => Promise<{ View: any }> }} Place
 */

/** @type {Place[]} */
export const PLACES = [
  { name: "front", path: "", least: "viewer", load: () => import("./front.js") },
  { name: "matches", path: "matches", least: "viewer", load: () => import("./matches.js") },
  { name: "users", path: "users", least: "viewer", load: () => import("./users.js") },
  { name: "leagues", path: "leagues", least: "viewer", load: () => import("./leagues.js") },
  { name: "questions", path: "questions", least: "viewer", load: () => import("./questions.js") },
  { name: "reports", path: "reports", least: "moderator", load: () => import("./reports.js") },
  { name: "notifications", path: "notifications", least: "viewer", load: () => import("./push.js") },
  { name: "money", path: "money", least: "viewer", load: () => import("./money.js") },
  { name: "machinery", path: "machinery", least: "viewer", load: () => import("./machinery.js") },
  { name: "audit", path: "audit", least: "viewer", load: () => import("./audit.js") },
  { name: "operators", path: "operators", least: "owner", load: () => import("./operator-list.js") },
];

/** @param {string} path */
export function placeAt(path) {
  return PLACES.find((place) => place.path === path) ?? null;
}
