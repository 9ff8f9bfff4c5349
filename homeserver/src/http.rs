//! Between axum and ruma: one registration per endpoint, one way in, one way out.
//!
//! Owns: which endpoints need a token, parsing by ruma's types, body limits, the error routes, CORS.
//! Invariants: a handler runs only after its endpoint's authentication scheme is satisfied; no body
//! is read past its limit; large bodies and answers are counted; every answer has CORS headers.
//! Never: decides what a user may do in a room.

use std::future::Future;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{FromRequestParts, RawPathParams, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, any, on};
use bytes::Bytes;
use http::{HeaderValue, Method, Request, StatusCode, header};
use ruma::api::error::{DeserializationError, FromHttpRequestError};
use ruma::api::path_builder::PathBuilder;
use ruma::api::{IncomingRequest, IncomingRequestExt, auth_scheme};
use rusqlite::Connection;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::Hs;
use crate::error::{Error, Result};
use crate::held::Share;
use crate::store::{Turn, Tx};

pub use crate::callers::{Caller, ClientAddress, authenticate, hash_token, limit_requests};

/// Largest JSON body. An event may have 64 KiB; key uploads and to-device batches are larger.
const BODY_MAX: usize = 1024 * 1024;

pub type Reply = Result<Response>;

/// A parsed and authenticated request.
pub struct Call<T> {
    pub body: T,
    pub hs: Arc<Hs>,
    pub caller: Option<Caller>,
    pub address: Option<ClientAddress>,
    /// A large body counts for as long as it is worked on.
    _held: Option<Share>,
}

impl<T> Call<T> {
    pub fn me(&self) -> Result<&Caller> {
        self.caller.as_ref().ok_or_else(Error::missing_token)
    }

    pub fn turn(&self) -> Turn {
        self.caller.as_ref().map_or(Turn::Users, Caller::turn)
    }

    /// Refuses when the caller sends too much.
    pub fn limit_messages(&self) -> Result<()> {
        self.me()?.limit(&self.hs.messages, 1, &self.hs)
    }

    /// Refuses when the caller makes too many rooms.
    pub fn limit_rooms(&self) -> Result<()> {
        self.me()?.limit(&self.hs.new_rooms, 1, &self.hs)
    }

    /// Refuses when the caller comes, goes or invites too often.
    pub fn limit_memberships(&self, count: usize) -> Result<()> {
        let me = self.me()?;
        if !me.appservice && count > self.hs.memberships.most() {
            return Err(Error::invalid_param("Too many invitations at once"));
        }
        me.limit(&self.hs.memberships, count, &self.hs)
    }
}

/// One snapshot of the data, who looks at it, and when.
pub struct Look<'a> {
    pub conn: &'a Connection,
    pub me: &'a Caller,
    pub now: i64,
    /// What came after this position is not looked at.
    pub upto: i64,
}

#[allow(clippy::unnecessary_wraps)] // it ends handlers, which can fail
pub fn ok(value: impl Serialize) -> Reply {
    Ok(axum::Json(value).into_response())
}

/// An answer that is JSON already, counted until it is sent.
pub fn bytes_answer(hs: &Hs, me: &Caller, json: Vec<u8>) -> Reply {
    let mut response = hs.answers.count(Some(me), Bytes::from(json))?;
    let kind = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    Ok(response)
}

/// The answer where there is nothing to say: `{}`.
#[derive(Serialize)]
pub struct Done {}

/// `value` with one more field, if there is anything to put into it.
pub fn with(mut value: Value, name: &str, field: Option<impl Into<Value>>) -> Value {
    if let (Some(fields), Some(field)) = (value.as_object_mut(), field) {
        fields.insert(name.to_owned(), field.into());
    }
    value
}

/// What an endpoint's ruma authentication scheme makes of a token.
pub trait Scheme {
    const NEED: Need;
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Need {
    Required,
    /// None is fine, a wrong one is not.
    Optional,
    Ignored,
}
impl Scheme for auth_scheme::AccessToken {
    const NEED: Need = Need::Required;
}
impl Scheme for auth_scheme::AccessTokenOptional {
    const NEED: Need = Need::Optional;
}
impl Scheme for auth_scheme::NoAccessToken {
    const NEED: Need = Need::Ignored;
}
impl Scheme for auth_scheme::AppserviceToken {
    const NEED: Need = Need::Required;
}
impl Scheme for auth_scheme::AppserviceTokenOptional {
    const NEED: Need = Need::Optional;
}

/// A request that ruma can parse and whose authentication is understood here.
pub trait Asked: IncomingRequest<Authentication: Scheme> + Send + 'static {}
impl<T: IncomingRequest<Authentication: Scheme> + Send + 'static> Asked for T {}

/// The endpoints: each is served at every path that ruma knows for its type of request.
#[derive(Default)]
pub struct Routes {
    router: Router<Arc<Hs>>,
    /// Every method and path that ruma knows.
    pub served: Vec<(Method, String)>,
}

impl Routes {
    /// A path that ruma does not know.
    pub fn route(mut self, path: &str, route: MethodRouter<Arc<Hs>>) -> Self {
        self.router = self.router.route(path, route);
        self
    }

