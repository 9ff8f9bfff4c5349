//! `touchline backup`, `restore` and `verify`: what they are told and what they say.

use std::path::PathBuf;

use clap::Args;

use crate::backup::{self, Manifest, Outcome};
use crate::platform::config::{Config, Secret};
use crate::platform::error::{Error, Result};

use super::{lock, print};

/// A backup, and its key if it has one.
#[derive(Args)]
pub struct Backup {
    /// The backup
    file: PathBuf,
    /// The file with the key by which it is encrypted, of 32 characters or more; without it, it is not
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
}

impl Backup {
    fn key(&self) -> Result<Option<Secret>> {
        self.key_file.as_deref().map(backup::read_key).transpose()
    }
}

pub async fn make(config: &Config, to: Backup) -> Result<()> {
    let key = to.key()?;
    let is_sealed = key.is_some();
    let file = to.file.display().to_string();
    let made = backup::make(config, to.file, key).await?;
    print(&format!("{file}: {}", describe(&made)))?;
    if !is_sealed {
        print(
            "It is not encrypted: whoever reads it can read phone numbers and act as this service.",
        )?;
    }
    if !made.has_database {
        print(
            "The database is on a PostgreSQL server and not in it: back it up by its own means, with this (docs/backups.md).",
        )?;
    }
    Ok(())
}

pub async fn restore(config: &Config, from: Backup, replaces: bool) -> Result<()> {
    let key = from.key()?;
    let _held = lock::hold(config).map_err(Error::internal)?;
    let folder = config.data_dir.display().to_string();
    match backup::restore(config, from.file, key, replaces).await? {
        Outcome::Restored(manifest) => print(&format!("{folder}: {}", describe(&manifest))),
        Outcome::Finished => print(&format!(
            "{folder}: a restore that was cut off is finished. Nothing was read from the file this time."
        )),
    }
}

pub async fn verify(config: &Config, of: Backup) -> Result<()> {
    let (key, file) = (of.key()?, of.file.display().to_string());
    let found = backup::verify(config, of.file, key).await?;
    print(&format!("{file}: {}", describe(&found.manifest)))?;
    let Some(books) = found.books else {
        return print(
            "All that is in it is whole. The database is on a PostgreSQL server and not in it.",
        );
    };
    if books.disagreeing > 0 {
        return Err(Error::internal(format!(
            "All pages are whole, but {} of {} coin accounts disagree with their entries, as they did when it was made.",
            books.disagreeing, books.accounts
        )));
    }
    print(&format!(
        "All is whole; the balances of {} coin accounts are what their entries say.",
        books.accounts
    ))
}

fn describe(manifest: &Manifest) -> String {
    let names: Vec<&str> = manifest.pieces.iter().map(|piece| piece.name.as_str()).collect();
    format!(
        "{} ({}), as of {}, by version {}",
        names.join(", "),
        backup::size(manifest.bytes()),
        manifest.made_at,
        manifest.version
    )
}
