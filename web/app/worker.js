// Keeps the page itself for when there is no network, and shows what the service sends. It never touches an answer of the API: an old score is never shown as a new one.
const KEPT = "touchline-fan-page";
const SHELL = ["/", "/app/", "/shared/", "/vendor/"];

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const isShell = pathname === "/" || SHELL.slice(1).some((folder) => pathname.startsWith(folder));
  if (request.method !== "GET" || origin !== location.origin || !isShell) return;
  event.respondWith(fromNetworkFirst(request));
});

/** A new version shows at once; what was kept is for when the network does not answer. */
async function fromNetworkFirst(request) {
  const kept = await caches.open(KEPT);
  try {
    const answer = await fetch(request);
    if (answer.ok) await kept.put(request, answer.clone());
    return answer;
  } catch (error) {
    const before = await kept.match(request);
    if (before) return before;
    throw error;
  }
}

const UNREADABLE = self.navigator.language.startsWith("de") ? "Es gibt etwas Neues." : "There is something new.";

self.addEventListener("push", (event) => event.waitUntil(show(event.data)));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(placeOf(event.notification.data ?? {})));
});
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(subscribeAgain(event)));

/** Something is shown whatever comes: a browser takes the permission from pages that show nothing, unless somebody looks at them. */
async function show(message) {
  const { title = "Touchline", body = UNREADABLE, tag, data } = read(message) ?? {};
  if (data?.kind === "chat" && (await isLookedAt())) return;
  return self.registration.showNotification(title, { body, tag, data, icon: "/app/icon-192.png" });
}

/** Whoever has the page before them sees what is said there. */
async function isLookedAt() {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  return pages.some((page) => page.visibilityState === "visible");
}

function read(message) {
  try {
    return message.json();
  } catch {
    return null;
  }
}

/** Where on the page a message leads. */
function placeOf({ event_ids: matches = [], room_id: room }) {
  if (room) return `room/${encodeURIComponent(room)}`;
  return matches.length === 1 ? `match/${matches[0]}` : "matches";
}

/** On a page that is open, or on a new one. */
async function open(place) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = windows.find(({ url }) => new URL(url).pathname === "/");
  if (!page) return self.clients.openWindow(`/#${place}`);
  page.postMessage({ go: place });
  return page.focus();
}

/** The service hears of the new address from the page, which knows who is in, when that starts next. */
async function subscribeAgain({ oldSubscription: before, newSubscription: now }) {
  if (before && !now) await self.registration.pushManager.subscribe(before.options);
}