    /// An endpoint that only reads: one script on one snapshot.
    pub fn look<T: Asked, R: Serialize + Send + 'static>(
        self,
        script: impl Fn(&Look<'_>, T) -> Result<R> + Copy + Send + Sync + 'static,
    ) -> Self {
        self.serve(move |call: Call<T>| async move {
            let me = call.me()?.clone();
            let (now, upto) = (call.hs.now(), call.hs.live.position());
            let (turn, hs) = (me.turn(), call.hs.clone());
            let read = move |conn: &Connection| {
                let answer = script(&Look { conn, me: &me, now, upto }, call.body)?;
                // Written and counted by the reader, so that no more answers are about than are counted or being made.
                bytes_answer(&hs, &me, serde_json::to_vec(&answer)?)
            };
            call.hs.store.read_in(turn, read).await
        })
    }

    /// An endpoint that writes: one script in one transaction.
    pub fn change<T: Asked, R: Serialize + Send + 'static>(
        self,
        script: impl Fn(&mut Tx<'_>, &Caller, T) -> Result<R> + Copy + Send + Sync + 'static,
    ) -> Self {
        self.serve(move |call: Call<T>| change(call, script))
    }

    /// An endpoint that writes what others get to see, which a user may do only so often.
    pub fn send<T: Asked, R: Serialize + Send + 'static>(
        self,
        script: impl Fn(&mut Tx<'_>, &Caller, T) -> Result<R> + Copy + Send + Sync + 'static,
    ) -> Self {
        self.serve(move |call: Call<T>| async move {
            call.limit_messages()?;
            change(call, script).await
        })
    }

    /// An endpoint that changes a user's key backup, which they may do only so often.
    pub fn back_up<T: Asked, R: Serialize + Send + 'static>(
        self,
        script: impl Fn(&mut Tx<'_>, &Caller, T) -> Result<R> + Copy + Send + Sync + 'static,
    ) -> Self {
        self.serve(move |call: Call<T>| async move {
            call.me()?.limit(&call.hs.backups, 1, &call.hs)?;
            change(call, script).await
        })
    }

    /// An endpoint by which a user comes, goes or invites.
    pub fn come_or_go<T: Asked, R: Serialize + Send + 'static>(
        self,
        script: impl Fn(&mut Tx<'_>, &Caller, T) -> Result<R> + Copy + Send + Sync + 'static,
    ) -> Self {
        self.serve(move |call: Call<T>| async move {
            call.limit_messages()?;
            call.limit_memberships(1)?;
            change(call, script).await
        })
    }

    /// Any other endpoint.
    pub fn serve<T: Asked, Fut: Future<Output = Reply> + Send + 'static>(
        self,
        handler: impl Fn(Call<T>) -> Fut + Clone + Send + Sync + 'static,
    ) -> Self {
        self.serve_to(T::Authentication::NEED, None, handler)
    }

    /// An endpoint that needs a token here, though Matrix would answer anybody.
    pub fn serve_users<T: Asked, Fut: Future<Output = Reply> + Send + 'static>(
        self,
        handler: impl Fn(Call<T>) -> Fut + Clone + Send + Sync + 'static,
    ) -> Self {
        self.serve_to(Need::Required, None, handler)
    }

    /// An endpoint whose body ruma reads more strictly than the specification has it.
    pub fn serve_mended<T: Asked, Fut: Future<Output = Reply> + Send + 'static>(
        self,
        mend: Mend,
        handler: impl Fn(Call<T>) -> Fut + Clone + Send + Sync + 'static,
    ) -> Self {
        self.serve_to(T::Authentication::NEED, Some(mend), handler)
    }

    fn serve_to<T: Asked, Fut: Future<Output = Reply> + Send + 'static>(
        mut self,
        need: Need,
        mend: Option<Mend>,
        handler: impl Fn(Call<T>) -> Fut + Clone + Send + Sync + 'static,
    ) -> Self {
        let Ok(filter) = MethodFilter::try_from(T::METHOD) else { return self };
        let builder = T::PATH_BUILDER;
        for path in builder.all_paths().flat_map(with_empty_state_key) {
            let handler = handler.clone();
            let route = move |State(hs): State<Arc<Hs>>, request: Request<Body>| {
                let handler = handler.clone();
                async move {
                    let call = match parse::<T>(hs.clone(), need, mend, request).await {
                        Ok(call) => call,
                        Err(error) => return error.into_response(),
                    };
                    let caller = call.caller.clone();
                    let answer = handler(call).await.unwrap_or_else(IntoResponse::into_response);
                    hs.answers.answer(caller.as_ref(), answer).await
                }
            };
            self = self.route(&path, on(filter, route));
            self.served.push((T::METHOD, path));
        }
        self
    }
}

