// The account: profile, sessions, taking everything along, and leaving.
import { html, useState } from "../vendor/htm-preact-standalone.module.js";
import { Face, Failure, Loading, useReading } from "../shared/components.js";
import { useTexts } from "./texts-inside.js";

/** @typedef {import("./fan.js").Fan} Fan */

/** A field, and what is wrong with it. @param {{ label: string, name: string, error: any, [attribute: string]: any }} props */
function Field({ label, name, error, ...rest }) {
  const wrong = error?.fields?.[name];
  return html`<label class="field"><span>${label}</span><input name=${name} aria-invalid=${wrong ? "true" : undefined} ...${rest} />
    ${wrong && html`<span class="wrong">${wrong.join(" ")}</span>`}</label>`;
}

/** @param {{ fan: Fan }} props */
export function Profile({ fan }) {
  const { t, say } = useTexts();
  const { me } = fan.state;
  const [error, setError] = useState(/** @type {any} */ (null));
  const [isSaved, setSaved] = useState(false);
  if (!me) return html`<section role="group" class="card"><${Loading} lines=${6} label=${t.loading} /></section>`;
  const save = async (/** @type {any} */ event) => {
    event.preventDefault();
    setError(null);
    setSaved(false);
    const given = Object.fromEntries([...new FormData(event.target)].map(([name, value]) => [name, String(value).trim()]));
    const before = /** @type {Record<string, any>} */ (me);
    const changed = Object.entries(given).filter(([name, value]) => value !== "" && value !== (before[name] ?? ""));
    if (!changed.length) return setSaved(true);
    try {
      await fan.call("update_user_info", Object.fromEntries(changed));
      fan.change({ me: (await fan.call("show_me")).data });
      setSaved(true);
    } catch (refused) {
      setError(refused);
    }
  };
  const hasOwnPlace = error && Object.keys(error.fields ?? {}).length > 0;
  return html`<section role="group" class="card" aria-label=${t.profile}>
    <div class="body who row"><${Face} name=${me.username} /><span class="grow"><b class="cut">${me.name ?? me.username}</b><small class="cut muted">${me.phone}</small><small class="cut muted">${t.since(say.date(me.created_at))}</small></span></div>
    <form class="body stack" onSubmit=${save}>
      <${Field} label=${me.can_choose_username ? t.usernameOnce : t.username} name="username" defaultValue=${me.username} disabled=${!me.can_choose_username} error=${error} autocapitalize="none" />
      <${Field} label=${t.name} name="name" defaultValue=${me.name ?? ""} maxlength="100" autocomplete="name" error=${error} />
      <${Field} label=${t.email} name="email" type="email" defaultValue=${me.email ?? ""} autocomplete="email" error=${error} />
      <${Field} label=${t.born} name="date_of_birth" type="date" defaultValue=${me.date_of_birth ?? ""} error=${error} />
      ${error && !hasOwnPlace && html`<${Failure} error=${error} words=${t} />`}
      <div class="row"><button class="primary">${t.save}</button><small class="muted" role="status">${isSaved ? t.saved : ""}</small></div>
    </form>
  </section>`;
}

/** @param {{ fan: Fan }} props */
export function Sessions({ fan }) {
  const { t, say } = useTexts();
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const { value, error, again } = useReading(async (signal) => (await fan.call("list_sessions", {}, { signal })).data, []);
  const end = (/** @type {Promise<any>} */ call) => call.then(again, setProblem);
  const hasOthers = (value?.length ?? 0) > 1;
  return html`<section role="group" class="card" aria-label=${t.sessions}>
    <header><h2>${t.sessions}</h2></header>
    ${(error || problem) && html`<div class="body"><${Failure} error=${error || problem} words=${t} again=${again} /></div>`}
    ${!value && !error && html`<${Loading} lines=${2} label=${t.loading} />`}
    <ul class="rows">
      ${value?.map(
        (session) => html`<li class="item" key=${session.id}>
          <span class="grow"><span class="cut">${session.device_name ?? t.unnamedDevice}</span><small class="cut muted">${session.is_current ? t.thisOne : t.lastUsed(say.moment(session.last_used_at))}</small></span>
          ${!session.is_current && html`<button class="quiet" onClick=${() => end(fan.call("revoke_session", { session: session.id }))}>${t.endSession}</button>`}
        </li>`,
      )}
    </ul>
    <div class="body row wrap">
      <button onClick=${() => fan.call("log_out").catch(setProblem)}>${t.logOut}</button>
      ${hasOthers && html`<button class="quiet" onClick=${() => end(fan.call("revoke_other_sessions"))}>${t.endOthers}</button>`}
    </div>
  </section>`;
}

/** @param {{ fan: Fan }} props */
export function Leaving({ fan }) {
  const { t } = useTexts();
  const [isAsking, setAsking] = useState(false);
  const [error, setError] = useState(/** @type {any} */ (null));
  const { me, coins, picks } = fan.state;
  const take = async () => {
    setError(null);
    try {
      const everything = await fan.call("export_account");
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([JSON.stringify(everything, null, 2)], { type: "application/json" }));
      link.download = `touchline-${me?.username ?? "account"}.json`;
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (refused) {
      setError(refused);
    }
  };
  return html`<section role="group" class="card" aria-label=${t.yourData}>
    <header><h2>${t.yourData}</h2></header>
    <div class="body stack">
      <p class="muted">${t.exportWhy}</p>
      <div class="row wrap"><button onClick=${take}>${t.export}</button>${!isAsking && html`<button class="quiet flush" onClick=${() => setAsking(true)}>${t.leave}</button>`}</div>
      ${isAsking &&
      html`<div class="failure" role="alertdialog" aria-label=${t.leave}>
        <p>${t.leaveWhat(me?.username ?? "", coins?.balance ?? 0, picks.size)}</p>
        <div class="row wrap"><button class="bad" onClick=${() => fan.call("delete_account").catch(setError)}>${t.leaveForGood}</button><button onClick=${() => setAsking(false)}>${t.stay}</button></div>
      </div>`}
      ${error && html`<${Failure} error=${error} words=${t} />`}
    </div>
  </section>`;
}
