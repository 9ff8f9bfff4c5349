//! The guard of the operator API.

use axum::extract::{FromRef, FromRequestParts};
use http::request::Parts;
use subtle::ConstantTimeEq;

use super::store;
use crate::features::sessions::Sessions;
use crate::platform::core::Core;
use crate::platform::error::{Error, Result};
use crate::platform::http::bearer::bearer;
use crate::platform::tokens::{self, Token, TokenKind};

/// A caller that runs the service. The name goes into the audit log.
#[derive(Debug, Clone)]
pub struct Operator {
    pub name: String,
}

impl<S: Send + Sync> FromRequestParts<S> for Operator
where
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let text = bearer(&parts.headers).ok_or_else(Error::no_token)?;
        let core = Core::from_ref(state);
        let configured = &core.config.operator_token;
        // Hashes have one length, so the comparison tells nothing about the token.
        let matches = tokens::hash(text).ct_eq(&tokens::hash(configured.expose()));
        if configured.is_set() && bool::from(matches) {
            return Ok(Self { name: "configured".to_owned() });
        }
        match Token::parse(text) {
            Some((TokenKind::Operator, token)) => {
                let hash = token.hash();
                let name = core.db.lookup(move |tx| store::find_name(tx, &hash)).await?;
                name.map(|name| Self { name }).ok_or_else(Error::no_token)
            }
            Some((TokenKind::User, token)) => {
                Sessions::from_ref(state).authenticate(&token).await?;
                Err(Error::Forbidden {
                    code: "operator_only",
                    message: "This call is for operators.",
                })
            }
            None => Err(Error::no_token()),
        }
    }
}
