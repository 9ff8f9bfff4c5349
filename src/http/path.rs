//! Path segments that name a thing; one of the wrong form names nothing, so it is 404.

use axum::extract::{FromRequestParts, RawPathParams};
use http::request::Parts;

use crate::app::App;
use crate::error::{Error, Result};

/// The one `{id}` of a path, as a positive integer.
pub struct PathId(pub i64);

impl FromRequestParts<App> for PathId {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let PathText(text) = PathText::from_request_parts(parts, app).await?;
        let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let id = if is_digits { text.parse().ok().filter(|id| *id > 0) } else { None };
        id.map(Self).ok_or(Error::NotFound("resource"))
    }
}

/// The one `{name}` of a path, decoded.
pub struct PathText(pub String);

impl FromRequestParts<App> for PathText {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let params = RawPathParams::from_request_parts(parts, app)
            .await
            .map_err(|_| Error::NotFound("page"))?;
        let text = params.iter().next().map(|(_, text)| text.to_owned());
        text.map(Self).ok_or(Error::NotFound("page"))
    }
}
