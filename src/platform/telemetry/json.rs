//! Log lines as JSON, written in one pass.
//!
//! The library's own JSON lines keep a span's fields as JSON text and parse that text again for each field that is added and
//! for each line inside the span. Here the text is appended to and copied, and the request's id needs no span.

use std::fmt::{self, Write};

use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::field::{RecordFields, VisitOutput};
use tracing_subscriber::fmt::format::{FormatEvent, FormatFields, Writer};
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormattedFields};
use tracing_subscriber::registry::LookupSpan;

use crate::platform::http::request_id::RequestId;

/// `{"timestamp":...,"level":...,"fields":{...},"target":...,"request_id":...,"span":{...}}`, the last two where there are any.
pub struct JsonLines;

/// A span's fields as the inside of a JSON object: `"a":1,"b":"c"`.
pub struct JsonFields;

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
        line.write_str("{\"timestamp\":\"")?;
        SystemTime.format_time(&mut line)?;
        write!(line, "\",\"level\":\"{}\",\"fields\":{{", event.metadata().level())?;
        context.format_fields(line.by_ref(), event)?;
        write!(line, "}},\"target\":\"{}\"", event.metadata().target())?;
        if let Some(id) = RequestId::of_this_task() {
            write!(line, ",\"request_id\":\"{id}\"")?;
        }
        if let Some(span) = context.lookup_current() {
            line.write_str(",\"span\":{")?;
            if let Some(fields) = span.extensions().get::<FormattedFields<JsonFields>>() {
                line.write_str(fields)?;
                if !fields.is_empty() {
                    line.write_char(',')?;
                }
            }
            write!(line, "\"name\":\"{}\"}}", span.name())?;
        }
        line.write_str("}\n")
    }
}

impl<'writer> FormatFields<'writer> for JsonFields {
    fn format_fields<R: RecordFields>(&self, text: Writer<'writer>, fields: R) -> fmt::Result {
        let mut visitor = Appender { text, is_first: true, outcome: Ok(()) };
        fields.record(&mut visitor);
        visitor.finish()
    }

    fn add_fields(
        &self,
        current: &'writer mut FormattedFields<Self>,
        fields: &tracing::span::Record<'_>,
    ) -> fmt::Result {
        let is_first = current.is_empty();
        let mut visitor = Appender { text: current.as_writer(), is_first, outcome: Ok(()) };
        fields.record(&mut visitor);
        visitor.finish()
    }
}

struct Appender<'writer> {
    text: Writer<'writer>,
    is_first: bool,
    outcome: fmt::Result,
}

impl Appender<'_> {
    fn append(&mut self, field: &Field, value: impl FnOnce(&mut Writer<'_>) -> fmt::Result) {
        let comma = if std::mem::take(&mut self.is_first) { "" } else { "," };
        let name = field.name();
        // A field named after a keyword of the language is written with this mark.
        let name = name.strip_prefix("r#").unwrap_or(name);
        self.outcome = self
            .outcome
            .and_then(|()| write!(self.text, "{comma}\"{name}\":"))
            .and_then(|()| value(&mut self.text));
    }
}

impl VisitOutput<fmt::Result> for Appender<'_> {
    fn finish(self) -> fmt::Result {
        self.outcome
    }
}

impl Visit for Appender<'_> {
    fn record_bool(&mut self, field: &Field, value: bool) {
        self.append(field, |text| write!(text, "{value}"));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.append(field, |text| write!(text, "{value}"));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.append(field, |text| write!(text, "{value}"));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        // JSON has no name for what is not a number.
        self.append(field, |text| {
            if value.is_finite() { write!(text, "{value}") } else { text.write_str("null") }
        });
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.append(field, |text| write_text(text, format_args!("{value}")));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.append(field, |text| write_text(text, format_args!("{value:?}")));
    }
}

fn write_text(to: &mut Writer<'_>, text: fmt::Arguments<'_>) -> fmt::Result {
    to.write_char('"')?;
    Escaped(to).write_fmt(text)?;
    to.write_char('"')
}

/// Text on its way into a JSON string.
struct Escaped<'a, 'writer>(&'a mut Writer<'writer>);

impl Write for Escaped<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut rest = text;
        while let Some(at) = rest.find(|c: char| c == '"' || c == '\\' || c < ' ') {
            let (plain, special) = rest.split_at(at);
            self.0.write_str(plain)?;
            let mut characters = special.chars();
            match characters.next() {
                Some(quoted @ ('"' | '\\')) => write!(self.0, "\\{quoted}")?,
                Some('\n') => self.0.write_str("\\n")?,
                Some(control) => write!(self.0, "\\u{:04x}", u32::from(control))?,
                None => {}
            }
            rest = characters.as_str();
        }
        self.0.write_str(rest)
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

    fn lines_of(log: impl FnOnce()) -> Vec<Value> {
        let lines = Lines::default();
        let writer = lines.clone();
        let layer = tracing_subscriber::fmt::layer()
            .fmt_fields(JsonFields)
            .event_format(JsonLines)
            .with_writer(move || writer.clone());
        let subscriber = tracing_subscriber::registry().with(layer);
        tracing::subscriber::with_default(subscriber, log);
        let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn a_line_has_its_time_level_fields_and_target() {
        let lines = lines_of(|| tracing::warn!(count = 3, ratio = 0.5, is_new = true, "told"));
        let line = &lines[0];
        assert!(line["timestamp"].as_str().is_some_and(|time| time.ends_with('Z')));
        assert_eq!(line["level"], "WARN");
        assert_eq!(
            line["fields"],
            json!({"message": "told", "count": 3, "ratio": 0.5, "is_new": true})
        );
        assert_eq!(line["target"], module_path!());
        assert!(line.get("span").is_none());
    }

    #[test]
    fn a_line_inside_a_span_has_all_that_is_known_of_the_span() {
        let lines = lines_of(|| {
            let span = tracing::info_span!("request", id = "a", status = tracing::field::Empty);
            let _inside = span.enter();
            tracing::info!("before");
            span.record("status", 200);
            tracing::info!("after");
        });
        assert_eq!(lines[0]["span"], json!({"name": "request", "id": "a"}));
        assert_eq!(lines[1]["span"], json!({"name": "request", "id": "a", "status": 200}));
    }

    #[tokio::test]
    async fn a_line_of_a_request_names_it() {
        let lines = async { lines_of(|| tracing::info!("told")) };
        let lines = RequestId::generate().scope(lines).await;
        assert!(lines[0]["request_id"].as_str().is_some_and(|id| id.starts_with("req_")));
    }

    #[test]
    fn text_that_means_something_in_json_stays_text() {
        let nasty = "quote \" backslash \\ line \n tab \t nul \0 ö";
        let lines = lines_of(|| tracing::info!(text = nasty, debug = ?nasty, display = %nasty));
        assert_eq!(lines[0]["fields"]["text"], nasty);
        assert_eq!(lines[0]["fields"]["display"], nasty);
        assert_eq!(lines[0]["fields"]["debug"], format!("{nasty:?}"));
    }

    #[test]
    fn a_number_that_json_cannot_write_is_null() {
        let lines = lines_of(|| tracing::info!(ratio = f64::NAN));
        assert_eq!(lines[0]["fields"]["ratio"], Value::Null);
    }
}
