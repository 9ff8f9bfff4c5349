//! The load generator: one thread, non-blocking sockets, prepared requests, nothing else.
//!
//! It shares the machine with what it measures, so it does as little as it can: one write and usually one read for each
//! request. Each connection is kept alive and asks again as soon as it is answered.

use std::io::{ErrorKind, Read, Write};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};

use crate::Outcome;
use crate::answer::Reader;
use crate::figures::{Rounds, millis, per_second};

/// Nothing takes this long unless something is broken.
const PATIENCE: Duration = Duration::from_secs(20);
const PIECE: usize = 64 * 1024;
/// Connections over which an even pace is kept.
const TRICKLES: usize = 8;

/// Requests written out in full, sent in turn.
#[derive(Debug, Default, Clone)]
pub struct Requests(Vec<Vec<u8>>);

impl Requests {
    pub fn get(&mut self, path: &str, token: &str) {
        let authorization = authorization(token);
        self.0.push(format!("GET {path} HTTP/1.1\r\nHost: bench\r\n{authorization}\r\n").into());
    }

    pub fn post(&mut self, path: &str, token: &str, body: &str) {
        self.send("POST", path, token, body);
    }

    pub fn send(&mut self, method: &str, path: &str, token: &str, body: &str) {
        let (authorization, length) = (authorization(token), body.len());
        let head = format!("{method} {path} HTTP/1.1\r\nHost: bench\r\n{authorization}");
        let kind = "Content-Type: application/json\r\n";
        self.0.push(format!("{head}{kind}Content-Length: {length}\r\n\r\n{body}").into());
    }
}

fn authorization(token: &str) -> String {
    if token.is_empty() { String::new() } else { format!("Authorization: Bearer {token}\r\n") }
}

#[derive(Debug, Clone, Copy)]
pub enum Length {
    /// The requests go round for so long.
    Time(Duration),
    /// Each request is sent once.
    Once,
}

#[derive(Debug, Clone, Copy)]
pub struct Measured {
    pub per_second: f64,
    pub p50_ms: f64,
    pub p99_ms: f64,
}

/// Asks until the time is over or the requests are used up. An answer that is no success is an error: what is measured
/// would not be what is meant.
pub fn run(
    servers: &[SocketAddr],
    connections: usize,
    requests: &Requests,
    length: Length,
) -> Outcome<Measured> {
    let mut poll = Poll::new()?;
    let mut lines = Vec::new();
    for (at, server) in servers.iter().cycle().take(connections).enumerate() {
        let mut stream = connect(*server)?;
        poll.registry().register(
            &mut stream,
            Token(at),
            Interest::READABLE | Interest::WRITABLE,
        )?;
        lines.push(Line::new(stream));
    }
    let started = Instant::now();
    let mut feed = Feed { requests, next: 0, length, started };
    for line in &mut lines {
        line.ask_next(&mut feed)?;
    }
    let (mut events, mut micros, mut last) = (Events::with_capacity(1024), Vec::new(), started);
    let mut piece = vec![0; PIECE];
    while lines.iter().any(|line| line.waits_for.is_some()) {
        poll.poll(&mut events, Some(PATIENCE))?;
        if events.is_empty() {
            return Err("the server gave no answer for a long time".into());
        }
        for event in &events {
            let Some(line) = lines.get_mut(event.token().0) else { continue };
            if event.is_writable() {
                line.flush(&feed)?;
            }
            if event.is_readable() && line.is_answered(&mut piece)? {
                let now = Instant::now();
                if feed.is_counted(now) {
                    micros.push(line.took(now));
                    last = now;
                }
                line.ask_next(&mut feed)?;
            }
        }
    }
    let took = match length {
        Length::Time(time) => time,
        Length::Once => last.duration_since(started),
    };
    Ok(summary(micros, took))
}

/// Sends requests at an even pace over a few connections, each request once, until told to end; answers how many were answered.
pub fn trickle(
    server: SocketAddr,
    requests: &Requests,
    a_second: u32,
    is_over: &AtomicBool,
) -> Outcome<usize> {
    let pause = Duration::from_secs(1) * u32::try_from(TRICKLES)? / a_second;
    let trickle = |first: usize| -> Result<usize, String> {
        let send = || -> Outcome<usize> {
            let mut stream = std::net::TcpStream::connect(server)?;
            stream.set_nodelay(true)?;
            stream.set_read_timeout(Some(PATIENCE))?;
            let (mut piece, mut reader, mut sent) = (vec![0; PIECE], Reader::default(), 0);
            let mut due = Instant::now();
            for request in requests.0.iter().skip(first).step_by(TRICKLES) {
                if is_over.load(Ordering::Relaxed) {
                    break;
                }
                std::thread::sleep(due.saturating_duration_since(Instant::now()));
                due += pause;
                stream.write_all(request)?;
                loop {
                    let read = stream.read(&mut piece)?;
                    if read == 0 {
                        return Err("the server closed a connection".into());
                    }
                    if reader.take(piece.get(..read).unwrap_or_default())? {
                        break;
                    }
                }
                sent += 1;
            }
            Ok(sent)
        };
        send().map_err(|error| error.to_string())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..TRICKLES).map(|first| scope.spawn(move || trickle(first))).collect();
        let mut sent = 0;
        for thread in threads {
            sent += thread.join().map_err(|_| "a thread of the load generator panicked")??;
        }
        Ok(sent)
    })
}

