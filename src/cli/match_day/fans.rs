//! The fans of a match day: they come in by code like everybody else, and predict what is theirs to predict every time.

use futures_util::{StreamExt, TryStreamExt, stream};
use reqwest::Method;
use serde_json::{Value, json};

use super::script::Fixture;
use crate::cli::operator_client::{Answer, OperatorClient};
use crate::features::demo::Draw;
use crate::features::events::Score;
use crate::features::predictions::{Confidence, Outcome, Pick, ScorePair};
use crate::platform::clock;
use crate::platform::error::{Error, Result};

/// So many do something at once.
const AT_ONCE: usize = 16;
/// The same picks in every run, so that a day's points are always the same.
const SEED: i64 = 1893;

/// What tells the fans of one run from those of all others, so that nobody's limit of codes is used up: seven digits.
#[derive(Debug, Clone, Copy)]
pub struct Run(u64);

impl Run {
    pub fn fresh() -> Self {
        Self(1_000_000 + clock::random_below(9_000_000))
    }

    /// Of a country code that no country has.
    fn phone(self, number: usize) -> String {
        format!("+999{:07}{number:05}", self.0)
    }

    fn username(self, number: usize) -> String {
        format!("fan-{}-{number}", self.0)
    }

    pub fn key(self, of: &Fixture) -> String {
        format!("match_day:{}:{}", self.0, of.key)
    }
}

/// Somebody who is logged in.
#[derive(Debug)]
pub struct Fan {
    pub number: usize,
    pub phone: String,
    pub id: i64,
    pub username: String,
    pub token: String,
    pub chat_token: Option<String>,
}

/// Lets so many come in, who are numbered from 1.
pub async fn come_in(client: &OperatorClient, run: Run, count: usize) -> Result<Vec<Fan>> {
    let arriving = stream::iter(1..=count).map(|number| log_in(client, run, number));
    arriving.buffered(AT_ONCE).try_collect().await
}

/// Asks for a code; the answer says whether it was sent.
pub async fn ask_for_code(client: &OperatorClient, run: Run, number: usize) -> Result<Answer> {
    let body = json!({"phone": run.phone(number)});
    client.ask(Method::POST, "/api/code/request", None, Some(&body)).await
}

pub async fn log_in(client: &OperatorClient, run: Run, number: usize) -> Result<Fan> {
    let (phone, username) = (run.phone(number), run.username(number));
    ask_for_code(client, run, number).await?.expect_success("a code")?;
    let path = format!("/api/logs/sms?phone=%2B{}", phone.trim_start_matches('+'));
    let log = client.ask(Method::GET, &path, None, None).await?.expect_success("the SMS log")?;
    let code = log.pointer("/data/0/code").and_then(Value::as_str).ok_or_else(|| {
        Error::internal("the SMS log shows no code: fans need the provider `log` in sms.providers")
    })?;
    let body =
        json!({"phone": phone, "code": code, "username": username, "device_name": "Match day"});
    let answer = client.ask(Method::POST, "/api/code/verify", None, Some(&body)).await?;
    let answer = answer.expect_success("a login")?;
    let text = |place: &str| answer.pointer(place).and_then(Value::as_str).map(str::to_owned);
    let id = answer.pointer("/data/user/id").and_then(Value::as_i64);
    let (Some(id), Some(token)) = (id, text("/data/token")) else {
        return Err(Error::internal("a login was answered without a token"));
    };
    let chat_token = text("/data/matrix_credentials/access_token");
    Ok(Fan { number, phone, id, username, token, chat_token })
}

/// What a fan says of a match; one in ten says nothing.
pub fn pick(number: usize, of: &Fixture) -> Option<Pick> {
    let draw = Draw::new(SEED).with(&of.key).and(i64::try_from(number).unwrap_or(0));
    if draw.with("nothing").is_within(10) {
        return None;
    }
    let home = Score::try_from(draw.with("home").below(4)).ok()?;
    let away = Score::try_from(draw.with("away").below(3)).ok()?;
    let score = (!draw.with("no score").is_within(30)).then_some(ScorePair { home, away });
    Pick::new(Outcome::of(home, away), score, Confidence::default()).ok()
}

/// Every fan's predictions on the matches, which have these ids.
pub async fn predict(
    client: &OperatorClient,
    fans: &[Fan],
    matches: &[(&Fixture, i64)],
) -> Result<usize> {
    let each = fans.iter().map(|fan| async move {
        let mut count = 0;
        for (fixture, event) in matches {
            let Some(pick) = pick(fan.number, fixture) else { continue };
            let body = json!({"event_id": event, "prediction": pick.outcome(), "score_prediction": pick.score()});
            let path = "/api/auth/predictions";
            let answer = client.ask(Method::POST, path, Some(&fan.token), Some(&body)).await?;
            answer.expect_success("a prediction")?;
            count += 1;
        }
        Ok::<usize, Error>(count)
    });
    stream::iter(each)
        .buffer_unordered(AT_ONCE)
        .try_fold(0, async |sum, count| Ok(sum + count))
        .await
}

/// What each fan is answered about their own predictions.
pub async fn own_predictions(client: &OperatorClient, fans: &[Fan]) -> Result<Vec<Vec<Value>>> {
    let each = fans.iter().map(|fan| async {
        let path = "/api/auth/predictions?per_page=100";
        let answer = client.ask(Method::GET, path, Some(&fan.token), None).await?;
        let mut answer = answer.expect_success("a fan's predictions")?;
        Ok(match answer.get_mut("data").map(Value::take) {
            Some(Value::Array(list)) => list,
            _ => Vec::new(),
        })
    });
    stream::iter(each).buffered(AT_ONCE).try_collect().await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::users::{Phone, Username};

    #[test]
    fn the_fans_of_a_run_have_numbers_and_names_that_the_service_takes_as_they_are() {
        for run in [Run(1_000_000), Run(9_999_999), Run::fresh()] {
            for number in [1, 99_999] {
                let phone = run.phone(number);
                assert_eq!(Phone::try_from(phone.as_str()).unwrap().as_str(), phone);
                Username::try_from(run.username(number).as_str()).unwrap();
            }
        }
    }

    #[test]
    fn fans_differ_in_what_they_pick_and_each_picks_the_same_again() {
        let fixture = Fixture {
            key: "derby".to_owned(),
            home: String::new(),
            away: String::new(),
            kick_off: 1,
        };
        let picks: Vec<_> = (1..=200).map(|number| pick(number, &fixture)).collect();
        assert_eq!(picks, (1..=200).map(|number| pick(number, &fixture)).collect::<Vec<_>>());
        for outcome in [Outcome::Home, Outcome::Draw, Outcome::Away] {
            let count = picks.iter().flatten().filter(|pick| pick.outcome() == outcome).count();
            assert!(count > 20, "{outcome:?}: {count}");
        }
        assert!(picks.iter().any(Option::is_none));
    }
}
