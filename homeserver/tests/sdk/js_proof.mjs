// matrix-js-sdk: an ordinary client's day, and one decrypted message in an encrypted room.
// Usage: node js_proof.mjs <base url> <alice's credentials as JSON> <bob's credentials as JSON>
import assert from "node:assert";
import { encryptedRoom, events, sdk, start, until } from "./js_client.mjs";

const { RoomMemberEvent, EventType, MsgType } = sdk;
const [base, ...credentials] = process.argv.slice(2);

const bodies = (room) => room.getLiveTimeline().getEvents().map((e) => e.getContent().body).filter(Boolean);

async function talk(alice, bob) {
  const { room_id: roomId } = await alice.createRoom({ name: "Stand", preset: "public_chat" });
  await bob.joinRoom(roomId);
  const sent = [];
  for (let n = 0; n < 30; n += 1) sent.push((await alice.sendTextMessage(roomId, "message " + n)).event_id);
  const room = await until("bob's room", () => bob.getRoom(roomId));
  await until("the last message", () => bodies(room).includes("message 29"));
  for (let page = 0; page < 10 && !bodies(room).includes("message 0"); page += 1) await bob.scrollback(room, 10);
  const heard = bodies(room).filter((body) => body.startsWith("message"));
  assert.deepEqual(heard, [...Array(30).keys()].map((n) => "message " + n));
  assert.equal(room.getUnreadNotificationCount("total") > 0, true);

  let typing = false;
  bob.on(RoomMemberEvent.Typing, (event, member) => { typing ||= member.userId === alice.getUserId() && member.typing; });
  await alice.sendTyping(roomId, true, 5000);
  await until("typing", () => typing);

  const last = room.findEventById(sent[29]);
  await bob.sendReadReceipt(last);
  const mine = await until("alice's room", () => alice.getRoom(roomId));
  await until("the receipt", () => mine.getEventReadUpTo(bob.getUserId()) === sent[29]);
  await until("nothing unread", () => room.getUnreadNotificationCount("total") === 0);

  await alice.setDisplayName("Alice the Great");
  await until("the new name", () => room.getMember(alice.getUserId())?.name.startsWith("Alice the Great"));

  await alice.sendEvent(roomId, EventType.Reaction, { "m.relates_to": { rel_type: "m.annotation", event_id: sent[29], key: "+1" } });
  await until("the reaction", () => room.relations.getChildEventsForEvent(sent[29], "m.annotation", "m.reaction")?.getRelations().length === 1);
  await alice.sendMessage(roomId, { msgtype: MsgType.Text, body: "* edited", "m.new_content": { msgtype: MsgType.Text, body: "edited" },
    "m.relates_to": { rel_type: "m.replace", event_id: sent[28] } });
  await until("the edit", () => room.findEventById(sent[28])?.getContent().body === "edited");

  await alice.redactEvent(roomId, sent[27]);
  await until("the redaction", () => room.findEventById(sent[27])?.isRedacted());
  await bob.leave(roomId);
  await until("bob gone", () => mine.getMember(bob.getUserId())?.membership === "leave");
}

async function whisper(alice, bob) {
  const roomId = await encryptedRoom(alice, bob);
  await alice.sendTextMessage(roomId, "secret");
  const event = await until("the decrypted message", () => events(bob, roomId).find((e) => e.getContent().body === "secret"));
  assert.equal(event.getWireType(), "m.room.encrypted");
}

const [alice, bob] = [await start(base, credentials[0]), await start(base, credentials[1])];
await talk(alice, bob);
await whisper(alice, bob);
alice.stopClient();
bob.stopClient();
console.log("matrix-js-sdk: start, join, send, receive, paginate, typing, receipt, unread, rename, react, edit, redact, leave, decrypt: ok");
process.exit(0);
