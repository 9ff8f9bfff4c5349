//! Who may call: the guards that a handler names in its signature.
//!
//! Owns: reading the bearer token and turning it into a [`User`] or an [`Operator`].
//! Invariants: a handler with a guard never runs for anybody else; a banned user passes no guard.
//! Never: tells an expired token from an unknown one.

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use http::request::Parts;
use http::{HeaderMap, header};
use subtle::ConstantTimeEq;

use crate::app::App;
use crate::features::operators;
use crate::features::sessions::{self, SessionId};
use crate::features::users::UserId;
use crate::platform::error::{Error, Result};
use crate::platform::http::client_address::ClientAddress;
use crate::platform::tokens::{self, Token, TokenKind};

use super::serve::Peer;

/// A caller with a valid token of their own.
#[derive(Debug, Clone, Copy)]
pub struct User {
    pub id: UserId,
    pub session_id: SessionId,
}

impl FromRequestParts<App> for User {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let token = bearer(&parts.headers).ok_or_else(Error::no_token)?;
        match Token::parse(token) {
            Some((TokenKind::User, token)) => sessions::authenticate(app, &token).await,
            _ => Err(Error::no_token()),
        }
    }
}

impl OptionalFromRequestParts<App> for User {
    type Rejection = Error;

    /// No token at all is an anonymous caller; a token that is no good is still refused.
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>> {
        if parts.headers.contains_key(header::AUTHORIZATION) {
            <Self as FromRequestParts<App>>::from_request_parts(parts, app).await.map(Some)
        } else {
            Ok(None)
        }
    }
}

/// A caller that runs the service. The name goes into the audit log.
#[derive(Debug, Clone)]
pub struct Operator {
    pub name: String,
}

impl FromRequestParts<App> for Operator {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let text = bearer(&parts.headers).ok_or_else(Error::no_token)?;
        let configured = &app.config.operator_token;
        // Hashes have one length, so the comparison tells nothing about the token.
        let matches = tokens::hash(text).ct_eq(&tokens::hash(configured.expose()));
        if configured.is_set() && bool::from(matches) {
            return Ok(Self { name: "configured".to_owned() });
        }
        match Token::parse(text) {
            Some((TokenKind::Operator, token)) => operators::authenticate(app, &token).await,
            Some((TokenKind::User, token)) => {
                sessions::authenticate(app, &token).await?;
                Err(Error::Forbidden {
                    code: "operator_only",
                    message: "This call is for operators.",
                })
            }
            None => Err(Error::no_token()),
        }
    }
}

impl FromRequestParts<App> for ClientAddress {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let Some(Peer(peer)) = parts.extensions.get() else {
            return Err(Error::internal("the connection has no peer address"));
        };
        Ok(Self::find(peer.ip(), &parts.headers, &app.config.http.trusted_proxies))
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn with(bytes: &[u8]) -> Option<HeaderMap> {
        let value = http::HeaderValue::from_bytes(bytes).ok()?;
        Some(HeaderMap::from_iter([(header::AUTHORIZATION, value)]))
    }

    proptest! {
        #[test]
        fn no_bytes_break_the_reader_of_the_token(
            bytes in prop_oneof![
                proptest::collection::vec(any::<u8>(), 0..60),
                "[Bb]earer \\PC{0,60}".prop_map(String::into_bytes),
            ],
        ) {
            let Some(headers) = with(&bytes) else { return Ok(()) };
            let Some(token) = bearer(&headers) else { return Ok(()) };
            prop_assert!(bytes.to_ascii_lowercase().starts_with(b"bearer "));
            prop_assert!(token.bytes().all(|byte| byte == b'\t' || (32..127).contains(&byte)));
            prop_assert!(Token::parse(token).is_none());
        }

        #[test]
        fn a_token_is_read_however_its_scheme_is_written(capitals: u8) {
            let token = Token::generate(TokenKind::User);
            let capital = |(at, c): (usize, char)| {
                if capitals >> at & 1 == 1 { c.to_ascii_uppercase() } else { c }
            };
            let scheme: String = "bearer".chars().enumerate().map(capital).collect();
            let headers = with(format!("{scheme} {}", token.expose()).as_bytes()).unwrap();
            prop_assert_eq!(bearer(&headers), Some(token.expose()));
        }
    }
}
