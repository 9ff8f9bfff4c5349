/** @type {typeof import("./texts-notifications-en.js").en} */
export const de = {
  thisDevice: "Benachrichtigungen auf diesem Gerät", isOn: "an", isOff: "aus",
  offWhy: "Erinnerungen, Ergebnisse und was man dir schreibt, auch wenn diese Seite zu ist.", ofAnother: "Dieser Browser zeigt die Nachrichten eines anderen Fans. Hier eingeschaltet, zeigt er stattdessen deine.",
  turnOn: "Auf diesem Gerät einschalten", turnOff: "Ausschalten", asking: "Dein Browser fragt, ob du es erlaubst. Bitte antworte dort.", settingUp: "Einen Moment …",
  onHow: "Nachrichten kommen in diesen Browser, bis du sie ausschaltest oder dich abmeldest.", notYet: "Du hast deinem Browser nicht geantwortet: Es ist nichts eingeschaltet.",
  isBlocked: "blockiert", blocked: "Dein Browser blockiert Nachrichten dieser Seite.", unblock: "Drücke das Zeichen links von der Adresse, erlaube dieser Seite Benachrichtigungen und komm zurück: Das wird sofort bemerkt.",
  isUnable: "hier nicht möglich", unable: "Dieser Browser nimmt keine Nachrichten von Seiten an, oder nicht in einem privaten Fenster oder ohne https. Ein anderer vielleicht schon.",
  toInstall: "Auf iPhone und iPad geht das, sobald die Seite eine App ist: Drücke „Teilen“, dann „Zum Home-Bildschirm“, und öffne sie von dort.",
  notSubscribed: "Der Nachrichtendienst deines Browsers hat nicht geantwortet, also ist nichts eingeschaltet.", itsWords: (words) => `Er sagte: ${words}`,
  otherDevices: "Deine anderen Geräte", noDevices: "Kein anderes Gerät bekommt deine Nachrichten.", noName: "Ein Gerät ohne Namen", since: (date) => `seit ${date}`, remove: "Entfernen", removeOf: (name) => `${name} entfernen`, removed: (name) => `${name} bekommt keine Nachrichten mehr.`,
  services: { webpush: "Browser", fcm: "Android-App", apns: "iPhone-App", http: "Eigener Server" },
  failures: {
    refused: "Sein Nachrichtendienst lehnt ab, was wir senden. Schalte es dort neu ein.", later: "Sein Nachrichtendienst hat zuletzt nicht geantwortet; wir versuchen es weiter.",
    bad_key: "Sein Nachrichtendienst nimmt unseren Schlüssel nicht an. Das müssen die Betreiber beheben.", not_set_up: "Geräte dieser Art erreichen wir nicht. Das müssen die Betreiber einrichten.",
  },
  what: "Was du erfährst", before: "Wie lange vorher", saved: "Gespeichert", isSaved: (what) => `${what}: gespeichert.`, notSaved: "Das wurde nicht gespeichert und ist wieder wie vorher.",
  kinds: {
    reminder: ["Erinnerung ans Tippen", "Vor einem Spiel, das du nicht getippt hast"],
    remind_teams: ["Für meine Vereine", "Spiele der Vereine, denen du folgst"], remind_leagues: ["Für meine Ligen", "Spiele, die in einer deiner Ligen zählen"],
    result: ["Ergebnisse", "Von dem, was du getippt hast, mit deinen Punkten"], kick_off: ["Anstoß", "Wenn einer deiner Vereine beginnt"], goal: ["Tore", "In Spielen deiner Vereine"],
    invitation: ["Einladungen", "In einen Chatraum"], mention: ["Erwähnungen", "Wenn dich jemand in einem Raum anspricht"], chat: ["Alles Gesagte", "In deinen Chaträumen; in großen nur, was dir gilt"], message: ["Neues von den Betreibern", "Was sie allen, den Fans deines Teams oder deiner Liga mitteilen"],
  },
  remindsOfNothing: "Ist beides aus, gibt es nichts, woran wir erinnern.",
  leads: { 15: "15 Minuten", 30: "30 Minuten", 60: "1 Stunde", 180: "3 Stunden", 720: "12 Stunden", 1440: "1 Tag" },
  when: "Wann", quiet: ["Ruhezeit", "Dann kommt nichts; was noch zählt, kommt danach"], from: "Von", until: "Bis",
  zone: (zone) => `Zeiten in ${zone}`, useZone: (zone) => `${zone} nehmen`, zoneWord: "Zeitzone",
  most: ["Nachrichten am Tag", "Höchstens; was darüber ist, entfällt"],
};
