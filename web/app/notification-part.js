// A part of the notifications, which are loaded with their words when somebody looks at them.
import { lazyPart, loadStyle } from "./lazy.js";

/** @typedef {typeof import("./notification-devices.js") & typeof import("./notification-kinds.js") & typeof import("./notification-times.js")} Parts */

export const NotificationPart = lazyPart(async (language) => {
  const [{ notificationTextsIn }, ...modules] = await Promise.all([
    import("./texts-notifications.js"), import("./notification-devices.js"), import("./notification-kinds.js"), import("./notification-times.js"), loadStyle("/app/notifications.css"),
  ]);
  return { parts: /** @type {Parts} */ (Object.assign({}, ...modules)), words: { n: await notificationTextsIn(language) } };
});
