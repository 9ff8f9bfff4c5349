//! `PgBouncer` between the service and its server.

use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use super::cluster::no_postgres;
use super::*;

/// `nobody` and `nogroup`: `PgBouncer` refuses to run as root.
const NOBODY: u32 = 65_534;

struct PgBouncer {
    process: Child,
    url: String,
    _folder: tempfile::TempDir,
}

impl PgBouncer {
    /// Before the database with this URL.
    async fn start(url: &str, mode: &str) -> Self {
        let (user, place) = url.strip_prefix("postgres://").unwrap().split_once('@').unwrap();
        let (server, database) = place.split_once('/').unwrap();
        let server_port = server.rsplit_once(':').unwrap().1;
        let folder = tempfile::tempdir().unwrap();
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let config = format!(
            "[databases]\n* = host=127.0.0.1 port={server_port} user={user}\n\
             [pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\n\
             auth_type = any\npool_mode = {mode}\n"
        );
        let file = folder.path().join("pgbouncer.ini");
        std::fs::write(&file, config).unwrap();
        let mut command = Command::new("/usr/sbin/pgbouncer");
        command.arg("-q").arg(&file).stdout(Stdio::null()).stderr(Stdio::null());
        if Command::new("id").arg("-u").output().unwrap().stdout.trim_ascii() == b"0" {
            command.uid(NOBODY).gid(NOBODY);
        }
        let process =
            command.spawn().expect("this test needs PgBouncer: `make postgres` installs it");
        let url = format!("postgres://{user}@127.0.0.1:{port}/{database}");
        soon("PgBouncer answers", || async {
            tokio_postgres::connect(&url, tokio_postgres::NoTls).await.is_ok()
        })
        .await;
        Self { process, url, _folder: folder }
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_pooler_that_shares_connections_between_transactions_is_refused_with_a_sentence() {
    let Some(server) = postgres_with(|_| {}).await else { no_postgres() };
    for mode in ["transaction", "statement"] {
        let pooler = PgBouncer::start(&server.url, mode).await;
        let error = cause(open(&pooler.url, &defaults()).await.map(drop));
        assert!(
            matches!(&error, DatabaseError::Setup(text) if text.contains("session mode")),
            "{mode}: {error:?}"
        );
    }
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_pooler_in_session_mode_is_as_good_as_none() {
    let Some(server) = postgres_with(|_| {}).await else { no_postgres() };
    with_items(&server).await;
    let pooler = PgBouncer::start(&server.url, "session").await;
    let db = open(&pooler.url, &defaults()).await.unwrap();
    let mut heard = db.listen("items");
    assert_eq!(heard.recv().await.unwrap(), super::super::RESTARTED);
    let writes = (0..40).map(|number| {
        let db = &db;
        async move {
            db.write(move |tx| {
                insert(tx, &format!("item {number}"), number)?;
                tx.notify("items", "more")
            })
            .await
        }
    });
    for written in futures_util::future::join_all(writes).await {
        written.unwrap();
    }
    assert_eq!(heard.recv().await.unwrap(), "more");
    assert_eq!(names(&db).await.len(), 40);
}
