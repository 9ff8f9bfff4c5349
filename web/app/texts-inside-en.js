/** @typedef {number} N @typedef {string} S */
export const en = {
  // Everywhere
  save: "Save", saved: "Saved.",
  open: "open", what: "What", when: "When",
  skip: "Skip to the matches",
  // Matches
  matchNumber: (/** @type {N} */ id) => `Match ${id}`, outcomes: { home: "home win", draw: "draw", away: "away win" },
  // Special tips, above the matches
  tipsWait: (/** @type {N} */ count, /** @type {S} */ shown, /** @type {S} */ when) => (count === 1 ? `1 to answer, closes ${when}` : `${shown} to answer, first closes ${when}`), tipsDone: "nothing to answer now",
  // Predicting
  fansSaid: (/** @type {N} */ count, /** @type {S} */ shown) => (count === 0 ? "No fan has predicted yet" : count === 1 ? "What one fan said" : `What ${shown} fans said`),
  averageSure: (/** @type {N} */ percent) => `${percent} % sure on average`, sure: (/** @type {N} */ percent) => `${percent} % sure`,
  yourPrediction: "Your prediction", whoWins: "Who wins?", exactScore: "exact score", addScore: "Add an exact score", howSure: "How sure?",
  goalLess: (/** @type {S} */ team) => `One goal less for ${team}`, goalMore: (/** @type {S} */ team) => `One goal more for ${team}`,
  closes: (/** @type {S} */ when) => `closes ${when}`, openUntilDate: "open until there is a date", pickSaved: "Your pick is in. Change it until kick-off.", tapToPick: "One tap is a pick.",
  noPickOver: "You made no pick for this one.", noPickLive: "Picks closed at kick-off; you made none.",
  picksClosed: "Picks closed at kick-off.", pointsSoon: "The points are being counted.", final: "Final.", finalAt: (/** @type {S} */ time) => `Final at ${time}.`,
  // Notifications, from elsewhere
  notifications: "Notifications", notificationsWhat: "What you are told, where and when",
  shallRemind: "Shall we remind you before kick-off if a prediction is missing?", remindMe: "Yes, remind me", notNow: "Not now",
  willRemind: "We will remind you before matches of your teams and leagues. What else you are told, and when:", remindBlocked: "Your browser blocks messages from this page. What to do about it:", remindFailed: "Your browser's message service did not answer.",
  // Rooms and chat
  room: "Room", rooms: "Rooms", matchRoom: "Match room", said: "Messages", nothingSaid: "Nobody has said anything yet.", message: "Message", saySomething: "Say something", send: "Send",
  report: "Report", reportOf: (/** @type {S} */ who) => `Report what ${who} said`, reportReason: "What is wrong with it?", isReported: "Reported. The operators will look at it.", fine: "Fine", cancel: "Cancel",
  sending: "sending", waits: "Not sent yet: it goes out when the connection is back.", refused: (/** @type {S} */ why) => `Not sent: ${why}`, discard: "Discard",
  comeInToTalk: "Come in to talk.", roomSoon: "The room opens in a moment.", joinWhy: "Everybody who watches this meets here.", join: "Join the room",
  encrypted: "This room is private and encrypted. Talk in it with a Matrix app; this page shows how to make it and whom to invite.",
  newRoom: "New room", roomName: "Name", topic: "Topic", privateRoom: "Private: by invitation, encrypted", makeRoom: "Make the room", findRoom: "Find a room",
  yourRooms: "Your rooms", otherRooms: "To join", noRooms: "There is no room yet. Make the first one.", noRoomFound: "No room has this in its name.", chooseRoom: "Choose a room, or make one.",
  noTopic: "No topic", aboutRoom: "About this room", membersWord: "members", activeMembers: "active", predictionsWord: "predictions", bestHere: "Best predictors:",
  members: (/** @type {N} */ count, /** @type {S} */ shown) => (count === 1 ? "1 member" : `${shown} members`),
  inviteWhom: "Username", invite: "Invite", invited: (/** @type {S} */ who) => `${who} is invited.`, leaveRoom: "Leave this room",
  // The table
  table: "Table", rank: "#", fan: "Fan", exact: "exact", right: "right", pointsWord: "points", run: "in a row", period: "Period",
  periods: { all: "All time", season: "Season", month: "Month", week: "Week" },
  tableEmpty: "Nobody has points yet. They come with the first result.", fromTop: "From the top", whereAmI: "Where am I?", yourFigures: "Your figures", yourPicks: "Your picks",
  noPicks: "No picks yet. Choose a match that has not begun.", calibration: "Right by how sure you were; on the line would be perfect.",
  calibrated: (/** @type {N} */ from, /** @type {N} */ to, /** @type {N} */ percent) => `${from} to ${to} % sure: ${percent} % right`,
  // Coins
  coinsTitle: "Coins", claim: (/** @type {N} */ amount) => `Claim today's ${amount}`, spend: (/** @type {N} */ amount) => `Spend ${amount}`,
  streak: (/** @type {N} */ days) => (days === 1 ? "1 day in a row." : `${days} days in a row.`), noStreak: "Claim every day for a streak.",
  nextClaim: (/** @type {S} */ when, /** @type {N} */ amount) => `Next ${amount}: ${when}.`,
  reasons: { welcome: "Welcome", daily_bonus: "Daily bonus", sticker: "A sticker" },
  // The account
  profile: "Profile", username: "Username", usernameOnce: "Username (can be chosen once)", name: "Name", email: "Email", born: "Date of birth", since: (/** @type {S} */ date) => `here since ${date}`,
  teams: "Teams", findTeam: "Find a team", noTeam: "none chosen", noTeamFound: "No team has this in its name.", primary: "My team", alsoFollow: "Also follow", teamsHow: "☆ makes a team yours, + follows it too.",
  sessions: "Sessions", unnamedDevice: "A device without a name", thisOne: "This one", lastUsed: (/** @type {S} */ when) => `last used ${when}`, endSession: "End", endOthers: "End all others", logOut: "Log out",
  yourData: "Your data", exportWhy: "Everything that is kept about you, as one file.", export: "Download everything", leave: "Leave for good …", leaveForGood: "Delete my account", stay: "Stay",
  leaveWhat: (/** @type {S} */ who, /** @type {N} */ coins, /** @type {N} */ picks) => `This deletes ${who} for good: profile, coins (${coins}), picks (${picks}), rooms and sessions. The username is never given again.`,
};
