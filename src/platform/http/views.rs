//! The envelopes that answers come in.

use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::header;
use serde::Serialize;
use utoipa::ToSchema;

use crate::platform::error::{Error, Result};
use crate::platform::texts::Text;

/// A view as JSON with a newline at its end, so that a terminal's prompt stands below it.
pub struct Json<T>(pub T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        match PreparedJson::of(&self.0) {
            Ok(json) => json.into_response(),
            Err(error) => error.into_response(),
        }
    }
}

/// The line that a view is sent as.
pub fn json_line(view: &impl Serialize) -> Result<Vec<u8>> {
    let mut line = Vec::with_capacity(128);
    serde_json::to_writer(&mut line, view).map_err(Error::internal)?;
    line.push(b'\n');
    Ok(line)
}

/// `{"data": ...}`
#[derive(Debug, Serialize, ToSchema)]
pub struct Data<T> {
    pub data: T,
}

impl<T> Data<T> {
    pub fn json(data: T) -> Json<Self> {
        Json(Self { data })
    }
}

/// `{"message": "...", "data": ...}`
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Told)]
pub struct WithMessage<T> {
    /// A sentence for people, in their language.
    #[schema(value_type = String)]
    pub message: Text,
    pub data: T,
}

impl<T> WithMessage<T> {
    pub fn json(message: Text, data: T) -> Json<Self> {
        Json(Self { message, data })
    }
}

/// `{"data": [...], "meta": {...}}`
#[derive(Debug, Serialize, ToSchema)]
pub struct Listed<T, M> {
    pub data: Vec<T>,
    pub meta: M,
}

/// A view that is already JSON, because it is the same for many callers.
#[derive(Debug, Clone)]
pub struct PreparedJson(Bytes);

impl PreparedJson {
    pub fn of(view: &impl Serialize) -> Result<Self> {
        json_line(view).map(|json| Self(json.into()))
    }
}

impl From<Bytes> for PreparedJson {
    fn from(json: Bytes) -> Self {
        Self(json)
    }
}

impl IntoResponse for PreparedJson {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "application/json")], self.0).into_response()
    }
}

/// `{"message": "..."}`
#[derive(Debug, Serialize, ToSchema)]
pub struct Message {
    /// A sentence for people, in their language.
    #[schema(value_type = String)]
    pub message: Text,
}
