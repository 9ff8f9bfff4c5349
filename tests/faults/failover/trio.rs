//! Three PostgreSQL servers under Patroni, which makes another one the primary when the first is gone, with etcd to agree in. Everything
//! on loopback; what the servers, Patroni and clients reach each other by are links that can be cut.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_postgres::NoTls;

use super::link::Link;
use crate::harness::free_port;
use crate::postgres::signal;

const COUNT: usize = 3;
/// `nobody` and `nogroup`: PostgreSQL refuses to run as root.
const NOBODY: u32 = 65_534;
const ANSWER_WAIT: Duration = Duration::from_millis(500);
/// How long until three servers are up and follow the primary, at the beginning and after a fault.
const WHOLE_WAIT: Duration = Duration::from_secs(90);
/// Patroni takes 20 seconds at least until it gives up a primary that it does not hear of.
const TAKE_OVER_WAIT: Duration = Duration::from_secs(60);

pub struct Trio {
    folder: TempDir,
    etcd: Child,
    nodes: Vec<Node>,
}

struct Node {
    name: String,
    patroni: Child,
    config: PathBuf,
    data: PathBuf,
    port: u16,
    rest_port: u16,
    /// What clients, other servers and other Patronis reach it by, and what it reaches etcd by.
    clients: Link,
    servers: Link,
    patronis: Link,
    etcd: Link,
}

impl Trio {
    /// None where Patroni or etcd is missing.
    pub async fn start(bin: &Path) -> Option<Self> {
        Command::new("patroni").arg("--version").output().ok()?;
        let folder = tempfile::tempdir().unwrap();
        std::fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
        let etcd_port = free_port();
        let etcd = start_etcd(&folder, etcd_port)?;
        let mut nodes = Vec::new();
        for number in 0..COUNT {
            nodes.push(Node::start(&folder, bin, number, etcd_port).await);
        }
        let trio = Self { folder, etcd, nodes };
        trio.whole().await;
        Some(trio)
    }

    /// For clients: all of them, of which one takes writes.
    pub fn url(&self) -> String {
        let host = |node: &Node| format!("127.0.0.1:{}", node.clients.port);
        let hosts: Vec<String> = self.nodes.iter().map(host).collect();
        let hosts = hosts.join(",");
        format!("postgres://postgres@{hosts}/postgres?target_session_attrs=read-write")
    }

