//! One connection's byte stream, with what hyper leaves out.
//!
//! Owns: the time for a request head once its first byte is here, the time a client may take no byte of an answer, and the JSON
//! body of the answers that hyper writes itself (a head that is too large or not HTTP at all).
//! Invariants: a connection without a complete head in time is closed; bytes of ordinary answers pass unchanged.
//! Never: looks into a request.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

use super::error_body;

const READING_HEAD: u8 = 0;
const ANSWERING: u8 = 1;
const IDLE: u8 = 2;
/// What is still read, and thrown away, from a client that was answered before it finished talking: closing on it would reset the
/// connection, and the answer would be lost. Twice the largest body that is taken anywhere.
const LINGER_BYTES: usize = 16 * 1024 * 1024;
const LINGER_BUFFER_BYTES: usize = 16 * 1024;
const LINGER_TIME: Duration = Duration::from_secs(2);

/// Where a connection is between requests; shared by its stream and its requests.
#[derive(Clone)]
pub struct Phase(Arc<AtomicU8>);

impl Phase {
    pub fn new() -> Self {
        Self(Arc::new(AtomicU8::new(READING_HEAD)))
    }

    /// A request head is complete. The answer is over when the guard goes.
    pub fn answering(&self) -> AnswerGuard {
        self.0.store(ANSWERING, Ordering::Release);
        AnswerGuard(self.clone())
    }
}

pub struct AnswerGuard(Phase);

impl Drop for AnswerGuard {
    fn drop(&mut self) {
        self.0.0.store(IDLE, Ordering::Release);
    }
}

pub struct ClientConnection<S> {
    stream: S,
    phase: Phase,
    header_timeout: Duration,
    write_timeout: Duration,
    head_deadline: Pin<Box<Sleep>>,
    write_deadline: Pin<Box<Sleep>>,
    write_stalled: bool,
    /// What is left of an answer written in hyper's place.
    substitute: Vec<u8>,
    substitute_written: usize,
}

impl<S: AsyncRead + AsyncWrite + Unpin> ClientConnection<S> {
    pub fn new(stream: S, phase: Phase, header_timeout: Duration, write_timeout: Duration) -> Self {
        Self {
            stream,
            phase,
            header_timeout,
            write_timeout,
            head_deadline: Box::pin(sleep(header_timeout)),
            write_deadline: Box::pin(sleep(write_timeout)),
            write_stalled: false,
            substitute: Vec::new(),
            substitute_written: 0,
        }
    }

    /// Ends the connection so that the client surely sees the last answer: closing with unread input would reset it away.
    pub async fn linger(mut self) {
        if self.stream.shutdown().await.is_err() {
            return;
        }
        let mut scratch = vec![0; LINGER_BUFFER_BYTES];
        let mut left = LINGER_BYTES;
        let drain = async {
            while left > 0 {
                match self.stream.read(&mut scratch).await {
                    Ok(0) | Err(_) => break,
                    Ok(count) => left = left.saturating_sub(count),
                }
            }
        };
        // Whichever comes first, the connection ends here.
        let _ = tokio::time::timeout(LINGER_TIME, drain).await;
    }

    fn poll_write_stream(
        &mut self,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match Pin::new(&mut self.stream).poll_write_vectored(cx, parts) {
            Poll::Pending => {
                if !self.write_stalled {
                    self.write_stalled = true;
                    self.write_deadline.as_mut().reset(Instant::now() + self.write_timeout);
                }
                match self.write_deadline.as_mut().poll(cx) {
                    Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
                    Poll::Pending => Poll::Pending,
                }
            }
            ready @ Poll::Ready(_) => {
                self.write_stalled = false;
                ready
            }
        }
    }

    fn poll_write_substitute(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Some(rest) =
            self.substitute.get(self.substitute_written..).filter(|rest| !rest.is_empty())
        {
            let rest = rest.to_vec();
            match self.poll_write_stream(cx, &[IoSlice::new(&rest)]) {
                Poll::Ready(Ok(count)) => self.substitute_written += count,
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending => return Poll::Pending,
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for ClientConnection<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if read.is_ready() {
            let got_bytes = buffer.filled().len() > before;
            if got_bytes && self.phase.0.load(Ordering::Acquire) == IDLE {
                self.phase.0.store(READING_HEAD, Ordering::Release);
                let deadline = Instant::now() + self.header_timeout;
                self.head_deadline.as_mut().reset(deadline);
            }
            return read;
        }
        if self.phase.0.load(Ordering::Acquire) == READING_HEAD
            && self.head_deadline.as_mut().poll(cx).is_ready()
        {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        Poll::Pending
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for ClientConnection<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(cx, &[IoSlice::new(bytes)])
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Head and body in one call, so that a long body need not be copied behind its head first.
    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if self.substitute.is_empty() && self.phase.0.load(Ordering::Acquire) != ANSWERING {
            let head = parts.first().map_or(&[][..], |head| head);
            self.substitute = error_body::in_place_of_hyper(head).unwrap_or_default();
        }
        if self.substitute.is_empty() {
            return self.poll_write_stream(cx, parts);
        }
        match self.poll_write_substitute(cx) {
            Poll::Ready(Ok(())) => {
                self.substitute.clear();
                self.substitute_written = 0;
                Poll::Ready(Ok(parts.iter().map(|part| part.len()).sum()))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => Poll::Pending,
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
