// Compiled by `npm run check`, never run: what an app's compiler must accept, and what it must refuse.
import { Touchline, TouchlineError, storedIn } from "../touchline.js";

export async function accepted(touchline: Touchline) {
  await touchline.call("request_code", { phone: "+447700900123" });
  const login = await touchline.call("verify_code", { phone: "+447700900123", code: "123456" });
  const token: string = login.data.token;
  const chat: string | undefined = login.data.matrix_credentials?.user_id;
  const me = await touchline.call("show_me");
  const name: string | null = me.data.name;
  const events = await touchline.call("list_events", { status: "live", per_page: 50 });
  const status: "live" | "scheduled" | "finished" | undefined = events.data[0]?.status;
  const last: number = events.meta.last_page;
  const event = await touchline.call("show_event", { event: 12 });
  await touchline.call("create_prediction", { event_id: event.data.id, prediction: "home" }, { idempotencyKey: "one" });
  for await (const team of touchline.pages("list_teams", { search: "north" })) console.log(team.slug);
  const error = new TouchlineError({ code: "network", message: "away" });
  const fields: Record<string, string[]> = error.fields;
  new Touchline({ baseUrl: "https://app.example.org", session: storedIn(localStorage) });
  return { token, chat, name, status, last, fields };
}

export async function refused(touchline: Touchline) {
  // @ts-expect-error no such operation
  await touchline.call("list_evnts");
  // @ts-expect-error nothing was given of what is required
  await touchline.call("request_code");
  // @ts-expect-error a number is no phone
  await touchline.call("request_code", { phone: 1 });
  // @ts-expect-error not one of the three words
  await touchline.call("create_prediction", { event_id: 1, prediction: "tie" });
  // @ts-expect-error a part of the path is missing
  await touchline.call("show_event", {});
  // @ts-expect-error an answer has no such field
  (await touchline.call("show_me")).data.phone_number;
}
