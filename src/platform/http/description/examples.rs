//! An example for every schema, put together from those of its parts, so that all of them tell of the same fan and the same match.

use serde_json::{Map, Value, json};

use super::schemas;

/// For a text that has no example of its own: say one in its schema, or in [`word`].
const NO_WORD: &str = "?";
/// Deeper than any answer; a schema that holds itself ends here.
const DEEPEST: usize = 12;

pub fn give(document: &mut Value) {
    let schemas = schemas::all(document);
    for (name, schema) in schemas::all_mut(document).into_iter().flatten() {
        if schema.get("example").is_none() {
            schema["example"] = example_of(&schemas, name, schema, 0);
        }
    }
}

fn example_of(schemas: &Map<String, Value>, name: &str, schema: &Value, depth: usize) -> Value {
    let part = |name: &str, schema: &Value| example_of(schemas, name, schema, depth + 1);
    if depth > DEEPEST {
        return Value::Null;
    }
    if let Some(example) = schema.get("example") {
        return example.clone();
    }
    if let Some(first) = schema["enum"].as_array().and_then(|values| values.first()) {
        return first.clone();
    }
    if let Some(target) = schemas::referred(schema).and_then(|target| schemas.get(target)) {
        return part(name, target);
    }
    if let Some(parts) = schema["allOf"].as_array() {
        let objects = parts.iter().map(|one| part(name, one));
        return objects.filter_map(into_object).flatten().collect::<Map<_, _>>().into();
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let first = choices.iter().find(|choice| choice["type"] != "null");
        return first.map(|first| part(name, first)).unwrap_or_default();
    }
    match kind_of(schema) {
        "object" => {
            let properties = schema["properties"].as_object().into_iter().flatten();
            let mut object: Map<String, Value> =
                properties.map(|(name, property)| (name.clone(), part(name, property))).collect();
            if schema["additionalProperties"].is_object() {
                object.insert(key_in(name).to_owned(), part(name, &schema["additionalProperties"]));
            }
            object.into()
        }
        "array" => json!([part(name, &schema["items"])]),
        "string" => word(name, schema["format"].as_str().unwrap_or_default()).into(),
        "integer" => json!(1),
        "number" => json!(0.5),
        "boolean" => json!(true),
        _ => Value::Null,
    }
}

fn into_object(value: Value) -> Option<Map<String, Value>> {
    if let Value::Object(object) = value { Some(object) } else { None }
}

fn kind_of(schema: &Value) -> &str {
    let types = schema["type"].as_array();
    let listed = types.and_then(|types| types.iter().find(|kind| **kind != "null"));
    listed.unwrap_or(&schema["type"]).as_str().unwrap_or_default()
}

fn key_in(map: &str) -> &str {
    match map {
        "team_distribution" => "northgate_fc",
        "errors" => "phone",
        _ => "name",
    }
}

fn word(name: &str, format: &str) -> &'static str {
    match (format, name) {
        ("date-time", _) => "2026-11-15T15:00:00.000Z",
        ("date", _) => "2026-11-15",
        (_, "username") => "ada_fan",
        (_, "access_token") => "syt_4f8Yb2kQ",
        (_, "message") => "Done.",
        (_, "room_id") => "!kXbQmTzLwPqRsUvYaB:localhost",
        (_, "message_id") => "$Rqnc-F-dvnEYJTyHq_iKxU2bZ1CI92-kuZq3a5lr5Zg",
        (_, "logo") => "/crests/northgate_fc.svg",
        (_, "kinds") => "score",
        (_, "name") => "Northgate away end",
        (_, "topic") => "Trains, tickets, songs",
        (_, "resolution") => "The message was removed",
        (_, "void_reason") => "Abandoned: waterlogged pitch",
        (_, "problems") => "Two sources disagree about the score",
        (_, "reason" | "held") => "The score went down",
        (_, "error" | "failures") => "timeout",
        (_, "errors") => "Give a phone number with its country code.",
        _ => NO_WORD,
    }
}
