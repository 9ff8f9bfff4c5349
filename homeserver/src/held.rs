//! What callers make the server hold in memory: answers that nobody has read yet, and bodies that are still on their way in.
//!
//! Owns: the count of held bytes, of each user and of all, and answers in pieces that are freed as they are sent.
//! Invariants: bytes are given back when what held them is dropped, whatever ended its use; a user who holds nothing may hold one
//! thing, however large, so that the largest file gets through; whoever holds nothing is not remembered.
//! Never: waits, or counts the application service.

use std::collections::{HashMap, VecDeque};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use axum::body::{Body, HttpBody, to_bytes};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderMap, header};
use http_body::{Frame, SizeHint};

use crate::budget::{HELD_FREE_BYTES, HELD_PIECE_BYTES};
use crate::error::{Error, Result};
use crate::http::Caller;
use crate::live::lock;

/// Whatever is held can be let go at any moment.
const RETRY_MS: u64 = 1000;

pub struct Held {
    each: usize,
    all: usize,
    counts: Mutex<Counts>,
}

#[derive(Default)]
struct Counts {
    all: usize,
    by_user: HashMap<String, usize>,
}

impl Held {
    pub fn new(each: usize, all: usize) -> Arc<Self> {
        Arc::new(Self { each, all, counts: Mutex::default() })
    }

    pub fn bytes(&self) -> usize {
        lock(&self.counts).all
    }

    /// Counts what `user` is about to hold, or refuses. What is small is not counted: connections are.
    pub fn take(self: &Arc<Self>, caller: Option<&Caller>, bytes: usize) -> Result<Option<Share>> {
        if bytes <= HELD_FREE_BYTES || caller.is_some_and(|caller| caller.appservice) {
            return Ok(None);
        }
        let user = caller.map(Caller::id).unwrap_or_default();
        let mut counts = lock(&self.counts);
        let own = counts.by_user.get(user).copied().unwrap_or(0);
        let is_first = |held: usize| held == 0;
        if !(is_first(own) || own + bytes <= self.each)
            || !(is_first(counts.all) || counts.all + bytes <= self.all)
        {
            return Err(Error::limited(RETRY_MS));
        }
        counts.all += bytes;
        *counts.by_user.entry(user.to_owned()).or_default() += bytes;
        Ok(Some(Share { held: self.clone(), user: user.to_owned(), bytes }))
    }

    /// The same for a body of at most `most` bytes that a request announces.
    pub fn take_body(
        self: &Arc<Self>,
        caller: Option<&Caller>,
        headers: &HeaderMap,
        most: usize,
    ) -> Result<Option<Share>> {
        let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
        let announced = match length.and_then(|length| length.parse().ok()) {
            Some(length) => most.min(length),
            None if headers.contains_key(header::TRANSFER_ENCODING) => most,
            None => 0,
        };
        self.take(caller, announced)
    }

    /// An answer of these bytes, counted until they are sent.
    pub fn count(self: &Arc<Self>, caller: Option<&Caller>, bytes: Bytes) -> Result<Response> {
        let body = match self.take(caller, bytes.len())? {
            Some(share) => Body::new(Pieces::new(&bytes, share)),
            None => Body::from(bytes),
        };
        Ok(Self::counted(body))
    }

    /// An answer that is made while it is sent, by somebody who counts what of it is in memory.
    pub fn counted(body: Body) -> Response {
        let mut response = Response::new(body);
        response.extensions_mut().insert(Counted);
        response
    }

    /// The answer of any handler, counted if it is not yet; or a refusal in its place.
    pub async fn answer(self: &Arc<Self>, caller: Option<&Caller>, answer: Response) -> Response {
        if answer.extensions().get::<Counted>().is_some() {
            return answer;
        }
        let (head, body) = answer.into_parts();
        // Every body that is not counted is whole when its handler gives it: nothing is waited for here.
        let bytes = to_bytes(body, usize::MAX).await.map_err(Error::internal);
        match bytes.and_then(|bytes| self.count(caller, bytes)) {
            Ok(counted) => Response::from_parts(head, counted.into_body()),
            Err(error) => error.into_response(),
        }
    }
}

/// On an answer that is counted.
#[derive(Clone)]
struct Counted;

/// Bytes that a user holds, until this is dropped.
pub struct Share {
    held: Arc<Held>,
    user: String,
    bytes: usize,
}

impl Share {
    fn split(&mut self, bytes: usize) -> Self {
        self.bytes -= bytes;
        Self { held: self.held.clone(), user: self.user.clone(), bytes }
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut counts = lock(&self.held.counts);
        counts.all -= self.bytes;
        if let Some(own) = counts.by_user.get_mut(&self.user) {
            *own -= self.bytes;
            if *own == 0 {
                counts.by_user.remove(&self.user);
            }
        }
    }
}

/// An answer in pieces, each with its share, so that what is sent is freed and given back at once.
struct Pieces {
    left: VecDeque<Bytes>,
    bytes: usize,
}

struct Piece {
    bytes: Vec<u8>,
    _share: Share,
}

impl AsRef<[u8]> for Piece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Pieces {
    fn new(bytes: &[u8], mut share: Share) -> Self {
        let piece = |part: &[u8]| {
            let share = share.split(part.len());
            Bytes::from_owner(Piece { bytes: part.to_vec(), _share: share })
        };
        Self { left: bytes.chunks(HELD_PIECE_BYTES).map(piece).collect(), bytes: bytes.len() }
    }
}

impl HttpBody for Pieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<std::result::Result<Frame<Bytes>, Infallible>>> {
        let next = self.left.pop_front();
        self.bytes -= next.as_ref().map_or(0, Bytes::len);
        Poll::Ready(next.map(|piece| Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.left.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(u64::try_from(self.bytes).unwrap_or(u64::MAX))
    }
}
