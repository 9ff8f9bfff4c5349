//! How a PostgreSQL server is reached: the URL, TLS, and the settings of each session.

use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{Client, Config, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::error::translate;
use crate::platform::error::{DatabaseError, DatabaseResult};

const CONNECT_WAIT: Duration = Duration::from_secs(2);
/// A server that vanished without a word is noticed after about 15 seconds.
const KEEPALIVE: Duration = Duration::from_secs(5);
const KEEPALIVE_TRIES: u32 = 2;
/// A script that stands still inside a transaction holds locks; scripts never wait for the network.
const IDLE_IN_TRANSACTION_MS: u32 = 60_000;
const PLATFORM_CA_FILE: &str = "/etc/ssl/certs/ca-certificates.crt";

type TlsStream = <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream;

/// Where the server is and how to speak to it.
pub struct Server {
    config: Config,
    tls: MakeRustlsConnect,
}

fn parse(url: &str) -> DatabaseResult<Config> {
    // `require` checks the certificate and the name in it already, which is what the stricter words ask for.
    let url = url.replace("sslmode=verify-full", "sslmode=require");
    let url = url.replace("sslmode=verify-ca", "sslmode=require");
    // The driver's error names the option at fault and never its value.
    url.parse().map_err(|error: tokio_postgres::Error| {
        let detail = std::error::Error::source(&error).map(ToString::to_string);
        DatabaseError::Setup(format!(
            "the database URL is not understood: {}",
            detail.unwrap_or_default()
        ))
    })
}

/// Whether what is sent to this server is encrypted or does not leave the machine.
pub fn is_private(url: &str) -> DatabaseResult<bool> {
    let config = parse(url)?;
    let stays_here = |host: &Host| match host {
        Host::Tcp(name) => {
            name == "localhost" || name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
        }
        Host::Unix(_) => true,
    };
    let is_here = config.get_hosts().iter().all(stays_here)
        && config.get_hostaddrs().iter().all(IpAddr::is_loopback);
    Ok(is_here || config.get_ssl_mode() == SslMode::Require)
}

impl Server {
    /// Without a file of its own, certificates are trusted that the platform trusts.
    pub fn new(url: &str, tls_ca_file: &str) -> DatabaseResult<Self> {
        let mut config = parse(url)?;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_WAIT);
        }
        config
            .application_name("touchline")
            .keepalives_idle(KEEPALIVE)
            .keepalives_interval(KEEPALIVE)
            .keepalives_retries(KEEPALIVE_TRIES)
            .tcp_user_timeout(KEEPALIVE * (KEEPALIVE_TRIES + 1));
        let roots = match config.get_ssl_mode() {
            SslMode::Disable => RootCertStore::empty(),
            _ => trusted_roots(Some(Path::new(tls_ca_file)).filter(|_| !tls_ca_file.is_empty()))?,
        };
        Ok(Self { config, tls: MakeRustlsConnect::new(tls_config(roots)?) })
    }

    /// A session with its settings made; its connection is driven by the current runtime.
    pub async fn connect(&self, statement_timeout: Option<Duration>) -> DatabaseResult<Client> {
        let (client, connection) = self.dial().await?;
        // Its end shows as an error of whatever is asked of the client next.
        tokio::spawn(connection);
        // Lookups have no transaction of their own, and must not write either.
        let limit_ms = statement_timeout.map_or(0, |limit| limit.as_millis());
        let session = format!(
            "SET statement_timeout = {limit_ms}; SET lock_timeout = {limit_ms};
             SET idle_in_transaction_session_timeout = {IDLE_IN_TRANSACTION_MS}; SET jit = off;
             SET default_transaction_read_only = on"
        );
        client.batch_execute(&session).await.map_err(|error| translate(&error))?;
        Ok(client)
    }

    pub async fn dial(
        &self,
    ) -> DatabaseResult<(Client, tokio_postgres::Connection<Socket, TlsStream>)> {
        match self.config.connect(self.tls.clone()).await {
            Ok(connected) => Ok(connected),
            // `prefer` takes what it gets: a certificate that cannot be checked gives no more
            // safety than none. `require` always checks the certificate and the name in it.
            Err(error)
                if self.config.get_ssl_mode() == SslMode::Prefer
                    && error.to_string().contains("TLS") =>
            {
                tracing::warn!("PostgreSQL's certificate is not trusted; connecting without TLS");
                let mut plain = self.config.clone();
                plain.ssl_mode(SslMode::Disable);
                plain.connect(self.tls.clone()).await.map_err(|error| translate(&error))
            }
            Err(error) => Err(translate(&error)),
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
