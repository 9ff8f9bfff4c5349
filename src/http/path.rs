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
        let id = params.iter().next().and_then(|(_, text)| text.parse().ok());
        id.filter(|id| *id > 0).map(Self).ok_or(Error::NotFound("resource"))
    }
}
