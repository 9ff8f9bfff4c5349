/** @typedef {number} N @typedef {string} S */
export const many = (/** @type {N} */ count, /** @type {S} */ one, /** @type {S} */ more) => `${count.toLocaleString("en")} ${count === 1 ? one : more}`;

export const en = {
  // Everywhere
  console: "console", loading: "Loading", again: "Try again", requestId: "Request id", unreachable: "The service cannot be reached.", cancel: "Cancel", close: "Close", working: "One moment …",
  sections: "Sections", menu: "Menu", skip: "Skip to the view", language: "Language", docs: "API docs", signOut: "Sign out", timesIn: "Times in", until: (/** @type {S} */ time) => `signed in until ${time}`,
  places: { front: "Overview", matches: "Match day", users: "Users", leagues: "Leagues", questions: "Special tips", reports: "Reports", notifications: "Notifications", money: "Money", machinery: "Machinery", audit: "Audit", operators: "Operators" },
  roles: { viewer: "viewer", moderator: "moderator", operator: "operator", owner: "owner" },
  noSuchPlace: "There is no such page", noSuchPlaceHow: "Perhaps the link is from another version. Go on at:",
  notForRole: (/** @type {S} */ own, /** @type {S} */ least) => `Your token is a ${own}'s. This page is for the role ${least}; an owner can make you such a token.`,
  isFresh: "up to date", lost: "The service does not answer.", reconnecting: "trying again …", tryNow: "Try now", staleSince: (/** @type {S} */ time) => `What is shown is as of ${time}. It goes on by itself.`,
  pages: "Pages", earlierPage: "Newer", nextPage: "Older", pageOf: (/** @type {S} */ page, /** @type {S} */ last, /** @type {S} */ total) => `Page ${page} of ${last} · ${total} in all`, inAll: (/** @type {S} */ shown, /** @type {N} */ total) => (total === 1 ? "1 entry" : `${shown} entries`),
  more: "more", less: "less", all: "all", showAll: "Show all", search: "Search", actions: "Actions", what: "What", when: "When", who: "Who", why: "Why", since: "Since", state: "State", reason: "Reason", changed: "Changed", ends: "Ends", never: "never", open: "open",
  duration: (/** @type {N} */ ms) => (ms < 1_000 ? "0 s" : ms < 120_000 ? `${Math.round(ms / 1_000)} s` : ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`),
  // Signing in
  signIn: "Sign in", signInTitle: "Sign in to the console", signInHow: "With an operator's token. It stays in this tab and is gone when you close it.", token: "Token",
  signInAgain: "Sign in again", signInAgainHow: "Your token has ended or was revoked. What you typed is still there below; after signing in, press again what you were about to do.",
  wrongToken: "This token opens nothing. It may have ended, or a character is missing.", whereToken: "Where do I get a token?", whereTokenHow: "An owner makes one here under Operators, or somebody on the server by:",
  // Front page
  whetherNeeded: "Whether anything needs a person", nothingNeeded: "Nothing needs a person right now.", needPerson: (/** @type {N} */ count) => `${many(count, "thing needs", "things need")} a person`, figures: "Figures",
  needs: {
    matchesInNeed: (/** @type {N} */ count) => many(count, "match needs a look", "matches need a look"),
    openReports: (/** @type {N} */ count) => many(count, "report is open", "reports are open"), frozenAccounts: (/** @type {N} */ count) => many(count, "account is frozen", "accounts are frozen"),
    failingJobs: (/** @type {N} */ count) => many(count, "job fails and is tried again and again", "jobs fail and are tried again and again"), heldMatches: (/** @type {N} */ count) => many(count, "match of a feed is held and waits for you", "matches of feeds are held and wait for you"),
    failingFeeds: (/** @type {N} */ count) => many(count, "feed failed at its last poll", "feeds failed at their last poll"), failedCodes: (/** @type {N} */ count) => many(count, "login code could not be sent in the last hour", "login codes could not be sent in the last hour"),
  },
  rightNow: "Right now", predictionsAMinute: "predictions a minute", listening: "listen live", live: "live", scheduled: "scheduled", finished: "finished", people: "People", registered: "registered", sessionsActive: "sessions in use", codesLastHour: "Codes in the last hour", sent: "sent", failed: "failed", jobs: "Jobs", failing: "failing", lag: "Lag", chat: "Chat", accountsBehind: "accounts behind",
  version: "Version", versionLine: (/** @type {S} */ version, /** @type {S} */ environment) => `Touchline ${version}, ${environment}.`,
  // Match day
  today: "Today", day: "Day", dayBefore: "The day before", dayAfter: "The day after", addMatch: "New match …", matchFilters: { need: "need a person", live: "live", scheduled: "scheduled", finished: "finished", void: "void" }, noMatches: "No match on this day. Choose another day, or add a match.", noNeeds: "No match needs a person.", score: "Score", picks: "Picks", sources: "Sources", byHand: "by hand", heldBy: (/** @type {S} */ provider) => `${provider} held`, halfTime: "half-time", final: "final", noDate: "no date",
  // Machinery
  machines: { jobs: "Jobs", feeds: "Feeds", sms: "Messages", webhooks: "Webhooks", nodes: "Nodes", health: "Health" }, lane: "Lane", lanesTitle: "Lanes", lanes: { match_clock: "match clock", settlement: "settlement", local: "local", chat: "chat", webhooks: "webhooks", feeds: "feeds", push: "notifications" }, unknownLane: "of another version", jobStates: { waiting: "waiting", running: "running", failing: "failing" }, due: "Due", tries: "Tries", lastError: "Last error",
  address: "Address", hearsOf: "Hears of", hookGone: "gone (410), left alone", hookActive: "active", addWebhook: "Add a webhook …", addWebhookWhat: "It hears of everything that happens from now on, signed as Standard Webhooks has it.", secret: "Secret", secretOf: (/** @type {S} */ url) => `The secret of ${url}`, noWebhooks: "No webhooks. An owner adds one; your systems then hear of every match.", sendAgain: "Send again …", remove: "Remove", removeHookTitle: (/** @type {S} */ url) => `Remove ${url}`, removeHookWhat: "It hears of nothing any more, also not of what waits for it.", replayTitle: "Send messages again", replayWhat: (/** @type {S} */ url) => `To ${url}. A receiver must be able to take a message twice.`, afterFeedId: "After the message with this id", afterFeedIdHint: "Empty: only what was not taken.", deliveries: "Deliveries", noDeliveries: "Nothing was sent yet.", deliveryStates: { waiting: "waiting", delivered: "taken", failing: "failing" },
};
