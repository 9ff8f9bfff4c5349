//! `touchline restore`: puts the pieces of a backup where this configuration has them.
//!
//! The pieces are unpacked and checked in a folder beside their places. When all are there the folder gets another name, and from this moment
//! the restore is decided: what was there is moved aside, the pieces take its place, and the folder goes last. A cut anywhere behind
//! that moment is made good by the next try.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::app;
use crate::features::chat;
use crate::platform::clock::Clock;
use crate::platform::config::{Config, ConfigError, Secret};
use crate::platform::error::{Error, Result};
use crate::platform::progress::Progress;

use super::archive::{Manifest, Piece, unpack};
use super::{Workplace, about, beside, places, remove_folder, sync_folder_of};

const DECIDED: &str = "restoring";
const UNPACKING: &str = "restoring.parts";
/// What SQLite keeps beside a database.
const COMPANIONS: [&str; 2] = ["-wal", "-shm"];

pub enum Outcome {
    Restored(Manifest),
    /// Of an earlier call, which was cut off.
    Finished,
}

/// A service that started in the middle of a restore would make new pieces where some are still missing.
pub fn refuse_unfinished(config: &Config) -> std::result::Result<(), ConfigError> {
    if !config.data_dir.join(DECIDED).exists() {
        return Ok(());
    }
    Err(ConfigError::new(format!(
        "A restore was cut off in {}: run `touchline restore` with the same file again, which finishes it.",
        config.data_dir.display()
    )))
}

/// The caller holds the installation's locks: no service uses it.
pub async fn restore(
    config: &Config,
    file: PathBuf,
    key: Option<Secret>,
    replaces: bool,
) -> Result<Outcome> {
    let settings = config.clone();
    let work = move || place_pieces(&settings, &file, key.as_ref(), replaces);
    let outcome = tokio::task::spawn_blocking(work).await.map_err(Error::internal)??;
    // The schema of an older program is brought up to date, as at a start.
    let db = app::open_database(config, Clock::system()).await?;
    let noted = async {
        db.migrate().await?;
        db.write(chat::restored).await
    };
    let noted = noted.await;
    db.close().await;
    noted?;
    let folder = config.data_dir.join(DECIDED);
    remove_folder(&folder).map_err(|error| about(&folder, &error))?;
    Ok(outcome)
}

fn place_pieces(
    config: &Config,
    file: &Path,
    key: Option<&Secret>,
    replaces: bool,
) -> Result<Outcome> {
    let decided = config.data_dir.join(DECIDED);
    let problem = |error: io::Error| about(&decided, &error);
    let outcome = if decided.exists() {
        Outcome::Finished
    } else {
        Outcome::Restored(decide(config, file, key, replaces, &decided)?)
    };
    for (name, place) in places(config) {
        let piece = decided.join(name);
        if !piece.exists() {
            continue;
        }
        move_aside(&place).map_err(problem)?;
        put(&piece, &place).map_err(|error| about(&place, &error))?;
    }
    Ok(outcome)
}

/// Unpacks the backup and looks whether it can be put into place; behind this it will be.
fn decide(
    config: &Config,
    file: &Path,
    key: Option<&Secret>,
    replaces: bool,
    decided: &Path,
) -> Result<Manifest> {
    let places = places(config);
    if let Some((_, taken)) = places.iter().find(|(_, place)| place.exists() && !replaces) {
        let sentence = "it is there already: restore into an empty data_dir, or say --replace, which moves it aside";
        return Err(about(taken, &sentence));
    }
    let problem = |error: io::Error| about(file, &error);
    // What an earlier try left behind, which nobody else can be at.
    let folder = config.data_dir.join(UNPACKING);
    remove_folder(&folder).map_err(problem)?;
    let work = Workplace::new(folder)?;
    let mut progress = Progress::of_bytes("restoring");
    let told = |done, all| progress.tell(done, all);
    let manifest = unpack(file, key, &work.0, told).map_err(problem)?;
    let is_embedded = config.database_url().starts_with("sqlite:");
    match (manifest.has_database, is_embedded) {
        (true, false) => Err(about(
            file,
            &"it has an embedded database in it, and database_url names a server: restore it with the embedded database first",
        )),
        (false, true) => Err(about(
            file,
            &"its database is on a PostgreSQL server: restore that one by its own means and set database_url",
        )),
        _ => Ok(()),
    }?;
    // A key or a homeserver that the configuration names is not overruled: what the backup has of it has no place here.
    let has_place = |piece: &&Piece| places.iter().any(|(name, _)| *name == piece.name);
    for piece in manifest.pieces.iter().filter(|piece| !has_place(piece)) {
        fs::remove_file(work.0.join(&piece.name)).map_err(problem)?;
    }
    sync_folder_of(&work.0.join("any")).map_err(problem)?;
    fs::rename(&work.0, decided).map_err(problem)?;
    sync_folder_of(decided).map_err(problem)?;
    Ok(manifest)
}

/// A place on another disk gets its piece by a copy, which takes its name last.
fn put(piece: &Path, place: &Path) -> io::Result<()> {
    match fs::rename(piece, place) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            let copy = beside(place, ".restoring");
            fs::copy(piece, &copy)?;
            File::open(&copy)?.sync_all()?;
            fs::rename(&copy, place)?;
            sync_folder_of(place)?;
            fs::remove_file(piece)
        }
        Err(error) => Err(error),
        Ok(()) => sync_folder_of(place),
    }
}

/// What is there is kept under another name, with what belongs to it.
fn move_aside(place: &Path) -> io::Result<()> {
    let files = |ending: &str| {
        let parts = std::iter::once("").chain(COMPANIONS);
        let from_and_to = |part| (beside(place, part), beside(place, &format!("{ending}{part}")));
        parts.map(from_and_to).collect::<Vec<_>>()
    };
    if !files("").iter().any(|(from, _)| from.exists()) {
        return Ok(());
    }
    let is_free = |ending: &String| files(ending).iter().all(|(_, to)| !to.exists());
    let ending = (1..1_000).map(|number| format!(".replaced-{number}")).find(is_free);
    let ending = ending.ok_or_else(|| io::Error::other("too many were replaced: remove some"))?;
    for (from, to) in files(&ending) {
        if from.exists() {
            fs::rename(from, to)?;
        }
    }
    Ok(())
}
