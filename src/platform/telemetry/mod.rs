//! Logs and traces of the running program.
//!
//! Owns: the subscriber that formats log lines, and the export of traces to an OpenTelemetry collector.
//! Invariants: lines are JSON, one object a line, on standard error, except for somebody who looks at them on a terminal in `local` or asks
//! for text.
//! Never: logs a phone number, a code or a token; types that hold one print nothing of it.

mod lines;

use std::io::IsTerminal;
use std::time::Duration;

use bytes::Bytes;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_http::{HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing_subscriber::fmt::format::JsonFields;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::{EnvFilter, Layer, Registry};

use self::lines::{JsonLines, TextLines};
use crate::platform::config::{ConfigError, Environment, LogConfig, LogFormat};
use crate::platform::trace;

const EXPORT_TIMEOUT: Duration = Duration::from_secs(5);

/// Ends the export of traces when the program does; without a collector it does nothing.
pub struct Traces(Option<SdkTracerProvider>);

impl Traces {
    pub fn flush(&self) {
        if let Some(Err(error)) = self.0.as_ref().map(SdkTracerProvider::shutdown) {
            tracing::warn!(error = %error, "the last traces could not be sent");
        }
    }
}

/// The rules of rooms explain each of their decisions at `info`, several lines for every message. Whoever wants them asks for them.
const QUIET: &str = "ruma_state_res=warn";

const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];

/// Starts logging. Must run inside the async runtime, which carries the export.
pub fn start(settings: &LogConfig, environment: Environment) -> Result<Traces, ConfigError> {
    let filter = filter(&settings.level)?;
    let (export, traces) = match settings.otlp_url.as_str() {
        "" => (None, Traces(None)),
        url => {
            let provider = exporter(url)?;
            let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("touchline"));
            // As loud as the log, except that spans are always there.
            let wanted = self::filter(&format!("{}=debug,{}", trace::SPANS, settings.level))?;
            trace::switch_on();
            (Some(layer.with_filter(wanted)), Traces(Some(provider)))
        }
    };
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let is_watched = std::io::stderr().is_terminal();
    let is_text = match settings.format {
        LogFormat::Text => true,
        LogFormat::Json => false,
        LogFormat::Auto => is_watched && environment == Environment::Local,
    };
    let lines: Box<dyn Layer<_> + Send + Sync> = if is_text {
        lines.event_format(TextLines).with_ansi(is_watched).boxed()
    } else {
        lines.fmt_fields(JsonFields::new()).event_format(JsonLines::default()).boxed()
    };
    let subscriber = Registry::default().with(export).with(lines.with_filter(filter));
    // A second start in one process (tests) keeps the first subscriber.
    let _ = tracing::subscriber::set_global_default(subscriber);
    Ok(traces)
}

/// Whether the level says what is to be logged. A word that is no level would be read as a module's name, and silence all others.
pub fn check(settings: &LogConfig) -> Result<(), ConfigError> {
    let is_level = |part: &str| {
        let level = part.rsplit_once('=').map_or(part, |(_, level)| level);
        LEVELS.iter().any(|known| known.eq_ignore_ascii_case(level))
    };
    if !settings.level.split(',').all(is_level) {
        return Err(ConfigError::new(
            "log.level must be off, error, warn, info, debug or trace; for a module it is written as in info,touchline::platform::jobs=debug.",
        ));
    }
    filter(&settings.level).map(drop)
}

fn filter(level: &str) -> Result<EnvFilter, ConfigError> {
    EnvFilter::try_new(format!("{QUIET},{level}"))
        .map_err(|error| ConfigError::new(format!("log.level is not valid: {error}.")))
}

fn exporter(url: &str) -> Result<SdkTracerProvider, ConfigError> {
    let problem =
        |error: String| ConfigError::new(format!("log.otlp_url cannot be used: {error}."));
    let exporter = SpanExporter::builder()
        .with_http()
        .with_http_client(Collector::new().map_err(|error| problem(error.to_string()))?)
        .with_endpoint(url)
        .with_timeout(EXPORT_TIMEOUT)
        .build()
        .map_err(|error| problem(error.to_string()))?;
    let resource = Resource::builder().with_service_name("touchline").build();
    Ok(SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build())
}

/// The HTTP client the rest of the program uses, lent to the exporter, whose own thread has no runtime.
#[derive(Debug)]
struct Collector {
    client: reqwest::Client,
    runtime: tokio::runtime::Handle,
}

impl Collector {
    fn new() -> reqwest::Result<Self> {
        let client = crate::platform::outbound::client(EXPORT_TIMEOUT)?;
        Ok(Self { client, runtime: tokio::runtime::Handle::current() })
    }
}

#[async_trait::async_trait]
impl HttpClient for Collector {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let request = reqwest::Request::try_from(request)?;
        let client = self.client.clone();
        let send = async move {
            let answer = client.execute(request).await?;
            let status = answer.status();
            Ok::<_, reqwest::Error>((status, answer.bytes().await?))
        };
        let (status, body) = self.runtime.spawn(send).await??;
        Ok(Response::builder().status(status).body(body)?)
    }
}
