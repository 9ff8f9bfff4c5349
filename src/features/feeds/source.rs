//! `feeds.sources` as an operator writes it: which tournament is fed by whom, in which order.
//!
//! `TOURNAMENT = PROVIDER:WHAT [option=value ...]`, for example `premier_league = football_data:PL:2026 score=extra_time`.

use std::path::PathBuf;

use jiff::tz::TimeZone;
use reqwest::Url;

use crate::adapters::providers::{Counting, Place, Provider, Source};
use crate::features::catalogue::Slug;
use crate::platform::config::{ConfigError, FeedsConfig};

/// What becomes of a match that was decided at a desk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Awarded {
    Hold,
    Finish,
    Void,
}

/// A tournament and where its matches come from, the preferred source first.
#[derive(Debug, Clone)]
pub struct Feed {
    pub tournament: String,
    pub sport: String,
    pub counting: Counting,
    pub awarded: Awarded,
    pub sources: Vec<Source>,
}

impl Feed {
    pub fn providers(&self) -> Vec<Provider> {
        self.sources.iter().map(|source| source.provider).collect()
    }
}

const FORM: &str = "must be written \"TOURNAMENT = PROVIDER:WHAT\", for example \"premier_league = football_data:PL:2026\"";

/// Every feed that the settings name, in their order.
pub fn read(config: &FeedsConfig) -> Result<Vec<Feed>, ConfigError> {
    let mut feeds: Vec<Feed> = Vec::new();
    for entry in &config.sources {
        add(&mut feeds, entry, config)
            .map_err(|reason| ConfigError::new(format!("feeds.sources: \"{entry}\" {reason}.")))?;
    }
    Ok(feeds)
}

fn add(feeds: &mut Vec<Feed>, entry: &str, config: &FeedsConfig) -> Result<(), String> {
    let (tournament, rest) = entry.split_once('=').ok_or(FORM)?;
    let tournament = Slug::try_from(tournament.trim())
        .map_err(|_| "must begin with a tournament's slug of a-z, 0-9 and _")?;
    let mut words = rest.split_whitespace();
    let place = words.next().ok_or(FORM)?;
    let options = Options::read(words)?;
    let source = Source {
        time_zone: time_zone(options.time_zone.unwrap_or(&config.openfootball.time_zone))?,
        ..place_of(place)?
    };
    let is_known =
        |known: &Source| known.provider == source.provider && known.place == source.place;
    if feeds.iter().flat_map(|feed| &feed.sources).any(is_known) {
        return Err("is there twice".to_owned());
    }
    let Some(feed) = feeds.iter_mut().find(|feed| feed.tournament == tournament.as_str()) else {
        feeds.push(Feed {
            tournament: tournament.as_str().to_owned(),
            sport: slug(options.sport.unwrap_or("football"))?,
            counting: counting(options.score.unwrap_or(&config.score))?,
            awarded: awarded(options.awarded.unwrap_or(&config.awarded))?,
            sources: vec![source],
        });
        return Ok(());
    };
    if feed.sources.iter().any(|known| known.provider == source.provider) {
        return Err("names a provider that this tournament already has".to_owned());
    }
    if options.sport.or(options.score).or(options.awarded).is_some() {
        return Err("must leave sport, score and awarded to the tournament's first source".into());
    }
    feed.sources.push(source);
    Ok(())
}

#[derive(Default)]
struct Options<'a> {
    sport: Option<&'a str>,
    score: Option<&'a str>,
    awarded: Option<&'a str>,
    time_zone: Option<&'a str>,
}

impl<'a> Options<'a> {
    fn read(words: impl Iterator<Item = &'a str>) -> Result<Self, String> {
        let mut options = Self::default();
        for word in words {
            match word.split_once('=') {
                Some(("sport", value)) => options.sport = Some(value),
                Some(("score", value)) => options.score = Some(value),
                Some(("awarded", value)) => options.awarded = Some(value),
                Some(("time_zone", value)) => options.time_zone = Some(value),
                _ => {
                    return Err(format!(
                        "has the unknown option {word}; there are sport=, score=, awarded= and time_zone="
                    ));
                }
            }
        }
        Ok(options)
    }
}

fn place_of(text: &str) -> Result<Source, String> {
    let (provider, what) = text.split_once(':').ok_or(FORM)?;
    let provider = Provider::try_from(provider)
        .map_err(|_| "must name football_data, api_football or openfootball")?;
    let place = match provider {
        Provider::FootballData | Provider::ApiFootball => season_of(what)?,
        Provider::Openfootball => file_or_web(what)?,
    };
    Ok(Source { provider, place, time_zone: TimeZone::UTC })
}

