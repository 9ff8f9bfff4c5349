// Coming in: a phone number, a texted code, one press. On a developer's machine the code is read from the SMS log.
import { html, useEffect, useState } from "../vendor/htm-preact-standalone.module.js";
import { Failure } from "../shared/components.js";
import { useTexts } from "./texts.js";

/** A number that nobody has: Ofcom keeps these for plays. Another for each panel, so that two fans are two. */
function examplePhone() {
  return `+447700900${String(100 + Math.floor(Math.random() * 900))}`;
}

/** @param {{ fan: import("./fan.js").Fan, isInvited?: boolean }} props */
export function ComeIn({ fan, isInvited = false }) {
  const { t } = useTexts();
  const [phone, setPhone] = useState("");
  const [code, setCode] = useState("");
  const [step, setStep] = useState(/** @type {"phone" | "code"} */ ("phone"));
  const [isDevelopment, setDevelopment] = useState(false);
  const [error, setError] = useState(/** @type {any} */ (null));
  const [isBusy, setBusy] = useState(false);

  useEffect(() => {
    const example = examplePhone();
    // Where there is no such log, a text message would go out to the number: it is left to the fan.
    fan.call("list_sms_log", { phone: example }).then(
      () => {
        setDevelopment(true);
        setPhone((before) => before || example);
      },
      () => setDevelopment(false),
    );
  }, []);

  const attempt = async (/** @type {() => Promise<void>} */ work) => {
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (refused) {
      setError(refused);
    }
    setBusy(false);
  };
  const ask = () =>
    attempt(async () => {
      await fan.call("request_code", { phone });
      const isShown = isDevelopment && (await fan.call("list_sms_log", { phone })).data;
      setCode((isShown && isShown[0]?.code) || "");
      setStep("code");
    });
  const enter = () => attempt(async () => void (await fan.call("verify_code", { phone, code, device_name: t.deviceName })));
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (step === "phone") ask();
    else enter();
  };

  return html`<section role="group" class="card come-in" aria-label=${t.comeIn}>
    <header><h2>${t.comeIn}</h2></header>
    <form class="body stack" onSubmit=${submit}>
      ${isInvited && html`<p><b>${t.invitedToLeague}</b></p>`}
      <p class="muted">${t.comeInWhy}</p>
      <label class="field">
        <span>${t.phone}</span>
        <input type="tel" name="phone" autocomplete="tel" required placeholder="+44 7700 900123" value=${phone} disabled=${step === "code"}
          onInput=${(/** @type {any} */ event) => setPhone(event.target.value)} />
      </label>
      ${step === "code" &&
      html`<label class="field">
        <span>${t.code}</span>
        <input class="code" name="code" inputmode="numeric" autocomplete="one-time-code" required pattern="[0-9]{4,10}" value=${code}
          onInput=${(/** @type {any} */ event) => setCode(event.target.value)} ref=${(/** @type {any} */ input) => input && !input.value && input.focus()} />
        ${isDevelopment && html`<small class="muted">${t.codeFromLog}</small>`}
      </label>`}
      ${error && html`<${Failure} error=${error} words=${t} />`}
      <div class="row">
        <button class="primary grow" disabled=${isBusy}>${step === "phone" ? t.sendCode : t.enter}</button>
        ${step === "code" && html`<button type="button" class="quiet" onClick=${() => (setStep("phone"), setError(null))}>${t.otherNumber}</button>`}
      </div>
    </form>
  </section>`;
}
