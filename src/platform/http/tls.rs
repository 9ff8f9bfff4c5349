//! TLS without a proxy in front: the service's own certificate.
//!
//! Owns: the certificate and its key, reading them anew when their files change, and how a connection begins.
//! Invariants: a pair that does not work never takes the place of one that does; whoever has not finished the handshake in time is
//! gone; plain HTTP is spoken with this machine alone.
//! Never: logs what is in a file.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use rustls::ServerConfig;
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use tokio_util::sync::CancellationToken;

use crate::platform::config::{ConfigError, TlsConfig};

use super::connection::{ClientConnection, Phase};
use super::error_body;

const HTTP2: &[u8] = b"h2";
const HTTP1: &[u8] = b"http/1.1";
/// The first byte of every TLS connection, and of no HTTP request.
const TLS_HANDSHAKE: u8 = 0x16;
const LOOK_AT_FILES_EVERY: Duration = Duration::from_secs(1);

/// How a connection goes on after its first bytes.
pub enum Greeting {
    Plain(TcpStream),
    Http1(Box<TlsStream<TcpStream>>),
    Http2(Box<TlsStream<TcpStream>>),
    /// It is over.
    Ended,
}

#[derive(Clone)]
pub struct Tls {
    acceptor: TlsAcceptor,
    pair: Arc<Pair>,
    /// Of the files when they were read at the start, so that a change since then is seen.
    first_marks: Marks,
}

/// The certificate in use, and where it comes from.
#[derive(Debug)]
struct Pair {
    certificate_file: PathBuf,
    key_file: PathBuf,
    provider: Arc<CryptoProvider>,
    in_use: RwLock<Arc<CertifiedKey>>,
}

/// That a file is another one than before, without reading it.
type Marks = [Option<(SystemTime, u64)>; 2];

/// Both files or none.
pub fn check(config: &TlsConfig) -> Result<(), ConfigError> {
    match (config.certificate_file.is_empty(), config.key_file.is_empty()) {
        (true, false) => {
            Err(ConfigError::new("tls.certificate_file must be set where tls.key_file is."))
        }
        (false, true) => {
            Err(ConfigError::new("tls.key_file must be set where tls.certificate_file is."))
        }
        _ => Ok(()),
    }
}

impl Tls {
    /// With the certificate of the settings, or nothing if there is none.
    pub fn open(config: &TlsConfig) -> Result<Option<Self>, ConfigError> {
        if !config.is_on() {
            return Ok(None);
        }
        let provider = Arc::new(ring::default_provider());
        let (certificate_file, key_file) =
            (PathBuf::from(&config.certificate_file), PathBuf::from(&config.key_file));
        let first_marks = marks(&certificate_file, &key_file);
        let first = read(&certificate_file, &key_file, &provider)?;
        let in_use = RwLock::new(Arc::new(first));
        let pair = Arc::new(Pair { certificate_file, key_file, provider, in_use });
        let unusable =
            |error: rustls::Error| ConfigError::new(format!("TLS cannot be set up: {error}."));
        let mut settings = ServerConfig::builder_with_provider(pair.provider.clone())
            .with_safe_default_protocol_versions()
            .map_err(unusable)?
            .with_no_client_auth()
            .with_cert_resolver(pair.clone());
        settings.alpn_protocols = vec![HTTP2.to_vec(), HTTP1.to_vec()];
        // Whoever comes back skips most of the handshake, and nothing is kept for them here.
        settings.ticketer = ring::Ticketer::new().map_err(unusable)?;
        Ok(Some(Self { acceptor: TlsAcceptor::from(Arc::new(settings)), pair, first_marks }))
    }

    /// Finds out what the caller speaks, and does the handshake with those who speak TLS.
    pub async fn greet(&self, stream: TcpStream, within: Duration) -> Greeting {
        let begun = timeout(within, self.begin(stream, within)).await;
        begun.unwrap_or_else(|_| Greeting::failed())
    }

    async fn begin(&self, stream: TcpStream, within: Duration) -> Greeting {
        let mut first = [0];
        if !matches!(stream.peek(&mut first).await, Ok(1)) {
            // Gone without a word, as those are who only look whether the port is open.
            return Greeting::Ended;
        }
        if first != [TLS_HANDSHAKE] {
            return if is_from_here(&stream) {
                Greeting::Plain(stream)
            } else {
                refuse_plain(stream, within).await
            };
        }
        match self.acceptor.accept(stream).await {
            Ok(stream) if stream.get_ref().1.alpn_protocol() == Some(HTTP2) => {
                Greeting::Http2(Box::new(stream))
            }
            Ok(stream) => Greeting::Http1(Box::new(stream)),
            Err(error) => {
                tracing::debug!(%error, "a TLS handshake failed");
                Greeting::failed()
            }
        }
    }

