//! Web Push: encrypted for the browser that receives it (RFC 8291), signed so that only we can send to it (RFC 8292).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::{Client, RequestBuilder, Url};
use serde_json::json;
use web_push_native::p256::ecdsa::SigningKey;
use web_push_native::p256::{PublicKey, SecretKey};
use web_push_native::{Auth, encrypt};

use crate::platform::config::ConfigError;
use crate::platform::keys::Keys;

use super::jwt::{self, base64url};
use super::{Failure, Notice};

/// A push service takes a token for at most a day.
const TOKEN_LIVES_S: i64 = 12 * 3_600;
/// Longer messages may be refused.
const LONGEST_MESSAGE: usize = 3_000;

/// How a browser is reached.
#[derive(Debug, Clone)]
pub struct WebPushKeys {
    endpoint: Url,
    public_key: PublicKey,
    auth: [u8; 16],
}

impl WebPushKeys {
    /// From what `PushSubscription` says of itself; the name of the field that is wrong, if one is.
    pub fn read(endpoint: Url, p256dh: &str, auth: &str) -> Result<Self, &'static str> {
        let decode = |text: &str| URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok();
        let public_key = decode(p256dh).and_then(|bytes| PublicKey::from_sec1_bytes(&bytes).ok());
        let auth = decode(auth).and_then(|bytes| bytes.try_into().ok());
        Ok(Self { endpoint, public_key: public_key.ok_or("p256dh")?, auth: auth.ok_or("auth")? })
    }
}

#[derive(Debug)]
pub struct WebPush {
    key: SigningKey,
    contact: String,
}

impl WebPush {
    /// The key follows from the service's own, so that every node has the same, and it outlives a restart.
    pub fn new(keys: &Keys, contact: &str) -> Result<Self, ConfigError> {
        let number = |try_: u8| keys.derive("web push", &[&[try_]]);
        // Nearly every number of this length is a key.
        let key = (0..8).find_map(|try_| SecretKey::from_slice(&number(try_)).ok());
        let key = key.ok_or_else(|| ConfigError::new("push: no key could be made."))?;
        Ok(Self { key: SigningKey::from(key), contact: contact.to_owned() })
    }

    pub fn public_key(&self) -> String {
        base64url(self.key.verifying_key().to_encoded_point(false).as_bytes())
    }

    pub fn request(
        &self,
        client: &Client,
        keys: &WebPushKeys,
        notice: &Notice,
        now: i64,
    ) -> Result<RequestBuilder, Failure> {
        let message = notice.as_json().to_string().into_bytes();
        if message.len() > LONGEST_MESSAGE {
            return Err(Failure::Refused);
        }
        let auth = Auth::clone_from_slice(&keys.auth);
        let body = encrypt(message, &keys.public_key, &auth).map_err(|_| Failure::Refused)?;
        let claims = json!({
            "aud": keys.endpoint.origin().ascii_serialization(),
            "exp": now + TOKEN_LIVES_S,
            "sub": self.contact,
        });
        let token = jwt::es256(&self.key, None, &claims);
        Ok(client
            .post(keys.endpoint.clone())
            .header("ttl", notice.lives.as_secs())
            .header("urgency", "normal")
            .header("topic", topic(&notice.tag))
            .header("content-encoding", "aes128gcm")
            .header("content-type", "application/octet-stream")
            .header("authorization", format!("vapid t={token}, k={}", self.public_key()))
            .body(body))
    }
}

/// At most 32 letters of the URL-safe alphabet, of which any tag can be made.
fn topic(tag: &str) -> String {
    use sha2::Digest as _;
    let hash = sha2::Sha256::digest(tag.as_bytes());
    base64url(hash.get(..24).unwrap_or_default())
}
