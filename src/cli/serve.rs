//! `touchline serve`: from the settings to a service that answers, and its end.

use std::io::ErrorKind;
use std::time::Duration;

use tokio::net::TcpListener;

use super::notify::Supervisor;
use super::{lock, print, welcome};
use crate::app::{App, Listeners};
use crate::backup;
use crate::platform::clock::Clock;
use crate::platform::config::{Config, ConfigError, Environment, HttpConfig};
use crate::platform::error::{Error, Result};
use crate::platform::http::metrics;
use crate::platform::telemetry;

/// What is left after the drain time for closing the databases; together they are under ten seconds.
const CLOSING_TIME: Duration = Duration::from_secs(1);
/// What a shell reports of a program that a signal ended.
const ENDED_BY_SIGINT: i32 = 130;
const ENDED_BY_SIGTERM: i32 = 143;

pub async fn serve(mut config: Config) -> Result<()> {
    let traces = telemetry::start(&config.log, config.environment).map_err(Error::internal)?;
    metrics::install();
    let _held = lock::hold(&config).map_err(Error::internal)?;
    backup::refuse_unfinished(&config).map_err(Error::internal)?;
    let listeners = bind_all(&config).await?;
    // With port 0 only the listener knows where links have to lead.
    config.listen = listeners.api.local_addr().map_err(Error::internal)?;
    if let Some(listener) = &listeners.console {
        config.console_listen = listener.local_addr().map_err(Error::internal)?.to_string();
    }
    welcome::find_public_url(&mut config);
    let app = App::open(config, Clock::system()).await?;
    stop_on_signal(&app);
    print(&welcome::ready_line(&app))?;
    welcome::greet(&app);
    let told = Supervisor::of_this_process().accompany(app.db.clone(), app.stop.clone());
    let told = tokio::spawn(told);
    let stop = app.stop.clone();
    let last_moment = last_moment(&app.config.http);
    let run_and_flush = async move {
        app.run(listeners).await;
        told.await.map_err(Error::internal)?;
        tokio::task::spawn_blocking(move || traces.flush()).await.map_err(Error::internal)
    };
    tokio::select! {
        outcome = run_and_flush => outcome,
        () = async { stop.cancelled().await; tokio::time::sleep(last_moment).await } => {
            tracing::warn!("the time to stop is over: what was accepted is on disk, the rest is broken off");
            Ok(())
        }
    }
}

/// How long after the signal the service ends in any case.
fn last_moment(http: &HttpConfig) -> Duration {
    Duration::from_millis(http.leave_ms.saturating_add(http.drain_timeout_ms)) + CLOSING_TIME
}

async fn bind_all(config: &Config) -> Result<Listeners> {
    let api = bind("listen", &config.listen.to_string()).await?;
    let console = match config.console_address() {
        Some(address) => Some(bind("console_listen", &address.to_string()).await?),
        None => None,
    };
    Ok(Listeners { api, metrics: bind_metrics(config).await?, console })
}

async fn bind(key: &str, address: &str) -> Result<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| {
        let variable = key.to_uppercase();
        let advice = match error.kind() {
            ErrorKind::AddrInUse => format!(
                " Another program has this port: end it, or choose another port with TOUCHLINE_{variable}=<address>:<port> or {key} in touchline.toml."
            ),
            _ => String::new(),
        };
        let sentence = format!("{key} {address} cannot be used: {error}.{advice}");
        Error::internal(ConfigError::new(sentence))
    })
}

/// The listener of the metrics, if there is one. On a developer's machine, where nobody collects them, any port will do.
async fn bind_metrics(config: &Config) -> Result<Option<TcpListener>> {
    let key = "metrics_listen";
    match config.metrics_listen.parse::<std::net::SocketAddr>() {
        Err(_) => Ok(None),
        Ok(address) => match bind(key, &address.to_string()).await {
            Err(_) if config.environment == Environment::Local => {
                let listener =
                    bind(key, &std::net::SocketAddr::new(address.ip(), 0).to_string()).await?;
                let taken = listener.local_addr().map_err(Error::internal)?;
                tracing::info!(
                    "metrics_listen {address} is in use: metrics are at http://{taken}/metrics instead"
                );
                Ok(Some(listener))
            }
            bound => bound.map(Some),
        },
    }
}

/// From the moment this returns, a signal drains the service instead of ending it; so it comes before the line that says
/// the service is ready.
fn stop_on_signal(app: &App) {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut terminate), Ok(mut interrupt)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        tracing::error!("signals cannot be caught: the service ends without draining");
        return;
    };
    let app = app.clone();
    tokio::spawn(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!(
            "stopping: running requests may finish; a second signal ends the service at once"
        );
        app.stop.cancel();
        drop(app);
        let code = tokio::select! {
            _ = terminate.recv() => ENDED_BY_SIGTERM,
            _ = interrupt.recv() => ENDED_BY_SIGINT,
        };
        std::process::exit(code);
    });
}
