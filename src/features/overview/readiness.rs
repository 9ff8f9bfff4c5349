//! Whether the parts that the service stands on are there.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::extends_core;
use crate::features::chat::Chat;
use crate::platform::core::Core;

/// How long an answer is kept: anybody may ask, and asking costs a write and a call to the homeserver.
const KEPT: Duration = Duration::from_secs(1);

#[derive(Clone, Copy)]
pub struct Checks {
    pub database: bool,
    pub homeserver: bool,
}

/// The last look at the parts, shared by all who ask.
#[derive(Clone)]
pub struct Readiness {
    core: Core,
    chat: Chat,
    last: Arc<Mutex<Option<(Instant, Checks)>>>,
}

extends_core!(Readiness);

impl Readiness {
    pub fn new(core: &Core, chat: &Chat) -> Self {
        Self { core: core.clone(), chat: chat.clone(), last: Arc::default() }
    }

    /// Whoever asks while somebody looks waits for that look, and has its answer.
    pub async fn check(&self) -> Checks {
        let mut last = self.last.lock().await;
        if let Some((at, checks)) = *last
            && at.elapsed() < KEPT
        {
            return checks;
        }
        let (database, homeserver) = tokio::join!(self.db.ping(), self.chat.matrix.is_there());
        let checks = Checks { database: database.is_ok(), homeserver: homeserver.is_ok() };
        *last = Some((Instant::now(), checks));
        checks
    }
}
