//! The sections of the settings, key by key as in `config.default.toml`.

use crate::platform::language::Language;

use std::collections::BTreeMap;
use std::time::Duration;

use ipnet::IpNet;
use serde::{Deserialize, Serialize};

use super::values::{hide_passwords, read_networks};
use super::{Secret, Switch};

#[derive(Debug, Clone, Serialize, Deserialize)]
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
    pub max_connections_per_address: usize,
    pub max_in_flight_per_address: usize,
    pub matrix_timeout_ms: u64,
    pub matrix_max_in_flight: usize,
    pub matrix_max_in_flight_per_address: usize,
    pub matrix_max_syncs_per_user: usize,
    pub leave_ms: u64,
    pub drain_timeout_ms: u64,
    #[serde(deserialize_with = "read_networks")]
    pub trusted_proxies: Vec<IpNet>,
    pub cors_origins: Vec<String>,
}

impl HttpConfig {
    pub fn header_timeout(&self) -> Duration {
        Duration::from_millis(self.header_timeout_ms)
    }

    pub fn idle_timeout(&self) -> Duration {
        Duration::from_millis(self.idle_timeout_ms)
    }

    pub fn write_timeout(&self) -> Duration {
        Duration::from_millis(self.write_timeout_ms)
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TlsConfig {
    pub certificate_file: String,
    pub key_file: String,
}

impl TlsConfig {
    pub fn is_on(&self) -> bool {
        !self.certificate_file.is_empty()
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct DatabaseConfig {
    pub sqlite_readers: usize,
    pub postgres_connections: usize,
    pub statement_timeout_ms: u64,
    pub group_limit: usize,
    pub queue_limit: usize,
    pub long_lists_per_address: usize,
    pub long_lists_per_user: usize,
    pub tls_ca_file: String,
    #[serde(serialize_with = "hide_passwords")]
    pub replica_urls: Vec<String>,
    pub replica_connections: usize,
    pub replica_max_age_ms: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    Auto,
    Json,
    Text,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LogConfig {
    pub format: LogFormat,
    pub level: String,
    pub otlp_url: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SessionsConfig {
    pub idle_days: i64,
    pub max_days: i64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct JobsConfig {
    pub poll_ms: u64,
    pub workers: usize,
    pub lease_ms: i64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct DemoConfig {
    pub plays: Switch,
    pub seed: i64,
    pub fans: i64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PredictionsConfig {
    pub season_start_month: i64,
    pub visibility: Visibility,
    pub revisions_kept_days: i64,
}

/// When others may see what somebody predicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    Always,
    AfterKickOff,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LoginConfig {
    pub sends_per_10_minutes: i64,
    pub sends_per_day: i64,
    pub sends_per_address_in_5_minutes: i64,
    pub sends_per_prefix_an_hour: i64,
    pub sends_a_day_in_all: i64,
    pub budget_reserve_percent: i64,
    pub wrong_codes_per_address_in_5_minutes: i64,
    pub allowed_country_prefixes: Vec<String>,
    pub test_numbers: Vec<String>,
    pub revoke_sessions_on_phone_change: bool,
    pub minimum_age_years: i64,
    pub code_kept_hours: i64,
    pub sms_log_days: i64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CoinsConfig {
    pub welcome_coins: i64,
    pub daily_coins: i64,
    pub streak_bonus: i64,
    pub streak_bonus_most: i64,
    pub claim_attempts_a_minute: i64,
    pub reasons: Vec<String>,
    pub leavers_kept_days: i64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SmsConfig {
    pub providers: Vec<String>,
    pub text: String,
    /// The same in other languages, by their codes.
    pub texts: BTreeMap<Language, String>,
    pub attempt_timeout_ms: u64,
    pub total_timeout_ms: u64,
    pub breaker_failures: u32,
    pub breaker_pause_ms: u64,
    pub twilio: TwilioConfig,
    pub vonage: VonageConfig,
    pub http: SmsHttpConfig,
}

impl SmsConfig {
    /// The message in this language, or in the one that it is in for everybody.
    pub fn text_in(&self, language: Language) -> &str {
        self.texts.get(&language).filter(|text| !text.is_empty()).unwrap_or(&self.text)
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PushConfig {
    pub contact: String,
    pub gateway_url: String,
    pub allows_private_networks: bool,
    pub fcm: FcmConfig,
    pub apns: ApnsConfig,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FcmConfig {
    pub service_account: Secret,
    pub base_url: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ApnsConfig {
    pub key: Secret,
    pub key_id: String,
    pub team_id: String,
    pub topic: String,
    pub base_url: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TwilioConfig {
    pub account_sid: String,
    pub auth_token: Secret,
    pub api_key_sid: String,
    pub from: String,
    pub messaging_service_sid: String,
    pub base_url: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct VonageConfig {
    pub api_key: String,
    pub api_secret: Secret,
    pub from: String,
    pub base_url: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SmsHttpConfig {
    pub method: String,
    pub url: String,
    pub body: String,
    pub content_type: String,
    pub headers: Vec<String>,
    pub secret: Secret,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StreamConfig {
    pub heartbeat_s: u64,
    pub longest_minutes: u64,
    pub max_per_address: usize,
    pub max_per_user: usize,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MatrixConfig {
    pub homeserver_url: String,
    pub server_name: String,
    pub as_token: Secret,
    pub hs_token: Secret,
    pub sender_localpart: String,
    pub sign_in_page: bool,
    pub push_gateways: Vec<String>,
    pub appservice_url: String,
    pub login_timeout_ms: u64,
    pub request_timeout_ms: u64,
    pub breaker_failures: u32,
    pub breaker_pause_ms: u64,
    pub transaction_limit_bytes: usize,
    pub archive_after_days: i64,
    pub resync_minutes: i64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FeedsConfig {
    pub sources: Vec<String>,
    pub team_aliases: Vec<String>,
    pub score: String,
    pub awarded: String,
    pub poll_minutes: i64,
    pub live_poll_seconds: i64,
    pub timeout_ms: u64,
    pub football_data: FootballDataConfig,
    pub api_football: ApiFootballConfig,
    pub openfootball: OpenfootballConfig,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FootballDataConfig {
    pub token: Secret,
    pub base_url: String,
    pub requests_a_minute: i64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ApiFootballConfig {
    pub key: Secret,
    pub base_url: String,
    pub requests_a_minute: i64,
    pub requests_a_day: i64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct OpenfootballConfig {
    pub time_zone: String,
}
