//! The six digits.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use subtle::ConstantTimeEq;
use utoipa::ToSchema;

use crate::features::users::Phone;
use crate::platform::config::ConfigError;
use crate::platform::keys::Keys;
use crate::platform::texts::Text;
use crate::text_input;

pub const NONCE_BYTES: usize = 16;
const DIGITS: usize = 6;
const LONGEST: usize = 32;

/// Digits as somebody typed them; only six of them can be right. `Debug` shows nothing.
#[derive(Clone, ToSchema)]
#[schema(value_type = String, pattern = "^[0-9]{1,32}$", example = "123456")]
pub struct Code(String);

text_input!(Code);

impl TryFrom<&str> for Code {
    type Error = Text;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if is_digits && text.len() <= LONGEST {
            Ok(Self(text.to_owned()))
        } else {
            Err(text!("Must be the digits of the code."))
        }
    }
}

impl Code {
    /// The code of a challenge: a keyed hash of its nonce, cut down to six digits as in RFC 4226.
    pub fn derive(keys: &Keys, nonce: &[u8]) -> Self {
        let hash = keys.derive("login code", &[nonce]);
        let number = hash.iter().take(8).fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
        Self(format!("{:06}", number % 1_000_000))
    }

    /// Compares in a time that does not depend on where the two differ.
    pub fn matches(&self, other: &Self) -> bool {
        self.0.as_bytes().ct_eq(other.0.as_bytes()).into()
    }

    /// For the message that carries it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Code(hidden)")
    }
}

/// Phones with a code that never changes, for app-store review and automated tests.
#[derive(Clone, Default)]
pub struct FixedCodes(Arc<BTreeMap<String, Code>>);

impl FixedCodes {
    /// Reads entries of the form `+447700900123=123456`.
    pub fn parse(entries: &[String]) -> Result<Self, ConfigError> {
        let mut codes = BTreeMap::new();
        for entry in entries {
            let parsed = entry.split_once('=').and_then(|(phone, code)| {
                let phone = Phone::try_from(phone.trim()).ok()?;
                let code =
                    Code::try_from(code.trim()).ok().filter(|code| code.0.len() == DIGITS)?;
                Some((phone, code))
            });
            let Some((phone, code)) = parsed else {
                return Err(ConfigError::new(
                    "login.test_numbers takes entries like +447700900123=123456.",
                ));
            };
            codes.insert(phone.as_str().to_owned(), code);
        }
        Ok(Self(Arc::new(codes)))
    }

    pub fn find(&self, phone: &Phone) -> Option<Code> {
        self.0.get(phone.as_str()).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::config::Secret;

    fn keys(text: &str) -> Keys {
        Keys::new(&Secret::new(text.repeat(32))).unwrap()
    }

    #[test]
    fn a_code_is_six_digits_and_belongs_to_its_key_and_challenge() {
        let code = Code::derive(&keys("k"), b"nonce");
        assert_eq!(code.expose().len(), DIGITS);
        assert!(code.matches(&Code::derive(&keys("k"), b"nonce")));
        assert!(!code.matches(&Code::derive(&keys("k"), b"other")));
        assert!(!code.matches(&Code::derive(&keys("x"), b"nonce")));
    }

    #[test]
    fn codes_are_spread_evenly_over_their_first_digit() {
        let keys = keys("k");
        let mut counts = [0_u32; 10];
        for number in 0_u32..10_000 {
            let code = Code::derive(&keys, &number.to_be_bytes());
            counts[usize::from(code.expose().as_bytes()[0] - b'0')] += 1;
        }
        assert!(counts.iter().all(|count| (850..1_150).contains(count)), "{counts:?}");
    }

    #[test]
    fn what_is_not_digits_is_not_a_code() {
        for wrong in ["", "12345a", " 123456", "-12345", "１２３４５６", &"1".repeat(33)] {
            assert!(Code::try_from(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_fixed_code_must_be_six_digits_for_a_real_number() {
        let parse = |entry: &str| FixedCodes::parse(&[entry.to_owned()]);
        assert!(parse("+447700900123=123456").is_ok());
        for wrong in ["+447700900123", "+447700900123=12345", "44=123456", "=", ""] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
