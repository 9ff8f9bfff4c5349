//! The API's description agrees with the API.

use reqwest::Method;
use serde_json::Value;

use crate::harness::TestApp;

/// The routes that anybody may call. A new public route must be added here on purpose.
const PUBLIC: &[&str] = &[
    "GET /.well-known/matrix/client",
    "GET /api/logs/sms",
    "GET /api/matches/today",
    "GET /crests/{file}",
    "GET /healthz",
    "GET /readyz",
    "POST /api/admin/sign-in",
    "POST /api/auth/login",
    "POST /api/auth/resend-code",
    "POST /api/auth/username/check",
    "POST /api/auth/username/generate",
    "POST /api/code/request",
    "POST /api/code/verify",
];

struct Operation {
    method: String,
    path: String,
    value: Value,
}

fn operations() -> Vec<Operation> {
    let document = touchline::app::openapi();
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, value) in item.as_object().unwrap() {
            let method = method.to_uppercase();
            found.push(Operation { method, path: path.clone(), value: value.clone() });
        }
    }
    found
}

impl Operation {
    fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    fn has_guard(&self, guard: &str) -> bool {
        let declared = self.value["security"].as_array().unwrap();
        declared.iter().any(|entry| entry.get(guard).is_some())
    }

    fn is_public(&self) -> bool {
        let declared = self.value["security"].as_array().unwrap();
        declared.iter().any(|entry| entry.as_object().unwrap().is_empty())
    }

    async fn call(&self, app: &TestApp, token: Option<&str>) -> u16 {
        // Any value will do for a path's parts: the guard stands before the handler.
        let path: String = self
            .path
            .split('/')
            .map(|part| if part.starts_with('{') { "1" } else { part })
            .collect::<Vec<_>>()
            .join("/");
        let method = Method::from_bytes(self.method.as_bytes()).unwrap();
        let mut call = app.client.request(method, &path);
        if let Some(token) = token {
            call = call.token(token);
        }
        call.send().await.status
    }
}

#[test]
fn the_committed_document_is_the_one_the_program_makes() {
    let committed = include_str!("../../docs/openapi.json");
    let made = format!("{:#}", touchline::app::openapi());
    let is_current = committed.trim() == made.trim();
    assert!(is_current, "run `make openapi` and commit docs/openapi.json");
}

/// Every `$ref` in a part of the document.
fn references(value: &Value) -> Vec<String> {
    let own = value.get("$ref").and_then(Value::as_str).map(str::to_owned);
    let parts: Vec<&Value> = match value {
        Value::Object(object) => object.values().collect(),
        Value::Array(items) => items.iter().collect(),
        _ => Vec::new(),
    };
    own.into_iter().chain(parts.into_iter().flat_map(references)).collect()
}

#[test]
fn everything_the_document_refers_to_is_in_it() {
    let document = touchline::app::openapi();
    for reference in references(&document) {
        let path = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(path).is_some(), "{reference} leads nowhere");
    }
}

#[test]
fn every_schema_has_an_example_in_words_of_its_own() {
    let document = touchline::app::openapi();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        let example = schema.get("example").map(Value::to_string);
        assert!(example.is_some_and(|text| !text.contains(r#""?""#)), "{name}");
    }
}

#[test]
fn a_field_that_can_be_null_and_can_be_missing_is_not_required() {
    let schema = &touchline::app::openapi()["components"]["schemas"]["ProfileView"];
    assert_eq!(schema["required"], serde_json::json!(["email", "id", "name"]));
    let field = &schema["properties"]["matrix_credentials"];
    assert_eq!(field["oneOf"][1]["type"], "null");
    assert!(field.get("x-may-be-absent").is_none());
}

#[test]
fn every_answer_is_described() {
    for operation in operations() {
        for (status, response) in operation.value["responses"].as_object().unwrap() {
            let description = response["description"].as_str().unwrap_or_default();
            assert!(!description.is_empty(), "{} {status}", operation.name());
        }
    }
}

#[test]
fn every_failure_lists_its_codes() {
    let document = touchline::app::openapi();
    for operation in operations() {
        for (status, response) in operation.value["responses"].as_object().unwrap() {
            let schema = &response["content"]["application/json"]["schema"]["$ref"];
            let name = schema.as_str().unwrap_or_default().trim_start_matches('#');
            let code = document.pointer(name).map(|schema| &schema["properties"]["code"]["enum"]);
            let is_listed = status.starts_with('2') || code.is_some_and(Value::is_array);
            assert!(is_listed, "{} {status}", operation.name());
        }
    }
}

#[test]
fn every_tag_has_its_place_in_the_order_of_the_document() {
    let document = touchline::app::openapi();
    let order: Vec<&Value> =
        document["tags"].as_array().unwrap().iter().map(|tag| &tag["name"]).collect();
    assert_eq!(order[0], "Login");
    for operation in operations() {
        assert!(order.contains(&&operation.value["tags"][0]), "{}", operation.name());
    }
}

#[test]
fn a_prediction_is_described_as_one_of_three_words() {
    let document = touchline::app::openapi();
    let outcome = &document["components"]["schemas"]["Outcome"]["enum"];
    assert_eq!(outcome, &serde_json::json!(["home", "draw", "away"]));
}

#[test]
fn every_operation_declares_its_guard() {
    for operation in operations() {
        assert!(operation.value["security"].is_array(), "{} declares no guard", operation.name());
    }
}

#[test]
fn only_the_listed_operations_are_public() {
    let mut public: Vec<String> = operations()
        .iter()
        .filter(|operation| operation.is_public())
        .map(Operation::name)
        .collect();
    public.sort();
    assert_eq!(public, PUBLIC);
}

#[test]
fn every_operation_has_a_name_a_summary_and_a_documented_success() {
    for operation in operations() {
        assert!(operation.value["operationId"].is_string(), "{}", operation.name());
        assert!(operation.value["summary"].is_string(), "{}", operation.name());
        let responses = operation.value["responses"].as_object().unwrap();
        assert!(responses.keys().any(|status| status.starts_with('2')), "{}", operation.name());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_guard_in_the_document_stands_before_its_route() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    for operation in operations().iter().filter(|operation| !operation.is_public()) {
        assert_eq!(operation.call(&app, None).await, 401, "{}", operation.name());
        if operation.has_guard("operator") {
            assert_eq!(operation.call(&app, Some(&fan.token)).await, 403, "{}", operation.name());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_served_document_is_openapi_3_1() {
    let app = TestApp::new().await;
    let document = app.client.get("/api/openapi.json").send().await.expect(200).body;
    assert_eq!(document["openapi"], "3.1.0");
    assert!(document["components"]["schemas"]["ErrorBody"].is_object());
}
