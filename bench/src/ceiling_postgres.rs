//! What pgbench reaches with the same statements, prepared, on as many connections as the service has.

use std::ops::Range;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use touchline::platform::clock::Clock;

use crate::Outcome;
use crate::database::{Database, Stores};
use crate::seed::FIRST_PHONE;
use crate::statements as sql;
use crate::writes::Write;

/// `database.postgres_connections` of the service.
const CLIENTS: i64 = 12;

#[derive(Debug)]
pub struct Pgbench {
    program: PathBuf,
    url: String,
    folder: PathBuf,
    pub users: i64,
    pub now: i64,
}

impl Pgbench {
    pub fn open(stores: &Stores, database: &Database, users: i64) -> Outcome<Self> {
        // Sessions by a hash that a script can compute.
        let rename = format!("UPDATE sessions SET token_hash = {}", hash_of("user_id"));
        stores.execute(&database.url(), &rename)?;
        stores.execute(&database.url(), "VACUUM ANALYZE sessions")?;
        Self::beside_the_service(database, users)
    }

    /// On the service's own database, whose sessions stay as they are; for reads.
    pub fn beside_the_service(database: &Database, users: i64) -> Outcome<Self> {
        let programs = std::env::var("TOUCHLINE_TEST_PG_BIN")?;
        Ok(Self {
            program: PathBuf::from(programs).join("pgbench"),
            url: database.url(),
            folder: database.folder().to_owned(),
            users,
            now: Clock::system().now().as_millis(),
        })
    }

    pub fn for_time(&self, write: Write, time: Duration) -> Outcome<f64> {
        self.run_for(&self.script(write), time)
    }

    /// What `GET /api/auth/me` asks of a server that knows the session.
    pub fn me(&self, time: Duration) -> Outcome<f64> {
        let script = [sql::USER, sql::FAVOURITES].map(|sql| fill(sql, &[":user"]) + ";\n");
        self.run_for(&script.concat(), time)
    }

    fn run_for(&self, script: &str, time: Duration) -> Outcome<f64> {
        let seconds = time.as_secs().max(1).to_string();
        let users = format!("\\set user random(1, {})\n", self.users);
        self.run(script, &users, &["-T", &seconds])
    }

    /// Once for each of these users, except the few that do not fill a round of all clients.
    pub fn once(&self, write: Write, users: Range<i64>) -> Outcome<f64> {
        // Variables live as long as their client.
        let next = format!(
            "\\set n :n + 1\n\\set user {} + (:n - 1) * {CLIENTS} + :client_id\n",
            users.start
        );
        let times = (users.end - users.start) / CLIENTS;
        self.run(&self.script(write), &next, &["-D", "n=0", "-t", &times.to_string()])
    }

