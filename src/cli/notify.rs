//! What the supervisor that started the service hears of it: ready, alive, stopping (`sd_notify(3)` of systemd, which others speak too).
//!
//! A message is a datagram of a few bytes, so the standard library is all it takes.

use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::Duration;

use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::platform::db::Db;

/// Whom to tell, by the environment; nobody, where the service was started by hand.
#[derive(Clone)]
pub struct Supervisor {
    address: Option<SocketAddr>,
    /// It ends a service that gives no sign of life for this long.
    patience: Option<Duration>,
}

impl Supervisor {
    pub fn of_this_process() -> Self {
        Self::named_by(|name| std::env::var(name).ok(), std::process::id())
    }

    fn named_by(variable: impl Fn(&str) -> Option<String>, process: u32) -> Self {
        let address = variable("NOTIFY_SOCKET").and_then(|name| {
            let found = address_of(&name);
            if let Err(error) = &found {
                tracing::warn!("NOTIFY_SOCKET {name} cannot be told anything: {error}");
            }
            found.ok()
        });
        // Variables are inherited: what was meant for the process that started this one is not for this one.
        let is_meant = variable("WATCHDOG_PID").is_none_or(|id| id == process.to_string());
        let micros = variable("WATCHDOG_USEC").and_then(|text| text.parse().ok());
        let patience = micros.map(Duration::from_micros).filter(|time| is_meant && !time.is_zero());
        Self { address, patience }
    }

    /// Says that requests are answered, then gives signs of life until the stop signal, and says that too.
    pub async fn accompany(self, db: Db, stop: CancellationToken) {
        self.tell("READY=1");
        tokio::select! {
            () = self.give_signs_of_life(&db) => {}
            () = stop.cancelled() => {}
        }
        self.tell("STOPPING=1");
    }

    /// A sign every half of the supervisor's patience, while the database layer answers and, since this runs on it, the runtime.
    async fn give_signs_of_life(&self, db: &Db) {
        let Some(patience) = self.patience else { return std::future::pending().await };
        loop {
            // Shorter than the rest, so that one look that waited in vain can be made up for.
            if answers(db, patience / 4).await {
                self.tell("WATCHDOG=1");
                sleep(patience / 2).await;
            } else {
                tracing::error!("the database layer does not answer: no sign of life is given");
            }
        }
    }

    fn tell(&self, message: &str) {
        let Some(address) = &self.address else { return };
        let sent = UnixDatagram::unbound().and_then(|socket| {
            // A supervisor that takes nothing holds nobody up.
            socket.set_nonblocking(true)?;
            socket.send_to_addr(message.as_bytes(), address)
        });
        if let Err(error) = sent {
            tracing::warn!("the supervisor cannot be told {message}: {error}");
        }
    }
}

/// Whether the threads of the database layer give any answer. "The server is away" is one: a new start would not bring it back.
async fn answers(db: &Db, within: Duration) -> bool {
    timeout(within, db.ping()).await.is_ok()
}

/// A path, or behind an `@` a name that is in no file system, which Linux has.
fn address_of(name: &str) -> std::io::Result<SocketAddr> {
    #[cfg(target_os = "linux")]
    if let Some(name) = name.strip_prefix('@') {
        use std::os::linux::net::SocketAddrExt;
        return SocketAddr::from_abstract_name(name);
    }
    SocketAddr::from_pathname(name)
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex, mpsc};

    use super::*;
    use crate::platform::clock::Clock;
    use crate::platform::config::Config;

    fn patience(variables: &[(&str, &str)]) -> Option<Duration> {
        let find = |name: &str| variables.iter().find(|(known, _)| *known == name);
        Supervisor::named_by(|name| find(name).map(|(_, value)| (*value).to_owned()), 7).patience
    }

    #[test]
    fn a_watchdog_is_one_of_this_process_alone() {
        let half_a_minute = Some(Duration::from_secs(30));
        let micros = ("WATCHDOG_USEC", "30000000");
        assert_eq!(patience(&[micros]), half_a_minute);
        assert_eq!(patience(&[micros, ("WATCHDOG_PID", "7")]), half_a_minute);
        assert_eq!(patience(&[micros, ("WATCHDOG_PID", "8")]), None);
        for nothing in ["0", "", "soon"] {
            assert_eq!(patience(&[("WATCHDOG_USEC", nothing)]), None);
        }
    }

    #[tokio::test]
    async fn a_database_thread_that_hangs_is_seen_and_so_is_its_return() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("t.db").display());
        let config = Config::defaults().unwrap().database;
        let db = Db::open(&url, &config, Clock::system()).await.unwrap();
        assert!(answers(&db, Duration::from_secs(30)).await);

        let (release, wait) = mpsc::channel::<()>();
        let (begun, is_hanging) = mpsc::channel();
        let (wait, begun) = (Arc::new(Mutex::new(wait)), Mutex::new(begun));
        let hanging = tokio::spawn({
            let db = db.clone();
            async move {
                db.write(move |_| {
                    begun.lock().unwrap().send(()).unwrap();
                    let _ = wait.lock().unwrap().recv();
                    Ok(())
                })
                .await
            }
        });
        tokio::task::spawn_blocking(move || is_hanging.recv()).await.unwrap().unwrap();
        assert!(!answers(&db, Duration::from_millis(50)).await);
        release.send(()).unwrap();
        hanging.await.unwrap().unwrap();
        assert!(answers(&db, Duration::from_secs(30)).await);
        db.close().await;
    }
}
