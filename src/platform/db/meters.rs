//! What the layer counts. Handles are taken once, at `Db::open`: install the recorder before it.

use std::time::Duration;

use metrics::{Gauge, Histogram, counter, gauge, histogram};

use super::script::Access;

pub(super) struct Meters {
    reads_waiting: Gauge,
    writes_waiting: Gauge,
    read_wait_seconds: Histogram,
    write_wait_seconds: Histogram,
    read_seconds: Histogram,
    write_seconds: Histogram,
    stream_seconds: Histogram,
    group_size: Histogram,
    wishes: Histogram,
}

impl Meters {
    pub(super) fn new() -> Self {
        Self {
            reads_waiting: gauge!("touchline_db_queue_depth", "kind" => "read"),
            writes_waiting: gauge!("touchline_db_queue_depth", "kind" => "write"),
            read_wait_seconds: histogram!("touchline_db_wait_seconds", "kind" => "read"),
            write_wait_seconds: histogram!("touchline_db_wait_seconds", "kind" => "write"),
            read_seconds: histogram!("touchline_db_script_seconds", "kind" => "read"),
            write_seconds: histogram!("touchline_db_script_seconds", "kind" => "write"),
            stream_seconds: histogram!("touchline_db_script_seconds", "kind" => "stream"),
            group_size: histogram!("touchline_db_group_size"),
            wishes: histogram!("touchline_db_shared_wishes"),
        }
    }

    fn waiting(&self, access: Access) -> &Gauge {
        match access {
            Access::Lookup | Access::Read => &self.reads_waiting,
            Access::Write => &self.writes_waiting,
        }
    }

    pub(super) fn queued(&self, access: Access) {
        self.waiting(access).increment(1);
    }

    pub(super) fn taken(&self, access: Access) {
        self.waiting(access).decrement(1);
    }

    /// From being queued to being taken by a connection's thread.
    pub(super) fn waited(&self, access: Access, wait: Duration) {
        match access {
            Access::Lookup | Access::Read => self.read_wait_seconds.record(wait),
            Access::Write => self.write_wait_seconds.record(wait),
        }
    }

    /// From being queued to being answered: what the caller waited.
    pub(super) fn script_took(&self, access: Access, took: Duration) {
        match access {
            Access::Lookup | Access::Read => self.read_seconds.record(took),
            Access::Write => self.write_seconds.record(took),
        }
    }

    pub(super) fn stream_took(&self, took: Duration) {
        self.stream_seconds.record(took);
    }

    pub(super) fn group(&self, members: usize) {
        self.group_size.record(f64::from(u32::try_from(members).unwrap_or(u32::MAX)));
    }

    /// So many wishes were granted by one script.
    pub(super) fn wishes(&self, number: usize) {
        self.wishes.record(f64::from(u32::try_from(number).unwrap_or(u32::MAX)));
    }

    /// Nobody waited for it any more.
    pub(super) fn skipped(access: Access) {
        let kind = if access == Access::Write { "write" } else { "read" };
        counter!("touchline_db_skipped_total", "kind" => kind).increment(1);
    }

    /// A read that a replica may answer was answered by one, or by the primary.
    pub(super) fn read_aside(by_replica: bool) {
        let by = if by_replica { "replica" } else { "primary" };
        counter!("touchline_db_reads_aside_total", "answered_by" => by).increment(1);
    }

    pub(super) fn error(label: &'static str) {
        counter!("touchline_db_errors_total", "kind" => label).increment(1);
    }
}
