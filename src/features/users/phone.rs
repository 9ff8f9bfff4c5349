//! Phone numbers in international form.
//!
//! In many countries a number is dialled with a zero before it at home and without it from abroad. People write it all the same
//! (`+44 (0)7700 ...`), and it is the same phone: such a zero is dropped. `docs/adr/0014-the-trunk-zero.md` says why by hand.

use std::fmt;

use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use crate::platform::db::{ColumnType, FromColumn, ToColumn, Value};
use crate::platform::error::DatabaseError;
use crate::platform::texts::Text;
use crate::text_input;

const LAST_DIGITS: usize = 4;
const SHOWN_DIGITS: usize = 3;
const FEWEST_DIGITS: usize = 7;

/// Countries in which a zero behind the code is never part of a number that takes messages, by libphonenumber's numbering plans of
/// 2026 (9.0.33). In others (Italy, Ivory Coast, Gabon, Congo, Rwanda) it can be.
const DROP_ZERO: &[&str] = &[
    "20", "211", "212", "213", "218", "231", "232", "233", "234", "243", "249", "251", "252",
    "254", "255", "256", "260", "261", "262", "263", "264", "265", "27", "291", "31", "32", "33",
    "353", "355", "358", "359", "370", "373", "374", "377", "380", "381", "382", "383", "385",
    "386", "387", "389", "40", "41", "421", "423", "43", "44", "46", "49", "508", "51", "53", "54",
    "55", "57", "58", "590", "591", "593", "594", "595", "596", "598", "60", "61", "62", "63",
    "64", "66", "686", "81", "82", "84", "850", "855", "856", "86", "880", "886", "90", "91", "92",
    "93", "94", "95", "961", "962", "963", "964", "966", "967", "970", "971", "972", "976", "977",
    "98", "994", "995", "996",
];

/// Calling codes of two digits (ITU-T E.164). Besides them there are 1 and 7, and all others have three.
const TWO_DIGIT_CODES: &[&str] = &[
    "20", "27", "30", "31", "32", "33", "34", "36", "39", "40", "41", "43", "44", "45", "46", "47",
    "48", "49", "51", "52", "53", "54", "55", "56", "57", "58", "60", "61", "62", "63", "64", "65",
    "66", "81", "82", "84", "86", "90", "91", "92", "93", "94", "95", "98",
];

/// `+` and 7 to 15 digits, the first not 0, in the form in which it is dialled from abroad. `Debug` shows nothing, so that no log can
/// hold one.
#[derive(Clone, PartialEq, Eq, Hash, ToSchema)]
#[schema(
    value_type = String,
    pattern = r"^[ .()\[\]-]*\+[ .()\[\]-]*[1-9]([ .()\[\]-]*[0-9]){6,14}[ .()\[\]-]*$",
    example = "+447700900123"
)]
pub struct Phone(String);

impl ToColumn for Phone {
    const COLUMN_TYPE: ColumnType = ColumnType::Text;

    fn to_value(&self) -> Value<'_> {
        Value::Text(&self.0)
    }
}

/// Numbers that were kept as somebody typed them are read in their normal form, too.
impl FromColumn for Phone {
    fn from_value(value: Value<'_>) -> Result<Self, DatabaseError> {
        String::from_value(value).map(|stored| Self(normal(stored)))
    }
}

text_input!(Phone);

impl Phone {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// As it may have been kept before numbers had a normal form; the same text where there is only one.
    pub fn with_zero(&self) -> String {
        match split(&self.0) {
            Some((country, rest)) if !rest.starts_with('0') => format!("+{country}0{rest}"),
            _ => self.0.clone(),
        }
    }

    /// The last three digits: enough to tell two numbers apart that somebody has at hand, and not enough to call one.
    pub fn ending(&self) -> &str {
        self.0.get(self.0.len().saturating_sub(SHOWN_DIGITS)..).unwrap_or_default()
    }

    /// The calling code of its country, or of the countries that share one: one digit, two where the plan has them, else three.
    pub fn calling_code(&self) -> &str {
        let digits = self.0.strip_prefix('+').unwrap_or_default();
        let start = |length| digits.get(..length).unwrap_or(digits);
        let length = match start(1) {
            "1" | "7" => 1,
            _ if TWO_DIGIT_CODES.contains(&start(2)) => 2,
            _ => 3,
        };
        start(length)
    }

    /// All but the last four digits: numbers that share it were probably handed out together.
    pub fn prefix(&self) -> &str {
        self.0.get(..self.0.len().saturating_sub(LAST_DIGITS)).unwrap_or_default()
    }
}

/// The country and the rest, where a zero between them is to be dropped.
fn split(number: &str) -> Option<(&'static str, &str)> {
    let digits = number.strip_prefix('+')?;
    DROP_ZERO.iter().find_map(|country| Some((*country, digits.strip_prefix(country)?)))
}

fn normal(number: String) -> String {
    match split(&number) {
        Some((country, rest)) if rest.starts_with('0') => {
            let rest = rest.trim_start_matches('0');
            // What is no number either way stays what it is.
            if country.len() + rest.len() < FEWEST_DIGITS {
                number
            } else {
                format!("+{country}{rest}")
            }
        }
        _ => number,
    }
}

impl TryFrom<&str> for Phone {
    type Error = Text;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        let stripped: String = text
            .chars()
            .filter(|c| !matches!(c, ' ' | '-' | '.' | '(' | ')' | '[' | ']'))
            .collect();
        let digits = stripped.strip_prefix('+').unwrap_or_default();
        let is_good = (FEWEST_DIGITS..=15).contains(&digits.len())
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && !digits.starts_with('0');
        if is_good {
            Ok(Self(normal(stripped)))
        } else {
            Err(text!("Must be a phone number in international format, such as +447700900123."))
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

    #[test]
    fn a_trunk_zero_is_dropped_where_it_is_one() {
        for (written, phone) in [
            ("+44 (0)7700 900123", "+447700900123"),
            ("+49 0151 12345678", "+4915112345678"),
            ("+44007700900123", "+447700900123"),
            ("+390612345678", "+390612345678"),
            ("+2250701020304", "+2250701020304"),
            ("+44000000", "+44000000"),
        ] {
            assert_eq!(Phone::try_from(written).unwrap().as_str(), phone, "{written}");
        }
    }

    #[test]
    fn a_number_is_also_looked_for_as_it_was_once_kept() {
        for (phone, kept) in
            [("+447700900123", "+4407700900123"), ("+390612345678", "+390612345678")]
        {
            assert_eq!(Phone::try_from(phone).unwrap().with_zero(), kept);
        }
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
            prop_assert_eq!(phone, Phone::try_from(format!("+{digits}").as_str()).unwrap());
        }
    }
}
