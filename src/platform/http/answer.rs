//! What happens around every request: its id, its time limit, its log line, its metrics, its security headers.
//!
//! Owns: the way from a request to an answer that is always sent, whatever the handler does.
//! Invariants: a panic, a slow handler and a full house are answers like any other, in the one error body; no address has all
//! places; Matrix clients, which wait long for news, have places and a time limit of their own, so that they take none from the API.
//! Never: logs a path as typed or a query, which can hold a phone number; the route's pattern stands for it.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::MatchedPath;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use futures_util::future::{Join, Map, Ready, join, ready};
use http::{
    Extensions, HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode, Version, header,
};
use ipnet::IpNet;
use metrics::Gauge;
use serde_json::json;
use tokio::sync::Semaphore;
use tower::{Service, ServiceExt, layer::layer_fn};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, Predicate, SizeAbove};
use tracing::Instrument;

use crate::platform::config::HttpConfig;
use crate::platform::db::Db;
use crate::platform::error::Error;
use crate::platform::texts;
use crate::platform::trace;
use tokio_util::sync::CancellationToken;

use super::caller;
use super::client_address::ClientAddress;
use super::document::AsItIs;
use super::places::{Holder, Places};
use super::request_id::{self, RequestId};
use super::serve::Peer;

/// Below this, compressing costs more than it saves.
const COMPRESS_ABOVE_BYTES: u16 = 1024;
const EVENT_STREAM: &str = "text/event-stream";
const UNMATCHED: &str = "unmatched";
const RETRY_SHED_S: u64 = 1;
const NO_PLACE: &str = "in_flight";
/// Why a caller is refused because the house is full, as the metrics call it.
pub const FULL_HOUSE: [&str; 2] = [NO_PLACE, super::serve::NO_CONNECTION];
const ADDRESS_LIMIT: &str = "address_request_limit";
const MATRIX: &str = "/_matrix/";
/// What homeservers call here, and not what their clients call there.
const FOR_THE_SERVICE: [&str; 2] = ["/_matrix/app/", "/_matrix/push/"];

pub struct Answerer {
    api: Lane,
    /// The embedded homeserver, if there is one.
    homeserver: Option<Lane>,
    trusted_proxies: Vec<IpNet>,
    /// Where users read what replicas have, and are to find what they have just changed.
    writers: Option<Db>,
    stop: CancellationToken,
}

/// A router with its own number of places and its own time limit.
struct Lane {
    router: Router,
    /// The same for callers who take compressed answers. Apart, because a body that might be compressed is six kilobytes even if
    /// it is not: to be moved about by every request, and kept by every listener of a stream.
    compressing: Option<Router>,
    in_flight: Semaphore,
    in_flight_gauge: Gauge,
    by_address: Places,
    timeout: Duration,
}

impl Lane {
    fn new(
        name: &'static str,
        router: Router,
        places: usize,
        of_an_address: usize,
        timeout_ms: u64,
    ) -> Self {
        Self {
            router: router.route_layer(layer_fn(NoteRoute)),
            compressing: None,
            in_flight: Semaphore::new(places),
            in_flight_gauge: metrics::gauge!("touchline_http_in_flight", "lane" => name),
            by_address: Places::new(ADDRESS_LIMIT, of_an_address),
            timeout: Duration::from_millis(timeout_ms),
        }
    }
}

impl Answerer {
    /// The name is that of its requests in the metrics.
    pub fn new(
        name: &'static str,
        router: Router,
        limits: &HttpConfig,
        stop: CancellationToken,
    ) -> Self {
        let of_an_address = limits.max_in_flight_per_address;
        let mut api =
            Lane::new(name, router, limits.max_in_flight, of_an_address, limits.handler_timeout_ms);
        let large_enough = SizeAbove::new(COMPRESS_ABOVE_BYTES).and(DefaultPredicate::new());
        let may_be = |_: StatusCode, _: Version, _: &HeaderMap, marks: &Extensions| {
            marks.get::<AsItIs>().is_none()
        };
        let worth_it = large_enough.and(may_be);
        let compression = CompressionLayer::new().gzip(true).br(true).compress_when(worth_it);
        api.compressing = Some(api.router.clone().layer(compression));
        let trusted_proxies = limits.trusted_proxies.clone();
        Self { api, homeserver: None, trusted_proxies, writers: None, stop }
    }

    /// Everything under `/_matrix/`, except what a homeserver calls at this service, goes to this router.
    #[must_use]
    pub fn with_homeserver(self, router: Router, limits: &HttpConfig) -> Self {
        let of_an_address = limits.matrix_max_in_flight_per_address;
        let (places, timeout_ms) = (limits.matrix_max_in_flight, limits.matrix_timeout_ms);
        let lane = Lane::new("matrix", router, places, of_an_address, timeout_ms);
        Self { homeserver: Some(lane), ..self }
    }

