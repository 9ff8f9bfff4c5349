//! The one way out: an HTTP client with TLS, a time-out and no surprises.

use std::sync::{LazyLock, Once};
use std::time::Duration;

use rustls::ClientConfig;
use rustls_platform_verifier::ConfigVerifierExt;

static PROVIDER: Once = Once::new();

/// The system's certificates, read once: each client would otherwise read them anew.
static TLS: LazyLock<Option<ClientConfig>> = LazyLock::new(|| {
    install_tls();
    ClientConfig::with_platform_verifier().ok()
});

/// On a connection that many requests share, a line that has died is noticed by this, not by each of them waiting in vain.
const SHARED_LINE_IS_ASKED: Duration = Duration::from_secs(20);
const SHARED_LINE_ANSWERS_WITHIN: Duration = Duration::from_secs(10);

/// A client whose every request ends within `timeout`, follows no redirect and asks no proxy.
pub fn client(timeout: Duration) -> reqwest::Result<reqwest::Client> {
    builder(timeout, TLS.clone()).build()
}

/// The same for services that take very many small requests: speaks HTTP/2 inside TLS with those that do.
pub fn http2_builder(timeout: Duration) -> reqwest::ClientBuilder {
    // A configuration that is handed over ready is taken as it is, so what is offered has to be in it.
    let tls = TLS.clone().map(|mut tls| {
        tls.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        tls
    });
    builder(timeout, tls)
        .http2_keep_alive_interval(SHARED_LINE_IS_ASKED)
        .http2_keep_alive_timeout(SHARED_LINE_ANSWERS_WITHIN)
        .http2_keep_alive_while_idle(true)
}

fn builder(timeout: Duration, tls: Option<ClientConfig>) -> reqwest::ClientBuilder {
    let builder = reqwest::Client::builder()
        .timeout(timeout)
        .connect_timeout(timeout)
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .user_agent(concat!("touchline/", env!("CARGO_PKG_VERSION")));
    match tls {
        Some(tls) => builder.tls_backend_preconfigured(tls),
        // Tries once more by itself, and says what is wrong.
        None => builder,
    }
}

/// Chooses the one cryptography provider for every TLS connection of the process.
pub fn install_tls() {
    PROVIDER.call_once(|| {
        // An error means that a provider is already chosen, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}
