//! Settings: `config.default.toml`, overlaid by a file, overlaid by the environment.
//!
//! Owns: the keys, their types and what each environment refuses.
//! Invariants: the default file is the schema, so a key it lacks does not exist and a value of another type is
//! refused by name; a secret is never printed.
//! Never: is read again after the start.

use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toml::{Table, Value};

use crate::feeds::{self, FeedsConfig};
use crate::http::client_address::Network;
use crate::sms;

pub const DEFAULTS: &str = include_str!("../config.default.toml");
const ENVIRONMENT_PREFIX: &str = "TOUCHLINE_";
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

/// A text that is never shown; empty means "not set".
#[derive(Clone, Default)]
pub struct Secret(SecretString);

impl Secret {
    pub fn new(text: impl Into<String>) -> Self {
        Self(SecretString::from(text.into()))
    }

    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    pub fn is_set(&self) -> bool {
        !self.expose().is_empty()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_set() { "(hidden)" } else { "(not set)" })
    }
}

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(if self.is_set() { "(hidden)" } else { "" })
    }
}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::new(String::deserialize(deserializer)?))
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

/// A switch whose default depends on the environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    Auto,
    On,
    Off,
}

impl Serialize for Switch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Auto => serializer.serialize_str("auto"),
            Self::On => serializer.serialize_bool(true),
            Self::Off => serializer.serialize_bool(false),
        }
    }
}

