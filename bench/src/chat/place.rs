//! A service with its homeserver: the embedded one, or a Synapse of its own.

use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;
use touchline::platform::db::{Engine, params};

use crate::caller::{Caller, post_all};
use crate::database::Database;
use crate::server::Server;
use crate::{Bench, Outcome, seed};

const AS_TOKEN: &str = "bench-application-service-token";
const HS_TOKEN: &str = "bench-homeserver-token";
const PATIENCE: Duration = Duration::from_secs(60);
/// So few that no account waits too long for a slow homeserver.
const PROVIDED_AT_ONCE: usize = 8;

/// What stands in the column of databases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Embedded,
    Synapse,
}

impl Kind {
    pub const fn label(self) -> &'static str {
        match self {
            Self::Embedded => "SQLite, embedded homeserver",
            Self::Synapse => "SQLite, Synapse",
        }
    }
}

/// Somebody with a session and a chat account.
#[derive(Debug, Clone)]
pub struct Fan {
    pub matrix_id: String,
    pub token: String,
    pub chat_token: String,
}

pub struct Place {
    pub kind: Kind,
    pub service: Server,
    synapse: Option<Server>,
    database: Database,
    pub fans: Vec<Fan>,
    /// The room of the match.
    pub room: String,
}

impl Place {
    /// Starts both and makes the fans their accounts.
    pub fn open(bench: &Bench, kind: Kind, fans: i64) -> Outcome<Self> {
        let name = if kind == Kind::Embedded { "chat_embedded" } else { "chat_synapse" };
        let (database, tokens) = bench.stores.create(Engine::Sqlite, name, async |db| {
            seed::catalogue(db).await?;
            seed::events(db, 1).await?;
            // The service is to make this match's room itself.
            db.write(|tx| tx.exec("UPDATE events SET chat_room_id = NULL", params![])).await?;
            seed::users(db, fans).await?;
            seed::sessions(db, (1..=fans).collect()).await
        })?;
        let (service, synapse) = start(bench, kind, &database)?;
        let address = service.address;
        let room = bench.stores.runtime.block_on(find_room(address, &tokens))?;
        let fans = bench.stores.runtime.block_on(provide(address, tokens))?;
        Ok(Self { kind, service, synapse, database, fans, room })
    }

    /// The process that carries chat.
    pub fn homeserver(&self) -> &Server {
        self.synapse.as_ref().unwrap_or(&self.service)
    }

    pub fn close(self, bench: &Bench) -> Outcome<()> {
        drop((self.service, self.synapse));
        bench.stores.remove(&self.database)
    }
}

/// A path on the homeserver, asked by the service on behalf of a user. Goes with [`as_token`].
pub fn on_behalf(fan: &Fan, path: &str) -> String {
    format!("/_matrix/client/v3/{path}?user_id={}", fan.matrix_id)
}

pub const fn as_token() -> &'static str {
    AS_TOKEN
}

fn start(bench: &Bench, kind: Kind, database: &Database) -> Outcome<(Server, Option<Server>)> {
    let tokens =
        [("TOUCHLINE_MATRIX__AS_TOKEN", AS_TOKEN), ("TOUCHLINE_MATRIX__HS_TOKEN", HS_TOKEN)];
    let Some(python) = python().filter(|_| kind == Kind::Synapse) else {
        return Ok((Server::touchline(database, &tokens)?, None));
    };
    // Each has to know where the other is before it starts.
    let (listen, homeserver) = (free_address()?, free_address()?);
    let (own, url) = (listen.to_string(), format!("http://{homeserver}"));
    let [as_token, hs_token] = tokens;
    let settings = [
        as_token,
        hs_token,
        ("TOUCHLINE_LISTEN", own.as_str()),
        ("TOUCHLINE_MATRIX__HOMESERVER_URL", url.as_str()),
    ];
    let folder = database.folder().join("synapse");
    std::fs::create_dir_all(&folder)?;
    write_settings(&folder, homeserver.port(), &Server::registration(database, &settings)?)?;
    let config = ["-m", "synapse.app.homeserver", "-c", "homeserver.yaml"];
    let synapse = Server::silent(Path::new(&python), &config, &folder, homeserver)?;
    bench.stores.runtime.block_on(wait_for(homeserver))?;
    Ok((Server::touchline(database, &settings)?, Some(synapse)))
}

/// The Python that has Synapse, if there is one (see `scripts/with-synapse`).
pub fn python() -> Option<String> {
    std::env::var("TOUCHLINE_TEST_SYNAPSE").ok()
}

fn free_address() -> Outcome<SocketAddr> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}

async fn wait_for(server: SocketAddr) -> Outcome<()> {
    let give_up = Instant::now() + PATIENCE;
    while Instant::now() < give_up {
        if let Ok(mut caller) = Caller::connect(server).await
            && caller.get("/health", "").await.is_ok_and(|answer| answer.is_success())
        {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Err("Synapse did not start".into())
}

async fn find_room(service: SocketAddr, tokens: &[(i64, String)]) -> Outcome<String> {
    let (_, token) = tokens.first().ok_or("there are no users")?;
    let (mut caller, give_up) = (Caller::connect(service).await?, Instant::now() + PATIENCE);
    while Instant::now() < give_up {
        let event = caller.get("/api/auth/events/1", token).await?.json()?;
        if let Some(room) = text(&event, "chat_room_id") {
            return Ok(room);
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Err("the match got no room".into())
}

async fn provide(service: SocketAddr, tokens: Vec<(i64, String)>) -> Outcome<Vec<Fan>> {
    let path = "/api/auth/matrix-credentials";
    let posts = tokens.iter().map(|(_, token)| (path.to_owned(), token.clone())).collect();
    let answers = post_all(service, PROVIDED_AT_ONCE, posts).await?;
    let mut fans = Vec::new();
    for ((_, token), answer) in tokens.into_iter().zip(answers) {
        let answer = answer.json()?;
        let part = |name| text(&answer, name).ok_or_else(|| format!("no credentials: {answer}"));
        fans.push(Fan { matrix_id: part("user_id")?, chat_token: part("access_token")?, token });
    }
    Ok(fans)
}

/// A text somewhere in an answer.
fn text(answer: &Value, name: &str) -> Option<String> {
    match answer {
        Value::Object(fields) => match fields.get(name) {
            Some(Value::String(found)) => Some(found.clone()),
            _ => fields.values().find_map(|value| text(value, name)),
        },
        _ => None,
    }
}

/// Synapse as it is by default, without its limits on how often something may be done.
fn write_settings(folder: &Path, port: u16, registration: &str) -> Outcome<()> {
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text);
    write("registration.yaml", registration)?;
    // A key in the form that Synapse itself writes.
    write("signing.key", "ed25519 a_test QWxsIHlvdXIgYmFzZSBhcmUgYmVsb25nIHRvIHVzISE\n")?;
    write("log.yaml", "version: 1\nroot: {level: ERROR}\ndisable_existing_loggers: false\n")?;
    write(
        "homeserver.yaml",
        &include_str!("synapse.yaml.in").replace("{port}", &port.to_string()),
    )?;
    Ok(())
}
