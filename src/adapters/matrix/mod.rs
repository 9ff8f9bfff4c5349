//! The chat network, reached through the Application Service API of a Matrix homeserver.
//!
//! Owns: the one client of the homeserver, the two shared tokens, the registration file, and the way in for what the
//! homeserver pushes.
//! Invariants: an embedded and an external homeserver are asked the same and answer the same, one in this process and the other
//! over HTTP; every call ends in time, reads a bounded answer, and is not even tried while the homeserver keeps failing; no user's access token is kept.
//! Never: runs inside a database transaction, or knows what the service does with a room.

mod accounts;
mod call;
pub mod doctor;
mod embedded;
mod event;
mod moderation;
mod registration;
mod rooms;

use std::sync::Arc;

use ruma::{OwnedServerName, OwnedUserId, ServerName, UserId};
use touchline_homeserver::Door;

use crate::platform::config::{Config, ConfigError, MatrixConfig, Secret};
use crate::platform::error::Error as ServiceError;
use crate::platform::keys::{self, Keys};
use crate::platform::outage::Outage;

pub use accounts::Credentials;
pub use embedded::{
    examine as examine_embedded, file as embedded_file, last_position, open as open_embedded,
};
pub use event::{PushedEvent, Transaction};
pub use moderation::Surroundings;
pub use registration::registration;
pub use rooms::{Entry, NewRoom, PURPOSE, RoomState};
pub use touchline_homeserver::{
    Homeserver, Place, Progress, Redeemed, Redemption, Refusal, ReturnAddress, SignIn, SignInDesk,
    SignedIn,
};

/// The name of this service in its registration.
pub const APPSERVICE_ID: &str = "touchline";
/// Aliases that begin with this belong to the service: the rooms of matches.
pub const ALIAS_PREFIX: &str = "match_";
/// Where a push gateway is at any address, by Matrix's specification.
pub const PUSH_GATEWAY_PATH: &str = "/_matrix/push/v1/notify";
/// Room ids keep the form `!local:server` up to this version.
const ROOM_VERSION: &str = "11";
const RETRY_AFTER_S: u64 = 5;
const UNAVAILABLE: &str = "chat_unavailable";

/// Whether homeservers would call a push gateway there.
pub fn is_push_gateway(url: &str) -> bool {
    let is_web = url.starts_with("http://") || url.starts_with("https://");
    is_web && url.ends_with(PUSH_GATEWAY_PATH)
}

/// Where homeservers find this service's push gateway, as apps say it in their pushers.
pub fn push_gateway_url(config: &Config) -> String {
    match config.push.gateway_url.as_str() {
        "" => config.public_url() + PUSH_GATEWAY_PATH,
        url => url.to_owned(),
    }
}

/// Why the homeserver did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the homeserver cannot be reached: {0}")]
    Away(String),
    /// Its words are for `doctor`: they name users, so they are no part of what is logged.
    #[error("the homeserver refused: {status} {code}")]
    Refused { status: u16, code: String, words: String },
}

pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// With the homeserver's own words, for somebody who looks into it.
    fn in_full(&self) -> String {
        match self {
            Self::Refused { words, .. } => format!("{self}: {words}"),
            Self::Away(_) => self.to_string(),
        }
    }

    /// Whether it refused with this status.
    pub fn is(&self, wanted: u16) -> bool {
        matches!(self, Self::Refused { status, .. } if *status == wanted)
    }

    /// Whether it refused with this of Matrix's error codes.
    pub fn has_code(&self, wanted: &str) -> bool {
        matches!(self, Self::Refused { code, .. } if code == wanted)
    }
}

/// None where it refused with one of these: there is no such thing, or nothing left to do.
fn unless<T>(refused_with: &[u16], answer: Result<T>) -> Result<Option<T>> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(Error::Refused { status, .. }) if refused_with.contains(&status) => Ok(None),
        Err(error) => Err(error),
    }
}

impl From<Error> for ServiceError {
    fn from(error: Error) -> Self {
        match &error {
            Error::Away(_) => tracing::warn!(error = %error, "chat is unavailable"),
            Error::Refused { .. } => {
                tracing::error!(error = %error, "the homeserver refused what it should not");
            }
        }
        unavailable()
    }
}

/// What callers of chat are told while the homeserver is away.
pub const fn unavailable() -> ServiceError {
    ServiceError::Unavailable { code: UNAVAILABLE, retry_after_s: RETRY_AFTER_S }
}

/// Whether it is chat that is away, and not the service.
pub fn is_unavailable(error: &ServiceError) -> bool {
    matches!(error, ServiceError::Unavailable { code: UNAVAILABLE, .. })
}

/// Where the homeserver is and what is shared with it.
#[derive(Clone)]
pub struct Settings {
    /// Where the homeserver is reached over HTTP.
    pub base_url: String,
    /// Where apps reach it.
    pub public_url: String,
    /// Where it reaches this service.
    pub appservice_url: String,
    pub server_name: OwnedServerName,
    pub bot: OwnedUserId,
    pub as_token: Secret,
    pub hs_token: Secret,
    pub is_embedded: bool,
}

