//! Spans, and how one is known beyond its thread: to a job that is done later, and to those whom the service calls, as W3C Trace Context
//! has it (`traceparent`).
//!
//! Only where traces are exported ([`switch_on`]) is there anything to a span: otherwise each of these looks at one flag and is done. A span
//! says what kind of thing was done and how it went, never to whom: no phone, name, code, token, path or query.

use std::any::type_name;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use http::{HeaderMap, HeaderValue};
use opentelemetry::propagation::TextMapPropagator;
use opentelemetry::trace::TraceContextExt;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tokio::task::JoinHandle;
use tracing::{Instrument, Span, field};
use tracing_opentelemetry::OpenTelemetrySpanExt;

/// The target of every span, by which the export knows them.
pub const SPANS: &str = "touchline::span";
/// The header in which a trace comes and goes.
pub const HEADER: &str = "traceparent";

static IS_ON: AtomicBool = AtomicBool::new(false);

/// From now on spans are exported.
pub fn switch_on() {
    IS_ON.store(true, Ordering::Relaxed);
}

pub fn is_on() -> bool {
    IS_ON.load(Ordering::Relaxed)
}

/// What a job was asked for by, or a request sent by; `span` goes on with that trace.
pub fn go_on_with(span: &Span, parent: Option<&str>) {
    let Some(parent) = parent.filter(|_| is_on()) else { return };
    let carrier = HashMap::from([(HEADER.to_owned(), parent.to_owned())]);
    // What cannot be read is no parent, and one that has begun has its own.
    let _ = span.set_parent(TraceContextPropagator::new().extract(&carrier));
}

/// The parent that a caller names, if it names one.
pub fn parent_of(headers: &HeaderMap) -> Option<&str> {
    headers.get(HEADER).and_then(|value| value.to_str().ok())
}

/// The span as others name it as their parent; nothing where there is none.
pub fn as_parent(span: &Span) -> Option<String> {
    if !is_on() || span.is_none() {
        return None;
    }
    let context = span.context();
    let span = context.span();
    let known = span.span_context();
    let sampled = u8::from(known.is_sampled());
    known.is_valid().then(|| format!("00-{}-{}-{sampled:02x}", known.trace_id(), known.span_id()))
}

/// Names the span that this runs in to whom a request goes.
pub fn hand_on(headers: &mut HeaderMap) {
    if let Some(value) =
        as_parent(&Span::current()).and_then(|text| HeaderValue::try_from(text).ok())
    {
        headers.insert(HEADER, value);
    }
}

/// A script of the database, within whatever asks for it. `name` gives the name of its type.
pub fn script(access: &'static str, name: fn() -> &'static str) -> Span {
    if !is_inside() {
        return Span::none();
    }
    let name = short(name());
    tracing::debug_span!(target: SPANS, "database", access, script = %name, wait_us = field::Empty)
}

/// The run of a job, as part of what asked for it.
pub fn job(kind: &'static str, attempt: i64, parent: Option<&str>) -> Span {
    if !is_on() {
        return Span::none();
    }
    let span = tracing::debug_span!(target: SPANS, "job", otel.kind = "consumer", kind, attempt, outcome = field::Empty);
    go_on_with(&span, parent);
    span
}

/// A call to another service, within whatever makes it.
pub fn call(service: &'static str, operation: impl FnOnce() -> String) -> Span {
    if !is_inside() {
        return Span::none();
    }
    let operation = operation();
    tracing::debug_span!(target: SPANS, "call", otel.kind = "client", service, operation, status = field::Empty, outcome = field::Empty)
}

/// A task of its own that is still part of the trace.
pub fn spawn<W>(work: W) -> JoinHandle<W::Output>
where
    W: Future<Output: Send + 'static> + Send + 'static,
{
    tokio::spawn(work.in_current_span())
}

/// What looks after itself, such as a worker that looks for jobs, would begin a trace of its own each time.
fn is_inside() -> bool {
    is_on() && !Span::current().is_none()
}

/// The name of a type as people call it: without the crate, closures and what a type is made of.
pub fn short_name_of<T>() -> String {
    short(type_name::<T>())
}

fn short(name: &str) -> String {
    let name = name.replace("::{{closure}}", "");
    let name = name.split('<').next().unwrap_or_default();
    let path = name.split_once("::").map_or(name, |(_, path)| path);
    path.trim_end_matches("::Request").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_named_by_where_it_is_written() {
        assert_eq!(
            short("touchline::features::coins::routes::deduct::{{closure}}::{{closure}}"),
            "features::coins::routes::deduct"
        );
        assert_eq!(
            short("ruma_client_api::account::register::v3::Request"),
            "account::register::v3"
        );
        assert_eq!(short("touchline::a::b<touchline::c::D>::{{closure}}"), "a::b");
    }

    #[test]
    fn without_an_export_there_is_no_span_and_no_parent() {
        assert!(script("read", type_name::<u8>).is_none());
        assert!(
            job("kind", 1, Some("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"))
                .is_none()
        );
        assert!(call("homeserver", String::new).is_none());
        assert_eq!(as_parent(&Span::current()), None);
    }
}
