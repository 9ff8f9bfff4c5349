//! Backups: what is this installation's in one file, and back.
//!
//! Owns: the file's form, what is in it, and how it is put back.
//! Invariants: a file under its own name is whole and on the disk; the databases in it are of one moment, but for the instant between the two,
//! of which chat's is the earlier; a restore is all or nothing, and one that was cut off keeps the service from starting until it is finished;
//! what was there before is moved aside, never deleted.
//! Never: needs the service to stop for a backup, or has anything in a file that is not in its manifest.

mod archive;
mod making;
mod restoring;
mod sealing;
mod verifying;

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::adapters::matrix;
use crate::platform::config::{Config, Secret};
use crate::platform::error::Error;
use crate::platform::{db, keys};

pub use crate::platform::progress::size;
pub use archive::Manifest;
pub use making::make;
pub use restoring::{Outcome, refuse_unfinished, restore};
pub use verifying::verify;

/// What a backup can have in it.
const DATABASE: &str = "touchline.db";
const HOMESERVER: &str = "homeserver.db";
const KEY: &str = "secret_key";

/// Shorter ones can be guessed.
const SHORTEST_KEY: usize = 32;

/// Where the pieces of a backup are in an installation of this configuration; in this order they are copied. Whatever is kept elsewhere, on a server
/// or in the configuration itself, is not in the list.
fn places(config: &Config) -> Vec<(&'static str, PathBuf)> {
    let places = [
        // First: the service writes down what it wants of the homeserver before it asks for it, so whatever is in this is known in the next.
        (HOMESERVER, matrix::embedded_file(config)),
        (DATABASE, db::embedded_file(&config.database_url())),
        (KEY, keys::file(config)),
    ];
    places.into_iter().filter_map(|(name, place)| Some((name, place?))).collect()
}

/// The key of an encrypted backup, from a file that holds it and nothing else.
pub fn read_key(file: &Path) -> Result<Secret, Error> {
    let text = fs::read_to_string(file).map_err(|error| about(file, &error))?;
    if text.trim().len() < SHORTEST_KEY {
        let sentence = format!("a key has at least {SHORTEST_KEY} characters");
        return Err(about(file, &sentence));
    }
    Ok(Secret::new(text.trim()))
}

fn about(file: &Path, problem: &dyn std::fmt::Display) -> Error {
    Error::internal(format!("{}: {problem}.", file.display()))
}

/// A file next to this one.
fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// A new file that nobody else may read.
fn create_private(file: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)
}

/// Makes sure that what was renamed in the folder of this file stays so.
fn sync_folder_of(file: &Path) -> io::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// A folder for pieces on their way, which goes with this.
struct Workplace(PathBuf);

impl Workplace {
    /// Never takes over what is there: it may be anybody's.
    fn new(folder: PathBuf) -> Result<Self, Error> {
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        match builder.create(&folder) {
            Ok(()) => Ok(Self(folder)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(about(
                &folder,
                &"it is there already, of a call that still runs or was cut off: remove it if none runs",
            )),
            Err(error) => Err(about(&folder, &error)),
        }
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        if let Err(error) = remove_folder(&self.0) {
            tracing::warn!(error = %error, folder = %self.0.display(), "a folder is left behind");
        }
    }
}

fn remove_folder(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        outcome => outcome,
    }
}
