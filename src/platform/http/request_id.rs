//! The name of a request, in its answer, in its log lines and in its error body.

use std::fmt;

use http::{HeaderMap, HeaderValue};

use crate::platform::{clock, tokens};

pub const HEADER: &str = "x-request-id";
const LONGEST: usize = 64;

tokio::task_local! {
    static CURRENT: RequestId;
}

/// As the header it leaves in, which every part of the request can have without copying it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestId(HeaderValue);

impl RequestId {
    /// A new id, unlike any other.
    pub fn generate() -> Self {
        let id = format!("req_{}", tokens::base62(&clock::random_bytes::<12>()));
        Self(HeaderValue::try_from(id).unwrap_or_else(|_| HeaderValue::from_static("req_")))
    }

    /// The caller's own id if it sent a decent one, so that a request can be followed through several services.
    pub fn of(headers: &HeaderMap) -> Self {
        let is_decent = |id: &&HeaderValue| {
            let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
            (1..=LONGEST).contains(&id.len()) && id.as_bytes().iter().all(is_plain)
        };
        headers.get(HEADER).filter(is_decent).map_or_else(Self::generate, |id| Self(id.clone()))
    }

    /// The id of the request that this task is answering.
    pub fn current() -> Self {
        Self::of_this_task().unwrap_or_else(Self::generate)
    }

    /// The same, if this task is answering one.
    pub fn of_this_task() -> Option<Self> {
        CURRENT.try_with(Clone::clone).ok()
    }

    pub fn scope<F: Future>(self, request: F) -> impl Future<Output = F::Output> {
        CURRENT.scope(self, request)
    }

    pub fn header_value(&self) -> HeaderValue {
        self.0.clone()
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.to_str().unwrap_or_default())
    }
}
