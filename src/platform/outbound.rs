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

/// A client whose every request ends within `timeout`, follows no redirect and asks no proxy.
pub fn client(timeout: Duration) -> reqwest::Result<reqwest::Client> {
    let builder = reqwest::Client::builder()
        .timeout(timeout)
        .connect_timeout(timeout)
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .user_agent(concat!("touchline/", env!("CARGO_PKG_VERSION")));
    match &*TLS {
        Some(tls) => builder.tls_backend_preconfigured(tls.clone()).build(),
        // Tries once more by itself, and says what is wrong.
        None => builder.build(),
    }
}

/// Chooses the one cryptography provider for every TLS connection of the process.
pub fn install_tls() {
    PROVIDER.call_once(|| {
        // An error means that a provider is already chosen, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}
