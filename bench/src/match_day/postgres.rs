//! A primary and two replicas of it, one of which is promoted when the primary is gone.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;
use tokio_postgres::{Client, NoTls};

use crate::Outcome;

/// As operators have them, but for the memory, which three servers share here with everything else.
const SETTINGS: &str = "
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 200
shared_buffers = 128MB
hot_standby_feedback = on
";
const SYNCHRONOUS: &str = "synchronous_standby_names = 'ANY 1 (*)'\n";

#[derive(Debug)]
pub struct Postgres {
    programs: PathBuf,
    folder: TempDir,
    pub port: u16,
}

impl Postgres {
    /// One that waits for a standby with each commit as soon as there is one.
    pub fn primary() -> Outcome<Self> {
        let primary = Self::new()?;
        primary.run(
            "initdb",
            &[
                "-A",
                "trust",
                "-U",
                "postgres",
                "-E",
                "UTF8",
                "--locale=C.UTF-8",
                "-D",
                &primary.data(),
            ],
        )?;
        primary.add_settings(SETTINGS)?;
        primary.start()?;
        Ok(primary)
    }

    pub fn replica_of(primary: &Self) -> Outcome<Self> {
        let replica = Self::new()?;
        let from = format!("host=127.0.0.1 port={} user=postgres", primary.port);
        replica.run("pg_basebackup", &["-d", &from, "-c", "fast", "-R", "-D", &replica.data()])?;
        replica.start()?;
        Ok(replica)
    }

    fn new() -> Outcome<Self> {
        let programs = std::env::var_os("TOUCHLINE_TEST_PG_BIN")
            .ok_or("no PostgreSQL: use `make match-day`")?;
        let folder = tempfile::tempdir()?;
        // It refuses to run as root, so it may be another user's.
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o777))?;
        let port = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        Ok(Self { programs: programs.into(), folder, port })
    }

    pub fn url(&self, database: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{}/{database}", self.port)
    }

    fn data(&self) -> String {
        self.folder.path().join("data").display().to_string()
    }

    fn add_settings(&self, text: &str) -> Outcome<()> {
        let data = self.data();
        self.run_program(
            Path::new("sh"),
            &["-c", "printf %s \"$0\" >> \"$1/postgresql.conf\"", text, &data],
        )
    }

    fn start(&self) -> Outcome<()> {
        let (log, port) = (format!("{}/server.log", self.data()), format!("-p {}", self.port));
        self.control(&["-w", "-l", &log, "-o", &port, "start"])
    }

    /// From now on each commit waits until one of the replicas has it on disk.
    pub fn wait_for_standbys(&self) -> Outcome<()> {
        self.add_settings(SYNCHRONOUS)?;
        self.control(&["reload"])
    }

    /// As when its machine loses power, but for the disk's cache.
    pub fn kill(&self) -> Outcome<()> {
        self.control(&["-w", "-m", "immediate", "stop"])
    }

    pub fn promote(&self) -> Outcome<()> {
        self.control(&["-w", "promote"])
    }

    /// Follows another server from now on.
    pub async fn follow(&self, primary: &Self) -> Outcome<()> {
        let client = self.connect("postgres").await?;
        let from = format!("host=127.0.0.1 port={} user=postgres", primary.port);
        client.batch_execute(&format!("ALTER SYSTEM SET primary_conninfo = '{from}'")).await?;
        client.batch_execute("SELECT pg_reload_conf()").await?;
        Ok(())
    }

    pub async fn connect(&self, database: &str) -> Outcome<Client> {
        let (client, connection) = tokio_postgres::connect(&self.url(database), NoTls).await?;
        tokio::spawn(connection);
        Ok(client)
    }

    /// The first line of its file of that name: itself, from which all its processes come.
    pub fn process(&self) -> Option<u32> {
        let text = std::fs::read_to_string(format!("{}/postmaster.pid", self.data())).ok()?;
        text.lines().next()?.trim().parse().ok()
    }

    fn control(&self, arguments: &[&str]) -> Outcome<()> {
        let data = self.data();
        self.run("pg_ctl", &[&["-D", &data], arguments].concat())
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Outcome<()> {
        self.run_program(&self.programs.join(program), arguments)
    }

    fn run_program(&self, program: &Path, arguments: &[&str]) -> Outcome<()> {
        let is_root = Command::new("id").arg("-u").output()?.stdout.trim_ascii() == b"0";
        let mut command = if is_root {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        // Not to a pipe: the server would inherit it and keep it open.
        let quiet = Stdio::null;
        let status = command
            .args(arguments)
            .current_dir(self.folder.path())
            .stdout(quiet())
            .stderr(quiet())
            .status()?;
        if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}").into()) }
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // One that is gone already is as good.
        drop(self.kill());
    }
}
