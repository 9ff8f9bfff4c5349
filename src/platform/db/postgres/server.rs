//! How a PostgreSQL server is reached: which host it is at, TLS, and the settings of each session.

use std::future::poll_fn;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::select_ok;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres::config::{SslMode, TargetSessionAttrs};
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{AsyncMessage, Client, Config, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::error::translate;
use super::hosts::{hosts_of, parse};
use super::limited;
use crate::platform::error::{DatabaseError, DatabaseResult};

const CONNECT_WAIT: Duration = Duration::from_secs(2);
/// A server that takes connections and says nothing is given up after this; one that many come back to at once takes its time.
const SETTLING_WAIT: Duration = Duration::from_secs(3);
/// How much earlier the host that was the right one last time is asked than the others.
const HEAD_START: Duration = Duration::from_millis(100);
/// A server that vanished without a word is noticed after about 15 seconds.
const KEEPALIVE: Duration = Duration::from_secs(5);
const KEEPALIVE_TRIES: u32 = 2;
/// A script that stands still inside a transaction holds locks; scripts never wait for the network.
const IDLE_IN_TRANSACTION_MS: u32 = 60_000;
const SILENT: &str = "the server takes the connection and says nothing";
const PLATFORM_CA_FILE: &str = "/etc/ssl/certs/ca-certificates.crt";

type TlsStream = <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream;
type Dialled = (Client, tokio_postgres::Connection<Socket, TlsStream>);

/// Where the server is and how to speak to it.
pub struct Server {
    /// Where it may be; several when one takes another's place.
    hosts: Vec<Config>,
    /// The host that it was at last.
    last: AtomicUsize,
    tls: MakeRustlsConnect,
}

/// A connection with its settings made.
pub struct Session {
    pub client: Client,
    is_unreplicated: Arc<AtomicBool>,
}

impl Session {
    /// Whether a commit since the last time that this was asked is not known to be anywhere but on one server: somebody cancelled
    /// its wait for a standby. PostgreSQL reports such a commit as done and says so in a warning only.
    pub fn take_unreplicated(&self) -> bool {
        self.is_unreplicated.swap(false, Ordering::Relaxed)
    }
}

impl Server {
    /// Without a file of its own, certificates are trusted that the platform trusts.
    pub fn new(url: &str, tls_ca_file: &str) -> DatabaseResult<Self> {
        Self::at(hosts_of(&parse(url)?)?, tls_ca_file)
    }

    /// The same for one that is only read from, and takes writes or not.
    pub fn of_replica(url: &str, tls_ca_file: &str) -> DatabaseResult<Self> {
        let mut hosts = hosts_of(&parse(url)?)?;
        for host in &mut hosts {
            host.target_session_attrs(TargetSessionAttrs::Any);
        }
        Self::at(hosts, tls_ca_file)
    }

    fn at(mut hosts: Vec<Config>, tls_ca_file: &str) -> DatabaseResult<Self> {
        for host in &mut hosts {
            let connect_wait = host.get_connect_timeout().copied().unwrap_or(CONNECT_WAIT);
            host.connect_timeout(connect_wait)
                .application_name("touchline")
                .keepalives_idle(KEEPALIVE)
                .keepalives_interval(KEEPALIVE)
                .keepalives_retries(KEEPALIVE_TRIES)
                .tcp_user_timeout(KEEPALIVE * (KEEPALIVE_TRIES + 1));
        }
        let is_plain = hosts.iter().all(|host| host.get_ssl_mode() == SslMode::Disable);
        let roots = if is_plain {
            RootCertStore::empty()
        } else {
            trusted_roots(Some(Path::new(tls_ca_file)).filter(|_| !tls_ca_file.is_empty()))?
        };
        let tls = MakeRustlsConnect::new(tls_config(roots)?);
        Ok(Self { hosts, last: AtomicUsize::new(0), tls })
    }

    /// A session with its settings made; its connection is driven by the current runtime.
    pub async fn connect(&self, statement_timeout: Option<Duration>) -> DatabaseResult<Session> {
        let (client, connection) = self.dial().await?;
        let is_unreplicated = Arc::new(AtomicBool::new(false));
        tokio::spawn(drive(connection, Arc::clone(&is_unreplicated)));
        // Lookups have no transaction of their own, and must not write either.
        let limit_ms = statement_timeout.map_or(0, |limit| limit.as_millis());
        let settings = format!(
            "SET statement_timeout = {limit_ms}; SET lock_timeout = {limit_ms};
             SET idle_in_transaction_session_timeout = {IDLE_IN_TRANSACTION_MS}; SET jit = off;
             SET default_transaction_read_only = on"
        );
        limited(Some(SETTLING_WAIT), client.batch_execute(&settings)).await?;
        Ok(Session { client, is_unreplicated })
    }

    /// A connection to the first host that takes writes; one that says nothing holds nobody up.
    pub async fn dial(&self) -> DatabaseResult<Dialled> {
        let last = self.last.load(Ordering::Relaxed);
        let attempts = self.hosts.iter().enumerate().map(|(number, host)| {
            let wait = if number == last { Duration::ZERO } else { HEAD_START };
            Box::pin(async move {
                tokio::time::sleep(wait).await;
                self.dial_host(host).await.map(|dialled| (number, dialled))
            })
        });
        let ((host, dialled), _) = select_ok(attempts).await?;
        self.last.store(host, Ordering::Relaxed);
        Ok(dialled)
    }

    async fn dial_host(&self, host: &Config) -> DatabaseResult<Dialled> {
        let limit = host.get_connect_timeout().copied().unwrap_or(CONNECT_WAIT) + SETTLING_WAIT;
        let dialling = tokio::time::timeout(limit, self.dial_with_tls(host)).await;
        dialling.unwrap_or_else(|_| Err(DatabaseError::Lost(SILENT.to_owned())))
    }

    async fn dial_with_tls(&self, host: &Config) -> DatabaseResult<Dialled> {
        match host.connect(self.tls.clone()).await {
            Ok(connected) => Ok(connected),
            // `prefer` takes what it gets: a certificate that cannot be checked gives no more
            // safety than none. `require` always checks the certificate and the name in it.
            Err(error)
                if host.get_ssl_mode() == SslMode::Prefer && error.to_string().contains("TLS") =>
            {
                tracing::warn!("PostgreSQL's certificate is not trusted; connecting without TLS");
                let mut plain = host.clone();
                plain.ssl_mode(SslMode::Disable);
                plain.connect(self.tls.clone()).await.map_err(|error| translate(&error))
            }
            Err(error) => Err(translate(&error)),
        }
    }
}

/// The connection's end shows as an error of whatever is asked of its client next.
async fn drive(
    mut connection: tokio_postgres::Connection<Socket, TlsStream>,
    is_unreplicated: Arc<AtomicBool>,
) {
    while let Some(Ok(message)) = poll_fn(|cx| connection.poll_message(cx)).await {
        // Named by where it comes from in the server, since its words are in the server's language.
        if let AsyncMessage::Notice(notice) = message
            && notice.routine() == Some("SyncRepWaitForLSN")
        {
            is_unreplicated.store(true, Ordering::Relaxed);
        }
    }
}

fn tls_config(roots: RootCertStore) -> DatabaseResult<ClientConfig> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| DatabaseError::Setup(format!("TLS cannot be set up: {error}")))?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}

/// The certificate authorities of the given file, or of the platform if it has the usual file.
fn trusted_roots(ca_file: Option<&Path>) -> DatabaseResult<RootCertStore> {
    let mut roots = RootCertStore::empty();
    let path = ca_file.unwrap_or(Path::new(PLATFORM_CA_FILE));
    if ca_file.is_none() && !path.exists() {
        return Ok(roots);
    }
    let unreadable = |error| {
        DatabaseError::Setup(format!("the CA file {} is not readable: {error}", path.display()))
    };
    for certificate in CertificateDer::pem_file_iter(path).map_err(unreadable)? {
        // Platform files hold the odd certificate that rustls refuses; the others still count.
        drop(roots.add(certificate.map_err(unreadable)?));
    }
    if ca_file.is_some() && roots.is_empty() {
        return Err(DatabaseError::Setup(format!(
            "the CA file {} holds no certificate",
            path.display()
        )));
    }
    Ok(roots)
}
