// The front page: whether anything needs a person, where, and the figures of the moment.
import { html } from "../vendor/htm-preact-standalone.module.js";
import { useDesk } from "./desk.js";
import { Failure, Heading, Loading } from "./parts.js";
import { useTexts } from "./texts.js";

/** @param {{ needs: import("./needs.js").Needs }} props */
export function View({ needs }) {
  const { t, say } = useTexts();
  const { figures: now } = useDesk().state;
  const { overview, reading, list, count } = needs;
  const title = t.places.front;
  if (!overview) return html`<${Heading} title=${title} />${reading.error ? html`<${Failure} error=${reading.error} again=${reading.again} />` : html`<${Loading} lines=${6} />`}`;
  const { events, jobs, chat, users, sessions, sms_last_hour: sms } = overview;
  const groups = [
    { name: t.places.matches, figures: [[t.live, events.live], [t.scheduled, events.scheduled], [t.finished, events.finished]] },
    { name: t.rightNow, figures: [[t.predictionsAMinute, now?.predictions_a_minute ?? "–"], [t.listening, now?.listening ?? "–"]] },
    { name: t.people, figures: [[t.registered, users.registered], [t.sessionsActive, sessions.active]] },
    { name: t.codesLastHour, figures: [[t.sent, sms.sent], [t.failed, sms.failed]] },
    { name: t.jobs, figures: [[t.failing, jobs.failing], [t.lag, t.duration(jobs.lag_ms)]] },
    { name: t.chat, figures: [[t.accountsBehind, chat.accounts_behind], [t.lag, t.duration(chat.lag_ms)]] },
  ];
  return html`<${Heading} title=${title} note=${`${say.moment(overview.now)} · ${say.zone}`} />
    <section class="verdict ${count ? "warn" : "good"}" aria-label=${t.whetherNeeded}>
      <b>${count ? t.needPerson(count) : t.nothingNeeded}</b>
      ${count > 0 && html`<ul>${list.map((need) => html`<li><a class="link" href=${need.address}>${t.needs[/** @type {keyof typeof t.needs} */ (need.kind)](need.count)}</a></li>`)}</ul>`}
    </section>
    <section class="figures three" aria-label=${t.figures}>
      ${groups.map(({ name, figures }) => html`<div><h2>${name}</h2><dl>${figures.map(([what, value]) => html`<div><dt>${what}</dt><dd>${typeof value === "number" ? say.number(value) : value}</dd></div>`)}</dl></div>`)}
    </section>
    <p class="muted small">${t.versionLine(overview.version, overview.environment)}</p>`;
}
