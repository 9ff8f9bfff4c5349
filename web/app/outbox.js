// What a fan said and no room has brought back yet: shown at once, sent one after another, and kept until it is there or refused.

/** @typedef {import("./fan.js").Fan} Fan */
/**
 * @typedef {object} Unsent
 * @property {string} transaction names it, so that however often it is sent the room has it once
 * @property {string} room
 * @property {string} text
 * @property {number} at
 * @property {"sending" | "waiting" | "refused" | "sent"} state waiting: for the service to be back
 * @property {string} [id] the event's, once it is sent
 * @property {any} [error] why it was refused
 */

/** @type {WeakSet<Fan>} */
const delivering = new WeakSet();

/** Whether trying again later may help. @param {any} error */
export function isAway({ status = 0 }) {
  return status === 0 || status === 429 || status >= 500;
}

/** @param {Fan} fan @param {string} room @param {string} text */
export function say(fan, room, text) {
  const transaction = `${Date.now()}-${Math.random().toString(36).slice(2)}`;
  const state = fan.state.unsent.some((message) => message.state === "waiting") ? "waiting" : "sending";
  fan.change({ unsent: [...fan.state.unsent, { transaction, room, text, at: Date.now(), state }] });
  // Whoever speaks wants to be heard: what waits before it is tried now.
  fan.touchline.wake();
  deliver(fan);
}

/** @param {Fan} fan @param {string} transaction */
export function sayAgain(fan, transaction) {
  mark(fan, transaction, { state: "sending", error: undefined });
  // Of one that waits the next try is under way already.
  fan.wake();
  deliver(fan);
}

/** @param {Fan} fan @param {(message: Unsent) => boolean} isDone */
export function forget(fan, isDone) {
  const unsent = fan.state.unsent.filter((message) => !isDone(message));
  if (unsent.length < fan.state.unsent.length) fan.change({ unsent });
}

/** @param {Fan} fan @param {string} transaction @param {Partial<Unsent>} changes */
function mark(fan, transaction, changes) {
  fan.change({ unsent: fan.state.unsent.map((message) => (message.transaction === transaction ? { ...message, ...changes } : message)) });
}

/** One after another, so that the room has them in the order in which they were said. @param {Fan} fan */
async function deliver(fan) {
  if (delivering.has(fan)) return;
  delivering.add(fan);
  for (let failures = 0; ; ) {
    const next = fan.state.unsent.find(({ state }) => state === "sending" || state === "waiting");
    if (!next) break;
    try {
      const chat = await fan.chat();
      const id = await chat.send(next.room, next.text, next.transaction);
      mark(fan, next.transaction, { state: "sent", id });
      failures = 0;
    } catch (error) {
      if (!isAway(error)) {
        mark(fan, next.transaction, { state: "refused", error });
        continue;
      }
      // What was said after it waits with it.
      for (const { transaction, state } of fan.state.unsent) if (state === "sending") mark(fan, transaction, { state: "waiting" });
      await fan.touchline.backOff((failures += 1));
    }
  }
  delivering.delete(fan);
}
