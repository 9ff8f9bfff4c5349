//! HTTP/1.1 on a connection that was let in, plain or inside TLS.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use http::{HeaderValue, Request, header};
use http_body::{Frame, SizeHint};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};

use super::connection::{AnswerGuard, ClientConnection, Phase};
use super::serve::{Host, Peer};

/// When the service has left, connections are read for this long before they are asked to end: a request that was on its way is
/// answered, where hyper would close a connection that it has read nothing from.
const LAST_REQUESTS: Duration = Duration::from_millis(100);

pub async fn converse<S>(stream: S, peer: SocketAddr, host: Host)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let Host { answerer, limits, leaving, closing } = host;
    let phase = Phase::new();
    let connection = ClientConnection::new(
        stream,
        phase.clone(),
        limits.header_timeout(),
        limits.write_timeout(),
    );
    let service = service_fn(move |mut request: Request<Incoming>| {
        let guard = phase.answering();
        let leaving = leaving.clone();
        request.extensions_mut().insert(Peer(peer));
        let answer = answerer.answer(request.map(Body::new));
        // Boxed, since hyper gives a connection back (to linger on) only if its futures can be moved.
        Box::pin(async move {
            let mut answer = answer.await.map(|body| Guarded { body, _guard: guard });
            if leaving.is_cancelled() {
                let close = HeaderValue::from_static("close");
                answer.headers_mut().insert(header::CONNECTION, close);
            }
            Ok::<_, Infallible>(answer)
        })
    });
    let mut connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.idle_timeout())
        .max_buf_size(limits.head_limit_bytes)
        .max_headers(limits.header_count_limit)
        .serve_connection(TokioIo::new(connection), service);
    let ended = {
        let mut stopping = pin!(async {
            closing.cancelled().await;
            tokio::time::sleep(LAST_REQUESTS).await;
        });
        tokio::select! {
            biased;
            ended = std::future::poll_fn(|cx| connection.poll_without_shutdown(cx)) => Some(ended),
            () = &mut stopping => None,
        }
    };
    if ended.is_none() {
        Pin::new(&mut connection).graceful_shutdown();
        // How it ends no longer matters: the drain time bounds it.
        let _ = std::future::poll_fn(|cx| connection.poll_without_shutdown(cx)).await;
    }
    connection.into_parts().io.into_inner().linger().await;
}

/// A response body that tells the connection when it is over.
struct Guarded {
    body: Body,
    _guard: AnswerGuard,
}

impl http_body::Body for Guarded {
    type Data = bytes::Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
