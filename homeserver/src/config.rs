//! What an operator (or the embedding service) decides about the homeserver.

use std::sync::Arc;

/// Milliseconds since the Unix epoch, from whoever embeds the homeserver.
pub type Clock = Arc<dyn Fn() -> i64 + Send + Sync>;

#[derive(Clone)]
pub struct Config {
    /// The part after the colon in every id. It can never change for an existing database.
    pub server_name: String,
    /// Where clients reach this server, without a trailing slash; named in login responses.
    pub public_base_url: String,
    /// The name of the installation of the service whose accounts these are; the first one given is kept. Empty: of none.
    pub installation: String,
    pub appservice: Option<Appservice>,
    /// The gateways through which devices may be told something. No others are called.
    pub push_gateways: Vec<PushGateway>,
    /// Largest upload accepted, and the sum of all uploads one user may keep.
    pub media_max_bytes: u64,
    pub media_user_quota_bytes: u64,
    /// Events, to-device messages, receipts and typing notices a user may send.
    pub message_rate: Rate,
    /// Requests of any kind a user may make.
    pub request_rate: Rate,
    /// Rooms a user may make.
    pub room_rate: Rate,
    /// Invitations, joins and leaves of a user.
    pub membership_rate: Rate,
    /// Changes of the key backup of a user, each of up to 500 keys.
    pub backup_rate: Rate,
    /// Login tokens that may be tried from one address. A stadium's fans share one.
    pub sign_in_rate: Rate,
    /// How long a `/sync` may wait for news at most.
    pub sync_timeout_max_ms: u64,
    /// How many a user may have waiting at once.
    pub syncs_per_user: usize,
    pub now: Clock,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            server_name: "localhost".to_owned(),
            public_base_url: "http://localhost".to_owned(),
            installation: String::new(),
            appservice: None,
            push_gateways: Vec::new(),
            media_max_bytes: 10 * 1024 * 1024,
            media_user_quota_bytes: 100 * 1024 * 1024,
            message_rate: Rate { count: 10, seconds: 1, burst: 50 },
            request_rate: Rate { count: 50, seconds: 1, burst: 500 },
            room_rate: Rate { count: 20, seconds: 600, burst: 20 },
            membership_rate: Rate { count: 30, seconds: 60, burst: 30 },
            backup_rate: Rate { count: 5, seconds: 1, burst: 100 },
            sign_in_rate: Rate { count: 2, seconds: 1, burst: 100 },
            sync_timeout_max_ms: 60_000,
            syncs_per_user: 10,
            now: Arc::new(system_now),
        }
    }
}

/// The application service: the one party that may create accounts and act as any user.
///
/// Its user namespace is everybody, not exclusively; aliases with `alias_prefix` are its own.
#[derive(Clone)]
pub struct Appservice {
    pub id: String,
    /// Base URL that transactions are pushed to.
    pub url: String,
    pub as_token: String,
    pub hs_token: String,
    pub sender_localpart: String,
    pub alias_prefix: String,
    /// Whether it takes what users report; see `Pusher::report` for how. Without it nobody can.
    pub takes_reports: bool,
}

/// A way to devices, by Matrix's push gateway API.
#[derive(Clone)]
pub struct PushGateway {
    /// As apps name it in their pushers.
    pub url: String,
    /// Where it is called, which may be nearer.
    pub at: String,
}

/// A token bucket: `burst` at once, refilled by `count` in so many `seconds`. A count of 0 is no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    pub count: u32,
    pub seconds: u32,
    pub burst: u32,
}

impl Rate {
    pub const UNLIMITED: Self = Self { count: 0, seconds: 1, burst: 0 };
}

/// The only place that reads the wall clock; tests and services inject their own.
#[allow(clippy::disallowed_methods)] // the default of the injected clock
fn system_now() -> i64 {
    std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |elapsed| i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX))
}
