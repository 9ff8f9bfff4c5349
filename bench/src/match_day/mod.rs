//! `make match-day`: a Saturday, a minute of it in a second. Three nodes, a primary and two replicas, and fans who come, predict, watch,
//! spend and leave, while goals fall, everybody's connection breaks at once, a node is lost, and then the primary.
//!
//! Every fan has two connections of their own, and what they were promised is compared with what is there in the end.

mod audit;
mod diary;
mod fan;
mod page;
mod phone;
mod postgres;
mod screen;
mod script;
mod watch;

use std::collections::HashMap;
use std::io::Write as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::broadcast;
use tokio::task::JoinSet;
use touchline::platform::clock::Clock;
use touchline::platform::config::Config;
use touchline::platform::db::Db;

use crate::Outcome;
use crate::machine::{Machine, file_limit};
use crate::seed;
use crate::server::Server;
use diary::Diary;
use fan::Guest;
use postgres::Postgres;

/// As many as two cores have the breath for, with everything else on them.
pub const FANS: i64 = 3_000;
pub const FEW_FANS: i64 = 300;
/// Before kick-off.
const FIRST_MINUTE: f64 = -30.0;
const MINUTE: Duration = Duration::from_secs(1);
const DATABASE: &str = "touchline";
const NODES: usize = 3;
/// Matches of the afternoon.
const MATCHES: i64 = 8;
/// One of so many fans logs in; the others have a session from last week.
const LOGS_IN_ONE_OF: i64 = 10;
/// Longer than whatever a fan still has to do when the day is over.
const FAREWELL: Duration = Duration::from_secs(55);
/// Files besides the fans' connections.
const OTHER_FILES: usize = 500;

type Score = (i64, i64);

/// What all fans share.
pub struct Day {
    diary: Diary,
    fans: i64,
    nodes: Vec<SocketAddr>,
    matches: Vec<i64>,
    /// Everybody's connection breaks when something is sent.
    storm: broadcast::Sender<()>,
    /// When an operator told of which score.
    told: Mutex<HashMap<(i64, Score), Instant>>,
    /// When each match was whistled off.
    whistled: Mutex<HashMap<i64, Instant>>,
}

impl Day {
    fn told_at(&self, id: i64, score: Score) -> Option<Instant> {
        locked(&self.told).get(&(id, score)).copied()
    }

    fn tells(&self, id: i64, score: Score) {
        locked(&self.told).insert((id, score), Instant::now());
    }

    fn whistled_at(&self, id: i64) -> Option<Instant> {
        locked(&self.whistled).get(&id).copied()
    }

    fn whistles(&self, id: i64) {
        locked(&self.whistled).insert(id, Instant::now());
    }
}

/// The servers of the day; nodes first, so that they end first.
struct Site {
    nodes: Vec<Option<Server>>,
    _homeserver: Server,
    settings: Settings,
    primary: Postgres,
    replicas: Vec<Postgres>,
    folder: PathBuf,
}

struct Settings {
    database_url: String,
    replica_urls: String,
    homeserver_url: String,
}

impl Site {
    fn start(folder: &Path) -> Outcome<Self> {
        let primary = Postgres::primary()?;
        let replicas = vec![Postgres::replica_of(&primary)?, Postgres::replica_of(&primary)?];
        primary.wait_for_standbys()?;
        let homeserver = Server::stand_in("homeserver")?;
        let all = std::iter::once(&primary).chain(&replicas);
        let hosts: Vec<_> = all.map(|server| format!("127.0.0.1:{}", server.port)).collect();
        let replica_urls: Vec<_> = replicas.iter().map(|replica| replica.url(DATABASE)).collect();
        let settings = Settings {
            database_url: format!("postgres://postgres@{}/{DATABASE}", hosts.join(",")),
            replica_urls: replica_urls.join(","),
            homeserver_url: format!("http://{}", homeserver.address),
        };
        let nodes = (0..NODES).map(|_| None).collect();
        Ok(Self {
            nodes,
            _homeserver: homeserver,
            settings,
            primary,
            replicas,
            folder: folder.to_owned(),
        })
    }

    /// Starts a node, where it was before if it was lost.
    fn start_node(&mut self, number: usize, listen: &str) -> Outcome<SocketAddr> {
        let folder = self.folder.join(format!("node-{number}"));
        std::fs::create_dir_all(&folder)?;
        let settings = [
            ("TOUCHLINE_LISTEN", listen),
            ("TOUCHLINE_DATABASE__REPLICA_URLS", self.settings.replica_urls.as_str()),
            ("TOUCHLINE_MATRIX__HOMESERVER_URL", self.settings.homeserver_url.as_str()),
            // Fans come through a proxy that says who they are.
            ("TOUCHLINE_HTTP__TRUSTED_PROXIES", "127.0.0.1"),
        ];
        let node = Server::node(&self.settings.database_url, &folder, &settings)?;
        let address = node.address;
        if let Some(place) = self.nodes.get_mut(number) {
            *place = Some(node);
        }
        Ok(address)
    }
}

