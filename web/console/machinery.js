// Machinery: the work outside requests, the feeds, the webhooks, and whether the parts are well.
import { html } from "../vendor/htm-preact-standalone.module.js";
import { addressOf, useDesk, useLive } from "./desk.js";
import { Feeds } from "./feeds.js";
import { Messages } from "./messages.js";
import { NodeList } from "./nodes.js";
import { Ask, Facts, Heading, List, Opens, Pager, Press, Read, Tabs, When } from "./parts.js";
import { useTexts } from "./texts.js";
import { Webhooks } from "./webhooks.js";

/** @import { Schemas } from "./api.d.ts" */

/** @param {{ address: import("./desk.js").Address, needs: import("./needs.js").Needs }} props */
export function View({ address, needs }) {
  const { t } = useTexts();
  const desk = useDesk();
  const [at = "jobs", id] = (address.id ?? "jobs").split("/");
  const parts = { jobs: Jobs, feeds: Feeds, sms: Messages, webhooks: desk.may("operator") ? Webhooks : Jobs, nodes: NodeList, health: Health };
  const Part = /** @type {Record<string, any>} */ (parts)[at] ?? Jobs;
  const all = /** @type {const} */ (["jobs", "feeds", "sms", "webhooks", "nodes", "health"]).filter((name) => name !== "webhooks" || desk.may("operator"));
  const tabs = all.map((name) => ({ name, label: t.machines[name], address: `#/machinery/${name}`, count: name === "jobs" ? needs.overview?.jobs.failing : 0 }));
  return html`<${Heading} title=${t.places.machinery} /><${Tabs} label=${t.places.machinery} at=${at} tabs=${tabs} /><${Part} id=${id} address=${address} needs=${needs} />`;
}

/** @typedef {Schemas["JobView"]} Job */

/** @param {{ address: import("./desk.js").Address, needs: import("./needs.js").Needs }} props */
function Jobs({ address, needs }) {
  const desk = useDesk();
  const { t } = useTexts();
  const lane = address.query.get("lane") ?? "";
  const state = address.query.get("state") ?? "";
  const page = Number(address.query.get("page") ?? 1);
  const to = (/** @type {Record<string, any>} */ change) => `#/machinery/jobs${addressOf("", null, { lane, state, ...change }).slice(2)}`;
  const reading = useLive((desk, signal) => desk.call("list_jobs", { ...(lane && { lane: /** @type {any} */ (lane) }), ...(state && { state: /** @type {any} */ (state) }), page }, { signal }), [lane, state, page]);
  const columns = [
    { head: t.what, cell: (/** @type {Job} */ job) => html`<code>${job.kind}</code> ${job.payload === null ? "" : html`<small class="muted said">${JSON.stringify(job.payload)}</small>`}` },
    { head: t.lane, cell: (/** @type {Job} */ job) => (job.lane ? t.lanes[job.lane] : t.unknownLane) },
    { head: t.state, cell: (/** @type {Job} */ job) => html`<span class="mark ${job.state === "failing" ? "bad" : ""}">${t.jobStates[job.state]}</span>` },
    { head: t.due, cell: (/** @type {Job} */ job) => html`<${When} at=${job.run_at} />` },
    { head: t.lag, kind: "num", cell: (/** @type {Job} */ job) => t.duration(job.lag_ms) },
    { head: t.tries, kind: "num", cell: (/** @type {Job} */ job) => job.attempts },
    { head: t.lastError, kind: "wide", cell: (/** @type {Job} */ job) => (job.last_error ? html`<span class="said down">${job.last_error}</span>` : html`<span class="muted">–</span>`) },
    ...(desk.may("operator") ? [{ head: html`<span class="hidden">${t.actions}</span>`, kind: "acts", cell: (/** @type {Job} */ job) => html`<${JobActions} job=${job} />` }] : []),
  ];
  return html`<${Lanes} lanes=${needs.overview?.jobs.lanes ?? []} chosen=${lane} to=${to} />
    <p class="row wrap choices" role="group" aria-label=${t.state}>${["", "failing", "running", "waiting"].map((one) => html`<a class="choice" aria-current=${one === state ? "true" : null} href=${to({ state: one })}>${one ? t.jobStates[/** @type {"failing"} */ (one)] : t.all}</a>`)}${lane && html`<a class="choice" href=${to({ lane: "" })}>${t.lanes[/** @type {"chat"} */ (lane)]} ×</a>`}</p>
    <${Read} reading=${reading} draw=${(/** @type {any} */ { data, meta }) => html`<${List} label=${t.jobs} rows=${data} columns=${columns} empty=${state === "failing" ? t.noFailingJobs : t.noJobs} rowClass=${(/** @type {Job} */ job) => (job.state === "failing" ? "over" : "")} /><${Pager} meta=${meta} to=${(/** @type {number} */ page) => to({ page })} />`} />`;
}