    /// Reads the files anew whenever they change, until the stop signal.
    pub async fn keep_fresh(&self, stop: &CancellationToken) {
        let stale = metrics::gauge!("touchline_tls_certificate_stale");
        stale.set(0);
        let mut seen = self.first_marks;
        while timeout(LOOK_AT_FILES_EVERY, stop.cancelled()).await.is_err() {
            let marks = marks(&self.pair.certificate_file, &self.pair.key_file);
            if marks == seen {
                continue;
            }
            seen = marks;
            match self.pair.read_again() {
                Ok(()) => {
                    tracing::info!("the certificate was read anew");
                    stale.set(0);
                }
                Err(error) => {
                    tracing::warn!(%error, "the changed certificate is not used: the one from before stays");
                    stale.set(1);
                }
            }
        }
    }
}

impl Greeting {
    fn failed() -> Self {
        metrics::counter!("touchline_tls_failed_handshakes_total").increment(1);
        Self::Ended
    }
}

impl Pair {
    fn read_again(&self) -> Result<(), ConfigError> {
        let pair = read(&self.certificate_file, &self.key_file, &self.provider)?;
        *self.in_use.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(pair);
        Ok(())
    }
}

impl ResolvesServerCert for Pair {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.in_use.read().unwrap_or_else(PoisonError::into_inner).clone())
    }
}

fn marks(certificate_file: &Path, key_file: &Path) -> Marks {
    [certificate_file, key_file].map(|file| {
        let file = std::fs::metadata(file).ok()?;
        Some((file.modified().ok()?, file.len()))
    })
}

fn read(
    certificate_file: &Path,
    key_file: &Path,
    provider: &CryptoProvider,
) -> Result<CertifiedKey, ConfigError> {
    let refuse = |key: &str, file: &Path, why: &dyn std::fmt::Display| {
        ConfigError::new(format!("{key} {} cannot be used: {why}.", file.display()))
    };
    let certificates = CertificateDer::pem_file_iter(certificate_file)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| refuse("tls.certificate_file", certificate_file, &error))?;
    if certificates.is_empty() {
        return Err(refuse("tls.certificate_file", certificate_file, &"it has no certificate"));
    }
    let key = PrivateKeyDer::from_pem_file(key_file)
        .map_err(|error| refuse("tls.key_file", key_file, &error))?;
    CertifiedKey::from_der(certificates, key, provider).map_err(|error| match error {
        rustls::Error::InconsistentKeys(_) => {
            refuse("tls.key_file", key_file, &"it is not the key of tls.certificate_file")
        }
        error => refuse("tls.certificate_file", certificate_file, &error),
    })
}

/// Whether both ends are on this machine: the loopback address, or one of the machine's own.
fn is_from_here(stream: &TcpStream) -> bool {
    match (stream.peer_addr(), stream.local_addr()) {
        (Ok(peer), Ok(here)) => are_one_machine(peer.ip(), here.ip()),
        _ => false,
    }
}

fn are_one_machine(peer: IpAddr, here: IpAddr) -> bool {
    let (peer, here) = (peer.to_canonical(), here.to_canonical());
    peer.is_loopback() || peer == here
}

/// Whatever was asked is not done: it came in clear text, and the next must not.
async fn refuse_plain(mut stream: TcpStream, within: Duration) -> Greeting {
    let message = "Use https: this address takes nothing in clear text.";
    let answer = error_body::raw_answer("400 Bad Request", "https_required", message, None);
    if stream.write_all(&answer).await.is_ok() {
        ClientConnection::new(stream, Phase::new(), within, within).linger().await;
    }
    Greeting::Ended
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_http_is_for_callers_on_the_same_machine() {
        for (peer, here, is_one) in [
            ("127.0.0.1", "127.0.0.1", true),
            ("::1", "::1", true),
            ("::ffff:127.0.0.1", "::ffff:127.0.0.1", true),
            ("192.0.2.7", "192.0.2.7", true),
            ("::ffff:192.0.2.7", "192.0.2.7", true),
            ("192.0.2.8", "192.0.2.7", false),
            ("::ffff:192.0.2.8", "::ffff:192.0.2.7", false),
            ("2001:db8::1", "2001:db8::2", false),
        ] {
            let (peer, here) = (peer.parse().unwrap(), here.parse().unwrap());
            assert_eq!(are_one_machine(peer, here), is_one, "{peer} at {here}");
        }
    }
}
