//! Uploads and downloads, kept in the database. Downloads need a token.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Query, Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use http::{HeaderName, HeaderValue, header};
use ruma::ServerName;
use ruma::api::client::authenticated_media::{
    get_content, get_content_as_filename, get_content_thumbnail, get_media_config,
};
use ruma::api::client::media::{
    get_content as legacy_content, get_content_as_filename as legacy_named,
    get_content_thumbnail as legacy_thumbnail, get_media_config as legacy_config,
};
use rusqlite::params;
use serde::Deserialize;
use serde_json::json;

use crate::Hs;
use crate::budget::UPLOADS;
use crate::error::{Error, Result};
use crate::http::{Call, Reply, Routes, authenticate, limit_requests, ok};
use crate::random::opaque;
use crate::store::{Tx, find, tuple};

/// Types that a browser may show in place; everything else is a download.
const INLINE: [&str; 12] = [
    "text/plain",
    "image/jpeg",
    "image/png",
    "image/gif",
    "image/webp",
    "image/apng",
    "video/mp4",
    "video/webm",
    "video/ogg",
    "audio/mp4",
    "audio/mpeg",
    "audio/ogg",
];
const TEXT_MAX_BYTES: usize = 255;

#[allow(deprecated)] // older clients still ask at the old places
pub fn routes(routes: Routes) -> Routes {
    routes
        .route("/_matrix/media/v3/upload", post(upload))
        .route("/_matrix/media/r0/upload", post(upload))
        .serve(async |call: Call<get_media_config::v1::Request>| {
            ok(json!({"m.upload.size": call.hs.config.media_max_bytes}))
        })
        .serve(async |call: Call<legacy_config::v3::Request>| {
            ok(json!({"m.upload.size": call.hs.config.media_max_bytes}))
        })
        .serve(async |call: Call<get_content::v1::Request>| {
            download(&call.hs, &call.body.server_name, call.body.media_id, None).await
        })
        .serve(async |call: Call<get_content_as_filename::v1::Request>| {
            let (body, hs) = (call.body, call.hs);
            download(&hs, &body.server_name, body.media_id, Some(body.filename)).await
        })
        // Images are not scaled: the original is a valid, if large, thumbnail.
        .serve(async |call: Call<get_content_thumbnail::v1::Request>| {
            download(&call.hs, &call.body.server_name, call.body.media_id, None).await
        })
        // The old places answered anybody; nothing here is for anybody.
        .serve_users(async |call: Call<legacy_content::v3::Request>| {
            download(&call.hs, &call.body.server_name, call.body.media_id, None).await
        })
        .serve_users(async |call: Call<legacy_named::v3::Request>| {
            let (body, hs) = (call.body, call.hs);
            download(&hs, &body.server_name, body.media_id, Some(body.filename)).await
        })
        .serve_users(async |call: Call<legacy_thumbnail::v3::Request>| {
            download(&call.hs, &call.body.server_name, call.body.media_id, None).await
        })
}

#[derive(Deserialize)]
struct UploadQuery {
    filename: Option<String>,
}

async fn upload(
    State(hs): State<Arc<Hs>>,
    Query(query): Query<UploadQuery>,
    request: Request,
) -> Response {
    store(hs, query.filename, request).await.unwrap_or_else(IntoResponse::into_response)
}

async fn store(hs: Arc<Hs>, filename: Option<String>, request: Request) -> Reply {
    let (parts, body) = request.into_parts();
    let me = authenticate(&hs, &parts).await?.ok_or_else(Error::missing_token)?;
    limit_requests(&hs, Some(&me))?;
    let largest = usize::try_from(hs.config.media_max_bytes).unwrap_or(usize::MAX);
    let _held = hs.bodies.take_body(Some(&me), &parts.headers, largest)?;
    let too_large = || Error::too_large("Upload request body is too large");
    let content = axum::body::to_bytes(body, largest).await.map_err(|_| too_large())?;
    let kind = parts.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let kind = kind.unwrap_or("application/octet-stream").to_owned();
    if kind.len() > TEXT_MAX_BYTES || filename.as_ref().is_some_and(|n| n.len() > TEXT_MAX_BYTES) {
        return Err(Error::invalid_param("The content type or file name is too long"));
    }
    let quota = i64::try_from(hs.config.media_user_quota_bytes).unwrap_or(i64::MAX);
    let id = opaque(24);
    let uri = format!("mxc://{}/{id}", hs.server_name);
    let keep = move |tx: &mut Tx<'_>| {
        let bytes = i64::try_from(content.len()).unwrap_or(i64::MAX);
        let sql = "SELECT COUNT(*), COALESCE(SUM(bytes), 0) FROM media WHERE user = ?1";
        let kept: Option<(i64, i64)> = find(tx.conn, sql, [me.id()], tuple)?;
        let (count, kept) = kept.unwrap_or_default();
        if (kept.saturating_add(bytes) > quota || count >= UPLOADS) && !me.appservice {
            return Err(Error::forbidden("Your space for uploads is used up"));
        }
        let sql = "INSERT INTO media VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        tx.execute(sql, params![id, me.id(), kind, filename, bytes, tx.now, content.as_ref()])
    };
    hs.store.write(keep).await?;
    ok(json!({"content_uri": uri}))
}

async fn download(hs: &Hs, server: &ServerName, id: String, filename: Option<String>) -> Reply {
    if server != hs.server_name {
        return Err(Error::not_found("This server does not federate"));
    }
    let sql = "SELECT content_type, filename, content FROM media WHERE media_id = ?1";
    let found = hs.store.read(move |conn| find(conn, sql, [id], tuple)).await?;
    let (kind, stored_name, content): (String, Option<String>, Vec<u8>) =
        found.ok_or_else(|| Error::not_found("Not found"))?;
    let mut response = Response::new(Body::from(content));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, value(&kind)?);
    let place = if INLINE.contains(&kind.as_str()) { "inline" } else { "attachment" };
    let disposition = match filename.or(stored_name) {
        Some(name) => format!("{place}; filename*=utf-8''{}", percent_encode(&name)),
        None => place.to_owned(),
    };
    headers.insert(header::CONTENT_DISPOSITION, value(&disposition)?);
    // What users upload must never run as part of this origin.
    let policy = "sandbox; default-src 'none'; script-src 'none'; plugin-types application/pdf; \
                  style-src 'unsafe-inline'; object-src 'self';";
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"),
        (header::CACHE_CONTROL, "private, max-age=86400, immutable"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    Ok(response)
}

fn value(text: &str) -> Result<HeaderValue> {
    HeaderValue::from_str(text).map_err(Error::internal)
}

fn percent_encode(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes()
        .map(|byte| if plain(byte) { char::from(byte).into() } else { format!("%{byte:02X}") })
        .collect()
}
