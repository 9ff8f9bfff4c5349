//! The guards of the operator API: one for each role. A handler that names `guard::Moderator` never runs for a lesser one.

use axum::extract::{FromRef, FromRequestParts};
use http::request::Parts;
use subtle::ConstantTimeEq;

use super::{Operator as Caller, Role};
use crate::features::sessions::Sessions;
use crate::platform::core::Core;
use crate::platform::error::{Error, Result};
use crate::platform::http::bearer::bearer;
use crate::platform::http::client_address::ClientAddress;
use crate::platform::limits::Who;
use crate::platform::tokens::{self, Token, TokenKind};

macro_rules! guards {
    ($($(#[$meta:meta])* $role:ident),+ $(,)?) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone)]
        pub struct $role(pub Caller);

        impl<S: Send + Sync> FromRequestParts<S> for $role
        where
            Core: FromRef<S>,
            Sessions: FromRef<S>,
        {
            type Rejection = Error;

            async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
                let caller = authenticate(parts, state).await?;
                caller.require(Role::$role)?;
                Ok(Self(caller))
            }
        }
    )+};
}

guards! {
    /// Whoever may look.
    Viewer,
    /// Whoever may deal with people and what they say.
    Moderator,
    /// Whoever may run matches and machinery.
    Operator,
    /// Whoever may do everything.
    Owner,
}

async fn authenticate<S: Send + Sync>(parts: &mut Parts, state: &S) -> Result<Caller>
where
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    let text = bearer(&parts.headers).ok_or_else(Error::no_token)?.to_owned();
    let core = Core::from_ref(state);
    let configured = &core.config.operator_token;
    // Hashes have one length, so the comparison tells nothing about the token.
    let matches = tokens::hash(&text).ct_eq(&tokens::hash(configured.expose()));
    if configured.is_set() && bool::from(matches) {
        return Ok(Caller::configured());
    }
    match Token::parse(&text) {
        Some((TokenKind::Operator, token)) => {
            if let Some(caller) = super::find_by_token(&core, token.hash()).await? {
                return Ok(caller);
            }
        }
        Some((TokenKind::User, token)) => {
            match Sessions::from_ref(state).authenticate(&token).await {
                Ok(_) => {
                    return Err(Error::Forbidden {
                        code: "operator_only",
                        message: text!("This call is for operators."),
                    });
                }
                Err(Error::Unauthenticated { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Some((TokenKind::ChatLogin, _)) | None => {}
    }
    let address = ClientAddress::from_request_parts(parts, state).await?;
    let who = Who::new(&core.keys, &address.limit_key());
    Err(super::refuse_unknown(&core, who).await)
}
