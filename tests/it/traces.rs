//! One trace from the request of an app through the job that it left behind to the call that the homeserver got.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use http::HeaderMap;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value::Value as Attribute};
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::harness::{
    Network, Program, Switch, TestApp, free_address, fresh_database_url, wait_for_metric,
};

const PHONE: &str = "+447700900123";
/// Two traces as an app would begin them, and the span of each that calls.
const TRACE_OF_CODE: &str = "0af7651916cd43dd8448eb211c80319c";
const TRACE_OF_LOGIN: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN_OF_APP: &str = "00f067aa0ba902b7";

fn traceparent(trace: &str) -> String {
    format!("00-{trace}-{SPAN_OF_APP}-01")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
}

/// An OpenTelemetry collector that keeps every span.
#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Vec<Span>>>);

impl Collector {
    async fn start() -> (Self, String) {
        let collector = Self::default();
        let take = |State(collector): State<Self>, body: Bytes| async move {
            let sent = ExportTraceServiceRequest::decode(body).unwrap();
            let spans = sent.resource_spans.into_iter().flat_map(|of| of.scope_spans);
            collector.0.lock().unwrap().extend(spans.flat_map(|of| of.spans));
        };
        let url = serve(Router::new().fallback(take).with_state(collector.clone())).await;
        (collector, format!("{url}/v1/traces"))
    }

    /// The spans of one trace, by their ids.
    fn trace(&self, trace: &str) -> HashMap<String, Span> {
        let spans = self.0.lock().unwrap();
        let own = spans.iter().filter(|span| hex(&span.trace_id) == trace);
        own.map(|span| (hex(&span.span_id), span.clone())).collect()
    }

    fn text(&self) -> String {
        format!("{:?}", self.0.lock().unwrap())
    }
}

/// A gateway for messages that keeps the headers and the body of each.
#[derive(Clone, Default)]
struct Gateway(Arc<Mutex<Vec<(HeaderMap, Value)>>>);

impl Gateway {
    async fn start() -> (Self, String) {
        let gateway = Self::default();
        let take = |State(gateway): State<Self>, headers: HeaderMap, body: Bytes| async move {
            let body = serde_json::from_slice(&body).unwrap_or_default();
            gateway.0.lock().unwrap().push((headers, body));
        };
        let url = serve(Router::new().fallback(take).with_state(gateway.clone())).await;
        (gateway, url)
    }

    /// The `traceparent` and the code of the last message.
    fn last(&self) -> (Option<String>, String) {
        let sent = self.0.lock().unwrap();
        let (headers, body) = sent.last().unwrap();
        let parent = headers.get("traceparent").map(|value| value.to_str().unwrap().to_owned());
        let text = body.to_string();
        let code = text.split("Your code is ").nth(1).unwrap().get(..6).unwrap();
        (parent, code.to_owned())
    }
}

async fn serve(router: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

fn attribute<'a>(span: &'a Span, name: &str) -> Option<&'a str> {
    let of = |pair: &'a KeyValue| match pair.value.as_ref()?.value.as_ref()? {
        Attribute::StringValue(text) => Some(text.as_str()),
        _ => None,
    };
    span.attributes.iter().filter(|pair| pair.key == name).find_map(of)
}

/// The spans of this name whose attribute has this value.
fn spans<'a>(
    trace: &'a HashMap<String, Span>,
    name: &'a str,
    (key, value): (&'a str, &'a str),
) -> impl Iterator<Item = &'a Span> {
    trace.values().filter(move |span| span.name == name && attribute(span, key) == Some(value))
}

/// The trace and the parent that a header names.
fn parts(traceparent: &str) -> (&str, &str) {
    let parts: Vec<&str> = traceparent.split('-').collect();
    assert_eq!((parts.len(), parts[0], parts[3]), (4, "00", "01"), "{traceparent}");
    (parts[1], parts[2])
}

