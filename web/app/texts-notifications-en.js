/** @typedef {string} S */
export const en = {
  // This browser
  thisDevice: "Notifications on this device", isOn: "on", isOff: "off",
  offWhy: "Reminders, results and what is said to you, also while this page is closed.", ofAnother: "This browser shows the messages of another fan. Turned on here, it shows yours instead.",
  turnOn: "Turn on for this device", turnOff: "Turn off", asking: "Your browser asks whether you allow it. Please answer there.", settingUp: "One moment …",
  onHow: "Messages come to this browser until you turn them off or log out.", notYet: "You have not answered your browser: nothing is turned on.",
  isBlocked: "blocked", blocked: "Your browser blocks messages from this page.", unblock: "Press the sign to the left of the address, allow notifications for this page, and come back: it is noticed at once.",
  isUnable: "not possible here", unable: "This browser takes no messages from pages, or not in a private window or without https. Another browser may.",
  toInstall: "On iPhone and iPad this works once the page is an app: press Share, then “Add to Home Screen”, and open it from there.",
  notSubscribed: "Your browser's message service did not answer, so nothing was turned on.", itsWords: (/** @type {S} */ words) => `It said: ${words}`,
  // Devices
  otherDevices: "Your other devices", noDevices: "No other device gets your messages.", noName: "A device without a name", since: (/** @type {S} */ date) => `since ${date}`, remove: "Remove", removeOf: (/** @type {S} */ name) => `Remove ${name}`, removed: (/** @type {S} */ name) => `${name} gets no more messages.`,
  services: { webpush: "Browser", fcm: "Android app", apns: "iPhone app", http: "Own server" },
  failures: {
    refused: "Its message service refuses what we send. Turn it on again there.", later: "Its message service has not answered lately; we keep trying.",
    bad_key: "Its message service does not accept our key. The operators have to mend that.", not_set_up: "We cannot reach devices of this sort. The operators have to set that up.",
  },
  // What
  what: "What you are told", before: "How long before", saved: "Saved", isSaved: (/** @type {S} */ what) => `${what}: saved.`, notSaved: "This was not saved, and is as it was before.",
  kinds: {
    reminder: ["Reminder to predict", "Before a match that you have not predicted"],
    remind_teams: ["For my teams", "Matches of teams that you follow"], remind_leagues: ["For my leagues", "Matches that count in one of your leagues"],
    result: ["Results", "Of what you predicted, with your points"], kick_off: ["Kick-off", "When one of your teams begins"], goal: ["Goals", "In matches of your teams"],
    invitation: ["Invitations", "Into a chat room"], mention: ["Mentions", "When somebody speaks to you in a room"], chat: ["All that is said", "In your chat rooms; in large ones only what is said to you"], message: ["News from the operators", "What they tell everybody, your team's fans or your league"],
  },
  remindsOfNothing: "With neither chosen there is nothing to remind you of.",
  leads: { 15: "15 minutes", 30: "30 minutes", 60: "1 hour", 180: "3 hours", 720: "12 hours", 1440: "1 day" },
  // When
  when: "When", quiet: ["Quiet hours", "Nothing comes then; what still matters comes after"], from: "From", until: "Until",
  zone: (/** @type {S} */ zone) => `Times in ${zone}`, useZone: (/** @type {S} */ zone) => `Take ${zone}`, zoneWord: "Time zone",
  most: ["Messages a day", "At most; what is more is left out"],
};
