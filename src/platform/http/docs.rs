//! The API's description: OpenAPI made from the handlers themselves, and pages to read and try it, all inside the binary.
//!
//! Owns: `/api/openapi.json`, `/docs`, and the error responses that every operation shares.
//! Invariants: what an operation can answer is in the document; a route without a declared guard does not build (a test says so).
//! Never: loads anything from another site.

use std::sync::OnceLock;

use axum::Router;
use axum::extract::Path;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use http::{HeaderMap, HeaderValue, header};
use utoipa::openapi::path::{Operation, Parameter, ParameterIn};
use utoipa::openapi::schema::{Schema, SchemaType, Type};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{ContentBuilder, OpenApi, Ref, RefOr, ResponseBuilder};
use utoipa::{Modify, ToSchema};

use crate::platform::error::Error;

use super::docs_pages;
use super::document::Document;
use super::error_body::ErrorBody;

/// Names of the guards in the document; an operation without either is public.
pub const USER: &str = "user";
pub const OPERATOR: &str = "operator";

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Touchline",
        description = "The backend for match-day apps: phone login, teams, matches, predictions, coins and chat. \
            Every failure answers with the same body; quote its `request_id` when you ask for help.",
        license(name = "Apache-2.0", identifier = "Apache-2.0")
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

/// Says in each operation what all of its kind have in common: their failures, and what their parameters take.
pub fn complete(document: &mut OpenApi) {
    for item in document.paths.paths.values_mut() {
        let operations =
            [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete];
        for operation in operations.into_iter().flatten() {
            for (status, description) in shared_errors(operation) {
                let responses = &mut operation.responses.responses;
                responses.entry(status.to_owned()).or_insert_with(|| error_response(description));
            }
            for parameter in operation.parameters.iter_mut().flatten() {
                if let RefOr::T(parameter) = parameter {
                    correct(parameter);
                }
            }
        }
    }
}

fn correct(parameter: &mut Parameter) {
    let is_page = ["page", "per_page"].contains(&parameter.name.as_str());
    let Some(RefOr::T(Schema::Object(schema))) = &mut parameter.schema else { return };
    // A parameter that is not required can be left out, but nothing in an address or a header is null.
    if let SchemaType::Array(types) = &schema.schema_type
        && let Some(only) = types.iter().find(|kind| **kind != Type::Null)
    {
        schema.schema_type = SchemaType::Type(only.clone());
    }
    if is_page {
        // However large: a size above the most is served as the most, a page past the end is empty.
        schema.format = None;
    }
}

fn shared_errors(operation: &Operation) -> Vec<(&'static str, &'static str)> {
    let mut errors = vec![
        (
            "503",
            "A part this needs is away, or the service is overloaded; try again after `Retry-After`",
        ),
        ("429", "Too often, or too much at once, for one caller; `code` names the limit"),
    ];
    if is_guarded_by(operation, USER) || is_guarded_by(operation, OPERATOR) {
        errors.push(("401", "No valid token"));
        errors.push(("403", "The caller is banned, or the call is not for them"));
    }
    if operation.request_body.is_some() {
        errors.push(("400", "The body is not valid JSON"));
        errors.push(("413", "The body is too large"));
        errors.push(("415", "The body is not JSON"));
        errors.push(("422", "A value is not acceptable; `errors` says which and why"));
    }
    if operation.request_body.is_some() || is_guarded_by(operation, USER) {
        errors.push(("507", "There is no room to store anything; reads go on"));
    }
    let has = |place: &ParameterIn| {
        operation.parameters.iter().flatten().any(|parameter| match parameter {
            RefOr::T(parameter) => parameter.parameter_in == *place,
            RefOr::Ref(_) => false,
        })
    };
    if has(&ParameterIn::Query) {
        errors.push(("400", "The query string cannot be read"));
        errors.push(("422", "A value is not acceptable; `errors` says which and why"));
    }
    if has(&ParameterIn::Path) {
        errors.push(("404", "There is no such thing"));
    }
    errors
}

/// Whether the document says that this guard stands before the operation.
pub fn is_guarded_by(operation: &Operation, guard: &str) -> bool {
    let declared = serde_json::to_value(&operation.security).unwrap_or_default();
    declared.as_array().is_some_and(|list| list.iter().any(|entry| entry.get(guard).is_some()))
}

fn error_response(description: &str) -> RefOr<utoipa::openapi::Response> {
    let schema = Ref::from_schema_name(ErrorBody::name());
    let content = ContentBuilder::new().schema(Some(schema)).build();
    ResponseBuilder::new()
        .description(description)
        .content("application/json", content)
        .build()
        .into()
}

/// Serves the document, made when it is first asked for, and the pages that show it.
pub fn router<S: Clone + Send + Sync + 'static>(document: fn() -> OpenApi) -> Router<S> {
    static DESCRIPTION: OnceLock<Document> = OnceLock::new();
    let make =
        move || Document::new("application/json", document().to_json().unwrap_or_default().into());
    let show = move |headers: HeaderMap| async move {
        DESCRIPTION.get_or_init(make).answer(&headers).await
    };
    Router::new()
        .route("/api/openapi.json", get(show))
        .route("/docs", get(|| async { Redirect::permanent("/docs/") }))
        .route("/docs/", get(|headers| page(Path("index.html".to_owned()), headers)))
        .route("/docs/{*file}", get(page))
}

async fn page(Path(name): Path<String>, headers: HeaderMap) -> Response {
    let Some(page) = docs_pages::find(&name) else {
        return Error::NotFound("page").into_response();
    };
    let mut response = page.answer(&headers).await;
    let headers = response.headers_mut();
    // The pages style themselves inline and draw icons from data: addresses; scripts come from here alone.
    let policy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600"));
    response
}
