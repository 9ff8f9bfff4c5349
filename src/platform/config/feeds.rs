//! The section `[feeds]` of the settings.

use serde::{Deserialize, Serialize};

use super::Secret;

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
#[serde(deny_unknown_fields)]
pub struct FootballDataConfig {
    pub token: Secret,
    pub base_url: String,
    pub requests_a_minute: i64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApiFootballConfig {
    pub key: Secret,
    pub base_url: String,
    pub requests_a_minute: i64,
    pub requests_a_day: i64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenfootballConfig {
    pub time_zone: String,
}
