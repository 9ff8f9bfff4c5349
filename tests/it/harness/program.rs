//! The real program as a child process, for what only a process shows: signals, crashes, exit codes, logs.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::{Client, eventually, variables};

pub struct Program {
    child: Child,
    pub client: Client,
    log: std::path::PathBuf,
    ready_line: String,
}

impl Program {
    /// The program with this folder and these settings, not yet started.
    pub fn command(folder: &TempDir, database_url: &str, settings: &[(&str, &str)]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_touchline"));
        let inherited = std::env::vars().filter(|(name, _)| name.starts_with("TOUCHLINE_"));
        for (name, _) in inherited {
            command.env_remove(name);
        }
        command.envs(variables(folder, database_url, settings)).current_dir(folder.path());
        command
    }

    /// Starts it and waits for the line that says it accepts requests.
    pub fn start(folder: &TempDir, database_url: &str, settings: &[(&str, &str)]) -> Self {
        let log = folder.path().join("log");
        let file = std::fs::File::options().create(true).append(true).open(&log).unwrap();
        let mut child = Self::command(folder, database_url, settings)
            .stdout(Stdio::piped())
            .stderr(file)
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let base = line.split_whitespace().find(|word| word.starts_with("http://"));
        let log_text = || std::fs::read_to_string(&log).unwrap();
        let base = base.unwrap_or_else(|| panic!("no address in {line:?}; log: {}", log_text()));
        Self { child, client: Client::new(base), log, ready_line: line }
    }

    /// What it said when it accepted requests.
    pub fn ready_line(&self) -> &str {
        self.ready_line.trim_end()
    }

    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap()
    }

    /// As a power cut or the kernel would: no chance to tidy up.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn terminate(&self) {
        let status = Command::new("kill").arg("-TERM").arg(self.id().to_string()).status();
        assert!(status.unwrap().success());
    }

    /// The exit code, if it ends within the time.
    pub fn exit_code(&mut self, within: Duration) -> Option<i32> {
        let deadline = Instant::now() + within;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        None
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Already gone is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until the metrics at this address have this line; any value will do where none is named.
pub async fn wait_for_metric(address: &str, line: &str) {
    let client = Client::new(&format!("http://{address}"));
    let is_meant = |found: &str| {
        found.strip_prefix(line).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    eventually(|| async {
        let metrics = client.get("/metrics").try_send().await;
        metrics.is_ok_and(|reply| reply.text.lines().any(is_meant)).then_some(())
    })
    .await;
}
