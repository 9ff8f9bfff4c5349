// Special tips on the fan page: finding a question, answering it, and what came of it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LIMIT, assertAccessible, closeQuestion, eventually, fanOf, goTo, openPage, openPageOf, somebodyNew, stage } from "./browser.mjs";

const on = stage();
const somebody = () => somebodyNew(on);
const openAs = (t, ...rest) => openPageOf(t, on, ...rest);

const inSeconds = (seconds) => new Date(Date.now() + seconds * 1_000).toISOString();
const THREE = ["Northgate", "Southbank", "Somebody else"];

/** A question of the demo's first tournament, open for an hour unless told otherwise. */
async function ask(text, { answers = THREE, seconds = 3_600, ...fields } = {}) {
  const touchline = await somebody();
  const { data } = await touchline.call("list_tournaments", { search: "harbour" });
  const options = answers.map((answer) => (typeof answer === "string" ? { text: answer } : answer));
  return (await on.operator.call("open_question", { tournament_id: data[0].id, text, points: 20, closes_at: inSeconds(seconds), options, ...fields })).data;
}

const idsOf = (question, ...answers) => question.options.filter(({ text }) => answers.includes(text)).map(({ id }) => id);
const answer = (who, question, ...answers) => who.call("answer_question", { question: question.id, option_ids: idsOf(question, ...answers) });
const settle = (question, ...answers) => on.operator.call("settle_question", { question: question.id, right_option_ids: idsOf(question, ...answers) });

/** Nobody can answer any more, and it is known what was picked. */
async function close(who, question) {
  await closeQuestion(on, question);
  await eventually(async () => (await who.call("show_question", { question: question.id })).data.tips !== null, true, "the answers are counted");
}

/** What the service has of one's answer, in words. */
async function answersOf(who, question) {
  const { tip, options } = (await who.call("show_question", { question: question.id })).data;
  return tip && options.filter(({ id }) => tip.option_ids.includes(id)).map(({ text }) => text);
}

const group = (fan, name) => fan.getByRole("group", { name, exact: true });
const question = (fan) => group(fan, "Question");
const save = (fan) => fan.getByRole("button", { name: "Save my answer" }).click();

test("a question that waits for an answer is told above the matches, and is answered from there", LIMIT, async (t) => {
  const [who, asked] = [await somebody(), await ask("Who wins the league?")];
  const { fan } = await openAs(t, who, "#matches", { width: 360 });
  await fan.getByRole("link", { name: /^Special tips .*to answer/ }).click();
  await fan.getByRole("link", { name: /Who wins the league\?.*to answer/ }).click();
  await fan.getByRole("radio", { name: "Southbank" }).check();
  await save(fan);
  await fan.getByText("Your answer is noted: Southbank.").waitFor();
  assert.deepEqual(await answersOf(who, asked), ["Southbank"]);
  await fan.getByRole("button", { name: "Back" }).click();
  await fan.getByRole("link", { name: /Who wins the league\?.*answered/ }).waitFor();
});

test("an answer is changed until the deadline", LIMIT, async (t) => {
  const [who, asked] = [await somebody(), await ask("Who is first?")];
  await answer(who, asked, "Northgate");
  const { fan } = await openAs(t, who, `#tips/${asked.id}`);
  await fan.getByText("Your answer is noted: Northgate.").waitFor();
  await fan.getByRole("radio", { name: "Somebody else" }).check();
  await fan.getByText("Not saved yet: Somebody else").waitFor();
  await fan.getByRole("button", { name: "Change my answer" }).click();
  await fan.getByText("Your answer is noted: Somebody else.").waitFor();
  assert.deepEqual(await answersOf(who, asked), ["Somebody else"]);
});

