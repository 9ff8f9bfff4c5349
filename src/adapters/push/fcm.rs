//! Firebase Cloud Messaging, HTTP v1.

use reqwest::{Client, Response, StatusCode};
use ring::signature::RsaKeyPair;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Mutex;

use crate::platform::config::{ConfigError, FcmConfig, Secret};

use super::{Failure, Notice, answer, collapse_id, jwt, retry_after};

const SCOPE: &str = "https://www.googleapis.com/auth/firebase.messaging";
const TOKEN_LIVES_S: i64 = 3_600;
/// A token is renewed so long before its end.
const EARLY_S: i64 = 120;

/// The file that Google gives an operator.
#[derive(Deserialize)]
struct ServiceAccount {
    project_id: String,
    client_email: String,
    private_key: String,
    token_uri: String,
}

pub struct Fcm {
    url: String,
    client_email: String,
    token_uri: String,
    key: RsaKeyPair,
    token: Mutex<Option<Token>>,
}

impl std::fmt::Debug for Fcm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fcm").field("url", &self.url).finish_non_exhaustive()
    }
}

#[derive(Clone)]
struct Token {
    secret: Secret,
    until: i64,
}

#[derive(Deserialize)]
struct TokenBody {
    access_token: String,
    expires_in: i64,
}

impl Fcm {
    /// Nothing if the settings name no account.
    pub fn open(config: &FcmConfig) -> Result<Option<Self>, ConfigError> {
        if !config.service_account.is_set() {
            return Ok(None);
        }
        let wrong = |why: &str| ConfigError::new(format!("push.fcm.service_account {why}."));
        let account: ServiceAccount = serde_json::from_str(config.service_account.expose())
            .map_err(|_| wrong("must be the JSON of a service account"))?;
        let key = jwt::pem_content(&account.private_key)
            .and_then(|der| RsaKeyPair::from_pkcs8(&der).ok())
            .ok_or_else(|| wrong("has no private key that can be used"))?;
        let base = config.base_url.trim_end_matches('/');
        Ok(Some(Self {
            url: format!("{base}/v1/projects/{}/messages:send", account.project_id),
            client_email: account.client_email,
            token_uri: account.token_uri,
            key,
            token: Mutex::new(None),
        }))
    }

    pub async fn send(
        &self,
        client: &Client,
        device: &str,
        notice: &Notice,
        now: i64,
    ) -> Result<(), Failure> {
        let sent = self.try_once(client, device, notice, now).await?;
        if sent.status() != StatusCode::UNAUTHORIZED {
            return judge(sent).await;
        }
        // The token was withdrawn before its time: a new one is as good as it gets.
        *self.token.lock().await = None;
        judge(self.try_once(client, device, notice, now).await?).await
    }

    async fn try_once(
        &self,
        client: &Client,
        device: &str,
        notice: &Notice,
        now: i64,
    ) -> Result<Response, Failure> {
        let token = self.token(client, now).await?;
        let seconds = format!("{}s", notice.lives.as_secs());
        let message = json!({"message": {
            "token": device,
            "notification": {"title": notice.title, "body": notice.body},
            "data": {"tag": notice.tag, "data": notice.data.to_string()},
            "android": {"collapse_key": notice.tag, "ttl": seconds, "notification": {"tag": notice.tag}},
            "apns": {"headers": {"apns-collapse-id": collapse_id(&notice.tag)}},
        }});
        answer(client.post(&self.url).bearer_auth(token.expose()).json(&message)).await
    }

    async fn token(&self, client: &Client, now: i64) -> Result<Secret, Failure> {
        let mut kept = self.token.lock().await;
        if let Some(token) = kept.as_ref().filter(|token| now < token.until - EARLY_S) {
            return Ok(token.secret.clone());
        }
        let claims = json!({
            "iss": self.client_email, "scope": SCOPE, "aud": self.token_uri, "iat": now, "exp": now + TOKEN_LIVES_S,
        });
        let assertion = jwt::rs256(&self.key, &claims).ok_or(Failure::BadKey)?;
        let form = [
            ("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"),
            ("assertion", &assertion),
        ];
        let answer = answer(client.post(&self.token_uri).form(&form)).await?;
        match answer.status() {
            status if status.is_success() => {}
            status if status.is_client_error() && status != StatusCode::TOO_MANY_REQUESTS => {
                return Err(Failure::BadKey);
            }
            _ => return Err(Failure::Later(retry_after(&answer))),
        }
        let body: TokenBody = answer.json().await.map_err(|_| Failure::Later(None))?;
        let token = Token { secret: Secret::new(body.access_token), until: now + body.expires_in };
        *kept = Some(token.clone());
        Ok(token.secret)
    }
}

async fn judge(answer: Response) -> Result<(), Failure> {
    let (status, later) = (answer.status(), retry_after(&answer));
    if status.is_success() {
        return Ok(());
    }
    let body: Value = answer.json().await.unwrap_or_default();
    let details = body.pointer("/error/details").and_then(Value::as_array);
    let code = details
        .into_iter()
        .flatten()
        .find_map(|detail| detail.get("errorCode").and_then(Value::as_str))
        .or_else(|| body.pointer("/error/status").and_then(Value::as_str))
        .unwrap_or_default();
    Err(match (status.as_u16(), code) {
        (_, "UNREGISTERED" | "SENDER_ID_MISMATCH") | (404, _) => Failure::Gone,
        // A token in a foreign format is told as an argument that is wrong.
        (400, _) if names_token(&body) => Failure::Gone,
        (401 | 403, _) => Failure::BadKey,
        (429 | 500..=599, _) => Failure::Later(later),
        _ => Failure::Refused,
    })
}

/// Whether the argument that is wrong is the device's token.
fn names_token(body: &Value) -> bool {
    let text = body.pointer("/error/message").and_then(Value::as_str).unwrap_or_default();
    text.contains("registration token")
}
