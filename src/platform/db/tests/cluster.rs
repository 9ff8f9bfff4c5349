//! A PostgreSQL server of a test's own, which it may stop and start.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

/// Fails a test that was run without the server it is about.
pub fn no_postgres() -> ! {
    panic!(
        "this test needs PostgreSQL: run `make postgres`, or a command under scripts/with-postgres"
    )
}

pub struct Cluster {
    bin: PathBuf,
    folder: tempfile::TempDir,
    port: u16,
}

impl Cluster {
    /// Needs `TOUCHLINE_TEST_PG_BIN`, the folder of `initdb` and `pg_ctl`.
    pub fn start() -> Option<Self> {
        let cluster = Self::new(PathBuf::from(std::env::var_os("TOUCHLINE_TEST_PG_BIN")?));
        let data = cluster.folder.path().join("data");
        cluster.call("initdb", &["-A", "trust", "-U", "postgres", "-D", data.to_str().unwrap()]);
        cluster.run();
        Some(cluster)
    }

    fn new(bin: PathBuf) -> Self {
        let folder = tempfile::tempdir().unwrap();
        // The server refuses to run as root, so it may be another user's.
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o777)).unwrap();
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Self { bin, folder, port }
    }

    /// Another server that repeats what this one writes.
    pub fn replica(&self) -> Self {
        let replica = Self::new(self.bin.clone());
        let (port, data) = (self.port.to_string(), replica.folder.path().join("data"));
        let from = ["-h", "127.0.0.1", "-p", &port, "-U", "postgres", "-c", "fast", "-R"];
        let arguments = [&from[..], &["-D", data.to_str().unwrap()]].concat();
        replica.call("pg_basebackup", &arguments);
        replica.run();
        replica
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    pub fn run(&self) {
        let options = format!(
            "-p {} -c listen_addresses=127.0.0.1 -c unix_socket_directories={}",
            self.port,
            self.folder.path().display()
        );
        let log = self.folder.path().join("log");
        self.control(&["-w", "-l", log.to_str().unwrap(), "-o", &options, "start"]);
    }

    pub fn stop(&self, mode: &str) {
        self.control(&["-w", "-m", mode, "stop"]);
    }

    /// Makes a standby of it, as a failover does to the server that was the primary: it answers reads and takes no writes.
    pub fn demote(&self) {
        self.stop("fast");
        let data = self.folder.path().join("data");
        Self::call_program("touch".into(), &[data.join("standby.signal").to_str().unwrap()]);
        self.run();
    }

    pub fn promote(&self) {
        self.control(&["-w", "promote"]);
    }

    /// What a replica has heard is what it shows from now on.
    pub fn hold(&self) {
        let until_held = "DO 'BEGIN
            PERFORM pg_wal_replay_pause();
            WHILE pg_get_wal_replay_pause_state() <> ''paused'' LOOP PERFORM pg_sleep(0.01); END LOOP;
        END'";
        self.ask(until_held);
    }

    pub fn let_go(&self) {
        self.ask("SELECT pg_wal_replay_resume()");
    }

    fn ask(&self, sql: &str) {
        let port = self.port.to_string();
        let arguments = ["-h", "127.0.0.1", "-p", &port, "-U", "postgres", "-c", sql];
        self.call("psql", &arguments);
    }

    /// Stops it as a machine does that stands still: connections stay, and nothing is answered.
    pub fn freeze(&self) {
        self.signal("STOP");
    }

    pub fn thaw(&self) {
        self.signal("CONT");
    }

    /// To the server and all its processes.
    fn signal(&self, name: &str) {
        let pid_file = self.folder.path().join("data/postmaster.pid");
        let text = std::fs::read_to_string(pid_file).unwrap();
        let server = text.lines().next().unwrap();
        let children = format!("/proc/{server}/task/{server}/children");
        let children = std::fs::read_to_string(children).unwrap();
        let all = std::iter::once(server).chain(children.split_whitespace());
        // One of them may have ended since.
        Command::new("kill").arg(format!("-{name}")).args(all).status().unwrap();
    }

    /// Turns TLS on with a certificate for `localhost` that its own authority signed; gives the
    /// authority's file. None where `openssl` is missing.
    pub fn with_tls(&self) -> Option<PathBuf> {
        let folder = self.folder.path();
        let script = "cd \"$0\" && umask 077 &&
            openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.crt &&
            openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout data/server.key -out server.csr &&
            printf 'subjectAltName=DNS:localhost' > names &&
            openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 \
                -extfile names -out data/server.crt && chmod 644 ca.crt &&
            echo 'ssl = on' >> data/postgresql.conf";
        Command::new("openssl").arg("version").output().ok()?;
        self.stop("fast");
        Self::call_program("sh".into(), &["-c", script, folder.to_str().unwrap()]);
        self.run();
        Some(folder.join("ca.crt"))
    }

    fn control(&self, arguments: &[&str]) {
        let data = self.folder.path().join("data");
        self.call("pg_ctl", &[&["-D", data.to_str().unwrap()], arguments].concat());
    }

    fn call(&self, program: &str, arguments: &[&str]) {
        Self::call_program(self.bin.join(program), arguments);
    }

    fn call_program(program: PathBuf, arguments: &[&str]) {
        let user = Command::new("id").arg("-u").output().unwrap().stdout;
        let mut command = if user.trim_ascii() == b"0" {
            let mut command = Command::new("runuser");
            command.args(["-u", "nobody", "--"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        // Not to a pipe: the server would inherit it and keep it open.
        let quiet = std::process::Stdio::null;
        let status = command.args(arguments).stdout(quiet()).stderr(quiet()).status().unwrap();
        assert!(status.success(), "{command:?}: {status}");
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.stop("immediate");
    }
}