/// So many fans come; the page is written into this folder.
pub fn run(fans: i64, output: &Path) -> Outcome<()> {
    let connections = usize::try_from(2 * fans)?;
    if connections + OTHER_FILES > file_limit() {
        return Err("too few files may be open: raise `ulimit -n`".into());
    }
    touchline::platform::outbound::install_tls();
    let machine = Machine::look();
    let folder = tempfile::tempdir()?;
    say("starting PostgreSQL, two replicas and three nodes")?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let mut site = {
        let _inside = runtime.enter();
        Site::start(folder.path())?
    };
    let guests = runtime.block_on(prepare(&site, fans))?;
    let nodes = (0..NODES).map(|number| site.start_node(number, "127.0.0.1:0"));
    let nodes = nodes.collect::<Outcome<Vec<_>>>()?;
    // A moment in which replicas and nodes find each other.
    let kick_off = Instant::now() + MINUTE.mul_f64(-FIRST_MINUTE) + Duration::from_secs(3);
    let day = Arc::new(Day {
        diary: Diary::new(kick_off),
        fans,
        nodes,
        matches: (1..=MATCHES).collect(),
        storm: broadcast::Sender::new(1),
        told: Mutex::default(),
        whistled: Mutex::default(),
    });
    runtime.block_on(open_the_gates(&site, kick_off))?;
    let (promised, seen) = runtime.block_on(play(&day, &mut site, guests))?;
    say("comparing what is there with what was promised")?;
    let findings = runtime.block_on(audit::compare(&site, &day, &promised))?;
    let page = page::Page { day: &day, seen: &seen, findings: &findings, machine: &machine };
    page.write(output)?;
    writeln!(std::io::stdout(), "{}", page.summary())?;
    if findings.iter().all(|finding| finding.holds) {
        Ok(())
    } else {
        Err("not everything holds: see the page".into())
    }
}

/// The database with its matches and fans, most of whom have a session.
async fn prepare(site: &Site, fans: i64) -> Outcome<Vec<Guest>> {
    site.primary
        .connect("postgres")
        .await?
        .batch_execute(&format!("CREATE DATABASE {DATABASE}"))
        .await?;
    let mut config = Config::defaults()?.database;
    config.statement_timeout_ms = 0;
    let db = Db::open(&site.primary.url(DATABASE), &config, Clock::system()).await?;
    db.migrate().await?;
    seed::catalogue(&db).await?;
    seed::events(&db, MATCHES).await?;
    seed::users(&db, fans).await?;
    seed::accounts(&db).await?;
    let known = (1..=fans).filter(|number| number % LOGS_IN_ONE_OF != 0).collect();
    let mut tokens: HashMap<i64, String> = seed::sessions(&db, known).await?.into_iter().collect();
    db.close().await;
    site.primary.connect(DATABASE).await?.batch_execute("VACUUM ANALYZE").await?;
    Ok((1..=fans).map(|number| Guest { number, token: tokens.remove(&number) }).collect())
}

/// The matches begin at this moment, by the clocks of the servers.
async fn open_the_gates(site: &Site, kick_off: Instant) -> Outcome<()> {
    let away = i64::try_from(kick_off.saturating_duration_since(Instant::now()).as_millis())?;
    let start = Clock::system().now().plus_ms(away).as_millis();
    let client = site.primary.connect(DATABASE).await?;
    client.execute("UPDATE events SET start_time = $1", &[&start]).await?;
    Ok(())
}

/// The day itself, until the last fan has left.
async fn play(
    day: &Arc<Day>,
    site: &mut Site,
    guests: Vec<Guest>,
) -> Outcome<(Vec<fan::Promised>, watch::Seen)> {
    let mut crowd = JoinSet::new();
    for guest in guests {
        crowd.spawn(fan::live(Arc::clone(day), guest));
    }
    let watching = watch::Watching::begin(day, site);
    script::play(day, site, &watching).await?;
    let mut promised = Vec::new();
    let give_up = Instant::now() + FAREWELL;
    while let Some(left) = tokio::time::timeout_at(give_up.into(), crowd.join_next()).await? {
        promised.push(left?);
    }
    Ok((promised, watching.end().await?))
}

/// Sound even if a holder of the lock panicked: nothing in any of them is half done.
fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

fn say(what: &str) -> Outcome<()> {
    Ok(writeln!(std::io::stderr(), "{what}")?)
}
