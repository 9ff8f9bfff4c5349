// Teams: one primary and up to five others, found by a part of their name.
import { html, useState } from "../vendor/htm-preact-standalone.module.js";
import { Crest, Failure, Loading, useReading } from "../shared/components.js";
import { useTexts } from "./texts-inside.js";

const MOST_OTHERS = 5;

/** @param {{ fan: import("./fan.js").Fan }} props */
export function Teams({ fan }) {
  const { t } = useTexts();
  const [search, setSearch] = useState("");
  const [error, setError] = useState(/** @type {any} */ (null));
  const { me } = fan.state;
  const { value: teams, error: unread, again } = useReading(
    async (signal) => (await fan.call("list_teams", { search: search || undefined, per_page: 8 }, { signal })).data,
    [search],
  );
  if (!me) return null;
  const chosen = [...(me.primary_team ? [me.primary_team] : []), ...me.other_teams];
  const isChosen = (/** @type {{ id: number }} */ team) => chosen.some((one) => one.id === team.id);
  // What was chosen stands first, unless something is looked for.
  const shown = [...(search ? [] : chosen.filter((team, at) => chosen.findIndex((one) => one.id === team.id) === at)), ...(teams ?? []).filter((team) => search || !isChosen(team))];
  const others = new Set(me.other_teams.map((team) => team.id));
  const attempt = (/** @type {() => Promise<any>} */ work) => {
    setError(null);
    work().catch(setError);
  };
  const choose = (/** @type {number} */ id) =>
    attempt(async () => {
      const { data } = await fan.call("save_primary_team", { team_id: id });
      fan.change({ me: { ...me, primary_team: data.team } });
    });
  const toggle = (/** @type {number} */ id) =>
    attempt(async () => {
      const team_ids = others.has(id) ? [...others].filter((one) => one !== id) : [...others, id];
      const { data } = await fan.call("save_other_teams", { team_ids });
      fan.change({ me: { ...me, other_teams: data.teams } });
    });
  return html`<section role="group" class="card" aria-label=${t.teams}>
    <header><h2>${t.teams}</h2><small class="muted">${me.primary_team?.name ?? t.noTeam}</small></header>
    <div class="body stack">
      <input type="search" aria-label=${t.findTeam} placeholder=${t.findTeam} value=${search} onInput=${(/** @type {any} */ event) => setSearch(event.target.value)} />
      <p class="small muted">${t.teamsHow}</p>
      ${(error || unread) && html`<${Failure} error=${error || unread} words=${t} again=${unread && again} />`}
    </div>
    ${!teams && !unread && html`<${Loading} lines=${6} label=${t.loading} />`}
    ${teams?.length === 0 && html`<p class="empty">${t.noTeamFound}</p>`}
    <ul class="rows teams">
      ${shown.map((team) => {
        const isPrimary = me.primary_team?.id === team.id;
        const isOther = others.has(team.id);
        return html`<li class="item" key=${team.id}>
          <${Crest} team=${team} /><span class="grow cut">${team.name}</span>${"country" in team && html`<small class="muted">${team.country}</small>`}
          <button class="quiet star" aria-pressed=${isPrimary ? "true" : "false"} aria-label="${t.primary}: ${team.name}" title=${t.primary} onClick=${() => choose(team.id)}>${isPrimary ? "★" : "☆"}</button>
          <button class="quiet star" aria-pressed=${isOther ? "true" : "false"} aria-label="${t.alsoFollow}: ${team.name}" title=${t.alsoFollow}
            disabled=${!isOther && others.size >= MOST_OTHERS} onClick=${() => toggle(team.id)}>${isOther ? "✓" : "+"}</button>
        </li>`;
      })}
    </ul>
  </section>`;
}
