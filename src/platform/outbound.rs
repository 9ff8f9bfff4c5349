//! The one way out: an HTTP client with TLS, a time-out and no surprises.

use std::sync::Once;
use std::time::Duration;

static TLS: Once = Once::new();

/// A client whose every request ends within `timeout`, follows no redirect and asks no proxy.
pub fn client(timeout: Duration) -> reqwest::Result<reqwest::Client> {
    install_tls();
    reqwest::Client::builder()
        .timeout(timeout)
        .connect_timeout(timeout)
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .user_agent(concat!("touchline/", env!("CARGO_PKG_VERSION")))
        .build()
}

/// Chooses the one cryptography provider for every TLS connection of the process.
pub fn install_tls() {
    TLS.call_once(|| {
        // An error means that a provider is already chosen, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}
