// matrix-js-sdk: logs in by a login token that a person fetched in a browser, sets up cross-signing, and replaces it once the person has confirmed that.
// Usage: node sign_in_proof.mjs <base url>; says on stdout which page is to be opened, and reads from stdin what came of it.
import assert from "node:assert";
import { createInterface } from "node:readline";
import { createRequire } from "node:module";

const load = createRequire(process.env.JS_MODULES + "/");
const sdk = await import(load.resolve("matrix-js-sdk"));
const [base] = process.argv.slice(2);
const quiet = { trace() {}, debug() {}, info() {}, warn() {}, error() {}, getChild: () => quiet };
const told = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

// Libraries may write to the console as well.
const say = process.stdout.write.bind(process.stdout);
console.log = console.info = console.warn = console.debug = () => {};

async function ask(what) {
  say(`${JSON.stringify(what)}\n`);
  return (await told.next()).value;
}

const stranger = sdk.createClient({ baseUrl: base, logger: quiet });
const { flows } = await stranger.loginFlows();
assert.ok(flows.some(({ type }) => type === "m.login.sso") && flows.some(({ type }) => type === "m.login.token"));
const back = "https://app.element.example/?keep=1";
const link = new URL(await ask({ log_in_at: stranger.getSsoLoginUrl(back, "sso", flows[0].identity_providers[0].id) }));
assert.equal(link.searchParams.get("keep"), "1");
const { user_id: userId, device_id: deviceId, access_token: accessToken } = await stranger.loginWithToken(link.searchParams.get("loginToken"));

const client = sdk.createClient({ baseUrl: base, userId, deviceId, accessToken, logger: quiet });
await client.initRustCrypto({ useIndexedDB: false });
await client.startClient({ initialSyncLimit: 10 });
const crypto = client.getCrypto();
let asked = 0;
const prove = async (makeRequest) => {
  try {
    return await makeRequest(null);
  } catch (refused) {
    asked += 1;
    assert.equal(refused.httpStatus, 401);
    const { session, flows: ways } = refused.data;
    assert.deepEqual(ways, [{ stages: ["m.login.sso"] }]);
    await assert.rejects(makeRequest({ session }), "nobody has confirmed it yet");
    await ask({ confirm_at: client.getFallbackAuthUrl("m.login.sso", session) });
    return makeRequest({ session });
  }
};
await crypto.bootstrapCrossSigning({ authUploadDeviceSigningKeys: prove });
assert.equal(asked, 0, "the first keys need no proof");
const first = await crypto.getCrossSigningKeyId();
// Nobody replaces keys in the moment in which they were made: the client would still be asking for the first ones, and take them for another's.
await new Promise((resolve) => setTimeout(resolve, 3_000));
await crypto.bootstrapCrossSigning({ setupNewCrossSigning: true, authUploadDeviceSigningKeys: prove });
assert.equal(asked, 1);
// It is known once the client has heard from the server that it changed.
let second = null;
for (let times = 0; times < 200 && !second; times += 1) {
  await new Promise((resolve) => setTimeout(resolve, 100));
  second = await crypto.getCrossSigningKeyId();
}
assert.ok(first && second && first !== second, `${first} ${second}`);
await client.sendTextMessage((await client.createRoom({ preset: "public_chat" })).room_id, "A new identity");
say(`${JSON.stringify({ done: "matrix-js-sdk: logged in, and its identity replaced after a code" })}\n`);
client.stopClient();
process.exit(0);