fn summary(mut micros: Vec<u32>, took: Duration) -> Measured {
    micros.sort_unstable();
    let at = |part: usize| micros.get(micros.len() * part / 100).copied().unwrap_or(0);
    let count = u64::try_from(micros.len()).unwrap_or(u64::MAX);
    Measured {
        per_second: per_second(count, took),
        p50_ms: f64::from(at(50)) / 1_000.0,
        p99_ms: f64::from(at(99)) / 1_000.0,
    }
}

fn connect(server: SocketAddr) -> Outcome<TcpStream> {
    let stream = std::net::TcpStream::connect(server)?;
    stream.set_nodelay(true)?;
    stream.set_nonblocking(true)?;
    Ok(TcpStream::from_std(stream))
}

/// Which request comes next, if any.
struct Feed<'a> {
    requests: &'a Requests,
    next: usize,
    length: Length,
    started: Instant,
}

impl Feed<'_> {
    fn take(&mut self, now: Instant) -> Option<usize> {
        let count = self.requests.0.len();
        let is_over = match self.length {
            Length::Time(time) => now.duration_since(self.started) >= time,
            Length::Once => self.next >= count,
        };
        let taken = self.next;
        self.next += 1;
        (!is_over && count > 0).then(|| taken % count)
    }

    fn is_counted(&self, now: Instant) -> bool {
        match self.length {
            Length::Time(time) => now.duration_since(self.started) < time,
            Length::Once => true,
        }
    }
}

/// One connection.
struct Line {
    stream: TcpStream,
    /// The request that was asked last, while it is not answered.
    waits_for: Option<usize>,
    sent: usize,
    asked_at: Instant,
    reader: Reader,
}

impl Line {
    fn new(stream: TcpStream) -> Self {
        Self {
            stream,
            waits_for: None,
            sent: 0,
            asked_at: Instant::now(),
            reader: Reader::default(),
        }
    }

    fn took(&self, now: Instant) -> u32 {
        u32::try_from(now.duration_since(self.asked_at).as_micros()).unwrap_or(u32::MAX)
    }

    fn ask_next(&mut self, feed: &mut Feed<'_>) -> Outcome<()> {
        let now = Instant::now();
        self.waits_for = feed.take(now);
        (self.sent, self.asked_at) = (0, now);
        self.flush(feed)
    }

    /// Sends what is not yet sent, as far as the socket takes it.
    fn flush(&mut self, feed: &Feed<'_>) -> Outcome<()> {
        let request = self.waits_for.and_then(|at| feed.requests.0.get(at));
        while let Some(rest) = request.and_then(|request| request.get(self.sent..)) {
            if rest.is_empty() {
                break;
            }
            match self.stream.write(rest) {
                Ok(sent) => self.sent += sent,
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Reads what is there; true once the answer is whole.
    fn is_answered(&mut self, piece: &mut [u8]) -> Outcome<bool> {
        loop {
            let read = match self.stream.read(piece) {
                Ok(0) => return Err("the server closed a connection".into()),
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
                Err(error) => return Err(error.into()),
            };
            let is_whole = self.reader.take(piece.get(..read).unwrap_or_default())?;
            // A short read has emptied the socket; the next bytes are announced anew.
            if is_whole || read < piece.len() {
                return Ok(is_whole);
            }
        }
    }
}

/// How many answers wrk gets in a second, to check this generator by another.
pub fn wrk(url: &str, connections: usize, time: Duration) -> Outcome<f64> {
    let seconds = time.as_secs().max(1);
    let output = std::process::Command::new("wrk")
        .args(["-t1", "-c", &connections.to_string(), "-d", &format!("{seconds}s"), url])
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let figure = text.lines().find_map(|line| line.strip_prefix("Requests/sec:"));
    Ok(figure.ok_or_else(|| format!("wrk said: {text}"))?.trim().parse()?)
}

/// For curves whose figure is a time: the median of so many requests, one at a time, to the first byte and to the last.
pub fn first_byte(server: SocketAddr, request: &Requests, times: usize) -> Outcome<(f64, f64)> {
    let request = request.0.first().ok_or("there is no request")?;
    let (mut first, mut whole) = (Rounds::default(), Rounds::default());
    let mut stream = std::net::TcpStream::connect(server)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut piece = vec![0; PIECE];
    for _ in 0..times {
        let (asked, mut reader) = (Instant::now(), Reader::default());
        stream.write_all(request)?;
        let mut is_first = true;
        loop {
            let read = stream.read(&mut piece)?;
            if read == 0 {
                return Err("the server closed a connection".into());
            }
            if std::mem::take(&mut is_first) {
                first.push(millis(asked.elapsed()));
            }
            if reader.take(piece.get(..read).unwrap_or_default())? {
                break;
            }
        }
        whole.push(millis(asked.elapsed()));
    }
    Ok((first.median(), whole.median()))
}
