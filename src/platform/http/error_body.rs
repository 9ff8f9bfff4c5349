//! The one error body: `{"message", "code", "request_id"}`, with `errors` by field when validation failed, and `details` where a
//! program needs more than a code to go on.
//!
//! Owns: turning an [`Error`] into a response, and the bytes that stand in for hyper's own bodyless answers.
//! Invariants: every failure of every kind has this shape; the cause of an internal error stays here, in the log.
//! Never: repeats what the caller sent.

use std::collections::BTreeMap;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;
use utoipa::ToSchema;

use crate::platform::error::{DatabaseError, Error, FieldErrors, StatusHint};
use crate::platform::language::Language;
use crate::platform::texts::{self, Said, Text};

use super::request_id::RequestId;
use super::views::json_line;

/// What every failed request answers.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    /// A sentence for people; it may change.
    #[schema(example = "The given data is not valid.")]
    message: String,
    /// A name for programs; it does not change.
    #[schema(example = "validation_failed")]
    code: String,
    /// The same as the `x-request-id` header: quote it when you ask for help.
    #[schema(example = "req_5hTzP2cQ9dLkW1xY")]
    request_id: String,
    /// Only when validation failed: the sentences by field.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    errors: Option<BTreeMap<String, Vec<String>>>,
    /// Only where a program needs more than the code to go on; the call says what it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object, nullable = false)]
    details: Option<Box<serde_json::Value>>,
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        ErrorParts::of(self).into_response()
    }
}

/// What a page says to people of what went wrong.
pub struct Told {
    pub status: StatusCode,
    pub sentence: String,
    pub retry_after_s: Option<u64>,
}

/// The same that a response would say, as one sentence: of what is wrong with a field, the first.
pub fn tell(error: Error) -> Told {
    let ErrorParts { status, message, errors, retry_after_s, .. } = ErrorParts::of(error);
    let language = texts::speaks();
    let of_field = errors.as_ref().and_then(|fields| fields.by_field().values().flatten().next());
    let sentence = match of_field {
        Some(sentence) => sentence.in_language(language).into_owned(),
        None => message.in_language(language).to_owned(),
    };
    Told { status, sentence, retry_after_s }
}

/// An error reduced to what its response needs.
struct ErrorParts {
    status: StatusCode,
    code: &'static str,
    message: Text,
    errors: Option<FieldErrors>,
    details: Option<Box<serde_json::Value>>,
    retry_after_s: Option<u64>,
    allow: Option<String>,
}

impl ErrorParts {
    const fn new(status: StatusCode, code: &'static str, message: Text) -> Self {
        let (errors, details, retry_after_s, allow) = (None, None, None, None);
        Self { status, code, message, errors, details, retry_after_s, allow }
    }

    fn after(self, seconds: u64) -> Self {
        Self { retry_after_s: Some(seconds), ..self }
    }

    fn of(error: Error) -> Self {
        match error {
            Error::Invalid(fields) => {
                let (status, message) =
                    (StatusCode::UNPROCESSABLE_ENTITY, text!("The given data is not valid."));
                Self { errors: Some(fields), ..Self::new(status, "validation_failed", message) }
            }
            Error::Unprocessable { code, message } => {
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, message)
            }
            Error::Malformed(message) => {
                Self::new(StatusCode::BAD_REQUEST, "malformed_request", message)
            }
            Error::Unauthenticated { code, message } => {
                Self::new(StatusCode::UNAUTHORIZED, code, message)
            }
            Error::Forbidden { code, message } => Self::new(StatusCode::FORBIDDEN, code, message),
            Error::NotFound(message) => Self::new(StatusCode::NOT_FOUND, "not_found", message),
            Error::Conflict { code, message } => Self::new(StatusCode::CONFLICT, code, message),
            Error::Outdated { code, message, details } => {
                Self { details: Some(details), ..Self::new(StatusCode::CONFLICT, code, message) }
            }
            Error::Refused { code, message } => Self::new(StatusCode::BAD_REQUEST, code, message),
            other => Self::of_transport(other),
        }
    }

    /// Failures that are about the request's carriage or the service's state rather than its meaning.
    fn of_transport(error: Error) -> Self {
        match error {
            Error::MethodNotAllowed { allow } => {
                let (status, message) =
                    (StatusCode::METHOD_NOT_ALLOWED, text!("This path does not take that method."));
                Self { allow: Some(allow), ..Self::new(status, "method_not_allowed", message) }
            }
            Error::TooLarge => Self::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                "body_too_large",
                text!("The request body is larger than this service takes."),
            ),
            Error::UnsupportedMediaType => Self::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "unsupported_media_type",
                text!("Send the body as application/json."),
            ),
            Error::RateLimited { code, retry_after_s } => {
                let message = text!("Too many requests. Try again later.");
                Self::new(StatusCode::TOO_MANY_REQUESTS, code, message).after(retry_after_s)
            }
            Error::Unavailable { code, retry_after_s } => Self::unavailable(code, retry_after_s),
            Error::Database(error) => Self::of_database(&error),
            error => {
                tracing::error!(error = %error, "a request failed for a reason of ours");
                Self::internal()
            }
        }
    }

    fn of_database(error: &DatabaseError) -> Self {
        match error.status_hint() {
            StatusHint::Unavailable => {
                tracing::warn!(error = %error, "the database is unavailable");
                Self::unavailable("database_unavailable", 1)
            }
            StatusHint::Full => {
                tracing::error!("the disk is full: writes are refused until there is room");
                let message = text!("The service has no room to store this. Try again later.");
                Self::new(StatusCode::INSUFFICIENT_STORAGE, "storage_full", message).after(30)
            }
            StatusHint::Internal => {
                tracing::error!(error = %error, "a database script failed");
                Self::internal()
            }
        }
    }

    fn unavailable(code: &'static str, retry_after_s: u64) -> Self {
        let message = text!("The service cannot do this right now. Try again shortly.");
        Self::new(StatusCode::SERVICE_UNAVAILABLE, code, message).after(retry_after_s)
    }

    fn internal() -> Self {
        let message = text!("Something went wrong on our side.");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal_error", message)
    }
}

