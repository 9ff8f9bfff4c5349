//! Prometheus metrics, on a listener of their own so that they are never public by accident.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::OnceLock;
use std::time::Duration;

use axum::Router;
use axum::response::IntoResponse;
use axum::routing::get;
use http::{Method, header};
use metrics::{Counter, Histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

const SECONDS: &[f64] =
    &[0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];
const SIZES: &[f64] = &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];

/// Histograms collect raw samples, which are folded this often, so that they stay few.
const FOLD_EVERY: Duration = Duration::from_secs(5);

static HANDLE: OnceLock<Option<PrometheusHandle>> = OnceLock::new();

/// Starts recording; the first call wins, since a process has one recorder.
pub fn install() -> Option<PrometheusHandle> {
    let build = || {
        PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), SECONDS)
            .and_then(|builder| {
                builder.set_buckets_for_metric(Matcher::Suffix("_size".to_owned()), SIZES)
            })
            .and_then(PrometheusBuilder::install_recorder)
            .inspect_err(|error| tracing::error!(error = %error, "metrics are not recorded"))
            .ok()
    };
    let start = |handle: &PrometheusHandle| {
        super::metric_table::describe();
        fold_samples(handle.clone());
    };
    HANDLE.get_or_init(|| build().inspect(start)).clone()
}

fn fold_samples(handle: PrometheusHandle) {
    let fold = move || {
        loop {
            std::thread::sleep(FOLD_EVERY);
            handle.run_upkeep();
        }
    };
    if let Err(error) = std::thread::Builder::new().name("metrics".to_owned()).spawn(fold) {
        tracing::error!(error = %error, "metrics are folded only when they are looked at");
    }
}

/// What is counted of one route; looked up by name only once in each thread.
struct RouteMeters {
    seconds: Histogram,
    answers: HashMap<(&'static str, u16), Counter>,
}

thread_local! {
    static METERS: RefCell<HashMap<String, RouteMeters>> = RefCell::default();
}

/// Counts a request that was answered.
pub fn answered(method: &Method, route: &str, status: u16, took: Duration) {
    if HANDLE.get().is_none() {
        return;
    }
    METERS.with_borrow_mut(|meters| {
        if !meters.contains_key(route) {
            let seconds =
                metrics::histogram!("touchline_http_request_seconds", "route" => route.to_owned());
            meters.insert(route.to_owned(), RouteMeters { seconds, answers: HashMap::new() });
        }
        let Some(meters) = meters.get_mut(route) else { return };
        meters.seconds.record(took.as_secs_f64());
        let method = known_name(method);
        let count = || {
            metrics::counter!("touchline_http_requests_total",
                "method" => method, "route" => route.to_owned(), "status" => status.to_string())
        };
        meters.answers.entry((method, status)).or_insert_with(count).increment(1);
    });
}

/// Whoever calls can invent methods; they are counted as one.
fn known_name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::HEAD => "HEAD",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

pub fn router(handle: PrometheusHandle) -> Router {
    let show = move || {
        let handle = handle.clone();
        async move {
            ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], handle.render()).into_response()
        }
    };
    Router::new().route("/metrics", get(show))
}
