//! Writes over HTTP, against the engine doing nothing but the same statements.

use std::ops::Range;
use std::time::Duration;

use touchline::platform::db::Engine;

use crate::ceiling_postgres::Pgbench;
use crate::ceiling_shared::WISHES;
use crate::ceiling_sqlite::Tight;
use crate::database::{Database, label};
use crate::figures::{Rounds, Wander};
use crate::load::{self, Length, Measured, Requests};
use crate::plan::{CONNECTIONS, Plan};
use crate::report::{Figure, Row, thousands};
use crate::server::Server;
use crate::{Bench, Outcome, seed};

const GOAL: f64 = 0.7;
/// Of what pgbench does one by one, where callers who wait can share statements.
const SHARED_GOAL: f64 = 2.5;
/// Users who write in turn, where each may do so often.
const CALLERS: i64 = 20_000;
/// Requests prepared for a round: more than it can send, so that pairs of user and event seldom return.
const REQUESTS_A_SECOND: u64 = 25_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Write {
    CodeRequest,
    CodeVerify,
    PredictSpread,
    PredictOne,
    Replace,
    Deduct,
    Claim,
}

impl Write {
    pub const fn name(self) -> &'static str {
        match self {
            Self::CodeRequest => "request a code",
            Self::CodeVerify => "verify a code (log in)",
            Self::PredictSpread => "predict, 1,000 matches",
            Self::PredictOne => "predict, one match",
            Self::Replace => "replace a prediction, 400 matches",
            Self::Deduct => "deduct coins",
            Self::Claim => "claim daily coins",
        }
    }

    /// Over how many matches predictions are spread.
    pub const fn events(self) -> i64 {
        match self {
            Self::PredictSpread => seed::OPEN_EVENTS,
            _ => 1,
        }
    }

    /// Whether one script can do it for many callers at once.
    pub const fn is_shared(self) -> bool {
        !matches!(self, Self::CodeRequest | Self::CodeVerify)
    }
}

pub fn steps(plan: &Plan) -> usize {
    2 * 7 * plan.rounds
}

pub fn measure(bench: &mut Bench, engine: Engine) -> Outcome<()> {
    let users = bench.plan.single_use_users(engine);
    let (database, tokens) = bench.stores.create(engine, "writes", async |db| {
        seed::catalogue(db).await?;
        seed::events(db, seed::OPEN_EVENTS).await?;
        seed::users(db, users).await?;
        seed::accounts(db).await?;
        let users: Vec<i64> = (1..=users).collect();
        seed::predictions_of(db, &users, 1).await?;
        seed::sessions(db, users).await
    })?;
    let copy = bench.stores.copy(&database, "writes_ceiling")?;
    let callers = users.min(CALLERS);
    let ceiling = match engine {
        Engine::Sqlite => Ceiling::Sqlite(Tight::open(&copy.path(), callers)?),
        Engine::Postgres => Ceiling::Postgres(Pgbench::open(&bench.stores, &copy, callers)?),
    };
    let homeserver = Server::stand_in("homeserver")?;
    let server = Server::without_chat(&database, &homeserver)?;
    let mut pair =
        Pair { engine, database: database.clone(), server, tokens, ceiling, wander: Wander(2) };
    for write in [Write::PredictSpread, Write::PredictOne, Write::Replace, Write::Deduct] {
        pair.for_time(bench, write)?;
    }
    pair.claims(bench)?;
    // Last: what a new account still needs of the homeserver is done behind its login, and would be measured with what follows.
    pair.codes(bench)?;
    drop(pair);
    bench.stores.remove(&copy)?;
    bench.stores.remove(&database)
}

enum Ceiling {
    Sqlite(Tight),
    Postgres(Pgbench),
}

impl Ceiling {
    const fn name(&self) -> &'static str {
        match self {
            Self::Sqlite(_) => "tight loop, 64 a commit",
            Self::Postgres(_) => "pgbench, 12 clients",
        }
    }

    fn for_time(&mut self, write: Write, time: Duration) -> Outcome<f64> {
        match self {
            Self::Sqlite(tight) => tight.for_time(write, time),
            Self::Postgres(pgbench) => pgbench.for_time(write, time),
        }
    }

    fn once(&mut self, write: Write, users: Range<i64>) -> Outcome<f64> {
        match self {
            Self::Sqlite(tight) => tight.once(write, users),
            Self::Postgres(pgbench) => pgbench.once(write, users),
        }
    }
}

/// What shared statements reach on PostgreSQL.
#[derive(Default)]
struct Shared {
    wishes: Rounds,
    ratios: Rounds,
}

impl Shared {
    fn report(&self, bench: &mut Bench, write: Write, engine: Engine) {
        if engine == Engine::Postgres {
            let (wishes, ratio) = (thousands(self.wishes.median()), self.ratios.median());
            bench.report.figures.push(Figure {
                what: format!("{} by pgbench, {WISHES} at once in shared statements", write.name()),
                database: label(engine),
                value: format!("{wishes} a second, {ratio:.1} times one by one"),
                goal: None,
            });
        }
    }
}

/// The service and its ceiling, on two copies of one database.
struct Pair {
    engine: Engine,
    database: Database,
    server: Server,
    tokens: Vec<(i64, String)>,
    ceiling: Ceiling,
    wander: Wander,
}

