//! Path segments that name a thing; one of the wrong form names nothing, so it is 404.

use axum::extract::{FromRequestParts, RawPathParams};
use http::request::Parts;

use crate::platform::error::{Error, Result};

/// The one `{id}` of a path, as a positive integer.
pub struct PathId(pub i64);

impl<S: Send + Sync> FromRequestParts<S> for PathId {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let PathText(text) = PathText::from_request_parts(parts, state).await?;
        parse_id(&text).map(Self).ok_or(not_found!("resource"))
    }
}

fn parse_id(text: &str) -> Option<i64> {
    let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    if is_digits { text.parse().ok().filter(|id| *id > 0) } else { None }
}

/// The one `{name}` of a path, decoded.
pub struct PathText(pub String);

impl<S: Send + Sync> FromRequestParts<S> for PathText {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let params = RawPathParams::from_request_parts(parts, state)
            .await
            .map_err(|_| not_found!("page"))?;
        let text = params.iter().next().map(|(_, text)| text.to_owned());
        text.map(Self).ok_or(not_found!("page"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_not_a_positive_number_names_nothing() {
        assert_eq!(parse_id("9223372036854775807"), Some(i64::MAX));
        for wrong in ["", "0", "-1", "+1", " 1", "1.0", "0x1", "１", "9223372036854775808"] {
            assert_eq!(parse_id(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_id_parser_and_what_it_takes_is_that_number(
            text in prop_oneof!["\\PC{0,30}", "[+-]?[0-9]{0,22}"],
        ) {
            if let Some(id) = parse_id(&text) {
                prop_assert!(id > 0);
                prop_assert_eq!(id.to_string(), text.trim_start_matches('0'));
            }
        }
    }
}
