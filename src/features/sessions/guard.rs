//! The guard of everything that is a user's own.

use axum::extract::{FromRef, FromRequestParts, OptionalFromRequestParts};
use http::header;
use http::request::Parts;

use crate::features::users::UserId;
use crate::platform::error::{Error, Result};
use crate::platform::http::bearer::bearer;
use crate::platform::http::caller;
use crate::platform::tokens::{Token, TokenKind};

use super::{SessionId, Sessions};

/// A caller with a valid token of their own. A handler that names it never runs for anybody else, nor for a banned user.
#[derive(Debug, Clone, Copy)]
pub struct User {
    pub id: UserId,
    pub session_id: SessionId,
}

impl<S: Send + Sync> FromRequestParts<S> for User
where
    Sessions: FromRef<S>,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let token = bearer(&parts.headers).ok_or_else(Error::no_token)?;
        match Token::parse(token) {
            Some((TokenKind::User, token)) => {
                let user = Sessions::from_ref(state).authenticate(&token).await?;
                caller::is(user.id.0);
                Ok(user)
            }
            _ => Err(Error::no_token()),
        }
    }
}

impl<S: Send + Sync> OptionalFromRequestParts<S> for User
where
    Sessions: FromRef<S>,
{
    type Rejection = Error;

    /// No token at all is an anonymous caller; a token that is no good is still refused.
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Option<Self>> {
        if parts.headers.contains_key(header::AUTHORIZATION) {
            <Self as FromRequestParts<S>>::from_request_parts(parts, state).await.map(Some)
        } else {
            Ok(None)
        }
    }
}
