//! Signed tokens by which push services know the sender.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::rand::SystemRandom;
use ring::signature::{RSA_PKCS1_SHA256, RsaKeyPair};
use serde_json::{Value, json};
use web_push_native::p256::ecdsa::signature::Signer;
use web_push_native::p256::ecdsa::{Signature, SigningKey};

pub fn base64url(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// What is signed: header and claims.
fn unsigned(header: &Value, claims: &Value) -> String {
    format!(
        "{}.{}",
        base64url(header.to_string().as_bytes()),
        base64url(claims.to_string().as_bytes())
    )
}

/// Signed with a key on P-256.
pub fn es256(key: &SigningKey, key_id: Option<&str>, claims: &Value) -> String {
    let mut header = json!({"typ": "JWT", "alg": "ES256"});
    if let (Some(id), Some(fields)) = (key_id, header.as_object_mut()) {
        fields.insert("kid".to_owned(), id.into());
    }
    let text = unsigned(&header, claims);
    let signature: Signature = key.sign(text.as_bytes());
    format!("{text}.{}", base64url(&signature.to_bytes()))
}

/// Signed with an RSA key; nothing if that fails.
pub fn rs256(key: &RsaKeyPair, claims: &Value) -> Option<String> {
    let text = unsigned(&json!({"typ": "JWT", "alg": "RS256"}), claims);
    let mut signature = vec![0; key.public().modulus_len()];
    key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), text.as_bytes(), &mut signature).ok()?;
    Some(format!("{text}.{}", base64url(&signature)))
}

/// What stands between the lines of a PEM file.
pub fn pem_content(pem: &str) -> Option<Vec<u8>> {
    let lines = pem.lines().map(str::trim).filter(|line| !line.starts_with("-----"));
    STANDARD.decode(lines.collect::<String>()).ok().filter(|content| !content.is_empty())
}
