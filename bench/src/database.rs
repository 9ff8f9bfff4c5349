//! The databases of a run: made, seeded, copied for the ceiling, asked for codes.

use std::path::{Path, PathBuf};

use tokio::runtime::Runtime;
use tokio_postgres::NoTls;
use touchline::platform::clock::Clock;
use touchline::platform::config::Config;
use touchline::platform::db::{Db, Engine};

use crate::Outcome;

/// Where databases are made.
#[derive(Debug)]
pub struct Stores {
    pub runtime: Runtime,
    folder: PathBuf,
    /// Of the private PostgreSQL server, up to the last slash.
    postgres: String,
}

#[derive(Debug, Clone)]
pub struct Database {
    pub engine: Engine,
    name: String,
    folder: PathBuf,
    postgres: String,
}

impl Database {
    pub fn url(&self) -> String {
        match self.engine {
            Engine::Sqlite => format!("sqlite:{}", self.path().display()),
            Engine::Postgres => format!("{}/{}", self.postgres, self.name),
        }
    }

    /// The file of a SQLite database.
    pub fn path(&self) -> PathBuf {
        self.folder.join(format!("{}.db", self.name))
    }

    /// Where the service keeps what is not in the database, which belongs to this database alone.
    pub fn data_dir(&self) -> PathBuf {
        self.folder.join(format!("{}-data", self.name))
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn label(&self) -> &'static str {
        label(self.engine)
    }
}

pub const fn label(engine: Engine) -> &'static str {
    match engine {
        Engine::Sqlite => "SQLite",
        Engine::Postgres => "PostgreSQL",
    }
}

impl Stores {
    pub fn new(folder: &Path) -> Outcome<Self> {
        let url = std::env::var("TOUCHLINE_TEST_DATABASE_URL")
            .map_err(|_| "no PostgreSQL server is given: use `make bench`")?;
        let (postgres, _) =
            url.rsplit_once('/').ok_or("the URL of PostgreSQL names no database")?;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        Ok(Self { runtime, folder: folder.to_owned(), postgres: postgres.to_owned() })
    }

    /// A new database with the service's schema, filled by `seed`. Nobody is connected to it afterwards.
    pub fn create<T>(
        &self,
        engine: Engine,
        name: &str,
        seed: impl AsyncFnOnce(&Db) -> Outcome<T>,
    ) -> Outcome<(Database, T)> {
        if engine == Engine::Postgres {
            self.admin(&format!("CREATE DATABASE {name}"))?;
        }
        let database = self.at(engine, name);
        let seeded = self.change(&database, async |db| {
            db.migrate().await?;
            seed(db).await
        })?;
        Ok((database, seeded))
    }

    /// A new PostgreSQL database with nothing in it.
    pub fn empty(&self, name: &str) -> Outcome<Database> {
        self.admin(&format!("CREATE DATABASE {name}"))?;
        Ok(self.at(Engine::Postgres, name))
    }

    /// How many of the notes about users that were made by the benchmark are in a PostgreSQL database.
    pub fn count_notes(&self, database: &Database) -> Outcome<u64> {
        self.runtime.block_on(async {
            let (client, connection) = tokio_postgres::connect(&database.url(), NoTls).await?;
            tokio::spawn(connection);
            let sql = "SELECT count(*) FROM user_notes WHERE text = 'moves soon'";
            let count: i64 = client.query_one(sql, &[]).await?.get(0);
            Ok(u64::try_from(count)?)
        })
    }

    /// How many transactions a PostgreSQL database has had; a statement by itself is one.
    pub fn transactions(&self, database: &Database) -> Outcome<f64> {
        self.runtime.block_on(async {
            let (client, connection) = tokio_postgres::connect(&database.url(), NoTls).await?;
            tokio::spawn(connection);
            let sql = "SELECT CAST(xact_commit + xact_rollback AS DOUBLE PRECISION)
                       FROM pg_stat_database WHERE datname = current_database()";
            Ok(client.query_one(sql, &[]).await?.try_get(0)?)
        })
    }

    /// Changes a database that no server runs on.
    pub fn change<T>(
        &self,
        database: &Database,
        change: impl AsyncFnOnce(&Db) -> Outcome<T>,
    ) -> Outcome<T> {
        let changed = self.runtime.block_on(async {
            let mut config = Config::defaults()?.database;
            config.statement_timeout_ms = 0;
            let db = Db::open(&database.url(), &config, Clock::system()).await?;
            let changed = change(&db).await;
            db.close().await;
            changed
        })?;
        self.settle(database)?;
        Ok(changed)
    }

    /// What a database does in quiet hours, so that no round pays for the seeding.
    fn settle(&self, database: &Database) -> Outcome<()> {
        match database.engine {
            Engine::Sqlite => {
                let connection = rusqlite::Connection::open(database.path())?;
                // No statistics: the service keeps none, since plans by those of a small database are bad ones when it has grown.
                Ok(connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?)
            }
            Engine::Postgres => {
                self.execute(&database.url(), "VACUUM ANALYZE")?;
                self.execute(&database.url(), "CHECKPOINT")
            }
        }
    }

    /// The same data once more, for the ceiling.
    pub fn copy(&self, from: &Database, name: &str) -> Outcome<Database> {
        let to = self.at(from.engine, name);
        match from.engine {
            Engine::Sqlite => std::fs::copy(from.path(), to.path()).map(drop)?,
            Engine::Postgres => {
                self.admin(&format!("CREATE DATABASE {name} TEMPLATE {}", from.name))?;
            }
        }
        Ok(to)
    }

    pub fn remove(&self, database: &Database) -> Outcome<()> {
        match database.engine {
            Engine::Sqlite => {
                for end in ["", "-wal", "-shm"] {
                    // The last two go with their last user.
                    let _ = std::fs::remove_file(format!("{}{end}", database.path().display()));
                }
                Ok(())
            }
            Engine::Postgres => {
                self.admin(&format!("DROP DATABASE {} WITH (FORCE)", database.name))
            }
        }
    }

    fn at(&self, engine: Engine, name: &str) -> Database {
        let (folder, postgres) = (self.folder.clone(), self.postgres.clone());
        Database { engine, name: name.to_owned(), folder, postgres }
    }

    fn admin(&self, sql: &str) -> Outcome<()> {
        self.execute(&format!("{}/postgres", self.postgres), sql)
    }

    pub fn execute(&self, url: &str, sql: &str) -> Outcome<()> {
        self.runtime.block_on(async {
            let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
            tokio::spawn(connection);
            Ok(client.batch_execute(sql).await?)
        })
    }

    /// The codes that were sent last, from a database that a server runs on: phone and code.
    pub fn sent_codes(&self, database: &Database, count: i64) -> Outcome<Vec<(String, String)>> {
        const SQL: &str = "SELECT phone, code FROM sms_log ORDER BY id DESC LIMIT $1";
        match database.engine {
            Engine::Sqlite => {
                let connection = rusqlite::Connection::open(database.path())?;
                let mut statement = connection.prepare(SQL)?;
                let rows = statement.query_map([count], |row| Ok((row.get(0)?, row.get(1)?)))?;
                Ok(rows.collect::<Result<_, _>>()?)
            }
            Engine::Postgres => self.runtime.block_on(async {
                let (client, connection) = tokio_postgres::connect(&database.url(), NoTls).await?;
                tokio::spawn(connection);
                let rows = client.query(SQL, &[&count]).await?;
                let codes = rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?)));
                codes.collect()
            }),
        }
    }
}
