// What those who are in need before they are shown anything: the parts, their words and style, and what waits for an answer. Fetched together, so that nothing comes in between later.
import { loadStyle } from "./lazy.js";
import { readOpenQuestions } from "./questions-open.js";
import { insideTextsIn } from "./texts-inside.js";

/** @typedef {{ parts: typeof import("./inside.js"), spoken: any }} Inside */

/** @param {import("./fan.js").Fan} fan @param {any} spoken the page's language, with its first texts @returns {Promise<Inside>} */
export async function enter(fan, spoken) {
  const [parts, words] = await Promise.all([import("./inside.js"), insideTextsIn(spoken.language), loadStyle("/app/inside.css"), readOpenQuestions(fan)]);
  // Not waited for: nothing of it is shown.
  if (window.Notification?.permission === "granted") import("./push.js").then(({ keepSubscribed }) => keepSubscribed(fan)).catch(() => {});
  return { parts, spoken: { ...spoken, t: { ...spoken.t, ...words } } };
}
