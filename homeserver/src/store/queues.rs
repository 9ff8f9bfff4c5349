//! Where work for the database waits: the service's apart from that of users, each with an end.

use crossbeam_channel::{Receiver, Select, Sender, TrySendError, bounded};

use crate::budget::QUEUE;
use crate::error::{Error, Result};

/// When a queue that is full will have moved on.
const BUSY_MS: u64 = 1000;

pub enum Job<T> {
    Run(T),
    Stop,
}

/// Whose work it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// The service's own, and finding out who calls.
    Service,
    Users,
}

/// Where work waits, each turn for itself.
pub struct Queues<T> {
    pub service: Sender<Job<T>>,
    pub users: Sender<Job<T>>,
}

impl<T> Queues<T> {
    pub fn send(&self, turn: Turn, work: T) -> Result<()> {
        let queue = if turn == Turn::Service { &self.service } else { &self.users };
        queue.try_send(Job::Run(work)).map_err(|refusal| match refusal {
            TrySendError::Full(_) => Error::limited(BUSY_MS),
            TrySendError::Disconnected(_) => Error::internal("the database is closed"),
        })
    }
}

/// The service's queue and the users'.
pub fn queues<T>() -> (Queues<T>, [Receiver<Job<T>>; 2]) {
    let ((service, for_service), (users, for_users)) = (bounded(QUEUE), bounded(QUEUE));
    (Queues { service, users }, [for_service, for_users])
}

/// Waits for work; the service's comes first.
pub fn next<T>([service, users]: &[Receiver<T>; 2]) -> Option<T> {
    let mut select = Select::new_biased();
    let of_service = select.recv(service);
    select.recv(users);
    let ready = select.select();
    let queue = if ready.index() == of_service { service } else { users };
    ready.recv(queue).ok()
}
