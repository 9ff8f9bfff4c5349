//! Who an operator is and what each may do.

use std::fmt;

use serde::Serialize;
use utoipa::ToSchema;

use crate::platform::clock::{DAY_MS, HOUR_MS, MINUTE_MS};
use crate::platform::db::{column, enum_column, text_column};
use crate::platform::error::{Error, Result};
use crate::platform::texts::Text;
use crate::{id_input, shown_text, text_input};

/// What an operator may do. Each may do what those before it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Look at everything that is nobody's secret.
    Viewer,
    /// Deal with people: reports, bans, sessions, notes.
    Moderator,
    /// Run matches, feeds, jobs, webhooks and the books.
    Operator,
    /// Everything: other operators, a user's whole data, deletion.
    Owner,
}

enum_column!(Role { Viewer = "viewer", Moderator = "moderator", Operator = "operator", Owner = "owner" });
text_input!(Role);

impl Role {
    pub const ALL: [Self; 4] = [Self::Viewer, Self::Moderator, Self::Operator, Self::Owner];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Moderator => "moderator",
            Self::Operator => "operator",
            Self::Owner => "owner",
        }
    }
}

impl TryFrom<&str> for Role {
    type Error = Text;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        let role = Self::ALL.into_iter().find(|role| role.name() == text);
        role.ok_or(text!("Must be viewer, moderator, operator or owner."))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = i64, example = 7)]
pub struct OperatorId(pub i64);

column!(OperatorId as i64);
id_input!(OperatorId);

/// Who a token is for, 1 to 64 characters. Several tokens may have one name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 64, example = "ana")]
pub struct OperatorName(String);

text_column!(OperatorName);
text_input!(OperatorName);
shown_text!(OperatorName: 1..=64, "Must have 1 to 64 characters.");

impl OperatorName {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for OperatorName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A caller that runs the service. The audit log says who did what.
#[derive(Debug, Clone)]
pub struct Operator {
    /// None for the token of the configuration, and for the command line.
    pub id: Option<OperatorId>,
    pub name: String,
    pub role: Role,
}

impl Operator {
    /// Whoever has the token of the configuration.
    pub fn configured() -> Self {
        Self { id: None, name: "configured".to_owned(), role: Role::Owner }
    }

    /// Whoever runs a command where the database can be reached.
    pub fn at_the_command_line() -> Self {
        Self { id: None, name: "command line".to_owned(), role: Role::Owner }
    }

    pub fn require(&self, least: Role) -> Result<()> {
        if self.role >= least {
            return Ok(());
        }
        Err(Error::Forbidden {
            code: "role_too_low",
            message: text!("Your role does not allow this; ask an owner for a token that does."),
        })
    }
}

/// How long a token made at the command line opens something: `90m`, `12h` or `30d`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lifetime {
    pub millis: i64,
}

/// Longer than anybody keeps a token; one that never ends is made by saying nothing.
const LONGEST_LIFETIME_MS: i64 = 3_650 * DAY_MS;

impl std::str::FromStr for Lifetime {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let sentence = "say how long with a unit, at most 3650d: 90m, 12h or 30d";
        let units = [("m", MINUTE_MS), ("h", HOUR_MS), ("d", DAY_MS)];
        let number = |(unit, millis): (&str, i64)| {
            let number = text.strip_suffix(unit)?;
            let is_plain = number.bytes().all(|byte| byte.is_ascii_digit());
            number.parse::<i64>().ok().filter(|_| is_plain)?.checked_mul(millis)
        };
        let millis = units.into_iter().find_map(number);
        let is_sensible = |millis: &i64| (1..=LONGEST_LIFETIME_MS).contains(millis);
        millis.filter(is_sensible).map(|millis| Self { millis }).ok_or(sentence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn each_role_may_do_what_those_below_it_may_and_no_more() {
        for (height, role) in Role::ALL.into_iter().enumerate() {
            let operator = Operator { id: None, name: "ana".to_owned(), role };
            for (least_height, least) in Role::ALL.into_iter().enumerate() {
                assert_eq!(operator.require(least).is_ok(), height >= least_height);
            }
        }
    }

    #[test]
    fn a_lifetime_has_a_unit() {
        assert_eq!("30d".parse(), Ok(Lifetime { millis: 30 * DAY_MS }));
        assert_eq!("12h".parse(), Ok(Lifetime { millis: 12 * HOUR_MS }));
        for wrong in ["", "30", "d", "0d", "-1d", "+1d", "1.5d", "3651d", "99999999999999999999d"] {
            assert!(wrong.parse::<Lifetime>().is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_reader_of_lifetimes(text in "\\PC{0,20}") {
            let _ = text.parse::<Lifetime>();
        }
    }
}
