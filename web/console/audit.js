// The audit log: who did what, narrowed, and taken away as a file.
import { html } from "../vendor/htm-preact-standalone.module.js";
import { Changes } from "./changes.js";
import { addressOf, useDesk, useTyped } from "./desk.js";
import { Field, Heading, Press, saveFile } from "./parts.js";
import { useTexts } from "./texts.js";

const NAMES = /** @type {const} */ (["operator", "action", "subject", "from", "to"]);

/** A local moment as an input has it, as the service takes it. @param {string} text */
const moment = (text) => (text && !Number.isNaN(Date.parse(text)) ? new Date(text).toISOString() : undefined);

/** @param {{ address: import("./desk.js").Address }} props */
export function View({ address }) {
  const desk = useDesk();
  const { t } = useTexts();
  const asked = Object.fromEntries(NAMES.map((name) => [name, address.query.get(name) ?? ""]));
  const [typed, setTyped, search] = useTyped(asked);
  const page = Number(address.query.get("page") ?? 1);
  const filter = Object.fromEntries(Object.entries({ ...asked, from: moment(asked.from), to: moment(asked.to) }).filter(([, value]) => value));
  const isNarrowed = Object.keys(filter).length > 0;
  const field = (/** @type {typeof NAMES[number]} */ name, kind = "text") => html`<${Field} label=${t.auditFields[name]}>
    <input name=${name} type=${kind} placeholder=${t.auditExamples[name]} value=${typed[name]} onInput=${(/** @type {any} */ event) => setTyped({ ...typed, [name]: event.target.value })} /><//>`;
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    search(typed, addressOf("audit", null, typed));
  };
  const take = (/** @type {"csv" | "ndjson"} */ format) => html`<${Press} label=${t.exportAs(format)} run=${(/** @type {any} */ desk) => desk.call("export_audit_log", { ...filter, format })}
    then=${(/** @type {any} */ text) => saveFile(`audit.${format}`, text)} />`;
  return html`<${Heading} title=${t.places.audit}>${desk.may("operator") && html`${take("csv")} ${take("ndjson")}`}<//>
    <form class="filters" onSubmit=${submit}>
      ${field("operator")} ${field("action")} ${field("subject")} ${field("from", "datetime-local")} ${field("to", "datetime-local")}
      <div class="row"><button class="primary">${t.narrow}</button>${isNarrowed && html`<a class="button quiet" href=${addressOf("audit")}>${t.showAll}</a>`}</div>
    </form>
    <${Changes} filter=${filter} page=${page} to=${(/** @type {number} */ to) => addressOf("audit", null, { ...asked, page: to })} />`;
}
