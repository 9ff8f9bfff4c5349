// Keeps the page itself for when there is no network. It never touches an answer of the API: an old score is never shown as a new one.
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
