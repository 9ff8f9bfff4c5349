//! What a user tells about themselves: name, email, date of birth, language.

use serde::Serialize;
use utoipa::ToSchema;

use crate::platform::clock::Timestamp;
use crate::platform::db::{FromColumn as _, Value, enum_column, text_column};
use crate::platform::language::Language;
use crate::platform::texts::Text;
use crate::{shown_text, text_input};

/// 1 to 100 characters, not only spaces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 100, example = "Ada Lovelace")]
pub struct Name(String);

/// An address with one `@`, a local part and a domain with a dot, at most 254 characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = String, max_length = 254, example = "ada@example.org")]
pub struct Email(String);

/// A date that exists, written YYYY-MM-DD. Whether it is long enough ago depends on today and the settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = String, format = Date, example = "1990-12-10")]
pub struct DateOfBirth(String);

/// Why somebody is banned, 1 to 500 characters. Operators read it, and the user's export has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 500, example = "Insults in three rooms")]
pub struct BanReason(String);

text_column!(BanReason);
text_input!(BanReason);
shown_text!(BanReason: 1..=500, "Must have 1 to 500 characters.");

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

text_column!(Name);
text_column!(Email);
text_column!(DateOfBirth);
text_input!(Name, Email, DateOfBirth, Language);
enum_column!(Language { En = "en", De = "de" });
shown_text!(Name: 1..=100, "Must have 1 to 100 characters.");

impl TryFrom<&str> for Language {
    type Error = Text;

    fn try_from(word: &str) -> Result<Self, Self::Error> {
        Self::from_value(Value::Text(word)).map_err(|_| text!("Must be en or de."))
    }
}

impl TryFrom<&str> for Email {
    type Error = Text;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        if is_email(text) {
            Ok(Self(text.to_owned()))
        } else {
            Err(text!("Must be a valid email address."))
        }
    }
}

fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let is_local =
        |byte: u8| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&byte);
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c == '-' || c.is_alphanumeric())
    };
    text.len() <= 254
        && (1..=64).contains(&local.len())
        && local.bytes().all(is_local)
        && !local.starts_with('.')
        && !local.ends_with('.')
        && !local.contains("..")
        && domain.contains('.')
        && domain.split('.').all(is_label)
}

impl TryFrom<&str> for DateOfBirth {
    type Error = Text;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        match Timestamp::parse_date(text) {
            Some(_) => Ok(Self(text.to_owned())),
            None => Err(text!("Must be a date that exists, written YYYY-MM-DD.")),
        }
    }
}

impl DateOfBirth {
    /// Whether somebody born that day has had this many birthdays by now.
    pub fn is_at_least(&self, years: i64, now: Timestamp) -> bool {
        // Comparing the texts' numbers keeps 29 February right: that birthday is reached on 1 March.
        let today = now.to_string();
        let number = |text: &str| -> Option<i64> { text.get(..10)?.replace('-', "").parse().ok() };
        match (number(&self.0), number(&today)) {
            (Some(born), Some(today)) => {
                born <= today && today - born >= years.saturating_mul(10_000)
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_to_a_hundred_characters() {
        assert!(Name::try_from("ß".repeat(100).as_str()).is_ok());
        assert!(Name::try_from("ß".repeat(101).as_str()).is_err());
        assert!(Name::try_from("   ").is_err());
    }

    #[test]
    fn emails_are_told_from_other_texts() {
        for good in ["ada@example.org", "a.b+c@sub.example.co.uk", "ada@bücher.example"] {
            assert!(Email::try_from(good).is_ok(), "{good}");
        }
        for wrong in [
            "",
            "ada",
            "ada@",
            "@example.org",
            "ada@example",
            "a b@example.org",
            "ada@@example.org",
            "ada@-x.org",
            ".a@example.org",
            "a..b@example.org",
        ] {
            assert!(Email::try_from(wrong).is_err(), "{wrong}");
        }
        assert!(Email::try_from(format!("a@{}.org", "x.".repeat(130)).as_str()).is_err());
    }

    #[test]
    fn an_age_is_reached_on_the_birthday() {
        let born = DateOfBirth::try_from("2013-11-15").unwrap();
        let at = |text| Timestamp::parse(text).unwrap();
        assert!(!born.is_at_least(13, at("2026-11-14T23:59:59Z")));
        assert!(born.is_at_least(13, at("2026-11-15T00:00:00Z")));
        assert!(
            !DateOfBirth::try_from("2027-01-01")
                .unwrap()
                .is_at_least(0, at("2026-11-15T00:00:00Z"))
        );
    }
}