    /// Whoever changes something reads it from then on, before they are answered.
    #[must_use]
    pub fn with_writers(self, db: &Db) -> Self {
        Self { writers: Some(db.clone()).filter(Db::reads_aside), ..self }
    }

    pub fn answer(
        self: &Arc<Self>,
        request: Request<Body>,
    ) -> impl Future<Output = Response> + Send + 'static + use<> {
        let id = RequestId::of(request.headers());
        // For the export of traces. Log lines have the request's id from elsewhere, so without an export there is no span.
        let span = tracing::debug_span!(
            target: trace::SPANS, "request", otel.kind = "server", request_id = %id, method = %request.method(),
            route = tracing::field::Empty, status = tracing::field::Empty
        );
        if trace::is_on() {
            trace::go_on_with(&span, trace::parent_of(request.headers()));
        }
        // In a box by itself, because it is large, and everything around it moves it.
        let reader = texts::Reader::of(request.headers());
        let answering = Box::pin(Arc::clone(self).answer_in_span(request, id.clone()));
        id.scope(reader.scope(answering.instrument(span)))
    }

    async fn answer_in_span(self: Arc<Self>, request: Request<Body>, id: RequestId) -> Response {
        let started = Instant::now();
        let method = request.method().clone();
        let mut response = match &self.writers {
            Some(writers) if !method.is_safe() => {
                // Also where it failed: it may have changed something all the same.
                let (response, caller) = caller::of(self.run_handler(request)).await;
                if let Some(user) = caller {
                    writers.wrote(user).await;
                }
                response
            }
            _ => self.run_handler(request).await,
        };
        if response.status() == StatusCode::METHOD_NOT_ALLOWED {
            response = with_error_body(response);
        }
        let route = response.extensions().get::<MatchedPath>().cloned();
        let route = route.as_ref().map_or(UNMATCHED, |route| route.as_str());
        let status = response.status().as_u16();
        let took = started.elapsed();
        tracing::Span::current().record("route", route).record("status", status);
        let is_shed = response.extensions().get::<Shed>().is_some();
        log_answer(&method, route, status, took, is_shed);
        super::metrics::answered(&method, route, status, took);
        add_headers(&mut response, &id);
        response
    }

    async fn run_handler(&self, mut request: Request<Body>) -> Response {
        let address = request.extensions().get().map(|Peer(peer)| {
            ClientAddress::find(peer.ip(), request.headers(), &self.trusted_proxies)
        });
        let caller = address.map(ClientAddress::holder);
        let path = request.uri().path();
        let is_ours = FOR_THE_SERVICE.iter().any(|ours| path.starts_with(ours));
        let is_for_homeserver = path.starts_with(MATRIX) && !is_ours;
        match &self.homeserver {
            Some(lane) if is_for_homeserver => {
                if let Some(address) = address {
                    request.extensions_mut().insert(address);
                }
                let is_wait = request.method() == Method::GET;
                // Apart, so that calls of the API do not carry the room that this needs.
                let answering = Box::pin(lane.run(request, caller));
                tokio::select! {
                    outcome = answering => outcome.unwrap_or_else(Trouble::for_matrix),
                    // A client that waits for news can wait elsewhere; changes are finished.
                    () = self.stop.cancelled(), if is_wait => Trouble::Stopping.for_matrix(),
                }
            }
            _ => self.api.run(request, caller).await.unwrap_or_else(Trouble::for_api),
        }
    }
}

impl Lane {
    async fn run(
        &self,
        request: Request<Body>,
        caller: Option<Holder>,
    ) -> Result<Response, Trouble> {
        let Ok(_place) = caller.map(|caller| self.by_address.take(caller)).transpose() else {
            return Err(Trouble::Crowding);
        };
        let Ok(_permit) = self.in_flight.try_acquire() else {
            metrics::counter!("touchline_http_refused_total", "reason" => NO_PLACE).increment(1);
            return Err(Trouble::Overloaded);
        };
        let _counted = Counted::new(&self.in_flight_gauge);
        let router = match &self.compressing {
            Some(compressing) if takes_compressed(request.headers()) => compressing,
            _ => &self.router,
        };
        let handler = AssertUnwindSafe(router.clone().oneshot(request)).catch_unwind();
        match tokio::time::timeout(self.timeout, handler).await {
            Ok(Ok(Ok(response))) => Ok(response),
            Ok(Ok(Err(never))) => match never {},
            Ok(Err(_)) => Err(Trouble::Panicked),
            Err(_) => Err(Trouble::TimedOut),
        }
    }
}

/// A request in work, for as long as this is kept.
struct Counted<'a>(&'a Gauge);

