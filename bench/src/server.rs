//! Processes to measure: the service itself and the small servers of `stand_in.rs`.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::Outcome;
use crate::database::Database;
use crate::machine::memory_mb;

pub const OPERATOR_TOKEN: &str = "bench-operator-token";

/// A child process that listens; it ends with this value, and with this program, however that ends.
#[derive(Debug)]
pub struct Server {
    child: Child,
    pub address: SocketAddr,
}

impl Server {
    /// The service on this database, with its other settings as they are by default, apart from these.
    pub fn touchline(database: &Database, settings: &[(&str, &str)]) -> Outcome<Self> {
        Self::start(service(database, settings)?)
    }

    /// A node of a service whose database is elsewhere.
    pub fn node(url: &str, folder: &Path, settings: &[(&str, &str)]) -> Outcome<Self> {
        Self::start(service_at(url, folder, &folder.join("data"), settings)?)
    }

    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// As when its machine is gone.
    pub fn kill(mut self) -> Outcome<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// The program beside a service on this database, for its other commands.
    pub fn command(database: &Database) -> Outcome<Command> {
        service(database, &[])
    }

    /// What an external homeserver has to be given to serve this service.
    pub fn registration(database: &Database, settings: &[(&str, &str)]) -> Outcome<String> {
        let output = service(database, settings)?.arg("matrix-registration").output()?;
        Ok(String::from_utf8(output.stdout)?)
    }

    /// A program that does not say where it listens, since it was told to.
    pub fn silent(
        program: &Path,
        arguments: &[&str],
        folder: &Path,
        address: SocketAddr,
    ) -> Outcome<Self> {
        let mut command = ending_with_us(program);
        command.args(arguments).current_dir(folder);
        let child =
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        Ok(Self { child, address })
    }

    /// The service with a homeserver that answers at once, as all workloads but chat itself want it.
    pub fn without_chat(database: &Database, homeserver: &Self) -> Outcome<Self> {
        let url = format!("http://{}", homeserver.address);
        Self::touchline(database, &[("TOUCHLINE_MATRIX__HOMESERVER_URL", url.as_str())])
    }

    /// This program in one of its other roles.
    pub fn stand_in(role: &str) -> Outcome<Self> {
        let mut command = ending_with_us(&std::env::current_exe()?);
        command.arg(role);
        Self::start(command)
    }

    fn start(mut command: Command) -> Outcome<Self> {
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let mut line = String::new();
        if let Some(output) = child.stdout.take() {
            BufReader::new(output).read_line(&mut line)?;
        }
        let address = line.split_whitespace().find_map(|word| word.strip_prefix("http://"));
        match address.and_then(|address| address.parse().ok()) {
            Some(address) => Ok(Self { child, address }),
            None => {
                end(&mut child);
                Err(format!("{command:?} did not start: it said {line:?}").into())
            }
        }
    }

    /// Resident memory.
    pub fn memory_mb(&self) -> f64 {
        memory_mb(self.child.id())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

/// The service's program with these settings.
fn service(database: &Database, settings: &[(&str, &str)]) -> Outcome<Command> {
    service_at(&database.url(), database.folder(), &database.data_dir(), settings)
}

fn service_at(
    url: &str,
    folder: &Path,
    data_dir: &Path,
    settings: &[(&str, &str)],
) -> Outcome<Command> {
    let mut command = ending_with_us(&beside_us("touchline")?);
    let inherited = std::env::vars().filter(|(name, _)| name.starts_with("TOUCHLINE_"));
    for (name, _) in inherited {
        command.env_remove(name);
    }
    command
        .current_dir(folder)
        .env("TOUCHLINE_DATABASE_URL", url)
        .env("TOUCHLINE_DATA_DIR", data_dir)
        .env("TOUCHLINE_LISTEN", "127.0.0.1:0")
        .env("TOUCHLINE_METRICS_LISTEN", "127.0.0.1:0")
        .env("TOUCHLINE_DEMO_DATA", "false")
        .env("TOUCHLINE_SECRET_KEY", "0123456789abcdef0123456789abcdef")
        .env("TOUCHLINE_OPERATOR_TOKEN", OPERATOR_TOKEN)
        // All the load comes from one address, and a hundred users hold all the streams.
        .env("TOUCHLINE_HTTP__MAX_CONNECTIONS_PER_ADDRESS", "10000")
        .env("TOUCHLINE_HTTP__MAX_IN_FLIGHT_PER_ADDRESS", "1024")
        .env("TOUCHLINE_HTTP__MATRIX_MAX_IN_FLIGHT_PER_ADDRESS", "4096")
        .env("TOUCHLINE_STREAM__MAX_PER_ADDRESS", "10000")
        .env("TOUCHLINE_STREAM__MAX_PER_USER", "10000")
        .envs(settings.iter().copied());
    Ok(command)
}

/// Asks a child to end, and makes it if it does not.
fn end(child: &mut Child) {
    // Already gone is as good.
    let _ = Command::new("kill")
        .args(["-TERM", &child.id().to_string()])
        .stderr(Stdio::null())
        .status();
    let give_up = Instant::now() + Duration::from_secs(12);
    while Instant::now() < give_up {
        if matches!(child.try_wait(), Ok(Some(_))) {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// A command that the kernel ends when this process is gone, even killed.
fn ending_with_us(program: &Path) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "TERM"]).arg(program);
    command
}

/// A program that was built together with this one.
pub fn beside_us(name: &str) -> Outcome<PathBuf> {
    let path = std::env::current_exe()?.with_file_name(name);
    if path.exists() { Ok(path) } else { Err(format!("{} is not built", path.display()).into()) }
}
