//! How operations fail: what all of a kind have in common, and each failure's codes as an enumeration.
//!
//! An operation names the codes that only it has in `x-codes`, each with its status (`"400 event_started"`); they end up in the
//! schema of that status.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{OPERATOR, USER, operations, schemas};

/// A status, what it means in words, and its codes.
type Failure<'a> = (&'a str, &'static str, &'a [&'a str]);
/// By status: what it means in words, and its codes.
type Failures = BTreeMap<String, (&'static str, Vec<String>)>;

const OF_ALL: &[Failure<'static>] = &[
    (
        "503",
        "A part this needs is away, or the service is overloaded; try again after `Retry-After`",
        &["overloaded", "timeout", "stopping", "database_unavailable", "clock_differs"],
    ),
    (
        "429",
        "Too often, or too much at once, for one caller; `code` names the limit",
        &["address_request_limit", "address_connection_limit"],
    ),
];
const OF_USERS: &[Failure<'static>] = &[
    ("401", "No valid token", &["unauthenticated"]),
    ("403", "The caller is banned, or the call is not for them", &["banned"]),
];
const OF_OPERATORS: &[Failure<'static>] = &[
    ("401", "No valid token", &["unauthenticated"]),
    (
        "403",
        "The call is for operators, or for those of a higher role",
        &["operator_only", "banned", "role_too_low"],
    ),
    ("429", "Too often", &["too_many_unknown_tokens"]),
];
const WITH_BODY: &[Failure<'static>] = &[
    ("400", "The body is not valid JSON", &["malformed_request"]),
    ("413", "The body is too large", &["body_too_large"]),
    ("415", "The body is not JSON", &["unsupported_media_type"]),
    ("422", INVALID, &["validation_failed"]),
];
const WITH_QUERY: &[Failure<'static>] = &[
    ("400", "The query string cannot be read", &["malformed_request"]),
    ("422", INVALID, &["validation_failed"]),
];
const WITH_KEY: &[Failure<'static>] =
    &[("422", INVALID, &["validation_failed", "idempotency_key_reused"])];
const WITH_PATH: &[Failure<'static>] = &[("404", "There is no such thing", &["not_found"])];
const THAT_WRITES: &[Failure<'static>] =
    &[("507", "There is no room to store anything; reads go on", &["storage_full"])];
const INVALID: &str = "A value is not acceptable; `errors` says which and why";
/// For a status that only `x-codes` names.
const OTHER: &str = "Refused; `code` says why";

pub fn describe(document: &mut Value) {
    let body = schemas::all(document).remove("ErrorBody").unwrap_or_default();
    let mut named = Map::new();
    for (_, operation) in operations(document) {
        let failures = failures_of(operation);
        let id = operation["operationId"].as_str().unwrap_or_default().to_owned();
        let Some(responses) = operation.get_mut("responses").and_then(Value::as_object_mut) else {
            continue;
        };
        for (status, (description, codes)) in failures {
            let name = schema_name(&id, &status, &codes);
            let response =
                responses.entry(&status).or_insert_with(|| json!({ "description": description }));
            response["content"] =
                json!({ "application/json": { "schema": schemas::reference(&name) } });
            named.entry(name).or_insert_with(|| with_codes(&body, &codes));
        }
    }
    if let Some(schemas) = schemas::all_mut(document) {
        schemas.extend(named);
    }
}

fn failures_of(operation: &mut Map<String, Value>) -> Failures {
    let mut failures = Failures::new();
    let mut add = |shared: &[Failure<'_>]| {
        for (status, description, codes) in shared {
            let (_, known) =
                failures.entry((*status).to_owned()).or_insert((description, Vec::new()));
            known.extend(codes.iter().map(|code| (*code).to_owned()));
        }
    };
    add(OF_ALL);
    let has_body = operation.contains_key("requestBody");
    if is_guarded_by(operation, USER) {
        add(OF_USERS);
    }
    if is_guarded_by(operation, OPERATOR) {
        add(OF_OPERATORS);
    }
    if has_body {
        add(WITH_BODY);
    }
    if has_body || is_guarded_by(operation, USER) {
        add(THAT_WRITES);
    }
    if has_parameter(operation, "query", None) {
        add(WITH_QUERY);
    }
    if has_parameter(operation, "header", Some("Idempotency-Key")) {
        add(WITH_KEY);
    }
    if has_parameter(operation, "path", None) {
        add(WITH_PATH);
    }
    let own = operation.remove("x-codes").unwrap_or_default();
    for own in own.as_array().into_iter().flatten().filter_map(Value::as_str) {
        if let Some((status, code)) = own.split_once(' ') {
            add(&[(status, OTHER, &[code])]);
        }
    }
    for (_, codes) in failures.values_mut() {
        codes.sort();
        codes.dedup();
    }
    failures
}

/// One name for the same failure of many operations, so that a client has few types for it.
fn schema_name(operation: &str, status: &str, codes: &[String]) -> String {
    if let [only] = codes {
        return format!("{}Error", camel(only));
    }
    let is_shared = |shared: &[&[Failure<'static>]]| {
        let of_status = shared.iter().flat_map(|some| some.iter()).filter(|(of, ..)| *of == status);
        let mut known: Vec<&str> =
            of_status.flat_map(|(_, _, codes)| codes.iter().copied()).collect();
        known.sort_unstable();
        known == codes
    };
    let shared = match status {
        "429" if is_shared(&[OF_ALL]) => Some("TooManyRequestsError"),
        "429" if is_shared(&[OF_ALL, OF_OPERATORS]) => Some("TooManyOperatorRequestsError"),
        "503" if is_shared(&[OF_ALL]) => Some("UnavailableError"),
        "403" if is_shared(&[OF_OPERATORS]) => Some("OperatorOnlyError"),
        "422" if is_shared(&[WITH_KEY]) => Some("InvalidOrReusedKeyError"),
        _ => None,
    };
    shared.map_or_else(|| format!("{}{status}Error", camel(operation)), str::to_owned)
}

fn camel(name: &str) -> String {
    let word = |word: &str| {
        let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
        first.to_uppercase() + rest
    };
    name.split('_').map(word).collect()
}

/// The one error body with these codes and no others.
fn with_codes(body: &Value, codes: &[String]) -> Value {
    let mut schema = body.clone();
    if let Some(code) = schema.pointer_mut("/properties/code").and_then(Value::as_object_mut) {
        code.insert("enum".to_owned(), json!(codes));
        code.insert("example".to_owned(), json!(codes.first()));
    }
    let mut without = |field: &str| {
        let properties = schema.pointer_mut("/properties").and_then(Value::as_object_mut);
        properties.map(|properties| properties.remove(field));
    };
    if !codes.iter().any(|code| code == "changed_meanwhile") {
        without("details");
    }
    if !codes.iter().any(|code| code == "validation_failed") {
        without("errors");
        if let Some(sentence) = schema.pointer_mut("/properties/message/example") {
            *sentence = json!("This cannot be done.");
        }
    }
    schema
}

/// Whether the document says that this guard stands before the operation.
fn is_guarded_by(operation: &Map<String, Value>, guard: &str) -> bool {
    let declared = operation.get("security").and_then(Value::as_array);
    declared.is_some_and(|list| list.iter().any(|entry| entry.get(guard).is_some()))
}

fn has_parameter(operation: &Map<String, Value>, place: &str, name: Option<&str>) -> bool {
    let parameters = operation.get("parameters").and_then(Value::as_array);
    parameters.into_iter().flatten().any(|parameter| {
        parameter["in"] == place && name.is_none_or(|name| parameter["name"] == name)
    })
}
