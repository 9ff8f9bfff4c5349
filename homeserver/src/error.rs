//! The one error type of request handling: an HTTP status, a Matrix error code and a safe sentence.
//! Causes are logged where they happen and never reach a client.

use std::borrow::Cow;
use std::fmt::Display;

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use rusqlite::{ErrorCode, ffi};
use serde_json::json;

const FULL: &str = "M_RESOURCE_LIMIT_EXCEEDED";

pub type Result<T> = std::result::Result<T, Error>;

#[derive(Clone, Debug)]
pub struct Error {
    status: StatusCode,
    code: &'static str,
    message: Cow<'static, str>,
    retry_after_ms: Option<u64>,
    newest_backup: Option<i64>,
}

/// Why [`crate::Homeserver::open`] refused to start.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("the server name is not a valid Matrix server name: {0}")]
    ServerName(String),
    #[error("the database belongs to server {found}, not {wanted}")]
    OtherServer { found: String, wanted: String },
    #[error("it belongs to another installation of the service")]
    OtherInstallation,
    #[error("the database is damaged ({0})")]
    Damaged(String),
    #[error("the database was written by a newer version (schema {0})")]
    NewerSchema(usize),
    #[error("the database cannot be used")]
    Database(#[from] rusqlite::Error),
    #[error("a thread or client could not be started: {0}")]
    Start(String),
    #[error("the database cannot be read or written: {0}")]
    Work(Cow<'static, str>),
}

impl OpenError {
    pub(crate) fn of_work(error: Error) -> Self {
        Self::Work(error.message)
    }
}

impl Error {
    pub fn new(status: StatusCode, code: &'static str, text: impl Into<Cow<'static, str>>) -> Self {
        Self { status, code, message: text.into(), retry_after_ms: None, newest_backup: None }
    }

    pub fn forbidden(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "M_FORBIDDEN", text)
    }

    pub fn not_found(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "M_NOT_FOUND", text)
    }

    pub fn bad_json(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "M_BAD_JSON", text)
    }

    pub fn invalid_param(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "M_INVALID_PARAM", text)
    }

    pub fn bad_request(code: &'static str, text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, text)
    }

    pub fn bad_state(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "M_BAD_STATE", text)
    }

    /// Keys for another version of a backup than the newest, which is named.
    pub fn wrong_backup(newest: i64) -> Self {
        let code = "M_WRONG_ROOM_KEYS_VERSION";
        let mut error = Self::new(StatusCode::FORBIDDEN, code, "This is not the newest backup");
        error.newest_backup = Some(newest);
        error
    }

    pub fn too_large(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "M_TOO_LARGE", text)
    }

    pub fn missing_token() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "M_MISSING_TOKEN", "Missing access token")
    }

    pub fn unknown_token() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "M_UNKNOWN_TOKEN", "Unknown access token")
    }

    pub fn limited(retry_after_ms: u64) -> Self {
        let mut error =
            Self::new(StatusCode::TOO_MANY_REQUESTS, "M_LIMIT_EXCEEDED", "Too many requests");
        error.retry_after_ms = Some(retry_after_ms);
        error
    }

    /// Something that this needs is away, which is worth another try.
    pub fn away(text: impl Into<Cow<'static, str>>, retry_after_ms: u64) -> Self {
        let mut error = Self::new(StatusCode::SERVICE_UNAVAILABLE, "M_UNKNOWN", text);
        error.retry_after_ms = Some(retry_after_ms);
        error
    }

    /// There is no room on the disk: what is there can still be read.
    fn full() -> Self {
        tracing::warn!("the homeserver's disk is full");
        let text = "There is no room to store anything right now";
        Self::new(StatusCode::INSUFFICIENT_STORAGE, FULL, text)
    }

    pub fn unrecognized(status: StatusCode) -> Self {
        Self::new(status, "M_UNRECOGNIZED", "Unrecognized request")
    }

    /// A fault of ours: the cause goes to the log, the client learns only that there was one.
    pub fn internal(cause: impl Display) -> Self {
        tracing::error!(%cause, "homeserver request failed");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "M_UNKNOWN", "Internal server error")
    }
}

impl From<rusqlite::Error> for Error {
    fn from(cause: rusqlite::Error) -> Self {
        let is_full = cause.sqlite_error().is_some_and(|error| {
            // Growing the shared memory file of the log fails with a code of its own.
            error.code == ErrorCode::DiskFull || error.extended_code == ffi::SQLITE_IOERR_SHMSIZE
        });
        if is_full { Self::full() } else { Self::internal(cause) }
    }
}

impl From<serde_json::Error> for Error {
    fn from(cause: serde_json::Error) -> Self {
        Self::internal(cause)
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let mut body = json!({"errcode": self.code, "error": self.message});
        if let (Some(wait), Some(fields)) = (self.retry_after_ms, body.as_object_mut()) {
            fields.insert("retry_after_ms".to_owned(), wait.into());
        }
        if let (Some(newest), Some(fields)) = (self.newest_backup, body.as_object_mut()) {
            fields.insert("current_version".to_owned(), newest.to_string().into());
        }
        if let (FULL, Some(fields)) = (self.code, body.as_object_mut()) {
            // Required with this code, and read by SDKs; whom to ask is for the operators to say.
            fields.insert("admin_contact".to_owned(), "".into());
        }
        let mut response = (self.status, axum::Json(body)).into_response();
        if let Some(wait) = self.retry_after_ms {
            let seconds = wait.div_ceil(1000).max(1);
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
