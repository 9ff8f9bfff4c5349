//! The embedded Matrix homeserver: the client-server API of one server, without federation.
//!
//! Owns: the library's surface, the pieces that all requests share, the list of routes.
//! Invariants: it knows nothing of the service that embeds it; all it keeps is in one SQLite file.
//! Never: reads the clock or draws randomness outside `config` and `random`.

mod accounts;
mod appservice;
mod backups;
mod budget;
mod callers;
mod config;
mod confirmations;
mod cross_signing;
mod discovery;
mod error;
mod filter;
mod held;
mod http;
mod keys;
mod limits;
mod live;
mod media;
mod progress;
mod pushers;
mod random;
mod receipts;
mod reports;
mod return_address;
mod rooms;
mod sign_in;
mod store;
mod sync;
mod to_device;
mod unread;
mod visibility;
mod wave;

use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

use ::http::{Request, Response};
use axum::Router;
use axum::body::{Body, to_bytes};
use bytes::Bytes;
use ruma::OwnedServerName;
use tower::ServiceExt;

use crate::accounts::sessions::Sessions;
use crate::appservice::Pusher;
use crate::budget::{INCOMING_ALL, INCOMING_EACH, UNREAD_ALL, UNREAD_EACH};
pub use crate::callers::ClientAddress;
pub use crate::config::{Appservice, Clock, Config, PushGateway, Rate};
use crate::confirmations::Confirmations;
pub use crate::confirmations::PendingReset;
pub use crate::error::OpenError;
use crate::held::Held;
use crate::limits::Limiter;
use crate::live::Live;
pub use crate::progress::Progress;
use crate::pushers::Pushers;
pub use crate::return_address::{Place, ReturnAddress};
pub use crate::sign_in::{Redeemed, Redemption, Refusal, SignIn, SignInDesk, SignedIn};
use crate::store::Store;
pub use crate::store::schema::examine;
use crate::sync::{Recents, Standings};
use crate::unread::Unread;

/// A running homeserver; clones share it.
#[derive(Clone)]
pub struct Homeserver {
    hs: Arc<Hs>,
}

/// What every request can reach.
pub(crate) struct Hs {
    config: Config,
    server_name: OwnedServerName,
    store: Store,
    live: Arc<Live>,
    sessions: Mutex<Sessions>,
    messages: Limiter,
    requests: Limiter,
    new_rooms: Limiter,
    memberships: Limiter,
    backups: Limiter,
    sign_ins: Limiter,
    unread: Unread,
    standings: Standings,
    recents: Recents,
    /// Answers that wait for their readers, and bodies that are on their way in.
    answers: Arc<Held>,
    bodies: Arc<Held>,
    pusher: Pusher,
    pushers: Pushers,
    sign_in: OnceLock<SignIn>,
    confirmations: Confirmations,
}

impl Hs {
    fn now(&self) -> i64 {
        (self.config.now)()
    }
}

impl Homeserver {
    /// Opens the database at `path`, creating it if need be.
    pub fn open(path: &Path, config: Config) -> Result<Self, OpenError> {
        let server_name = OwnedServerName::try_from(config.server_name.as_str())
            .map_err(|_| OpenError::ServerName(config.server_name.clone()))?;
        let (store, live) = Store::open(path, &config)?;
        let pusher = Pusher::new(config.appservice.clone())?;
        let hs = Hs {
            server_name,
            store,
            live,
            sessions: Mutex::default(),
            messages: Limiter::new(config.message_rate),
            requests: Limiter::new(config.request_rate),
            new_rooms: Limiter::new(config.room_rate),
            memberships: Limiter::new(config.membership_rate),
            backups: Limiter::new(config.backup_rate),
            sign_ins: Limiter::new(config.sign_in_rate),
            unread: Unread::default(),
            standings: Standings::default(),
            recents: Recents::default(),
            answers: Held::new(UNREAD_EACH, UNREAD_ALL),
            bodies: Held::new(INCOMING_EACH, INCOMING_ALL),
            pusher,
            pushers: Pushers::new(&config.push_gateways)?,
            sign_in: OnceLock::new(),
            confirmations: Confirmations::default(),
            config,
        };
        Ok(Self { hs: Arc::new(hs) })
    }

    /// All routes under `/_matrix/`. What is not served answers `M_UNRECOGNIZED`.
    ///
    /// Serve it by `into_make_service`: given the bare router, `axum::serve` copies all of it for
    /// every connection, which is more than a waiting client costs otherwise.
    pub fn router(&self) -> Router {
        http::finish(routes(), self.hs.clone())
    }

    /// The way in for whoever embeds it.
    pub fn door(&self) -> Door {
        Door(self.router())
    }

    /// What is served, by method and path, for tests that leave nothing out.
    pub fn endpoints(&self) -> Vec<(::http::Method, String)> {
        routes().served
    }

    /// How many bytes of answers wait for their readers.
    pub fn unread_answer_bytes(&self) -> usize {
        self.hs.answers.bytes()
    }

    /// Has users sign in through these pages from now on. Said once; without it nobody can, and no client is offered it.
    pub fn offer_sign_in(&self, sign_in: SignIn) {
        let _ = self.hs.sign_in.set(sign_in);
    }

    /// The request to replace a user's cross-signing keys that waits under this name to be confirmed.
    pub fn pending_reset(&self, session: &str) -> Option<PendingReset> {
        self.hs.confirmations.find(session, self.hs.now())
    }

    /// The user has proved who they are: what waits under this name may be done, once. False if nothing of theirs waits there.
    pub fn confirm_reset(&self, session: &str, user_id: &str) -> bool {
        self.hs.confirmations.confirm(session, user_id, self.hs.now())
    }

    /// How many answers to waiting syncs were made of what had been read once for many.
    pub fn shared_answers(&self) -> u64 {
        self.hs.recents.told()
    }

    /// Starts delivering events to the application service, and to the devices of users through their gateways, on the current
    /// tokio runtime.
    pub fn start_push(&self) {
        self.hs.pusher.start(self.hs.clone());
        self.hs.pushers.start(self.hs.clone());
    }

    /// Stops delivering, finishes queued writes and closes the database.
    pub async fn close(&self) {
        self.hs.pusher.stop();
        self.hs.pushers.stop();
        let hs = self.hs.clone();
        let _ = tokio::task::spawn_blocking(move || hs.store.stop()).await;
    }
}

/// The same requests and the same answers as over HTTP, without a socket.
#[derive(Clone)]
pub struct Door(Router);

impl Door {
    /// None if the answer has more bytes than that.
    pub async fn call(&self, request: Request<Vec<u8>>, most: usize) -> Option<Response<Bytes>> {
        let Ok(answer) = self.0.clone().oneshot(request.map(Body::from)).await;
        let (head, body) = answer.into_parts();
        let body = to_bytes(body, most).await.ok()?;
        Some(Response::from_parts(head, body))
    }
}

fn routes() -> http::Routes {
    let routes = discovery::routes(http::Routes::default());
    let routes = sign_in::routes(accounts::routes(appservice::routes(routes)));
    let routes = filter::routes(rooms::routes(routes));
    let routes = reports::routes(receipts::routes(media::routes(routes)));
    let routes = cross_signing::routes(keys::routes(pushers::routes(routes)));
    sync::routes(to_device::routes(backups::routes(routes)))
}
