//! Accounts and devices on the homeserver.

use ruma::api::client::account::{deactivate, register, whoami};
use ruma::api::client::appservice::request_ping;
use ruma::api::client::config::set_global_account_data;
use ruma::api::client::device::get_devices;
use ruma::api::client::membership::joined_rooms;
use ruma::api::client::profile::{ProfileFieldValue, get_profile, set_profile_field};
use ruma::api::client::session::{login, logout};
use ruma::api::client::uiaa::{MatrixUserIdentifier, UserIdentifier};
use ruma::events::ignored_user_list::IgnoredUserListEventContent;
use ruma::{OwnedRoomId, OwnedTransactionId, OwnedUserId, UserId};
use serde::Serialize;
use utoipa::ToSchema;

use crate::platform::{clock, tokens};

use super::call::By;
use super::{APPSERVICE_ID, Matrix, Result, unless};

/// What an app needs to speak to the chat network as its user.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Credentials {
    #[schema(example = "@ada_fan:localhost")]
    pub user_id: String,
    /// A secret; the service keeps no copy.
    pub access_token: String,
    #[schema(example = "TLQ7WZK3BX")]
    pub device_id: String,
}

impl Matrix {
    /// Makes an account without a device, unless there is one of that name.
    pub async fn register(&self, user: &UserId) -> Result<()> {
        let mut request = registration_of(user);
        request.inhibit_login = true;
        unless_taken(self.0.caller.send(By::Service, request).await).map(drop)
    }

    /// Makes an account with its first device; nothing if the name is taken.
    pub async fn register_device(
        &self,
        user: &UserId,
        device_id: &str,
        device_name: Option<&str>,
    ) -> Result<Option<Credentials>> {
        let mut request = registration_of(user);
        request.device_id = Some(device_id.into());
        request.initial_device_display_name = device_name.map(str::to_owned);
        let Some(answer) = unless_taken(self.0.caller.send(By::Service, request).await)? else {
            return Ok(None);
        };
        match (answer.access_token, answer.device_id) {
            (Some(access_token), Some(device_id)) => Ok(Some(Credentials {
                user_id: answer.user_id.to_string(),
                access_token,
                device_id: device_id.to_string(),
            })),
            _ => self.log_in(user, device_id, device_name).await.map(Some),
        }
    }

    /// Whether somebody goes by this name on the homeserver.
    pub async fn has_profile(&self, user: &UserId) -> Result<bool> {
        let request = get_profile::v3::Request::new(user.to_owned());
        let answer = self.0.caller.send(By::Service, request).await;
        unless(&[404], answer).map(|profile| profile.is_some())
    }

    /// Logs a device in. A device of that id that exists already gets a new token.
    pub async fn log_in(
        &self,
        user: &UserId,
        device_id: &str,
        device_name: Option<&str>,
    ) -> Result<Credentials> {
        let who = UserIdentifier::Matrix(MatrixUserIdentifier::new(user.to_string()));
        let info = login::v3::ApplicationService::new(who);
        let mut request = login::v3::Request::new(login::v3::LoginInfo::ApplicationService(info));
        request.device_id = Some(device_id.into());
        request.initial_device_display_name = device_name.map(str::to_owned);
        let answer = self.0.caller.send(By::Service, request).await?;
        Ok(Credentials {
            user_id: answer.user_id.to_string(),
            access_token: answer.access_token,
            device_id: answer.device_id.to_string(),
        })
    }

    /// The ids of a user's devices; a user who is not there has none.
    pub async fn list_devices(&self, user: &UserId) -> Result<Vec<String>> {
        let answer = self.0.caller.send(By::User(user), get_devices::v3::Request::new()).await;
        let devices = unless(&[401, 403, 404], answer)?.map(|answer| answer.devices);
        Ok(devices.unwrap_or_default().iter().map(|device| device.device_id.to_string()).collect())
    }

    /// Ends a device with all its tokens.
    ///
    /// Homeservers differ in whether a service may delete a device, but all let it log in on one and log that out.
    pub async fn end_device(&self, user: &UserId, device_id: &str) -> Result<()> {
        // A closed account has no devices.
        if let Some(logged_in) = unless(&[403, 404], self.log_in(user, device_id, None).await)? {
            let holder = By::Holder(&logged_in.access_token);
            self.0.caller.send(holder, logout::v3::Request::new()).await?;
        }
        Ok(())
    }

    /// Closes an account for good: its devices end, it leaves its rooms, and its id is never given again.
    pub async fn deactivate(&self, user: &UserId) -> Result<()> {
        let mut request = deactivate::v3::Request::new();
        request.erase = true;
        // Refused, it is closed already, or never was.
        unless(&[403, 404], self.0.caller.send(By::User(user), request).await).map(drop)
    }

    pub async fn set_display_name(&self, user: &UserId, name: &str) -> Result<()> {
        let value = ProfileFieldValue::DisplayName(name.to_owned());
        let request = set_profile_field::v3::Request::new(user.to_owned(), value);
        self.0.caller.send(By::User(user), request).await.map(drop)
    }

    /// Whom the user's apps hide from them.
    pub async fn set_ignored_users(&self, user: &UserId, ignored: Vec<OwnedUserId>) -> Result<()> {
        let content = IgnoredUserListEventContent::users(ignored);
        let request = set_global_account_data::v3::Request::new(user.to_owned(), &content);
        let request = request.map_err(|error| super::Error::Away(error.to_string()))?;
        self.0.caller.send(By::User(user), request).await.map(drop)
    }

    /// None if there is no such user, or no longer.
    pub async fn list_joined_rooms(&self, user: &UserId) -> Result<Option<Vec<OwnedRoomId>>> {
        let answer = self.0.caller.send(By::User(user), joined_rooms::v3::Request::new()).await;
        Ok(unless(&[401, 403], answer)?.map(|answer| answer.joined_rooms))
    }

    /// Whether the homeserver answers at all.
    pub async fn is_there(&self) -> Result<()> {
        match self.who_am_i().await {
            Err(error @ super::Error::Away(_)) => Err(error),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// Whom the homeserver takes the service's token for.
    pub async fn who_am_i(&self) -> Result<OwnedUserId> {
        Ok(self.0.caller.send(By::Service, whoami::v3::Request::new()).await?.user_id)
    }

    /// Has the homeserver call this service: proof of both directions, and the end of its patience with pushes that failed.
    pub async fn ping(&self) -> Result<()> {
        let mut request = request_ping::v1::Request::new(APPSERVICE_ID.to_owned());
        request.transaction_id = Some(new_transaction_id());
        self.0.caller.send(By::Service, request).await.map(drop)
    }
}

fn registration_of(user: &UserId) -> register::v3::Request {
    let mut request = register::v3::Request::new();
    request.username = Some(user.localpart().to_owned());
    request.login_type = Some(register::LoginType::ApplicationService);
    request
}

/// None where the name was taken.
fn unless_taken<T>(answer: Result<T>) -> Result<Option<T>> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(error) if error.has_code("M_USER_IN_USE") => Ok(None),
        Err(error) => Err(error),
    }
}

/// Under which a homeserver knows a call that is repeated.
fn new_transaction_id() -> OwnedTransactionId {
    tokens::base62(&clock::random_bytes::<16>()).into()
}