test("an answer is withdrawn", LIMIT, async (t) => {
  const [who, asked] = [await somebody(), await ask("Who is last?")];
  await answer(who, asked, "Northgate");
  const { fan } = await openAs(t, who, `#tips/${asked.id}`);
  await fan.getByRole("button", { name: "Withdraw it" }).click();
  await fan.getByText("Your answer is withdrawn.").waitFor();
  assert.equal(await fan.getByRole("radio", { checked: true }).count(), 0);
  assert.equal(await answersOf(who, asked), null);
});

test("of a question that takes two answers no third is picked", LIMIT, async (t) => {
  const [who, asked] = [await somebody(), await ask("Who goes up?", { most_picks: 2, answers: ["Arden", "Bryncoed", "Carrick", "Dunmore"] })];
  const { fan } = await openAs(t, who, `#tips/${asked.id}`);
  await fan.getByRole("checkbox", { name: "Arden" }).check();
  await fan.getByRole("checkbox", { name: "Dunmore" }).check();
  await fan.getByText("That is 2. Take one away to pick another.").waitFor();
  assert.ok(await fan.getByRole("checkbox", { name: "Carrick" }).isDisabled());
  await fan.getByRole("checkbox", { name: "Arden" }).uncheck();
  await fan.getByRole("checkbox", { name: "Carrick" }).check();
  await save(fan);
  await fan.getByText("Your answer is noted: Carrick, Dunmore.").waitFor();
  assert.deepEqual(await answersOf(who, asked), ["Carrick", "Dunmore"]);
});

const PLAYERS = Array.from({ length: 199 }, (_, at) => `Player ${String(at + 1).padStart(3, "0")}`);

test("among two hundred answers one is found by a part of its name, without its accents", LIMIT, async (t) => {
  const [who, asked] = [await somebody(), await ask("Who scores most?", { most_picks: 3, answers: [...PLAYERS, "Zoë Müller"] })];
  const { fan } = await openAs(t, who, `#tips/${asked.id}`);
  await fan.getByRole("checkbox", { name: "Player 007" }).check();
  await fan.getByRole("searchbox", { name: "Find an answer" }).fill("muller");
  await eventually(() => fan.locator(".answer").count(), 1, "one is left");
  await fan.getByRole("checkbox", { name: "Zoë Müller" }).check();
  await save(fan);
  await fan.getByText("Your answer is noted: Player 007, Zoë Müller.").waitFor();
});

test("a question says until when it is open, what it pays and where that counts", LIMIT, async (t) => {
  const asked = await ask("What does it pay?", { most_picks: 2, counts_in: ["season", "leagues"], seconds: 7_300 });
  const { fan } = await openAs(t, await somebody(), `#tips/${asked.id}`);
  await eventually(
    async () => (await question(fan).locator(".terms dd").allInnerTexts()).slice(1),
    ["20 points for each right answer", "pick up to 2", "the season's table and leagues on this tournament"],
    "the terms",
  );
  await question(fan).getByText("(in 2 hours)").waitFor();
});

test("a question that closes while it is looked at turns to what fans picked by itself", LIMIT, async (t) => {
  const who = await somebody();
  const asked = await ask("Closing soon?");
  await answer(who, asked, "Northgate");
  const { fan, page, username } = await openAs(t, who, `#tips/${asked.id}`);
  await fan.getByText("Your answer is noted: Northgate.").waitFor();
  await on.operator.call("change_question", { question: asked.id, closes_at: inSeconds(6) });
  await page.reload();
  await eventually(() => question(fan).locator(".answer-shares .num").allInnerTexts(), ["1 · 100 %", "0 · 0 %", "0 · 0 %"], "what fans picked");
  await group(fan, "What others answered").getByText(username).waitFor();
});

test("whoever is too late is told so politely, and sees the question closed", LIMIT, async (t) => {
  const who = await somebody();
  const asked = await ask("Too late?");
  const { fan, page } = await openAs(t, who, `#tips/${asked.id}`);
  await fan.getByRole("radio", { name: "Northgate" }).check();
  // The page thinks that there is an hour left.
  await closeQuestion(on, asked);
  await eventually(async () => (await who.call("show_question", { question: asked.id })).data.state, "closed", "the deadline");
  await save(fan);
  await fan.getByRole("alert").getByText("The deadline has passed meanwhile").waitFor();
  await question(fan).getByText("You did not answer this one.").waitFor();
  assert.match(page.url(), new RegExp(`#tips/${asked.id}$`));
});

