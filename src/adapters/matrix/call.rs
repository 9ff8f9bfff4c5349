//! One call to the homeserver: built by ruma, bounded in time and size, tried again when it asks for patience.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt;
use http::{Request, Response, StatusCode};
use ruma::UserId;
use ruma::api::auth_scheme::{AuthScheme, SendAccessToken};
use ruma::api::path_builder::PathBuilder;
use ruma::api::{
    AppserviceUserIdentity, IncomingResponse, MatrixVersion, OutgoingRequest,
    OutgoingRequestAppserviceExt, SupportedVersions,
};
use serde::Deserialize;
use tokio::time::Instant;
use touchline_homeserver::Door;
use tracing::Instrument;

use crate::platform::breaker::Breaker;
use crate::platform::config::{MatrixConfig, Secret};
use crate::platform::outage::Outage;
use crate::platform::{outbound, trace};

use super::{Error, Result, Settings};

/// The members of a very large room fit.
const ANSWER_LIMIT_BYTES: usize = 32 * 1024 * 1024;
const WORDS_LIMIT_CHARS: usize = 300;
/// How long a busy homeserver that names no time is given.
const USUAL_PAUSE: Duration = Duration::from_millis(500);

pub struct Caller {
    way: Way,
    base_url: String,
    as_token: Secret,
    versions: SupportedVersions,
    breaker: Breaker,
    timeout: Duration,
    outage: Outage,
}

/// How the homeserver is reached.
enum Way {
    /// It runs in this process.
    Inside(Door),
    Outside(reqwest::Client),
}

