//! The name of a request, in its answer, in its log lines and in its error body.

use std::fmt;

use http::{HeaderMap, HeaderValue};

use crate::clock;
use crate::tokens;

pub const HEADER: &str = "x-request-id";
const LONGEST: usize = 64;

tokio::task_local! {
    static CURRENT: RequestId;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestId(String);

impl RequestId {
    /// A new id, unlike any other.
    pub fn generate() -> Self {
        let mut id = String::with_capacity(16);
        id.push_str("req_");
        id.push_str(&tokens::base62(&clock::random_bytes::<12>()));
        Self(id)
    }

    /// The caller's own id if it sent a decent one, so that a request can be followed through several services.
    pub fn of(headers: &HeaderMap) -> Self {
        let is_decent = |text: &&str| {
            !text.is_empty()
                && text.len() <= LONGEST
                && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        };
        match headers.get(HEADER).and_then(|value| value.to_str().ok()).filter(is_decent) {
            Some(text) => Self(text.to_owned()),
            None => Self::generate(),
        }
    }

    /// The id of the request that this task is answering.
    pub fn current() -> Self {
        Self::of_this_task().unwrap_or_else(Self::generate)
    }

    /// The same, if this task is answering one.
    pub fn of_this_task() -> Option<Self> {
        CURRENT.try_with(Clone::clone).ok()
    }

    pub async fn scope<F: Future>(self, request: F) -> F::Output {
        CURRENT.scope(self, request).await
    }

    pub fn header_value(&self) -> HeaderValue {
        HeaderValue::try_from(self.0.as_str()).unwrap_or_else(|_| HeaderValue::from_static("req_"))
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
