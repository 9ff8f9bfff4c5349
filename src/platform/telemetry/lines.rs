//! Log lines, as JSON and for people, with the id of the request they belong to.

use std::fmt;

use tracing::{Event, Level, Subscriber};
use tracing_subscriber::fmt::FmtContext;
use tracing_subscriber::fmt::format::{
    DefaultFields, Format, FormatEvent, FormatFields as _, Json, JsonFields, Writer,
};
use tracing_subscriber::registry::LookupSpan;

use crate::platform::clock::Clock;
use crate::platform::http::request_id::RequestId;

/// Where hours, minutes and seconds stand in a moment.
const TIME_OF_DAY: std::ops::Range<usize> = 11..19;

/// The library's lines, `{"timestamp":...,"level":...,"fields":{...},"target":...,"span":{...}}`, with a `request_id` behind where
/// there is one: it is not a field of a span, because a request has none unless traces are exported.
pub struct JsonLines(Format<Json>);

impl Default for JsonLines {
    fn default() -> Self {
        Self(Format::default().json().with_span_list(false))
    }
}

impl<S> FormatEvent<S, JsonFields> for JsonLines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, JsonFields>,
        mut line: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let Some(id) = RequestId::of_this_task() else {
            return self.0.format_event(context, line, event);
        };
        let mut text = String::new();
        self.0.format_event(context, Writer::new(&mut text), event)?;
        match text.trim_end().strip_suffix('}') {
            Some(open) => writeln!(line, "{open},\"request_id\":\"{id}\"}}"),
            None => line.write_str(&text),
        }
    }
}

/// Short lines for people: the time of day (UTC), how bad it is, what happened, and the request it belongs to.
pub struct TextLines;

impl<S> FormatEvent<S, DefaultFields> for TextLines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, DefaultFields>,
        mut line: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let now = Clock::system().now().to_string();
        let time = now.get(TIME_OF_DAY).unwrap_or(&now);
        let (word, color) = match *event.metadata().level() {
            Level::ERROR => ("error", "31"),
            Level::WARN => ("warn ", "33"),
            Level::INFO => ("info ", "32"),
            Level::DEBUG => ("debug", "34"),
            Level::TRACE => ("trace", "35"),
        };
        if line.has_ansi_escapes() {
            write!(line, "\x1b[2m{time}\x1b[0m \x1b[{color}m{word}\x1b[0m ")?;
        } else {
            write!(line, "{time} {word} ")?;
        }
        context.format_fields(line.by_ref(), event)?;
        if let Some(id) = RequestId::of_this_task() {
            write!(line, " {id}")?;
        }
        writeln!(line)
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use serde_json::{Value, json};
    use tracing_subscriber::layer::SubscriberExt;

    use super::*;

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn line_of(log: impl FnOnce()) -> Value {
        let lines = Lines::default();
        let writer = lines.clone();
        let layer = tracing_subscriber::fmt::layer()
            .fmt_fields(JsonFields::new())
            .event_format(JsonLines::default())
            .with_writer(move || writer.clone());
        let subscriber = tracing_subscriber::registry().with(layer);
        tracing::subscriber::with_default(subscriber, log);
        let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
        assert_eq!(text.lines().count(), 1, "{text}");
        serde_json::from_str(&text).unwrap()
    }

    /// With what means something in JSON, and with a span around it.
    fn log() {
        let span = tracing::info_span!("request", route = "/api", status = tracing::field::Empty);
        let _inside = span.enter();
        span.record("status", 200);
        tracing::warn!(count = 3, text = "quote \" brace } line \n", "told");
    }

    fn assert_is_told(line: &Value) {
        assert!(line["timestamp"].as_str().is_some_and(|time| time.ends_with('Z')));
        assert_eq!(line["level"], "WARN");
        let fields = json!({"message": "told", "count": 3, "text": "quote \" brace } line \n"});
        assert_eq!(line["fields"], fields);
        assert_eq!(line["target"], module_path!());
        assert_eq!(line["span"], json!({"name": "request", "route": "/api", "status": 200}));
        assert!(line.get("spans").is_none());
    }

    #[test]
    fn a_line_has_its_time_level_fields_target_and_span() {
        let line = line_of(log);
        assert_is_told(&line);
        assert!(line.get("request_id").is_none());
    }

    #[tokio::test]
    async fn a_line_of_a_request_names_it_besides() {
        let line = RequestId::generate().scope(async { line_of(log) }).await;
        assert_is_told(&line);
        assert!(line["request_id"].as_str().is_some_and(|id| id.starts_with("req_")));
    }
}
