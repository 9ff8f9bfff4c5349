//! What the API's description says beyond what the handlers say of themselves, so that generators and typed clients can rely on it.
//!
//! Owns: the order of the tags, the failures that every operation shares, which fields are always there, an example for each schema.
//! Invariants: the finished document is valid OpenAPI 3.1; a field that is always sent is required; each failure lists its codes.
//! Never: adds an operation or a field of its own.

mod errors;
mod examples;
mod schemas;

use serde_json::{Map, Value, json};
use utoipa::Modify;
use utoipa::openapi::OpenApi;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};

use super::error_body::ErrorBody;

/// Names of the guards in the document; an operation without either is public.
pub const USER: &str = "user";
pub const OPERATOR: &str = "operator";
/// On an operation for operators: the least role that may call it. A handler says it where it names its guard,
/// `security(("operator" = ["moderator"]))`.
pub const LEAST_ROLE: &str = "x-least-role";
/// On a field of an answer that can be null and can also be missing.
pub const MAY_BE_ABSENT: &str = "x-may-be-absent";

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Touchline",
        description = "The backend for match-day apps: phone login, teams, matches, predictions, coins and chat. \
            Every failure answers with the same body; quote its `request_id` when you ask for help.",
        license(name = "Apache-2.0", identifier = "Apache-2.0")
    ),
    // In the order in which somebody new meets them.
    tags(
        (name = "Login", description = "A code by text message, and what it opens"),
        (name = "Users", description = "The caller's own account and name"),
        (name = "Teams", description = "Teams to choose from, and the caller's choice"),
        (name = "Events", description = "Matches, and news of them as it happens"),
        (name = "Predictions", description = "One for each match, until it begins"),
        (name = "Leaderboards", description = "Points and places"),
        (name = "Leagues", description = "Tables of one's own, with friends or with everybody"),
        (name = "Push", description = "Messages to devices: which, what and when"),
        (name = "Special tips", description = "Questions about a tournament as a whole"),
        (name = "Coins", description = "A balance, what moves it, and the daily bonus"),
        (name = "Chat", description = "Rooms on the Matrix network, and the way into them"),
        (name = "Sessions", description = "Where the caller is logged in"),
        (name = "Phone verification", description = "Moving an account to another number"),
        (name = "Account", description = "Taking one's data along, and leaving"),
        (name = "Operators", description = "For those who run the service, with a token of their own"),
        (name = "Operations", description = "For load balancers"),
        (name = "Development", description = "Absent in production")
    ),
    components(schemas(ErrorBody)),
    modifiers(&Guards),
)]
pub struct ApiDoc;

struct Guards;

impl Modify for Guards {
    fn modify(&self, document: &mut OpenApi) {
        let bearer = || SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
        let components = document.components.get_or_insert_default();
        components.add_security_scheme(USER, bearer());
        components.add_security_scheme(OPERATOR, bearer());
    }
}

/// The document as it is published.
pub fn complete(document: &OpenApi) -> Value {
    let mut document = serde_json::to_value(document).unwrap_or_default();
    schemas::refer_instead_of_repeating(&mut document);
    schemas::require_what_is_always_sent(&mut document);
    for (method, operation) in operations(&mut document) {
        describe_successes(&method, operation);
        say_least_role(operation);
        correct_parameters(operation);
    }
    errors::describe(&mut document);
    examples::give(&mut document);
    document
}

/// Every operation with its method.
fn operations(document: &mut Value) -> impl Iterator<Item = (String, &mut Map<String, Value>)> {
    let paths = document.get_mut("paths").and_then(Value::as_object_mut).into_iter();
    let items = paths.flat_map(|paths| paths.values_mut()).filter_map(Value::as_object_mut);
    items.flat_map(|item| item.iter_mut()).filter_map(|(method, operation)| {
        operation.as_object_mut().map(|operation| (method.clone(), operation))
    })
}

/// Only OAuth has names behind a guard that every tool understands, so the role moves to where nobody trips over it, and into the words
/// that people read.
fn say_least_role(operation: &mut Map<String, Value>) {
    let guards = operation.get_mut("security").and_then(Value::as_array_mut);
    let mut roles = guards.into_iter().flatten().filter_map(|guard| guard.get_mut(OPERATOR));
    let Some(role) = roles.find_map(|roles| roles.as_array_mut()?.pop()) else { return };
    let before = operation.get("description").and_then(Value::as_str).unwrap_or_default();
    let sentence =
        format!("For the role {} and those above it.", role.as_str().unwrap_or_default());
    let separator = if before.is_empty() { "" } else { "\n\n" };
    let description = format!("{before}{separator}{sentence}");
    operation.insert("description".to_owned(), json!(description));
    operation.insert(LEAST_ROLE.to_owned(), role);
}

fn describe_successes(method: &str, operation: &mut Map<String, Value>) {
    let responses = operation.get_mut("responses").and_then(Value::as_object_mut);
    for (status, response) in responses.into_iter().flatten() {
        let is_described = response["description"].as_str().is_some_and(|text| !text.is_empty());
        if !is_described {
            response["description"] = match (status.as_str(), method) {
                ("201", _) => json!("Created"),
                (_, "get") => json!("As asked"),
                _ => json!("Done"),
            };
        }
    }
}

fn correct_parameters(operation: &mut Map<String, Value>) {
    let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
    for parameter in parameters.into_iter().flatten() {
        let is_page = ["page", "per_page"].map(Value::from).contains(&parameter["name"]);
        let Some(schema) = parameter.get_mut("schema").and_then(Value::as_object_mut) else {
            continue;
        };
        // A parameter that is not required can be left out, but nothing in an address or a header is null.
        schemas::forbid_null(schema);
        if is_page {
            // However large: a size above the most is served as the most, a page past the end is empty.
            schema.remove("format");
        }
    }
}
