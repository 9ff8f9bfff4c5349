//! Every failure that any test sees is one that the API's description lists, with its status and its code.

use std::sync::LazyLock;

use serde_json::Value;

static DOCUMENT: LazyLock<Value> = LazyLock::new(touchline::app::openapi);

/// Checks an answer of the API; what is no operation of the API, or went well, is left alone.
#[track_caller]
pub fn check_failure(method: &str, path: &str, status: u16, body: &Value) {
    let Some(code) = body["code"].as_str().filter(|_| status >= 400) else { return };
    let paths = DOCUMENT["paths"].as_object().unwrap();
    let Some((_, item)) = paths.iter().find(|(template, _)| is_at(template, path)) else { return };
    let operation = &item[method.to_lowercase()];
    // A method that the path does not take, a defect on purpose, and a head that could not be read belong to no operation.
    if operation.is_null() || [405, 414, 431, 500].contains(&status) {
        return;
    }
    let schema =
        &operation["responses"][status.to_string()]["content"]["application/json"]["schema"];
    let name = schema["$ref"].as_str().unwrap_or_default().trim_start_matches('#');
    let codes = DOCUMENT.pointer(name).map(|schema| &schema["properties"]["code"]["enum"]);
    let is_listed =
        codes.and_then(Value::as_array).is_some_and(|codes| codes.contains(&code.into()));
    assert!(
        is_listed,
        "{method} {path} answered {status} {code}, which its description does not list"
    );
}

fn is_at(template: &str, path: &str) -> bool {
    let (mut template, mut path) = (template.split('/'), path.split('/'));
    loop {
        match (template.next(), path.next()) {
            (None, None) => return true,
            (Some(part), Some(given)) if part == given || part.starts_with('{') => {}
            _ => return false,
        }
    }
}
