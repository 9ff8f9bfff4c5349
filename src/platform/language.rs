//! The languages in which people are told things.

use http::{HeaderMap, header};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    Serialize,
    Deserialize,
    ToSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// Complete; whatever has no words in another is said in it.
    #[default]
    En,
    De,
}

impl Language {
    pub const ALL: [Self; 2] = [Self::En, Self::De];

    pub const fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::De => "de",
        }
    }

    /// The language of a tag such as `de-AT`, if it is one of ours.
    pub fn of_tag(tag: &str) -> Option<Self> {
        let first = tag.split('-').next().unwrap_or_default().trim();
        Self::ALL.into_iter().find(|language| first.eq_ignore_ascii_case(language.code()))
    }

    /// The one of ours that a caller likes best, by `Accept-Language`; nothing if none is named.
    pub fn accepted(headers: &HeaderMap) -> Option<Self> {
        let text = headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?;
        let mut best = None;
        for part in text.split(',').take(MOST_TAGS) {
            let (tag, weight) = weighed(part);
            let Some(language) = Self::of_tag(tag) else { continue };
            // Of equals the first one.
            if weight > best.map_or(0, |(_, most)| most) {
                best = Some((language, weight));
            }
        }
        best.map(|(language, _)| language)
    }
}

/// Nobody speaks more.
const MOST_TAGS: usize = 32;

/// A tag and its weight in thousandths: 1,000 unless it says otherwise.
fn weighed(part: &str) -> (&str, u32) {
    let (tag, rest) = part.split_once(';').unwrap_or((part, ""));
    let weight = match rest.trim().strip_prefix("q=") {
        Some(number) => thousandths(number.trim()).unwrap_or(0),
        None => 1_000,
    };
    (tag, weight)
}

/// Of a number from 0 to 1 with at most three digits behind its point.
fn thousandths(number: &str) -> Option<u32> {
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let is_number = part.len() <= 3 && part.bytes().all(|byte| byte.is_ascii_digit());
    let part: u32 = format!("{part:0<3}").parse().ok().filter(|_| is_number)?;
    let whole: u32 = whole.parse().ok()?;
    Some(whole.saturating_mul(1_000).saturating_add(part).min(1_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(text: &str) -> Option<Language> {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_LANGUAGE, text.parse().unwrap());
        Language::accepted(&headers)
    }

    #[test]
    fn the_language_that_is_liked_best_is_taken() {
        for (text, wanted) in [
            ("de", Some(Language::De)),
            ("de-AT,de;q=0.9,en;q=0.8", Some(Language::De)),
            ("fr, en;q=0.5, de;q=0.7", Some(Language::De)),
            ("en, de", Some(Language::En)),
            ("de;q=0, en;q=0.1", Some(Language::En)),
            ("fr", None),
            ("*", None),
            ("de;q=nonsense", None),
            ("de;q=0.125, en;q=0.13", Some(Language::En)),
            ("de;q=99999999999", None),
            ("de;q=0.1234", None),
            ("", None),
        ] {
            assert_eq!(accepted(text), wanted, "{text}");
        }
        assert_eq!(Language::accepted(&HeaderMap::new()), None);
    }
}