impl<'a> Counted<'a> {
    fn new(gauge: &'a Gauge) -> Self {
        gauge.increment(1);
        Self(gauge)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.decrement(1);
    }
}

/// A stream of events is never compressed, whatever its listener takes.
fn takes_compressed(headers: &HeaderMap) -> bool {
    headers.contains_key(header::ACCEPT_ENCODING)
        && headers.get(header::ACCEPT).is_none_or(|accept| accept != EVENT_STREAM)
}

/// Why a handler gave no answer.
#[derive(Clone, Copy)]
enum Trouble {
    Overloaded,
    /// The caller's address has as many requests in work as one may have.
    Crowding,
    TimedOut,
    Panicked,
    Stopping,
}

impl Trouble {
    fn for_api(self) -> Response {
        let code = match self {
            Self::Overloaded => "overloaded",
            Self::Crowding => {
                let retry_after_s = RETRY_SHED_S;
                return Error::RateLimited { code: ADDRESS_LIMIT, retry_after_s }.into_response();
            }
            Self::TimedOut => "timeout",
            Self::Stopping => "stopping",
            Self::Panicked => return Error::internal("a handler panicked").into_response(),
        };
        let mut response = Error::Unavailable { code, retry_after_s: RETRY_SHED_S }.into_response();
        if matches!(self, Self::Overloaded) {
            response.extensions_mut().insert(Shed);
        }
        response
    }

    /// The same, as Matrix clients read it.
    fn for_matrix(self) -> Response {
        let mut response = self.for_api();
        let body = match self {
            Self::Crowding => {
                json!({"errcode": "M_LIMIT_EXCEEDED", "error": "Too many requests", "retry_after_ms": RETRY_SHED_S * 1000})
            }
            _ => json!({"errcode": "M_UNKNOWN", "error": "The service cannot do this right now"}),
        };
        *response.body_mut() = Body::from(body.to_string());
        let headers = response.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        response
    }
}

/// What went well or was refused is told by the metrics: a line for each such request would be most of what a busy service writes,
/// and who writes it waits for whoever reads the log. Callers must not be able to make it do so.
fn log_answer(method: &Method, route: &str, status: u16, took: Duration, is_shed: bool) {
    let took_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    if status >= 500 && !is_shed {
        tracing::warn!(%method, route, status, took_ms, "answered");
    } else {
        tracing::debug!(%method, route, status, took_ms, "answered");
    }
}

/// On an answer to a caller for whom there was no place.
#[derive(Clone)]
struct Shed;

/// Puts the route on its answer, since only the router knows it. Not a middleware function of axum's: that would cost every request three allocations.
#[derive(Clone)]
struct NoteRoute<S>(S);

type Answered<E> = std::result::Result<Response, E>;

impl<S> Service<Request<Body>> for NoteRoute<S>
where
    S: Service<Request<Body>, Response = Response>,
{
    type Response = Response;
    type Error = S::Error;
    type Future = Map<
        Join<S::Future, Ready<Option<MatchedPath>>>,
        fn((Answered<S::Error>, Option<MatchedPath>)) -> Answered<S::Error>,
    >;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<std::result::Result<(), S::Error>> {
        self.0.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let route = request.extensions().get::<MatchedPath>().cloned();
        join(self.0.call(request), ready(route)).map(|(answered, route)| {
            let mut response = answered?;
            if let Some(route) = route {
                response.extensions_mut().insert(route);
            }
            Ok(response)
        })
    }
}

/// The router's own 405 has no body; its `Allow` header is kept.
fn with_error_body(response: Response) -> Response {
    if response.headers().contains_key(header::CONTENT_TYPE) {
        return response;
    }
    let allow = response.headers().get(header::ALLOW).and_then(|allow| allow.to_str().ok());
    Error::MethodNotAllowed { allow: allow.unwrap_or_default().to_owned() }.into_response()
}

static REQUEST_ID: HeaderName = HeaderName::from_static(request_id::HEADER);

/// On every answer, whatever the handler says.
static FIXED_HEADERS: [(HeaderName, HeaderValue); 3] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
];

/// On every answer whose handler says nothing else.
static DEFAULT_HEADERS: [(HeaderName, HeaderValue); 3] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"),
    ),
    // Answers are about one caller; a shared cache must not hand them to another.
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-site"),
    ),
];

fn add_headers(response: &mut Response, id: &RequestId) {
    let headers = response.headers_mut();
    headers.reserve(FIXED_HEADERS.len() + DEFAULT_HEADERS.len() + 1);
    headers.insert(REQUEST_ID.clone(), id.header_value());
    for (name, value) in &FIXED_HEADERS {
        headers.insert(name.clone(), value.clone());
    }
    for (name, value) in &DEFAULT_HEADERS {
        headers.entry(name.clone()).or_insert_with(|| value.clone());
    }
}
