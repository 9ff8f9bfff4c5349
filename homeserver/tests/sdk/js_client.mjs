// matrix-js-sdk, loaded from where it is installed, and what all proofs with it need.
import { createRequire } from "node:module";

const load = createRequire(process.env.JS_MODULES + "/");
export const sdk = await import(load.resolve("matrix-js-sdk"));
export const cryptoApi = await import(load.resolve("matrix-js-sdk/lib/crypto-api/index.js"));

const quiet = { trace() {}, debug() {}, info() {}, warn() {}, error() {}, getChild: () => quiet };

export async function until(what, check, seconds = 30) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await check();
    if (found) return found;
    if (Date.now() > end) throw new Error("not seen: " + what);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export async function start(base, text, cryptoCallbacks) {
  const { user_id: userId, device_id: deviceId, access_token: accessToken } = JSON.parse(text);
  const client = sdk.createClient({ baseUrl: base, userId, deviceId, accessToken, logger: quiet, cryptoCallbacks });
  await client.initRustCrypto({ useIndexedDB: false });
  await client.startClient({ initialSyncLimit: 10, lazyLoadMembers: true });
  await until("prepared " + userId, () => client.getSyncState() === "PREPARED" || client.getSyncState() === "SYNCING");
  return client;
}

export async function encryptedRoom(alice, bob) {
  const { room_id: roomId } = await alice.createRoom({ preset: "private_chat", invite: [bob.getUserId()],
    initial_state: [{ type: "m.room.encryption", state_key: "", content: { algorithm: "m.megolm.v1.aes-sha2" } }] });
  await until("the invitation", () => bob.getRoom(roomId)?.getMyMembership() === "invite");
  await bob.joinRoom(roomId);
  await until("bob inside", () => alice.getRoom(roomId)?.getMember(bob.getUserId())?.membership === "join");
  return roomId;
}

export const events = (client, roomId) => client.getRoom(roomId)?.getLiveTimeline().getEvents() ?? [];
