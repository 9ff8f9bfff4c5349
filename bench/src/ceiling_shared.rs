//! What pgbench reaches if one script does for many callers what `ceiling_postgres.rs` does for each: the same tables, each
//! changed by one statement for all of them. A figure counts callers, not scripts.

use std::time::Duration;

use crate::Outcome;
use crate::ceiling_postgres::{Pgbench, begin, commit, fill, hash_of};
use crate::statements as sql;
use crate::writes::Write;

/// Callers whom one script serves.
pub const WISHES: i64 = 16;

/// What the script was asked for, and what an earlier statement of it answered, as rows.
const WISHED: &str = "json_to_recordset(CAST(:w_wishes AS json)) AS w(user_id BIGINT, event_id BIGINT, confidence BIGINT)";
const DONE: &str = "json_to_recordset(CAST(:d_done AS json)) AS d(id BIGINT, user_id BIGINT, balance BIGINT, entries BIGINT)";
const ANSWERED: &str = "SELECT CAST(json_agg(done) AS TEXT) AS done FROM done \\gset d_\n";

impl Pgbench {
    pub fn shared(&self, write: Write, time: Duration) -> Outcome<f64> {
        let script = match write {
            Write::PredictSpread => self.predict_all("1 + (n * 31 + :salt) % 1000"),
            Write::PredictOne => self.predict_all("1"),
            Write::Replace => self.predict_all("501 + n * 7 % 400"),
            Write::Deduct => self.move_all("-1", "d.user_id", "-3", ""),
            Write::Claim => self.claim_all(),
            Write::CodeRequest | Write::CodeVerify => return Err("nobody shares this".into()),
        };
        // Neighbours, in the order of their ids, so that no two scripts wait for each other.
        let last = self.users - WISHES + 1;
        let users = format!("\\set first random(1, {last})\n\\set salt random(1, 1000)\n");
        let seconds = time.as_secs().max(1).to_string();
        Ok(self.run(&script, &users, &["-T", &seconds])? * 16.0)
    }

    /// Looks at the sessions, as for one caller, and says what is wished for.
    fn wishes(event: &str) -> String {
        let callers =
            format!("generate_series(CAST(:first AS BIGINT), :first + {}) AS n", WISHES - 1);
        let session =
            sql::SESSION.replace("= ?1", &format!("IN (SELECT {} FROM {callers})", hash_of("n")));
        format!(
            "WITH known AS MATERIALIZED ({session})
             SELECT (SELECT count(*) FROM known) AS known, CAST(json_agg(json_build_object('user_id', n,
                 'event_id', {event}, 'confidence', n % 101) ORDER BY n) AS TEXT) AS wishes FROM {callers} \\gset w_\n"
        )
    }

    fn predict_all(&self, event: &str) -> String {
        let now = self.now.to_string();
        let open = format!("e.id IN (SELECT w.event_id FROM {WISHED})");
        let wish = ["w.event_id", "w.user_id", "'home'", "NULL", "NULL", "w.confidence", &now];
        let count = [
            "w.event_id",
            "w.user_id % 32",
            "0",
            "count(*)",
            "0",
            "-count(*)",
            "sum(w.confidence)",
            "0",
            "0",
        ];
        let grouped = format!("{WISHED} GROUP BY 1, 2 ORDER BY 1, 2");
        [
            Self::wishes(event),
            begin(),
            fill(&sql::OPEN_EVENT.replace("e.id = ?1", &open), &["", &now]) + " FOR SHARE;\n",
            format!("WITH done AS ({}) {ANSWERED}", for_all(sql::PREDICTION, &wish, WISHED)),
            for_all(sql::REVISION, &["d.id", "'home'", "NULL", "NULL", "50", &now], DONE) + ";\n",
            for_all(sql::COUNTER, &count, &grouped) + ";\n",
            commit(),
        ]
        .concat()
    }

    /// Moves coins of all, and whatever else is set on their accounts.
    fn move_all(&self, coins: &str, debit: &str, credit: &str, set: &str) -> String {
        [Self::wishes("NULL"), begin(), self.transfers(coins, debit, credit, set), commit()]
            .concat()
    }

    fn transfers(&self, coins: &str, debit: &str, credit: &str, set: &str) -> String {
        let (now, amount) = (self.now.to_string(), coins.trim_start_matches('-'));
        let id = "'shared' || CAST(:number AS TEXT) || '-' || CAST(d.user_id AS TEXT)";
        let row = [
            id,
            debit,
            credit,
            amount,
            "d.user_id",
            "d.entries",
            "d.balance",
            "'bench'",
            "NULL",
            &now,
        ];
        let held =
            format!("user_id IN (SELECT w.user_id FROM {WISHED}) ORDER BY user_id FOR UPDATE;\n");
        let moved = sql::BALANCE
            .replace(
                " WHERE user_id = ?1",
                &format!("{set} FROM {WISHED} WHERE coin_accounts.user_id = w.user_id"),
            )
            .replace("RETURNING balance", "RETURNING coin_accounts.user_id, balance");
        [
            sql::HELD_ACCOUNT.replace("user_id = ?1", &held),
            format!(
                "WITH done AS ({}) {ANSWERED}",
                fill(&moved, &["", coins, "1", "9000000000000000"])
            ),
            for_all(sql::TRANSFER, &row, DONE) + ";\n",
        ]
        .concat()
    }

    fn claim_all(&self) -> String {
        let today = self.now / 86_400_000;
        let (now, before) =
            (format!("'{:016}'", self.now), format!("'{:016}'", self.now - 600_000));
        let bucket = "'daily_claim_limit:' || lpad(CAST(w.user_id AS TEXT), 32, '0')";
        let until = self.now.to_string();
        let limit = [bucket, &now, &until, "160", "145", &before];
        [
            Self::wishes("NULL"),
            begin(),
            for_all(sql::LIMIT, &limit, &format!("{WISHED} ORDER BY 1")) + ";\n",
            self.transfers(
                "50",
                "-2",
                "d.user_id",
                &format!(", last_claim_day = {today}, streak_days = 1"),
            ),
            commit(),
        ]
        .concat()
    }
}

/// A statement that inserts one row, for a row of each of these.
fn for_all(sql: &str, values: &[&str], rows: &str) -> String {
    let (into, rest) = sql.split_once("VALUES (").unwrap_or((sql, ""));
    let (row, conflict) = rest
        .split_once(") ON CONFLICT")
        .map_or((rest.trim_end_matches(')'), String::new()), |(row, rest)| {
            (row, format!(" ON CONFLICT{rest}"))
        });
    fill(&format!("{into}SELECT {row} FROM {rows}{conflict}"), values)
}
