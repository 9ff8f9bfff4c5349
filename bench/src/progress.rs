//! How far a run is, on standard error.

use std::io::{IsTerminal, Write};
use std::time::Instant;

const WIDTH: usize = 30;

#[derive(Debug)]
pub struct Progress {
    steps: usize,
    done: usize,
    started: Instant,
    shown: String,
}

impl Progress {
    pub fn new(steps: usize) -> Self {
        Self { steps, done: 0, started: Instant::now(), shown: String::new() }
    }

    /// A step begins. On a terminal the bar moves; elsewhere a line is written whenever the work is another.
    pub fn step(&mut self, what: &str) {
        let filled = WIDTH * self.done.min(self.steps) / self.steps.max(1);
        let seconds = self.started.elapsed().as_secs();
        let bar = format!("{}{}", "#".repeat(filled), "-".repeat(WIDTH - filled));
        let (done, steps) = (self.done, self.steps);
        let line = format!("[{bar}] {done}/{steps}  {}:{:02}  {what}", seconds / 60, seconds % 60);
        let mut output = std::io::stderr();
        // A progress bar that cannot be shown is no reason to stop.
        if output.is_terminal() {
            let _ = write!(output, "\r\x1b[K{line}");
        } else if self.shown != what {
            let _ = writeln!(output, "{line}");
        }
        what.clone_into(&mut self.shown);
        self.done += 1;
    }

    pub fn end(&mut self) {
        self.step("done");
        let _ = writeln!(std::io::stderr());
    }
}
