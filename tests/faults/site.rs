//! A place where the service runs: a folder, a database, settings, and the program while it is up.

use std::time::Instant;

use tempfile::TempDir;

use crate::books::Books;
use crate::harness::{Client, Program};
use crate::invariants;
use crate::load::Load;
use crate::outcome::Outcome;

pub struct Site {
    pub folder: TempDir,
    url: String,
    settings: Vec<(String, String)>,
    program: Option<Program>,
}

impl Site {
    /// On a SQLite file of its own.
    pub fn on_sqlite(settings: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("touchline.db").display());
        Self::start(folder, url, settings)
    }

    pub fn on(url: &str, settings: &[(&str, &str)]) -> Self {
        Self::start(tempfile::tempdir().unwrap(), url.to_owned(), settings)
    }

    fn start(folder: TempDir, url: String, settings: &[(&str, &str)]) -> Self {
        let settings =
            settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let mut site = Self { folder, url, settings: settings.collect(), program: None };
        site.up();
        site
    }

    pub fn up(&mut self) {
        let settings: Vec<(&str, &str)> =
            self.settings.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let start = || Program::start(&self.folder, &self.url, &settings);
        self.program = Some(tokio::task::block_in_place(start));
    }

    pub fn kill(&mut self) {
        if let Some(program) = self.program.take() {
            program.kill();
        }
    }

    pub fn program(&mut self) -> &mut Program {
        self.program.as_mut().unwrap()
    }

    pub fn client(&self) -> Client {
        self.program.as_ref().unwrap().client.clone()
    }

    pub fn books(&self) -> Books {
        Books::of(&self.url)
    }

    /// After a crash: up again, back at work, and everything as clients were told.
    pub async fn recover(&mut self, load: &Load, outcome: &mut Outcome) {
        let since = Instant::now();
        self.up();
        load.aim_at(&[&self.client()]);
        outcome.healed(load.heal(since).await);
        load.retry_open().await;
        invariants::check_records(load, &self.books(), outcome).await;
    }

    /// The last look: everything again, through the API too, and into the log.
    pub async fn conclude(&mut self, load: &Load, outcome: &mut Outcome) {
        self.conclude_without_limit(load, outcome).await;
        invariants::check_limit(&self.client(), outcome).await;
    }

    pub async fn conclude_without_limit(&mut self, load: &Load, outcome: &mut Outcome) {
        load.retry_open().await;
        invariants::check_records(load, &self.books(), outcome).await;
        invariants::check_service(load, &self.client(), &self.books(), outcome).await;
        outcome.take_record(load);
        let log = self.program().log();
        if outcome.kinds.keys().any(|kind| kind.starts_with("500")) {
            let why = log.lines().find(|line| line.contains("\"ERROR\"")).unwrap_or("nothing");
            outcome.problems.insert(0, format!("500, and the log says {why}"));
        }
        let panics = log.lines().filter(|line| line.contains("panicked")).count();
        outcome.require(panics == 0, || format!("{panics} panics in the log"));
        let secret = log.lines().find(|line| line.contains("+4477") || line.contains("tl_"));
        outcome.require(secret.is_none(), || format!("a secret in the log: {secret:?}"));
    }
}
