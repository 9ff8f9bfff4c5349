// Writes what follows from the API's description: the tables of operations in touchline.js and operators.js, and api.d.ts.
//     node generate.mjs            writes them
//     node generate.mjs --check    fails if they are not what it would write, or if the module became too large
import { readFile, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import openapiTS, { astToString } from "openapi-typescript";

const LARGEST = 8 * 1024;
const isCheck = process.argv.includes("--check");
const here = new URL("./", import.meta.url);
const description = JSON.parse(await readFile(new URL("../../docs/openapi.json", here), "utf8"));
const problems = [];
const TYPES = `
export type OperationId = keyof operations;
export type Schemas = components["schemas"];

/** What an operation takes, all in one object: parts of the path, query parameters and the fields of the body. */
export type Args<Id extends OperationId> = Id extends OperationId
  ? Given<operations[Id], "path"> & Given<operations[Id], "query"> & Body<operations[Id]>
  : never;
type Given<Operation, Place extends string> = Operation extends { parameters: { [P in Place]?: infer Found } }
    ? ([NonNullable<Found>] extends [never] ? {} : NonNullable<Found>)
    : {};
type Body<Operation> = Operation extends { requestBody: { content: { "application/json": infer Found } } } ? Found : {};

/** What comes after the id in a call; the first may be left out where nothing in it is required. */
export type Rest<Id extends OperationId> = {} extends Args<Id>
    ? [args?: Args<Id>, options?: CallOptions]
    : [args: Args<Id>, options?: CallOptions];
export type CallOptions = { signal?: AbortSignal; idempotencyKey?: string; ifMatch?: string };

/** What a success answers. */
export type Answer<Id extends OperationId> = Content<operations[Id]["responses"][keyof operations[Id]["responses"] & (200 | 201)]>;
type Content<Response> = Response extends { content: { "application/json": infer Found } } ? Found : string;

/** One entry of a list. */
export type Item<Id extends OperationId> = Answer<Id> extends { data: (infer Found)[] } ? Found : never;
`;

const isOperators = (path) => path.startsWith("/api/admin/");
await putTable("touchline.js", (path) => !isOperators(path));
await putTable("operators.js", isOperators);
await put("api.d.ts", `// Written by generate.mjs from the API's description.\n${astToString(await openapiTS(withoutExamples(description)))}${TYPES}`);
const size = gzipSync(await readFile(new URL("touchline.js", here))).length;
if (size > LARGEST) problems.push(`touchline.js has ${size} bytes compressed, which is more than ${LARGEST}`);
console.log(`touchline.js: ${size} bytes compressed`);
if (problems.length) {
  console.error(problems.join("\n"));
  process.exit(1);
}

/** One line an operation: its method, `!` if it takes an Idempotency-Key, its path, and query parameters where it also has a body. */
function table(isIn) {
  let lines = "";
  for (const [path, item] of Object.entries(description.paths).filter(([path]) => isIn(path))) {
    for (const [method, operation] of Object.entries(item)) {
      const { operationId: id, parameters = [], requestBody } = operation;
      const named = (place) => parameters.filter((parameter) => parameter.in === place).map((parameter) => parameter.name);
      const key = named("header").includes("Idempotency-Key") ? "!" : "";
      const takesBody = !["get", "delete"].includes(method);
      const query = takesBody && named("query").length ? `?${named("query").join("&")}` : "";
      refuseDoubles(id, [...named("path"), ...named("query"), ...fieldsOf(requestBody)]);
      // An app pays for each call with every byte: what their paths have in common is written once.
      lines += `${id} ${method.toUpperCase()}${key} ${path.replace("/api/auth/", "^")}${query}\n`;
    }
  }
  return lines;
}

/** The client takes them in one object, so no two may have one name. */
function refuseDoubles(id, names) {
  const doubles = names.filter((name, at) => names.indexOf(name) !== at);
  if (doubles.length) problems.push(`${id} takes ${doubles} twice`);
}

function fieldsOf(requestBody) {
  const schema = requestBody?.content["application/json"].schema;
  const name = schema?.$ref?.split("/").pop();
  return Object.keys((name ? description.components.schemas[name] : schema)?.properties ?? {});
}

/** Long examples say nothing in an editor that the types do not. */
function withoutExamples(value) {
  if (Array.isArray(value)) return value.map(withoutExamples);
  if (value === null || typeof value !== "object") return value;
  const isLong = (key, part) => key === "example" && part !== null && typeof part === "object";
  const kept = Object.entries(value).filter(([key, part]) => !isLong(key, part));
  return Object.fromEntries(kept.map(([key, part]) => [key, withoutExamples(part)]));
}

async function putTable(name, isIn) {
  const module = await readFile(new URL(name, here), "utf8");
  await put(name, module.replace(/(?<=const OPERATIONS = .*`\n)[^`]*/, table(isIn)));
}

async function put(name, text) {
  const file = new URL(name, here);
  const found = await readFile(file, "utf8").catch(() => "");
  if (found === text) return;
  if (isCheck) problems.push(`${name} is not what the API's description says: run \`make client\``);
  else await writeFile(file, text);
}
