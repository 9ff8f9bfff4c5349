// Special tips at the console: asked, changed, settled, corrected, voided, and what a viewer is not offered.
import assert from "node:assert/strict";
import { test } from "node:test";
import { OPERATOR_TOKEN } from "../../clients/js/test/service.mjs";
import { LIMIT, ZONE, assertAccessible, closeQuestion, eventually, makeMatch, stage } from "./browser.mjs";
import * as desk from "./desk.mjs";
import { confirm, goTo, inspect, press, signIn } from "./desk.mjs";

const on = stage();
const tokenOf = async (name, role) => (await on.operator.call("add_operator", { name, role })).data.token;
const show = async (id) => (await on.operator.call("look_at_question", { question: id })).data;
const rowOf = (page, text) => page.getByRole("table", { name: "Special tips" }).getByRole("row").filter({ hasText: text });
const answersOf = (page) => page.getByRole("table", { name: "Answers" });
const dialogOf = (page) => page.getByRole("dialog");
const hoursAhead = (hours) => new Date(Date.now() + hours * 3_600_000);

/** A moment as somebody in the browser's zone types it. */
function localTime(moment) {
  const parts = new Intl.DateTimeFormat("sv-SE", { timeZone: ZONE, year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" });
  return parts.format(moment).replace(" ", "T");
}

async function harbourLeague() {
  const { data } = await on.operator.call("list_tournaments_to_choose", { search: "Harbour League" });
  return data[0].id;
}

/** Tournaments of a test's own, by their names; answers their ids. */
async function makeTournaments(...names) {
  const slugOf = (name) => name.toLowerCase().replaceAll(" ", "_");
  const { data } = await on.operator.call("import_catalogue", { sports: [], teams: [], events: [], tournaments: names.map((name) => ({ slug: slugOf(name), name, sport: "football" })) });
  return names.map((name) => data.tournaments[slugOf(name)]);
}

/** A question as a script asks it, open for a day. */
async function ask(text, fields = {}) {
  const answers = ["Bryncoed", "Port Ellery", "Somebody else"].map((text) => ({ text }));
  const body = { tournament_id: await harbourLeague(), text, closes_at: hoursAhead(24).toISOString(), points: 20, options: answers, ...fields };
  return (await on.operator.call("open_question", body)).data;
}

let fans = 0;
/** One that closed a moment ago, with what was picked counted: as many fans as are said for each answer. */
async function askAndClose(text, picks = [1], fields = {}) {
  const question = await ask(text, fields);
  for (const [at, count] of picks.entries()) {
    for (let nth = 0; nth < count; nth += 1, fans += 1) {
      const { client } = await desk.makeFan(on, `+4477009${String(20_000 + fans)}`, `tipper_${fans}`);
      await client.call("answer_question", { question: question.id, option_ids: [question.options[at].id] });
    }
  }
  await closeQuestion(on, question);
  await eventually(async () => (await show(question.id)).tips !== null, true, "the tips are counted");
  return show(question.id);
}

const settle = (question, ...answers) => on.operator.call("settle_question", { question: question.id, right_option_ids: answers.map((at) => question.options[at].id) });
const rightOf = async (id) => (await show(id)).options.filter((option) => option.is_right).map(({ text }) => text);

/** The console where an operator is in. */
async function openAt(t, hash, { token = OPERATOR_TOKEN, ...options } = {}) {
  const opened = await desk.openConsole(t, on, options, hash);
  await signIn(opened.page, token);
  return opened;
}

/** The form, filled in so that nothing is wrong with it. */
async function fillForm(page, text) {
  await press(page, "New question …");
  const form = dialogOf(page);
  await form.locator("[name=tournament]").selectOption({ label: "Harbour League" });
  await form.getByRole("textbox", { name: "Question" }).fill(text);
  await form.getByLabel("Deadline").fill(localTime(hoursAhead(48)));
  await form.getByLabel("Points for a right answer").fill("25");
  await form.locator("textarea").fill("Bryncoed\nPort Ellery\nSomebody else");
  return form;
}

test("an operator asks a question through the form and finds it in the list", LIMIT, async (t) => {
  const { page, complained } = await openAt(t, "");
  await goTo(page, "Special tips");
  await fillForm(page, "Who goes down?");
  await confirm(page, "Open the question");
  await page.getByRole("heading", { level: 1, name: "Who goes down?" }).waitFor();
  await goTo(page, "Special tips");
  const cells = () => rowOf(page, "Who goes down?").getByRole("cell").allInnerTexts();
  await eventually(async () => (await cells()).toSpliced(2, 1), ["Who goes down?\nHarbour League", "open", "25", "3", "–"], "the row");
  assert.deepEqual(complained(), []);
});

test("a new question counts in the tables that are ticked, the usual ones and one more", LIMIT, async (t) => {
  const { page } = await openAt(t, "#/questions");
  const form = await fillForm(page, "Who counts where?");
  await form.getByLabel("month", { exact: true }).check();
  await form.getByLabel("season", { exact: true }).uncheck();
  await confirm(page, "Open the question");
  await page.waitForURL(/#\/questions\/\d+$/);
  const question = await show(page.url().split("/").pop());
  assert.deepEqual([...question.counts_in].sort(), ["global", "leagues", "month", "tournament"]);
});

test("a deadline is typed in the operator's own zone", LIMIT, async (t) => {
  const { page } = await openAt(t, "#/questions");
  const form = await fillForm(page, "When is it?");
  await form.getByLabel("Deadline").fill("2027-07-01T15:00");
  await confirm(page, "Open the question");
  await page.waitForURL(/#\/questions\/\d+$/);
  const { closes_at: closes } = await show(page.url().split("/").pop());
  assert.equal(localTime(new Date(closes)), "2027-07-01T15:00");
});

test("the tournament's teams become answers that are known to be those teams", LIMIT, async (t) => {
  await makeMatch(on, "teams_of_the_league", 90);
  const { page } = await openAt(t, "#/questions");
  const form = await fillForm(page, "Who of the teams?");
  await form.locator("textarea").fill("Somebody else");
  await press(page, "Add the tournament's teams");
  await eventually(async () => (await form.locator("textarea").inputValue()).split("\n").length > 2, true, "the teams are written down");
  await confirm(page, "Open the question");
  await page.waitForURL(/#\/questions\/\d+$/);
  const { options } = await show(page.url().split("/").pop());
  assert.deepEqual([options[0].team_id, options.slice(1).every(({ team_id: team }) => team !== null)], [null, true]);
});

test("an answer that is there twice is told while it is typed", LIMIT, async (t) => {
  const { page } = await openAt(t, "#/questions");
  const form = await fillForm(page, "Who twice?");
  await form.locator("textarea").fill("Bryncoed\nPort Ellery\n  Bryncoed ");
  await form.locator("label", { has: page.locator("textarea") }).getByText("There twice: Bryncoed.").waitFor();
  assert.ok(await form.getByRole("button", { name: "Open the question" }).isDisabled());
});

test("a deadline that is past, and points that are none, are told at their fields, and what was typed stays", LIMIT, async (t) => {
  const { page } = await openAt(t, "#/questions");
  const form = await fillForm(page, "Who is too late?");
  await form.getByLabel("Points for a right answer").fill("many");
  await form.getByLabel("Deadline").fill("2020-01-01T15:00");
  await confirm(page, "Open the question");
  await form.locator("label", { has: page.locator("[name=points]") }).getByText("Must be a whole number from 1 to 1000.").waitFor();
  await form.getByLabel("Points for a right answer").fill("10");
  await confirm(page, "Open the question");
  await form.locator("label", { has: page.locator("[name=closes_at]") }).getByText("Must be in the future, at most 800 days ahead.").waitFor();
  assert.equal(await form.getByRole("textbox", { name: "Question" }).inputValue(), "Who is too late?");
});

test("more picks than answers are told at their field", LIMIT, async (t) => {
  const { page } = await openAt(t, "#/questions");
  const form = await fillForm(page, "Who is picked?");
  await form.getByLabel("Answers one may pick").fill("3");
  await confirm(page, "Open the question");
  await form.locator("label", { has: page.locator("[name=most_picks]") }).getByText("Must be less than there are answers.").waitFor();
});

test("the list is narrowed by state and by tournament", LIMIT, async (t) => {
  const [one] = await makeTournaments("Narrow Cup", "Other Cup");
  await ask("Narrowed and open?", { tournament_id: one });
  const gone = await ask("Narrowed and void?", { tournament_id: one });
  await on.operator.call("void_question", { question: gone.id, reason: "Not asked" });
  const { page } = await openAt(t, "#/questions");
  await page.getByLabel("Tournament").selectOption({ label: "Narrow Cup" });
  await rowOf(page, "Narrowed and open?").waitFor();
  await page.getByRole("link", { name: "void", exact: true }).click();
  await rowOf(page, "Narrowed and open?").waitFor({ state: "detached" });
  await rowOf(page, "Narrowed and void?").waitFor();
  await page.getByLabel("Tournament").selectOption({ label: "Other Cup" });
  await page.getByText("No question stands so.").waitFor();
  await page.waitForURL(/\?state=void&tournament=\d+$/);
  await page.getByRole("link", { name: "Show all" }).click();
  await page.waitForURL(/#\/questions$/);
});

test("many questions come in pages, the next deadline first among the open ones", LIMIT, async (t) => {
  const [id] = await makeTournaments("Paged Cup");
  for (let nth = 0; nth < 21; nth += 1) await ask(`Paged ${nth}?`, { tournament_id: id, closes_at: hoursAhead(100 - nth).toISOString() });
  const { page } = await openAt(t, `#/questions?state=open&tournament=${id}`);
  await page.getByText("Page 1 of 2 · 21 in all").waitFor();
  await page.locator(".view tbody tr").first().getByText("Paged 20?").waitFor();
  await page.getByRole("link", { name: "Later" }).click();
  await page.waitForURL(/page=2$/);
  await eventually(() => page.locator(".view tbody tr").allInnerTexts().then((rows) => rows.map((row) => row.split("?")[0])), ["Paged 0"], "the second page");
});

test("the deadline is moved, and nothing else is changed", LIMIT, async (t) => {
  const question = await ask("Until when?");
  const { page } = await openAt(t, `#/questions/${question.id}`);
  await press(page, "Change …");
  const dialog = dialogOf(page);
  assert.ok(await dialog.getByRole("button", { name: "Change the question" }).isDisabled(), "not before something is another");
  const typed = localTime(hoursAhead(72));
  await dialog.getByLabel("Deadline").fill(typed);
  await confirm(page, "Change the question");
  await dialog.waitFor({ state: "detached" });
  const after = await show(question.id);
  assert.deepEqual({ ...after, closes_at: localTime(new Date(after.closes_at)) }, { ...question, closes_at: typed });
});

test("a deadline of a closed question that is moved ahead opens it again, which is said before", LIMIT, async (t) => {
  const question = await askAndClose("Once more?");
  const { page } = await openAt(t, `#/questions/${question.id}`);
  await press(page, "Change …");
  await dialogOf(page).getByLabel("Deadline").fill(localTime(hoursAhead(5)));
  await dialogOf(page).getByText("It opens again").waitFor();
  await confirm(page, "Change the question");
  await page.getByText("It can be settled after its deadline.").waitFor();
  assert.equal((await show(question.id)).state, "open");
});

test("a question that closes while it is looked at can be settled without anything being reloaded", LIMIT, async (t) => {
  const { id } = await ask("Soon over?", { closes_at: new Date(Date.now() + 6_000).toISOString() });
  const { page } = await openAt(t, `#/questions/${id}`);
  await page.getByRole("button", { name: "Settle …" }).waitFor();
  await answersOf(page).getByRole("columnheader", { name: "Picked" }).waitFor();
});

test("a question is settled with what it pays said before, and its right answer is marked", LIMIT, async (t) => {
  const question = await askAndClose("Who won?", [2, 1]);
  const { page, complained } = await openAt(t, `#/questions/${question.id}`);
  await press(page, "Settle …");
  const dialog = page.getByRole("dialog", { name: "Settle “Who won?”" });
  await dialog.getByText("points are in the tables within seconds").waitFor();
  await dialog.getByLabel("Bryncoed").check();
  await dialog.getByText("2 picks are right: 40 points in all, counted in all time, season, tournament, leagues.").waitFor();
  await confirm(page, "Settle 3 tips");
  await answersOf(page).getByRole("row").filter({ hasText: "✓ right" }).getByText("Bryncoed").waitFor();
  assert.deepEqual(await rightOf(question.id), ["Bryncoed"]);
  assert.deepEqual(complained(), []);
});

test("among many answers the right one is found by a part of its text, and stays in sight once it is chosen", LIMIT, async (t) => {
  const question = await askAndClose("Who of many?", [1], { options: Array.from({ length: 40 }, (_, nth) => ({ text: `Player ${nth}` })) });
  const { page } = await openAt(t, `#/questions/${question.id}`);
  await press(page, "Settle …");
  await dialogOf(page).getByLabel("Find an answer").fill("yer 37");
  await dialogOf(page).getByLabel("Player 37").check();
  await dialogOf(page).getByLabel("Find an answer").fill("yer 12");
  await eventually(() => dialogOf(page).locator(".ticks label .said").allInnerTexts(), ["Player 12", "Player 37"], "what is in sight");
});

test("what was right is corrected, with what was right before in sight", LIMIT, async (t) => {
  const question = await askAndClose("Who won really?");
  await settle(question, 0);
  const { page } = await openAt(t, `#/questions/${question.id}`);
  await press(page, "Correct …");
  const dialog = page.getByRole("dialog", { name: "Correct “Who won really?”" });
  await dialog.getByText("Right until now: Bryncoed").waitFor();
  assert.ok(await dialog.getByRole("button", { name: "Correct 1 tip" }).isDisabled(), "not before something else is right");
  await dialog.getByLabel("Bryncoed").uncheck();
  await dialog.getByLabel("Port Ellery").check();
  await dialog.getByText("Nobody picked it: no points are paid.").waitFor();
  await confirm(page, "Correct 1 tip");
  await answersOf(page).getByRole("row").filter({ hasText: "✓ right" }).getByText("Port Ellery").waitFor();
  assert.deepEqual(await rightOf(question.id), ["Port Ellery"]);
});

test("a question is voided with a reason, which is shown", LIMIT, async (t) => {
  const question = await ask("Who plays at all?");
  const { page } = await openAt(t, `#/questions/${question.id}`);
  await press(page, "Void …");
  assert.ok(await dialogOf(page).getByRole("button", { name: "Void the question" }).isDisabled(), "not without a reason");
  await dialogOf(page).getByLabel("Reason").fill("The cup is not played");
  await confirm(page, "Void the question");
  await page.locator(".verdict").getByText("The cup is not played").waitFor();
  assert.equal((await show(question.id)).state, "void");
});

test("settling a void question ends that", LIMIT, async (t) => {
  const question = await askAndClose("Void by mistake?");
  await on.operator.call("void_question", { question: question.id, reason: "By mistake" });
  const { page } = await openAt(t, `#/questions/${question.id}`);
  await press(page, "Settle after all …");
  await dialogOf(page).getByLabel("Port Ellery").check();
  await confirm(page, "Settle 1 tip");
  await page.locator(".verdict").waitFor({ state: "detached" });
  assert.deepEqual(await rightOf(question.id), ["Port Ellery"]);
});

test("a question that somebody else settles meanwhile is said to be settled, and what was typed is still there", LIMIT, async (t) => {
  const question = await askAndClose("Who is quicker?");
  const { page } = await openAt(t, `#/questions/${question.id}`);
  await press(page, "Change …");
  await dialogOf(page).getByRole("textbox", { name: "Question" }).fill("Who is slower?");
  await settle(question, 0);
  // Wakes the page, as coming back to its tab does.
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await answersOf(page).getByText("✓ right").waitFor();
  await confirm(page, "Change the question");
  await dialogOf(page).getByText("This question is settled or void. Only its result can be changed.").waitFor();
  assert.equal(await dialogOf(page).getByRole("textbox", { name: "Question" }).inputValue(), "Who is slower?");
});

test("a question whose deadline was moved ahead meanwhile is said to take answers still", LIMIT, async (t) => {
  const question = await askAndClose("Settled too soon?");
  const { page } = await openAt(t, `#/questions/${question.id}`);
  await press(page, "Settle …");
  await dialogOf(page).getByLabel("Bryncoed").check();
  await on.operator.call("change_question", { question: question.id, closes_at: hoursAhead(3).toISOString() });
  await confirm(page, "Settle 1 tip");
  await dialogOf(page).getByText("This question still takes answers. Move its deadline first.").waitFor();
});

for (const role of ["viewer", "moderator"]) {
  test(`a ${role} sees questions and is offered nothing to do about them`, LIMIT, async (t) => {
    const question = await askAndClose(`Seen by a ${role}?`);
    const { page } = await openAt(t, "#/questions?state=closed", { token: await tokenOf(`looking ${role}`, role) });
    await rowOf(page, question.text).waitFor();
    assert.equal(await page.locator(".view").getByRole("button").count(), 0);
    await rowOf(page, question.text).getByRole("link").click();
    await answersOf(page).waitFor();
    assert.equal(await page.locator(".view").getByRole("button").count(), 0);
  });
}

test("a question that is not there is said to be so", LIMIT, async (t) => {
  const { page } = await openAt(t, "#/questions/999999");
  await page.getByText("There is no question 999999.").waitFor();
});

for (const [cup, size] of Object.entries({ "Winter Cup": { width: 1280, colorScheme: "light" }, "Spring Cup": { width: 360, colorScheme: "light" }, "Summer Cup": { width: 1280, colorScheme: "dark" }, "Autumn Cup": { width: 360, colorScheme: "dark" } })) {
  test(`every view of special tips can be read and reached, at ${size.width}, ${size.colorScheme}`, LIMIT, async (t) => {
    const teams = ["Bryncoed", "Port Ellery", "Northgate FC", "Southbank FC", "Königliche Donaudampfschifffahrtsgesellschaft 1899", "Somebody else"].map((text) => ({ text }));
    const [id] = await makeTournaments(cup);
    const own = { tournament_id: id, options: teams };
    const open = await ask("Who wins the cup?", { ...own, most_picks: 2 });
    const closed = await askAndClose("Which team scores the most goals, from the first round of the cup to its final?", [3, 1, 0, 1], { ...own, counts_in: ["global", "season", "tournament", "tournament_month", "leagues"] });
    const settled = await askAndClose("Who leads at Christmas?", [1, 2], own);
    await settle(settled, 1);
    const gone = await askAndClose("Who plays at all?", [1], own);
    await on.operator.call("void_question", { question: gone.id, reason: "The cup is not played: too much snow." });
    const { page, complained } = await openAt(t, `#/questions?tournament=${id}`, size);
    const to = async (question, name) => {
      await page.goto(`${on.service.baseUrl}/console#/questions/${question.id}`);
      await page.getByRole("heading", { level: 1, name: question.text }).waitFor();
      await inspect(page, name, size);
    };
    await rowOf(page, open.text).waitFor();
    await inspect(page, "questions", size);
    const form = await fillForm(page, "Who wins the cup?");
    await form.locator("textarea").fill("Bryncoed\nBryncoed");
    await inspect(page, "question-new", size);
    await form.evaluate((dialog) => dialog.scrollTo(0, dialog.scrollHeight));
    await inspect(page, "question-new-end", size);
    await confirm(page, "Cancel");
    await to(open, "question-open");
    await press(page, "Change …");
    await inspect(page, "question-change", size);
    await confirm(page, "Cancel");
    await to(closed, "question-closed");
    await press(page, "Settle …");
    await dialogOf(page).getByLabel("Bryncoed").check();
    await inspect(page, "question-settle", size);
    assert.equal(await dialogOf(page).evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth), 0, "a long answer is within the dialog");
    await confirm(page, "Cancel");
    await to(settled, "question-settled");
    await press(page, "Correct …");
    await inspect(page, "question-correct", size);
    await confirm(page, "Cancel");
    await press(page, "Void …");
    await inspect(page, "question-voiding", size);
    await confirm(page, "Cancel");
    await to(gone, "question-void");
    assert.deepEqual(complained(), []);
  });
}

for (const width of [1280, 360]) {
  test(`special tips are dealt with in German, at ${width}`, LIMIT, async (t) => {
    const question = await askAndClose(`Wer wird Meister ${width}?`);
    const { page } = await desk.openConsole(t, on, { width, locale: "de-DE" }, `#/questions/${question.id}`);
    await page.getByLabel("Token").fill(OPERATOR_TOKEN);
    await press(page, "Anmelden");
    await press(page, "Ändern …");
    await page.getByLabel("Punkte für eine richtige Antwort").waitFor();
    await assertAccessible(page, "changing in German");
    await confirm(page, "Abbrechen");
    await press(page, "Werten …");
    await dialogOf(page).getByLabel("Bryncoed").check();
    await inspect(page, "frage-werten", { width, colorScheme: "light" });
    await confirm(page, "1 Tipp werten");
    await page.getByRole("table", { name: "Antworten" }).getByText("✓ richtig").waitFor();
    await inspect(page, "frage", { width, colorScheme: "light" });
  });
}

test("a tournament among more than a hundred is found by a part of its name, and stays chosen when another is searched for", LIMIT, async (t) => {
  await makeTournaments(...Array.from({ length: 100 }, (_, nth) => `A cup ${nth}`), "Zeppelin Trophy");
  const { page } = await openAt(t, "#/questions");
  await press(page, "New question …");
  const form = dialogOf(page);
  await form.getByRole("searchbox").fill("zeppel");
  await form.locator("[name=tournament]").selectOption({ label: "Zeppelin Trophy" });
  await form.getByRole("searchbox").fill("cup 9");
  await form.locator("option", { hasText: "A cup 99" }).waitFor({ state: "attached" });
  assert.equal(await form.locator("select option:checked").innerText(), "Zeppelin Trophy");
});
