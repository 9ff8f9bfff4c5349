//! What the server can do, and what it has nothing of.

use ruma::api::client::discovery::{get_capabilities, get_supported_versions};
use ruma::api::client::thirdparty::{get_protocol, get_protocols};
use ruma::api::client::voip::get_turn_server_info;
use serde_json::json;

use crate::error::Error;
use crate::http::{Call, Done, Routes, ok};
use crate::rooms::VERSION;

/// Authenticated media (v1.11) is the newest part of the specification that is met.
const NEWEST_MINOR: u32 = 11;

pub fn routes(routes: Routes) -> Routes {
    routes
        .serve(async |_: Call<get_supported_versions::Request>| {
            let versions: Vec<_> = (1..=NEWEST_MINOR).map(|minor| format!("v1.{minor}")).collect();
            ok(json!({"versions": versions, "unstable_features": {}}))
        })
        .serve(async |_: Call<get_capabilities::v3::Request>| {
            let version = VERSION.as_str();
            ok(json!({"capabilities": {
                "m.change_password": {"enabled": false},
                "m.3pid_changes": {"enabled": false},
                "m.set_displayname": {"enabled": true},
                "m.set_avatar_url": {"enabled": true},
                "m.get_login_token": {"enabled": false},
                "m.room_versions": {"default": version, "available": {version: "stable"}},
            }}))
        })
        // Clients ask at start whether there are bridges and relays for calls.
        .serve(async |_: Call<get_protocols::v3::Request>| ok(Done {}))
        .serve(async |_: Call<get_protocol::v3::Request>| Err(Error::not_found("No such protocol")))
        .serve(async |_: Call<get_turn_server_info::v3::Request>| ok(Done {}))
}
