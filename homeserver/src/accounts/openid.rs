//! Tokens by which a user proves to a third party who they are, and nothing else.

use axum::extract::{Query, State};
use axum::routing::get;
use ruma::api::client::account::request_openid_token::v3::Request;
use rusqlite::params;
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;

use crate::Hs;
use crate::error::{Error, Result};
use crate::http::{Call, Caller, Reply, Routes, hash_token, ok};
use crate::random::opaque;
use crate::store::{Tx, find};

const LASTS_SECONDS: i64 = 3600;
/// The tokens of one user at most; a new one ends the oldest.
const TOKENS_MAX: i64 = 10;

pub fn routes(routes: Routes) -> Routes {
    routes
        .serve(async |call: Call<Request>| {
            let me = call.me()?.clone();
            me.only_self(&call.body.user_id)?;
            let token = format!("tloi_{}", opaque(43));
            let hash = hash_token(&token);
            call.hs.store.write(move |tx| keep(tx, &me, hash)).await?;
            ok(json!({
                "access_token": token, "token_type": "Bearer", "expires_in": LASTS_SECONDS,
                "matrix_server_name": call.hs.server_name,
            }))
        })
        // The one path of the federation's that does not need one.
        .route("/_matrix/federation/v1/openid/userinfo", get(userinfo))
}

fn keep(tx: &mut Tx<'_>, me: &Caller, hash: [u8; 32]) -> Result<()> {
    tx.execute("DELETE FROM openid_tokens WHERE expires_at <= ?1", [tx.now])?;
    let sql = "DELETE FROM openid_tokens WHERE hash IN (SELECT hash FROM openid_tokens
                 WHERE user = ?1 ORDER BY expires_at DESC LIMIT -1 OFFSET ?2)";
    tx.execute(sql, params![me.id(), TOKENS_MAX - 1])?;
    let expires_at = tx.now + LASTS_SECONDS * 1000;
    let sql = "INSERT INTO openid_tokens VALUES (?1, ?2, ?3, ?4)";
    let device = me.device.as_deref().unwrap_or_default();
    tx.execute(sql, params![hash, me.id(), device, expires_at]).map(drop)
}

#[derive(Deserialize)]
struct Asked {
    access_token: Option<String>,
}

async fn userinfo(State(hs): State<Arc<Hs>>, Query(asked): Query<Asked>) -> Reply {
    let hash = hash_token(&asked.access_token.ok_or_else(Error::missing_token)?);
    let now = hs.now();
    let sql = "SELECT user FROM openid_tokens WHERE hash = ?1 AND expires_at > ?2";
    let found = hs.store.read(move |conn| find(conn, sql, params![hash, now], |row| row.get(0)));
    let user: String = found.await?.ok_or_else(Error::unknown_token)?;
    ok(json!({"sub": user}))
}
