// The processes that are alive.
import { html } from "../vendor/htm-preact-standalone.module.js";
import { useLive } from "./desk.js";
import { List, Read, When } from "./parts.js";
import { useTexts } from "./texts.js";

/** @import { Schemas } from "./api.d.ts" */
/** @typedef {Schemas["NodeView"]} Node */

export function NodeList() {
  const { t, say } = useTexts();
  const reading = useLive((desk, signal) => desk.call("list_nodes", {}, { signal }), []);
  return html`<${Read} reading=${reading} draw=${(/** @type {{ data: Node[] }} */ { data }) => {
    const isMixed = new Set(data.map((node) => node.version)).size > 1;
    return html`${isMixed && html`<p class="verdict warn"><b>${t.mixedVersions}</b></p>`}<${List} label=${t.machines.nodes} rows=${data} empty=${t.noNodes} columns=${[
      { head: t.host, cell: (/** @type {Node} */ node) => html`<b>${node.host}</b> <small class="muted">${node.pid}</small>` }, { head: t.address, cell: (/** @type {Node} */ node) => node.listen }, { head: t.version, cell: (/** @type {Node} */ node) => node.version },
      { head: t.since, cell: (/** @type {Node} */ node) => html`<${When} at=${node.started_at} />` }, { head: t.lastSeen, cell: (/** @type {Node} */ node) => html`<${When} at=${node.seen_at} />` }, { head: t.writeLag, kind: "num", cell: (/** @type {Node} */ node) => `${say.number(node.lag_ms)} ms` },
      { head: t.clock, kind: "num", cell: (/** @type {Node} */ node) => (typeof node.clock_difference_ms === "number" ? `${say.signed(node.clock_difference_ms)} ms` : "–") },
    ]} />`;
  }} />`;
}
