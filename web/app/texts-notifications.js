// The words of the notifications, apart from the page's others: loaded with them.
import { useContext } from "../vendor/htm-preact-standalone.module.js";
import { Language } from "../shared/language.js";

/** @typedef {typeof import("./texts-notifications-en.js").en} NotificationTexts */

/** @param {string} language @returns {Promise<NotificationTexts>} */
export async function notificationTextsIn(language) {
  return language === "de" ? (await import("./texts-notifications-de.js")).de : (await import("./texts-notifications-en.js")).en;
}

/** The page's texts as `t`, those of notifications as `n`, and `say` for times and numbers. */
export function useNotificationTexts() {
  return /** @type {{ t: import("./texts-inside.js").Texts, n: NotificationTexts, say: ReturnType<typeof import("../shared/language.js").formats> }} */ (useContext(Language));
}
