//! The command line: `touchline serve` and the small commands around it.
//!
//! Owns: arguments, exit codes and what is printed for people.
//! Invariants: a start that cannot succeed ends with one sentence on standard error and code 1.
//! Never: holds a rule of the service.

mod backups;
mod doctor;
mod feed_lines;
mod lock;
mod match_day;
mod moving;
mod notify;
mod operator_client;
mod operator_tokens;
mod serve;
mod welcome;

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, CommandFactory, Parser, Subcommand};
use reqwest::Method;
use serde_json::{Value, json};

use self::operator_client::OperatorClient;
use crate::adapters::matrix;
use crate::app;
use crate::platform::clock::Clock;
use crate::platform::config::Config;
use crate::platform::error::{Error, Result};
use crate::platform::http::input::DOCUMENT_LIMIT_BYTES;
use crate::platform::keys::Keys;
use crate::platform::{key_guard, outbound};

/// Where settings come from, at the end of the help and of the manual.
const SETTINGS: &str = "Settings come from ./touchline.toml, or the file given with --config, and then from variables of the environment, \
    TOUCHLINE_<KEY> or TOUCHLINE_<SECTION>__<KEY>. `touchline config` prints all that are in force.";

/// The open-source backend for match-day apps.
#[derive(Parser)]
#[command(name = "touchline", version, about, after_help = SETTINGS)]
struct Arguments {
    /// Read settings from this file instead of ./touchline.toml
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Run the service (what the bare command does)
    Serve,
    /// Print the settings in force, secrets hidden
    Config,
    /// Bring the database's schema up to date and end
    Migrate,
    /// Print the API's OpenAPI document
    Openapi,
    /// Print the file by which a Matrix homeserver knows this service
    MatrixRegistration {
        /// Write it to this file instead, for nobody but the file's owner to read: it holds secrets
        #[arg(long, value_name = "FILE")]
        to: Option<PathBuf>,
    },
    /// Ask the running server whether it is ready; the exit code says it
    Health {
        /// Its address; without it, the one this configuration listens on
        #[arg(long)]
        url: Option<String>,
    },
    /// Check the database and the whole link to the homeserver, and say what is wrong
    Doctor,
    /// Copy the databases, the key and everything said in chat into one file, while the service runs
    Backup(backups::Backup),
    /// Read a backup from end to end and say whether it could be restored
    Verify(backups::Backup),
    /// Put a backup in place; the service must not run
    Restore {
        #[command(flatten)]
        from: backups::Backup,
        /// Move aside what is there
        #[arg(long)]
        replace: bool,
    },
    /// Copy an embedded database to PostgreSQL while the service runs, and let go of it at the last change
    Move(moving::Move),
    /// Take the configured secret key for the database's from now on, after it was changed on purpose
    AcceptSecretKey,
    /// Make a token for the operator API, list those there are, or revoke some
    OperatorToken(operator_tokens::OperatorToken),
    /// Import a catalogue of sports, teams, tournaments and events into the running server
    Import {
        /// A JSON document, or - for standard input
        file: PathBuf,
        #[command(flatten)]
        server: Server,
    },
    /// Enter the result of a match, or correct it
    Result {
        /// The event's id
        #[arg(value_parser = clap::value_parser!(i64).range(1..))]
        event: i64,
        #[arg(value_parser = clap::value_parser!(i64).range(0..100))]
        home: i64,
        #[arg(value_parser = clap::value_parser!(i64).range(0..100))]
        away: i64,
        #[command(flatten)]
        server: Server,
    },
    /// Ask a feed now and import what it says
    Feed {
        /// The slug of the tournament that is fed, as in feeds.sources
        tournament: String,
        /// Only print what would change
        #[arg(long)]
        dry_run: bool,
        /// Ask only the feed's source of this provider
        #[arg(long)]
        provider: Option<String>,
        #[command(flatten)]
        server: Server,
    },
    /// Things to see on a developer's machine
    Demo {
        #[command(subcommand)]
        command: Demo,
    },
}