test("a settled question marks what was right and says what it earned", LIMIT, async (t) => {
  const [who, other] = [await somebody(), await somebody()];
  const asked = await ask("Who went up?", { most_picks: 2 });
  await answer(who, asked, "Northgate", "Southbank");
  await answer(other, asked, "Somebody else");
  await close(who, asked);
  const { fan, page } = await openAs(t, who, `#tips/${asked.id}`);
  await question(fan).getByText("The points come when").waitFor();
  await settle(asked, "Northgate", "Southbank");
  await page.reload();
  await question(fan).getByText("+40 points").waitFor();
  await eventually(() => question(fan).locator(".is-right .answer-text").allInnerTexts(), ["Northgate", "Southbank"], "the right ones");
  await eventually(() => question(fan).locator(".is-right .won").allInnerTexts(), ["✓ right", "✓ right"], "said in words");
  await eventually(() => group(fan, "What others answered").locator("b.num").allInnerTexts().then((all) => all.sort()), ["+40 points", "0 points"], "what everybody earned");
});

test("a question that does not count says why", LIMIT, async (t) => {
  const asked = await ask("Who wins the cup that is not played?");
  await on.operator.call("void_question", { question: asked.id, reason: "The cup is not played" });
  const { fan } = await openAs(t, await somebody(), `#tips/${asked.id}`);
  await question(fan).getByText("The reason: The cup is not played").waitFor();
});

test("what others answered comes page by page", LIMIT, async (t) => {
  const asked = await ask("Who of many?");
  const many = await Promise.all(Array.from({ length: 21 }, somebody));
  await Promise.all(many.map((one) => answer(one, asked, "Northgate")));
  await close(many[0], asked);
  const { fan } = await openAs(t, many[0], `#tips/${asked.id}`);
  const others = group(fan, "What others answered");
  await eventually(() => others.locator(".item").count(), 20, "the first page");
  await others.getByRole("button", { name: "More" }).click();
  await eventually(() => others.locator(".item").count(), 21, "all");
});

test("the line above the matches comes with them, and moves nothing", LIMIT, async (t) => {
  await ask("Will it move?");
  const { fan, page } = await openAs(t, await somebody(), "#matches");
  await page.addInitScript(() => {
    window.moved = [];
    // Inside the list a kick-off moves the matches, as it should: what the line would move is the list.
    const isAroundMatches = ({ node }) => {
      const element = node?.closest ? node : node?.parentElement;
      return element?.closest(".stage") && !element.parentElement.closest(".list");
    };
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => window.moved.push(...entry.sources.filter(isAroundMatches).map(({ node }) => node.className)))).observe({ type: "layout-shift", buffered: true });
  });
  await page.reload();
  await fan.locator(".questions-line").waitFor();
  await fan.locator(".balance").waitFor();
  assert.deepEqual(await page.evaluate(() => window.moved), []);
});

test("a stranger's page does not ask for questions", LIMIT, async (t) => {
  const { page } = await openPage(t, on);
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.reload();
  await fanOf(page).locator(".match").first().waitFor();
  assert.deepEqual(asked.filter((path) => /question|inside/.test(path)), []);
});

test("a question that there is not is told clearly", LIMIT, async (t) => {
  const { fan } = await openAs(t, await somebody(), "#tips/999999");
  await fan.getByText("There is no such question.").waitFor();
  await fan.getByRole("button", { name: "To all questions" }).click();
  await group(fan, "Special tips").waitFor();
});

