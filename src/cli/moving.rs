//! `touchline move`: what it is told and what it says.

use std::io::Read;

use clap::Args;

use crate::platform::clock::Clock;
use crate::platform::config::{Config, ConfigError};
use crate::platform::db::moving::{self, Step};
use crate::platform::db::{self};
use crate::platform::error::{Error, Result};
use crate::platform::progress::Progress;

use super::print;

#[derive(Args)]
pub struct Move {
    /// The PostgreSQL database to move to, which is empty, as in `database_url`; or - to read it from standard input
    #[arg(long, value_name = "URL", required_unless_present = "give_up")]
    to: Option<String>,
    /// Do not go on with a move that was begun: the service stays where it is
    #[arg(long, conflicts_with = "to")]
    give_up: bool,
}

pub async fn run(config: &Config, what: Move) -> Result<()> {
    let Some(file) = db::embedded_file(&config.database_url()) else {
        return Err(Error::internal(
            "database_url names a PostgreSQL server already; what is moved is an embedded database",
        ));
    };
    if !file.exists() {
        return Err(Error::internal(format!("there is no database at {}", file.display())));
    }
    let Some(to) = what.to else {
        moving::give_up(&file)?;
        return print(
            "Nothing is being moved any more. Empty the PostgreSQL database before it is used again.",
        );
    };
    let url = if to == "-" { from_standard_input()? } else { to };
    let there = Config { database_url: url, ..config.clone() };
    if db::embedded_file(&there.database_url).is_some() {
        return Err(Error::internal("--to must begin with postgres://"));
    }
    let misnamed = |error: ConfigError| error.to_string().replace("database_url", "--to");
    db::check(&there).map_err(|error| Error::internal(misnamed(error)))?;
    let mut shown = Shown(None);
    let told = |step, done, all| shown.tell(step, done, all);
    let moved =
        moving::run(&file, &there.database_url, &config.database, Clock::system(), told).await?;
    drop(shown);
    let (rows, tables) = (moved.rows, moved.tables);
    if moved.read_only.is_zero() {
        print("It had been moved already.")?;
    } else {
        let seconds = moved.read_only.as_secs_f64();
        print(&format!(
            "{rows} rows of {tables} tables are the same on both sides. Nothing could be written for {seconds:.1} s."
        ))?;
    }
    print(
        "Now set database_url to the new database, stop the service and start it again. The old file stays as it is, and refuses every change.",
    )
}

fn from_standard_input() -> Result<String> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(Error::internal)?;
    Ok(text.trim().to_owned())
}

/// The line of the step that it is at.
struct Shown(Option<(Step, Progress)>);

impl Shown {
    fn tell(&mut self, step: Step, done: u64, all: u64) {
        if self.0.as_ref().is_none_or(|(at, _)| *at != step) {
            // The line before ends first.
            self.0 = None;
            self.0 = Some((step, line(step)));
        }
        if let Some((_, progress)) = &mut self.0 {
            progress.tell(done, all);
        }
    }
}

fn line(step: Step) -> Progress {
    let rows = |count| format!("{count} rows");
    let indexes = |count| format!("{count} indexes");
    let nothing = |_| String::new();
    match step {
        Step::Copying => Progress::new("copying", rows),
        Step::Indexing => Progress::new("indexing", indexes),
        Step::Following => Progress::new("following", nothing),
        Step::Checking => Progress::new("checking", rows),
        Step::CuttingOver => Progress::new("cutting over", nothing),
        Step::Validating => Progress::new("validating", nothing),
    }
}
