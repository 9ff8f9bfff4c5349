//! Schemas as typed clients need them: named instead of repeated, and with every field required that is always sent.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::MAY_BE_ABSENT;

const PREFIX: &str = "#/components/schemas/";

const PLACE: &str = "/components/schemas";

pub fn all(document: &Value) -> Map<String, Value> {
    document.pointer(PLACE).and_then(Value::as_object).cloned().unwrap_or_default()
}

pub fn all_mut(document: &mut Value) -> Option<&mut Map<String, Value>> {
    document.pointer_mut(PLACE).and_then(Value::as_object_mut)
}

pub fn reference(name: &str) -> Value {
    json!({ "$ref": format!("{PREFIX}{name}") })
}

/// The schema's name, if this only refers to one.
pub fn referred(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix(PREFIX)
}

pub fn is_nullable(schema: &Value) -> bool {
    let null = json!("null");
    let is_type = schema["type"].as_array().is_some_and(|types| types.contains(&null));
    is_type || schema["oneOf"].as_array().is_some_and(|of| of.iter().any(|one| one["type"] == null))
}

pub fn forbid_null(schema: &mut Map<String, Value>) {
    let types = schema.get("type").and_then(Value::as_array);
    if let Some(only) = types.and_then(|types| types.iter().find(|kind| **kind != "null")) {
        schema.insert("type".to_owned(), only.clone());
    }
}

/// The envelopes are generic, and each is written with a copy of what is in it: name it instead, so that a client has one type for it.
pub fn refer_instead_of_repeating(document: &mut Value) {
    let known: BTreeMap<String, String> = all(document)
        .into_iter()
        .filter(|(_, schema)| schema["properties"].is_object() || schema["allOf"].is_array())
        .map(|(name, schema)| (schema.to_string(), name))
        .collect();
    for schema in all_mut(document).into_iter().flat_map(Map::values_mut) {
        let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
        for property in properties.into_iter().flat_map(Map::values_mut) {
            let part =
                if property["items"].is_object() { &mut property["items"] } else { property };
            if let Some(name) = known.get(&part.to_string()) {
                *part = reference(name);
            }
        }
    }
}

/// In an answer a field that can be null is always sent. (One that can be missing is never null: a test of the answers says so.)
pub fn require_what_is_always_sent(document: &mut Value) {
    let taken = taken_from_callers(document);
    for (name, schema) in all_mut(document).into_iter().flatten() {
        if !taken.contains(name) {
            require_nullable(schema);
        }
    }
}

fn require_nullable(schema: &mut Value) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    let of_properties = properties.into_iter().flat_map(Map::values_mut);
    let optional: Vec<bool> = of_properties.map(may_be_absent).collect();
    if let Some(parts) = schema.get_mut("allOf").and_then(Value::as_array_mut) {
        parts.iter_mut().for_each(require_nullable);
    }
    let Some(properties) = schema["properties"].as_object() else { return };
    let listed = schema["required"].as_array();
    let is_required = |name: &str| listed.is_some_and(|names| names.contains(&json!(name)));
    let required: Vec<&String> = properties
        .iter()
        .zip(optional)
        .filter(|((name, property), optional)| {
            is_required(name) || (is_nullable(property) && !optional)
        })
        .map(|((name, _), _)| name)
        .collect();
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
}

/// Takes the mark off a field that can be null and can also be missing.
fn may_be_absent(property: &mut Value) -> bool {
    property.as_object_mut().is_some_and(|property| property.remove(MAY_BE_ABSENT).is_some())
}

/// The schemas of request bodies and all that they are made of.
fn taken_from_callers(document: &Value) -> BTreeSet<String> {
    let schemas = all(document);
    let mut found = BTreeSet::new();
    let mut to_visit = Vec::new();
    let items = document["paths"].as_object().into_iter().flat_map(Map::values);
    for operation in items.filter_map(Value::as_object).flat_map(Map::values) {
        collect_references(&operation["requestBody"], &mut to_visit);
    }
    while let Some(name) = to_visit.pop() {
        if let Some(schema) = schemas.get(&name)
            && found.insert(name)
        {
            collect_references(schema, &mut to_visit);
        }
    }
    found
}

fn collect_references(value: &Value, into: &mut Vec<String>) {
    into.extend(referred(value).map(str::to_owned));
    match value {
        Value::Object(object) => object.values().for_each(|part| collect_references(part, into)),
        Value::Array(items) => items.iter().for_each(|part| collect_references(part, into)),
        _ => {}
    }
}