/// Runs a script that writes, in the caller's turn.
async fn change<T, R: Serialize + Send + 'static>(
    call: Call<T>,
    script: impl Fn(&mut Tx<'_>, &Caller, T) -> Result<R> + Send + 'static,
) -> Reply
where
    T: Send + 'static,
{
    let me = call.me()?.clone();
    let turn = me.turn();
    let work = move |tx: &mut Tx<'_>| script(tx, &me, call.body);
    ok(call.hs.store.write_in(turn, work).await?)
}

/// axum does not match an empty last segment, and Matrix allows three spellings of an empty key.
fn with_empty_state_key(path: &'static str) -> impl Iterator<Item = String> {
    let bare = path.strip_suffix("/{state_key}").map(str::to_owned);
    let slash = bare.as_ref().map(|bare| format!("{bare}/"));
    [Some(path.to_owned()), bare, slash].into_iter().flatten()
}

fn has_state_key<T: IncomingRequest>() -> bool {
    let builder = T::PATH_BUILDER;
    builder.all_paths().any(|path| path.ends_with("/{state_key}"))
}

/// Looks at a body before ruma reads it, and adds what may be left out.
pub type Mend = fn(&mut Map<String, Value>) -> Result<()>;

async fn parse<T: Asked>(
    hs: Arc<Hs>,
    need: Need,
    mend: Option<Mend>,
    request: Request<Body>,
) -> Result<Call<T>> {
    let (mut parts, body) = request.into_parts();
    let address = parts.extensions.get().copied();
    let caller = match need {
        Need::Required => Some(authenticate(&hs, &parts).await?.ok_or_else(Error::missing_token)?),
        Need::Optional => authenticate(&hs, &parts).await?,
        Need::Ignored => None,
    };
    limit_requests(&hs, caller.as_ref())?;
    let params = RawPathParams::from_request_parts(&mut parts, &())
        .await
        .map_err(|_| Error::invalid_param("The path is not valid UTF-8"))?;
    let mut arguments: Vec<&str> = params.iter().map(|(_, value)| value).collect();
    if arguments.len() == 2 && has_state_key::<T>() {
        arguments.push("");
    }
    let held = hs.bodies.take_body(caller.as_ref(), &parts.headers, BODY_MAX)?;
    let mut bytes = axum::body::to_bytes(body, BODY_MAX)
        .await
        .map_err(|_| Error::too_large("The request body is too large"))?;
    if parts.method == Method::GET || parts.method == Method::DELETE {
        bytes.clear();
    } else {
        bytes = read_object(bytes, mend)?;
    }
    let request = Request::from_parts(parts, bytes.as_ref());
    let body = T::try_from_http_request(request, &arguments).map_err(parse_error)?;
    Ok(Call { body, hs, caller, address, _held: held })
}

/// A body that is an object, and no deeper than can be read again.
fn read_object(bytes: Bytes, mend: Option<Mend>) -> Result<Bytes> {
    // Some clients join a room with no body at all.
    let bytes = if bytes.is_empty() { "{}".into() } else { bytes };
    let Ok(body) = serde_json::from_slice(&bytes) else {
        return Err(Error::bad_request("M_NOT_JSON", "Content not JSON."));
    };
    let Value::Object(mut fields) = body else {
        return Err(Error::bad_json("Content must be a JSON object."));
    };
    let Some(mend) = mend else { return Ok(bytes) };
    mend(&mut fields)?;
    Ok(serde_json::to_vec(&fields)?.into())
}

fn parse_error(cause: FromHttpRequestError) -> Error {
    match cause {
        FromHttpRequestError::Deserialization(DeserializationError::Json(cause)) => {
            Error::bad_json(cause.to_string())
        }
        cause => Error::invalid_param(cause.to_string()),
    }
}

/// Adds the catch-all answers and CORS to the finished routes.
pub fn finish(routes: Routes, hs: Arc<Hs>) -> Router {
    let unknown = || async { Error::unrecognized(StatusCode::NOT_FOUND) };
    routes
        .router
        .route("/_matrix/{*rest}", any(unknown))
        .route("/_matrix", any(unknown))
        .route("/_matrix/", any(unknown))
        .method_not_allowed_fallback(|| async {
            Error::unrecognized(StatusCode::METHOD_NOT_ALLOWED)
        })
        .layer(axum::middleware::from_fn(cors))
        .with_state(hs)
}

async fn cors(request: axum::extract::Request, next: Next) -> Response {
    let mut response = if request.method() == Method::OPTIONS {
        StatusCode::NO_CONTENT.into_response()
    } else {
        next.run(request).await
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, POST, PUT, DELETE, OPTIONS"),
        (
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            "X-Requested-With, Content-Type, Authorization, Date",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