#[derive(Subcommand)]
enum Demo {
    /// Play a match day against the running local server, with fans and trouble, and say what a client should see at its end
    Play {
        /// How many minutes of the day pass in a real minute; the built-in day has 60
        #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(i64).range(1..=match_day::GREATEST_SPEED))]
        speed: i64,
        /// How many fans come in and predict
        #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(i64).range(1..=match_day::MOST_FANS))]
        fans: i64,
        /// A day of your own, a JSON document (docs/match-day.md) instead of the built-in one
        #[arg(long, value_name = "FILE")]
        script: Option<PathBuf>,
        /// Also write what a client should see to this file, as JSON
        #[arg(long, value_name = "FILE")]
        expect: Option<PathBuf>,
        #[command(flatten)]
        server: Server,
    },
}

/// Which running server to talk to.
#[derive(Args)]
struct Server {
    /// Its address; without it, the one this configuration listens on
    #[arg(long)]
    url: Option<String>,
    /// An operator token; without it, the configured one (`TOUCHLINE_OPERATOR_TOKEN`)
    #[arg(long)]
    token: Option<String>,
}

impl Server {
    fn client(self, config: &Config) -> Result<OperatorClient> {
        OperatorClient::new(config, self.url, self.token)
    }
}

/// The command line as it describes itself, from which the manual and the completions of shells are written.
pub fn command() -> clap::Command {
    Arguments::command()
}

pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // There is nowhere left to report a broken standard error.
            let _ = writeln!(std::io::stderr(), "touchline: {}", sentence(&error));
            ExitCode::FAILURE
        }
    }
}

/// What went wrong, without the error type's own introduction.
fn sentence(error: &Error) -> String {
    match error {
        Error::Internal(cause) => cause.to_string(),
        other => other.to_string(),
    }
}

fn run(arguments: Arguments) -> Result<()> {
    let command = arguments.command.unwrap_or(Command::Serve);
    if matches!(command, Command::Openapi) {
        return print(&format!("{:#}", app::openapi()));
    }
    let config = app::load_config(arguments.config.as_deref(), std::env::vars());
    let config = config.map_err(Error::internal)?;
    if matches!(command, Command::Config) {
        return print(&toml::to_string(&config).map_err(Error::internal)?);
    }
    outbound::install_tls();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(Error::internal)?;
    let outcome = runtime.block_on(async {
        match command {
            Command::Migrate => migrate(&config).await,
            Command::AcceptSecretKey => accept_secret_key(&config).await,
            Command::Backup(to) => backups::make(&config, to).await,
            Command::Verify(of) => backups::verify(&config, of).await,
            Command::Move(what) => moving::run(&config, what).await,
            Command::Restore { from, replace } => backups::restore(&config, from, replace).await,
            Command::MatrixRegistration { to } => {
                registration(&matrix::registration(&settings(&config)?), to.as_deref())
            }
            Command::Doctor => doctor::run(&config, settings(&config)?).await,
            Command::Health { url } => health(url.unwrap_or_else(|| config.own_url())).await,
            Command::OperatorToken(what) => operator_tokens::run(&config, what).await,
            Command::Import { file, server } => import(&server.client(&config)?, &file).await,
            Command::Result { event, home, away, server } => {
                result(&server.client(&config)?, event, home, away).await
            }
            Command::Feed { tournament, dry_run, provider, server } => {
                let client = server.client(&config)?;
                feed(&client, &tournament, dry_run, provider.as_deref()).await
            }
            Command::Demo { command: Demo::Play { speed, fans, script, expect, server } } => {
                let options = match_day::Options { speed, fans, script, expect };
                match_day::play(&server.client(&config)?, &options, print).await
            }
            _ => serve::serve(config).await,
        }
    });
    // Whatever still waits, for a database that does not answer for example, is not waited for.
    runtime.shutdown_background();
    outcome
}

fn print(text: &str) -> Result<()> {
    writeln!(std::io::stdout(), "{}", text.trim_end()).map_err(Error::internal)
}

