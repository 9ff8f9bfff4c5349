//! What the servers need meanwhile, looked at every minute of the day.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_postgres::{Client, NoTls};

use super::{DATABASE, Day, MINUTE, Site, locked};
use crate::Outcome;
use crate::machine::{cpu_seconds, memory_mb};
use crate::server::Server;

impl Seen {
    /// Seconds of processor time in these minutes.
    pub fn cpu_s(&self, role: Role, minutes: impl Fn(i64) -> bool) -> f64 {
        let samples = self.samples.iter().filter(|sample| minutes(sample.minute));
        samples.filter_map(|sample| sample.cpu_s.get(&role)).sum()
    }
}

/// Whose processor time it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    Node,
    Primary,
    Replica,
}

#[derive(Debug)]
pub struct Sample {
    pub minute: i64,
    /// Of each node; none while it is away.
    pub nodes_mb: Vec<Option<f64>>,
    /// How far the replica is behind that is furthest behind.
    pub lag_ms: Option<f64>,
    /// Since the sample before.
    pub cpu_s: HashMap<Role, f64>,
}

#[derive(Debug, Default)]
pub struct Seen {
    pub samples: Vec<Sample>,
    /// Of PostgreSQL's log.
    pub written_mb: f64,
    pub database_mb: f64,
}

#[derive(Debug, Default)]
struct Watched {
    nodes: Vec<Option<u32>>,
    postgres: Vec<(Role, Option<u32>)>,
    replica_urls: Vec<String>,
    primary_url: String,
}

pub struct Watching {
    watched: Arc<Mutex<Watched>>,
    looking: JoinHandle<Seen>,
    end: oneshot::Sender<()>,
}

impl Watching {
    pub fn begin(day: &Arc<Day>, site: &Site) -> Self {
        let watched = Arc::new(Mutex::new(Watched {
            nodes: site.nodes.iter().map(|node| node.as_ref().map(Server::process)).collect(),
            ..Watched::of_postgres(site)
        }));
        let (end, ended) = oneshot::channel();
        let looking = tokio::spawn(look(Arc::clone(day), Arc::clone(&watched), ended));
        Self { watched, looking, end }
    }

    pub fn lose_node(&self, number: usize) {
        if let Some(node) = locked(&self.watched).nodes.get_mut(number) {
            *node = None;
        }
    }

    pub fn look_at_node(&self, site: &Site, number: usize) {
        let process = site.nodes.get(number).and_then(Option::as_ref).map(Server::process);
        if let Some(node) = locked(&self.watched).nodes.get_mut(number) {
            *node = process;
        }
    }

    pub fn follow_primary(&self, site: &Site) {
        let postgres = Watched::of_postgres(site);
        let mut watched = locked(&self.watched);
        let nodes = std::mem::take(&mut watched.nodes);
        *watched = Watched { nodes, ..postgres };
    }

    pub async fn end(self) -> Outcome<Seen> {
        drop(self.end);
        Ok(self.looking.await?)
    }
}

impl Watched {
    fn of_postgres(site: &Site) -> Self {
        let mut postgres = vec![(Role::Primary, site.primary.process())];
        postgres.extend(site.replicas.iter().map(|replica| (Role::Replica, replica.process())));
        Self {
            nodes: Vec::new(),
            postgres,
            replica_urls: site.replicas.iter().map(|replica| replica.url(DATABASE)).collect(),
            primary_url: site.primary.url(DATABASE),
        }
    }

    fn processes(&self) -> Vec<(Role, u32)> {
        let nodes = self.nodes.iter().map(|node| (Role::Node, *node));
        let all = nodes.chain(self.postgres.iter().copied());
        all.filter_map(|(role, process)| Some((role, process?))).collect()
    }
}

async fn look(
    day: Arc<Day>,
    watched: Arc<Mutex<Watched>>,
    mut ended: oneshot::Receiver<()>,
) -> Seen {
    let (mut seen, mut last) = (Seen::default(), HashMap::new());
    let mut replicas = HashMap::new();
    let url = locked(&watched).primary_url.clone();
    let (log_before, _) = sizes(&url).await.unwrap_or_default();
    let mut minutes = tokio::time::interval(MINUTE);
    loop {
        let (processes, nodes, urls) = {
            let watched = locked(&watched);
            (watched.processes(), watched.nodes.clone(), watched.replica_urls.clone())
        };
        let mut cpu_s: HashMap<Role, f64> = HashMap::new();
        for (role, process) in processes {
            let now = cpu_seconds(process);
            // What it did before it was looked at is not the day's.
            let before = last.insert(process, now).unwrap_or(now);
            *cpu_s.entry(role).or_default() += (now - before).max(0.0);
        }
        let mut lag_ms: Option<f64> = None;
        for url in urls {
            let lag = lag_of(&mut replicas, &url).await;
            lag_ms = lag_ms.into_iter().chain(lag).reduce(f64::max);
        }
        let nodes_mb = nodes.iter().map(|node| node.map(memory_mb)).collect();
        let minute = day.diary.minute_of(Instant::now());
        seen.samples.push(Sample { minute, nodes_mb, lag_ms, cpu_s });
        tokio::select! {
            _ = &mut ended => break,
            _ = minutes.tick() => {}
        }
    }
    let url = locked(&watched).primary_url.clone();
    let (log_after, database) = sizes(&url).await.unwrap_or_default();
    seen.written_mb = (log_after - log_before) / 1e6;
    seen.database_mb = database / 1e6;
    seen
}

/// How far a replica is behind, by when the last commit was made that it shows; there are ten a second at least.
async fn lag_of(replicas: &mut HashMap<String, Client>, url: &str) -> Option<f64> {
    if !replicas.contains_key(url) {
        replicas.insert(url.to_owned(), connect(url).await.ok()?);
    }
    let sql = "SELECT CAST(extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000 AS DOUBLE PRECISION)";
    let row = replicas.get(url)?.query_one(sql, &[]).await;
    let lag = row.ok().and_then(|row| row.try_get::<_, Option<f64>>(0).ok()?);
    if lag.is_none() {
        replicas.remove(url);
    }
    lag
}

/// How much has been written to the log, and how large the database is.
async fn sizes(url: &str) -> Outcome<(f64, f64)> {
    let sql = "SELECT CAST(pg_current_wal_lsn() - '0/0' AS DOUBLE PRECISION),
                      CAST(pg_database_size(current_database()) AS DOUBLE PRECISION)";
    let row = connect(url).await?.query_one(sql, &[]).await?;
    Ok((row.try_get(0)?, row.try_get(1)?))
}

async fn connect(url: &str) -> Outcome<Client> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
    tokio::spawn(connection);
    Ok(client)
}