impl Settings {
    pub fn of(config: &Config, keys: &Keys) -> std::result::Result<Self, ConfigError> {
        let given = &config.matrix;
        let server_name = ServerName::parse(&given.server_name).map_err(|_| bad_server_name())?;
        let bot = UserId::parse_with_server_name(given.sender_localpart.as_str(), &server_name)
            .map_err(|_| bad_sender())?;
        let secret = |given: &Secret, purpose: &str| {
            let derived = || Secret::new(keys::hex(&keys.derive(purpose, &[])));
            if given.is_set() { given.clone() } else { derived() }
        };
        let external = given.homeserver_url.trim_end_matches('/');
        let is_embedded = external.is_empty();
        Ok(Self {
            base_url: if is_embedded { config.own_url() } else { external.to_owned() },
            public_url: if is_embedded { config.public_url() } else { external.to_owned() },
            appservice_url: match given.appservice_url.trim_end_matches('/') {
                "" if is_embedded => config.own_url(),
                "" => config.public_url(),
                url => url.to_owned(),
            },
            server_name,
            bot,
            as_token: secret(&given.as_token, "matrix as_token"),
            hs_token: secret(&given.hs_token, "matrix hs_token"),
            is_embedded,
        })
    }

    /// Who serves chat, said plainly at the start.
    pub fn describe(&self) -> String {
        if self.is_embedded {
            "Chat is served by the embedded homeserver and is not federated.".to_owned()
        } else {
            format!("Chat is served by the homeserver at {}.", self.base_url)
        }
    }
}

fn bad_server_name() -> ConfigError {
    ConfigError::new("matrix.server_name must be a host name, such as example.org.")
}

fn bad_sender() -> ConfigError {
    ConfigError::new("matrix.sender_localpart must have only a-z, 0-9 and ._=-/+.")
}

/// What the section [matrix] must satisfy.
pub fn check(config: &MatrixConfig) -> std::result::Result<(), ConfigError> {
    let url_is_good =
        |url: &str| url.is_empty() || url.starts_with("http://") || url.starts_with("https://");
    for (key, url) in [
        ("matrix.homeserver_url", &config.homeserver_url),
        ("matrix.appservice_url", &config.appservice_url),
    ] {
        if !url_is_good(url) {
            let sentence = format!("{key} must begin with http:// or https://, or be empty.");
            return Err(ConfigError::new(sentence));
        }
    }
    if !config.push_gateways.iter().all(|url| is_push_gateway(url)) {
        return Err(ConfigError::new(format!(
            "matrix.push_gateways must be http or https addresses that end with {PUSH_GATEWAY_PATH}."
        )));
    }
    ServerName::parse(&config.server_name).map_err(|_| bad_server_name())?;
    let is_localpart_byte =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._=-/+".contains(&byte);
    if config.sender_localpart.is_empty() || !config.sender_localpart.bytes().all(is_localpart_byte)
    {
        return Err(bad_sender());
    }
    for (key, number) in [
        ("matrix.login_timeout_ms", config.login_timeout_ms),
        ("matrix.request_timeout_ms", config.request_timeout_ms),
        ("matrix.breaker_failures", config.breaker_failures.into()),
        (
            "matrix.transaction_limit_bytes",
            u64::try_from(config.transaction_limit_bytes).unwrap_or(0),
        ),
        ("matrix.resync_minutes", u64::try_from(config.resync_minutes).unwrap_or(0)),
    ] {
        if number == 0 {
            return Err(ConfigError::new(format!("{key} must be at least 1.")));
        }
    }
    Ok(())
}

/// The client of the homeserver; clones share its connections and its breaker.
#[derive(Clone)]
pub struct Matrix(Arc<Inner>);

struct Inner {
    settings: Settings,
    caller: call::Caller,
}

impl Matrix {
    /// With a door, the homeserver is called in this process; without, over HTTP.
    pub fn new(
        settings: Settings,
        config: &MatrixConfig,
        door: Option<Door>,
    ) -> reqwest::Result<Self> {
        let caller = call::Caller::new(&settings, config, door)?;
        Ok(Self(Arc::new(Inner { settings, caller })))
    }

    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }

    /// Taking the homeserver away: while it is on, every call ends as if nobody answered.
    pub fn outage(&self) -> &Outage {
        self.0.caller.outage()
    }

    pub fn bot(&self) -> &UserId {
        &self.0.settings.bot
    }

    /// `@<localpart>:<server>` on the homeserver in use.
    pub fn user_id(&self, localpart: &str) -> Result<OwnedUserId> {
        UserId::parse_with_server_name(localpart, &self.0.settings.server_name)
            .map_err(|error| Error::Away(format!("{localpart} cannot be a chat name: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_derived_from_the_secret_key_and_differ() {
        let config = Config::defaults().unwrap();
        let keys = Keys::new(&Secret::new("k".repeat(32))).unwrap();
        let settings = Settings::of(&config, &keys).unwrap();
        let again = Settings::of(&config, &keys).unwrap();
        assert_eq!(settings.as_token.expose(), again.as_token.expose());
        assert_ne!(settings.as_token.expose(), settings.hs_token.expose());
        assert_eq!(settings.bot, "@touchline:localhost");
    }

    #[test]
    fn settings_that_cannot_work_are_refused_by_name() {
        type Change = fn(&mut MatrixConfig);
        let table: [(&str, Change); 4] = [
            ("matrix.homeserver_url", |it| it.homeserver_url = "matrix.org".to_owned()),
            ("matrix.server_name", |it| it.server_name = "a b".to_owned()),
            ("matrix.sender_localpart", |it| it.sender_localpart = "Bot!".to_owned()),
            ("matrix.resync_minutes", |it| it.resync_minutes = 0),
        ];
        for (key, change) in table {
            let mut config = Config::defaults().unwrap().matrix;
            change(&mut config);
            let error = check(&config).unwrap_err().to_string();
            assert!(error.contains(key), "{error}");
        }
    }
}
