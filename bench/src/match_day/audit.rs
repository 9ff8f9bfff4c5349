//! Whether everything is there that anybody was promised, and nothing else.

use std::collections::HashMap;

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

    let rows = client.query("SELECT user_id, event_id, outcome, settlement_version > 0, points IS NOT NULL FROM predictions", &[]).await?;
    let (mut stored, mut settled) = (HashMap::new(), 0);
    for row in &rows {
        let key: (i64, i64) = (row.try_get(0)?, row.try_get(1)?);
        stored.insert(key, row.try_get::<_, String>(2)?);
        settled += usize::from(row.try_get(3)? && row.try_get(4)?);
    }
    let acknowledged: Vec<_> = promised
        .iter()
        .flat_map(|fan| {
            fan.predicted.iter().map(|(event, outcomes)| ((fan.user, *event), outcomes))
        })
        .collect();
    let kept = acknowledged.iter().filter(|(key, outcomes)| {
        stored.get(key).is_some_and(|outcome| outcomes.contains(&outcome.as_str()))
    });
    let certain = acknowledged.iter().filter(|(_, outcomes)| !outcomes.is_empty()).count();
    findings.push(Finding::all(
        "acknowledged predictions that are there, as they were made last",
        kept.count(),
        certain,
    ));
    findings.push(Finding::all(
        "predictions that have come out, with their points",
        settled,
        rows.len(),
    ));

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

    let finals = script::final_scores(&day.matches);
    let sees_all =
        |fan: &&&Promised| finals.iter().all(|(id, score)| fan.scores.get(id) == Some(score));
    let seeing = there.iter().filter(sees_all).count();
    findings.push(Finding::all("fans whose screen shows every final score", seeing, there.len()));
    let own = |fan: &Promised| rows_of(&stored, fan.user);
    let hears_all = there.iter().filter(|fan| fan.settled >= own(fan)).count();
    findings.push(Finding::all(
        "fans who were told how each of their predictions came out",
        hears_all,
        there.len(),
    ));
    findings.push(Finding::none(
        "answers that no client should be told (500 and the like)",
        day.diary.broken().len(),
    ));
    Ok(findings)
}

fn rows_of(stored: &HashMap<(i64, i64), String>, user: i64) -> usize {
    stored.keys().filter(|(of, _)| *of == user).count()
}
