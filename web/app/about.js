// For those who look at the page with an app in mind: what it is, and the few lines that draw it.
import { html } from "../vendor/htm-preact-standalone.module.js";
import { useTexts } from "./texts.js";

const LINES = `import { Touchline } from "@touchline/client";

const baseUrl = "${location.origin}";
const touchline = new Touchline({ baseUrl });
const { data } = await touchline.call("list_todays_matches");
for (const { home_team: team, home_score: goals } of data) {
  console.log(team.name, goals);
}`;

export function About() {
  const { t } = useTexts();
  return html`<section role="group" class="card about" aria-label=${t.about}>
    <header><h2>${t.about}</h2><a class="link small" href="/docs/">${t.docs}</a></header>
    <div class="body stack">
      <p class="muted">${t.aboutHow}</p>
      <pre tabindex="0" aria-label="JavaScript">${LINES}</pre>
    </div>
  </section>`;
}
