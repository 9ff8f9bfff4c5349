//! Apple's push service, over HTTP/2 with a token.

use reqwest::{Client, Response};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::Mutex;
use web_push_native::p256::SecretKey;
use web_push_native::p256::ecdsa::SigningKey;
use web_push_native::p256::pkcs8::DecodePrivateKey;

use crate::platform::config::{ApnsConfig, ConfigError, Secret};
use crate::platform::outbound;

use super::{Failure, Notice, TIMEOUT, answer, collapse_id, jwt, retry_after};

/// Apple takes a token for an hour, and no new one within twenty minutes.
const TOKEN_LIVES_S: i64 = 40 * 60;

pub struct Apns {
    client: Client,
    base: String,
    topic: String,
    team_id: String,
    key_id: String,
    key: SigningKey,
    token: Mutex<Option<(Secret, i64)>>,
}

impl std::fmt::Debug for Apns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Apns").field("topic", &self.topic).finish_non_exhaustive()
    }
}

#[derive(Deserialize)]
struct ErrorBody {
    reason: String,
}

impl Apns {
    /// Nothing if the settings name no key.
    pub fn open(config: &ApnsConfig) -> Result<Option<Self>, ConfigError> {
        if !config.key.is_set() {
            return Ok(None);
        }
        for (name, value) in
            [("key_id", &config.key_id), ("team_id", &config.team_id), ("topic", &config.topic)]
        {
            if value.is_empty() {
                return Err(ConfigError::new(format!("push.apns.{name} must be set.")));
            }
        }
        let key = SecretKey::from_pkcs8_pem(config.key.expose())
            .map_err(|_| ConfigError::new("push.apns.key must be the text of a .p8 file."))?;
        let builder = outbound::http2_builder(TIMEOUT);
        // Without TLS, for a server of one's own, nothing would agree on HTTP/2 by itself.
        let is_plain = config.base_url.starts_with("http://");
        let builder = if is_plain { builder.http2_prior_knowledge() } else { builder };
        Ok(Some(Self {
            client: builder.build().map_err(|error| ConfigError::new(format!("push: {error}")))?,
            base: config.base_url.trim_end_matches('/').to_owned(),
            topic: config.topic.clone(),
            team_id: config.team_id.clone(),
            key_id: config.key_id.clone(),
            key: SigningKey::from(key),
            token: Mutex::new(None),
        }))
    }

    pub async fn send(&self, device: &str, notice: &Notice, now: i64) -> Result<(), Failure> {
        let sent = self.try_once(device, notice, now).await?;
        match judge(sent).await {
            Err(Judged::ExpiredToken) => {
                *self.token.lock().await = None;
                let again = self.try_once(device, notice, now).await?;
                judge(again).await.map_err(Judged::failure)
            }
            judged => judged.map_err(Judged::failure),
        }
    }

    async fn try_once(&self, device: &str, notice: &Notice, now: i64) -> Result<Response, Failure> {
        let token = self.token(now).await;
        let lives = i64::try_from(notice.lives.as_secs()).unwrap_or(0);
        let body = json!({
            "aps": {"alert": {"title": notice.title, "body": notice.body}, "sound": "default", "thread-id": notice.tag},
            "data": notice.data,
        });
        let request = self
            .client
            .post(format!("{}/3/device/{device}", self.base))
            .bearer_auth(token.expose())
            .header("apns-topic", &self.topic)
            .header("apns-push-type", "alert")
            .header("apns-priority", "10")
            .header("apns-expiration", now + lives)
            .header("apns-collapse-id", collapse_id(&notice.tag))
            .json(&body);
        answer(request).await
    }

    async fn token(&self, now: i64) -> Secret {
        let mut kept = self.token.lock().await;
        if let Some((token, _)) = kept.as_ref().filter(|(_, until)| now < *until) {
            return token.clone();
        }
        let claims = json!({"iss": self.team_id, "iat": now});
        let token = Secret::new(jwt::es256(&self.key, Some(&self.key_id), &claims));
        *kept = Some((token.clone(), now + TOKEN_LIVES_S));
        token
    }
}

/// What an answer says, before anything is done about it.
enum Judged {
    ExpiredToken,
    Failed(Failure),
}

impl Judged {
    fn failure(self) -> Failure {
        match self {
            Self::ExpiredToken => Failure::BadKey,
            Self::Failed(failure) => failure,
        }
    }
}

async fn judge(answer: Response) -> Result<(), Judged> {
    let (status, later) = (answer.status().as_u16(), retry_after(&answer));
    if status == 200 {
        return Ok(());
    }
    let body: Option<ErrorBody> = answer.json().await.ok();
    let reason = body.as_ref().map_or("", |body| body.reason.as_str());
    Err(match (status, reason) {
        (_, "ExpiredProviderToken") => Judged::ExpiredToken,
        (410, _) | (400, "BadDeviceToken" | "DeviceTokenNotForTopic") => {
            Judged::Failed(Failure::Gone)
        }
        (403, _) | (400, "BadTopic" | "MissingTopic" | "TopicDisallowed") => {
            Judged::Failed(Failure::BadKey)
        }
        (429 | 500..=599, _) => Judged::Failed(Failure::Later(later)),
        _ => Judged::Failed(Failure::Refused),
    })
}
