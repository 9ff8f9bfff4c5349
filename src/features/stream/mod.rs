//! The live stream: what happens to matches, as it happens.
//!
//! Owns: the hub that reads the announcements once per node and hands them to every listener, and the server-sent events.
//! Invariants: a listener sees every announcement once and in order, or is cut off; a cut-off one resumes with `Last-Event-ID`;
//! what is kept in memory per listener does not grow with what it has not read.
//! Never: decides what is worth telling (the features announce it) and never holds a transaction while it waits.

mod hub;
mod listener;
pub mod routes;

use std::sync::Arc;

use crate::extends_core;
use crate::platform::core::Core;

use hub::Hub;

/// The live stream, with the hub of this node.
#[derive(Clone)]
pub struct LiveStream {
    core: Core,
    hub: Arc<Hub>,
}

extends_core!(LiveStream);

impl LiveStream {
    pub fn new(core: &Core) -> Self {
        Self { core: core.clone(), hub: Arc::new(Hub::new()) }
    }

    /// Tells listeners what happens, until the service is to end.
    pub async fn follow(&self) {
        self.hub.follow(&self.core).await;
    }
}
