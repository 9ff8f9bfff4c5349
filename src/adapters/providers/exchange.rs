//! Asking a provider: one page after another, within bounds, and what can go wrong in words that are safe to store.

use std::io::Read;
use std::path::PathBuf;

use http::{HeaderMap, StatusCode, header};
use reqwest::{Client, RequestBuilder, Response};

use super::adapter::{self, Adapter, Ask};
use super::report::TournamentReport;
use crate::platform::clock::{MINUTE_MS, SECOND_MS};

/// A season of the largest league is below 1 MiB.
const BODY_LIMIT_BYTES: usize = 16 * 1024 * 1024;
pub const MOST_PAGES: u32 = 50;

/// Why a provider gave no answer that can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskError {
    pub kind: AskErrorKind,
    pub words: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskErrorKind {
    /// Asked too often, by its count or by ours: after this long again, if it is known.
    Busy(Option<i64>),
    /// It works, but not for this question or this key.
    Refused,
    TimedOut,
    Broken,
}

impl AskErrorKind {
    /// Its name in the metrics.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Busy(_) => "busy",
            Self::Refused => "refused",
            Self::TimedOut => "timed_out",
            Self::Broken => "broken",
        }
    }
}

impl AskError {
    pub fn new(kind: AskErrorKind, words: impl Into<String>) -> Self {
        Self { kind, words: words.into() }
    }
}

/// An answer that was read, and how long its sender then wants to be left alone.
pub struct Reply {
    pub report: Result<TournamentReport, AskError>,
    pub pause_ms: Option<i64>,
}

pub async fn ask(client: &Client, adapter: &dyn Adapter, page: u32) -> Reply {
    let body = match adapter.ask(client, page) {
        Ask::File(path) => read_file(path).await.map(|body| (HeaderMap::new(), body)),
        Ask::Web(request) => exchange(*request).await,
    };
    match body {
        Ok((headers, body)) => {
            let report = adapter.read(&body);
            let asked = report.as_ref().err().and_then(asked_pause);
            Reply { report, pause_ms: asked.or_else(|| adapter.pause_ms(&headers)) }
        }
        Err(error) => Reply { pause_ms: asked_pause(&error), report: Err(error) },
    }
}

fn asked_pause(error: &AskError) -> Option<i64> {
    match error.kind {
        AskErrorKind::Busy(pause) => pause,
        _ => None,
    }
}

async fn exchange(request: RequestBuilder) -> Result<(HeaderMap, Vec<u8>), AskError> {
    let response = request.send().await.map_err(|error| broken(&error))?;
    let status = response.status();
    if status != StatusCode::OK {
        return Err(refusal(status, response.headers()));
    }
    let headers = response.headers().clone();
    Ok((headers, read_body(response).await?))
}

fn refusal(status: StatusCode, headers: &HeaderMap) -> AskError {
    let kind = match status {
        StatusCode::TOO_MANY_REQUESTS => AskErrorKind::Busy(Some(retry_after_ms(headers))),
        status if status.is_client_error() => AskErrorKind::Refused,
        _ => AskErrorKind::Broken,
    };
    AskError::new(kind, format!("answered {}", status.as_u16()))
}

/// Seconds in whichever header the provider has for them; a minute if it names none.
fn retry_after_ms(headers: &HeaderMap) -> i64 {
    let named = ["x-requestcounter-reset", header::RETRY_AFTER.as_str()];
    let seconds = named.iter().find_map(|name| adapter::number(headers, name));
    seconds.map_or(MINUTE_MS, |seconds| seconds.clamp(1, 86_400) * SECOND_MS)
}

async fn read_body(mut response: Response) -> Result<Vec<u8>, AskError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| broken(&error))? {
        if body.len() + chunk.len() > BODY_LIMIT_BYTES {
            return Err(too_long());
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

async fn read_file(path: PathBuf) -> Result<Vec<u8>, AskError> {
    let read = move || {
        // Anything else, such as a pipe, might never end.
        if !std::fs::metadata(&path)?.is_file() {
            return Err(std::io::ErrorKind::InvalidInput.into());
        }
        let file = std::fs::File::open(&path)?;
        let mut body = Vec::new();
        let most = u64::try_from(BODY_LIMIT_BYTES).unwrap_or(u64::MAX).saturating_add(1);
        file.take(most).read_to_end(&mut body)?;
        Ok(body)
    };
    let unreadable = |error: std::io::Error| {
        let words = format!("the file cannot be read: {}", error.kind());
        AskError::new(AskErrorKind::Broken, words)
    };
    // A read that panicked is an error of input and output like any other.
    let read = tokio::task::spawn_blocking(read).await.unwrap_or_else(|error| Err(error.into()));
    let body = read.map_err(unreadable)?;
    if body.len() > BODY_LIMIT_BYTES { Err(too_long()) } else { Ok(body) }
}

fn too_long() -> AskError {
    AskError::new(AskErrorKind::Broken, "an answer of more than 16 MiB")
}

/// The error's own words are never used: they quote the address, in which an operator may have put a key.
fn broken(error: &reqwest::Error) -> AskError {
    if error.is_timeout() {
        return AskError::new(AskErrorKind::TimedOut, "timed out");
    }
    let words = if error.is_connect() { "no connection" } else { "the connection broke" };
    AskError::new(AskErrorKind::Broken, words)
}
