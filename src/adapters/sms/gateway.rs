//! Any gateway that takes one request for a message: the settings are the request.

use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use reqwest::{Client, RequestBuilder};

use crate::platform::config::{ConfigError, Secret, SmsHttpConfig};

use super::exchange::{GatewayAnswer, SendError};
use super::template::{Escape, Placeholder, Template, Values};
use super::{Message, Provider, is_web_address, not_a_web_address, require};

pub const NAME: &str = "http";
/// Breaks JSON unless it is escaped and between quotes.
const SAMPLE: Message<'static> = Message { phone: "+1", text: "a \"b\" \\" };

#[derive(Debug)]
pub struct Gateway {
    method: Method,
    url: Template,
    /// The secret filled in already, and marked so that it is never shown.
    headers: HeaderMap,
    /// None where nothing is sent as a body.
    body: Option<Body>,
    secret: Secret,
}

#[derive(Debug)]
struct Body {
    template: Template,
    content_type: HeaderValue,
    escape: Escape,
}

impl Gateway {
    pub fn open(config: &SmsHttpConfig) -> Result<Self, ConfigError> {
        require(NAME, "url", !config.url.is_empty())?;
        let method = read_method(&config.method)?;
        let has_body = method != Method::GET && !config.body.is_empty();
        let gateway = Self {
            method,
            url: Template::parse(&config.url),
            headers: read_headers(config)?,
            body: if has_body { Some(read_body(config)?) } else { None },
            secret: config.secret.clone(),
        };
        if !is_web_address(&gateway.fill_url(SAMPLE)) {
            return Err(not_a_web_address("sms.http.url"));
        }
        gateway.check_placeholders()?;
        Ok(gateway)
    }

    fn check_placeholders(&self) -> Result<(), ConfigError> {
        let has = |placeholder| {
            self.url.contains(placeholder)
                || self.body.as_ref().is_some_and(|body| body.template.contains(placeholder))
        };
        if has(Placeholder::Secret) {
            require_secret(&self.secret)?;
        }
        if (has(Placeholder::Phone) || has(Placeholder::Digits)) && has(Placeholder::Text) {
            Ok(())
        } else {
            Err(ConfigError::new(
                "sms.http.url or sms.http.body must contain {phone} or {digits}, and {text}.",
            ))
        }
    }

    fn values<'a>(&'a self, message: Message<'a>) -> Values<'a> {
        Values { phone: message.phone, text: message.text, secret: self.secret.expose() }
    }

    fn fill_url(&self, message: Message<'_>) -> String {
        self.url.fill(self.values(message), Escape::Percent)
    }
}

impl Provider for Gateway {
    fn request(&self, client: &Client, message: Message<'_>) -> RequestBuilder {
        let request = client
            .request(self.method.clone(), self.fill_url(message))
            .headers(self.headers.clone());
        match &self.body {
            Some(body) => request
                .header(header::CONTENT_TYPE, body.content_type.clone())
                .body(body.template.fill(self.values(message), body.escape)),
            None => request,
        }
    }

    fn judge(&self, answer: &GatewayAnswer) -> Result<(), SendError> {
        if answer.status.is_success() { Ok(()) } else { Err(answer.failure(NAME, None)) }
    }

    fn needs_body(&self) -> bool {
        false
    }
}

fn read_method(text: &str) -> Result<Method, ConfigError> {
    [Method::GET, Method::POST, Method::PUT, Method::PATCH]
        .into_iter()
        .find(|method| method.as_str() == text)
        .ok_or_else(|| ConfigError::new("sms.http.method must be GET, POST, PUT or PATCH."))
}

fn read_body(config: &SmsHttpConfig) -> Result<Body, ConfigError> {
    let refuse = || {
        ConfigError::new(
            "sms.http.content_type must be application/json or application/x-www-form-urlencoded.",
        )
    };
    let kind = config.content_type.split(';').next().unwrap_or_default().trim();
    let escape = match kind.to_ascii_lowercase().as_str() {
        "application/json" => Escape::Json,
        "application/x-www-form-urlencoded" => Escape::Percent,
        _ => return Err(refuse()),
    };
    let content_type = HeaderValue::try_from(&config.content_type).map_err(|_| refuse())?;
    let template = Template::parse(&config.body);
    let values = Values { phone: SAMPLE.phone, text: SAMPLE.text, secret: config.secret.expose() };
    // A value that is escaped for a string is safe only inside one, and there every value is.
    let is_json = || serde_json::from_str::<serde::de::IgnoredAny>(&template.fill(values, escape));
    if escape == Escape::Json && is_json().is_err() {
        return Err(ConfigError::new(
            "sms.http.body must be JSON, with {phone} and {text} between quotes.",
        ));
    }
    Ok(Body { template, content_type, escape })
}

fn read_headers(config: &SmsHttpConfig) -> Result<HeaderMap, ConfigError> {
    let mut headers = HeaderMap::new();
    for line in &config.headers {
        let (name, value) = line.split_once(':').ok_or_else(|| {
            ConfigError::new("sms.http.headers must be written as \"Name: value\" each.")
        })?;
        let refuse = |why: &str| ConfigError::new(format!("sms.http.headers: {why}."));
        let name = HeaderName::try_from(name.trim())
            .map_err(|_| refuse("a name before the colon is not the name of a header"))?;
        if name == header::CONTENT_TYPE {
            return Err(refuse("content-type is set by sms.http.content_type"));
        }
        let template = Template::parse(value.trim());
        if [Placeholder::Phone, Placeholder::Digits, Placeholder::Text]
            .into_iter()
            .any(|placeholder| template.contains(placeholder))
        {
            return Err(refuse(&format!("{name} can contain {{secret}} only")));
        }
        if template.contains(Placeholder::Secret) {
            require_secret(&config.secret)?;
        }
        let values = Values { phone: "", text: "", secret: config.secret.expose() };
        let mut value = HeaderValue::try_from(template.fill(values, Escape::None))
            .map_err(|_| refuse(&format!("the value of {name} cannot be sent in a header")))?;
        value.set_sensitive(true);
        headers.append(name, value);
    }
    Ok(headers)
}

fn require_secret(secret: &Secret) -> Result<(), ConfigError> {
    if secret.is_set() {
        Ok(())
    } else {
        Err(ConfigError::new("sms.http.secret must be set, since {secret} stands for it."))
    }
}