    pub fn run(&self, statements: &str, users: &str, length: &[&str]) -> Outcome<f64> {
        let script = self.folder.join("pgbench.sql");
        let number = "\\set number random(1, 9000000000000000000)\n";
        std::fs::write(&script, [users, number, statements].concat())?;
        let clients = CLIENTS.to_string();
        let output = Command::new(&self.program)
            .args(["-n", "-M", "prepared", "-j", "2", "-c", &clients])
            .args(length)
            .arg("-f")
            .arg(&script)
            .arg(&self.url)
            .output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let figure = text.lines().find_map(|line| line.strip_prefix("tps = "));
        let figure = figure.and_then(|rest| rest.split_whitespace().next());
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
        }
        Ok(figure.ok_or("pgbench gave no figure")?.parse()?)
    }

    /// The call of the user `:user`.
    fn script(&self, write: Write) -> String {
        match write {
            Write::CodeRequest => self.request_code(),
            Write::CodeVerify => self.verify_code(),
            Write::PredictSpread | Write::PredictOne => {
                self.predict(&format!("random(1, {})", write.events()))
            }
            Write::Replace => self.predict("501 + :user * 7 % 400"),
            Write::Deduct => {
                [session(), begin(), self.transfer("-1", ":user", "-3"), commit()].concat()
            }
            Write::Claim => self.claim(),
        }
    }

    fn limit(&self, code: &str, most: i64) -> String {
        let now = format!("'{:016}'", self.now);
        let bucket = format!("'{code}:' || lpad(CAST(:user AS TEXT), 32, '0')");
        let (until, before) = (self.now.to_string(), format!("'{:016}'", self.now - 600_000));
        let (length, oldest) = ((most * 16).to_string(), ((most - 1) * 16 + 1).to_string());
        fill(sql::LIMIT, &[&bucket, &now, &until, &length, &oldest, &before]) + ";\n"
    }

    fn request_code(&self) -> String {
        let (phone, now, until) = (phone(), self.now.to_string(), (self.now + 300_000).to_string());
        let nonce = "'\\x00000000000000000000000000000000'";
        [
            begin(),
            self.limit("phone_send_limit", 5),
            self.limit("phone_daily_send_limit", 10),
            fill(sql::CHALLENGE, &["0", &phone]) + " FOR UPDATE;\n",
            fill(sql::NEW_CHALLENGE, &["0", &phone, nonce, &now, &until, "''"]) + ";\n",
            fill(
                sql::SMS,
                &[&phone, "'123456'", "'sent'", "'log'", "NULL", "1", &now, &until, "0"],
            ) + ";\n",
            commit(),
        ]
        .concat()
    }

    fn verify_code(&self) -> String {
        let (phone, now) = (phone(), self.now.to_string());
        let (device, hash) = ("'TL' || CAST(:number AS TEXT)", hash_of(":number"));
        [
            begin(),
            fill(sql::USER_BY_PHONE, &[&phone, &phone]) + " FOR SHARE \\gset u_\n",
            fill(sql::TRY, &["0", &phone, &now, "5", "CAST(:user AS TEXT)"]) + ";\n",
            fill(sql::USED_CHALLENGE, &["0", &phone]) + ";\n",
            fill(sql::NEW_SESSION, &[":u_id", &hash, "NULL", &now, &(self.now + 1).to_string()])
                + " \\gset s_\n",
            fill(sql::CHAT_ACCOUNT, &[":u_id"]) + " \\gset c_\n",
            fill(sql::NEW_DEVICE, &[":c_matrix_id", device, ":s_id", &now]) + ";\n",
            commit(),
            fill(sql::LIVE_DEVICE, &[":c_matrix_id", device]) + ";\n",
        ]
        .concat()
    }

    fn predict(&self, event_of_user: &str) -> String {
        let now = self.now.to_string();
        let (event, sure) = (":event", ":confidence");
        let counted = [event, "CAST(:user AS BIGINT) % 32", "0", "1", "0", "-1", sure, "0", "0"];
        [
            format!("\\set event {event_of_user}\n\\set confidence random(0, 100)\n"),
            session(),
            begin(),
            fill(sql::OPEN_EVENT, &[event, &now]) + " FOR SHARE;\n",
            fill(sql::PREDICTION, &[event, ":user", "'home'", "NULL", "NULL", sure, &now])
                + " \\gset p_\n",
            fill(sql::REVISION, &[":p_id", "'home'", "NULL", "NULL", sure, &now]) + ";\n",
            fill(sql::COUNTER, &counted) + ";\n",
            commit(),
        ]
        .concat()
    }

    fn transfer(&self, coins: &str, debit: &str, credit: &str) -> String {
        let amount = coins.trim_start_matches('-');
        let most = "9000000000000000";
        let id = "'bench' || CAST(:number AS TEXT)";
        let now = self.now.to_string();
        let row = [
            id,
            debit,
            credit,
            amount,
            ":user",
            ":b_entries",
            ":b_balance",
            "'bench'",
            "NULL",
            &now,
        ];
        [
            fill(sql::BALANCE, &[":user", coins, "1", most]) + " \\gset b_\n",
            fill(sql::TRANSFER, &row) + ";\n",
        ]
        .concat()
    }

    fn claim(&self) -> String {
        let today = (self.now / 86_400_000).to_string();
        [
            session(),
            begin(),
            self.limit("daily_claim_limit", 10),
            fill(sql::HELD_ACCOUNT, &[":user"]) + " FOR UPDATE;\n",
            self.transfer("50", "-2", ":user"),
            fill(sql::CLAIM, &[":user", &today, "1"]) + ";\n",
            commit(),
        ]
        .concat()
    }
}

pub fn begin() -> String {
    "BEGIN;\n".to_owned()
}

pub fn commit() -> String {
    "COMMIT;\n".to_owned()
}

fn session() -> String {
    fill(sql::SESSION, &[&hash_of(":user")]) + ";\n"
}

fn phone() -> String {
    format!("'+' || CAST({FIRST_PHONE} + CAST(:user AS BIGINT) AS TEXT)")
}

pub fn hash_of(number: &str) -> String {
    format!("sha256(convert_to(CAST({number} AS TEXT), 'UTF8'))")
}

/// The statement with these values in place of `?1`, `?2` and so on.
pub fn fill(sql: &str, values: &[&str]) -> String {
    let numbered = values.iter().enumerate().rev();
    // The last first, so that ?1 is not found in ?10.
    numbered.fold(sql.to_owned(), |sql, (at, value)| sql.replace(&format!("?{}", at + 1), value))
}
