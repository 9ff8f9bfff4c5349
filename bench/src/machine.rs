//! What the run was made on, read from the system.

use std::fs;
use std::process::Command;

use jiff::Timestamp;
use touchline::platform::clock::Clock;

use crate::figures::float;
use crate::server::beside_us;

/// Of the kernel's clock in a second; Linux shows no other number.
const TICKS: f64 = 100.0;

#[derive(Debug)]
pub struct Machine {
    lines: Vec<(&'static str, String)>,
}

impl Machine {
    pub fn look() -> Self {
        let mut lines = Vec::new();
        let cores = std::thread::available_parallelism().map_or(0, usize::from);
        let cpu = value_in("/proc/cpuinfo", "model name");
        lines.push(("Processor", format!("{cores} cores, {cpu}")));
        lines.push(("Memory", format!("{} MB", kilobytes("MemTotal") / 1_024)));
        lines.push(("System", value_in("/etc/os-release", "PRETTY_NAME").replace('"', "")));
        lines.push(("Kernel", read("/proc/sys/kernel/osrelease")));
        lines.push(("File system of the databases", say("stat", &["-f", "-c", "%T", "."])));
        lines.push(("Load before the run", read("/proc/loadavg")));
        let touchline =
            beside_us("touchline").map(|path| say(&path.display().to_string(), &["--version"]));
        let commit = say("git", &["rev-parse", "--short", "HEAD"]);
        lines.push(("Touchline", format!("{}, commit {commit}", touchline.unwrap_or_default())));
        lines.push(("SQLite", rusqlite::version().to_owned()));
        let programs = std::env::var("TOUCHLINE_TEST_PG_BIN").unwrap_or_default();
        lines.push(("PostgreSQL", say(&format!("{programs}/postgres"), &["--version"])));
        lines.push(("Compiler", say("rustc", &["--version"])));
        let now =
            Timestamp::from_millisecond(Clock::system().now().as_millis()).unwrap_or_default();
        lines.push(("Run at", now.strftime("%Y-%m-%d %H:%M UTC").to_string()));
        Self { lines }
    }

    pub fn add(&mut self, what: &'static str, figure: String) {
        self.lines.push((what, figure));
    }

    pub fn markdown(&self) -> String {
        let lines = self.lines.iter().map(|(what, value)| format!("- {what}: {value}\n"));
        format!("## The machine\n\n{}", lines.collect::<String>().trim_end())
    }
}

/// How many files this process may open.
pub fn file_limit() -> usize {
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// A process's resident memory.
pub fn memory_mb(process: u32) -> f64 {
    let status = read(&format!("/proc/{process}/status"));
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    float(kilobytes.unwrap_or(0)) / 1_024.0
}

/// How much of the processor a process has had, in seconds, with all that it has started and waits for, living or not.
pub fn cpu_seconds(process: u32) -> f64 {
    let children = read(&format!("/proc/{process}/task/{process}/children"));
    let children = children.split_whitespace().filter_map(|child| child.parse().ok());
    own_ticks(process, 4) / TICKS + children.map(|child| own_ticks(child, 2) / TICKS).sum::<f64>()
}

/// The first of: in itself and for it in the kernel, and the same of its children that have ended.
fn own_ticks(process: u32, first: usize) -> f64 {
    let stat = read(&format!("/proc/{process}/stat"));
    // Its name is in brackets, and may have blanks.
    let after_name = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
    let ticks = after_name.split_whitespace().skip(11).take(first);
    ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum()
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default().trim().to_owned()
}

fn value_in(path: &str, key: &str) -> String {
    let text = read(path);
    let line = text.lines().find(|line| line.starts_with(key)).unwrap_or_default();
    line.split_once([':', '=']).map_or_else(String::new, |(_, value)| value.trim().to_owned())
}

fn kilobytes(key: &str) -> u64 {
    let value = value_in("/proc/meminfo", key);
    value.split_whitespace().next().and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// The first line that a program prints; empty if it cannot be run.
fn say(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    text.unwrap_or_default().lines().next().unwrap_or_default().to_owned()
}
