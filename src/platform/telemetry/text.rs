//! Log lines for people, with the id of the request they belong to.

use std::fmt;

use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::FmtContext;
use tracing_subscriber::fmt::format::{DefaultFields, Format, FormatEvent, Full, Writer};
use tracing_subscriber::registry::LookupSpan;

use crate::platform::http::request_id::RequestId;

#[derive(Default)]
pub struct TextLines(Format<Full>);

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
        if let Some(id) = RequestId::of_this_task() {
            write!(line, "{id} ")?;
        }
        self.0.format_event(context, line, event)
    }
}
