//! Ends streams whose listener is no longer in: logged out, expired, banned or gone, on whichever node that happened.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::features::sessions::{self, SessionId};
use crate::platform::core::Core;
use crate::platform::error::Result;

/// How long a stream may outlive its session.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Sessions that are looked at in one statement.
const AT_ONCE: usize = 1_000;

/// The sessions that listen, each with how many streams it has and the signal that ends them.
#[derive(Clone, Default)]
pub struct Watch(Arc<Mutex<HashMap<SessionId, Watched>>>);

struct Watched {
    streams: usize,
    end: CancellationToken,
}

/// A stream that is watched for as long as this is kept.
pub struct Watching {
    watch: Watch,
    session: SessionId,
    end: CancellationToken,
}

impl Watch {
    pub fn begin(&self, session: SessionId) -> Watching {
        let mut sessions = self.lock();
        let watched = sessions
            .entry(session)
            .or_insert_with(|| Watched { streams: 0, end: CancellationToken::new() });
        watched.streams += 1;
        Watching { watch: self.clone(), session, end: watched.end.clone() }
    }

    /// Looks at the sessions until the stop signal.
    pub async fn run(&self, core: &Core) {
        loop {
            tokio::select! {
                () = core.stop.cancelled() => return,
                () = tokio::time::sleep(LOOK_EVERY) => {}
            }
            if let Err(error) = self.look(core).await {
                tracing::warn!(error = %error, "the sessions of open streams could not be looked at");
            }
        }
    }

    async fn look(&self, core: &Core) -> Result<()> {
        let listening: Vec<SessionId> = self.lock().keys().copied().collect();
        for some in listening.chunks(AT_ONCE) {
            let asked = some.to_vec();
            let still_in = core.db.lookup(move |tx| sessions::list_in(tx, &asked)).await?;
            let mut sessions = self.lock();
            for gone in some.iter().filter(|session| !still_in.contains(session)) {
                if let Some(watched) = sessions.remove(gone) {
                    watched.end.cancel();
                }
            }
        }
        Ok(())
    }

    /// A panic between two plain map operations leaves a map.
    fn lock(&self) -> MutexGuard<'_, HashMap<SessionId, Watched>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watching {
    pub async fn ended(&self) {
        self.end.cancelled().await;
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let mut sessions = self.watch.lock();
        if let Some(watched) = sessions.get_mut(&self.session) {
            watched.streams -= 1;
            if watched.streams == 0 {
                sessions.remove(&self.session);
            }
        }
    }
}
