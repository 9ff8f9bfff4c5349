//! The sync token: how far a client has been told.

use crate::error::{Error, Result};

/// A place in the stream: `s<position>_<typing>_<inbox>`, and `_<since>_<room>` behind it while rooms are left to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub position: i64,
    pub typing: i64,
    /// The position up to which messages to the device were told.
    pub inbox: i64,
    pub rest: Option<Rest>,
}

/// What did not fit into an answer: the rooms behind `after` are known up to `since` only, or not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rest {
    pub since: Option<i64>,
    pub after: i64,
}

impl Token {
    pub fn parse(text: &str) -> Result<Self> {
        let invalid = || Error::invalid_param("Invalid stream token");
        let parts: Vec<_> = text.strip_prefix('s').unwrap_or_default().split('_').collect();
        let number = |nth: usize| {
            let part = parts.get(nth).filter(|part| !part.is_empty());
            part.map(|part| part.parse().ok().filter(|number| *number >= 0).ok_or_else(invalid))
                .transpose()
        };
        let position = number(0)?.ok_or_else(invalid)?;
        let since = number(3)?;
        Ok(Self {
            position,
            typing: number(1)?.unwrap_or(0),
            inbox: number(2)?.unwrap_or(position),
            rest: number(4)?.map(|after| Rest { since, after }),
        })
    }

    pub fn encode(self) -> String {
        let Self { position, typing, inbox, rest } = self;
        let token = format!("s{position}_{typing}_{inbox}");
        let Some(Rest { since, after }) = rest else { return token };
        let since = since.map(|since| since.to_string()).unwrap_or_default();
        format!("{token}_{since}_{after}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_as_it_was_written() {
        let told = Token { position: 7, typing: 8, inbox: 5, rest: None };
        let whole = Some(Rest { since: None, after: 3 });
        let news = Some(Rest { since: Some(2), after: 3 });
        for token in [told, Token { rest: whole, ..told }, Token { rest: news, ..told }] {
            assert_eq!(Token::parse(&token.encode()).unwrap(), token);
        }
        assert_eq!(Token::parse("s7_8").unwrap(), Token { inbox: 7, ..told });
    }

    #[test]
    fn what_is_no_token_is_refused() {
        for text in ["", "s", "t7", "7", "s-1", "sx", "s7_x", "s7_8_-9", "s99999999999999999999"] {
            assert!(Token::parse(text).is_err(), "{text}");
        }
    }
}
