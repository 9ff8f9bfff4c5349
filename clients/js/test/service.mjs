// The real program with its demo, which stands still so that only the tests move it, on SQLite or on the PostgreSQL that TOUCHLINE_TEST_DATABASE_URL names; ends with the tests.
import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

export const OPERATOR_TOKEN = "operator-token-for-the-clients-tests";
const PROGRAM = process.env.TOUCHLINE_PROGRAM ?? new URL("../../../target/debug/touchline", import.meta.url).pathname;

export async function startService(settings = {}) {
  const folder = await mkdtemp(join(tmpdir(), "touchline-client-"));
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("TOUCHLINE_"));
  const env = {
    ...Object.fromEntries(own),
    TOUCHLINE_LISTEN: "127.0.0.1:0",
    TOUCHLINE_METRICS_LISTEN: "",
    TOUCHLINE_DATA_DIR: folder,
    TOUCHLINE_DATABASE_URL: await freshDatabase(),
    TOUCHLINE_OPERATOR_TOKEN: OPERATOR_TOKEN,
    TOUCHLINE_LOG__LEVEL: "warn",
    TOUCHLINE_DEMO__PLAYS: "false",
    ...settings,
  };
  let running = await run(folder, env);
  const { baseUrl } = running;
  const end = async () => {
    running.program.kill("SIGTERM");
    await running.ended;
  };
  const stop = async () => {
    await end();
    await rm(folder, { recursive: true, force: true });
  };
  /** Ends the program and starts it again at the same address, with what it kept; `between` happens while it is away. */
  const restart = async (between = async () => {}) => {
    await end();
    await between();
    running = await run(folder, { ...env, TOUCHLINE_LISTEN: new URL(baseUrl).host });
  };
  return { baseUrl, stop, restart, folder, databaseUrl: env.TOUCHLINE_DATABASE_URL };
}

async function run(folder, env) {
  const program = spawn(PROGRAM, ["serve"], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => program.once("exit", resolve));
  let said = "";
  // Not iterated to its end: that would close the pipe, and a program that says more would die of it.
  await new Promise((resolve) => {
    program.stdout.on("data", (part) => {
      said += part;
      if (said.includes("http://") && said.includes("\n")) resolve();
    });
    ended.then(resolve);
  });
  const baseUrl = said.match(/http:\/\/[\d.]+:\d+/)?.[0];
  if (!baseUrl) throw new Error(`the program did not start: ${said}`);
  return { program, ended, baseUrl };
}

/** A database of its own on the server of the tests; none on SQLite, where it is a file in the folder. */
async function freshDatabase() {
  const server = process.env.TOUCHLINE_TEST_DATABASE_URL;
  if (!server) return "";
  const name = `client_${process.pid}_${Date.now()}`;
  await promisify(execFile)(join(process.env.TOUCHLINE_TEST_PG_BIN, "psql"), [server, "-c", `CREATE DATABASE ${name}`]);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
