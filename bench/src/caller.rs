//! Keep-alive connections that ask and wait, and hand an answer over whatever it is.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::Outcome;

/// Longer than the longest wait for news.
const PATIENCE: Duration = Duration::from_secs(45);

/// Longer than any number of calls may take together.
const LONG_PATIENCE: Duration = Duration::from_secs(60);

pub struct Caller {
    stream: BufReader<TcpStream>,
    /// Sent with every request, each with its line break.
    headers: String,
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub body: Vec<u8>,
}

impl Answer {
    /// Stands for an answer that never came.
    fn none(why: &str) -> Self {
        Self { status: 0, body: why.into() }
    }

    pub const fn is_success(&self) -> bool {
        self.status >= 200 && self.status < 300
    }

    /// Refuses all but successes.
    pub fn success(self) -> Outcome<Self> {
        if self.is_success() {
            return Ok(self);
        }
        Err(format!("no success: {} {}", self.status, String::from_utf8_lossy(&self.body)).into())
    }

    pub fn json(self) -> Outcome<Value> {
        Ok(serde_json::from_slice(&self.success()?.body)?)
    }
}

impl Caller {
    pub async fn connect(server: SocketAddr) -> Outcome<Self> {
        let stream = TcpStream::connect(server).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::new(stream), headers: String::new() })
    }

    /// From now on these are sent as well, each with its line break.
    pub fn set_headers(&mut self, headers: String) {
        self.headers = headers;
    }

    pub async fn get(&mut self, path: &str, token: &str) -> Outcome<Answer> {
        self.ask("GET", path, token, "").await
    }

    pub async fn post(&mut self, path: &str, token: &str, body: &str) -> Outcome<Answer> {
        self.ask("POST", path, token, body).await
    }

    pub async fn ask(
        &mut self,
        method: &str,
        path: &str,
        token: &str,
        body: &str,
    ) -> Outcome<Answer> {
        let (length, headers) = (body.len(), &self.headers);
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: bench\r\n{headers}Authorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        self.stream.get_mut().write_all(request.as_bytes()).await?;
        tokio::time::timeout(PATIENCE, self.answer()).await?
    }

    async fn answer(&mut self) -> Outcome<Answer> {
        let head = self.line().await?;
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.ok_or_else(|| format!("no answer: {head:?}"))?;
        let (mut length, mut is_chunked) = (0, false);
        loop {
            // Servers differ in how they write the names of headers.
            let line = self.line().await?.to_ascii_lowercase();
            match line.split_once(':') {
                Some(("content-length", value)) => length = value.trim().parse()?,
                Some(("transfer-encoding", value)) => is_chunked = value.trim() == "chunked",
                Some(_) => {}
                None => break,
            }
        }
        let body = if is_chunked { self.chunks().await? } else { self.bytes(length).await? };
        Ok(Answer { status, body })
    }

    async fn chunks(&mut self) -> Outcome<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let size = usize::from_str_radix(&self.line().await?, 16)?;
            body.extend(self.bytes(size).await?);
            self.line().await?;
            if size == 0 {
                return Ok(body);
            }
        }
    }

    async fn bytes(&mut self, count: usize) -> Outcome<Vec<u8>> {
        let mut bytes = vec![0; count];
        self.stream.read_exact(&mut bytes).await?;
        Ok(bytes)
    }

    /// Without its line break.
    async fn line(&mut self) -> Outcome<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line).await? == 0 {
            return Err("the server closed a connection".into());
        }
        Ok(line.trim_end().to_owned())
    }
}

/// A path to post to, and the token to do it with.
pub type Post = (String, String);

/// Posts to every path once, over so many connections. Answers in the order of the paths.
pub async fn post_all(
    server: SocketAddr,
    connections: usize,
    posts: Vec<Post>,
) -> Outcome<Vec<Answer>> {
    let (posts, next) = (Arc::new(posts), Arc::new(AtomicUsize::new(0)));
    let (give_up, mut lines) = (Instant::now() + LONG_PATIENCE, JoinSet::new());
    for _ in 0..connections {
        let (posts, next) = (posts.clone(), next.clone());
        lines.spawn(async move {
            let (mut caller, mut answers) = (Caller::connect(server).await?, Vec::new());
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some((path, token)) = posts.get(at) else { return Outcome::Ok(answers) };
                if Instant::now() > give_up {
                    answers.push((at, Answer::none("too late")));
                    continue;
                }
                match caller.post(path, token, "{}").await {
                    Ok(answer) => answers.push((at, answer)),
                    Err(error) => {
                        answers.push((at, Answer::none(&error.to_string())));
                        caller = Caller::connect(server).await?;
                    }
                }
            }
        });
    }
    let mut answers = Vec::new();
    while let Some(line) = lines.join_next().await {
        answers.extend(line??);
    }
    answers.sort_by_key(|(at, _)| *at);
    Ok(answers.into_iter().map(|(_, answer)| answer).collect())
}
