//! Log lines as JSON, with the id of the request they belong to.

use std::fmt;

use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::FmtContext;
use tracing_subscriber::fmt::format::{Format, FormatEvent, Json, JsonFields, Writer};
use tracing_subscriber::registry::LookupSpan;

use crate::platform::http::request_id::RequestId;

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
            .fmt_fields(JsonFields::new())
            .event_format(JsonLines::default())
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
