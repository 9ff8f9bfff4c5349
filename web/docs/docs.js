// The API's pages: drawn from the API's own description, in the order of a fan's way, each call ready to copy and to send.
import { TouchlineOperator } from "./operators.js";
import { Touchline, TouchlineError, storedIn } from "./touchline.js";

const OPERATOR = "touchline-docs-operator";
// Which answer teaches which id, so that later calls are filled in with something that is there.
const TEACHES = {
  list_events: ["event", "id"],
  list_teams: ["team_id", "id"],
  list_tournaments: ["tournament", "id"],
  list_chat_rooms: ["room", "room_id"],
  list_my_predictions: ["prediction", "id"],
  list_sessions: ["session", "id"],
  show_me: ["user", "id"],
};
// Within its group a call stands where somebody new meets it; the rest follow as the description has them.
const FIRST = [
  "request_code", "verify_code", "log_in", "show_me", "list_sports", "list_teams", "save_primary_team", "list_events", "show_event", "open_stream",
  "create_prediction", "list_my_predictions", "show_prediction", "show_leaderboard", "show_coins", "claim_daily_coins", "deduct_coins",
  "list_chat_rooms", "show_chat_room", "join_chat_room", "issue_matrix_credentials", "create_chat_room", "show_overview",
];
const known = {};
let last = null;

const description = await (await fetch("/api/openapi.json")).json();
const operations = readOperations();
const fan = new Touchline({ session: storedIn(sessionStorage, "touchline-docs"), fetch: watched, tries: 1, onSession: showWho });
draw();

/** Remembers how the last exchange went, which the client does not tell when all is well. */
async function watched(url, init) {
  const started = performance.now();
  const answer = await fetch(url, init);
  last = { status: answer.status, ms: Math.round(performance.now() - started), id: answer.headers.get("x-request-id") };
  return answer;
}

function readOperations() {
  const found = [];
  for (const [path, item] of Object.entries(description.paths)) {
    for (const [method, operation] of Object.entries(item)) found.push({ ...operation, path, method: method.toUpperCase(), id: operation.operationId });
  }
  const place = (operation) => (FIRST.includes(operation.id) ? FIRST.indexOf(operation.id) : FIRST.length);
  return found.sort((one, other) => place(one) - place(other));
}

// What a call takes and answers

function resolve(schema) {
  const name = schema?.$ref?.split("/").pop();
  return name ? description.components.schemas[name] : schema ?? {};
}

function kindOf(schema) {
  const whole = resolve(schema);
  if (whole.enum) return whole.enum.join(" | ");
  if (whole.oneOf) return [...new Set(whole.oneOf.flatMap((one) => kindOf(one).split(" or ")))].join(" or ");
  if (whole.allOf) return "object";
  if (whole.type === "array") return `list of ${kindOf(whole.items)}`;
  const types = [whole.type ?? "any"].flat();
  const name = whole.format === "date-time" ? "time" : whole.format === "date" ? "date" : types[0];
  return types.includes("null") ? `${name} or null` : name;
}

/** What a field says of itself, or what its kind says. */
function aboutOf(schema) {
  const parts = [schema, ...(schema.oneOf ?? [])];
  return parts.flatMap((part) => [part.description, resolve(part).description]).find(Boolean);
}

function bodyOf(operation) {
  return operation.requestBody && resolve(operation.requestBody.content["application/json"].schema);
}

/** Something that could be sent: the body's example, and ids that were seen or may well be there. */
function exampleArgs(operation) {
  const args = {};
  for (const { in: place, name } of operation.parameters ?? []) if (place === "path") args[name] = known[name] ?? (name === "room" ? "!local:server" : 1);
  const body = structuredClone(bodyOf(operation)?.example ?? {});
  if (body.event_id && known.event) body.event_id = known.event;
  if (body.team_id && known.team_id) body.team_id = known.team_id;
  return { ...args, ...body };
}

function guardOf(operation) {
  const names = (operation.security ?? []).flatMap(Object.keys);
  if (names.includes("operator")) return "operator";
  return names.includes("user") && operation.security.every((entry) => Object.keys(entry).length) ? "fan" : "anybody";
}

