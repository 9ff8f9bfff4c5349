//! Looks after those who listen, on whichever node something happened to them: ends the streams of whoever is no longer in (logged out,
//! expired, banned or gone), and wakes those who have news of their own.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::features::sessions::{self, SessionId, User};
use crate::features::users::UserId;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;

use super::own;
use super::position::Own;

/// How long a stream may outlive its session, and one's own news may take.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Sessions that are looked at in one statement.
const AT_ONCE: usize = 1_000;

/// The sessions that listen, each with how many streams it has, the signal that ends them, and what is newest of its user's own.
#[derive(Clone, Default)]
pub struct Watch(Arc<Mutex<HashMap<SessionId, Watched>>>);

struct Watched {
    streams: usize,
    user: UserId,
    end: CancellationToken,
    newest: watch::Sender<Own>,
}

/// A stream that is watched for as long as this is kept.
pub struct Watching {
    watch: Watch,
    session: SessionId,
    end: CancellationToken,
    newest: watch::Receiver<Own>,
}

impl Watch {
    pub fn begin(&self, listener: User) -> Watching {
        let mut sessions = self.lock();
        let watched = sessions.entry(listener.session_id).or_insert_with(|| Watched {
            streams: 0,
            user: listener.id,
            end: CancellationToken::new(),
            newest: watch::Sender::new(Own::default()),
        });
        watched.streams += 1;
        let (end, newest) = (watched.end.clone(), watched.newest.subscribe());
        Watching { watch: self.clone(), session: listener.session_id, end, newest }
    }

    pub fn count(&self) -> usize {
        self.lock().values().map(|watched| watched.streams).sum()
    }

    /// Looks at the sessions and their users until the stop signal.
    pub async fn run(&self, core: &Core) {
        loop {
            tokio::select! {
                () = core.stop.cancelled() => return,
                () = tokio::time::sleep(LOOK_EVERY) => {}
            }
            if let Err(error) = self.look(core).await {
                tracing::warn!(error = %error, "those who listen could not be looked after");
            }
        }
    }

    async fn look(&self, core: &Core) -> Result<()> {
        let listening: Vec<(SessionId, UserId)> =
            self.lock().iter().map(|(session, watched)| (*session, watched.user)).collect();
        for some in listening.chunks(AT_ONCE) {
            let (asked, users): (Vec<_>, Vec<_>) = some.iter().copied().unzip();
            let look =
                move |tx: &mut Tx| Ok((sessions::list_in(tx, &asked)?, own::newest(tx, &users)?));
            let (still_in, newest) = core.db.lookup(look).await?;
            let still_in: HashSet<SessionId> = still_in.into_iter().collect();
            let mut sessions = self.lock();
            for (session, user) in some {
                if !still_in.contains(session) {
                    if let Some(watched) = sessions.remove(session) {
                        watched.end.cancel();
                    }
                } else if let (Some(watched), Some(own)) = (sessions.get(session), newest.get(user))
                {
                    watched.newest.send_if_modified(|known| std::mem::replace(known, *own) != *own);
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
    /// Until something of the user's own is newer than it was, and what is newest then.
    pub async fn own_news(&mut self) -> Own {
        if self.newest.changed().await.is_err() {
            // The session is over, which ends the stream.
            std::future::pending::<()>().await;
        }
        *self.newest.borrow_and_update()
    }

    /// The signal that the listener is no longer in.
    pub fn end(&self) -> CancellationToken {
        self.end.clone()
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
