//! A server that answers each connection with the next step of a script and remembers what it was asked.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use reqwest::Url;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

#[derive(Clone)]
pub enum Step {
    Answer(String),
    /// Takes the request and never answers.
    Hang,
    /// Sends a head and the beginning of a body, and no more.
    HangAfter(String),
    /// Resets the connection in the middle of the request.
    Reset,
    /// Talks before it is asked, and not in TLS.
    Blurt,
    /// Reads the request, then ends the connection without an answer.
    Close,
}

/// An answer with this status, more headers (each line with its `\r\n`) and body.
pub fn answer_with(status: u16, headers: &str, body: &str) -> Step {
    let length = body.len();
    Step::Answer(format!(
        "HTTP/1.1 {status} X\r\ncontent-length: {length}\r\nconnection: close\r\n{headers}\r\n{body}"
    ))
}

pub fn answer(status: u16, body: &str) -> Step {
    answer_with(status, "content-type: application/json\r\n", body)
}

#[derive(Debug, Clone)]
pub struct Request {
    pub line: String,
    pub headers: BTreeMap<String, String>,
    pub body: String,
}

impl Request {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    pub fn form(&self) -> Vec<(String, String)> {
        let url = Url::parse(&format!("http://form.example/?{}", self.body)).unwrap();
        url.query_pairs().into_owned().collect()
    }
}

pub struct Server {
    pub url: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    /// Runs the script, and its last step again and again.
    pub async fn start(script: &[Step]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let mut steps = script.to_vec();
        steps.reverse();
        let seen = requests.clone();
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let step = if steps.len() > 1 { steps.pop().unwrap() } else { steps[0].clone() };
                tokio::spawn(play(stream, step, seen.clone()));
            }
        });
        Self { url, requests }
    }

    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    pub fn only_request(&self) -> Request {
        let mut requests = self.requests();
        assert_eq!(requests.len(), 1, "{requests:?}");
        requests.remove(0)
    }
}

/// An address that refuses connections.
pub async fn nobody() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

async fn play(mut stream: TcpStream, step: Step, seen: Arc<Mutex<Vec<Request>>>) {
    if matches!(step, Step::Reset) {
        // Closing with bytes unread makes the kernel reset the connection.
        stream.read_u8().await.unwrap();
        return;
    }
    if matches!(step, Step::Blurt) {
        stream.write_all(b"HTTP/1.1 400 X\r\n\r\n").await.unwrap();
        return std::future::pending::<()>().await;
    }
    let request = read(&mut stream).await;
    seen.lock().unwrap().push(request);
    match step {
        Step::Answer(text) => {
            // A client that has read enough may be gone.
            let _ = stream.write_all(text.as_bytes()).await;
        }
        Step::HangAfter(text) => {
            stream.write_all(text.as_bytes()).await.unwrap();
            std::future::pending::<()>().await;
        }
        Step::Hang => std::future::pending::<()>().await,
        Step::Reset | Step::Blurt | Step::Close => {}
    }
}

async fn read(stream: &mut TcpStream) -> Request {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let mut lines = head.lines();
            let line = lines.next().unwrap().to_owned();
            let headers: BTreeMap<_, _> = lines
                .map(|line| line.split_once(": ").unwrap())
                .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
                .collect();
            let length = headers.get("content-length").map_or(0, |text| text.parse().unwrap());
            if body.len() >= length {
                return Request { line, headers, body: body.to_owned() };
            }
        }
        let count = stream.read_buf(&mut bytes).await.unwrap();
        assert!(count > 0, "the request ended early: {text}");
    }
}