async fn migrate(config: &Config) -> Result<()> {
    let db = app::open_database(config, Clock::system()).await?;
    let applied = db.migrate().await?;
    for name in &applied {
        print(&format!("applied {name}"))?;
    }
    if applied.is_empty() {
        print("The schema is up to date.")?;
    }
    db.close().await;
    Ok(())
}

async fn accept_secret_key(config: &Config) -> Result<()> {
    let keys = Keys::open(config).map_err(Error::internal)?;
    let db = app::open_database(config, Clock::system()).await?;
    db.migrate().await?;
    key_guard::accept(&db, &keys).await?;
    db.close().await;
    print("The configured secret key is the database's from now on.")
}

async fn health(url: String) -> Result<()> {
    let answer = OperatorClient::of_nobody(url)?.ask(Method::GET, "/readyz", None, None).await?;
    let status = answer.body.get("status").and_then(Value::as_str);
    let status = status.unwrap_or("this is not an answer of Touchline").to_owned();
    if answer.status == 200 { print(&status) } else { Err(Error::internal(status)) }
}

fn settings(config: &Config) -> Result<matrix::Settings> {
    let keys = Keys::open(config).map_err(Error::internal)?;
    matrix::Settings::of(config, &keys).map_err(Error::internal)
}

fn registration(text: &str, to: Option<&Path>) -> Result<()> {
    let Some(path) = to else { return print(text) };
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(path).and_then(|mut file| writeln!(file, "{}", text.trim_end()));
    written
        .map_err(|error| Error::internal(format!("{} cannot be written: {error}", path.display())))
}

async fn import(client: &OperatorClient, file: &Path) -> Result<()> {
    let problem = |error: &dyn std::fmt::Display| {
        Error::internal(format!("{} cannot be imported: {error}", file.display()))
    };
    let text = if file == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        std::fs::read_to_string(file)
    };
    let text = text.map_err(|error| problem(&error))?;
    if text.len() > DOCUMENT_LIMIT_BYTES {
        return Err(problem(&"it is larger than 4 MiB; import it in parts"));
    }
    let document: Value = serde_json::from_str(&text).map_err(|error| problem(&error))?;
    let answer = client.call(Method::PUT, "/api/admin/catalogue", Some(&document)).await?;
    let count =
        |name: &str| answer.pointer(&format!("/data/{name}")).and_then(Value::as_i64).unwrap_or(0);
    let (created, updated, unchanged) = (count("created"), count("updated"), count("unchanged"));
    print(&format!("{created} created, {updated} updated, {unchanged} unchanged"))
}

async fn result(client: &OperatorClient, event: i64, home: i64, away: i64) -> Result<()> {
    let path = format!("/api/admin/events/{event}/result");
    let body = json!({"home_score": home, "away_score": away});
    let answer = client.call(Method::POST, &path, Some(&body)).await?;
    let name = |place: &str| answer.pointer(place).and_then(Value::as_str).unwrap_or("?");
    let (one, other) = (name("/data/home_team/name"), name("/data/away_team/name"));
    print(&format!("event {event}: {one} {home}-{away} {other}, finished"))
}

async fn feed(
    client: &OperatorClient,
    tournament: &str,
    dry_run: bool,
    provider: Option<&str>,
) -> Result<()> {
    let is_word = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if ![Some(tournament), provider].into_iter().flatten().all(is_word) {
        return Err(Error::internal("a feed is named by the slug of its tournament"));
    }
    let only = provider.map_or_else(String::new, |provider| format!("&provider={provider}"));
    let path = format!("/api/admin/feeds/{tournament}/poll?dry_run={dry_run}{only}");
    let answer = client.call(Method::POST, &path, Some(&json!({}))).await?;
    let outcome = answer.get("data").unwrap_or(&Value::Null);
    print(&feed_lines::lines(outcome))?;
    if outcome.get("provider").is_some_and(Value::is_string) {
        Ok(())
    } else {
        Err(Error::internal("nothing was imported"))
    }
}
