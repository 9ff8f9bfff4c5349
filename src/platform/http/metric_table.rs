//! What is known of a metric, and how the recorder is told; `metric_list` has them all.

use metrics::{Unit, describe_counter, describe_gauge, describe_histogram};

pub use super::metric_list::METRICS;

/// How a metric moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// Only up, until the process ends.
    Counter,
    /// Up and down.
    Gauge,
    /// How many values there were, and how large.
    Histogram,
}

#[derive(Debug)]
pub struct Metric {
    pub name: &'static str,
    pub sort: Sort,
    pub unit: Unit,
    pub labels: &'static [&'static str],
    pub help: &'static str,
    /// What a person expects to see of it.
    pub normal: &'static str,
}

impl Metric {
    pub const fn sort_name(&self) -> &'static str {
        match self.sort {
            Sort::Counter => "counter",
            Sort::Gauge => "gauge",
            Sort::Histogram => "histogram",
        }
    }
}

/// Every metric, whatever its part.
pub fn all() -> impl Iterator<Item = &'static Metric> {
    METRICS.iter().flat_map(|(_, metrics)| *metrics)
}

/// Tells the recorder of all of them. Counters without labels are there from the start, so that their first step is seen as one.
pub(super) fn describe() {
    for metric in all() {
        match metric.sort {
            Sort::Counter => describe_counter!(metric.name, metric.unit, metric.help),
            Sort::Gauge => describe_gauge!(metric.name, metric.unit, metric.help),
            Sort::Histogram => describe_histogram!(metric.name, metric.unit, metric.help),
        }
        if metric.sort == Sort::Counter && metric.labels.is_empty() {
            metrics::counter!(metric.name).increment(0);
        }
    }
    for reason in super::answer::FULL_HOUSE {
        metrics::counter!("touchline_http_refused_total", "reason" => reason).increment(0);
    }
}
