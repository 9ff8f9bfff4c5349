//! Logins with the embedded homeserver: a code's second half, and chat credentials. Of users who are new, and of the same again.

use touchline::platform::db::Engine;

use crate::figures::Rounds;
use crate::load::{self, Length};
use crate::plan::{CONNECTIONS, Plan};
use crate::report::{Figure, thousands};
use crate::server::Server;
use crate::writes::{code_requests, verifications};
use crate::{Bench, Outcome, seed};

pub fn steps(plan: &Plan) -> usize {
    2 * plan.rounds
}

pub fn measure(bench: &mut Bench, engine: Engine) -> Outcome<()> {
    // Each has a homeserver's file of its own beside it, which belongs to one database.
    let (name, goal) = match engine {
        Engine::Sqlite => ("logins_sqlite", 6_000.0),
        Engine::Postgres => ("logins_postgres", 2_500.0),
    };
    let (database, ()) = bench.stores.create(engine, name, async |db| seed::catalogue(db).await)?;
    let server = Server::touchline(&database, &[])?;
    let mut kinds =
        ["a new user", "a known user"].map(|who| (who, Rounds::default(), Rounds::default()));
    for round in 0..bench.plan.rounds {
        let users = bench.plan.users_of(engine, round);
        bench.step_of(&format!("{}: logins with chat credentials", database.label()));
        for (_, logins, p99_ms) in &mut kinds {
            load::run(&[server.address], CONNECTIONS, &code_requests(users.clone()), Length::Once)?;
            let codes = bench.stores.sent_codes(&database, users.end - users.start)?;
            let done =
                load::run(&[server.address], CONNECTIONS, &verifications(&codes), Length::Once)?;
            logins.push(done.per_second);
            p99_ms.push(done.p99_ms);
        }
    }
    for (who, logins, p99_ms) in kinds {
        let median = logins.median();
        bench.report.figures.push(Figure {
            what: format!("log in {who}, with chat credentials of the embedded homeserver"),
            database: database.label(),
            value: format!("{} a second, p99 {:.0} ms", thousands(median), p99_ms.median()),
            goal: Some((format!("{} a second", thousands(goal)), median >= goal)),
        });
    }
    drop(server);
    bench.stores.remove(&database)
}
