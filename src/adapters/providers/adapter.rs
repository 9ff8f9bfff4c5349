//! What every provider's adapter does, and what they share.

use std::fmt;
use std::path::PathBuf;

use http::HeaderMap;
use reqwest::{Client, RequestBuilder, Url};
use serde::Deserialize;

use super::api_football::ApiFootball;
use super::exchange::{AskError, AskErrorKind};
use super::football_data::FootballData;
use super::openfootball::Openfootball;
use super::report::{self, Tally, TeamReport, TournamentReport};
use super::source::{Counting, Place, Provider, Source};
use crate::platform::config::{ConfigError, FeedsConfig};
use crate::platform::shown_text::on_one_line;

/// One source in the provider's own format. An adapter neither waits nor counts: it says what to ask and reads what comes.
pub trait Adapter: fmt::Debug + Send + Sync {
    /// How to ask for a page, from 1.
    fn ask(&self, client: &Client, page: u32) -> Ask;

    /// What an answer of status 200 says; any bytes at all may come.
    fn read(&self, body: &[u8]) -> Result<TournamentReport, AskError>;

    /// How long the provider wants not to be asked, by the headers of any answer.
    fn pause_ms(&self, _headers: &HeaderMap) -> Option<i64> {
        None
    }
}

#[derive(Debug)]
pub enum Ask {
    Web(Box<RequestBuilder>),
    File(PathBuf),
}

/// The adapter for a source, or which setting it lacks.
pub fn open(
    source: &Source,
    counting: Counting,
    config: &FeedsConfig,
) -> Result<Box<dyn Adapter>, ConfigError> {
    let needs = |key: &str| {
        let name = source.provider.name();
        ConfigError::new(format!(
            "feeds.{name}.{key} must be set, because feeds.sources names {name}."
        ))
    };
    Ok(match (source.provider, &source.place) {
        (Provider::FootballData, Place::Season { code, season }) => {
            let token = config.football_data.token.clone();
            if !token.is_set() {
                return Err(needs("token"));
            }
            let base = base_url("feeds.football_data.base_url", &config.football_data.base_url)?;
            let url = FootballData::url(&base, code, season).ok_or_else(|| needs("base_url"))?;
            Box::new(FootballData { url, token, counting })
        }
        (Provider::ApiFootball, Place::Season { code, season }) => {
            let key = config.api_football.key.clone();
            if !key.is_set() {
                return Err(needs("key"));
            }
            let base = base_url("feeds.api_football.base_url", &config.api_football.base_url)?;
            let url = ApiFootball::url(&base, code, season).ok_or_else(|| needs("base_url"))?;
            Box::new(ApiFootball { url, key, counting })
        }
        (_, place) => {
            let time_zone = source.time_zone.clone();
            Box::new(Openfootball { place: place.clone(), time_zone, counting })
        }
    })
}

fn base_url(key: &str, text: &str) -> Result<Url, ConfigError> {
    match Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => Ok(url),
        _ => Err(ConfigError::new(format!("{key} must be an http or https address."))),
    }
}

/// The address of a path below the base.
pub fn below(base: &Url, parts: &[&str]) -> Option<Url> {
    let mut url = base.clone();
    url.path_segments_mut().ok()?.pop_if_empty().extend(parts);
    Some(url)
}

pub fn parse<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T, AskError> {
    serde_json::from_slice(body)
        .map_err(|_| AskError::new(AskErrorKind::Broken, "an unreadable answer"))
}

/// A header that is a whole number.
pub fn number(headers: &HeaderMap, name: &str) -> Option<i64> {
    headers.get(name)?.to_str().ok()?.trim().parse().ok()
}

/// A match in the provider's own form. The beginning of one that has not this form tells somebody which it is.
pub fn parse_match<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|_| {
        let beginning = text.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("a match that cannot be read: {}", on_one_line(&beginning, 80))
    })
}

pub fn no_time(id: &str) -> String {
    format!("match {id}: its time cannot be read")
}

/// The goals of both sides, where each is written by its name.
#[derive(Deserialize, Clone, Copy)]
pub struct Goals {
    home: Option<i64>,
    away: Option<i64>,
}

pub fn goals(goals: Option<Goals>) -> Tally {
    goals.map_or(Ok(None), |goals| report::pair(goals.home, goals.away))
}

/// A side that has been drawn: the fixtures of later rounds have neither id nor name.
pub fn side(id: Option<Id>, name: Option<String>, logo: Option<String>) -> Option<TeamReport> {
    Some(TeamReport {
        external_id: id?.0,
        name: report::title(&name?)?,
        logo: report::logo(logo.as_deref()),
    })
}

/// An identifier, which some providers write as a number and some as a text.
pub struct Id(pub String);

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Number(u64),
            Text(String),
        }
        match Form::deserialize(deserializer)? {
            Form::Number(number) => Ok(Self(number.to_string())),
            Form::Text(text)
                if (1..=64).contains(&text.len())
                    && text.bytes().all(|byte| byte.is_ascii_graphic()) =>
            {
                Ok(Self(text))
            }
            Form::Text(_) => Err(serde::de::Error::custom("not an identifier")),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::adapters::providers::examples::{adapters, document};
    use crate::adapters::providers::report;
    use crate::platform::damaged_json::damaged;

    #[test]
    fn the_document_of_these_tests_is_read_by_every_adapter() {
        let body = document().to_string();
        for adapter in adapters() {
            let report = adapter.read(body.as_bytes()).unwrap();
            assert_eq!((report.matches.len(), report.problems.len()), (1, 0), "{adapter:?}");
        }
    }

    proptest! {
        #[test]
        fn no_damaged_document_panics_and_what_is_read_is_fit_to_store(
            damaged in damaged(document()), cut: prop::sample::Index, is_cut: bool,
        ) {
            let mut body = damaged.to_string().into_bytes();
            if is_cut {
                body.truncate(cut.index(body.len()));
            }
            for adapter in adapters() {
                let Ok(read) = adapter.read(&body) else { continue };
                for report in read.matches {
                    for text in [&report.home.name, &report.away.name, &report.external_id] {
                        prop_assert!(!text.is_empty() && !text.chars().any(char::is_control));
                    }
                    prop_assert_eq!(report::kickoff(&report.kickoff.to_string()), Some(report.kickoff));
                    prop_assert!(!report.venue.chars().any(char::is_control));
                }
            }
        }

        #[test]
        fn no_bytes_at_all_panic(body in proptest::collection::vec(any::<u8>(), 0..200)) {
            for adapter in adapters() {
                let _ = adapter.read(&body);
            }
        }
    }
}
