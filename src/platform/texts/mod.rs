//! What people are told, in every language that the service speaks.
//!
//! Owns: [`Text`], a sentence that is there in all of them, [`Said`], one with something of its own in it, and who reads it.
//! Invariants: `text!` takes only what the tables have, so a sentence without its translation does not compile; the program's own
//! log and command line are English, which is what a text shows of itself.
//! Never: chooses the words of a message by an `if` on the language: a language is one more table.

mod de;
mod reader;

use std::borrow::Cow;
use std::fmt;

use serde::{Serialize, Serializer};

use super::language::Language;

pub use reader::{Reader, prefers, speaking, speaks, wanted};

/// A sentence in English, and what it is in the other languages.
type Entry = (&'static str, &'static str);

/// A sentence that is in the tables.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Text(&'static Entry);

/// `text!("Must be a text.")` is a [`Text`]; `text!("Must be at least {least}.", least = 3)` is [`Said`].
macro_rules! text {
    ($english:expr) => {{
        // A constant of its own, so that a text which is in no table is found by `cargo check` already.
        const TEXT: $crate::platform::texts::Text = $crate::platform::texts::Text::of($english);
        TEXT
    }};
    ($english:expr, $($gap:ident = $value:expr),+ $(,)?) => {
        $crate::platform::texts::Said::new(
            text!($english),
            vec![$((stringify!($gap), $value.to_string())),+],
        )
    };
}

impl Text {
    /// The sentence of this wording. For [`text!`], which asks while the program is compiled.
    pub const fn of(english: &str) -> Self {
        let mut tables: &[&'static [Entry]] = &de::TABLES;
        while let [table, others @ ..] = tables {
            let mut entries: &'static [Entry] = table;
            while let [entry, rest @ ..] = entries {
                if is_same(entry.0.as_bytes(), english.as_bytes()) {
                    return Self(entry);
                }
                entries = rest;
            }
            tables = others;
        }
        panic!("this text has no translation: give it one in src/platform/texts/de")
    }

    pub const fn english(self) -> &'static str {
        self.0.0
    }

    pub const fn in_language(self, language: Language) -> &'static str {
        match language {
            Language::En => self.0.0,
            Language::De => self.0.1,
        }
    }
}

const fn is_same(mut one: &[u8], mut other: &[u8]) -> bool {
    while let ([of_one, rest_of_one @ ..], [of_other, rest_of_other @ ..]) = (one, other) {
        if *of_one != *of_other {
            return false;
        }
        (one, other) = (rest_of_one, rest_of_other);
    }
    one.is_empty() && other.is_empty()
}

/// In the language of whom the answer is for.
impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.in_language(speaks()))
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.english())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.english(), f)
    }
}

impl std::error::Error for Text {}

/// A sentence with what stands in its gaps.
#[derive(Clone, PartialEq, Eq)]
pub struct Said {
    text: Text,
    gaps: Vec<(&'static str, String)>,
}

impl Said {
    pub const fn new(text: Text, gaps: Vec<(&'static str, String)>) -> Self {
        Self { text, gaps }
    }

    pub fn in_language(&self, language: Language) -> Cow<'static, str> {
        let words = self.text.in_language(language);
        if self.gaps.is_empty() {
            return Cow::Borrowed(words);
        }
        Cow::Owned(self.fill(words))
    }

    /// In one go from left to right, so that nothing which stands in a gap can open another.
    fn fill(&self, words: &str) -> String {
        let mut filled = String::with_capacity(words.len() + 32);
        let mut rest = words;
        while let Some((before, after)) = rest.split_once('{') {
            filled.push_str(before);
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            let value = self.gaps.iter().find(|(gap, _)| *gap == name);
            filled.push_str(value.map_or("", |(_, value)| value));
            rest = after;
        }
        filled.push_str(rest);
        filled
    }
}

impl From<Text> for Said {
    fn from(text: Text) -> Self {
        Self { text, gaps: Vec::new() }
    }
}

impl Serialize for Said {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.in_language(speaks()))
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_language(Language::En))
    }
}

impl fmt::Debug for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.in_language(Language::En), f)
    }
}

#[cfg(test)]
mod tests;
