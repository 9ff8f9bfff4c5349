//! Texts that people type and others are shown: names, topics, reasons.
//!
//! Owns: the one rule of what such a text may be: trimmed, within its length, and nothing in it that cannot be seen or that turns the
//! reading direction around, so that no name can pass for another or disturb the line it is shown in.
//! Invariants: every script can be written, and so can joined emoji; what joins letters or emoji is taken only between those.
//! Never: changes what somebody wrote, but for spaces around it.

use std::ops::RangeInclusive;

use crate::platform::texts::Text;

const HIDDEN: Text =
    text!("Must not contain invisible characters, or ones that change the direction of reading.");
const JOINER: char = '\u{200d}';
const NON_JOINER: char = '\u{200c}';
const KEYCAP: char = '\u{20e3}';
/// England, Scotland and Wales: the only flags that are written with characters which show nothing anywhere else.
const FLAGS: [&str; 3] = [
    "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
];

/// `shown_text!(Name: 1..=100, "Must have 1 to 100 characters.")`: what such a newtype around a `String` takes.
#[macro_export]
macro_rules! shown_text {
    ($($type:ident: $lengths:expr, $sentence:literal);+ $(;)?) => {$(
        impl TryFrom<&str> for $type {
            type Error = $crate::platform::texts::Text;

            fn try_from(text: &str) -> ::std::result::Result<Self, Self::Error> {
                $crate::platform::shown_text::accept(text, $lengths, text!($sentence)).map(Self)
            }
        }
    )+};
}

/// The text without spaces around it, or the sentence that says what is wrong with it.
pub fn accept(text: &str, lengths: RangeInclusive<usize>, sentence: Text) -> Result<String, Text> {
    let text = text.trim();
    if !lengths.contains(&text.chars().count()) {
        return Err(sentence);
    }
    if hides_something(text) { Err(HIDDEN) } else { Ok(text.to_owned()) }
}

/// A text of somebody else's program, cut and without anything that does not belong on a line.
pub fn on_one_line(text: &str, most: usize) -> String {
    text.chars().filter(|letter| !letter.is_control() && !is_hidden(*letter)).take(most).collect()
}

fn hides_something(text: &str) -> bool {
    let text = FLAGS.iter().fold(text.to_owned(), |text, flag| text.replace(flag, "🏴"));
    let (mut before, mut rest) = ('\0', text.chars().peekable());
    while let Some(letter) = rest.next() {
        if is_hidden(letter) && !joins(before, letter, rest.peek().copied().unwrap_or('\0')) {
            return true;
        }
        before = letter;
    }
    false
}

/// Whether a character shows nothing by itself, or only moves others.
pub const fn is_hidden(letter: char) -> bool {
    matches!(
        letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Whether a hidden character is where it belongs: in an emoji, or in a word of a script that is spelt with it.
fn joins(before: char, letter: char, after: char) -> bool {
    let in_word = needs_joiners(before) && needs_joiners(after);
    match letter {
        JOINER => in_word || (is_emoji(before) || before == '\u{fe0f}') && is_emoji(after),
        NON_JOINER => in_word,
        '\u{fe0e}' | '\u{fe0f}' => is_emoji(before) || (is_on_a_key(before) && after == KEYCAP),
        _ => false,
    }
}

/// Arabic and its neighbours up to Sinhala: Persian and the scripts of India cannot be spelt without joiners.
const fn needs_joiners(letter: char) -> bool {
    matches!(letter, '\u{600}'..='\u{dff}') && !is_hidden(letter)
}

const fn is_emoji(letter: char) -> bool {
    matches!(
        letter,
        '©' | '®' | '‼' | '⁉' | '™' | 'ℹ' | '\u{2190}'..='\u{2bff}' | '〰' | '〽' | '㊗' | '㊙' | '\u{1f000}'..='\u{1faff}'
    )
}

const fn is_on_a_key(letter: char) -> bool {
    letter.is_ascii_digit() || matches!(letter, '#' | '*')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_taken_shows_no_direction_marks_and_is_what_was_written(
            text in prop_oneof!["\\PC{0,30}", "[a-c\u{200b}-\u{200f}\u{202a}-\u{202e}👩❤\u{fe0f} ]{0,12}"],
        ) {
            let Ok(taken) = accept(&text, 1..=20, HIDDEN) else { return Ok(()) };
            prop_assert_eq!(taken.as_str(), text.trim());
            let turns = |c| matches!(c, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}');
            prop_assert!(!taken.contains(turns));
            prop_assert!(taken.contains(|c: char| !is_hidden(c) && !c.is_whitespace()));
        }
    }

    #[test]
    fn a_joiner_is_taken_only_between_what_it_joins() {
        for wrong in [
            "a\u{200d}b",
            "👩\u{200d}",
            "\u{200d}👩",
            "👩\u{200d}a",
            "❤\u{fe0f}\u{fe0f}",
            "1\u{fe0f}",
        ] {
            assert_eq!(accept(wrong, 1..=20, text!("Must be a text.")), Err(HIDDEN), "{wrong:?}");
        }
    }
}
