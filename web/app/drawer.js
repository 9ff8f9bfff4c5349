// The drawer "what just happened": every call that the page made, ready to copy as curl and as JavaScript.
import { html, useEffect, useRef, useState } from "../vendor/htm-preact-standalone.module.js";
import { useChanges } from "../shared/components.js";
import { asCurl, asJavaScript } from "./calls.js";
import { useTexts } from "./texts.js";

/** @param {{ call: import("./calls.js").Call }} props */
function State({ call }) {
  const { t } = useTexts();
  const [word, kind] = call.method === "stream" ? [t.news, "good"] : call.status === null ? ["…", "muted"] : call.status === 0 ? [t.noAnswer, "bad"] : [String(call.status), call.status < 400 ? "good" : "bad"];
  return html`<span class="state ${kind}">${word}</span>`;
}

/** @param {{ call: import("./calls.js").Call }} props */
function Line({ call }) {
  const took = call.method !== "stream" && call.status !== null ? ` · ${call.ms < 10 ? call.ms.toFixed(1) : Math.round(call.ms)} ms` : "";
  return html`<${State} call=${call} /> ${call.method !== "stream" && html`<b>${call.method}</b> `}${decodeURIComponent(call.path)}${call.news ? ` ${call.news}` : ""}<span class="muted">${took}${call.times > 1 ? ` · ×${call.times}` : ""}</span>`;
}

/** @param {{ text: string, label: string }} props */
function Code({ text, label }) {
  const { t } = useTexts();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [isCopied]);
  // Only over https and on one's own machine; elsewhere the text can be marked by hand.
  const copy = () => navigator.clipboard?.writeText(text).then(() => setCopied(true), () => {});
  return html`<div class="code-block">
    <div class="row between"><h3>${label}</h3><button class="quiet" onClick=${copy}>${isCopied ? t.copied : t.copy}</button></div>
    <pre tabindex="0" aria-label=${label}>${text}</pre>
  </div>`;
}

/** @param {{ calls: import("./calls.js").Calls, close: () => void }} props */
function Opened({ calls, close }) {
  const { t } = useTexts();
  const [chosen, setChosen] = useState(/** @type {number | null} */ (null));
  const call = calls.list.find((one) => one.key === chosen) ?? calls.list[0];
  const sheet = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    sheet.current?.focus();
    const onKey = (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && close();
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return html`<section class="drawer" aria-label=${t.whatHappened} tabindex="-1" ref=${sheet}>
    <header class="row between"><h2>${t.whatHappened}</h2><button class="quiet" onClick=${close}>${t.close}</button></header>
    <div class="drawer-parts">
      <ol class="calls mono">
        ${calls.list.map(
          (one) => html`<li key=${one.key}><button aria-pressed=${one === call ? "true" : "false"} onClick=${() => setChosen(one.key)}><span class="who cut">${one.who}</span><span class="cut grow"><${Line} call=${one} /></span></button></li>`,
        )}
      </ol>
      ${call &&
      html`<div class="codes">
        <${Code} text=${asCurl(call)} label="curl" />
        <${Code} text=${asJavaScript(call)} label="JavaScript" />
        ${call.requestId && html`<p class="small muted">${t.requestId} <span class="mono">${call.requestId}</span></p>`}
        <p class="small muted">${t.whereDocs} <a class="link" href="/docs/${call.operation ? `#${call.operation.id}` : ""}">/docs</a></p>
      </div>`}
    </div>
  </section>`;
}

/** The bar at the foot of the page, and the drawer above it. @param {{ calls: import("./calls.js").Calls, children: any }} props */
export function Drawer({ calls, children }) {
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  useChanges(calls);
  const last = calls.list.find((call) => call.times === 1) ?? calls.list[0];
  return html`${isOpen && html`<${Opened} calls=${calls} close=${() => setOpen(false)} />`}
    <footer class="foot">
      <button class="quiet happened" aria-expanded=${isOpen ? "true" : "false"} onClick=${() => setOpen(!isOpen)}><b class="mono" aria-hidden="true">${"</>"}</b> <span class="long">${t.whatHappened}</span><span class="short">${t.calls}</span></button>
      <span class="last mono cut grow" aria-hidden="true">${last && html`<${Line} call=${last} />`}</span>
      ${children}
    </footer>`;
}
