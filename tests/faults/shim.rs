//! A few C functions put before libc's own, to make the disk or the clock of the unchanged program misbehave.

use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

pub struct Shim {
    folder: TempDir,
}

impl Shim {
    /// Nothing where there is no C compiler.
    pub fn build() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/faults/shim.c");
        let built = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .arg(folder.path().join("shim.so"))
            .arg(source)
            .status();
        let shim = Self { folder };
        shim.step_clock(0);
        built.is_ok_and(|status| status.success()).then_some(shim)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn path_text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    /// To be given to the program besides its own settings.
    pub fn settings(&self) -> [(&'static str, String); 3] {
        [
            ("LD_PRELOAD", self.path_text("shim.so")),
            ("FAULT_SYNC_FLAG", self.path_text("sync-fails")),
            ("FAULT_CLOCK_FILE", self.path_text("clock")),
        ]
    }

    pub fn break_sync(&self) {
        std::fs::write(self.path("sync-fails"), "").unwrap();
    }

    pub fn mend_sync(&self) {
        std::fs::remove_file(self.path("sync-fails")).unwrap();
    }

    /// So many milliseconds off the true time from now on, in either direction.
    pub fn step_clock(&self, millis: i64) {
        use std::io::Write;
        // Written in place: the program has this very file in its memory.
        let mut options = std::fs::File::options();
        options.create(true).truncate(false).write(true);
        let mut file = options.open(self.path("clock")).unwrap();
        file.write_all(&(millis * 1_000_000).to_ne_bytes()).unwrap();
    }
}
