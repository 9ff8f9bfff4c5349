//! How long an operator waits for the console's pages on a service with very many users: one caller, one call at a time.

mod filling;

pub use filling::fill;

use std::time::{Duration, Instant};

use serde_json::Value;
use touchline::platform::db::Engine;

use crate::caller::{Answer, Caller};
use crate::database::{Database, label};
use crate::figures::{Rounds, Wander, float, millis};
use crate::plan::Plan;
use crate::report::{Wait, thousands};
use crate::server::{OPERATOR_TOKEN, Server};
use crate::{Bench, Outcome, seed};

/// The most that a search may take, and a page of the console with all its calls.
const SEARCH_MS: f64 = 50.0;
const PAGE_MS: f64 = 100.0;
/// The last page that a search shows.
const DEEP: &str = "&page=500";
/// A server that has just started looks through all its books; after this it is measured as it is.
const CALM: Duration = Duration::from_secs(120);

const FRONT_PAGE: [&str; 3] =
    ["/api/admin/overview", "/api/admin/feeds", "/api/admin/events/in-need"];
/// Below a user's own path.
const USER_PAGE: [&str; 5] = ["", "/sessions", "/predictions", "/coins/transactions", "/notes"];

pub fn steps(plan: &Plan) -> usize {
    2 * (1 + searches(plan.operator_users).len() + 3)
}

pub fn measure(bench: &mut Bench, engine: Engine) -> Outcome<()> {
    let users = bench.plan.operator_users;
    let name = label(engine);
    bench.step_of(&format!("{name}: {} users for operators", thousands(whole(users))));
    let (database, ()) =
        bench.stores.create(engine, "operators", async |db| filling::fill(db, users).await)?;
    let homeserver = Server::stand_in("homeserver")?;
    let server = serve(&database, &homeserver)?;
    let mut desk = Desk::open(bench, &server, name)?;
    desk.wait_until_calm(bench)?;
    for search in searches(users) {
        bench.step_of(&format!("{name}: {}", search.what));
        desk.check(bench, &search)?;
        let paths = (0..bench.plan.operator_calls).map(|at| [(search.path)(at)]).collect();
        desk.measure(bench, search.what.to_owned(), SEARCH_MS, paths)?;
    }
    pages(bench, &mut desk)?;
    drop(server);
    bench.stores.remove(&database)
}

/// Pages of the console, each with all its calls.
fn pages(bench: &mut Bench, desk: &mut Desk) -> Outcome<()> {
    let (users, calls) = (bench.plan.operator_users, bench.plan.operator_calls);
    let page_of = |user: i64| USER_PAGE.map(|rest| format!("/api/admin/users/{user}{rest}"));
    let busy_name = format!(
        "the same of a user with {} predictions and {} coin entries",
        thousands(whole(filling::BUSY_PREDICTIONS)),
        thousands(whole(filling::BUSY_TRANSFERS))
    );
    let front = (0..calls).map(|_| FRONT_PAGE.map(str::to_owned)).collect();
    let ordinary = (0..calls).map(|at| page_of(somebody(at, users))).collect();
    let busy = (0..calls).map(|at| page_of(users - at % filling::BUSY)).collect();
    let name = desk.database;
    bench.step_of(&format!("{name}: the front page"));
    let what = "the front page: overview, feeds and matches in need";
    desk.measure(bench, what.to_owned(), PAGE_MS, front)?;
    bench.step_of(&format!("{name}: pages of users"));
    let what = "a user's page: the user, sessions, predictions, coins and notes";
    desk.measure(bench, what.to_owned(), PAGE_MS, ordinary)?;
    bench.step_of(&format!("{name}: pages of busy users"));
    desk.measure(bench, busy_name, PAGE_MS, busy)
}

/// An operator who asks one thing after the other.
struct Desk {
    caller: Caller,
    database: &'static str,
}

impl Desk {
    fn open(bench: &Bench, server: &Server, database: &'static str) -> Outcome<Self> {
        let caller = bench.stores.runtime.block_on(Caller::connect(server.address))?;
        Ok(Self { caller, database })
    }

    /// Each of these is some calls, of which it is measured how long they take together.
    fn measure<const CALLS: usize>(
        &mut self,
        bench: &mut Bench,
        what: String,
        goal_ms: f64,
        paths: Vec<[String; CALLS]>,
    ) -> Outcome<()> {
        let mut waits = Rounds::default();
        for together in paths {
            let began = Instant::now();
            for path in together {
                self.ask(bench, &path)?;
            }
            waits.push(millis(began.elapsed()));
        }
        bench.report.waits.push(Wait { what, database: self.database, goal_ms, waits });
        Ok(())
    }

    fn ask(&mut self, bench: &Bench, path: &str) -> Outcome<Answer> {
        let answer = bench.stores.runtime.block_on(self.caller.get(path, OPERATOR_TOKEN))?;
        answer.success()
    }

