//! Whether the settings make sense to the parts that use them. Settings themselves are plain data and know no part.

use std::path::Path;

use crate::adapters::{matrix, sms};
use crate::features::{coins, feeds};
use crate::platform::config::{Config, ConfigError};

/// The settings in force, with which everything can be opened.
pub fn load_config(
    file: Option<&Path>,
    environment: impl Iterator<Item = (String, String)>,
) -> Result<Config, ConfigError> {
    let config = Config::load(file, environment)?;
    check_settings(&config)?;
    Ok(config)
}

/// Each part looks at its own section, so that the start stops with a sentence that names the key.
pub fn check_settings(config: &Config) -> Result<(), ConfigError> {
    matrix::check(&config.matrix)?;
    sms::check(&config.sms)?;
    feeds::check(&config.feeds)?;
    coins::check(&config.coins)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(variables: &[(&str, &str)]) -> Result<Config, ConfigError> {
        let variables =
            variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        load_config(None, variables)
    }

    #[test]
    fn the_defaults_make_sense_to_every_part() {
        load(&[]).unwrap();
    }

    #[test]
    fn a_value_that_its_part_refuses_is_named() {
        for (variable, value, named) in [
            ("TOUCHLINE_COINS__DAILY_COINS", "0", "coins.daily_coins"),
            ("TOUCHLINE_COINS__WELCOME_COINS", "1000000001", "coins.welcome_coins"),
            ("TOUCHLINE_COINS__REASONS", "shop,Bad Reason", "coins.reasons"),
            ("TOUCHLINE_SMS__PROVIDERS", "twilio", "sms.twilio.account_sid"),
            ("TOUCHLINE_MATRIX__HOMESERVER_URL", "ftp://chat.example", "matrix.homeserver_url"),
            ("TOUCHLINE_FEEDS__SOURCES", "league = bbc:PL:2026", "feeds.sources"),
            (
                "TOUCHLINE_FEEDS__SOURCES",
                "league = football_data:PL:2026",
                "feeds.football_data.token",
            ),
        ] {
            let error = load(&[(variable, value)]).unwrap_err().to_string();
            assert!(error.contains(named), "{variable}: {error}");
            assert!(!error.contains('\n'), "{error}");
        }
    }
}
