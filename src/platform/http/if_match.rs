//! `If-Match`: which state of a thing a caller has seen, so that what changed meanwhile is not overwritten unseen.

use axum::extract::FromRequestParts;
use http::header;
use http::request::Parts;

use crate::platform::error::{Error, Result};

/// Longer ones were not given out by this service.
const LONGEST: usize = 1000;

/// The versions that a caller takes. One without the header, or with `*`, takes any.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IfMatch(Option<Vec<String>>);

impl IfMatch {
    /// The version that the caller has seen, if it has to be the present one and is not.
    pub fn outdated_by(&self, present: &str) -> Option<&str> {
        let taken = self.0.as_ref()?;
        let is_present = taken.iter().any(|version| version == present);
        (!is_present).then(|| taken.last().map_or("", String::as_str))
    }

    fn read(text: &str) -> Result<Self> {
        if text.trim() == "*" {
            return Ok(Self(None));
        }
        let versions: Option<Vec<String>> = text.split(',').map(version).collect();
        versions.filter(|_| text.len() <= LONGEST).map(|versions| Self(Some(versions))).ok_or_else(
            || {
                Error::invalid(
                    "if-match",
                    text!("The If-Match header must be a version in quotes, or *."),
                )
            },
        )
    }
}

/// What stands between the quotes.
fn version(text: &str) -> Option<String> {
    let version = text.trim().strip_prefix('"')?.strip_suffix('"')?;
    (!version.contains('"')).then(|| version.to_owned())
}

impl<S: Send + Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        match parts.headers.get(header::IF_MATCH) {
            None => Ok(Self(None)),
            Some(value) => Self::read(value.to_str().unwrap_or_default()),
        }
    }
}

/// A version as the `ETag` header has it.
pub fn etag(version: &str) -> [(header::HeaderName, String); 1] {
    [(header::ETAG, format!("\"{version}\""))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_version_is_taken_alone_or_among_others() {
        for text in ["\"a\"", " \"a\" ", "\"b\", \"a\"", "*"] {
            assert_eq!(IfMatch::read(text).unwrap().outdated_by("a"), None, "{text}");
        }
        assert_eq!(IfMatch::read("\"b\"").unwrap().outdated_by("a"), Some("b"));
        assert_eq!(IfMatch::default().outdated_by("a"), None);
    }

    #[test]
    fn what_is_no_version_in_quotes_is_refused() {
        for text in ["", "a", "\"a", "W/\"a\"", "\"a\" \"b\"", "\"a\",", "*, \"a\""] {
            assert!(IfMatch::read(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_reader(text in "\\PC{0,40}") {
            let _ = IfMatch::read(&text);
        }

        #[test]
        fn what_was_given_out_is_taken_back(version in "[0-9a-z.]{0,80}") {
            let [(_, given)] = etag(&version);
            let taken = IfMatch::read(&given).unwrap();
            prop_assert_eq!(taken.outdated_by(&version), None);
        }
    }
}
