//! `touchline verify`: whether a backup could be restored, without doing so.

use std::path::PathBuf;

use crate::adapters::matrix;
use crate::features::coins::{self, Books};
use crate::platform::clock::Clock;
use crate::platform::config::{Config, Secret};
use crate::platform::db::{self, Db};
use crate::platform::error::{Error, Result};
use crate::platform::installation;
use crate::platform::progress::Progress;

use super::archive::{Manifest, unpack};
use super::{DATABASE, HOMESERVER, Workplace, about, beside};

/// What was found in a backup that is whole.
pub struct Verdict {
    pub manifest: Manifest,
    /// None where the database is on a server.
    pub books: Option<Books>,
}

/// Takes it apart beside itself and looks at every byte: hashes, pages, rows that point to nothing, and every balance.
pub async fn verify(config: &Config, file: PathBuf, key: Option<Secret>) -> Result<Verdict> {
    let work = Workplace::new(beside(&file, ".verifying"))?;
    let folder = work.0.clone();
    let named = file.clone();
    let look = move || {
        let problem = |error: &dyn std::fmt::Display| about(&named, error);
        let mut progress = Progress::of_bytes("reading");
        let told = |done, all| progress.tell(done, all);
        let manifest =
            unpack(&named, key.as_ref(), &folder, told).map_err(|error| problem(&error))?;
        for name in [DATABASE, HOMESERVER].into_iter().filter(|name| manifest.has(name)) {
            db::examine_file(&folder.join(name))
                .map_err(|error| problem(&format!("{name}: {error}")))?;
        }
        Ok::<_, Error>(manifest)
    };
    let manifest = tokio::task::spawn_blocking(look).await.map_err(Error::internal)??;
    if manifest.has(HOMESERVER) {
        let owner = manifest.installation.clone();
        let found = matrix::examine_embedded(work.0.join(HOMESERVER), owner).await;
        found.map_err(|problem| about(&file, &problem))?;
    }
    let books = if manifest.has(DATABASE) {
        let url = format!("sqlite:{}", work.0.join(DATABASE).display());
        let copy = Db::open(&url, &config.database, Clock::system()).await?;
        let books = read_books(&copy, &manifest).await;
        copy.close().await;
        Some(books.map_err(|error| about(&file, &error))?)
    } else {
        None
    };
    Ok(Verdict { manifest, books })
}

async fn read_books(copy: &Db, manifest: &Manifest) -> Result<Books> {
    // Also says whether this program knows its schema.
    copy.migrate().await?;
    if installation::find(copy).await.as_ref() != Some(&manifest.installation) {
        return Err(Error::internal("the database in it is another's than its manifest says"));
    }
    coins::read_books(copy).await
}