fn season_of(what: &str) -> Result<Place, String> {
    let is_word = |text: &str, most| {
        (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    match what.split_once(':') {
        Some((code, season)) if is_word(code, 16) && is_word(season, 9) => {
            Ok(Place::Season { code: code.to_owned(), season: season.to_owned() })
        }
        _ => Err("must name a competition and a season, as in football_data:PL:2026".to_owned()),
    }
}

fn file_or_web(what: &str) -> Result<Place, String> {
    if what.starts_with("http://") || what.starts_with("https://") {
        let url = Url::parse(what).map_err(|_| "must name an address that can be read")?;
        return Ok(Place::Web(url));
    }
    if what.is_empty() {
        return Err("must name a file or an address".to_owned());
    }
    Ok(Place::File(PathBuf::from(what)))
}

fn time_zone(name: &str) -> Result<TimeZone, String> {
    TimeZone::get(name)
        .map_err(|_| format!("has the unknown time zone {name}; write it as in Europe/London"))
}

fn slug(text: &str) -> Result<String, String> {
    let slug = Slug::try_from(text).map_err(|_| "must have a sport's slug after sport=")?;
    Ok(slug.as_str().to_owned())
}

pub(super) fn counting(word: &str) -> Result<Counting, String> {
    match word {
        "regular" => Ok(Counting::Regular),
        "extra_time" => Ok(Counting::ExtraTime),
        _ => Err("must have regular or extra_time as its score".to_owned()),
    }
}

pub(super) fn awarded(word: &str) -> Result<Awarded, String> {
    match word {
        "hold" => Ok(Awarded::Hold),
        "finish" => Ok(Awarded::Finish),
        "void" => Ok(Awarded::Void),
        _ => Err("must have hold, finish or void as what awarded means".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::config::Config;

    fn read_sources(sources: &[&str]) -> Result<Vec<Feed>, String> {
        let mut config = Config::defaults().unwrap().feeds;
        config.sources = sources.iter().map(|&source| source.to_owned()).collect();
        read(&config).map_err(|error| error.to_string())
    }

    #[test]
    fn sources_of_one_tournament_are_one_feed_in_their_order() {
        let feeds = read_sources(&[
            "premier_league = football_data:PL:2026 score=extra_time",
            "cup=openfootball:/srv/cup.json time_zone=Europe/London",
            "premier_league = api_football:39:2026",
        ])
        .unwrap();
        assert_eq!(feeds.len(), 2);
        assert_eq!(feeds[0].providers(), [Provider::FootballData, Provider::ApiFootball]);
        assert_eq!(feeds[0].counting, Counting::ExtraTime);
        assert_eq!(feeds[1].sources[0].place, Place::File("/srv/cup.json".into()));
        assert_eq!(feeds[1].sources[0].time_zone.iana_name(), Some("Europe/London"));
    }

    #[test]
    fn a_source_that_cannot_be_read_is_refused_in_a_sentence_that_names_the_key() {
        for (sources, reason) in [
            (&["premier_league"][..], "must be written"),
            (&["Premier League = football_data:PL:2026"], "slug"),
            (&["pl = bbc:PL:2026"], "must name football_data"),
            (&["pl = football_data:PL"], "a competition and a season"),
            (&["pl = football_data:P/L:2026"], "a competition and a season"),
            (&["pl = openfootball:"], "a file or an address"),
            (&["pl = openfootball:x.json time_zone=Mars/Base"], "time zone Mars/Base"),
            (&["pl = football_data:PL:2026 goals=all"], "unknown option"),
            (&["pl = football_data:PL:2026 score=all"], "regular or extra_time"),
            (&["pl = football_data:PL:2026 awarded=maybe"], "hold, finish or void"),
            (&["a = football_data:PL:2026", "b = football_data:PL:2026"], "twice"),
            (&["a = football_data:PL:2026", "a = football_data:CL:2026"], "already has"),
            (&["a = football_data:PL:2026", "a = api_football:39:2026 score=regular"], "first"),
        ] {
            let error = read_sources(sources).unwrap_err();
            assert!(error.starts_with("feeds.sources: ") && error.contains(reason), "{error}");
            assert!(!error.contains('\n'), "{error}");
        }
    }
}