    /// Refuses to measure a search that does not find what it should.
    fn check(&mut self, bench: &Bench, search: &Search) -> Outcome<()> {
        let path = (search.path)(0);
        let answer = self.ask(bench, &path)?.json()?;
        let found = answer.pointer("/data/0").is_some();
        if found == search.finds {
            return Ok(());
        }
        Err(format!("{}: {path} found {}", search.what, answer).into())
    }

    /// Until the work that a start brings is done.
    fn wait_until_calm(&mut self, bench: &Bench) -> Outcome<()> {
        let give_up = Instant::now() + CALM;
        loop {
            let overview = self.ask(bench, FRONT_PAGE[0])?.json()?;
            let lanes = overview
                .pointer("/data/jobs/lanes")
                .and_then(Value::as_array)
                .ok_or("there are no lanes")?;
            let is_busy = |lane: &Value| {
                let is_at_work = ["running", "lag_ms"]
                    .iter()
                    .any(|figure| lane.get(figure).is_some_and(|figure| *figure != 0));
                lane.get("lane").is_some_and(|lane| *lane == "local") && is_at_work
            };
            if !lanes.iter().any(is_busy) || Instant::now() > give_up {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}

struct Search {
    what: &'static str,
    finds: bool,
    /// Of the call with this number; each asks for something else, as far as there is something else.
    path: Box<dyn Fn(i64) -> String>,
}

fn searches(users: i64) -> Vec<Search> {
    let letter = |at: i64| filling::first_name(at).to_lowercase().chars().take(1).collect();
    let of = move |what, finds, by: &'static str, rest: &'static str, text: fn(i64) -> String| {
        let path = move |at| format!("/api/admin/users?{by}{}{rest}", text(at));
        Search { what, finds, path: Box::new(path) }
    };
    let by_user = move |what, finds, by: &'static str, text: fn(i64) -> String| {
        let path = move |at| format!("/api/admin/users?{by}{}", text(somebody(at, users)));
        Search { what, finds, path: Box::new(path) }
    };
    vec![
        of("username, one letter", true, "username=", "", letter),
        of("username, one letter, page 500", true, "username=", DEEP, letter),
        by_user("username, six letters", true, "username=", |user| beginning(user, 6)),
        by_user("username, whole", true, "username=", filling::username),
        of("username, of nobody", false, "username=zz", "", |at| at.to_string()),
        of("username, as of those who left", false, "username=deleted.", "", |_| String::new()),
        of("name, one letter", true, "name=", "", letter),
        of("name, one letter, page 500", true, "name=", DEEP, letter),
        by_user("name, first name", true, "name=", filling::first_name),
        of("name, of nobody", false, "name=zz", "", |at| at.to_string()),
        by_user("phone", true, "phone=%2B", |user| (seed::FIRST_PHONE + user).to_string()),
        of("phone, of nobody", false, "phone=%2B4930", "", |at| (1_000_000 + at).to_string()),
        by_user("id", true, "id=", |user| user.to_string()),
        of("the newest", true, "", "page=1", |_| String::new()),
        of("the newest, page 500", true, "", DEEP, |_| String::new()),
    ]
}

fn beginning(user: i64, letters: usize) -> String {
    filling::username(user).chars().take(letters).collect()
}

/// A user who is still there.
fn somebody(at: i64, users: i64) -> i64 {
    let user = 1 + Wander(at.unsigned_abs()).below(users - 1);
    if user % 100 == 33 { user - 1 } else { user }
}

/// The service with feeds that no file has anything new for.
fn serve(database: &Database, homeserver: &Server) -> Outcome<Server> {
    let file = database.folder().join("no-matches.json");
    std::fs::write(&file, r#"{"name": "League", "matches": []}"#)?;
    let mut sources = Vec::new();
    for number in 1..=filling::TOURNAMENTS {
        let own = database.folder().join(format!("no-matches-{number}.json"));
        std::fs::copy(&file, &own)?;
        sources.push(format!("league_{number} = openfootball:{}", own.display()));
        sources.push(format!("league_{number} = football_data:L{number}:2026"));
    }
    let (url, sources) = (format!("http://{}", homeserver.address), sources.join(", "));
    let settings = [
        ("TOUCHLINE_MATRIX__HOMESERVER_URL", url.as_str()),
        ("TOUCHLINE_MATRIX__BREAKER_FAILURES", "1000000"),
        ("TOUCHLINE_FEEDS__SOURCES", &sources),
        ("TOUCHLINE_FEEDS__FOOTBALL_DATA__TOKEN", "none"),
        // Nobody is asked outside of this machine, whatever happens.
        ("TOUCHLINE_FEEDS__FOOTBALL_DATA__BASE_URL", &url),
    ];
    Server::touchline(database, &settings)
}

fn whole(count: i64) -> f64 {
    float(count.unsigned_abs())
}
