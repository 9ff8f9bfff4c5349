//! Phone numbers in international form.

use std::fmt;

use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use crate::platform::db::text_column;
use crate::text_input;

const LAST_DIGITS: usize = 4;

/// `+` and 7 to 15 digits, the first not 0. `Debug` shows nothing, so that no log can hold one.
#[derive(Clone, PartialEq, Eq, ToSchema)]
#[schema(
    value_type = String,
    pattern = r"^[ .()\[\]-]*\+[ .()\[\]-]*[1-9]([ .()\[\]-]*[0-9]){6,14}[ .()\[\]-]*$",
    example = "+447700900123"
)]
pub struct Phone(String);

text_column!(Phone);
text_input!(Phone);

impl Phone {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// All but the last four digits: numbers that share it were probably handed out together.
    pub fn prefix(&self) -> &str {
        self.0.get(..self.0.len().saturating_sub(LAST_DIGITS)).unwrap_or_default()
    }
}

impl TryFrom<&str> for Phone {
    type Error = &'static str;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        let stripped: String = text
            .chars()
            .filter(|c| !matches!(c, ' ' | '-' | '.' | '(' | ')' | '[' | ']'))
            .collect();
        let digits = stripped.strip_prefix('+').unwrap_or_default();
        let is_good = (7..=15).contains(&digits.len())
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && !digits.starts_with('0');
        if is_good {
            Ok(Self(stripped))
        } else {
            Err("Must be a phone number in international format, such as +447700900123.")
        }
    }
}

impl Serialize for Phone {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl fmt::Debug for Phone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Phone(hidden)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn separators_are_stripped() {
        let phone = Phone::try_from("+44 (7700) 900-12.3").unwrap();
        assert_eq!(phone.as_str(), "+447700900123");
        assert_eq!(phone.prefix(), "+44770090");
    }

    #[test]
    fn a_number_that_is_not_international_is_refused() {
        for wrong in [
            "",
            "+",
            "447700900123",
            "+0447700900",
            "+123456",
            "+1234567890123456",
            "+44x700900123",
            "++447700900123",
            "+４４7700900123",
        ] {
            assert!(Phone::try_from(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_phone_is_never_shown_by_debug() {
        assert!(!format!("{:?}", Phone::try_from("+447700900123").unwrap()).contains("7700"));
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_phone_parser_and_what_it_takes_is_a_number(
            text in prop_oneof!["\\PC{0,40}", "[ +]{0,2}[0-9 .()\\[\\]-]{0,24}"],
        ) {
            let Ok(phone) = Phone::try_from(text.as_str()) else { return Ok(()) };
            let digits = phone.as_str().strip_prefix('+').unwrap();
            prop_assert!((7..=15).contains(&digits.len()) && !digits.starts_with('0'));
            prop_assert!(digits.bytes().all(|byte| byte.is_ascii_digit()));
            prop_assert_eq!(Phone::try_from(phone.as_str()).unwrap(), phone);
        }

        #[test]
        fn a_number_is_the_same_whatever_separates_its_digits(
            digits in "[1-9][0-9]{6,14}", separators in proptest::collection::vec("[ .()\\[\\]-]{0,3}", 16),
        ) {
            let mut written = String::new();
            for (digit, mark) in digits.chars().zip(&separators) {
                written.push_str(mark);
                written.push(digit);
            }
            let phone = Phone::try_from(format!("+{written}").as_str()).unwrap();
            prop_assert_eq!(phone.as_str(), format!("+{digits}"));
        }
    }
}
