//! A neighbour on the network whose mood the test sets: well, or misbehaving in one of the usual ways.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

#[derive(Clone, PartialEq, Eq)]
pub enum Mood {
    /// Hands everything on to the one it stands for.
    Forwarding(SocketAddr),
    /// The same, but each connection waits so long before it is handed on.
    Slow(SocketAddr, Duration),
    /// Answers each request with these bytes and closes.
    Saying(String),
    /// Takes requests and never answers.
    Hanging,
    /// Nobody listens.
    Refusing,
}

impl Mood {
    pub fn answering(status: &str, body: &str) -> Self {
        Self::Saying(format!(
            "HTTP/1.1 {status}\r\ncontent-type: application/json\r\nretry-after: 1\r\ncontent-length: {}\r\n\
             connection: close\r\n\r\n{body}",
            body.len()
        ))
    }
}

pub struct StandIn {
    pub address: SocketAddr,
    mood: watch::Sender<Mood>,
    listening: Option<JoinHandle<()>>,
    /// While nobody listens: the port, so that nobody else gets it meanwhile.
    kept: Option<TcpSocket>,
}

impl StandIn {
    pub async fn start(mood: Mood) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, receiver) = watch::channel(mood);
        let listening = Some(tokio::spawn(listen(listener, receiver)));
        Self { address, mood: sender, listening, kept: None }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Connections in the old mood end with it.
    pub async fn turn(&mut self, mood: Mood) {
        if let Some(listening) = self.listening.take() {
            listening.abort();
            let _ = listening.await;
        }
        let refuses = mood == Mood::Refusing;
        self.mood.send_replace(mood);
        let port = self.kept.take().unwrap_or_else(|| bind(self.address));
        if refuses {
            self.kept = Some(port);
        } else {
            let listener = port.listen(1024).unwrap();
            self.listening = Some(tokio::spawn(listen(listener, self.mood.subscribe())));
        }
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        if let Some(listening) = &self.listening {
            listening.abort();
        }
    }
}

fn bind(address: SocketAddr) -> TcpSocket {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_reuseaddr(true).unwrap();
    socket.bind(address).unwrap();
    socket
}

async fn listen(listener: TcpListener, mood: watch::Receiver<Mood>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else { continue };
        let mut mood = mood.clone();
        tokio::spawn(async move {
            let current = mood.borrow_and_update().clone();
            tokio::select! {
                () = serve(stream, current) => {}
                _ = mood.changed() => {}
            }
        });
    }
}

async fn serve(mut stream: TcpStream, mood: Mood) {
    match mood {
        Mood::Forwarding(address) => {
            if let Ok(mut other) = TcpStream::connect(address).await {
                let _ = tokio::io::copy_bidirectional(&mut stream, &mut other).await;
            }
        }
        Mood::Slow(address, pause) => {
            tokio::time::sleep(pause).await;
            if let Ok(mut other) = TcpStream::connect(address).await {
                let _ = tokio::io::copy_bidirectional(&mut stream, &mut other).await;
            }
        }
        Mood::Saying(answer) => {
            read_request(&mut stream).await;
            let _ = stream.write_all(answer.as_bytes()).await;
            let _ = stream.shutdown().await;
        }
        Mood::Hanging | Mood::Refusing => std::future::pending().await,
    }
}

/// To its end, since closing before would reset the answer away.
async fn read_request(stream: &mut TcpStream) {
    let mut seen = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        match stream.read(&mut buffer).await {
            Ok(count) if count > 0 => seen.extend_from_slice(&buffer[..count]),
            _ => return,
        }
        let text = String::from_utf8_lossy(&seen).to_lowercase();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        if body.len() >= length.and_then(|text| text.trim().parse().ok()).unwrap_or(0) {
            return;
        }
    }
}
