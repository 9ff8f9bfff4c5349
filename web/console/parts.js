// What several views are made of: lists with pages, forms that ask, differences, tabs, and files to take away.
import { html, useEffect, useRef, useState } from "../vendor/htm-preact-standalone.module.js";
import { Failure as AnyFailure, Loading as AnyLoading } from "../shared/components.js";
import { useAction } from "./desk.js";
import { useTexts } from "./texts.js";

/** @param {{ error: any, again?: (() => void) | null }} props */
export function Failure({ error, again }) {
  const { t } = useTexts();
  return html`<${AnyFailure} error=${error} again=${again} words=${t} />`;
}

/** @param {{ lines?: number }} props */
export function Loading({ lines = 4 }) {
  const { t } = useTexts();
  return html`<${AnyLoading} lines=${lines} label=${t.loading} />`;
}

/**
 * What was read, or where it stands: loading, failed (with the last known below), empty.
 * @param {{ reading: { value?: any, error?: any, again: () => void }, draw: (value: any) => any, lines?: number }} props
 */
export function Read({ reading, draw, lines }) {
  const { value, error, again } = reading;
  return html`${error && html`<${Failure} error=${error} again=${again} />`}
    ${value !== undefined ? draw(value) : !error && html`<${Loading} lines=${lines} />`}`;
}

/** @param {{ title: any, note?: any, children?: any }} props */
export function Heading({ title, note, children }) {
  const { t } = useTexts();
  useEffect(() => {
    document.title = `${typeof title === "string" ? title : t.console} · Touchline`;
  }, [title]);
  return html`<header class="heading"><h1 tabindex="-1">${title} ${note && html`<small>${note}</small>`}</h1><div class="row wrap">${children}</div></header>`;
}

/** @param {{ at: string, tabs: { name: string, label: any, address: string, count?: number }[], label: string }} props */
export function Tabs({ at, tabs, label }) {
  return html`<nav class="tabs" aria-label=${label}>
    ${tabs.map(({ name, label, address, count }) => html`<a href=${address} aria-current=${name === at ? "page" : null}>${label}${count ? html` <em>${count}</em>` : ""}</a>`)}
  </nav>`;
}

/**
 * Rows under heads, in columns on a wide page and as small cards on a phone; what is compact stays in columns.
 * @param {{ columns: { head: any, cell: (row: any) => any, kind?: string }[], rows: any[], label: string, empty: any, isCompact?: boolean, keyOf?: (row: any) => any, rowClass?: (row: any) => string }} props
 */
export function List({ columns, rows, label, empty, isCompact = false, keyOf = (row) => row.id, rowClass = () => "" }) {
  if (rows.length === 0) return html`<div class="empty">${empty}</div>`;
  const title = (/** @type {any} */ head) => (typeof head === "string" ? head.charAt(0).toUpperCase() + head.slice(1) : head);
  return html`<div class="scroll"><table class="table list ${isCompact ? "compact" : ""}" aria-label=${label}>
    <thead><tr>${columns.map(({ head, kind }) => html`<th class=${kind ?? ""} scope="col">${title(head)}</th>`)}</tr></thead>
    <tbody>
      ${rows.map(
        (row) => html`<tr key=${keyOf(row)} class=${rowClass(row)}>
          ${columns.map(({ head, cell, kind }) => html`<td class=${kind ?? ""} data-head=${typeof head === "string" ? title(head) : ""}><div>${cell(row)}</div></td>`)}
        </tr>`,
      )}
    </tbody>
  </table></div>`;
}

/** @param {{ meta: { current_page: number, last_page: number, total: number }, to: (page: number) => string, words?: string[] }} props */
export function Pager({ meta, to, words }) {
  const { t, say } = useTexts();
  const [earlier, next] = words ?? [t.earlierPage, t.nextPage];
  const { current_page: page, last_page: last, total } = meta;
  if (last <= 1) return html`<p class="pager muted small">${t.inAll(say.number(total), total)}</p>`;
  return html`<nav class="pager row" aria-label=${t.pages}>
    <span class="muted small grow">${t.pageOf(say.number(page), say.number(last), say.number(total))}</span>
    <a class="button" href=${page > 1 ? to(page - 1) : null} aria-disabled=${page <= 1 ? "true" : null} role="link">${earlier}</a>
    <a class="button" href=${page < last ? to(page + 1) : null} aria-disabled=${page >= last ? "true" : null} role="link">${next}</a>
  </nav>`;
}

