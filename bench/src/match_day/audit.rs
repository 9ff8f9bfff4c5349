//! Whether everything is there that anybody was promised, and nothing else.

use std::collections::HashMap;

use tokio_postgres::Client;

use super::fan::Promised;
use super::{DATABASE, Day, Site, script};
use crate::Outcome;

/// A promise, and whether it was kept.
#[derive(Debug)]
pub struct Finding {
    pub what: &'static str,
    pub value: String,
    pub holds: bool,
}

impl Finding {
    fn all(what: &'static str, kept: usize, of: usize) -> Self {
        Self { what, value: format!("{kept} of {of}"), holds: kept == of }
    }

    fn none(what: &'static str, count: usize) -> Self {
        Self { what, value: count.to_string(), holds: count == 0 }
    }
}

pub async fn compare(site: &Site, day: &Day, promised: &[Promised]) -> Outcome<Vec<Finding>> {
    let client = site.primary.connect(DATABASE).await?;
    let there: Vec<_> = promised.iter().filter(|fan| fan.was_there).collect();
    let mut findings = vec![Finding::all("fans who got in", there.len(), promised.len())];
    let stored = predictions(&client, promised, &mut findings).await?;
    coins(&client, promised, &mut findings).await?;

    let finals = script::final_scores(&day.matches);
    let sees_all =
        |fan: &&&Promised| finals.iter().all(|(id, score)| fan.scores.get(id) == Some(score));
    let seeing = there.iter().filter(sees_all).count();
    findings.push(Finding::all("fans whose screen shows every final score", seeing, there.len()));
    let own = |fan: &Promised| stored.get(&fan.user).copied().unwrap_or(0);
    findings.push(Finding::all(
        "fans who were told how each of their predictions came out",
        there.iter().filter(|fan| fan.settled >= own(fan)).count(),
        there.len(),
    ));
    findings.push(Finding::none(
        "answers that no client should be told (500 and the like)",
        day.diary.broken().len(),
    ));
    Ok(findings)
}

/// Answers how many each user has.
async fn predictions(
    client: &Client,
    promised: &[Promised],
    findings: &mut Vec<Finding>,
) -> Outcome<HashMap<i64, usize>> {
    let sql = "SELECT user_id, event_id, outcome, settlement_version > 0 AND points IS NOT NULL FROM predictions";
    let rows = client.query(sql, &[]).await?;
    let (mut stored, mut of_user, mut settled) = (HashMap::new(), HashMap::new(), 0);
    for row in &rows {
        let key: (i64, i64) = (row.try_get(0)?, row.try_get(1)?);
        stored.insert(key, row.try_get::<_, String>(2)?);
        *of_user.entry(key.0).or_default() += 1;
        settled += usize::from(row.try_get::<_, bool>(3)?);
    }
    let sent = promised.iter().flat_map(|fan| {
        fan.predicted.iter().map(|(event, predicted)| ((fan.user, *event), predicted))
    });
    let sent: HashMap<_, _> = sent.collect();
    let is_as_sent = |key| {
        let both = stored.get(key).zip(sent.get(key));
        both.is_some_and(|(stored, sent)| sent.outcomes.contains(&stored.as_str()))
    };
    let certain = sent.iter().filter(|(_, sent)| sent.is_certain);
    findings.push(Finding::all(
        "acknowledged predictions that are there, as they were made last",
        certain.clone().filter(|(key, _)| is_as_sent(key)).count(),
        certain.count(),
    ));
    findings.push(Finding::none(
        "predictions that nobody made",
        stored.keys().filter(|key| !is_as_sent(key)).count(),
    ));
    findings.push(Finding::all(
        "predictions that have come out, with their points",
        settled,
        rows.len(),
    ));
    Ok(of_user)
}

async fn coins(client: &Client, promised: &[Promised], findings: &mut Vec<Finding>) -> Outcome<()> {
    let sql =
        "SELECT account_id, count(*) FROM coin_transfers WHERE reason = 'pie' GROUP BY account_id";
    let mut spent = HashMap::new();
    for row in client.query(sql, &[]).await? {
        spent.insert(row.try_get::<_, i64>(0)?, row.try_get::<_, i64>(1)?);
    }
    let spends_right = |fan: &&Promised| {
        let count = spent.get(&fan.user).copied().unwrap_or(0);
        (fan.spent..=fan.spent + fan.perhaps_spent).contains(&count)
    };
    findings.push(Finding::all(
        "fans who paid for each pie once",
        promised.iter().filter(spends_right).count(),
        promised.len(),
    ));
    let sql = "SELECT count(*) FROM coin_accounts a WHERE balance <>
                   (SELECT sum(CASE WHEN credit_account = a.user_id THEN amount ELSE -amount END) FROM coin_transfers WHERE account_id = a.user_id)";
    let wrong: i64 = client.query_one(sql, &[]).await?.try_get(0)?;
    findings
        .push(Finding::none("balances that differ from their history", usize::try_from(wrong)?));
    Ok(())
}
