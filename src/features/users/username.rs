//! Usernames: their grammar, the reserved ones, and suggestions.

use std::collections::HashSet;
use std::fmt;
use std::sync::LazyLock;

use serde::Serialize;
use utoipa::ToSchema;

use crate::platform::clock;
use crate::platform::db::text_column;
use crate::platform::texts::Text;
use crate::text_input;

pub const SHORTEST: usize = 3;
pub const LONGEST: usize = 30;
pub const SUGGESTIONS: usize = 5;
/// Deleted accounts keep a row under a name nobody can choose.
pub const DELETED_PREFIX: &str = "deleted.";

const RESERVED: &[&str] = &[
    "admin",
    "administrator",
    "anonymous",
    "api",
    "bot",
    "everyone",
    "help",
    "here",
    "matrix",
    "me",
    "mod",
    "moderator",
    "news",
    "nobody",
    "null",
    "official",
    "operator",
    "owner",
    "root",
    "room",
    "security",
    "server",
    "service",
    "staff",
    "support",
    "system",
    "team",
    "test",
    "touchline",
    "undefined",
    "user",
    "username",
    "webmaster",
    "www",
];

/// What the service's own names, and those of deleted accounts, begin with.
const PROTECTED: &[&str] = &["touchline", "deleted"];

/// What the names of simulated fans begin with: nobody takes one of them for a person, and no person can take such a name.
const SIMULATED_PREFIX: &str = "demo.";

/// What is left of a protected name to grow suggestions from.
const HARMLESS: usize = 4;

static RESERVED_LIKENESSES: LazyLock<HashSet<String>> =
    LazyLock::new(|| RESERVED.iter().copied().map(likeness).collect());

const SUFFIXES: &[&str] = &[
    "fan", "fc", "live", "goals", "away", "home", "united", "city", "ultra", "matchday", "stands",
    "terrace", "striker", "keeper", "winger", "captain", "derby", "kickoff", "chants", "pitch",
];

/// 3 to 30 of `a-z 0-9 _ . -`, beginning with a letter; capitals are folded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = String, pattern = "^[A-Za-z][A-Za-z0-9_.-]{2,29}$", example = "ada_fan")]
pub struct Username(String);

text_column!(Username);
text_input!(Username);

impl Username {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the service keeps this name for itself, or it could be read as such a name; to callers it is simply taken.
    pub fn is_reserved(&self) -> bool {
        RESERVED_LIKENESSES.contains(&likeness(&self.0)) || is_protected(&self.0)
    }

    /// The name of a simulated fan.
    pub fn simulated(nickname: &str) -> Result<Self, Text> {
        Self::try_from(format!("{SIMULATED_PREFIX}{nickname}").as_str())
    }

    /// A name for somebody who chose none.
    pub fn generated() -> Self {
        Self(format!("fan_{}", letters_and_digits(8)))
    }
}

impl TryFrom<&str> for Username {
    type Error = Text;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        let name = text.to_ascii_lowercase();
        if !(SHORTEST..=LONGEST).contains(&name.len()) {
            return Err(text!("Must have 3 to 30 characters."));
        }
        if !name.bytes().all(is_allowed) {
            return Err(text!("May contain only letters a to z, digits, and the characters _ . -"));
        }
        if !name.starts_with(|first: char| first.is_ascii_lowercase()) {
            return Err(text!("Must begin with a letter."));
        }
        Ok(Self(name))
    }
}

impl fmt::Display for Username {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A name as it is read at a glance: no separators, and what is taken for one another written as one.
fn likeness(name: &str) -> String {
    let letters: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let folded = |letter| match letter {
        '0' => 'o',
        '1' | 'l' => 'i',
        '3' => 'e',
        '4' => 'a',
        '5' => 's',
        '7' => 't',
        '8' => 'b',
        other => other,
    };
    letters.replace("rn", "m").replace("vv", "w").chars().map(folded).collect()
}

fn is_protected(name: &str) -> bool {
    let alike = likeness(name);
    name.starts_with(SIMULATED_PREFIX)
        || PROTECTED.iter().any(|beginning| alike.starts_with(&likeness(beginning)))
}

fn is_allowed(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_.-".contains(&byte)
}

/// What suggestions grow from: the usable part of whatever somebody typed.
#[derive(Debug, Clone, PartialEq, Eq, ToSchema)]
#[schema(value_type = String, pattern = "[A-Za-z]", example = "ada")]
pub struct Base(String);

text_input!(Base);

impl TryFrom<&str> for Base {
    type Error = Text;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        let usable: String = text
            .to_lowercase()
            .chars()
            .filter(|c| u8::try_from(*c).is_ok_and(is_allowed))
            .skip_while(|c| !c.is_ascii_lowercase())
            .take(LONGEST)
            .collect();
        if usable.is_empty() {
            return Err(text!("Must contain at least one letter a to z."));
        }
        Ok(Self(usable))
    }
}

