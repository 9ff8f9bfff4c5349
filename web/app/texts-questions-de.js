/** @type {typeof import("./texts-questions-en.js").en} */
export const de = {
  questions: "Sondertipps", none: "Noch gibt es keine Frage. Die Betreiber stellen sie vor und während eines Wettbewerbs: Wer gewinnt ihn, wer trifft am häufigsten?", noneOpen: "Gerade ist keine Frage offen.",
  open: "Offen", over: "Geschlossen", more: "Mehr", toAnswer: "noch offen", answered: "beantwortet",
  states: { open: "offen", closed: "geschlossen", settled: "gewertet", void: "ungültig" },
  closes: (when) => `schließt ${when}`, thisMinute: "in weniger als einer Minute", closesNow: "jetzt", justNow: "gerade eben",
  question: "Frage", gone: "Diese Frage gibt es nicht.", back: "Zu allen Fragen",
  until: "Schließt", wasUntil: "Schloss", points: "Punkte", picks: "Antworten", countsIn: "Zählt in",
  pointsEach: (points, shown) => `${points === 1 ? "1 Punkt" : `${shown} Punkte`} für jede richtige Antwort`, pointsFor: (points, shown) => `${points === 1 ? "1 Punkt" : `${shown} Punkte`} für die richtige Antwort`,
  pickOne: "eine auswählen", pickUpTo: (most) => `bis zu ${most} auswählen`,
  tables: {
    global: "der Tabelle aller Zeiten", season: "der Saisontabelle", month: "der Monatstabelle", week: "der Wochentabelle", tournament: "der Tabelle des Wettbewerbs",
    tournament_month: "der Monatstabelle des Wettbewerbs", tournament_week: "der Wochentabelle des Wettbewerbs", leagues: "Tipprunden zu diesem Wettbewerb",
  },
  find: "Antwort suchen", notFound: "Keine Antwort heißt so.", nothingPicked: "Noch ist nichts ausgewählt.", isFull: (most) => `Das sind ${most}. Nimm eine weg, um eine andere zu wählen.`,
  unsaved: (answers) => `Noch nicht gespeichert: ${answers}`, noted: (answers) => `Deine Antwort ist notiert: ${answers}. Bis zum Schluss kannst du sie ändern.`,
  save: "Antwort speichern", change: "Antwort ändern", withdraw: "Zurückziehen", withdrawn: "Deine Antwort ist zurückgezogen.",
  closedMeanwhile: "Die Frage ist inzwischen geschlossen: Das wurde nicht gespeichert.",
  yourAnswer: "Deine Antwort", noAnswer: "Diese Frage hast du nicht beantwortet.", pointsSoon: "Die Punkte werden gezählt.", waits: "Punkte gibt es, sobald die richtige Antwort feststeht.",
  whatFansPicked: "Was Fans getippt haben", counting: "Die Antworten werden gezählt.", nobody: "Niemand hat geantwortet.", right: "richtig", yourPick: "dein Tipp",
  share: (count, percent) => `${count} · ${percent} %`, showAll: (count) => `Alle ${count} Antworten zeigen`,
  isVoid: "Diese Frage wird nicht gewertet.", why: (reason) => `Der Grund: ${reason}`,
  whatOthersSaid: "Was andere geantwortet haben", others: (count, shown) => (count === 1 ? "1 Fan" : `${shown} Fans`), othersLater: "Das ist nach dem Schluss zu sehen, damit niemand abschreibt.", you: "du",
};
