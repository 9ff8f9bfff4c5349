//! `make bench`: how much of what this machine can do the service gives to its callers.
//!
//! Every workload yields a [`report::Row`] (against a ceiling) or a [`report::Figure`] (without one) and, where something
//! grows, a [`plot::Chart`]. A new one is a module with `steps` and `measure`, called in [`measure`].

mod answer;
mod caller;
mod ceiling_postgres;
mod ceiling_shared;
mod ceiling_sqlite;
mod chat;
mod database;
mod figures;
mod growth;
mod leagues;
mod load;
mod logins;
mod machine;
mod match_day;
mod moving;
mod operators;
mod plan;
mod plot;
mod progress;
mod reads;
mod reminders;
mod report;
mod seed;
mod server;
mod stand_in;
mod statements;
mod streams;
mod writes;

use std::error::Error;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use touchline::platform::db::Engine;

use database::Stores;
use machine::Machine;
use plan::{CONNECTIONS, Part, Plan};
use progress::Progress;
use report::{Report, Row};
use server::Server;

pub type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// What every workload needs.
pub struct Bench {
    pub plan: Plan,
    pub stores: Stores,
    pub report: Report,
    progress: Progress,
}

impl Bench {
    /// A round of a row begins.
    pub fn step(&mut self, row: &Row) {
        self.progress.step(&format!("{}: {}", row.database, row.workload));
    }

    pub fn step_of(&mut self, what: &str) {
        self.progress.step(what);
    }
}

fn main() -> ExitCode {
    let done = match std::env::args().nth(1).as_deref() {
        Some("hello") => stand_in::run(stand_in::hello()),
        Some("homeserver") => stand_in::run(stand_in::homeserver()),
        Some("quick") => parts().and_then(|parts| run(Plan::quick().only(parts))),
        Some("match-day") => play(match_day::FANS, "docs"),
        Some("quick-match-day") => play(match_day::FEW_FANS, "target/bench"),
        Some("full") => parts().and_then(|parts| run(Plan::full().only(parts))),
        _ => Err(
            "say quick or full, and which of reads, writes, streams, operators, leagues, reminders, moving, growth and chat if not all, \
             or match-day or quick-match-day"
                .into(),
        ),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // There is nowhere left to report a broken standard error.
            let _ = writeln!(std::io::stderr(), "\nbench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn play(fans: i64, usual_output: &str) -> Outcome<()> {
    match_day::run(fans, &named_output(usual_output)?)
}

fn parts() -> Outcome<Vec<Part>> {
    let part = |name: String| Part::named(&name).ok_or(format!("there is no part {name}").into());
    std::env::args().skip(2).map(part).collect()
}

fn run(plan: Plan) -> Outcome<()> {
    touchline::platform::outbound::install_tls();
    let output = output_folder(&plan)?;
    // Beside the build, so that the databases lie on a real disk.
    let folder = tempfile::tempdir_in(std::env::current_exe()?.parent().ok_or("no folder")?)?;
    let mut machine = Machine::look();
    let mut bench = Bench {
        progress: Progress::new(steps(&plan)),
        stores: Stores::new(folder.path())?,
        report: Report::default(),
        plan,
    };
    if bench.plan.uses_generator() {
        check_generator(&mut bench, &mut machine)?;
    }
    measure(&mut bench)?;
    bench.progress.end();
    writeln!(std::io::stdout(), "{}", bench.report.text())?;
    write(&output, &bench, &machine)?;
    writeln!(std::io::stdout(), "Written to {}", output.display())?;
    Ok(())
}

fn steps(plan: &Plan) -> usize {
    let of = |part: &Part| match part {
        Part::Reads => reads::steps(plan),
        Part::Writes => writes::steps(plan) + logins::steps(plan),
        Part::Streams => streams::steps(plan),
        Part::Operators => operators::steps(plan),
        Part::Leagues => leagues::steps(plan),
        Part::Reminders => reminders::steps(),
        Part::Moving => moving::steps(),
        Part::Growth => growth::steps(plan),
        Part::Chat => chat::steps(plan),
    };
    usize::from(plan.uses_generator()) + plan.parts.iter().map(of).sum::<usize>()
}

/// The workloads, one after the other.
fn measure(bench: &mut Bench) -> Outcome<()> {
    let plan = bench.plan.clone();
    for engine in [Engine::Sqlite, Engine::Postgres] {
        if plan.has(Part::Reads) {
            reads::measure(bench, engine)?;
        }
        if plan.has(Part::Writes) {
            writes::measure(bench, engine)?;
            logins::measure(bench, engine)?;
        }
        if plan.has(Part::Streams) {
            streams::measure(bench, engine)?;
        }
        if plan.has(Part::Operators) {
            operators::measure(bench, engine)?;
        }
        if plan.has(Part::Leagues) {
            leagues::measure(bench, engine)?;
        }
        if plan.has(Part::Reminders) {
            reminders::measure(bench, engine)?;
        }
    }
    if plan.has(Part::Moving) {
        moving::measure(bench)?;
    }
    if plan.has(Part::Growth) {
        growth::measure(bench)?;
    }
    if plan.has(Part::Chat) { chat::measure(bench) } else { Ok(()) }
}

/// The same hello-world by this program's generator and by wrk: the leaner one leaves more of the machine to the server.
fn check_generator(bench: &mut Bench, machine: &mut Machine) -> Outcome<()> {
    bench.step_of("hello-world by two generators");
    let hello = Server::stand_in("hello")?;
    let mut greeting = load::Requests::default();
    greeting.get("/", "");
    let (mut ours, mut theirs) = (figures::Rounds::default(), figures::Rounds::default());
    for _ in 0..bench.plan.growth_rounds {
        let time = bench.plan.round.max(std::time::Duration::from_secs(1));
        theirs.push(load::wrk(&format!("http://{}/", hello.address), CONNECTIONS, time)?);
        let length = load::Length::Time(time);
        ours.push(load::run(&[hello.address], CONNECTIONS, &greeting, length)?.per_second);
    }
    let figures = [ours.median(), theirs.median()].map(report::thousands);
    let [ours, theirs] = figures;
    machine.add("hello-world by this load generator, a second", ours);
    machine.add("hello-world by wrk with one thread, a second", theirs);
    Ok(())
}

/// Where the page goes: into the documentation, or beside the build for a quick look.
fn output_folder(plan: &Plan) -> Outcome<PathBuf> {
    let folder = named_output(if plan.is_whole() { "docs" } else { "target/bench" })?;
    std::fs::create_dir_all(folder.join("benchmarks"))?;
    Ok(folder)
}

/// `TOUCHLINE_BENCH_OUTPUT` names another place than the usual one.
fn named_output(usual: &str) -> Outcome<PathBuf> {
    let folder = std::env::var("TOUCHLINE_BENCH_OUTPUT").unwrap_or_else(|_| usual.to_owned());
    std::fs::create_dir_all(&folder)?;
    Ok(folder.into())
}

fn write(folder: &Path, bench: &Bench, machine: &Machine) -> Outcome<()> {
    let page = bench.report.markdown(&bench.plan, machine);
    std::fs::write(folder.join("benchmarks.md"), page)?;
    for chart in &bench.report.charts {
        let path = folder.join("benchmarks").join(format!("{}.svg", chart.file));
        std::fs::write(path, chart.svg())?;
    }
    Ok(())
}