impl From<&Username> for Base {
    fn from(name: &Username) -> Self {
        Self(name.0.clone())
    }
}

/// Names worth suggesting, best first; `round` makes new ones when all of the last were taken.
pub fn candidates(base: &Base, include_numbers: bool, round: u32) -> Vec<Username> {
    let endings: Vec<String> = match (include_numbers, round) {
        (true, 0) => {
            (0..20).map(|_| clock::random_below(90).saturating_add(10).to_string()).collect()
        }
        (true, _) => (0..40).map(|_| clock::random_below(1_000_000).to_string()).collect(),
        (false, 0) => SUFFIXES.iter().map(|word| format!("_{word}")).collect(),
        (false, _) => (0..40).map(|_| format!("_{}", letters(4 + round))).collect(),
    };
    let longest = if is_protected(&base.0) { HARMLESS } else { LONGEST };
    let mut names: Vec<Username> = Vec::new();
    for ending in endings {
        // The base gives way, never the ending: it is what makes the name a new one.
        let room = LONGEST.saturating_sub(ending.len());
        let stem: String = base.0.chars().take(room.min(longest)).collect();
        let stem = if include_numbers && stem.len() < 2 { format!("{stem}_") } else { stem };
        if let Ok(name) = Username::try_from(format!("{stem}{ending}").as_str())
            && !name.is_reserved()
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    names
}

fn letters(count: u32) -> String {
    (0..count).map(|_| pick(b"abcdefghijkmnpqrstuvwxyz")).collect()
}

fn letters_and_digits(count: u32) -> String {
    (0..count).map(|_| pick(b"abcdefghijkmnpqrstuvwxyz23456789")).collect()
}

fn pick(from: &[u8]) -> char {
    let at = clock::random_below(u64::try_from(from.len()).unwrap_or(1));
    let byte = usize::try_from(at).ok().and_then(|at| from.get(at));
    char::from(byte.copied().unwrap_or(b'x'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_username_is_folded_to_lower_case() {
        assert_eq!(Username::try_from("Ada.Fan-1").unwrap().as_str(), "ada.fan-1");
    }

    #[test]
    fn a_malformed_username_is_refused() {
        let long = "a".repeat(31);
        for wrong in [
            "",
            "ab",
            "1ada",
            "_ada",
            "ada fan",
            "ada@home",
            "adá",
            "ADÄ",
            "\u{212a}ate",
            "a\u{0}da",
            long.as_str(),
        ] {
            assert!(Username::try_from(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn the_services_own_names_are_reserved() {
        for name in
            ["touchline", "Admin", "deleted.1", "adm1n", "touch_line", "T0uchline.fc", "Demo.wren"]
        {
            assert!(Username::try_from(name).unwrap().is_reserved(), "{name}");
        }
        for name in ["administer", "demo", "demolition.man", "demo_fan"] {
            assert!(!Username::try_from(name).unwrap().is_reserved(), "{name}");
        }
    }

    proptest! {
        #[test]
        fn candidates_are_valid_derived_and_end_in_digits_only_if_asked(
            text in prop_oneof!["\\PC{0,40}", "(demo\\.|touchline)[a-z]{0,9}"], numbers: bool, round in 0_u32..3,
        ) {
            let Ok(base) = Base::try_from(text.as_str()) else { return Ok(()) };
            let names = candidates(&base, numbers, round);
            prop_assert!(names.len() >= SUGGESTIONS, "{base:?}: {names:?}");
            for name in names {
                prop_assert!(Username::try_from(name.as_str()).is_ok());
                prop_assert_eq!(name.as_str().chars().next(), base.0.chars().next());
                if numbers {
                    prop_assert!(name.as_str().ends_with(|c: char| c.is_ascii_digit()));
                } else {
                    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).count();
                    prop_assert!(digits(name.as_str()) <= digits(&base.0));
                }
            }
        }

        #[test]
        fn no_text_breaks_the_username_parser_and_what_it_takes_is_a_username(
            text in prop_oneof!["\\PC{0,60}", "[A-Za-z0-9_.-]{0,33}", "[A-Za-z_.-]{2,29}\\PC"],
        ) {
            let Ok(name) = Username::try_from(text.as_str()) else { return Ok(()) };
            prop_assert!((SHORTEST..=LONGEST).contains(&name.as_str().len()));
            prop_assert!(name.as_str().bytes().all(is_allowed));
            prop_assert!(name.as_str().starts_with(|first: char| first.is_ascii_lowercase()));
            prop_assert!(name.as_str().eq_ignore_ascii_case(&text));
        }
    }
}