/** @param {{ label: any, wrong?: string[], hint?: any, children: any }} props */
export function Field({ label, wrong, hint, children }) {
  return html`<label class="field"><span>${label}</span>${children}${hint && html`<small class="muted">${hint}</small>`}${wrong?.length ? html`<small class="wrong">${wrong.join(" ")}</small>` : ""}</label>`;
}

/**
 * A question above the view: what a press will do, what it needs, and the press. It stays as it is while somebody signs in again.
 * @param {{ title: string, what: any, action: string, kind?: string, run: (desk: any) => Promise<any>, then?: (result: any) => void, close: () => void, isReady?: boolean, children?: any }} props
 */
export function Ask({ title, what, action, kind = "primary", run, then, close, isReady = true, children }) {
  const { t } = useTexts();
  const dialog = useRef(/** @type {any} */ (null));
  const act = useAction(run, (result) => {
    close();
    then?.(result);
  });
  useEffect(() => {
    const [before, shown] = [document.activeElement, dialog.current];
    shown.showModal();
    return () => {
      // As long as it is open, nothing outside of it takes the focus.
      shown.close();
      /** @type {any} */ (before)?.focus?.();
    };
  }, []);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (isReady) act.press();
  };
  return html`<dialog ref=${dialog} class="ask" aria-label=${title} onCancel=${(/** @type {Event} */ event) => (event.preventDefault(), close())}>
    <form class="stack" onSubmit=${submit}>
      <h2>${title}</h2>
      <div class="what">${what}</div>
      ${children}
      ${act.error && html`<${Failure} error=${act.error} />`}
      <div class="row wrap end"><button type="button" class="quiet" onClick=${close}>${t.cancel}</button><button class=${kind} disabled=${!isReady || act.isBusy}>${act.isBusy ? t.working : action}</button></div>
    </form>
  </dialog>`;
}

/** A button that opens a question. @param {{ label: any, kind?: string, ask: (close: () => void) => any }} props */
export function Opens({ label, kind = "", ask }) {
  const [isOpen, setOpen] = useState(false);
  return html`<button class=${kind} aria-haspopup="dialog" onClick=${() => setOpen(true)}>${label}</button>${isOpen && ask(() => setOpen(false))}`;
}

/** A button that does something at once, with what went wrong below it. @param {{ label: any, kind?: string, run: (desk: any) => Promise<any>, then?: (result: any) => void, isReady?: boolean }} props */
export function Press({ label, kind = "", run, then, isReady = true }) {
  const { t } = useTexts();
  const act = useAction(run, then);
  return html`<button class=${kind} disabled=${act.isBusy || !isReady} onClick=${act.press}>${act.isBusy ? t.working : label}</button>${act.error && html`<${Failure} error=${act.error} again=${act.press} />`}`;
}

/** A moment in the reader's zone, with how long ago on hover. @param {{ at: string | null | undefined, none?: any }} props */
export function When({ at, none = "–" }) {
  const { say } = useTexts();
  if (!at) return html`<span class="muted">${none}</span>`;
  return html`<time datetime=${at} title=${say.relative(Date.parse(at) - Date.now())}>${say.moment(at)}</time>`;
}

/** @param {{ facts: [any, any][] }} props */
export function Facts({ facts }) {
  return html`<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** @param {string} name @param {unknown} content */
export function saveFile(name, content) {
  const text = typeof content === "string" ? content : JSON.stringify(content, null, 2);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/octet-stream" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** What stands in a field of the log, in one line, moments in the reader's zone. @param {unknown} value @param {{ moment: (iso: string) => string }} say */
export function plain(value, say) {
  if (value === null || value === undefined) return "–";
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return say.moment(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
