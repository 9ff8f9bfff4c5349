//! The command line: `touchline serve` and the small commands around it.
//!
//! Owns: arguments, exit codes and what is printed for people.
//! Invariants: a start that cannot succeed ends with one sentence on standard error and code 1.
//! Never: holds a rule of the service.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tokio::net::TcpListener;

use crate::app::{self, App};
use crate::clock::Clock;
use crate::config::{Config, ConfigError};
use crate::error::{Error, Result};
use crate::http::metrics;
use crate::keys::Keys;
use crate::matrix::{self, Matrix, doctor::Finding};
use crate::{admin, outbound, telemetry};

/// The open-source backend for match-day apps.
#[derive(Parser)]
#[command(name = "touchline", version, about)]
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
    MatrixRegistration,
    /// Check the database and the whole link to the homeserver, and say what is wrong
    Doctor,
    /// Make a token for the operator API, or revoke those of a name
    OperatorToken {
        /// Who the token is for; the audit log shows it
        #[arg(default_value = "operator")]
        name: String,
        /// Revoke every token of this name instead
        #[arg(long)]
        revoke: bool,
    },
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
        return print(&app::openapi().to_pretty_json().map_err(Error::internal)?);
    }
    let config = Config::load(arguments.config.as_deref(), std::env::vars());
    let config = config.map_err(Error::internal)?;
    if matches!(command, Command::Config) {
        return print(&toml::to_string(&config).map_err(Error::internal)?);
    }
    outbound::install_tls();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(Error::internal)?;
    runtime.block_on(async {
        match command {
            Command::Migrate => migrate(&config).await,
            Command::MatrixRegistration => print(&matrix::registration(&settings(&config)?)),
            Command::Doctor => doctor(&config).await,
            Command::OperatorToken { name, revoke } => operator_token(&config, name, revoke).await,
            _ => serve(config).await,
        }
    })
}

fn print(text: &str) -> Result<()> {
    writeln!(std::io::stdout(), "{}", text.trim_end()).map_err(Error::internal)
}

async fn serve(mut config: Config) -> Result<()> {
    let traces = telemetry::start(&config.log).map_err(Error::internal)?;
    metrics::install();
    let listener = bind("listen", &config.listen.to_string()).await?;
    let metrics_listener = match config.metrics_listen.as_str() {
        "" => None,
        address => Some(bind("metrics_listen", address).await?),
    };
    let address = listener.local_addr().map_err(Error::internal)?;
    // From here on the port is known, even where any free one was asked for.
    config.listen = address;
    let app = App::open(config, Clock::system()).await?;
    tokio::spawn(stop_on_signal(app.clone()));
    print(&format!(
        "Touchline is ready at http://{address} (docs at http://{address}/docs). {}",
        app.matrix.settings().describe()
    ))?;
    app.run(listener, metrics_listener).await;
    tokio::task::spawn_blocking(move || traces.flush()).await.map_err(Error::internal)
}

async fn bind(key: &str, address: &str) -> Result<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| {
        Error::internal(ConfigError::new(format!("{key} {address} cannot be used: {error}.")))
    })
}

async fn stop_on_signal(app: App) {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut terminate), Ok(mut interrupt)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        tracing::error!("signals cannot be caught: the service ends without draining");
        return;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    tracing::info!("stopping: running requests may finish");
    app.stop();
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

async fn operator_token(config: &Config, name: String, revoke: bool) -> Result<()> {
    let db = app::open_database(config, Clock::system()).await?;
    db.migrate().await?;
    if revoke {
        let count = db.write(move |tx| admin::revoke_tokens(tx, &name)).await?;
        print(&format!("{count} revoked"))?;
    } else {
        let token = db.write(move |tx| admin::issue_token(tx, &name)).await?;
        print(token.expose())?;
    }
    db.close().await;
    Ok(())
}

fn settings(config: &Config) -> Result<matrix::Settings> {
    let keys = Keys::open(config).map_err(Error::internal)?;
    matrix::Settings::of(config, &keys).map_err(Error::internal)
}

async fn doctor(config: &Config) -> Result<()> {
    let settings = settings(config)?;
    print(&settings.describe())?;
    let database = match app::open_database(config, Clock::system()).await {
        Ok(db) => {
            let answer = db.ping().await;
            db.close().await;
            answer
        }
        Err(error) => Err(error),
    };
    let problem = database.err().map(|error| format!("The database cannot be used: {error}."));
    let mut findings = vec![Finding { what: "the database answers", problem }];
    let matrix = Matrix::new(settings, &config.matrix).map_err(Error::internal)?;
    findings.extend(matrix::doctor::examine(&matrix).await);
    for finding in &findings {
        match &finding.problem {
            None => print(&format!("ok      {}", finding.what))?,
            Some(problem) => print(&format!("WRONG   {}\n        {problem}", finding.what))?,
        }
    }
    if findings.iter().any(|finding| finding.problem.is_some()) {
        return Err(Error::internal("Something is wrong; see above."));
    }
    print("All is well.")
}
