//! Settings: `config.default.toml`, overlaid by a file, overlaid by the environment.
//!
//! Owns: the keys, their types and what each environment refuses.
//! Invariants: the default file is the schema, so a key it lacks does not exist and a value of another type is
//! refused by name; a secret is never printed.
//! Never: is read again after the start, or knows a part that reads it; what only a part can judge is checked above.

mod layers;
mod sections;
mod values;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use toml::Table;

pub use sections::*;
pub use values::{Secret, Switch};

use layers::{default_table, one_line, overlay_environment, overlay_file};
use values::hide_password;

pub const DEFAULTS: &str = include_str!("../../../config.default.toml");
const MINIMUM_SECRET_BYTES: usize = 32;
const MINIMUM_OPERATOR_TOKEN_BYTES: usize = 16;

/// Why the start stops, in one sentence that names the key.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0}")]
pub struct ConfigError(String);

impl ConfigError {
    pub fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Environment {
    Local,
    Testing,
    Staging,
    Production,
}

impl Environment {
    /// Whether strangers can reach this deployment, so that the limits against abuse apply.
    pub fn is_public(self) -> bool {
        matches!(self, Self::Staging | Self::Production)
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Config {
    pub listen: SocketAddr,
    pub metrics_listen: String,
    pub environment: Environment,
    pub data_dir: PathBuf,
    #[serde(serialize_with = "hide_password")]
    pub database_url: String,
    pub public_url: String,
    pub secret_key: Secret,
    pub operator_token: Secret,
    pub demo_data: Switch,
    pub fan_page: Switch,
    pub console: Switch,
    pub console_listen: String,
    pub public_matches: Switch,
    pub demo: DemoConfig,
    pub http: HttpConfig,
    pub tls: TlsConfig,
    pub database: DatabaseConfig,
    pub log: LogConfig,
    pub sessions: SessionsConfig,
    pub jobs: JobsConfig,
    pub login: LoginConfig,
    pub matrix: MatrixConfig,
    pub coins: CoinsConfig,
    pub predictions: PredictionsConfig,
    pub sms: SmsConfig,
    pub push: PushConfig,
    pub stream: StreamConfig,
    pub feeds: FeedsConfig,
}

impl Config {
    /// The settings in force: defaults, then the file, then the environment.
    pub fn load(
        file: Option<&Path>,
        environment: impl Iterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        let mut settings = default_table()?;
        let (path, required) = match file {
            Some(path) => (path, true),
            None => (Path::new("touchline.toml"), false),
        };
        match std::fs::read_to_string(path) {
            Ok(text) => overlay_file(&mut settings, &text, path)?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && !required => {}
            Err(error) => {
                let path = path.display();
                return Err(ConfigError(format!(
                    "The configuration file {path} cannot be read: {error}."
                )));
            }
        }
        overlay_environment(&mut settings, environment)?;
        Self::from_table(settings)
    }

    /// The defaults alone.
    pub fn defaults() -> Result<Self, ConfigError> {
        Self::from_table(default_table()?)
    }

    fn from_table(settings: Table) -> Result<Self, ConfigError> {
        let config: Self = settings.try_into().map_err(|error: toml::de::Error| {
            ConfigError(format!(
                "The configuration is not valid: {}.",
                one_line(&error.to_string())
            ))
        })?;
        config.check()?;
        Ok(config)
    }

    pub fn database_url(&self) -> String {
        if self.database_url.is_empty() {
            format!("sqlite:{}", self.data_dir.join("touchline.db").display())
        } else {
            self.database_url.clone()
        }
    }

    /// A link as apps need it: a path is one of this service's own pages.
    pub fn link(&self, link: Option<String>) -> Option<String> {
        link.map(|link| if link.starts_with('/') { self.public_url() + &link } else { link })
    }

    /// The address at which this process reaches itself: with its own machine it speaks plain HTTP also where it has a certificate.
    pub fn own_url(&self) -> String {
        Self::url_here(self.listen)
    }

    /// How an address of this machine is opened on it.
    fn url_here(mut address: SocketAddr) -> String {
        if address.ip().is_unspecified() {
            address.set_ip(match address.ip() {
                IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
                IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
            });
        }
        format!("http://{address}")
    }

    /// The address at which apps reach this service, without a slash at its end.
    pub fn public_url(&self) -> String {
        match self.public_url.trim_end_matches('/') {
            "" if self.tls.is_on() => self.own_url().replacen("http:", "https:", 1),
            "" => self.own_url(),
            url => url.to_owned(),
        }
    }

    pub fn loads_demo_data(&self) -> bool {
        self.demo_data.or(self.environment == Environment::Local)
    }

    /// Whether the demo's matches are to be played, if it is there.
    pub fn plays_demo(&self) -> bool {
        self.demo.plays.or(self.environment == Environment::Local)
    }

    pub fn shows_fan_page(&self) -> bool {
        self.fan_page.or(self.environment == Environment::Local)
    }

    /// Whether the console is served beside the API, where everybody reaches it.
    pub fn shows_console_to_all(&self) -> bool {
        self.console_listen.is_empty() && self.console.or(self.environment == Environment::Local)
    }

    /// The console's own address, if it has one.
    pub fn console_address(&self) -> Option<SocketAddr> {
        self.console_listen.parse().ok().filter(|_| self.console.or(true))
    }

    /// Where the console is opened on this machine, if it is served.
    pub fn console_url(&self) -> Option<String> {
        let base = match self.console_address() {
            Some(address) => Self::url_here(address),
            None if self.shows_console_to_all() => self.own_url(),
            None => return None,
        };
        Some(base + "/console")
    }

    /// Whether anybody may read today's matches; the fan page needs it, and shows nothing to strangers without it.
    pub fn shows_public_matches(&self) -> bool {
        self.public_matches.or(self.shows_fan_page())
    }

    /// What no environment, or not this one, may run with, as far as no part has to be asked.
    fn check(&self) -> Result<(), ConfigError> {
        let refuse = |sentence: &str| Err(ConfigError(sentence.to_owned()));
        let url = self.database_url();
        if !["sqlite:", "postgres://", "postgresql://"].iter().any(|scheme| url.starts_with(scheme))
        {
            return refuse("database_url must begin with sqlite: or postgres://.");
        }
        self.check_replicas(&url)?;
        if !self.metrics_listen.is_empty() && self.metrics_listen.parse::<SocketAddr>().is_err() {
            return refuse(
                "metrics_listen must be an address with a port, such as 127.0.0.1:9464, or empty.",
            );
        }
        if !self.console_listen.is_empty() && self.console_listen.parse::<SocketAddr>().is_err() {
            return refuse(
                "console_listen must be an address with a port, such as 127.0.0.1:8081, or empty.",
            );
        }
        if self.secret_key.is_set() && self.secret_key.expose().len() < MINIMUM_SECRET_BYTES {
            return refuse("secret_key must have at least 32 bytes.");
        }
        if self.operator_token.is_set()
            && self.operator_token.expose().len() < MINIMUM_OPERATOR_TOKEN_BYTES
        {
            return refuse("operator_token must have at least 16 characters.");
        }
        if self.http.head_limit_bytes < 8192 {
            return refuse("http.head_limit_bytes must be at least 8192.");
        }
        if !(1..=12).contains(&self.predictions.season_start_month) {
            return refuse("predictions.season_start_month must be from 1 to 12.");
        }
        if let Some((key, _)) = self.not_zero().into_iter().find(|(_, is_zero)| *is_zero) {
            return Err(ConfigError(format!("{key} must be at least 1.")));
        }
        if self.environment == Environment::Production {
            self.check_production()?;
        }
        Ok(())
    }

    fn check_replicas(&self, url: &str) -> Result<(), ConfigError> {
        let DatabaseConfig { replica_urls, replica_max_age_ms, .. } = &self.database;
        if url.starts_with("sqlite:") && !replica_urls.is_empty() {
            return Err(ConfigError::new(
                "database.replica_urls needs a database_url that names a PostgreSQL server: an embedded database has no replicas.",
            ));
        }
        if !(500..=30_000).contains(replica_max_age_ms) {
            return Err(ConfigError::new("database.replica_max_age_ms must be from 500 to 30000."));
        }
        Ok(())
    }

    /// Times, sizes and numbers with which nothing would work if they were 0, and whether they are.
    fn not_zero(&self) -> Vec<(&'static str, bool)> {
        macro_rules! zeros {
            ($($section:ident { $($key:ident),+ $(,)? })+) => {
                vec![$($((
                    concat!(stringify!($section), ".", stringify!($key)),
                    self.$section.$key == 0,
                )),+),+]
            };
        }
        zeros! {
            http {
                header_timeout_ms, body_timeout_ms, handler_timeout_ms, idle_timeout_ms, write_timeout_ms,
                header_count_limit, body_limit_bytes, max_connections, max_in_flight, matrix_timeout_ms,
                matrix_max_in_flight, max_connections_per_address, max_in_flight_per_address,
                matrix_max_in_flight_per_address, matrix_max_syncs_per_user,
            }
            database {
                sqlite_readers, postgres_connections, group_limit, queue_limit, long_lists_per_address, long_lists_per_user,
                replica_connections,
            }
            sessions { idle_days, max_days }
            jobs { poll_ms, workers, lease_ms }
            login {
                sends_per_10_minutes, sends_per_day, sends_per_address_in_5_minutes, sends_per_prefix_an_hour,
                code_kept_hours,
            }
            stream { heartbeat_s, max_per_address, max_per_user }
        }
    }

    fn check_production(&self) -> Result<(), ConfigError> {
        if !self.secret_key.is_set() {
            return Err(ConfigError::new("secret_key must be set in production."));
        }
        if self.loads_demo_data() {
            return Err(ConfigError::new("demo_data must be off in production."));
        }
        if self.plays_demo() {
            return Err(ConfigError::new("demo.plays must be off in production."));
        }
        if self.push.allows_private_networks {
            return Err(ConfigError::new(
                "push.allows_private_networks must be off in production, where it lets users call into your network.",
            ));
        }
        if self.sms.providers.iter().any(|provider| provider == "log") {
            return Err(ConfigError::new(
                "sms.providers must not contain log in production, which sends nothing: name twilio, vonage or http and fill in its section.",
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
