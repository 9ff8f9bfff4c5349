//! The power goes: a file system on a loop device is shut down at once, with what it had not written, and mounted again.
//!
//! That the method sees a loss is proven by a control: a writer that commits with `synchronous=NORMAL` must lose something.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::Scale;
use crate::load::{Load, pick};
use crate::outcome::Outcome;
use crate::site::Site;

const WORKERS: usize = 8;
const CONTROLS: u32 = 4;
/// `FS_IOC_SHUTDOWN` without flushing the journal, for each folder that is named on a line: from then on nothing reaches
/// its disk. Done by Python, because the call is unsafe in Rust; it waits ready, so that the cut comes when it is asked for.
/// It lets go of the folder before it answers, for whoever hears the answer unmounts.
const CUTTER: &str = "import fcntl, os, struct, sys
for line in sys.stdin:
    folder = os.open(line.strip(), os.O_RDONLY)
    answer = 'cut'
    try:
        fcntl.ioctl(folder, 0x8004587d, struct.pack('I', 2))
    except OSError as error:
        answer = error
    os.close(folder)
    print(answer, flush=True)";

struct Disk {
    folder: TempDir,
    cutter: Child,
    answers: BufReader<ChildStdout>,
}

impl Disk {
    /// None where that is not allowed, with the reason.
    fn new() -> Result<Self, String> {
        let mut cutter = Command::new("python3")
            .args(["-c", CUTTER])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("python3: {error}"))?;
        let answers = BufReader::new(cutter.stdout.take().unwrap());
        let disk = Self { folder: tempfile::tempdir().unwrap(), cutter, answers };
        let image = disk.image();
        run("truncate", &["-s".as_ref(), "96M".as_ref(), &image])?;
        run("mkfs.ext4", &["-q".as_ref(), "-F".as_ref(), &image])?;
        std::fs::create_dir(disk.root()).unwrap();
        disk.mount()?;
        Ok(disk)
    }

    fn image(&self) -> PathBuf {
        self.folder.path().join("image")
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("disk")
    }

    fn mount(&self) -> Result<(), String> {
        run("mount", &["-o".as_ref(), "loop".as_ref(), &self.image(), &self.root()])
    }

    fn cut(&mut self) -> Result<(), String> {
        let root = self.root();
        writeln!(self.cutter.stdin.as_mut().unwrap(), "{}", root.display()).unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        if answer == "cut\n" { Ok(()) } else { Err(format!("FS_IOC_SHUTDOWN: {}", answer.trim())) }
    }

    fn cut_and_power_up(&mut self) -> Result<(), String> {
        self.cut()?;
        self.power_up()
    }

    /// The machine starts again: what the disk holds is all there is.
    fn power_up(&self) -> Result<(), String> {
        run("umount", &[&self.root()])?;
        self.mount()
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Already gone is as good.
        let _ = self.cutter.kill();
        let _ = self.cutter.wait();
        let _ = Command::new("umount").arg("-l").arg(self.root()).output();
    }
}

fn run(program: &str, arguments: &[&Path]) -> Result<(), String> {
    match Command::new(program).args(arguments).output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(format!("{program}: {}", String::from_utf8_lossy(&output.stderr).trim())),
        Err(error) => Err(format!("{program}: {error}")),
    }
}

pub async fn cut(scale: Scale) -> Outcome {
    let mut disk = match Disk::new() {
        Ok(disk) => disk,
        Err(why) => return Outcome::skipped(&why),
    };
    // Once for nothing, to see whether it can be done here.
    if let Err(why) = disk.cut_and_power_up() {
        return Outcome::skipped(&why);
    }
    let data = disk.root();
    let url = format!("sqlite:{}", data.join("touchline.db").display());
    let mut site = Site::on(&url, &[("TOUCHLINE_DATA_DIR", data.to_str().unwrap())]);
    let load = Load::prepare(&site.client()).await;
    let mut outcome = Outcome { times: scale.of(60, 6), ..Outcome::default() };
    for _ in 0..outcome.times {
        let workers = load.begin(WORKERS);
        tokio::time::sleep(Duration::from_millis(100 + u64::try_from(pick(200)).unwrap())).await;
        disk.cut().unwrap();
        // A moment in which the service runs on a dead disk: whatever it says now counts too.
        tokio::time::sleep(Duration::from_millis(20)).await;
        site.kill();
        workers.end().await;
        disk.power_up().unwrap();
        site.recover(&load, &mut outcome).await;
    }
    site.conclude(&load, &mut outcome).await;
    site.kill();
    check_controls(&mut disk, &mut outcome);
    outcome
}

/// The same cuts under a writer that does not wait for the disk, and under one that does.
fn check_controls(disk: &mut Disk, outcome: &mut Outcome) {
    let mut lost =
        |synchronous: &str| -> i64 { (0..CONTROLS).map(|_| lose(disk, synchronous)).sum() };
    let (careless, careful) = (lost("NORMAL"), lost("FULL"));
    outcome.note(&format!(
        "control: synchronous=NORMAL lost {careless} commits in {CONTROLS} cuts, FULL {careful}"
    ));
    outcome.require(careless > 0, || "the control lost nothing, so this sees no loss".to_owned());
    outcome.require(careful == 0, || "the control with full syncs lost something".to_owned());
}

/// How many of a bare writer's commits a cut takes.
fn lose(disk: &mut Disk, synchronous: &str) -> i64 {
    let path = disk.root().join(format!("control-{synchronous}.db"));
    let settings = format!(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = {synchronous};
                            CREATE TABLE IF NOT EXISTS n (i INTEGER)"
    );
    let open = || {
        let database = rusqlite::Connection::open(&path).unwrap();
        database.execute_batch(&settings).unwrap();
        database
    };
    let count = |database: &rusqlite::Connection| -> i64 {
        database.query_row("SELECT count(*) FROM n", [], |row| row.get(0)).unwrap()
    };
    let database = open();
    for number in 0..50 {
        database.execute("INSERT INTO n VALUES (?1)", [number]).unwrap();
    }
    let told = count(&database);
    disk.cut().unwrap();
    // Closing would try to write; on the dead disk it cannot.
    drop(database);
    disk.power_up().unwrap();
    told - count(&open())
}
