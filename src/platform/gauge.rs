//! Metrics that go up and down.

/// Sets a gauge, which is a float, to what is counted, which is whole and far below 2^53, where the two would part.
#[allow(clippy::as_conversions, clippy::cast_precision_loss, reason = "said above")]
pub fn set_gauge(gauge: &metrics::Gauge, value: i64) {
    gauge.set(value as f64);
}
