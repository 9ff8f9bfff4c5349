//! The way in from the terminal on which the service was started: a code that it shows there, for a token.

use std::sync::{Arc, Mutex, PoisonError};

use subtle::ConstantTimeEq;

use super::{NewOperator, Operator, OperatorName, OperatorRow, Role, issue, refuse_unknown};
use crate::extends_core;
use crate::platform::clock::{HOUR_MS, Timestamp};
use crate::platform::core::Core;
use crate::platform::error::{Error, Result};
use crate::platform::limits::Who;
use crate::platform::tokens::{self, Token, TokenHash};

const NAME: &str = "terminal";
const CODE_LENGTH: usize = 24;
const CODE_MS: i64 = HOUR_MS;
const TOKEN_MS: i64 = 12 * HOUR_MS;

/// Who may come in by the terminal. This process alone knows it: another node has a terminal of its own.
#[derive(Clone)]
pub struct SignIn {
    core: Core,
    offer: Arc<Mutex<Option<Offer>>>,
}

extends_core!(SignIn);

struct Offer {
    code: TokenHash,
    until: Timestamp,
}

impl SignIn {
    pub fn new(core: &Core) -> Self {
        Self { core: core.clone(), offer: Arc::default() }
    }

    /// A new code, instead of the one before.
    pub fn offer(&self) -> String {
        let code = tokens::random_text(CODE_LENGTH);
        let until = self.clock.now().plus_ms(CODE_MS);
        self.keep(Some(Offer { code: tokens::hash(&code), until }));
        code
    }

    /// An owner's token for the code that was offered last. A wrong one counts as an unknown token does.
    pub async fn redeem(&self, code: &str, who: Who) -> Result<(OperatorRow, Token)> {
        let Some(offer) = self.take(code) else {
            return Err(match refuse_unknown(&self.core, who).await {
                Error::Unauthenticated { .. } => spent(),
                error => error,
            });
        };
        let name =
            OperatorName::try_from(NAME).map_err(|sentence| Error::invalid("name", sentence))?;
        let by = Operator { id: None, name: NAME.to_owned(), role: Role::Owner };
        let expires_at = Some(self.clock.now().plus_ms(TOKEN_MS));
        let new = NewOperator { name, role: Role::Owner, expires_at };
        let issued = self.db.write(move |tx| issue(tx, &by, &new)).await;
        if issued.is_err() {
            // Nobody came in by it.
            self.keep(Some(offer));
        }
        issued
    }

    /// Takes the offer away if this is its code: of two who show it at once, one comes in.
    fn take(&self, code: &str) -> Option<Offer> {
        let shown = tokens::hash(code);
        let now = self.clock.now();
        let mut offer = self.offer.lock().unwrap_or_else(PoisonError::into_inner);
        offer.take_if(|offer| now < offer.until && bool::from(offer.code.ct_eq(&shown)))
    }

    fn keep(&self, offer: Option<Offer>) {
        *self.offer.lock().unwrap_or_else(PoisonError::into_inner) = offer;
    }
}

const fn spent() -> Error {
    Error::Unauthenticated {
        code: "sign_in_link_spent",
        message: text!(
            "This sign-in link was used already or is too old. `touchline operator-token NAME` makes a token to sign in with."
        ),
    }
}
