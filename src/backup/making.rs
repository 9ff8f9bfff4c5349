//! `touchline backup`: a copy of all pieces as they are now, while the service runs.

use std::fs;
use std::path::{Path, PathBuf};

use crate::app;
use crate::platform::clock::Clock;
use crate::platform::config::{Config, Secret};
use crate::platform::db::{self, Snapshot};
use crate::platform::error::{Error, Result};
use crate::platform::installation;
use crate::platform::progress::Progress;

use super::archive::{Manifest, Writer};
use super::{KEY, Workplace, about, beside, create_private, places, sync_folder_of};

/// Answers what is in the file.
pub async fn make(config: &Config, file: PathBuf, key: Option<Secret>) -> Result<Manifest> {
    if file.exists() {
        return Err(about(&file, &"it is there already: name a new file"));
    }
    let here: Vec<_> = places(config).into_iter().filter(|(_, place)| place.exists()).collect();
    let has_database = match db::embedded_file(&config.database_url()) {
        Some(database) if !database.exists() => {
            return Err(about(&database, &"there is no database to back up"));
        }
        database => database.is_some(),
    };
    if here.is_empty() {
        return Err(Error::internal(
            "There is nothing to back up here: the database and the homeserver are servers with backups of their own, and the key is configured.",
        ));
    }
    let clock = Clock::system();
    let now = clock.now();
    let database = app::open_database(config, clock).await?;
    let name = installation::find(&database).await;
    database.close().await;
    let name = name.ok_or_else(|| Error::internal("The service has never been started here."))?;
    let manifest = Manifest::new(now, name, has_database);
    let write = move || write(&file, key.as_ref(), &here, manifest);
    tokio::task::spawn_blocking(write).await.map_err(Error::internal)?
}

fn write(
    file: &Path,
    key: Option<&Secret>,
    pieces: &[(&'static str, PathBuf)],
    manifest: Manifest,
) -> Result<Manifest> {
    let problem = |error: std::io::Error| about(file, &error);
    // All moments are taken before the first byte is copied.
    let mut moments = Vec::new();
    for (name, place) in pieces {
        let is_database = *name != KEY;
        let moment = is_database.then(|| Snapshot::begin(place)).transpose();
        moments.push((*name, place, moment.map_err(|error| about(place, &error))?));
    }
    let work = Workplace::new(beside(file, ".parts"))?;
    let partial = work.0.join("backup");
    let to = create_private(&partial).map_err(problem)?;
    let mut writer = Writer::new(to, key, manifest).map_err(problem)?;
    for (name, place, moment) in moments {
        let Some(moment) = moment else {
            writer.add(name, place).map_err(problem)?;
            continue;
        };
        let copy = work.0.join(name);
        create_private(&copy).map_err(problem)?;
        let mut progress = Progress::of_bytes(name);
        let told = |done, all| progress.tell(done, all);
        moment.copy(&copy, told).map_err(|error| about(place, &error))?;
        drop(moment);
        writer.add(name, &copy).map_err(problem)?;
        fs::remove_file(&copy).map_err(problem)?;
    }
    let manifest = writer.finish().map_err(problem)?;
    fs::rename(&partial, file).map_err(problem)?;
    sync_folder_of(file).map_err(problem)?;
    Ok(manifest)
}
