//! How far a long piece of work is, for somebody who watches.

use std::io::{IsTerminal, Write};

const BAR: usize = 30;

/// A line on a terminal that is written over and over; nothing elsewhere.
pub struct Progress {
    what: &'static str,
    /// How an amount of the work is said.
    amount: fn(u64) -> String,
    is_watched: bool,
    shown: Option<u64>,
}

impl Progress {
    pub fn of_bytes(what: &'static str) -> Self {
        Self::new(what, size)
    }

    pub fn new(what: &'static str, amount: fn(u64) -> String) -> Self {
        Self { what, amount, is_watched: std::io::stderr().is_terminal(), shown: None }
    }

    pub fn tell(&mut self, done: u64, all: u64) {
        let percent = (done.saturating_mul(100)).checked_div(all).unwrap_or(100).min(100);
        if !self.is_watched || self.shown == Some(percent) {
            return;
        }
        self.shown = Some(percent);
        let full = usize::try_from(percent).unwrap_or(0) * BAR / 100;
        let (full, rest) = ("#".repeat(full), ".".repeat(BAR - full));
        let line =
            format!("\r{:<14} [{full}{rest}] {percent:>3} %  {}", self.what, (self.amount)(all));
        let mut error = std::io::stderr().lock();
        // There is nowhere left to say that nobody sees it.
        let _ = error.write_all(line.as_bytes()).and_then(|()| error.flush());
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown.is_some() {
            let _ = writeln!(std::io::stderr());
        }
    }
}

/// As people say it.
pub fn size(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..10_000_000 => format!("{} KB", bytes / 1_000),
        10_000_000..10_000_000_000 => format!("{} MB", bytes / 1_000_000),
        _ => format!("{} GB", bytes / 1_000_000_000),
    }
}
