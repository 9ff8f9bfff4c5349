//! The embedded homeserver: a leaf crate that is given its tokens, its clock and the address of this service.

use std::path::PathBuf;
use std::sync::Arc;

use touchline_homeserver::{
    Appservice, Config as HomeserverConfig, Homeserver, OpenError, PushGateway,
};

use crate::platform::clock::Clock;
use crate::platform::config::{Config, ConfigError};
use crate::platform::error::{Error, Result};

use super::{ALIAS_PREFIX, APPSERVICE_ID, Settings};

const FILE: &str = "homeserver.db";

/// Its database, if no other homeserver is configured.
pub fn file(config: &Config) -> Option<PathBuf> {
    config.matrix.homeserver_url.is_empty().then(|| config.data_dir.join(FILE))
}

/// Opens it, if no other homeserver is configured. It belongs to the installation of that name.
pub async fn open(
    config: &Config,
    settings: &Settings,
    installation: String,
    clock: Clock,
) -> Result<Option<Homeserver>> {
    if !settings.is_embedded {
        return Ok(None);
    }
    let path = config.data_dir.join(FILE);
    let folder = config.data_dir.clone();
    let homeserver_config = HomeserverConfig {
        server_name: settings.server_name.to_string(),
        installation,
        public_base_url: settings.public_url.clone(),
        appservice: Some(Appservice {
            id: APPSERVICE_ID.to_owned(),
            url: settings.appservice_url.clone(),
            as_token: settings.as_token.expose().to_owned(),
            hs_token: settings.hs_token.expose().to_owned(),
            sender_localpart: settings.bot.localpart().to_owned(),
            alias_prefix: ALIAS_PREFIX.to_owned(),
            takes_reports: true,
        }),
        push_gateways: push_gateways(config, settings),
        syncs_per_user: config.http.matrix_max_syncs_per_user,
        now: Arc::new(move || clock.now().as_millis()),
        ..HomeserverConfig::default()
    };
    let opened = tokio::task::spawn_blocking(move || {
        std::fs::create_dir_all(&folder).map_err(|error| {
            let folder = folder.display();
            ConfigError::new(format!("data_dir {folder} cannot be made: {error}."))
        })?;
        Homeserver::open(&path, homeserver_config).map_err(|error| {
            let path = path.display();
            ConfigError::new(format!(
                "The embedded homeserver cannot open {path}: {}.",
                advise(&error)
            ))
        })
    });
    opened.await.map_err(Error::internal)?.map(Some).map_err(Error::internal)
}

/// The service's own, which is called where the homeserver reaches the service anyway, and those that an operator allows.
fn push_gateways(config: &Config, settings: &Settings) -> Vec<PushGateway> {
    let own = PushGateway {
        url: super::push_gateway_url(config),
        at: settings.appservice_url.clone() + super::PUSH_GATEWAY_PATH,
    };
    let others = config.matrix.push_gateways.iter();
    let others = others.map(|url| PushGateway { url: url.clone(), at: url.clone() });
    std::iter::once(own).chain(others).collect()
}

/// Up to where a transaction of it goes, by the transaction's id: from and to.
pub fn last_position(transaction: &str) -> Option<i64> {
    transaction.split_once('-')?.1.parse().ok()
}

/// Looks at its file without touching it: whether it is whole, and this installation's. One that is not there yet is.
pub async fn examine(file: PathBuf, installation: String) -> std::result::Result<(), String> {
    let look = move || match touchline_homeserver::examine(&file, &installation) {
        Ok(()) => Ok(()),
        Err(error) => Err(format!("{}: {}.", file.display(), advise(&error))),
    };
    tokio::task::spawn_blocking(look).await.unwrap_or_else(|error| Err(error.to_string()))
}

/// What is wrong, and what can be done about it.
fn advise(error: &OpenError) -> String {
    match error {
        OpenError::OtherInstallation => format!(
            "{error}, whose usernames this database does not know: set data_dir to a folder of its own for this \
             database, or move the file away to begin chat anew"
        ),
        OpenError::Damaged(_) => format!("{error}: restore it from a backup"),
        _ => error.to_string(),
    }
}