impl Pair {
    fn row(&self, write: Write) -> Row {
        let is_shared = write.is_shared() && self.engine == Engine::Postgres;
        let goal = if is_shared { SHARED_GOAL } else { GOAL };
        Row::new(write.name(), self.database.label(), self.ceiling.name(), Some(goal))
    }

    /// What pgbench reaches if one script does it for many callers, beside what it reached one by one just before.
    fn share(
        &self,
        shared: &mut Shared,
        write: Write,
        one_by_one: f64,
        time: Duration,
    ) -> Outcome<()> {
        if let Ceiling::Postgres(pgbench) = &self.ceiling {
            let wishes = pgbench.shared(write, time)?;
            shared.wishes.push(wishes);
            shared.ratios.push(wishes / one_by_one);
        }
        Ok(())
    }

    fn finish(&self, bench: &mut Bench, mut row: Row) {
        row.memory_mb = self.server.memory_mb();
        bench.report.rows.push(row);
    }

    fn send(&self, requests: &Requests, length: Length) -> Outcome<Measured> {
        load::run(&[self.server.address], CONNECTIONS, requests, length)
    }

    /// Codes are asked for and then used, each once.
    fn codes(&mut self, bench: &mut Bench) -> Outcome<()> {
        let (mut asked, mut used) = (self.row(Write::CodeRequest), self.row(Write::CodeVerify));
        for round in 0..bench.plan.rounds {
            let users = bench.plan.users_of(self.engine, round);
            bench.step(&asked);
            let ceiling = self.ceiling.once(Write::CodeRequest, users.clone())?;
            asked.push(ceiling, self.send(&code_requests(users.clone()), Length::Once)?);
            bench.step(&used);
            let codes = bench.stores.sent_codes(&self.database, users.end - users.start)?;
            let ceiling = self.ceiling.once(Write::CodeVerify, users)?;
            used.push(ceiling, self.send(&verifications(&codes), Length::Once)?);
        }
        self.finish(bench, asked);
        self.finish(bench, used);
        Ok(())
    }

    fn claims(&mut self, bench: &mut Bench) -> Outcome<()> {
        let (mut row, mut shared) = (self.row(Write::Claim), Shared::default());
        for round in 0..bench.plan.rounds {
            let users = bench.plan.users_of(self.engine, round);
            bench.step(&row);
            let mut requests = Requests::default();
            for (_, token) in self.tokens.iter().filter(|(user, _)| users.contains(user)) {
                requests.post("/api/auth/daily-coins", token, "");
            }
            let ceiling = self.ceiling.once(Write::Claim, users)?;
            self.share(&mut shared, Write::Claim, ceiling, bench.plan.round)?;
            row.push(ceiling, self.send(&requests, Length::Once)?);
        }
        self.finish(bench, row);
        shared.report(bench, Write::Claim, self.engine);
        Ok(())
    }

    fn for_time(&mut self, bench: &mut Bench, write: Write) -> Outcome<()> {
        let (mut row, mut shared) = (self.row(write), Shared::default());
        let time = bench.plan.round;
        for _ in 0..bench.plan.rounds {
            bench.step(&row);
            let count = REQUESTS_A_SECOND * u64::try_from(time.as_millis())? / 1_000;
            let callers = self.tokens.get(..usize::try_from(CALLERS)?).unwrap_or(&self.tokens);
            let requests = prepare(write, callers, count, &mut self.wander);
            let ceiling = self.ceiling.for_time(write, time)?;
            self.share(&mut shared, write, ceiling, time)?;
            row.push(ceiling, self.send(&requests, Length::Time(time))?);
        }
        self.finish(bench, row);
        shared.report(bench, write, self.engine);
        Ok(())
    }
}

pub fn code_requests(users: Range<i64>) -> Requests {
    let mut requests = Requests::default();
    for user in users {
        requests.post("/api/code/request", "", &format!("{{\"phone\":\"{}\"}}", seed::phone(user)));
    }
    requests
}

pub fn verifications(codes: &[(String, String)]) -> Requests {
    let mut requests = Requests::default();
    for (phone, code) in codes {
        let body = format!("{{\"phone\":\"{phone}\",\"code\":\"{code}\"}}");
        requests.post("/api/code/verify", "", &body);
    }
    requests
}

/// Predictions or deductions by users as they come.
pub fn prepare(
    write: Write,
    tokens: &[(i64, String)],
    count: u64,
    wander: &mut Wander,
) -> Requests {
    let mut requests = Requests::default();
    let users = i64::try_from(tokens.len()).unwrap_or(i64::MAX);
    for _ in 0..count {
        let at = usize::try_from(wander.below(users)).unwrap_or(0);
        let Some((user, token)) = tokens.get(at) else { continue };
        if write == Write::Deduct {
            let body = "{\"amount\":1,\"reason\":\"bench\"}";
            requests.post("/api/auth/coins/deduct", token, body);
        } else {
            let event = match write {
                Write::Replace => seed::predicted_event(*user),
                _ => 1 + wander.below(write.events()),
            };
            let sure = wander.below(101);
            let outcome = ["home", "draw", "away"].get(at % 3).copied().unwrap_or("home");
            let body = format!(
                "{{\"event_id\":{event},\"prediction\":\"{outcome}\",\"confidence\":{sure}}}"
            );
            requests.post("/api/auth/predictions", token, &body);
        }
    }
    requests
}
