//! What every feature is given.
//!
//! Owns: [`Core`], the settings, database, clock, keys and stop signal of one running service.
//! Invariants: it is put together once, at the start; a clone is the same service.
//! Never: knows a feature. A feature that keeps something of its own (a cache, a client) has a small state around this one.

use std::ops::Deref;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::clock::Clock;
use super::config::Config;
use super::db::Db;
use super::keys::Keys;

#[derive(Clone)]
pub struct Core(Arc<Parts>);

pub struct Parts {
    pub config: Config,
    pub db: Db,
    pub clock: Clock,
    pub keys: Keys,
    /// Given when the service is to end: no new connections, no new jobs.
    pub stop: CancellationToken,
}

impl Core {
    pub fn new(config: Config, db: Db, clock: Clock, keys: Keys) -> Self {
        Self(Arc::new(Parts { config, db, clock, keys, stop: CancellationToken::new() }))
    }
}

impl Deref for Core {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

/// A feature's state is the core and a little more: what the core has is reached through it.
#[macro_export]
macro_rules! extends_core {
    ($state:ty) => {
        impl ::std::ops::Deref for $state {
            type Target = $crate::platform::core::Core;

            fn deref(&self) -> &$crate::platform::core::Core {
                &self.core
            }
        }
    };
}
