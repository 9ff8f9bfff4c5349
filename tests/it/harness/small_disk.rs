//! A file system in memory that is soon full; unmounted at the end.

use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

pub struct SmallDisk(TempDir);

impl SmallDisk {
    /// Nothing where mounting is not allowed, as in most containers.
    pub fn mount(megabytes: u32) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={megabytes}m"), "tmpfs"])
            .arg(folder.path())
            .output();
        mount.is_ok_and(|output| output.status.success()).then_some(Self(folder))
    }

    pub fn database_url(&self) -> String {
        format!("sqlite:{}", self.file("touchline.db").display())
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn fill(&self) {
        let mut size = 8 << 20;
        let mut part = 0;
        while size >= 512 {
            let path = self.file(&format!("filler-{part}"));
            if std::fs::write(&path, vec![0; size]).is_err() {
                std::fs::remove_file(&path).unwrap();
                size /= 2;
            }
            part += 1;
        }
    }

    pub fn free(&self) {
        for entry in std::fs::read_dir(self.0.path()).unwrap() {
            let path = entry.unwrap().path();
            if path.to_str().unwrap().contains("filler-") {
                std::fs::remove_file(path).unwrap();
            }
        }
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // A lazy unmount always works and is all that can be done here.
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}