test("a question is answered by keyboard alone", LIMIT, async (t) => {
  const [who, asked] = [await somebody(), await ask("Without a mouse?")];
  const { fan, page } = await openAs(t, who, "#tips");
  await fan.getByRole("link", { name: /Without a mouse\?/ }).focus();
  await page.keyboard.press("Enter");
  await question(fan).getByRole("heading", { name: "Without a mouse?" }).waitFor();
  await fan.getByRole("radio").first().focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  await eventually(() => page.evaluate(() => document.activeElement.textContent), "Save my answer", "where the focus is");
  await page.keyboard.press("Enter");
  await fan.getByText("Your answer is noted: Southbank.").waitFor();
  assert.deepEqual(await answersOf(who, asked), ["Southbank"]);
});

test("a reader of German reads questions in German, and in English as soon as that is chosen", LIMIT, async (t) => {
  const asked = await ask("Wer wird Meister?");
  const { fan, page } = await openAs(t, await somebody(), `#tips/${asked.id}`, { locale: "de-DE" });
  await fan.getByText("20 Punkte für die richtige Antwort").waitFor();
  await fan.getByRole("button", { name: "Antwort speichern" }).waitFor();
  await page.getByLabel("Sprache").selectOption("en");
  await fan.getByRole("button", { name: "Save my answer" }).waitFor();
});

for (const [width, colorScheme] of [[1280, "light"], [1280, "dark"], [360, "light"], [360, "dark"]]) {
  test(`every view of special tips is for everybody at ${width} pixels in ${colorScheme}`, LIMIT, async (t) => {
    const [who, other] = [await somebody(), await somebody()];
    const { data: teams } = await who.call("list_teams", { per_page: 2 });
    const answers = [...teams.map(({ id, name }) => ({ text: name, team_id: id })), "AVeryLongAnswerWithoutAnySpaceInItThatWouldBeWiderThanATelephoneIfItWereNotBroken"];
    const over = await ask(`A question with many words that closed already, for ${width} pixels in ${colorScheme}?`, { answers });
    const gone = await ask("One that does not count?", { answers });
    const many = await ask(`Which of many at ${width} in ${colorScheme}?`, { answers: PLAYERS.slice(0, 40), most_picks: 3 });
    await answer(who, over, teams[0].name);
    await answer(other, over, answers[2]);
    await on.operator.call("void_question", { question: gone.id, reason: "Nobody plays" });
    await close(who, over);
    const { fan, page, complaints } = await openAs(t, who, "#matches", { width, colorScheme });
    await fan.locator(".questions-line").waitFor();
    await assertAccessible(page, "the line above the matches");
    await goTo(fan, "Special tips");
    await fan.getByRole("link", { name: new RegExp(`Which of many at ${width} in ${colorScheme}`) }).waitFor();
    await assertAccessible(page, "the list");
    await page.goto(`${on.service.baseUrl}/#tips/${many.id}`);
    await fan.getByRole("checkbox", { name: "Player 002" }).check();
    await assertAccessible(page, "an answer that is not saved");
    await save(fan);
    await fan.getByText("Your answer is noted").waitFor();
    await assertAccessible(page, "a saved answer");
    await page.goto(`${on.service.baseUrl}/#tips/${over.id}`);
    await group(fan, "What others answered").locator(".item").nth(1).waitFor();
    await assertAccessible(page, "a closed question");
    await settle(over, teams[0].name);
    await eventually(async () => (await who.call("show_question", { question: over.id })).data.tip.points_earned, 20, "the points");
    await page.reload();
    await question(fan).getByText("+20 points").waitFor();
    await assertAccessible(page, "a settled question");
    await page.goto(`${on.service.baseUrl}/#tips/${gone.id}`);
    await fan.getByText("The reason: Nobody plays").waitFor();
    await assertAccessible(page, "a void question");
    // A page that is read from the disk has no header that lets its worker see to all of it.
    assert.deepEqual(complaints.filter((text) => !(process.env.WEB_FROM_DISK && text.includes("max scope"))), []);
  });
}
