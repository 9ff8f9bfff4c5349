//! The one error type: what can go wrong, by kind, and what a caller is told.
//!
//! Owns: the kinds, their status, their stable `code` and their safe sentence.
//! Invariants: causes (`Internal`, `Database`) go to the log and never to the caller.
//! Never: carries a phone number, a code or a token.

mod database;

use std::collections::BTreeMap;

use super::texts::{Said, Text};

pub use self::database::{DatabaseError, DatabaseResult, StatusHint};

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// `Err(not_found!("event"))`: the error for something that is not there. What is missing is part of the sentence, because its
/// gender is.
macro_rules! not_found {
    ($what:literal) => {
        $crate::platform::error::Error::NotFound(text!(concat!("There is no such ", $what, ".")))
    };
}

/// More fields than these help nobody, and a large document could have millions.
const MOST_FIELDS: usize = 100;

/// Which fields of a request are wrong and why, in the order of their names; the first hundred of them.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct FieldErrors(BTreeMap<String, Vec<Said>>);

impl FieldErrors {
    pub fn of(field: &str, sentence: impl Into<Said>) -> Self {
        let mut errors = Self::default();
        errors.add(field, sentence);
        errors
    }

    pub fn add(&mut self, field: &str, sentence: impl Into<Said>) {
        if self.0.len() < MOST_FIELDS || self.0.contains_key(field) {
            self.0.entry(field.to_owned()).or_default().push(sentence.into());
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn by_field(&self) -> &BTreeMap<String, Vec<Said>> {
        &self.0
    }
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// 422: the request is well-formed and its values are not acceptable.
    #[error("invalid input: {0:?}")]
    Invalid(FieldErrors),
    /// 422 that is not about one field's form (nothing pending, key reused, ...).
    #[error("unprocessable: {code}")]
    Unprocessable { code: &'static str, message: Text },
    /// 400: not readable as JSON at all.
    #[error("malformed request: {0}")]
    Malformed(Text),
    /// 401 without a valid token, or with a wrong code.
    #[error("unauthenticated: {code}")]
    Unauthenticated { code: &'static str, message: Text },
    /// 403.
    #[error("forbidden: {code}")]
    Forbidden { code: &'static str, message: Text },
    /// 404, naming what is missing: `not_found!("event")`.
    #[error("not found: {0}")]
    NotFound(Text),
    /// 405 with its `Allow` header.
    #[error("method not allowed")]
    MethodNotAllowed { allow: String },
    /// 409.
    #[error("conflict: {code}")]
    Conflict { code: &'static str, message: Text },
    /// 409: what the caller has seen is not what is there; the details say what is.
    #[error("outdated: {code}")]
    Outdated { code: &'static str, message: Text, details: Box<serde_json::Value> },
    /// 400: understood, and refused by a rule (match started, balance too low).
    #[error("refused: {code}")]
    Refused { code: &'static str, message: Text },
    /// 413.
    #[error("body too large")]
    TooLarge,
    /// 415.
    #[error("unsupported media type")]
    UnsupportedMediaType,
    /// 429: `code` names the limiter.
    #[error("rate limited: {code}")]
    RateLimited { code: &'static str, retry_after_s: u64 },
    /// 503: a part the request needs is away; worth trying again.
    #[error("unavailable: {code}")]
    Unavailable { code: &'static str, retry_after_s: u64 },
    /// 503 or 507 or 500, decided by what the database said.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// 500: a defect of ours. The cause is logged, the caller sees a plain sentence.
    #[error("internal error: {0}")]
    Internal(Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    pub fn invalid(field: &str, sentence: impl Into<Said>) -> Self {
        Self::Invalid(FieldErrors::of(field, sentence))
    }

    pub fn internal(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Internal(cause.into())
    }

    pub const fn no_token() -> Self {
        Self::Unauthenticated {
            code: "unauthenticated",
            message: text!("A valid token is needed: send it as `Authorization: Bearer <token>`."),
        }
    }
}

impl From<FieldErrors> for Error {
    fn from(errors: FieldErrors) -> Self {
        Self::Invalid(errors)
    }
}