function asCurl(operation, args) {
  const rest = { ...args };
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = encodeURIComponent(rest[name]);
    delete rest[name];
    return value;
  });
  const inQuery = (operation.parameters ?? []).filter((parameter) => parameter.in === "query").map((parameter) => parameter.name);
  const query = inQuery.filter((name) => name in rest && !(bodyOf(operation)?.properties ?? {})[name]);
  const search = query.map((name) => `${name}=${encodeURIComponent(rest[name])}`).join("&");
  query.forEach((name) => delete rest[name]);
  const token = { operator: "$OPERATOR_TOKEN", fan: "$TOKEN" }[guardOf(operation)];
  const method = operation.method === "GET" || (operation.method === "POST" && operation.requestBody) ? "" : ` -X ${operation.method}`;
  const parts = [`curl -s${method} "$BASE${path}${search && `?${search}`}"`];
  if (token) parts.push(`-H "Authorization: Bearer ${token}"`);
  if (operation.requestBody) {
    const [line, lines] = [JSON.stringify(rest), JSON.stringify(rest, null, 2)];
    parts.push(`--json '${(line.length > 48 ? lines : line).replaceAll("'", "'\\''")}'`);
  }
  return parts.join(" \\\n  ");
}

function asJavaScript(operation, args) {
  if (operation.id === "open_stream") return "for await (const news of touchline.stream()) {\n  console.log(news.name, news.data);\n}";
  const given = Object.keys(args).length ? `, ${JSON.stringify(args, null, 2).replace(/"(\w+)":/g, "$1:")}` : "";
  const result = operation.method === "GET" ? "const { data } = " : "";
  const client = guardOf(operation) === "operator" ? "operator" : "touchline";
  return `${result}await ${client}.call("${operation.id}"${given});`;
}

// Sending

async function send(id, args) {
  const token = sessionStorage.getItem(OPERATOR);
  const isOperators = guardOf(operations.find((operation) => operation.id === id)) === "operator";
  const client = isOperators ? new TouchlineOperator({ token: token ?? "", fetch: watched, tries: 1 }) : fan;
  last = null;
  const answer = await client.call(id, args);
  learn(id, answer);
  return answer;
}

function learn(id, answer) {
  const [name, field] = TEACHES[id] ?? [];
  const one = [answer.data].flat()[0];
  if (name && one?.[field]) known[name] = one[field];
  if (id === "create_prediction") known.prediction = answer.data.id;
}

/** Says how it went, and shows what came. */
async function show(place, work) {
  place.replaceChildren(h("p", { class: "state" }, "Sending …"));
  const how = () => (last ? ` ${last.status} · ${last.ms} ms · ${last.id}` : "");
  try {
    const answer = await work();
    const text = typeof answer === "string" ? answer : JSON.stringify(answer, null, 2);
    place.replaceChildren(h("p", { class: "state good" }, `Answered${how()}`), h("pre", { tabindex: 0 }, text));
    return answer;
  } catch (error) {
    const told = error instanceof TouchlineError ? { code: error.code, message: error.message, ...(Object.keys(error.fields).length && { errors: error.fields }) } : { message: error.message };
    place.replaceChildren(h("p", { class: "state bad" }, `Refused${how()}`), h("pre", { tabindex: 0 }, JSON.stringify(told, null, 2)));
    return null;
  }
}

// Drawing

/** An element; children are texts or elements, never markup. */
function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== false && value !== undefined && value !== null) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== ""));
  return element;
}

