// Coins: the balance, the day's bonus, and every movement.
import { html, useState } from "../vendor/htm-preact-standalone.module.js";
import { Failure, Loading, useReading } from "../shared/components.js";
import { useTexts } from "./texts-inside.js";

/** @typedef {import("./fan.js").Fan} Fan */

/** @param {{ fan: Fan }} props */
export function ClaimButton({ fan }) {
  const { t } = useTexts();
  const [isBusy, setBusy] = useState(false);
  const { coins } = fan.state;
  if (!coins?.can_claim) return null;
  const claim = async () => {
    setBusy(true);
    // Refused means claimed already, on another device: the balance says so.
    await fan.claim().catch(() => fan.readOwn().catch(() => {}));
    setBusy(false);
  };
  return html`<button class="primary claim" disabled=${isBusy} onClick=${claim}>${t.claim(coins.next_claim_amount)}</button>`;
}

/** @param {{ fan: Fan }} props */
export function Coins({ fan }) {
  const { t, say } = useTexts();
  const { coins } = fan.state;
  const [error, setError] = useState(/** @type {any} */ (null));
  const { value, error: unread, again } = useReading(async (signal) => (await fan.call("list_coin_transactions", { per_page: 8 }, { signal })).data, [coins?.balance]);
  const spend = async () => {
    setError(null);
    try {
      const { data } = await fan.call("deduct_coins", { amount: 25, reason: "sticker" });
      if (fan.state.coins) fan.change({ coins: { ...fan.state.coins, balance: data.new_balance } });
    } catch (refused) {
      setError(refused);
    }
  };
  return html`<section role="group" class="card" aria-label=${t.coins}>
    <header><h2>${t.coinsTitle}</h2>${coins && html`<b class="gold">${say.number(coins.balance)}</b>`}</header>
    <div class="body stack">
      ${coins && html`<p class="muted small">${coins.streak_days > 0 ? t.streak(coins.streak_days) : t.noStreak} ${coins.can_claim ? "" : t.nextClaim(say.moment(coins.next_claim_at), coins.next_claim_amount)}</p>`}
      <div class="row wrap"><${ClaimButton} fan=${fan} /><button onClick=${spend}>${t.spend(25)}</button></div>
      ${(error || unread) && html`<${Failure} error=${error || unread} words=${t} again=${unread && again} />`}
    </div>
    ${!value && !unread && html`<${Loading} lines=${3} label=${t.loading} />`}
    ${value && html`<table class="table"><thead class="hidden"><tr><th>${t.what}</th><th>${t.when}</th><th>${t.coins}</th></tr></thead><tbody>
      ${value.map((one) => html`<tr key=${one.id}><td>${/** @type {Record<string, string>} */ (t.reasons)[one.reason] ?? one.reason}</td><td class="muted small">${say.moment(one.created_at)}</td><td class="num ${one.amount > 0 ? "won" : ""}">${say.signed(one.amount)}</td></tr>`)}
    </tbody></table>`}
  </section>`;
}
