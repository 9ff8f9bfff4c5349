//! What a message says, in each language.

use crate::features::events::EventDetailsRow;
use crate::platform::language::Language;
use crate::platform::texts::Said;

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
    match all.len().saturating_sub(NAMED) {
        0 => named,
        more => text!("{named}\nand {more} more", named = named, more = more)
            .in_language(language)
            .into_owned(),
    }
}

fn words<T: Into<Said>>(title: T, body: String, language: Language) -> Words {
    Words { title: title.into().in_language(language).into_owned(), body }
}

/// Matches that begin in so many minutes and are not predicted.
pub fn reminder(language: Language, matches: &[String], minutes: i64) -> Words {
    let (count, hours) = (matches.len(), (minutes + 30) / 60);
    let title = match (minutes, count) {
        (..=1, 1) => text!("Your prediction is missing, kick-off now").into(),
        (..=1, _) => text!("{count} predictions are missing, kick-off now", count = count),
        (..=90, 1) => {
            text!("Your prediction is missing, kick-off in {minutes} minutes", minutes = minutes)
        }
        (..=90, _) => text!(
            "{count} predictions are missing, kick-off in {minutes} minutes",
            count = count,
            minutes = minutes
        ),
        (_, 1) => text!("Your prediction is missing, kick-off in {hours} hours", hours = hours),
        (_, _) => text!(
            "{count} predictions are missing, kick-off in {hours} hours",
            count = count,
            hours = hours
        ),
    };
    words::<Said>(title, lines(matches, language), language)
}

pub fn kick_off(language: Language, matches: &[String]) -> Words {
    words(text!("Kick-off"), lines(matches, language), language)
}

/// Matches in which something was scored, as they stand.
pub fn goal(language: Language, matches: &[String], goals: usize) -> Words {
    let title = match goals {
        1 => text!("Goal!").into(),
        count => text!("{count} goals", count = count),
    };
    words::<Said>(title, lines(matches, language), language)
}

/// Results, and what they earned in all.
pub fn result(language: Language, matches: &[String], points: i64) -> Words {
    let title = match points {
        1 => text!("Full time: 1 point for you").into(),
        points => text!("Full time: {points} points for you", points = points),
    };
    words::<Said>(title, lines(matches, language), language)
}

pub fn invitation(language: Language, by: &str, room: &str) -> Words {
    words(text!("{by} invites you", by = by), room.to_owned(), language)
}

/// Of what was said in rooms so often; the last of it is shown.
pub fn mention(language: Language, by: &str, text: &str, count: usize) -> Words {
    let body = text.to_owned();
    match count {
        ..=1 => Words { title: by.to_owned(), body },
        2 => words(text!("{by}, and 1 more message", by = by), body, language),
        count => {
            let title = text!("{by}, and {count} more messages", by = by, count = count - 1);
            words(title, body, language)
        }
    }
}

/// Of what was said in a room so often; the last of it is shown, if it can be read.
pub fn chat(language: Language, by: &str, room: &str, text: &str, count: usize) -> Words {
    let from = match (by, room) {
        ("", room) => room.to_owned(),
        (by, room) if by == room || room.is_empty() => by.to_owned(),
        (by, room) => format!("{by} · {room}"),
    };
    let text = if text.is_empty() { text!("New message").in_language(language) } else { text };
    if from.is_empty() {
        return Words { title: text.to_owned(), body: String::new() };
    }
    mention(language, &from, text, count)
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
