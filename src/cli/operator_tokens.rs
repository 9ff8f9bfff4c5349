//! `touchline operator-token`: the way in that needs no token, for whoever can reach the database.

use clap::Args;

use super::print;
use crate::app;
use crate::features::operators::{
    self, Lifetime, NewOperator, Operator, OperatorId, OperatorName, OperatorRow, Role,
};
use crate::platform::clock::{Clock, Timestamp};
use crate::platform::config::Config;
use crate::platform::db::{Db, Tx};
use crate::platform::error::{Error, Result};
use crate::platform::http::page::Page;
use crate::platform::texts::Text;

#[derive(Args)]
pub struct OperatorToken {
    /// Who the token is for; the audit log shows it
    #[arg(default_value = "operator", value_parser = name)]
    name: OperatorName,
    /// What it allows: viewer, moderator, operator or owner
    #[arg(long, default_value = "owner", value_parser = role)]
    role: Role,
    /// How long it opens anything: 90m, 12h or 30d; without it, until it is revoked
    #[arg(long, value_name = "TIME")]
    expires: Option<Lifetime>,
    /// List the tokens there are instead, newest first
    #[arg(long, conflicts_with_all = ["revoke", "revoke_id", "expires"])]
    list: bool,
    /// Revoke every token of this name instead
    #[arg(long, conflicts_with_all = ["revoke_id", "expires"])]
    revoke: bool,
    /// Revoke the token with this id instead
    #[arg(long, value_name = "ID", conflicts_with = "expires")]
    revoke_id: Option<i64>,
}

fn name(text: &str) -> std::result::Result<OperatorName, Text> {
    OperatorName::try_from(text)
}

fn role(text: &str) -> std::result::Result<Role, Text> {
    Role::try_from(text)
}

pub async fn run(config: &Config, what: OperatorToken) -> Result<()> {
    let db = app::open_database(config, Clock::system()).await?;
    db.migrate().await?;
    let by = Operator::at_the_command_line();
    let outcome = match what {
        OperatorToken { list: true, .. } => list(&db).await,
        OperatorToken { revoke: true, name, .. } => {
            let revoke = move |tx: &mut Tx| operators::revoke_by_name(tx, &by, name.as_str());
            let count = db.write(revoke).await?;
            print(&format!("{count} revoked"))
        }
        OperatorToken { revoke_id: Some(id), .. } => {
            let revoke = move |tx: &mut Tx| operators::revoke_by_id(tx, &by, OperatorId(id));
            let row = db.write(revoke).await.map_err(|error| no_such(error, id))?;
            print(&format!("revoked: {} ({})", row.name, row.role))
        }
        OperatorToken { name, role, expires, .. } => {
            let issue = move |tx: &mut Tx| {
                let expires_at = expires.map(|lifetime| tx.now().plus_ms(lifetime.millis));
                let new = NewOperator { name: name.clone(), role, expires_at };
                operators::issue(tx, &by, &new)
            };
            let (_, token) = db.write(issue).await?;
            print(token.expose())
        }
    };
    db.close().await;
    outcome
}

fn no_such(error: Error, id: i64) -> Error {
    match error {
        Error::NotFound(_) => Error::internal(format!("there is no token with the id {id}")),
        error => error,
    }
}

async fn list(db: &Db) -> Result<()> {
    let mut page = Page::of(None, None);
    print("id\tname\trole\tmade\tlast used\tends")?;
    loop {
        let read = move |tx: &mut Tx| Ok((operators::list(tx, false, page)?.0, tx.now()));
        let (rows, now) = db.read(read).await?;
        for row in &rows {
            print(&line(row, now))?;
        }
        if rows.is_empty() {
            return Ok(());
        }
        page.number += 1;
    }
}

fn line(row: &OperatorRow, now: Timestamp) -> String {
    let date = |moment: Option<Timestamp>| moment.map(Timestamp::to_the_minute);
    let used = date(row.last_used_at).unwrap_or_else(|| "never".to_owned());
    let ends = match (row.revoked_at, row.expires_at) {
        (Some(revoked), _) => format!("revoked {}", revoked.to_the_minute()),
        (None, Some(end)) if end <= now => format!("expired {}", end.to_the_minute()),
        (None, end) => date(end).unwrap_or_else(|| "never".to_owned()),
    };
    let made = row.created_at.to_the_minute();
    format!("{}\t{}\t{}\t{made}\t{used}\t{ends}", row.id.0, row.name, row.role)
}
