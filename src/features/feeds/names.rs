//! Names of teams as different providers write them.

/// Words that one provider writes and another leaves out.
const CLUB_WORDS: &[&str] = &["fc", "afc", "cf", "sc", "ac", "fk", "sk", "cd", "ud"];

/// Digits and lower-case letters without accents, with `-` between the words: the same for every spelling that differs only
/// in case, accents or punctuation.
pub fn key(text: &str) -> String {
    words(text).join("-")
}

/// The same with `_`, at most 64 characters: a slug, if there is anything left.
pub fn slug(text: &str) -> Option<String> {
    let slug: String = words(text).join("_").chars().filter(char::is_ascii).take(64).collect();
    match slug.trim_matches('_') {
        "" => None,
        // The word stands for fans of no team.
        "neutral" => Some("neutral_team".to_owned()),
        slug => Some(slug.to_owned()),
    }
}

/// What two providers' names for one club have in common: no `FC`, no country in brackets.
pub fn folded(name: &str) -> String {
    let all = words(without_country(name));
    let telling: Vec<&str> =
        all.iter().map(String::as_str).filter(|word| !CLUB_WORDS.contains(word)).collect();
    if telling.is_empty() { all.join(" ") } else { telling.join(" ") }
}

/// `Celtic FC (SCO)` is `Celtic FC`.
pub fn without_country(name: &str) -> &str {
    let name = name.trim();
    let is_country = |code: &str| code.len() == 3 && code.bytes().all(|b| b.is_ascii_uppercase());
    match name.strip_suffix(')').and_then(|name| name.rsplit_once('(')) {
        Some((before, code)) if is_country(code) && !before.trim().is_empty() => before.trim(),
        _ => name,
    }
}

fn words(text: &str) -> Vec<String> {
    let mut plain = String::new();
    for letter in text.chars().flat_map(char::to_lowercase) {
        match letter {
            'a'..='z' | '0'..='9' => plain.push(letter),
            // An apostrophe or a dot stands inside a word: Nott'm, St. Pauli.
            '\'' | '’' | '.' => {}
            other => match plain_letter(other) {
                Some(plain_letter) => plain.push_str(plain_letter),
                None if other.is_alphanumeric() => plain.push(other),
                None => plain.push(' '),
            },
        }
    }
    plain.split_whitespace().map(str::to_owned).collect()
}

/// A Latin letter without its accent.
fn plain_letter(letter: char) -> Option<&'static str> {
    Some(match letter {
        'à'..='å' | 'ā' | 'ă' | 'ą' => "a",
        'æ' => "ae",
        'ç' | 'ć' | 'č' => "c",
        'ď' | 'đ' | 'ð' => "d",
        'è'..='ë' | 'ē' | 'ė' | 'ę' | 'ě' => "e",
        'ğ' => "g",
        'ì'..='ï' | 'ī' | 'ı' => "i",
        'ķ' => "k",
        'ł' | 'ľ' | 'ļ' => "l",
        'ñ' | 'ń' | 'ň' | 'ņ' => "n",
        'ò'..='ö' | 'ø' | 'ō' | 'ő' => "o",
        'œ' => "oe",
        'ř' | 'ŕ' => "r",
        'ś' | 'š' | 'ş' | 'ș' => "s",
        'ß' => "ss",
        'ť' | 'ţ' | 'ț' => "t",
        'þ' => "th",
        'ù'..='ü' | 'ū' | 'ů' | 'ű' => "u",
        'ý' | 'ÿ' => "y",
        'ź' | 'ž' | 'ż' => "z",
        '&' => " and ",
        // A combining accent belongs to the letter before it, as does the dot that lower-casing a Turkish I leaves.
        '\u{300}'..='\u{36f}' => "",
        _ => return None,
    })
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
        }
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
