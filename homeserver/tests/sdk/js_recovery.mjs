// matrix-js-sdk: a lost phone. The first process sets recovery up and loses the device; the second has nothing but a new login
// and the recovery key, and reads what was said.
// Usage: node js_recovery.mjs lose <base url> <alice's credentials as JSON> <bob's>      prints what the other needs, as JSON
//        node js_recovery.mjs restore <base url> <alice's new credentials> <what was printed>
import assert from "node:assert";
import { cryptoApi, encryptedRoom, events, start, until } from "./js_client.mjs";

const [stage, base, credentials, more] = process.argv.slice(2);

// Where an app would ask its user.
const entered = {};
const asked = {
  cacheSecretStorageKey: (id, _, key) => { entered[id] = key; },
  getSecretStorageKey: async ({ keys }) => Object.keys(keys).filter((id) => entered[id]).map((id) => [id, entered[id]])[0] ?? null,
};

async function lose() {
  const alice = await start(base, credentials, asked);
  const bob = await start(base, more);
  const roomId = await encryptedRoom(alice, bob);
  await alice.sendTextMessage(roomId, "said by alice");
  await until("bob reads alice", () => events(bob, roomId).some((event) => event.getContent().body === "said by alice"));
  await bob.sendTextMessage(roomId, "said by bob");
  await until("alice reads bob", () => events(alice, roomId).some((event) => event.getContent().body === "said by bob"));

  const crypto = alice.getCrypto();
  const recovery = await crypto.createRecoveryKeyFromPassphrase();
  await crypto.bootstrapCrossSigning({ authUploadDeviceSigningKeys: (upload) => upload(null) });
  await crypto.bootstrapSecretStorage({ createSecretStorageKey: async () => recovery, setupNewKeyBackup: true });
  // The SDK takes up to ten seconds before it begins.
  await until("both keys in the backup", async () => (await crypto.checkKeyBackupAndEnable())?.backupInfo.count === 2);
  await alice.logout(true);
  bob.stopClient();
  console.log(JSON.stringify({ roomId, recoveryKey: recovery.encodedPrivateKey }));
}

async function restore() {
  const { roomId, recoveryKey } = JSON.parse(more);
  const alice = await start(base, credentials, asked);
  const crypto = alice.getCrypto();
  const secrets = () => events(alice, roomId).filter((event) => event.getWireType() === "m.room.encrypted");
  await until("the old messages", () => secrets().length === 2 && secrets().every((event) => event.isDecryptionFailure()));
  const me = [alice.getUserId(), alice.getDeviceId()];
  const isVerified = async () => (await crypto.getDeviceVerificationStatus(...me))?.crossSigningVerified;
  assert.equal(Boolean(await isVerified()), false);

  const keyId = await alice.secretStorage.getDefaultKeyId();
  entered[keyId] = cryptoApi.decodeRecoveryKey(recoveryKey);
  // Asks for the public keys, without which the private ones are of no use.
  assert.equal(await crypto.userHasCrossSigningKeys(), true);
  await crypto.bootstrapCrossSigning({});
  await crypto.loadSessionBackupPrivateKeyFromSecretStorage();
  assert.equal((await crypto.restoreKeyBackup()).imported, 2);
  await until("the old messages in clear", () => secrets().every((event) => !event.isDecryptionFailure()));
  assert.deepEqual(secrets().map((event) => event.getContent().body), ["said by alice", "said by bob"]);
  await until("a device verified by its own user", isVerified);
  assert.equal((await crypto.checkKeyBackupAndEnable()).trustInfo.trusted, true);

  const recovery = await crypto.createRecoveryKeyFromPassphrase();
  await crypto.bootstrapSecretStorage({ createSecretStorageKey: async () => recovery, setupNewSecretStorage: true });
  await until("another recovery key", async () => (await alice.secretStorage.getDefaultKeyId()) !== keyId);
  assert.equal(await crypto.isSecretStorageReady(), true);
  alice.stopClient();
  console.log("matrix-js-sdk: recovery key, cross-signing, secret storage, key backup, device lost, history read on a new one, another recovery key: ok");
}

await (stage === "lose" ? lose() : restore());
process.exit(0);
