// A push service of the tests' own: browsers whose subscriptions lead here, and what the program sends them, decrypted as a browser would (RFC 8188 and 8291).
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { after, before } from "node:test";

const derive = (secret, salt, info, length) => Buffer.from(hkdfSync("sha256", secret, salt, info, length));

/** What a browser with these keys reads in a body of the encoding aes128gcm. */
function decrypt(body, { pair, auth }) {
  const salt = body.subarray(0, 16);
  const sender = body.subarray(21, 21 + body[20]);
  const sealed = body.subarray(21 + body[20]);
  const parties = Buffer.concat([Buffer.from("WebPush: info\0"), pair.getPublicKey(), sender]);
  const secret = derive(pair.computeSecret(sender), auth, parties, 32);
  const key = derive(secret, salt, "Content-Encoding: aes128gcm\0", 16);
  const nonce = derive(secret, salt, "Content-Encoding: nonce\0", 12);
  const decipher = createDecipheriv("aes-128-gcm", key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  // After the text come a mark of the last record and padding.
  return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString());
}

/** The push service of a test file; `received` has what came, by the path of the address. */
export function pushService() {
  const service = { received: [] };
  let made = 0;
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    service.received.push({ path: request.url, body: Buffer.concat(parts) });
    response.writeHead(201).end();
  });
  before(async () => {
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    service.address = `http://127.0.0.1:${server.address().port}`;
  });
  after(() => server.close());
  /** A browser's subscription, and what comes to it. */
  service.subscription = () => {
    const pair = createECDH("prime256v1");
    pair.generateKeys();
    const auth = randomBytes(16);
    made += 1;
    const path = `/${made}`;
    const keys = { p256dh: pair.getPublicKey().toString("base64url"), auth: auth.toString("base64url") };
    const messages = () => service.received.filter((one) => one.path === path).map(({ body }) => decrypt(body, { pair, auth }));
    return { endpoint: service.address + path, keys, messages };
  };
  return service;
}

/**
 * Has a browser subscribe here, and answer as told when it is asked for its permission: a browser without a screen reaches no push service and asks nobody.
 * @param {{ permission?: string, answer?: string, refuses?: boolean }} as
 */
export async function subscribeHere(context, { endpoint, keys }, { permission = "granted", answer = "granted", refuses = false } = {}) {
  await context.grantPermissions(["notifications"]);
  await context.addInitScript(
    ({ endpoint, keys, permission, answer, refuses }) => {
      const SUBSCRIBED = "test-subscription";
      const subscription = {
        endpoint,
        toJSON: () => ({ endpoint, keys }),
        unsubscribe: async () => (localStorage.removeItem(SUBSCRIBED), true),
      };
      PushManager.prototype.getSubscription = async () => (localStorage.getItem(SUBSCRIBED) ? subscription : null);
      PushManager.prototype.subscribe = async () => {
        if (window.refuses) throw new DOMException("Registration failed - push service error", "AbortError");
        localStorage.setItem(SUBSCRIBED, "1");
        return subscription;
      };
      window.refuses = refuses;
      window.timesAsked = 0;
      const kept = () => localStorage.getItem("test-permission") ?? permission;
      Object.defineProperty(Notification, "permission", { get: kept });
      Notification.requestPermission = async () => {
        window.timesAsked += 1;
        if (kept() === "default") localStorage.setItem("test-permission", answer);
        return kept();
      };
    },
    { endpoint, keys, permission, answer, refuses },
  );
}
