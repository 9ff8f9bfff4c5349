//! A copy of an SQLite file as it is at one moment, also while a service writes to it.

use std::path::Path;
use std::time::Duration;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};

use super::error::translate;
use crate::platform::error::{DatabaseError, DatabaseResult};

/// Pages copied between two looks at how far it is: 4 MB.
const PAGES_AT_ONCE: i32 = 1_024;
const BUSY: Duration = Duration::from_secs(5);

/// The file as it is when this begins, for as long as this is kept. Meanwhile others write as always; what they write waits in the log beside
/// the file, which grows.
pub struct Snapshot(Connection);

impl Snapshot {
    pub fn begin(file: &Path) -> DatabaseResult<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let begin = || {
            let driver = Connection::open_with_flags(file, flags)?;
            driver.busy_timeout(BUSY)?;
            // The moment is that of the first statement.
            driver.execute_batch("BEGIN; SELECT count(*) FROM sqlite_schema;")?;
            Ok(Self(driver))
        };
        begin().map_err(translate)
    }

    /// Copies it to a file that is there and empty. `told` hears now and then how many bytes of how many are done.
    pub fn copy(&self, to: &Path, mut told: impl FnMut(u64, u64)) -> DatabaseResult<()> {
        let mut copy = || {
            let size: u32 = self.0.query_row("PRAGMA page_size", [], |row| row.get(0))?;
            let mut target = Connection::open(to)?;
            target.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")?;
            // Inside the snapshot's transaction nothing changes that would have it begin again.
            let backup = Backup::new(&self.0, &mut target)?;
            loop {
                let step = backup.step(PAGES_AT_ONCE)?;
                let progress = backup.progress();
                let bytes = |pages| u64::try_from(pages).unwrap_or(0) * u64::from(size);
                told(bytes(progress.pagecount - progress.remaining), bytes(progress.pagecount));
                if step == StepResult::Done {
                    return Ok(());
                }
                if step != StepResult::More {
                    std::thread::sleep(Duration::from_millis(10));
                }
            }
        };
        copy().map_err(translate)
    }
}

/// Reads a file from its first page to its last: whether it is whole and nothing in it points to nothing.
pub fn examine_file(file: &Path) -> DatabaseResult<()> {
    let look = || {
        let driver = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let found: String = driver.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
        let mut strays = driver.prepare("PRAGMA foreign_key_check")?;
        let stray = strays.query_map([], |row| row.get::<_, String>(0))?.next().transpose()?;
        Ok((found, stray))
    };
    match look().map_err(translate)? {
        (found, _) if found != "ok" => {
            Err(DatabaseError::Setup(format!("it is damaged ({found})")))
        }
        (_, Some(table)) => {
            Err(DatabaseError::Setup(format!("a row of {table} in it points to nothing")))
        }
        _ => Ok(()),
    }
}
