// Telling users' devices something: what, to whom, how a phone shows it, and a question before it goes.
import { html, useEffect, useMemo, useRef, useState } from "../vendor/htm-preact-standalone.module.js";
import { addressOf, go, useDesk, useLive } from "./desk.js";
import { typed } from "./inputs.js";
import { Ask, Field } from "./parts.js";
import { AudienceFields, EVERYBODY } from "./push-audience.js";
import { useTexts } from "./texts.js";
import { uniqueName } from "./touchline.js";

/** @import { Schemas } from "./api.d.ts" */
/** @typedef {import("./push-audience.js").Audience} Audience */

const LONGEST = { title: 60, body: 300 };
const MOST_DEVICES_OF_ONE = 20;

/** As the service counts them. @param {string} text */
const lengthOf = (text) => [...text.trim()].length;

/** A phone shows a message as one paragraph, and the service takes it as one. @param {string} text */
const inOneLine = (text) => text.replace(/\s*[\r\n]+\s*/g, " ");

export function NewMessage() {
  const desk = useDesk();
  const { t } = useTexts();
  const { me } = desk.state;
  return desk.may("operator") ? html`<${Form} />` : html`<p class="empty">${t.push.notForRole(t.roles[me?.role ?? "viewer"])}</p>`;
}

function Form() {
  const { t, say } = useTexts();
  const p = t.push;
  const [title, setTitle] = useState("");
  const [body, setBody] = useState("");
  const [audience, setAudience] = useState(EVERYBODY);
  const [wrong, setWrong] = useState(/** @type {Record<string, string[]>} */ ({}));
  const [isAsking, setAsking] = useState(false);
  // Nobody is told the same thing twice, however often it is sent from here.
  const idempotencyKey = useMemo(uniqueName, [title.trim(), body.trim(), audience]);
  const form = useRef(/** @type {any} */ (null));
  useEffect(() => {
    if (!isAsking) form.current.querySelector("[aria-invalid=true]")?.focus();
  }, [wrong]);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const said = Object.entries({ title, body }).flatMap(([name, text]) => (isTooLong(name, text) || !text.trim() ? [[name, [p.length(LONGEST[/** @type {"title"} */ (name)])]]] : []));
    if (audience.kind !== "everybody" && !audience.chosen) said.push(["audience", [p.chooseOne[audience.kind]]]);
    setWrong(Object.fromEntries(said));
    setAsking(said.length === 0);
  };
  const isTooLong = (/** @type {string} */ name, /** @type {string} */ text) => lengthOf(text) > LONGEST[/** @type {"title"} */ (name)];
  // What is wrong with a text is no longer said once it is another.
  const put = (/** @type {"title" | "body"} */ name, /** @type {(text: string) => void} */ set) => typed((text) => (set(inOneLine(text)), setWrong({ ...wrong, [name]: [] })));
  const saidOf = (/** @type {string} */ name) => wrong[name] ?? [];
  const hintOf = (/** @type {"title" | "body"} */ name, /** @type {string} */ text) => html`<span class=${isTooLong(name, text) ? "warn" : ""}>${p.lengthOf(say.number(lengthOf(text)), LONGEST[name])}</span>`;
  return html`<div class="telling"><form class="stack" ref=${form} onSubmit=${submit} novalidate>
      <${Field} label=${p.title} wrong=${saidOf("title")} hint=${hintOf("title", title)}><input name="title" autocomplete="off" placeholder=${p.titleExample} aria-invalid=${saidOf("title").length ? "true" : null} value=${title} onInput=${put("title", setTitle)} /><//>
      <${Field} label=${p.body} wrong=${saidOf("body")} hint=${hintOf("body", body)}><textarea name="body" rows="4" placeholder=${p.bodyExample} aria-invalid=${saidOf("body").length ? "true" : null} value=${body} onInput=${put("body", setBody)}></textarea><//>
      <${AudienceFields} audience=${audience} set=${(/** @type {Audience} */ next) => (setAudience(next), setWrong({ ...wrong, audience: [] }))} wrong=${saidOf("audience")} />
      <div class="row end"><button class="primary" aria-haspopup="dialog">${p.send}</button></div>
    </form>
    <figure class="stack"><figcaption class="small muted">${p.preview}</figcaption><${Notice} title=${title} body=${body} /><p class="small muted">${p.previewHow}</p></figure>
  </div>${isAsking && html`<${Confirm} title=${title.trim()} body=${body.trim()} audience=${audience} idempotencyKey=${idempotencyKey} close=${() => setAsking(false)} refuse=${setWrong} />`}`;
}

/** A message as the locked screen of a phone has it. @param {{ title: string, body: string }} props */
function Notice({ title, body }) {
  const { t } = useTexts();
  const p = t.push;
  return html`<div class="notice"><div class="row small muted"><i class="app" aria-hidden="true"></i><span class="grow">${p.yourApp}</span><span>${p.now}</span></div>
    <b class=${title.trim() ? "" : "muted"}>${title.trim() || p.titleExample}</b><p class=${body.trim() ? "" : "muted"}>${body.trim() || p.bodyExample}</p></div>`;
}

/** @param {{ title: string, body: string, audience: Audience, idempotencyKey: string, close: () => void, refuse: (wrong: Record<string, string[]>) => void }} props */
function Confirm({ title, body, audience, idempotencyKey, close, refuse }) {
  const { t, say } = useTexts();
  const p = t.push;
  const { kind, chosen } = audience;
  const reading = useLive((desk, signal) => desk.call("show_push", {}, { signal }), []);
  const run = async (/** @type {import("./desk.js").Desk} */ desk) => {
    try {
      const whose = { ...(kind === "team" && { team_id: chosen?.id }), ...(kind === "league" && { league_id: chosen?.id }) };
      return await desk.call("send_push_message", { title, body, ...whose }, { idempotencyKey });
    } catch (caught) {
      const error = /** @type {any} */ (caught);
      if (Object.keys(error.fields ?? {}).length === 0 || Object.keys(error.fields).some((name) => !(name in LONGEST))) throw error;
      refuse(error.fields);
      return null;
    }
  };
  const devices = reading.value?.data.devices.reduce((sum, one) => sum + (one.is_set_up ? one.devices : 0), 0);
  const most = devices === undefined ? undefined : kind === "league" ? Math.min(devices, (chosen?.members ?? 0) * MOST_DEVICES_OF_ONE) : devices;
  const name = chosen?.name ?? "";
  const whom = kind === "team" ? p.followersOf(name) : kind === "league" ? p.membersOf(name) : p.everybody;
  const reach = most === undefined ? (reading.error ? p.reachUnknown : t.loading) : p.reach[kind](say.number(most), most, name, chosen?.note ?? "");
  const what = html`<ul class="points"><li>${reach}</li><li>${p.onlyWanted}</li><li>${p.inTheMorning}</li><li>${p.notBack}</li></ul>`;
  return html`<${Ask} title=${p.confirmTitle(whom)} what=${what} action=${p.confirm[kind]} close=${close} isReady=${most !== undefined || Boolean(reading.error)} run=${run} then=${(/** @type {unknown} */ sent) => sent && go(addressOf("notifications", "messages"))}><${Notice} title=${title} body=${body} /><//>`;
}
