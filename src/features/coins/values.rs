//! What callers say about coins: how many, why, and for what.

use utoipa::ToSchema;

use crate::platform::http::input::{Complaint, FromInput, Raw};
use crate::platform::texts::Text;
use crate::{shown_text, text_input};

/// The most that one call may move.
pub const MOST_COINS: i64 = 1_000_000_000;
const LONGEST_REASON: usize = 64;
const LONGEST_TEXT: usize = 255;

/// 1 to 1,000,000,000 coins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ToSchema)]
#[schema(value_type = i64, minimum = 1, maximum = 1_000_000_000, example = 30)]
pub struct Amount(i64);

/// Coins to add, or to take if below zero; never none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ToSchema)]
#[schema(value_type = i64, minimum = -1_000_000_000, maximum = 1_000_000_000, example = -30)]
pub struct SignedAmount(i64);

/// Why an app takes coins, as a name for programs: 1 to 64 of `a-z 0-9 _ -`.
#[derive(Debug, Clone, PartialEq, Eq, ToSchema)]
#[schema(value_type = String, pattern = "^[a-z0-9_-]{1,64}$", example = "wager")]
pub struct Reason(String);

/// Why an operator corrects a balance, in their own words; the user sees it. 1 to 255 characters.
#[derive(Debug, Clone, PartialEq, Eq, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 255, example = "refund of a double charge")]
pub struct CorrectionReason(String);

/// The app's own name for what the coins are for. At most 255 characters.
#[derive(Debug, Clone, PartialEq, Eq, ToSchema)]
#[schema(value_type = String, max_length = 255, example = "order-1042")]
pub struct ReferenceId(String);

text_input!(Reason, CorrectionReason, ReferenceId);
shown_text!(CorrectionReason: 1..=LONGEST_TEXT, "Must have 1 to 255 characters.");

impl Amount {
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl SignedAmount {
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl Reason {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl ReferenceId {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl CorrectionReason {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<i64> for Amount {
    type Error = Text;

    fn try_from(coins: i64) -> Result<Self, Self::Error> {
        if (1..=MOST_COINS).contains(&coins) {
            Ok(Self(coins))
        } else {
            Err(text!("Must be between 1 and 1,000,000,000."))
        }
    }
}

impl TryFrom<i64> for SignedAmount {
    type Error = Text;

    fn try_from(coins: i64) -> Result<Self, Self::Error> {
        if coins != 0 && (-MOST_COINS..=MOST_COINS).contains(&coins) {
            Ok(Self(coins))
        } else {
            Err(text!("Must be between -1,000,000,000 and 1,000,000,000, and not 0."))
        }
    }
}

impl FromInput for Amount {
    fn from_input(raw: Raw) -> Result<Self, Complaint> {
        Self::try_from(i64::from_input(raw)?).map_err(Into::into)
    }
}

impl FromInput for SignedAmount {
    fn from_input(raw: Raw) -> Result<Self, Complaint> {
        Self::try_from(i64::from_input(raw)?).map_err(Into::into)
    }
}

impl TryFrom<&str> for Reason {
    type Error = Text;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        let is_allowed = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-');
        if (1..=LONGEST_REASON).contains(&text.len()) && text.bytes().all(is_allowed) {
            Ok(Self(text.to_owned()))
        } else {
            Err(text!("Must be 1 to 64 of a-z, 0-9, _ and -."))
        }
    }
}

impl TryFrom<&str> for ReferenceId {
    type Error = Text;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        if text.chars().count() <= LONGEST_TEXT {
            Ok(Self(text.to_owned()))
        } else {
            Err(text!("Must have at most 255 characters."))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_positive_and_bounded() {
        for good in [1, 1_000_000_000] {
            assert!(Amount::try_from(good).is_ok(), "{good}");
        }
        for bad in [0, -1, 1_000_000_001, i64::MAX, i64::MIN] {
            assert!(Amount::try_from(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_correction_is_signed_and_never_nothing() {
        for good in [1, -1, 1_000_000_000, -1_000_000_000] {
            assert!(SignedAmount::try_from(good).is_ok(), "{good}");
        }
        for bad in [0, 1_000_000_001, -1_000_000_001, i64::MAX, i64::MIN] {
            assert!(SignedAmount::try_from(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_reason_is_a_name_for_programs() {
        for good in ["wager", "shop-2_x", "0", &"a".repeat(64)] {
            assert!(Reason::try_from(good).is_ok(), "{good}");
        }
        for bad in ["", "Wager", "two words", "é", &"a".repeat(65)] {
            assert!(Reason::try_from(bad).is_err(), "{bad}");
        }
    }
}
