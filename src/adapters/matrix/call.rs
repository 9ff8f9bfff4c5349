//! One call to the homeserver: built by ruma, bounded in time and size, tried again when it asks for patience.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::time::Duration;

use http::{Response, StatusCode};
use ruma::UserId;
use ruma::api::auth_scheme::{AuthScheme, SendAccessToken};
use ruma::api::path_builder::PathBuilder;
use ruma::api::{
    AppserviceUserIdentity, IncomingResponse, MatrixVersion, OutgoingRequest,
    OutgoingRequestAppserviceExt, SupportedVersions,
};
use serde::Deserialize;
use tokio::time::Instant;

use crate::platform::breaker::Breaker;
use crate::platform::config::{MatrixConfig, Secret};
use crate::platform::outbound;

use super::{Error, Result, Settings};

/// The members of a very large room fit.
const ANSWER_LIMIT_BYTES: usize = 32 * 1024 * 1024;
const WORDS_LIMIT_CHARS: usize = 300;
/// How long a busy homeserver that names no time is given.
const USUAL_PAUSE: Duration = Duration::from_millis(500);

pub struct Caller {
    http: reqwest::Client,
    base_url: String,
    as_token: Secret,
    versions: SupportedVersions,
    breaker: Breaker,
    timeout: Duration,
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
    pub fn new(settings: &Settings, config: &MatrixConfig) -> reqwest::Result<Self> {
        let timeout = Duration::from_millis(config.request_timeout_ms);
        let pause = Duration::from_millis(config.breaker_pause_ms);
        Ok(Self {
            http: outbound::client(timeout)?,
            base_url: settings.base_url.clone(),
            as_token: settings.as_token.clone(),
            // Old enough for every homeserver in use, new enough for every call made here.
            versions: SupportedVersions {
                versions: BTreeSet::from([MatrixVersion::V1_11]),
                features: BTreeSet::new(),
            },
            breaker: Breaker::new(config.breaker_failures, pause),
            timeout,
        })
    }

    pub async fn send<R>(&self, by: By<'_>, request: R) -> Result<R::IncomingResponse>
    where
        R: OutgoingRequest,
        for<'a> R::Authentication: AuthScheme<Input<'a> = SendAccessToken<'a>>,
        for<'a> R::PathBuilder: PathBuilder<Input<'a> = Cow<'a, SupportedVersions>>,
    {
        let deadline = Instant::now() + self.timeout;
        loop {
            if !self.breaker.admits(Instant::now()) {
                return Err(Error::Away("it has kept failing and is left alone".to_owned()));
            }
            let written = self.write(by, request.clone())?;
            let answer = self.exchange(written).await.inspect_err(|_| self.note_failure())?;
            match self.judge::<R>(answer) {
                Attempt::Done(outcome) => return outcome,
                Attempt::Again(pause) if Instant::now() + pause < deadline => {
                    tokio::time::sleep(pause).await;
                }
                Attempt::Again(_) => return Err(Error::Away("it is too busy".to_owned())),
            }
        }
    }

    fn write<R>(&self, by: By<'_>, request: R) -> Result<reqwest::Request>
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
        let request: http::Request<Vec<u8>> = request
            .try_into_http_request_with_identity(&self.base_url, token, identity, versions)
            .map_err(|error| Error::Away(format!("a request cannot be written: {error}")))?;
        request.try_into().map_err(|_| Error::Away("its address cannot be used".to_owned()))
    }

    async fn exchange(&self, request: reqwest::Request) -> Result<Response<Vec<u8>>> {
        let mut response = self.http.execute(request).await.map_err(broken)?;
        let mut answer = Response::new(Vec::new());
        *answer.status_mut() = response.status();
        *answer.headers_mut() = response.headers().clone();
        while let Some(chunk) = response.chunk().await.map_err(broken)? {
            if answer.body().len() + chunk.len() > ANSWER_LIMIT_BYTES {
                return Err(Error::Away("its answer is too long".to_owned()));
            }
            answer.body_mut().extend_from_slice(&chunk);
        }
        Ok(answer)
    }

    fn judge<R: OutgoingRequest>(&self, answer: Response<Vec<u8>>) -> Attempt<R::IncomingResponse> {
        let status = answer.status();
        if status.is_server_error() {
            self.note_failure();
            return Attempt::Done(Err(Error::Away(format!("it answered {}", status.as_u16()))));
        }
        self.note_success();
        if status.is_success() {
            let (head, body) = answer.into_parts();
            let answer = Response::from_parts(head, body.as_slice());
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

/// The error's own words name the address with its query, which is of no use to a reader and names a user.
fn broken(error: reqwest::Error) -> Error {
    let words = if error.is_timeout() {
        "it did not answer in time"
    } else if error.is_connect() {
        "no connection"
    } else {
        "the connection broke"
    };
    Error::Away(words.to_owned())
}
