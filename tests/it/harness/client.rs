//! An HTTP client that reads as a test should.

use reqwest::Method;
use reqwest::header::HeaderMap;
use serde_json::Value;

use super::description;

/// For addresses of this machine. It trusts no authority, since reading those of the system costs a debug build more than a short test.
pub fn plain_client() -> reqwest::Client {
    touchline::platform::outbound::install_tls();
    reqwest::Client::builder().no_proxy().tls_certs_only([]).build().unwrap()
}

#[derive(Clone)]
pub struct Client {
    base: String,
    client: reqwest::Client,
}

impl Client {
    pub fn new(base: &str) -> Self {
        Self { base: base.to_owned(), client: plain_client() }
    }

    pub fn base(&self) -> &str {
        &self.base
    }

    /// `127.0.0.1:PORT`, for tests that speak to the socket themselves.
    pub fn address(&self) -> &str {
        self.base.strip_prefix("http://").unwrap()
    }

    pub fn request(&self, method: Method, path: &str) -> Call {
        Call(self.client.request(method, format!("{}{path}", self.base)))
    }

    pub fn get(&self, path: &str) -> Call {
        self.request(Method::GET, path)
    }

    pub fn post(&self, path: &str) -> Call {
        self.request(Method::POST, path)
    }

    pub fn put(&self, path: &str) -> Call {
        self.request(Method::PUT, path)
    }

    pub fn patch(&self, path: &str) -> Call {
        self.request(Method::PATCH, path)
    }

    pub fn delete(&self, path: &str) -> Call {
        self.request(Method::DELETE, path)
    }
}

pub struct Call(reqwest::RequestBuilder);

impl Call {
    pub fn token(self, token: &str) -> Self {
        Self(self.0.bearer_auth(token))
    }

    pub fn header(self, name: &str, value: &str) -> Self {
        Self(self.0.header(name, value))
    }

    #[allow(clippy::needless_pass_by_value, reason = "reads better at the call: json(json!({..}))")]
    pub fn json(self, body: Value) -> Self {
        Self(self.0.json(&body))
    }

    /// As a browser sends a form.
    pub fn form(self, fields: &[(&str, &str)]) -> Self {
        Self(self.0.form(fields))
    }

    /// A body as it is, said to be JSON.
    pub fn raw(self, body: impl Into<reqwest::Body>) -> Self {
        Self(self.0.header("content-type", "application/json").body(body))
    }

    pub async fn send(self) -> Reply {
        self.try_send().await.unwrap()
    }

    /// For tests in which the service may be gone.
    pub async fn try_send(self) -> reqwest::Result<Reply> {
        let (client, request) = self.0.build_split();
        let request = request?;
        let (method, path) = (request.method().clone(), request.url().path().to_owned());
        let response = client.execute(request).await?;
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let text = response.text().await?;
        let body = serde_json::from_str(&text).unwrap_or(Value::Null);
        // An answer to read has a newline at its end; the chat network's protocol and a compressed one are not for reading.
        let is_line = body.is_null() || path.starts_with("/_matrix") || text.ends_with('\n');
        assert!(is_line, "{path}: {text}");
        description::check_failure(method.as_str(), &path, status, &body);
        Ok(Reply { status, headers, body, text })
    }
}

#[derive(Debug, Clone)]
pub struct Reply {
    pub status: u16,
    pub headers: HeaderMap,
    /// Null if the answer was not JSON.
    pub body: Value,
    pub text: String,
}

impl Reply {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// The stable `code` of an error body.
    pub fn code(&self) -> &str {
        self.body["code"].as_str().unwrap_or_default()
    }

    /// The body with what is another one in every run left out, for a snapshot.
    pub fn body_without(&self, random: &[&str]) -> Value {
        let text = random.iter().fold(self.text.clone(), |text, part| text.replace(part, "..."));
        serde_json::from_str(&text).unwrap()
    }

    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.text);
        self
    }

    /// An error in the one shape, with this status and code.
    #[track_caller]
    pub fn expect_error(self, status: u16, code: &str) -> Self {
        assert_eq!((self.status, self.code()), (status, code), "{}", self.text);
        assert!(self.body["message"].is_string(), "{}", self.text);
        assert_eq!(self.body["request_id"].as_str(), self.header("x-request-id"), "{}", self.text);
        self
    }

    /// A 422 that names this field.
    #[track_caller]
    pub fn expect_invalid(self, field: &str) -> Self {
        let reply = self.expect_error(422, "validation_failed");
        assert!(reply.body["errors"][field][0].is_string(), "{}", reply.text);
        reply
    }
}
