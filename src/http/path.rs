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
        let params = RawPathParams::from_request_parts(parts, app)
            .await
            .map_err(|_| Error::NotFound("page"))?;
        let is_digits = |text: &&str| text.bytes().all(|byte| byte.is_ascii_digit());
        let id = params.iter().next().map(|(_, text)| text).filter(is_digits);
        let id = id.and_then(|text| text.parse().ok()).filter(|id| *id > 0);
        id.map(Self).ok_or(Error::NotFound("resource"))
    }
}
