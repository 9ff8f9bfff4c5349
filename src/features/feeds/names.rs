//! Names of teams: which of them are one club's, and what a new team is called in the catalogue.

use std::collections::BTreeSet;

use crate::adapters::providers::spelling::{without_country, words};

/// Words that one provider writes and another leaves out.
const CLUB_WORDS: &[&str] = &["fc", "afc", "cf", "sc", "ac", "fk", "sk", "cd", "ud"];

/// The words of a name with `_` between them, at most 64 characters: a slug, if there is anything left.
pub fn slug(text: &str) -> Option<String> {
    let slug: String = words(text).join("_").chars().filter(char::is_ascii).take(64).collect();
    match slug.trim_matches('_') {
        "" => None,
        // The word stands for fans of no team.
        "neutral" => Some("neutral_team".to_owned()),
        slug => Some(slug.to_owned()),
    }
}

/// Whether two names that fold to one may be one club's: a provider leaves out such words, but never writes others.
pub fn may_be_one(name: &str, other: &str) -> bool {
    let (one, other) = (club_words(name), club_words(other));
    one.is_subset(&other) || other.is_subset(&one)
}

fn club_words(name: &str) -> BTreeSet<String> {
    let all = words(without_country(name)).into_iter();
    all.filter(|word| CLUB_WORDS.contains(&word.as_str())).collect()
}

/// What two providers' names for one club have in common: no `FC`, no country in brackets.
pub fn folded(name: &str) -> String {
    let all = words(without_country(name));
    let telling: Vec<&str> =
        all.iter().map(String::as_str).filter(|word| !CLUB_WORDS.contains(word)).collect();
    if telling.is_empty() { all.join(" ") } else { telling.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_club_is_folded_to_one_name() {
        for (one, other) in [
            ("Arsenal FC", "Arsenal"),
            ("FC Bayern München (GER)", "Bayern Munchen"),
            ("AFC Bournemouth", "Bournemouth"),
            ("Brighton & Hove Albion FC", "Brighton and Hove Albion"),
            ("Atlético Madrid", "Atletico Madrid"),
        ] {
            assert_eq!(folded(one), folded(other));
            assert!(may_be_one(one, other));
        }
        assert!(!may_be_one("FC Barcelona", "Barcelona SC"));
        assert_ne!(folded("Dundee FC"), folded("Dundee United FC"));
        assert_eq!(folded("FC"), "fc");
    }

    proptest! {
        #[test]
        fn any_name_gives_a_slug_or_none(name in "\\PC{0,120}") {
            if let Some(slug) = slug(&name) {
                prop_assert!(crate::features::catalogue::Slug::try_from(slug.as_str()).is_ok(), "{}", slug);
            }
        }
    }
}
