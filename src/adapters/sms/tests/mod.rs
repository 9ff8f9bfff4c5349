//! Each provider against a server that speaks its wire format, and what happens between providers.

mod failover;
mod gateway;
mod server;
mod settings;
mod twilio;
mod vonage;

use crate::adapters::sms::{SendAttempt, Sms};
use crate::platform::config::{Config, Secret, SmsConfig};

use server::Server;

const PHONE: &str = "+447700900123";
const CODE: &str = "482913";
const TEXT: &str = "Your code is 482913 & \"only\" yours.";
const SECRET: &str = "hush+hush/42=";

/// The defaults with these providers, all of them set up to call `url`.
fn settings(providers: &[&str], url: &str) -> SmsConfig {
    let mut config = Config::defaults().unwrap().sms;
    config.providers = providers.iter().map(|name| (*name).to_owned()).collect();
    config.twilio.account_sid = "AC123".to_owned();
    config.twilio.auth_token = Secret::new(SECRET);
    config.twilio.from = "+15005550006".to_owned();
    config.twilio.base_url = url.to_owned();
    config.vonage.api_key = "key1".to_owned();
    config.vonage.api_secret = Secret::new(SECRET);
    config.vonage.from = "Touchline".to_owned();
    config.vonage.base_url = url.to_owned();
    config.http.url = format!("{url}/send");
    config.http.headers = vec!["Authorization: Bearer {secret}".to_owned()];
    config.http.secret = Secret::new(SECRET);
    config
}

async fn send(config: &SmsConfig) -> Vec<SendAttempt> {
    Sms::open(config).unwrap().send(PHONE, TEXT).await
}

/// What becomes of one message if `provider` meets `server`: an error for each attempt, empty where it was sent.
async fn errors(provider: &str, server: &Server) -> Vec<String> {
    errors_of(&send(&settings(&[provider], &server.url)).await)
}

fn errors_of(attempts: &[SendAttempt]) -> Vec<String> {
    attempts.iter().map(|attempt| attempt.error.clone().unwrap_or_default()).collect()
}

/// Provider and number of each attempt, such as `twilio 1`.
fn order_of(attempts: &[SendAttempt]) -> Vec<String> {
    attempts.iter().map(|attempt| format!("{} {}", attempt.provider, attempt.number)).collect()
}
