//! Small reads on the thread of whoever asks: a few rows by their keys are found sooner than a reader's thread is woken.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Instant;

use crate::platform::db::meters::Meters;
use crate::platform::db::script::{Access, guarded};
use crate::platform::db::tx::Tx;
use crate::platform::error::{Error, Result};

pub struct Lookups {
    /// Empty once the layer is closed.
    connections: Vec<Mutex<Option<Tx>>>,
    meters: Arc<Meters>,
}

impl Lookups {
    pub fn new(connections: Vec<Tx>, meters: Arc<Meters>) -> Self {
        let connections = connections.into_iter().map(|tx| Mutex::new(Some(tx))).collect();
        Self { connections, meters }
    }

    /// What the script returned; none if every connection is in use, which is not waited for.
    pub fn run<T>(&self, script: &impl Fn(&mut Tx) -> Result<T>) -> Option<Result<T>> {
        let started = Instant::now();
        let mut free = self.connections.iter().find_map(free)?;
        let tx = free.as_mut()?;
        tx.start(Access::Read);
        let returned = guarded(tx, script);
        self.meters.script_took(Access::Read, started.elapsed());
        if let Err(Error::Database(error)) = &returned {
            Meters::error(error.label());
        }
        Some(returned)
    }

    pub fn close(&self) {
        for connection in &self.connections {
            connection.lock().unwrap_or_else(PoisonError::into_inner).take();
        }
    }
}

fn free(connection: &Mutex<Option<Tx>>) -> Option<MutexGuard<'_, Option<Tx>>> {
    match connection.try_lock() {
        Ok(held) => Some(held),
        Err(TryLockError::Poisoned(held)) => Some(held.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}
