//! The envelopes that answers come in.

use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;

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
pub struct Told<T> {
    /// A sentence for people.
    pub message: &'static str,
    pub data: T,
}

impl<T> Told<T> {
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

/// `{"message": "..."}`
#[derive(Debug, Serialize, ToSchema)]
pub struct Message {
    /// A sentence for people.
    pub message: &'static str,
}
