//! Bearer tokens: opaque random text with a checksum, of which only a hash is stored.
//!
//! Owns: the form `tl_` (or another prefix) + 30 random base62 characters (178 bits) + 6 characters of CRC32.
//! Invariants: a token's text exists only in the answer that issued it; a typo is refused without asking the database.
//! Never: is printed; `Debug` shows nothing.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::platform::clock;

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH: usize = 30;
const CHECKSUM_LENGTH: usize = 6;

pub type TokenHash = [u8; 32];

/// Which door a token opens; told by its prefix, so that a leaked one can be recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    User,
    Operator,
    /// Good once, for a Matrix client that makes a session of it.
    ChatLogin,
}

impl TokenKind {
    const fn prefix(self) -> &'static str {
        match self {
            Self::User => "tl_",
            Self::Operator => "tlop_",
            Self::ChatLogin => "tlin_",
        }
    }
}

#[derive(Clone)]
pub struct Token(String);

impl Token {
    pub fn generate(kind: TokenKind) -> Self {
        let mut text = String::from(kind.prefix()) + &random_text(RANDOM_LENGTH);
        text.push_str(&checksum(&text));
        Self(text)
    }

    /// A token of the right form and checksum; anything else was never issued.
    pub fn parse(text: &str) -> Option<(TokenKind, Self)> {
        let kind = [TokenKind::Operator, TokenKind::User, TokenKind::ChatLogin]
            .into_iter()
            .find(|kind| text.starts_with(kind.prefix()))?;
        let body_length = kind.prefix().len() + RANDOM_LENGTH;
        if text.len() != body_length + CHECKSUM_LENGTH || !text.is_ascii() {
            return None;
        }
        let (body, tail) = text.split_at(body_length);
        (checksum(body) == tail).then(|| (kind, Self(text.to_owned())))
    }

    /// For the one answer that hands the token out.
    pub fn expose(&self) -> &str {
        &self.0
    }

    pub fn hash(&self) -> TokenHash {
        hash(&self.0)
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(hidden)")
    }
}

pub fn hash(text: &str) -> TokenHash {
    Sha256::digest(text.as_bytes()).into()
}

/// Text that nobody guesses: just under six bits a character.
pub fn random_text(length: usize) -> String {
    (0..length).map(|_| character(clock::random_below(62))).collect()
}

fn checksum(text: &str) -> String {
    let mut crc = u64::from(crc32fast::hash(text.as_bytes()));
    let mut tail = String::new();
    for _ in 0..CHECKSUM_LENGTH {
        tail.push(character(crc % 62));
        crc /= 62;
    }
    tail
}

fn character(index: u64) -> char {
    let byte = usize::try_from(index).ok().and_then(|index| ALPHABET.get(index));
    char::from(byte.copied().unwrap_or(b'0'))
}

/// Bytes as short readable text: a character for each byte, so not reversible and slightly less random.
pub fn base62(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| character(u64::from(*byte) % 62)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_generated_token_is_recognised_with_its_kind() {
        for kind in [TokenKind::User, TokenKind::Operator, TokenKind::ChatLogin] {
            let token = Token::generate(kind);
            let (found, parsed) = Token::parse(token.expose()).unwrap();
            assert_eq!(found, kind);
            assert_eq!(parsed.hash(), token.hash());
        }
    }

    #[test]
    fn a_token_is_never_shown_by_debug() {
        let token = Token::generate(TokenKind::User);
        assert!(!format!("{token:?}").contains(token.expose()));
    }

    proptest! {
        #[test]
        fn a_token_with_one_character_changed_is_refused(at in 0_usize..39, byte in 33_u8..127) {
            let token = Token::generate(TokenKind::User);
            let mut changed = token.expose().as_bytes().to_vec();
            prop_assume!(changed[at] != byte);
            changed[at] = byte;
            let text = String::from_utf8(changed).unwrap();
            prop_assert!(Token::parse(&text).is_none());
        }

        #[test]
        fn no_text_breaks_the_parser(text in "\\PC{0,60}") {
            prop_assert!(Token::parse(&text).is_none());
        }
    }
}
