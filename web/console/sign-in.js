// Signing in with a token, or by the link on the terminal: a page of its own at first, a question over the work when a token ends.
import { html, useEffect, useRef, useState } from "../vendor/htm-preact-standalone.module.js";
import { useDesk } from "./desk.js";
import { Failure } from "./parts.js";
import { NAMES, useTexts } from "./texts.js";

/** @param {{ isOver: boolean, link: string | null, language: string, choose: (event: any) => void }} props */
export function SignIn({ isOver, link, language, choose }) {
  const desk = useDesk();
  const { t } = useTexts();
  const dialog = useRef(/** @type {any} */ (null));
  const [token, setToken] = useState("");
  const [state, setState] = useState(/** @type {{ isBusy: boolean, error?: any }} */ ({ isBusy: link !== null }));
  const come = async (/** @type {() => Promise<void>} */ by) => {
    setState({ isBusy: true });
    await by().catch((error) => setState({ isBusy: false, error }));
  };
  useEffect(() => {
    const before = document.activeElement;
    // Non-modal where there is nothing below it.
    if (isOver) dialog.current.showModal();
    if (link) come(() => desk.signInByLink(link));
    return () => /** @type {any} */ (before)?.focus?.();
  }, []);
  useEffect(() => {
    if (!isOver) document.title = `${t.signIn} · Touchline`;
  }, [t]);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (token.trim()) come(() => desk.signIn(token.trim()));
  };
  const { error } = state;
  const isWrong = error?.code === "unauthenticated";
  const form = html`<form class="stack" onSubmit=${submit}>
    <h1>${isOver ? t.signInAgain : t.signInTitle}</h1>
    <p class="muted">${isOver ? t.signInAgainHow : t.signInHow}</p>
    <label class="field"><span>${t.token}</span>
      <input name="token" type="password" autocomplete="off" spellcheck=${false} autofocus required value=${token} onInput=${(/** @type {any} */ event) => setToken(event.target.value)} aria-invalid=${isWrong ? "true" : null} /></label>
    ${error && html`<${Failure} error=${isWrong ? { ...error, message: t.wrongToken, requestId: error.requestId } : error} />`}
    <button class="primary" disabled=${state.isBusy || !token.trim()}>${state.isBusy ? t.working : t.signIn}</button>
    <details class="small"><summary>${t.whereToken}</summary><p class="muted">${t.whereTokenHow}</p><pre>touchline operator-token ana --role operator --expires 30d</pre></details>
  </form>`;
  if (isOver) return html`<dialog ref=${dialog} class="ask" aria-label=${t.signInAgain} onCancel=${(/** @type {Event} */ event) => event.preventDefault()}>${form}<p class="row end"><button class="quiet" type="button" onClick=${() => desk.signOut()}>${t.signOut}</button></p></dialog>`;
  return html`<main class="door"><div class="card"><div class="body"><b class="name">Touchline <span class="muted">${t.console}</span></b>${form}</div></div>
    <select aria-label=${t.language} value=${language} onChange=${choose}>${Object.entries(NAMES).map(([code, name]) => html`<option value=${code} selected=${code === language}>${name}</option>`)}</select></main>`;
}
