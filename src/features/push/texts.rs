//! What a message says, in each language.

use crate::features::events::EventDetailsRow;
use crate::platform::language::Language;

/// A title and what is below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    pub title: String,
    pub body: String,
}

/// As many matches are named; of others only how many there are.
const NAMED: usize = 3;

/// Two teams, and the score if there is one.
pub fn line(details: &EventDetailsRow) -> String {
    let (home, away) = (&details.home_team.name, &details.away_team.name);
    match (details.event.home_score, details.event.away_score) {
        (Some(a), Some(b)) => format!("{home} {}–{} {away}", a.get(), b.get()),
        _ => format!("{home} – {away}"),
    }
}

/// Several lines as one text.
fn lines(all: &[String], language: Language) -> String {
    let named = all.iter().take(NAMED).cloned().collect::<Vec<_>>().join("\n");
    match (all.len().saturating_sub(NAMED), language) {
        (0, _) => named,
        (more, Language::En) => format!("{named}\nand {more} more"),
        (more, Language::De) => format!("{named}\nund {more} weitere"),
    }
}

/// Matches that begin in so many minutes and are not predicted.
pub fn reminder(language: Language, matches: &[String], minutes: i64) -> Words {
    let when = until(language, minutes);
    let title = match (language, matches.len()) {
        (Language::En, 1) => format!("Your prediction is missing, kick-off {when}"),
        (Language::En, count) => format!("{count} predictions are missing, kick-off {when}"),
        (Language::De, 1) => format!("Dein Tipp fehlt noch, Anstoß {when}"),
        (Language::De, count) => format!("{count} Tipps fehlen noch, Anstoß {when}"),
    };
    Words { title, body: lines(matches, language) }
}

fn until(language: Language, minutes: i64) -> String {
    let hours = (minutes + 30) / 60;
    match (language, minutes) {
        (Language::En, ..=1) => "now".to_owned(),
        (Language::En, ..=90) => format!("in {minutes} minutes"),
        (Language::En, _) => format!("in {hours} hours"),
        (Language::De, ..=1) => "jetzt".to_owned(),
        (Language::De, ..=90) => format!("in {minutes} Minuten"),
        (Language::De, _) => format!("in {hours} Stunden"),
    }
}

pub fn kick_off(language: Language, matches: &[String]) -> Words {
    let title = match language {
        Language::En => "Kick-off",
        Language::De => "Anstoß",
    };
    Words { title: title.to_owned(), body: lines(matches, language) }
}

/// Matches in which something was scored, as they stand.
pub fn goal(language: Language, matches: &[String], goals: usize) -> Words {
    let title = match (language, goals) {
        (Language::En, 1) => "Goal!".to_owned(),
        (Language::En, count) => format!("{count} goals"),
        (Language::De, 1) => "Tor!".to_owned(),
        (Language::De, count) => format!("{count} Tore"),
    };
    Words { title, body: lines(matches, language) }
}

/// Results, and what they earned in all.
pub fn result(language: Language, matches: &[String], points: i64) -> Words {
    let title = match (language, points) {
        (Language::En, 1) => "Full time: 1 point for you".to_owned(),
        (Language::En, points) => format!("Full time: {points} points for you"),
        (Language::De, 1) => "Schlusspfiff: 1 Punkt für dich".to_owned(),
        (Language::De, points) => format!("Schlusspfiff: {points} Punkte für dich"),
    };
    Words { title, body: lines(matches, language) }
}

pub fn invitation(language: Language, by: &str, room: &str) -> Words {
    let title = match language {
        Language::En => format!("{by} invites you"),
        Language::De => format!("{by} lädt dich ein"),
    };
    Words { title, body: room.to_owned() }
}

/// Of what was said in rooms so often; the last of it is shown.
pub fn mention(language: Language, by: &str, text: &str, count: usize) -> Words {
    let title = match (language, count) {
        (_, ..=1) => by.to_owned(),
        (Language::En, 2) => format!("{by}, and 1 more message"),
        (Language::En, count) => format!("{by}, and {} more messages", count - 1),
        (Language::De, 2) => format!("{by} und 1 weitere Nachricht"),
        (Language::De, count) => format!("{by} und {} weitere Nachrichten", count - 1),
    };
    Words { title, body: text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_matches_the_first_are_named() {
        let all: Vec<String> = (1..=5).map(|number| format!("A{number} – B{number}")).collect();
        let words = reminder(Language::En, &all, 60);
        assert_eq!(words.title, "5 predictions are missing, kick-off in 60 minutes");
        assert_eq!(words.body, "A1 – B1\nA2 – B2\nA3 – B3\nand 2 more");
        assert_eq!(
            reminder(Language::De, &all[..1], 1_440).title,
            "Dein Tipp fehlt noch, Anstoß in 24 Stunden"
        );
    }

    #[test]
    fn one_is_not_many() {
        assert_eq!(goal(Language::En, &[], 1).title, "Goal!");
        let title = |count| mention(Language::En, "ada", "Look", count).title;
        assert_eq!(
            [title(1), title(2), title(3)],
            ["ada", "ada, and 1 more message", "ada, and 2 more messages"]
        );
        assert_eq!(result(Language::De, &[], 1).title, "Schlusspfiff: 1 Punkt für dich");
    }
}
