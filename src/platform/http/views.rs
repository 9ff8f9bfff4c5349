//! The envelopes that answers come in.

use axum::Json;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::header;
use serde::Serialize;
use utoipa::ToSchema;

use crate::platform::error::{Error, Result};

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
    /// A sentence for people.
    pub message: &'static str,
    pub data: T,
}

impl<T> WithMessage<T> {
    pub fn json(message: &'static str, data: T) -> Json<Self> {
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
        serde_json::to_vec(view).map(|json| Self(json.into())).map_err(Error::internal)
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
    /// A sentence for people.
    pub message: &'static str,
}