/** A description's words, with `code` in them. */
function words(text) {
  return text.split(/(`[^`]+`)/).map((part) => (part.startsWith("`") ? h("code", {}, part.slice(1, -1)) : part));
}

function paragraphs(text) {
  return (text ?? "").split(/\n\n+/).filter(Boolean).map((part) => h("p", {}, words(part.replaceAll("\n", " "))));
}

function code(label, text) {
  const copy = h("button", { type: "button", "aria-label": `Copy ${label}`, onclick: () => copyText(copy, text) }, "Copy");
  return h("div", {}, h("p", { class: "label" }, label), h("div", { class: "code" }, h("pre", { tabindex: 0 }, text), copy));
}

async function copyText(button, text) {
  await navigator.clipboard.writeText(text).then(() => (button.textContent = "Copied"), () => (button.textContent = "Select it"));
  setTimeout(() => (button.textContent = "Copy"), 1500);
}

function draw() {
  const main = document.getElementById("main");
  const menu = document.getElementById("list");
  main.append(drawStart());
  menu.append(h("a", { href: "#start" }, "Start here"));
  for (const { name, description: about } of description.tags) {
    const calls = operations.filter((operation) => operation.tags[0] === name);
    if (!calls.length) continue;
    const section = h("section", { "aria-labelledby": `tag-${slug(name)}` }, h("h2", { id: `tag-${slug(name)}` }, name), h("p", { class: "quiet" }, about ?? ""));
    if (name === "Operators") section.append(drawOperatorToken());
    section.append(...calls.map(drawCall));
    main.append(section);
    const link = (operation) => h("a", { href: `#${operation.id}`, "data-words": `${operation.id} ${operation.path} ${operation.summary}`.toLowerCase() }, title(operation));
    menu.append(h("div", { class: "group" }, h("h4", {}, name), calls.map(link)));
  }
  document.getElementById("find").addEventListener("input", (event) => narrow(event.target.value));
  const wide = matchMedia("(min-width: 861px)");
  const fit = () => (document.getElementById("menu").open = wide.matches);
  wide.addEventListener("change", fit);
  fit();
  addEventListener("hashchange", follow);
  follow();
  fan.session().then(showWho);
}

function slug(text) {
  return text.toLowerCase().replace(/\W+/g, "-");
}

/** The first sentence of what a call says of itself. */
function title(operation) {
  return operation.summary.replace(/\.$/, "").split(/[:;] /)[0];
}

function narrow(text) {
  const wanted = text.trim().toLowerCase().split(/\s+/);
  for (const link of document.querySelectorAll("#list a[data-words]")) link.hidden = !wanted.every((word) => link.dataset.words.includes(word));
  for (const group of document.querySelectorAll("#list .group")) group.hidden = !group.querySelector("a:not([hidden])");
}

function follow() {
  const id = decodeURIComponent(location.hash.slice(1));
  for (const link of document.querySelectorAll("#list a")) link.toggleAttribute("aria-current", link.getAttribute("href") === `#${id}`);
  const target = id && document.getElementById(id);
  if (!target) return;
  if (target.matches("details.call")) target.open = true;
  if (!matchMedia("(min-width: 861px)").matches) document.getElementById("menu").open = false;
  target.scrollIntoView();
}

function showWho(session) {
  document.getElementById("who").textContent = session ? `Calls are made as ${session.user.username}` : "Calls are made as nobody yet";
}

function drawCall(operation) {
  const card = h("details", { class: "call", id: operation.id },
    h("summary", {},
      h("span", { class: `method ${operation.method.toLowerCase()}` }, operation.method),
      h("span", { class: "title" }, title(operation)),
      h("span", { class: "guard" }, { anybody: "no token", fan: "fan's token", operator: "operator's token" }[guardOf(operation)]),
      h("span", { class: "path mono" }, operation.path)));
  // Drawn when it is opened: most never are.
  card.addEventListener("toggle", () => card.open && card.children.length === 1 && card.append(drawInside(operation)));
  return card;
}

function drawInside(operation) {
  const inside = h("div", { class: "inside" }, paragraphs(operation.summary.replace(/([^.])$/, "$1.")), paragraphs(operation.description));
  const body = bodyOf(operation);
  const rows = [
    ...(operation.parameters ?? []).map(({ in: place, name, required, schema, description: about }) => field(name, place, schema, required, about)),
    ...Object.entries(body?.properties ?? {}).map(([name, schema]) => field(name, "body", schema, body.required?.includes(name), aboutOf(schema))),
  ];
  if (rows.length) inside.append(h("h3", {}, "What it takes"), h("table", {}, h("tbody", {}, rows)));
  const examples = h("div", { class: "two" });
  const redraw = (args) => examples.replaceChildren(code("curl", asCurl(operation, args)), code("JavaScript", asJavaScript(operation, args)));
  redraw(exampleArgs(operation));
  inside.append(examples);
  if (operation.id !== "open_stream") inside.append(...drawSending(operation, redraw));
  inside.append(h("h3", {}, "What it answers"), h("table", {}, h("tbody", {}, Object.entries(operation.responses).map(drawResponse))));
  return inside;
}

function field(name, place, schema, required, about) {
  const where = { path: "in the path", query: "in the query", header: "a header", body: "in the body" }[place];
  return h("tr", {},
    h("td", {}, h("code", {}, name), " ", required && place !== "path" ? h("span", { class: "must" }, "required") : "", h("span", { class: "kind" }, `${kindOf(schema)} · ${where}`)),
    h("td", {}, words(about ?? "")));
}

function drawSending(operation, redraw) {
  const args = exampleArgs(operation);
  const text = JSON.stringify(args, null, 2);
  const input = h("textarea", { rows: Math.min(12, text.split("\n").length), spellcheck: "false", "aria-label": `What to send to ${operation.id}, as JSON` });
  input.value = text;
  const place = h("div", { class: "answer", "aria-live": "polite" });
  const read = () => {
    try {
      const given = JSON.parse(input.value || "{}");
      redraw(given);
      return given;
    } catch {
      return null;
    }
  };
  input.addEventListener("input", read);
  const button = h("button", { class: "do", type: "button", onclick: async () => {
    const given = read();
    if (!given) return place.replaceChildren(h("p", { class: "state bad" }, "This is not JSON yet."));
    button.disabled = true;
    await show(place, () => send(operation.id, given));
    button.disabled = false;
  } }, "Send");
  return [h("h3", {}, "Try it"), input, h("p", {}), h("div", { class: "row" }, button, guardNote(operation)), place];
}

/** What is still missing before this can be sent. */
function guardNote(operation) {
  const note = h("span", { class: "quiet" });
  const guard = guardOf(operation);
  if (guard === "operator" && !sessionStorage.getItem(OPERATOR)) note.textContent = "Give an operator's token first, at the top of this group.";
  if (guard === "fan") fan.session().then((session) => session || note.append("Log in first, under ", h("a", { href: "#start" }, "Start here"), "."));
  return note;
}

function drawResponse([status, response]) {
  const content = Object.values(response.content ?? {})[0];
  const codes = resolve(content?.schema).properties?.code?.enum;
  const isGood = status.startsWith("2");
  const example = resolve(content?.schema).example;
  return h("tr", {},
    h("td", {}, h("code", {}, status), " ", h("span", { class: "kind" }, isGood ? Object.keys(response.content ?? {})[0] ?? "" : "")),
    h("td", {}, words(response.description), codes ? [" ", ...codes.flatMap((one) => [h("code", {}, one), " "])] : "",
      isGood && example !== undefined ? h("pre", { tabindex: 0 }, JSON.stringify(example, null, 2)) : ""));
}

function drawOperatorToken() {
  const input = h("input", { type: "password", autocomplete: "off", placeholder: "Operator's token", "aria-label": "Operator's token", oninput: () => sessionStorage.setItem(OPERATOR, input.value) });
  input.value = sessionStorage.getItem(OPERATOR) ?? "";
  return h("div", { class: "row" }, input, h("span", { class: "quiet" }, "Kept in this tab only."));
}

// The way of somebody new

function drawStart() {
  // A number of its own for each visit: a phone gets five codes in ten minutes. These are reserved for stories.
  const number = `+447700900${String(Math.floor(Math.random() * 1000)).padStart(3, "0")}`;
  const phone = h("input", { type: "tel", value: number, "aria-label": "Phone number" });
  const digits = h("input", { inputmode: "numeric", size: 8, placeholder: "Code", "aria-label": "Code", autocomplete: "one-time-code" });
  const pick = (prediction) => async () => {
    const { data } = await fan.call("list_events", { status: "scheduled", per_page: 1 });
    known.event = data[0]?.id;
    return send("create_prediction", { event_id: known.event, prediction });
  };
  return h("section", { id: "start" },
    h("h1", {}, "From a phone number to a prediction"),
    ...paragraphs("Four calls make a fan who plays. Press them in order; below each is what an app would send."),
    h("ol", { class: "steps" },
      step("Ask for a code", "It goes to the phone by text message. Outside production nothing is sent: the SMS log has it.", [phone], "Ask",
        () => send("request_code", { phone: phone.value }), "request_code", { phone: "+447700900123" },
        async () => {
          const { data } = await fan.call("list_sms_log", { phone: phone.value }).catch(() => ({ data: [] }));
          digits.value = data[0]?.code ?? "";
        }),
      step("Log in with it", "A new phone makes a new fan. The token goes along with every later call.", [digits], "Log in",
        () => send("verify_code", { phone: phone.value, code: digits.value }), "verify_code", { phone: "+447700900123", code: "123456" }),
      step("See what is on", "Live matches first, then those to come.", [], "Show matches",
        () => send("list_events", { per_page: 3 }), "list_events", { per_page: 3 }),
      step("Predict the next match", "Until it kicks off. Sending another one replaces it.", [], "Home wins",
        pick("home"), "create_prediction", { event_id: 12, prediction: "home" })),
    h("p", {}),
    ...paragraphs("The whole description is at `/api/openapi.json`. The examples take `$BASE` for this service's address, `$TOKEN` for a fan's token and `$OPERATOR_TOKEN` for an operator's; `touchline` is the client in `clients/js`, `operator` that of its `operators.js`."));
}

function step(name, about, inputs, label, work, id, args, then) {
  const operation = operations.find((one) => one.id === id);
  const place = h("div", { class: "answer", "aria-live": "polite" });
  const item = h("li", {}, h("strong", {}, name), h("p", {}, about));
  const button = h("button", { class: "do", type: "button", onclick: async () => {
    button.disabled = true;
    const answer = await show(place, work);
    item.classList.toggle("done", answer !== null);
    if (answer !== null) await then?.();
    button.disabled = false;
  } }, label);
  item.append(h("div", { class: "row" }, ...inputs, button, h("a", { href: `#${id}` }, "All about it")), place,
    h("details", {}, h("summary", { class: "quiet" }, "As code"), h("div", { class: "two" }, code("curl", asCurl(operation, args)), code("JavaScript", asJavaScript(operation, args)))));
  return item;
}
