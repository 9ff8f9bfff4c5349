//! Signing in through pages of whoever embeds the homeserver: Matrix's `m.login.sso` and `m.login.token`.
//!
//! Owns: what clients are offered, the ways to the pages, how often a login token may be tried.
//! Invariants: without somebody behind it nothing is offered; a token is tried only when everything else in the request is acceptable.
//! Never: knows how somebody proves who they are, or what a login token is.

use std::future::Future;
use std::net::{IpAddr, Ipv6Addr};
use std::pin::Pin;
use std::sync::Weak;

use axum::response::{IntoResponse, Response};
use http::{StatusCode, header};
use ruma::api::client::session::{get_login_types, login, sso_login, sso_login_with_provider};
use ruma::api::client::uiaa::get_uiaa_fallback_page;
use serde_json::{Value, json};
use url::form_urlencoded;

use crate::Hs;
use crate::accounts::sessions::{check_device_name, session_view};
use crate::budget::{ID_BYTES, check_id, check_size};
use crate::callers::ClientAddress;
use crate::error::{Error, Result};
use crate::http::{Call, Reply, Routes, ok};
use crate::return_address::ReturnAddress;

/// The stage and the flow by which users prove who they are.
pub const STAGE: &str = "m.login.sso";
/// The one provider. Clients show what it is called on their button: "Continue with ...".
const PROVIDER: &str = "phone";
const PROVIDER_NAME: &str = "phone number";
/// How long to wait where the desk does not say.
const RETRY_MS: u64 = 5_000;

/// Where people sign in, and who answers for them.
pub struct SignIn {
    /// The page that ends by going to `redirectUrl` with a `loginToken`.
    pub page: String,
    /// The page on which a request by the name of `session` is confirmed.
    pub reset_page: String,
    /// Held weakly, because whoever it is most likely holds the homeserver.
    pub desk: Weak<dyn SignInDesk>,
}

/// Makes sessions of login tokens.
pub trait SignInDesk: Send + Sync {
    fn redeem(&self, redemption: Redemption) -> Redeemed<'_>;
}

pub type Redeemed<'a> =
    Pin<Box<dyn Future<Output = std::result::Result<SignedIn, Refusal>> + Send + 'a>>;

/// A login token, and the device that its holder would like to be.
pub struct Redemption {
    pub token: String,
    pub device_id: Option<String>,
    pub device_name: Option<String>,
}

/// A device that is logged in.
pub struct SignedIn {
    pub user_id: String,
    pub access_token: String,
    pub device_id: String,
}

/// Why a login token makes no session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Unknown, used up or expired: nobody is told which.
    Unknown,
    Banned,
    /// Something is away; the token may be good all the same.
    Away,
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Unknown => Self::forbidden("This login token is not valid any more"),
            Refusal::Banned => Self::forbidden("This account is banned"),
            Refusal::Away => {
                let text = "Nobody can be logged in right now; try again later";
                Self::away(text, RETRY_MS)
            }
        }
    }
}

pub fn routes(routes: Routes) -> Routes {
    routes
        .serve(async |call: Call<get_login_types::v3::Request>| ok(flows(&call.hs)))
        .serve(async |call: Call<sso_login::v3::Request>| {
            lead_to_page(&call.hs, &call.body.redirect_url)
        })
        .serve(async |call: Call<sso_login_with_provider::v3::Request>| {
            if call.body.idp_id != PROVIDER {
                return Err(Error::not_found("There is no such identity provider"));
            }
            lead_to_page(&call.hs, &call.body.redirect_url)
        })
        .serve(async |call: Call<get_uiaa_fallback_page::v3::Request>| {
            let sign_in = offered(&call.hs)?;
            if call.body.auth_type.as_str() != STAGE {
                return Err(Error::unrecognized(StatusCode::NOT_FOUND));
            }
            check_id(&call.body.session)?;
            Ok(go_to(&sign_in.reset_page, "session", &call.body.session))
        })
}

/// Only what works.
fn flows(hs: &Hs) -> Value {
    let mut flows = Vec::new();
    if hs.sign_in.get().is_some() {
        let provider = json!({"id": PROVIDER, "name": PROVIDER_NAME});
        flows.push(json!({"type": STAGE, "identity_providers": [provider]}));
        flows.push(json!({"type": "m.login.token"}));
    }
    flows.push(json!({"type": "m.login.application_service"}));
    json!({"flows": flows})
}

fn offered(hs: &Hs) -> Result<&SignIn> {
    hs.sign_in.get().ok_or_else(|| Error::unrecognized(StatusCode::NOT_FOUND))
}

fn lead_to_page(hs: &Hs, redirect_url: &str) -> Reply {
    let sign_in = offered(hs)?;
    let Some(address) = ReturnAddress::parse(redirect_url) else {
        return Err(Error::invalid_param("Nobody can be sent back to this redirectUrl"));
    };
    Ok(go_to(&sign_in.page, "redirectUrl", address.as_str()))
}

fn go_to(page: &str, name: &str, value: &str) -> Response {
    let query = form_urlencoded::Serializer::new(String::new()).append_pair(name, value).finish();
    let headers =
        [(header::LOCATION, format!("{page}?{query}")), (header::CACHE_CONTROL, "no-store".into())];
    (StatusCode::FOUND, headers).into_response()
}

/// Has a login token made into a session.
pub async fn redeem(call: &Call<login::v3::Request>, token: &str) -> Reply {
    let desk = offered(&call.hs).ok().and_then(|sign_in| sign_in.desk.upgrade());
    let Some(desk) = desk else {
        return Err(Error::bad_request("M_UNKNOWN", "Users log in through the service, not here"));
    };
    call.hs.sign_ins.take(&unit(call.address), 1, call.hs.now())?;
    check_size("a login token", token.len(), ID_BYTES)?;
    let device_id = call.body.device_id.as_ref().map(ToString::to_string);
    check_id(device_id.as_deref().unwrap_or_default())?;
    let device_name = call.body.initial_device_display_name.clone();
    check_device_name(device_name.as_deref())?;
    let redemption = Redemption { token: token.to_owned(), device_id, device_name };
    let SignedIn { user_id, access_token, device_id } = desk.redeem(redemption).await?;
    ok(session_view(&call.hs, &user_id, &access_token, &device_id))
}

/// What tries are counted by: an IPv4 address, or an IPv6 /64, which one household or phone holds whole.
fn unit(address: Option<ClientAddress>) -> String {
    match address {
        Some(ClientAddress(IpAddr::V6(address))) => {
            Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).to_string()
        }
        Some(ClientAddress(address)) => address.to_string(),
        None => String::new(),
    }
}
