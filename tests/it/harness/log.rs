//! The log of the whole run, in a file that `scripts/check-log` reads for secrets afterwards.

use std::fs::File;
use std::sync::Once;

use serde_json::Value;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::SubscriberExt;

static START: Once = Once::new();

/// Everything the service itself says goes to `it-<process>.log` in the target's folder for temporary files.
pub fn start() {
    START.call_once(|| {
        let path = format!("{}/it-{}.log", env!("CARGO_TARGET_TMPDIR"), std::process::id());
        let lines = tracing_subscriber::fmt::layer()
            .json()
            .with_writer(std::sync::Mutex::new(File::create(path).unwrap()));
        let filter = EnvFilter::new("info,touchline=trace");
        let subscriber = tracing_subscriber::registry().with(filter).with(lines);
        tracing::subscriber::set_global_default(subscriber).unwrap();
    });
}

/// The first line of a log that has one of these words in a text. A code is six digits, which a moment or a measure may have by chance: the
/// time of a line and numbers are not texts.
pub fn line_with<'a>(log: &'a str, words: &[&str]) -> Option<&'a str> {
    let has_one =
        |text: &str| text.split(|c: char| !c.is_ascii_alphanumeric()).any(|it| words.contains(&it));
    let tells = |line: &&str| match serde_json::from_str::<Value>(line) {
        Ok(Value::Object(mut fields)) => {
            fields.remove("timestamp");
            has_text(&Value::Object(fields), &has_one)
        }
        _ => has_one(line),
    };
    log.lines().find(tells)
}

fn has_text(value: &Value, is_it: &impl Fn(&str) -> bool) -> bool {
    match value {
        Value::String(text) => is_it(text),
        Value::Array(items) => items.iter().any(|item| has_text(item, is_it)),
        Value::Object(fields) => fields.values().any(|field| has_text(field, is_it)),
        _ => false,
    }
}

#[test]
fn a_code_is_found_in_a_text_and_not_in_a_moment() {
    let moment = r#"{"timestamp":"2026-11-17T18:05:43.490699Z","fields":{"took_us":490699}}"#;
    assert_eq!(line_with(moment, &["490699"]), None);
    let told = r#"{"timestamp":"2026-11-17T18:05:43.1Z","fields":{"message":"it is 490699."}}"#;
    let log = format!("{moment}\n{told}");
    assert_eq!(line_with(&log, &["490699"]), Some(told));
    assert_eq!(line_with("plain text: 490699", &["490699"]), Some("plain text: 490699"));
}
