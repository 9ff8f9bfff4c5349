/** @typedef {number} N @typedef {string} S */
export const en = {
  // The list
  questions: "Special tips", none: "There is no question yet. Operators ask them before and during a tournament: who wins it, who scores most.", noneOpen: "No question is open now.",
  open: "Open", over: "Closed", more: "More", toAnswer: "to answer", answered: "answered",
  states: { open: "open", closed: "closed", settled: "settled", void: "void" },
  closes: (/** @type {S} */ when) => `closes ${when}`, thisMinute: "in less than a minute", closesNow: "now", justNow: "a moment ago",
  // One question
  question: "Question", gone: "There is no such question.", back: "To all questions",
  until: "Closes", wasUntil: "Closed", points: "Points", picks: "Answers", countsIn: "Counts in",
  pointsEach: (/** @type {N} */ points, /** @type {S} */ shown) => `${points === 1 ? "1 point" : `${shown} points`} for each right answer`, pointsFor: (/** @type {N} */ points, /** @type {S} */ shown) => `${points === 1 ? "1 point" : `${shown} points`} for the right answer`,
  pickOne: "pick one", pickUpTo: (/** @type {S} */ most) => `pick up to ${most}`,
  tables: {
    global: "the table of all time", season: "the season's table", month: "the month's table", week: "the week's table", tournament: "the tournament's table",
    tournament_month: "the tournament's table of the month", tournament_week: "the tournament's table of the week", leagues: "leagues on this tournament",
  },
  // Answering
  find: "Find an answer", notFound: "No answer has this in it.", nothingPicked: "Nothing is picked yet.", isFull: (/** @type {S} */ most) => `That is ${most}. Take one away to pick another.`,
  unsaved: (/** @type {S} */ answers) => `Not saved yet: ${answers}`, noted: (/** @type {S} */ answers) => `Your answer is noted: ${answers}. Change it until the deadline.`,
  save: "Save my answer", change: "Change my answer", withdraw: "Withdraw it", withdrawn: "Your answer is withdrawn.",
  closedMeanwhile: "The deadline has passed meanwhile: this was not saved.",
  // What came of it
  yourAnswer: "Your answer", noAnswer: "You did not answer this one.", pointsSoon: "The points are being counted.", waits: "The points come when the right answer is known.",
  whatFansPicked: "What fans picked", counting: "The answers are being counted.", nobody: "Nobody answered.", right: "right", yourPick: "your pick",
  share: (/** @type {S} */ count, /** @type {N} */ percent) => `${count} · ${percent} %`, showAll: (/** @type {S} */ count) => `Show all ${count} answers`,
  isVoid: "This question does not count.", why: (/** @type {S} */ reason) => `The reason: ${reason}`,
  whatOthersSaid: "What others answered", others: (/** @type {N} */ count, /** @type {S} */ shown) => (count === 1 ? "1 fan" : `${shown} fans`), othersLater: "It is shown after the deadline, so that nobody can copy.", you: "you",
};
