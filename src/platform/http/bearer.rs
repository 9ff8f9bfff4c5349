//! The token that a caller shows.

use http::{HeaderMap, header};

/// What stands behind `Bearer` in the `Authorization` header.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::tokens::{Token, TokenKind};
    use proptest::prelude::*;

    fn with(bytes: &[u8]) -> Option<HeaderMap> {
        let value = http::HeaderValue::from_bytes(bytes).ok()?;
        Some(HeaderMap::from_iter([(header::AUTHORIZATION, value)]))
    }

    proptest! {
        #[test]
        fn no_bytes_break_the_reader_of_the_token(
            bytes in prop_oneof![
                proptest::collection::vec(any::<u8>(), 0..60),
                "[Bb]earer \\PC{0,60}".prop_map(String::into_bytes),
            ],
        ) {
            let Some(headers) = with(&bytes) else { return Ok(()) };
            let Some(token) = bearer(&headers) else { return Ok(()) };
            prop_assert!(bytes.to_ascii_lowercase().starts_with(b"bearer "));
            prop_assert!(token.bytes().all(|byte| byte == b'\t' || (32..127).contains(&byte)));
            prop_assert!(Token::parse(token).is_none());
        }

        #[test]
        fn a_token_is_read_however_its_scheme_is_written(capitals: u8) {
            let token = Token::generate(TokenKind::User);
            let capital = |(at, c): (usize, char)| {
                if capitals >> at & 1 == 1 { c.to_ascii_uppercase() } else { c }
            };
            let scheme: String = "bearer".chars().enumerate().map(capital).collect();
            let headers = with(format!("{scheme} {}", token.expose()).as_bytes()).unwrap();
            prop_assert_eq!(bearer(&headers), Some(token.expose()));
        }
    }
}
