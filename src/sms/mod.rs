//! Delivering text messages.
use crate::config::{ConfigError, SmsConfig};

#[derive(Debug, Clone)]
pub struct Attempt {
    pub provider: &'static str,
    pub number: i64,
    pub error: Option<String>,
}

pub struct Sms;

impl Sms {
    pub fn open(_: &SmsConfig) -> Result<Self, ConfigError> {
        Ok(Self)
    }
    pub fn without_network(&self, phone: &str) -> Option<Attempt> {
        let error = phone.starts_with("+1500555").then(|| "the number is set to fail".to_owned());
        Some(Attempt { provider: "log", number: 1, error })
    }
    pub async fn send(&self, _phone: &str, _text: &str) -> Vec<Attempt> {
        Vec::new()
    }
}
