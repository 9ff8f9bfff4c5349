/** @typedef {number} N @typedef {string} S */
export const en = {
  // Everywhere
  matches: "Matches", loading: "Loading", again: "Try again", requestId: "Request id", back: "Back", close: "Close",
  unreachable: "The service cannot be reached.", notices: "News",
  places: { matches: "Matches", tips: "Special tips", rooms: "Rooms", table: "Table", me: "Me" },
  fanNumber: (/** @type {N} */ place) => `Fan ${place}`,
  menuOf: (/** @type {N} */ place) => `Menu of fan ${place}`,
  anotherFan: "Open another fan", secondFan: "Second fan", fans: "Fans", closeFan: "Close this fan", language: "Language", docs: "API docs",
  about: "Your app can do what this page does", aboutHow: "It speaks the public API and nothing else, through one JavaScript module. Every call it makes is listed below under “What just happened”, ready to copy.",
  // How fresh it is
  isLive: "live", isPolling: "every 5 s", starting: "connecting", lost: "connection lost", tryNow: "try now", asOf: (/** @type {S} */ time) => `as of ${time}`,
  offline: "You are offline. What is shown may be old; it goes on by itself.",
  // Matches
  onNow: "On now", today: "Today", over: "Finished", noDate: "Without a date", live: "live", halfTime: "half-time", penalties: "penalties", fullTime: "full time", postponed: "postponed",
  noMatches: "No match today. Import a catalogue, or start the demo: touchline demo play.", matchesClosed: "Matches are shown to those who are in.",
  timesIn: "Times in", yourPick: "Your pick:", draw: "draw", score: "Score", void: "This match does not count.",
  points: (/** @type {N} */ points) => `${points > 0 ? "+" : ""}${points} ${points === 1 ? "point" : "points"}`,
  pointsShort: (/** @type {S} */ points) => `${points} pts`,
  goal: (/** @type {S} */ team) => `Goal for ${team}!`, kickOff: "Kick-off",
  // Predicting
  fansPicked: (/** @type {N} */ count, /** @type {S} */ shown) => (count === 0 ? "No fan has predicted yet" : count === 1 ? "One fan has predicted" : `${shown} fans have predicted`),
  comeInToPick: "Come in to predict, talk and collect points.",
  // Coming in
  comeIn: "Come in as a fan", comeInShort: "Come in", invitedToLeague: "You are invited to a league. Come in, and you will be asked whether to join.", comeInWhy: "A phone number and a texted code, as in your app.", phone: "Phone number", code: "Code",
  codeFromLog: "Development only: read from the SMS log, no message was sent.", sendCode: "Send me a code", enter: "Come in", otherNumber: "Other number", deviceName: "Fan page",
  // Rooms and chat
  isBanned: "This account is banned.",
  invitedTo: (/** @type {S} */ room) => `You are invited to ${room}`, removedFrom: (/** @type {S} */ room) => `You are no longer in ${room}`,
  // Coins
  coins: "coins",
  coinsMoved: (/** @type {S} */ amount) => `${amount} coins`,
  // The drawer
  whatHappened: "What just happened", calls: "Calls", news: "stream", noAnswer: "no answer", copy: "Copy", copied: "Copied", whereDocs: "More about this call:",
};
