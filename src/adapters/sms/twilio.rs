//! Twilio's Messages API.

use reqwest::{Client, RequestBuilder};
use serde::Deserialize;

use crate::platform::config::{ConfigError, Secret, TwilioConfig};

use super::exchange::{GatewayAnswer, SendError, SendErrorKind};
use super::{Message, Provider, base_url, require};

pub const NAME: &str = "twilio";
/// Twilio's error numbers have five digits; a longer number could be part of a phone or a code.
const LARGEST_ERROR: u32 = 99_999;

#[derive(Debug)]
pub struct Twilio {
    url: String,
    user: String,
    password: Secret,
    /// The form field that says who the message comes from, and its value.
    sender: (&'static str, String),
}

#[derive(Deserialize)]
struct TakenBody {
    sid: String,
    status: String,
}

#[derive(Deserialize)]
struct ErrorBody {
    code: u32,
}

impl Twilio {
    pub fn open(config: &TwilioConfig) -> Result<Self, ConfigError> {
        let sid = &config.account_sid;
        require(NAME, "account_sid", !sid.is_empty())?;
        require(NAME, "auth_token", config.auth_token.is_set())?;
        // It becomes part of a path.
        if !sid.chars().all(|letter| letter.is_ascii_alphanumeric()) {
            return Err(ConfigError::new(
                "sms.twilio.account_sid must be letters and digits, AC and 32 more.",
            ));
        }
        let sender = if config.messaging_service_sid.is_empty() {
            require(NAME, "from", !config.from.is_empty())?;
            ("From", config.from.clone())
        } else {
            ("MessagingServiceSid", config.messaging_service_sid.clone())
        };
        let base = base_url("sms.twilio.base_url", &config.base_url)?;
        let user = if config.api_key_sid.is_empty() { sid } else { &config.api_key_sid };
        Ok(Self {
            url: format!("{base}/2010-04-01/Accounts/{sid}/Messages.json"),
            user: user.clone(),
            password: config.auth_token.clone(),
            sender,
        })
    }
}

impl Provider for Twilio {
    fn request(&self, client: &Client, message: Message<'_>) -> RequestBuilder {
        let (field, sender) = &self.sender;
        client.post(&self.url).basic_auth(&self.user, Some(self.password.expose())).form(&[
            ("To", message.phone),
            (field, sender.as_str()),
            ("Body", message.text),
        ])
    }

    fn judge(&self, answer: &GatewayAnswer) -> Result<(), SendError> {
        if !answer.status.is_success() {
            let code = answer.json::<ErrorBody>().map(|body| body.code);
            return Err(answer.failure(NAME, code.filter(|code| *code <= LARGEST_ERROR)));
        }
        match answer.json::<TakenBody>() {
            Some(body) if body.sid.is_empty() => Err(SendError::unreadable()),
            Some(body) => match body.status.as_str() {
                "failed" | "undelivered" | "canceled" => Err(SendError::new(
                    SendErrorKind::Refused,
                    format!("{NAME} answered {}", body.status),
                )),
                _ => Ok(()),
            },
            None => Err(SendError::unreadable()),
        }
    }
}
