//! Prometheus metrics, on a listener of their own so that they are never public by accident.

use std::sync::OnceLock;

use axum::Router;
use axum::response::IntoResponse;
use axum::routing::get;
use http::header;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

const SECONDS: &[f64] =
    &[0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];
const SIZES: &[f64] = &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];

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
    HANDLE.get_or_init(build).clone()
}

pub fn router(handle: PrometheusHandle) -> Router {
    let show = move || {
        let handle = handle.clone();
        async move {
            // Histograms collect raw samples until somebody looks; this folds them.
            handle.run_upkeep();
            ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], handle.render()).into_response()
        }
    };
    Router::new().route("/metrics", get(show))
}