    /// Waits until each server is up, two follow the third, and one of them may take its place; gives the primary.
    pub async fn whole(&self) -> usize {
        let give_up = Instant::now() + WHOLE_WAIT;
        loop {
            if let Some(primary) = self.primary_of_whole().await {
                return primary;
            }
            let known =
                if Instant::now() > give_up { self.what_is_known().await } else { String::new() };
            assert!(known.is_empty(), "the three are not whole: {known}");
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    async fn primary_of_whole(&self) -> Option<usize> {
        let primary = self.primary_besides(None).await?;
        let following = "SELECT count(*) FILTER (WHERE state = 'streaming') = 2
                            AND count(*) FILTER (WHERE sync_state = 'sync') > 0 FROM pg_stat_replication";
        if !self.nodes[primary].says(following).await {
            return None;
        }
        // What Patroni has agreed on in etcd, which decides who may take over.
        let known = self.nodes[primary].cluster().await?;
        let members = known["members"].as_array()?;
        let has = |role: &str| members.iter().filter(|member| member["role"] == role).count();
        let is_led = members.iter().any(|member| {
            member["role"] == "leader" && member["name"] == self.nodes[primary].name.as_str()
        });
        (is_led && members.len() == COUNT && has("sync_standby") > 0).then_some(primary)
    }

    async fn what_is_known(&self) -> String {
        let mut known = String::new();
        for node in &self.nodes {
            let log =
                std::fs::read_to_string(self.folder.path().join(format!("{}.log", node.name)));
            let log = log.unwrap_or_default();
            let last = log.lines().rev().take(5).collect::<Vec<_>>().join(" / ");
            known += &format!("{}: {:?}; {last}\n", node.name, node.cluster().await);
        }
        known
    }

    /// The server that takes writes, not counting this one.
    pub async fn primary_besides(&self, other: Option<usize>) -> Option<usize> {
        for (number, node) in self.nodes.iter().enumerate() {
            if Some(number) != other && node.says("SELECT NOT pg_is_in_recovery()").await {
                return Some(number);
            }
        }
        None
    }

    /// Waits until another one takes writes; gives the moment.
    pub async fn taken_over_from(&self, old: usize) -> Instant {
        let give_up = Instant::now() + TAKE_OVER_WAIT;
        while Instant::now() < give_up {
            if self.primary_besides(Some(old)).await.is_some() {
                return Instant::now();
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("nobody took over: {}", self.what_is_known().await);
    }

    /// The server and its Patroni, as when the machine is gone.
    pub fn kill(&mut self, number: usize) {
        let node = &mut self.nodes[number];
        node.patroni.kill().unwrap();
        node.patroni.wait().unwrap();
        node.signal_server("-KILL");
    }

    pub fn start_again(&mut self, number: usize) {
        let node = &mut self.nodes[number];
        node.patroni = start_patroni(&node.config, &node.name);
    }

    /// The server and its Patroni stand still, and their connections stay.
    pub fn freeze(&self, number: usize) {
        let node = &self.nodes[number];
        signal("-STOP", &[node.patroni.id().to_string()]);
        node.signal_server("-STOP");
    }

    /// The server before its Patroni: for a moment nobody has told it that it is the primary no more.
    pub fn thaw(&self, number: usize) {
        let node = &self.nodes[number];
        node.signal_server("-CONT");
        std::thread::sleep(Duration::from_millis(200));
        signal("-CONT", &[node.patroni.id().to_string()]);
    }

    /// Whether other servers and etcd are beyond its reach, and clients too.
    pub fn cut_off(&self, number: usize, is_cut: bool, clients_too: bool) {
        let node = &self.nodes[number];
        for link in [&node.servers, &node.patronis, &node.etcd] {
            link.cut(is_cut);
        }
        node.clients.cut(is_cut && clients_too);
    }

    /// As an operator does before work on the primary's machine.
    pub async fn switch_over(&self, old: usize) {
        let node = &self.nodes[old];
        let url = format!("http://127.0.0.1:{}/switchover", node.rest_port);
        let body = json!({"leader": node.name});
        let reply = crate::harness::plain_client().post(url).json(&body).send().await.unwrap();
        assert!(reply.status().is_success(), "{}", reply.text().await.unwrap());
    }
}

impl Node {
    async fn start(folder: &TempDir, bin: &Path, number: usize, etcd_port: u16) -> Self {
        let name = format!("server{}", number + 1);
        let (port, rest_port) = (free_port(), free_port());
        let (clients, servers) = (Link::to(port).await, Link::to(port).await);
        let (patronis, etcd) = (Link::to(rest_port).await, Link::to(etcd_port).await);
        let folder = folder.path();
        let data = folder.join(&name);
        let config = folder.join(format!("{name}.json"));
        let trusted =
            ["host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"];
        // JSON is YAML too.
        let settings = json!({
            "scope": "trio", "name": name,
            "restapi": {"listen": format!("127.0.0.1:{rest_port}"),
                        "connect_address": format!("127.0.0.1:{}", patronis.port)},
            // Not `etcd3`: over that, Patroni 3.0 gives the lead back to a primary that stood still, from whoever has taken over, and
            // what was acknowledged meanwhile is lost. Without a proxy it asks etcd where it is, and goes round the link.
            "etcd": {"host": format!("127.0.0.1:{}", etcd.port), "use_proxies": true},
            "bootstrap": {
                "dcs": {
                    // The shortest that Patroni takes.
                    "ttl": 20, "loop_wait": 1, "retry_timeout": 3,
                    "synchronous_mode": true, "synchronous_mode_strict": true,
                    "postgresql": {"use_pg_rewind": true, "use_slots": true, "parameters": {
                        "wal_log_hints": "on", "wal_keep_size": "256MB", "max_connections": 100,
                        "wal_sender_timeout": "5s", "wal_receiver_timeout": "5s",
                        // How soon the other standby comes to the new primary, whose commits wait for it.
                        "wal_retrieve_retry_interval": "1s"}},
                },
                "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, {"auth": "trust"}],
                "pg_hba": trusted,
            },
            "postgresql": {
                "listen": format!("127.0.0.1:{port}"),
                "connect_address": format!("127.0.0.1:{}", servers.port),
                "data_dir": data, "bin_dir": bin, "pgpass": folder.join(format!("{name}.pgpass")),
                "authentication": {"superuser": {"username": "postgres"}, "replication": {"username": "replicator"}},
                // The machine stays up, so nothing is lost without waiting for its disk.
                "parameters": {"unix_socket_directories": folder, "fsync": "off"},
                "remove_data_directory_on_rewind_failure": true,
                "remove_data_directory_on_diverged_timelines": true,
            },
        });
        std::fs::write(&config, settings.to_string()).unwrap();
        let patroni = start_patroni(&config, &name);
        Self { name, patroni, config, data, port, rest_port, clients, servers, patronis, etcd }
    }

    /// Whether the server can be asked, and answers yes.
    async fn says(&self, sql: &str) -> bool {
        let url = format!("postgres://postgres@127.0.0.1:{}/postgres", self.port);
        let asking = async {
            let (client, connection) = tokio_postgres::connect(&url, NoTls).await.ok()?;
            tokio::spawn(connection);
            client.query_one(sql, &[]).await.ok()?.try_get::<_, bool>(0).ok()
        };
        matches!(tokio::time::timeout(ANSWER_WAIT, asking).await, Ok(Some(true)))
    }

    /// What Patroni knows of all.
    async fn cluster(&self) -> Option<Value> {
        let url = format!("http://127.0.0.1:{}/cluster", self.rest_port);
        let asking =
            async { crate::harness::plain_client().get(url).send().await.ok()?.json().await.ok() };
        tokio::time::timeout(ANSWER_WAIT, asking).await.ok().flatten()
    }

    /// Signals the server and then all it has started, since it starts others meanwhile.
    fn signal_server(&self, name: &str) {
        let file = std::fs::read_to_string(self.data.join("postmaster.pid")).unwrap_or_default();
        let Some(server) = file.lines().next() else { return };
        let server = server.to_owned();
        let children = || {
            let listed =
                Command::new("ps").args(["-o", "pid=", "--ppid", &server]).output().unwrap();
            let listed = String::from_utf8(listed.stdout).unwrap();
            listed.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
        };
        let before = children();
        signal(name, std::slice::from_ref(&server));
        // Those of a server that was killed are listed under it no more.
        signal(name, &[before, children()].concat());
    }
}

impl Drop for Trio {
    fn drop(&mut self) {
        for node in &mut self.nodes {
            // Patroni first, which would start its server again; already gone is as good.
            let _ = node.patroni.kill();
            let _ = node.patroni.wait();
            node.signal_server("-KILL");
        }
        let _ = self.etcd.kill();
        let _ = self.etcd.wait();
    }
}

fn start_etcd(folder: &TempDir, port: u16) -> Option<Child> {
    let (url, peers) =
        (format!("http://127.0.0.1:{port}"), format!("http://127.0.0.1:{}", free_port()));
    let mut command = as_nobody("etcd", &folder.path().join("etcd.log"));
    command
        .arg("--data-dir")
        .arg(folder.path().join("etcd"))
        .arg("--enable-v2")
        .args(["--listen-client-urls", &url, "--advertise-client-urls", &url])
        .args(["--listen-peer-urls", &peers, "--initial-advertise-peer-urls", &peers])
        .args(["--initial-cluster", &format!("default={peers}")]);
    command.spawn().ok()
}

fn start_patroni(config: &Path, name: &str) -> Child {
    let log = config.with_file_name(format!("{name}.log"));
    as_nobody("patroni", &log).arg(config).spawn().unwrap()
}

fn as_nobody(program: &str, log: &Path) -> Command {
    let log = std::fs::File::options().create(true).append(true).open(log).unwrap();
    let mut command = Command::new(program);
    command.current_dir("/").env("LC_ALL", "C.UTF-8").stdin(Stdio::null());
    command.stdout(log.try_clone().unwrap()).stderr(log);
    let user = Command::new("id").arg("-u").output().unwrap().stdout;
    if user.trim_ascii() == b"0" {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}
