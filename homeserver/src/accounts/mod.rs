//! Accounts: who exists, what they are called, what they keep here.
//!
//! Owns: registration and login by the application service, devices, profiles, account data.
//! Invariants: only the application service makes accounts and sessions; a deactivated account stays
//! taken and can never log in again; an access token is stored as a hash only.
//! Never: knows passwords.

pub mod data;
mod openid;
pub mod profile;
pub mod push_rules;
pub mod sessions;

use crate::http::Routes;

pub fn routes(routes: Routes) -> Routes {
    let routes = openid::routes(profile::routes(sessions::routes(routes)));
    push_rules::routes(data::routes(routes))
}