/// On whose behalf a call is made.
#[derive(Clone, Copy)]
pub enum By<'a> {
    /// The service itself: its bot.
    Service,
    User(&'a UserId),
    /// Whoever holds this access token.
    Holder(&'a str),
}

/// An error as every homeserver writes it.
#[derive(Deserialize, Default)]
struct Problem {
    #[serde(default)]
    errcode: String,
    #[serde(default)]
    error: String,
    retry_after_ms: Option<u64>,
}

enum Attempt<T> {
    Done(Result<T>),
    Again(Duration),
}

impl Caller {
    pub fn new(
        settings: &Settings,
        config: &MatrixConfig,
        door: Option<Door>,
    ) -> reqwest::Result<Self> {
        let timeout = Duration::from_millis(config.request_timeout_ms);
        let pause = Duration::from_millis(config.breaker_pause_ms);
        Ok(Self {
            way: match door {
                Some(door) => Way::Inside(door),
                None => Way::Outside(outbound::client(timeout)?),
            },
            base_url: settings.base_url.clone(),
            as_token: settings.as_token.clone(),
            // Old enough for every homeserver in use, new enough for every call made here.
            versions: SupportedVersions {
                versions: BTreeSet::from([MatrixVersion::V1_11]),
                features: BTreeSet::new(),
            },
            breaker: Breaker::new(config.breaker_failures, pause),
            timeout,
            outage: Outage::default(),
        })
    }

    pub const fn outage(&self) -> &Outage {
        &self.outage
    }

    pub async fn send<R>(&self, by: By<'_>, request: R) -> Result<R::IncomingResponse>
    where
        R: OutgoingRequest,
        for<'a> R::Authentication: AuthScheme<Input<'a> = SendAccessToken<'a>>,
        for<'a> R::PathBuilder: PathBuilder<Input<'a> = Cow<'a, SupportedVersions>>,
    {
        let deadline = Instant::now() + self.timeout;
        loop {
            // Before the breaker, which would be open for longer than what is rehearsed.
            if self.outage.is_on() {
                return Err(Error::Away("that is rehearsed".to_owned()));
            }
            if !self.breaker.admits(Instant::now()) {
                return Err(Error::Away("it has kept failing and is left alone".to_owned()));
            }
            let written = self.write(by, request.clone())?;
            let span = trace::call("homeserver", trace::short_name_of::<R>);
            let exchange = self.exchange(written).instrument(span.clone());
            let answer = exchange.await.inspect_err(|_| self.note_failure())?;
            span.record("status", answer.status().as_u16());
            match self.judge::<R>(answer) {
                Attempt::Done(outcome) => return outcome,
                Attempt::Again(pause) if Instant::now() + pause < deadline => {
                    tokio::time::sleep(pause).await;
                }
                Attempt::Again(_) => return Err(Error::Away("it is too busy".to_owned())),
            }
        }
    }

    fn write<R>(&self, by: By<'_>, request: R) -> Result<Request<Vec<u8>>>
    where
        R: OutgoingRequest,
        for<'a> R::Authentication: AuthScheme<Input<'a> = SendAccessToken<'a>>,
        for<'a> R::PathBuilder: PathBuilder<Input<'a> = Cow<'a, SupportedVersions>>,
    {
        // Always: a homeserver may want to know who asks where the specification answers anybody, as for profiles.
        let token = SendAccessToken::Always(match by {
            By::Holder(token) => token,
            By::Service | By::User(_) => self.as_token.expose(),
        });
        let mut identity = AppserviceUserIdentity::default();
        if let By::User(user) = by {
            identity = AppserviceUserIdentity::new(user);
        }
        let versions = Cow::Borrowed(&self.versions);
        request
            .try_into_http_request_with_identity(&self.base_url, token, identity, versions)
            .map_err(|error| Error::Away(format!("a request cannot be written: {error}")))
    }

    async fn exchange(&self, mut request: Request<Vec<u8>>) -> Result<Response<Bytes>> {
        trace::hand_on(request.headers_mut());
        match &self.way {
            Way::Inside(door) => self.call(door, request).await,
            Way::Outside(http) => call_over_http(http, request).await,
        }
    }

    /// Bounded like a call over HTTP, and what panics in there is the trouble of this call alone.
    async fn call(&self, door: &Door, request: Request<Vec<u8>>) -> Result<Response<Bytes>> {
        let calling = AssertUnwindSafe(door.call(request, ANSWER_LIMIT_BYTES)).catch_unwind();
        match tokio::time::timeout(self.timeout, calling).await {
            Ok(Ok(answer)) => answer.ok_or_else(too_long),
            Ok(Err(_)) => Err(Error::Away("it panicked".to_owned())),
            Err(_) => Err(too_late()),
        }
    }

    fn judge<R: OutgoingRequest>(&self, answer: Response<Bytes>) -> Attempt<R::IncomingResponse> {
        let status = answer.status();
        if status.is_server_error() {
            self.note_failure();
            return Attempt::Done(Err(Error::Away(format!("it answered {}", status.as_u16()))));
        }
        self.note_success();
        if status.is_success() {
            let (head, body) = answer.into_parts();
            let answer = Response::from_parts(head, body.as_ref());
            let read = R::IncomingResponse::try_from_http_response_inner(answer);
            return Attempt::Done(
                read.map_err(|error| Error::Away(format!("its answer cannot be read: {error}"))),
            );
        }
        let problem: Problem = serde_json::from_slice(answer.body()).unwrap_or_default();
        if status == StatusCode::TOO_MANY_REQUESTS {
            let pause = problem.retry_after_ms.map(Duration::from_millis);
            return Attempt::Again(pause.unwrap_or(USUAL_PAUSE));
        }
        Attempt::Done(Err(Error::Refused {
            status: status.as_u16(),
            code: problem.errcode,
            words: problem.error.chars().take(WORDS_LIMIT_CHARS).collect(),
        }))
    }

    fn note_success(&self) {
        if self.breaker.succeed() {
            tracing::info!("the homeserver is back");
        }
    }

    fn note_failure(&self) {
        metrics::counter!("touchline_matrix_failures_total").increment(1);
        if self.breaker.fail(Instant::now()) {
            tracing::warn!("the homeserver keeps failing: it is left alone for a while");
        }
    }
}

async fn call_over_http(
    http: &reqwest::Client,
    request: Request<Vec<u8>>,
) -> Result<Response<Bytes>> {
    let request = reqwest::Request::try_from(request);
    let request = request.map_err(|_| Error::Away("its address cannot be used".to_owned()))?;
    let mut response = http.execute(request).await.map_err(broken)?;
    let (status, headers) = (response.status(), response.headers().clone());
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(broken)? {
        if body.len() + chunk.len() > ANSWER_LIMIT_BYTES {
            return Err(too_long());
        }
        body.extend_from_slice(&chunk);
    }
    let mut answer = Response::new(Bytes::from(body));
    (*answer.status_mut(), *answer.headers_mut()) = (status, headers);
    Ok(answer)
}

fn too_long() -> Error {
    Error::Away("its answer is too long".to_owned())
}

fn too_late() -> Error {
    Error::Away("it did not answer in time".to_owned())
}

/// The error's own words name the address with its query, which is of no use to a reader and names a user.
fn broken(error: reqwest::Error) -> Error {
    if error.is_timeout() {
        return too_late();
    }
    let words = if error.is_connect() { "no connection" } else { "the connection broke" };
    Error::Away(words.to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use touchline_homeserver::{Appservice, Config as HomeserverConfig, Homeserver};

    use super::super::Matrix;
    use super::*;
    use crate::platform::config::Config;
    use crate::platform::keys::Keys;

    #[tokio::test]
    async fn a_panic_in_the_homeserver_is_an_error_of_that_call_and_no_more() {
        let keys = Keys::new(&Secret::new("k".repeat(32))).unwrap();
        let config = Config::defaults().unwrap();
        let settings = Settings::of(&config, &keys).unwrap();
        let is_broken = Arc::new(AtomicBool::new(false));
        let (folder, clock) = (tempfile::tempdir().unwrap(), is_broken.clone());
        let homeserver_config = HomeserverConfig {
            appservice: Some(Appservice {
                id: "touchline".to_owned(),
                url: String::new(),
                as_token: settings.as_token.expose().to_owned(),
                hs_token: settings.hs_token.expose().to_owned(),
                sender_localpart: settings.bot.localpart().to_owned(),
                alias_prefix: String::new(),
                takes_reports: false,
            }),
            now: Arc::new(move || {
                assert!(!clock.load(Ordering::SeqCst), "the clock is broken");
                0
            }),
            ..HomeserverConfig::default()
        };
        let homeserver = Homeserver::open(&folder.path().join("hs.db"), homeserver_config).unwrap();
        let matrix = Matrix::new(settings, &config.matrix, Some(homeserver.door())).unwrap();
        let devices = || matrix.list_devices(matrix.bot());
        assert_eq!(devices().await.unwrap(), Vec::<String>::new());
        is_broken.store(true, Ordering::SeqCst);
        assert!(matches!(devices().await, Err(Error::Away(words)) if words == "it panicked"));
        is_broken.store(false, Ordering::SeqCst);
        assert_eq!(devices().await.unwrap(), Vec::<String>::new());
    }
}
