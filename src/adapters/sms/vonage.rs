//! Vonage's SMS API, which answers 200 whatever happens and says in the body what did.

use reqwest::{Client, RequestBuilder};
use serde::Deserialize;

use crate::platform::config::{ConfigError, Secret, VonageConfig};

use super::exchange::{GatewayAnswer, SendError, SendErrorKind};
use super::{Message, Provider, base_url, require};

pub const NAME: &str = "vonage";
const TAKEN: &str = "0";
const THROTTLED: &str = "1";
/// Wrong credentials or signature, an internal error, a barred or empty account: none is about the message.
const BROKEN: &[&str] = &["4", "5", "8", "9", "10", "11", "14", "32"];
const REASON_LIMIT_CHARS: usize = 100;

#[derive(Debug)]
pub struct Vonage {
    url: String,
    api_key: String,
    api_secret: Secret,
    from: String,
}

#[derive(Deserialize)]
struct AnswerBody {
    /// One for each part that a long text is sent in.
    messages: Vec<PartBody>,
}

#[derive(Deserialize)]
struct PartBody {
    status: String,
    #[serde(rename = "error-text", default)]
    error_text: String,
}

impl Vonage {
    pub fn open(config: &VonageConfig) -> Result<Self, ConfigError> {
        require(NAME, "api_key", !config.api_key.is_empty())?;
        require(NAME, "api_secret", config.api_secret.is_set())?;
        require(NAME, "from", !config.from.is_empty())?;
        let base = base_url("sms.vonage.base_url", &config.base_url)?;
        Ok(Self {
            url: format!("{base}/sms/json"),
            api_key: config.api_key.clone(),
            api_secret: config.api_secret.clone(),
            from: config.from.clone(),
        })
    }

    fn failure(&self, part: &PartBody) -> SendError {
        let status = match part.status.as_str() {
            status if status.len() <= 2 && status.bytes().all(|byte| byte.is_ascii_digit()) => {
                status
            }
            _ => return SendError::unreadable(),
        };
        let words = match self.safe_reason(&part.error_text) {
            Some(reason) => format!("{NAME} answered {status}: {reason}"),
            None => format!("{NAME} answered {status}"),
        };
        match status {
            THROTTLED => SendError::busy(words),
            _ if BROKEN.contains(&status) => SendError::new(SendErrorKind::Broken, words),
            _ => SendError::new(SendErrorKind::Refused, words),
        }
    }

    /// The provider's own words, if they are words only: digits could be a phone or a code.
    fn safe_reason<'a>(&self, text: &'a str) -> Option<&'a str> {
        let is_plain = |letter: char| letter.is_ascii_alphabetic() || " -,.'()/:".contains(letter);
        let is_safe = !text.is_empty()
            && text.len() <= REASON_LIMIT_CHARS
            && text.chars().all(is_plain)
            && !text.contains(self.api_secret.expose())
            && !text.contains(&self.api_key);
        is_safe.then_some(text)
    }
}

impl Provider for Vonage {
    fn request(&self, client: &Client, message: Message<'_>) -> RequestBuilder {
        let mut form = vec![
            ("api_key", self.api_key.as_str()),
            ("api_secret", self.api_secret.expose()),
            ("from", self.from.as_str()),
            ("to", message.phone.trim_start_matches('+')),
            ("text", message.text),
        ];
        // Without this, what the old telephone alphabet lacks arrives as question marks.
        if !message.text.is_ascii() {
            form.push(("type", "unicode"));
        }
        client.post(&self.url).form(&form)
    }

    fn judge(&self, answer: &GatewayAnswer) -> Result<(), SendError> {
        if !answer.status.is_success() {
            return Err(answer.failure(NAME, None));
        }
        let body: AnswerBody = answer.json().ok_or_else(SendError::unreadable)?;
        if body.messages.is_empty() {
            return Err(SendError::unreadable());
        }
        match body.messages.iter().find(|part| part.status != TAKEN) {
            Some(part) => Err(self.failure(part)),
            None => Ok(()),
        }
    }
}
