// Run by a test in a process of its own: the client where there is little more than fetch, as on React Native.
for (const name of ["crypto", "URL", "URLSearchParams", "EventSource", "WebSocket", "navigator", "structuredClone"]) {
  Object.defineProperty(globalThis, name, { value: undefined, configurable: true });
}
delete AbortSignal.any;
delete AbortSignal.timeout;
const { Touchline } = await import("../touchline.js");
const sent = [];
const fetch = async (url, init) => {
  sent.push([init.method, url, init.headers["idempotency-key"]?.length > 10]);
  return { ok: true, status: 200, headers: { get: () => "application/json" }, json: async () => ({ data: [] }) };
};
const touchline = new Touchline({ baseUrl: "https://app.example.org/", fetch });
await touchline.call("deduct_coins", { amount: 1, reason: "wager" });
await touchline.call("list_teams", { search: "é&=" });
console.log(JSON.stringify(sent));