/** @param {{ lanes: Schemas["Backlog"][], chosen: string, to: (change: Record<string, any>) => string }} props */
function Lanes({ lanes, chosen, to }) {
  const { t, say } = useTexts();
  if (lanes.length === 0) return null;
  return html`<${List} isCompact label=${t.lanesTitle} rows=${lanes} empty="" keyOf=${(/** @type {any} */ lane) => lane.lane} rowClass=${(/** @type {any} */ lane) => (lane.failing ? "over" : lane.lane === chosen ? "chosen" : "")} columns=${[
    { head: t.lane, cell: (/** @type {Schemas["Backlog"]} */ lane) => html`<a class="link quiet main" href=${to({ lane: lane.lane })}>${t.lanes[lane.lane]}</a>` },
    { head: t.jobStates.waiting, kind: "num", cell: (/** @type {Schemas["Backlog"]} */ lane) => say.number(lane.waiting) },
    { head: t.jobStates.running, kind: "num", cell: (/** @type {Schemas["Backlog"]} */ lane) => say.number(lane.running) },
    { head: t.jobStates.failing, kind: "num", cell: (/** @type {Schemas["Backlog"]} */ lane) => html`<span class=${lane.failing ? "down" : ""}>${say.number(lane.failing)}</span>` },
    { head: t.lag, kind: "num", cell: (/** @type {Schemas["Backlog"]} */ lane) => t.duration(lane.lag_ms) },
  ]} />`;
}

/** @param {{ job: Job }} props */
function JobActions({ job }) {
  const { t } = useTexts();
  const drop = (/** @type {() => void} */ close) => html`<${Ask} title=${t.dropTitle(job.kind)} what=${t.dropWhat} action=${t.drop} kind="bad" close=${close} run=${(/** @type {any} */ desk) => desk.call("drop_job", { job: job.id })} />`;
  return html`<div class="row end">${job.state !== "running" && html`<${Press} label=${t.retry} run=${(/** @type {any} */ desk) => desk.call("retry_job", { job: job.id })} />`}<${Opens} label=${t.drop} kind="quiet" ask=${drop} /></div>`;
}

/** @param {{ needs: import("./needs.js").Needs }} props */
function Health({ needs }) {
  const { t, say } = useTexts();
  // A part that is not well is an answer too, with another status.
  const reading = useLive(async (desk, signal) => {
    const answer = await fetch("/readyz", { signal });
    return /** @type {Schemas["ReadinessView"]} */ (await answer.json());
  }, []);
  const { overview } = needs;
  return html`<${Read} reading=${reading} draw=${(/** @type {Schemas["ReadinessView"]} */ { status, checks }) => html`
    <p class="verdict ${status === "ready" ? "good" : "bad"}"><b>${status === "ready" ? t.allWell : t.notAllWell}</b></p>
    <${Facts} facts=${[
      [t.database, html`<${Part} is=${checks?.database} />`], [t.homeserver, html`<${Part} is=${checks?.homeserver} />`], [t.clock, html`<${Part} is=${checks?.clock} /> ${typeof checks?.clock_difference_ms === "number" ? html`<small class="muted">${say.number(checks.clock_difference_ms)} ms</small>` : ""}`],
      [t.codesLastHour, overview ? t.sentFailed(say.number(overview.sms_last_hour.sent), say.number(overview.sms_last_hour.failed)) : "–"],
      [t.accountsBehind, overview ? say.number(overview.chat.accounts_behind) : "–"], [t.version, overview ? `${overview.version} · ${overview.environment}` : "–"],
    ]} />`} />`;
}

/** @param {{ is: string | undefined }} props */
function Part({ is }) {
  const { t } = useTexts();
  return html`<span class="mark ${is === "ok" ? "good" : "bad"}">${is === "ok" ? t.well : (is ?? "–")}</span>`;
}
