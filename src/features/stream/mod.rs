//! The live stream: what happens to matches, and to the listener, as it happens.
//!
//! Owns: the hub that reads the announcements once per node and hands them to every listener, what of it is made each listener's own when
//! it is told, and the server-sent events.
//! Invariants: a listener sees every announcement, every movement of their coins and what is done to them in rooms, each once and in
//! order, or is cut off; a cut-off one resumes with `Last-Event-ID`; nobody hears what is another's own;
//! what is kept in memory per listener does not grow with what it has not read; a stream ends with its session; no address and no user has all the streams.
//! Never: decides what is worth telling (the features announce it) and never holds a transaction while it waits.

mod hub;
mod listener;
mod own;
mod position;
pub mod routes;
mod watch;

use std::sync::Arc;

use crate::extends_core;
use crate::features::predictions::Earned;
use crate::features::users::UserId;
use crate::platform::core::Core;
use crate::platform::db::Shared;
use crate::platform::error::Result;
use crate::platform::http::client_address::ClientAddress;
use crate::platform::http::places::{Holder, Place, Places};

pub use self::listener::{longest, retry};
use hub::Hub;
use own::Newest;
use watch::Watch;

/// The live stream, with the hub of this node.
#[derive(Clone)]
pub struct LiveStream {
    core: Core,
    hub: Arc<Hub>,
    watch: Watch,
    earned: Shared<Earned>,
    newest: Shared<Newest>,
    by_address: Places,
    by_user: Places,
}

extends_core!(LiveStream);

impl LiveStream {
    pub fn new(core: &Core) -> Self {
        let settings = &core.config.stream;
        Self {
            hub: Arc::new(Hub::new()),
            watch: Watch::default(),
            earned: Shared::new(&core.db),
            newest: Shared::new(&core.db),
            by_address: Places::new("address_stream_limit", settings.max_per_address),
            by_user: Places::new("user_stream_limit", settings.max_per_user),
            core: core.clone(),
        }
    }

    /// What a listener holds for as long as it listens.
    fn admit(&self, user: UserId, address: ClientAddress) -> Result<[Place; 2]> {
        Ok([self.by_user.take(Holder::User(user.0))?, self.by_address.take(address.holder())?])
    }

    /// How many streams are open on this node.
    pub fn listening(&self) -> usize {
        self.watch.count()
    }

    /// Tells listeners what happens to matches and to them, and ends the streams of those who are no longer in, until the service is to end.
    pub async fn follow(&self) {
        tokio::join!(self.hub.follow(&self.core), self.watch.run(&self.core));
    }
}