impl<'de> Deserialize<'de> for Switch {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)?.to_string().trim_matches('"') {
            "auto" => Ok(Self::Auto),
            "true" => Ok(Self::On),
            "false" => Ok(Self::Off),
            _ => Err(serde::de::Error::custom("expected true, false or auto")),
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
    pub http: HttpConfig,
    pub database: DatabaseConfig,
    pub log: LogConfig,
    pub sessions: SessionsConfig,
    pub jobs: JobsConfig,
    pub login: LoginConfig,
    pub sms: SmsConfig,
    pub feeds: FeedsConfig,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HttpConfig {
    pub header_timeout_ms: u64,
    pub body_timeout_ms: u64,
    pub handler_timeout_ms: u64,
    pub idle_timeout_ms: u64,
    pub write_timeout_ms: u64,
    pub head_limit_bytes: usize,
    pub header_count_limit: usize,
    pub body_limit_bytes: usize,
    pub max_connections: usize,
    pub max_in_flight: usize,
    pub drain_timeout_ms: u64,
    pub trusted_proxies: Vec<Network>,
    pub cors_origins: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatabaseConfig {
    pub sqlite_readers: usize,
    pub postgres_connections: usize,
    pub statement_timeout_ms: u64,
    pub group_limit: usize,
    pub queue_limit: usize,
    pub tls_ca_file: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    Json,
    Text,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogConfig {
    pub format: LogFormat,
    pub level: String,
    pub otlp_url: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionsConfig {
    pub idle_days: i64,
    pub max_days: i64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobsConfig {
    pub poll_ms: u64,
    pub workers: usize,
    pub lease_ms: i64,
    pub max_attempts: i64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoginConfig {
    pub sends_per_10_minutes: i64,
    pub sends_per_day: i64,
    pub sends_per_address_in_5_minutes: i64,
    pub sends_per_prefix_an_hour: i64,
    pub sends_a_day_in_all: i64,
    pub allowed_country_prefixes: Vec<String>,
    pub test_numbers: Vec<String>,
    pub revoke_sessions_on_phone_change: bool,
    pub minimum_age_years: i64,
    pub code_kept_hours: i64,
    pub sms_log_days: i64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmsConfig {
    pub providers: Vec<String>,
    pub text: String,
    pub attempt_timeout_ms: u64,
    pub total_timeout_ms: u64,
    pub breaker_failures: u32,
    pub breaker_pause_ms: u64,
    pub twilio: TwilioConfig,
    pub vonage: VonageConfig,
    pub http: SmsHttpConfig,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TwilioConfig {
    pub account_sid: String,
    pub auth_token: Secret,
    pub api_key_sid: String,
    pub from: String,
    pub messaging_service_sid: String,
    pub base_url: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VonageConfig {
    pub api_key: String,
    pub api_secret: Secret,
    pub from: String,
    pub base_url: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmsHttpConfig {
    pub method: String,
    pub url: String,
    pub body: String,
    pub content_type: String,
    pub headers: Vec<String>,
    pub secret: Secret,
}

fn hide_password<S: Serializer>(url: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let shown = match (url.split_once("://"), url.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://(hidden)@{host}"),
        _ => url.to_owned(),
    };
    serializer.serialize_str(&shown)
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

    /// Where apps reach this service, without a slash at the end.
    pub fn base_url(&self) -> String {
        match self.public_url.trim_end_matches('/') {
            "" => format!("http://{}", self.listen),
            url => url.to_owned(),
        }
    }

    /// A link as apps need it: a path is one of this service's own pages.
    pub fn link(&self, link: Option<String>) -> Option<String> {
        link.map(|link| if link.starts_with('/') { self.base_url() + &link } else { link })
    }

    pub fn loads_demo_data(&self) -> bool {
        match self.demo_data {
            Switch::On => true,
            Switch::Off => false,
            Switch::Auto => self.environment == Environment::Local,
        }
    }

    /// What no environment, or not this one, may run with.
    fn check(&self) -> Result<(), ConfigError> {
        let refuse = |sentence: &str| Err(ConfigError(sentence.to_owned()));
        let url = self.database_url();
        if !["sqlite:", "postgres://", "postgresql://"].iter().any(|scheme| url.starts_with(scheme))
        {
            return refuse("database_url must begin with sqlite: or postgres://.");
        }
        if !self.metrics_listen.is_empty() && self.metrics_listen.parse::<SocketAddr>().is_err() {
            return refuse(
                "metrics_listen must be an address with a port, such as 127.0.0.1:9464, or empty.",
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
        for (key, value) in self.sizes() {
            if value == 0 {
                return Err(ConfigError(format!("{key} must be at least 1.")));
            }
        }
        sms::check(&self.sms)?;
        feeds::check(&self.feeds)?;
        if self.environment == Environment::Production {
            self.check_production()?;
        }
        Ok(())
    }

    fn sizes(&self) -> [(&'static str, usize); 8] {
        [
            ("http.max_connections", self.http.max_connections),
            ("http.max_in_flight", self.http.max_in_flight),
            ("http.header_count_limit", self.http.header_count_limit),
            ("database.sqlite_readers", self.database.sqlite_readers),
            ("database.postgres_connections", self.database.postgres_connections),
            ("database.group_limit", self.database.group_limit),
            ("database.queue_limit", self.database.queue_limit),
            ("jobs.workers", self.jobs.workers),
        ]
    }

    fn check_production(&self) -> Result<(), ConfigError> {
        if !self.secret_key.is_set() {
            return Err(ConfigError::new("secret_key must be set in production."));
        }
        if self.loads_demo_data() {
            return Err(ConfigError::new("demo_data must be off in production."));
        }
        if self.sms.providers.iter().any(|provider| provider == "log") {
            return Err(ConfigError::new("sms.providers must not contain log in production."));
        }
        Ok(())
    }
}

fn default_table() -> Result<Table, ConfigError> {
    DEFAULTS.parse().map_err(|error: toml::de::Error| {
        ConfigError(format!("config.default.toml is not valid: {}.", one_line(&error.to_string())))
    })
}

fn overlay_file(settings: &mut Table, text: &str, path: &Path) -> Result<(), ConfigError> {
    let file: Table = text.parse().map_err(|error: toml::de::Error| {
        let reason = one_line(&error.to_string());
        ConfigError(format!(
            "The configuration file {} is not valid TOML: {reason}.",
            path.display()
        ))
    })?;
    overlay(settings, file, "")
}

fn overlay(settings: &mut Table, changes: Table, section: &str) -> Result<(), ConfigError> {
    for (key, new) in changes {
        let name = format!("{section}{key}");
        match (settings.get_mut(&key), new) {
            (None, _) => return Err(unknown_key(&name)),
            (Some(Value::Table(below)), Value::Table(new)) => {
                overlay(below, new, &format!("{name}."))?;
            }
            (Some(old), new) => *old = accept(&name, old, new)?,
        }
    }
    Ok(())
}

fn overlay_environment(
    settings: &mut Table,
    variables: impl Iterator<Item = (String, String)>,
) -> Result<(), ConfigError> {
    // Sorted, so that the same environment always complains about the same variable first.
    let variables: BTreeMap<_, _> =
        variables.filter(|(name, _)| name.starts_with(ENVIRONMENT_PREFIX)).collect();
    for (variable, text) in variables {
        let keys = variable.trim_start_matches(ENVIRONMENT_PREFIX).to_lowercase();
        let old = find_key(settings, &keys).ok_or_else(|| unknown_key(&variable))?;
        let new = read_text(&text, old)
            .ok_or_else(|| ConfigError(format!("{variable} must be {}.", kind_of(old))))?;
        *old = accept(&variable, old, new)?;
    }
    Ok(())
}

fn find_key<'a>(settings: &'a mut Table, keys: &str) -> Option<&'a mut Value> {
    match keys.split_once("__") {
        Some((section, rest)) => match settings.get_mut(section)? {
            Value::Table(below) => find_key(below, rest),
            _ => None,
        },
        None => settings.get_mut(keys).filter(|value| !value.is_table()),
    }
}

/// An environment variable's text, read as the type that the default has.
fn read_text(text: &str, like: &Value) -> Option<Value> {
    Some(match like {
        Value::Integer(_) => Value::Integer(text.trim().parse().ok()?),
        Value::Float(_) => Value::Float(text.trim().parse().ok()?),
        Value::Boolean(_) => Value::Boolean(text.trim().parse().ok()?),
        Value::Array(_) => Value::Array(
            text.split(',')
                .map(str::trim)
                .filter(|item| !item.is_empty())
                .map(|item| Value::String(item.to_owned()))
                .collect(),
        ),
        _ => Value::String(text.to_owned()),
    })
}

fn accept(name: &str, old: &Value, new: Value) -> Result<Value, ConfigError> {
    let fits = match (old, &new) {
        (Value::Integer(_), Value::Integer(number)) => *number >= 0,
        (Value::String(default), Value::Boolean(_)) => default == "auto",
        (Value::Array(_), Value::Array(items)) => items.iter().all(Value::is_str),
        (old, new) => old.same_type(new),
    };
    if fits { Ok(new) } else { Err(ConfigError(format!("{name} must be {}.", kind_of(old)))) }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Integer(_) => "a whole number, 0 or more",
        Value::Float(_) => "a number",
        Value::Boolean(_) => "true or false",
        Value::Array(_) => "a list of texts",
        Value::Table(_) => "a section",
        _ => "a text",
    }
}

fn unknown_key(name: &str) -> ConfigError {
    ConfigError(format!(
        "{name} is not a setting of Touchline; config.default.toml lists them all."
    ))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(variables: &[(&str, &str)]) -> Result<Config, ConfigError> {
        let variables =
            variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let mut settings = default_table()?;
        overlay_environment(&mut settings, variables)?;
        Config::from_table(settings)
    }

    fn load_file(text: &str) -> Result<Config, ConfigError> {
        let mut settings = default_table()?;
        overlay_file(&mut settings, text, Path::new("touchline.toml"))?;
        Config::from_table(settings)
    }

    #[test]
    fn the_default_file_and_the_struct_agree_key_by_key() {
        let printed = Table::try_from(Config::defaults().unwrap()).unwrap();
        assert_eq!(printed, default_table().unwrap());
    }

    #[test]
    fn every_key_of_the_default_file_is_explained_by_a_comment() {
        let mut explained = false;
        for line in DEFAULTS.lines() {
            if line.starts_with('#') {
                explained = true;
            } else if line.is_empty() || line.starts_with('[') {
                explained = false;
            } else {
                assert!(explained, "no comment above: {line}");
            }
        }
    }

    #[test]
    fn an_environment_variable_wins_over_the_default() {
        let config = load(&[
            ("TOUCHLINE_LISTEN", "127.0.0.1:0"),
            ("TOUCHLINE_HTTP__BODY_LIMIT_BYTES", "1000"),
            ("TOUCHLINE_HTTP__CORS_ORIGINS", "https://a.example, https://b.example"),
            ("TOUCHLINE_DEMO_DATA", "false"),
            ("HOME", "/root"),
        ])
        .unwrap();
        assert_eq!(config.listen.port(), 0);
        assert_eq!(config.http.body_limit_bytes, 1000);
        assert_eq!(config.http.cors_origins, ["https://a.example", "https://b.example"]);
        assert!(!config.loads_demo_data());
    }

    #[test]
    fn a_file_wins_over_the_default_and_keeps_the_rest() {
        let config = load_file("demo_data = false\n[http]\nmax_in_flight = 7").unwrap();
        assert_eq!(config.http.max_in_flight, 7);
        assert_eq!(config.http.body_limit_bytes, 65_536);
        assert!(!config.loads_demo_data());
    }

    #[test]
    fn an_unknown_key_is_refused_by_name() {
        let error = load(&[("TOUCHLINE_HTPP__PORT", "1")]).unwrap_err().to_string();
        assert!(error.starts_with("TOUCHLINE_HTPP__PORT is not a setting"), "{error}");
        let error = load_file("[http]\nport = 1").unwrap_err().to_string();
        assert!(error.starts_with("http.port is not a setting"), "{error}");
    }

    #[test]
    fn a_value_of_the_wrong_type_is_refused_by_name() {
        for (variable, value) in [
            ("TOUCHLINE_HTTP__MAX_IN_FLIGHT", "many"),
            ("TOUCHLINE_HTTP__MAX_IN_FLIGHT", "-1"),
            ("TOUCHLINE_HTTP__MAX_IN_FLIGHT", ""),
        ] {
            let error = load(&[(variable, value)]).unwrap_err().to_string();
            assert_eq!(error, "TOUCHLINE_HTTP__MAX_IN_FLIGHT must be a whole number, 0 or more.");
        }
        let error = load_file("listen = 8080").unwrap_err().to_string();
        assert_eq!(error, "listen must be a text.");
    }

    #[test]
    fn a_value_outside_its_set_is_refused_by_name() {
        for (variable, value, named) in [
            ("TOUCHLINE_ENVIRONMENT", "prod", "environment"),
            ("TOUCHLINE_LISTEN", "8080", "listen"),
            ("TOUCHLINE_DATABASE_URL", "mysql://x", "database_url"),
            ("TOUCHLINE_SECRET_KEY", "short", "secret_key"),
            ("TOUCHLINE_OPERATOR_TOKEN", "short", "operator_token"),
            ("TOUCHLINE_HTTP__MAX_CONNECTIONS", "0", "http.max_connections"),
            ("TOUCHLINE_HTTP__TRUSTED_PROXIES", "10.0.0.0/99", "trusted_proxies"),
        ] {
            let error = load(&[(variable, value)]).unwrap_err().to_string();
            assert!(error.contains(named), "{variable}: {error}");
            assert!(!error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn a_provider_of_messages_without_its_settings_is_refused_by_name() {
        let error = load(&[("TOUCHLINE_SMS__PROVIDERS", "twilio")]).unwrap_err().to_string();
        assert!(error.contains("sms.twilio.account_sid"), "{error}");
        load(&[
            ("TOUCHLINE_SMS__PROVIDERS", "twilio"),
            ("TOUCHLINE_SMS__TWILIO__ACCOUNT_SID", "AC123"),
            ("TOUCHLINE_SMS__TWILIO__AUTH_TOKEN", "token"),
            ("TOUCHLINE_SMS__TWILIO__FROM", "+15005550006"),
        ])
        .unwrap();
    }

    #[test]
    fn production_refuses_a_missing_secret_the_demo_data_and_the_log_provider() {
        let key = "0123456789abcdef0123456789abcdef";
        let production = ("TOUCHLINE_ENVIRONMENT", "production");
        let error = load(&[production]).unwrap_err().to_string();
        assert!(error.contains("secret_key"), "{error}");
        let demo = ("TOUCHLINE_DEMO_DATA", "true");
        let error =
            load(&[production, ("TOUCHLINE_SECRET_KEY", key), demo]).unwrap_err().to_string();
        assert!(error.contains("demo_data"), "{error}");
        let error = load(&[production, ("TOUCHLINE_SECRET_KEY", key)]).unwrap_err().to_string();
        assert!(error.contains("sms.providers"), "{error}");
    }

    #[test]
    fn secrets_are_hidden_when_printed() {
        let config = load(&[
            ("TOUCHLINE_SECRET_KEY", "0123456789abcdef0123456789abcdef"),
            ("TOUCHLINE_SMS__TWILIO__AUTH_TOKEN", "0123456789"),
            ("TOUCHLINE_SMS__VONAGE__API_SECRET", "0123456789"),
            ("TOUCHLINE_SMS__HTTP__SECRET", "0123456789"),
            ("TOUCHLINE_DATABASE_URL", "postgres://fan:pass:w@rd@db.example/touchline"),
        ])
        .unwrap();
        let printed = toml::to_string(&config).unwrap();
        assert!(!printed.contains("0123456789") && !printed.contains("w@rd"), "{printed}");
        assert!(printed.contains("postgres://(hidden)@db.example/touchline"), "{printed}");
        assert!(!format!("{config:?}").contains("0123456789"));
    }
}
