//! A thin client of a running server, for the commands that are one operator's call each and for the match day.

use std::time::Duration;

use reqwest::Method;
use serde_json::Value;

use crate::platform::config::Config;
use crate::platform::error::{Error, Result};
use crate::platform::outbound;

const TIMEOUT: Duration = Duration::from_secs(30);

pub struct OperatorClient {
    client: reqwest::Client,
    base: String,
    token: String,
}

impl OperatorClient {
    /// For the server at `url` (or where this configuration lets it listen) and with `token` (or the configured one).
    pub fn new(config: &Config, url: Option<String>, token: Option<String>) -> Result<Self> {
        let token = token.unwrap_or_else(|| config.operator_token.expose().to_owned());
        if token.is_empty() {
            return Err(Error::internal(
                "an operator token is needed: give --token or set TOUCHLINE_OPERATOR_TOKEN \
                 (`touchline operator-token` makes one)",
            ));
        }
        Ok(Self { token, ..Self::of_nobody(url.unwrap_or_else(|| config.own_url()))? })
    }

    /// For what is open to everybody.
    pub fn of_nobody(url: String) -> Result<Self> {
        let client = outbound::client(TIMEOUT).map_err(Error::internal)?;
        Ok(Self { client, base: url.trim_end_matches('/').to_owned(), token: String::new() })
    }

    /// As the operator; anything but success is an error.
    pub async fn call(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Value> {
        let answer = self.ask(method, path, Some(&self.token), body).await?;
        if (200..300).contains(&answer.status) && answer.body.is_object() {
            Ok(answer.body)
        } else {
            Err(Error::internal(complaint(answer.status, &answer.body)))
        }
    }

    /// As whoever holds the token, or as nobody; `path` may be a whole address. What is refused is an answer too.
    pub async fn ask(
        &self,
        method: Method,
        path: &str,
        token: Option<&str>,
        body: Option<&Value>,
    ) -> Result<Answer> {
        let url =
            if path.starts_with('/') { format!("{}{path}", self.base) } else { path.to_owned() };
        let mut request = self.client.request(method, &url);
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        let unreachable = |error: reqwest::Error| {
            let reason = if error.is_timeout() { "in time" } else { "there" };
            Error::internal(format!("no server answers {reason} at {} ({error})", self.base))
        };
        let response = request.send().await.map_err(unreachable)?;
        let status = response.status().as_u16();
        let text = response.text().await.map_err(unreachable)?;
        Ok(Answer { status, body: serde_json::from_str(&text).unwrap_or_default() })
    }
}

pub struct Answer {
    pub status: u16,
    /// Null where it is no JSON.
    pub body: Value,
}

impl Answer {
    /// The body; an error that names what was asked for, if it was refused.
    pub fn expect_success(self, what: &str) -> Result<Value> {
        if (200..300).contains(&self.status) {
            Ok(self.body)
        } else {
            Err(Error::internal(format!("{what}: {}", complaint(self.status, &self.body))))
        }
    }
}

/// What the server said, with every field it complained about on a line of its own.
fn complaint(status: u16, answer: &Value) -> String {
    let message = answer.get("message").and_then(Value::as_str);
    let message = message.unwrap_or("this is not an answer of Touchline");
    let mut lines = vec![format!("the server answered {status}: {message}")];
    let errors = answer.get("errors").and_then(Value::as_object);
    for (field, sentences) in errors.into_iter().flatten() {
        for sentence in sentences.as_array().into_iter().flatten() {
            lines.push(format!("  {field}: {}", sentence.as_str().unwrap_or_default()));
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_refusal_names_every_field() {
        let answer = json!({"message": "The given data is not valid.",
            "errors": {"events.3.home": ["There is no team x."], "events.4.key": ["Is there twice."]}});
        assert_eq!(
            complaint(422, &answer),
            "the server answered 422: The given data is not valid.\n  events.3.home: There is no team x.\n  \
             events.4.key: Is there twice."
        );
    }
}
