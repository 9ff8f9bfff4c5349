//! The signal to end: given once, heard by everything that runs.

use tokio::sync::watch;

#[derive(Clone)]
pub struct Stop(watch::Receiver<bool>);

pub struct StopSender(watch::Sender<bool>);

impl StopSender {
    pub fn new() -> Self {
        Self(watch::channel(false).0)
    }

    pub fn give(&self) {
        self.0.send_replace(true);
    }

    pub fn is_given(&self) -> bool {
        *self.0.borrow()
    }

    pub fn subscribe(&self) -> Stop {
        Stop(self.0.subscribe())
    }
}

impl Default for StopSender {
    fn default() -> Self {
        Self::new()
    }
}

impl Stop {
    pub fn is_given(&self) -> bool {
        *self.0.borrow()
    }

    /// Comes back when the signal is given; a sender that is gone has given it as well.
    pub async fn given(mut self) {
        let _ = self.0.wait_for(|is_given| *is_given).await;
    }
}
