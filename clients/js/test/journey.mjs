// A fan's whole way through the client, the same in Node and in a browser. Throws at the first thing that is not as it should be.

/** @param {typeof import("../touchline.js") & typeof import("../operators.js")} client */
export async function journey({ Touchline, TouchlineError, TouchlineOperator, storedIn }, baseUrl, operatorToken) {
  const kept = new Map();
  const storage = {
    getItem: async (key) => kept.get(key) ?? null,
    setItem: async (key, value) => void kept.set(key, value),
    removeItem: async (key) => void kept.delete(key),
  };
  const sessions = [];
  const ada = new Touchline({ baseUrl, session: storedIn(storage), onSession: (session) => sessions.push(session?.user.username ?? null) });
  const bob = new Touchline({ baseUrl });
  const operator = new TouchlineOperator({ baseUrl, token: operatorToken });

  const number = () => `+4477009${String(Math.floor(Math.random() * 1e5)).padStart(5, "0")}`;
  const logIn = async (fan) => {
    const phone = number();
    await fan.call("request_code", { phone });
    const { data } = await fan.call("list_sms_log", { phone });
    return (await fan.call("verify_code", { phone, code: data[0].code })).data;
  };

  const refused = await failure(() => ada.call("request_code", { phone: "12" }), TouchlineError);
  equal([refused.status, refused.code], [422, "validation_failed"], "a bad phone");
  ok(refused.fields.phone[0] && refused.requestId.startsWith("req_"), "fields and request id");

  const { user } = await logIn(ada);
  await logIn(bob);
  equal(sessions, [user.username], "the session was announced");
  equal(JSON.parse(kept.get("touchline")).user.id, user.id, "the session was kept");
  equal((await ada.call("show_me")).data.id, user.id, "my account");
  equal((await new Touchline({ baseUrl, session: storedIn(storage) }).call("show_me")).data.id, user.id, "my account, later");

  const slugs = new Set();
  for await (const team of ada.pages("list_teams", { per_page: 7 })) slugs.add(team.slug);
  equal(slugs.size, (await ada.call("list_teams", { per_page: 1 })).meta.total, "every team once");

  const [match] = (await ada.call("list_events", { status: "scheduled" })).data;
  const pick = { event_id: match.id, prediction: "home", score_prediction: { home: 2, away: 1 } };
  const first = await ada.call("create_prediction", pick, { idempotencyKey: "first" });
  const again = await ada.call("create_prediction", pick, { idempotencyKey: "first" });
  equal(again, first, "the same key, the same answer");
  const missing = await failure(() => ada.call("show_event", { event: 999_999_999 }), TouchlineError);
  equal([missing.status, missing.code], [404, "not_found"], "no such match");
  const before = (await ada.call("show_coins")).data.balance;
  const { data: deducted } = await ada.call("deduct_coins", { amount: 5, reason: "wager" });
  equal(deducted.new_balance, before - 5, "coins");

  const [live] = (await ada.call("list_events", { status: "live" })).data;
  const stop = new AbortController();
  const score = (live.home_score ?? 0) + 1;
  let seen = null;
  const onConnected = (isConnected) => {
    const goal = { event: live.id, home_score: score, away_score: live.away_score ?? 0 };
    if (isConnected) operator.call("update_event", goal).catch(() => stop.abort());
  };
  for await (const news of ada.stream({ eventId: live.id, signal: stop.signal, onConnected })) {
    if (news.name === "score") seen = news.data;
    if (seen) break;
  }
  equal([seen?.event_id, seen?.home_score], [live.id, score], "the goal arrives");

  const { data: whole } = await operator.call("show_match", { event: live.id });
  const venue = { event: live.id, venue: "Another Ground" };
  await operator.call("update_event", venue, { ifMatch: whole.version });
  const outdated = await failure(() => operator.call("update_event", { ...venue, venue: "A Third" }, { ifMatch: whole.version }), TouchlineError);
  equal([outdated.code, outdated.details.changed], ["changed_meanwhile", ["venue"]], "what changed meanwhile");

  const own = [];
  const spend = (isConnected) => isConnected && ada.call("deduct_coins", { amount: 7, reason: "wager" });
  for await (const news of ada.stream({ onConnected: spend })) {
    if (news.name === "coins" && own.push(news.data.amount)) break;
  }
  equal(own, [-7], "my own coins are told");

  const room = await roomOf(ada, match.id);
  await ada.call("join_chat_room", { room });
  await bob.call("join_chat_room", { room });
  const [adasChat, bobsChat] = [await ada.chat(), await bob.chat()];
  const [adaSince, bobSince] = [await now(adasChat), await now(bobsChat)];
  const [adasNews, bobsNews] = [adasChat.sync({ since: adaSince }), bobsChat.sync({ since: bobSince })];
  await bobsChat.typing(room);
  await until(adasNews, ({ event }) => event.type === "m.typing" && event.content.user_ids.includes(bobsChat.credentials.user_id));
  const message = await bobsChat.send(room, "Two nil!");
  const heard = await until(adasNews, ({ event }) => event.event_id === message);
  equal([heard.kind, heard.room, heard.event.content.body], ["room", room, "Two nil!"], "the message arrives");
  await adasChat.read(room, message);
  const hasRead = (event) => event.content[message]?.["m.read"]?.[adasChat.credentials.user_id];
  await until(bobsNews, ({ event }) => event.type === "m.receipt" && hasRead(event));
  await Promise.all([adasNews.return(), bobsNews.return()]);
  const { chunk } = await bobsChat.history(room, { limit: 20 });
  ok(chunk.some((event) => event.event_id === message), "the message is in the history");

  await ada.call("log_out");
  equal([sessions.at(-1), kept.size, await ada.session()], [null, 0, null], "the session is gone");
  const out = await failure(() => ada.call("show_me"), TouchlineError);
  equal([out.status, out.code], [401, "unauthenticated"], "logged out");
  return "arrived";
}

/** A match gets its room soon after the match is known. */
async function roomOf(fan, event) {
  for (;;) {
    const { chat_room_id: room } = (await fan.call("show_event", { event })).data;
    if (room) return room;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function until(news, isIt) {
  for (;;) {
    const { value, done } = await news.next();
    if (done) throw new Error("the news ended");
    if (isIt(value)) return value;
  }
}

async function now(chat) {
  return (await chat.request("GET", "/sync?timeout=0")).next_batch;
}

async function failure(call, kind) {
  try {
    await call();
  } catch (error) {
    if (error instanceof kind) return error;
    throw error;
  }
  throw new Error("it should have failed");
}

function equal(found, wanted, what) {
  const [one, other] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (one !== other) throw new Error(`${what}: ${one} instead of ${other}`);
}

function ok(is, what) {
  if (!is) throw new Error(`${what}: no`);
}