impl IntoResponse for ErrorParts {
    fn into_response(self) -> Response {
        let request_id = RequestId::current();
        let language = texts::speaks();
        let body = ErrorBody {
            message: self.message.in_language(language).to_owned(),
            code: self.code.to_owned(),
            request_id: request_id.to_string(),
            errors: self.errors.map(|fields| sentences(&fields, language)),
            details: self.details,
        };
        let bytes = json_line(&body).unwrap_or_default();
        let mut response = Response::new(Body::from(bytes));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(header::CONTENT_LANGUAGE, HeaderValue::from_static(language.code()));
        if let Some(seconds) = self.retry_after_s {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds.max(1)));
        }
        if let Some(allow) = self.allow.and_then(|allow| HeaderValue::try_from(allow).ok()) {
            headers.insert(header::ALLOW, allow);
        }
        if self.status == StatusCode::PAYLOAD_TOO_LARGE {
            // The rest of the body is not read, so the connection cannot carry another request.
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

fn sentences(fields: &FieldErrors, language: Language) -> BTreeMap<String, Vec<String>> {
    let in_words = |(field, all): (&String, &Vec<Said>)| {
        (field.clone(), all.iter().map(|one| one.in_language(language).into_owned()).collect())
    };
    fields.by_field().iter().map(in_words).collect()
}

/// A whole answer for a head that hyper refused by itself, or nothing if these bytes are not such a refusal.
///
/// hyper answers an unreadable head with a status and no body; ours all carry `x-request-id`, which tells them apart.
pub fn in_place_of_hyper(bytes: &[u8]) -> Option<Vec<u8>> {
    // First what rules out nearly every answer.
    let (code, message) = match bytes.get("HTTP/1.1 ".len()..)?.get(..3)? {
        b"400" => ("malformed_request", "This is not a valid HTTP request."),
        b"414" => ("uri_too_long", "The request's address is too long."),
        b"431" => {
            ("headers_too_large", "The request's headers are larger than this service takes.")
        }
        _ => return None,
    };
    let text = std::str::from_utf8(bytes).ok()?;
    let status = text.strip_prefix("HTTP/1.1 ").or_else(|| text.strip_prefix("HTTP/1.0 "))?;
    if !text.ends_with("\r\n\r\n") || text.contains("x-request-id") {
        return None;
    }
    let reason = status.get(4..)?.split("\r\n").next()?;
    Some(raw_answer(&format!("{} {reason}", status.get(..3)?), code, message, None))
}

/// A complete HTTP answer as bytes, for a connection that no request handler will see.
pub fn raw_answer(status: &str, code: &str, message: &str, retry_after_s: Option<u64>) -> Vec<u8> {
    let request_id = RequestId::generate();
    let body = ErrorBody {
        message: message.to_owned(),
        code: code.to_owned(),
        request_id: request_id.to_string(),
        errors: None,
        details: None,
    };
    let body = serde_json::to_string(&body).unwrap_or_default() + "\n";
    let retry = retry_after_s.map(|s| format!("retry-after: {s}\r\n")).unwrap_or_default();
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nx-request-id: {request_id}\r\n\
         x-content-type-options: nosniff\r\n{retry}connection: close\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}
