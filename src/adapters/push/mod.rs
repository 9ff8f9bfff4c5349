//! Messages to devices, through the service that reaches each of them.
//!
//! Owns: how Web Push, FCM, APNs and plain HTTP are spoken to, the keys by which they know this service, and what their answers mean.
//! Invariants: a message is sent at most once a call; an answer is told apart by what is to be done about the device: nothing, later, or never
//! again; an error names neither an address, a token, a text nor a key; what users name as an address leads to no private network.
//! Never: touches the database, follows a redirect or keeps a message.

mod apns;
mod fcm;
mod jwt;
mod webpush;

use std::time::Duration;

use reqwest::{Client, RequestBuilder, Response, StatusCode, Url};
use serde_json::{Value, json};

use crate::adapters::matrix::{self, PUSH_GATEWAY_PATH};
use crate::platform::config::{ConfigError, PushConfig};
use crate::platform::keys::Keys;
use crate::platform::{outbound, public_network};

pub use webpush::WebPushKeys;

/// How long one message may take.
const TIMEOUT: Duration = Duration::from_secs(10);
/// A service that asks for more is asked again after this.
const LONGEST_WAIT: Duration = Duration::from_secs(3_600);

/// Where a message goes.
#[derive(Debug, Clone)]
pub enum Target {
    WebPush(WebPushKeys),
    Fcm { token: String },
    Apns { token: String },
    Http { url: Url },
}

/// What is told to a device.
#[derive(Debug, Clone)]
pub struct Notice {
    pub title: String,
    pub body: String,
    /// A later one with the same tag takes its place.
    pub tag: String,
    /// For the app: what it is about.
    pub data: Value,
    /// How long it is worth something.
    pub lives: Duration,
}

/// Why a message was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The registration is dead, or never was one.
    Gone,
    /// This message is none that the service takes.
    Refused,
    /// The service is away, throttles, or did not answer; after how long to ask again, if it says so.
    Later(Option<Duration>),
    /// The service does not know us: the operator's key is wrong or expired.
    BadKey,
    /// The settings name no way to reach such devices.
    NotSetUp,
}

/// The ways out that the settings name.
#[derive(Debug)]
pub struct Sender {
    /// To addresses that users name.
    public: Client,
    /// To addresses that the settings name.
    own: Client,
    webpush: webpush::WebPush,
    fcm: Option<fcm::Fcm>,
    apns: Option<apns::Apns>,
}

/// Whether [`Sender::open`] would find everything it needs.
pub fn check(config: &PushConfig) -> Result<(), ConfigError> {
    fcm::Fcm::open(&config.fcm)?;
    apns::Apns::open(&config.apns)?;
    let url = &config.gateway_url;
    if url.is_empty() || matrix::is_push_gateway(url) {
        return Ok(());
    }
    Err(ConfigError::new(format!(
        "push.gateway_url must be an http or https address that ends with {PUSH_GATEWAY_PATH}, or be empty."
    )))
}

impl Sender {
    pub fn open(config: &PushConfig, keys: &Keys, contact: &str) -> Result<Self, ConfigError> {
        let broken = |error: reqwest::Error| ConfigError::new(format!("push: {error}"));
        let mut public = outbound::http2_builder(TIMEOUT);
        if !config.allows_private_networks {
            public = public.dns_resolver(public_network::resolver());
        }
        Ok(Self {
            public: public.build().map_err(broken)?,
            own: outbound::http2_builder(TIMEOUT).build().map_err(broken)?,
            webpush: webpush::WebPush::new(keys, contact)?,
            fcm: fcm::Fcm::open(&config.fcm)?,
            apns: apns::Apns::open(&config.apns)?,
        })
    }

    /// Whether the settings name a way to such devices; to browsers and servers there always is one.
    pub const fn reaches_fcm(&self) -> bool {
        self.fcm.is_some()
    }

    pub const fn reaches_apns(&self) -> bool {
        self.apns.is_some()
    }

    /// By which browsers know that a message is from here: the key that a page subscribes with.
    pub fn public_key(&self) -> String {
        self.webpush.public_key()
    }

    /// Sends a notice; `now` in seconds since 1970.
    pub async fn send(&self, target: &Target, notice: &Notice, now: i64) -> Result<(), Failure> {
        match target {
            Target::WebPush(keys) => {
                let request = self.webpush.request(&self.public, keys, notice, now)?;
                judge(answer(request).await?)
            }
            Target::Http { url } => {
                let request = self.public.post(url.clone()).json(&notice.as_json());
                // No key of ours is asked for there, so none can be wrong.
                judge(answer(request).await?).map_err(|failure| match failure {
                    Failure::BadKey => Failure::Refused,
                    other => other,
                })
            }
            Target::Fcm { token } => {
                let fcm = self.fcm.as_ref().ok_or(Failure::NotSetUp)?;
                fcm.send(&self.own, token, notice, now).await
            }
            Target::Apns { token } => {
                let apns = self.apns.as_ref().ok_or(Failure::NotSetUp)?;
                apns.send(token, notice, now).await
            }
        }
    }
}

impl Notice {
    fn as_json(&self) -> Value {
        json!({"title": self.title, "body": self.body, "tag": self.tag, "data": self.data})
    }
}

/// The answer to a request, whatever it says.
async fn answer(request: RequestBuilder) -> Result<Response, Failure> {
    request.send().await.map_err(|_| Failure::Later(None))
}

/// What the status alone says.
fn judge(answer: Response) -> Result<(), Failure> {
    let later = retry_after(&answer);
    match answer.status() {
        status if status.is_success() => Ok(()),
        StatusCode::NOT_FOUND | StatusCode::GONE => Err(Failure::Gone),
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(Failure::BadKey),
        StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT => Err(Failure::Later(later)),
        status if status.is_server_error() => Err(Failure::Later(later)),
        _ => Err(Failure::Refused),
    }
}

/// By which Apple's service knows that one message takes the place of another: at most 64 letters.
fn collapse_id(tag: &str) -> String {
    tag.chars().filter(char::is_ascii_graphic).take(64).collect()
}

fn retry_after(answer: &Response) -> Option<Duration> {
    let text = answer.headers().get("retry-after")?.to_str().ok()?;
    text.parse().ok().map(Duration::from_secs).map(|wait| wait.min(LONGEST_WAIT))
}
