//! A real Synapse for one test, if `TOUCHLINE_TEST_SYNAPSE` names a Python that has it (see `scripts/with-synapse`).

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;
use touchline::adapters::matrix::{self, Settings};
use touchline::platform::config::Config;
use touchline::platform::keys::Keys;

use super::free_port;

pub struct Synapse {
    child: Option<Child>,
    python: String,
    folder: TempDir,
    pub url: String,
}

pub fn python() -> Option<String> {
    std::env::var("TOUCHLINE_TEST_SYNAPSE").ok()
}

impl Synapse {
    /// Starts one that knows the service of this configuration by the registration that the service itself prints.
    pub async fn start(python: String, config: &mut Config) -> Self {
        let port = free_port();
        let url = format!("http://127.0.0.1:{port}");
        config.matrix.homeserver_url.clone_from(&url);
        // How fast Synapse is on a busy machine is no part of any test.
        config.matrix.login_timeout_ms = 20_000;
        config.matrix.request_timeout_ms = 30_000;
        let settings = Settings::of(config, &Keys::open(config).unwrap()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        write_settings(folder.path(), port, &matrix::registration(&settings));
        let mut synapse = Self { child: None, python, folder, url };
        synapse.run().await;
        synapse
    }

    /// Starts it, again if it was stopped, and waits until it answers.
    pub async fn run(&mut self) {
        let folder = self.folder.path();
        let log =
            std::fs::File::options().create(true).append(true).open(folder.join("log")).unwrap();
        let child = Command::new(&self.python)
            .args(["-m", "synapse.app.homeserver", "-c", "homeserver.yaml"])
            .current_dir(folder)
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        self.child = Some(child);
        let client = super::plain_client();
        for _ in 0..600 {
            let health = client.get(format!("{}/health", self.url)).send().await;
            if health.is_ok_and(|reply| reply.status().is_success()) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("Synapse did not start: {}", std::fs::read_to_string(folder.join("log")).unwrap());
    }

    pub fn stop(&mut self) {
        if let Some(mut child) = self.child.take() {
            // Already gone is as good.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Synapse {
    fn drop(&mut self) {
        self.stop();
    }
}

fn write_settings(folder: &Path, port: u16, registration: &str) {
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("registration.yaml", registration);
    // A key in the form that Synapse itself writes, which saves the seconds it takes to make one.
    write("signing.key", "ed25519 a_test QWxsIHlvdXIgYmFzZSBhcmUgYmVsb25nIHRvIHVzISE\n");
    write("log.yaml", "version: 1\nroot: {level: WARNING}\ndisable_existing_loggers: false\n");
    write(
        "homeserver.yaml",
        &format!(
            "server_name: localhost\nreport_stats: false\npublic_baseurl: http://127.0.0.1:{port}/\n\
             listeners: [{{port: {port}, bind_addresses: ['127.0.0.1'], type: http, resources: [{{names: [client]}}]}}]\n\
             database: {{name: sqlite3, args: {{database: homeserver.db}}}}\n\
             media_store_path: media\nsigning_key_path: signing.key\nlog_config: log.yaml\npid_file: pid\n\
             default_room_version: '11'\ntrusted_key_servers: []\npassword_config: {{enabled: false}}\n\
             macaroon_secret_key: not-a-secret\nform_secret: not-a-secret\n\
             room_list_publication_rules: [{{action: allow}}]\nip_range_whitelist: ['127.0.0.1']\n\
             app_service_config_files: [registration.yaml]\n"
        ),
    );
}
