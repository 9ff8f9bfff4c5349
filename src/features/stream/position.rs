//! Up to where a listener was told, as `Last-Event-ID` says it.

use std::fmt;

/// The last of what was told of matches, of one's coins, and of one's rooms. Each is counted for itself: matches' news in the order in
/// which they were announced to all, one's coins and rooms by numbers that are one's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub matches: i64,
    pub own: Own,
}

/// The newest of a user's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Own {
    pub coins: i64,
    pub rooms: i64,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.matches, self.own.coins, self.own.rooms)
    }
}

/// Where a client says that it was. A plain number is an id from before there was anything of one's own to tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastId {
    pub matches: i64,
    pub own: Option<Own>,
}

impl LastId {
    pub fn parse(text: &str) -> Option<Self> {
        let number = |text: &str| {
            let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<i64>().ok().filter(|_| is_digits)
        };
        let numbers: Option<Vec<i64>> = text.splitn(4, '.').map(number).collect();
        match *numbers?.as_slice() {
            [matches] => Some(Self { matches, own: None }),
            [matches, coins, rooms] => Some(Self { matches, own: Some(Own { coins, rooms }) }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_position_is_read_as_it_was_written(matches in 0..=i64::MAX, coins in 0..=i64::MAX, rooms in 0..=i64::MAX) {
            let own = Own { coins, rooms };
            let read = LastId::parse(&Position { matches, own }.to_string());
            prop_assert_eq!(read, Some(LastId { matches, own: Some(own) }));
            prop_assert_eq!(LastId::parse(&matches.to_string()), Some(LastId { matches, own: None }));
        }

        #[test]
        fn nothing_but_digits_and_dots_is_a_position(text in prop_oneof!["\\PC{0,30}", "[+-]?[0-9]{0,22}", "[0-9.]{0,12}"]) {
            let parts: Vec<&str> = text.split('.').collect();
            let is_number = |part: &&str| part.parse::<i64>().is_ok() && !part.starts_with(['+', '-']);
            let is_position = [1, 3].contains(&parts.len()) && parts.iter().all(is_number);
            prop_assert_eq!(LastId::parse(&text).is_some(), is_position);
        }
    }
}
