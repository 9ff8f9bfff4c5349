/** @typedef {number} N @typedef {string} S */
export const en = {
  // One's own
  leagues: "Leagues", league: "League", noLeagues: "You are in no league yet. Make one and send its link to friends, or join one with a code.",
  make: "Make a league", find: "Find a league", haveCode: "Join with a code", look: "Go on", closed: "closed", place: (/** @type {S} */ rank, /** @type {S} */ points) => `#${rank} · ${points} pts`,
  pointsOf: (/** @type {N} */ count, /** @type {S} */ shown) => (count === 1 ? "1 point" : `${shown} points`),
  more: "More", of: (/** @type {S} */ from, /** @type {S} */ to, /** @type {S} */ total) => `${from}–${to} of ${total}`, earlier: "Previous page", later: "Next page",
  // Making and changing
  newLeague: "New league", name: "Name", whichMatches: "Matches of", findTournament: "Find a tournament", noTournament: "No tournament has this in its name.", noTournaments: "There is no tournament yet. Operators bring them in with the catalogue.",
  chooseOne: "Choose at least one tournament.", scoring: "Points", firstWeek: "From the week of", countsFrom: (/** @type {S} */ day) => `Predictions count from Monday, ${day}.`,
  isPublic: "Public: anybody may find and join it", isPrivate: "Only who has its code or link gets in.", isForAll: "It is listed for everybody; nobody needs the code.", hasChat: "With a chat room for its members",
  presets: { tournament: "As each tournament pays", classic: "Classic", kicktipp: "Kicktipp", super6: "Super 6", premier_league: "Premier League" },
  presetOf: {
    tournament: "Each tournament's own rules, and how sure you were where that counts there.",
    classic: "Right outcome 3, goal difference 4, exact score 6.", kicktipp: "Right outcome 2, goal difference 3, exact score 4.",
    super6: "Right outcome 2, exact score 5.", premier_league: "Right outcome 5, exact score 10.",
  },
  makeIt: "Make the league", reckoned: "If the matches, the points or the first week change, the whole table is reckoned anew.", noChatThen: "Without a chat room everybody is taken out of it.",
  // Finding and joining
  publicLeagues: "Public leagues", findLeague: "Search by name", noPublic: "There is no public league yet. Make the first.", notFound: "No public league has this in its name.", joined: "You are in it.",
  join: "Join", joinIt: "Join the league", joinWhat: (/** @type {S} */ name) => `Join ${name}?`, openIt: "Open the league", notNow: "Not now", invitation: "Invitation to a league",
  isMember: (/** @type {S} */ name) => `You are in ${name} already.`, joinCounts: "What you have predicted since its first week counts at once.",
  wrongCode: (/** @type {S} */ code) => `There is no league with the code ${code}. Perhaps a letter is missing, or the code was renewed: ask for the link again.`, otherCode: "Other code",
  // One league
  allWeeks: "All weeks", week: "Week", weekOf: (/** @type {S} */ day) => `Week of ${day}`, weeks: "Weeks", isOn: "running", wonBy: "Won by", leadBy: "In front:", nobodyWon: "Nobody has points", others: "and others",
  noWeeks: "The first week shows up with the first result.", weekEmpty: "No prediction of this week is settled yet.",
  countsSince: (/** @type {S} */ day) => `since ${day}`, startsOn: (/** @type {S} */ day) => `begins ${day}`, isClosed: "This league is closed: nothing counts any more, and the table stays.",
  whereAmI: "Where am I?", gone: "There is no such league, or it is not for everybody.", backToLeagues: "To your leagues",
  // Inviting and talking
  invite: "Invite friends", inviteHow: "Whoever opens this link is asked whether to join.", code: "Code", link: "Link", copyLink: "Copy the link", share: "Share", shareText: (/** @type {S} */ name) => `Join my league “${name}”`,
  newCode: "New code …", newCodeWhat: "The code and the link of now let nobody in any more. Members stay.", newCodeYes: "Take a new code",
  chat: "Chat room", openChat: "Open the chat room", chatSoon: "The chat room opens in a moment.", chatLeft: "You are not in the league's chat room.", comeInAgain: "Come in again", comingIn: "You are being let in …",
  // Members and running it
  members: "Members", roles: { owner: "owner", deputy: "deputy", member: "member" }, you: "you", joinedOn: (/** @type {S} */ day) => `since ${day}`, actionsFor: (/** @type {S} */ who) => `What to do about ${who}`,
  makeDeputy: "Make deputy", makeMember: "Make member again", handOver: "Hand over …", remove: "Remove …", removeForGood: "Remove for good …",
  deputyMay: "Deputies may take a new code and remove members.",
  handOverWhat: (/** @type {S} */ who) => `The league is ${who}'s then: they alone can change or close it. You stay as a deputy.`, handOverYes: "Hand the league over",
  removeWhat: (/** @type {S} */ who) => `${who} loses their place in the table and the chat room. With the code they can join again.`, removeYes: "Remove",
  forGoodWhat: (/** @type {S} */ who) => `${who} loses their place in the table and the chat room, and cannot join again, with whatever code.`, forGoodYes: "Remove for good",
  removed: (/** @type {S} */ who) => `${who} is shut out.`, readmit: "Let in again", readmitted: (/** @type {S} */ who) => `${who} may join again.`,
  running: "This league", change: "Change …", leave: "Leave …", closeIt: "Close …",
  leaveWhat: "You lose your place in the table and the chat room. Your predictions stay yours: if you join again, they count again.", leaveLast: "You are its last member: the league is closed when you leave.", leaveYes: "Leave the league",
  ownerStays: "To leave, hand the league over to a member first.",
  closeWhat: (/** @type {N} */ count, /** @type {S} */ shown) => `For ${count === 1 ? "its one member" : `all ${shown} members`} the league ends: nobody joins, nothing counts any more. The table stays. It cannot be opened again.`, closeYes: "Close the league",
};
