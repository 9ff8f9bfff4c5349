//! One service for each embedded database: the files that say whose it is.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::adapters::matrix;
use crate::platform::config::{Config, ConfigError};
use crate::platform::db;

/// Holds the embedded databases of this configuration for as long as the files are kept; the kernel lets go of them even if the
/// process is killed. Other commands work beside the service and take none.
pub fn hold(config: &Config) -> Result<Vec<File>, ConfigError> {
    let files = [db::embedded_file(&config.database_url()), matrix::embedded_file(config)];
    let files: Vec<PathBuf> = files.into_iter().flatten().collect();
    if files.iter().any(|file| file.starts_with(&config.data_dir)) {
        std::fs::create_dir_all(&config.data_dir).map_err(|error| {
            let folder = config.data_dir.display();
            ConfigError::new(format!("data_dir {folder} cannot be made: {error}."))
        })?;
    }
    files.iter().map(|file| hold_one(file)).collect()
}

fn hold_one(database: &Path) -> Result<File, ConfigError> {
    let mut path = database.as_os_str().to_owned();
    path.push(".lock");
    let path = PathBuf::from(path);
    let problem = |error: std::io::Error| {
        ConfigError::new(format!("The lock file {} cannot be used: {error}.", path.display()))
    };
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&path).map_err(problem)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(in_use(database, &path)),
        Err(TryLockError::Error(error)) => return Err(problem(error)),
    }
    file.set_len(0).map_err(problem)?;
    writeln!(file, "{}", std::process::id()).map_err(problem)?;
    Ok(file)
}

fn in_use(database: &Path, lock: &Path) -> ConfigError {
    let text = std::fs::read_to_string(lock).unwrap_or_default();
    let holder = match text.trim().parse::<u32>() {
        Ok(process) => format!("process {process}"),
        Err(_) => "another process".to_owned(),
    };
    ConfigError::new(format!(
        "The database {} is in use by {holder}: one service at a time can have it. Several nodes need PostgreSQL.",
        database.display()
    ))
}
