// Entries of the audit log, with what each changed as a difference that can be read.
import { html, useState } from "../vendor/htm-preact-standalone.module.js";
import { addressOf, useLive } from "./desk.js";
import { List, Pager, Read, When, plain } from "./parts.js";
import { useTexts } from "./texts.js";

/** @import { Schemas } from "./api.d.ts" */
/** @typedef {Schemas["AuditView"]} Entry */

/** The fields that are another after than before. @param {Entry} entry */
function differencesOf({ before, after }) {
  const [was, is] = /** @type {Record<string, unknown>[]} */ ([before ?? {}, after ?? {}]);
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return names.filter((name) => JSON.stringify(was[name] ?? null) !== JSON.stringify(is[name] ?? null)).map((name) => ({ name, was: was[name], is: is[name] }));
}

/** @param {{ filter: Record<string, any>, page: number, to: (page: number) => string }} props */
export function Changes({ filter, page, to }) {
  const { t } = useTexts();
  const key = JSON.stringify(filter);
  const reading = useLive((desk, signal) => desk.call("list_audit_log", { ...filter, page }, { signal }), [key, page]);
  return html`<${Read} reading=${reading} lines=${8} draw=${(/** @type {{ data: Entry[], meta: any }} */ { data, meta }) => html`
    <${List} label=${t.places.audit} rows=${data} empty=${t.noEntries} columns=${[
      { head: t.when, cell: (/** @type {Entry} */ entry) => html`<${When} at=${entry.created_at} />` },
      { head: t.who, cell: (/** @type {Entry} */ entry) => html`<a class="link quiet" href=${addressOf("audit", null, { operator: entry.operator })}>${entry.operator}</a> ${entry.operator_role && html`<small class="muted">${entry.operator_role}</small>`}` },
      { head: t.did, cell: (/** @type {Entry} */ entry) => html`<code>${entry.action}</code>` },
      { head: t.toWhat, cell: (/** @type {Entry} */ entry) => html`<${Subject} of=${entry.subject} />` },
      { head: t.whatChanged, kind: "wide", cell: (/** @type {Entry} */ entry) => html`<${Difference} entry=${entry} />` },
    ]} />
    <${Pager} meta=${meta} to=${to} />`} />`;
}

/** @param {{ of: string }} props */
function Subject({ of }) {
  const [kind, id] = of.split(" ");
  return kind === "user" && id ? html`<a class="link quiet" href=${addressOf("users", id)}>${of}</a>` : html`<a class="link quiet" href=${addressOf("audit", null, { subject: of })}>${of}</a>`;
}

/** @param {{ entry: Entry }} props */
function Difference({ entry }) {
  const { t, say } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const all = differencesOf(entry);
  const detail = Object.entries(entry.detail ?? {}).filter(([, value]) => value !== null);
  if (all.length + detail.length === 0) return html`<span class="muted">${t.nothingChanged}</span>`;
  const shown = isOpen ? all : all.slice(0, 6);
  return html`<dl class="difference">
      ${shown.map(({ name, was, is }) => html`<div><dt>${name}</dt><dd>${entry.before && html`<del>${plain(was, say)}</del> `}${entry.after ? html`<ins>${plain(is, say)}</ins>` : html`<span class="muted">${t.gone}</span>`}</dd></div>`)}
      ${(isOpen || all.length === 0) && detail.slice(0, isOpen ? 99 : 3).map(([name, value]) => html`<div class="muted"><dt>${name}</dt><dd>${plain(value, say)}</dd></div>`)}
    </dl>
    ${(all.length > 6 || (all.length > 0 && detail.length > 0) || detail.length > 3) && html`<button class="quiet tiny" aria-expanded=${isOpen ? "true" : "false"} onClick=${() => setOpen(!isOpen)}>${isOpen ? t.less : t.more}</button>`}`;
}
