//! The log of the whole run, in a file that `scripts/check-log` reads for secrets afterwards.

use std::fs::File;
use std::sync::Once;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::SubscriberExt;

static START: Once = Once::new();

/// Everything the service itself says goes to `it-<process>.log` in the target's folder for temporary files.
pub fn start() {
    START.call_once(|| {
        let path = format!("{}/it-{}.log", env!("CARGO_TARGET_TMPDIR"), std::process::id());
        let lines = tracing_subscriber::fmt::layer()
            .json()
            .with_writer(std::sync::Mutex::new(File::create(path).unwrap()));
        let filter = EnvFilter::new("info,touchline=trace");
        let subscriber = tracing_subscriber::registry().with(filter).with(lines);
        tracing::subscriber::set_global_default(subscriber).unwrap();
    });
}