/// It is counted when its span is over.
async fn until_job_went_well(metrics: &str, kind: &str) {
    let line = format!("touchline_jobs_total{{kind=\"{kind}\",outcome=\"ok\"}}");
    wait_for_metric(metrics, &line).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_is_one_trace_through_its_job_to_the_homeserver_and_names_nobody() {
    let (folder, database_url) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
    let network = Network::start().await;
    let (collector, otlp_url) = Collector::start().await;
    let (gateway, sms_url) = Gateway::start().await;
    let metrics = free_address();
    let mut settings = network.settings();
    settings.extend([
        ("TOUCHLINE_METRICS_LISTEN", metrics.as_str()),
        ("TOUCHLINE_LOG__OTLP_URL", otlp_url.as_str()),
        ("TOUCHLINE_SMS__PROVIDERS", "http"),
        ("TOUCHLINE_SMS__HTTP__URL", sms_url.as_str()),
    ]);
    let mut program = Program::start(&folder, &database_url, &settings);
    // At the start, and then after a minute, accounts that are behind are looked for: that job would be part of no trace.
    until_job_went_well(&metrics, "chat_catch_up").await;

    let ask = program.client.post("/api/code/request").json(json!({"phone": PHONE}));
    ask.header("traceparent", &traceparent(TRACE_OF_CODE)).send().await.expect(200);
    let (parent_of_message, code) = gateway.last();

    network.set("_matrix", Switch::Down);
    let body = json!({"phone": PHONE, "code": code, "username": "trace_fan"});
    let verify = program.client.post("/api/code/verify").json(body);
    let reply = verify.header("traceparent", &traceparent(TRACE_OF_LOGIN)).send().await.expect(200);
    assert_eq!(reply.body["data"]["matrix_credentials"], Value::Null);
    network.set("_matrix", Switch::Through);
    until_job_went_well(&metrics, "chat_account").await;
    let token = reply.body["data"]["token"].as_str().unwrap();

    program.terminate();
    let ended = tokio::task::block_in_place(|| program.exit_code(Duration::from_secs(10)));
    assert_eq!(ended, Some(0));

    // The message: app, request, call of the gateway.
    let trace = collector.trace(TRACE_OF_CODE);
    let request = spans(&trace, "request", ("route", "/api/code/request")).next().unwrap();
    assert_eq!(hex(&request.parent_span_id), SPAN_OF_APP);
    let call = spans(&trace, "call", ("service", "sms")).next().unwrap();
    assert_eq!(call.parent_span_id, request.span_id);
    let told = parent_of_message.unwrap();
    assert_eq!(parts(&told), (TRACE_OF_CODE, hex(&call.span_id).as_str()));

    // The login: app, request, script, job, call of the homeserver.
    let trace = collector.trace(TRACE_OF_LOGIN);
    let request = spans(&trace, "request", ("route", "/api/code/verify")).next().unwrap();
    assert_eq!(hex(&request.parent_span_id), SPAN_OF_APP);
    let script = ("script", "features::login::exchange::LogIn");
    let login = spans(&trace, "database", script).next().unwrap();
    assert_eq!(login.parent_span_id, request.span_id);
    assert!(login.attributes.iter().any(|pair| pair.key == "wait_us"), "{login:?}");
    assert!(login.end_time_unix_nano <= request.end_time_unix_nano, "{login:?} {request:?}");
    let kind = ("kind", "chat_account");
    let is_done = |job: &&Span| attribute(job, "outcome") == Some("ok");
    let job = spans(&trace, "job", kind).find(is_done).unwrap();
    let asked_by = &trace[&hex(&job.parent_span_id)];
    assert_eq!(
        (asked_by.name.as_str(), attribute(asked_by, "access")),
        ("database", Some("write"))
    );
    assert_eq!(asked_by.parent_span_id, request.span_id);
    assert!(job.start_time_unix_nano > asked_by.start_time_unix_nano, "{job:?} {asked_by:?}");
    let register = ("operation", "account::register::v3");
    let is_of_job = |call: &&Span| call.parent_span_id == job.span_id;
    let call = spans(&trace, "call", register).find(is_of_job).unwrap();
    let wanted = (TRACE_OF_LOGIN.to_owned(), hex(&call.span_id));
    let heard = network.parents_of("POST /_matrix/client/v3/register");
    let heard: Vec<_> = heard.iter().map(|told| parts(told)).collect();
    assert!(heard.contains(&(wanted.0.as_str(), wanted.1.as_str())), "{heard:?}");

    let sent = collector.text();
    for secret in [PHONE, "7700900123", "trace_fan", token] {
        assert!(!sent.contains(secret), "{secret} in {sent}");
    }
    // In texts alone: six digits are easily found inside a moment.
    let mut texts = sent.split("StringValue(\"").skip(1).filter_map(|rest| rest.split('"').next());
    assert!(!texts.any(|text| text.contains(&code)), "{code} in {sent}");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_collector_no_trace_is_kept_or_handed_on() {
    let (gateway, sms_url) = Gateway::start().await;
    let app = TestApp::with(&[
        ("TOUCHLINE_MATRIX__HOMESERVER_URL", "http://127.0.0.1:9"),
        ("TOUCHLINE_SMS__PROVIDERS", "http"),
        ("TOUCHLINE_SMS__HTTP__URL", &sms_url),
    ])
    .await;
    let trace = traceparent(TRACE_OF_LOGIN);
    let ask = app.client.post("/api/code/request").json(json!({"phone": PHONE}));
    ask.header("traceparent", &trace).send().await.expect(200);
    let (parent, code) = gateway.last();
    assert_eq!(parent, None);
    let verify = app.client.post("/api/code/verify").json(json!({"phone": PHONE, "code": code}));
    verify.header("traceparent", &trace).send().await.expect(200);
    assert_eq!(app.count("SELECT count(*) FROM jobs WHERE kind = 'chat_account'").await, 1);
    assert_eq!(app.count("SELECT count(*) FROM jobs WHERE trace IS NOT NULL").await, 0);
}
