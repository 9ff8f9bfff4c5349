//! What the pages at `/sign-in` say.

use super::super::Entry;

// A line for each, however long: whoever translates reads tables, not code.
#[rustfmt::skip]
pub static SIGN_IN: &[Entry] = &[
    ("A code is on its way to {phone}. It is good for five minutes.", "Ein Code ist unterwegs an {phone}. Er gilt fünf Minuten."),
    ("A program on this device", "Ein Programm auf diesem Gerät"),
    ("A website", "Eine Website"),
    ("Afterwards you are asked whether to go on to", "Danach wirst du gefragt, ob es weitergehen soll zu"),
    ("An app on this device", "Eine App auf diesem Gerät"),
    ("An app that is logged in as {username} wants to replace the keys by which others know you.", "Eine App, die als {username} angemeldet ist, will die Schlüssel ersetzen, an denen andere dich erkennen."),
    ("Another number", "Andere Nummer"),
    ("Code from the message", "Code aus der Nachricht"),
    ("Confirmed", "Bestätigt"),
    ("Continue", "Weiter"),
    ("Continue to {place}?", "Weiter zu {place}?"),
    ("Enter the code", "Code eingeben"),
    ("Go back to your app: it can now set up your new identity.", "Geh zurück zu deiner App: Sie kann deine neue Identität jetzt einrichten."),
    ("Go on", "Weiter"),
    ("Go on only if you have just asked for this yourself. Whoever has the new keys can pass for you in encrypted rooms.", "Mach nur weiter, wenn du das gerade selbst verlangt hast. Wer die neuen Schlüssel hat, kann sich in verschlüsselten Räumen für dich ausgeben."),
    ("Go on only if you have just opened this page from your own app. If somebody sent you a link to it, close it.", "Mach nur weiter, wenn du diese Seite gerade aus deiner eigenen App geöffnet hast. Hat dir jemand einen Link hierher geschickt, schließe sie."),
    ("Log in with your phone", "Mit dem Telefon anmelden"),
    ("Old encrypted messages may stay unreadable, and your other devices verify again.", "Alte verschlüsselte Nachrichten können unlesbar bleiben, und deine anderen Geräte müssen neu bestätigt werden."),
    ("Others see that you have a new identity, and verify you anew if they did before.", "Andere sehen, dass du eine neue Identität hast, und müssen dich neu bestätigen, wenn sie das getan hatten."),
    ("Phone number", "Telefonnummer"),
    ("Reset the identity of {username}", "Identität von {username} zurücksetzen"),
    ("Reset your encryption identity?", "Identität für verschlüsselte Räume zurücksetzen?"),
    ("Send it again", "Noch einmal schicken"),
    ("Send me a code", "Code schicken"),
    ("The code goes to your phone that ends in {ending}.", "Der Code geht an dein Telefon, dessen Nummer auf {ending} endet."),
    ("There is nothing to confirm here, or no longer. Begin again in your app.", "Hier gibt es nichts zu bestätigen, oder nicht mehr. Beginne in deiner App von vorn."),
    ("This does not work", "Das geht nicht"),
    ("This form was sent from another site. Begin again in your app.", "Dieses Formular kam von einer anderen Website. Beginne in deiner App von vorn."),
    ("This is good for two minutes.", "Das gilt zwei Minuten."),
    ("This link leads back to no app. Begin again in your app.", "Dieser Link führt zu keiner App zurück. Beginne in deiner App von vorn."),
    ("This page is one step of several. Begin again in your app.", "Diese Seite ist ein Schritt von mehreren. Beginne in deiner App von vorn."),
    ("We text you a code. If your number is new here, you get an account with it.", "Wir schicken dir einen Code. Ist deine Nummer hier neu, bekommst du damit ein Konto."),
    ("You are {username} here. Whoever is there will read and write messages as you.", "Du bist hier {username}. Wer dort ist, liest und schreibt Nachrichten in deinem Namen."),
];
