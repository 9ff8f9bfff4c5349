//! Whether the settings make sense to the parts that use them. Settings themselves are plain data and know no part.

use std::path::Path;

use crate::adapters::{matrix, push, sms};
use crate::features::{coins, demo, feeds, login};
use crate::platform::config::{Config, ConfigError};
use crate::platform::http::tls;
use crate::platform::{db, telemetry};

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
    telemetry::check(&config.log)?;
    db::check(config)?;
    tls::check(&config.tls)?;
    matrix::check(&config.matrix)?;
    sms::check(&config.sms)?;
    push::check(&config.push)?;
    feeds::check(&config.feeds)?;
    login::check_settings(&config.login)?;
    demo::check(&config.demo)?;
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
    fn a_level_of_the_log_may_be_given_for_a_module() {
        load(&[("TOUCHLINE_LOG__LEVEL", "warn,touchline::platform::jobs=debug,hyper=off")])
            .unwrap();
    }

    #[test]
    fn the_defaults_make_sense_to_every_part() {
        load(&[]).unwrap();
    }

    #[test]
    fn production_speaks_to_a_postgres_elsewhere_by_tls_alone() {
        let load_with = |url| {
            load(&[
                ("TOUCHLINE_ENVIRONMENT", "production"),
                ("TOUCHLINE_SECRET_KEY", "0123456789abcdef0123456789abcdef"),
                ("TOUCHLINE_SMS__PROVIDERS", "http"),
                ("TOUCHLINE_SMS__HTTP__URL", "https://sms.example"),
                ("TOUCHLINE_DATABASE_URL", url),
            ])
        };
        for refused in [
            "postgres://u:secret@db.example/t",
            "postgres://u:secret@db.example/t?sslmode=prefer",
            "postgres://u:secret@db.example/t?sslmode=disable",
            "postgres://u:secret@localhost,db.example/t",
            "postgres://u:secret@localhost/t?hostaddr=192.0.2.1",
        ] {
            let error = load_with(refused).unwrap_err().to_string();
            assert!(error.contains("sslmode=require") && !error.contains("secret"), "{error}");
        }
        for taken in [
            "postgres://u:secret@db.example/t?sslmode=require",
            "postgres://u:secret@db.example/t?sslmode=verify-full",
            "postgres://u:secret@localhost/t",
            "postgres://u:secret@127.0.0.2/t?sslmode=disable",
            "postgres://u:secret@[::1]/t",
            "postgres://u@%2Fvar%2Frun%2Fpostgresql/t",
        ] {
            load_with(taken).unwrap_or_else(|error| panic!("{taken}: {error}"));
        }
    }

    #[test]
    fn a_value_that_its_part_refuses_is_named() {
        for (variable, value, named) in [
            ("TOUCHLINE_LOG__LEVEL", "loud", "log.level"),
            ("TOUCHLINE_LOG__LEVEL", "", "log.level"),
            ("TOUCHLINE_LOG__LEVEL", "info,touchline::jobs", "log.level"),
            ("TOUCHLINE_LOG__LEVEL", "info,touchline::jobs=loud", "log.level"),
            ("TOUCHLINE_DATABASE_URL", "postgres://db.example/t?sslmode=maybe", "database_url"),
            ("TOUCHLINE_TLS__CERTIFICATE_FILE", "cert.pem", "tls.key_file"),
            ("TOUCHLINE_TLS__KEY_FILE", "key.pem", "tls.certificate_file"),
            ("TOUCHLINE_COINS__DAILY_COINS", "0", "coins.daily_coins"),
            ("TOUCHLINE_COINS__WELCOME_COINS", "1000000001", "coins.welcome_coins"),
            ("TOUCHLINE_COINS__REASONS", "shop,Bad Reason", "coins.reasons"),
            ("TOUCHLINE_LOGIN__BUDGET_RESERVE_PERCENT", "101", "login.budget_reserve_percent"),
            ("TOUCHLINE_SMS__PROVIDERS", "twilio", "sms.twilio.account_sid"),
            ("TOUCHLINE_SMS__TEXT", "Hello", "sms.text"),
            ("TOUCHLINE_SMS__TEXTS__DE", "Hallo", "sms.texts.de"),
            ("TOUCHLINE_MATRIX__PUSH_GATEWAYS", "https://push.example/", "matrix.push_gateways"),
            ("TOUCHLINE_PUSH__GATEWAY_URL", "push.example", "push.gateway_url"),
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
